"""A kernel as a typed control-flow graph: calls inlined, names resolved, source lines kept."""

from __future__ import annotations

from dataclasses import dataclass, field

from qwengpu.frontend.ptx.ast import Instruction, Register, Variable


@dataclass(frozen=True, slots=True)
class BasicBlock:
    """Straight-line ``instrs``, then ``end`` (bra, brx, ret, exit, trap; None: falls through).

    ``taken``: blocks that ``end`` goes to, by the order of a jump table (None: the thread ends); ``other``: the
    block that follows if ``end`` does not go (its guard is false, or there is no ``end``), None if the thread
    ends there. ``goes_on`` is False if nothing follows.
    """

    instrs: tuple[Instruction, ...]
    end: Instruction | None
    taken: tuple[int | None, ...] = ()
    other: int | None = None
    goes_on: bool = False

    @property
    def successors(self) -> tuple[int, ...]:
        """Blocks that may come next."""
        found = (*self.taken, self.other) if self.goes_on else self.taken
        return tuple(target for target in found if target is not None)


@dataclass(frozen=True)
class TypedKernel:
    """A kernel with everything it calls inlined; block 0 is the entry, blocks stand in textual order.

    ``slots``: for each parameter variable of an inlined call that is no plain scalar, the 32-bit registers
    that stand for its words. ``variables``: the shared, local, global and const variables that it uses, in
    order of declaration. ``instructions``: how many PTX instructions there are.
    """

    name: str
    params: tuple[Variable, ...]
    blocks: tuple[BasicBlock, ...]
    variables: tuple[Variable, ...]
    slots: dict[Variable, tuple[Register, ...]] = field(default_factory=dict)
    instructions: int = 0
