"""Packed blocks: what one EXEC does, still on virtual registers (ports and rows come later)."""

from __future__ import annotations

from dataclasses import dataclass, field

from qwengpu.isa import Mod, NextKind, Op
from qwengpu.lowering.mir import Lit, MFunction, Operand, VReg
from qwengpu.program import BranchEntry


@dataclass(frozen=True)
class Res:
    """The result of slot ``slot`` of the same block."""

    slot: int

    def __repr__(self) -> str:
        return f"t{self.slot}"


Source = Operand | Res
"""Where a block finds a word: a register as it was before the block, a constant, or one of its own slots."""

NOTHING = Lit(0)


@dataclass(frozen=True)
class PackedOp:
    """An operation in a slot."""

    op: Op
    a: Source
    b: Source
    c: Source
    mod: Mod
    instr: int


@dataclass(frozen=True)
class PackedStore:
    """The block's store, with the PTX-level event it realises (`MStore`)."""

    a: Source
    b: Source
    c: Source
    data: Source
    mod: Mod
    instr: int
    name: str
    size: int
    value: Source
    part: int
    parts: int


@dataclass(frozen=True)
class PackedDefine:
    """A PTX definition whose words are all on this block's bus (`Define`)."""

    instr: int
    register: str
    bits: int
    parts: tuple[Source, ...]
    guard: Source | None = None
    guard_sense: bool = True


@dataclass(frozen=True)
class PackedNext:
    """The block's end. Targets are block indices of the packed function, None ends the thread."""

    kind: NextKind = NextKind.JUMP
    taken: int | None = None
    other: int | None = None
    cond: Source = NOTHING
    instr: int | None = None
    event: BranchEntry | None = None
    index: Source | None = None
    barrier: int = 0


@dataclass(frozen=True)
class PackedBlock:
    """One ROM block over virtual registers. ``outs`` happen together, after everything is read."""

    slots: tuple[PackedOp | None, ...]
    outs: tuple[tuple[VReg, Source], ...] = ()
    store: PackedStore | None = None
    next: PackedNext = field(default_factory=PackedNext)
    sync: Source | None = None
    serial: bool = False
    defines: tuple[PackedDefine, ...] = ()
    instrs: tuple[int, ...] = ()
    origin: int = 0

    def sources(self) -> list[Source]:
        """Every word that the block needs on its bus to do its work (definitions that it reports excepted)."""
        out: list[Source] = []
        for item in self.slots:
            if item is not None:
                out += (item.a, item.b, item.c)
        if self.store is not None:
            out += (self.store.a, self.store.b, self.store.c, self.store.data)
            if not isinstance(self.store.value, Lit):  # the value map has literals of its own
                out.append(self.store.value)
        out += [source for _, source in self.outs]
        if self.sync is not None:
            out.append(self.sync)
        if self.next.kind is NextKind.BRANCH:
            out.append(self.next.cond)
            if self.next.index is not None:
                out.append(self.next.index)
        return out


@dataclass(frozen=True)
class PackedFunction:
    """All blocks in ROM order. ``zeros``: registers that count on being zero at the start of a thread block
    (a ``mov r, 0`` that was left out). ``unmapped``: definitions that no block can report, with the reason."""

    mir: MFunction
    blocks: tuple[PackedBlock, ...]
    zeros: frozenset[VReg]
    unmapped: dict[tuple[int, str], str]
