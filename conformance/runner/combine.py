"""One ruling for a launch, out of the vote, what the survey found, and legs that broke or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from conformance.cases import CaseLaunch
from conformance.runner.legrun import LegRun, status_ruling
from conformance.runner.survey import Survey
from conformance.verdicts import DISAGREE, Ruling, Verdict, worst
from oracles.api import Status
from oracles.registry import EXPECTED

_BROKEN = (Verdict.GUARD_TRIPPED, Verdict.HARNESS_ERROR, Verdict.DEVICE_LOST, Verdict.BAD_INPUT)
_OPEN = (Verdict.PASS, Verdict.UNCOMPARED)


def combine(
    stated: CaseLaunch,
    vote: Ruling,
    runs: Sequence[LegRun],
    surveys: Sequence[Survey],
    found: Sequence[Ruling],
    problems: Sequence[Ruling],
) -> Ruling:
    """The gravest of what there is to say; a declared verdict is met or not found at the very end.

    ``found`` are the survey's rulings, ``problems`` those of compilers that refused the source.
    """
    ruling = _unspecified(stated, vote, surveys)
    if ruling.verdict in _OPEN:
        ruling = _ended(stated, ruling, runs)
    dependent = next((r for r in found if r.verdict is Verdict.WARP_SIZE_DEPENDENT), None)
    if dependent is not None and ruling.verdict in _OPEN:
        declared = stated.verdict == dependent.verdict.value
        if ruling.verdict is Verdict.PASS or declared:
            ruling = dependent
        else:
            ruling = replace(ruling, reason=f"{ruling.reason}; {dependent}")
    broken = [
        replace(status, reason=f"{run.key}: {status.reason}")
        for run in runs
        if (status := status_ruling(run)) is not None and status.verdict in _BROKEN
    ]
    ruling = worst([ruling, *broken, *problems])
    return _declared(stated, ruling, bool(surveys))


def _unspecified(stated: CaseLaunch, vote: Ruling, surveys: Sequence[Survey]) -> Ruling:
    """What PTX leaves open never votes: legs that differ after such a value are not to blame."""
    left_open = [finding for survey in surveys for finding in survey.unspecified()]
    if vote.verdict not in DISAGREE or not left_open or stated.unspecified:
        return vote
    reason = f"a value that PTX leaves open is used: {left_open[0].message}; {vote}"
    return Ruling(Verdict.UNDEFINED, reason)


def _ended(stated: CaseLaunch, ruling: Ruling, runs: Sequence[LegRun]) -> Ruling:
    """A fault or timeout that was not declared; or nothing executed; or too little to compare."""
    ran = [run for run in runs if run.votes and run.leg != EXPECTED]
    for status, verdict in ((Status.FAULT, Verdict.FAULT), (Status.TIMEOUT, Verdict.TIMEOUT)):
        hit = next((run for run in ran if run.result.status is status), None)
        if hit is not None and stated.fault is None:
            return Ruling(verdict, f"{hit.key}: {hit.result.reason}")
    if ruling.verdict is Verdict.PASS:
        return ruling
    refusals = [f"{run.key}: {run.result.reason}" for run in runs if run.result.status is Status.UNSUPPORTED]
    if not any(run.result.status in (Status.OK, Status.FAULT, Status.TIMEOUT) for run in ran):
        return Ruling(Verdict.UNSUPPORTED, "; ".join(refusals) or "no leg ran")
    return replace(ruling, reason="; ".join([ruling.reason, *refusals]))


def _declared(stated: CaseLaunch, ruling: Ruling, surveyed: bool) -> Ruling:
    """A verdict that the case declares: met, not found, or not to be found without the ptx leg."""
    if stated.verdict is None:
        return ruling
    if ruling.verdict.value == stated.verdict:
        return replace(ruling, declared=True)
    other = (*_OPEN, Verdict.UNDEFINED, Verdict.ORDER_DEPENDENT, Verdict.WARP_SIZE_DEPENDENT)
    if ruling.verdict not in other:
        return ruling
    if not surveyed:
        return Ruling(Verdict.UNCOMPARED, f"{stated.verdict} is declared; only the ptx leg can find it")
    return Ruling(Verdict.FAIL, f"the case declares {stated.verdict}, found: {ruling}", (EXPECTED,))
