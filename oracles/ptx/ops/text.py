"""Pieces of expressions over lane values, which are unsigned integers of the operand's width."""

from __future__ import annotations

from oracles.ptx.types import Type


def signed(name: str, bits: int) -> str:
    """The signed reading of an unsigned value."""
    sign = 1 << (bits - 1)
    return f"(({name} ^ {sign}) - {sign})"


def reading(name: str, type_: Type) -> str:
    """The value as its type reads it."""
    return signed(name, type_.bits) if type_.signed else name


def ordered(name: str, type_: Type) -> str:
    """Something that compares as the value does."""
    return f"({name} ^ {type_.sign})" if type_.signed else name


def clamped(value: str, type_: Type) -> str:
    """``value`` saturated to the range of a type, as an unsigned value of its width."""
    low = -(1 << (type_.bits - 1)) if type_.signed else 0
    high = low + type_.mask
    return f"({low} if (v_ := {value}) < {low} else {high} if v_ > {high} else v_) & {type_.mask}"
