"""Compares the runs of one launch with each other and lets them vote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from conformance.cases import CaseLaunch
from conformance.differ import (
    Difference,
    EventComparison,
    Exclusions,
    PtxLines,
    compare_events,
    compare_outcome,
    same_outcome,
)
from conformance.differ.outcome import JUDGED
from conformance.runner.legrun import LegRun
from conformance.verdicts import DISAGREE, Ruling, Verdict, grouped, rule, worst
from oracles.api import Launch, Status


@dataclass
class Judgement:
    """A ruling, what was compared for it, and the first differences (the deepest first)."""

    ruling: Ruling
    comparisons: list[dict[str, Any]] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    agreeing: set[str] = field(default_factory=set)


@dataclass
class Bench:
    """All that is compared for one launch. ``traced`` are ptx runs at the other warp sizes, which
    stand beside legs of that warp size only; ``exclusions`` are by (compiler, warp size)."""

    launch: Launch
    case: CaseLaunch
    lines: Mapping[str, PtxLines]  # by compiler
    runs: Sequence[LegRun]
    traced: Sequence[LegRun] = ()
    exclusions: Mapping[tuple[str, int], Exclusions] = field(default_factory=dict)

    def lines_of(self, run: LegRun) -> PtxLines:
        """Instructions of what the run ran (any compiler's for stated values)."""
        return self.lines.get(run.compiler) or next(iter(self.lines.values()), PtxLines())


def judge(bench: Bench) -> Judgement:
    """The ruling over outcome and memory, then over registers and traces; runs come by trust."""
    voters = [run for run in bench.runs if run.votes and run.result.status in JUDGED]
    late = [run for run in voters if run.result.status is Status.TIMEOUT]
    if late and len(late) < len(voters) and bench.case.fault != "timeout":
        # A limit is the runner's: who ran out of steps says nothing about the kernel's result.
        rest = replace(bench, runs=[run for run in bench.runs if run not in late])
        out = judge(rest)
        if out.ruling.verdict not in DISAGREE:
            which = ", ".join(run.key for run in late)
            out.ruling = Ruling(Verdict.TIMEOUT, f"{which}: {late[0].result.reason}")
        return out
    groups = grouped(voters, lambda a, b: same_outcome(a.result, b.result, bench.case.unspecified))
    ruling = rule([[run.voter() for run in group] for group in groups])
    out = Judgement(ruling)
    _memory_pairs(bench, voters, out)
    events, agreeing = _events(bench, out)
    if ruling.verdict is Verdict.PASS:
        out.agreeing = {run.key for run in voters}
        out.ruling = worst([ruling, *events])
    elif ruling.verdict is Verdict.UNCOMPARED:
        out.ruling = next((r for r in events if r.verdict in DISAGREE), ruling)
    else:
        _memory_differences(bench, groups, out)
        if ruling.verdict is Verdict.FAIL:
            out.agreeing = {run.key for run in voters if run.key not in ruling.blame}
    if out.ruling.verdict in DISAGREE:
        out.agreeing -= set(out.ruling.blame)
    out.agreeing |= agreeing - set(out.ruling.blame)
    return out


def _memory_pairs(bench: Bench, voters: Sequence[LegRun], out: Judgement) -> None:
    """Count what is compared of memory: every run against the ptx leg, or against the first."""
    anchor = next((run for run in voters if run.leg == "ptx"), voters[0] if voters else None)
    for run in voters:
        if anchor is None or run is anchor:
            continue
        pair = (run, anchor) if run.leg == "expected" else (anchor, run)
        compared = _outcome(bench, *pair)
        out.comparisons.append({"a": pair[0].key, "b": pair[1].key, "memory": compared[0]})


def _outcome(bench: Bench, a: LegRun, b: LegRun) -> tuple[dict[str, Any], Difference | None]:
    compared = compare_outcome(
        (a.key, b.key), (a.result, b.result), bench.launch, bench.case.unspecified, bench.lines_of(b)
    )
    return compared.to_json(), compared.difference


def _memory_differences(bench: Bench, groups: list[list[LegRun]], out: Judgement) -> None:
    """The majority's values are the wanted ones; without one, those of the best trusted leg."""
    trusted = groups[0]
    if out.ruling.verdict is Verdict.FAIL:
        trusted = next(group for group in groups if group[0].key not in out.ruling.blame)
    for group in groups:
        if group is not trusted:
            difference = _outcome(bench, trusted[0], group[0])[1]
            if difference is not None:
                out.differences.append(difference)


# --------------------------------------------------------------------------------------------------
# Registers and traces


def _events(bench: Bench, out: Judgement) -> tuple[list[Ruling], set[str]]:
    """Rulings over events, one for each (compiler, warp size) with two families that report them."""
    classes: dict[tuple[str, int], list[LegRun]] = {}
    traced = {run.key for run in bench.traced}
    for run in (*bench.traced, *(run for run in bench.runs if run.votes)):
        if run.result.status is Status.OK and run.result.events is not None:
            classes.setdefault((run.compiler, run.warp_size), []).append(run)
    rulings, agreeing = [], set()
    for place, members in classes.items():
        if len({run.family for run in members}) < 2:
            continue
        ruling = _class_ruling(bench, members, bench.exclusions.get(place, Exclusions()), out)
        if ruling is not None:
            rulings.append(ruling)
            if ruling.verdict is Verdict.PASS:
                agreeing |= {run.key for run in members} & traced
    return rulings, agreeing


def _class_ruling(bench: Bench, members: list[LegRun], exclusions: Exclusions, out: Judgement) -> Ruling | None:
    """The vote among runs of one compiler's code at one warp size; None if nothing was compared."""
    done: dict[tuple[str, str], EventComparison] = {}

    def compared(a: LegRun, b: LegRun) -> EventComparison:
        if (a.key, b.key) not in done:
            found = compare_events(
                (a.key, b.key), (a.result, b.result), bench.launch, bench.lines_of(a), exclusions
            )
            assert found is not None
            done[a.key, b.key] = found
        return done[a.key, b.key]

    groups = grouped(members, lambda a, b: compared(a, b).agree is not False)
    for (a, b), comparison in done.items():
        _merge(out.comparisons, a, b, comparison.to_json())
    if all(comparison.agree is None for comparison in done.values()):
        return None
    if len(groups) == 1:
        return Ruling(Verdict.PASS)
    ruling = rule([[run.voter() for run in group] for group in groups])
    trusted = groups[0]
    if ruling.verdict is Verdict.FAIL:
        trusted = next(group for group in groups if group[0].key not in ruling.blame)
    for group in groups:
        if group is not trusted:
            difference = compared(trusted[0], group[0]).difference
            if difference is not None:
                out.differences.append(difference)
    kinds = ", ".join(sorted({d.kind for d in out.differences if d.kind in ("register", "trace")}))
    return Ruling(ruling.verdict, f"{kinds}: {ruling.reason}", ruling.blame)


def _merge(comparisons: list[dict[str, Any]], a: str, b: str, counts: dict[str, Any]) -> None:
    for entry in comparisons:
        if (entry["a"], entry["b"]) == (a, b):
            entry.update(counts)
            return
    comparisons.append({"a": a, "b": b, **counts})
