"""Wires that a layer of heads can compute as well as an MLP: sums of relu(form) without products."""

from __future__ import annotations

from collections.abc import Iterable

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
    """Whether heads carry the sum exactly: small integers; or bits, added up as `addable` says."""
    if exact_integers:
        return all(gate.hi < UNIT_LIMIT for _, gate in terms)
    return all(gate.hi <= 1 for _, gate in terms) and addable(coef for coef, _ in terms)


def addable(coefs: Iterable[int]) -> bool:
    """Whether bits times these add up exactly though each is off by the same part of 2**-24 or less.

    True for powers of two of one sign: every partial sum is then rounded to the right integer. Terms of
    both signs would leave the error behind. (Measured on heads of 128 x 128: a difference of two bits is
    wrong by 5e-8 in the chunked prefill, sums of one sign are right.)
    """
    found = [coef for coef in coefs if coef]
    if any(abs(coef) & (abs(coef) - 1) for coef in found):
        return False
    return all(coef > 0 for coef in found) or all(coef < 0 for coef in found)
