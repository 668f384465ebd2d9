"""Wires that a layer of heads can compute as well as an MLP: sums of relu(form) without products."""

from __future__ import annotations

from qwengpu.circuits.forms import Form, form
from qwengpu.circuits.netlist import Neurons

UNIT_LIMIT = 1 << 17
"""A value column holds integers below this: a chunk of the prefill adds up to 64 differences of two of them."""


def relu_sum(definition: Neurons) -> tuple[tuple[int, Form], ...] | None:
    """The neurons as (coef, form) with value sum of coef * relu(form); None if there is a product.

    relu(constant) * form is constant * (relu(form) - relu(-form)).
    """
    terms: list[tuple[int, Form]] = []
    for neuron in definition.neurons:
        if not neuron.up.terms:
            terms.append((neuron.coef * neuron.up.const, neuron.gate))
        elif not neuron.gate.terms:
            coef = neuron.coef * max(0, neuron.gate.const)
            terms.append((coef, neuron.up))
            if neuron.up.lo < 0:
                terms.append((-coef, -neuron.up))
        else:
            return None
    merged: dict[Form, int] = {}
    for coef, gate in terms:
        if gate.hi > 0 and coef:
            if not gate.terms:
                coef, gate = coef * gate.const, form(1)
            merged[gate] = merged.get(gate, 0) + coef
    return tuple((coef, gate) for gate, coef in merged.items() if coef)


def fits_heads(terms: tuple[tuple[int, Form], ...], exact_integers: bool) -> bool:
    """Whether heads carry every relu exactly: small integers, or bits if scales are not powers of two."""
    limit = UNIT_LIMIT if exact_integers else 2
    single = exact_integers or all(abs(coef) == 1 for coef, _ in terms)
    return single and all(gate.hi < limit for _, gate in terms)
