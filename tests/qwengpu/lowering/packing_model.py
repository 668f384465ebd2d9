"""A tiny single-thread evaluator of MIR and of ROM blocks, independent of every pass of the lowering.

Arithmetic is shared by both sides on purpose: the tests ask whether packing keeps a program's meaning,
whatever its operations mean. Addresses wrap around a small memory, so nothing faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from qwengpu.isa import EXIT, Mod, NextKind, Op, bus_const, bus_read, bus_slot
from qwengpu.lowering.mir import (
    Barrier,
    Branch,
    Define,
    Item,
    Jump,
    Lit,
    MFunction,
    MMove,
    MOp,
    MSerial,
    MStore,
    MSync,
    Operand,
    Row,
    VReg,
)
from qwengpu.program import BarrierEntry, BranchEntry, BusValue, Program, RegisterEntry, StoreEntry

MASK = 0xFFFFFFFF
WORDS = 16
FUEL = 2000


def signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def alu(op: Op, a: int, b: int, c: int) -> int:
    """Some total function for every operation; the usual ones for those that steer loops."""
    if op is Op.ADD:
        return (a + b + (c & 1)) & MASK
    if op is Op.SUB:
        return (a - b - (c & 1)) & MASK
    if op is Op.EQ:
        return int(a == b)
    if op is Op.LT:
        return int(signed(a) < signed(b))
    if op is Op.SEL:
        return a if c & 1 else b
    if op is Op.MUL:
        return (a * b + c) & MASK
    used = op.operands
    words = (a, b if "b" in used else 0, c if "c" in used else 0)
    return (op.code * 0x9E3779B1 + words[0] * 3 + words[1] * 5 + words[2] * 7 + (words[0] ^ words[1])) & MASK


def address(a: int, b: int, c: int, mod: Mod) -> int:
    extended = signed(b) if mod.signed else b
    return a + (extended << mod.scale) + signed(c)


def initial_memory() -> dict[tuple[int, int], int]:
    return {(space, word): 100 * space + 7 * word + 1 for space in (0, 1) for word in range(WORDS)}


@dataclass
class Trace:
    """What a run did. ``definitions``: for each PTX definition the values it took, in order."""

    memory: dict[tuple[int, int], int] = field(default_factory=initial_memory)
    events: list[tuple[object, ...]] = field(default_factory=list)
    definitions: dict[tuple[int, str], list[int]] = field(default_factory=dict)
    steps: int = 0
    ended: bool = False
    live_outs: int = 0

    def load(self, at: int, mod: Mod) -> int:
        return self.memory[int(mod.space), at // 4 % WORDS]

    def store(self, at: int, data: int, mod: Mod) -> None:
        self.memory[int(mod.space), at // 4 % WORDS] = data

    def define(self, key: tuple[int, str], bits: int, words: Iterable[int]) -> None:
        value = sum(word << 32 * place for place, word in enumerate(words)) & ((1 << bits) - 1)
        self.definitions.setdefault(key, []).append(value)


def run_mir(function: MFunction, rows: Callable[[int], int]) -> Trace:
    """Run MIR with one thread; registers start at zero."""
    trace = Trace()
    regs: dict[VReg, int] = {}

    def get(operand: Operand) -> int:
        if isinstance(operand, VReg):
            return regs.get(operand, 0)
        return operand.value if isinstance(operand, Lit) else rows(operand.row)

    def step(item: Item) -> None:
        if isinstance(item, MSerial):
            for inner in item.items:
                step(inner)
        elif isinstance(item, Define):
            if item.guard is None or bool(get(item.guard) & 1) == item.guard_sense:
                trace.define((item.instr, item.register), item.bits, map(get, item.parts))
        elif isinstance(item, MMove):
            regs[item.dest] = get(item.source)
        elif isinstance(item, MStore):
            at = address(get(item.a), get(item.b), get(item.c), item.mod)
            trace.store(at, get(item.data), item.mod)
            trace.events.append(("store", item.instr, item.name, at, get(item.value)))
        elif isinstance(item, MOp):
            a, b, c = get(item.a), get(item.b), get(item.c)
            is_load = item.op is Op.LD
            word = trace.load(address(a, b, c, item.mod), item.mod) if is_load else alu(item.op, a, b, c)
            if item.dest is not None:
                regs[item.dest] = word
        else:
            assert isinstance(item, MSync)

    at: int | None = 0
    while at is not None and trace.steps < FUEL:
        trace.steps += 1
        block = function.blocks[at]
        for item in block.items:
            step(item)
        end = block.end
        if isinstance(end, Jump):
            at = end.target
        elif isinstance(end, Barrier):
            trace.events.append(("barrier", end.instr, end.number))
            at = end.target
        elif isinstance(end, Branch):
            taken = bool(get(end.cond) & 1)
            if end.instr is not None:
                value = int(taken == end.sense) if end.index is None else get(end.index)
                trace.events.append(("branch", end.instr, end.name, value))
            at = end.taken if taken else end.other
        else:
            trace.events.append(("trap", end.instr))
            at = None
    trace.ended = at is None
    return trace


def run_program(program: Program, rows: Callable[[int], int]) -> Trace:
    """Run ROM blocks with one thread, and read definitions and events out through the value map."""
    spec = program.spec
    trace = Trace()
    regs = [0] * max(spec.registers, 1 + program.report.registers)
    at = 0
    while at != EXIT and trace.steps < FUEL * 30:
        trace.steps += 1
        block = program.blocks[at]
        bus: dict[int, int] = {0: 0}
        for port, row in enumerate(block.reads):
            bus[bus_read(spec, port)] = regs[row]
        for port, const in enumerate(block.consts):
            bus[bus_const(spec, port)] = rows(const.value) if const.is_row else const.value
        for number, slot in enumerate(block.slots):
            if slot is None:
                continue
            a, b, c = bus[slot.a], bus[slot.b], bus[slot.c]
            is_load = slot.op is Op.LD
            word = trace.load(address(a, b, c, slot.mod), slot.mod) if is_load else alu(slot.op, a, b, c)
            bus[bus_slot(spec, number)] = word
        where = 0
        if block.store is not None:
            where = address(bus[block.store.a], bus[block.store.b], bus[block.store.c], block.store.mod)
            trace.store(where, bus[block.store.data], block.store.mod)
        for out in block.outs:
            regs[out.row] = bus[out.source]
        trace.live_outs += len(block.outs)
        taken = bool(bus[block.next.cond] & 1)
        _report(program, at, trace, bus, where, taken)
        if block.next.kind is NextKind.TRAP:
            trace.ended = True
            return trace
        at = block.next.other if block.next.kind is NextKind.BRANCH and not taken else block.next.taken
    trace.ended = at == EXIT
    return trace


def _report(program: Program, at: int, trace: Trace, bus: dict[int, int], where: int, taken: bool) -> None:
    def get(value: BusValue) -> int:
        return value.literal if value.bus is None else bus[value.bus]

    for entry in program.maps[at].entries:
        if isinstance(entry, RegisterEntry):
            if entry.guard is None or bool(get(entry.guard) & 1) == entry.guard_sense:
                trace.define((entry.instr, entry.register), entry.bits, map(get, entry.parts))
        elif isinstance(entry, StoreEntry):
            trace.events.append(("store", entry.instr, entry.name, where, get(entry.value)))
        elif isinstance(entry, BarrierEntry):
            trace.events.append(("barrier", entry.instr, entry.number))
        else:
            assert isinstance(entry, BranchEntry)
            value = int(taken == entry.sense) if entry.index is None else get(entry.index)
            trace.events.append(("branch", entry.instr, entry.name, value))


def difference(function: MFunction, program: Program, rows: Callable[[int], int]) -> str | None:
    """The first thing in which the two differ, or None."""
    want, got = run_mir(function, rows), run_program(program, rows)
    if not want.ended or not got.ended:
        return "one of the two does not end"
    traps = [event for event in want.events if event[0] == "trap"]
    events = [event for event in want.events if event[0] != "trap"]
    if events != got.events:
        return f"events: want {events}, got {got.events}"
    if want.memory != got.memory:
        return f"memory: want {want.memory}, got {got.memory}"
    if traps:
        return None  # a trap discards what its own block would have reported
    for key in {*want.definitions, *got.definitions}:
        if key in program.unmapped:
            continue
        if want.definitions.get(key) != got.definitions.get(key):
            return f"{key}: want {want.definitions.get(key)}, got {got.definitions.get(key)}"
    return None


def default_rows(row: int) -> int:
    """Contents of the constant bank in these tests; row 22 counts loops."""
    if row == 22:
        return 3
    return (row * 0x01010101 + 5) & MASK


__all__ = ["Row", "default_rows", "difference", "run_mir", "run_program"]
