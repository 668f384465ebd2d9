"""A checkpoint folder: config.json and safetensors files, read without torch."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from qwengpu.executor.errors import CheckpointError

MAX_HEADER = 100 << 20
"""Bytes; the limit of the safetensors library."""
_DTYPES: dict[str, tuple[np.dtype[Any], bool]] = {
    "F32": (np.dtype("<f4"), False),
    "F16": (np.dtype("<f2"), True),
    "BF16": (np.dtype("<u2"), True),
}
"""safetensors dtype -> (as stored, whether it is read only when widening is asked for)."""


def read_folder(folder: Path, widen: bool = False) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parsed config.json and every tensor by name (float32, memory-mapped where stored so).

    ``widen``: 16-bit tensors are read too, exactly widened; otherwise they are refused, since the stock loader
    would compute in their dtype. Raises CheckpointError.
    """
    config = _json(folder / "config.json")
    tensors: dict[str, Any] = {}
    for path, names in _files(folder).items():
        found = read_safetensors(path, widen)
        if names is not None and (missing := names - found.keys()):
            raise CheckpointError(f"{path.name} lacks {min(missing)}, which the index says it has")
        for name, tensor in found.items():
            if name in tensors:
                raise CheckpointError(f"{name} is in two files")
            tensors[name] = tensor
    return config, tensors


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CheckpointError(f"{path.parent} has no {path.name}") from None
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path} is unreadable: {error}") from error
    if not isinstance(value, dict):
        raise CheckpointError(f"{path} holds no object")
    return value


def _files(folder: Path) -> Mapping[Path, set[str] | None]:
    """The folder's safetensors files, each with the tensors that an index says it has."""
    index = folder / "model.safetensors.index.json"
    if index.exists():
        places = _json(index).get("weight_map")
        if not isinstance(places, dict):
            raise CheckpointError(f"{index} has no weight_map")
        files: dict[Path, set[str] | None] = {}
        for name, file in places.items():
            if Path(str(file)).name != file:
                raise CheckpointError(f"{index} names a file outside the folder: {file}")
            names = files.setdefault(folder / file, set())
            if names is not None:
                names.add(name)
        return files
    single = folder / "model.safetensors"
    if not single.exists():
        raise CheckpointError(f"{folder} has no model.safetensors")
    return {single: None}


def read_safetensors(path: Path, widen: bool = False) -> dict[str, Any]:
    """All tensors of one file. Format: 8 bytes of header size, a JSON header, the data.

    Raises CheckpointError if the file is missing, truncated or inconsistent, or a dtype is not read.
    """
    try:
        data = np.memmap(path, np.uint8, "r")
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path} is unreadable: {error}") from error
    if len(data) < 8:
        raise CheckpointError(f"{path} is truncated: {len(data)} bytes")
    size = int.from_bytes(data[:8].tobytes(), "little")
    if size > min(MAX_HEADER, len(data) - 8):
        raise CheckpointError(f"{path} is truncated or no safetensors file: a header of {size} bytes")
    try:
        header = json.loads(data[8 : 8 + size].tobytes())
    except ValueError as error:
        raise CheckpointError(f"{path} has a broken header: {error}") from error
    body = data[8 + size :]
    header.pop("__metadata__", None)
    return {name: _tensor(path, name, entry, body, widen) for name, entry in header.items()}


def _tensor(path: Path, name: str, entry: Any, body: Any, widen: bool) -> Any:
    try:
        kind, shape, (first, last) = entry["dtype"], tuple(map(int, entry["shape"])), entry["data_offsets"]
    except (KeyError, TypeError, ValueError):
        raise CheckpointError(f"{path}: the header entry of {name} is malformed") from None
    if kind not in _DTYPES:
        raise CheckpointError(f"{path}: {name} is {kind}, not F32")
    dtype, narrow = _DTYPES[kind]
    if narrow and not widen:
        raise CheckpointError(f"{path}: {name} is {kind}, not F32 (widening was not asked for)")
    if not 0 <= first <= last or last - first != dtype.itemsize * int(np.prod(shape, dtype=np.int64)):
        raise CheckpointError(f"{path}: the extent of {name} does not fit its shape {list(shape)}")
    if last > len(body):
        raise CheckpointError(f"{path} is truncated: {name} ends at byte {last} of {len(body)}")
    stored = np.frombuffer(body[first:last], dtype) if last > first else np.zeros(0, dtype)
    if kind == "BF16":
        stored = (stored.astype(np.uint32) << 16).view(np.float32)
    return stored.reshape(shape).astype(np.float32, copy=False)
