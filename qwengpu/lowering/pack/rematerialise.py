"""Computing cheap values again where they are read, so that they need no register in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from qwengpu.isa import Op
from qwengpu.lowering.mir import Define, Item, MBlock, MOp, MSerial, Operand, VReg
from qwengpu.lowering.pack.flow import WARP_OPS, definition, flat
from qwengpu.lowering.pack.rewrite import rewrite_end, rewrite_item

LARGEST = 4
"""Operations that one value may cost to compute again."""
_ONCE = WARP_OPS | {Op.LD, Op.LEA, Op.FIT}


@dataclass(frozen=True)
class _Recipe:
    op: MOp
    versions: tuple[int, ...]
    size: int


class _Rewriter:
    """Walks one basic block; ``version`` counts the writes to each register."""

    def __init__(self, fresh: Callable[[], VReg]) -> None:
        self.fresh = fresh
        self.version: dict[VReg, int] = {}
        self.recipes: dict[VReg, _Recipe] = {}
        self.used: set[VReg] = set()
        self.out: list[Item] = []

    def block(self, block: MBlock) -> MBlock:
        for item in block.items:
            if isinstance(item, (MSerial, Define)):
                self.out.append(item)
            else:
                self.out.append(rewrite_item(item, self.read))
            for inner in flat((item,)):
                dest = definition(inner)
                if dest is not None:
                    self._write(dest, inner)
        end = rewrite_end(block.end, self.read)
        return replace(block, items=tuple(self.out), end=end)

    def _write(self, dest: VReg, item: Item) -> None:
        recipe = self._recipe(item)  # of the operands as they are before the write
        self.version[dest] = self.version.get(dest, 0) + 1
        self.used.discard(dest)
        self.recipes.pop(dest, None)
        if recipe is not None and dest not in _registers(recipe.op):
            self.recipes[dest] = recipe

    def _recipe(self, item: Item) -> _Recipe | None:
        if not isinstance(item, MOp) or item.op in _ONCE or item.sync is not None:
            return None
        size = 1
        for reg in _registers(item):
            known = self.recipes.get(reg)
            size += known.size if known is not None and self._valid(known) else 0
        if size > LARGEST:
            return None
        return _Recipe(item, tuple(self.version.get(reg, 0) for reg in _registers(item)), size)

    def _valid(self, recipe: _Recipe) -> bool:
        now = tuple(self.version.get(reg, 0) for reg in _registers(recipe.op))
        return now == recipe.versions

    def read(self, operand: Operand) -> Operand:
        """The first read takes the register itself, each later one a value computed again if that can be."""
        if not isinstance(operand, VReg):
            return operand
        recipe = self.recipes.get(operand)
        if recipe is None or not self._valid(recipe):
            return operand
        if operand not in self.used:
            self.used.add(operand)
            return operand
        again = self.fresh()
        op = rewrite_item(recipe.op, self.read)
        assert isinstance(op, MOp)
        self.out.append(replace(op, dest=again))
        return again


def _registers(op: MOp) -> tuple[VReg, ...]:
    return tuple(operand for operand in (op.a, op.b, op.c) if isinstance(operand, VReg))


def rematerialise(blocks: dict[int, MBlock], fresh: Callable[[], VReg]) -> dict[int, MBlock]:
    """``blocks`` with every later read of a cheap value replaced by the operations that give it."""
    return {number: _Rewriter(fresh).block(block) for number, block in blocks.items()}
