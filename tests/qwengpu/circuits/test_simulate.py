"""The NumPy simulator against the plain evaluator, on random circuits; batches; resuming."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from qwengpu.circuits import Circuit, CircuitError, Datum, EvaluationError, Evaluator, address, form
from qwengpu.circuits.simulate import Simulator

VOCABULARY = 64


def random_circuit(seed):
    """A circuit of random neurons, taps and memories over 6 token bits."""
    rng = random.Random(seed)
    c = Circuit(f"random{seed}", VOCABULARY)
    wires = [c.feature(f"b{i}", lambda t, i=i: t >> i & 1) for i in range(6)]
    wires.append(c.feature("value", [rng.randrange(-9, 10) for _ in range(VOCABULARY)]))

    def some_form():
        return sum((rng.randint(-3, 3) * rng.choice(wires) for _ in range(3)), form(rng.randint(-2, 2)))

    def some_bit():
        return form(rng.choice([wire for wire in wires if (wire.lo, wire.hi) == (0, 1)]))

    for _ in range(rng.randint(5, 15)):
        match rng.randrange(4):
            case 0 | 1:
                terms = [(rng.randint(-2, 2), some_form(), some_form()) for _ in range(rng.randint(0, 3))]
                made = c.neurons(terms)
                if max(abs(made.lo), abs(made.hi)) < 1000:
                    wires.append(made)
                wires.append(c.bit([(1, some_bit() + some_bit() - 1, 1)]))
            case 2:
                wires.append(
                    c.collect(c.unit(some_form(), rng.randrange(4)) - 2 * form(c.unit(some_form(), 1)))
                )
            case 3:
                data = [Datum(some_form(), rng.randrange(4)) for _ in range(2)]
                memory = c.memory("memory", 3, 2, high=max(1, *(datum.form.hi for datum in data)))
                places = [address([some_bit(), some_bit()], 3, some_bit(), rng.randrange(4)) for _ in range(3)]
                memory.write(places[0], data, some_form())
                if rng.random() < 0.7:
                    memory.reset(some_bit() + some_bit() - 1)
                for place in places[1:]:
                    wires += memory.read(place).word()
    c.logits([some_form() for _ in range(VOCABULARY)])
    return c.build()


@pytest.mark.parametrize("seed", range(25))
def test_both_evaluators_agree_whole_and_piece_by_piece(seed):
    netlist = random_circuit(seed)
    rng = random.Random(seed)
    batch = [[rng.randrange(VOCABULARY) for _ in range(30)] for _ in range(3)]
    simulator, evaluator = Simulator(netlist), Evaluator(netlist)
    whole = simulator.run(batch)
    state = simulator.start(3)
    cuts = [0, 1, 2, 3, 7, 8, 30]
    pieces = [simulator.run(np.array(batch)[:, a:b], state).values for a, b in itertools.pairwise(cuts)]
    assert (np.concatenate(pieces, axis=2) == whole.values).all()
    for place, tokens in enumerate(batch):
        want = evaluator.run(tokens)
        for name, values in want.items():
            assert whole[name][place].tolist() == values, name
    states = evaluator.start()
    scores = [evaluator.scores(evaluator.step(states, token)) for token in batch[0]]
    assert whole.scores()[:, 0].T.tolist() == scores


def test_a_broken_promise_is_found_with_its_place():
    c = Circuit("bad", 4)
    b = [c.feature(f"b{i}", lambda t, i=i: t >> i & 1) for i in range(2)]
    c.bit([(1, b[0] + b[1], 1)], "or")
    with pytest.raises(EvaluationError, match=r"or = 2 is not in 0..1 \(sequence 1, token 2\)"):
        Simulator(c.build()).run([[0, 1, 2], [0, 1, 3]])


def test_numbers_too_large_for_64_bits_are_refused():
    c = Circuit("bad", 2)
    x = c.feature("x", [0, 1 << 40])
    c.neurons([(1, x, x)], "square")
    with pytest.raises(CircuitError, match="square can exceed 64-bit integers"):
        Simulator(c.build())


def test_tokens_outside_the_vocabulary_are_refused():
    c = Circuit("small", 2)
    c.feature("x", [0, 1])
    with pytest.raises(ValueError, match=r"not in 0\.\.\.1"):
        Simulator(c.build()).run([[2]])
