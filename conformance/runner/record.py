"""The JSON of one launch (docs/results.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.cases import CaseLaunch
from conformance.runner.judge import Judgement
from conformance.runner.legrun import LegRun, status_ruling
from conformance.runner.survey import Survey
from conformance.verdicts import DISAGREE, Ruling, Verdict
from oracles.api import Buffer, Launch, Status

MAX_DIFFERENCES = 8
"""Differences kept a launch; the first one is what matters."""

MAX_FINDINGS = 8


def launch_record(
    index: int,
    launch: Launch,
    stated: CaseLaunch,
    ruling: Ruling,
    runs: Sequence[LegRun],
    judged: Judgement,
    surveys: Sequence[Survey],
) -> dict[str, Any]:
    """The record; fields that would be empty are left out."""
    out: dict[str, Any] = {
        "launch": index,
        "kernel": launch.kernel,
        "grid": list(launch.grid),
        "block": list(launch.block),
        **ruling.to_json(),
        "ok": ruling.fine,
        "legs": {run.key: _leg(run, ruling, judged) for run in runs},
        "comparisons": judged.comparisons,
    }
    if judged.differences:
        # The deepest comes first: a wrong register is the cause of a wrong word in memory.
        ordered = sorted(judged.differences, key=lambda d: d.kind not in ("register", "trace"))
        out["differences"] = [difference.to_json() for difference in ordered[:MAX_DIFFERENCES]]
    findings = [finding for survey in surveys for finding in survey.findings()]
    if findings:
        out["findings"] = [
            {"kind": f.kind.value, "message": f.message, "threads": list(f.threads), "instr": f.instr}
            for f in findings[:MAX_FINDINGS]
        ]
    unspecified = _unspecified(launch, stated, runs)
    if unspecified:
        out["unspecified"] = unspecified
    return out


def _leg(run: LegRun, ruling: Ruling, judged: Judgement) -> dict[str, Any]:
    result = run.result
    own = leg_ruling(run, ruling, judged)
    out: dict[str, Any] = {
        "leg": run.leg,
        "product": run.product,
        "compiler": run.compiler,
        "warp_size": run.warp_size,
        "status": result.status.value,
        **own.to_json(),
        "ran": run.ran and result.status in (Status.OK, Status.FAULT, Status.TIMEOUT) and run.leg != "expected",
        "executed": result.executed,
        "seconds": round(run.seconds, 6),
    }
    if result.fault is not None:
        fault = result.fault
        out["fault"] = {
            "kind": fault.kind.value,
            "message": fault.message,
            "threads": list(fault.threads),
            "instr": fault.instr,
            "address": fault.address,
        }
    if result.tokens is not None:
        out["tokens"] = len(result.tokens)
    if result.notes:
        out["notes"] = {key: value for key, value in result.notes.items() if _plain(value)}
    return out


def leg_ruling(run: LegRun, ruling: Ruling, judged: Judgement) -> Ruling:
    """The verdict of one leg within a launch."""
    status = status_ruling(run)
    if not run.ran and "WARP_SIZE_DEPENDENT" in run.result.reason:
        return Ruling(Verdict.WARP_SIZE_DEPENDENT, run.result.reason)
    if status is not None and status.verdict not in (Verdict.FAULT, Verdict.TIMEOUT):
        return status
    if judged.ruling.verdict in DISAGREE and run.key in judged.ruling.blame:
        return Ruling(judged.ruling.verdict, judged.ruling.reason)
    if ruling.verdict in (Verdict.UNDEFINED, Verdict.ORDER_DEPENDENT):
        return Ruling(ruling.verdict, ruling.reason, declared=ruling.declared)
    if status is not None and not ruling.fine:
        return status
    if run.key in judged.agreeing:
        return Ruling(Verdict.PASS)
    return Ruling(Verdict.UNCOMPARED, "" if run.votes else "run for others, has no vote")


def _unspecified(launch: Launch, stated: CaseLaunch, runs: Sequence[LegRun]) -> dict[str, Any]:
    """Values of elements that PTX leaves open, by leg: recorded, never compared."""
    out: dict[str, Any] = {}
    for run in runs:
        if run.result.status is not Status.OK or run.leg == "expected":
            continue
        values: dict[str, dict[str, int]] = {}
        for argument, which in stated.unspecified.items():
            buffer = run.result.buffers[argument]
            if isinstance(launch.args[argument], Buffer) and buffer is not None:
                chosen = range(len(buffer)) if which is None else which
                values[str(argument)] = {str(at): buffer[at] for at in chosen}
        if values:
            out[run.key] = values
    return out


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, (str, int, float, bool))
