"""Pass 1, schedule: which layer, and which half of it, computes each wire.

Step 0 is the embedding, step 2L + 1 the heads of layer L, step 2L + 2 its MLP. A wire can be read at every
later step. List scheduling, longest way to the output first, within what a layer holds; then nodes move
down as long as that shortens the time that wires stay in the residual stream.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from qwengpu.circuits.forms import Form
from qwengpu.circuits.graph import Graph, Node, Part, form_inputs, graph
from qwengpu.circuits.netlist import Netlist, Neurons, Unit
from qwengpu.weights.errors import CompileError, PassError
from qwengpu.weights.relus import fits_heads, relu_sum
from qwengpu.weights.shape import Target

_Key = TypeVar("_Key", bound=Hashable)

REPEATS = 3
"""Sweeps of the pass that moves nodes down."""


@dataclass(frozen=True)
class Schedule:
    """``steps[node]`` of the circuit's graph, None for a node that nothing needs."""

    netlist: Netlist
    target: Target
    steps: tuple[int | None, ...]

    @property
    def graph(self) -> Graph:
        """The circuit's graph, whose nodes ``steps`` belongs to."""
        return graph(self.netlist)

    @cached_property
    def layers(self) -> int:
        """Layers used."""
        return (max((step for step in self.steps if step is not None), default=0) + 1) // 2

    @cached_property
    def end(self) -> int:
        """The step at which the logits read."""
        return 2 * self.layers + 1

    @cached_property
    def wire_steps(self) -> Mapping[int, int]:
        """Step of every live wire, by signal index."""
        pairs = zip(self.graph.nodes, self.steps, strict=True)
        return {wire: step for node, step in pairs if step is not None for wire in node.wires}

    @cached_property
    def last_uses(self) -> Mapping[int, int]:
        """Last step that reads each live wire, by signal index."""
        uses = dict(self.wire_steps)
        for node, step in zip(self.graph.nodes, self.steps, strict=True):
            if step is not None:
                for wire in node.inputs:
                    uses[wire] = max(uses[wire], step)
        for wire in form_inputs(self.netlist.logits):
            uses[wire] = self.end
        return uses

    @cached_property
    def _by_step(self) -> Mapping[int, list[Node]]:
        found: dict[int, list[Node]] = {}
        for node, step in zip(self.graph.nodes, self.steps, strict=True):
            if step is not None:
                found.setdefault(step, []).append(node)
        return found

    def at(self, step: int) -> list[Node]:
        """The nodes of a step."""
        return self._by_step.get(step, [])

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def _lines(schedule: Schedule) -> Iterator[str]:
    unused = sum(step is None for step in schedule.steps)
    yield f"schedule of {schedule.netlist.name}: {schedule.layers} layers, {unused} nodes unused"
    for step in range(2 * schedule.layers + 1):
        nodes = schedule.at(step)
        if nodes:
            part = "embedding" if step == 0 else f"layer {(step - 1) // 2} {'heads' if step % 2 else 'mlp'}"
            yield f"{part}: {' '.join(node.name for node in nodes)}"


def make_schedule(netlist: Netlist, target: Target) -> Schedule:
    """Schedules a circuit.

    Raises CompileError if a part of it alone is larger than a layer, or it needs more layers than allowed.
    """
    work = _Work(netlist, target)
    work.place()
    for _ in range(REPEATS):
        work.sink()
    schedule = Schedule(netlist, target, tuple(work.steps))
    if target.max_layers is not None and schedule.layers > target.max_layers:
        raise CompileError(
            f"{netlist.name} needs {schedule.layers} layers, {target.name} has {target.max_layers}"
        )
    check_schedule(schedule)
    return schedule


class _Work:
    """The schedule while it is made."""

    def __init__(self, netlist: Netlist, target: Target) -> None:
        self.netlist, self.target = netlist, target
        self.nodes = graph(netlist).nodes
        self.defined = {wire: number for number, node in enumerate(self.nodes) for wire in node.wires}
        self.needs = [sorted({self.defined[wire] for wire in node.inputs}) for node in self.nodes]
        self.users: list[list[int]] = [[] for _ in self.nodes]
        for number, needs in enumerate(self.needs):
            for need in needs:
                self.users[need].append(number)
        self.final = {self.defined[wire] for wire in form_inputs(netlist.logits)}
        self.costs = [_Cost(node, netlist, target) for node in self.nodes]
        self.alive = self._alive()
        self.steps: list[int | None] = [None] * len(self.nodes)
        self.loads: dict[int, _Load] = {}

    def _alive(self) -> set[int]:
        """Nodes that the logits or a memory need, or that are to be kept."""
        alive = set(self.final) | {number for number, node in enumerate(self.nodes) if node.memories}
        alive |= {self.defined[wire] for wire in self.netlist.kept}
        for number in reversed(range(len(self.nodes))):
            if number in alive:
                alive.update(self.needs[number])
        return alive

    def _heights(self) -> list[int]:
        """Longest way from each node to an end, in steps."""
        heights = [0] * len(self.nodes)
        for number in reversed(range(len(self.nodes))):
            after = max((heights[user] for user in self.users[number] if user in self.alive), default=0)
            heights[number] = after + (1 if self.costs[number].either else 2)
        return heights

    def place(self) -> None:
        """Every live node at the first step that has room, the one with the longest way ahead first."""
        heights = self._heights()
        waiting = {n: len(self.needs[n]) for n in self.alive}
        ready = [number for number in sorted(self.alive) if not waiting[number]]
        done, step = 0, 0
        while done < len(self.alive):
            left: list[int] = []
            new: list[int] = []
            for number in sorted(ready, key=lambda n: (-heights[n], n)):
                if not self._put(number, step):
                    left.append(number)
                    continue
                done += 1
                for user in self.users[number]:
                    if user in waiting:
                        waiting[user] -= 1
                        if not waiting[user]:
                            new.append(user)
            ready = left + new
            step += 1
            if step > 4 * len(self.nodes) + 4:
                raise CompileError(f"{self.nodes[ready[0]].name} does not fit one layer of {self.target.name}")

    def _put(self, number: int, step: int) -> bool:
        cost = self.costs[number]
        if not cost.allowed(step):
            return False
        load = self.loads.setdefault(step, _Load())
        if step and not load.room(cost, step, self.target):
            return False
        load.add(cost, step)
        self.steps[number] = step
        return True

    def _take(self, number: int) -> int:
        step = self.steps[number]
        if step is None:
            raise PassError(f"{self.nodes[number].name} is not placed")
        self.loads[step].remove(self.costs[number], step)
        return step

    def sink(self) -> None:
        """Moves nodes down where that makes the sum of all wires' lives shorter."""
        last = max(step for step in self.steps if step is not None)
        reads = self._reads(last + 1)
        for number in reversed(range(len(self.nodes))):
            node = self.nodes[number]
            if number not in self.alive or node.part is Part.EMBEDDING:
                continue
            current = self._take(number)
            _move(reads, node, current, None)
            used = [step for wire in node.wires for step in reads[wire]]
            ends = self._ends(node, reads)
            latest = min([last, *(step - 1 for step in used)])
            places = [step for step in range(current, latest + 1) if self._free(number, step)]
            lives = [sum(max(0, step - end) for end in ends) - step * len(node.wires) for step in places]
            best = min(zip(lives, (-step for step in places), places, strict=True), default=(0, 0, current))[2]
            _move(reads, node, None, best)
            self.loads.setdefault(best, _Load()).add(self.costs[number], best)
            self.steps[number] = best

    def _reads(self, end: int) -> dict[int, dict[int, int]]:
        """How many live nodes read each wire at each step; ``end``: where the logits read."""
        reads: dict[int, dict[int, int]] = {wire: {} for wire in self.defined}
        for number in self.alive:
            _move(reads, self.nodes[number], None, self.steps[number])
        for wire in form_inputs(self.netlist.logits):
            reads[wire][end] = reads[wire].get(end, 0) + 1
        return reads

    def _ends(self, node: Node, reads: Mapping[int, Mapping[int, int]]) -> list[int]:
        """Until when each wire that a node reads is needed anyway."""
        starts = (self.steps[self.defined[wire]] or 0 for wire in node.inputs)
        return [max(reads[wire], default=start) for wire, start in zip(node.inputs, starts, strict=True)]

    def _free(self, number: int, step: int) -> bool:
        cost = self.costs[number]
        return cost.allowed(step) and self.loads.setdefault(step, _Load()).room(cost, step, self.target)


def _move(reads: Mapping[int, dict[int, int]], node: Node, old: int | None, new: int | None) -> None:
    """Moves a node's reads from one step to another; None: nowhere."""
    for wire in node.inputs:
        counts = reads[wire]
        if old is not None:
            counts[old] -= 1
            if not counts[old]:
                del counts[old]
        if new is not None:
            counts[new] = counts.get(new, 0) + 1


class _Cost:
    """What a node takes of a layer: hidden units of an MLP, or value heads and value columns."""

    def __init__(self, node: Node, netlist: Netlist, target: Target) -> None:
        self.part = node.part
        self.neurons: frozenset[tuple[Form, Form]] = frozenset()
        self.units: frozenset[tuple[Form, int]] = frozenset()
        self.heads = 0
        self.either = False
        if node.part is Part.MLP:
            definition = netlist.definitions[node.wires[0]]
            if isinstance(definition, Neurons):
                self.neurons = frozenset((n.gate, n.up) for n in definition.neurons)
                terms = relu_sum(definition)
                if terms is not None and fits_heads(terms, target.exact_integers):
                    self.either = True
                    self.units = frozenset((gate, 0) for _, gate in terms)
        elif node.part is Part.HEADS:
            units = (netlist.definitions[unit] for unit in node.units)
            self.units = frozenset((d.form, d.back) for d in units if isinstance(d, Unit))
            self.heads = sum(memory_heads(netlist, memory, target) for memory in node.memories)

    def allowed(self, step: int) -> bool:
        """Whether the step is of a kind that computes the node."""
        if self.part is Part.EMBEDDING:
            return step == 0
        if step == 0:
            return False
        return self.either or (step % 2 == 1) == (self.part is Part.HEADS)


def memory_heads(netlist: Netlist, index: int, target: Target) -> int:
    """Value heads of a memory, at most (columns of several memories may share one)."""
    memory = netlist.memories[index]
    copies = max(1, len(memory.reads))
    return copies * -(-memory.rows // target.dk) * -(-memory.width // target.columns)


class _Load:
    """What a step holds so far, with how often, so that nodes can be taken out again."""

    def __init__(self) -> None:
        self.neurons: dict[tuple[Form, Form], int] = {}
        self.units: dict[tuple[Form, int], int] = {}
        self.heads = 0

    def room(self, cost: _Cost, step: int, target: Target) -> bool:
        """Whether the node fits too."""
        if step % 2 == 0:
            more = sum(neuron not in self.neurons for neuron in cost.neurons)
            return len(self.neurons) + more <= target.neurons
        more = sum(unit not in self.units for unit in cost.units)
        heads = self.heads + cost.heads + -(-(len(self.units) + more) // target.columns)
        return heads <= target.value_heads

    def add(self, cost: _Cost, step: int) -> None:
        """Puts a node in."""
        self._change(cost, step, 1)

    def remove(self, cost: _Cost, step: int) -> None:
        """Takes a node out."""
        self._change(cost, step, -1)

    def _change(self, cost: _Cost, step: int, by: int) -> None:
        if step % 2 == 0:
            _count(self.neurons, cost.neurons, by)
        else:
            _count(self.units, cost.units, by)
            self.heads += by * cost.heads


def _count(counts: dict[_Key, int], keys: frozenset[_Key], by: int) -> None:
    for key in keys:
        counts[key] = counts.get(key, 0) + by
        if not counts[key]:
            del counts[key]


def check_schedule(schedule: Schedule) -> None:
    """Raises PassError unless every node comes after all that it reads, in a half that can compute it."""
    steps = schedule.wire_steps
    for node, step in zip(schedule.graph.nodes, schedule.steps, strict=True):
        if step is None:
            continue
        cost = _Cost(node, schedule.netlist, schedule.target)
        if not cost.allowed(step):
            raise PassError(f"{node.name} cannot be computed at step {step}")
        for wire in node.inputs:
            if wire not in steps or steps[wire] >= step:
                name = schedule.netlist.signals[wire].name
                raise PassError(f"{node.name} at step {step} reads {name} of step {steps.get(wire)}")
    for wire in form_inputs(schedule.netlist.logits):
        if wire not in steps:
            raise PassError(f"a logit reads {schedule.netlist.signals[wire].name}, which is not computed")
