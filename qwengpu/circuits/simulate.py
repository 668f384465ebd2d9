"""The same results as `evaluate`, on NumPy arrays: batches of sequences, all wires of a level at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from qwengpu.circuits.errors import CircuitError, EvaluationError
from qwengpu.circuits.forms import Form, form
from qwengpu.circuits.graph import Node, Part, graph
from qwengpu.circuits.netlist import (
    MAX_BACK,
    Address,
    Collect,
    Memory,
    Netlist,
    Neurons,
    ReadBit,
    Unit,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
else:
    Ints = Any

LIMIT = 1 << 62
"""No partial sum or product of a simulated circuit reaches it, so 64-bit integers are exact."""


@dataclass
class BatchState:
    """What a batch of sequences keeps: ``memories[m]`` of shape (batch, rows, width), and the values
    ``recent`` of the last 0...3 tokens, shape (1 + signals, batch, tokens)."""

    memories: list[Ints]
    recent: Ints


class Simulator:
    """Evaluates one netlist over batches. Needs NumPy.

    Raises CircuitError if a bound of some sum or product reaches `LIMIT`.
    """

    def __init__(self, netlist: Netlist) -> None:
        import numpy  # noqa: PLC0415 - optional: only simulation needs it

        self._np = numpy
        self.netlist = netlist
        self._plan = [self._stage(nodes) for nodes in _levels(netlist)]
        self._logits = _Forms(netlist.logits)

    def start(self, batch: int) -> BatchState:
        """The state of ``batch`` sequences before their first token."""
        np = self._np
        memories = [np.zeros((batch, m.rows, m.width), np.int64) for m in self.netlist.memories]
        return BatchState(memories, np.zeros((1 + len(self.netlist.signals), batch, 0), np.int64))

    def run(self, tokens: Sequence[Sequence[int]] | Ints, state: BatchState | None = None) -> Trace:
        """Values of every signal; ``tokens`` is (batch, length), all sequences of one length.

        ``state`` moves on past the tokens. Raises EvaluationError as the plain evaluator does.
        """
        np = self._np
        ids = np.asarray(tokens, np.int64)
        if ids.ndim != 2:
            raise ValueError(f"tokens of shape {ids.shape}; wanted (batch, length)")
        if ids.size and not 0 <= ids.min() <= ids.max() < self.netlist.vocabulary:
            raise ValueError(f"a token id is not in 0...{self.netlist.vocabulary - 1}")
        moving = self.start(ids.shape[0]) if state is None else state
        past = moving.recent.shape[2]
        values = np.zeros((1 + len(self.netlist.signals), ids.shape[0], past + ids.shape[1]), np.int64)
        values[:, :, :past] = moving.recent
        values[0] = 1
        for stage in self._plan:
            stage.run(ids, values, past, moving)
        self._check(values[1:, :, past:])
        moving.recent = values[:, :, max(0, values.shape[2] - MAX_BACK) :].copy()
        return Trace(self.netlist, values[1:, :, past:], self._logits)

    def _check(self, values: Ints) -> None:
        np = self._np
        lo = np.array([signal.lo for signal in self.netlist.signals], np.int64)[:, None, None]
        hi = np.array([signal.hi for signal in self.netlist.signals], np.int64)[:, None, None]
        wrong = (values < lo) | (values > hi)
        if wrong.any():
            index, sequence, step = (int(place) for place in np.argwhere(wrong)[0])
            signal = self.netlist.signals[index]
            raise EvaluationError(
                f"{signal.name} = {values[index, sequence, step]} is not in {signal.lo}..{signal.hi} "
                f"(sequence {sequence}, token {step})"
            )

    def _stage(self, nodes: list[Node]) -> _Stage:
        part = nodes[0].part
        if part is Part.EMBEDDING:
            return _Features(self.netlist, nodes)
        if part is Part.MLP:
            return _Level(self.netlist, nodes)
        return _Heads(self.netlist, nodes[0])


@dataclass(frozen=True)
class Trace:
    """Values of shape (signals, batch, length)."""

    netlist: Netlist
    values: Ints
    _logits: _Forms

    def __getitem__(self, name: str) -> Ints:
        """One signal's values, (batch, length)."""
        found: Ints = self.values[self.netlist.signal(name).index]
        return found

    def number(self, bits: Sequence[Form]) -> Ints:
        """What a word of forms spells, (batch, length), Python integers; bits lowest first."""
        padded = _with_one(self.values)
        found = _Forms(bits)(padded).astype(object)
        weights = [1 << place for place in range(len(bits))]
        out: Ints = sum(row * weight for row, weight in zip(found, weights, strict=True))
        return out

    def scores(self) -> Ints:
        """Logits, (vocabulary, batch, length)."""
        found: Ints = self._logits(_with_one(self.values))
        return found


def _with_one(values: Ints) -> Ints:
    import numpy  # noqa: PLC0415

    padded: Ints = numpy.concatenate([numpy.ones_like(values[:1]), values])
    return padded


def _levels(netlist: Netlist) -> list[list[Node]]:
    """Nodes in stages: all features, then MLP nodes by depth; each group of heads is a stage of its own."""
    nodes = graph(netlist)
    depth: dict[int, int] = {}
    grouped: dict[tuple[int, int], list[Node]] = {}
    for number, node in enumerate(nodes.nodes):
        level = 1 + max((depth[wire] for wire in node.inputs), default=0)
        if node.part is Part.EMBEDDING:
            level = 0
        for wire in node.wires:
            depth[wire] = level
        unique = number + 1 if node.part is Part.HEADS else 0
        grouped.setdefault((level, unique), []).append(node)
    return [grouped[key] for key in sorted(grouped)]


class _Forms:
    """Many linear forms over an array whose row 0 is the constant 1."""

    def __init__(self, forms: Sequence[Form]) -> None:
        import numpy  # noqa: PLC0415

        self._np = numpy
        for one in forms:
            if one.magnitude >= LIMIT:
                raise CircuitError(f"{one} can exceed 64-bit integers")
        terms = [[(0, one.const), *((signal.index + 1, coef) for signal, coef in one.terms)] for one in forms]
        flat = [term for row in terms for term in row]
        self.count = len(forms)
        self._index = numpy.array([index for index, _ in flat], numpy.int64)
        self._coef = numpy.array([coef for _, coef in flat], numpy.int64)[:, None, None]
        self._starts = numpy.cumsum([0, *(len(row) for row in terms[:-1])]) if terms else self._index

    def __call__(self, values: Ints) -> Ints:
        """(forms, batch, length)."""
        if not self.count:
            return values[:0]
        found: Ints = self._np.add.reduceat(values[self._index] * self._coef, self._starts, axis=0)
        return found


class _Stage:
    def run(self, ids: Ints, values: Ints, past: int, state: BatchState) -> None:
        """Fills in ``values[:, :, past:]`` of the stage's wires."""
        raise AssertionError("every stage has its own")


class _Features(_Stage):
    def __init__(self, netlist: Netlist, nodes: list[Node]) -> None:
        import numpy  # noqa: PLC0415

        wires = [node.wires[0] for node in nodes]
        tables = [definition.values for definition in map(netlist.definitions.__getitem__, wires)]  # type: ignore[union-attr]
        self._rows = numpy.array(wires, numpy.int64) + 1
        self._tables = numpy.array(tables, numpy.int64)

    def run(self, ids: Ints, values: Ints, past: int, state: BatchState) -> None:
        values[self._rows, :, past:] = self._tables[:, ids]


class _Level(_Stage):
    def __init__(self, netlist: Netlist, nodes: list[Node]) -> None:
        import numpy  # noqa: PLC0415

        self._np = numpy
        self._rows = numpy.array([node.wires[0] for node in nodes], numpy.int64) + 1
        numbers: dict[tuple[Form, Form], int] = {}
        used: list[int] = []
        coefs: list[int] = []
        starts: list[int] = []
        for node in nodes:
            definition = netlist.definitions[node.wires[0]]
            starts.append(len(used))
            neurons = definition.neurons if isinstance(definition, Neurons) else ()
            size = sum(abs(n.coef) * max(0, n.gate.hi) * max(abs(n.up.lo), abs(n.up.hi)) for n in neurons)
            if size >= LIMIT:
                raise CircuitError(f"{node.name} can exceed 64-bit integers")
            for neuron in neurons:
                used.append(numbers.setdefault((neuron.gate, neuron.up), len(numbers)))
                coefs.append(neuron.coef)
            if not neurons:
                used.append(numbers.setdefault((form(0), form(0)), len(numbers)))
                coefs.append(0)
        self._gates = _Forms([gate for gate, _ in numbers])
        self._ups = _Forms([up for _, up in numbers])
        self._used = numpy.array(used, numpy.int64)
        self._coefs = numpy.array(coefs, numpy.int64)[:, None, None]
        self._starts = numpy.array(starts, numpy.int64)

    def run(self, ids: Ints, values: Ints, past: int, state: BatchState) -> None:
        now = values[:, :, past:]
        hidden = self._np.maximum(self._gates(now), 0) * self._ups(now)
        values[self._rows, :, past:] = self._np.add.reduceat(
            hidden[self._used] * self._coefs, self._starts, axis=0
        )


class _Heads(_Stage):
    def __init__(self, netlist: Netlist, node: Node) -> None:
        import numpy  # noqa: PLC0415

        self._np = numpy
        self._memories = [_Cells(netlist, netlist.memories[memory]) for memory in node.memories]
        units = [(index, netlist.definitions[index]) for index in node.units]
        self._units = _Delayed([(d.form, d.back) for _, d in units if isinstance(d, Unit)])
        self._unit_rows = numpy.array(node.units, numpy.int64) + 1
        collects = [netlist.definitions[wire] for wire in node.wires]
        self._collect = _Forms([d.form for d in collects if isinstance(d, Collect)])
        self._rows = numpy.array(node.wires, numpy.int64) + 1

    def run(self, ids: Ints, values: Ints, past: int, state: BatchState) -> None:
        if len(self._unit_rows):
            values[self._unit_rows, :, past:] = self._np.maximum(self._units(values, past), 0)
        for memory in self._memories:
            memory.run(values, past, state)
        if len(self._rows):
            values[self._rows, :, past:] = self._collect(values[:, :, past:])


class _Delayed:
    """Forms, each as it was some tokens ago; 0 before the first token."""

    def __init__(self, forms: Sequence[tuple[Form, int]]) -> None:
        self._groups = []
        for back in range(MAX_BACK + 1):
            places = [place for place, (_, delay) in enumerate(forms) if delay == back]
            if places:
                self._groups.append((back, places, _Forms([forms[place][0] for place in places])))
        self._count = len(forms)

    def __call__(self, values: Ints, past: int) -> Ints:
        import numpy  # noqa: PLC0415

        length = values.shape[2] - past
        out = numpy.zeros((self._count, values.shape[1], length), numpy.int64)
        for back, places, forms in self._groups:
            first = max(0, back - past)  # how many of the new tokens have no token that far back
            if length > first:
                out[places, :, first:] = forms(values[:, :, past + first - back : values.shape[2] - back])
        return out


class _Cells:
    """One memory: addresses and data for all tokens at once, then token by token."""

    def __init__(self, netlist: Netlist, memory: Memory) -> None:
        import numpy  # noqa: PLC0415

        self._np = numpy
        self._memory = memory
        self._ports = [_row_forms(place) for place in (memory.write.address, *memory.reads)]
        self._data = _Delayed([(datum.form, datum.back) for datum in memory.write.data])
        reset = form(0) if memory.reset is None else memory.reset
        self._control = _Forms([memory.write.enable, reset])
        reads = [
            (d.port, d.column, index + 1)
            for index, d in enumerate(netlist.definitions)
            if isinstance(d, ReadBit) and d.memory == memory.index
        ]
        self._targets = [
            (
                numpy.array([row for p, _, row in reads if p == port], numpy.int64),
                numpy.array([column for p, column, _ in reads if p == port], numpy.int64),
            )
            for port in range(len(memory.reads))
        ]

    def run(self, values: Ints, past: int, state: BatchState) -> None:
        np = self._np
        cells = state.memories[self._memory.index]
        target, *reads = (self._rows(port, values, past) for port in self._ports)
        enable, reset = self._control(values[:, :, past:]) >= 1
        data = np.maximum(self._data(values, past), 0)
        sequences = np.arange(cells.shape[0])
        found = np.zeros((len(reads), self._memory.width, cells.shape[0], enable.shape[1]), np.int64)
        for step in range(enable.shape[1]):
            cells[reset[:, step]] = 0
            writes = enable[:, step] & (target[:, step] >= 0)
            if writes.any():
                cells[sequences[writes], target[writes, step]] = data[:, writes, step].T
            for port, rows in enumerate(reads):
                row = rows[:, step]
                found[port, :, :, step] = np.where(row >= 0, cells[sequences, row].T, 0)
        for port, (rows, columns) in enumerate(self._targets):
            values[rows, :, past:] = found[port, columns]

    def _rows(self, port: _Delayed, values: Ints, past: int) -> Ints:
        """The addressed row, (batch, length), -1 for none."""
        np = self._np
        selected = port(values, past) >= 1
        if (selected.sum(axis=0) > 1).any():
            _, sequence, step = (int(i) for i in np.argwhere(selected & (selected.sum(axis=0) > 1))[0])
            rows = [int(row) for row in np.flatnonzero(selected[:, sequence, step])]
            raise EvaluationError(f"memory {self._memory.name}: rows {rows} are addressed at once")
        found: Ints = np.where(selected.any(axis=0), selected.argmax(axis=0), -1)
        return found


def _row_forms(place: Address) -> _Delayed:
    return _Delayed([(row, place.back) for row in place.rows])
