"""Sparse matrix products as programs: rows that begin alike share the beginning of their sums.

The order of every row's sum is fixed: one order of the matrix's columns for all its rows, product by product,
from +0, rounded to float32 after each product and each sum. Rows sorted by their (column, weight) entries in
that order form a tree in which a common prefix is summed once. Sharing changes no bit of a result: the shared
partial sum is the very number that each row would have computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qwengpu.executor.sparse import Floats, Ints, Row

SEGMENT_COST = 3
"""What starting a segment costs, in products (measured, coarsely)."""
ZERO_SLOT = 0
"""Row 0 of every result buffer holds zeros: where a sum begins, and the result of an empty row."""


@dataclass(frozen=True, eq=False)
class Program:
    """Segments (source, target, first entry, last entry + 1, output): buffer[target] = buffer[source] + sum.

    ``output``: the row's number where it ends one, else -1. Rows 1...``outputs`` of the buffer are the results
    (unless ``scan``: then all targets are scratch); ``slots`` is the buffer's whole size.
    """

    segments: Ints
    columns: Ints
    values: Floats
    outputs: int
    slots: int
    products: int

    @property
    def used_columns(self) -> Ints:
        """Columns with a nonzero."""
        return np.unique(self.columns)


def compile_rows(rows: Sequence[Row], scan: bool = False) -> Program:
    """The program that computes ``rows``; row i gives buffer row i + 1.

    ``scan``: results are looked at one by one (the head's argmax) and not kept.
    """
    products = sum(len(columns) for columns, _ in rows)
    best: tuple[int, _Sorted] | None = None
    for ranks in _column_orders(rows):
        candidate = _sort(rows, ranks)
        if best is None or candidate.cost < best[0]:
            best = candidate.cost, candidate
    if best is None:
        empty = np.zeros(0, np.int64)
        return Program(np.zeros((0, 5), np.int64), empty, np.zeros(0, np.float32), 0, 1, 0)
    return _emit(best[1], len(rows), scan, products)


def _column_orders(rows: Sequence[Row]) -> list[dict[int, int]]:
    """Candidates for the order of the columns: column -> rank. The most varied columns come last."""
    weights: dict[int, set[float]] = {}
    counts: dict[int, int] = {}
    for columns, values in rows:
        for column, value in zip(columns.tolist(), values.tolist(), strict=True):
            weights.setdefault(column, set()).add(value)
            counts[column] = counts.get(column, 0) + 1
    if not rows:
        return []
    varied = max(weights, key=lambda c: (len(weights[c]), counts[c]), default=-1)
    ascending = sorted(weights, key=lambda c: (c == varied, c))
    frequent = sorted(weights, key=lambda c: (c == varied, -counts[c], c))
    uniform = sorted(weights, key=lambda c: (len(weights[c]) > 2, -counts[c], c))
    return [{column: rank for rank, column in enumerate(order)} for order in (ascending, frequent, uniform)]


@dataclass(frozen=True, eq=False)
class _Sorted:
    """Rows in tree order: ``entries[i]`` of row ``order[i]``; ``shared[i]``: entries as in the row before."""

    order: list[int]
    entries: list[list[tuple[int, float, int]]]
    shared: list[int]
    cost: int


def _sort(rows: Sequence[Row], ranks: dict[int, int]) -> _Sorted:
    keyed = []
    for number, (columns, values) in enumerate(rows):
        entries = [(ranks[c], v, c) for c, v in zip(columns.tolist(), values.tolist(), strict=True)]
        entries.sort()
        keyed.append((entries, number))
    keyed.sort()
    shared, cost = [], 0
    before: list[tuple[int, float, int]] = []
    for entries, _ in keyed:
        same = 0
        for one, other in zip(entries, before, strict=False):
            if one != other:
                break
            same += 1
        shared.append(same)
        cost += len(entries) - same + SEGMENT_COST * (2 if same else 1)
        before = entries
    return _Sorted([number for _, number in keyed], [entries for entries, _ in keyed], shared, cost)


def _branches(tree: _Sorted) -> list[set[int]]:
    """For every row the depths at which later rows leave its own part of the path."""
    saves: list[set[int]] = [set() for _ in tree.order]
    stack: list[int] = []
    for number, depth in enumerate(tree.shared):
        while stack and tree.shared[stack[-1]] >= depth:
            stack.pop()
        if depth:
            saves[stack[-1]].add(depth)
        stack.append(number)
    return saves


def _emit(tree: _Sorted, count: int, scan: bool, products: int) -> Program:
    first_slot = 1 if scan else count + 1
    live: list[tuple[int, int]] = []  # (depth, buffer row) along the current path
    segments: list[tuple[int, int, int, int, int]] = []
    columns: list[int] = []
    values: list[float] = []
    used = 0
    for number, (saves, entries, shared) in enumerate(
        zip(_branches(tree), tree.entries, tree.shared, strict=True)
    ):
        while live and live[-1][0] > shared:
            live.pop()
        source, depth = (live[-1][1] if shared else ZERO_SLOT), shared
        for stop in sorted(saves | {len(entries)}):
            ends = stop == len(entries)
            if stop == depth and not ends:
                continue
            if ends and not scan:
                target = tree.order[number] + 1
            elif stop in saves:
                temporaries = sum(1 for _, row in live if row >= first_slot)
                target = first_slot + temporaries
                used = max(used, temporaries + 1)
            else:
                target = -1  # the scan's scratch row, numbered below
            begin = len(columns)
            columns.extend(column for _, _, column in entries[depth:stop])
            values.extend(value for _, value, _ in entries[depth:stop])
            segments.append((source, target, begin, len(columns), tree.order[number] if ends else -1))
            if stop in saves:
                live.append((stop, target))
            source, depth = target, stop
    slots = first_slot + used
    if scan:
        segments = [(s, t if t >= 0 else slots, b, e, o) for s, t, b, e, o in segments]
        slots += 1
    return Program(
        np.array(segments, np.int64).reshape(-1, 5),
        np.array(columns, np.int64),
        np.array(values, np.float32),
        count,
        slots,
        products,
    )
