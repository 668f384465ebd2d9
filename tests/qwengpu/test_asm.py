"""Assembly text: round trips over random blocks, one block as it looks, and every error."""

from __future__ import annotations

import pytest
from block_strategies import blocks, specs
from hypothesis import given
from hypothesis import strategies as st

from qwengpu.asm import AsmError, assemble, disassemble
from qwengpu.encode import canonical
from qwengpu.isa import (
    Block,
    Const,
    LiveOut,
    Mod,
    Next,
    NextKind,
    Op,
    Slot,
    Store,
    Width,
    bus_const,
    bus_read,
    bus_slot,
)
from qwengpu.spec import SEED, Spec

TEXT = """\
serial
read R0=r4 R1=r5
const C0=param0 C1=#1 C2=tid.x C3=#-4
sync C1
T0 x0: add R1, C1
T2 l1: ld.global.word.align8 [C0 + sext(R0)<<2 + C3]
T4 m2: mul R0, R1
T6 x3: shfl.bfly T2, C1, C3
out r4=T6 r5=T0
store.shared.word_of_8 [C0] = T4
next if T6 -> 3 else exit"""


def test_a_block_as_it_looks() -> None:
    block = assemble(TEXT, SEED)
    assert disassemble(block, SEED) == TEXT
    assert block.reads == (4, 5)
    assert block.consts == (Const(16, True), Const(1), Const(0, True), Const(2**32 - 4))
    assert block.slots[0] == Slot(Op.ADD, bus_read(SEED, 1), bus_const(SEED, 1))
    assert block.outs == (LiveOut(4, bus_slot(SEED, 6)), LiveOut(5, bus_slot(SEED, 0)))
    assert block.next == Next(NextKind.BRANCH, 3, -1, bus_slot(SEED, 6))
    assert block.store == Store(bus_const(SEED, 0), bus_slot(SEED, 4), mod=block.store.mod)
    assert block.serial and block.sync == bus_const(SEED, 1)


@given(st.data(), specs)
def test_assemble_inverts_disassemble(data: st.DataObject, spec: Spec) -> None:
    block = data.draw(blocks(spec))
    assert assemble(disassemble(block, spec), spec) == canonical(block, spec)


def test_tags_and_comments_are_optional() -> None:
    text = "; a comment\n\nT0: add 0 ; one\n T5 : fit.signed R0, R1\nnext trap"
    block = assemble(text, SEED)
    assert block.slots[0] == Slot(Op.ADD)
    assert block.slots[5] == Slot(Op.FIT, 1, 2, mod=Mod(signed=True))
    assert block.next == Next(NextKind.TRAP)


def test_an_illegal_block_has_no_text() -> None:
    with pytest.raises(ValueError, match="illegal block"):
        disassemble(Block(reads=(99,)), SEED)


ERRORS = {
    "nonsense": ("frobnicate", r"line 1: 'frobnicate' is no part of a block; write read"),
    "no next": ("read R0=r1", r"no next line; end it with 'next exit'"),
    "read port": ("read R4=r1", r"line 1: R4: spec seed has the ports R0...R3"),
    "read what": ("read R0=x1", r"'x1' is no register; write r0...r15"),
    "read shape": ("read r1", r"'r1' is not of the form R0=r4"),
    "read nothing": ("read", r"nothing is named; write R0=r4"),
    "row": ("read R0=r16\nnext exit", r"row 16 of 16"),
    "const port": ("const C9=#1", r"C9: spec seed has the ports C0...C3"),
    "const what": ("const C0=1", r"'1' is no constant; write #number, param<i>, or one of tid.x"),
    "const size": ("const C0=#0x100000000", r"does not fit 32 bits"),
    "const row": ("const C0=param16\nnext exit", r"constant port 0 names row 32 of 32; see docs/machine.md"),
    "bus": ("\nsync X1", r"line 2: 'X1' is no bus entry; write 0, R<port>, C<port> or T<slot>"),
    "bus range": ("sync T8", r"T8: spec seed has T0...T7"),
    "slot shape": ("T0 add R0", r"is not of the form T0 x0: add R0, R1"),
    "slot range": ("T8: add R0", r"T8: spec seed has the slots T0...T7"),
    "slot tag": ("T0 a0: add R0", r"T0 is slot x0, not a0"),
    "operation": ("T0: div R0, R1", r"'div' is no operation; those there are: add, sub"),
    "operand count": ("T0: and R0, R1, R2", r"and takes 2 operands, not 3"),
    "offered": ("T1: shl R0, R1\nnext exit", r"slot 1 of kind a does not offer SHL"),
    "suffix": ("T0: add.x R0, R1", r"add takes no suffix .x"),
    "fit suffix": ("T0: fit.unsigned R0, R1", r"fit takes no suffix .unsigned"),
    "lea suffix": ("T0: lea.word [R0]", r"lea takes no suffix .word"),
    "shfl": ("T0: shfl R0, R1, R2", r"shfl takes one suffix of .idx, .up, .down, .bfly"),
    "ins": ("T0: ins.x R0, R1, R2", r"ins takes one suffix of .word"),
    "access": ("T2: ld.global [R0]", r"an access names space and width; write for example"),
    "space": ("T2: ld.local.word [R0]", r"an access takes one suffix of .global, .shared"),
    "alignment": ("T2: ld.global.word.align3 [R0]", r".align3 is no alignment of 2...128 bytes"),
    "address": ("T2: ld.global.word R0", r"'R0' is no address; write \[C0 \+ R0<<2 \+ C1\]"),
    "store": ("store.global.word [R0]", r"is not of the form store.global.word \[C0 \+ R0<<2\] = T0"),
    "store width": ("store.global.u8 [R0] = R1\nnext exit", r"store of width U8"),
    "target": ("next 3x", r"'3x' is no target; write a block number or exit"),
    "target range": ("next 32", r"taken target 32 is neither a block"),
    "serial": ("serial 1", r"'serial 1' is no part of a block"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_line_and_remedy(name: str) -> None:
    text, message = ERRORS[name]
    with pytest.raises(AsmError, match=message) as caught:
        assemble(text, SEED)
    assert "\n" not in str(caught.value).replace(text, "")


def test_every_operation_has_a_text() -> None:
    kinds = {"a": 1, "x": 0, "m": 4, "l": 2}
    for op in Op:
        slot = kinds[op.kinds[0]]
        mod = Mod(width=Width.U8) if op is Op.INS else Mod()
        block = Block(slots=tuple(Slot(op, 1, 2, 3, mod) if n == slot else None for n in range(8)))
        text = disassemble(block, SEED)
        assert op.name.lower() in text and assemble(text, SEED) == canonical(block, SEED)


def test_spec_matters() -> None:
    narrow = Spec("n", lanes=2, registers=8, warps=1, blocks=2, memory_words=8, const_rows=17, read_ports=1)
    with pytest.raises(AsmError, match=r"spec n has the ports R0\.\.\.R0"):
        assemble("read R1=r1\nnext exit", narrow)
