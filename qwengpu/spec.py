"""The machine's size as one frozen value; every other part derives its numbers from it."""

from __future__ import annotations

from dataclasses import dataclass

WORD_BITS = 32
CONST_PARAM_BASE = 16
"""First constant row that holds a kernel parameter word; the rows below are fixed (`isa.ConstRow`)."""


@dataclass(frozen=True)
class Spec:
    """Sizes of one machine. `docs/machine.md` defines what each number means.

    ``levels`` is the pipeline: one string a level, one letter a slot ("a" ALU, "x" ALU or exchange and
    bit operations, "m" ALU or multiplier, "l" load). A slot sees the results of earlier levels only.
    """

    name: str
    lanes: int
    registers: int
    warps: int
    blocks: int
    memory_words: int
    const_rows: int
    payload_bits: int = 8
    read_ports: int = 4
    const_ports: int = 4
    live_outs: int = 4
    levels: tuple[str, ...] = ("xa", "ll", "ma", "xa")

    def __post_init__(self) -> None:
        for field in ("lanes", "registers", "warps", "blocks"):
            value = getattr(self, field)
            if value < 1 or value & (value - 1):
                raise ValueError(f"spec {self.name}: {field} = {value} is not a power of two")
        if self.const_rows <= CONST_PARAM_BASE:
            raise ValueError(f"spec {self.name}: const_rows = {self.const_rows} leaves no parameter row")
        if not 1 <= self.payload_bits <= 16:
            raise ValueError(f"spec {self.name}: payload_bits = {self.payload_bits} is not in 1..16")
        if any(set(level) - set("axml") for level in self.levels):
            raise ValueError(f"spec {self.name}: a slot kind in {self.levels} is none of a, x, m, l")

    @property
    def slot_kinds(self) -> tuple[str, ...]:
        """Kind of every slot, in slot order (level by level)."""
        return tuple(kind for level in self.levels for kind in level)

    @property
    def slot_levels(self) -> tuple[int, ...]:
        """Level of every slot, in slot order."""
        return tuple(index for index, level in enumerate(self.levels) for _ in level)

    @property
    def threads(self) -> int:
        """Threads that one thread block can have."""
        return self.lanes * self.warps

    @property
    def digits(self) -> int:
        """Payload digits of a full 32-bit word."""
        return -(-WORD_BITS // self.payload_bits)

    @property
    def param_words(self) -> int:
        """Parameter words that a kernel can have."""
        return self.const_rows - CONST_PARAM_BASE

    @property
    def memory_rows(self) -> int:
        """Rows of an address token's range: memory_words rounded up to a power of two."""
        return 1 << (self.memory_words - 1).bit_length()


SEED = Spec("seed", lanes=4, registers=16, warps=4, blocks=32, memory_words=126, const_rows=32)
"""The published sizes."""

WIDE = Spec("wide", lanes=4, registers=16, warps=8, blocks=256, memory_words=1024, const_rows=64)
"""What does not fit `seed`, with the same code."""

SPECS: dict[str, Spec] = {spec.name: spec for spec in (SEED, WIDE)}


def spec_named(name: str) -> Spec:
    """The spec of that name.

    Raises ValueError, listing the known names.
    """
    try:
        return SPECS[name]
    except KeyError:
        raise ValueError(f"no machine spec {name!r}; known: {', '.join(SPECS)}") from None
