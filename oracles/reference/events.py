"""Bus values of executed blocks -> the events of the PTX program, through the lowering's value map."""

from __future__ import annotations

from collections.abc import Iterable

from oracles.api import EventKind
from oracles.reference.trace import MachineFault, Record
from qwengpu.isa import Block, bus_slot
from qwengpu.program import BarrierEntry, BranchEntry, BusValue, MapEntry, Program, RegisterEntry, StoreEntry
from qwengpu.spec import WORD_BITS, Spec

Raw = tuple[int, int, int, str, int, int]
"""The fields of `oracles.api.Event`, in order."""


def events(program: Program, threads_per_block: int, records: Iterable[Record]) -> list[Raw]:
    """One event for each PTX-level effect of each active lane, in the order of execution.

    ``threads_per_block`` is that of the launch: event threads are numbered over the grid.
    """
    lanes = program.spec.lanes
    out: list[Raw] = []
    halves: dict[tuple[int, int], tuple[int, int]] = {}
    for record in records:
        entries = program.maps[record.block].entries
        if not entries:
            continue
        cond = program.blocks[record.block].next.cond
        first = record.cta * threads_per_block + record.warp * lanes
        for position, (lane, bus) in enumerate(zip(record.lanes, record.bus, strict=True)):
            address = record.addresses[position] if record.addresses else 0
            for entry in entries:
                event = _event(entry, first + lane, bus, address, cond, halves)
                if event is not None:
                    out.append(event)
    return out


def _event(
    entry: MapEntry,
    thread: int,
    bus: tuple[int, ...],
    address: int,
    cond: int,
    halves: dict[tuple[int, int], tuple[int, int]],
) -> Raw | None:
    """The event of one entry in one lane; ``halves`` keeps the parts of stores that are not whole yet."""
    match entry:
        case RegisterEntry():
            if entry.guard is not None and (_value(entry.guard, bus) & 1) != entry.guard_sense:
                return None
            value = 0
            for place, part in enumerate(entry.parts):
                value |= _value(part, bus) << WORD_BITS * place
            return EventKind.REGISTER, thread, entry.instr, entry.register, _cut(value, entry.bits), 0
        case StoreEntry() if entry.name.startswith("local"):
            return None  # private to the thread, at an address of the lowering's own
        case StoreEntry():
            return _store_event(entry, thread, _value(entry.value, bus), address, halves)
        case BranchEntry():
            if entry.index is not None:
                value = _value(entry.index, bus)
            else:
                value = int((bus[cond] & 1) == entry.sense)
            return EventKind.BRANCH, thread, entry.instr, entry.name, value, 0
        case BarrierEntry():
            return EventKind.BARRIER, thread, entry.instr, "bar", entry.number, 0


def _store_event(
    entry: StoreEntry, thread: int, value: int, address: int, halves: dict[tuple[int, int], tuple[int, int]]
) -> Raw | None:
    if entry.parts > 1:
        key = (thread, entry.instr)
        low, start = halves.pop(key, (0, address)) if entry.part else (0, address)
        value = low | value << WORD_BITS * entry.part
        address = start
        if entry.part < entry.parts - 1:
            halves[key] = (value, start)
            return None
    kind = EventKind.ATOMIC if entry.name.count(":") == 2 else EventKind.STORE
    return kind, thread, entry.instr, entry.name, _cut(value, 8 * entry.size), address


def _value(value: BusValue, bus: tuple[int, ...]) -> int:
    return value.literal if value.bus is None else bus[value.bus]


def _cut(value: int, bits: int) -> int:
    return value & ((1 << bits) - 1)


# --------------------------------------------------------------------------------------------------
# Where a fault comes from


def fault_instr(program: Program, fault: MachineFault) -> int | None:
    """Ordinal of the PTX instruction whose value, store or barrier faulted; None if the map does not tell."""
    if fault.block >= len(program.blocks):
        return None
    slot = fault.details[0].slot
    block, its = program.blocks[fault.block], program.maps[fault.block]
    if slot is None and its.end is not None:
        return its.end
    if slot is not None and 0 <= slot < len(its.slots) and its.slots[slot] is not None:
        return its.slots[slot]
    for entry in its.entries:
        if slot is None:
            if isinstance(entry, BarrierEntry):
                return entry.instr
        elif isinstance(entry, StoreEntry):
            if slot < 0 or slot in _store_slots(block, program.spec):
                return entry.instr
        elif isinstance(entry, RegisterEntry) and slot in _register_slots(entry, block, program.spec):
            return entry.instr
    return None


def _register_slots(entry: RegisterEntry, block: Block, spec: Spec) -> set[int]:
    return _slots_behind(block, spec, [part.bus or 0 for part in entry.parts])


def _store_slots(block: Block, spec: Spec) -> set[int]:
    store = block.store
    return _slots_behind(block, spec, [store.a, store.b, store.c]) if store is not None else set()


def _slots_behind(block: Block, spec: Spec, entries: Iterable[int]) -> set[int]:
    """Slots that the bus entries depend on."""
    first = bus_slot(spec, 0)
    todo, seen = list(entries), set[int]()
    while todo:
        number = todo.pop() - first
        if number < 0 or number in seen:
            continue
        seen.add(number)
        slot = block.slots[number]
        if slot is not None:
            todo += [getattr(slot, operand) for operand in slot.op.operands]
    return seen
