"""A tile's buffers, and what every column of it goes through: products, norms, SiLU, convolution, addresses."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qwengpu.executor.image import Image, L
from qwengpu.executor.vectors import (
    LANES,
    LARGEST,
    SILU_IS_IDENTITY,
    SILU_IS_ZERO,
    add_rows,
    columns_of,
    copy_row,
    fill_row,
    find_address,
    inlined,
    relu_at,
    run_segment,
    shift_row,
)

NO_DECAY = np.float32(-104)
"""softplus of less is 0 in float32."""
NONE, MANY = np.int32(-1), np.int32(-2)
"""`Work.named` of an address without a nonzero, and with several."""


class Count(IntEnum):
    """What `Work.counts` counts."""

    TILES = 0
    FULL_NORM = 1
    FULL_SILU = 2
    FULL_GATE = 3
    SPREAD_ADDRESS = 4
    DECAY = 5
    PARTIAL_BETA = 6
    LAZY_VALUES = 7
    SIZE = 8


class Work(NamedTuple):
    """A tile's buffers, (rows, width) each; row 0 of those that programs write stays zero.

    ``lanes``: in a batch, the convolution histories, taps rows for each slot, the last one scratch.
    """

    x: NDArray[np.float32]
    scaled: NDArray[np.float32]
    inputs: NDArray[np.float32]
    reads: NDArray[np.float32]
    gates: NDArray[np.float32]
    ups: NDArray[np.float32]
    neurons: NDArray[np.float32]
    outputs: NDArray[np.float32]
    scan: NDArray[np.float32]
    named: NDArray[np.int32]
    weight: NDArray[np.float32]
    tokens: NDArray[np.int32]
    slots: NDArray[np.int32]
    energy: NDArray[np.float32]
    sums: NDArray[np.float64]
    best: NDArray[np.float32]
    second: NDArray[np.float32]
    choice: NDArray[np.int32]
    lanes: NDArray[np.float32]
    tail: NDArray[np.float32]
    counts: NDArray[np.int64]


class States(NamedTuple):
    """Recurrent states of several sequences, a row each.

    ``cache``: for every state row the factor of its gated norm and the query weight it belongs to, 0: unknown.
    """

    state: NDArray[np.float32]
    cache: NDArray[np.float32]
    history: NDArray[np.float32]


@inlined
def silu(x: Any) -> Any:
    """x * sigmoid(x)."""
    if x >= SILU_IS_IDENTITY:
        return x
    if x <= SILU_IS_ZERO and x >= -LARGEST:
        return np.float32(0)
    return x / (np.float32(1) + np.exp(-x))


@inlined
def sigmoid(x: Any) -> Any:
    return np.float32(1) / (np.float32(1) + np.exp(-x))


@inlined
def run_program(width: Any, img: Image, values: Any, program: Any, source: Any, target: Any) -> None:
    """One sparse product."""
    for number in range(img.programs[program, 0], img.programs[program, 1]):
        run_segment(width, values, source, target, img.segments, img.columns, number)


@inlined
def embed(width: Any, img: Image, work: Work) -> None:
    """The residual stream of ``work.tokens``."""
    columns = columns_of(width)
    for channel in range(img.hidden):
        fill_row(width, work.x, channel)
    for b in range(columns):
        token = work.tokens[b]
        for e in range(img.embed_start[token], img.embed_start[token + 1]):
            work.x[img.embed_columns[e], b] = img.embed_values[e]
        work.energy[b] = img.embed_energy[token]


@inlined
def normalise(width: Any, img: Image, work: Work, norm: Any) -> bool:
    """Whether the norm is the exact scaling folded into the weights; else ``work.scaled`` is its result."""
    columns = columns_of(width)
    exact = img.foldable[norm] != 0
    limit = np.float32(img.limit)
    for b in range(columns):
        if not work.energy[b] <= limit:
            exact = False
    if exact:
        return True
    work.counts[Count.FULL_NORM] += 1
    for b in range(columns):
        work.sums[b] = 0
    for channel in range(img.hidden):
        for b in range(columns):
            value = np.float64(work.x[channel, b])
            work.sums[b] += value * value
    for b in range(columns):
        mean = np.float32(work.sums[b] / img.hidden)
        work.sums[b] = np.float32(1) / np.sqrt(mean + np.float32(img.eps))
    for e in range(img.norm_columns[norm, 0], img.norm_columns[norm, 1]):
        channel = img.pool[e]
        gain = img.gains[norm, channel]
        for b in range(columns):
            work.scaled[channel, b] = work.x[channel, b] * np.float32(work.sums[b]) * gain
    return False


@inlined
def add_outputs(width: Any, img: Image, work: Work, at: Any, count: Any) -> None:
    """Adds the output rows to their channels, and their squares to the energy that bounds the data's."""
    add_rows(width, work.x, img.pool, at, count, work.outputs, work.energy)


@inlined
def silu_rows(width: Any, rows: Any, first: Any, last: Any, counts: Any) -> None:
    """SiLU of rows first...last - 1, in place."""
    columns = columns_of(width)
    at, end = first * columns, last * columns
    while at < end:
        known = False
        if at + LANES <= end:
            known = not relu_at(rows, at)
            counts[Count.FULL_SILU] += not known
        stop = min(at + LANES, end)
        if not known:
            for i in range(at, stop):
                rows[i // columns, i % columns] = silu(rows[i // columns, i % columns])
        at = stop


@inlined
def _tap(
    weights: Any, conv: Any, taps: Any, t: Any, rows: Any, row: Any, history: Any, slot: Any, at: Any
) -> Any:
    """A general convolution at token t of rows[row]; earlier tokens are history[slot, at:]."""
    total = np.float32(0)
    for k in range(taps):
        place = t - (taps - 1) + k
        x = rows[row, place] if place >= 0 else history[slot, at + taps - 1 + place]
        total += weights[conv, k] * x
    return total


@inlined
def _convolve_time(
    width: Any,
    img: Image,
    rows: Any,
    row: Any,
    history: Any,
    slot: Any,
    at: Any,
    conv: Any,
    tail: Any,
    count: Any,
) -> None:
    """A convolution row along one sequence, in place; its history becomes its last taps - 1 tokens."""
    keep, kind = img.taps - 1, img.conv_kind[conv]
    for k in range(keep):
        place = count - keep + k
        tail[k] = rows[row, place] if place >= 0 else history[slot, at + keep + place]
    if kind < 4:
        shift_row(width, rows, row, kind)
        for t in range(min(kind, count)):
            rows[row, t] = history[slot, at + keep + t - kind]
    else:
        for i in range(count):
            t = count - 1 - i
            rows[row, t] = _tap(img.conv_weight, conv, img.taps, t, rows, row, history, slot, at)
    for k in range(keep):
        history[slot, at + k] = tail[k]


@inlined
def _convolve_batch(width: Any, img: Image, rows: Any, row: Any, lanes: Any, at: Any, conv: Any) -> None:
    """A convolution row of one token of each sequence, in place; ``lanes``: their histories, a column each."""
    keep, kind = img.taps - 1, img.conv_kind[conv]
    copy_row(width, lanes, at + keep, rows, row)
    if kind < 4:
        copy_row(width, rows, row, lanes, at + keep - kind)
    else:
        for b in range(columns_of(width)):
            total = np.float32(0)
            for k in range(img.taps):
                total += img.conv_weight[conv, k] * lanes[at + k, b]
            rows[row, b] = total
    for k in range(keep):
        copy_row(width, lanes, at + k, lanes, at + k + 1)


@inlined
def convolve(
    width: Any, img: Image, work: Work, history: Any, first: Any, last: Any, base: Any, count: Any, time: Any
) -> None:
    """Convolution and SiLU of the layer's convolution rows first...last - 1."""
    for r in range(first, last):
        conv = base + r
        if img.conv_kind[conv] != 0:
            slot = img.conv_history[conv]
            if time:
                at = slot * (img.taps - 1)
                _convolve_time(
                    width, img, work.inputs, r + 1, history, work.slots[0], at, conv, work.tail, count
                )
            else:
                _convolve_batch(width, img, work.inputs, r + 1, work.lanes, slot * img.taps, conv)
    silu_rows(width, work.inputs, first + 1, last + 1, work.counts)


@inlined
def load_history(img: Image, work: Work, history: Any, b: Any, slot: Any) -> None:
    """A sequence's convolution history into column b of ``work.lanes``."""
    keep = img.taps - 1
    for i in range(len(work.lanes) // img.taps):
        for k in range(keep):
            work.lanes[i * img.taps + k, b] = history[slot, i * keep + k]


@inlined
def store_history(img: Image, work: Work, history: Any, b: Any, slot: Any) -> None:
    """The reverse of `_load_history`."""
    keep = img.taps - 1
    for i in range(len(work.lanes) // img.taps):
        for k in range(keep):
            history[slot, i * keep + k] = work.lanes[i * img.taps + k, b]


@inlined
def find_addresses(width: Any, img: Image, work: Work, layer: Any) -> None:
    """Which row each key and query names, and with what weight after l2norm, if it names one."""
    for a in range(layer[L.ADDRESSES]):
        at, count = img.addresses[layer[L.ADDRESS_AT] + a, 0], img.addresses[layer[L.ADDRESS_AT] + a, 1]
        find_address(width, work.inputs, img.pool, at, count, work.named, work.weight, a)
