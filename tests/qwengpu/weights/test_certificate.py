"""The certificate: what it proves, and that it refuses what would be wrong."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from sample_circuits import SAMPLES, adder, lookback, multiplier

from qwengpu.circuits import Circuit, form, gates
from qwengpu.weights import STANDALONE, CompileError, compile_circuit
from qwengpu.weights.reads import read_constants


def one_wire(make, values):
    c = Circuit("one", len(values))
    c.keep(make(c, c.feature("x", values)))
    return c.build()


def test_every_sample_is_exact_in_float32_and_prints():
    for make in SAMPLES.values():
        certificate = compile_circuit(make().netlist).certificate
        assert certificate.dtypes["float32"] == "exact"
        assert max(worst.bits for worst in certificate.worst) < 24
        assert "float32: exact" in str(certificate)
        json.dumps(certificate.as_json())


def test_a_row_of_mixed_granularity_is_refused():
    """The trap: a remainder from thresholds adds up multiples of 2**12 and wants units."""

    def remainder(c, x):
        terms = [(1, x, 1)]
        for multiple in range(1 << 12, 1 << 18, 1 << 12):
            terms += gates.at_least_terms(x, multiple, -(1 << 12))
        return c.neurons(terms, "remainder", 0, (1 << 12) - 1)

    with pytest.raises(CompileError, match=r"remainder can add up to .* in units of 1, which is 2\*\*3[0-9]"):
        compile_circuit(one_wire(remainder, [0, 1, (1 << 18) - 1]))


def test_granularity_allows_large_multiples():
    netlist = one_wire(lambda c, x: c.neurons([(1 << 18, x, 1)], "large"), [0, 1, 255])
    certificate = compile_circuit(netlist).certificate
    worst = max(certificate.worst, key=lambda found: found.partial_sum)
    assert (worst.partial_sum, worst.granularity) == (255 * 2**18, 2**18)


def test_a_product_too_large_is_refused():
    with pytest.raises(CompileError, match=r"product: hidden unit 0 can add up to .* 2\*\*26"):
        compile_circuit(one_wire(lambda c, x: c.neurons([(1, x, x)], "square"), [0, 1, (1 << 13) - 1]))


def test_data_that_would_disturb_the_norm_are_refused():
    with pytest.raises(CompileError, match=r"input_layernorm: the data's squares can add up to 2\*\*80"):
        compile_circuit(one_wire(lambda c, x: c.neurons([(1, x, 1)], "copy"), [0, 1 << 40]))
    netlist = one_wire(lambda c, x: c.neurons([(1, x, 1)], "copy"), [0, 1 << 23])
    compile_circuit(netlist)
    with pytest.raises(CompileError, match="raise the target's norm_exponent"):
        compile_circuit(netlist, replace(STANDALONE, norm_exponent=30))


def test_a_head_column_too_large_for_a_chunk_is_refused():
    with pytest.raises(
        CompileError, match=r"column 0 can be 131072; a chunk of 64 tokens is exact below 131072"
    ):
        compile_circuit(one_wire(lambda c, x: c.tap(x, 1), [0, 1 << 17]))


def test_dtypes_are_told_apart():
    def dtypes(sample):
        return compile_circuit(sample().netlist).certificate.dtypes

    bits = dtypes(SAMPLES["shifter"])
    assert (bits["bfloat16"], bits["tf32"]) == ("exact", "exact")
    assert "overflows" in bits["float16"]
    sums = dtypes(adder)
    assert "can need" in sums["tf32"] or "significant bits" in sums["tf32"]
    assert dtypes(multiplier)["bfloat16"] != "exact"
    assert dtypes(lookback)["bfloat16"] == "exact"


def test_stated_bounds_are_counted():
    c = Circuit("stated", 4)
    a, b = (c.feature(f"b{i}", lambda t, i=i: t >> i & 1) for i in range(2))
    c.keep(gates.lxor(c, a, b), c.linear(a + b), gates.land(c, a, 1 - form(b)))
    certificate = compile_circuit(c.build()).certificate
    assert (certificate.stated_bounds, certificate.derived_bounds) == (1, 4)


@pytest.mark.parametrize(("dk", "dv"), [(64, 64), (16, 64), (128, 128), (32, 32)])
def test_reads_round_to_the_integer(dk, dv):
    constants = read_constants(dk, dv)
    assert (constants.error == 0) == (dk in (16, 64))
    assert -(2.0**-25) < constants.error < 2.0**-24
    assert constants.gate >= 32
