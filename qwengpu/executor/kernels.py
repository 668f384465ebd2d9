"""The compiled loops: a tile of columns through the layers, and whole generations and replays.

A tile has ``width`` columns, innermost in every buffer. In a batch each column is the next token of another
sequence; in time the columns are consecutive tokens of one sequence. Everything but the convolution and the
recurrence treats the columns alike. Every shortcut is guarded by a comparison of the values at hand, and
counted in ``work.counts`` when it did not hold; without it the stock module's formula is computed in
float32.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qwengpu.executor.delta import any_write, recur
from qwengpu.executor.image import Image, L
from qwengpu.executor.tile import (
    Count,
    States,
    Work,
    add_outputs,
    convolve,
    embed,
    find_addresses,
    load_history,
    normalise,
    run_program,
    sigmoid,
    silu,
    silu_rows,
    store_history,
)
from qwengpu.executor.vectors import (
    WIDTHS,
    columns_of,
    inlined,
    jit,
    relu_times,
    run_segment,
    scan_segment,
    times_row,
    width_type,
)

WIDE_LANES = WIDTHS[1]
WIDE = width_type(WIDE_LANES)
"""With one column, so many hidden units are taken at once."""


@jit
def _mix(width: Any, img: Image, work: Work, states: States, number: Any, count: Any, time: Any) -> None:
    """A Gated DeltaNet, added to the residual stream."""
    columns, layer = columns_of(width), img.layers[number]
    if layer[L.LIVE] == 0:
        return
    exact = normalise(width, img, work, 2 * number)
    source, values = (work.x, img.folded) if exact else (work.scaled, img.values)
    run_program(width, img, values, layer[L.P_INPUT], source, work.inputs)
    base = layer[L.CONV_AT]
    convolve(width, img, work, states.history, 0, layer[L.EAGER], base, count, time)
    for r in range(layer[L.BETA_AT], layer[L.BETA_AT] + layer[L.BETAS]):
        for b in range(columns):
            work.inputs[r, b] = sigmoid(work.inputs[r, b])
    silu_rows(width, work.inputs, layer[L.GATE_AT], layer[L.GATE_AT] + layer[L.GATES], work.counts)
    find_addresses(width, img, work, layer)
    if layer[L.CONVS] > layer[L.EAGER] and any_write(img, work, layer, count):
        work.counts[Count.LAZY_VALUES] += 1
        run_program(width, img, values, layer[L.P_VALUE], source, work.inputs)
        convolve(width, img, work, states.history, layer[L.EAGER], layer[L.CONVS], base, count, time)
    recur(width, img, work, states, number, count, time)
    for r in range(layer[L.READS]):
        times_row(width, work.reads, r + 1, work.inputs, img.pool[layer[L.READ_GATE_AT] + r])
    run_program(width, img, img.values, layer[L.P_OUTPUT], work.reads, work.outputs)
    add_outputs(width, img, work, layer[L.OUT_AT], layer[L.OUTS])


@inlined
def _multiply(lanes: Any, spread: Any, work: Work, gate: Any, up: Any, out: Any, columns: Any) -> None:
    """silu(gate) * up of as many floats as ``lanes`` says, at flat places; ``spread``: see `relu_times`."""
    if relu_times(lanes, spread, work.gates, gate, work.ups, up, work.neurons, out):
        work.counts[Count.FULL_GATE] += 1
        for i in range(columns_of(lanes)):
            g, u = gate + (0 if len(spread) == 1 else i), up + (0 if len(spread) == 2 else i)
            value = silu(work.gates[g // columns, g % columns]) * work.ups[u // columns, u % columns]
            work.neurons[(out + i) // columns, (out + i) % columns] = value


@inlined
def _neurons(width: Any, img: Image, work: Work, group: Any) -> None:
    """Hidden units with one gate row or one up row in common; their other rows are consecutive, as they are."""
    columns = columns_of(width)
    gate, up, out, count = (
        img.groups[group, 0],
        img.groups[group, 1],
        img.groups[group, 2],
        img.groups[group, 3],
    )
    one_gate = img.groups[group, 4]
    n = 0
    if columns == 1:
        while n + WIDE_LANES <= count:
            if one_gate:
                _multiply(WIDE, (0,), work, gate, up + n, out + n, columns)
            else:
                _multiply(WIDE, (0, 0), work, gate + n, up, out + n, columns)
            n += WIDE_LANES
    while n < count:
        g, u = gate + (0 if one_gate else n), up + (n if one_gate else 0)
        _multiply(width, (0, 0, 0), work, g * columns, u * columns, (out + n) * columns, columns)
        n += 1


@jit
def _mlp(width: Any, img: Image, work: Work, number: Any) -> None:
    """A SwiGLU MLP, added to the residual stream."""
    layer = img.layers[number]
    if layer[L.GROUPS] == 0:
        return
    exact = normalise(width, img, work, 2 * number + 1)
    source, values = (work.x, img.folded) if exact else (work.scaled, img.values)
    run_program(width, img, values, layer[L.P_GATE], source, work.gates)
    run_program(width, img, values, layer[L.P_UP], source, work.ups)
    for group in range(layer[L.GROUP_AT], layer[L.GROUP_AT] + layer[L.GROUPS]):
        _neurons(width, img, work, group)
    run_program(width, img, img.values, layer[L.P_DOWN], work.neurons, work.outputs)
    add_outputs(width, img, work, layer[L.DOWN_AT], layer[L.DOWNS])


@jit
def half_steps(
    width: Any, img: Image, work: Work, states: States, count: Any, time: Any, first: Any, last: Any
) -> None:
    """Half layers first...last - 1 of the tile in ``work.x``: mixer 0, MLP 0, ...; ``count`` live columns."""
    for step in range(first, last):
        if step % 2 == 0:
            _mix(width, img, work, states, step // 2, count, time)
        else:
            _mlp(width, img, work, step // 2)


@jit
def head(width: Any, img: Image, work: Work) -> None:
    """Argmax of every column, with the greatest and second greatest logit."""
    columns = columns_of(width)
    exact = normalise(width, img, work, 2 * len(img.layers))
    source, values = (work.x, img.folded) if exact else (work.scaled, img.values)
    for b in range(columns):
        work.best[b] = -np.inf
        work.second[b] = -np.inf
        work.choice[b] = np.int32(2147483647)
    program = img.programs[img.head_program]
    for number in range(program[0], program[1]):
        scan_segment(
            width,
            values,
            source,
            work.scan,
            img.segments,
            img.columns,
            number,
            work.best,
            work.second,
            work.choice,
        )


@jit
def logits(width: Any, img: Image, work: Work, out: Any) -> None:
    """Every logit of every column: out (vocabulary, width)."""
    columns = columns_of(width)
    exact = normalise(width, img, work, 2 * len(img.layers))
    source, values = (work.x, img.folded) if exact else (work.scaled, img.values)
    program = img.programs[img.head_program]
    for number in range(program[0], program[1]):
        run_segment(width, values, source, work.scan, img.segments, img.columns, number)
        token = img.segments[number, 4]
        if token >= 0:
            for b in range(columns):
                out[token, b] = work.scan[img.segments[number, 1], b]


@jit
def embed_time(width: Any, img: Image, work: Work, ids: Any, start: Any) -> Any:
    """Embeds the tile of ids from ``start`` on; returns how many of its columns are live."""
    columns = columns_of(width)
    count = min(columns, len(ids) - start)
    for b in range(columns):
        work.tokens[b] = ids[start + min(b, count - 1)]
    embed(width, img, work)
    return count


@jit
def feed(
    width: Any, img: Image, work: Work, states: States, ids: Any, choice: Any, margin: Any, every: Any
) -> bool:
    """Runs one sequence (slot ``work.slots[0]``) over ids. False if a logit was NaN.

    ``choice``, ``margin``: argmax and its lead at every position; only of the last tile unless ``every``.
    """
    columns = columns_of(width)
    for start in range(0, len(ids), columns):
        count = embed_time(width, img, work, ids, start)
        work.counts[Count.TILES] += 1
        half_steps(width, img, work, states, count, True, 0, 2 * len(img.layers))
        if every or start + columns >= len(ids):
            head(width, img, work)
            for b in range(count):
                choice[start + b] = work.choice[b]
                margin[start + b] = work.best[b] - work.second[b]
                if np.isnan(work.second[b]):
                    return False
    return True


@jit
def generate(
    width: Any,
    img: Image,
    work: Work,
    states: States,
    active: Any,
    out: Any,
    lengths: Any,
    limits: Any,
    margins: Any,
    stop: Any,
    until: Any,
) -> bool:
    """Greedy steps of all active columns until ``until`` or fewer of them are active. False if a logit was NaN.

    ``work.tokens[b]`` is fed next and ``work.slots[b]`` is its state; an inactive column has a scratch state.
    ``out[b]`` gets the tokens from ``lengths[b]`` on, up to ``limits[b]`` or a token with ``stop``;
    ``margins[b]`` the least lead. The last token is not fed.
    """
    columns = columns_of(width)
    scratch = len(states.state) - 1
    running = 0
    for b in range(columns):
        running += active[b]
        load_history(img, work, states.history, b, work.slots[b])
    while running > until:
        embed(width, img, work)
        work.counts[Count.TILES] += 1
        half_steps(width, img, work, states, columns, False, 0, 2 * len(img.layers))
        head(width, img, work)
        for b in range(columns):
            if active[b]:
                if np.isnan(work.second[b]):
                    return False
                token = work.choice[b]
                out[b, lengths[b]] = token
                lengths[b] += 1
                margins[b] = min(margins[b], work.best[b] - work.second[b])
                work.tokens[b] = token
                if stop[token] or lengths[b] == limits[b]:
                    active[b] = 0
                    store_history(img, work, states.history, b, work.slots[b])
                    work.slots[b] = scratch
                    running -= 1
    for b in range(columns):
        if active[b]:
            store_history(img, work, states.history, b, work.slots[b])
    return True
