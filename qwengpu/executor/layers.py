"""One layer of the model as programs and tables: what is live, what is alike, what is constant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from qwengpu.executor.config import ModelConfig
from qwengpu.executor.errors import UnsupportedModel
from qwengpu.executor.programs import Program, compile_rows
from qwengpu.executor.sparse import Floats, Matrix, Row
from qwengpu.executor.weights import Weights

CURRENT, BEFORE, GENERAL = 0, 1, 4
"""Kinds of convolution rows: the current token, weight 1; the one ``kind`` tokens ago; anything else (4)."""


@dataclass(eq=False)
class RowTable:
    """Distinct rows, in the order in which they were asked for. The empty row is number 0."""

    rows: list[Row] = field(default_factory=list)
    marks: list[Any] = field(default_factory=list)
    _known: dict[Any, int] = field(default_factory=dict)

    def add(self, row: Row, mark: Any = None) -> int:
        """The row's number, from 1; rows with the same entries and mark share it. 0 if it has no entries."""
        if not len(row[0]):
            return 0
        key = (row[0].tobytes(), row[1].tobytes(), mark)
        if key not in self._known:
            self.rows.append(row)
            self.marks.append(mark)
            self._known[key] = len(self.rows)
        return self._known[key]


@dataclass(frozen=True)
class Tap:
    """A convolution row: its weights, oldest token first. ``kind``: see CURRENT."""

    weights: tuple[float, ...]

    @property
    def kind(self) -> int:
        """What the kernels do with it."""
        for back in range(min(len(self.weights), GENERAL)):
            one = [0.0] * len(self.weights)
            one[-1 - back] = 1.0
            if tuple(one) == self.weights:
                return back
        return GENERAL


@dataclass(frozen=True, eq=False)
class Head:
    """One live value head. Rows are numbers of the layer's input rows; columns are those that are ever written.

    ``decay_row`` 0: the decay is the constant ``decay``. ``reads[i]``: column i's input row of the output
    product, 0 if nothing reads it; ``gates[i]`` its gate row.
    """

    index: int
    key: int
    query: int
    beta_row: int
    decay_row: int
    a: float
    dt_bias: float
    decay: float
    columns: tuple[int, ...]
    value_rows: tuple[int, ...]
    reads: tuple[int, ...]
    gates: tuple[int, ...]


Address: TypeAlias = tuple[tuple[int, int], ...]
"""A key or query: (input row, index in the head dimension) of its nonzero weight rows."""


@dataclass(frozen=True, eq=False)
class Mixer:
    """A Gated DeltaNet. Input rows: eager convolutions, lazy ones (values alone), then z, b, a."""

    taps: tuple[Tap, ...]
    eager: int
    gate_rows: tuple[int, int]
    beta_rows: tuple[int, int]
    inputs: Program
    values: Program
    addresses: tuple[Address, ...]
    heads: tuple[Head, ...]
    norm: Floats
    output: Program
    channels: tuple[int, ...]
    conv_rows: dict[int, int]
    """Row of the model's convolution -> our row, for rows with history."""


@dataclass(frozen=True, eq=False)
class Mlp:
    """``units``: hidden units that can matter, from 1, in groups with one gate row or one up row in common.

    A group: first gate row, first up row, first unit, count, 1 if they share the gate row, 0 if the up row.
    """

    gate: Program
    up: Program
    units: int
    groups: tuple[tuple[int, int, int, int, int], ...]
    output: Program
    channels: tuple[int, ...]


def outputs(matrix: Matrix, of_column: dict[int, int]) -> tuple[Program, tuple[int, ...]]:
    """The product with an output matrix: its nonempty rows (the channels), columns renamed or dropped."""
    rows, channels = [], []
    for channel in np.nonzero(matrix.row_counts)[0].tolist():
        columns, values = matrix.row(channel)
        kept = [
            (of_column[c], v) for c, v in zip(columns.tolist(), values.tolist(), strict=True) if c in of_column
        ]
        if kept:
            rows.append((np.array([c for c, _ in kept], np.int64), np.array([v for _, v in kept], np.float32)))
            channels.append(channel)
    return compile_rows(rows), tuple(channels)


def plan_mlp(weights: Weights, prefix: str, config: ModelConfig) -> Mlp:
    """A SwiGLU MLP without the hidden units that are zero for every input or that nothing reads."""
    wide = (config.intermediate, config.hidden)
    gate, up = (weights.matrix(f"{prefix}.{name}.weight", wide) for name in ("gate_proj", "up_proj"))
    down = weights.matrix(f"{prefix}.down_proj.weight", (config.hidden, config.intermediate))
    read = np.bincount(down.columns, minlength=config.intermediate) > 0
    alive = read & (gate.row_counts > 0) & (up.row_counts > 0)
    gates, ups = RowTable(), RowTable()
    pairs = {n: (gates.add(gate.row(n)), ups.add(up.row(n))) for n in np.nonzero(alive)[0].tolist()}
    gate_rows: list[Row] = []
    up_rows: list[Row] = []
    groups: list[tuple[int, int, int, int, int]] = []
    places: dict[int, int] = {}
    for one_gate, units in _groups(pairs):
        first = len(places) + 1
        groups.append((len(gate_rows) + 1, len(up_rows) + 1, first, len(units), int(one_gate)))
        gate_rows += [gate.row(unit) for unit in (units[:1] if one_gate else units)]
        up_rows += [up.row(unit) for unit in (units if one_gate else units[:1])]
        places |= {unit: first + number for number, unit in enumerate(units)}
    product, channels = outputs(down, places)
    return Mlp(compile_rows(gate_rows), compile_rows(up_rows), len(places), tuple(groups), product, channels)


def _groups(pairs: Mapping[int, tuple[int, int]]) -> list[tuple[bool, list[int]]]:
    """Hidden units by the gate row (True) or the up row (False) that they share with more others."""
    counts = [Counter(pair[side] for pair in pairs.values()) for side in (0, 1)]
    found: dict[tuple[bool, int], list[int]] = {}
    for unit, (gate, up) in pairs.items():
        one_gate = counts[0][gate] > counts[1][up]
        found.setdefault((one_gate, gate if one_gate else up), []).append(unit)
    return [(one_gate, units) for (one_gate, _), units in found.items()]


def check_inert(weights: Weights, prefix: str, config: ModelConfig) -> None:
    """Refuses a full-attention layer unless its output is zero whatever its input: zero queries, keys, values.

    Raises UnsupportedModel. A zero output projection alone would not do: 0 times an overflow is NaN.
    """
    width = config.attention_heads * config.attention_dim
    kv_width = config.attention_kv_heads * config.attention_dim
    shapes = {"q_proj": (2 * width, config.hidden), "k_proj": (kv_width, config.hidden)}
    shapes["v_proj"] = (kv_width, config.hidden)
    for name in ("q_norm", "k_norm"):
        weights.dense(f"{prefix}.{name}.weight", (config.attention_dim,))
    weights.matrix(f"{prefix}.o_proj.weight", (config.hidden, width))
    for name, shape in shapes.items():
        count = weights.matrix(f"{prefix}.{name}.weight", shape).nonzeros
        if count:
            raise UnsupportedModel(f"{prefix} is not provably inert: {count} nonzeros in {name}")


def plan_mixer(weights: Weights, prefix: str, config: ModelConfig) -> Mixer | None:
    """The live part of a Gated DeltaNet, or None if its states and outputs are zero whatever its input."""
    return _MixerPlan(weights, prefix, config).plan()


class _MixerPlan:
    def __init__(self, weights: Weights, prefix: str, config: ModelConfig) -> None:
        hidden, heads = config.hidden, config.value_heads
        self.config = config
        self.qkv = weights.matrix(f"{prefix}.in_proj_qkv.weight", (config.conv_dim, hidden))
        self.gate = weights.matrix(f"{prefix}.in_proj_z.weight", (config.value_dim, hidden))
        self.beta = weights.matrix(f"{prefix}.in_proj_b.weight", (heads, hidden))
        self.decay = weights.matrix(f"{prefix}.in_proj_a.weight", (heads, hidden))
        conv = weights.dense(f"{prefix}.conv1d.weight", (config.conv_dim, 1, config.taps))
        self.conv = conv.reshape(config.conv_dim, config.taps)
        self.a = np.exp(weights.dense(f"{prefix}.A_log", (heads,)))
        self.dt_bias = weights.dense(f"{prefix}.dt_bias", (heads,))
        self.norm = weights.dense(f"{prefix}.norm.weight", (config.dv,))
        self.out = weights.matrix(f"{prefix}.out_proj.weight", (hidden, config.value_dim))
        self.alive = (self.qkv.row_counts > 0) & (self.conv != 0).any(axis=1)
        self.read = np.bincount(self.out.columns, minlength=config.value_dim) > 0

    def plan(self) -> Mixer | None:
        """Live heads are those whose state can become nonzero: a live value column and a live key row."""
        config = self.config
        live = [
            (head, columns)
            for head in range(config.value_heads)
            if (columns := self._columns(head)) and self._address(config.key_dim, head)
        ]
        if not live:
            return None
        taps, rows, place = self._conv_rows(live)
        eager = int(sum(1 for row in rows if row[2]))
        gates, betas, decays = RowTable(), RowTable(), RowTable()
        for head, columns in live:
            for column in columns:
                if self._is_read(head * config.dv + column):
                    gates.add(self.gate.row(head * config.dv + column))
            betas.add(self.beta.row(head))
            decays.add(self.decay.row(head))
        first_gate = len(rows)
        first_beta = first_gate + len(gates.rows)
        first_decay = first_beta + len(betas.rows)
        addresses: dict[Address, int] = {}
        heads: list[Head] = []
        reads: dict[int, int] = {}
        for head, columns in live:
            key = tuple((place[row], i) for row, i in self._address(config.key_dim, head))
            query = tuple((place[row], i) for row, i in self._query(head, columns))
            key_number = addresses.setdefault(key, len(addresses))
            query_number = addresses.setdefault(query, len(addresses))
            flat = [head * config.dv + column for column in columns]
            for at in flat:
                if query and self._is_read(at):
                    reads[at] = len(reads) + 1
            decay_row = decays.add(self.decay.row(head))
            heads.append(
                Head(
                    head,
                    key_number,
                    query_number,
                    _offset(betas.add(self.beta.row(head)), first_beta),
                    _offset(decay_row, first_decay),
                    float(self.a[head]),
                    float(self.dt_bias[head]),
                    self._constant_decay(head),
                    columns,
                    tuple(place[2 * config.key_dim + at] for at in flat),
                    tuple(reads.get(at, 0) for at in flat),
                    tuple(
                        _offset(gates.add(self.gate.row(at)), first_gate) if at in reads else 0 for at in flat
                    ),
                )
            )
        product, channels = outputs(self.out, reads)
        eager_rows = [row for row, _, needed in rows if needed]
        return Mixer(
            taps,
            eager,
            (first_gate + 1, len(gates.rows)),
            (first_beta + 1, len(betas.rows)),
            _renumbered(
                [*eager_rows, *gates.rows, *betas.rows, *decays.rows],
                [*range(eager), *range(first_gate, first_decay + len(decays.rows))],
                first_decay + len(decays.rows),
            ),
            _renumbered(
                [row for row, _, needed in rows if not needed],
                list(range(eager, len(rows))),
                first_decay + len(decays.rows),
            ),
            tuple(addresses),
            tuple(heads),
            self.norm,
            product,
            channels,
            {row: number for row, number in place.items() if number and taps[number - 1].kind != CURRENT},
        )

    def _columns(self, head: int) -> tuple[int, ...]:
        first = 2 * self.config.key_dim + head * self.config.dv
        return tuple(np.nonzero(self.alive[first : first + self.config.dv])[0].tolist())

    def _is_read(self, at: int) -> bool:
        """Whether a value column can reach the residual; behind an empty gate row it is multiplied by 0."""
        return bool(self.read[at] and self.gate.row_counts[at] and self.norm[at % self.config.dv] != 0)

    def _query(self, head: int, columns: Sequence[int]) -> list[tuple[int, int]]:
        """The query's rows, none if nothing is read."""
        is_read = any(self._is_read(head * self.config.dv + column) for column in columns)
        return self._address(0, head) if is_read else []

    def _address(self, start: int, head: int) -> list[tuple[int, int]]:
        """(convolution row, index) of the live rows of a head's query (start 0) or key (start key_dim)."""
        config = self.config
        first = start + head // (config.value_heads // config.key_heads) * config.dk
        return [(first + i, i) for i in range(config.dk) if self.alive[first + i]]

    def _conv_rows(
        self, live: Sequence[tuple[int, tuple[int, ...]]]
    ) -> tuple[tuple[Tap, ...], list[tuple[Row, Tap, bool]], dict[int, int]]:
        """Distinct rows, the eager ones (needed for every token) first; and our number of each model row."""
        config = self.config
        addressed: set[int] = set()
        valued: set[int] = set()
        for head, columns in live:
            addressed |= {row for row, _ in [*self._query(head, columns), *self._address(config.key_dim, head)]}
            valued |= {2 * config.key_dim + head * config.dv + column for column in columns}
        table = RowTable()
        taps = {row: Tap(tuple(self.conv[row].tolist())) for row in addressed | valued}
        needed = sorted(addressed) + sorted(row for row in valued if taps[row].kind != CURRENT)
        place = {row: table.add(self.qkv.row(row), taps[row]) for row in needed}
        eager = len(table.rows)
        place |= {row: table.add(self.qkv.row(row), taps[row]) for row in sorted(valued - place.keys())}
        rows = [
            (row, tap, number < eager)
            for number, (row, tap) in enumerate(zip(table.rows, table.marks, strict=True))
        ]
        return tuple(table.marks), rows, place

    def _constant_decay(self, head: int) -> float:
        """exp(g) of a head whose a is always 0, as the stock module computes it in float32."""
        x = np.float32(self.dt_bias[head])
        with np.errstate(over="ignore", under="ignore"):
            soft = x if x > 20 else np.float32(np.log1p(np.exp(x)))
            return float(np.exp(np.float32(-self.a[head]) * soft))


def _offset(number: int, first: int) -> int:
    return first + number if number else 0


def _renumbered(rows: Sequence[Row], targets: Iterable[int], outputs: int) -> Program:
    """A program whose row i goes to buffer row targets[i] + 1; scratch rows lie above ``outputs``."""
    program = compile_rows(rows)
    move = np.zeros(program.slots, np.int64)
    move[1 : len(rows) + 1] = np.array(list(targets), np.int64) + 1
    move[len(rows) + 1 :] = np.arange(outputs + 1, outputs + 1 + program.slots - len(rows) - 1)
    segments = program.segments.copy()
    segments[:, 0], segments[:, 1] = move[segments[:, 0]], move[segments[:, 1]]
    slots = outputs + program.slots - len(rows)
    return Program(segments, program.columns, program.values, outputs, slots, program.products)
