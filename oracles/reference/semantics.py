"""What each operation computes: Python expressions on 32-bit words (docs/machine.md, section 4)."""

from __future__ import annotations

from collections.abc import Callable

from qwengpu.isa import Op, ShflMode, Space, Width

M = 0xFFFF_FFFF
"""All bits of a word."""
H = 0x8000_0000
"""The sign bit; ``(x ^ H) - H`` is x as a signed number, ``x ^ H`` orders unsigned numbers as signed ones."""

EXPRESSIONS: dict[Op, str] = {
    Op.ADD: "{a} + {b} + ({c} & 1) & M",
    Op.SUB: "{a} - {b} - ({c} & 1) & M",
    Op.CARRY: "{a} + {b} + ({c} & 1) >> 32",
    Op.BORROW: "1 if {a} - {b} - ({c} & 1) < 0 else 0",
    Op.AND: "{a} & {b}",
    Op.OR: "{a} | {b}",
    Op.XOR: "{a} ^ {b}",
    Op.ANDN: "{a} & ~{b}",
    Op.EQ: "1 if {a} == {b} else 0",
    Op.NE: "1 if {a} != {b} else 0",
    Op.LT: "1 if {a} ^ H < {b} ^ H else 0",
    Op.LE: "1 if {a} ^ H <= {b} ^ H else 0",
    Op.LTU: "1 if {a} < {b} else 0",
    Op.LEU: "1 if {a} <= {b} else 0",
    Op.MIN: "{a} if {a} ^ H < {b} ^ H else {b}",
    Op.MAX: "{a} if {a} ^ H > {b} ^ H else {b}",
    Op.MINU: "{a} if {a} < {b} else {b}",
    Op.MAXU: "{a} if {a} > {b} else {b}",
    Op.SEL: "{a} if {c} & 1 else {b}",
    Op.FIT: "{a}",
    Op.SHL: "{a} << {b} & M if {b} < 32 else 0",
    Op.SHR: "{a} >> {b}",
    Op.SAR: "({a} ^ H) - H >> {b} & M",
    Op.POPC: "({a}).bit_count()",
    Op.CLZ: "32 - ({a}).bit_length()",
    Op.BREV: "brev({a})",
    Op.PRMT: "prmt({a}, {b}, {c})",
    Op.MUL: "{a} * {b} + {c} & M",
    Op.MULHU: "({a} * {b} >> 32) + {c} & M",
    Op.MULHS: "((({a} ^ H) - H) * (({b} ^ H) - H) >> 32) + {c} & M",
    Op.RCP: "rcp({a})",
}
"""Result of an operation whose lane needs no other lane and no memory; operands are non-negative ints."""

INSERT: dict[Width, str] = {Width.U8: "insert8({a}, {b}, {c})", Width.U16: "insert16({a}, {b}, {c})"}

LOADED: dict[Width, str] = {
    Width.WORD: "{word}",
    Width.WORD_OF_8: "{word}",
    Width.WORD_OF_16: "{word}",
    Width.U8: "{word} >> ({at} & 3) * 8 & 0xFF",
    Width.S8: "({word} >> ({at} & 3) * 8 & 0xFF ^ 0x80) - 0x80 & M",
    Width.U16: "{word} >> ({at} & 2) * 8 & 0xFFFF",
    Width.S16: "({word} >> ({at} & 2) * 8 & 0xFFFF ^ 0x8000) - 0x8000 & M",
}
"""What a load gives: ``word`` is the word at its address, ``at`` the byte offset."""

ACCESS_BYTES: dict[Width, int] = {
    Width.WORD: 4,
    Width.U8: 1,
    Width.S8: 1,
    Width.WORD_OF_8: 1,
    Width.U16: 2,
    Width.S16: 2,
    Width.WORD_OF_16: 2,
}

SPACE_BASE: dict[Space, int] = {Space.GLOBAL: 0x4000_0000, Space.SHARED: 0}
"""Byte address of word 0 (section 2)."""


def brev(a: int) -> int:
    """The bits of a in reverse order."""
    return int(f"{a:032b}"[::-1], 2)


def prmt(a: int, b: int, c: int) -> int:
    """Byte permutation of b:a by the four selector nibbles of c."""
    pool = b << 32 | a
    result = 0
    for i in range(4):
        selector = c >> 4 * i & 15
        byte = pool >> 8 * (selector & 7) & 0xFF
        if selector & 8:
            byte = 0xFF if byte & 0x80 else 0
        result |= byte << 8 * i
    return result


def insert8(a: int, b: int, c: int) -> int:
    """a with the byte number c & 3 replaced by b's low byte."""
    shift = 8 * (c & 3)
    return a & ~(0xFF << shift) | (b & 0xFF) << shift


def insert16(a: int, b: int, c: int) -> int:
    """a with the half that byte address c lies in replaced by b's low half."""
    shift = 8 * (c & 2)
    return a & ~(0xFFFF << shift) | (b & 0xFFFF) << shift


def rcp(a: int) -> int:
    """Reciprocal seed, a table of 512 entries behind a normalising shift."""
    if a == 0:
        return M
    n = 32 - a.bit_length()
    entry = (1 << 19) // (513 + ((a << n) >> 22) - 512)
    return entry << (n - 9) & M if n >= 9 else entry >> (9 - n)


def shuffle_source(mode: ShflMode, lane: int, b: int, c: int) -> tuple[int, bool]:
    """Source lane of a shuffle and whether it is in range (PTX ISA, shfl.sync); out of range it is ``lane``."""
    d, clamp, segment = b & 31, c & 31, c >> 8 & 31
    low = lane & segment
    high = low | clamp & ~segment & 31
    match mode:
        case ShflMode.IDX:
            source = low | d & ~segment & 31
            fits = source <= high
        case ShflMode.UP:
            source = lane - d
            fits = source >= high
        case ShflMode.DOWN:
            source = lane + d
            fits = source <= high
        case ShflMode.BFLY:
            source = lane ^ d
            fits = source <= high
    return (source, True) if fits else (lane, False)


HELPERS: dict[str, int | Callable[..., object]] = {
    "M": M,
    "H": H,
    "brev": brev,
    "prmt": prmt,
    "insert8": insert8,
    "insert16": insert16,
    "rcp": rcp,
    "shuffle_source": shuffle_source,
}
"""Names that the expressions use besides their operands."""
