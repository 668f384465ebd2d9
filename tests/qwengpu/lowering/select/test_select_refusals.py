"""What cannot be lowered exactly is refused in one line: instruction, PTX line, CUDA line, reason, remedy."""

from __future__ import annotations

import re

import pytest
from select_kit import kernel

from qwengpu.frontend.ptx.opcodes import UNREAD
from qwengpu.lowering.select import select
from qwengpu.program import Refusal
from qwengpu.spec import SEED

DECLARE = (
    ".reg .b64 %d<9>; .reg .b32 %r<9>; .reg .b16 %h<4>; .reg .f32 %f<4>; .reg .pred %p<3>; .shared .b32 s[4];"
    ".local .b32 l; ld.param.u64 %d1, [a];\n.loc 1 42 7\n"
)

CASES = [
    (
        "cvt.rn.f32.s32 %f1, %r1;",
        r"cvt\.rn\.f32\.s32 \(PTX line \d+, CUDA line 42\): floating point .*; use integer",
    ),
    ("add.f32 %f1, %f1, %f1;", "floating point"),
    ("fma.rn.f32 %f1, %f1, %f1, %f1;", "floating point"),
    ("setp.lt.f32 %p1, %f1, %f1;", "floating point"),
    ("sqrt.rn.f32 %f1, %f1;", "floating point"),
    ("div.s64 %d2, %d2, %d2;", "64-bit division.*; divide 32-bit"),
    ("rem.u64 %d2, %d2, %d2;", "64-bit division"),
    ("mul.hi.u64 %d2, %d2, %d2;", "high half of a 64-bit product"),
    ("atom.global.add.u64 %d2, [%d1], %d2;", "only 32-bit integer atomics"),
    ("atom.global.cas.b16 %h1, [%d1], %h1, %h1;", "only 32-bit integer atomics"),
    ("red.global.add.f32 [%d1], %f1;", "floating point"),
    ("bar.sync 1;", "only barrier 0"),
    ("bar.sync 0, 32;", "only barrier 0"),
    ("bar.arrive 0, 32;", "only bar.sync"),
    ("bar.red.popc.u32 %r1, 0, %p1;", r"only bar\.sync"),
    ("mov.u32 %r1, %clock;", "%clock measures time"),
    ("mov.u64 %d2, %globaltimer;", "not supported here"),
    ("mov.u32 %r1, %smid;", "special register %smid"),
    ("vote.ballot.b32 %r1, %p1;", r"vote without \.sync"),
    ("shfl.idx.b32 %r1, %r1, 0, 31;", r"shfl without \.sync"),
    ("redux.sync.add.s32 %r1, %r1, -1;", "reduce with"),
    ("fns.b32 %r1, %r1, 0, 1;", "n-th set bit"),
    ("add.u16x2 %r1, %r1, %r1;", "packed"),
    ("min.s32.relu %r1, %r1, %r1;", r"\.relu is no type"),
    ("add.u32 %r1, %r1;", "not complete"),
    ("mov %r1, %r1;", "not complete"),
    ("atom.global.cas.b32 %r1, [%d1], 1;", "not complete"),
    ("mul.u32 %r1, %r1, %r1;", "lo, .hi or .wide"),
    ("shf.l.b32 %r1, %r1, %r1, 1;", "wrap or .clamp"),
    ("setp.eq.and.u32 %p1, %r1, %r1;", "not complete"),
    ("pmevent 1;", "instruction is not supported; write it with simpler ones"),
    ("add.u32 %r1, %h1, %r1;", "%h1 has 16 bits"),
    ("add.u32 %d2, %r1, %r1;", "%d2 has 64 bits"),
    ("add.u64 %d2, %r1, %d1;", "%r1 has 32 bits"),
    ("add.u16 %r1, %h1, %h1;", "%r1 has 32 bits"),
    ("cvta.shared.u64 %d2, %d3; st.global.u64 [%d1], %d2;", "number of a generic or local address"),
    ("mov.u64 %d2, l; cvta.local.u64 %d2, %d2; setp.eq.s64 %p1, %d2, 0;", "generic or local"),
    (
        "mov.u64 %d2, s; cvta.shared.u64 %d3, %d2; setp.eq.u32 %p1, %r1, 0; selp.b64 %d4, %d3, %d1, %p1;"
        "ld.u32 %r2, [%d4];",
        "address space of this generic access",
    ),
    ("ld.param.u32 %r1, [a+6];", "offset 6 is outside parameter a"),
    ("mov.b64 %d2, a; add.s64 %d2, %d2, %d1; ld.param.u32 %r1, [%d2];", "computed at run time"),
    ("mov.u32 %r1, l;", "32-bit address"),
    ("ld.global.u32 %r1, [outside];", "declared, not defined"),
    ("ld.global.u32 %r1, [broken];", "is no number"),
    ("tex.1d.v4.s32.s32 {%r1,%r2,%r3,%r4}, [s, {%r1}];", "textures are not supported; read from a buffer"),
    ("tex.2d.v4.f32.f32 {%f1,%f1,%f1,%f1}, [t, {%f1,%f1}];", "textures are not supported; read from a buffer"),
    ("@%p1 suld.b.1d.b32.trap {%r1}, [s, {%r2}];", "surfaces are not supported; read and write a buffer"),
    ("wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1, %r2}, [%d1], %r2;", "matrix instructions .*; multiply"),
    ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d1}, {%d2}, {%d3}, {%d4};", "matrix instructions"),
    ("mbarrier.init.shared.b64 [s], 1;", "mbarrier objects are not supported; use __syncthreads"),
    (
        "cp.async.bulk.tensor.1d.shared.global [s], [%d2, {%r1}], [%d3];",
        "asynchronous copies .*; load and store",
    ),
    ("vadd.s32.s32.s32 %r1, %r2.b0, %r3.h1;", "video instructions are not supported; use plain"),
    ("mapa.u64 %d1, %d2, %r1;", "clusters .* are not supported; use one thread block"),
    ("mov.u64 %d2, ref;", "variable ref: textures and surfaces are not supported; assign or load"),
]


@pytest.mark.parametrize(("text", "pattern"), CASES, ids=[text[:30] for text, _ in CASES])
def test_refusal(text: str, pattern: str) -> None:
    declare = ".global .texref t, ref;\n.extern .global .u32 outside;\n.global .u64 broken = generic(outside);"
    with pytest.raises(Refusal) as error:
        select(kernel(DECLARE + text + " ret;", ".param .u64 a", declare), None, SEED)
    message = str(error.value)
    assert re.search(pattern, message), message
    assert "\n" not in message
    assert "PTX line" in message


@pytest.mark.parametrize("op", sorted(UNREAD))
def test_every_instruction_whose_operands_are_not_read_has_a_refusal(op: str) -> None:
    with pytest.raises(Refusal, match=rf"{op}\.x \(PTX line .* (is|are) not supported; \w") as error:
        select(kernel(DECLARE + f"{op}.x [{{?}}, ((; ret;", ".param .u64 a"), None, SEED)
    assert error.value.kind == "unsupported" and "simpler ones" not in str(error.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("shll.b32 %r1, %r1, 1;", r"PTX line \d+: no such PTX instruction: shll \(did you mean shl\?\)$"),
        ("@%p1 frobnicate.u32 %r1, [{?}];", r"PTX line \d+: no such PTX instruction: frobnicate$"),
        ("@%p9 ret;", r"register %p9 is not declared"),
        ("ld.global.u32 %r1, [%d99+4];", r"register %d99 in address \[%d99\+4\] is not declared"),
    ],
)
def test_what_is_no_ptx_is_an_error_of_syntax(line: str, message: str) -> None:
    with pytest.raises(Refusal, match=message) as error:
        select(kernel(DECLARE + line + " ret;", ".param .u64 a"), None, SEED)
    assert error.value.kind == "syntax"


def test_float_copies_are_exact_and_allowed() -> None:
    text = "ld.global.f32 %f1, [%d1]; mov.f32 %f2, %f1; st.global.f32 [%d1+4], %f2;"
    select(kernel(DECLARE + text + " ret;", ".param .u64 a"), None, SEED)


def test_code_that_is_not_reached_is_not_refused() -> None:
    text = "bra L; add.f32 %f1, %f1, %f1; L:"
    function = select(kernel(DECLARE + text + " ret;", ".param .u64 a"), None, SEED)
    assert function.unmapped[2, "%f1"].startswith("folded: the instruction cannot be reached")


def test_too_many_parameters() -> None:
    params = ", ".join(f".param .u64 p{n}" for n in range(9))
    with pytest.raises(
        Refusal, match=r"needs 18 parameter words.*spec seed has 16; use a larger spec"
    ) as error:
        select(kernel("ret;", params), None, SEED)
    assert error.value.kind == "size"
