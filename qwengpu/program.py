"""A lowered kernel: blocks, parameter layout, and the map from PTX definitions to machine values."""

from __future__ import annotations

from dataclasses import dataclass, field

from qwengpu.isa import Block
from qwengpu.spec import Spec


@dataclass(frozen=True)
class Param:
    """A kernel parameter: ``size`` bytes, in ``words`` constant rows from ``row`` on, little-endian.

    A pointer or a 64-bit scalar takes two rows (low word first); narrower scalars take one,
    zero-extended. ``pointer`` is None if PTX does not tell.
    """

    name: str
    size: int
    row: int
    words: int
    pointer: bool | None = None


@dataclass(frozen=True)
class Symbol:
    """A module-scope .global or .const variable: its initial bytes, placed behind the launch's buffers at a
    multiple of ``align``; the loader writes its byte address to constant row ``row``."""

    name: str
    data: bytes
    align: int
    row: int


@dataclass(frozen=True)
class BusValue:
    """A 32-bit value of an executed block: a bus index, or a literal."""

    bus: int | None = None
    literal: int = 0


@dataclass(frozen=True)
class RegisterEntry:
    """PTX instruction ``instr`` defines ``register``: its value is the words ``parts`` (low first) cut to
    ``bits`` bits. If ``guard`` is given the definition happened in lanes where its bit 0 equals
    ``guard_sense``."""

    instr: int
    register: str
    bits: int
    parts: tuple[BusValue, ...]
    guard: BusValue | None = None
    guard_sense: bool = True


@dataclass(frozen=True)
class StoreEntry:
    """The block's store realises (part of) PTX instruction ``instr``.

    ``name`` is the event's (``global:4``, ``shared:add:4``); ``size`` and ``value`` describe the PTX-level
    access; its address is the store's effective address. A 64-bit store is two entries in two blocks with
    ``part`` 0 and 1 of ``parts`` (low word first); they make one event.
    """

    instr: int
    name: str
    size: int
    value: BusValue
    part: int = 0
    parts: int = 1


@dataclass(frozen=True)
class BranchEntry:
    """The block's BRANCH realises PTX instruction ``instr``; the event's value is 1 where condition bit 0
    equals ``sense``. ``name`` is ``bra`` or ``ret``. For a jump table, ``index`` is the operand reported.
    A guarded instruction that is lowered as a branch around it is no branch event and has no entry."""

    instr: int
    name: str
    sense: bool = True
    index: BusValue | None = None


@dataclass(frozen=True)
class BarrierEntry:
    """The block's BARRIER realises PTX instruction ``instr``."""

    instr: int
    number: int = 0


MapEntry = RegisterEntry | StoreEntry | BranchEntry | BarrierEntry


@dataclass(frozen=True)
class BlockMap:
    """What one ROM block realises of the PTX, in program order, and the source lines it comes from.

    ``slots`` has for each slot the ordinal of the PTX instruction that its operation belongs to, ``end`` is
    that of the block's end; None: no operation, or none of PTX's. They name what faulted; the store's is in
    its `StoreEntry`.
    """

    entries: tuple[MapEntry, ...] = ()
    ptx_lines: tuple[int, ...] = ()
    cuda_lines: tuple[int, ...] = ()
    slots: tuple[int | None, ...] = ()
    end: int | None = None


@dataclass(frozen=True)
class SizeReport:
    """What the kernel needs of the machine (to be set beside the spec's numbers)."""

    blocks: int
    registers: int
    param_words: int
    shared_bytes: int
    symbol_bytes: int
    ptx_instructions: int
    machine_operations: int


@dataclass(frozen=True)
class Program:
    """A kernel lowered for ``spec``. ``maps`` has one entry a block. ``unmapped`` gives, for each PTX
    definition ``(instr, register)`` that no entry realises, ``folded: why`` or ``fused: why``."""

    spec: Spec
    kernel: str
    blocks: tuple[Block, ...]
    params: tuple[Param, ...]
    maps: tuple[BlockMap, ...]
    report: SizeReport
    shared_bytes: int = 0
    symbols: tuple[Symbol, ...] = ()
    unmapped: dict[tuple[int, str], str] = field(default_factory=dict)


class Refusal(Exception):
    """The kernel cannot be lowered exactly. ``str()`` is one line: instruction, place, reason, remedy.

    ``kind`` is ``unsupported`` (an instruction or construct) or ``size`` (blocks, registers, words,
    parameters: needed and available are in the text).
    """

    def __init__(self, message: str, *, kind: str = "unsupported", instr: int | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.instr = instr
