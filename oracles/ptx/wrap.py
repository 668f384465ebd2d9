"""Wraps guards, events and definedness checks around a decoded step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oracles.api import EventKind
from oracles.ptx.builder import Builder
from oracles.ptx.lanes import lanes_of
from oracles.ptx.loops import Run
from oracles.ptx.ops.guards import guard_of
from oracles.ptx.origins import Origin
from oracles.ptx.reader.syntax import Instr
from oracles.ptx.step import Step
from oracles.ptx.warp import Warp


def wrap(b: Builder, instr: Instr, step: Step) -> Run:
    """The code of an instruction in the mode that the program is decoded for."""
    run = step.run
    if step.control:
        return run
    if step.ordered and b.mode.shuffled:
        run = _shuffled(run)
    if b.mode.check and (step.reads or step.writes or step.before):
        run = _checked(run, step, instr)
    if b.mode.events:
        if step.trace is not None:
            run = _traced(run, step.trace)
        if step.shown:
            run = _shown(run, step.shown, instr.ordinal)
    if instr.guard is not None:
        run = _guarded(run, b, instr)
    return run


def _guarded(run: Run, b: Builder, instr: Instr) -> Run:
    taken = guard_of(b, instr)
    assert taken is not None
    test = taken

    def guarded(w: Warp, lanes: Sequence[int], m: int) -> None:
        yes = test(w, lanes, m)
        if yes == m:
            run(w, lanes, m)
        elif yes:
            run(w, lanes_of(yes), yes)

    return guarded


def _shuffled(run: Run) -> Run:
    def shuffled(w: Warp, lanes: Sequence[int], m: int) -> Any:
        return run(w, w.grid.order(lanes), m)

    return shuffled


def _traced(run: Run, trace: Run) -> Run:
    def traced(w: Warp, lanes: Sequence[int], m: int) -> Any:
        trace(w, lanes, m)
        return run(w, lanes, m)

    return traced


def _shown(run: Run, shown: tuple[tuple[int, str], ...], ordinal: int) -> Run:
    kind = EventKind.REGISTER

    def with_events(w: Warp, lanes: Sequence[int], m: int) -> None:
        run(w, lanes, m)
        first = w.thread0
        for slot, name in shown:
            column = w.R[slot]
            w.events += [(kind, first + lane, ordinal, name, column[lane], 0) for lane in lanes]

    return with_events


def _checked(run: Run, step: Step, instr: Instr) -> Run:
    """Follows undefined values: T has a bit for each lane in which a register is undefined."""
    reads, writes, before = step.reads, step.writes, step.before

    def checked(w: Warp, lanes: Sequence[int], m: int) -> None:
        undefined = w.T
        bad = 0
        for slot in reads:
            bad |= undefined[slot]
        bad &= m
        origins: dict[int, Origin] = {}
        if bad:
            origins = _origins(w, step, bad, m, instr)
        if before is not None:
            found = before(w, lanes, m)
            if found:
                origins = {**origins, **found}
        run(w, lanes, m)
        keep = ~m
        for slot in writes:
            undefined[slot] &= keep
        if origins:
            w.undefine(writes, origins)

    return checked


def _origins(w: Warp, step: Step, bad: int, m: int, instr: Instr) -> dict[int, Origin]:
    """Report undefined operands that matter now; why the results of which lanes will be undefined."""
    for slot, use in step.sinks:
        if w.T[slot] & m:
            w.used(slot, m, use, instr)
    if not step.writes:
        return {}
    if step.taints is not None:
        bad = step.taints(w, m)
    out = {}
    for lane in lanes_of(bad):
        slot = next(s for s in step.reads if w.T[s] >> lane & 1)
        out[lane] = w.origin_of(slot, lane, instr)
    return out
