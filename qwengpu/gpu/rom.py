"""The program: ROM words in memories of one row a block, and the fields of the block in execution.

Layer 1 reads; a SET token whose destination is ROM word i writes memory i.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from qwengpu.circuits import Circuit, Form, Linear, Wire, form, onehot_address, row_select
from qwengpu.encode import block_bits, block_words, fields
from qwengpu.gpu.front import Front
from qwengpu.isa import Op
from qwengpu.spec import WORD_BITS, Spec
from qwengpu.tokens import Kind


@dataclass(frozen=True)
class Fields:
    """The encoded fields of one block, by `qwengpu.encode`'s names; bits, lowest first."""

    circuit: Circuit
    bits: dict[str, tuple[Wire, ...]]

    def __getitem__(self, name: str) -> tuple[Wire, ...]:
        return self.bits[name]

    def flag(self, name: str) -> Wire:
        """A field of one bit."""
        return self.bits[name][0]

    def equals(self, name: str, values: Iterable[int], wire: str, enable: Linear | None = None) -> Wire:
        """A wire: the field has one of the values (and ``enable``): one level, one neuron a value."""
        field = self.bits[name]
        return self.circuit.bit([(1, row_select(field, value, enable), 1) for value in values], wire)

    def any_op(self, slot: int, ops: Iterable[Op], wire: str, enable: Linear | None = None) -> Wire:
        """A wire: the slot's operation is one of ``ops``."""
        return self.equals(f"slot{slot}.op", (op.code for op in ops), wire, enable)

    def selects(self, name: str, count: int, wire: str, enable: Linear | None = None) -> tuple[Linear, ...]:
        """One-hot of a bus index 0...count - 1; entry 0, which reads zero, has no wire."""
        return (
            form(0),
            *(self.equals(name, (entry,), f"{wire}.{entry}", enable) for entry in range(1, count)),
        )


def word_writes(front: Front, word: int) -> Form:
    """1 at a SET whose destination is this ROM word."""
    target = front.target
    return row_select(target.row, word, target.is_row) + front.features.kind[Kind.SET] - 1


def make_rom(c: Circuit, spec: Spec, front: Front) -> Fields:
    """The memories and one read port, at the block in execution."""
    bits: list[Wire] = []
    left = block_bits(spec)
    with c.scope("rom"):
        for word in range(block_words(spec)):
            width = min(WORD_BITS, left - len(bits))
            memory = c.memory(f"word{word}", spec.blocks, width)
            memory.write(onehot_address(front.target.rom_rows), front.value[:width], word_writes(front, word))
            memory.reset(front.reset)
            bits += memory.read(onehot_address(front.current.block_rows), f"word{word}.port").word()
    named = {field.name: tuple(bits[field.offset : field.offset + field.bits]) for field in fields(spec)}
    return Fields(c, named)
