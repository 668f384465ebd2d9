"""The language: forms, bounds, names, memories' rules, printed netlists, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qwengpu.circuits import (
    Circuit,
    CircuitError,
    Datum,
    EvaluationError,
    Evaluator,
    address,
    form,
    gates,
    number,
    onehot_address,
    total,
)


def bits(c, count, name="b"):
    return [c.feature(f"{name}{i}", lambda t, i=i: t >> i & 1) for i in range(count)]


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=3), st.integers(-9, 9), st.integers(0, 7))
def test_forms_are_linear_arithmetic(coefs, const, token):
    c = Circuit("forms", 8)
    b = bits(c, 3)
    value = coefs[0] * b[0] + b[1] * coefs[1] - (-coefs[2]) * b[2] + const
    c.keep(c.linear(value, "value"))
    want = sum(k * (token >> i & 1) for i, k in enumerate(coefs)) + const
    assert Evaluator(c.build()).run([token])["value"] == [want]
    assert value.lo <= want <= value.hi
    assert value.magnitude == sum(map(abs, coefs)) + abs(const)
    assert str(total([value, -value])) == "0"


def test_a_netlist_prints():
    c = Circuit("small", 4)
    low, high = bits(c, 2)
    memory = c.memory("m", 2, 1)
    memory.write([low], [Datum(form(high), 1)], low + high - 1)
    memory.reset(1 - form(low))
    with c.scope("alu"):
        both = c.bit([(1, low + high - 1, 1)], "both")
        c.keep(both, c.collect(memory.read([high])[0] + c.unit(both, 2), "sum"))
    c.logits([low, high, 0, 2 * low - 3])
    assert str(c.build()) == (
        "circuit small: 4 tokens\n"
        "wire b0: 0..1 = token[0 1 0 1]\n"
        "wire b1: 0..1 = token[0 0 1 1]\n"
        "wire alu.both: 0..1 = 1*relu(b0 + b1 - 1)*(1)\n"
        "raw  m.read0[0]: 0..1 = m.read0[0]\n"
        "raw  alu.unit: 0..1 = relu(alu.both)@-2\n"
        "wire alu.sum: 0..2 = collect m.read0[0] + alu.unit\n"
        "memory m: 2 rows x 1, 0..1\n"
        "  write [-b0 + 1; b0] if b0 + b1 - 1 >= 1\n"
        "  data  relu(b1)@-1\n"
        "  reset if -b0 + 1 >= 1\n"
        "  read 0 [-b1 + 1; b1]\n"
        "logit 0 = b0\nlogit 1 = b1\nlogit 2 = 0\nlogit 3 = 2*b0 - 3"
    )


def test_reset_comes_before_the_write_and_the_write_before_the_read():
    c = Circuit("order", 8)
    data, enable, reset = bits(c, 3)
    memory = c.memory("m", 1, 1)
    memory.write([], [data], enable)
    memory.reset(reset)
    c.keep(c.collect(memory.read([])[0], "read"))
    tokens = [0b011, 0b000, 0b010, 0b011, 0b100, 0b111, 0b101]
    assert Evaluator(c.build()).run(tokens)["read"] == [1, 1, 0, 1, 0, 1, 0]


def test_names_get_numbers_and_nest():
    c = Circuit("names", 2)
    (bit,) = bits(c, 1)
    with c.scope("a"), c.scope("b"):
        names = [gates.land(c, bit, name="x").name for _ in range(3)]
    assert names == ["a.b.x", "a.b.x#1", "a.b.x#2"]


def writes_twice(memory):
    memory.write([], [1])
    memory.write([], [1])


REFUSED = {
    "select of row 0 can be 2": lambda c, b: c.memory("m", 1, 1).write(onehot_address([b[0] + b[1]]), [1]),
    "width 2, 1 data": lambda c, b: c.memory("m", 1, 2).write([], [1]),
    "column 0 can be 2, above 1": lambda c, b: c.memory("m", 1, 1).write([], [2]),
    "a second write": lambda c, b: writes_twice(c.memory("m", 1, 1)),
    "1 address bits do not reach 3 rows": lambda c, b: address(b[:1], 3),
    "4 tokens back": lambda c, b: c.unit(b[0], 4),
    "constant .1. cannot be collected": lambda c, b: c.collect(c.unit(b[0]) + 1),
    "2 values for 4 tokens": lambda c, b: c.feature("f", [1, 2]),
    "two tokens have the same code": lambda c, b: c.code_logits(b, [0, 1, 2, 2]),
    "multiplied by integers only": lambda c, b: b[0] * 0.5,
    "is no signal": lambda c, b: total(["x"]),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_refused_at_once(message):
    c = Circuit("bad", 4)
    with pytest.raises((CircuitError, TypeError), match=message):
        REFUSED[message](c, bits(c, 2))


def never_written(c, b):
    c.memory("m", 1, 1)


def reads_itself(c, b):
    memory = c.memory("m", 2, 1)
    read = c.collect(memory.read([b[0]])[0], "read")
    memory.write([b[0]], [gates.land(c, read, b[1])])


def collects_a_wire(c, b):
    c.collect(form(b[0]))


def neuron_of_a_raw(c, b):
    c.linear(c.unit(b[0]))


def other_circuit(c, b):
    c.linear(bits(Circuit("other", 4), 1)[0])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (never_written, "memory m is never written"),
        (reads_itself, r"needs itself within one token: (m <- and <- m|and <- m <- and)"),
        (collects_a_wire, "reads b0, which is a wire"),
        (neuron_of_a_raw, "reads unit, which is a head's raw signal"),
        (other_circuit, "b0 belongs to another circuit"),
    ],
)
def test_refused_when_built(wrong, message):
    c = Circuit("bad", 4)
    wrong(c, bits(c, 2))
    with pytest.raises(CircuitError, match=message):
        c.build()


def test_a_broken_promise_is_found_when_evaluated():
    c = Circuit("bad", 4)
    b = bits(c, 2)
    c.keep(c.bit([(1, b[0] + b[1], 1)], "or"))
    assert Evaluator(c.build()).run([0, 1, 2])["or"] == [0, 1, 1]
    with pytest.raises(EvaluationError, match=r"or = 2 is not in 0..1 \(token 3\)"):
        Evaluator(c.build()).run([3])


def test_two_rows_at_once_are_found():
    c = Circuit("bad", 4)
    b = bits(c, 2)
    memory = c.memory("m", 2, 1)
    memory.write(onehot_address(b), [1])
    with pytest.raises(EvaluationError, match=r"memory m: rows \[0, 1\] are addressed at once"):
        Evaluator(c.build()).run([1, 2, 3])


def test_a_tie_ends_a_generation():
    c = Circuit("tie", 3)
    c.logits([1, 1, 0])
    with pytest.raises(EvaluationError, match="not ahead"):
        Evaluator(c.build()).generate([0], 2, 5)


def test_number_is_twos_complement():
    assert number([1, 0, 1]).const == 5
    assert number([1, 0, 1], signed=True).const == -3
