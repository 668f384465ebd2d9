"""Pass 5, certificate: bounds of every row of every tensor, and the dtypes in which the model is exact.

A sum of integers is exact in floating point, in any order, while every partial sum is below 2**p times
their greatest common divisor (p = 24 significand bits in float32). The bound of the partial sums is the
sum of |weight| * largest |input|; inputs are the wires that occupy the channels at that step, with the
ranges that the circuit gives them. The rows are those of the emitted tensors, not of the plan.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from qwengpu.circuits.circuit import neuron_bounds
from qwengpu.circuits.netlist import Collect, Neurons
from qwengpu.weights.allocate import Allocation
from qwengpu.weights.bounds import Bounds, Channels, Rows, row_bounds
from qwengpu.weights.emit import DECAY_BIAS
from qwengpu.weights.errors import CompileError
from qwengpu.weights.heads import HeadPlan
from qwengpu.weights.reads import KEEP, SCALE, read_constants
from qwengpu.weights.shape import Shape
from qwengpu.weights.tensors import Tensors

FLOAT32, TF32, BFLOAT16 = 24, 11, 8
"""Significand bits."""
NORM_SLACK = 25
"""Data whose squares add up to less than 2**-25 of the smallest constant's square cannot change the sum."""
CHUNK = 64
"""Tokens that the chunked prefill adds up in one matrix product, so the most writes to one row in it."""


@dataclass(frozen=True)
class Worst:
    """The row of a part of a layer that comes closest to 2**24: ``bits`` = log2(partial sum / granularity)."""

    layer: int
    part: str
    row: str
    partial_sum: float
    granularity: float
    bits: float


@dataclass(frozen=True)
class Certificate:
    """What is proved of a compiled model. ``dtypes``: "exact", or why not.

    ``norm_bits``: log2 of the norm's smallest constant squared over the data's squares, which must be at least
    `NORM_SLACK`. ``stated_bounds``: wires whose range is tighter than interval arithmetic gives (the gates'
    tests and every evaluation check those). ``margin``: least distance between the best logit and the next.
    """

    worst: tuple[Worst, ...]
    norm_bits: float
    stated_bounds: int
    derived_bounds: int
    nonzeros: int
    margin: float
    dtypes: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Plain dictionaries and lists."""
        return asdict(self)

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def _lines(certificate: Certificate) -> Iterator[str]:
    for dtype, verdict in certificate.dtypes.items():
        yield f"{dtype}: {verdict}"
    yield f"norm: data energy 2**-{certificate.norm_bits:.1f} of a constant's (at most 2**-{NORM_SLACK})"
    yield f"bounds: {certificate.derived_bounds} derived, {certificate.stated_bounds} stated by gates"
    yield f"nonzeros: {certificate.nonzeros}; logit margin at least {certificate.margin:g}"
    for worst in certificate.worst:
        yield (
            f"layer {worst.layer} {worst.part}: 2**{worst.bits:.1f} in {worst.row} "
            f"(sum {worst.partial_sum:g}, granularity {worst.granularity:g})"
        )


def certify(allocation: Allocation, plan: HeadPlan, shape: Shape, tensors: Tensors) -> Certificate:
    """Bounds of every row.

    Raises CompileError, naming the row or the wire, if float32 is not proved exact.
    """
    work = _Work(allocation, plan, shape, tensors)
    work.layers()
    for found in work.found:
        if found.bits >= FLOAT32:
            raise CompileError(
                f"layer {found.layer} {found.part}: {found.row} can add up to {found.partial_sum:g} in units "
                f"of {found.granularity:g}, which is 2**{found.bits:.1f}; float32 is exact below 2**{FLOAT32}"
            )
    stated, derived = _bounds(allocation)
    return Certificate(
        tuple(work.found),
        work.norm_bits,
        stated,
        derived,
        sum(tensor.nonzeros for tensor in tensors.values()),
        1.0,
        work.verdicts(),
    )


def _bounds(allocation: Allocation) -> tuple[int, int]:
    netlist, stated = allocation.schedule.netlist, 0
    for wire in allocation.channels:
        signal, definition = netlist.signals[wire], netlist.definitions[wire]
        if isinstance(definition, Neurons):
            lo, hi = neuron_bounds(definition.neurons)
            stated += lo < signal.lo or hi > signal.hi
        elif isinstance(definition, Collect):
            stated += definition.form.lo < signal.lo or definition.form.hi > signal.hi
    return stated, len(allocation.channels) - stated


class _Work:
    """Goes through the model step by step, with the bounds of every channel."""

    def __init__(self, allocation: Allocation, plan: HeadPlan, shape: Shape, tensors: Tensors) -> None:
        self.allocation, self.plan, self.shape, self.tensors = allocation, plan, shape, tensors
        self.channels = Channels(allocation)
        self.found: list[Worst] = []
        self.norm_bits = math.inf
        self.reasons: dict[str, str] = {}

    def layers(self) -> None:
        """Every row of every layer, and the head."""
        self._weights()
        for layer, kind in enumerate(self.shape.layer_types):
            prefix = f"model.layers.{layer}"
            self._norm(layer, "input_layernorm")
            if kind == "linear_attention":
                self._heads(layer, f"{prefix}.linear_attn")
            self.channels.advance(2 * layer + 1)
            self._norm(layer, "post_attention_layernorm")
            self._mlp(layer, f"{prefix}.mlp")
            self.channels.advance(2 * layer + 2)
        layers = len(self.shape.layer_types)
        self._norm(layers, "norm")
        head = row_bounds(self.tensors["lm_head.weight"], self.channels.bounds)
        self._keep(layers, "lm_head", head, lambda token: f"token {token}")
        self._values(layers, "lm_head", head, lambda token: f"token {token}")

    def verdicts(self) -> dict[str, str]:
        """For each dtype "exact", or the reason why it is not proved."""
        return {
            "float32": "exact",
            "tf32": self.reasons.get("tf32", "exact"),
            "bfloat16": self.reasons.get("bfloat16", "exact"),
            "float16": f"overflows: the norm's constant is 2**{self.allocation.schedule.target.norm_exponent}",
        }

    # ---------------------------------------------------------------------------------- parts

    def _norm(self, layer: int, name: str) -> None:
        energy = float((self.channels.bounds.magnitude**2).sum())
        exponent = 2 * self.allocation.schedule.target.norm_exponent
        bits = exponent - math.log2(energy)
        self.norm_bits = min(self.norm_bits, bits)
        if bits < NORM_SLACK:
            raise CompileError(
                f"layer {layer} {name}: the data's squares can add up to 2**{math.log2(energy):.1f}, "
                f"not below 2**{exponent - NORM_SLACK}; raise the target's norm_exponent"
            )

    def _mlp(self, layer: int, prefix: str) -> None:
        gate = row_bounds(self.tensors[f"{prefix}.gate_proj.weight"], self.channels.bounds)
        up = row_bounds(self.tensors[f"{prefix}.up_proj.weight"], self.channels.bounds)
        hidden = gate.relu().times(up)

        def unit(number: int) -> str:
            return f"hidden unit {number}"

        self._keep(layer, "gate", gate, unit)
        self._keep(layer, "up", up, unit)
        self._product(layer, hidden)
        down = row_bounds(self.tensors[f"{prefix}.down_proj.weight"], hidden)
        down = down.plus(self.channels.bounds, self.channels.after(2 * layer + 2))
        self._keep(layer, "down", down, self._channel(2 * layer + 2))
        for part, rows in (("gate", gate), ("up", up), ("down", down)):
            self._values(layer, part, rows, unit if part != "down" else self._channel(2 * layer + 2))

    def _product(self, layer: int, hidden: Bounds) -> None:
        rows = Rows(hidden.lo, hidden.hi, hidden.granularity, hidden.magnitude)
        self._keep(layer, "product", rows, lambda number: f"hidden unit {number}")
        self._values(layer, "product", rows, lambda number: f"hidden unit {number}")

    def _heads(self, layer: int, prefix: str) -> None:
        shape = self.shape
        qkv = row_bounds(self.tensors[f"{prefix}.in_proj_qkv.weight"], self.channels.bounds)
        first = 2 * shape.key_dim

        def column(row: int) -> str:
            if row < first:
                return f"{'query' if row < shape.key_dim else 'key'} row {row % shape.key_dim}"
            return f"head {(row - first) // shape.dv} column {(row - first) % shape.dv}"

        for row in range(first):
            if qkv.hi[row] > SCALE:
                raise CompileError(f"layer {layer}: {column(row)} can exceed 1, so it would not be one-hot")
        self._keep(layer, "qkv", qkv, column)
        self._values(layer, "qkv", qkv, column)
        stored = self._columns(layer, qkv, first, column)
        for part in ("in_proj_b", "in_proj_a"):
            rows = row_bounds(self.tensors[f"{prefix}.{part}.weight"], self.channels.bounds)
            self._keep(layer, part, rows, lambda head: f"head {head}")
            self._values(layer, part, rows, lambda head: f"head {head}")
            if part == "in_proj_a" and rows.magnitude.max(initial=0) > -DECAY_BIAS * 2.0**10:
                raise CompileError(f"layer {layer}: a reset form is too large for the decay's sums to be exact")
        out = row_bounds(self.tensors[f"{prefix}.out_proj.weight"], stored)
        out = out.plus(self.channels.bounds, self.channels.after(2 * layer + 1))
        self._keep(layer, "out", out, self._channel(2 * layer + 1))
        self._values(layer, "out", out, self._channel(2 * layer + 1))

    def _columns(self, layer: int, qkv: Rows, first: int, name: Any) -> Bounds:
        """Bounds of what the gated norm gives for each value column; checks the norm's constant."""
        import numpy  # noqa: PLC0415 - as in `bounds`

        shape = self.shape
        value = numpy.maximum(qkv.hi[first:], 0) / SCALE
        value = value.reshape(shape.value_heads, shape.dv)
        value[:, -1] = 0
        for head, column in numpy.argwhere(value * CHUNK * 2 >= 2.0**FLOAT32):
            raise CompileError(
                f"layer {layer}: {name(first + head * shape.dv + column)} can be {value[head, column]:g}; "
                f"a chunk of {CHUNK} tokens is exact below {2.0**FLOAT32 / CHUNK / 2:g}"
            )
        energy = (value**2).sum(axis=1).max(initial=0)
        if energy >= 2.0 ** (2 * KEEP - NORM_SLACK):
            raise CompileError(f"layer {layer}: a value head's data outweigh its constant column")
        integers = self.allocation.schedule.target.exact_integers
        if not integers and value.max(initial=0) > 1:
            raise CompileError(f"layer {layer}: heads of {shape.dk} x {shape.dv} carry bits only, not integers")
        scale = read_constants(shape.dk, shape.dv).scale
        flat = value.reshape(-1) / scale
        return Bounds(numpy.zeros_like(flat), flat, numpy.full_like(flat, 1 / scale))

    # ---------------------------------------------------------------------------------- verdicts

    def _channel(self, step: int) -> Any:
        names = {
            self.allocation.channels[wire]: self.allocation.schedule.netlist.signals[wire].name
            for wire, when in self.allocation.schedule.wire_steps.items()
            if when == step
        }
        return lambda channel: names.get(channel, f"channel {channel}")

    def _keep(self, layer: int, part: str, rows: Rows, name: Any) -> None:
        ratio = rows.ratio()
        if not len(ratio) or ratio.max() <= 0:
            return
        row = int(ratio.argmax())
        self.found.append(
            Worst(
                layer,
                part,
                name(row),
                float(rows.magnitude[row]),
                float(rows.granularity[row]),
                math.log2(float(ratio[row])),
            )
        )

    def _values(self, layer: int, part: str, rows: Rows, name: Any) -> None:
        """Whether the results of the rows fit the narrower types, which round every result or input."""
        ratio = rows.value_ratio()
        for dtype, bits in (("tf32", TF32), ("bfloat16", BFLOAT16)):
            if dtype not in self.reasons and len(ratio) and ratio.max() > 2.0**bits:
                row = int(ratio.argmax())
                self.reasons[dtype] = (
                    f"layer {layer} {part}: {name(row)} can need 2**{math.log2(ratio[row]):.1f}"
                )

    def _weights(self) -> None:
        import numpy  # noqa: PLC0415

        for name, tensor in self.tensors.items():
            mantissa = numpy.frexp(numpy.abs(tensor.value).astype(numpy.float64))[0]
            for dtype, bits in (("tf32", TF32), ("bfloat16", BFLOAT16)):
                scaled = mantissa * 2.0**bits
                if dtype not in self.reasons and (scaled != numpy.round(scaled)).any():
                    self.reasons[dtype] = f"a weight of {name} has more than {bits} significant bits"
