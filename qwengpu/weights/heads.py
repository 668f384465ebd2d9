"""Pass 3, heads: memories, lookback taps and relu sums become Gated DeltaNet heads.

A value head has one key (which row is written), one query (which row is read), one write strength, one
decay, and dv - 1 data columns; its last column is a constant that fixes the scale of its gated norm.
Columns with the same key, query, strength and decay share a head. A memory of more than dk rows takes one
head for every dk rows: the key or query is zero in all heads but one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from qwengpu.circuits.forms import Form, form
from qwengpu.circuits.netlist import Address, Collect, Datum, Neurons, ReadBit, Unit
from qwengpu.weights.errors import CompileError, PassError
from qwengpu.weights.relus import addable, relu_sum
from qwengpu.weights.schedule import Schedule

ALWAYS = form(1)
NOWHERE = Address(())


@dataclass(frozen=True)
class Control:
    """What the columns of one value head have in common. An address has at most dk rows."""

    key: Address
    query: Address
    enable: Form
    reset: Form | None


@dataclass(frozen=True)
class ValueHead:
    """``columns[i]`` is written to value column i."""

    control: Control
    columns: tuple[Datum, ...]


@dataclass(frozen=True)
class Cell:
    """Where one column of one row block of a memory lies: rows ``first_row``... of value head ``head``."""

    memory: int
    column: int
    first_row: int
    head: int
    head_column: int


@dataclass(frozen=True)
class HeadLayer:
    """One layer's heads. Value head h uses key head h // group; None: unused.

    ``sums[wire]``: a wire as (value head, column, coefficient) terms. ``cells``: one whole copy of each
    memory, for whoever reads the recurrent state.
    """

    layer: int
    heads: tuple[ValueHead | None, ...]
    sums: Mapping[int, tuple[tuple[int, int, int], ...]]
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class HeadPlan:
    """The heads of every layer; ``value_heads`` is the same for all."""

    schedule: Schedule
    value_heads: int
    layers: tuple[HeadLayer, ...]

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def _lines(plan: HeadPlan) -> Iterator[str]:
    signals, memories = plan.schedule.netlist.signals, plan.schedule.netlist.memories
    yield f"heads: {plan.value_heads} value heads a layer"
    for layer in plan.layers:
        for number, head in enumerate(layer.heads):
            if head is not None:
                control = head.control
                rows = f"{len(control.key.rows)} rows written, {len(control.query.rows)} read"
                yield f"layer {layer.layer} head {number}: {rows}, {len(head.columns)} columns"
        for wire, terms in sorted(layer.sums.items()):
            text = " + ".join(f"{coef}*h{head}[{column}]" for head, column, coef in terms)
            yield f"layer {layer.layer} {signals[wire].name} = {text}"
        for cell in layer.cells:
            place = f"h{cell.head}[{cell.head_column}] rows {cell.first_row}.."
            yield f"layer {layer.layer} {memories[cell.memory].name}[{cell.column}] in {place}"


def place_heads(schedule: Schedule) -> HeadPlan:
    """Heads for every layer of a schedule.

    Raises CompileError if a layer needs more heads than the target has.
    """
    layers = [_Layer(schedule, layer) for layer in range(schedule.layers)]
    groups = [layer.grouped() for layer in layers]
    target = schedule.target
    need = max((len(heads) for heads, _ in groups), default=0)
    need = max(target.group, -(-need // target.group) * target.group)
    if need > target.value_heads:
        worst = next(i for i, (heads, _) in enumerate(groups) if len(heads) > target.value_heads)
        raise CompileError(f"layer {worst} needs {need} value heads, {target.name} has {target.value_heads}")
    count = target.value_heads if target.exact_heads else need
    plan = HeadPlan(
        schedule,
        count,
        tuple(layer.finish(heads, where, count) for layer, (heads, where) in zip(layers, groups, strict=True)),
    )
    check_heads(plan)
    return plan


class _Layer:
    """One layer's columns, by what their heads have in common."""

    def __init__(self, schedule: Schedule, layer: int) -> None:
        self.schedule, self.layer = schedule, layer
        self.netlist, self.target = schedule.netlist, schedule.target
        self.columns: dict[Control, list[Datum]] = {}
        self.places: dict[int, list[tuple[Control, Datum]]] = {}  # raw signal -> columns that add up to it
        self.sums: dict[int, list[tuple[Control, Datum, int]]] = {}  # wire -> columns with coefficients
        self.copies: list[tuple[int, int, int, Control, Datum]] = []
        nodes = schedule.at(2 * layer + 1)
        self.collected = self._collected([wire for node in nodes for wire in node.wires])
        for node in nodes:
            for memory in node.memories:
                self._memory(memory)
        for node in nodes:
            for wire in node.wires:
                self._wire(wire)

    def _collected(self, wires: Sequence[int]) -> set[int]:
        definitions = [self.netlist.definitions[wire] for wire in wires]
        return {raw.index for d in definitions if isinstance(d, Collect) for raw, _ in d.form.terms}

    def _column(self, control: Control, datum: Datum) -> tuple[Control, Datum]:
        columns = self.columns.setdefault(control, [])
        if datum not in columns:
            columns.append(datum)
        return control, datum

    def _unit(self, value: Form, back: int) -> tuple[Control, Datum]:
        once = Address((ALWAYS,))
        return self._column(Control(once, once, ALWAYS, None), Datum(value, back))

    def _memory(self, index: int) -> None:
        memory, dk = self.netlist.memories[index], self.target.dk
        raws: dict[int, dict[int, int]] = {}
        for raw in self.collected:
            definition = self.netlist.definitions[raw]
            if isinstance(definition, ReadBit) and definition.memory == index:
                raws.setdefault(definition.port, {})[definition.column] = raw
        ports: list[int | None] = [*sorted(raws)] or [None]
        for copy, port in enumerate(ports):
            for first in range(0, memory.rows, dk):
                key = _slice(memory.write.address, first, dk)
                query = NOWHERE if port is None else _slice(memory.reads[port], first, dk)
                control = Control(key, query, memory.write.enable, memory.reset)
                for column, datum in enumerate(memory.write.data):
                    read = None if port is None else raws[port].get(column)
                    if copy == 0 or read is not None:
                        place = self._column(control, datum)
                        if copy == 0:
                            self.copies.append((index, column, first, *place))
                        if read is not None:
                            self.places.setdefault(read, []).append(place)

    def _wire(self, wire: int) -> None:
        definition = self.netlist.definitions[wire]
        found: dict[tuple[Control, Datum], int] = {}

        def add(place: tuple[Control, Datum], coef: int) -> None:
            found[place] = found.get(place, 0) + coef

        if isinstance(definition, Collect):
            for raw, coef in definition.form.terms:
                source = self.netlist.definitions[raw.index]
                if isinstance(source, Unit):
                    add(self._unit(source.form, source.back), coef)
                for place in self.places.get(raw.index, []):
                    add(place, coef)
        elif isinstance(definition, Neurons):
            for coef, gate in relu_sum(definition) or ():
                add(self._unit(gate, 0), coef)
        self.sums[wire] = [(control, datum, coef) for (control, datum), coef in found.items() if coef]
        if not self.target.exact_integers and not addable(found.values()):
            raise CompileError(
                f"{self.netlist.signals[wire].name} adds up {sorted(found.values())} times bits; heads of "
                f"{self.target.dk} x {self.target.dv} are exact for powers of two of one sign only"
            )

    def grouped(self) -> tuple[list[ValueHead | None], dict[tuple[Control, Datum], tuple[int, int]]]:
        """Value heads, those with one key and query in groups; and where each column is."""
        heads: list[ValueHead | None] = []
        where: dict[tuple[Control, Datum], tuple[int, int]] = {}
        shared: dict[tuple[Address, Address], list[Control]] = {}
        for control in self.columns:
            shared.setdefault((control.key, control.query), []).append(control)
        for controls in shared.values():
            for control in controls:
                columns = self.columns[control]
                for start in range(0, len(columns), self.target.columns):
                    part = tuple(columns[start : start + self.target.columns])
                    for place, datum in enumerate(part):
                        where[control, datum] = len(heads), place
                    heads.append(ValueHead(control, part))
            while len(heads) % self.target.group:
                heads.append(None)
        return heads, where

    def finish(
        self,
        heads: list[ValueHead | None],
        where: Mapping[tuple[Control, Datum], tuple[int, int]],
        count: int,
    ) -> HeadLayer:
        """The layer with ``count`` value heads."""
        sums = {
            wire: tuple((*where[control, datum], coef) for control, datum, coef in terms)
            for wire, terms in self.sums.items()
        }
        cells = tuple(
            Cell(memory, column, first, *where[control, datum])
            for memory, column, first, control, datum in self.copies
        )
        return HeadLayer(self.layer, (*heads, *([None] * (count - len(heads)))), sums, cells)


def _slice(address: Address, first: int, count: int) -> Address:
    return Address(address.rows[first : first + count], address.back)


def check_heads(plan: HeadPlan) -> None:
    """Raises PassError unless every head fits, groups agree on key and query, and every wire is there."""
    target = plan.schedule.target
    signals = plan.schedule.netlist.signals
    for layer in plan.layers:
        if len(layer.heads) != plan.value_heads or plan.value_heads % target.group:
            raise PassError(f"layer {layer.layer} has {len(layer.heads)} value heads, not {plan.value_heads}")
        for start in range(0, plan.value_heads, target.group):
            pairs = {(h.control.key, h.control.query) for h in layer.heads[start : start + target.group] if h}
            if len(pairs) > 1:
                raise PassError(f"layer {layer.layer}: value heads {start}... share a key head, not their keys")
        for number, head in enumerate(layer.heads):
            if head is None:
                continue
            if len(head.columns) > target.columns:
                raise PassError(f"layer {layer.layer} head {number}: {len(head.columns)} columns")
            if max(len(head.control.key.rows), len(head.control.query.rows)) > target.dk:
                raise PassError(f"layer {layer.layer} head {number}: more rows than {target.dk}")
        for wire, terms in layer.sums.items():
            for number, column, _ in terms:
                head = layer.heads[number]
                if head is None or column >= len(head.columns):
                    raise PassError(f"{signals[wire].name} reads head {number} column {column}, which is empty")
        expected = {wire for node in plan.schedule.at(2 * layer.layer + 1) for wire in node.wires}
        if expected != set(layer.sums):
            raise PassError(f"layer {layer.layer}: {len(expected)} wires scheduled, {len(layer.sums)} summed")
