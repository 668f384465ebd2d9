"""The bytes exchanged with a native program; runtime/wire.h is the other end."""

from __future__ import annotations

import enum
import struct
from dataclasses import dataclass

from oracles.api import SCALARS, Buffer, Launch, Options

REQUEST_MAGIC = 0x31514E51
REPLY_MAGIC = 0x31524E51
MAX_ARGUMENTS = 64
MAX_THREADS = 1024
WARP_SIZE = 32
LARGEST_ACCESS = 16

REQUEST = struct.Struct("<12I2Q")
ARGUMENT = struct.Struct("<2I2Q")
REPLY = struct.Struct("<2I2q6Q")
MASK64 = (1 << 64) - 1


class Outcome(enum.IntEnum):
    """How a program ended, in the order of runtime/wire.h."""

    OK = 0
    BAD_REQUEST = 1
    NO_MEMORY = 2
    ARGUMENT_COUNT = 3
    ARGUMENT_KIND = 4
    ARGUMENT_SIZE = 5
    UNSUPPORTED_PARAMETER = 6
    BAD_ADDRESS = 7
    OVERWRITTEN = 8
    SHARED_ADDRESS = 9
    SHARED_OVERWRITTEN = 10
    SHARED_EXHAUSTED = 11
    STACK_OVERFLOW = 12
    MISALIGNED = 13
    TRAP = 14
    CONVERGENCE = 15
    NOT_IN_MASK = 16
    STUCK_BARRIER = 17
    TIMEOUT = 18
    SIGNAL = 19


@dataclass(frozen=True)
class Reply:
    """What a program says about its run; ``thread`` is None where no thread is to blame."""

    outcome: Outcome
    argument: int
    offset: int
    detail: int
    expected: int
    thread: int | None
    executed: int
    divisions: int
    buffers: tuple[tuple[int, ...] | None, ...]


def encode_request(launch: Launch, options: Options) -> bytes:
    """The launch as a program reads it. Scalars are extended to 64 bits as their kind says."""
    shuffled = options.schedule is not None
    head = REQUEST.pack(
        REQUEST_MAGIC,
        options.warp_size or WARP_SIZE,
        *launch.grid,
        *launch.block,
        launch.shared_bytes,
        len(launch.args),
        shuffled,
        0,
        (options.schedule or 0) & MASK64,
        max(1, round(options.wall_limit_s * 1000)),
    )
    table, data = [], []
    for argument, address in zip(launch.args, launch.addresses(), strict=True):
        if isinstance(argument, Buffer):
            # Pointers are real ones; only their alignment is the launch's.
            align = max(argument.align, LARGEST_ACCESS)
            table.append(ARGUMENT.pack(0, align, argument.nbytes, address or 0))
            data.append(argument.to_bytes())
        else:
            size = SCALARS[argument.kind].size
            table.append(ARGUMENT.pack(1, 0, size, argument.value & MASK64))
    return b"".join((head, *table, *data))


def decode_reply(raw: bytes, launch: Launch) -> Reply | None:
    """The reply, or None if ``raw`` is not a whole one."""
    if len(raw) < REPLY.size:
        return None
    magic, code, argument, offset, detail, expected, thread, executed, divisions, _ = REPLY.unpack_from(raw)
    if magic != REPLY_MAGIC or code not in set(Outcome):
        return None
    outcome = Outcome(code)
    buffers: tuple[tuple[int, ...] | None, ...] = ()
    if outcome is Outcome.OK:
        wanted = sum(a.nbytes for a in launch.args if isinstance(a, Buffer))
        if len(raw) != REPLY.size + wanted:
            return None
        at = REPLY.size
        found: list[tuple[int, ...] | None] = []
        for item in launch.args:
            if isinstance(item, Buffer):
                found.append(item.from_bytes(raw[at : at + item.nbytes]))
                at += item.nbytes
            else:
                found.append(None)
        buffers = tuple(found)
    who = None if thread == MASK64 else thread
    return Reply(outcome, argument, offset, detail, expected, who, executed, divisions, buffers)
