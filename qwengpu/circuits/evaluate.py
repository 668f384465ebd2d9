"""The definition of what a circuit computes, in plain Python integers, token by token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from qwengpu.circuits.errors import EvaluationError
from qwengpu.circuits.forms import Form
from qwengpu.circuits.graph import Node, Part, graph
from qwengpu.circuits.netlist import (
    MAX_BACK,
    Address,
    Collect,
    Feature,
    Memory,
    Netlist,
    Neurons,
    ReadBit,
    Unit,
)


@dataclass
class State:
    """What a circuit keeps from token to token.

    ``memories[m][row]``: the rows of memory m. ``recent``: signal values of the last tokens, newest first.
    """

    memories: list[list[list[int]]]
    recent: list[list[int]] = field(default_factory=list)


class Evaluator:
    """Evaluates one netlist. Slow and plain; `simulate.Simulator` is the fast one, held equal by tests."""

    def __init__(self, netlist: Netlist) -> None:
        self.netlist = netlist
        self.nodes = graph(netlist).nodes

    def start(self) -> State:
        """The state before the first token: every memory zero."""
        return State([[[0] * memory.width for _ in range(memory.rows)] for memory in self.netlist.memories])

    def step(self, state: State, token: int) -> list[int]:
        """Every signal's value at one more token; ``state`` moves on.

        Raises EvaluationError if a value leaves its signal's range or an address means two rows.
        """
        values = [0] * len(self.netlist.signals)
        state.recent.insert(0, values)
        for node in self.nodes:
            self._node(node, state, token)
        del state.recent[MAX_BACK + 1 :]
        for signal in self.netlist.signals:
            if not signal.lo <= values[signal.index] <= signal.hi:
                raise EvaluationError(
                    f"{signal.name} = {values[signal.index]} is not in {signal.lo}..{signal.hi} (token {token})"
                )
        return values

    def run(self, tokens: Sequence[int], state: State | None = None) -> Mapping[str, list[int]]:
        """Every signal's values over a token sequence, by name."""
        moving = self.start() if state is None else state
        steps = [self.step(moving, token) for token in tokens]
        return {signal.name: [step[signal.index] for step in steps] for signal in self.netlist.signals}

    def scores(self, values: Sequence[int]) -> list[int]:
        """Every token's logit after a step that gave ``values``."""
        return [_value(score, values) for score in self.netlist.logits]

    def generate(self, prompt: Sequence[int], stop: int, limit: int) -> list[int]:
        """Greedy continuation of a prompt up to and including ``stop``, or ``limit`` tokens.

        Raises EvaluationError if the best token is not ahead of every other by 1 or more.
        """
        state, out = self.start(), list[int]()
        values: list[int] = []
        for token in prompt:
            values = self.step(state, token)
        while len(out) < limit and (not out or out[-1] != stop):
            scores = self.scores(values)
            best = max(range(len(scores)), key=scores.__getitem__)
            if sum(score > scores[best] - 1 for score in scores) > 1:
                raise EvaluationError(f"token {best} is not ahead of all others after {len(out)} tokens")
            out.append(best)
            values = self.step(state, best)
        return out

    # ---------------------------------------------------------------------------------- nodes

    def _node(self, node: Node, state: State, token: int) -> None:
        values = state.recent[0]
        if node.part is Part.HEADS:
            self._heads(node, state)
            return
        index = node.wires[0]
        match self.netlist.definitions[index]:
            case Feature(table):
                values[index] = table[token]
            case Neurons(neurons):
                values[index] = sum(
                    n.coef * max(0, _value(n.gate, values)) * _value(n.up, values) for n in neurons
                )

    def _heads(self, node: Node, state: State) -> None:
        values = state.recent[0]
        for unit in node.units:
            definition = self.netlist.definitions[unit]
            if isinstance(definition, Unit):
                values[unit] = max(0, _delayed(definition.form, definition.back, state))
        reads = [self._memory(self.netlist.memories[memory], state) for memory in node.memories]
        found = dict(zip(node.memories, reads, strict=True))
        for raw in self.netlist.raws:
            definition = self.netlist.definitions[raw.index]
            if isinstance(definition, ReadBit) and definition.memory in found:
                values[raw.index] = found[definition.memory][definition.port][definition.column]
        for wire in node.wires:
            definition = self.netlist.definitions[wire]
            if isinstance(definition, Collect):
                values[wire] = _value(definition.form, values)

    def _memory(self, memory: Memory, state: State) -> list[list[int]]:
        rows, values = state.memories[memory.index], state.recent[0]
        if memory.reset is not None and _value(memory.reset, values) >= 1:
            for row in rows:
                row[:] = [0] * memory.width
        target = _row(memory.write.address, state, memory.name)
        if target is not None and _value(memory.write.enable, values) >= 1:
            rows[target][:] = [max(0, _delayed(one.form, one.back, state)) for one in memory.write.data]
        found = (_row(read, state, memory.name) for read in memory.reads)
        return [[0] * memory.width if row is None else list(rows[row]) for row in found]


def _value(form: Form, values: Sequence[int]) -> int:
    return form.const + sum(coef * values[signal.index] for signal, coef in form.terms)


def _delayed(form: Form, back: int, state: State) -> int:
    return _value(form, state.recent[back]) if back < len(state.recent) else 0


def _row(address: Address, state: State, name: str) -> int | None:
    found = [row for row, select in enumerate(address.rows) if _delayed(select, address.back, state) >= 1]
    if len(found) > 1:
        raise EvaluationError(f"memory {name}: rows {found} are addressed at once")
    return found[0] if found else None
