"""Finds legs through the entry-point group ``conformance.oracles``."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from oracles.api import Oracle, Report
from qwengpu.spec import SPECS

GROUP = "conformance.oracles"

EXPECTED = "expected"
"""The leg of stated values; it is built from a case and has no entry point."""

_BUILT_IN = {
    "ptx": "oracles.ptx:oracle",
    "reference": "oracles.reference:oracle",
    "native": "oracles.native:oracle",
}
"""This project's own entry points, for a checkout that was not installed."""

DEFAULT = ("ptx", "reference", "native", EXPECTED)
"""The legs that run when none are named: those that need no GPU."""


class UnknownLeg(ValueError):
    """No such leg; the message lists those there are."""


class BrokenLeg(RuntimeError):
    """A leg whose package cannot be imported or whose factory does not give an Oracle."""


@dataclass(frozen=True)
class Leg:
    """A loaded oracle with the traits that the runner needs.

    An oracle may state them as attributes; the defaults suit a plugged-in PTX implementation:
    ``family`` (default: its name) -- runs of one family share code and count once in a vote;
    ``warp_size`` (32) -- lanes of a warp, what it is compared at; ``specs`` (none) -- the machine
    specs it takes, each run apart; ``needs_defined`` (false) -- run only what was found defined.
    """

    name: str
    oracle: Oracle
    family: str
    warp_size: int
    specs: tuple[str, ...]
    needs_defined: bool

    @property
    def reports(self) -> frozenset[Report]:
        """What the leg can report."""
        return self.oracle.reports


@dataclass(frozen=True)
class LegState:
    """One row of ``conformance doctor``: ``problem`` is None if the leg can run here."""

    name: str
    origin: str
    problem: str | None
    reports: tuple[str, ...] = ()


def leg_names() -> tuple[str, ...]:
    """Every leg that can be asked for by name."""
    return tuple(dict.fromkeys([*_BUILT_IN, *(e.name for e in _entries()), EXPECTED]))


def load(name: str) -> Leg:
    """The leg of that name, or of an import path ``package.module:callable``.

    Raises UnknownLeg or BrokenLeg.
    """
    if ":" in name:
        return _leg(None, name, lambda: _import(name))
    for entry in _entries():
        if entry.name == name:
            return _leg(name, entry.value, entry.load)
    if name in _BUILT_IN:
        return _leg(name, _BUILT_IN[name], lambda: _import(_BUILT_IN[name]))
    close = difflib.get_close_matches(name, leg_names(), n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    raise UnknownLeg(f"unknown leg {name!r}{hint}; there are: {', '.join(leg_names())}")


def survey() -> list[LegState]:
    """Every leg with what it lacks here; a leg that cannot be imported is a row too."""
    return [_state(name) for name in leg_names() if name != EXPECTED]


def available() -> tuple[str, ...]:
    """The default legs that can run here."""
    problems = {state.name: state.problem for state in survey()}
    return tuple(name for name in DEFAULT if problems.get(name) is None)


def _entries() -> list[EntryPoint]:
    return sorted(entry_points(group=GROUP), key=lambda entry: entry.name)


def _import(path: str) -> Any:
    module, _, attribute = path.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _leg(name: str | None, origin: str, get: Callable[[], Any]) -> Leg:
    label = name or origin
    try:
        oracle = get()()
    except Exception as error:  # outer boundary: another package's import-time code
        raise BrokenLeg(f"leg {label!r} ({origin}) cannot be loaded: {_one_line(error)}") from error
    if not isinstance(oracle, Oracle):
        raise BrokenLeg(f"leg {label!r} ({origin}) is no Oracle (oracles.api): {type(oracle).__name__}")
    machine = oracle.name == "reference"
    return Leg(
        name=name or oracle.name,
        oracle=oracle,
        family=getattr(oracle, "family", name or oracle.name),
        warp_size=getattr(oracle, "warp_size", SPECS["seed"].lanes if machine else 32),
        specs=tuple(getattr(oracle, "specs", SPECS if machine else ())),
        needs_defined=getattr(oracle, "needs_defined", oracle.name in ("native", "hardware")),
    )


def _state(name: str) -> LegState:
    origin = next((e.value for e in _entries() if e.name == name), _BUILT_IN.get(name, ""))
    try:
        leg = load(name)
        problem = leg.oracle.available()
    except BrokenLeg as error:
        return LegState(name, origin, str(error))
    except Exception as error:  # outer boundary: another package's check of its own needs
        return LegState(name, origin, f"its own check failed: {_one_line(error)}")
    return LegState(name, origin, problem, tuple(sorted(report.value for report in leg.reports)))


def _one_line(error: BaseException) -> str:
    text = (str(error).splitlines() or [""])[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
