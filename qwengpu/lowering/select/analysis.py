"""Definitions, uses and dominance of a typed kernel's registers."""

from __future__ import annotations

from dataclasses import dataclass, field

from qwengpu.frontend.ptx.ast import Instruction, Memory, Not, Operand, Pair, Register, Vector
from qwengpu.frontend.typed import BasicBlock, TypedKernel

NO_RESULT = frozenset(
    {
        "st",
        "red",
        "bra",
        "brx",
        "ret",
        "exit",
        "trap",
        "membar",
        "fence",
        "prefetch",
        "prefetchu",
        "nanosleep",
        "discard",
        "applypriority",
        "pmevent",
        "brkpt",
    }
)
"""Instructions without a destination (``bar`` has one only in its ``red`` form)."""

Place = tuple[int, int]
"""(block, index of the instruction in it; the end of a block counts as one more)."""


def destinations(instr: Instruction) -> tuple[Register, ...]:
    """Registers that ``instr`` defines."""
    if instr.op in NO_RESULT or not instr.operands:
        return ()
    if instr.op in ("bar", "barrier") and "red" not in instr.mods:
        return ()
    return tuple(_registers(instr.operands[0]))


def sources(instr: Instruction) -> list[Register]:
    """Registers that ``instr`` reads, its guard included."""
    found: list[Register] = []
    first = 0 if not destinations(instr) else 1
    for operand in instr.operands[first:]:
        found += _registers(operand)
    if first and isinstance(instr.operands[0], Memory):
        found += _registers(instr.operands[0])
    if instr.guard is not None:
        found.append(instr.guard)
    return found


def _registers(operand: Operand) -> list[Register]:
    if isinstance(operand, Register):
        return [operand]
    match operand:
        case Memory(Register() as base):
            return [base]
        case Not(register):
            return [register]
        case Vector(items):
            return [register for item in items for register in _registers(item)]
        case Pair(first, second):
            return _registers(first) + _registers(second)
    return []


@dataclass
class Analysis:
    """Facts on a kernel's registers.

    ``order``: reachable blocks so that each comes after its dominators. ``single``: registers with one
    definition that dominates every use: their value never changes between definition and use.
    """

    order: list[int]
    definitions: dict[Register, list[tuple[Place, Instruction]]] = field(default_factory=dict)
    uses: dict[Register, list[tuple[Place, Instruction]]] = field(default_factory=dict)
    single: set[Register] = field(default_factory=set)


def analyse(kernel: TypedKernel) -> Analysis:
    """Find definitions, uses and the registers with one dominating definition."""
    order = _reverse_postorder(kernel.blocks)
    dominators = _dominators(kernel.blocks, order)
    facts = Analysis(order)
    for number in order:
        block = kernel.blocks[number]
        for index, instr in enumerate((*block.instrs, block.end) if block.end else block.instrs):
            place = (number, index)
            for register in sources(instr):
                facts.uses.setdefault(register, []).append((place, instr))
            for register in destinations(instr):
                facts.definitions.setdefault(register, []).append((place, instr))
    multiword = {word for words in kernel.slots.values() for word in words}
    for register, defined in facts.definitions.items():
        if len(defined) == 1 and register not in multiword:
            (block_number, index), _ = defined[0]
            if all(
                index < used if where == block_number else _dominates(dominators, block_number, where)
                for (where, used), _ in facts.uses.get(register, ())
            ):
                facts.single.add(register)
    return facts


def _reverse_postorder(blocks: tuple[BasicBlock, ...]) -> list[int]:
    seen = {0}
    stack: list[tuple[int, list[int]]] = [(0, list(blocks[0].successors))]
    done: list[int] = []
    while stack:
        number, rest = stack[-1]
        if rest:
            following = rest.pop()
            if following not in seen:
                seen.add(following)
                stack.append((following, list(blocks[following].successors)))
        else:
            stack.pop()
            done.append(number)
    return done[::-1]


def _dominators(blocks: tuple[BasicBlock, ...], order: list[int]) -> dict[int, int]:
    """Immediate dominator of each reachable block (Cooper, Harvey, Kennedy 2001)."""
    rank = {number: index for index, number in enumerate(order)}
    preds: dict[int, list[int]] = {number: [] for number in order}
    for number in order:
        for successor in blocks[number].successors:
            preds[successor].append(number)
    idom = {0: 0}
    changed = True
    while changed:
        changed = False
        for number in order[1:]:
            new = -1
            for pred in preds[number]:
                if pred not in idom:
                    continue
                if new < 0:
                    new = pred
                    continue
                a, b = pred, new
                while a != b:
                    while rank[a] > rank[b]:
                        a = idom[a]
                    while rank[b] > rank[a]:
                        b = idom[b]
                new = a
            if idom.get(number) != new:
                idom[number] = new
                changed = True
    return idom


def _dominates(idom: dict[int, int], a: int, b: int) -> bool:
    while b not in (a, 0):
        b = idom[b]
    return b == a


def carry_crosses_blocks(kernel: TypedKernel) -> bool:
    """True if a block reads the carry flag before it writes it."""
    for block in kernel.blocks:
        for instr in block.instrs:
            if instr.op in ("addc", "subc", "madc"):
                return True
            if "cc" in instr.mods:
                break
    return False
