"""One leg's run of one launch, inside the boundary where an exception becomes HARNESS_ERROR."""

from __future__ import annotations

import re
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from conformance.verdicts import Ruling, Verdict, Voter
from oracles.api import (
    DTYPES,
    Buffer,
    Event,
    EventKind,
    Launch,
    Module,
    Options,
    Oracle,
    Result,
    Status,
    in_range,
)

ORACLES = ("ptx", "hardware")
"""Legs whose disagreement with themselves over two toolchains is an ORACLE_SPLIT."""

Progress = Callable[[str], None]
"""Told the key of the leg that starts to run, so that a hang can be blamed."""


@dataclass(eq=False)
class LegRun:
    """A result with what is needed to compare and record it.

    ``key`` names it within the launch (``ptx``, ``ptx@4``, ``reference-seed``, ``ptx+nvrtc``).
    ``votes`` is false for a run that only serves others (a gate, another warp size).
    """

    key: str
    leg: str
    family: str
    warp_size: int
    compiler: str
    product: str
    result: Result
    seconds: float = 0.0
    votes: bool = True
    ran: bool = True

    def voter(self) -> Voter:
        """This run in a vote. An implementation under test that is wrong on one compiler's code is
        simply wrong; only for a trusted leg is the compiler itself in doubt."""
        return Voter(self.key, self.family, self.compiler, self.base if self.leg in ORACLES else "")

    @property
    def base(self) -> str:
        """The key without compiler and warp size."""
        return re.split(r"[+@]", self.key)[0]


_STATUS = {
    Status.FAULT: Verdict.FAULT,
    Status.TIMEOUT: Verdict.TIMEOUT,
    Status.UNSUPPORTED: Verdict.UNSUPPORTED,
    Status.BAD_INPUT: Verdict.BAD_INPUT,
    Status.GUARD_TRIPPED: Verdict.GUARD_TRIPPED,
    Status.DEVICE_LOST: Verdict.DEVICE_LOST,
    Status.HARNESS_ERROR: Verdict.HARNESS_ERROR,
}


def status_ruling(run: LegRun) -> Ruling | None:
    """What a status other than OK says of a leg; None for OK."""
    verdict = _STATUS.get(run.result.status)
    if verdict is None:
        return None
    blame = (run.key,) if verdict in (Verdict.GUARD_TRIPPED, Verdict.DEVICE_LOST) else ()
    return Ruling(verdict, run.result.reason or verdict.value.lower(), blame)


def last_line(error: BaseException) -> str:
    """``Type: message (file:line)`` of where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno})" if frames else ""
    text = traceback.format_exception_only(error)[-1].strip().splitlines()
    return f"{text[0] if text else type(error).__name__}{where}"


def call(oracle: Oracle, module: Module, launch: Launch, options: Options) -> tuple[Result, float]:
    """Run and check the shape of what comes back; never raises (except to end the process)."""
    started = time.perf_counter()
    try:
        result = oracle.run(module, launch, options)
        problem = _unsound(result, launch)
    except Exception as error:  # the outer boundary of a leg
        problem = last_line(error)
    if problem:
        result = Result(Status.HARNESS_ERROR, reason=problem)
    return result, time.perf_counter() - started


def product_of(oracle: Oracle, options: Options) -> str:
    """The product id, or the reason why the leg cannot tell it."""
    try:
        return oracle.product(options)
    except Exception as error:  # the outer boundary of a leg
        return f"{oracle.name}@unknown ({last_line(error)})"


def _unsound(result: Result, launch: Launch) -> str:
    """What is wrong with a leg's answer, as an answer: "" if nothing."""
    if not isinstance(result, Result):
        return f"returned {type(result).__name__}, not a Result"
    if not isinstance(result.status, Status):
        return f"returned the status {result.status!r}, which is no oracles.api.Status"
    if result.events is not None:
        problem = _unsound_events(result.events)
        if problem:
            return problem
    if result.status is not Status.OK:
        return ""
    if not isinstance(result.executed, int) or result.executed < 1:
        return f"reports success with {result.executed} instructions executed"
    return unsound_buffers(result, launch)


_EVENT = (int, int, int, str, int, int)
"""Types of the fields of `oracles.api.Event`."""


def _unsound_events(events: Sequence[object]) -> str:
    for at, event in enumerate(events):
        if not isinstance(event, tuple) or len(event) not in (len(_EVENT) - 1, len(_EVENT)):
            return f"event {at} is {event!r}, no oracles.api.Event"
        for name, value, kind in zip(Event._fields, event, _EVENT, strict=False):
            if not isinstance(value, kind):
                return f"event {at} is no oracles.api.Event: {name} is {value!r}"
        if not 0 <= event[0] < len(EventKind):
            return f"event {at} is no oracles.api.Event: there is no kind {event[0]}"
    return ""


def unsound_buffers(result: Result, launch: Launch) -> str:
    """What is wrong with the shape or range of the final buffers: "" if nothing."""
    if len(result.buffers) != len(launch.args):
        return f"reports {len(result.buffers)} buffers for {len(launch.args)} arguments"
    for index, (arg, values) in enumerate(zip(launch.args, result.buffers, strict=True)):
        if not isinstance(arg, Buffer):
            continue
        if values is None or len(values) != len(arg.data):
            count = "no" if values is None else len(values)
            return f"reports {count} elements of argument {index}, which has {len(arg.data)}"
        kind = DTYPES[arg.dtype]
        for at, value in enumerate(values):
            if type(value) is not int:
                return f"reports {value!r} in argument {index} at {at}, which is no int"
            if not in_range(kind, value):
                return f"reports {value} in argument {index} at {at}, which is no {arg.dtype}"
    return ""
