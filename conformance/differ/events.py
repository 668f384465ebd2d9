"""Compares the events of two legs: register writes by key, everything else in program order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.differ.difference import Difference
from conformance.differ.ptxlines import PtxLines
from oracles.api import Event, EventKind, Launch, Result

ORDER_DEPENDENT = "order dependent"
UNSPECIFIED = "unspecified"

Key = tuple[int, int, str]  # thread, instr, register or event name
Place = tuple[int, str]  # instr, register or event name


@dataclass(frozen=True)
class Exclusions:
    """What is not compared: places whose values vary with the order of threads, and threads that
    met something that PTX leaves open (None: every thread)."""

    order_dependent: frozenset[Place] = frozenset()
    unspecified_threads: frozenset[int] | None = frozenset()

    def reason(self, thread: int, place: Place) -> str | None:
        """Why an event is left out, or None."""
        if self.unspecified_threads is None or thread in self.unspecified_threads:
            return UNSPECIFIED
        return ORDER_DEPENDENT if place in self.order_dependent else None


@dataclass
class Count:
    """Compared of a total; the rest by class of reason."""

    compared: int = 0
    total: int = 0
    excluded: Counter[str] = field(default_factory=Counter)

    def add(self, amount: int, reason: str | None) -> None:
        """Count ``amount`` as compared, or as excluded for a reason."""
        self.total += amount
        if reason is None:
            self.compared += amount
        else:
            self.excluded[reason] += amount

    def to_json(self) -> dict[str, Any]:
        """docs/results.md."""
        return {"compared": self.compared, "total": self.total, "excluded": dict(self.excluded)}


@dataclass
class EventComparison:
    """What was compared between two legs' events and the first difference in the first leg's order.

    ``registers`` and ``trace`` count events; ``definitions`` counts (instruction, register) pairs
    and ``definitions32`` those of 32-bit registers.
    """

    registers: Count = field(default_factory=Count)
    trace: Count = field(default_factory=Count)
    definitions: Count = field(default_factory=Count)
    definitions32: Count = field(default_factory=Count)
    difference: Difference | None = None

    @property
    def agree(self) -> bool | None:
        """None if not a single register or trace event was compared."""
        if self.difference is not None:
            return False
        return True if self.registers.compared or self.trace.compared else None

    def to_json(self) -> dict[str, Any]:
        """docs/results.md; ``agree`` of registers is null if none was compared."""
        bad = self.difference.kind if self.difference else None
        out = {}
        for kind, count in (("register", self.registers), ("trace", self.trace)):
            agree = (bad != kind) if count.compared or bad == kind else None
            out["registers" if kind == "register" else kind] = count.to_json() | {"agree": agree}
        out["definitions"] = self.definitions.to_json()
        out["definitions32"] = self.definitions32.to_json()
        return out


def reason_class(reason: str) -> str:
    """The class of a leg's reason for not reporting a definition: what stands before a colon."""
    return reason.partition(":")[0].strip() or "not reported"


def unstable(runs: Sequence[Result]) -> frozenset[Place]:
    """Places whose values vary, for any thread, between runs of one leg in different orders."""
    reported = [run.events for run in runs if run.events is not None]
    if len(reported) < 2:
        return frozenset()
    first = _sequences(reported[0])
    places: set[Place] = set()
    for events in reported[1:]:
        other = _sequences(events)
        for key in first.keys() | other.keys():
            if first.get(key) != other.get(key):
                places.add(key[1:])
    return frozenset(places)


def _sequences(events: Iterable[Event]) -> dict[Key, list[tuple[int, int]]]:
    out: defaultdict[Key, list[tuple[int, int]]] = defaultdict(list)
    for _, thread, instr, name, value, address in map(_six, events):
        out[thread, instr, name].append((value, address))
    return dict(out)


def _six(event: Sequence[Any]) -> Sequence[Any]:
    """Legs may append plain tuples; a five-tuple has no address."""
    return event if len(event) == 6 else (*event, 0)


# --------------------------------------------------------------------------------------------------


@dataclass
class _Trail:
    """One leg's events, sorted out. Positions count over the leg's whole list of events."""

    registers: dict[Key, list[tuple[int, int]]]  # key -> (value, position)
    traces: dict[int, list[tuple[tuple[int, int, str, int, int], int]]]  # thread -> (entry, position)
    steps: list[int]  # position -> the thread's own count of events before it
    ends: dict[int, int]  # thread -> number of its events


def _trail(events: Iterable[Event]) -> _Trail:
    registers: defaultdict[Key, list[tuple[int, int]]] = defaultdict(list)
    traces: defaultdict[int, list[tuple[tuple[int, int, str, int, int], int]]] = defaultdict(list)
    steps: list[int] = []
    ends: dict[int, int] = {}
    for position, (kind, thread, instr, name, value, address) in enumerate(map(_six, events)):
        step = ends.get(thread, 0)
        steps.append(step)
        ends[thread] = step + 1
        if kind == EventKind.REGISTER:
            registers[thread, instr, name].append((value, position))
        else:
            traces[thread].append(((int(kind), instr, name, value, address), position))
    return _Trail(dict(registers), dict(traces), steps, ends)


class _Comparer:
    """State of one comparison; ``best`` is the difference at the lowest position so far."""

    def __init__(
        self,
        names: tuple[str, str],
        results: tuple[Result, Result],
        launch: Launch,
        lines: PtxLines,
        exclusions: Exclusions,
    ) -> None:
        self.names, self.launch, self.lines = names, launch, lines
        self.exclusions = exclusions
        self.unreported: Mapping[Place, str] = results[0].definitions | results[1].definitions
        self.want, self.got = (_trail(result.events or []) for result in results)
        self.out = EventComparison()
        self.best: float = float("inf")

    def reason(self, thread: int, place: Place) -> str | None:
        if place in self.unreported:
            return reason_class(self.unreported[place])
        return self.exclusions.reason(thread, place)

    def run(self) -> EventComparison:
        places: dict[Place, str | None] = {}
        for key in self.want.registers.keys() | self.got.registers.keys():
            self._register(key, places)
        for (_, register), reason in places.items():
            self.out.definitions.add(1, reason)
            if self.lines.width(register) == 32:
                self.out.definitions32.add(1, reason)
        for thread in self.want.traces.keys() | self.got.traces.keys():
            self._thread(thread)
        return self.out

    def _register(self, key: Key, places: dict[Place, str | None]) -> None:
        thread, instr, register = key
        reason = self.reason(thread, (instr, register))
        want, got = self.want.registers.get(key, []), self.got.registers.get(key, [])
        # A definition counts as compared if it was in any thread.
        if want and (places.get((instr, register), "") is not None):
            places[instr, register] = reason
        self.out.registers.add(len(want) or (len(got) if reason is None else 0), reason)
        if reason is not None:
            return
        for at in range(max(len(want), len(got))):
            mine = want[at] if at < len(want) else None
            theirs = got[at] if at < len(got) else None
            if mine and theirs and mine[0] == theirs[0]:
                continue
            position = mine[1] if mine else self._after(thread)
            self._note(
                position,
                thread,
                instr,
                "register",
                _value(theirs[0] if theirs else None),
                _value(mine[0] if mine else None),
                register,
            )
            return

    def _thread(self, thread: int) -> None:
        want = self._kept(thread, self.want, count=True)
        got = self._kept(thread, self.got, count=False)
        for at in range(max(len(want), len(got))):
            mine = want[at] if at < len(want) else None
            theirs = got[at] if at < len(got) else None
            if mine and theirs and mine[0] == theirs[0]:
                continue
            position = mine[1] if mine else self._after(thread)
            entry = mine[0] if mine else theirs[0] if theirs else None
            assert entry is not None
            self._note(
                position,
                thread,
                entry[1],
                "trace",
                _entry(theirs[0] if theirs else None),
                _entry(mine[0] if mine else None),
                None,
            )
            return

    def _kept(
        self, thread: int, trail: _Trail, count: bool
    ) -> list[tuple[tuple[int, int, str, int, int], int]]:
        out = []
        for item in trail.traces.get(thread, ()):
            _, instr, name, _, _ = item[0]
            reason = self.reason(thread, (instr, name))
            if count:
                self.out.trace.add(1, reason)
            if reason is None:
                out.append(item)
        return out

    def _after(self, thread: int) -> float:
        """Position of something that the better trusted leg does not have: after its last event."""
        return len(self.want.steps) + thread / (1 + self.launch.blocks * self.launch.threads_per_block)

    def _note(
        self,
        position: float,
        thread: int,
        instr: int,
        kind: str,
        got: str,
        want: str,
        register: str | None,
    ) -> None:
        if position >= self.best:
            return
        self.best = position
        inside = position < len(self.want.steps)
        step = self.want.steps[int(position)] if inside else self.want.ends.get(thread, 0)
        block, tid = self.launch.where(thread)
        line = self.lines.at(instr)
        self.out.difference = Difference(
            kind,
            self.names[1],
            self.names[0],
            got,
            want,
            thread=thread,
            block=block,
            tid=tid,
            step=step,
            instr=instr,
            ptx_line=line.ptx if line else None,
            ptx_text=line.text if line else None,
            cuda_line=line.cuda if line else None,
            register=register,
        )


def _value(value: int | None) -> str:
    return "no event" if value is None else f"{value} ({value:#x})"


def _entry(entry: tuple[int, int, str, int, int] | None) -> str:
    if entry is None:
        return "no event"
    kind, instr, name, value, address = entry
    at = f" at {address:#x}" if kind in (EventKind.STORE, EventKind.ATOMIC) else ""
    return f"{EventKind(kind).name.lower()} {name} {value}{at} (instruction {instr})"


def compare_events(
    names: tuple[str, str],
    results: tuple[Result, Result],
    launch: Launch,
    lines: PtxLines,
    exclusions: Exclusions | None = None,
) -> EventComparison | None:
    """Compare two legs' events; the first is the better trusted one. None if a leg has none."""
    if results[0].events is None or results[1].events is None:
        return None
    return _Comparer(names, results, launch, lines, exclusions or Exclusions()).run()
