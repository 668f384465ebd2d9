"""PRMT, INS and what looks at other lanes: SHFL, SHFLP, BALLOT.

Three levels behind the operands, the last one is the slot's.
"""

from __future__ import annotations

from dataclasses import dataclass

from qwengpu.circuits import Circuit, Form, Linear, Wire, form, number, row_select, total
from qwengpu.gpu.alu import Result
from qwengpu.gpu.digits import BASE, DIGITS, Digits, Terms, gated_step, is_value, odd
from qwengpu.gpu.rom import Fields
from qwengpu.isa import Op, ShflMode, Width

BYTE_DIGITS = 4
BYTES = DIGITS // BYTE_DIGITS
INDEX_BITS = 5
"""Lane numbers of a shuffle have five bits, whatever the warp's size."""
SLACK = 64
"""More than any difference of two lane numbers."""


@dataclass(frozen=True)
class ExchangeControl:
    """Control wires of one slot. ``modes``: of SHFL and SHFLP together."""

    prmt: Wire
    insert8: Wire
    insert16: Wire
    shfl: Wire
    shflp: Wire
    modes: dict[ShflMode, Wire]
    ballot: Wire


def make_exchange_control(c: Circuit, block: Fields, slot: int) -> ExchangeControl:
    """One level behind the ROM."""
    op, width, mode = (block[f"slot{slot}.{name}"] for name in ("op", "width", "shfl"))
    insert = row_select(op, Op.INS.code)

    def shuffles(which: ShflMode) -> Terms:
        on = row_select(mode, which)
        return [(1, row_select(op, one.code, on), 1) for one in (Op.SHFL, Op.SHFLP)]

    return ExchangeControl(
        prmt=block.any_op(slot, [Op.PRMT], "prmt"),
        insert8=c.bit([(1, row_select(width, Width.U8, insert), 1)], "insert8"),
        insert16=c.bit([(1, row_select(width, Width.U16, insert), 1)], "insert16"),
        shfl=block.any_op(slot, [Op.SHFL], "shfl"),
        shflp=block.any_op(slot, [Op.SHFLP], "shflp"),
        modes={which: c.bit(shuffles(which), f"shfl_{which.name.lower()}") for which in ShflMode},
        ballot=block.any_op(slot, [Op.BALLOT], "ballot"),
    )


@dataclass(frozen=True)
class Operands:
    """One lane's operands of a slot, with the upper bits of the digits of a and b."""

    a: Digits
    b: Digits
    c: Digits
    upper_a: Digits
    upper_b: Digits


def make_bytes(c: Circuit, control: ExchangeControl, x: Operands) -> Result:
    """PRMT and INS in one lane."""
    out: list[Terms] = [[] for _ in range(DIGITS)]
    _add_prmt(c, out, control, x)
    _add_insert(c, out, control, x)
    return Result(tuple(out))


def _add_prmt(c: Circuit, out: list[Terms], control: ExchangeControl, x: Operands) -> None:
    """A selector nibble is two digits: u + 4 * t picks byte u + 4 * (t & 1), t >= 2 its sign."""
    pool = [*x.a, *x.b]
    signs = [x.upper_a[BYTE_DIGITS * i + 3] for i in range(BYTES)] + [
        x.upper_b[BYTE_DIGITS * i + 3] for i in range(BYTES)
    ]
    for byte in range(BYTES):
        low = [c.bit(is_value(x.c[2 * byte], v, control.prmt), f"prmt{byte}.low{v}") for v in range(BASE)]
        top = [c.bit(is_value(x.c[2 * byte + 1], v), f"prmt{byte}.top{v}") for v in range(BASE)]
        sign = c.bit(
            [(1, form(low[k % BASE]) + top[2 + k // BASE] - 1, signs[k]) for k in range(2 * BYTES)],
            f"prmt{byte}.sign",
        )
        for place in range(BYTE_DIGITS):
            out[BYTE_DIGITS * byte + place] += [
                *(
                    (1, form(low[k % BASE]) + top[k // BASE] - 1, pool[BYTE_DIGITS * k + place])
                    for k in range(2 * BYTES)
                ),
                (BASE - 1, sign, 1),
            ]


def _add_insert(c: Circuit, out: list[Terms], control: ExchangeControl, x: Operands) -> None:
    byte = [c.bit(is_value(x.c[0], v, control.insert8), f"insert.byte{v}") for v in range(BYTES)]
    upper = c.bit(gated_step(x.c[0], 2, control.insert16), "insert.half1")
    halves = (form(control.insert16) - upper, form(upper))
    inserts = form(control.insert8) + control.insert16
    for place in range(DIGITS):
        one, half = form(byte[place // BYTE_DIGITS]), halves[place // (2 * BYTE_DIGITS)]
        out[place] += [
            (1, inserts - one - half, x.a[place]),
            (1, one, x.b[place % BYTE_DIGITS]),
            (1, half, x.b[place % (2 * BYTE_DIGITS)]),
        ]


# --------------------------------------------------------------------------------------------------
# Other lanes


def make_lane_exchange(
    c: Circuit, control: ExchangeControl, lanes: list[Operands], active: tuple[Wire, ...]
) -> list[Result]:
    """SHFL, SHFLP and BALLOT of all lanes at once."""
    votes = []
    for lane, x in enumerate(lanes):
        with c.scope(f"lane{lane}"):
            votes.append(c.bit(odd(x.a[0], control.ballot), "vote"))
    results = []
    for lane, x in enumerate(lanes):
        with c.scope(f"lane{lane}"):
            out: list[Terms] = [[] for _ in range(DIGITS)]
            _add_shuffle(c, out, control, lane, lanes, active)
            _add_ballot(out, x, votes, active)
            results.append(Result(tuple(out)))
    return results


def _add_ballot(out: list[Terms], x: Operands, votes: list[Wire], active: tuple[Wire, ...]) -> None:
    for lane, vote in enumerate(votes):
        place, bit = divmod(lane, 2)
        upper = form(x.upper_b[place])
        asked = upper if bit else x.b[place] - 2 * upper
        out[place].append((1 + bit, form(vote) + active[lane] + asked - 2, 1))


@dataclass(frozen=True)
class _Index:
    """Bits of a shuffle's operands: lane operand d, clamp v, segment mask m."""

    d: tuple[Linear, ...]
    v: tuple[Linear, ...]
    m: tuple[Linear, ...]


def _index(c: Circuit, x: Operands) -> _Index:
    def bits(digits: Digits, upper: Digits | None, name: str) -> tuple[Linear, ...]:
        out: list[Linear] = []
        for place in range(2):
            top = upper[place] if upper is not None else c.bit(gated_step(digits[place], 2), f"{name}.{place}")
            out += [digits[place] - 2 * form(top), top]
        return (*out, c.bit(odd(digits[2]), f"{name}.2"))

    return _Index(bits(x.b, x.upper_b, "d"), bits(x.c, None, "v"), bits(x.c[BYTE_DIGITS:], None, "m"))


def _add_shuffle(
    c: Circuit,
    out: list[Terms],
    control: ExchangeControl,
    own: int,
    lanes: list[Operands],
    active: tuple[Wire, ...],
) -> None:
    """Level A: bits. Level B: how far inside its segment the source is; which lanes it is not."""
    index = _index(c, lanes[own])
    room = c.neurons(_room(control, index, own), "room", 1 - SLACK, SLACK - 1)
    out[0] += [(1, room + 1, control.shflp), (-1, room, control.shflp)]
    a = lanes[own].a
    for place in range(DIGITS):
        out[place].append((1, control.shfl, a[place]))
    for lane, x in enumerate(lanes):
        if lane == own:
            continue
        wrong = c.neurons(_wrong(control, index, own, lane), f"not_from.{lane}", 0, SLACK - 1)
        # Not below 0 if the source is this lane, in range, active: then its a replaces the own one.
        inside = room - form(wrong) * SLACK - (1 - form(active[lane])) * SLACK
        for place in range(DIGITS):
            difference = form(x.a[place]) - a[place]
            out[place] += [(1, inside + 1, difference), (-1, inside, difference)]


def _room(control: ExchangeControl, index: _Index, own: int) -> Terms:
    """high - j for IDX, DOWN, BFLY and j - high for UP: in range if not below 0.

    high = (n & m) | (v & ~m), j of IDX = (n & m) | (d & ~m); n is the own lane's number.
    """
    idx, up, down, bfly = (
        control.modes[mode] for mode in (ShflMode.IDX, ShflMode.UP, ShflMode.DOWN, ShflMode.BFLY)
    )
    kept = total(form(m) * (1 << p) for p, m in enumerate(index.m) if own >> p & 1)
    d = number(index.d)
    terms: Terms = []
    for p in range(INDEX_BITS):
        clamp, lane = form(index.v[p]) - index.m[p], form(index.d[p]) - index.m[p]
        terms += [
            (1 << p, clamp + idx + down + bfly - 1, 1),
            (-(1 << p), clamp + up - 1, 1),
            (-(1 << p), lane + idx - 1, 1),
        ]
    terms += [
        (1, form(down) + bfly, kept),
        (1, down, -own - d),
        (1, bfly, -_flipped(index.d, own)),
        (1, up, own - d - kept),
    ]
    return terms


def _flipped(bits: tuple[Linear, ...], other: int) -> Form:
    """The number of bits XOR a known number."""
    return number([1 - form(bit) if other >> p & 1 else form(bit) for p, bit in enumerate(bits)])


def _distance(bits: tuple[Linear, ...], other: int) -> Form:
    """In how many bits a number differs from a known one."""
    return total(1 - form(bit) if other >> p & 1 else form(bit) for p, bit in enumerate(bits))


def _wrong(control: ExchangeControl, index: _Index, own: int, lane: int) -> Terms:
    """0 if SHFL's source is ``lane`` (in range or not), more if not."""
    modes = control.modes
    terms: Terms = [(1, 1 - form(control.shfl), 1)]
    idx = modes[ShflMode.IDX]
    for p in range(INDEX_BITS):
        d, m = form(index.d[p]), form(index.m[p])
        have, want = own >> p & 1, lane >> p & 1
        differs = d - m if not have else 1 - d - m  # the source's bit is not the own one
        if have == want:
            terms.append((1, differs + idx - 1, 1))
        else:
            terms += [(1, idx, 1), (-1, differs + idx - 1, 1)]
    terms.append((1, modes[ShflMode.BFLY], _distance(index.d, own ^ lane)))
    for mode, step in ((ShflMode.UP, own - lane), (ShflMode.DOWN, lane - own)):
        terms.append((1, modes[mode], _distance(index.d, step) if 0 <= step < 1 << INDEX_BITS else 1))
    return terms
