"""The JSON Lines file of a run: written line by line, read back whole, resumed."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

FILE = "run.jsonl"
PREVIOUS = "run.previous.jsonl"
SCHEMA_VERSION = 1

_SAME = {
    "corpus_sha256": "the cases are not the same",
    "config": "the settings are not the same",
    "schema_version": "the format is not the same",
}


class StoreError(ValueError):
    """A run directory that cannot be read, written, or resumed: one line."""


@dataclass
class Run:
    """A run as it was read: the environment and the last record of each case."""

    path: Path
    environment: dict[str, Any]
    cases: dict[str, dict[str, Any]] = field(default_factory=dict)
    torn: bool = False  # the last line is incomplete: the run was ended while it wrote


def read_run(directory: Path) -> Run:
    """The run in a directory (or in a ``.jsonl`` file); raises StoreError."""
    path = directory if directory.is_file() else directory / FILE
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise StoreError(f"{path}: is no UTF-8 text") from None
    records, torn = [], lines[-1] != ""
    for number, line in enumerate(lines[:-1], 1):
        try:
            records.append(json.loads(line))
        except ValueError:
            raise StoreError(f"{path}: line {number} is not JSON") from None
    for number, record in enumerate(records, 1):
        if not isinstance(record, dict):
            raise StoreError(f"{path}: line {number} is no record")
    if not records or records[0].get("type") != "environment":
        raise StoreError(f"{path}: the first line is no environment")
    version = records[0].get("schema_version")
    if version != SCHEMA_VERSION:
        raise StoreError(f"{path}: schema version {version} is not {SCHEMA_VERSION}")
    run = Run(path, records[0], torn=torn)
    for record in records[1:]:
        if record.get("type") == "case":
            run.cases[record["id"]] = record
    return run


def check_resumable(run: Run, environment: dict[str, Any]) -> None:
    """Raise StoreError unless the run was of the same cases, legs and settings."""
    for key, what in _SAME.items():
        old, new = run.environment.get(key), environment.get(key)
        if old != new:
            detail = ""
            if isinstance(old, dict) and isinstance(new, dict):
                changed = [k for k in sorted(old.keys() | new.keys()) if old.get(k) != new.get(k)]
                detail = ": " + ", ".join(f"{k} was {old.get(k)}, is {new.get(k)}" for k in changed)
            raise StoreError(f"{run.path}: cannot be resumed, {what}{detail}")


class Writer:
    """Appends records; every line is flushed, so that an end at any time loses at most its own."""

    def __init__(self, directory: Path, environment: dict[str, Any], resume: bool) -> None:
        """Start ``run.jsonl`` (an older one is kept beside it), or go on with it.

        Raises StoreError if it cannot be written, or resumed.
        """
        self.path = directory / FILE
        self.done: dict[str, dict[str, Any]] = {}
        try:
            _make(directory)
            if resume and self.path.exists():
                self.done = self._resume(environment)
                self._file: TextIO = self.path.open("a", encoding="utf-8")
                self.write({"type": "resumed", "time": environment["time"], "argv": environment["argv"]})
                return
            if self.path.exists():
                os.replace(self.path, directory / PREVIOUS)
            self._file = self.path.open("w", encoding="utf-8")
        except OSError as error:
            raise StoreError(f"{directory}: cannot be written: {error.strerror}; use --out") from None
        self.write(environment)

    def _resume(self, environment: dict[str, Any]) -> dict[str, dict[str, Any]]:
        run = read_run(self.path)
        check_resumable(run, environment)
        if run.torn:
            text = self.path.read_text(encoding="utf-8")
            self.path.write_text(text[: text.rindex("\n") + 1], encoding="utf-8")
        return run.cases

    def write(self, record: dict[str, Any]) -> None:
        """Append one line."""
        line = json.dumps(record, separators=(",", ":"), ensure_ascii=False)
        # A lone surrogate in a case or in a leg's words must not end the run.
        self._file.write(line.encode(errors="backslashreplace").decode() + "\n")
        self._file.flush()

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def _make(directory: Path) -> None:
    """Create the directory; one that we create stays out of version control, as caches do."""
    if directory.is_dir():
        return
    directory.mkdir(parents=True)
    if directory.name.startswith("."):
        with contextlib.suppress(OSError):
            (directory / ".gitignore").write_text("*\n", encoding="utf-8")


def records_of(directory: Path) -> Iterator[dict[str, Any]]:
    """Case records of a run in the order of their ids."""
    run = read_run(directory)
    for name in sorted(run.cases):
        yield run.cases[name]
