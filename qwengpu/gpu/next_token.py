"""The next token, from the last one that was no BYTE (the anchor) and the number of BYTE tokens since.

Four levels behind the kept items. Level 1: which items are left; of each, whether the next digit is the last.
Level 2: the next item. Level 3: its digits, its address, what is scheduled. Level 4: the token's class, and
its number in the class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from qwengpu.circuits import Circuit, Form, Linear, Wire, form, total
from qwengpu.gpu.decode import Control, Lanes
from qwengpu.gpu.digits import Terms, gated_step
from qwengpu.gpu.faults import Faults
from qwengpu.gpu.features import ctaid_rows
from qwengpu.gpu.front import Front
from qwengpu.gpu.grid import Grid
from qwengpu.gpu.outs import BYTE, BYTES, Item, Outs
from qwengpu.gpu.threads import Schedule
from qwengpu.spec import Spec
from qwengpu.tokens import Kind, Token, vocabulary

FLOAT_EXACT = 1 << 24


@dataclass(frozen=True)
class Value:
    """A value in the making: ``digits`` and ``fits`` as in `Item`; ``last``: its next digit is the last one."""

    item: Item
    last: Wire


@dataclass(frozen=True)
class Picked:
    """``item[p]``: item p is next; ``none``: no item is left."""

    item: tuple[Wire, ...]
    none: Wire
    value: Value
    addr: tuple[Wire, ...]


def make_next_token(
    c: Circuit,
    spec: Spec,
    front: Front,
    control: Control,
    lanes: Lanes,
    outs: Outs,
    faults: Faults,
    schedule: Schedule,
    grid: Grid,
) -> None:
    """Sets the circuit's logits."""
    with c.scope("next"):
        picked = _pick(c, spec, front, control, lanes, outs, grid)
        schedules = _schedules(c, front, picked, grid)
        x = _Level4(c, spec, front, outs, picked, faults, schedule, grid, schedules)
        classes = _classes(x)
        most = max(place[1] for place in map(partial(_place, spec), _tokens(spec)) if place is not None)
        number = c.neurons(_number_terms(x), "number", 0, most)
    c.logits(_scores(spec, classes, number))


def _tokens(spec: Spec) -> list[Token]:
    vocab = vocabulary(spec)
    return [vocab.token(token_id) for token_id in range(vocab.size)]


def _pick(
    c: Circuit, spec: Spec, front: Front, control: Control, lanes: Lanes, outs: Outs, grid: Grid
) -> Picked:
    anchor = front.anchor
    left = _left(c, spec, front, control, lanes, outs)
    everything = [*outs.items, *grid.items]
    ends = [
        c.bit(
            [
                (1, form(anchor.count[k]) + (item.fits[k] if k < len(item.fits) else 1) - 1, 1)
                for k in range(BYTES)
            ],
            f"ends.{p}",
        )
        for p, item in enumerate(everything)
    ]
    item = tuple(c.bit([(1, form(one) - total(left[:p]), 1)], f"item.{p}") for p, one in enumerate(left))
    none = c.bit([(1, 1 - total(left), 1)], "no_item")
    selects = [*item, *anchor.ctaid]

    def chosen(values: Sequence[Linear], name: str, hi: int) -> Wire:
        return c.neurons([(1, on, one) for on, one in zip(selects, values, strict=True)], name, 0, hi)

    digits = tuple(chosen([one.digits[i] for one in everything], f"digit.{i}", BYTE - 1) for i in range(BYTES))
    fits = tuple(chosen([one.fits[n] for one in everything], f"fits.{n + 1}", 1) for n in range(BYTES - 1))
    first = spec.live_outs * spec.lanes
    addr = tuple(
        c.bit([(1, form(item[first + i]) + need - anchor.kind[Kind.ADDR] - 1, 1)], f"addr.{i}")
        for i, need in enumerate(outs.needs)
    )
    return Picked(item, none, Value(Item(digits, fits), chosen(ends, "last_digit", 1)), addr)


def _left(c: Circuit, spec: Spec, front: Front, control: Control, lanes: Lanes, outs: Outs) -> list[Wire]:
    """Items after the anchor: each active lane's, or the lowest one's if all agree; the store's."""
    after = front.anchor.after
    left: list[Wire] = []
    for out in range(spec.live_outs):
        used, same = control.out_used[out], outs.uniform[out]
        for lane in range(spec.lanes):
            p = out * spec.lanes + lane
            may = [
                c.bit([(1, form(used) + after[p] + one - 2, 1)], f"may.{p}.{name}")
                for one, name in ((lanes.active[lane], "each"), (lanes.first[lane], "one"))
            ]
            left.append(c.bit([(1, form(may[0]) - same, 1), (1, form(may[1]) + same - 1, 1)], f"left.{p}"))
    for lane in range(spec.lanes):
        p = spec.live_outs * spec.lanes + lane
        terms: Terms = [(1, form(outs.store_used) + after[p] + lanes.active[lane] - 2, 1)]
        left.append(c.bit(terms, f"left.{p}"))
    return left


def _schedules(c: Circuit, front: Front, picked: Picked, grid: Grid) -> Wire:
    """1 if the scheduler has the word: the last EXEC is written out, or the anchor asks for one."""
    kind = front.anchor.kind
    written = total((kind[Kind.EXEC], kind[Kind.VAL], kind[Kind.MEM])) + picked.none - 1
    asked = total((kind[Kind.LAUNCH], kind[Kind.MASK], kind[Kind.RELEASE], grid.settled))
    return c.bit([(1, written, 1), (1, asked, 1)], "schedules")


ClassKey = tuple[Kind, tuple[int, ...]]
"""What the next token is: its kind, and for VAL and MEM all arguments but the last."""


@dataclass(frozen=True)
class _Level4:
    """Everything that the last level reads."""

    c: Circuit
    spec: Spec
    front: Front
    outs: Outs
    picked: Picked
    faults: Faults
    schedule: Schedule
    grid: Grid
    schedules: Wire

    @property
    def free(self) -> Form:
        """1 or more if a fault or an ADDR comes instead of a value."""
        return form(self.faults.any) + total(self.picked.addr)

    @property
    def runs(self) -> Form:
        """1 if a scheduled warp has a ready thread."""
        return self.schedules - form(self.faults.any) - self.schedule.none_ready


def _classes(x: _Level4) -> dict[ClassKey, Wire]:
    """One-hot of the next token's class."""
    out: dict[ClassKey, Wire] = {}
    lanes, kind = x.spec.lanes, x.front.anchor.kind
    item, last, fault = x.picked.item, form(x.picked.value.last), x.faults.any
    stores = x.spec.live_outs * lanes

    def put(name: Kind, args: tuple[int, ...], terms: Terms) -> None:
        label = "_".join((name.value.lower(), *map(str, args)))
        out[name, args] = x.c.bit(terms, f"is_{label}")

    def bit(value: Form) -> Terms:
        return [(1, value, 1)]

    ctaid = total(x.front.anchor.ctaid)
    put(Kind.BYTE, (), bit(total(item) + ctaid - last - x.free))
    put(Kind.SET, (), bit(ctaid + last - 1))
    for s in range(x.spec.live_outs):
        mine = item[s * lanes : (s + 1) * lanes]
        for lane in range(lanes):
            put(Kind.VAL, (s, lane), bit(mine[lane] + last - x.outs.uniform[s] - fault - 1))
        put(Kind.VAL, (s, lanes), bit(total(mine) + last + x.outs.uniform[s] - fault - 2))
    for lane in range(lanes):
        put(Kind.MEM, (lane,), bit(item[stores + lane] + last - x.free - 1))
    put(Kind.ADDR, (), bit(total(x.picked.addr) - fault))
    put(Kind.EXEC, (), bit(x.runs - x.schedule.new_mask))
    put(Kind.MASK, (), gated_step(x.schedule.new_mask, 1, x.runs))
    idle = x.schedules - form(fault)
    done, over = x.schedule.done, x.grid.last
    put(Kind.RELEASE, (), bit(idle + x.schedule.none_ready - done - 1))
    put(Kind.START, (), bit(idle + done - over - 1))
    put(Kind.HALT, (), [*bit(idle + done + over - 2), *bit(form(kind[Kind.FAULT]))])
    put(Kind.CONST, (), bit(total(x.grid.announce)))
    put(Kind.FAULT, (), bit(form(fault)))
    return out


def _number_terms(x: _Level4) -> Terms:
    """The token's number in its class: the value's next digit, an address, and so on; 0 where there is none."""
    item, fault = x.picked.value.item, x.faults.any
    fits = [form(0), *map(form, item.fits), form(1)]
    terms: Terms = []
    for i, digit in enumerate(item.digits):
        for k in range(BYTES - i):
            exactly = fits[i + k + 1] - fits[i + k]  # the value has i + k + 1 digits, k are written
            terms.append((1, exactly + x.front.anchor.count[k] - 1 - x.free, digit))
    space = form(x.outs.store_space) * x.spec.memory_rows
    terms += [(1, form(on) - fault, base + space) for on, base in zip(x.picked.addr, x.outs.base, strict=True)]
    terms += x.faults.number
    terms.append((1, x.runs - x.schedule.new_mask, x.schedule.exec_number))
    terms += gated_step(x.schedule.new_mask, 1, x.runs, 1, x.schedule.mask_number)
    terms += [(1, on, row) for on, row in zip(x.grid.announce, ctaid_rows(), strict=True)]
    return terms


def _place(spec: Spec, token: Token) -> tuple[ClassKey, int] | None:
    """A token's class and number; None for tokens that are never generated."""
    args = token.args
    match token.kind:
        case Kind.BYTE | Kind.SET | Kind.VAL | Kind.MEM:
            return (token.kind, args[:-1]), args[-1]
        case Kind.ADDR:
            return (token.kind, ()), args[0] * spec.memory_rows + args[1]
        case Kind.EXEC:
            return (token.kind, ()), args[0] * spec.warps + args[1]
        case Kind.MASK | Kind.FAULT:
            return (token.kind, ()), args[0] << spec.lanes | args[1]
        case Kind.CONST:
            return (token.kind, ()), args[0]
        case Kind.START | Kind.RELEASE | Kind.HALT:
            return (token.kind, ()), 0
        case _:
            return None


def _scores(spec: Spec, classes: dict[ClassKey, Wire], number: Wire) -> list[Form]:
    """[class] - (number - own number)**2, but for the number's square, which is the same for all tokens.

    Raises ValueError if numbers are so large that the square is not exact in float32.
    """
    vocab = vocabulary(spec)
    scores: list[Form] = []
    for token_id in range(vocab.size):
        place = _place(spec, vocab.token(token_id))
        if place is None:
            scores.append(form(-1))
            continue
        key, own = place
        score = classes[key] + form(number) * (2 * own) - own * own
        if score.magnitude >= FLOAT_EXACT:
            raise ValueError(f"spec {spec.name}: the number {own} of {vocab.token(token_id)} is too large")
        scores.append(score)
    return scores
