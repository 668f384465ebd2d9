"""Every gate against plain Python integers: exhaustive where small, edges and random vectors where wide."""

from __future__ import annotations

import itertools
import random

import pytest
from gate_bench import EDGES, MASK, cost, run_gate, signed

from qwengpu.circuits import Circuit, CircuitError, EvaluationError, form, gates, number

RNG = random.Random(7)


def random_word():
    return RNG.getrandbits(RNG.randint(1, 32))


PAIRS = [*itertools.product(EDGES, EDGES), *((random_word(), random_word()) for _ in range(3000))]
TRIPLES = [(*pair, RNG.choice(EDGES) if RNG.random() < 0.3 else random_word()) for pair in PAIRS]


def check(make, vectors, widths, want):
    for vector, have in zip(vectors, run_gate(make, vectors, widths), strict=True):
        expected = tuple(int(value) for value in want(*vector))
        assert have == expected, f"{vector}: {have}, not {expected}"


# ---------------------------------------------------------------------------------- logic

NIBBLE = list(itertools.product((0, 1), repeat=4))


def test_bits_exhaustive():
    def make(c, *w):
        a, b, d, e = (word[0] for word in w)
        return [
            [gates.land(c, a, b, d, e)],
            [gates.lor(c, a, b, d, e)],
            [gates.nor(c, a, b, d, e)],
            [gates.lxor(c, a, b)],
            [gates.parity(c, a, b, d, e)],
            [gates.majority(c, a, b, d)],
            [gates.mux(c, a, b, d)],
            gates.lowest(c, (a, b, d, e)),
            gates.highest(c, (a, b, d, e)),
            gates.decode(c, (a, b, d), e),
            gates.encode(gates.decode(c, (a, b, d))),
            gates.gate_word(c, a, (b, 1 - form(d))),
            gates.lookup(gates.decode(c, (a, b)), [9, 4, 7, 2], 4),
        ]

    def want(a, b, d, e):
        bits = a | b << 1 | d << 2 | e << 3
        return (
            a & b & d & e,
            a | b | d | e,
            not bits,
            a ^ b,
            a ^ b ^ d ^ e,
            a + b + d >= 2,
            b if a else d,
            bits & -bits,
            1 << bits.bit_length() >> 1,
            e << (bits & 7),
            bits & 7,
            a * (b | (1 - d) << 1),
            [9, 4, 7, 2][bits & 3],
        )

    check(make, NIBBLE, [1] * 4, want)


def test_bitwise_words():
    def make(c, a, b, k):
        op = gates.decode(c, k, name="op")
        return [
            gates.bitwise(c, a, b, *op),
            gates.and_word(c, a, gates.invert(b)),
            gates.or_word(c, a, b),
            gates.xor_word(c, a, b),
            gates.mux_word(c, k[0], a, b),
            gates.choose_word(c, op[:3], [a, b, gates.constant(0x1234, 32)]),
        ]

    def want(a, b, k):
        words = (a & b, a | b, a ^ b, a & ~b & MASK)
        return words[k], words[3], words[1], words[2], a if k & 1 else b, (a, b, 0x1234, 0)[k]

    check(make, [(a, b, i % 4) for i, (a, b) in enumerate(PAIRS)], [32, 32, 2], want)


def test_mux_and_choose_carry_integers_of_any_sign():
    c = Circuit("signs", 8)
    b = [c.feature(f"b{i}", lambda t, i=i: t >> i & 1) for i in range(3)]
    picked = gates.mux(c, b[0], -3 * form(b[1]), b[2] * 5 - 1)
    assert (picked.lo, picked.hi) == (-3, 4)
    assert gates.choose(c, b[:2], [-4, b[2]]).lo == -4


# ---------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize("digit", [1, 2, 3, 4, 6])
def test_bits_of_a_number_exhaustive(digit):
    width = 10
    values = [(value,) for value in range(1 << width)]
    check(lambda c, x: [gates.to_bits(c, number(x), width, digit)], values, [width], lambda x: (x,))


def test_bits_of_a_number_that_stops_early():
    values = [(value,) for value in range(256)]
    check(lambda c, x: [gates.to_bits(c, 3 * number(x), 10)], values, [8], lambda x: (3 * x,))


def test_small_numbers_exhaustive():
    table = [RNG.randrange(1000) for _ in range(64)]

    def make(c, x):
        value = number(x)
        return [
            [gates.at_least(c, value, 17)],
            [gates.equals(c, value, 17)],
            [gates.is_zero(c, value)],
            gates.onehot(c, value),
            gates.table_word(c, value, table, 10),
            gates.popcount(c, x),
            gates.leading(c, x).zeros,
            gates.leading(c, x).onehot,
            [gates.leading(c, x).none],
        ]

    def want(x):
        top = 1 << x.bit_length() >> 1
        ones = x.bit_count()
        return x >= 17, x == 17, x == 0, 1 << x, table[x], ones, 6 - x.bit_length(), top, x == 0

    check(make, [(x,) for x in range(64)], [6], want)


def test_counts_of_words():
    def make(c, a):
        return [gates.popcount(c, a), gates.leading(c, a).zeros, gates.reverse(a)]

    words = [(a,) for a, _ in PAIRS]
    check(make, words, [32], lambda a: (a.bit_count(), 32 - a.bit_length(), int(f"{a:032b}"[::-1], 2)))


def test_order_of_words():
    def make(c, a, b):
        order = gates.compare(c, a, b)
        return [[order.ltu], [order.lts], [order.eq], [gates.equal_words(c, a, b)]]

    same = [(a, a) for a, _ in PAIRS[:300]]
    near = [(a, (a + RNG.choice((-1, 1, 1 << 16, 1 << 31))) & MASK) for a, _ in PAIRS]
    check(make, [*PAIRS, *same, *near], [32, 32], lambda a, b: (a < b, signed(a) < signed(b), a == b, a == b))


# ---------------------------------------------------------------------------------- adders


@pytest.mark.parametrize("width", [1, 3, 4, 5])
def test_addition_exhaustive(width):
    vectors = list(itertools.product(range(1 << width), range(1 << width), (0, 1)))

    def make(c, a, b, k):
        total = gates.add(c, a, b, k[0])
        difference = gates.subtract(c, a, b, k[0], "sub")
        return [[*total.bits, total.carry], [*difference.bits, 1 - form(difference.carry)]]

    check(make, vectors, [width, width, 1], lambda a, b, k: (a + b + k, (a - b - k) % (2 << width)))


def test_addition_of_words():
    def make(c, a, b, k):
        total, difference = gates.add(c, a, b, k[0]), gates.subtract(c, a, b, k[0], "sub")
        either = gates.add_or_subtract(c, a, b, k[1], k[0])
        return [
            [*total.bits, total.carry],
            [*difference.bits, 1 - form(difference.carry)],
            either.bits,
        ]

    def want(a, b, k):
        carry = k & 1
        return a + b + carry, (a - b - carry) % (1 << 33), (a - b - carry if k & 2 else a + b + carry) & MASK

    ripple = [((1 << i) - 1, 1) for i in range(33)] + [(MASK ^ 1 << i, 1 << i) for i in range(32)]
    check(make, [(a, b, RNG.randrange(4)) for a, b in [*PAIRS, *ripple]], [32, 32, 2], want)


def test_addition_of_three_words_is_exact_when_extended():
    def make(c, a, b, d):
        wide = (
            gates.extend(a, 36),
            gates.extend(gates.reverse(gates.reverse(b)), 36),
            gates.extend(d, 36, d[31]),
        )
        return [gates.add3(c, *wide).bits]

    check(make, TRIPLES, [32] * 3, lambda a, b, d: ((a + b + signed(d)) % (1 << 36),))


# ---------------------------------------------------------------------------------- shifts, permutation

COUNTS = [*range(41), 63, 64, 65, 96, 255, 256, 1 << 16, 1 << 31, MASK]


def shifted(a, count, kind):
    match kind:
        case 0:
            return a << count & MASK if count < 32 else 0
        case 1:
            return a >> count
        case 2:
            return (signed(a) >> min(count, 31)) & MASK
        case _:
            return 0


def test_shifts_of_every_count_and_kind():
    words = [*EDGES, *(random_word() for _ in range(12))]
    vectors = [*itertools.product(words, COUNTS, range(4))]

    def make(c, a, count, k):
        return [gates.shift(c, a, count, gates.ShiftKind(*gates.decode(c, k)[:3]))]

    check(make, vectors, [32, 32, 2], lambda a, count, kind: (shifted(a, count, kind),))


def test_byte_permutation():
    def want(a, b, s):
        pool = (b << 32 | a).to_bytes(8, "little")
        picked = [(pool[n & 7], n & 8) for n in (s >> 4 * i & 15 for i in range(4))]
        return (int.from_bytes(bytes(255 * (byte >> 7) if sign else byte for byte, sign in picked), "little"),)

    every = [(0x83C1A57F, 0x12FE00ED, n | (n ^ 5) << 4 | (15 - n) << 8 | 3 << 12) for n in range(16)]
    check(lambda c, a, b, s: [gates.permute_bytes(c, a, b, s)], [*every, *TRIPLES], [32] * 3, want)


# ---------------------------------------------------------------------------------- multiplication


@pytest.mark.parametrize("digit", [2, 3, 4, 6])
def test_unsigned_products(digit):
    vectors = PAIRS[:: 1 if digit == 3 else 8]
    check(lambda c, a, b: [gates.multiply(c, a, b, digit=digit)], vectors, [32, 32], lambda a, b: (a * b,))


def test_signed_products_with_addends():
    def make(c, a, b, d, k):
        sign = k[0]
        signs = gates.land(c, a[31], sign, name="sa"), gates.land(c, b[31], sign, name="sb")
        low = [(1, 1 - form(k[1]), number(d[8 * i : 8 * i + 8])) for i in range(4)]
        high = [(1, k[1], number(d[8 * i : 8 * i + 8])) for i in range(4)]
        return [gates.multiply(c, a, b, sign, *signs, addend=[*low, *high])]

    def want(a, b, d, k):
        product = signed(a) * signed(b) if k & 1 else a * b
        return ((product + (d << 32 if k & 2 else d)) % (1 << 64),)

    check(make, [(*three, RNG.randrange(4)) for three in TRIPLES], [32, 32, 32, 2], want)


def test_the_low_word_alone():
    check(lambda c, a, b: [gates.multiply(c, a, b, width=32)], PAIRS, [32, 32], lambda a, b: (a * b & MASK,))


# ---------------------------------------------------------------------------------- costs, refusals

COSTS = {
    "add": (gates.add, [32, 32], 2, 182),
    "compare": (gates.compare, [32, 32], 2, 17),
    "shift": (lambda c, a, b: gates.shift(c, a, b, gates.ShiftKind(a[0], 1 - form(a[0]), 0)), [32, 32], 3, 482),
    "popcount": (gates.popcount, [32], 2, 33),
    "leading": (gates.leading, [32], 1, 32),
    "permute": (gates.permute_bytes, [32, 32, 16], 2, 352),
    "multiply": (gates.multiply, [32, 32], 10, 1082),
}


@pytest.mark.parametrize("name", COSTS)
def test_gates_cost_what_the_documentation_says(name):
    make, widths, levels, neurons = COSTS[name]
    assert cost(make, widths) == (levels, neurons)


def test_a_table_that_is_too_short_is_refused():
    c = Circuit("bad", 8)
    x = c.feature("x", list(range(8)))
    with pytest.raises(CircuitError, match=r"table of 7 entries for x, which is 0\.\.7"):
        gates.table(c, x, [0] * 7)
    with pytest.raises(CircuitError, match=r"2 bits of x, which is 0\.\.7"):
        gates.to_bits(c, x, 2)


def test_two_selects_at_once_are_found():
    def make(c, a):
        return [gates.choose_word(c, a[:2], [a, a])]

    with pytest.raises(EvaluationError, match=r"choose\.0 = 2"):
        run_gate(make, [(0,), (3,)], [2])
