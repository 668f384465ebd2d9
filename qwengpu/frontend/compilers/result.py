"""What a compiler returns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Compilation:
    """PTX of one source.

    ``compiler`` is product and version (``clang-22.1.8``); ``log`` holds warnings; ``seconds`` is the
    wall time of this call; ``cached`` says that the text came from the cache.
    """

    ptx: str
    compiler: str
    log: str
    seconds: float
    cached: bool
