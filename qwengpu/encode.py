"""ROM blocks <-> ROM words, and what makes a block illegal (docs/machine.md, section 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from qwengpu.isa import (
    EXIT,
    NO_MOD,
    OPS_BY_CODE,
    Block,
    Const,
    LiveOut,
    Mod,
    Next,
    NextKind,
    Op,
    ShflMode,
    Slot,
    Space,
    Store,
    Width,
    bus_slot,
)
from qwengpu.spec import WORD_BITS, Spec

WORD_MASK = (1 << WORD_BITS) - 1

ADDRESS_MODS = ("scale", "signed", "width", "space", "align")
"""Modifier fields of a load slot and of the store, in the order of their bits."""
SLOT_MODS = ("scale", "signed", "width", "shfl")
"""Modifier fields of every other slot."""
MOD_BITS = {"scale": 2, "signed": 1, "width": 3, "space": 1, "align": 3, "shfl": 2}

USED_MODS: Mapping[Op, tuple[str, ...]] = {
    Op.LEA: ("scale", "signed"),
    Op.FIT: ("signed",),
    Op.INS: ("width",),
    Op.SHFL: ("shfl",),
    Op.SHFLP: ("shfl",),
    Op.LD: ADDRESS_MODS,
}
"""Modifier fields that an operation looks at; an operation that is not named looks at none."""

INS_WIDTHS = (Width.U8, Width.U16)
STORE_WIDTHS = (Width.WORD, Width.WORD_OF_8, Width.WORD_OF_16)


class Field(NamedTuple):
    """``bits`` bits of the encoded block, from bit ``offset`` on (bit 0: lowest bit of word 0)."""

    name: str
    offset: int
    bits: int


@dataclass(frozen=True)
class Illegal:
    """What `decode` gives for words that are no legal block."""

    reason: str


def bus_size(spec: Spec) -> int:
    """Number of bus entries."""
    return bus_slot(spec, len(spec.slot_kinds))


def _field_sizes(spec: Spec) -> Iterator[tuple[str, int]]:
    bus = (bus_size(spec) - 1).bit_length()
    row = (spec.registers - 1).bit_length()
    target = spec.blocks.bit_length()
    yield from (("valid", 1), ("serial", 1), ("sync.used", 1), ("sync", bus))
    yield from (("next.kind", 2), ("next.cond", bus), ("next.taken", target), ("next.other", target))
    for port in range(spec.read_ports):
        yield f"read{port}", row
    for port in range(spec.const_ports):
        yield from ((f"const{port}.row", 1), (f"const{port}.value", WORD_BITS))
    for slot, kind in enumerate(spec.slot_kinds):
        yield f"slot{slot}.op", 6
        yield from ((f"slot{slot}.{operand}", bus) for operand in "abc")
        mods = ADDRESS_MODS if kind == "l" else SLOT_MODS
        yield from ((f"slot{slot}.{mod}", MOD_BITS[mod]) for mod in mods)
    for out in range(spec.live_outs):
        yield from ((f"out{out}.used", 1), (f"out{out}.row", row), (f"out{out}.source", bus))
    yield "store.used", 1
    yield from ((f"store.{operand}", bus) for operand in ("a", "b", "c", "data"))
    yield from ((f"store.{mod}", MOD_BITS[mod]) for mod in ADDRESS_MODS)


@lru_cache(maxsize=64)
def fields(spec: Spec) -> tuple[Field, ...]:
    """Every field of an encoded block, in the order of its bits."""
    out: list[Field] = []
    offset = 0
    for name, bits in _field_sizes(spec):
        out.append(Field(name, offset, bits))
        offset += bits
    return tuple(out)


def block_bits(spec: Spec) -> int:
    """Bits of an encoded block."""
    last = fields(spec)[-1]
    return last.offset + last.bits


def block_words(spec: Spec) -> int:
    """32-bit words of an encoded block."""
    return -(-block_bits(spec) // WORD_BITS)


# --------------------------------------------------------------------------------------------------
# Legality


def illegal_reason(block: Block, spec: Spec) -> str | None:
    """Why the machine refuses ``block`` as illegal, or None if it executes it."""
    for reason in _reasons(block, spec):
        return reason
    return None


def _reasons(block: Block, spec: Spec) -> Iterator[str]:
    yield from _port_reasons(block, spec)
    if block.slots and len(block.slots) != len(spec.slot_kinds):
        yield f"{len(block.slots)} slots, the spec has {len(spec.slot_kinds)}"
        return
    for number, slot in enumerate(block.slots):
        if slot is not None:
            yield from _slot_reasons(number, slot, spec)
    if len(block.outs) > spec.live_outs:
        yield f"{len(block.outs)} outs, the spec has {spec.live_outs}"
    bus = bus_size(spec)
    for number, out in enumerate(block.outs):
        if not 1 <= out.row < spec.registers:
            yield f"out {number} to row {out.row}, which is not 1...{spec.registers - 1}"
        if not 0 <= out.source < bus:
            yield f"out {number} from {out.source}, which is no bus entry"
    if block.store is not None:
        yield from _store_reasons(block.store, bus)
    if block.sync is not None and not 0 <= block.sync < bus:
        yield f"sync {block.sync} is no bus entry"
    for what, target in (("taken", block.next.taken), ("other", block.next.other)):
        if target != EXIT and not 0 <= target < spec.blocks:
            yield f"{what} target {target} is neither a block (0...{spec.blocks - 1}) nor EXIT"
    if not 0 <= block.next.cond < bus:
        yield f"condition {block.next.cond} is no bus entry"


def _port_reasons(block: Block, spec: Spec) -> Iterator[str]:
    if len(block.reads) > spec.read_ports:
        yield f"{len(block.reads)} reads, the spec has {spec.read_ports} ports"
    for port, row in enumerate(block.reads):
        if not 0 <= row < spec.registers:
            yield f"read port {port} names row {row} of {spec.registers}"
    if len(block.consts) > spec.const_ports:
        yield f"{len(block.consts)} constants, the spec has {spec.const_ports} ports"
    for port, const in enumerate(block.consts):
        if const.is_row and not 0 <= const.value < spec.const_rows:
            yield f"constant port {port} names row {const.value} of {spec.const_rows}"
        elif not 0 <= const.value <= WORD_MASK:
            yield f"constant port {port} holds {const.value}, which is no unsigned 32-bit word"


def _slot_reasons(number: int, slot: Slot, spec: Spec) -> Iterator[str]:
    kind, level = spec.slot_kinds[number], spec.slot_levels[number]
    op = slot.op
    if kind not in op.kinds:
        yield f"slot {number} of kind {kind} does not offer {op.name}"
    earlier = bus_slot(spec, spec.slot_levels.index(level))
    for name, operand in (("a", slot.a), ("b", slot.b), ("c", slot.c)):
        if not 0 <= operand < earlier:
            yield f"slot {number}: operand {name} = {operand} is no bus entry of an earlier level"
    yield from _mod_reasons(f"slot {number}", slot.mod)
    if op is Op.INS and slot.mod.width not in INS_WIDTHS:
        yield f"slot {number}: INS of width {slot.mod.width.name}"


def _store_reasons(store: Store, bus: int) -> Iterator[str]:
    operands = (("a", store.a), ("b", store.b), ("c", store.c), ("data", store.data))
    for name, operand in operands:
        if not 0 <= operand < bus:
            yield f"store: operand {name} = {operand} is no bus entry"
    yield from _mod_reasons("store", store.mod)
    if store.mod.width not in STORE_WIDTHS:
        yield f"store of width {store.mod.width.name}"


def _mod_reasons(where: str, mod: Mod) -> Iterator[str]:
    for name in ("scale", "align"):
        value = getattr(mod, name)
        if not 0 <= value < 1 << MOD_BITS[name]:
            yield f"{where}: {name} = {value} does not fit {MOD_BITS[name]} bits"


# --------------------------------------------------------------------------------------------------
# Normal form, encoding, decoding


def canonical(block: Block, spec: Spec) -> Block:
    """The block with everything that has no effect at its default: ``decode(encode(b)) == canonical(b)``."""
    reads = list(block.reads)
    while reads and reads[-1] == 0:
        reads.pop()
    consts = list(block.consts)
    while consts and consts[-1] == Const(0):
        consts.pop()
    slots = block.slots or (None,) * len(spec.slot_kinds)
    return replace(
        block,
        reads=tuple(reads),
        consts=tuple(consts),
        slots=tuple(None if slot is None else _canonical_slot(slot) for slot in slots),
        store=None if block.store is None else replace(block.store, mod=_kept(block.store.mod, ADDRESS_MODS)),
        next=_canonical_next(block.next),
    )


def _kept(mod: Mod, names: tuple[str, ...]) -> Mod:
    return replace(NO_MOD, **{name: getattr(mod, name) for name in names})


def _canonical_slot(slot: Slot) -> Slot:
    op = slot.op
    return Slot(
        op,
        slot.a if "a" in op.operands else 0,
        slot.b if "b" in op.operands else 0,
        slot.c if "c" in op.operands else 0,
        _kept(slot.mod, USED_MODS.get(op, ())),
    )


def _canonical_next(step: Next) -> Next:
    match step.kind:
        case NextKind.BRANCH:
            return step
        case NextKind.TRAP:
            return Next(NextKind.TRAP)
        case kind:
            return Next(kind, taken=step.taken)


def encode(block: Block, spec: Spec) -> tuple[int, ...]:
    """The block's ROM words, `block_words` unsigned 32-bit numbers.

    Raises ValueError with the reason if the block is illegal.
    """
    reason = illegal_reason(block, spec)
    if reason is not None:
        raise ValueError(f"illegal block: {reason}")
    values = _field_values(canonical(block, spec), spec)
    whole = 0
    for field in fields(spec):
        whole |= values.get(field.name, 0) << field.offset
    return tuple(whole >> (WORD_BITS * i) & WORD_MASK for i in range(block_words(spec)))


def _field_values(block: Block, spec: Spec) -> dict[str, int]:
    def target(number: int) -> int:
        return spec.blocks if number == EXIT else number

    step = block.next
    values: dict[str, int] = {"valid": 1, "serial": int(block.serial)}
    if block.sync is not None:
        values |= {"sync.used": 1, "sync": block.sync}
    values |= {"next.kind": step.kind, "next.cond": step.cond}
    values |= {"next.taken": target(step.taken), "next.other": target(step.other)}
    values |= {f"read{port}": row for port, row in enumerate(block.reads)}
    for port, const in enumerate(block.consts):
        values |= {f"const{port}.row": int(const.is_row), f"const{port}.value": const.value}
    for number, slot in enumerate(block.slots):
        if slot is not None:
            place = f"slot{number}"
            values |= {f"{place}.op": slot.op.code, f"{place}.a": slot.a, f"{place}.b": slot.b}
            values |= {f"{place}.c": slot.c} | _mod_values(place, slot.mod)
    for number, out in enumerate(block.outs):
        values |= {f"out{number}.used": 1, f"out{number}.row": out.row, f"out{number}.source": out.source}
    if block.store is not None:
        store = block.store
        values |= {"store.used": 1, "store.a": store.a, "store.b": store.b, "store.c": store.c}
        values |= {"store.data": store.data} | _mod_values("store", store.mod)
    return values


def _mod_values(place: str, mod: Mod) -> dict[str, int]:
    return {f"{place}.{name}": int(getattr(mod, name)) for name in MOD_BITS}


def decode(words: Sequence[int], spec: Spec) -> Block | Illegal:
    """The block that the words encode, in its normal form, or `Illegal`. Never raises for any words.

    Missing words count as zero.
    """
    whole = 0
    for index, word in enumerate(words[: block_words(spec)]):
        whole |= (word & WORD_MASK) << (WORD_BITS * index)
    values = {field.name: whole >> field.offset & ((1 << field.bits) - 1) for field in fields(spec)}
    try:
        block = _block_of(values, spec)
    except _IllegalField as error:
        return Illegal(str(error))
    reason = illegal_reason(block, spec)
    return canonical(block, spec) if reason is None else Illegal(reason)


class _IllegalField(Exception):
    pass


def _block_of(values: Mapping[str, int], spec: Spec) -> Block:
    if not values["valid"]:
        raise _IllegalField("the valid bit is not set")

    def target(name: str) -> int:
        return EXIT if values[name] == spec.blocks else values[name]

    used = [values[f"out{number}.used"] for number in range(spec.live_outs)]
    if used != sorted(used, reverse=True):
        raise _IllegalField("an out is used behind an unused one")
    return Block(
        reads=tuple(values[f"read{port}"] for port in range(spec.read_ports)),
        consts=tuple(
            Const(values[f"const{port}.value"], bool(values[f"const{port}.row"]))
            for port in range(spec.const_ports)
        ),
        slots=tuple(_slot_of(values, number, kind) for number, kind in enumerate(spec.slot_kinds)),
        outs=tuple(
            LiveOut(values[f"out{number}.row"], values[f"out{number}.source"]) for number in range(sum(used))
        ),
        store=_store_of(values) if values["store.used"] else None,
        next=Next(
            NextKind(values["next.kind"]), target("next.taken"), target("next.other"), values["next.cond"]
        ),
        sync=values["sync"] if values["sync.used"] else None,
        serial=bool(values["serial"]),
    )


def _slot_of(values: Mapping[str, int], number: int, kind: str) -> Slot | None:
    place = f"slot{number}"
    code = values[f"{place}.op"]
    if code == 0:
        return None
    if code not in OPS_BY_CODE:
        raise _IllegalField(f"slot {number}: no operation has the number {code}")
    op = OPS_BY_CODE[code]
    if kind not in op.kinds:
        raise _IllegalField(f"slot {number} of kind {kind} does not offer {op.name}")
    a, b, c = (values[f"{place}.{operand}"] for operand in "abc")
    return Slot(op, a, b, c, _mod_of(values, place, USED_MODS.get(op, ())))


def _store_of(values: Mapping[str, int]) -> Store:
    return Store(
        values["store.a"],
        values["store.data"],
        values["store.b"],
        values["store.c"],
        _mod_of(values, "store", ADDRESS_MODS),
    )


def _mod_of(values: Mapping[str, int], place: str, names: tuple[str, ...]) -> Mod:
    raw = {name: values[f"{place}.{name}"] for name in names}
    width = raw.get("width", 0)
    if width >= len(Width):
        raise _IllegalField(f"{place}: no width has the number {width}")
    return Mod(
        scale=raw.get("scale", 0),
        signed=bool(raw.get("signed", 0)),
        width=Width(width),
        space=Space(raw.get("space", 0)),
        align=raw.get("align", 0),
        shfl=ShflMode(raw.get("shfl", 0)),
    )
