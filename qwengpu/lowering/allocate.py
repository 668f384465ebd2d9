"""Register rows for the virtual registers of packed blocks: liveness, coalescing, colouring."""

from __future__ import annotations

from dataclasses import dataclass

from qwengpu.lowering.mir import VReg
from qwengpu.lowering.pack.model import PackedBlock, PackedFunction
from qwengpu.spec import Spec


@dataclass(frozen=True)
class Allocation:
    """``rows``: register row (1 or more) of each virtual register. ``needed``: rows used."""

    rows: dict[VReg, int]
    needed: int


@dataclass(frozen=True)
class LiveSets:
    """Registers live before and after each block."""

    before: tuple[frozenset[VReg], ...]
    after: tuple[frozenset[VReg], ...]


def successors(block: PackedBlock) -> list[int]:
    """Indices of the blocks that may follow."""
    pair = (block.next.taken, block.next.other)
    return [target for target in dict.fromkeys(pair) if target is not None]


def block_reads(block: PackedBlock) -> set[VReg]:
    """Registers that the block reads, those of reported definitions included."""
    found = {source for source in block.sources() if isinstance(source, VReg)}
    for define in block.defines:
        found.update(part for part in define.parts if isinstance(part, VReg))
        if isinstance(define.guard, VReg):
            found.add(define.guard)
    return found


def live_sets(blocks: tuple[PackedBlock, ...]) -> LiveSets:
    """Liveness over ROM blocks (a block reads before it writes)."""
    reads = [block_reads(block) for block in blocks]
    writes = [{reg for reg, _ in block.outs} for block in blocks]
    before: list[set[VReg]] = [set(r) for r in reads]
    after: list[set[VReg]] = [set() for _ in blocks]
    changed = True
    while changed:
        changed = False
        for index in range(len(blocks) - 1, -1, -1):
            live = after[index]
            size = len(live)
            for target in successors(blocks[index]):
                live |= before[target]
            if len(live) != size:
                before[index] |= live - writes[index]
                changed = True
    return LiveSets(tuple(map(frozenset, before)), tuple(map(frozenset, after)))


class _Graph:
    """Interference between registers, with merged (coalesced) ones represented by one of them."""

    def __init__(self, function: PackedFunction, live: LiveSets) -> None:
        self.near: dict[VReg, set[VReg]] = {}
        self.parent: dict[VReg, VReg] = {}
        for reg in function.zeros:
            self.near[reg] = set()
        for index, block in enumerate(function.blocks):
            for reg in live.before[index]:
                self.near.setdefault(reg, set())
            self._block(block, live.after[index])

    def _block(self, block: PackedBlock, after: frozenset[VReg]) -> None:
        """A write disturbs all that is live behind it, but what holds the same word (Chaitin's exception)."""
        written = {reg for reg, _ in block.outs}
        for reg, source in block.outs:
            same = {other for other, its in block.outs if its == source}
            near = self.near.setdefault(reg, set())
            for other in after | written:
                if other not in same and other != source:
                    near.add(other)
                    self.near.setdefault(other, set()).add(reg)

    def find(self, reg: VReg) -> VReg:
        """The register that ``reg`` was merged into."""
        while reg in self.parent:
            reg = self.parent[reg]
        return reg

    def merge(self, one: VReg, other: VReg) -> None:
        """Give both one row if they do not interfere."""
        one, other = self.find(one), self.find(other)
        if one == other or other in self.near[one]:
            return
        self.parent[other] = one
        for reg in self.near.pop(other):
            self.near[reg].discard(other)
            self.near[reg].add(one)
            self.near[one].add(reg)

    def colour(self) -> dict[VReg, int]:
        """A row from 1 on for each representative: those with most neighbours first, the lowest free one."""
        degree = {reg: len(near) for reg, near in self.near.items()}
        stack: list[VReg] = []
        left = set(degree)
        while left:
            reg = min(left, key=lambda reg: (degree[reg], reg.number))
            left.discard(reg)
            stack.append(reg)
            for other in self.near[reg]:
                if other in left:
                    degree[other] -= 1
        rows: dict[VReg, int] = {}
        for reg in reversed(stack):
            taken = {rows[other] for other in self.near[reg] if other in rows}
            row = 1
            while row in taken:
                row += 1
            rows[reg] = row
        return rows


def _copies(function: PackedFunction) -> list[tuple[VReg, VReg]]:
    """Pairs that would save a live-out if they shared a row, those in the deepest loops first."""
    depth = [0] * (len(function.blocks) + 1)
    for index, block in enumerate(function.blocks):
        for target in successors(block):
            if target <= index:
                for inside in range(target, index + 1):
                    depth[inside] += 1
    found: list[tuple[int, int, VReg, VReg]] = []
    for index, block in enumerate(function.blocks):
        for place, (reg, source) in enumerate(block.outs):
            if isinstance(source, VReg):
                found.append((-depth[index], index, source, reg))
            found += [(-depth[index], index, other, reg) for other, its in block.outs[:place] if its == source]
    found.sort(key=lambda copy: copy[:2])
    return [(source, reg) for _, _, source, reg in found]


def allocate(function: PackedFunction, spec: Spec) -> Allocation:
    """Rows for every virtual register of ``function``.

    Copies are merged away where that does not make the function need more rows than ``spec`` has.
    ``needed`` may exceed what there is; the caller refuses.
    """
    live = live_sets(function.blocks)
    best: Allocation | None = None
    for coalesce in (True, False):
        graph = _Graph(function, live)
        if coalesce:
            for source, reg in _copies(function):
                graph.merge(source, reg)
        colours = graph.colour()
        needed = max(colours.values(), default=0)
        if best is None or needed < best.needed:
            registers = [*graph.near, *graph.parent]
            best = Allocation({reg: colours[graph.find(reg)] for reg in registers}, needed)
        if best.needed < spec.registers:
            break
    assert best is not None
    return best
