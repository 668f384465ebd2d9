"""Where an undefined value came from."""

from __future__ import annotations

from dataclasses import dataclass, field

from oracles.api import FindingKind
from oracles.ptx.reader.syntax import Instr


@dataclass(eq=False)
class Origin:
    """One source of undefined values; ``threads`` (grid-wide) met it, ``use`` is where it came to matter."""

    kind: FindingKind
    what: str
    instr: Instr
    threads: set[int] = field(default_factory=set)
    use: str = ""
