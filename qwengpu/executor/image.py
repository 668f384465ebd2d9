"""The model laid out in flat arrays for the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qwengpu.executor.layers import Mixer, Mlp
from qwengpu.executor.model import Model
from qwengpu.executor.norms import fold
from qwengpu.executor.programs import Program


class L(IntEnum):
    """Columns of `Image.layers`: one row a layer. P_...: programs; ..._AT, ..._N: a part of `Image.pool`."""

    LIVE = 0
    P_INPUT = 1
    P_VALUE = 2
    P_OUTPUT = 3
    P_GATE = 4
    P_UP = 5
    P_DOWN = 6
    CONV_AT = 7
    EAGER = 8
    CONVS = 9
    GATE_AT = 10
    GATES = 11
    BETA_AT = 12
    BETAS = 13
    ADDRESS_AT = 14
    ADDRESSES = 15
    HEAD_AT = 16
    HEADS = 17
    OUT_AT = 18
    OUTS = 19
    DOWN_AT = 20
    DOWNS = 21
    GROUP_AT = 22
    GROUPS = 23
    READS = 24
    READ_GATE_AT = 25
    SIZE = 26


class H(IntEnum):
    """Columns of `Image.heads`; READ_AT: pairs (state column, row of the reads)."""

    KEY = 0
    QUERY = 1
    BETA_ROW = 2
    DECAY_ROW = 3
    COLUMNS = 4
    VALUE_AT = 5
    READ_AT = 6
    READS = 7
    NORM_AT = 8
    STATE_AT = 9
    CACHE_AT = 10
    SIZE = 11


class Image(NamedTuple):
    """All that the kernels read. Programs: rows of ``programs`` are (first segment, last + 1).

    ``values``: as stored; ``folded``: with the norm in front multiplied in, where ``foldable[norm]``.
    ``groups``: of hidden units: first gate row, first up row, first unit, count, 1 if the gate row is shared.
    ``norm_columns``: (first, last + 1) in the pool, of the channels that are read behind each norm.
    """

    programs: NDArray[np.int32]
    segments: NDArray[np.int32]
    columns: NDArray[np.int32]
    values: NDArray[np.float32]
    folded: NDArray[np.float32]
    foldable: NDArray[np.uint8]
    norm_columns: NDArray[np.int32]
    gains: NDArray[np.float32]
    layers: NDArray[np.int32]
    heads: NDArray[np.int32]
    head_floats: NDArray[np.float32]
    addresses: NDArray[np.int32]
    pool: NDArray[np.int32]
    norms: NDArray[np.float32]
    groups: NDArray[np.int32]
    conv_kind: NDArray[np.int32]
    conv_weight: NDArray[np.float32]
    conv_history: NDArray[np.int32]
    embed_start: NDArray[np.int32]
    embed_columns: NDArray[np.int32]
    embed_values: NDArray[np.float32]
    embed_energy: NDArray[np.float32]
    limit: float
    eps: float
    hidden: int
    dk: int
    dv: int
    taps: int
    head_program: int


@dataclass(frozen=True)
class Sizes:
    """Rows that the work buffers need; floats of one sequence's state; rows with a convolution history."""

    inputs: int
    reads: int
    gates: int
    ups: int
    neurons: int
    outputs: int
    scan: int
    addresses: int
    state: int
    cache: int
    history: int


@dataclass(frozen=True)
class HeadPlace:
    """Where a value head lies in a sequence's flat state: dk rows of ``len(columns)`` floats from ``at`` on."""

    layer: int
    head: int
    at: int
    cache_at: int
    columns: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Layout:
    """The image, and where the host finds states. ``histories[layer]``: convolution row -> history slot."""

    image: Image
    sizes: Sizes
    heads: tuple[HeadPlace, ...]
    histories: tuple[dict[int, int], ...]


def make_layout(model: Model) -> Layout:
    """Lays a model out."""
    return _Builder(model).build()


class _Builder:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.programs: list[tuple[int, int]] = [(0, 0)]
        self.segments: list[NDArray[np.int64]] = []
        self.columns: list[NDArray[np.int64]] = []
        self.values: list[NDArray[np.float32]] = []
        self.folded: list[NDArray[np.float32]] = []
        self.segment_count = self.entry_count = 0
        self.pool: list[int] = []
        self.head_rows: list[list[int]] = []
        self.head_floats: list[tuple[float, float, float]] = []
        self.addresses: list[tuple[int, int]] = []
        self.norms: list[float] = []
        self.groups: list[tuple[int, ...]] = []
        self.taps: list[tuple[int, tuple[float, ...], int]] = []
        self.places: list[HeadPlace] = []
        self.histories: list[dict[int, int]] = []
        self.foldable: list[int] = []
        self.norm_columns: list[tuple[int, int]] = []
        self.state = self.cache = self.history = 0

    def _pool(self, items: Any) -> int:
        at = len(self.pool)
        self.pool.extend(items)
        return at

    def _program(self, program: Program, folded: NDArray[np.float32] | None = None) -> int:
        """Adds a program; ``folded``: its values behind a foldable norm."""
        segments = program.segments.copy()
        segments[:, 2:4] += self.entry_count
        self.segments.append(segments)
        self.columns.append(program.columns)
        self.values.append(program.values)
        self.folded.append(program.values if folded is None else folded)
        self.programs.append((self.segment_count, self.segment_count + len(segments)))
        self.segment_count += len(segments)
        self.entry_count += len(program.values)
        return len(self.programs) - 1

    def _behind_norm(self, programs: list[Program]) -> list[int]:
        """Adds the programs that read one norm's result, and how it can be folded into them."""
        gain, scale = self.model.gains[len(self.foldable)], self.model.constants.scale
        folded = [fold(gain, scale, program.columns, program.values) for program in programs]
        able = bool(self.model.constants.channels) and all(values is not None for values in folded)
        self.foldable.append(able)
        used = np.unique(np.concatenate([program.columns for program in programs]))
        at = self._pool(used.tolist())
        self.norm_columns.append((at, at + len(used)))
        return [self._program(p, f if able else None) for p, f in zip(programs, folded, strict=True)]

    def build(self) -> Layout:
        """All layers, then the head."""
        model, config = self.model, self.model.config
        layers = np.zeros((len(model.mlps), L.SIZE), np.int32)
        for row, mixer, mlp in zip(layers, model.mixers, model.mlps, strict=True):
            self._mixer(row, mixer)
            self._mlp(row, mlp)
        (head,) = self._behind_norm([model.head])
        image = Image(
            programs=np.array(self.programs, np.int32),
            segments=np.concatenate(self.segments).astype(np.int32),
            columns=np.concatenate(self.columns).astype(np.int32),
            values=np.concatenate(self.values),
            folded=np.concatenate(self.folded),
            foldable=np.array(self.foldable, np.uint8),
            norm_columns=np.array(self.norm_columns, np.int32),
            gains=model.gains,
            layers=layers,
            heads=np.array(self.head_rows or [[0] * H.SIZE], np.int32),
            head_floats=np.array(self.head_floats or [(0.0, 0.0, 0.0)], np.float32),
            addresses=np.array(self.addresses or [(0, 0)], np.int32),
            pool=np.array(self.pool or [0], np.int32),
            norms=np.array(self.norms or [0], np.float32),
            groups=np.array(self.groups or [(0,) * 5], np.int32),
            conv_kind=np.array([kind for kind, _, _ in self.taps] or [0], np.int32),
            conv_weight=np.array([w for _, w, _ in self.taps] or [(0.0,) * config.taps], np.float32),
            conv_history=np.array([slot for _, _, slot in self.taps] or [0], np.int32),
            embed_start=model.embedding.start.astype(np.int32),
            embed_columns=model.embedding.columns.astype(np.int32),
            embed_values=model.embedding.values,
            embed_energy=model.constants.energy,
            limit=float(np.float32(model.constants.limit)),
            eps=config.eps,
            hidden=config.hidden,
            dk=config.dk,
            dv=config.dv,
            taps=config.taps,
            head_program=head,
        )
        sizes = Sizes(
            inputs=self._most(lambda m: max(m.inputs.slots, m.values.slots)),
            reads=self._most(lambda m: 1 + sum(1 for head in m.heads for read in head.reads if read)),
            gates=max(mlp.gate.slots for mlp in model.mlps),
            ups=max(mlp.up.slots for mlp in model.mlps),
            neurons=max(1 + mlp.units for mlp in model.mlps),
            outputs=max(self._most(lambda m: m.output.slots), *(mlp.output.slots for mlp in model.mlps)),
            scan=model.head.slots,
            addresses=self._most(lambda m: len(m.addresses)),
            state=max(1, self.state),
            cache=max(1, self.cache),
            history=max(1, self.history),
        )
        return Layout(image, sizes, tuple(self.places), tuple(self.histories))

    def _most(self, size: Any) -> int:
        return max([1, *(int(size(mixer)) for mixer in self.model.mixers if mixer is not None)])

    def _mixer(self, row: NDArray[np.int32], mixer: Mixer | None) -> None:
        self.histories.append({})
        if mixer is None:
            self.foldable.append(0)
            self.norm_columns.append((0, 0))
            return
        row[L.LIVE] = 1
        row[L.P_INPUT], row[L.P_VALUE] = self._behind_norm([mixer.inputs, mixer.values])
        row[L.P_OUTPUT] = self._program(mixer.output)
        row[L.CONV_AT], row[L.EAGER], row[L.CONVS] = len(self.taps), mixer.eager, len(mixer.taps)
        slots: dict[int, int] = {}
        for number, tap in enumerate(mixer.taps, 1):
            slot = -1
            if tap.kind:
                slot = slots[number] = self.history
                self.history += 1
            self.taps.append((tap.kind, tap.weights, slot))
        self.histories[-1] = {conv: slots[number] for conv, number in mixer.conv_rows.items()}
        row[L.GATE_AT], row[L.GATES] = mixer.gate_rows
        row[L.BETA_AT], row[L.BETAS] = mixer.beta_rows
        row[L.ADDRESS_AT], row[L.ADDRESSES] = len(self.addresses), len(mixer.addresses)
        for address in mixer.addresses:
            at = self._pool([number for pair in address for number in pair])
            self.addresses.append((at, len(address)))
        row[L.HEAD_AT], row[L.HEADS] = len(self.head_rows), len(mixer.heads)
        gates: dict[int, int] = {}
        for head in mixer.heads:
            count = len(head.columns)
            norm_at = len(self.norms)
            read = [(place, row) for place, row in enumerate(head.reads) if row]
            self.norms.extend(float(mixer.norm[head.columns[place]]) for place, _ in read)
            gates |= {read: gate for read, gate in zip(head.reads, head.gates, strict=True) if read}
            numbers = [head.key, head.query, head.beta_row, head.decay_row, count]
            numbers += [self._pool(head.value_rows), self._pool(number for pair in read for number in pair)]
            numbers += [len(read), norm_at, self.state, self.cache]
            self.head_rows.append(numbers)
            self.head_floats.append((head.a, head.dt_bias, head.decay))
            self.places.append(
                HeadPlace(len(self.histories) - 1, head.index, self.state, self.cache, head.columns)
            )
            self.state += self.model.config.dk * count
            self.cache += 2 * self.model.config.dk
        row[L.READS] = len(gates)
        row[L.READ_GATE_AT] = self._pool(gates[read] for read in range(1, len(gates) + 1))
        row[L.OUT_AT], row[L.OUTS] = self._pool(mixer.channels), len(mixer.channels)

    def _mlp(self, row: NDArray[np.int32], mlp: Mlp) -> None:
        row[L.P_GATE], row[L.P_UP] = self._behind_norm([mlp.gate, mlp.up])
        row[L.P_DOWN] = self._program(mlp.output)
        row[L.GROUP_AT], row[L.GROUPS] = len(self.groups), len(mlp.groups)
        self.groups.extend(mlp.groups)
        row[L.DOWN_AT], row[L.DOWNS] = self._pool(mlp.channels), len(mlp.channels)
