"""The ALU: sums, comparisons, minimum and maximum, selection, bitwise logic of one slot in one lane.

Three levels behind the operands. Level A adds the operands digit by digit, with b scaled, inverted or absent
as the operation wants: a digit sum is 0...12. Level B finds the carry into the upper half, and compares halves.
Level C is the caller's: every unit gives it neurons for each digit of the result, which add up to the slot's
result because only one operation is selected.
"""

from __future__ import annotations

from dataclasses import dataclass

from qwengpu.circuits import Circuit, Form, Linear, Wire, form, row_select, total
from qwengpu.gpu.digits import BASE, DIGITS, HALF, Digits, Terms, gated_step, high, odd, quotient, weigh
from qwengpu.gpu.rom import Fields
from qwengpu.isa import Op

WHOLE_HALF = BASE**HALF
SCALES = 4
DIGIT_SUM = 12
"""Largest digit sum: 3 + 2 * 3 + 3, of LEA with a scale of 2 or 8."""

COMPARISONS = (Op.EQ, Op.NE, Op.LT, Op.LE, Op.LTU, Op.LEU)
MINIMA = (Op.MIN, Op.MINU)
MAXIMA = (Op.MAX, Op.MAXU)
BOTH = {Op.AND: 1, Op.OR: -1, Op.XOR: -2, Op.ANDN: -1}
"""a | b = a + b - (a & b), and so on: the bitwise operations are sums of a, b and a & b."""
SIGNED = (Op.LT, Op.LE, Op.MIN, Op.MAX)


@dataclass(frozen=True)
class AluControl:
    """Control wires of one slot; each is 1 for the operations that it names."""

    summing: Wire
    """Whatever uses the digit sums: all but logic, SEL, FIT."""
    plus: Wire
    minus: Wire
    lea: Wire
    lea_scale: tuple[Wire, ...]
    lea_signed: tuple[Wire, ...]
    carry_in: Wire
    borrow_in: Wire
    sum_out: Wire
    carry_out: Wire
    borrow_out: Wire
    signed: Wire
    eq: Wire
    ne: Wire
    less: Wire
    less_equal: Wire
    minimum: Wire
    maximum: Wire
    sel: Wire
    pass_a: Wire
    """OR, XOR, ANDN, FIT: the result has a in it."""
    pass_b: Wire
    """OR, XOR, and MIN, MAX, SEL unless a is chosen: the result has b in it."""
    both: Wire
    """How often a & b is in the result: 1 for AND, -1 for OR and ANDN, -2 for XOR."""
    fit_zero: Wire
    fit_sign: Wire


def make_alu_control(c: Circuit, block: Fields, slot: int) -> AluControl:
    """Decodes a slot's operation and modifiers: one level behind the ROM."""

    def ops(name: str, *wanted: Op) -> Wire:
        return block.any_op(slot, wanted, name)

    op, scale = block[f"slot{slot}.op"], block[f"slot{slot}.scale"]
    signed = block.flag(f"slot{slot}.signed")
    is_lea, is_fit = row_select(op, Op.LEA.code), row_select(op, Op.FIT.code)
    scaled = [row_select(scale, s, is_lea) for s in range(SCALES)]
    compared = (*COMPARISONS, *MINIMA, *MAXIMA)
    return AluControl(
        summing=ops("summing", Op.ADD, Op.SUB, Op.CARRY, Op.BORROW, Op.LEA, *compared),
        plus=c.bit(
            [(1, row_select(op, one.code), 1) for one in (Op.ADD, Op.CARRY)] + [(1, scaled[0], 1)], "plus"
        ),
        minus=ops("minus", Op.SUB, Op.BORROW, *compared),
        lea=ops("lea", Op.LEA),
        lea_scale=tuple(c.bit([(1, one, 1)], f"lea_scale.{s}") for s, one in enumerate(scaled)),
        lea_signed=tuple(c.bit([(1, one + signed - 1, 1)], f"lea_signed.{s}") for s, one in enumerate(scaled)),
        carry_in=ops("carry_in", Op.ADD, Op.CARRY),
        borrow_in=ops("borrow_in", Op.SUB, Op.BORROW),
        sum_out=ops("sum_out", Op.ADD, Op.SUB, Op.LEA),
        carry_out=ops("carry_out", Op.CARRY),
        borrow_out=ops("borrow_out", Op.BORROW),
        signed=ops("signed", *SIGNED),
        eq=ops("eq", Op.EQ),
        ne=ops("ne", Op.NE),
        less=ops("less", Op.LT, Op.LTU),
        less_equal=ops("less_equal", Op.LE, Op.LEU),
        minimum=ops("minimum", *MINIMA),
        maximum=ops("maximum", *MAXIMA),
        sel=ops("sel", Op.SEL),
        pass_a=ops("pass_a", Op.OR, Op.XOR, Op.ANDN, Op.FIT),
        pass_b=ops("pass_b", Op.OR, Op.XOR, Op.SEL, *MINIMA, *MAXIMA),
        both=c.neurons([(n, row_select(op, one.code), 1) for one, n in BOTH.items()], "both_weight", -2, 1),
        fit_zero=c.bit([(1, is_fit - signed, 1)], "fit_zero"),
        fit_sign=c.bit([(1, is_fit + signed - 1, 1)], "fit_sign"),
    )


@dataclass(frozen=True)
class Result:
    """What a unit adds to each digit of its slot's result, as neurons of the slot's last level."""

    digits: tuple[Terms, ...]

    @staticmethod
    def nothing() -> Result:
        """No digit is touched."""
        return Result(tuple([] for _ in range(DIGITS)))


def merged(c: Circuit, results: list[Result], name: str) -> Digits:
    """The slot's result: one level."""
    sums = [[term for result in results for term in result.digits[place]] for place in range(DIGITS)]
    return tuple(c.neurons(terms, f"{name}.{place}", 0, BASE - 1) for place, terms in enumerate(sums))


@dataclass(frozen=True)
class Alu:
    """``result``, and ``pointer``: the lane has a POINTER fault (one level behind the result)."""

    result: Result
    pointer: Wire


def make_alu(
    c: Circuit, control: AluControl, a: Digits, b: Digits, d: Digits, upper: tuple[Digits, Digits]
) -> Alu:
    """One slot in one lane: operands a, b and d (the machine's c).

    ``upper``: upper bits of a's and b's digits.
    """
    sums = _digit_sums(c, control, a, b, d)
    low = _Sums(sums[:HALF])
    middle = c.neurons(quotient(low.weight[-1], WHOLE_HALF), "middle_carry", 0, 3)
    rest = _Sums(sums[HALF:], middle)
    order = _halves(c, control, low.weight[-1], weigh(sums[HALF:]), a, b)
    out: list[Terms] = [[] for _ in range(DIGITS)]
    _add_sums(out, low, control, 0)
    _add_sums(out, rest, control, HALF)
    _add_bits(out[0], control, order, rest.weight[-1])
    _add_choice(c, out, control, order, a, b, d)
    _add_both(c, out, control, a, b, upper)
    return Alu(Result(tuple(out)), _pointer(c, control, a, b, d, rest.weight[-1]))


class _Sums:
    """A half's digit sums; ``weight[j]``: the number that digits 0...j spell, with the carry into the half."""

    def __init__(self, sums: list[Wire], carry: Linear = 0) -> None:
        self.sums, self.carry = sums, carry
        self.weight = [weigh(sums[: place + 1]) + carry for place in range(len(sums))]


def _digit_sums(c: Circuit, control: AluControl, a: Digits, b: Digits, d: Digits) -> list[Wire]:
    """Level A."""
    out = []
    _, times2, times4, times8 = control.lea_scale
    for place in range(DIGITS):
        terms: Terms = [
            (1, control.summing, a[place]),
            (1, control.plus, b[place]),
            (1, control.minus, BASE - 1 - form(b[place])),
            (2, times2, b[place]),
            (1, control.lea, d[place]),
        ]
        if place:
            terms += [(1, times4, b[place - 1]), (2, times8, b[place - 1])]
        else:
            terms += odd(d[0], control.carry_in)
            terms += [(1, control.borrow_in, 1), *odd(d[0], control.borrow_in, -1)]
        out.append(c.neurons(terms, f"sum.{place}", 0, DIGIT_SUM))
    return out


def _add_sums(out: list[Terms], half: _Sums, control: AluControl, first: int) -> None:
    """Digits of the sum: digit sum + carry into it - 4 * carry out of it."""
    up = control.sum_out
    for place, one in enumerate(half.sums):
        unit = BASE**place
        below = half.weight[place - 1] if place else form(half.carry)
        out[first + place] += [(1, one, up), *quotient(below, unit, up)]
        out[first + place] += quotient(half.weight[place], unit * BASE, up, -BASE)


@dataclass(frozen=True)
class _Order:
    """a against b by halves, in comparisons; ``*_win``, ``high_lose``: whether MIN or MAX is a."""

    low_less: Wire
    low_more: Wire
    high_less: Wire
    high_more: Wire
    high_win: Wire
    high_lose: Wire
    low_win: Wire


def _halves(c: Circuit, control: AluControl, low: Form, high_: Form, a: Digits, b: Digits) -> _Order:
    """Level B. In a comparison the digit sums are those of a + NOT b, so a half's number is a - b + 65535."""
    top = DIGITS - 1
    signs = c.neurons([*high(a[top], control.signed), *high(b[top], control.signed, -1)], "signs", -1, 1)
    upper = high_ - form(signs) * WHOLE_HALF
    is_min, is_max = control.minimum, control.maximum

    def less(half: Form, up: Linear = 1) -> Terms:
        return gated_step(WHOLE_HALF - 1 - half, 1, 1, 1, up)

    def more(half: Form, up: Linear = 1) -> Terms:
        return gated_step(half, WHOLE_HALF, 1, 1, up)

    return _Order(
        c.bit(less(low), "low_less"),
        c.bit(more(low), "low_more"),
        c.bit(less(upper), "high_less"),
        c.bit(more(upper), "high_more"),
        c.bit([*less(upper, is_min), *more(upper, is_max)], "high_win"),
        c.bit([*more(upper, is_min), *less(upper, is_max)], "high_lose"),
        c.bit([*less(low, is_min), *more(low, is_max)], "low_win"),
    )


def _add_bits(out: Terms, control: AluControl, order: _Order, upper: Form) -> None:
    """Results of one bit: comparisons, CARRY, BORROW."""
    differ = total((order.low_less, order.low_more, order.high_less, order.high_more))
    high_differs = form(order.high_less) + order.high_more
    out += [(1, 1 - differ, control.eq), (1, control.ne, 1), (-1, 1 - differ, control.ne)]
    out += [(1, order.high_less, control.less), (1, order.low_less - high_differs, control.less)]
    out += [
        (1, control.less_equal, 1),
        (-1, order.high_more, control.less_equal),
        (-1, order.low_more - high_differs, control.less_equal),
    ]
    out += gated_step(upper, WHOLE_HALF, 1, 1, control.carry_out)
    out += [(1, control.borrow_out, 1), *gated_step(upper, WHOLE_HALF, 1, -1, control.borrow_out)]


def _add_choice(
    c: Circuit, out: list[Terms], control: AluControl, order: _Order, a: Digits, b: Digits, d: Digits
) -> None:
    """a and b where they are passed on; MIN, MAX, SEL are b + chosen * (a - b)."""
    chosen = c.bit(odd(d[0], control.sel), "select_a")
    high_wins = form(chosen) + order.high_win
    low_wins = form(order.low_win) - order.high_win - order.high_lose
    for place in range(DIGITS):
        difference = form(a[place]) - b[place]
        out[place] += [
            (1, control.pass_b, b[place]),
            (1, high_wins, difference),
            (1, low_wins, difference),
            (1, control.pass_a, a[place]),
        ]


def _add_both(
    c: Circuit, out: list[Terms], control: AluControl, a: Digits, b: Digits, upper: tuple[Digits, Digits]
) -> None:
    """a & b, digit by digit (level B), as often as the operation has it."""
    for place in range(DIGITS):
        x1, y1 = form(upper[0][place]), form(upper[1][place])
        x0, y0 = a[place] - 2 * x1, b[place] - 2 * y1
        digit = c.neurons([(1, x0 + y0 - 1, 1), (2, x1 + y1 - 1, 1)], f"both.{place}", 0, BASE - 1)
        out[place].append((1, digit, control.both))


def _pointer(c: Circuit, control: AluControl, a: Digits, b: Digits, d: Digits, upper: Form) -> Wire:
    """LEA beyond 32 bits; FIT with another high word than a's extension."""
    top = DIGITS - 1
    _, _, times4, times8 = control.lea_scale
    terms: Terms = [(1, times4, b[top]), (2, times8, b[top]), *high(d[top], control.lea, -1)]
    for scale, on in enumerate(control.lea_signed):
        terms += high(b[top], on, -(1 << scale))
    beyond = c.neurons(terms, "beyond", -9, 6)
    carry = c.neurons(quotient(upper, WHOLE_HALF, control.lea), "top_carry", 0, 3)
    ones = total(b)
    sign = high(a[top], control.fit_sign)
    wrong: Terms = [(1, control.fit_zero, ones), (1, control.fit_sign, ones)]
    wrong += [(coef, gate, (BASE - 1) * DIGITS - 2 * ones) for coef, gate, _ in sign]
    misfit = c.neurons(wrong, "misfit", 0, (BASE - 1) * DIGITS)
    outside = form(beyond) + carry
    return c.bit([*gated_step(outside, 1), *gated_step(-outside, 1), *gated_step(misfit, 1)], "pointer")
