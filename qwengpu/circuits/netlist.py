"""The circuit as a finished, immutable value: signals, their definitions, memories, logits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from qwengpu.circuits.forms import Form, Raw, Signal, Wire

MAX_BACK = 3
"""Furthest token that a lookback tap reaches: the model's short convolution has four taps."""


@dataclass(frozen=True)
class Feature:
    """A function of the token id, from the embedding: ``values[token]``."""

    values: tuple[int, ...]


@dataclass(frozen=True)
class Neuron:
    """coef * relu(gate) * up: one hidden unit of a SwiGLU MLP."""

    coef: int
    gate: Form
    up: Form


@dataclass(frozen=True)
class Neurons:
    """The sum of some neurons."""

    neurons: tuple[Neuron, ...]


@dataclass(frozen=True)
class Collect:
    """A linear form over `Raw` signals, without a constant: one row of a head's output projection."""

    form: Form


@dataclass(frozen=True)
class Unit:
    """relu(form), as it was ``back`` tokens ago; 0 where there is no such token."""

    form: Form
    back: int


@dataclass(frozen=True)
class ReadBit:
    """Column ``column`` of what read port ``port`` of memory ``memory`` gives."""

    memory: int
    port: int
    column: int


Definition: TypeAlias = Feature | Neurons | Collect | Unit | ReadBit


@dataclass(frozen=True)
class Address:
    """Which row is meant: ``rows[r] >= 1`` for at most one row r; no row: nothing is read or written.

    ``back``: the address of that many tokens ago (no such token: no row).
    """

    rows: tuple[Form, ...]
    back: int = 0


@dataclass(frozen=True)
class Datum:
    """relu(form) as it was ``back`` tokens ago; 0 where there is no such token."""

    form: Form
    back: int = 0


@dataclass(frozen=True)
class Write:
    """At each token whose ``enable`` is 1 or more: the addressed row becomes ``data``."""

    address: Address
    data: tuple[Datum, ...]
    enable: Form


@dataclass(frozen=True)
class Memory:
    """``rows`` rows of ``width`` integers 0...``high``, zero at the start.

    At each token: if ``reset`` is 1 or more every row becomes zero; then the write; then the reads,
    which see it. All of it is one Gated DeltaNet layer, a read port is a copy of the state.
    """

    index: int
    name: str
    rows: int
    width: int
    high: int
    write: Write
    reset: Form | None
    reads: tuple[Address, ...]

    def inputs(self) -> Iterator[Form]:
        """Every form that the layer of this memory reads."""
        yield from self.write.address.rows
        yield from (datum.form for datum in self.write.data)
        yield self.write.enable
        if self.reset is not None:
            yield self.reset
        for read in self.reads:
            yield from read.rows


@dataclass(frozen=True, eq=False)
class Netlist:
    """A finished circuit. ``definitions[i]`` defines ``signals[i]``; ``logits[t]`` scores token t.

    ``kept``: indices of wires that are computed even if nothing needs them.
    """

    name: str
    vocabulary: int
    signals: tuple[Signal, ...]
    definitions: tuple[Definition, ...]
    memories: tuple[Memory, ...]
    logits: tuple[Form, ...]
    kept: tuple[int, ...] = ()

    @property
    def wires(self) -> tuple[Wire, ...]:
        """The signals that live in the residual stream."""
        return tuple(signal for signal in self.signals if isinstance(signal, Wire))

    @property
    def raws(self) -> tuple[Raw, ...]:
        """The signals that live in a head."""
        return tuple(signal for signal in self.signals if isinstance(signal, Raw))

    def signal(self, name: str) -> Signal:
        """The signal of that name.

        Raises KeyError naming it.
        """
        for signal in self.signals:
            if signal.name == name:
                return signal
        raise KeyError(f"circuit {self.name} has no signal {name!r}")

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def _lines(netlist: Netlist) -> Iterator[str]:
    yield f"circuit {netlist.name}: {netlist.vocabulary} tokens"
    for signal, definition in zip(netlist.signals, netlist.definitions, strict=True):
        kind = "wire" if isinstance(signal, Wire) else "raw "
        yield f"{kind} {signal.name}: {signal.lo}..{signal.hi} = {_text(definition, netlist)}"
    for memory in netlist.memories:
        yield f"memory {memory.name}: {memory.rows} rows x {memory.width}, 0..{memory.high}"
        yield f"  write {_address(memory.write.address)} if {memory.write.enable} >= 1"
        yield f"  data  {', '.join(_delayed(datum.form, datum.back) for datum in memory.write.data)}"
        if memory.reset is not None:
            yield f"  reset if {memory.reset} >= 1"
        for port, read in enumerate(memory.reads):
            yield f"  read {port} {_address(read)}"
    for token, score in enumerate(netlist.logits):
        yield f"logit {token} = {score}"


def _delayed(value: Form, back: int) -> str:
    return f"relu({value})" + (f"@-{back}" if back else "")


def _address(address: Address) -> str:
    delay = f"@-{address.back}" if address.back else ""
    return f"[{'; '.join(map(str, address.rows))}]{delay}"


def _text(definition: Definition, netlist: Netlist) -> str:
    match definition:
        case Feature(values):
            shown = " ".join(map(str, values[:16])) + (" ..." if len(values) > 16 else "")
            return f"token[{shown}]"
        case Neurons(neurons):
            return " + ".join(f"{n.coef}*relu({n.gate})*({n.up})" for n in neurons) or "0"
        case Collect(value):
            return f"collect {value}"
        case Unit(value, back):
            return _delayed(value, back)
        case ReadBit(memory, port, column):
            return f"{netlist.memories[memory].name}.read{port}[{column}]"
