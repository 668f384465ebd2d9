"""Sparse float32 tensors with names: what the compiler emits before anything is dense."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from qwengpu.weights.errors import PassError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float32]
    Ints: TypeAlias = NDArray[np.int64]
else:
    Floats = Ints = Any


@dataclass(frozen=True, eq=False)
class Tensor:
    """``fill`` everywhere but at the flat places ``index`` (ascending), where ``value`` (float32) is."""

    shape: tuple[int, ...]
    index: Ints
    value: Floats
    fill: float = 0.0

    @property
    def size(self) -> int:
        """Number of elements."""
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def nonzeros(self) -> int:
        """Number of elements that are not zero."""
        stated = int((self.value != 0).sum())
        return stated + (self.size - len(self.index) if self.fill else 0)

    def dense(self) -> Floats:
        """The whole array."""
        import numpy  # noqa: PLC0415 - only the compiler's users need it

        flat: Floats = numpy.full(self.size, self.fill, numpy.float32)
        flat[self.index] = self.value
        return flat.reshape(self.shape)


Tensors: TypeAlias = Mapping[str, Tensor]
"""By the names of the model's state_dict."""


class TensorBuilder:
    """Collects entries of one tensor. Every place is written at most once."""

    def __init__(self, shape: tuple[int, ...], fill: float = 0.0) -> None:
        self.shape, self.fill = shape, fill
        self._entries: dict[int, float] = {}

    def put(self, place: tuple[int, ...], value: float) -> None:
        """Writes one element.

        Raises PassError if it is outside, or has been written before.
        """
        flat = 0
        for at, extent in zip(place, self.shape, strict=True):
            if not 0 <= at < extent:
                raise PassError(f"place {place} is outside a tensor of shape {self.shape}")
            flat = flat * extent + at
        if flat in self._entries:
            raise PassError(f"place {place} of a tensor is written twice")
        self._entries[flat] = value

    def row(self, row: int, entries: Iterable[tuple[int, float]]) -> None:
        """Writes (column, value) entries of one row; zeros are left out."""
        for column, value in entries:
            if value:
                self.put((row, column), value)

    def build(self) -> Tensor:
        """The finished tensor.

        Raises PassError if a value is not exactly a float32.
        """
        import numpy  # noqa: PLC0415

        places = sorted(self._entries)
        wide = numpy.array([self._entries[place] for place in places], numpy.float64)
        narrow = wide.astype(numpy.float32)
        if not (narrow.astype(numpy.float64) == wide).all():
            wrong = wide[narrow.astype(numpy.float64) != wide][0]
            raise PassError(f"weight {wrong} is no float32")
        return Tensor(self.shape, numpy.array(places, numpy.int64), narrow, self.fill)
