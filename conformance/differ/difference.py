"""One difference between two legs, with its place, as a line of text and as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from oracles.api import Dim3


@dataclass(frozen=True)
class Difference:
    """``got`` is what ``leg`` has, ``want`` what the better trusted ``against`` has.

    ``kind`` is memory, outcome, register or trace. ``thread`` is grid-wide, ``block`` and ``tid``
    are blockIdx and threadIdx. ``step`` counts the thread's events of the better trusted leg from 0.
    """

    kind: str
    leg: str
    against: str
    got: str
    want: str
    argument: int | None = None
    index: int | None = None
    thread: int | None = None
    block: Dim3 | None = None
    tid: Dim3 | None = None
    step: int | None = None
    instr: int | None = None
    ptx_line: int | None = None
    ptx_text: str | None = None
    cuda_line: int | None = None
    register: str | None = None

    def __str__(self) -> str:
        what = {
            "memory": f"buffer of argument {self.argument} at index {self.index}",
            "outcome": "outcome",
            "register": f"register {self.register}",
            "trace": "trace",
        }[self.kind]
        return f"{what}{self._place()}: {self.leg} got {self.got}, {self.against} wants {self.want}"

    def _place(self) -> str:
        parts = []
        if self.thread is not None:
            where = f" (block {self.block}, thread {self.tid})" if self.block else ""
            parts.append(f"thread {self.thread}{where}")
        if self.step is not None:
            parts.append(f"step {self.step}")
        if self.ptx_line is not None:
            parts.append(f"PTX line {self.ptx_line} `{self.ptx_text}`")
        elif self.instr is not None:
            parts.append(f"instruction {self.instr}")
        if self.cuda_line is not None:
            parts.append(f"CUDA line {self.cuda_line}")
        return " of " + ", ".join(parts) if parts else ""

    def to_json(self) -> dict[str, Any]:
        """Fields that are known, plus the whole as ``text``."""
        out = {key: value for key, value in asdict(self).items() if value is not None}
        return out | {"text": str(self)}
