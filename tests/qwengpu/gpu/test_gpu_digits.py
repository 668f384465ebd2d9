"""Gates on base-4 digits, exhaustively."""

from __future__ import annotations

import pytest
from gpu_kit import Bench, same

from qwengpu.gpu.digits import digit_onehot, gated_step, high, is_value, odd, quotient, unit_bit

NUMBERS = [(x, on) for x in range(24) for on in (-2, 0, 1)]


def bench() -> tuple[Bench, object, object]:
    made = Bench(len(NUMBERS))
    return made, made.number("x", [x for x, _ in NUMBERS]), made.number("on", [on for _, on in NUMBERS])


@pytest.mark.parametrize("threshold", [0, 1, 7, 22, 23, 24])
def test_gated_step(threshold: int) -> None:
    made, x, on = bench()
    found = made.run([made.c.neurons(gated_step(x, threshold, on, 3, 1))])[0]
    same(found, [3 * (v >= threshold and o == 1) for v, o in NUMBERS], NUMBERS.__getitem__)


@pytest.mark.parametrize("value", [0, 1, 7, 22, 23])
def test_is_value(value: int) -> None:
    made, x, on = bench()
    found = made.run([made.c.neurons(is_value(x, value, on, 2)), made.c.neurons(is_value(x, value))])
    same(found[0], [2 * (v == value and o == 1) for v, o in NUMBERS], NUMBERS.__getitem__)
    same(found[1], [v == value for v, _ in NUMBERS], NUMBERS.__getitem__)


def test_a_negative_number_has_its_values() -> None:
    values = list(range(-9, 10))
    made = Bench(len(values))
    x = made.number("x", values)
    results = made.run([made.c.bit(is_value(x, value), f"is{value}") for value in values])
    for value, result in zip(values, results, strict=True):
        same(result, [v == value for v in values], values.__getitem__)


@pytest.mark.parametrize("unit", [1, 2, 4, 5, 16, 30])
def test_quotient_and_its_bits(unit: int) -> None:
    made, x, _ = bench()
    found = made.run([made.c.neurons(quotient(x, unit)), made.c.bit(unit_bit(x, unit))])
    same(found[0], [v // unit for v, _ in NUMBERS], NUMBERS.__getitem__)
    same(found[1], [v // unit & 1 for v, _ in NUMBERS], NUMBERS.__getitem__)


@pytest.mark.parametrize("base", [2, 4])
def test_digit_onehot(base: int) -> None:
    made, x, _ = bench()
    found = made.run(digit_onehot(made.c, x, 3, "digit", base))
    for v, result in enumerate(found):
        same(result, [n // 3 % base == v for n, _ in NUMBERS], NUMBERS.__getitem__)


def test_bits_of_a_digit() -> None:
    vectors = [(d, on) for d in range(4) for on in (-1, 0, 1)]
    made = Bench(len(vectors))
    d, on = made.number("d", [d for d, _ in vectors]), made.number("on", [on for _, on in vectors])
    found = made.run([made.c.neurons(odd(d, on, -5)), made.c.bit(high(d, on))])
    same(found[0], [-5 * (v & 1) * (o == 1) for v, o in vectors], vectors.__getitem__)
    same(found[1], [v >> 1 and o == 1 for v, o in vectors], vectors.__getitem__)
