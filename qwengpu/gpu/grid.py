"""Thread blocks of the grid: which coordinate of ctaid changes next, and to what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qwengpu.circuits import Circuit, Linear, Wire, form, row_select, total
from qwengpu.gpu.alu import WHOLE_HALF
from qwengpu.gpu.digits import BASE, HALF, Digits, Terms, gated_step, is_value, pairs, quotient, weigh
from qwengpu.gpu.features import ctaid_rows, nctaid_rows
from qwengpu.gpu.front import Front
from qwengpu.gpu.memory import constant_latch
from qwengpu.gpu.outs import BYTES, Item, fit_terms, payload_digits
from qwengpu.spec import WORD_BITS, Spec
from qwengpu.tokens import Kind

DIMS = 3


@dataclass(frozen=True)
class Grid:
    """``last``: this is the grid's last thread block. ``announce[d]``: the next token is CONST of ctaid's
    dimension d. ``settled``: after START or SET, no coordinate is left to change. ``items[d]``: the new one."""

    last: Wire
    announce: tuple[Wire, ...]
    settled: Wire
    items: tuple[Item, ...]


@dataclass(frozen=True)
class _Dimension:
    """``zero``: the coordinate is 0; ``last``: its successor is not below the extent."""

    zero: Wire
    last: Wire
    item: Item


def make_grid(c: Circuit, spec: Spec, front: Front) -> Grid:
    """Four levels behind the latches, which are constant rows kept apart."""
    with c.scope("grid"):
        dims = []
        for dim, (row, extent_row) in enumerate(zip(ctaid_rows(), nctaid_rows(), strict=True)):
            with c.scope("xyz"[dim]):
                now = _word(c, spec, front, row, "now")
                extent = _word(c, spec, front, extent_row, "extent")
                dims.append(_dimension(c, now, extent))
        announce, settled = _chain(c, front, dims)
        last = c.bit([(1, total(one.last for one in dims) - (DIMS - 1), 1)], "last")
        return Grid(last, announce, settled, tuple(one.item for one in dims))


def _word(c: Circuit, spec: Spec, front: Front, row: int, name: str) -> Digits:
    columns = constant_latch(c, spec, front, row, WORD_BITS)
    return pairs([c.collect(raw, f"{name}.{place}") for place, raw in enumerate(columns)])


def _dimension(c: Circuit, now: Digits, extent: Digits) -> _Dimension:
    zero = c.bit([(1, 1 - total(now), 1)], "zero")
    last = _is_last(c, now, extent)
    following = _successor(c, now)
    chosen = tuple(
        c.neurons([(1, 1 - form(last), digit)], f"next.{place}", 0, BASE - 1)
        for place, digit in enumerate(following)
    )
    digits = payload_digits(chosen)
    fits = tuple(c.bit(fit_terms(digits, n), f"fits{n}") for n in range(1, BYTES))
    return _Dimension(zero, last, Item(digits, fits))


def _is_last(c: Circuit, now: Digits, extent: Digits) -> Wire:
    """[now + 1 >= extent] of unsigned words, by halves."""
    upper = weigh(now[HALF:]) - weigh(extent[HALF:])
    lower = weigh(now[:HALF]) + 1 - weigh(extent[:HALF])
    more = c.bit(gated_step(upper, 1), "upper_more")
    same = c.bit(is_value(upper, 0), "upper_same")
    less = c.bit(is_value(upper, -1), "upper_one_less")
    enough = c.bit(gated_step(lower, 0), "lower_enough")
    carries = c.bit(gated_step(lower, WHOLE_HALF), "lower_carries")
    terms: Terms = [(1, more, 1), (1, form(same) + enough - 1, 1), (1, form(less) + carries - 1, 1)]
    return c.bit(terms, "is_last")


def _successor(c: Circuit, now: Digits) -> list[Wire]:
    """now + 1: two levels."""
    out: list[Wire] = []
    carry: Linear = 1
    for first in (0, HALF):
        half = now[first : first + HALF]
        weights = [weigh(half[: place + 1]) + carry for place in range(HALF)]
        for place, digit in enumerate(half):
            below = weights[place - 1] if place else form(carry)
            terms = [(1, 1, form(digit)), *quotient(below, BASE**place)]
            terms += quotient(weights[place], BASE ** (place + 1), 1, -BASE)
            out.append(c.neurons(terms, f"successor.{first + place}", 0, BASE - 1))
        if not first:
            carry = c.bit(quotient(weights[-1], WHOLE_HALF), "successor.carry")
    return out


def _chain(c: Circuit, front: Front, dims: Sequence[_Dimension]) -> tuple[tuple[Wire, ...], Wire]:
    """After START every coordinate may change, after SET of one those behind it, if it has become 0.

    A coordinate stays if it is 0 and the last one; then the next one counts up all the same.
    """
    anchor, target = front.anchor, front.target
    stays = [c.bit([(1, form(one.zero) + one.last - 1, 1)], f"stays.{'xyz'[d]}") for d, one in enumerate(dims)]
    comes: list[Terms] = [[] for _ in range(DIMS)]
    comes[0].append((1, anchor.kind[Kind.START], 1))
    for dim, row in enumerate(ctaid_rows()[:-1]):
        here = row_select(target.const_row, row, target.is_const) + anchor.kind[Kind.SET] - 1
        comes[dim + 1].append((1, here + dims[dim].zero - 1, 1))
    starts = [c.bit(terms, f"starts.{dim}") for dim, terms in enumerate(comes)]
    announce = []
    for dim in range(DIMS):
        terms: Terms = []
        for start in range(dim + 1):
            passed = total(form(stays[k]) - 1 for k in range(start, dim))
            terms.append((1, form(starts[start]) + passed - stays[dim], 1))
        announce.append(c.bit(terms, f"announce.{'xyz'[dim]}"))
    either = form(anchor.kind[Kind.START]) + anchor.kind[Kind.SET]
    settled = c.bit([(1, either - total(announce), 1)], "settled")
    return tuple(announce), settled
