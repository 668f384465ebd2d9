"""Hand-made programs, and a second reader of token streams, for the tests of the reference leg."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from oracles.reference.machine import Machine
from oracles.reference.trace import Trace
from qwengpu.asm import assemble
from qwengpu.image import GLOBAL_BASE, Placed, build_image, prompt
from qwengpu.program import BlockMap, Param, Program, SizeReport, Symbol
from qwengpu.spec import SEED, Spec
from qwengpu.tokens import Kind, vocabulary

Dims = tuple[int, int, int]


def make_program(
    texts: Sequence[str],
    params: Sequence[Param] = (),
    maps: Sequence[BlockMap] | None = None,
    spec: Spec = SEED,
    shared_bytes: int = 0,
    symbols: Sequence[Symbol] = (),
    unmapped: dict[tuple[int, str], str] | None = None,
) -> Program:
    """A program from one assembly text a block."""
    blocks = tuple(assemble(text, spec) for text in texts)
    return Program(
        spec=spec,
        kernel="k",
        blocks=blocks,
        params=tuple(params),
        maps=tuple(maps) if maps is not None else (BlockMap(),) * len(blocks),
        report=SizeReport(len(blocks), 0, 0, shared_bytes, 0, 0, 0),
        shared_bytes=shared_bytes,
        symbols=tuple(symbols),
        unmapped=unmapped or {},
    )


def pointer_params(count: int, scalars: int = 0) -> tuple[Param, ...]:
    """``count`` pointers (rows 16, 18, ...), then 32-bit scalars."""
    pointers = [Param(f"p{i}", 8, 16 + 2 * i, 2, True) for i in range(count)]
    return tuple(pointers + [Param(f"n{i}", 4, 16 + 2 * count + i, 1, False) for i in range(scalars)])


def launch_ids(
    program: Program,
    buffers: Sequence[Sequence[int]] = (),
    scalars: Sequence[int] = (),
    grid: Dims = (1, 1, 1),
    block: Dims = (1, 1, 1),
    shared_bytes: int = 0,
) -> list[int]:
    """The prompt of a launch with word buffers and 32-bit scalars."""
    placed, at, arguments = [], GLOBAL_BASE, []
    for words in buffers:
        placed.append(Placed(at, b"".join(word.to_bytes(4, "little") for word in words)))
        arguments.append(at.to_bytes(8, "little"))
        at += 4 * len(words)
    arguments += [scalar.to_bytes(4, "little") for scalar in scalars]
    return prompt(program, build_image(program, grid, block, arguments, placed, shared_bytes))


def run_program(program: Program, *buffers: Sequence[int], **launch: object) -> Trace:
    """Launch and run with every check on; ``launch`` as `launch_ids`, and ``step_limit``."""
    step_limit = launch.pop("step_limit", 100_000)
    return run_ids(program.spec, launch_ids(program, buffers, **launch), step_limit)


def run_ids(spec: Spec, ids: Sequence[int], step_limit: int = 100_000) -> Trace:
    """Run a prompt in all modes, require them to agree with each other and with the stream's second reader."""
    machine = Machine(spec)
    machine.feed(ids)
    trace = machine.run(step_limit, records=True)
    bare = machine.run(step_limit, tokens=False)
    assert bare.tokens == () and bare.records == ()
    for name in ("execs", "executed", "operations", "registers", "memory", "shared", "fault", "stopped"):
        assert getattr(bare, name) == getattr(trace, name), name
    assert machine.run(step_limit) == machine.run(step_limit), "a run changes what the next one starts from"
    consumer = Consumer(spec)
    consumer.read(ids)
    consumer.read(trace.tokens)
    assert consumer.registers == [list(rows) for rows in trace.registers]
    assert consumer.memory[0] == list(trace.memory)
    assert consumer.memory[1] == list(trace.shared)
    return trace


@dataclass
class Consumer:
    """Rebuilds registers and memories from prompt and trace alone: no operation, no addresses, no scheduling.

    It knows only where the outs of a block go (from the ROM words) and the rules of section 7.
    """

    spec: Spec
    registers: list[list[int]] = field(init=False)
    memory: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        spec = self.spec
        self.registers = [[0] * spec.registers for _ in range(spec.threads)]
        self.memory = [[0] * spec.memory_rows, [0] * spec.memory_rows]
        self.rom: dict[tuple[int, int], int] = {}
        self.masks = [0] * spec.warps
        self.place: tuple[str, int, int] = ("", 0, 0)
        self.rom_block = 0
        self.address = (0, 0)
        self.current = (0, 0)
        self.pending = 0
        self.count = 0

    def read(self, ids: Sequence[int]) -> None:
        """Take more tokens."""
        vocab = vocabulary(self.spec)
        for token_id in ids:
            kind, args = vocab.token(token_id)
            if kind is Kind.BYTE:
                self.pending = self.pending << self.spec.payload_bits | args[0]
                self.count += 1
                continue
            word = self._word(args[-1]) if args else 0
            self.pending = self.count = 0
            getattr(self, f"take_{kind.value.lower()}", self._ignore)(*args[:-1], args[-1] if args else 0, word)

    def _word(self, digit: int) -> int:
        bits = self.spec.payload_bits * (self.count + 1)
        value = self.pending << self.spec.payload_bits | digit
        if value & 1 << (bits - 1):
            value -= 1 << bits
        return value % 2**32

    def _ignore(self, *args: int) -> None:
        pass

    def take_reset(self, *_: int) -> None:
        self._reset()

    def take_rom(self, block: int, _: int) -> None:
        self.rom_block = block

    def take_row(self, row: int, _: int) -> None:
        self.place = ("rom", self.rom_block, row)

    def take_const(self, row: int, _: int) -> None:
        self.place = ("const", 0, row)

    def take_tid(self, warp: int, lane: int, dim: int, _: int) -> None:
        self.place = ("tid", warp * self.spec.lanes + lane, dim)

    def take_set(self, _: int, word: int) -> None:
        kind, first, second = self.place
        if kind == "rom":
            self.rom[first, second] = word

    def take_addr(self, space: int, address: int, _: int) -> None:
        self.address = (space, address)

    def take_mem(self, lane: int, _: int, word: int) -> None:
        space, address = self.address
        self.memory[space][(address + lane) % len(self.memory[space])] = word

    def take_threads(self, warp: int, mask: int, _: int) -> None:
        self.masks[warp] = mask

    take_mask = take_threads

    def take_exec(self, block: int, warp: int, _: int) -> None:
        self.current = (block, warp)

    def take_val(self, out: int, lane: int, _: int, word: int) -> None:
        block, warp = self.current
        row = self._out_row(block, out)
        for number in range(self.spec.lanes):
            chosen = lane == number or (lane == self.spec.lanes and self.masks[warp] >> number & 1)
            if chosen:
                self.registers[warp * self.spec.lanes + number][row] = word

    def _out_row(self, block: int, out: int) -> int:
        """Row of an out, cut from the ROM's bits by the layout of section 3."""
        spec = self.spec
        bus = (spec.read_ports + spec.const_ports + len(spec.slot_kinds)).bit_length()
        row = (spec.registers - 1).bit_length()
        target = spec.blocks.bit_length()
        at = 1 + 1 + 1 + bus + 2 + bus + 2 * target + spec.read_ports * row + spec.const_ports * 33
        for kind in spec.slot_kinds:
            at += 6 + 3 * bus + (2 + 1 + 3 + 1 + 3 if kind == "l" else 2 + 1 + 3 + 2)
        at += out * (1 + row + bus) + 1
        bits = sum(word << 32 * index for (number, index), word in self.rom.items() if number == block)
        return bits >> at & ((1 << row) - 1)

    def take_start(self, *_: int) -> None:
        self.registers = [[0] * self.spec.registers for _ in range(self.spec.threads)]
        self.memory[1] = [0] * self.spec.memory_rows
