"""What a run was asked to do, and the legs and settings that a worker holds."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from conformance.waivers import Waiver
from oracles.api import Launch, Options
from oracles.registry import EXPECTED, BrokenLeg, Leg, load

WARP = 32
"""Lanes of a warp on a real GPU, at which the main run of the ``ptx`` leg is done."""

MACHINE_WARP = 4
"""Lanes of the machine's warps; results that change between the two are not portable."""

GATE = "ptx"
"""The leg that says whether a launch is defined at all."""

_TRUST = (EXPECTED, GATE, "hardware", "native", "reference")


@dataclass(frozen=True)
class RunConfig:
    """Settings of a run; everything that changes what is recorded is here."""

    legs: tuple[str, ...]
    specs: tuple[str, ...] = ("seed",)
    compilers: tuple[str, ...] = ("clang",)
    events: bool = True
    schedules: int = 2
    step_limit: int | None = None
    wall_limit_s: float = 20.0
    case_limit_s: float = 120.0
    cache: bool = True
    waivers: tuple[Waiver, ...] = ()

    def signature(self) -> dict[str, Any]:
        """What must be the same for ``--resume`` to go on, as JSON values."""
        out = asdict(self)
        for key in ("cache", "waivers", "case_limit_s"):
            del out[key]
        return {key: list(value) if isinstance(value, tuple) else value for key, value in out.items()}

    def options(self, launch: Launch, step_limit: int | None, **changes: Any) -> Options:
        """Options for one run. Without a stated limit, big launches get fewer steps a thread."""
        threads = launch.blocks * launch.threads_per_block
        steps = step_limit or self.step_limit or max(10_000, min(100_000, 2_000_000 // threads))
        return Options(step_limit=steps, wall_limit_s=self.wall_limit_s, **changes)


def trust(name: str) -> int:
    """Rank of a leg, lower is better trusted: decides whose values are called wanted."""
    return _TRUST.index(name) if name in _TRUST else len(_TRUST)


class UnknownSpec(ValueError):
    """A machine spec that a leg does not have; the message lists those there are."""


@dataclass
class Context:
    """What a worker holds for a whole run. ``gate`` is None if the ptx leg cannot run here."""

    config: RunConfig
    legs: list[Leg]
    gate: Leg | None

    @staticmethod
    def build(config: RunConfig) -> Context:
        """Load the legs; raises UnknownLeg, BrokenLeg or UnknownSpec for what was asked for."""
        legs = [load(name) for name in config.legs if name != EXPECTED]
        for leg in legs:
            unknown = [spec for spec in config.specs if leg.specs and spec not in leg.specs]
            if unknown:
                known = ", ".join(leg.specs)
                raise UnknownSpec(f"leg {leg.name!r} has no spec {unknown[0]!r}; there are: {known}")
        gate = next((leg for leg in legs if leg.name == GATE), None)
        if gate is None:
            try:
                gate = load(GATE)
            except BrokenLeg:
                gate = None
        if gate is not None and gate.oracle.available() is not None:
            gate = None
        return Context(config, sorted(legs, key=lambda leg: trust(leg.name)), gate)

    @property
    def expected(self) -> bool:
        """True if stated values are compared."""
        return EXPECTED in self.config.legs

    def selected(self, leg: Leg) -> bool:
        """True if the leg's results count, false for a gate that was not asked for."""
        return any(leg is mine for mine in self.legs)
