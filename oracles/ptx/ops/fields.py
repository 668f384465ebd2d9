"""Bit-field functions on unsigned values."""

from __future__ import annotations

from collections.abc import Callable, Mapping

M32 = 0xFFFF_FFFF


def extract(value: int, position: int, length: int, width: int) -> int:
    """bfe.u: ``length`` bits from ``position``; bits beyond the width are zero."""
    return value >> position & ((1 << length) - 1) & ((1 << width) - 1)


def extract_signed(value: int, position: int, length: int, width: int) -> int:
    """bfe.s: the field, extended by its top bit, or by the value's own if the field goes beyond it."""
    ones = (1 << width) - 1
    if length == 0:
        return 0
    top = min(position + length - 1, width - 1)
    field = value >> position & ((1 << length) - 1)
    if value >> top & 1:
        have = max(0, min(length, width - position))  # bits that the field really has
        field |= ones & ~((1 << have) - 1)
    return field & ones


def insert(value: int, into: int, position: int, length: int, width: int) -> int:
    """bfi: the low ``length`` bits of ``value`` at ``position`` of ``into``; what does not fit is dropped."""
    field = ((1 << length) - 1) << position & ((1 << width) - 1)
    return into & ~field | value << position & field


def lop3_expression(table: int) -> str:
    """A function of a, b, c as an expression: the sum of the minterms that ``table`` names."""
    terms = []
    for index in range(8):
        if table >> index & 1:
            signs = [("" if index >> (2 - at) & 1 else "~") + name for at, name in enumerate("abc")]
            terms.append("(" + " & ".join(signs) + ")")
    return " | ".join(terms) or "0"


def _byte(a: int, b: int, index: int) -> int:
    return (b << 32 | a) >> 8 * (index & 7) & 255


def permute(a: int, b: int, selector: int) -> int:
    """prmt: four nibbles select bytes; a nibble's top bit replicates the byte's sign instead."""
    out = 0
    for at in range(4):
        nibble = selector >> 4 * at & 15
        byte = _byte(a, b, nibble)
        if nibble & 8:
            byte = 255 if byte & 128 else 0
        out |= byte << 8 * at
    return out


def _mode(choose: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    def run(a: int, b: int, selector: int) -> int:
        return sum(_byte(a, b, choose(at, selector & 3)) << 8 * at for at in range(4))

    return run


PERMUTE_MODES: Mapping[str, Callable[[int, int, int], int]] = {
    "f4e": _mode(lambda at, s: s + at),
    "b4e": _mode(lambda at, s: s - at),
    "rc8": _mode(lambda at, s: s),
    "ecl": _mode(max),
    "ecr": _mode(min),
    "rc16": _mode(lambda at, s: (s & 1) * 2 + (at & 1)),
}
"""prmt's special modes (PTX ISA, prmt, second table)."""


def sign_extend(value: int, bits: int) -> int:
    """szext.s32: the low ``bits`` (0 to 32) as a signed number."""
    if bits == 0:
        return 0
    low = value & ((1 << bits) - 1)
    return (low - (1 << bits)) & M32 if low >> (bits - 1) else low


def zero_extend(value: int, bits: int) -> int:
    """szext.u32: the low ``bits`` (0 to 32)."""
    return value & ((1 << bits) - 1)


def mask(position: int, width: int) -> int:
    """bmsk: ``width`` ones from ``position``."""
    return ((1 << width) - 1) << position & M32


def find_nth_set(value: int, base: int, offset: int) -> int:
    """fns: position of the |offset|-th set bit from ``base`` up (or down if negative), all ones if none."""
    if offset == 0:
        return base if value >> base & 1 else M32
    count, step, at = abs(offset), 1 if offset > 0 else -1, base
    while 0 <= at < 32:
        if value >> at & 1:
            count -= 1
            if count == 0:
                return at
        at += step
    return M32
