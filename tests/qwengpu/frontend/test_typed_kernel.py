"""Inlining and control-flow graphs."""

from __future__ import annotations

import pytest

from qwengpu.frontend.build import typed_kernel
from qwengpu.frontend.ptx import read_ptx
from qwengpu.frontend.typed import TypedKernel
from qwengpu.program import Refusal

HEADER = ".version 7.0\n.target sm_75\n.address_size 64\n"
DOUBLE = """
.func (.param .b32 r) twice (.param .b32 a)
{ .reg .b32 %x<3>; .reg .pred p;
  ld.param.b32 %x1, [a];
  setp.eq.u32 p, %x1, 0;
  @p bra Z;
  add.u32 %x2, %x1, %x1;
  st.param.b32 [r], %x2;
  ret;
Z: st.param.b32 [r], 1; ret; }
"""


def build(text: str, kernel: str | None = None) -> TypedKernel:
    return typed_kernel(read_ptx(HEADER + text), kernel)


def test_blocks_of_a_loop() -> None:
    kernel = build(
        ".entry k() { .reg .u32 i; .reg .pred p; mov.u32 i, 3; L: sub.u32 i, i, 1; setp.ne.u32 p, i, 0;"
        " @p bra L; bra.uni E; E: ret; }"
    )
    assert [[i.op for i in b.instrs] for b in kernel.blocks] == [["mov"], ["sub", "setp"], [], []]
    assert [(b.taken, b.other, b.goes_on) for b in kernel.blocks] == [
        ((), 1, True),
        ((1,), 2, True),
        ((3,), 3, False),
        ((None,), None, False),
    ]
    assert kernel.blocks[1].successors == (1, 2)


def test_calls_are_inlined_with_registers_of_their_own() -> None:
    kernel = build(
        DOUBLE + ".entry k() { .reg .b32 %r<3>; { .param .b32 p; .param .b32 q; st.param.b32 [p], 5; "
        "call.uni (q), twice, (p); ld.param.b32 %r1, [q]; } "
        "{ .param .b32 p; .param .b32 q; st.param.b32 [p], %r1; call.uni (q), twice, (p); "
        "ld.param.b32 %r2, [q]; } ret; }"
    )
    everything = [i for b in kernel.blocks for i in b.instrs]
    adds = [i for i in everything if i.op == "add"]
    assert len(adds) == 2
    assert adds[0].ordinal == adds[1].ordinal
    assert adds[0].operands[0] is not adds[1].operands[0]
    assert not any(i.op in ("call", "ld", "st") for i in everything)  # scalars are passed by moves
    assert sum(b.end is not None and b.end.op == "ret" for b in kernel.blocks) == 5


def test_structures_are_passed_word_by_word() -> None:
    kernel = build(
        ".func f (.param .align 4 .b8 s[8]) { .reg .b32 a; ld.param.b32 a, [s+4]; ret; }"
        ".entry k() { { .param .align 4 .b8 s[8]; st.param.b32 [s], 1; st.param.b32 [s+4], 2; call f, (s); }"
        " ret; }"
    )
    assert [len(words) for words in kernel.slots.values()] == [2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".func f() { call f; ret; } .entry k() { call f; ret; }", "recursive"),
        (".func f() { call g; ret; } .func g() { call f; ret; } .entry k() { call f; ret; }", "recursive"),
        (".extern .func f(); .entry k() { call f; ret; }", "no body"),
        (".entry k() { .reg .b64 a; P: .callprototype _ (); call a, (), P; ret; }", "indirect"),
        (".func f(.param .b32 a) { ret; } .entry k() { call f; ret; }", "number of parameters"),
        (".entry k() { bra nowhere; }", "no label"),
        (".entry k() { .reg .u32 i; brx.idx i, nowhere; }", "branch targets"),
        (".func f(.reg .b32 a) { ret; } .entry k() { call f, (1); ret; }", "parameters in registers"),
        (".entry k() { ret; } .entry l() { ret; }", "name the kernel; the module has: k, l"),
        (".func f() { ret; }", "the module has: none"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(Refusal, match=message):
        build(text)


def test_no_such_kernel() -> None:
    with pytest.raises(Refusal, match="no kernel 'x'; the module has: k") as error:
        build(".entry k() { ret; }", "x")
    assert error.value.kind == "kernel"
