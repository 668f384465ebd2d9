"""The table of layers adds up to the tensors it describes."""

from __future__ import annotations

from sample_circuits import adder

from qwengpu.weights import compile_circuit
from qwengpu.weights.report import layer_rows, layer_table


def test_the_table_counts_what_the_tensors_hold():
    compiled = compile_circuit(adder().netlist)
    rows = list(layer_rows(compiled))
    weights = {n: t for n, t in compiled.tensors.items() if ".layers." in n and "norm" not in n}
    assert sum(row.nonzeros for row in rows) == sum(tensor.nonzeros for tensor in weights.values())
    assert [row.kind for row in rows].count("full") == 1
    assert max(row.heads for row in rows) <= compiled.shape.value_heads
    assert max(row.neurons for row in rows) <= compiled.shape.intermediate
    assert "registers" in rows[0].parts
    assert f"hidden size {compiled.shape.hidden}" in layer_table(compiled)
