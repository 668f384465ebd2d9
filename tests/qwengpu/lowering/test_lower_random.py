"""Packing, allocation and emission keep what a program does: random MIR against its ROM blocks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from packing_model import default_rows, difference
from packing_strategies import mir_functions

from qwengpu.lowering.lower import lower_mir
from qwengpu.lowering.mir import MFunction
from qwengpu.program import Program
from qwengpu.spec import SEED, Spec

ROOM = replace(SEED, name="room", blocks=256)
DEEP = replace(
    ROOM, name="deep", levels=("xa", "ll", "xa", "ma", "xa", "ll", "ma", "xa"), read_ports=6, live_outs=6
)
FLAT = replace(ROOM, name="flat", levels=("xlm",))
THIN = replace(ROOM, name="thin", levels=("x", "l", "m", "x"), live_outs=1)
"""Pipelines: the seed's, a deeper one, no chaining at all, one slot a level and one live-out."""

relaxed = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def assert_same(function: MFunction, spec: Spec) -> Program:
    program = lower_mir(function, spec)
    found = difference(function, program, default_rows)
    assert found is None, found
    return program


@pytest.mark.parametrize("spec", [ROOM, DEEP, THIN], ids=lambda spec: spec.name)
@given(function=mir_functions())
@relaxed
def test_random_functions_keep_their_meaning(spec: Spec, function: MFunction) -> None:
    assert_same(function, spec)


@given(function=mir_functions(serials=False))
@relaxed
def test_a_pipeline_without_chaining(function: MFunction) -> None:
    assert_same(function, FLAT)
