"""Properties of the differ: interleaving of threads never matters, one changed event always does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from conformance.differ import EventComparison, PtxLines, compare_events
from oracles.api import Event, EventKind, Launch, Result, Status

LAUNCH = Launch("k", (1, 1, 1), (4, 1, 1))


@st.composite
def threads(draw: st.DrawFn) -> list[list[Event]]:
    """Events of up to four threads, each in program order."""
    out = []
    for thread in range(draw(st.integers(1, 4))):
        events = []
        for _ in range(draw(st.integers(0, 6))):
            instr, value = draw(st.integers(0, 3)), draw(st.integers(0, 3))
            if draw(st.booleans()):
                events.append(Event(EventKind.REGISTER, thread, instr, f"%r{instr}", value))
            else:
                events.append(Event(EventKind.STORE, thread, instr, "global:4", value, 4 * value))
        out.append(events)
    return out


def interleave(events: list[list[Event]], order: list[int]) -> list[Event]:
    """One list in which each thread keeps its order."""
    queues = [list(one) for one in events]
    out = []
    for pick in order:
        waiting = [queue for queue in queues if queue]
        if waiting:
            out.append(waiting[pick % len(waiting)].pop(0))
    return out + [event for queue in queues for event in queue]


def compare(want: list[Event], got: list[Event]) -> EventComparison:
    results = (Result(Status.OK, events=want), Result(Status.OK, events=got))
    found = compare_events(("a", "b"), results, LAUNCH, PtxLines())
    assert found is not None
    return found


ORDERS = st.lists(st.integers(0, 11), max_size=24)


@given(threads(), ORDERS, ORDERS)
def test_interleaving_does_not_matter(events: list[list[Event]], one: list[int], other: list[int]) -> None:
    want, got = interleave(events, one), interleave(events, other)
    found = compare(want, got)
    assert found.difference is None
    assert found.registers.compared + found.trace.compared == len(want)


@given(threads(), ORDERS, ORDERS, st.data())
def test_one_changed_value_is_found_in_its_thread(
    events: list[list[Event]], one: list[int], other: list[int], data: st.DataObject
) -> None:
    want, got = interleave(events, one), interleave(events, other)
    if not got:
        return
    at = data.draw(st.integers(0, len(got) - 1))
    got[at] = got[at]._replace(value=got[at].value + 100)
    first = compare(want, got).difference
    assert first is not None
    assert (first.thread, first.instr) == (got[at].thread, got[at].instr)


@given(threads(), ORDERS, st.data())
def test_one_missing_event_is_found_in_its_thread(
    events: list[list[Event]], order: list[int], data: st.DataObject
) -> None:
    want = interleave(events, order)
    if not want:
        return
    at = data.draw(st.integers(0, len(want) - 1))
    first = compare(want, want[:at] + want[at + 1 :]).difference
    assert first is not None
    assert first.thread == want[at].thread
    extra = compare(want[:at] + want[at + 1 :], want).difference
    assert extra is not None
    assert extra.thread == want[at].thread
