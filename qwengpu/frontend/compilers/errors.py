"""What compilers complain about, as one line a user can act on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

CLANG_LINE = re.compile(
    r"^(?P<file>[^\n:]+):(?P<line>\d+):(?P<column>\d+): "
    r"(?P<severity>fatal error|error|warning|note): (?P<text>.*)$",
    re.MULTILINE,
)
NVRTC_LINE = re.compile(
    r"^(?P<file>[^\n(]+)\((?P<line>\d+)\): "
    r"(?P<severity>catastrophic error|error|warning)(?: #[\w-]+)?: (?P<text>.*)$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Diagnostic:
    """One message of a compiler; ``line`` and ``column`` count from 1, column 0 is unknown."""

    file: str
    line: int
    column: int
    severity: str
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" + (f":{self.column}" if self.column else "")
        return f"{place}: {self.severity}: {self.message}"


class CompileError(Exception):
    """A source that does not compile; ``str`` is one line, ``log`` all that the compiler said."""

    def __init__(self, message: str, diagnostics: Iterable[Diagnostic] = (), log: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.diagnostics = tuple(diagnostics)
        self.log = log


class CompilerMissing(Exception):
    """A compiler that is not installed here; ``str`` is one line with the remedy."""


def parse_diagnostics(log: str) -> tuple[Diagnostic, ...]:
    """The messages of clang (``FILE:LINE:COL: error: ...``) or NVRTC (``FILE(LINE): error: ...``)."""
    found = []
    for pattern in (CLANG_LINE, NVRTC_LINE):
        for match in pattern.finditer(log):
            column = int(match["column"]) if "column" in pattern.groupindex else 0
            severity = "error" if "error" in match["severity"] else match["severity"]
            found.append(Diagnostic(match["file"], int(match["line"]), column, severity, match["text"]))
    return tuple(found)


def compile_error(log: str, name: str) -> CompileError:
    """The error that stands for a whole log: the first one in the user's own file, else the first."""
    diagnostics = parse_diagnostics(log)
    errors = [d for d in diagnostics if d.severity == "error"]
    mine = [d for d in errors if d.file == name]
    if mine or errors:
        return CompileError(str((mine or errors)[0]), diagnostics, log)
    text = next((line.strip() for line in log.splitlines() if "error" in line), "")
    text = text or next((line.strip() for line in log.splitlines() if line.strip()), "no message")
    return CompileError(f"{name}: error: {text.removeprefix('error: ')}", diagnostics, log)
