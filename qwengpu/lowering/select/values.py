"""64-bit values: what is known of them without computing their words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from qwengpu.lowering.mir import Lit, Operand, VReg
from qwengpu.lowering.select.words import MAX, MIN, ZERO, lit, signed


@dataclass(frozen=True, slots=True)
class Address:
    """The unbounded integer base + (ext(index) << scale) + offset, as LD, stores and LEA compute it.

    ``base`` is an unsigned word; ``index`` is extended as ``signed`` says; ``offset`` fits 32 bits, signed.
    ``space``: global, shared, local or "" (not known). ``generic``: PTX holds the generic form of it, whose
    number is not known here.
    """

    base: Operand
    index: Operand = ZERO
    signed: bool = False
    scale: int = 0
    offset: int = 0
    space: str = ""
    generic: bool = False

    @property
    def simple(self) -> bool:
        """True if it is its base."""
        return self.index == ZERO and self.offset == 0

    def plus(self, offset: int) -> Address | None:
        """The address ``offset`` bytes on, None if the offset is too large to keep."""
        total = self.offset + offset
        return replace(self, offset=total) if MIN <= total <= MAX else None


@dataclass(frozen=True, slots=True)
class Extended:
    """The integer ext(word) << scale (no wrap: 35 bits at most)."""

    word: Operand
    signed: bool
    scale: int = 0


class Wide:
    """A 64-bit value: its words if they are computed, else the form that gives them.

    ``low`` and ``high`` belong to ``form`` if both are given: an address or extension that was computed too.
    """

    __slots__ = ("form", "high", "low", "pending")

    def __init__(
        self,
        low: Operand | None = None,
        high: Operand | None = None,
        form: Address | Extended | None = None,
    ) -> None:
        self.low = low
        self.high = high
        self.form = form
        self.pending: object | None = None

    @property
    def address(self) -> Address | None:
        """The form, if it is an address."""
        return self.form if isinstance(self.form, Address) else None

    @property
    def extended(self) -> Extended | None:
        """The form, if it is an extended word."""
        return self.form if isinstance(self.form, Extended) else None

    @property
    def literal(self) -> int | None:
        """The unsigned value, if it is a constant."""
        if isinstance(self.low, Lit) and isinstance(self.high, Lit):
            return self.high.value << 32 | self.low.value
        return None

    def operands(self) -> set[VReg]:
        """Registers that it refers to."""
        found: list[Operand | None] = [self.low, self.high]
        if isinstance(self.form, Address):
            found += (self.form.base, self.form.index)
        elif self.form is not None:
            found.append(self.form.word)
        return {operand for operand in found if isinstance(operand, VReg)}

    def replaced(self, old: VReg, new: VReg) -> Wide:
        """The same value with ``new`` for ``old``."""

        def swap(operand: Operand | None) -> Operand | None:
            return new if operand == old else operand

        form = self.form
        if isinstance(form, Address):
            base, index = swap(form.base), swap(form.index)
            assert base is not None and index is not None
            form = replace(form, base=base, index=index)
        elif form is not None:
            word = swap(form.word)
            assert word is not None
            form = replace(form, word=word)
        return Wide(swap(self.low), swap(self.high), form)


def constant(value: int) -> Wide:
    """A 64-bit constant."""
    return Wide(lit(value), lit(value >> 32))


def signed64(value: int) -> int:
    """A double word read as a signed number."""
    return value - (1 << 64) if value >> 63 else value


__all__ = ["Address", "Extended", "Wide", "constant", "signed", "signed64"]
