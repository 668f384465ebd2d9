"""Compares how two legs ended and what they left in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conformance.differ.difference import Difference
from conformance.differ.ptxlines import PtxLines
from oracles.api import Buffer, FaultKind, Launch, Result, Status

Unspecified = Mapping[int, tuple[int, ...] | None]

JUDGED = frozenset({Status.OK, Status.FAULT, Status.TIMEOUT})
"""Ends of a run that can be compared; the others say that there was no run to speak of."""


@dataclass(frozen=True)
class MemoryComparison:
    """Elements compared of those there are; ``difference`` is the first one, if any."""

    compared: int = 0
    total: int = 0
    difference: Difference | None = None

    @property
    def agree(self) -> bool | None:
        """None if nothing was compared."""
        if self.difference is not None:
            return False
        return True if self.compared else None

    def to_json(self) -> dict[str, Any]:
        """docs/results.md."""
        return {"compared": self.compared, "total": self.total, "agree": self.agree}


def outcome_word(result: Result) -> str:
    """``ok``, ``timeout``, or the kind of the fault."""
    if result.status is Status.FAULT:
        kind: FaultKind | None = result.fault.kind if result.fault else None
        return kind.value if kind else "fault"
    return str(result.status.value)


def _ended_alike(a: Result, b: Result) -> bool:
    """A fault whose kind a leg cannot tell is like any other fault."""
    words = {outcome_word(a), outcome_word(b)}
    return len(words) == 1 or ("fault" in words and a.status is b.status)


def same_outcome(a: Result, b: Result, unspecified: Unspecified) -> bool:
    """True if both ended alike, and with the same specified elements in memory after an OK end."""
    if not _ended_alike(a, b):
        return False
    if a.status is not Status.OK:
        return True
    if a.buffers == b.buffers:
        return True
    return first_element(a, b, unspecified) is None


def first_element(a: Result, b: Result, unspecified: Unspecified) -> tuple[int, int] | None:
    """(argument, index) of the first specified element that differs."""
    for argument, (mine, theirs) in enumerate(zip(a.buffers, b.buffers, strict=True)):
        if mine is None or theirs is None or mine == theirs:
            continue
        skip = unspecified.get(argument, ())
        if skip is None:
            continue
        for index, (x, y) in enumerate(zip(mine, theirs, strict=True)):
            if x != y and index not in skip:
                return argument, index
    return None


def compare_outcome(
    names: tuple[str, str],
    results: tuple[Result, Result],
    launch: Launch,
    unspecified: Unspecified,
    lines: PtxLines,
) -> MemoryComparison:
    """The first of ``names`` is the better trusted leg; memory counts only if both ended well."""
    a, b = results
    total = sum(len(arg.data) for arg in launch.args if isinstance(arg, Buffer))
    if not _ended_alike(a, b):
        return MemoryComparison(0, total, _outcomes(names, results, launch, lines))
    if a.status is not Status.OK:
        return MemoryComparison(0, total)
    skipped = sum(
        len(arg.data) if unspecified[index] is None else len(unspecified[index] or ())
        for index, arg in enumerate(launch.args)
        if isinstance(arg, Buffer) and index in unspecified
    )
    where = first_element(a, b, unspecified)
    difference = None
    if where is not None:
        argument, index = where
        want, got = a.buffers[argument], b.buffers[argument]
        assert want is not None
        assert got is not None
        difference = Difference(
            "memory", names[1], names[0], str(got[index]), str(want[index]), argument, index
        )
    return MemoryComparison(total - skipped, total, difference)


def _outcomes(
    names: tuple[str, str], results: tuple[Result, Result], launch: Launch, lines: PtxLines
) -> Difference:
    want, got = (f"{outcome_word(r)} ({r.reason})" if r.reason else outcome_word(r) for r in results)
    fault = results[1].fault or results[0].fault
    thread = fault.threads[0] if fault and fault.threads else None
    block, tid = launch.where(thread) if thread is not None else (None, None)
    line = lines.at(fault.instr) if fault else None
    return Difference(
        "outcome",
        names[1],
        names[0],
        got,
        want,
        thread=thread,
        block=block,
        tid=tid,
        instr=fault.instr if fault else None,
        ptx_line=line.ptx if line else None,
        ptx_text=line.text if line else None,
        cuda_line=line.cuda if line else None,
    )
