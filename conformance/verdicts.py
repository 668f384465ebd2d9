"""The closed set of verdicts, and how legs vote on them."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar


class Verdict(enum.Enum):
    """How a case, a launch or a leg ended. The set is closed: nothing else is ever stored."""

    PASS = "PASS"
    FAIL = "FAIL"  # a majority stands against the named legs
    DIFFER = "DIFFER"  # legs disagree and no majority says who is wrong
    ORACLE_SPLIT = "ORACLE_SPLIT"  # an oracle disagrees with itself over two toolchains
    UNSUPPORTED = "UNSUPPORTED"
    WARP_SIZE_DEPENDENT = "WARP_SIZE_DEPENDENT"
    ORDER_DEPENDENT = "ORDER_DEPENDENT"
    UNDEFINED = "UNDEFINED"  # the program itself is undefined: uninitialised read, race, ...
    FAULT = "FAULT"
    TIMEOUT = "TIMEOUT"
    GUARD_TRIPPED = "GUARD_TRIPPED"  # an implementation was caught not doing the work itself
    DEVICE_LOST = "DEVICE_LOST"
    HARNESS_ERROR = "HARNESS_ERROR"  # the suite or a leg broke, whatever the kernel is
    WAIVED = "WAIVED"
    BAD_INPUT = "BAD_INPUT"  # does not compile, no such kernel, wrong arguments, broken case file
    UNCOMPARED = "UNCOMPARED"  # ran, but no two independent legs could be compared


_SEVERITY = (
    Verdict.GUARD_TRIPPED,
    Verdict.FAIL,
    Verdict.ORACLE_SPLIT,
    Verdict.DIFFER,
    Verdict.HARNESS_ERROR,
    Verdict.DEVICE_LOST,
    Verdict.BAD_INPUT,
    Verdict.FAULT,
    Verdict.TIMEOUT,
    Verdict.UNDEFINED,
    Verdict.ORDER_DEPENDENT,
    Verdict.UNCOMPARED,
    Verdict.UNSUPPORTED,
    Verdict.WARP_SIZE_DEPENDENT,
    Verdict.WAIVED,
    Verdict.PASS,
)

DISAGREE = frozenset({Verdict.FAIL, Verdict.DIFFER, Verdict.ORACLE_SPLIT, Verdict.GUARD_TRIPPED})
"""Verdicts that say an implementation is wrong: exit code 1."""

WAIVABLE = frozenset({Verdict.FAIL, Verdict.DIFFER, Verdict.ORACLE_SPLIT, Verdict.DEVICE_LOST})
"""What a waiver may stand in for; never a harness error, never a tripped guard."""

FINE = frozenset({Verdict.PASS, Verdict.WAIVED, Verdict.WARP_SIZE_DEPENDENT})
"""Verdicts that do not fail a run (a warp-size dependent launch was compared among legs of 32)."""


@dataclass(frozen=True)
class Ruling:
    """A verdict with what belongs to it.

    ``blame`` are leg keys (FAIL: who is alone; DIFFER and ORACLE_SPLIT: who disagrees). ``declared``
    is true if the case says itself that this is what happens.
    """

    verdict: Verdict
    reason: str = ""
    blame: tuple[str, ...] = ()
    declared: bool = False
    url: str = ""
    expires: str = ""

    @property
    def fine(self) -> bool:
        """True if nothing is wrong."""
        return self.declared or self.verdict in FINE

    def __str__(self) -> str:
        inner = {
            Verdict.FAIL: ", ".join(self.blame),
            Verdict.DIFFER: ", ".join(self.blame),
            Verdict.ORACLE_SPLIT: ", ".join(self.blame),
            Verdict.WAIVED: f"{self.url}, {self.expires}",
            Verdict.PASS: "",
        }.get(self.verdict, self.reason)
        return f"{self.verdict.value}({inner})" if inner else self.verdict.value

    def to_json(self) -> dict[str, Any]:
        """The fields of docs/results.md; empty ones are left out."""
        out: dict[str, Any] = {"verdict": self.verdict.value}
        if self.reason:
            out["reason"] = self.reason
        if self.blame:
            out["blame"] = list(self.blame)
        if self.declared:
            out["declared"] = True
        if self.url:
            out |= {"url": self.url, "expires": self.expires}
        return out

    @staticmethod
    def from_json(raw: dict[str, Any]) -> Ruling:
        """The inverse of :meth:`to_json`."""
        return Ruling(
            Verdict(raw["verdict"]),
            raw.get("reason", ""),
            tuple(raw.get("blame", ())),
            raw.get("declared", False),
            raw.get("url", ""),
            raw.get("expires", ""),
        )


def worst(rulings: Sequence[Ruling]) -> Ruling:
    """The ruling that stands for several: the gravest that is not fine, else the gravest."""
    if not rulings:
        return Ruling(Verdict.UNCOMPARED, "nothing was run")
    return min(rulings, key=lambda r: (r.fine, _SEVERITY.index(r.verdict)))


def exit_code(rulings: Sequence[Ruling]) -> int:
    """Exit code of a run over the rulings of all its launches (and of broken cases).

    1 if any disagrees, else 2 if any was bad input or could not be judged, or there was none; else 0.
    """
    if any(ruling.verdict in DISAGREE for ruling in rulings):
        return 1
    return 0 if rulings and all(ruling.fine for ruling in rulings) else 2


# --------------------------------------------------------------------------------------------------
# Votes


@dataclass(frozen=True)
class Voter:
    """One leg's run of a launch: its key, and the family of implementations that it belongs to.

    Runs of one family share code, so they count once while they agree. ``toolchain`` tells runs of
    the same implementation apart that differ only in what compiled the kernel.
    """

    key: str
    family: str
    toolchain: str = ""
    implementation: str = ""


T = TypeVar("T")


def grouped(items: Sequence[T], same: Callable[[T, T], bool]) -> list[list[T]]:
    """Items put together with the first group whose first member is the ``same``."""
    groups: list[list[T]] = []
    for item in items:
        for group in groups:
            if same(group[0], item):
                group.append(item)
                break
        else:
            groups.append([item])
    return groups


def rule(groups: Sequence[Sequence[Voter]]) -> Ruling:
    """The verdict over groups of voters; those in one group agree.

    A group weighs as many votes as families are in it. One group of at least two families: PASS. One
    implementation in two groups, apart only by toolchain: ORACLE_SPLIT. A group with more than half
    of all votes, and at least two, stands against the others: FAIL. Else DIFFER.
    """
    weights = [len({voter.family for voter in group}) for group in groups]
    if len(groups) <= 1:
        if weights and weights[0] >= 2:
            return Ruling(Verdict.PASS)
        ran = ", ".join(voter.key for group in groups for voter in group)
        reason = f"only {ran} ran: nothing to compare with" if ran else "no leg ran"
        return Ruling(Verdict.UNCOMPARED, reason)
    split = _split(groups)
    if split:
        return Ruling(Verdict.ORACLE_SPLIT, f"{' and '.join(split)} disagree", split)
    best = max(range(len(groups)), key=lambda at: weights[at])
    if weights[best] >= 2 and 2 * weights[best] > sum(weights):
        alone = tuple(v.key for at, group in enumerate(groups) if at != best for v in group)
        agreed = ", ".join(voter.key for voter in groups[best])
        return Ruling(Verdict.FAIL, f"against {agreed}", alone)
    sides = " | ".join(", ".join(voter.key for voter in group) for group in groups)
    return Ruling(Verdict.DIFFER, sides, tuple(v.key for group in groups for v in group))


def _split(groups: Sequence[Sequence[Voter]]) -> tuple[str, ...]:
    """Keys of one implementation's runs that disagree although only the toolchain differs."""
    seen: dict[str, tuple[int, Voter]] = {}
    for at, group in enumerate(groups):
        for voter in group:
            if not voter.implementation:
                continue
            before = seen.setdefault(voter.implementation, (at, voter))
            if before[0] != at and before[1].toolchain != voter.toolchain:
                return before[1].key, voter.key
    return ()
