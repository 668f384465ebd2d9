"""Buffers for the kernels, aligned to cache lines."""

from __future__ import annotations

from typing import Any

import numpy as np

from qwengpu.executor.image import Layout
from qwengpu.executor.tile import Count, States, Work

ALIGNMENT = 64
"""Bytes of a cache line, and of the widest vector."""


def _zeros(rows: int, columns: int, kind: Any = np.float32) -> Any:
    size = rows * columns * np.dtype(kind).itemsize
    raw = np.zeros(size + ALIGNMENT, np.uint8)
    first = -raw.ctypes.data % ALIGNMENT
    return raw[first : first + size].view(kind).reshape(rows, columns)


def make_work(layout: Layout, width: int) -> Work:
    """A tile's buffers."""
    sizes, image = layout.sizes, layout.image
    return Work(
        x=_zeros(image.hidden, width),
        scaled=_zeros(image.hidden, width),
        inputs=_zeros(sizes.inputs + 1, width),
        reads=_zeros(sizes.reads, width),
        gates=_zeros(sizes.gates, width),
        ups=_zeros(sizes.ups, width),
        neurons=_zeros(sizes.neurons, width),
        outputs=_zeros(sizes.outputs, width),
        scan=_zeros(sizes.scan, width),
        named=_zeros(sizes.addresses, width, np.int32),
        weight=_zeros(sizes.addresses, width),
        tokens=np.zeros(width, np.int32),
        slots=np.zeros(width, np.int32),
        energy=np.zeros(width, np.float32),
        sums=np.zeros(width, np.float64),
        best=np.zeros(width, np.float32),
        second=np.zeros(width, np.float32),
        choice=np.zeros(width, np.int32),
        lanes=_zeros(sizes.history * image.taps, width),
        tail=np.zeros(max(1, image.taps - 1), np.float32),
        counts=np.zeros(Count.SIZE, np.int64),
    )


def make_states(layout: Layout, count: int) -> States:
    """States of ``count`` new sequences."""
    sizes = layout.sizes
    history = sizes.history * max(1, layout.image.taps - 1)
    return States(_zeros(count, sizes.state), _zeros(count, sizes.cache), _zeros(count, history))
