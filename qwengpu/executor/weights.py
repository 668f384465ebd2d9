"""The tensors of a checkpoint by name, each read once and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from qwengpu.executor.errors import CheckpointError
from qwengpu.executor.sparse import Floats, Matrix, dense, matrix

IGNORED = "mtp."
"""Prefix of tensors that the stock model ignores too (multi-token prediction)."""


class Weights:
    """``tensors``: numpy, torch or the compiler's sparse tensors by their state_dict names."""

    def __init__(self, tensors: Mapping[str, Any], widen: bool = False) -> None:
        self._tensors, self._widen = tensors, widen
        self._used: set[str] = set()

    def _get(self, name: str) -> Any:
        self._used.add(name)
        if name not in self._tensors:
            raise CheckpointError(f"the checkpoint lacks {name}")
        return self._tensors[name]

    def matrix(self, name: str, shape: tuple[int, int]) -> Matrix:
        """The nonzeros of a two-dimensional tensor; raises CheckpointError (see `sparse.matrix`)."""
        return matrix(self._get(name), name, shape, self._widen)

    def dense(self, name: str, shape: tuple[int, ...]) -> Floats:
        """A whole tensor; raises CheckpointError (see `sparse.dense`), also for a value that is not finite."""
        found = dense(self._get(name), name, shape, self._widen)
        if not np.isfinite(found).all():
            raise CheckpointError(f"{name} has a weight that is not finite")
        return found

    def __contains__(self, name: str) -> bool:
        return name in self._tensors

    def ignore(self, name: str) -> None:
        """A tensor that may be there and is not needed."""
        self._used.add(name)

    def check_all_used(self) -> None:
        """Raises CheckpointError if there is a tensor that the model does not have."""
        for name in sorted(self._tensors.keys() - self._used):
            if not name.startswith(IGNORED):
                raise CheckpointError(f"the checkpoint has a tensor that the model lacks: {name}")
