"""Runs one case from source to a record (docs/results.md)."""

from __future__ import annotations

import datetime
import time
from dataclasses import dataclass, replace
from typing import Any

from conformance.cases import BrokenCase, Case, CaseLaunch
from conformance.differ.outcome import JUDGED
from conformance.runner.build import Build, build_case, resolve_kernel
from conformance.runner.combine import combine
from conformance.runner.config import GATE, WARP, Context, trust
from conformance.runner.judge import Bench, Judgement, judge
from conformance.runner.legrun import LegRun, Progress, call, last_line, product_of
from conformance.runner.record import launch_record
from conformance.runner.survey import Survey, wanted_warps
from conformance.verdicts import DISAGREE, Ruling, Verdict, worst
from conformance.waivers import waive
from oracles.api import Launch, Report, Result, Status
from oracles.expected import Expected
from oracles.registry import EXPECTED, Leg

_NOT_RUN = (Verdict.UNDEFINED, Verdict.ORDER_DEPENDENT)


def case_record(case: Case | BrokenCase, ruling: Ruling, launches: list[dict[str, Any]]) -> dict[str, Any]:
    """The line of a case."""
    area = case.id.partition("/")[0]
    tags = list(case.tags) if isinstance(case, Case) else []
    features = list(case.features) if isinstance(case, Case) else []
    head = {"type": "case", "id": case.id, "file": case.file, "area": area, "tags": tags}
    body = {"features": features, **ruling.to_json(), "ok": ruling.fine, "launches": launches}
    return head | body


def run_case(case: Case | BrokenCase, context: Context, progress: Progress = lambda _: None) -> dict[str, Any]:
    """The record of one case; never raises for what a case, a compiler or a leg does."""
    started = time.perf_counter()
    if isinstance(case, BrokenCase):
        return case_record(case, Ruling(Verdict.BAD_INPUT, case.error), []) | {"seconds": 0.0, "compile": []}
    builds: list[Build] = []
    launches: list[dict[str, Any]] = []
    try:
        progress("compiler")
        builds = build_case(case, context.config)
        for index, launch in enumerate(case.launches):
            launches.append(_Launch(case, index, launch, builds, context, progress).run())
        ruling = worst([Ruling.from_json(launch) for launch in launches])
    except Exception as error:  # outermost boundary: one broken case never ends a run
        ruling = Ruling(Verdict.HARNESS_ERROR, last_line(error))
    record = case_record(case, ruling, launches)
    record["seconds"] = round(time.perf_counter() - started, 6)
    record["compile"] = [build.to_json() for build in builds]
    return record


def leg_keys(case: Case, context: Context) -> list[str]:
    """Keys of the legs that a case's first build is run on (the record's ``legs``)."""
    keys = []
    for leg in context.legs:
        specs = context.config.specs if leg.specs else ()
        keys += [f"{leg.name}-{spec}" for spec in specs] or [leg.name]
    if context.expected and any(launch.expect is not None or launch.fault for launch in case.launches):
        keys.append(EXPECTED)
    return keys


def rulings_of(record: dict[str, Any]) -> list[Ruling]:
    """Every ruling that counts for the exit code: the case's and its launches'."""
    return [Ruling.from_json(record), *(Ruling.from_json(launch) for launch in record["launches"])]


@dataclass
class _Launch:
    """One launch over all builds and legs."""

    case: Case
    index: int
    stated: CaseLaunch
    builds: list[Build]
    context: Context
    progress: Progress

    def run(self) -> dict[str, Any]:
        kernel = self.stated.launch.kernel
        problems = [build.problem for build in self.builds if build.problem]
        for build in self.builds:
            if build.lines is not None:
                kernel, problem = resolve_kernel(kernel, build.lines.entries)
                if problem is not None:
                    return self._record(self.stated.launch, problem, [], Judgement(problem), [])
        launch = replace(self.stated.launch, kernel=kernel)
        good = [build for build in self.builds if build.problem is None]
        if not good:
            problem = worst(problems)
            return self._record(launch, problem, [], Judgement(problem), [])
        runs: list[LegRun] = []
        surveys: dict[str, Survey] = {}
        for at, build in enumerate(good):
            suffix = "" if at == 0 else f"+{build.compiler}"
            runs += self._run_build(build, suffix, launch, surveys)
        if self.context.expected and (self.stated.expect is not None or self.stated.fault):
            runs.append(self._expected(launch, good[0]))
        runs.sort(key=lambda run: trust(run.leg))
        return self._rule(launch, good, runs, surveys, problems)

    # -- running -----------------------------------------------------------------------------------

    def _run_build(self, build: Build, suffix: str, launch: Launch, surveys: dict[str, Survey]) -> list[LegRun]:
        """Survey with the ptx leg, then every other leg that may run after what was found."""
        found: Ruling | None = None
        survey = self._survey(build, launch)
        runs: list[LegRun] = []
        if survey is not None:
            surveys[build.compiler] = survey
            found = survey.ruling()
            runs += self._gate_runs(survey, build.compiler, suffix, found)
        for leg in self.context.legs:
            if leg.name == GATE and survey is not None:
                continue
            for spec in self._specs(leg):
                runs.append(self._leg_run(leg, spec, build, suffix, launch, survey, found))
        return runs

    def _specs(self, leg: Leg) -> list[str | None]:
        return list(self.context.config.specs) if leg.specs else [None]

    def _survey(self, build: Build, launch: Launch) -> Survey | None:
        gate, config = self.context.gate, self.context.config
        if gate is None or build.module is None:
            return None
        others = [leg for leg in self.context.legs if leg.name != GATE]
        reporting = {Report.REGISTERS, Report.TRACE}
        traced = [leg for leg in others if config.events and leg.reports & reporting]
        warps = wanted_warps(others, traced if self.context.selected(gate) else [])
        return Survey(gate, build.module, launch, self.stated, config, warps, self.progress).run()

    def _gate_runs(self, survey: Survey, compiler: str, suffix: str, found: Ruling | None) -> list[LegRun]:
        selected = self.context.selected(survey.gate)
        out = []
        for warp, results in survey.runs.items():
            result = survey.broken() or results[0] if warp == WARP else results[0]
            options = self.context.config.options(survey.launch, self.stated.step_limit, warp_size=warp)
            key = GATE + ("" if warp == WARP else f"@{warp}") + suffix
            out.append(
                LegRun(
                    key,
                    GATE,
                    survey.gate.family,
                    warp,
                    compiler,
                    product_of(survey.gate.oracle, options),
                    result,
                    survey.seconds[warp],
                    votes=selected and warp == WARP,
                )
            )
        return out

    def _leg_run(
        self,
        leg: Leg,
        spec: str | None,
        build: Build,
        suffix: str,
        launch: Launch,
        survey: Survey | None,
        found: Ruling | None,
    ) -> LegRun:
        config = self.context.config
        wants_events = config.events and bool(leg.reports & {Report.REGISTERS, Report.TRACE})
        changes = {"spec": spec} if spec else {}
        options = config.options(
            launch, self.stated.step_limit, events=wants_events, warp_size=leg.warp_size, **changes
        )
        key = (f"{leg.name}-{spec}" if spec else leg.name) + suffix
        product = product_of(leg.oracle, options)
        refusal = self._refusal(leg, survey, found)
        if refusal is not None:
            return LegRun(
                key,
                leg.name,
                leg.family,
                leg.warp_size,
                build.compiler,
                product,
                refusal,
                votes=False,
                ran=False,
            )
        assert build.module is not None
        self.progress(key)
        result, seconds = call(leg.oracle, build.module, launch, options)
        return LegRun(key, leg.name, leg.family, leg.warp_size, build.compiler, product, result, seconds)

    def _refusal(self, leg: Leg, survey: Survey | None, found: Ruling | None) -> Result | None:
        """Why a leg is not run at all, as a Result; None if it is to be run."""
        problem = leg.oracle.available()
        if problem is not None:
            return Result(Status.UNSUPPORTED, reason=f"not available here: {problem}")
        for need in self.stated.needs:
            lanes = need.removeprefix("warp")
            if need.startswith("warp") and lanes.isdecimal() and leg.warp_size < int(lanes):
                return Result(Status.UNSUPPORTED, reason=f"the case needs {need}, the leg has {leg.warp_size}")
        if self.stated.fault and Report.FAULTS not in leg.reports:
            return Result(Status.UNSUPPORTED, reason="a fault is meant, and the leg reports none")
        if found is not None and found.verdict in _NOT_RUN:
            return Result(Status.UNSUPPORTED, reason=f"not run: {found}")
        if found is not None and leg.warp_size < WARP:
            return Result(Status.UNSUPPORTED, reason=f"not run: {found}")
        if leg.needs_defined:
            if survey is None:
                why = "the ptx leg is not available"
            elif survey.main.status is not Status.OK:
                why = f"the ptx leg ended with {survey.main.status.value}: {survey.main.reason}"
            else:
                return None
            return Result(Status.UNSUPPORTED, reason=f"only defined launches are run here, and {why}")
        return None

    def _expected(self, launch: Launch, build: Build) -> LegRun:
        oracle = Expected(self.stated.expect, self.stated.fault)
        options = self.context.config.options(launch, self.stated.step_limit)
        result = oracle.run(build.module, launch, options) if build.module else Result(Status.UNSUPPORTED)
        return LegRun(EXPECTED, EXPECTED, EXPECTED, WARP, build.compiler, oracle.product(options), result)

    # -- ruling ------------------------------------------------------------------------------------

    def _rule(
        self,
        launch: Launch,
        builds: list[Build],
        runs: list[LegRun],
        surveys: dict[str, Survey],
        problems: list[Ruling],
    ) -> dict[str, Any]:
        found = [ruling for survey in surveys.values() if (ruling := survey.ruling())]
        invalid = [ruling for ruling in found if ruling.verdict in _NOT_RUN]
        if invalid:
            judged = Judgement(invalid[0])
        else:
            judged, late = self._judge(launch, builds, runs, surveys)
            found += late
            if late and late[0].verdict in _NOT_RUN:
                judged = Judgement(late[0])
        ruling = combine(self.stated, judged.ruling, runs, list(surveys.values()), found, problems)
        ruling = waive(self.case.id, ruling, self.context.config.waivers, datetime.date.today())
        return self._record(launch, ruling, runs, judged, list(surveys.values()))

    def _judge(
        self, launch: Launch, builds: list[Build], runs: list[LegRun], surveys: dict[str, Survey]
    ) -> tuple[Judgement, list[Ruling]]:
        """Judge; before anybody is blamed, look harder for a dependence on the order of threads."""
        _no_values_after_a_fault(self.stated, runs)
        judged = judge(self._bench(launch, builds, runs, surveys))
        if judged.ruling.verdict not in DISAGREE or not surveys:
            return judged, []
        before = [survey.ruling() for survey in surveys.values()]
        for survey in surveys.values():
            survey.confirm()
        after = [survey.ruling() for survey in surveys.values()]
        late = [new for old, new in zip(before, after, strict=True) if new is not None and old is None]
        if late and late[0].verdict is Verdict.WARP_SIZE_DEPENDENT:
            refusal = Result(Status.UNSUPPORTED, reason=f"not compared: {late[0]}")
            for run in runs:
                if run.warp_size < WARP and run.leg != GATE:
                    run.result, run.votes = refusal, False
        return judge(self._bench(launch, builds, runs, surveys)), late

    def _bench(
        self, launch: Launch, builds: list[Build], runs: list[LegRun], surveys: dict[str, Survey]
    ) -> Bench:
        lines = {build.compiler: build.lines for build in builds if build.lines is not None}
        exclusions = {
            (compiler, warp): survey.exclusions(warp)
            for compiler, survey in surveys.items()
            for warp in survey.runs
        }
        gate = self.context.gate
        traced = [
            run
            for run in runs
            if run.leg == GATE and run.warp_size != WARP and gate and self.context.selected(gate)
        ]
        return Bench(launch, self.stated, lines, runs, traced, exclusions)

    def _record(
        self,
        launch: Launch,
        ruling: Ruling,
        runs: list[LegRun],
        judged: Judgement,
        surveys: list[Survey],
    ) -> dict[str, Any]:
        return launch_record(self.index, launch, self.stated, ruling, runs, judged, surveys)


def _no_values_after_a_fault(stated: CaseLaunch, runs: list[LegRun]) -> None:
    """If every leg that ran faulted or timed out, undeclared, the input is bad: stated values have no vote."""
    ends = {run.result.status for run in runs if run.votes and run.leg != EXPECTED} & JUDGED
    if ends and Status.OK not in ends and stated.fault is None:
        for run in runs:
            run.votes = run.votes and run.leg != EXPECTED
