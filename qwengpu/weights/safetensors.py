"""Reading and writing .safetensors files of float32 tensors, one dense tensor in memory at a time.

The format (safetensors, "Format"): 8 bytes length of the header, little-endian; the header, JSON; the tensors'
bytes, little-endian, row by row, without gaps.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qwengpu.weights.errors import CheckpointError
from qwengpu.weights.tensors import Tensors

ALIGN = 8
HEADER_LIMIT = 100_000_000


def write_safetensors(path: Path, tensors: Tensors) -> None:
    """Writes the tensors in their order, as float32. The same tensors give the same bytes."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, tensor in tensors.items():
        size = 4 * tensor.size
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % ALIGN)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        for tensor in tensors.values():
            file.write(tensor.dense().astype("<f4").tobytes())


@dataclass(frozen=True)
class Entry:
    """One tensor of a file: its shape, dtype as the file names it, and where its bytes begin and end."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


def read_header(path: Path) -> tuple[Entry, ...]:
    """The tensors of a file.

    Raises CheckpointError if it is missing, no safetensors file, or shorter than its header says.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if not 2 <= length <= min(size - 8, HEADER_LIMIT):
                raise CheckpointError(f"{path.name} is no safetensors file, or is truncated")
            header = json.loads(file.read(length))
            found = tuple(
                _entry(name, fields, 8 + length) for name, fields in header.items() if name[:2] != "__"
            )
    except CheckpointError:
        raise
    except OSError as error:
        raise CheckpointError(f"{path.name} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"{path.name} has no valid safetensors header") from error
    end = max((entry.end for entry in found), default=8 + length)
    if end != size:
        raise CheckpointError(f"{path.name} has {size} bytes, its header says {end}: truncated or damaged")
    return found


def _entry(name: str, fields: dict[str, Any], base: int) -> Entry:
    begin, end = fields["data_offsets"]
    return Entry(name, fields["dtype"], tuple(fields["shape"]), base + begin, base + end)


def read_bytes(path: Path, entry: Entry) -> bytes:
    """The bytes of one tensor."""
    with path.open("rb") as file:
        file.seek(entry.begin)
        return file.read(entry.end - entry.begin)


def differing(path: Path, tensors: Tensors) -> Iterator[str]:
    """One line for each tensor of the file that is not, bit for bit, what ``tensors`` says.

    Raises CheckpointError as `read_header`.
    """
    import numpy  # noqa: PLC0415 - only the compiler's users need it

    entries = {entry.name: entry for entry in read_header(path)}
    for name in entries.keys() - tensors.keys():
        yield f"{name}: no tensor of this model"
    for name, tensor in tensors.items():
        entry = entries.get(name)
        if entry is None:
            yield f"{name}: missing"
        elif entry.dtype != "F32":
            yield f"{name}: stored as {entry.dtype}, not F32"
        elif entry.shape != tensor.shape:
            yield f"{name}: shape {list(entry.shape)}, not {list(tensor.shape)}"
        else:
            have = numpy.frombuffer(read_bytes(path, entry), "<f4").reshape(tensor.shape)
            want = tensor.dense()
            places = numpy.argwhere(have.view("<u4") != want.view("<u4"))
            if len(places):
                place = tuple(int(i) for i in places[0])
                found = f"first {place}: {have[place]:g}, not {want[place]:g}"
                yield f"{name}: {len(places)} elements differ, {found}"
