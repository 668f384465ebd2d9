"""The compiled weights on the stock modules: every wire equals the evaluator's integer, cell by cell.

torch and transformers are an optional part of an installation (only the weights leg needs them), so these
tests are skipped where they are missing.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from sample_circuits import GO, HALT, SAMPLES, up_and_down  # noqa: E402

from qwengpu.circuits import Evaluator  # noqa: E402
from qwengpu.weights import QWEN35_2B, STANDALONE, compile_circuit  # noqa: E402
from qwengpu.weights.stock import read_memory, residuals, stock_model, wire_differences  # noqa: E402

TARGETS = {
    "standalone": STANDALONE,
    "tight": replace(STANDALONE, name="tight", neurons=150, value_heads=8, norm_exponent=45),
    "grouped": replace(STANDALONE, name="grouped", group=2),
    "base heads": replace(QWEN35_2B, hidden=320, intermediate=1024),
}
"""The published base's heads and constants, in a smaller hidden size so that a test stays small."""


PAIRS = [
    (name, target)
    for name in SAMPLES
    for target in TARGETS
    if name not in ("wide_memory", "lookback") or target != "base heads"  # integers: refused there
    if name != "wide_memory" or target != "tight"  # 12 heads: refused there
]


@pytest.mark.parametrize("steps", [False, True], ids=["prefill", "steps"])
@pytest.mark.parametrize(("name", "target"), PAIRS)
def test_every_wire_equals_the_evaluator(name, target, steps):
    netlist, tokens = SAMPLES[name]()
    compiled = compile_circuit(netlist, TARGETS[target])
    found = residuals(stock_model(compiled), tokens, steps)
    cells, wrong = wire_differences(compiled, found, Evaluator(netlist).run(tokens))
    assert not wrong, wrong[:3]
    assert cells >= len(tokens) * len(compiled.schedule.wire_steps)


def test_a_changed_weight_is_found():
    netlist, tokens = SAMPLES["adder"]()
    compiled = compile_circuit(netlist)
    model = stock_model(compiled)
    weight = model.model.layers[1].mlp.down_proj.weight
    with torch.no_grad():
        row, column = (int(place) for place in weight.nonzero()[0])
        weight[row, column] = 0
    _, wrong = wire_differences(compiled, residuals(model, tokens, False), Evaluator(netlist).run(tokens))
    assert wrong


@pytest.mark.parametrize("start", [0, 4, 8])
def test_generate_runs_the_machine_to_its_halt(start):
    netlist, _ = up_and_down()
    model = stock_model(compile_circuit(netlist), HALT)
    ids = model.generate(torch.tensor([[GO, start]]), do_sample=False, max_new_tokens=50)[0, 2:].tolist()
    assert ids == Evaluator(netlist).generate([GO, start], HALT, 50)
    assert ids[-1] == HALT and 9 in ids


@pytest.mark.parametrize("name", ["wide_memory", "adder"])
def test_memory_can_be_read_from_the_recurrent_state(name):
    netlist, tokens = SAMPLES[name]()
    compiled = compile_circuit(netlist)
    with torch.no_grad():
        cache = stock_model(compiled)(torch.tensor([tokens]), use_cache=True).cache
    evaluator = Evaluator(netlist)
    state = evaluator.start()
    evaluator.run(tokens, state)
    assert read_memory(compiled, cache, 0) == [state.memories[0]]
    assert any(any(row) for row in state.memories[0])


def test_logits_are_the_evaluators():
    netlist, tokens = SAMPLES["decoder"]()
    model = stock_model(compile_circuit(netlist))
    with torch.no_grad():
        logits = model(torch.tensor([tokens])).logits[0]
    evaluator = Evaluator(netlist)
    state = evaluator.start()
    want = [evaluator.scores(evaluator.step(state, token)) for token in tokens]
    assert logits.tolist() == want


BITS_ONLY = ("lookback", "decoder", "shifter", "up_and_down")
"""Samples whose every sum stays within 8 significant bits."""


@pytest.mark.parametrize("name", SAMPLES)
def test_bfloat16_is_exact_where_the_certificate_says_so(name):
    netlist, tokens = SAMPLES[name]()
    compiled = compile_circuit(netlist)
    model = stock_model(compiled).bfloat16()
    found = [part.float() for part in residuals(model, tokens, steps=False)]
    _, wrong = wire_differences(compiled, found, Evaluator(netlist).run(tokens))
    exact = compiled.certificate.dtypes["bfloat16"] == "exact"
    assert exact == (name in BITS_ONLY)
    assert bool(wrong) != exact, wrong[:3]
