"""What can go wrong with PTX text or while it runs, each with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracles.api import FaultKind

if TYPE_CHECKING:
    from oracles.ptx.warp import Warp


class PtxError(Exception):
    """PTX text that is not legal; ``str()`` is one line with the PTX line and a remedy."""

    def __init__(self, line: int, message: str, text: str = "") -> None:
        shown = f" in `{text}`" if text else ""
        super().__init__(f"PTX line {line}: {message}{shown}")
        self.line = line


class Unsupported(Exception):
    """Legal PTX outside what this interpreter runs exactly; ``str()`` is one line."""


class BadLaunch(Exception):
    """A launch that does not fit the kernel; ``str()`` is one line."""


class KernelFault(Exception):
    """Raised by an instruction. ``lane`` is the first lane at fault, None for all lanes that execute.

    ``placed``: the message says itself which threads are where. ``at`` is filled in where it is known: warp,
    index of the instruction, mask of lanes.
    """

    def __init__(
        self,
        kind: FaultKind,
        message: str,
        lane: int | None = None,
        address: int | None = None,
        *,
        placed: bool = False,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.lane = lane
        self.address = address
        self.placed = placed
        self.at: tuple[Warp, int, int] | None = None


class StepLimit(Exception):
    """A thread reached the step limit at the instruction with index ``pc``."""

    def __init__(self, thread: int, pc: int) -> None:
        super().__init__(f"thread {thread}")
        self.thread = thread
        self.pc = pc
