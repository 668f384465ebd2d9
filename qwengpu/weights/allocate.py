"""Pass 2, allocate: a channel of the residual stream for every wire, used again when its wire is done.

A channel becomes free in an MLP: one hidden unit writes the negative of the old wire, so the channel is
zero afterwards, and a wire that the same MLP computes can already be written to it.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from qwengpu.weights.errors import CompileError, PassError
from qwengpu.weights.schedule import Schedule
from qwengpu.weights.shape import Target

HIDDEN_MULTIPLE = 64


@dataclass(frozen=True)
class Erase:
    """In the MLP of step ``step``, the channel of ``wire`` becomes zero."""

    step: int
    wire: int


@dataclass(frozen=True)
class Allocation:
    """``channels[wire]`` by signal index; ``one`` holds 1, ``norm`` the constants that fix RMSNorm's scale.

    ``squares``: (channel, factor) with the sum of factor**2 equal to ``hidden``.
    """

    schedule: Schedule
    hidden: int
    one: int
    squares: tuple[tuple[int, int], ...]
    channels: Mapping[int, int]
    erases: tuple[Erase, ...]

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def _lines(allocation: Allocation) -> Iterator[str]:
    used = len(set(allocation.channels.values())) + 1 + len(allocation.squares)
    yield f"allocation: {used} of {allocation.hidden} channels, {len(allocation.erases)} erased"
    yield f"constants: one in {allocation.one}, norm {dict(allocation.squares)}"
    signals, schedule = allocation.schedule.netlist.signals, allocation.schedule
    for wire in sorted(allocation.channels, key=lambda w: (schedule.wire_steps[w], allocation.channels[w])):
        first, last = schedule.wire_steps[wire], schedule.last_uses[wire]
        yield f"channel {allocation.channels[wire]}: {signals[wire].name} steps {first}..{last}"


def free_step(schedule: Schedule, wire: int) -> int | None:
    """The MLP step that can erase the wire: the first at or after its last use; None at the end."""
    first, last = schedule.wire_steps[wire], schedule.last_uses[wire]
    if last >= schedule.end:
        return None
    step = max(last, first + 1)
    return step + step % 2


def mean_is_exact(hidden: int) -> bool:
    """Whether RMSNorm's mean of ``hidden`` ones is 1 however it is taken.

    Some devices multiply by the rounded reciprocal instead of dividing. 2624 is the least multiple of 64
    that fails.
    """
    import numpy  # noqa: PLC0415 - only the compiler's users need it

    size = numpy.float32(hidden)
    return bool((numpy.float32(1) / size) * size == 1)


def squares_of(number: int) -> tuple[int, ...]:
    """The fewest squares (at most four, by Lagrange) whose sum is ``number``, largest first."""
    for count in range(1, 5):
        found = _squares(number, count, int(number**0.5) + 1)
        if found is not None:
            return found
    raise PassError(f"{number} is no sum of four squares")


def _squares(number: int, count: int, limit: int) -> tuple[int, ...] | None:
    if count == 0:
        return () if number == 0 else None
    for root in range(min(limit, int(number**0.5) + 1), 0, -1):
        if root * root <= number:
            rest = _squares(number - root * root, count - 1, root)
            if rest is not None:
                return (root, *rest)
    return None


def allocate(schedule: Schedule, target: Target) -> Allocation:
    """Channels for all live wires.

    Raises CompileError if more wires are needed at once than the target's hidden size has channels.
    """
    peak = _peak(schedule)
    hidden = target.hidden
    if hidden is None:
        hidden = -(-(peak + 5) // HIDDEN_MULTIPLE) * HIDDEN_MULTIPLE
        while not mean_is_exact(hidden):
            hidden += HIDDEN_MULTIPLE
    elif not mean_is_exact(hidden):
        raise CompileError(
            f"hidden size {hidden}: a mean taken as sum times 1/{hidden} is not exact in float32"
        )
    roots = squares_of(hidden)
    data = hidden - 1 - len(roots)
    if peak > data:
        raise CompileError(
            f"{schedule.netlist.name} needs {peak} channels at once, {target.name} has {data} of {hidden}"
        )
    channels, erases = _scan(schedule, data)
    squares = tuple((data + 1 + place, root) for place, root in enumerate(roots))
    allocation = Allocation(schedule, hidden, data, squares, channels, tuple(erases))
    check_allocation(allocation)
    return allocation


def _peak(schedule: Schedule) -> int:
    """The most channels that are in use at once."""
    changes: dict[int, int] = {}
    for wire, step in schedule.wire_steps.items():
        changes[step] = changes.get(step, 0) + 1
        free = free_step(schedule, wire)
        if free is not None:
            changes[free] = changes.get(free, 0) - 1
    peak = now = 0
    for step in sorted(changes):
        now += changes[step]
        peak = max(peak, now)
    return peak


def _scan(schedule: Schedule, data: int) -> tuple[dict[int, int], list[Erase]]:
    """Linear scan: a channel never used before while there is one, then the one that was freed first."""
    channels: dict[int, int] = {}
    erases: list[Erase] = []
    freed: list[tuple[int, int, int]] = []  # (step, channel, wire)
    fresh = 0
    for wire, step in sorted(schedule.wire_steps.items(), key=lambda item: (item[1], item[0])):
        if fresh < data:
            channel = fresh
            fresh += 1
        else:
            when, channel, old = heapq.heappop(freed)
            if when > step:
                raise PassError(f"no channel is free at step {step}")
            erases.append(Erase(when, old))
        channels[wire] = channel
        free = free_step(schedule, wire)
        if free is not None:
            heapq.heappush(freed, (free, channel, wire))
    return channels, sorted(erases, key=lambda erase: (erase.step, erase.wire))


def check_allocation(allocation: Allocation) -> None:
    """Raises PassError unless wires in one channel are apart, and erased in between, once each."""
    schedule = allocation.schedule
    signals = schedule.netlist.signals
    constants = {allocation.one, *(channel for channel, _ in allocation.squares)}
    if sum(root * root for _, root in allocation.squares) != allocation.hidden:
        raise PassError(f"the norm's squares {allocation.squares} do not add up to {allocation.hidden}")
    erased = {erase.wire: erase.step for erase in allocation.erases}
    if len(erased) != len(allocation.erases):
        raise PassError("a wire is erased twice")
    owners: dict[int, list[int]] = {}
    for wire in sorted(schedule.wire_steps, key=lambda w: schedule.wire_steps[w]):
        if wire not in allocation.channels:
            raise PassError(f"{signals[wire].name} has no channel")
        channel = allocation.channels[wire]
        if channel in constants or not 0 <= channel < allocation.hidden:
            raise PassError(f"{signals[wire].name} is in channel {channel}, which is a constant's or none")
        owners.setdefault(channel, []).append(wire)
    for channel, wires in owners.items():
        for old, new in itertools.pairwise(wires):
            step = erased.get(old)
            if step is None or step % 2 or step < schedule.last_uses[old] or step > schedule.wire_steps[new]:
                raise PassError(
                    f"channel {channel}: {signals[old].name} (read until step {schedule.last_uses[old]}, "
                    f"erased at {step}) and {signals[new].name} (from step {schedule.wire_steps[new]}) overlap"
                )
        if wires[-1] in erased and schedule.last_uses[wires[-1]] > erased[wires[-1]]:
            raise PassError(f"channel {channel}: {signals[wires[-1]].name} is erased before its last use")
