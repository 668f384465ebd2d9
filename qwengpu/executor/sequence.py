"""One sequence's recurrent state: the stock cache, as far as the weights can ever change it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qwengpu.executor.config import LINEAR, ModelConfig
from qwengpu.executor.errors import StateError
from qwengpu.executor.image import Layout
from qwengpu.executor.sparse import Floats


@dataclass(eq=False)
class Sequence:
    """``length``: tokens fed so far. The arrays are one row each of what the kernels take."""

    config: ModelConfig
    layout: Layout
    state: Floats
    cache: Floats
    history: Floats
    length: int = 0

    def fork(self) -> Sequence:
        """An independent copy."""
        return Sequence(
            self.config, self.layout, self.state.copy(), self.cache.copy(), self.history.copy(), self.length
        )

    def recurrent(self, layer: int) -> Floats:
        """The layer's state as in the stock cache: (value heads, dk, dv).

        Raises StateError if the layer has none.
        """
        config = self.config
        self._check_layer(layer)
        found = np.zeros((config.value_heads, config.dk, config.dv), np.float32)
        for head in self.layout.heads:
            if head.layer == layer:
                size = config.dk * len(head.columns)
                part = self.state[head.at : head.at + size].reshape(config.dk, len(head.columns))
                found[head.head][:, list(head.columns)] = part
        return found

    def set_recurrent(self, layer: int, value: NDArray[np.floating]) -> None:
        """Sets the layer's state, shape (value heads, dk, dv).

        Raises StateError if the layer has none, for another shape, for values that are not finite float32, and
        if a column that no weight ever writes is not zero: the executor keeps no such column.
        """
        config = self.config
        self._check_layer(layer)
        given = np.asarray(value, np.float32)
        if given.shape != (config.value_heads, config.dk, config.dv):
            raise StateError(f"layer {layer}: a state of shape {given.shape}")
        if not np.isfinite(given).all() or not (given == np.asarray(value)).all():
            raise StateError(f"layer {layer}: a state that is not finite float32")
        rest = given.copy()
        for head in self.layout.heads:
            if head.layer == layer:
                columns = list(head.columns)
                rest[head.head][:, columns] = 0
        if rest.any():
            where = tuple(int(i) for i in np.argwhere(rest)[0])
            raise StateError(
                f"layer {layer}: the state at {where} is never written by these weights, but not 0"
            )
        for head in self.layout.heads:
            if head.layer == layer:
                part = given[head.head][:, list(head.columns)]
                self.state[head.at : head.at + part.size] = part.reshape(-1)
                self.cache[head.cache_at : head.cache_at + 2 * config.dk] = 0

    def history_rows(self, layer: int) -> dict[int, Floats]:
        """Convolution rows that look back, with their last taps - 1 inputs, oldest first."""
        self._check_layer(layer)
        keep = self.config.taps - 1
        return {
            row: self.history[slot * keep : (slot + 1) * keep].copy()
            for row, slot in self.layout.histories[layer].items()
        }

    def set_history(self, layer: int, value: NDArray[np.floating]) -> None:
        """Takes the rows that look back from a stock convolution state: (convolution rows, taps or taps - 1).

        Raises StateError for another shape.
        """
        self._check_layer(layer)
        keep = self.config.taps - 1
        given = np.asarray(value, np.float32)
        if given.ndim != 2 or given.shape[0] != self.config.conv_dim or given.shape[1] not in (keep, keep + 1):
            raise StateError(f"layer {layer}: a convolution state of shape {given.shape}")
        for row, slot in self.layout.histories[layer].items():
            self.history[slot * keep : (slot + 1) * keep] = given[row, given.shape[1] - keep :]

    def _check_layer(self, layer: int) -> None:
        types = self.config.layer_types
        if not 0 <= layer < len(types) or types[layer] != LINEAR:
            raise StateError(f"layer {layer} is no linear_attention layer")
