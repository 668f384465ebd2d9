"""What a terminal shows, drawn on a console that believes that it is one."""

from __future__ import annotations

import io

import pytest
from conftest import Runner
from rich.console import Console

from conformance.cli import live
from conformance.report import matrix, tables


def terminal() -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=120, highlight=False, markup=False)


def text_of(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_progress_bar_and_problems(run_on: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal()
    monkeypatch.setattr(live, "console", lambda stderr: screen)
    with live.Live(2, verbose=False, quiet=False) as shown:
        shown.case(run_on())
        shown.case(run_on("good_ptx", "reference__memory", "expected"))
    text = text_of(screen)
    assert "conformance" in text
    assert "2/2" in text
    assert "reference-seed got 7" in text
    assert "PASS" not in text


def test_the_matrix_is_a_table(run_on: Runner) -> None:
    screen = terminal()
    tables.print_matrix(matrix.build([run_on()]), screen)
    assert "published" in text_of(screen)
    assert "┃" in text_of(screen)


def test_nothing_compared_is_said() -> None:
    screen = terminal()
    tables.print_compared(matrix.summary([]), screen)
    assert text_of(screen) == "nothing was compared\n"
    assert tables.verdict_counts([]) == "no cases"


def test_a_pipe_gets_a_line_each_tenth(run_on: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Console(file=io.StringIO(), highlight=False, markup=False)
    monkeypatch.setattr(live, "console", lambda stderr: screen)
    record = run_on()
    with live.Live(40, verbose=False, quiet=False) as shown:
        for _ in range(40):
            shown.case(record)
    assert text_of(screen).splitlines() == [f"{n} of 40 cases" for n in range(4, 41, 4)]
