"""A table of what every layer of a compiled circuit holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from qwengpu.weights.compiler import Compiled

NAMES = 4
"""Scopes named in a row of the table, those with the most wires first."""


class LayerRow(NamedTuple):
    """One layer: value heads and hidden units in use, channels that hold a live wire behind it, nonzero weights
    (norms left out), and which parts of the circuit it computes."""

    layer: int
    kind: str
    heads: int
    columns: int
    neurons: int
    channels: int
    nonzeros: int
    parts: str


def layer_rows(compiled: Compiled) -> Iterator[LayerRow]:
    """The layers in order."""
    schedule = compiled.schedule
    for layer, kind in enumerate(compiled.shape.layer_types):
        prefix = f"model.layers.{layer}."
        tensors = {name[len(prefix) :]: t for name, t in compiled.tensors.items() if name.startswith(prefix)}
        heads = [head for head in compiled.heads.layers[layer].heads if head] if layer < schedule.layers else []
        gate = tensors["mlp.gate_proj.weight"]
        step = 2 * layer + 2
        live = [w for w, first in schedule.wire_steps.items() if first <= step < schedule.last_uses[w]]
        scopes = Counter(
            node.name.partition(".")[0]
            for when in (step - 1, step)
            for node in schedule.at(when)
            for _ in node.wires
        )
        yield LayerRow(
            layer,
            kind.removesuffix("_attention"),
            len(heads),
            sum(len(head.columns) for head in heads),
            len(set((gate.index // gate.shape[1]).tolist())),
            len(live),
            sum(tensor.nonzeros for name, tensor in tensors.items() if "norm" not in name),
            ", ".join(name for name, _ in scopes.most_common(NAMES)),
        )


def layer_table(compiled: Compiled) -> str:
    """The layers as a Markdown table, with the embedding, the head and the sums."""
    rows = list(layer_rows(compiled))
    lines = [
        "| layer | kind | value heads | columns | hidden units | live channels | nonzeros | computes |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        *("| " + " | ".join(map(str, row)) + " |" for row in rows),
    ]
    head = compiled.tensors["lm_head.weight"].nonzeros
    total = sum(row.nonzeros for row in rows)
    shape = compiled.shape
    return "\n".join(
        [
            *lines,
            "",
            f"{len(rows)} layers, hidden size {shape.hidden}, intermediate size {shape.intermediate}, "
            f"{shape.value_heads} value heads of {shape.dk} x {shape.dv}, vocabulary {shape.vocabulary}; "
            f"multiply-adds a token: {total + head}, of which the head {head}.",
        ]
    )
