"""The machine's instruction set as data: operations, operands, blocks. Semantics: `docs/machine.md`."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import NamedTuple

from qwengpu.spec import Spec


class OpInfo(NamedTuple):
    """Encoding number, slot kinds that offer the operation, operands used, one-line meaning."""

    code: int
    kinds: str
    operands: str
    meaning: str


class Op(enum.Enum):
    """Every operation of a slot. "a" operations run in a, x and m slots."""

    # value = OpInfo(code, kinds, operands, meaning); all words are 32-bit, arithmetic modulo 2**32
    ADD = OpInfo(1, "axm", "abc", "a + b + (c & 1)")
    SUB = OpInfo(2, "axm", "abc", "a - b - (c & 1)")
    CARRY = OpInfo(3, "axm", "abc", "1 if a + b + (c & 1) >= 2**32 else 0, unsigned")
    BORROW = OpInfo(4, "axm", "abc", "1 if a - b - (c & 1) < 0 else 0, unsigned")
    AND = OpInfo(5, "axm", "ab", "a & b")
    OR = OpInfo(6, "axm", "ab", "a | b")
    XOR = OpInfo(7, "axm", "ab", "a ^ b")
    ANDN = OpInfo(8, "axm", "ab", "a & ~b")
    EQ = OpInfo(9, "axm", "ab", "1 if a == b else 0")
    NE = OpInfo(10, "axm", "ab", "1 if a != b else 0")
    LT = OpInfo(11, "axm", "ab", "1 if a < b else 0, signed")
    LE = OpInfo(12, "axm", "ab", "1 if a <= b else 0, signed")
    LTU = OpInfo(13, "axm", "ab", "1 if a < b else 0, unsigned")
    LEU = OpInfo(14, "axm", "ab", "1 if a <= b else 0, unsigned")
    MIN = OpInfo(15, "axm", "ab", "smaller of a and b, signed")
    MAX = OpInfo(16, "axm", "ab", "larger of a and b, signed")
    MINU = OpInfo(17, "axm", "ab", "smaller of a and b, unsigned")
    MAXU = OpInfo(18, "axm", "ab", "larger of a and b, unsigned")
    SEL = OpInfo(19, "axm", "abc", "a if c & 1 else b")
    LEA = OpInfo(20, "axm", "abc", "a + (ext(b) << scale) + sext(c), POINTER fault outside 0..2**32-1")
    FIT = OpInfo(21, "axm", "ab", "a, POINTER fault unless b is the high word that extends a")
    SHL = OpInfo(32, "x", "ab", "a << b, 0 if b >= 32 (b unsigned)")
    SHR = OpInfo(33, "x", "ab", "a >> b logical, 0 if b >= 32 (b unsigned)")
    SAR = OpInfo(34, "x", "ab", "a >> b arithmetic, sign fill if b >= 32 (b unsigned)")
    POPC = OpInfo(35, "x", "a", "number of one bits of a")
    CLZ = OpInfo(36, "x", "a", "number of leading zeros of a, 32 if a = 0")
    BREV = OpInfo(37, "x", "a", "bits of a in reverse order")
    PRMT = OpInfo(38, "x", "abc", "byte permute of b:a by selector c (PTX prmt, generic mode)")
    INS = OpInfo(39, "x", "abc", "a with the byte or half at address c replaced by the low part of b")
    SHFL = OpInfo(40, "x", "abc", "a of the source lane given by b, c and the mode (PTX shfl)")
    SHFLP = OpInfo(41, "x", "abc", "1 if SHFL's source lane is in range else 0")
    BALLOT = OpInfo(42, "x", "ab", "bit l: lane l active, bit l of b set and a's bit 0 set in lane l")
    MUL = OpInfo(48, "m", "abc", "low word of a * b, plus c")
    MULHU = OpInfo(49, "m", "abc", "high word of the unsigned product a * b, plus c")
    MULHS = OpInfo(50, "m", "abc", "high word of the signed product a * b, plus c")
    RCP = OpInfo(51, "m", "a", "reciprocal seed: at most 2**32 / a, relative error below 2**-8")
    LD = OpInfo(56, "l", "abc", "load from a + (ext(b) << scale) + sext(c)")

    @property
    def code(self) -> int:
        """Number in the encoded block."""
        return self.value.code

    @property
    def kinds(self) -> str:
        """Letters of the slot kinds that offer it."""
        return self.value.kinds

    @property
    def operands(self) -> str:
        """Which of the operands a, b, c it reads."""
        return self.value.operands


OPS_BY_CODE: dict[int, Op] = {op.code: op for op in Op}


class Width(enum.IntEnum):
    """What a load returns and how its address must be aligned (`LD` and `Store`)."""

    WORD = 0
    U8 = 1
    S8 = 2
    U16 = 3
    S16 = 4
    WORD_OF_8 = 5  # byte access: the whole containing word
    WORD_OF_16 = 6  # half-word access: the whole containing word


class Space(enum.IntEnum):
    """Which memory an address means."""

    GLOBAL = 0
    SHARED = 1


class ShflMode(enum.IntEnum):
    """Modes of SHFL and SHFLP."""

    IDX = 0
    UP = 1
    DOWN = 2
    BFLY = 3


@dataclass(frozen=True)
class Mod:
    """Static modifiers of an operation; fields that an operation does not use are at their default.

    ``scale`` 0..3 and ``signed`` (how b is extended): LEA, LD, store. ``signed`` also selects FIT's
    rule (True: b must be a's sign fill; False: b must be 0). ``width``, ``space``: LD, store, INS (U8
    or U16). ``align``: log2 of a stricter alignment in bytes (0 natural, 3: 8 bytes, 4: 16 bytes).
    ``shfl``: SHFL, SHFLP.
    """

    scale: int = 0
    signed: bool = False
    width: Width = Width.WORD
    space: Space = Space.GLOBAL
    align: int = 0
    shfl: ShflMode = ShflMode.IDX


NO_MOD = Mod()

ZERO = 0
"""Bus index that always reads zero."""


def bus_read(spec: Spec, port: int) -> int:
    """Bus index of register read port ``port``."""
    return 1 + port


def bus_const(spec: Spec, port: int) -> int:
    """Bus index of constant port ``port``."""
    return 1 + spec.read_ports + port


def bus_slot(spec: Spec, slot: int) -> int:
    """Bus index of the result of slot ``slot``."""
    return 1 + spec.read_ports + spec.const_ports + slot


class ConstRow(enum.IntEnum):
    """Rows of the constant bank that are fixed; parameter words follow from `CONST_PARAM_BASE`."""

    TID_X = 0
    TID_Y = 1
    TID_Z = 2
    NTID_X = 3
    NTID_Y = 4
    NTID_Z = 5
    CTAID_X = 6
    CTAID_Y = 7
    CTAID_Z = 8
    NCTAID_X = 9
    NCTAID_Y = 10
    NCTAID_Z = 11
    LANEID = 12
    WARPID = 13
    SHARED_BYTES = 14
    GLOBAL_BYTES = 15


@dataclass(frozen=True)
class Const:
    """A constant port: a 32-bit literal (unsigned), or a row of the constant bank."""

    value: int
    is_row: bool = False


@dataclass(frozen=True)
class Slot:
    """One operation of a block; a, b, c are bus indices."""

    op: Op
    a: int = ZERO
    b: int = ZERO
    c: int = ZERO
    mod: Mod = NO_MOD


@dataclass(frozen=True)
class Store:
    """The block's store: bus index ``data`` to a + (ext(b) << scale) + sext(c). `Mod` as for LD."""

    a: int
    data: int
    b: int = ZERO
    c: int = ZERO
    mod: Mod = NO_MOD


class NextKind(enum.IntEnum):
    """How a block ends."""

    JUMP = 0
    BRANCH = 1
    BARRIER = 2
    TRAP = 3


EXIT = -1
"""Target that ends the thread."""


@dataclass(frozen=True)
class Next:
    """Where the active lanes go.

    ``taken`` if the condition's bit 0 is set (always, unless BRANCH), else ``other``. Targets are block
    numbers or EXIT. BARRIER waits, then goes to ``taken``.
    """

    kind: NextKind = NextKind.JUMP
    taken: int = EXIT
    other: int = EXIT
    cond: int = ZERO


@dataclass(frozen=True)
class LiveOut:
    """Writes bus index ``source`` to register row ``row`` (1 or more)."""

    row: int
    source: int


@dataclass(frozen=True)
class Block:
    """One ROM block: what one EXEC does.

    ``reads``: register row of each used read port. ``consts``: each used constant port. ``slots``: one
    entry a slot of the spec, None if idle. ``sync``: bus index of a member mask, or None.
    ``serial``: executed one lane at a time.
    """

    reads: tuple[int, ...] = ()
    consts: tuple[Const, ...] = ()
    slots: tuple[Slot | None, ...] = ()
    outs: tuple[LiveOut, ...] = ()
    store: Store | None = None
    next: Next = field(default_factory=Next)
    sync: int | None = None
    serial: bool = False
