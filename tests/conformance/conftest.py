"""Fixtures: a small case in a directory of its own, and a way to run it on fake legs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance.cases import discover
from conformance.runner.config import Context, RunConfig
from conformance.runner.execute import run_case

HERE = Path(__file__).parent
MODULE = "conformance_fakes"

GOOD = ("good_ptx", "good_reference", "good_native", "expected")


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE))
    monkeypatch.setenv("PYTHONPATH", f"{HERE}:{HERE.parents[1]}")


def leg_names(legs: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(leg if leg == "expected" else f"{MODULE}:{leg}" for leg in legs)


@pytest.fixture
def twice(tmp_path: Path) -> Path:
    """twice.ptx in a corpus of its own."""
    path = tmp_path / "kernels" / "arithmetic" / "twice.ptx"
    path.parent.mkdir(parents=True)
    path.write_text((HERE / "twice.ptx").read_text())
    return path


Runner = Callable[..., dict[str, Any]]


@pytest.fixture
def run_on(twice: Path) -> Runner:
    """``run_on("good_ptx", "reference__memory", ..., replace=(old, new), spec="seed,wide")``."""

    def run(*legs: str, replace: tuple[str, str] | None = None, **config: Any) -> dict[str, Any]:
        if replace:
            text = twice.read_text()
            assert replace[0] in text
            twice.write_text(text.replace(*replace))
        found = discover([str(twice)])
        assert not found.broken, found.broken
        context = Context.build(RunConfig(leg_names(legs or GOOD), **config))
        return run_case(found.cases[0], context)

    return run
