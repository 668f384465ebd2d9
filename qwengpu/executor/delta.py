"""The gated delta rule: decay, write and read of every head, a row where a key names one, else all rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from qwengpu.executor.image import H, Image, L
from qwengpu.executor.tile import MANY, NO_DECAY, NONE, Count, States, Work
from qwengpu.executor.vectors import L2_EPS, fill_row, inlined, jit, prefetch


@inlined
def _spread_norm(pool: Any, at: Any, count: Any, inputs: Any, b: Any) -> Any:
    """1 / norm of an address with several nonzeros."""
    total = 0.0
    for i in range(count):
        value = np.float64(inputs[pool[at + 2 * i], b])
        total += value * value
    return np.float32(1) / np.sqrt(np.float32(total) + np.float32(L2_EPS))


@inlined
def _decay(x: Any, a: Any) -> Any:
    """exp(g): the decay of an input to which dt_bias has been added; a = exp(A_log)."""
    if x <= NO_DECAY:
        return np.float32(1)
    soft = x if x > np.float32(20) else np.log1p(np.exp(x))
    return np.exp(-a * soft)


@inlined
def _apply_decay(
    decay: Any, state: Any, cache: Any, slot: Any, at: Any, cache_at: Any, columns: Any, dk: Any
) -> None:
    """Multiplies a head's whole state."""
    for i in range(dk * columns):
        state[slot, at + i] *= decay
    for i in range(2 * dk):
        cache[slot, cache_at + i] = 0


@inlined
def _write(
    pool: Any,
    inputs: Any,
    values: Any,
    columns: Any,
    b: Any,
    k: Any,
    beta: Any,
    state: Any,
    slot: Any,
    first: Any,
) -> None:
    """The delta rule's update of the one row that a key names, with weight k."""
    for j in range(columns):
        old = state[slot, first + j]
        state[slot, first + j] = old + k * ((inputs[pool[values + j], b] - old * k) * beta)


@inlined
def _write_spread(
    pool: Any,
    inputs: Any,
    at: Any,
    count: Any,
    values: Any,
    columns: Any,
    b: Any,
    beta: Any,
    state: Any,
    slot: Any,
    first: Any,
) -> None:
    """The delta rule's update for a key with several nonzeros."""
    inverse = _spread_norm(pool, at, count, inputs, b)
    for j in range(columns):
        found = np.float32(0)
        for i in range(count):
            k = inputs[pool[at + 2 * i], b] * inverse
            found += state[slot, first + pool[at + 2 * i + 1] * columns + j] * k
        delta = (inputs[pool[values + j], b] - found) * beta
        for i in range(count):
            k = inputs[pool[at + 2 * i], b] * inverse
            state[slot, first + pool[at + 2 * i + 1] * columns + j] += k * delta


@inlined
def _factor(total: Any, dv: Any, eps: Any) -> Any:
    """The gated norm's factor, from the sum of squares."""
    return np.float32(1) / np.sqrt(np.float32(total / dv) + np.float32(eps))


@inlined
def _row_factor(q: Any, columns: Any, dv: Any, eps: Any, state: Any, slot: Any, first: Any) -> Any:
    """The gated norm's factor of a state row read with weight q."""
    even, odd = 0.0, 0.0
    for j in range(columns // 2):
        one, other = np.float64(state[slot, first + 2 * j] * q), np.float64(state[slot, first + 2 * j + 1] * q)
        even += one * one
        odd += other * other
    if columns % 2:
        one = np.float64(state[slot, first + columns - 1] * q)
        even += one * one
    return _factor(even + odd, dv, eps)


@inlined
def _spread_sum(
    pool: Any,
    inputs: Any,
    at: Any,
    count: Any,
    inverse: Any,
    root: Any,
    b: Any,
    state: Any,
    slot: Any,
    first: Any,
    columns: Any,
) -> Any:
    """What a query with several nonzeros reads of one column."""
    value = np.float32(0)
    for i in range(count):
        q = inputs[pool[at + 2 * i], b] * inverse / root
        value += state[slot, first + pool[at + 2 * i + 1] * columns] * q
    return value


@inlined
def _read_spread(
    img: Image, inputs: Any, reads: Any, head: Any, at: Any, count: Any, b: Any, state: Any, slot: Any
) -> None:
    """What a query with several nonzeros reads, normalised, before its gate, into column b of ``reads``."""
    pool, columns, first = img.pool, img.heads[head, H.COLUMNS], img.heads[head, H.STATE_AT]
    root = np.float32(np.sqrt(img.dk))
    inverse = _spread_norm(pool, at, count, inputs, b)
    total = 0.0
    for j in range(columns):
        value = np.float64(
            _spread_sum(pool, inputs, at, count, inverse, root, b, state, slot, first + j, columns)
        )
        total += value * value
    factor = _factor(total, img.dv, img.eps)
    places, norm = img.heads[head, H.READ_AT], img.heads[head, H.NORM_AT]
    for r in range(img.heads[head, H.READS]):
        j, row = pool[places + 2 * r], pool[places + 2 * r + 1]
        value = _spread_sum(pool, inputs, at, count, inverse, root, b, state, slot, first + j, columns)
        reads[row, b] = value * factor * img.norms[norm + r]


@inlined
def _clear_reads(width: Any, img: Image, reads: Any, head: Any) -> None:
    at = img.heads[head, H.READ_AT]
    for r in range(img.heads[head, H.READS]):
        fill_row(width, reads, img.pool[at + 2 * r + 1])


@inlined
def _writes(
    img: Image, work: Work, states: States, head: Any, base: Any, count: Any, b: Any, slot: Any
) -> None:
    """Decay and write of one head for column b."""
    state, cache = states.state, states.cache
    at, cache_at = img.heads[head, H.STATE_AT], img.heads[head, H.CACHE_AT]
    columns, key = img.heads[head, H.COLUMNS], img.heads[head, H.KEY]
    row = img.heads[head, H.DECAY_ROW]
    if row:
        decay = _decay(work.inputs[row, b] + img.head_floats[head, 1], img.head_floats[head, 0])
    else:
        decay = img.head_floats[head, 2]
    if decay != 1:
        work.counts[Count.DECAY] += 1
        _apply_decay(decay, state, cache, slot, at, cache_at, columns, img.dk)
    row = img.heads[head, H.BETA_ROW]
    beta = work.inputs[row, b] if row else np.float32(0.5)
    index = work.named[key, b]
    if beta == 0 or index == NONE:
        return
    work.counts[Count.PARTIAL_BETA] += beta != 1
    values = img.heads[head, H.VALUE_AT]
    if index >= 0:
        first = at + index * columns
        _write(img.pool, work.inputs, values, columns, b, work.weight[key, b], beta, state, slot, first)
        cache[slot, cache_at + 2 * index] = 0
        return
    work.counts[Count.SPREAD_ADDRESS] += 1
    where, length = img.addresses[base + key, 0], img.addresses[base + key, 1]
    _write_spread(img.pool, work.inputs, where, length, values, columns, b, beta, state, slot, at)
    for i in range(2 * img.dk):
        cache[slot, cache_at + i] = 0


@inlined
def _reads(img: Image, work: Work, states: States, head: Any, base: Any, b: Any, slot: Any, root: Any) -> None:
    """Column b of what one head reads, normalised, before its gate."""
    state, cache = states.state, states.cache
    query, columns = img.heads[head, H.QUERY], img.heads[head, H.COLUMNS]
    index = work.named[query, b]
    if index == NONE:
        return
    if index == MANY:
        work.counts[Count.SPREAD_ADDRESS] += 1
        where, length = img.addresses[base + query, 0], img.addresses[base + query, 1]
        _read_spread(img, work.inputs, work.reads, head, where, length, b, state, slot)
        return
    q, first = work.weight[query, b] / root, img.heads[head, H.STATE_AT] + index * columns
    place = img.heads[head, H.CACHE_AT] + 2 * index
    factor = cache[slot, place]
    if factor == 0 or cache[slot, place + 1] != q:
        factor = _row_factor(q, columns, img.dv, img.eps, state, slot, first)
        cache[slot, place], cache[slot, place + 1] = factor, q
    reads, norm = img.heads[head, H.READ_AT], img.heads[head, H.NORM_AT]
    for r in range(img.heads[head, H.READS]):
        j, row = img.pool[reads + 2 * r], img.pool[reads + 2 * r + 1]
        work.reads[row, b] = state[slot, first + j] * q * factor * img.norms[norm + r]


@inlined
def _ask(img: Image, work: Work, states: States, head: Any, b: Any) -> None:
    """Fetches the state rows of a head that is next: those of a batch do not fit into the caches."""
    slot, columns = work.slots[b], img.heads[head, H.COLUMNS]
    start = slot * states.state.shape[1] + img.heads[head, H.STATE_AT]
    named = work.named[img.heads[head, H.QUERY], b]
    if named >= 0:
        prefetch(states.state, start + named * columns, columns)
        prefetch(states.cache, slot * states.cache.shape[1] + img.heads[head, H.CACHE_AT] + 2 * named, 2)
    row = img.heads[head, H.BETA_ROW]
    named = work.named[img.heads[head, H.KEY], b]
    if named >= 0 and (row == 0 or work.inputs[row, b] != 0):
        prefetch(states.state, start + named * columns, columns)


@jit
def recur(width: Any, img: Image, work: Work, states: States, layer: Any, count: Any, time: Any) -> None:
    """Decay, write and read of every head, columns in order."""
    base, root = img.layers[layer, L.ADDRESS_AT], np.float32(np.sqrt(img.dk))
    first = img.layers[layer, L.HEAD_AT]
    for head in range(first, first + img.layers[layer, L.HEADS]):
        _clear_reads(width, img, work.reads, head)
        following = min(head + 1, first + img.layers[layer, L.HEADS] - 1)
        for b in range(count):
            if not time:
                _ask(img, work, states, following, b)
            slot = work.slots[0] if time else work.slots[b]
            _writes(img, work, states, head, base, count, b, slot)
            _reads(img, work, states, head, base, b, slot, root)


@inlined
def any_write(img: Image, work: Work, layer: Any, count: Any) -> bool:
    """Whether a column writes to a head, so that values are needed."""
    for h in range(layer[L.HEAD_AT], layer[L.HEAD_AT] + layer[L.HEADS]):
        key, row = img.heads[h, H.KEY], img.heads[h, H.BETA_ROW]
        for b in range(count):
            if work.named[key, b] != NONE and (row == 0 or work.inputs[row, b] != 0):
                return True
    return False
