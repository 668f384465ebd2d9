"""The values that every reader of a case gives: Case, CaseLaunch, CaseError."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from oracles.api import Launch

Unspecified = Mapping[int, tuple[int, ...] | None]
"""Argument index -> element indices that PTX leaves open; None stands for the whole buffer."""


class CaseError(ValueError):
    """A case file that cannot be used: one line, ``file: where: what``."""

    def __init__(self, file: Path | str, where: str, what: str) -> None:
        self.file = str(file)
        self.where = where
        self.what = what
        super().__init__(": ".join(part for part in (self.file, where, what) if part))


@dataclass(frozen=True)
class CaseLaunch:
    """One launch of a case and what it must give (docs/cases.md).

    ``launch.kernel`` is empty for "the only entry of the file". ``expect`` is None if the case
    states no values; ``{}`` states that every buffer stays unchanged.
    """

    launch: Launch
    expect: Mapping[int, tuple[int, ...]] | None = None
    unspecified: Unspecified = field(default_factory=dict)
    fault: str | None = None
    verdict: str | None = None
    step_limit: int | None = None
    needs: tuple[str, ...] = ()
    can_hang_a_gpu: bool = False


@dataclass(frozen=True)
class Case:
    """A kernel file and its launches. ``kernel_file`` differs from ``file`` for a JSON case."""

    id: str
    file: str
    kernel_file: str
    language: str  # "cu" or "ptx"
    text: str
    launches: tuple[CaseLaunch, ...]
    description: str = ""
    reference: str = ""
    features: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    compilers: tuple[str, ...] = ()  # empty: all
    sha256: str = ""

    @property
    def area(self) -> str:
        """The first part of the id."""
        return self.id.partition("/")[0]


def digest(*texts: str) -> str:
    """SHA-256 over texts, each preceded by its length so that they cannot run into each other."""
    total = hashlib.sha256()
    for text in texts:
        raw = text.encode(errors="surrogatepass")
        total.update(len(raw).to_bytes(8, "little"))
        total.update(raw)
    return total.hexdigest()
