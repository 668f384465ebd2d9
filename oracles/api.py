"""What every way of running a kernel agrees on: Module, Launch, Result, Event, the Oracle protocol.

An *oracle* (or *leg*) takes a PTX module and a launch and says what happened. This module is the
whole contract: a PTX implementation in another package needs nothing else of this project. It uses
only the standard library.

Conventions shared by all legs
------------------------------
* Threads are numbered over the grid: ``thread = block_linear * threads_per_block + tid_linear`` with
  x running fastest (CUDA C++ programming guide, "Thread Hierarchy").
* A PTX instruction is named by its ordinal in the module's text: every statement with an opcode
  counts, from 0, in textual order over the whole file, ``.func`` bodies included; labels and
  directives (anything that starts with a dot, scoped ``.reg`` too) do not count.
* Register and memory values are unsigned integers of the destination's width; predicates are 0 or 1.
* Device addresses are given by :meth:`Launch.addresses`, so pointers are comparable between legs.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

API_VERSION = 1

GLOBAL_BASE = 0x4000_0000
"""Byte address of the first global buffer in every leg that lets us choose."""

Dim3 = tuple[int, int, int]

GRID_LIMITS = (2**31 - 1, 65535, 65535)
"""CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"."""

MAX_ALIGN = 4096
"""Largest alignment of a buffer in bytes: memory is laid out for real."""


# --------------------------------------------------------------------------------------------------
# What is run


@dataclass(frozen=True)
class Module:
    """PTX text and where it came from.

    ``source`` is the CUDA C++ text, or None for a hand-written PTX file. ``compiler`` names product
    and version (``clang-22.1.8``, ``nvrtc-13.0``, ``ptx`` for a file taken as it is).
    """

    ptx: str
    name: str
    compiler: str = "ptx"
    source: str | None = None


class DType(NamedTuple):
    """An integer element type: size in bytes and signedness."""

    name: str
    size: int
    signed: bool


DTYPES: dict[str, DType] = {
    f"{prefix}int{bits}": DType(f"{prefix}int{bits}", bits // 8, not prefix)
    for prefix in ("", "u")
    for bits in (8, 16, 32, 64)
}
"""The element types of buffers."""

SCALARS: dict[str, DType] = {
    f"{kind}{bits}": DType(f"{kind}{bits}", bits // 8, kind == "i") for kind in "iu" for bits in (8, 16, 32, 64)
}
"""The types of scalar arguments: i8 ... u64."""


def in_range(dtype: DType, value: int) -> bool:
    """True if ``value`` is representable in ``dtype``."""
    bits = dtype.size * 8
    low = -(1 << (bits - 1)) if dtype.signed else 0
    return low <= value < low + (1 << bits)


@dataclass(frozen=True)
class Buffer:
    """A global-memory argument, passed as a 64-bit pointer.

    ``data`` are the initial elements in ``dtype``'s own range. ``align`` is the byte alignment of the
    buffer's address; 0 means the natural one, max(4, element size).
    """

    dtype: str
    data: tuple[int, ...]
    align: int = 0

    def __post_init__(self) -> None:
        if self.dtype not in DTYPES:
            raise ValueError(f"buffer dtype {self.dtype!r} is not one of {', '.join(DTYPES)}")
        kind = DTYPES[self.dtype]
        for index, value in enumerate(self.data):
            if not in_range(kind, value):
                raise ValueError(f"element {index} = {value} does not fit {self.dtype}")
        if self.align < 0 or self.align & (self.align - 1):
            raise ValueError(f"buffer alignment {self.align} is not a power of two")
        if self.align > MAX_ALIGN:
            raise ValueError(f"buffer alignment {self.align} is above {MAX_ALIGN}")

    @property
    def nbytes(self) -> int:
        """Size in bytes."""
        return len(self.data) * DTYPES[self.dtype].size

    def to_bytes(self) -> bytes:
        """Little-endian bytes, as in device memory."""
        kind = DTYPES[self.dtype]
        return b"".join(v.to_bytes(kind.size, "little", signed=kind.signed) for v in self.data)

    def from_bytes(self, raw: bytes) -> tuple[int, ...]:
        """Elements of ``dtype`` out of little-endian bytes (the inverse of :meth:`to_bytes`)."""
        kind = DTYPES[self.dtype]
        return tuple(
            int.from_bytes(raw[at : at + kind.size], "little", signed=kind.signed)
            for at in range(0, len(raw), kind.size)
        )


@dataclass(frozen=True)
class Scalar:
    """A scalar argument; ``kind`` is i8 ... u64 and ``value`` lies in its range."""

    kind: str
    value: int

    def __post_init__(self) -> None:
        if self.kind not in SCALARS:
            raise ValueError(f"scalar kind {self.kind!r} is not one of {', '.join(SCALARS)}")
        if not in_range(SCALARS[self.kind], self.value):
            raise ValueError(f"{self.value} does not fit {self.kind}")

    def to_bytes(self) -> bytes:
        """Little-endian bytes, as in parameter space."""
        kind = SCALARS[self.kind]
        return self.value.to_bytes(kind.size, "little", signed=kind.signed)


Argument = Buffer | Scalar


@dataclass(frozen=True)
class Launch:
    """One kernel launch: which entry, how many blocks and threads, with which arguments.

    ``shared_bytes`` is the dynamic shared memory of a block, on top of what the kernel declares.
    """

    kernel: str
    grid: Dim3
    block: Dim3
    args: tuple[Argument, ...] = ()
    shared_bytes: int = 0

    def __post_init__(self) -> None:
        for what, dims in (("grid", self.grid), ("block", self.block)):
            if len(dims) != 3 or any(d < 1 for d in dims):
                raise ValueError(f"{what} {dims} is not three positive numbers")
        for axis, limit, size in zip("xyz", GRID_LIMITS, self.grid, strict=True):
            if size > limit:
                raise ValueError(f"grid.{axis} = {size} is above CUDA's limit of {limit}")
        if self.shared_bytes < 0:
            raise ValueError("shared_bytes is negative")

    @property
    def threads_per_block(self) -> int:
        """Threads in one block."""
        return self.block[0] * self.block[1] * self.block[2]

    @property
    def blocks(self) -> int:
        """Blocks in the grid."""
        return self.grid[0] * self.grid[1] * self.grid[2]

    def addresses(self) -> tuple[int | None, ...]:
        """Byte address of each buffer argument (None for scalars).

        Buffers follow each other from GLOBAL_BASE in argument order, each at a multiple of its
        alignment. There is no gap otherwise: the machine's memory is small.
        """
        at = GLOBAL_BASE
        out: list[int | None] = []
        for arg in self.args:
            if isinstance(arg, Buffer):
                align = max(arg.align, 4, DTYPES[arg.dtype].size)
                at = -(-at // align) * align
                out.append(at)
                at += arg.nbytes
            else:
                out.append(None)
        return tuple(out)

    def global_bytes(self) -> int:
        """Bytes from GLOBAL_BASE to the end of the last buffer, rounded up to whole words."""
        end = GLOBAL_BASE
        for arg, address in zip(self.args, self.addresses(), strict=True):
            if isinstance(arg, Buffer) and address is not None:
                end = max(end, address + arg.nbytes)
        return -(-(end - GLOBAL_BASE) // 4) * 4

    def where(self, thread: int) -> tuple[Dim3, Dim3]:
        """(blockIdx, threadIdx) of a grid-wide thread number."""
        block, tid = divmod(thread, self.threads_per_block)
        return _unravel(block, self.grid), _unravel(tid, self.block)


def _unravel(linear: int, dims: Dim3) -> Dim3:
    x, y = dims[0], dims[1]
    return linear % x, linear // x % y, linear // (x * y)


# --------------------------------------------------------------------------------------------------
# What happened


class EventKind(enum.IntEnum):
    """The event vocabulary of every leg and of the differ."""

    REGISTER = 0
    STORE = 1
    ATOMIC = 2
    BRANCH = 3
    BARRIER = 4


class Event(NamedTuple):
    """One thing a thread did. Legs may append plain tuples of the same shape (it is faster).

    ======== =================== ======================== =====================================
    kind     name                value                    address
    ======== =================== ======================== =====================================
    REGISTER destination (%r3)   value written            0
    STORE    ``global:4``        value stored             byte address (shared: offset in block)
    ATOMIC   ``global:add:4``    value left in memory     as STORE
    BRANCH   ``bra``, ``ret``    1 taken, 0 not           0   (guarded ones only; exit is ``ret``)
    BRANCH   ``bra``             index (guard false: 0)   0   (brx.idx)
    BARRIER  ``bar``             barrier number           0
    ======== =================== ======================== =====================================

    ``thread`` is grid-wide; ``instr`` is the PTX instruction's ordinal (module docstring). The order
    of a thread's events is its program order; between threads there is no order.
    An instruction whose guard is false does nothing and has no event, except BRANCH with value 0.
    Local memory is private to a thread: its stores are no events.
    ATOMIC stands for ``atom`` and ``red``; its old value is the REGISTER event of its destination.
    A vector store gives one STORE event an element, in ascending address order.
    """

    kind: int
    thread: int
    instr: int
    name: str
    value: int
    address: int = 0


class Status(enum.Enum):
    """How one leg's run of one launch ended."""

    OK = "ok"
    FAULT = "fault"
    TIMEOUT = "timeout"
    UNSUPPORTED = "unsupported"
    BAD_INPUT = "bad_input"
    GUARD_TRIPPED = "guard_tripped"
    DEVICE_LOST = "device_lost"
    HARNESS_ERROR = "harness_error"


class FaultKind(enum.Enum):
    """What a fault is."""

    ILLEGAL = "illegal"  # an illegal instruction or machine block
    OUT_OF_RANGE = "out_of_range"  # an address outside every buffer, or outside shared memory
    MISALIGNED = "misaligned"
    BARRIER = "barrier"  # a barrier that can never be satisfied, or reached divergently
    CONVERGENCE = "convergence"  # a warp-synchronous operation without the lanes its mask names
    TRAP = "trap"


@dataclass(frozen=True)
class Fault:
    """A fault with its place. ``threads`` are grid-wide; ``instr`` is a PTX ordinal where known."""

    kind: FaultKind
    message: str
    threads: tuple[int, ...] = ()
    instr: int | None = None
    address: int | None = None


class FindingKind(enum.Enum):
    """Why a launch is not a valid test: the program itself is undefined."""

    UNINITIALISED = "uninitialised"  # a register or shared word was read before it was written
    RACE = "race"
    DIVERGENT_BARRIER = "divergent_barrier"
    UNSPECIFIED = "unspecified"  # PTX leaves the value open (division by zero, ...)


@dataclass(frozen=True)
class Finding:
    """One definedness finding, as one line of text with thread and PTX line."""

    kind: FindingKind
    message: str
    threads: tuple[int, ...] = ()
    instr: int | None = None


@dataclass
class Result:
    """What one leg says about one launch.

    ``buffers[i]`` are the final elements of argument i if it is a buffer, else None; empty if the leg
    did not get that far. ``reason`` is one line for every status but OK. ``events`` is None when the
    leg was not asked for them or cannot report them. ``definitions`` says, for the destination of
    each PTX instruction the leg cannot report, why (``{(instr, register): reason}``); a leg that runs
    PTX itself leaves it empty. ``executed`` counts thread-instructions in the leg's own unit; an OK
    result with 0 executed is treated as an error by the suite.
    """

    status: Status
    buffers: tuple[tuple[int, ...] | None, ...] = ()
    reason: str = ""
    fault: Fault | None = None
    findings: tuple[Finding, ...] = ()
    events: list[Event] | None = None
    definitions: dict[tuple[int, str], str] = field(default_factory=dict)
    tokens: tuple[int, ...] | None = None
    executed: int = 0
    seconds: float = 0.0
    notes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Options:
    """How to run. ``step_limit`` bounds executed instructions of any one thread (a machine leg: EXECs
    of any one warp); ``wall_limit_s`` bounds the wall clock of legs that run foreign code.

    ``schedule`` is None for the leg's own deterministic order, else the seed of a reshuffled one
    (order of warps, of lanes in stores and atomics). ``warp_size`` is only for legs that can choose.
    ``check`` asks for definedness findings, ``events`` for the event list.
    """

    step_limit: int = 1_000_000
    wall_limit_s: float = 20.0
    events: bool = False
    check: bool = True
    schedule: int | None = None
    warp_size: int | None = None
    spec: str = "seed"


class Report(enum.Enum):
    """What a leg can report; a leg declares a set of these."""

    MEMORY = "memory"
    FAULTS = "faults"
    REGISTERS = "registers"
    TRACE = "trace"
    TOKENS = "tokens"
    DEFINEDNESS = "definedness"


@runtime_checkable
class Oracle(Protocol):
    """One way of running a kernel, found through the entry-point group ``conformance.oracles``.

    The entry point names a callable without arguments that returns an Oracle. ``run`` never raises
    for what a kernel does or is: bad input, faults and unsupported instructions come back as a
    Result. An exception out of ``run`` is a HARNESS_ERROR.
    """

    name: str
    reports: frozenset[Report]

    def product(self, options: Options) -> str:
        """Product id, ``implementation@device-driver-toolchain`` (docs/results.md)."""
        ...

    def available(self) -> str | None:
        """None if the leg can run here, else one line: what is missing and the remedy."""
        ...

    def run(self, module: Module, launch: Launch, options: Options) -> Result:
        """Run one launch to its end."""
        ...


def kernel_missing(wanted: str, names: Sequence[str]) -> str:
    """The one-line error for an entry that a module does not have."""
    there = ", ".join(names) if names else "none"
    return f"no kernel {wanted!r}; the module has: {there}"
