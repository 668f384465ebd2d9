"""What the executor refuses, each with a one-line reason."""

from __future__ import annotations


class ExecutorError(ValueError):
    """Base of everything that this package raises on purpose."""


class CheckpointError(ExecutorError):
    """The folder is no complete checkpoint: something is missing, truncated, misshapen or of another dtype."""


class UnsupportedModel(ExecutorError):
    """A checkpoint of a model that this executor does not compute (another architecture, live attention)."""


class StateError(ExecutorError):
    """A recurrent state that the weights could never produce, or of another model."""


class ArithmeticFault(ExecutorError):
    """A logit is NaN: the greedy choice is undefined."""
