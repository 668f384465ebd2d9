"""The published sizes: corpus kernels' traces token by token, and what the circuit costs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from gpu_kit import machine, replay

from conformance.cases import discover
from conformance.cli.qwengpu_inputs import Source, compile_source, entry_of
from oracles.api import Options
from oracles.reference.leg import ReferenceOracle
from oracles.reference.machine import Machine
from qwengpu.gpu.build import gpu_circuit
from qwengpu.spec import SEED
from qwengpu.tokens import vocabulary

KERNELS = ("control/dot3", "algorithms/dot_shared", "grid/block_index_3d", "warp/ballot_compact")


def test_a_payload_that_taps_do_not_reach_is_refused() -> None:
    with pytest.raises(ValueError, match="payloads of 8 bits"):
        gpu_circuit(replace(SEED, name="narrow", payload_bits=6))


@pytest.mark.parametrize("name", KERNELS)
def test_corpus_kernels(name: str) -> None:
    case = next(iter(discover([name]).cases))
    module = compile_source(Source(Path(case.kernel_file).name, case.language, case.text), "clang")
    launch = case.launches[0].launch
    launch = replace(launch, kernel=entry_of(module, launch.kernel))
    _, ids = ReferenceOracle().prompt(module, launch, Options())
    reference = Machine(SEED)
    reference.feed(ids)
    trace = reference.run()
    assert trace.tokens[-1] == vocabulary(SEED).size - 1
    assert replay(machine("seed")[1], ids, trace.tokens) is None
