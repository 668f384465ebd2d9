"""ROM words: round trips, the layout, and every rule of legality."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from block_strategies import ODD, SPECS, blocks, specs
from hypothesis import given
from hypothesis import strategies as st

from qwengpu.encode import Illegal, block_bits, block_words, canonical, decode, encode, fields, illegal_reason
from qwengpu.isa import (
    EXIT,
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


@given(st.data(), specs)
def test_decode_inverts_encode(data: st.DataObject, spec: Spec) -> None:
    block = data.draw(blocks(spec))
    words = encode(block, spec)
    assert len(words) == block_words(spec)
    assert decode(words, spec) == canonical(block, spec)
    assert encode(canonical(block, spec), spec) == words


@given(st.data(), specs)
def test_decode_never_raises_and_gives_only_legal_blocks(data: st.DataObject, spec: Spec) -> None:
    words = data.draw(st.lists(st.integers(0, 2**32 - 1), max_size=block_words(spec) + 1))
    block = decode(words, spec)
    if isinstance(block, Block):
        assert illegal_reason(block, spec) is None
        assert decode(encode(block, spec), spec) == block


@given(st.data(), specs)
def test_a_flipped_bit_of_a_block_is_seen_or_has_no_effect(data: st.DataObject, spec: Spec) -> None:
    block = canonical(data.draw(blocks(spec)), spec)
    words = list(encode(block, spec))
    bit = data.draw(st.integers(0, block_bits(spec) - 1))
    words[bit // 32] ^= 1 << bit % 32
    other = decode(words, spec)
    if other == block:  # a field without a use: an idle slot, an unused modifier, operand or target
        name = next(f.name for f in reversed(fields(spec)) if f.offset <= bit)
        assert name.partition(".")[0].rstrip("0123456789") in ("slot", "out", "store", "next", "sync")


def test_the_layout_is_that_of_section_3() -> None:
    names = [field.name for field in fields(SEED)]
    assert names[:8] == [
        "valid",
        "serial",
        "sync.used",
        "sync",
        "next.kind",
        "next.cond",
        "next.taken",
        "next.other",
    ]
    assert names[8:14] == ["read0", "read1", "read2", "read3", "const0.row", "const0.value"]
    assert names[20:28] == [
        f"slot0.{part}" for part in ("op", "a", "b", "c", "scale", "signed", "width", "shfl")
    ]
    load = [name.partition(".")[2] for name in names if name.startswith("slot2.")]
    assert load == ["op", "a", "b", "c", "scale", "signed", "width", "space", "align"]
    assert names[-12:-10] == ["out3.row", "out3.source"]
    assert names[-10:] == [f"store.{part}" for part in ("used", "a", "b", "c", "data", *load[4:])]
    assert {field.name: field.bits for field in fields(SEED)}["next.taken"] == 6
    assert {field.name: field.bits for field in fields(SEED)}["slot0.a"] == 5
    assert block_bits(SEED) == 482 and block_words(SEED) == 16
    offsets = [field.offset for field in fields(SEED)]
    assert offsets == sorted(offsets) and offsets[0] == 0


def test_a_block_written_bit_by_bit() -> None:
    """JUMP to block 3 reading row 5 through R0: bits placed by hand."""
    bits = 1  # valid
    bits |= 3 << 15  # taken: behind valid 1, serial 1, sync 1 + 5, kind 2, cond 5
    bits |= 32 << 21  # other: EXIT
    bits |= 5 << 27  # read0
    block = Block(reads=(5,), next=Next(taken=3))
    assert encode(block, SEED)[:1] == (bits & 0xFFFFFFFF,)
    assert encode(block, SEED) == (bits & 0xFFFFFFFF, *(0,) * 15)


def _slots(number: int, slot: Slot) -> tuple[Slot | None, ...]:
    return tuple(slot if index == number else None for index in range(8))


T0, T1, T2 = (bus_slot(SEED, i) for i in range(3))

ILLEGAL = {
    "too many reads": Block(reads=(1,) * 5),
    "row beyond": Block(reads=(16,)),
    "too many consts": Block(consts=(Const(0),) * 5),
    "const row beyond": Block(consts=(Const(32, True),)),
    "literal too big": Block(consts=(Const(1 << 32),)),
    "negative literal": Block(consts=(Const(-1),)),
    "slot count": Block(slots=(None,) * 7),
    "op not offered": Block(slots=_slots(1, Slot(Op.SHL, 1, 1))),
    "load outside l": Block(slots=_slots(0, Slot(Op.LD, 1))),
    "multiply outside m": Block(slots=_slots(6, Slot(Op.MUL, 1, 1))),
    "same level": Block(slots=_slots(1, Slot(Op.ADD, T0, 0))),
    "later level": Block(slots=_slots(0, Slot(Op.ADD, T2, 0))),
    "itself": Block(slots=_slots(2, Slot(Op.LD, T2))),
    "unneeded operand": Block(slots=_slots(0, Slot(Op.AND, 1, 1, T2))),
    "ins width": Block(slots=_slots(0, Slot(Op.INS, 1, 1, 1))),
    "scale": Block(slots=_slots(0, Slot(Op.LEA, 1, 1, 1, Mod(scale=4)))),
    "align": Block(slots=_slots(2, Slot(Op.LD, 1, mod=Mod(align=8)))),
    "outs": Block(outs=(LiveOut(1, 0),) * 5),
    "out to row 0": Block(outs=(LiveOut(0, 0),)),
    "out beyond": Block(outs=(LiveOut(16, 0),)),
    "out source": Block(outs=(LiveOut(1, 17),)),
    "store operand": Block(store=Store(17, 0)),
    "store width": Block(store=Store(1, 0, mod=Mod(width=Width.U8))),
    "sync": Block(sync=17),
    "taken": Block(next=Next(taken=32)),
    "other": Block(next=Next(other=-2)),
    "cond": Block(next=Next(NextKind.BRANCH, 0, 0, 17)),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_illegal_blocks_are_refused(name: str) -> None:
    block = ILLEGAL[name]
    reason = illegal_reason(block, SEED)
    assert reason and "\n" not in reason
    with pytest.raises(ValueError, match="illegal block"):
        encode(block, SEED)


def test_the_same_shapes_are_legal_within_their_bounds() -> None:
    block = Block(
        reads=(15, 1, 2, 3),
        consts=(Const(31, True), Const(2**32 - 1)),
        slots=(Slot(Op.ADD, bus_read(SEED, 0), bus_const(SEED, 1)), None, Slot(Op.LD, T1), *(None,) * 5),
        outs=(LiveOut(15, 16),) * 4,
        store=Store(16, 16, 16, 16),
        next=Next(NextKind.BRANCH, 31, EXIT, 16),
        sync=16,
    )
    assert illegal_reason(block, SEED) is None


def _with_field(block: Block, name: str, value: int, spec: Spec = SEED) -> tuple[int, ...]:
    whole = sum(word << 32 * i for i, word in enumerate(encode(block, spec)))
    field = next(f for f in fields(spec) if f.name == name)
    whole &= ~(((1 << field.bits) - 1) << field.offset)
    whole |= value << field.offset
    return tuple(whole >> 32 * i & 0xFFFFFFFF for i in range(block_words(spec)))


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("valid", 0, "valid bit"),
        ("slot0.op", 63, "no operation"),
        ("slot1.op", Op.SHL.code, "does not offer"),
        ("slot0.a", 31, "no bus entry"),
        ("slot2.width", 7, "no width"),
        ("store.width", 1, "store of width"),
        ("store.width", 7, "no width"),
        ("out1.used", 0, "behind an unused one"),
        ("out0.row", 0, "row 0"),
        ("next.taken", 33, "neither a block"),
        ("next.other", 63, "neither a block"),
        ("sync", 30, "no bus entry"),
        ("const0.value", 32, "names row 32"),
    ],
)
def test_words_of_illegal_blocks(name: str, value: int, part: str) -> None:
    block = Block(
        consts=(Const(1, True),),
        slots=(Slot(Op.ADD, 1, 1), Slot(Op.ADD, 1, 1), Slot(Op.LD, 1), *(None,) * 5),
        outs=(LiveOut(1, 1), LiveOut(2, 1), LiveOut(3, 1)),
        store=Store(1, 1),
        sync=1,
    )
    assert isinstance(decode(encode(block, SEED), SEED), Block)
    decoded = decode(_with_field(block, name, value), SEED)
    assert isinstance(decoded, Illegal)
    assert part in decoded.reason


def test_fields_without_a_use_are_ignored() -> None:
    block = Block(slots=(Slot(Op.ADD, 1, 1), *(None,) * 7))
    for name, value in (("slot0.width", 7), ("slot0.shfl", 3), ("slot3.width", 7), ("slot3.a", 31)):
        assert decode(_with_field(block, name, value), SEED) == canonical(block, SEED)


def test_missing_words_count_as_zero() -> None:
    assert isinstance(decode((), SEED), Illegal)
    assert decode(encode(Block(), SEED)[:1], SEED) == canonical(Block(), SEED)


def test_random_words_are_mostly_illegal() -> None:
    rng = random.Random(1)
    for spec in SPECS:
        decoded = [decode([rng.getrandbits(32) for _ in range(block_words(spec))], spec) for _ in range(50)]
        assert any(isinstance(block, Illegal) for block in decoded)
    assert block_words(ODD) < block_words(SEED)
    assert replace(ODD, name="odd") == ODD
