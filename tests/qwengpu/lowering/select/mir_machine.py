"""A small machine that executes MIR as docs/machine.md says, for tests: plain integers, lane by lane."""

from __future__ import annotations

from dataclasses import dataclass, field

from qwengpu.isa import ConstRow, Mod, Op, ShflMode, Space, Width
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
    Trap,
)
from qwengpu.spec import Spec

M = 0xFFFF_FFFF
BASE = 0x4000_0000
SIZES = {Width.U8: 1, Width.S8: 1, Width.WORD_OF_8: 1, Width.U16: 2, Width.S16: 2, Width.WORD_OF_16: 2}


class MachineFault(Exception):
    """What the machine reports as a fault."""


def s32(word: int) -> int:
    return (word ^ 0x8000_0000) - 0x8000_0000


def rcp(a: int) -> int:
    if a == 0:
        return M
    n = 0
    while not (a << n) & 0x8000_0000:
        n += 1
    i = ((a << n & M) >> 22) - 512
    t = 2**19 // (513 + i)
    return (t << (n - 9) if n >= 9 else t >> (9 - n)) & M


def prmt(a: int, b: int, c: int) -> int:
    pool = a.to_bytes(4, "little") + b.to_bytes(4, "little")
    out = []
    for i in range(4):
        nibble = c >> 4 * i & 15
        byte = pool[nibble & 7]
        out.append((0xFF if byte & 0x80 else 0) if nibble & 8 else byte)
    return int.from_bytes(bytes(out), "little")


def compute(op: Op, a: int, b: int, c: int, mod: Mod) -> int:
    """Result of an operation on one lane's words."""
    k = c & 1
    match op:
        case Op.ADD:
            return a + b + k
        case Op.SUB:
            return a - b - k
        case Op.CARRY:
            return int(a + b + k >= 2**32)
        case Op.BORROW:
            return int(a - b - k < 0)
        case Op.AND:
            return a & b
        case Op.OR:
            return a | b
        case Op.XOR:
            return a ^ b
        case Op.ANDN:
            return a & ~b
        case Op.EQ:
            return int(a == b)
        case Op.NE:
            return int(a != b)
        case Op.LT:
            return int(s32(a) < s32(b))
        case Op.LE:
            return int(s32(a) <= s32(b))
        case Op.LTU:
            return int(a < b)
        case Op.LEU:
            return int(a <= b)
        case Op.MIN:
            return min(a, b, key=s32)
        case Op.MAX:
            return max(a, b, key=s32)
        case Op.MINU:
            return min(a, b)
        case Op.MAXU:
            return max(a, b)
        case Op.SEL:
            return a if k else b
        case Op.LEA:
            whole = effective(a, b, c, mod)
            if not 0 <= whole <= M:
                raise MachineFault("pointer")
            return whole
        case Op.FIT:
            if b != (M if mod.signed and a >> 31 else 0):
                raise MachineFault("pointer")
            return a
        case Op.SHL:
            return a << b if b < 32 else 0
        case Op.SHR:
            return a >> b if b < 32 else 0
        case Op.SAR:
            return s32(a) >> min(b, 32)
        case Op.POPC:
            return bin(a).count("1")
        case Op.CLZ:
            return 32 - a.bit_length()
        case Op.BREV:
            return int(format(a, "032b")[::-1], 2)
        case Op.PRMT:
            return prmt(a, b, c)
        case Op.INS:
            width, shift = (255, 8 * (c & 3)) if mod.width is Width.U8 else (65535, 16 * (c >> 1 & 1))
            return a & ~(width << shift) | (b & width) << shift
        case Op.MUL:
            return a * b + c
        case Op.MULHU:
            return (a * b >> 32) + c
        case Op.MULHS:
            return (s32(a) * s32(b) >> 32) + c
        case Op.RCP:
            return rcp(a)
    raise AssertionError(op)


def effective(a: int, b: int, c: int, mod: Mod) -> int:
    return a + ((s32(b) if mod.signed else b) << mod.scale) + s32(c)


def shuffle_source(mode: ShflMode, lane: int, b: int, c: int) -> tuple[int, bool]:
    d, v, m = b & 31, c & 31, c >> 8 & 31
    low, high = lane & m, (lane & m) | (v & ~m & 31)
    j, ok = {
        ShflMode.IDX: (low | (d & ~m & 31), (low | (d & ~m & 31)) <= high),
        ShflMode.UP: (lane - d, lane - d >= high),
        ShflMode.DOWN: (lane + d, lane + d <= high),
        ShflMode.BFLY: (lane ^ d, lane ^ d <= high),
    }[mode]
    return (j, True) if ok else (lane, False)


@dataclass
class Lane:
    registers: dict[int, int] = field(default_factory=dict)
    constants: dict[int, int] = field(default_factory=dict)
    block: int | None = 0
    waiting: bool = False


@dataclass
class Definition:
    """A reported definition: thread of the block, PTX ordinal, register, value."""

    thread: int
    instr: int
    register: str
    value: int


class Machine:
    """Runs one thread block. ``memory`` is global memory from BASE on, ``rows`` the parameter rows."""

    def __init__(
        self,
        function: MFunction,
        spec: Spec,
        memory: bytearray,
        rows: dict[int, int],
        block: tuple[int, int, int] = (1, 1, 1),
        grid: tuple[int, int, int] = (1, 1, 1),
        ctaid: tuple[int, int, int] = (0, 0, 0),
        shared_bytes: int = 0,
    ) -> None:
        self.function = function
        self.spec = spec
        self.memory = memory
        self.shared = bytearray(function.shared_bytes + shared_bytes)
        self.defined: list[Definition] = []
        self.lanes: list[Lane] = []
        for t in range(block[0] * block[1] * block[2]):
            tid = (t % block[0], t // block[0] % block[1], t // (block[0] * block[1]))
            constants = dict(rows)
            for first, values in (
                (ConstRow.TID_X, tid),
                (ConstRow.NTID_X, block),
                (ConstRow.CTAID_X, ctaid),
                (ConstRow.NCTAID_X, grid),
            ):
                constants.update({first + axis: value for axis, value in enumerate(values)})
            constants[ConstRow.LANEID] = t % spec.lanes
            constants[ConstRow.WARPID] = t // spec.lanes
            constants[ConstRow.SHARED_BYTES] = len(self.shared)
            constants[ConstRow.GLOBAL_BYTES] = len(memory)
            self.lanes.append(Lane(constants=constants))

    def run(self, limit: int = 100_000) -> None:
        """Until every thread has ended."""
        for _ in range(limit):
            ready = [lane for lane in self.lanes if lane.block is not None and not lane.waiting]
            if not ready:
                waiting = [lane for lane in self.lanes if lane.waiting]
                if not waiting:
                    return
                for lane in waiting:
                    lane.waiting = False
                continue
            warp = self.lanes.index(ready[0]) // self.spec.lanes
            first = warp * self.spec.lanes
            group = [lane for lane in self.lanes[first : first + self.spec.lanes] if lane in ready]
            number = min(lane.block for lane in group if lane.block is not None)
            self.step(number, [lane for lane in group if lane.block == number])
        raise TimeoutError

    def number(self, lane: Lane) -> int:
        return self.lanes.index(lane) % self.spec.lanes

    def read(self, lane: Lane, operand: Operand) -> int:
        if isinstance(operand, Lit):
            return operand.value
        if isinstance(operand, Row):
            return lane.constants.get(operand.row, 0)
        return lane.registers.get(operand.number, 0)

    def step(self, number: int, active: list[Lane]) -> None:
        block = self.function.blocks[number]
        for item in block.items:
            if isinstance(item, MSerial):
                for lane in active:
                    for inner in item.items:
                        self.item(inner, [lane])
            else:
                self.item(item, active)
        end = block.end
        for lane in active:
            match end:
                case Jump(target):
                    lane.block = target
                case Branch():
                    lane.block = end.taken if self.read(lane, end.cond) & 1 else end.other
                case Barrier():
                    lane.block, lane.waiting = end.target, True
                case Trap():
                    raise MachineFault("trap")

    def item(self, item: Item, active: list[Lane]) -> None:
        match item:
            case MMove(dest, source):
                for lane in active:
                    lane.registers[dest.number] = self.read(lane, source)
            case MOp():
                values = [self.result(lane, item, active) & M for lane in active]
                for lane, value in zip(active, values, strict=True):
                    if item.dest is not None:
                        lane.registers[item.dest.number] = value
            case MStore():
                for lane in active:
                    at, data = self.place(lane, item.a, item.b, item.c, item.mod)
                    data[at & ~3 : (at & ~3) + 4] = self.read(lane, item.data).to_bytes(4, "little")
            case Define():
                for lane in active:
                    if item.guard is None or (self.read(lane, item.guard) & 1) == item.guard_sense:
                        value = sum(self.read(lane, part) << 32 * n for n, part in enumerate(item.parts))
                        thread = self.lanes.index(lane)
                        cut = value & (1 << item.bits) - 1
                        self.defined.append(Definition(thread, item.instr, item.register, cut))
            case MSync():
                pass

    def result(self, lane: Lane, item: MOp, active: list[Lane]) -> int:
        a, b, c = (self.read(lane, operand) for operand in (item.a, item.b, item.c))
        if item.op is Op.LD:
            at, data = self.place(lane, item.a, item.b, item.c, item.mod)
            size = SIZES.get(item.mod.width, 4)
            if item.mod.width in (Width.WORD_OF_8, Width.WORD_OF_16):
                at, size = at & ~3, 4
            signed = item.mod.width in (Width.S8, Width.S16)
            return int.from_bytes(data[at : at + size], "little", signed=signed)
        if item.op in (Op.SHFL, Op.SHFLP):
            source, fits = shuffle_source(item.mod.shfl, self.number(lane), b, c)
            if item.op is Op.SHFLP:
                return int(fits)
            theirs = [other for other in active if self.number(other) == source]
            return self.read(theirs[0], item.a) if theirs else a
        if item.op is Op.BALLOT:
            votes = sum((self.read(other, item.a) & 1) << self.number(other) for other in active)
            return votes & b
        return compute(item.op, a, b, c, item.mod)

    def place(self, lane: Lane, a: Operand, b: Operand, c: Operand, mod: Mod) -> tuple[int, bytearray]:
        """Byte offset and memory of an access; checks range and alignment."""
        at = effective(self.read(lane, a), self.read(lane, b), self.read(lane, c), mod)
        data = self.shared if mod.space is Space.SHARED else self.memory
        at -= 0 if mod.space is Space.SHARED else BASE
        size = SIZES.get(mod.width, 4)
        if not 0 <= at <= len(data) - size:
            raise MachineFault(f"out of range {at}")
        if at % size or at % (1 << mod.align):
            raise MachineFault("misaligned")
        return at, data


def launch(
    function: MFunction,
    spec: Spec,
    arguments: list[bytes | bytearray],
    grid: tuple[int, int, int] = (1, 1, 1),
    block: tuple[int, int, int] = (1, 1, 1),
    shared_bytes: int = 0,
) -> tuple[list[bytes], list[Definition]]:
    """Run a grid. A bytearray argument is a buffer, bytes are a scalar. (Buffers afterwards, definitions.)"""
    memory = bytearray()
    rows: dict[int, int] = {}
    spans: list[tuple[int, int]] = []
    for param, argument in zip(function.params, arguments, strict=True):
        if isinstance(argument, bytearray):
            memory += bytes(-len(memory) % 8)
            spans.append((len(memory), len(argument)))
            raw = (BASE + len(memory)).to_bytes(8, "little")
            memory += argument
        else:
            raw = argument
        padded = raw + bytes(-len(raw) % 4)
        for word in range(param.words):
            rows[param.row + word] = int.from_bytes(padded[4 * word : 4 * word + 4], "little")
    for symbol in function.symbols:
        memory += bytes(-len(memory) % max(4, symbol.align))
        rows[symbol.row] = BASE + len(memory)
        memory += symbol.data
    memory += bytes(-len(memory) % 4)
    defined: list[Definition] = []
    for z in range(grid[2]):
        for y in range(grid[1]):
            for x in range(grid[0]):
                machine = Machine(function, spec, memory, rows, block, grid, (x, y, z), shared_bytes)
                machine.run()
                defined += machine.defined
    return [bytes(memory[at : at + size]) for at, size in spans], defined
