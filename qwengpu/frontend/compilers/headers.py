"""The headers that stand in for a CUDA installation."""

from __future__ import annotations

from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent
INCLUDE = ROOT / "include"
CLANG_PRELUDE = ROOT / "cuda_device.h"
NVRTC_PRELUDE = ROOT / "nvrtc_device.h"


@cache
def include_files() -> dict[str, str]:
    """Every header on the include path, by the name it is included under."""
    return {file.name: file.read_text() for file in sorted(INCLUDE.iterdir()) if file.is_file()}


@cache
def header_text(prelude: Path) -> str:
    """All header text a compilation with ``prelude`` can see, for the cache key."""
    files = "".join(f"{name}\0{text}\0" for name, text in include_files().items())
    return prelude.read_text() + "\0" + files


def line_directive(name: str) -> str:
    """The line that makes a compiler call what follows ``name`` and count its lines from 1."""
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'#line 1 "{quoted}"\n'
