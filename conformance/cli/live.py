"""What is seen while a run goes on: a progress bar on a terminal, plain lines in a pipe."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from conformance.report.tables import case_line, colour, console, first_difference
from conformance.verdicts import Ruling, Verdict


class Live:
    """Prints problems as they come, and in a pipe a line each tenth of the way.

    ``quiet`` keeps standard output free (lines go to stderr).
    """

    def __init__(self, total: int, verbose: bool, quiet: bool) -> None:
        self._console = console(stderr=quiet)
        self._verbose = verbose
        self._total, self._done = total, 0
        self._progress: Progress | None = None
        if self._console.is_terminal:
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._progress = Progress(*columns, console=self._console, transient=True)
            self._task = self._progress.add_task("conformance", total=total)

    def __enter__(self) -> Live:
        if self._progress:
            self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress:
            self._progress.stop()

    def case(self, record: dict[str, Any]) -> None:
        """One case has finished."""
        ruling = Ruling.from_json(record)
        if self._verbose or ruling.verdict is not Verdict.PASS:
            self._console.print(case_line(record), style=colour(ruling))
            difference = first_difference(record)
            if difference:
                self._console.print(f"    {difference}")
        self._done += 1
        if self._progress:
            self._progress.advance(self._task)
        elif self._done * 10 // self._total > (self._done - 1) * 10 // self._total and self._total >= 20:
            self._console.print(f"{self._done} of {self._total} cases")
