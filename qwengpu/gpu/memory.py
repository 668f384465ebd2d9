"""Global and shared memory: words written by MEM tokens, a read port for each load slot and lane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qwengpu.circuits import Circuit, Form, Linear, MemoryBuilder, Wire, form, number, onehot_address, total
from qwengpu.circuits.forms import Raw
from qwengpu.gpu.addresses import AddressControl, word_rows
from qwengpu.gpu.alu import Result
from qwengpu.gpu.digits import BASE, DIGITS, Collector, Digits, Terms, digit_onehot, gated_step
from qwengpu.gpu.features import index_bits
from qwengpu.gpu.front import Front
from qwengpu.gpu.rom import Fields
from qwengpu.gpu.rows import paired
from qwengpu.isa import ConstRow, Width
from qwengpu.spec import WORD_BITS, Spec
from qwengpu.tokens import Kind

BYTE_DIGITS = 4


@dataclass(frozen=True)
class Memories:
    """Global and shared memory, while read ports are being added."""

    spec: Spec
    global_: MemoryBuilder
    shared: MemoryBuilder

    def read(
        self,
        c: Circuit,
        collector: Collector,
        control: AddressControl,
        onehot: Sequence[Sequence[Wire]],
        name: str,
    ) -> Digits:
        """The word at an address, of the space in use; zeros if none is."""
        ports = []
        for memory, enable, label in (
            (self.global_, control.is_global, "global"),
            (self.shared, control.is_shared, "shared"),
        ):
            rows = word_rows(self.spec, onehot, enable)
            ports.append(memory.read(onehot_address(rows), f"{name}.{label}"))
        columns: list[list[Raw]] = [[port[place] for port in ports] for place in range(WORD_BITS)]
        return collector.digits(columns, name)


def make_memories(c: Circuit, spec: Spec, front: Front) -> Memories:
    """Both memories with their write ports: word (a + lane) of the space that the last ADDR named."""
    bits = index_bits(spec.memory_rows)
    f = front.features
    with c.scope("memory"):
        onehot: list[tuple[Wire, ...]] = []
        for place in range((bits + 1) // 2):
            known = front.address[: 2 * place + 2]
            target = number(known) + f.mem_number
            base = 1 << min(2, bits - 2 * place)
            onehot.append(digit_onehot(c, target, BASE**place, f"write.{place}", base))
        groups = paired(c, onehot, "write.row")
        where = onehot_address(_spelt(spec.memory_rows, groups))
        is_mem = f.kind[Kind.MEM]
        made = []
        for name, space in (("global", 1 - form(front.space)), ("shared", form(front.space))):
            memory = c.memory(name, spec.memory_rows, WORD_BITS)
            memory.write(where, front.value, space + is_mem - 1)
            memory.reset(front.reset if name == "global" else front.restart)
            made.append(memory)
    return Memories(spec, made[0], made[1])


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
