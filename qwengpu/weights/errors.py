"""What can go wrong between a circuit and its weights."""

from __future__ import annotations


class CompileError(ValueError):
    """A circuit that does not fit the model's shape, or could not be computed exactly there."""


class PassError(AssertionError):
    """A compiler pass that broke an invariant: a defect of the compiler, never of the circuit."""


class CheckpointError(ValueError):
    """A folder that is no checkpoint of ours, or not the one it should be."""
