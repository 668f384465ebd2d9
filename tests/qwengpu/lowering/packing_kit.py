"""Short ways to write MIR in tests."""

from __future__ import annotations

from dataclasses import replace

from packing_model import default_rows, difference

from qwengpu.isa import NO_MOD, Mod, Op
from qwengpu.lowering.lower import lower_mir
from qwengpu.lowering.mir import (
    Define,
    Item,
    Lit,
    MBlock,
    MFunction,
    MMove,
    MOp,
    MSerial,
    MStore,
    Operand,
    Row,
    Terminator,
    VReg,
)
from qwengpu.program import Program
from qwengpu.spec import SEED, Spec

ROOM = replace(SEED, name="room", blocks=256)
"""The seed's pipeline with room for any test."""

WORDS = Mod(scale=2)
A, B, C, D, E, F, G, H = (VReg(number) for number in range(8))


def word(value: Operand | int) -> Operand:
    return Lit(value & 0xFFFFFFFF) if isinstance(value, int) else value


def op(code: Op, dest: VReg | None, *operands: Operand | int, instr: int = -1, mod: Mod = NO_MOD) -> MOp:
    a, b, c = (*map(word, operands), Lit(0), Lit(0), Lit(0))[:3]
    return MOp(code, dest, a, b, c, mod, instr)


def move(dest: VReg, source: Operand | int, instr: int = -1) -> MMove:
    return MMove(dest, word(source), instr)


def define(instr: int, dest: VReg, guard: Operand | None = None) -> Define:
    return Define(instr, f"%r{dest.number}", 32, (dest,), guard)


def load(dest: VReg, base: Operand | int, index: Operand | int = 0, instr: int = -1) -> MOp:
    return op(Op.LD, dest, base, index, 0, instr=instr, mod=WORDS)


def store(base: Operand | int, data: Operand | int, instr: int = 90, offset: int = 0) -> MStore:
    return MStore(word(base), Lit(0), word(offset), word(data), NO_MOD, instr, "global:4", 4, word(data))


def atomic_add(base: Operand | int, amount: Operand | int, instr: int = 80, old: VReg = G) -> MSerial:
    new = VReg(40)
    items = (
        op(Op.LD, old, base, instr=instr),
        op(Op.ADD, new, old, amount, instr=instr),
        MStore(word(base), Lit(0), Lit(0), new, NO_MOD, instr, "global:add:4", 4, new),
    )
    return MSerial(items, instr)


def function(*blocks: tuple[list[Item], Terminator]) -> MFunction:
    built = tuple(MBlock(number, tuple(items), end) for number, (items, end) in enumerate(blocks))
    return MFunction("k", built, (), (), 0, {}, ptx_instructions=10)


def lowered(mir: MFunction, spec: Spec = ROOM) -> Program:
    """The program, which was run beside the MIR and did the same."""
    program = lower_mir(mir, spec)
    assert difference(mir, program, default_rows) is None
    return program


__all__ = ["Row"]
