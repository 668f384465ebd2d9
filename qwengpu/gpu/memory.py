"""Global and shared memory: words written by MEM tokens, a read port for each load slot and lane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qwengpu.circuits import (
    Address,
    Circuit,
    Form,
    Linear,
    MemoryBuilder,
    Wire,
    form,
    number,
    onehot_address,
    total,
)
from qwengpu.circuits.forms import Raw
from qwengpu.gpu.addresses import AddressControl, word_rows
from qwengpu.gpu.alu import Result
from qwengpu.gpu.digits import BASE, DIGITS, Collector, Digits, Terms, digit_onehot, gated_step
from qwengpu.gpu.features import index_bits
from qwengpu.gpu.front import Front
from qwengpu.gpu.rom import Fields
from qwengpu.gpu.rows import paired
from qwengpu.isa import ConstRow, Space, Width
from qwengpu.spec import WORD_BITS, Spec
from qwengpu.tokens import Kind

BYTE_DIGITS = 4


class Memories:
    """Global and shared memory, with a copy for each read port.

    A read port is a copy of the state anyway. Memories of their own, rather than ports of one, leave it open in
    which layer each lies.
    """

    def __init__(self, c: Circuit, spec: Spec, front: Front, collector: Collector) -> None:
        self._c, self._spec, self._front, self._collector = c, spec, front, collector
        with c.scope("memory"):
            self._where = _written(c, spec, front)
        self._copies = 0

    def _copy(self, space: Space) -> MemoryBuilder:
        """Word (a + lane) of the space that the last ADDR named is written by MEM."""
        front = self._front
        name = f"memory{self._copies}.{space.name.lower()}"
        memory = self._c.memory(f"/{name}", self._spec.memory_rows, WORD_BITS)
        here = form(front.space) if space is Space.SHARED else 1 - form(front.space)
        memory.write(self._where, front.value, here + front.features.kind[Kind.MEM] - 1)
        memory.reset(front.restart if space is Space.SHARED else front.reset)
        return memory

    def read(self, control: AddressControl, onehot: Sequence[Sequence[Wire]], name: str) -> Digits:
        """The word at an address, of the space in use; zeros if none is."""
        ports = []
        for space, enable in ((Space.GLOBAL, control.is_global), (Space.SHARED, control.is_shared)):
            rows = word_rows(self._spec, onehot, enable)
            ports.append(self._copy(space).read(onehot_address(rows), f"{name}.{space.name.lower()}"))
        self._copies += 1
        columns: list[list[Raw]] = [[port[place] for port in ports] for place in range(WORD_BITS)]
        return self._collector.digits(columns, name)

    def finish(self) -> tuple[str, str]:
        """Names of one copy of global and of shared memory; makes one if nothing reads any."""
        if not self._copies:
            for space in Space:
                self._copy(space)
        return "memory0.global", "memory0.shared"


def _written(c: Circuit, spec: Spec, front: Front) -> Address:
    """The row that a MEM token writes: that of the last ADDR plus its lane."""
    bits = index_bits(spec.memory_rows)
    onehot: list[tuple[Wire, ...]] = []
    for place in range((bits + 1) // 2):
        known = front.address[: 2 * place + 2]
        target = number(known) + front.features.mem_number
        base = 1 << min(2, bits - 2 * place)
        onehot.append(digit_onehot(c, target, BASE**place, f"write.{place}", base))
    return onehot_address(_spelt(spec.memory_rows, paired(c, onehot, "write.row")))


def _spelt(rows: int, groups: Sequence[Sequence[Linear]]) -> list[Form]:
    """Selects of rows whose number the groups spell, lowest first."""
    out = []
    for row in range(rows):
        rest, picked = row, []
        for group in groups:
            rest, digit = divmod(rest, len(group))
            picked.append(group[digit])
        out.append(total(picked) - (len(picked) - 1))
    return out


def make_sizes(c: Circuit, spec: Spec, front: Front, collector: Collector) -> tuple[Linear, Linear]:
    """Bytes of global and of shared memory: constant rows, kept apart. (A launch has no more than fit.)"""
    count = (4 * spec.memory_rows).bit_length()
    sizes = []
    for row in (ConstRow.GLOBAL_BYTES, ConstRow.SHARED_BYTES):
        found = constant_latch(c, spec, front, row, count)
        sizes.append(collector.number([[raw] for raw in found], row.name.lower()))
    return sizes[0], sizes[1]


def constant_latch(c: Circuit, spec: Spec, front: Front, row: int, bits: int) -> tuple[Raw, ...]:
    """The low bits of one constant row, as raw columns of a memory of its own."""
    target = front.target
    memory = c.memory(f"const{row}", 1, bits)
    here = [form(bit) if row >> i & 1 else 1 - form(bit) for i, bit in enumerate(target.const_row)]
    enable = total((*here, target.is_const, front.features.kind[Kind.SET])) - len(here) - 1
    memory.write([], front.value[:bits], enable)
    memory.reset(front.reset)
    return memory.read([], f"const{row}.port").columns


@dataclass(frozen=True)
class LoadControl:
    """What a load slot returns; ``byte`` and ``half``: zero- or sign-extended, ``*_signed``: the latter."""

    word: Wire
    byte: Wire
    half: Wire
    byte_signed: Wire
    half_signed: Wire


def make_load_control(c: Circuit, block: Fields, slot: int) -> LoadControl:
    """One level behind the ROM."""

    def widths(name: str, *wanted: Width) -> Wire:
        return block.equals(f"slot{slot}.width", wanted, name)

    return LoadControl(
        word=widths("word", Width.WORD, Width.WORD_OF_8, Width.WORD_OF_16),
        byte=widths("byte", Width.U8, Width.S8),
        half=widths("half", Width.U16, Width.S16),
        byte_signed=widths("byte_signed", Width.S8),
        half_signed=widths("half_signed", Width.S16),
    )


def extract(control: LoadControl, word: Digits, byte: Sequence[Wire]) -> Result:
    """What a load gives of the word read; ``byte[v]``: the address is v modulo 4. The slot's last level."""
    out: list[Terms] = []
    fill8: Terms = []
    fill16: Terms = []
    halves = (form(byte[0]) + byte[1], form(byte[2]) + byte[3])
    for v in range(BYTE_DIGITS):
        fill8 += gated_step(word[BYTE_DIGITS * v + 3], 2, form(control.byte_signed) + byte[v] - 1, BASE - 1)
    for v, half in enumerate(halves):
        fill16 += gated_step(word[2 * BYTE_DIGITS * v + 7], 2, control.half_signed + half - 1, BASE - 1)
    for place in range(DIGITS):
        terms: Terms = [(1, control.word, word[place])]
        if place < BYTE_DIGITS:
            terms += [
                (1, form(control.byte) + byte[v] - 1, word[BYTE_DIGITS * v + place]) for v in range(BYTE_DIGITS)
            ]
        else:
            terms += fill8
        if place < 2 * BYTE_DIGITS:
            terms += [
                (1, control.half + half - 1, word[2 * BYTE_DIGITS * v + place]) for v, half in enumerate(halves)
            ]
        else:
            terms += fill16
        out.append(terms)
    return Result(tuple(out))
