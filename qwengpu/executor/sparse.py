"""Sparse float32 tensors as they come from a checkpoint, a state_dict, or the weights compiler."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from qwengpu.executor.errors import CheckpointError

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int64]
Row: TypeAlias = tuple[Ints, Floats]
"""Columns (ascending) and weights of the nonzeros of one row."""


@dataclass(frozen=True, eq=False)
class Matrix:
    """Rows in compressed form: row r has entries ``start[r]:start[r + 1]`` of ``columns`` and ``values``."""

    shape: tuple[int, int]
    start: Ints
    columns: Ints
    values: Floats

    def row(self, index: int) -> Row:
        """The nonzeros of one row."""
        part = slice(self.start[index], self.start[index + 1])
        return self.columns[part], self.values[part]

    @property
    def nonzeros(self) -> int:
        """How many entries are not zero."""
        return len(self.values)

    @property
    def row_counts(self) -> Ints:
        """Nonzeros of every row."""
        return np.diff(self.start)


def dense(tensor: Any, name: str, shape: tuple[int, ...], widen: bool = False) -> Floats:
    """A whole tensor as float32.

    Takes numpy arrays, torch tensors, and anything with ``shape`` and a ``dense()`` method. ``widen``: accept
    16-bit floats too (exactly). Raises CheckpointError for another shape or dtype.
    """
    array: Any
    if hasattr(tensor, "dense"):
        array = tensor.dense()
    elif hasattr(tensor, "detach"):
        torch_tensor = tensor.detach().cpu()
        if widen and str(torch_tensor.dtype) in ("torch.bfloat16", "torch.float16"):
            torch_tensor = torch_tensor.float()
        if str(torch_tensor.dtype) != "torch.float32":
            raise CheckpointError(f"{name} is {torch_tensor.dtype}, not float32")
        array = torch_tensor.numpy()
    else:
        array = np.asarray(tensor)
        if widen and array.dtype == np.float16:
            array = array.astype(np.float32)
    if array.dtype != np.float32:
        raise CheckpointError(f"{name} is {array.dtype}, not float32")
    if array.shape != shape:
        raise CheckpointError(f"{name} has shape {list(array.shape)}, the config says {list(shape)}")
    found: Floats = array
    return found


def matrix(tensor: Any, name: str, shape: tuple[int, int], widen: bool = False) -> Matrix:
    """The nonzeros of a two-dimensional tensor.

    A sparse tensor of the compiler (``index`` of flat places, ``value``, ``fill`` 0) is not made dense.
    Raises CheckpointError as `dense` does, and for an infinite or NaN weight: the product of such a weight with
    a skipped zero would not be zero.
    """
    if hasattr(tensor, "index") and hasattr(tensor, "fill") and tensor.fill == 0:
        if tuple(tensor.shape) != shape:
            raise CheckpointError(f"{name} has shape {list(tensor.shape)}, the config says {list(shape)}")
        flat, values = np.asarray(tensor.index, np.int64), np.asarray(tensor.value, np.float32)
        keep = values != 0
        rows, columns = np.divmod(flat[keep], shape[1])
        values = values[keep]
    else:
        array = dense(tensor, name, shape, widen)
        rows, columns = np.nonzero(array)
        values = np.ascontiguousarray(array[rows, columns])
    if not np.isfinite(values).all():
        raise CheckpointError(f"{name} has a weight that is not finite")
    start = np.zeros(shape[0] + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=shape[0]), out=start[1:])
    return Matrix(shape, start, columns, values)
