"""The finished program: legal blocks, a value map that fits them, sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from qwengpu.isa import EXIT, Block, NextKind, bus_const, bus_read, bus_slot
from qwengpu.lowering.check import CheckError
from qwengpu.program import (
    BlockMap,
    BusValue,
    Program,
    Refusal,
    RegisterEntry,
    SizeReport,
    StoreEntry,
)
from qwengpu.spec import SPECS, Spec


def check_program(program: Program) -> None:
    """Raise CheckError unless every block is legal (machine specification, section 3) and the map fits."""
    if len(program.maps) != len(program.blocks):
        raise CheckError("program: not one map a block")
    reported: set[tuple[int, str]] = set()
    for index, (block, its) in enumerate(zip(program.blocks, program.maps, strict=True)):
        bus = _check_block(block, program.spec, len(program.blocks), f"program: block {index}")
        _check_map(its, block, bus, f"program: block {index}")
        reported |= {(e.instr, e.register) for e in its.entries if isinstance(e, RegisterEntry)}
    both = reported & set(program.unmapped)
    if both:
        raise CheckError(f"program: the definition {min(both)} is reported and unmapped")


def _check_block(block: Block, spec: Spec, count: int, place: str) -> set[int]:
    """The bus entries that the block has."""
    if len(block.reads) > spec.read_ports or len(block.consts) > spec.const_ports:
        raise CheckError(f"{place}: more ports than the machine has")
    if any(not 0 <= row < spec.registers for row in block.reads):
        raise CheckError(f"{place}: reads a row that the machine does not have")
    bus = {0}
    bus |= {bus_read(spec, port) for port in range(len(block.reads))}
    bus |= {bus_const(spec, port) for port in range(len(block.consts))}
    for level in range(len(spec.levels)):
        results = set()
        for slot, operation in enumerate(block.slots):
            if operation is None or spec.slot_levels[slot] != level:
                continue
            if spec.slot_kinds[slot] not in operation.op.kinds:
                raise CheckError(f"{place}: slot {slot} does not offer {operation.op.name}")
            if not {operation.a, operation.b, operation.c} <= bus:
                raise CheckError(f"{place}: slot {slot} reads what is not on the bus")
            results.add(bus_slot(spec, slot))
        bus |= results
    _check_ends(block, spec, bus, count, place)
    return bus


def _check_ends(block: Block, spec: Spec, bus: set[int], count: int, place: str) -> None:
    rows = [out.row for out in block.outs]
    if len(rows) > spec.live_outs or len(set(rows)) != len(rows):
        raise CheckError(f"{place}: live-outs")
    if any(not 1 <= row < spec.registers for row in rows):
        raise CheckError(f"{place}: writes a row that cannot be written")
    needed = {out.source for out in block.outs} | {block.next.cond}
    if block.store is not None:
        needed |= {block.store.a, block.store.b, block.store.c, block.store.data}
    if block.sync is not None:
        needed.add(block.sync)
    if not needed <= bus:
        raise CheckError(f"{place}: an out, the store, the mask or the condition is not on the bus")
    ends = [block.next.taken, block.next.other] if block.next.kind is NextKind.BRANCH else [block.next.taken]
    if any(target != EXIT and not 0 <= target < count for target in ends):
        raise CheckError(f"{place}: a target is no block")
    if block.next.kind is NextKind.BARRIER and block.next.taken == EXIT:
        raise CheckError(f"{place}: a barrier leads out of the kernel")


def _check_map(its: BlockMap, block: Block, bus: set[int], place: str) -> None:
    for entry in its.entries:
        for value in _values(entry):
            if value.bus is not None and value.bus not in bus:
                raise CheckError(f"{place}: its map names bus entry {value.bus}, which is idle")
    if its.slots and len(its.slots) != len(block.slots):
        raise CheckError(f"{place}: its map has {len(its.slots)} slots")
    if any(op is None and ordinal is not None for op, ordinal in zip(block.slots, its.slots, strict=False)):
        raise CheckError(f"{place}: its map gives an instruction to an empty slot")
    stores = sum(isinstance(entry, StoreEntry) for entry in its.entries)
    if stores != (block.store is not None):
        raise CheckError(f"{place}: {stores} store entries")


def _values(entry: object) -> Iterator[BusValue]:
    for field in fields(entry):  # type: ignore[arg-type]
        value = getattr(entry, field.name)
        if isinstance(value, BusValue):
            yield value
        elif isinstance(value, tuple):
            yield from (part for part in value if isinstance(part, BusValue))


def size_problems(report: SizeReport, spec: Spec) -> list[str]:
    """What the kernel needs more of than ``spec`` has, as texts with both numbers."""
    words = -(-report.shared_bytes // 4) + -(-report.symbol_bytes // 4)
    return [
        f"{need} {what}, spec {spec.name} has {have}"
        for what, need, have in (
            ("ROM blocks", report.blocks, spec.blocks),
            ("registers", report.registers, spec.registers - 1),
            ("parameter words", report.param_words, spec.param_words),
            ("words of shared memory and module variables", words, spec.memory_words),
        )
        if need > have
    ]


def check_size(report: SizeReport, kernel: str, spec: Spec) -> None:
    """Raise Refusal (kind ``size``) if the kernel does not fit ``spec``; names a spec that it fits."""
    problems = size_problems(report, spec)
    if not problems:
        return
    fitting = [other.name for other in SPECS.values() if not size_problems(report, other)]
    remedy = f"use --spec {fitting[0]}" if fitting else "make the kernel smaller"
    raise Refusal(f"kernel {kernel} needs {'; '.join(problems)}; {remedy}", kind="size")
