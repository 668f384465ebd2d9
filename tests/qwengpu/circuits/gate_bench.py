"""Runs a gate on operand vectors: vector i is the operands at token i."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qwengpu.circuits import Circuit, Wire, form
from qwengpu.circuits.graph import Part, graph
from qwengpu.circuits.netlist import Neurons
from qwengpu.circuits.simulate import Simulator

EDGES = (
    0,
    1,
    2,
    3,
    0x7F,
    0x80,
    0xFF,
    0x100,
    0xFFFF,
    0x10000,
    0x7FFFFFFF,
    0x80000000,
    0x80000001,
    0xFFFFFFFE,
    0xFFFFFFFF,
)
MASK = 0xFFFFFFFF


def run_gate(
    make: Callable[..., Sequence[Sequence[object]]], vectors: Sequence[Sequence[int]], widths: Sequence[int]
) -> list[tuple[int, ...]]:
    """Results, one tuple a vector. ``make(circuit, *words)`` gives words of forms."""
    c = Circuit("gate", len(vectors))
    words = [
        tuple(c.feature(f"i{k}.{b}", [vector[k] >> b & 1 for vector in vectors]) for b in range(width))
        for k, width in enumerate(widths)
    ]
    outs = make(c, *words)
    trace = Simulator(c.build()).run([list(range(len(vectors)))])
    columns = [trace.number([form(bit) for bit in word])[0].tolist() for word in outs]
    return list(zip(*columns, strict=True))


def cost(make: Callable[..., object], widths: Sequence[int]) -> tuple[int, int]:
    """(levels, distinct neurons) of a gate on wires of its own."""
    c = Circuit("gate", 2)
    words = [tuple(c.feature(f"i{k}.{b}", [0, 1]) for b in range(w)) for k, w in enumerate(widths)]
    make(c, *words)
    netlist = c.build()
    depth: dict[int, int] = {}
    for node in graph(netlist).nodes:
        level = max((depth[wire] for wire in node.inputs), default=0) + (node.part is not Part.EMBEDDING)
        depth.update(dict.fromkeys(node.wires, level))
    neurons = {
        (neuron.gate, neuron.up)
        for definition in netlist.definitions
        if isinstance(definition, Neurons)
        for neuron in definition.neurons
    }
    return max(depth.values()), len(neurons)


def is_wire(value: object) -> bool:
    """Whether a result is a wire."""
    return isinstance(value, Wire)


def signed(word: int) -> int:
    """A 32-bit word as a two's complement number."""
    return word - (word >> 31 << 32)
