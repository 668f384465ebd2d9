"""Byte-addressed memory: segments with bounds, and the spaces that instructions address.

Generic addresses (PTX ISA, "Generic Addressing"): global and constant memory at the addresses they have
in their own spaces, shared and local memory in windows below. Module variables follow the buffers in global
memory, constant ones too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from oracles.api import GLOBAL_BASE, Buffer, FaultKind, Launch
from oracles.ptx.errors import KernelFault
from oracles.ptx.reader.syntax import Variable

SHARED_WINDOW = 0x0100_0000
LOCAL_WINDOW = 0x0200_0000
WINDOW = 0x0100_0000
"""Size of the shared and local windows in bytes."""

M64 = (1 << 64) - 1
_EMPTY = (1, 0)


class Store:
    """Zeroed bytes with views as little-endian elements of 1, 2, 4 and 8 bytes; ``base`` is 8-aligned."""

    def __init__(self, base: int, size: int) -> None:
        self.base = base
        self.data = bytearray(-(-size // 8) * 8)
        whole = memoryview(self.data)
        self.views: tuple[memoryview[int], ...] = (
            whole.cast("B"),
            whole.cast("H"),
            whole.cast("I"),
            whole.cast("Q"),
        )

    def write(self, address: int, data: bytes) -> None:
        """Put bytes at an address."""
        self.data[address - self.base : address - self.base + len(data)] = data

    def read(self, address: int, size: int) -> bytes:
        """Bytes from an address."""
        return bytes(self.data[address - self.base : address - self.base + size])


@dataclass(frozen=True)
class Segment:
    """Addresses ``low`` to ``high`` (not included) of one variable, buffer or block's shared memory."""

    low: int
    high: int
    store: Store
    name: str
    space: str
    writable: bool = True


class Span(NamedTuple):
    """What a lookup gives: addresses low..last may be accessed at this size, through ``views[k]`` at index
    ``(address - base) >> k`` for elements of 2**k bytes."""

    low: int
    last: int
    views: tuple[memoryview[int], ...]
    base: int


class Space(Protocol):
    """Something that loads and stores can address. ``recent[k]`` is the last span for 2**k bytes."""

    recent: list[Span]

    def locate(self, address: int, size: int, lane: int, write: bool) -> Span:
        """The span for an access; raises KernelFault if there is none."""
        ...


def _nowhere() -> list[Span]:
    return [Span(*_EMPTY, (memoryview(b""),) * 4, 0) for _ in range(6)]


@dataclass(eq=False)
class Segments:
    """A space made of segments, the same for all lanes."""

    segments: Sequence[Segment]
    name: str
    read_only: bool = False
    recent: list[Span] = field(default_factory=_nowhere)

    def locate(self, address: int, size: int, lane: int, write: bool) -> Span:
        """The span of the segment that holds all bytes of an access."""
        address &= M64
        for segment in self.segments:
            if segment.low <= address and address + size <= segment.high:
                if write and not segment.writable:
                    raise KernelFault(
                        FaultKind.OUT_OF_RANGE, f"{segment.name} is constant", lane=lane, address=address
                    )
                # A store must not find a constant segment's span that a load has left.
                keep = segment.writable or self.read_only
                return _span(segment, address, size, lane, self.recent if keep else None)
        raise outside(self.segments, self.name, address, size, lane)


def _span(segment: Segment, address: int, size: int, lane: int, recent: list[Span] | None) -> Span:
    if address % size:
        raise KernelFault(
            FaultKind.MISALIGNED,
            f"address 0x{address:x} in {segment.name} is no multiple of {size}",
            lane=lane,
            address=address,
        )
    span = Span(segment.low, segment.high - size, segment.store.views, segment.store.base)
    if recent is None:
        return span._replace(low=_EMPTY[0], last=_EMPTY[1])
    recent[size.bit_length() - 1] = span
    return span


def outside(segments: Sequence[Segment], space: str, address: int, size: int, lane: int) -> KernelFault:
    """The fault for an access that no segment holds; it says which one is probably meant."""
    what = f"{size} bytes at 0x{address:x}" if size > 1 else f"the byte at 0x{address:x}"
    near = min(segments, key=lambda s: _distance(s, address, size), default=None)
    if near is None:
        message = f"{what}: there is no {space} memory"
    elif address < near.low:
        message = f"{what}, {near.low - address} bytes before the start of {near.name}"
    elif address >= near.high:
        past = address - near.high
        message = f"{what}, {past} bytes past the end of {near.name} ({near.high - near.low} bytes)"
    else:
        message = f"{what} cross the end of {near.name} ({near.high - near.low} bytes)"
    return KernelFault(FaultKind.OUT_OF_RANGE, message, lane=lane, address=address)


def _distance(segment: Segment, address: int, size: int) -> int:
    return max(segment.low - address, address + size - segment.high, 0)


@dataclass(eq=False)
class LocalSpace:
    """Local memory: one segment a lane, addresses from 0."""

    segments: list[Segment]
    recent: list[Span] = field(default_factory=_nowhere)

    def locate(self, address: int, size: int, lane: int, write: bool) -> Span:
        """The span of one access only: the next lane has memory of its own."""
        address &= M64
        segment = self.segments[lane] if lane < len(self.segments) else None
        if segment is None or address + size > segment.high:
            raise outside([segment] if segment else [], "local", address, size, lane)
        return _span(segment, address, size, lane, None)


@dataclass(eq=False)
class GenericSpace:
    """Generic addresses of one warp."""

    everywhere: Segments
    shared: Segments
    local: LocalSpace
    recent: list[Span] = field(default_factory=_nowhere)

    def locate(self, address: int, size: int, lane: int, write: bool) -> Span:
        """Look in the window that the address lies in."""
        address &= M64
        space, offset = split_generic(address)
        if space == "shared":
            span = self.shared.locate(offset, size, lane, write)
        elif space == "local":
            span = self.local.locate(offset, size, lane, write)
        else:
            span = self.everywhere.locate(address, size, lane, write)
            if span.last:
                self.recent[size.bit_length() - 1] = span
            return span
        moved = address - offset
        if space == "local":
            return span._replace(base=span.base + moved)
        span = Span(span.low + moved, span.last + moved, span.views, span.base + moved)
        self.recent[size.bit_length() - 1] = span
        return span


def split_generic(address: int) -> tuple[str, int]:
    """(space, address in that space) of a generic address."""
    if SHARED_WINDOW <= address < SHARED_WINDOW + WINDOW:
        return "shared", address - SHARED_WINDOW
    if LOCAL_WINDOW <= address < LOCAL_WINDOW + WINDOW:
        return "local", address - LOCAL_WINDOW
    return "global", address


@dataclass(frozen=True)
class Global:
    """Global memory of a launch: the buffers, then the module's variables in order of declaration, each at
    a multiple of its alignment and of 4."""

    store: Store
    buffers: list[Segment]
    variables: list[Segment]
    addresses: dict[Variable, int]


def global_memory(launch: Launch, module: Sequence[Variable]) -> Global:
    """Global memory with its initial values."""
    end = GLOBAL_BASE + launch.global_bytes()
    addresses: dict[Variable, int] = {}
    for variable in module:
        align = max(variable.align, 4)
        addresses[variable] = -(-end // align) * align
        end = addresses[variable] + variable.size
    store = Store(GLOBAL_BASE, end - GLOBAL_BASE)
    buffers = []
    for index, (arg, address) in enumerate(zip(launch.args, launch.addresses(), strict=True)):
        if isinstance(arg, Buffer) and address is not None:
            store.write(address, arg.to_bytes())
            buffers.append(
                Segment(address, address + arg.nbytes, store, f"argument {index}'s buffer", "global")
            )
    variables = []
    for variable, at in addresses.items():
        store.write(at, variable.data or b"")
        for offset, size, target, addend, _ in variable.pointers:
            value = addresses[target] + addend & (1 << 8 * size) - 1
            store.write(at + offset, value.to_bytes(size, "little"))
        space = variable.space
        name = f"variable {variable.name}"
        variables.append(Segment(at, at + variable.size, store, name, space, writable=space == "global"))
    return Global(store, buffers, variables, addresses)
