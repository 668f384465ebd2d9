"""The rules of packed blocks, checked after packing."""

from __future__ import annotations

from collections import Counter

from qwengpu.isa import NextKind, Width
from qwengpu.lowering.allocate import successors
from qwengpu.lowering.check import CheckError
from qwengpu.lowering.mir import Barrier, Branch, Define, Lit, MFunction, MStore, VReg
from qwengpu.lowering.pack.flow import WARP_OPS, flat, local_sets, reachable, targets
from qwengpu.lowering.pack.model import PackedBlock, PackedFunction, Res, Source
from qwengpu.spec import Spec

STORE_WIDTHS = (Width.WORD, Width.WORD_OF_8, Width.WORD_OF_16)


def check_pack(packed: PackedFunction, spec: Spec) -> None:
    """Raise CheckError unless every block is one that the machine can execute, every register is written
    before it is read (where the MIR does so), and every store, branch, barrier and definition is there."""
    for index, block in enumerate(packed.blocks):
        _check_slots(block, spec, f"pack: block {index}")
        _check_limits(block, spec, f"pack: block {index}")
        for target in successors(block):
            if not 0 <= target < len(packed.blocks):
                raise CheckError(f"pack: block {index}: target {target} is no block")
    _check_written(packed)
    _check_effects(packed)
    _check_definitions(packed)


def _check_slots(block: PackedBlock, spec: Spec, place: str) -> None:
    kinds, levels = spec.slot_kinds, spec.slot_levels
    if len(block.slots) != len(kinds):
        raise CheckError(f"{place}: {len(block.slots)} slots, the machine has {len(kinds)}")
    for slot, op in enumerate(block.slots):
        if op is None:
            continue
        if kinds[slot] not in op.op.kinds:
            raise CheckError(f"{place}: {op.op.name} in slot {slot}, which is of kind {kinds[slot]}")
        for source in (op.a, op.b, op.c):
            if isinstance(source, Res) and (
                block.slots[source.slot] is None or levels[source.slot] >= levels[slot]
            ):
                raise CheckError(f"{place}: slot {slot} reads slot {source.slot}, which is not earlier")
        if op.op in WARP_OPS and block.serial:
            raise CheckError(f"{place}: {op.op.name} in a serial block")
    for source in _all_sources(block):
        if isinstance(source, Res) and block.slots[source.slot] is None:
            raise CheckError(f"{place}: the idle slot {source.slot} is read")


def _all_sources(block: PackedBlock) -> list[Source]:
    found = block.sources()
    for define in block.defines:
        found += define.parts
        if define.guard is not None:
            found.append(define.guard)
    return found


def _check_limits(block: PackedBlock, spec: Spec, place: str) -> None:
    needed = set(block.sources())
    reported = set(_all_sources(block))
    reads = {source for source in reported if isinstance(source, VReg)}
    consts = {
        source
        for source in reported
        if not isinstance(source, (VReg, Res))
        and (not isinstance(source, Lit) or (source.value and source in needed))
    }
    for what, have, limit in (
        ("register reads", len(reads), spec.read_ports),
        ("constants", len(consts), spec.const_ports),
        ("live-outs", len(block.outs), spec.live_outs),
    ):
        if have > limit:
            raise CheckError(f"{place}: {have} {what}, the machine has {limit}")
    if len({reg for reg, _ in block.outs}) != len(block.outs):
        raise CheckError(f"{place}: a register is written twice")
    if block.serial and block.sync is not None:
        raise CheckError(f"{place}: a serial block has a member mask")
    if block.store is not None and block.store.mod.width not in STORE_WIDTHS:
        raise CheckError(f"{place}: a store of width {block.store.mod.width.name}")
    if block.next.kind is NextKind.TRAP and block.store is not None:
        raise CheckError(f"{place}: its store would be lost with the trap")


def _check_written(packed: PackedFunction) -> None:
    """Registers that some path reads before a write must be the MIR's own, and undefined there too."""
    allowed = packed.zeros | _undefined(packed.mir)
    blocks = packed.blocks
    written: list[set[VReg] | None] = [None] * len(blocks)
    written[0] = set()
    todo = [0]
    while todo:
        index = todo.pop()
        before = written[index]
        assert before is not None
        after = before | {reg for reg, _ in blocks[index].outs}
        for target in successors(blocks[index]):
            known = written[target]
            if known is None:
                written[target] = set(after)
            elif known <= after:
                continue
            else:
                known &= after
            todo.append(target)
    for index, block in enumerate(blocks):
        have = written[index]
        if have is None:
            raise CheckError(f"pack: block {index} is never reached")
        for source in _all_sources(block):
            if isinstance(source, VReg) and source not in have and source not in allowed:
                raise CheckError(f"pack: block {index} reads {source}, which some path leaves unwritten")


def _undefined(mir: MFunction) -> set[VReg]:
    """Registers that some path of the MIR reads before it writes them."""
    blocks = {block.number: block for block in mir.blocks}
    sets = {number: local_sets(block) for number, block in blocks.items()}
    start: dict[int, set[VReg]] = {number: set(exposed) for number, (exposed, _) in sets.items()}
    changed = True
    while changed:
        changed = False
        for number in sorted(blocks, reverse=True):
            for target in targets(blocks[number].end):
                more = start[target] - sets[number][1] - start[number]
                if more:
                    start[number] |= more
                    changed = True
    return start[mir.blocks[0].number]


def _check_effects(packed: PackedFunction) -> None:
    blocks = {block.number: block for block in packed.mir.blocks}
    wanted: Counter[tuple[object, ...]] = Counter()
    for number in reachable(blocks, packed.mir.blocks[0].number):
        for item in flat(blocks[number].items):
            if isinstance(item, MStore):
                wanted["store", item.instr, item.name, item.part] += 1
        end = blocks[number].end
        if isinstance(end, Branch) and end.instr is not None:
            wanted["branch", end.instr, end.name, end.sense] += 1
        elif isinstance(end, Barrier):
            wanted["barrier", end.instr, end.number] += 1
    got: Counter[tuple[object, ...]] = Counter()
    for block in packed.blocks:
        if block.store is not None:
            got["store", block.store.instr, block.store.name, block.store.part] += 1
        if block.next.event is not None:
            event = block.next.event
            got["branch", event.instr, event.name, event.sense] += 1
        elif block.next.kind is NextKind.BARRIER:
            got["barrier", block.next.instr, block.next.barrier] += 1
    if wanted != got:
        odd = [*(wanted - got), *(got - wanted)]
        raise CheckError(f"pack: {odd[0]} is {wanted[odd[0]]} times in the MIR and {got[odd[0]]} times packed")


def _check_definitions(packed: PackedFunction) -> None:
    blocks = {block.number: block for block in packed.mir.blocks}
    reported = {(define.instr, define.register) for block in packed.blocks for define in block.defines}
    for number in reachable(blocks, packed.mir.blocks[0].number):
        for item in flat(blocks[number].items):
            if isinstance(item, Define):
                key = (item.instr, item.register)
                if key not in reported and key not in packed.unmapped:
                    raise CheckError(f"pack: the definition {key} is neither reported nor unmapped")
