"""PTX text that is no PTX."""

from __future__ import annotations

from qwengpu.program import Refusal


class PtxError(Refusal):
    """The text cannot be read. ``line`` is the PTX line; ``str()`` is one line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"PTX line {line}: {message}", kind="syntax")
        self.line = line
