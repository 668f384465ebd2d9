"""Checks of a finished netlist: kinds of signals, ranges, no signal that needs itself."""

from __future__ import annotations

from collections.abc import Iterator

from qwengpu.circuits.errors import CircuitError
from qwengpu.circuits.forms import Form, Raw, Signal, Wire
from qwengpu.circuits.graph import graph
from qwengpu.circuits.netlist import Collect, Definition, Feature, Memory, Netlist, Neurons, ReadBit, Unit


def check_netlist(netlist: Netlist) -> None:
    """Raises CircuitError, naming the signal or memory, unless the netlist is well formed."""
    names = [signal.name for signal in netlist.signals]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise CircuitError(f"two signals are called {twice}")
    known = set(map(id, netlist.signals))
    for where, form, kind in _uses(netlist):
        for signal, _ in form.terms:
            if id(signal) not in known:
                raise CircuitError(f"{where}: {signal.name} belongs to another circuit")
            if not isinstance(signal, kind):
                found = "a head's raw signal" if isinstance(signal, Raw) else "a wire"
                raise CircuitError(f"{where} reads {signal.name}, which is {found}")
    for signal in netlist.signals:
        if signal.lo > signal.hi:
            raise CircuitError(f"{signal.name}: its range {signal.lo}..{signal.hi} is empty")
    for memory in netlist.memories:
        _check_memory(memory)
    if len(netlist.logits) != netlist.vocabulary:
        raise CircuitError(f"{len(netlist.logits)} logits for {netlist.vocabulary} tokens")
    graph(netlist)


def _uses(netlist: Netlist) -> Iterator[tuple[str, Form, type[Signal]]]:
    for signal, definition in zip(netlist.signals, netlist.definitions, strict=True):
        yield from ((signal.name, form, kind) for form, kind in _read_by(definition))
    for memory in netlist.memories:
        yield from ((f"memory {memory.name}", form, Wire) for form in memory.inputs())
    yield from ((f"logit {token}", score, Wire) for token, score in enumerate(netlist.logits))


def _read_by(definition: Definition) -> Iterator[tuple[Form, type[Signal]]]:
    match definition:
        case Neurons(neurons):
            for neuron in neurons:
                yield from ((neuron.gate, Wire), (neuron.up, Wire))
        case Collect(form):
            yield form, Raw
        case Unit(form):
            yield form, Wire
        case Feature() | ReadBit():
            pass


def _check_memory(memory: Memory) -> None:
    if len(memory.write.data) != memory.width:
        raise CircuitError(f"memory {memory.name}: width {memory.width}, {len(memory.write.data)} data")
    for datum in memory.write.data:
        if datum.form.hi > memory.high:
            raise CircuitError(
                f"memory {memory.name}: {datum.form} can be {datum.form.hi}, above {memory.high}"
            )
    for place in (memory.write.address, *memory.reads):
        if len(place.rows) != memory.rows:
            raise CircuitError(f"memory {memory.name}: {memory.rows} rows, an address has {len(place.rows)}")
        for select in place.rows:
            if select.hi > 1:
                raise CircuitError(f"memory {memory.name}: a row's select can be {select.hi}: {select}")
