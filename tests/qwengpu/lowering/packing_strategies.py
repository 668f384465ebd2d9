"""Hypothesis strategies for MIR functions that end: arbitrary forward edges, back edges that burn fuel."""

from __future__ import annotations

from hypothesis import strategies as st

from qwengpu.isa import Mod, Op, Space
from qwengpu.lowering.mir import (
    Barrier,
    Branch,
    Define,
    Item,
    Jump,
    Lit,
    MBlock,
    MFunction,
    MMove,
    MOp,
    MSerial,
    MStore,
    MSync,
    Operand,
    Row,
    Terminator,
    VReg,
)

REGS = [VReg(number) for number in range(7)]
FUEL_REG, FUEL_COND = VReg(20), VReg(21)
PURE = [Op.ADD, Op.SUB, Op.AND, Op.XOR, Op.SEL, Op.EQ, Op.LT, Op.CARRY, Op.SHL, Op.POPC, Op.PRMT]
MULTIPLY = [Op.MUL, Op.MULHU]
registers = st.sampled_from(REGS)
literals = st.sampled_from([0, 0, 1, 2, 4, 0xFFFFFFFF, 12]).map(Lit)
rows = st.sampled_from([0, 12, 16, 17]).map(Row)
operands: st.SearchStrategy[Operand] = st.one_of(registers, registers, registers, literals, rows)
mods = st.builds(
    Mod, scale=st.integers(0, 2), signed=st.booleans(), space=st.sampled_from([Space.GLOBAL, Space.SHARED])
)


class Counter:
    """PTX ordinals, in the order of generation."""

    def __init__(self) -> None:
        self.value = 0

    def next(self) -> int:
        self.value += 1
        return self.value


@st.composite
def mir_functions(draw: st.DrawFn, serials: bool = True, longest: int = 12) -> MFunction:
    """A function of 1 to 6 blocks."""
    count = draw(st.integers(1, 6))
    ordinals = Counter()
    blocks = []
    for number in range(count):
        items: list[Item] = [MMove(FUEL_REG, Lit(draw(st.integers(1, 5))))] if number == 0 else []
        for _ in range(draw(st.integers(0, longest))):
            items += draw(_items(ordinals, serials))
        end, more = draw(_ends(number, count, ordinals))
        blocks.append(MBlock(number, (*items, *more), end))
    lines = {ordinal: (ordinal, ordinal) for ordinal in range(1, ordinals.value + 1)}
    return MFunction("k", tuple(blocks), (), (), 0, lines)


@st.composite
def _items(draw: st.DrawFn, ordinals: Counter, serials: bool) -> list[Item]:
    kind = draw(st.sampled_from(["op"] * 8 + ["load"] * 3 + ["move"] * 3 + ["store"] * 2 + ["rare"]))
    instr = ordinals.next()
    if kind == "store":
        return [draw(_stores(instr))]
    if kind == "rare":
        if serials and draw(st.booleans()):
            return [draw(_serials(instr))]
        return [MSync(draw(operands), instr)]
    dest = draw(registers)
    define = Define(instr, f"%r{dest.number}", 32, (dest,))
    if kind == "move":
        item: Item = MMove(dest, draw(operands), instr)
    elif kind == "load":
        item = MOp(Op.LD, dest, draw(operands), draw(operands), draw(literals), draw(mods), instr)
    else:
        op = draw(st.sampled_from(PURE * 3 + MULTIPLY))
        item = MOp(op, dest, draw(operands), draw(operands), draw(operands), instr=instr)
    out: list[Item] = [item]
    choice = draw(st.integers(0, 5))
    if choice < 4:
        out.append(define)
    elif choice == 4:
        guard = draw(operands)
        out.append(Define(instr, f"%rd{dest.number}", 64, (dest, draw(operands)), guard, draw(st.booleans())))
    return out


@st.composite
def _stores(draw: st.DrawFn, instr: int) -> MStore:
    data = draw(operands)
    value = draw(st.sampled_from([data, data, data, draw(literals)]))
    return MStore(draw(operands), draw(operands), draw(literals), data, draw(mods), instr, "global:4", 4, value)


@st.composite
def _serials(draw: st.DrawFn, instr: int) -> MSerial:
    old, new = draw(registers), VReg(30)
    mod = draw(mods)
    a, b = draw(operands), draw(operands)
    load = MOp(Op.LD, old, a, b, Lit(0), mod, instr)
    combine = MOp(Op.ADD, new, old, draw(operands), instr=instr)
    # The address registers must still hold the address when the store reads them.
    a, b = (Lit(8) if operand == old else operand for operand in (a, b))
    store = MStore(a, b, Lit(0), new, mod, instr, "global:add:4", 4, new)
    define = Define(instr, f"%r{old.number}", 32, (old,))
    return MSerial((load, combine, store, define), instr)


@st.composite
def _ends(draw: st.DrawFn, number: int, count: int, ordinals: Counter) -> tuple[Terminator, list[Item]]:
    later = st.sampled_from([*range(number + 1, count), None])
    kind = draw(st.sampled_from(["jump", "branch", "branch", "back", "barrier"]))
    instr = ordinals.next()
    if kind == "back" and number > 0:
        target = draw(st.integers(1, number))
        burn: list[Item] = [
            MOp(Op.SUB, FUEL_REG, FUEL_REG, Lit(1)),
            MOp(Op.LT, FUEL_COND, Lit(0), FUEL_REG),
        ]
        return Branch(FUEL_COND, target, draw(later), instr), burn
    if kind in ("branch", "back"):
        index = draw(st.sampled_from([None, None, None, draw(operands)]))
        event = draw(st.sampled_from([instr, None]))
        return Branch(draw(operands), draw(later), draw(later), event, index=index), []
    if kind == "barrier" and number + 1 < count:
        return Barrier(draw(st.integers(number + 1, count - 1)), instr), []
    return Jump(draw(later)), []
