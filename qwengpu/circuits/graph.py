"""What needs what: the netlist's nodes in an order in which each comes after all that it reads."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from qwengpu.circuits.errors import CircuitError
from qwengpu.circuits.forms import Form, Raw
from qwengpu.circuits.netlist import Collect, Definition, Feature, Netlist, Neurons, ReadBit, Unit


class Part(enum.Enum):
    """Which part of the model computes a node."""

    EMBEDDING = "embedding"
    HEADS = "heads"
    MLP = "mlp"


@dataclass(frozen=True)
class Node:
    """What is computed in one place: a feature, a wire of an MLP, or a group of heads.

    ``wires``: signal indices of the wires it defines. ``inputs``: of the wires it reads. A group of heads
    is everything that must share a Gated DeltaNet layer: ``memories``, ``units`` (signal indices) and the
    collected wires that read them.
    """

    part: Part
    name: str
    wires: tuple[int, ...]
    inputs: tuple[int, ...]
    memories: tuple[int, ...] = ()
    units: tuple[int, ...] = ()


@dataclass(frozen=True)
class Graph:
    """Nodes in topological order; ``node_of[i]``: which node defines signal i (None: an unused raw)."""

    nodes: tuple[Node, ...]
    node_of: tuple[int | None, ...]


def form_inputs(forms: Iterable[Form]) -> tuple[int, ...]:
    """Indices of every signal that the forms read, ascending."""
    return tuple(sorted({signal.index for form in forms for signal, _ in form.terms}))


@lru_cache(maxsize=32)
def graph(netlist: Netlist) -> Graph:
    """The netlist's graph.

    Raises CircuitError, with the names along it, if a signal needs itself within one token.
    """
    nodes = [*_wire_nodes(netlist), *_head_nodes(netlist)]
    defined = {wire: number for number, node in enumerate(nodes) for wire in node.wires}
    order = _topological(nodes, defined)
    place = {old: new for new, old in enumerate(order)}
    node_of = tuple(
        place[defined[index]] if index in defined else None for index in range(len(netlist.signals))
    )
    return Graph(tuple(nodes[number] for number in order), node_of)


def _wire_nodes(netlist: Netlist) -> Iterator[Node]:
    for signal, definition in zip(netlist.signals, netlist.definitions, strict=True):
        match definition:
            case Feature():
                yield Node(Part.EMBEDDING, signal.name, (signal.index,), ())
            case Neurons(neurons):
                reads = form_inputs(form for neuron in neurons for form in (neuron.gate, neuron.up))
                yield Node(Part.MLP, signal.name, (signal.index,), reads)
            case _:
                pass


def _head_nodes(netlist: Netlist) -> Iterator[Node]:
    """Memories and units, joined where one collected wire reads both."""
    joined = _Sets()
    collects: list[tuple[int, str | int]] = []
    for memory in netlist.memories:
        joined.find(f"memory {memory.index}")
    for signal, definition in zip(netlist.signals, netlist.definitions, strict=True):
        if isinstance(definition, Collect):
            keys = [_head_key(raw, netlist.definitions[raw.index]) for raw, _ in definition.form.terms]
            if not keys:
                keys = [f"nothing {signal.index}"]
            for key in keys:
                joined.join(keys[0], key)
            collects.append((signal.index, keys[0]))
    members: dict[str | int, list[str | int]] = defaultdict(list)
    for key in joined.members():
        members[joined.find(key)].append(key)
    wires: dict[str | int, list[int]] = defaultdict(list)
    for wire, key in collects:
        wires[joined.find(key)].append(wire)
    for root, keys in members.items():
        yield _head_node(netlist, keys, wires[root])


def _head_node(netlist: Netlist, keys: list[str | int], wires: list[int]) -> Node:
    memories = tuple(sorted(int(key.split()[1]) for key in keys if isinstance(key, str) and key[0] == "m"))
    units = tuple(sorted(key for key in keys if isinstance(key, int)))
    forms = [form for memory in memories for form in netlist.memories[memory].inputs()]
    for unit in units:
        definition = netlist.definitions[unit]
        if isinstance(definition, Unit):
            forms.append(definition.form)
    names = [netlist.memories[memory].name for memory in memories] or [netlist.signals[wires[0]].name]
    return Node(Part.HEADS, names[0], tuple(wires), form_inputs(forms), memories, units)


def _head_key(raw: object, definition: Definition) -> str | int:
    if isinstance(definition, ReadBit):
        return f"memory {definition.memory}"
    if isinstance(definition, Unit) and isinstance(raw, Raw):
        return raw.index
    raise CircuitError(f"{raw!r} is collected, but is no head's raw signal")


class _Sets:
    """Disjoint sets, in the order of their first members."""

    def __init__(self) -> None:
        self._parent: dict[str | int, str | int] = {}

    def members(self) -> list[str | int]:
        return list(self._parent)

    def find(self, key: str | int) -> str | int:
        self._parent.setdefault(key, key)
        root = key
        while self._parent[root] != root:
            root = self._parent[root]
        while self._parent[key] != root:
            self._parent[key], key = root, self._parent[key]
        return root

    def join(self, one: str | int, other: str | int) -> None:
        first, second = self.find(one), self.find(other)
        if first != second:
            self._parent[second] = first


def _topological(nodes: list[Node], defined: dict[int, int]) -> list[int]:
    """Node numbers, each after those it needs; ties in the order given."""
    needs = [sorted({defined[wire] for wire in node.inputs if wire in defined}) for node in nodes]
    state = [0] * len(nodes)  # 0 new, 1 open, 2 done
    order: list[int] = []
    for start in range(len(nodes)):
        if state[start]:
            continue
        stack = [(start, iter(needs[start]))]
        state[start] = 1
        while stack:
            number, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                state[number] = 2
                order.append(number)
                stack.pop()
            elif state[following] == 1:
                path = [nodes[open_number].name for open_number, _ in stack]
                names = " <- ".join([*path[path.index(nodes[following].name) :], nodes[following].name])
                raise CircuitError(f"a signal needs itself within one token: {names}")
            elif state[following] == 0:
                state[following] = 1
                stack.append((following, iter(needs[following])))
    return order
