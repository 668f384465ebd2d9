"""The lowering's PTX reader: the traps of real compilers' output, and errors that name the line."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qwengpu.frontend.ptx import PtxError, read_ptx, signatures
from qwengpu.frontend.ptx.ast import (
    FloatImmediate,
    Group,
    Immediate,
    Memory,
    Name,
    Not,
    Pair,
    Register,
    Sink,
    Special,
    Symbol,
    Variable,
)
from qwengpu.frontend.ptx.constants import evaluate, integer

HEADER = ".version 7.0\n.target sm_75\n.address_size 64\n"


def body(text: str, params: str = "", declare: str = "") -> list:
    """Instructions of a kernel with this body."""
    module = read_ptx(f"{HEADER}{declare}.visible .entry k({params})\n{{\n{text}\n}}\n")
    return module.functions["k"].body


def operands(text: str, declare: str = ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;") -> tuple:
    return body(declare + text)[0].operands


def test_parameters_with_pointer_attributes() -> None:
    text = (
        HEADER + ".visible .entry k(.param .u64 .ptr .align 1 k_param_0, .param .u64 .ptr .global .align 4 q,\n"
        "  .param .u64 n, .param .u32 m, .param .align 8 .b8 s[24], .param .u8 c)\n{ ret; }\n"
    )
    (decls,) = signatures(text).values()
    assert [(d.name, d.type, d.size, d.align, d.pointer) for d in decls] == [
        ("k_param_0", "u64", 8, 8, True),
        ("q", "u64", 8, 8, True),
        ("n", "u64", 8, 8, None),
        ("m", "u32", 4, 4, False),
        ("s", "b8", 24, 8, False),
        ("c", "u8", 1, 1, False),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0x123U", 0x123),
        ("017", 15),
        ("0b101", 5),
        ("0", 0),
        ("-5", -5),
        ("0xFFFFFFFFFFFFFFFF", (1 << 64) - 1),
        ("(1 << 4) | 3", 19),
        ("~0", -1),
        ("7 / -2", -3),
        ("-7 % 3", -1),
        ("1 ? 2 : 3", 2),
        ("(.u64) -1", (1 << 64) - 1),
        ("2 + 3 * 4 == 14 && !0", 1),
    ],
)
def test_constants(text: str, value: int) -> None:
    assert evaluate(text) == value
    assert body(f".reg .b64 %r; mov.b64 %r, {text};")[0].operands[1] == Immediate(value)


@pytest.mark.parametrize("text", ["", "1 +", "x", "1 / 0", "(1", "1 2", "0x", "08"])
def test_no_constants(text: str) -> None:
    with pytest.raises(ValueError):
        evaluate(text)


@given(st.integers(0, (1 << 64) - 1))
def test_constant_notations_agree(value: int) -> None:
    for text in (str(value), hex(value), bin(value), f"0{value:o}", hex(value) + "U"):
        assert integer(text) == value


def test_operand_forms() -> None:
    assert isinstance(operands("mov.u32 %r1, %tid.x;")[1], Special)
    assert operands("mov.u32 %r1, WARP_SZ;")[1] == Special("WARP_SZ")
    vector, address = operands("ld.global.v4.u32 {%r1,_,%r3,%r4}, [%rd1+-8];")
    first, second = vector.items[:2]
    assert isinstance(first, Register)
    assert isinstance(second, Sink)
    assert isinstance(address, Memory)
    assert address.offset == -8
    pair = operands("shfl.sync.idx.b32 %r1|%p1, %r2, 0, 0x1f, -1;")[0]
    assert isinstance(pair, Pair)
    assert pair.second.name == "%p1"
    assert isinstance(operands("setp.eq.and.u32 %p1|_, %r1, 0, !%p2;")[3], Not)
    assert operands("mov.f32 %r1, 0f3F800000;")[1] == FloatImmediate("0f3F800000")
    assert operands("ld.shared.u32 %r1, [16];")[1] == Memory(None, 16)


def test_symbols_and_addresses() -> None:
    declare = ".shared .align 4 .b8 buffer[64];\n.global .u32 g;\n"
    code = body(
        ".reg .b32 %r<3>; .reg .b64 %rd<3>;\n mov.u32 %r1, buffer; mov.u64 %rd1, g+4;"
        "ld.shared.u32 %r2, [buffer+12];",
        declare=declare,
    )
    assert isinstance(code[0].operands[1], Symbol)
    assert code[1].operands[1].offset == 4
    assert isinstance(code[2].operands[1].base, Variable)
    assert code[2].operands[1].offset == 12


def test_names_of_inline_assembly_and_nested_scopes() -> None:
    code = body(
        """
        .reg .b32 %r<12>;
        { .reg .pred p; .reg .b32 tmp;
          setp.ne.u32 p, %r1, 0;
          @p mov.u32 tmp, 1;
          @!p bra L;
          mov.u32 %r2, tmp;
        L: }
        { .reg .b32 tmp; L: mov.u32 %r11, tmp; bra L; }
        """
    )
    assert code[1].guard.name == "p"
    assert not code[1].negated
    assert code[2].negated
    assert code[1].operands[0] is code[3].operands[1]
    assert code[4].operands[1] is not code[3].operands[1]
    assert isinstance(code[2].operands[0], Name)
    assert code[2].operands[0].scope != code[5].operands[0].scope


def test_ranges_of_registers() -> None:
    code = body(".reg .b32 %r<11>; .reg .b64 %rd<3>; .reg .b32 a<2>, b, c<3>; mov.u32 %r10, a1; mov.u32 b, c2;")
    assert code[0].operands[0].bits == 32
    with pytest.raises(PtxError, match=r"%r11 is not declared"):
        body(".reg .b32 %r<11>; mov.u32 %r11, 0;")
    with pytest.raises(PtxError, match=r"%r01 is not declared"):
        body(".reg .b32 %r<11>; mov.u32 %r01, 0;")


def test_ordinals_count_instructions_of_all_functions() -> None:
    module = read_ptx(
        HEADER
        + """
        .func (.param .b32 r) f (.param .b32 a)
        { .reg .b32 %r<2>; .loc 1 3 0
          ld.param.b32 %r1, [a];   // one
          st.param.b32 [r], %r1; ret; }
        .visible .entry k() .maxntid 4, 1, 1 .minnctapersm 1
        { .reg .b32 t;
          .pragma "nounroll";
          { .param .b32 p0; .param .b32 q0;
            st.param.b32 [p0], 7;
            call.uni (q0), f, (p0);
          }
        $L__BB0_1: /* label */ ret;
        }
        .section .debug_str { L: .b8 1,2; { .b8 3 } }
        .file 1 "a // b.cu"
        """
    )
    assert [i.ordinal for i in module.functions["f"].body] == [0, 1, 2]
    assert [(i.ordinal, i.op) for i in module.functions["k"].body] == [(3, "st"), (4, "call"), (5, "ret")]
    assert isinstance(module.functions["k"].body[1].operands[0], Group)
    assert module.kernels == ("k",)


def test_lines_of_ptx_and_cuda() -> None:
    code = body(
        ".reg .b32 a;\n.loc 1 7 3\nmov.b32 a, 1;\n.loc 1 0 3\nmov.b32 a, 2; mov.b32\n a, 3;\n"
        ".loc 2 99 1, function_name $L, inlined_at 1 12 5\nmov.b32 a, 4;"
    )
    assert [(i.line, i.cuda_line) for i in code] == [(8, 7), (10, 7), (10, 7), (13, 12)]


def test_initial_values() -> None:
    module = read_ptx(
        HEADER
        + ".const .align 4 .u32 t[4] = {1, 0x2U, -1};\n.global .u16 h[2][2] = {{1}, {2, 3}};\n"
        + ".global .u64 one = 5;\n.global .align 8 .b8 zero[3];\n.extern .shared .align 16 .b8 dyn[];\n"
        + ".global .u32 open[] = {7, 8};\n.global .u64 where[1] = {generic(one)};\n"
    )
    found = module.variables
    assert found["t"].data == b"\1\0\0\0\2\0\0\0\xff\xff\xff\xff\0\0\0\0"
    assert found["h"].data == b"\1\0\0\0\2\0\3\0"
    assert found["one"].data == b"\5" + bytes(7)
    assert (found["zero"].size, found["zero"].align, found["zero"].data) == (3, 8, None)
    assert found["dyn"].external
    assert found["dyn"].size == 0
    assert found["open"].size == 8
    assert "no number" in found["where"].problem


def test_jump_table() -> None:
    module = read_ptx(
        HEADER + ".entry k() { .reg .u32 i; ts: .branchtargets A, B;\n brx.idx i, ts;\n A: B: ret; }"
    )
    assert module.functions["k"].tables == {(0, "ts"): ("A", "B")}
    assert module.functions["k"].labels == {(0, "A"): 1, (0, "B"): 1}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (".reg .b32 a;\nmov.b32 a, b c;\n", 7, "cannot read operand"),
        (".reg .b32 a;\nmov.b32 a, 1\nmov.b32 a, 2;\n", 7, "';' missing"),
        ("mov.b32 %q, 1;", 6, "%q is not declared"),
        (".reg .foo a;", 6, "registers of type"),
        (".reg .v2 .b32 a;", 6, "registers of type"),
        ("@a bra L;", 6, "no predicate"),
        ("L: L: ret;", 6, "defined twice"),
        ("ld.u32 a, [nowhere];", 6, "not declared"),
        ("{ ret; ", 8, "not closed"),
        ("?", 6, "cannot read"),
        ("add.u32 , 1;", 6, "operand is missing"),
    ],
)
def test_errors_name_the_line(text: str, line: int, message: str) -> None:
    with pytest.raises(PtxError, match=message) as error:
        body(text)
    assert error.value.line == line
    assert error.value.kind == "syntax"
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text", [".address_size 32", ".what", "hello", ".entry {", ".global .u32 x = {1;", ".func ("]
)
def test_module_errors(text: str) -> None:
    with pytest.raises(PtxError):
        read_ptx(text)


@given(st.text(alphabet='.regmovb32 %{}()[];,:@!|+-0x1_\n"/*$', max_size=60))
def test_junk_never_crashes(text: str) -> None:
    with suppress(PtxError):
        read_ptx(HEADER + ".entry k() {" + text + "}")
