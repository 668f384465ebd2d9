"""The ``expected`` leg: the values that a case states, checked like any other leg."""

from __future__ import annotations

from collections.abc import Mapping

from oracles.api import Buffer, Fault, FaultKind, Launch, Module, Options, Report, Result, Status


class Expected:
    """An Oracle that holds what one launch must give; it runs nothing.

    ``buffers`` maps an argument's index to the whole buffer after the run; buffers that are not
    named stay unchanged. ``fault`` is a FaultKind's value or ``timeout``, and takes their place.
    """

    name = "expected"
    reports = frozenset({Report.MEMORY, Report.FAULTS})

    def __init__(self, buffers: Mapping[int, tuple[int, ...]] | None = None, fault: str | None = None) -> None:
        self._buffers = dict(buffers or {})
        self._fault = fault

    def product(self, options: Options) -> str:
        """Stated values depend on no device."""
        return "expected@case"

    def available(self) -> str | None:
        """Always there."""
        return None

    def run(self, module: Module, launch: Launch, options: Options) -> Result:
        """The stated outcome; ``executed`` is 0, as nothing runs."""
        if self._fault == "timeout":
            return Result(Status.TIMEOUT, reason="declared: the step limit is reached")
        if self._fault is not None:
            kind = FaultKind(self._fault)
            reason = f"declared: {kind.value}"
            return Result(Status.FAULT, reason=reason, fault=Fault(kind, reason))
        return Result(
            Status.OK,
            buffers=tuple(
                self._buffers.get(index, arg.data) if isinstance(arg, Buffer) else None
                for index, arg in enumerate(launch.args)
            ),
        )
