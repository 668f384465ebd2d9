"""PTX's fundamental types (PTX ISA, "Fundamental Types")."""

from __future__ import annotations

from typing import NamedTuple


class Type(NamedTuple):
    """A type: ``kind`` is one of u, s, b (untyped bits), p (predicate), f (floating point), o (opaque)."""

    kind: str
    bits: int

    @property
    def size(self) -> int:
        """Size in bytes."""
        return self.bits // 8

    @property
    def mask(self) -> int:
        """All ones of this width."""
        return (1 << self.bits) - 1

    @property
    def sign(self) -> int:
        """The sign bit of this width."""
        return 1 << (self.bits - 1)

    @property
    def signed(self) -> bool:
        """True for the s types."""
        return self.kind == "s"

    @property
    def name(self) -> str:
        """As PTX spells it, without the dot."""
        return "pred" if self.kind == "p" else f"{self.kind}{self.bits}"


PRED = Type("p", 1)
U32 = Type("u", 32)
S32 = Type("s", 32)
B32 = Type("b", 32)
U64 = Type("u", 64)

TYPES: dict[str, Type] = {
    **{f"{kind}{bits}": Type(kind, bits) for kind in "us" for bits in (8, 16, 32, 64)},
    **{f"b{bits}": Type("b", bits) for bits in (8, 16, 32, 64, 128)},
    "pred": PRED,
    "texref": Type("o", 64),
    "samplerref": Type("o", 64),
    "surfref": Type("o", 64),
}
"""Integer and opaque types by name."""

_FLOAT_BITS = {
    "f16": 16,
    "f16x2": 32,
    "f32": 32,
    "f32x2": 64,
    "f64": 64,
    "bf16": 16,
    "bf16x2": 32,
    "tf32": 32,
    "e4m3": 8,
    "e5m2": 8,
    "e4m3x2": 16,
    "e5m2x2": 16,
}
FLOATS: dict[str, Type] = {name: Type("f", bits) for name, bits in _FLOAT_BITS.items()}
"""Floating-point types, which are known only to be refused."""


def type_named(name: str) -> Type | None:
    """The type that a word without its dot names, or None."""
    return TYPES.get(name) or FLOATS.get(name)


def to_signed(value: int, bits: int) -> int:
    """The signed reading of an unsigned ``bits``-wide value."""
    return value - (1 << bits) if value >> (bits - 1) & 1 else value
