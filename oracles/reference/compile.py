"""A machine block -> one Python function that executes it for the active lanes of a warp.

The function's text is generated once a block: operands become local variables, so that an EXEC costs no
interpretation of the block. It reads the state and returns what would change; `machine` commits it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from oracles.reference.semantics import ACCESS_BYTES, EXPRESSIONS, HELPERS, INSERT, LOADED, SPACE_BASE, H
from oracles.reference.trace import LaneFault
from qwengpu.encode import canonical
from qwengpu.isa import Block, Mod, Next, Op, ShflMode, Slot, Space, bus_const, bus_read, bus_slot
from qwengpu.spec import Spec
from qwengpu.tokens import FaultCode

CROSS_LANE = (Op.SHFL, Op.SHFLP, Op.BALLOT)


class Effect(NamedTuple):
    """What one EXEC would change, before faults are looked at. Lists are parallel to the active lanes."""

    faults: list[LaneFault]
    outs: tuple[list[int], ...]
    words: list[int]
    data: list[int]
    taken: int
    bus: list[tuple[int, ...]]
    addresses: list[int]


@dataclass(frozen=True)
class Compiled:
    """A block ready to run.

    ``execute(lanes, registers, constants, memory, shared, global_bytes, shared_bytes, active, live)``:
    the active lanes, ascending; per lane its registers and its constant bank; the words of both memories
    and their bytes; masks of the active and of the not exited lanes.
    """

    execute: Callable[..., Effect]
    rows: tuple[int, ...]
    operations: int
    space: Space
    stores: bool
    next: Next
    serial: bool
    source: str


def compile_block(block: Block, spec: Spec, record: bool) -> Compiled:
    """Generate a legal block's function; with ``record`` it also returns bus values and addresses."""
    block = canonical(block, spec)
    source = _Generator(block, spec, record).function()
    # LaneFault and FaultCode members are plain names in the text, as are the helpers.
    scope: dict[str, object] = {**HELPERS, "Effect": Effect, "LaneFault": LaneFault}
    scope |= {code.name: code for code in FaultCode}
    scope |= {f"MODE_{mode.name}": mode for mode in ShflMode}
    exec(source, scope)
    execute = scope["execute"]
    assert callable(execute)
    return Compiled(
        execute=execute,
        rows=tuple(out.row for out in block.outs),
        operations=sum(slot is not None for slot in block.slots),
        space=block.store.mod.space if block.store else Space.GLOBAL,
        stores=block.store is not None,
        next=block.next,
        serial=block.serial,
        source=source,
    )


class _Generator:
    def __init__(self, block: Block, spec: Spec, record: bool) -> None:
        self.block = block
        self.spec = spec
        self.record = record
        self.names = self._bus_names()
        self.lines: list[str] = []

    def _bus_names(self) -> list[str]:
        """Text of each bus entry: a local variable, or a literal."""
        block, spec = self.block, self.spec
        names = ["0"] * bus_slot(spec, len(spec.slot_kinds))
        for port, row in enumerate(block.reads):
            if row:
                names[bus_read(spec, port)] = f"r{port}"
        for port, const in enumerate(block.consts):
            names[bus_const(spec, port)] = f"c{port}" if const.is_row else str(const.value)
        for number, slot in enumerate(block.slots):
            if slot is not None:
                names[bus_slot(spec, number)] = f"t{number}"
        return names

    def function(self) -> str:
        block = self.block
        outs = "".join(f"o{number}, " for number in range(len(block.outs)))
        self._add(
            0,
            "def execute(lanes, registers, constants, memory, shared,"
            " global_bytes, shared_bytes, active, live):",
        )
        self._add(1, "faults = []; words = []; data = []; bus = []; addresses = []; taken = 0")
        for number in range(len(block.outs)):
            self._add(1, f"o{number} = []")
        segments = self._segments()
        for index, segment in enumerate(segments):
            following = segments[index + 1] if index + 1 < len(segments) else None
            self._segment(index, segment, following)
        self._add(1, f"return Effect(faults, ({outs}), words, data, taken, bus, addresses)")
        return "\n".join(self.lines) + "\n"

    def _add(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def _segments(self) -> list[list[int]]:
        """Slots in order, cut before each level with an operation that looks at other lanes."""
        segments: list[list[int]] = [[]]
        for level in range(len(self.spec.levels)):
            numbers = [n for n, at in enumerate(self.spec.slot_levels) if at == level and self.block.slots[n]]
            if any(self._slot(n).op in CROSS_LANE for n in numbers):
                segments.append([])
            segments[-1] += numbers
        return segments

    def _slot(self, number: int) -> Slot:
        slot = self.block.slots[number]
        assert slot is not None
        return slot

    def _segment(self, index: int, numbers: Sequence[int], following: Sequence[int] | None) -> None:
        """The loop over lanes that executes some slots; the last one goes on to outs, store and next."""
        crossing = [number for number in following or () if self._slot(number).op in CROSS_LANE]
        if following is not None:
            self._add(1, f"saved{index} = []; " + "; ".join(f"x{number} = {{}}" for number in crossing))
        if index == 0:
            self._add(1, "for lane in lanes:")
            self._ports()
        else:
            self._add(1, f"for lane, {self._locals(before=numbers)} in zip(lanes, saved{index - 1}):")
        for number in numbers:
            self._operation(number, self._slot(number))
        if following is None:
            self._finish()
            return
        self._add(2, f"saved{index}.append({self._locals(before=following)})")
        for number in crossing:
            self._add(2, f"x{number}[lane] = {self.names[self._slot(number).a]}")
        for number in crossing:
            if self._slot(number).op is Op.BALLOT:
                self._add(1, f"y{number} = sum(1 << lane for lane in lanes if x{number}[lane] & 1)")

    def _locals(self, before: Sequence[int]) -> str:
        """Tuple of the local variables that are set before these slots."""
        limit = bus_slot(self.spec, min(before, default=len(self.spec.slot_kinds)))
        names = [name for name in self.names[:limit] if name[0] in "rct"]
        return "(" + "".join(f"{name}, " for name in names) + ")"

    def _ports(self) -> None:
        reads = [f"r{port} = R[{row}]" for port, row in enumerate(self.block.reads) if row]
        consts = [f"c{port} = K[{c.value}]" for port, c in enumerate(self.block.consts) if c.is_row]
        if reads:
            self._add(2, "R = registers[lane]; " + "; ".join(reads))
        if consts:
            self._add(2, "K = constants[lane]; " + "; ".join(consts))

    # ---- one slot

    def _operation(self, number: int, slot: Slot) -> None:
        a, b, c = (self.names[operand] for operand in (slot.a, slot.b, slot.c))
        match slot.op:
            case Op.LD:
                self._load(number, slot)
            case Op.LEA:
                self._add(2, f"t{number} = {self._address(a, b, c, slot.mod)}")
                self._add(2, f"if not 0 <= t{number} <= M:")
                self._fault(FaultCode.POINTER, number, f"t{number}", f"t{number} &= M")
            case Op.FIT:
                self._add(2, f"t{number} = {a}")
                self._add(2, f"if {b} != (M if {a} & H else 0):" if slot.mod.signed else f"if {b} != 0:")
                self._fault(FaultCode.POINTER, number, f"{b} << 32 | {a}")
            case Op.SHFL:
                self._shuffle_source(slot, b, c)
                self._add(2, f"t{number} = x{number}.get(source, x{number}[lane])")
            case Op.SHFLP:
                self._shuffle_source(slot, b, c)
                self._add(2, f"t{number} = 1 if fits else 0")
            case Op.BALLOT:
                self._add(2, f"t{number} = y{number} & {b}")
            case Op.INS:
                self._add(2, f"t{number} = " + INSERT[slot.mod.width].format(a=a, b=b, c=c))
            case op:
                self._add(2, f"t{number} = " + EXPRESSIONS[op].format(a=a, b=b, c=c))

    def _shuffle_source(self, slot: Slot, b: str, c: str) -> None:
        self._add(2, f"source, fits = shuffle_source(MODE_{slot.mod.shfl.name}, lane, {b}, {c})")

    def _fault(self, code: FaultCode, slot: int, address: str, *more: str) -> None:
        self._add(3, f"faults.append(LaneFault({code.name}, lane, {slot}, {address}))")
        for line in more:
            self._add(3, line)

    def _address(self, a: str, b: str, c: str, mod: Mod) -> str:
        """a + (ext(b) << scale) + sext(c) as an unbounded integer; literals are folded."""
        terms = [a]
        if b.isdecimal():
            offset = (_signed(int(b)) if mod.signed else int(b)) << mod.scale
        else:
            offset = 0
            terms.append(f"(({b} ^ H) - H << {mod.scale})" if mod.signed else f"({b} << {mod.scale})")
        if c.isdecimal():
            offset += _signed(int(c))
        else:
            terms.append(f"(({c} ^ H) - H)")
        return " + ".join(terms) + (f" + {offset}" if offset else "")

    def _check(self, a: str, b: str, c: str, mod: Mod, slot: int, otherwise: str) -> None:
        """Sets ``address`` and ``at`` (byte offset in the space); on a fault ``otherwise`` is done."""
        size = ACCESS_BYTES[mod.width]
        wrong_bits = max(size, 1 << mod.align if mod.align else 1) - 1
        self._add(2, f"address = {self._address(a, b, c, mod)}")
        self._add(2, f"at = address - {SPACE_BASE[mod.space]}")
        limit = "global_bytes" if mod.space is Space.GLOBAL else "shared_bytes"
        self._add(2, f"if not 0 <= at <= {limit} - {size}:")
        self._fault(FaultCode.OUT_OF_RANGE, slot, "address", otherwise)
        if wrong_bits:
            self._add(2, f"elif at & {wrong_bits}:")
            self._fault(FaultCode.MISALIGNED, slot, "address", otherwise)
        self._add(2, "else:")

    def _load(self, number: int, slot: Slot) -> None:
        a, b, c = (self.names[operand] for operand in (slot.a, slot.b, slot.c))
        self._check(a, b, c, slot.mod, number, f"t{number} = 0")
        memory = "memory" if slot.mod.space is Space.GLOBAL else "shared"
        loaded = LOADED[slot.mod.width].format(word=f"{memory}[at >> 2]", at="at")
        self._add(3, f"t{number} = {loaded}")

    # ---- the end of a block

    def _finish(self) -> None:
        block = self.block
        for number, out in enumerate(block.outs):
            self._add(2, f"o{number}.append({self.names[out.source]})")
        if block.store is not None:
            store = block.store
            a, b, c, data = (self.names[operand] for operand in (store.a, store.b, store.c, store.data))
            self._check(a, b, c, store.mod, -1, "pass")
            self._add(3, f"words.append(at >> 2); data.append({data})")
            if self.record:
                self._add(2, "addresses.append(address)")
        if block.sync is not None:
            self._add(2, f"members = {self.names[block.sync]}")
            self._add(2, "if not members >> lane & 1 or members & live & ~active:")
            self._add(3, "faults.append(LaneFault(CONVERGENCE, lane))")
        if block.next.cond:
            self._add(2, f"if {self.names[block.next.cond]} & 1: taken |= 1 << lane")
        if self.record:
            self._add(2, f"bus.append(({', '.join(self.names)},))")
        self._add(2, "pass")


def _signed(word: int) -> int:
    return (word ^ H) - H
