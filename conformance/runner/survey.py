"""Finds out with the ``ptx`` leg whether a launch is a valid test: defined, whatever order or warp size."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from conformance.cases import CaseLaunch
from conformance.differ import Exclusions, same_outcome, unstable
from conformance.differ.outcome import JUDGED, outcome_word
from conformance.runner.config import MACHINE_WARP, WARP, RunConfig
from conformance.runner.legrun import Progress, call
from conformance.verdicts import Ruling, Verdict
from oracles.api import Finding, FindingKind, Launch, Module, Result, Status
from oracles.registry import Leg

CONFIRM = 6
"""Further reshuffled schedules before legs are said to disagree."""


@dataclass
class Survey:
    """Runs of the ptx leg by warp size, first in its own order, then reshuffled."""

    gate: Leg
    module: Module
    launch: Launch
    case: CaseLaunch
    config: RunConfig
    warps: dict[int, bool]  # warp size -> with events
    progress: Progress
    runs: dict[int, list[Result]] = field(default_factory=dict)
    seconds: dict[int, float] = field(default_factory=dict)

    @property
    def main(self) -> Result:
        """The run at 32 lanes."""
        return self.runs[WARP][0]

    def run(self) -> Survey:
        """Do the runs; what did not end well is not repeated."""
        self._once(WARP, None, check=True)
        if self.main.status not in (Status.OK, Status.FAULT):
            return self
        for warp in self.warps:
            if warp != WARP:
                # A race that only a wide warp's synchronisation hides shows at the narrow one.
                self._once(warp, None, check="bar.warp" in self.module.ptx)
        if self.main.status is Status.OK and self._threads > 1:
            for seed in range(1, self.config.schedules + 1):
                self.repeat(seed)
        return self

    @property
    def _threads(self) -> int:
        return self.launch.blocks * self.launch.threads_per_block

    def repeat(self, seed: int) -> None:
        """One more reshuffled run at every warp size."""
        for warp, runs in list(self.runs.items()):
            if runs[0].status is Status.OK:
                self._once(warp, seed, check=False)

    def confirm(self) -> None:
        """More reshuffled runs, before legs are said to disagree."""
        if self._threads > 1:
            for seed in range(self.config.schedules + 1, self.config.schedules + 1 + CONFIRM):
                self.repeat(seed)

    def _once(self, warp: int, schedule: int | None, check: bool) -> None:
        self.progress(f"{self.gate.name}@{warp}")
        options = self.config.options(
            self.launch,
            self.case.step_limit,
            events=self.warps[warp],
            check=check,
            schedule=schedule,
            warp_size=warp,
        )
        result, seconds = call(self.gate.oracle, self.module, self.launch, options)
        self.runs.setdefault(warp, []).append(result)
        self.seconds.setdefault(warp, seconds)

    def findings(self) -> tuple[Finding, ...]:
        """Definedness findings of the run at 32 lanes."""
        return self.main.findings

    def unspecified(self) -> list[Finding]:
        """Findings of values that PTX leaves open."""
        return [f for f in self.findings() if f.kind is FindingKind.UNSPECIFIED]

    def exclusions(self, warp: int) -> Exclusions:
        """What is not to be compared between events at a warp size."""
        threads: set[int] = set()
        for finding in self.unspecified():
            if not finding.threads:
                return Exclusions(unstable(self.runs.get(warp, [])), None)
            threads.update(finding.threads)
        return Exclusions(unstable(self.runs.get(warp, [])), frozenset(threads))

    def ruling(self) -> Ruling | None:
        """Why the launch is no valid test, or depends on the warp size; None if it is portable."""
        return self._undefined() or self._order(WARP) or self._warp()

    def _undefined(self) -> Ruling | None:
        if self.main.status not in JUDGED:
            return None
        if self.case.fault is not None and self.main.status is not Status.OK:
            return None
        hard = [f for f in self.findings() if f.kind is not FindingKind.UNSPECIFIED]
        if self.main.status is Status.FAULT:  # the deadlock itself says more
            hard = [f for f in hard if f.kind is not FindingKind.DIVERGENT_BARRIER]
        if not hard:
            return None
        more = f" (and {len(hard) - 1} more)" if len(hard) > 1 else ""
        return Ruling(Verdict.UNDEFINED, f"{hard[0].kind.value}: {hard[0].message}{more}")

    def _order(self, warp: int) -> Ruling | None:
        runs = self.runs.get(warp, [])
        if not runs or runs[0].status is not Status.OK:
            return None
        for other in runs[1:]:
            if other.status in JUDGED and not same_outcome(runs[0], other, self.case.unspecified):
                return Ruling(
                    Verdict.ORDER_DEPENDENT,
                    f"{_what(runs[0], other, self.case.unspecified)} when threads run in another order",
                )
        return None

    def _warp(self) -> Ruling | None:
        main = self.main
        for warp, runs in self.runs.items():
            if warp == WARP or main.status not in JUDGED:
                continue
            other = runs[0]
            if other.status in JUDGED and not same_outcome(main, other, self.case.unspecified):
                what = _what(main, other, self.case.unspecified)
                return Ruling(Verdict.WARP_SIZE_DEPENDENT, f"{what} with {warp} instead of {WARP} lanes a warp")
            order = self._order(warp)
            if order is not None:
                return Ruling(Verdict.WARP_SIZE_DEPENDENT, f"with {warp} lanes a warp, {order.reason}")
            races = [f for f in other.findings if f.kind in (FindingKind.RACE, FindingKind.UNINITIALISED)]
            if races and not any(f.kind is races[0].kind for f in main.findings):
                return Ruling(
                    Verdict.WARP_SIZE_DEPENDENT,
                    f"with {warp} lanes a warp, {races[0].kind.value}: {races[0].message}",
                )
        return None

    def broken(self) -> Result | None:
        """A repeated run that ended neither in a result nor in a refusal."""
        for runs in self.runs.values():
            for run in runs[1:]:
                if run.status is not Status.OK and run.status not in JUDGED:
                    return replace(run, reason=f"in a reshuffled order: {run.reason}")
        return None


def _what(a: Result, b: Result, unspecified: Any) -> str:
    from conformance.differ.outcome import first_element  # noqa: PLC0415

    if outcome_word(a) != outcome_word(b):
        return f"the outcome changes from {outcome_word(a)} to {outcome_word(b)}"
    where = first_element(a, b, unspecified)
    assert where is not None
    argument, index = where
    mine, theirs = a.buffers[argument], b.buffers[argument]
    assert mine is not None
    assert theirs is not None
    return f"argument {argument} at index {index} changes from {mine[index]} to {theirs[index]}"


def wanted_warps(legs: Iterable[Leg], with_events: Iterable[Leg]) -> dict[int, bool]:
    """Warp sizes to run at, each with whether some leg's events are to be compared there."""
    compared = {leg.warp_size for leg in with_events}
    sizes = dict.fromkeys([WARP, MACHINE_WARP, *(leg.warp_size for leg in legs)])
    return {size: size in compared for size in sizes}
