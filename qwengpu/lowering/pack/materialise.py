"""Scheduled graphs to packed blocks: registers that carry values between blocks, definitions reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qwengpu.isa import NO_MOD, NextKind
from qwengpu.lowering.mir import Barrier, Branch, Define, Jump, Lit, Trap, VReg
from qwengpu.lowering.pack.dag import ZERO_REF, Dag, Report, bits
from qwengpu.lowering.pack.fill import Fill
from qwengpu.lowering.pack.model import (
    PackedBlock,
    PackedDefine,
    PackedNext,
    PackedOp,
    PackedStore,
    Res,
    Source,
)
from qwengpu.lowering.pack.tables import Tables
from qwengpu.program import BranchEntry

APART = "fused: no block has its words on the bus together"


@dataclass
class _Carrier:
    """The register that holds a node's result behind the block that computes it, up to block ``until``."""

    register: VReg
    until: int


class Materialiser:
    """Turns the fills of one basic block into packed blocks."""

    def __init__(
        self, dag: Dag, fills: list[Fill], tables: Tables, fresh: Callable[[], VReg], live_out: set[VReg]
    ) -> None:
        self.dag = dag
        self.fills = fills
        self.tables = tables
        self.fresh = fresh
        self.live_out = live_out
        self.where: dict[int, int] = {}
        for index, fill in enumerate(fills):
            for number in bits(fill.placed):
                self.where[number] = index
        self.carriers: dict[int, _Carrier] = {}
        self.leaf_until: dict[int, int] = {}
        self.unmapped: dict[tuple[int, str], str] = {}

    def blocks(self, first: int, starts: Callable[[int | None], int | None]) -> list[PackedBlock]:
        """The packed blocks; ``first`` is the index of the first one, ``starts`` gives a basic block's."""
        self._carry()
        self._extend()
        reports = self._attach()
        out = []
        for index, fill in enumerate(self.fills):
            last = index == len(self.fills) - 1
            end = self._end(index, starts) if last else PackedNext(taken=first + index + 1)
            out.append(
                PackedBlock(
                    slots=tuple(self._op(number, index) for number in fill.slots),
                    outs=self._outs(index),
                    store=self._store(fill.store, index),
                    next=end,
                    sync=None if fill.sync is None else self.source(fill.sync, index),
                    serial=fill.cluster >= 0,
                    defines=tuple(reports[index]),
                    instrs=self._instrs(index, last),
                    origin=self.dag.block.number,
                )
            )
        return out

    # -- values -------------------------------------------------------------------------------------

    def _carry(self) -> None:
        """Choose the register behind each result that leaves its block."""
        dag = self.dag
        for index, fill in enumerate(self.fills):
            named: dict[int, VReg] = {}
            for number in bits(fill.placed & dag.moves):
                node = dag.nodes[number]
                assert node.dest is not None
                named.setdefault(node.refs[0], node.dest)
                self.carriers[number] = _Carrier(node.dest, index)
            for number in fill.slot_of:
                if number in named:
                    self.carriers[number] = _Carrier(named[number], index)
                elif number in fill.crossing():
                    self.carriers[number] = _Carrier(self.fresh(), index)

    def _extend(self) -> None:
        """How far each carried value and each register of the start is needed."""
        for index, fill in enumerate(self.fills):
            for ref in fill.ports:
                if ref >= 0:
                    self.carriers[ref].until = max(self.carriers[ref].until, index)
                elif self.dag.is_register(ref):
                    self.leaf_until[ref] = max(self.leaf_until.get(ref, -1), index)
        last = len(self.fills)
        finals = {self.dag.nodes[number].dest for number in bits(self.dag.moves)}
        for carrier in self.carriers.values():
            if carrier.register in self.live_out:
                carrier.until = last
        for reg in self.live_out - finals:
            leaf = self.dag.leaf_refs.get(reg)
            if leaf is not None:
                self.leaf_until[leaf] = last

    def source(self, ref: int, index: int) -> Source:
        """Where block ``index`` finds ``ref``."""
        if ref < 0:
            return self.dag.leaf(ref)
        if self.where[ref] == index and ref in self.fills[index].slot_of:
            return Res(self.fills[index].slot_of[ref])
        return self.carriers[ref].register

    def _op(self, number: int, index: int) -> PackedOp | None:
        if number < 0:
            return None
        node = self.dag.nodes[number]
        assert node.op is not None
        a, b, c = (self.source(ref, index) for ref in node.refs)
        return PackedOp(node.op, a, b, c, node.mod or NO_MOD, node.instr)

    def _store(self, number: int, index: int) -> PackedStore | None:
        if number < 0:
            return None
        node = self.dag.nodes[number]
        store = node.store
        assert store is not None
        a, b, c, data = (self.source(ref, index) for ref in node.refs)
        value = store.value if isinstance(store.value, Lit) else self.source(node.value, index)
        return PackedStore(
            a, b, c, data, store.mod, store.instr, store.name, store.size, value, store.part, store.parts
        )

    def _outs(self, index: int) -> tuple[tuple[VReg, Source], ...]:
        fill = self.fills[index]
        outs: list[tuple[VReg, Source]] = []
        for number in bits(fill.placed & self.dag.moves):
            node = self.dag.nodes[number]
            assert node.dest is not None
            outs.append((node.dest, self.source(node.refs[0], index)))
        written = {reg for reg, _ in outs}
        for number, slot in fill.slot_of.items():
            carrier = self.carriers.get(number)
            if carrier is not None and carrier.register not in written:
                outs.append((carrier.register, Res(slot)))
        return tuple(outs)

    def _end(self, index: int, starts: Callable[[int | None], int | None]) -> PackedNext:
        end = self.dag.block.end
        if isinstance(end, Jump):
            return PackedNext(NextKind.JUMP, starts(end.target))
        if isinstance(end, Trap):
            return PackedNext(NextKind.TRAP, instr=end.instr)
        if isinstance(end, Barrier):
            return PackedNext(NextKind.BARRIER, starts(end.target), instr=end.instr, barrier=end.number)
        assert isinstance(end, Branch)
        refs = [self.source(ref, index) for ref in self.dag.end_refs]
        event = None if end.instr is None else BranchEntry(end.instr, end.name, end.sense)
        return PackedNext(
            NextKind.BRANCH,
            starts(end.taken),
            starts(end.other),
            refs[0],
            end.instr,
            event,
            refs[1] if len(refs) > 1 else None,
        )

    def _instrs(self, index: int, last: bool) -> tuple[int, ...]:
        nodes = self.dag.nodes
        found = {nodes[n].instr for n in bits(self.fills[index].placed) if nodes[n].instr >= 0}
        end = self.dag.block.end
        if last and not isinstance(end, Jump) and end.instr is not None:
            found.add(end.instr)
        if len(self.fills) == 1:
            found.update(self.dag.instrs)
        return tuple(sorted(found))

    # -- definitions --------------------------------------------------------------------------------

    def _attach(self) -> list[list[PackedDefine]]:
        """Each definition to a block that has, or with free ports can have, all its words on the bus."""
        out: list[list[PackedDefine]] = [[] for _ in self.fills]
        spare = [
            (self.tables.spec.read_ports - fill.reads, self.tables.spec.const_ports - fill.consts)
            for fill in self.fills
        ]
        extra: list[set[int]] = [set() for _ in self.fills]
        # An instruction of a function inlined twice is defined twice here: the order of the two must stay.
        earliest: dict[tuple[int, str], int] = {}
        for report in self.dag.reports:
            key = (report.define.instr, report.define.register)
            chosen = self._choose(report, spare, extra, earliest.get(key, 0))
            if chosen is None:
                self.unmapped[key] = APART
                continue
            earliest[key] = chosen
            out[chosen].append(self._define(report, chosen))
        return out

    def _choose(
        self, report: Report, spare: list[tuple[int, int]], extra: list[set[int]], earliest: int
    ) -> int | None:
        refs = [*report.parts] if report.guard is None else [*report.parts, report.guard]
        for index in range(earliest, len(self.fills)):
            wanted: set[int] = set()
            if all(self._on_bus(ref, index, extra[index], wanted) for ref in refs):
                reads = sum(ref >= 0 or self.dag.is_register(ref) for ref in wanted)
                left = (spare[index][0] - reads, spare[index][1] - (len(wanted) - reads))
                if min(left) >= 0:
                    spare[index] = left
                    extra[index] |= wanted
                    return index
        return None

    def _on_bus(self, ref: int, index: int, extra: set[int], wanted: set[int]) -> bool:
        """True if block ``index`` has ``ref``, or can read it; then a missing port goes to ``wanted``."""
        fill = self.fills[index]
        if ref == ZERO_REF or ref in extra or ref in fill.ports:
            return True
        if ref >= 0:
            if self.where[ref] == index:
                return ref in fill.slot_of
            carrier = self.carriers.get(ref)
            if carrier is None or not self.where[ref] < index <= carrier.until:
                return False
        else:
            leaf = self.dag.leaf(ref)
            if isinstance(leaf, Lit):
                return True
            if isinstance(leaf, VReg) and index > self.leaf_until.get(ref, -1):
                return False
        wanted.add(ref)
        return True

    def _define(self, report: Report, index: int) -> PackedDefine:
        item: Define = report.define
        parts = tuple(self.source(ref, index) for ref in report.parts)
        guard = None if report.guard is None else self.source(report.guard, index)
        return PackedDefine(item.instr, item.register, item.bits, parts, guard, item.guard_sense)
