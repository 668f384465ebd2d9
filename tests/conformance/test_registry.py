"""Legs by entry point: known, unknown, broken."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import conformance_fakes
import pytest

from oracles import registry
from oracles.api import Launch, Module, Options, Status
from oracles.expected import Expected


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [
        EntryPoint("tiny", "conformance_fakes:good_native", registry.GROUP),
        EntryPoint("broken", "no_such_package:oracle", registry.GROUP),
        EntryPoint("sick", "conformance_fakes:sick", registry.GROUP),
        EntryPoint("ptx", "conformance_fakes:good_ptx", registry.GROUP),
        EntryPoint("reference", "conformance_fakes:good_reference", registry.GROUP),
        EntryPoint("native", "conformance_fakes:absent", registry.GROUP),
    ]

    def sick() -> conformance_fakes.Fake:
        leg = conformance_fakes.Fake("sick")
        leg.available = lambda: 1 // 0  # type: ignore[method-assign, return-value, assignment]
        return leg

    monkeypatch.setattr(registry, "entry_points", lambda group: made)
    monkeypatch.setattr(conformance_fakes, "sick", sick, raising=False)
    absent = conformance_fakes.Fake("native", missing="no compiler: pip install one")
    monkeypatch.setattr(conformance_fakes, "absent", lambda: absent, raising=False)


@pytest.mark.usefixtures("entries")
def test_a_plugged_in_leg_is_found() -> None:
    leg = registry.load("tiny")
    assert (leg.name, leg.warp_size, leg.specs) == ("tiny", 32, ())
    assert set(registry.leg_names()) == {"ptx", "reference", "native", "tiny", "broken", "sick", "expected"}
    assert registry.load("reference").specs == ("seed", "wide")


@pytest.mark.usefixtures("entries")
def test_broken_legs_are_rows_and_errors_only_if_asked_for() -> None:
    states = {state.name: state for state in registry.survey()}
    assert states["tiny"].problem is None
    assert "cannot be loaded: ModuleNotFoundError" in (states["broken"].problem or "")
    assert "its own check failed: ZeroDivisionError" in (states["sick"].problem or "")
    assert states["native"].problem == "no compiler: pip install one"
    assert registry.available() == ("ptx", "reference", "expected")
    with pytest.raises(registry.BrokenLeg):
        registry.load("broken")
    with pytest.raises(registry.UnknownLeg, match="did you mean 'tiny'"):
        registry.load("tinyy")


def test_stated_values_leave_other_buffers_unchanged() -> None:
    launch = Launch("k", (1, 1, 1), (1, 1, 1), ())
    assert Expected({}).run(Module("", "m"), launch, Options()).buffers == ()
    with pytest.raises(ValueError, match="not a valid FaultKind"):
        Expected(fault="boom").run(Module("", "m"), launch, Options())
    assert Expected(fault="timeout").run(Module("", "m"), launch, Options()).status is Status.TIMEOUT
    assert Expected(fault="trap").run(Module("", "m"), launch, Options()).status is Status.FAULT
