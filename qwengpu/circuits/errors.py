"""What can be wrong with a circuit."""

from __future__ import annotations


class CircuitError(ValueError):
    """A circuit that means nothing; the message names the signal or the memory."""


class EvaluationError(ArithmeticError):
    """A circuit that breaks its own promise at a token: a value outside its range, two rows addressed."""
