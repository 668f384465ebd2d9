"""Packed blocks with rows to a `Program`: ports, bus indices, value map, size report."""

from __future__ import annotations

from collections.abc import Iterable

from qwengpu.isa import (
    EXIT,
    ZERO,
    Block,
    Const,
    LiveOut,
    Next,
    NextKind,
    Slot,
    Store,
    bus_const,
    bus_read,
    bus_slot,
)
from qwengpu.lowering.allocate import Allocation
from qwengpu.lowering.mir import Lit, MFunction, Row, VReg
from qwengpu.lowering.pack.model import PackedBlock, PackedFunction, PackedStore, Res, Source
from qwengpu.program import (
    BarrierEntry,
    BlockMap,
    BranchEntry,
    BusValue,
    MapEntry,
    Program,
    RegisterEntry,
    SizeReport,
    StoreEntry,
)
from qwengpu.spec import CONST_PARAM_BASE, Spec


class _Emitter:
    """Assigns the ports of one block and writes it."""

    def __init__(self, block: PackedBlock, rows: dict[VReg, int], spec: Spec) -> None:
        self.block = block
        self.rows = rows
        self.spec = spec
        self.reads: dict[int, int] = {}
        self.consts: dict[Const, int] = {}
        for source in block.sources():
            self.bus(source)

    def bus(self, source: Source) -> int:
        """Bus index of ``source``; takes a port for it if it has none."""
        if isinstance(source, Res):
            return bus_slot(self.spec, source.slot)
        if isinstance(source, VReg):
            return bus_read(self.spec, self.reads.setdefault(self.rows[source], len(self.reads)))
        if isinstance(source, Lit) and not source.value:
            return ZERO
        const = Const(source.row, True) if isinstance(source, Row) else Const(source.value)
        return bus_const(self.spec, self.consts.setdefault(const, len(self.consts)))

    def value(self, source: Source) -> BusValue:
        """``source`` for the value map: a literal needs no port."""
        if isinstance(source, Lit):
            return BusValue(None, source.value)
        return BusValue(self.bus(source))

    def emit(self) -> tuple[Block, list[RegisterEntry]]:
        """The block, and its definitions."""
        block = self.block
        slots = tuple(
            None if op is None else Slot(op.op, self.bus(op.a), self.bus(op.b), self.bus(op.c), op.mod)
            for op in block.slots
        )
        outs = tuple(LiveOut(self.rows[reg], self.bus(source)) for reg, source in block.outs)
        store = None if block.store is None else self._store(block.store)
        sync = None if block.sync is None else self.bus(block.sync)
        end = block.next
        taken = EXIT if end.taken is None else end.taken
        other = EXIT if end.other is None else end.other
        if end.kind is NextKind.BRANCH:
            following = Next(NextKind.BRANCH, taken, other, self.bus(end.cond))
        else:
            following = Next(end.kind, EXIT if end.kind is NextKind.TRAP else taken)
        defines = [
            RegisterEntry(
                define.instr,
                define.register,
                define.bits,
                tuple(map(self.value, define.parts)),
                None if define.guard is None else self.value(define.guard),
                define.guard_sense,
            )
            for define in block.defines
        ]
        reads, consts = tuple(self.reads), tuple(self.consts)
        return Block(reads, consts, slots, outs, store, following, sync, block.serial), defines

    def _store(self, store: PackedStore) -> Store:
        return Store(self.bus(store.a), self.bus(store.data), self.bus(store.b), self.bus(store.c), store.mod)

    def entries(self, defines: Iterable[RegisterEntry]) -> tuple[MapEntry, ...]:
        """The block's map entries in PTX program order, its end last."""
        block = self.block
        found: list[MapEntry] = list(defines)
        if block.store is not None:
            s = block.store
            found.append(StoreEntry(s.instr, s.name, s.size, self.value(s.value), s.part, s.parts))
        found.sort(key=lambda entry: (entry.instr, not isinstance(entry, StoreEntry)))
        end = block.next
        if end.kind is NextKind.BARRIER and end.instr is not None:
            found.append(BarrierEntry(end.instr, end.barrier))
        if end.event is not None:
            index = None if end.index is None else self.value(end.index)
            found.append(BranchEntry(end.event.instr, end.event.name, end.event.sense, index))
        return tuple(found)


def emit(function: PackedFunction, allocation: Allocation, spec: Spec) -> Program:
    """The program. Sizes are not checked against ``spec`` here."""
    mir = function.mir
    unmapped = {**mir.unmapped, **function.unmapped}
    blocks: list[Block] = []
    maps: list[BlockMap] = []
    for packed in function.blocks:
        emitter = _Emitter(packed, allocation.rows, spec)
        block, defines = emitter.emit()
        reported = [entry for entry in defines if (entry.instr, entry.register) not in unmapped]
        entries = emitter.entries(reported)
        blocks.append(block)
        slots = tuple(None if op is None else _ordinal(op.instr) for op in packed.slots)
        maps.append(BlockMap(entries, *_lines(mir, packed), slots, _ordinal(packed.next.instr)))
    return Program(
        spec=spec,
        kernel=mir.kernel,
        blocks=tuple(blocks),
        params=mir.params,
        maps=tuple(maps),
        report=_report(mir, blocks, allocation),
        shared_bytes=mir.shared_bytes,
        symbols=mir.symbols,
        unmapped=unmapped,
    )


def _ordinal(instr: int | None) -> int | None:
    """A PTX ordinal, None for an instruction that is not in the text."""
    return None if instr is None or instr < 0 else instr


def _lines(mir: MFunction, block: PackedBlock) -> tuple[tuple[int, ...], tuple[int, ...]]:
    pairs = [mir.lines[instr] for instr in block.instrs if instr in mir.lines]
    ptx = sorted({line for line, _ in pairs if line})
    cuda = sorted({line for _, line in pairs if line})
    return tuple(ptx), tuple(cuda)


def _report(mir: MFunction, blocks: list[Block], allocation: Allocation) -> SizeReport:
    ends = [param.row + param.words for param in mir.params] + [symbol.row + 1 for symbol in mir.symbols]
    return SizeReport(
        blocks=len(blocks),
        registers=allocation.needed,
        param_words=max(ends, default=CONST_PARAM_BASE) - CONST_PARAM_BASE,
        shared_bytes=mir.shared_bytes,
        symbol_bytes=sum(len(symbol.data) for symbol in mir.symbols),
        ptx_instructions=mir.ptx_instructions,
        machine_operations=sum(
            sum(slot is not None for slot in block.slots) + (block.store is not None) for block in blocks
        ),
    )
