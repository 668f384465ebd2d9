"""Worker processes, a case each at a time: one that crashes or hangs costs its own case only."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from conformance.cases import BrokenCase, Case
from conformance.runner.config import Context, RunConfig
from conformance.runner.execute import case_record, run_case
from conformance.verdicts import Ruling, Verdict

_POLL_S = 0.2


def worker(connection: Connection, config: RunConfig) -> None:
    """Answers cases with records until the parent closes its end."""
    # Ctrl-C goes to the parent, which ends this process group; children of a leg die with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    os.dup2(2, 1)  # standard output is the report's; what a leg prints goes to standard error
    context = Context.build(config)
    with contextlib.suppress(EOFError, OSError):
        while True:
            case: Case | BrokenCase = connection.recv()
            record = run_case(case, context, lambda what: connection.send(("at", what)))
            connection.send(("done", record))


@dataclass
class _Slot:
    """One worker and what it is doing."""

    process: BaseProcess
    connection: Connection
    case: Case | BrokenCase | None = None
    started: float = 0.0
    doing: str = ""

    def give(self, case: Case | BrokenCase) -> None:
        self.case, self.started, self.doing = case, time.monotonic(), "start"
        self.connection.send(case)

    def end(self) -> None:
        """End the worker and what it started."""
        self.connection.close()
        pid = self.process.pid
        if pid is not None and self.process.is_alive():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
            self.process.kill()
        self.process.join(5)


@dataclass
class Pool:
    """Iterate :meth:`run` for records in the order in which they finish."""

    config: RunConfig
    jobs: int
    slots: list[_Slot] = field(default_factory=list)

    def run(self, cases: Sequence[Case | BrokenCase]) -> Generator[dict[str, Any], None, None]:
        """Records of all cases. Closing the iterator, or an exception in it, ends the workers."""
        todo = list(reversed(cases))
        try:
            for _ in range(min(self.jobs, len(todo))):
                slot = self._start()
                self.slots.append(slot)
                slot.give(todo.pop())
            while busy := [slot for slot in self.slots if slot.case is not None]:
                ready = wait([slot.connection for slot in busy], timeout=_POLL_S)
                for slot in busy:
                    record = self._listen(slot) if slot.connection in ready else self._overdue(slot)
                    if record is None:
                        continue
                    if todo:
                        slot.give(todo.pop())
                    yield record
        finally:
            for slot in self.slots:
                slot.end()
            self.slots.clear()

    def _start(self) -> _Slot:
        # spawn: nothing of the parent (threads, open files, a half-written line) is inherited.
        spawn = multiprocessing.get_context("spawn")
        mine, theirs = spawn.Pipe()
        process = spawn.Process(target=worker, args=(theirs, self.config), daemon=True)
        process.start()
        theirs.close()
        return _Slot(process, mine)

    def _listen(self, slot: _Slot) -> dict[str, Any] | None:
        try:
            kind, value = slot.connection.recv()
        except (EOFError, OSError):
            slot.process.join(5)
            return self._replace(slot, f"the worker died ({_exit(slot.process.exitcode)})")
        if kind == "at":
            slot.doing = value
            return None
        slot.case = None
        record: dict[str, Any] = value
        return record

    def _overdue(self, slot: _Slot) -> dict[str, Any] | None:
        if time.monotonic() - slot.started < self.config.case_limit_s:
            return None
        return self._replace(slot, f"no answer within {self.config.case_limit_s:g} s; the worker was ended")

    def _replace(self, slot: _Slot, why: str) -> dict[str, Any]:
        """A record for the lost case, and a fresh worker in its place."""
        case = slot.case
        assert case is not None
        seconds = round(time.monotonic() - slot.started, 6)
        slot.end()
        fresh = self._start()
        slot.process, slot.connection, slot.case = fresh.process, fresh.connection, None
        ruling = Ruling(Verdict.HARNESS_ERROR, f"{slot.doing}: {why}")
        return case_record(case, ruling, []) | {"seconds": seconds, "compile": []}


def _exit(code: int | None) -> str:
    if code is None:
        return "no exit status"
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
    return f"exit status {code}"
