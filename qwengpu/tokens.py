"""Token ids and what they mean, and words as payload digits (docs/machine.md, section 7)."""

from __future__ import annotations

import enum
import itertools
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from qwengpu.encode import block_words
from qwengpu.spec import WORD_BITS, Spec


class Kind(enum.Enum):
    """The kinds of tokens, in the order of their ids."""

    BYTE = "BYTE"
    SET = "SET"
    VAL = "VAL"
    MEM = "MEM"
    ROM = "ROM"
    ROW = "ROW"
    CONST = "CONST"
    TID = "TID"
    ADDR = "ADDR"
    EXEC = "EXEC"
    MASK = "MASK"
    THREADS = "THREADS"
    FAULT = "FAULT"
    RESET = "RESET"
    LAUNCH = "LAUNCH"
    START = "START"
    RELEASE = "RELEASE"
    HALT = "HALT"


class FaultCode(enum.IntEnum):
    """First argument of a FAULT token; of several faults the lowest number is reported."""

    ILLEGAL = 0
    POINTER = 1
    OUT_OF_RANGE = 2
    MISALIGNED = 3
    CONVERGENCE = 4
    BARRIER = 5
    TRAP = 6


class Token(NamedTuple):
    """A kind with its arguments; ``str()`` is its text form, ``EXEC(3,0)``."""

    kind: Kind
    args: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind.value}({','.join(map(str, self.args))})" if self.args else self.kind.value


def argument_ranges(spec: Spec) -> dict[Kind, tuple[int, ...]]:
    """How many values each argument of each kind has, in the order of the ids."""
    payload, masks = 1 << spec.payload_bits, 1 << spec.lanes
    return {
        Kind.BYTE: (payload,),
        Kind.SET: (payload,),
        Kind.VAL: (spec.live_outs, spec.lanes + 1, payload),
        Kind.MEM: (spec.lanes, payload),
        Kind.ROM: (spec.blocks,),
        Kind.ROW: (block_words(spec),),
        Kind.CONST: (spec.const_rows,),
        Kind.TID: (spec.warps, spec.lanes, 3),
        Kind.ADDR: (2, spec.memory_rows),
        Kind.EXEC: (spec.blocks, spec.warps),
        Kind.MASK: (spec.warps, masks),
        Kind.THREADS: (spec.warps, masks),
        Kind.FAULT: (len(FaultCode), masks),
        Kind.RESET: (),
        Kind.LAUNCH: (),
        Kind.START: (),
        Kind.RELEASE: (),
        Kind.HALT: (),
    }


class Vocabulary:
    """The token ids of one spec: ``0 ... size - 1``."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.payload_bits = spec.payload_bits
        self.ranges = argument_ranges(spec)
        self.base: dict[Kind, int] = {}
        at = 0
        for kind, ranges in self.ranges.items():
            self.base[kind] = at
            count = 1
            for size in ranges:
                count *= size
            at += count
        self.size = at
        self._starts = tuple(self.base.items())
        self.digits = lru_cache(maxsize=1 << 16)(self._digits)

    def id(self, kind: Kind, *args: int) -> int:
        """Id of a token.

        Raises ValueError if an argument is out of its range.
        """
        ranges = self.ranges[kind]
        if len(args) != len(ranges):
            raise ValueError(f"{kind.value} takes {len(ranges)} arguments, not {len(args)}")
        offset = 0
        for number, (value, size) in enumerate(zip(args, ranges, strict=True)):
            if not 0 <= value < size:
                raise ValueError(f"{kind.value}: argument {number} = {value} is not in 0...{size - 1}")
            offset = offset * size + value
        return self.base[kind] + offset

    def token(self, token_id: int) -> Token:
        """The token of an id.

        Raises ValueError if the vocabulary has no such id.
        """
        if not 0 <= token_id < self.size:
            raise ValueError(f"token id {token_id} is not in 0...{self.size - 1}")
        kind, start = next(item for item in reversed(self._starts) if item[1] <= token_id)
        offset = token_id - start
        args: list[int] = []
        for size in reversed(self.ranges[kind]):
            offset, value = divmod(offset, size)
            args.append(value)
        return Token(kind, tuple(reversed(args)))

    def text(self, ids: Iterable[int]) -> str:
        """Text form of ids, separated by blanks."""
        return " ".join(str(self.token(token_id)) for token_id in ids)

    def parse(self, text: str) -> list[int]:
        """Ids of tokens in text form (the inverse of `text`); ``#`` starts a comment.

        Raises ValueError naming the token that is not understood.
        """
        out: list[int] = []
        for line in text.splitlines():
            for match in re.finditer(r"(\w+)\s*(\([^()]*\))?|\S+", line.partition("#")[0]):
                out.append(self._parse_one(match.group(1), match.group(2), match.group(0)))
        return out

    def _parse_one(self, name: str | None, args: str | None, text: str) -> int:
        if name is None or name not in Kind.__members__:
            raise ValueError(f"{text!r} is no token; the kinds are {', '.join(Kind.__members__)}")
        try:
            numbers = [int(arg, 0) for arg in args[1:-1].split(",")] if args else []
        except ValueError:
            raise ValueError(f"{text!r}: the arguments are not numbers") from None
        return self.id(Kind[name], *numbers)

    def _digits(self, word: int) -> tuple[int, ...]:
        """Payload digits of a 32-bit word, most significant first: the fewest that sign-extend to it."""
        bits = self.payload_bits
        value = word - (1 << WORD_BITS) if word >> (WORD_BITS - 1) else word
        count = 1
        while not -(1 << (count * bits - 1)) <= value < 1 << (count * bits - 1):
            count += 1
        digit = (1 << bits) - 1
        return tuple(value >> (bits * place) & digit for place in reversed(range(count)))

    def word(self, digits: Iterable[int]) -> int:
        """The 32-bit word of payload digits, most significant first; of too many, the last ones count."""
        bits = self.payload_bits
        taken = list(digits)[-self.spec.digits :]
        value = 0
        for digit in taken:
            value = value << bits | digit
        width = bits * len(taken)
        if value >> (width - 1):
            value -= 1 << width
        return value & ((1 << WORD_BITS) - 1)

    def value(self, word: int, kind: Kind, *args: int) -> list[int]:
        """Ids that write a word: BYTE tokens, then ``kind(*args, last digit)``."""
        *leading, last = self.digits(word)
        base = self.base[Kind.BYTE]
        return [base + digit for digit in leading] + [self.id(kind, *args, last)]


@lru_cache(maxsize=32)
def vocabulary(spec: Spec) -> Vocabulary:
    """The vocabulary of a spec, made once."""
    return Vocabulary(spec)


def kind_sizes(spec: Spec) -> dict[Kind, int]:
    """Number of ids of each kind."""
    starts = [*vocabulary(spec).base.items(), (Kind.HALT, vocabulary(spec).size)]
    return {kind: after - at for (kind, at), (_, after) in itertools.pairwise(starts)}
