"""Names in nested scopes (PTX ISA, "Identifiers", "Parameterized Variable Names")."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from oracles.ptx.errors import PtxError
from oracles.ptx.reader.syntax import Register, Table, Target, Variable
from oracles.ptx.types import Type

_NUMBERED = re.compile(r"(.*?)(\d+)$")


@dataclass(eq=False)
class Scope:
    """One level of braces; ``registers`` collects every register used in the function."""

    parent: Scope | None = None
    names: dict[str, Register | Variable] = field(default_factory=dict)
    ranges: dict[str, tuple[int, Type]] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    registers: list[Register] = field(default_factory=list)

    def child(self) -> Scope:
        """A scope inside this one."""
        return Scope(parent=self, registers=self.registers)

    def declare(self, name: str, what: Register | Variable, line: int) -> None:
        """Enter a name; raises PtxError if this scope has it already."""
        if name in self.names:
            raise PtxError(line, f"{name} is declared twice in one scope; rename one")
        self.names[name] = what
        if isinstance(what, Register):
            self.registers.append(what)

    def find(self, name: str) -> Register | Variable | None:
        """What a name stands for here, innermost scope first."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name) or scope._from_range(name)
            if found is not None:
                return found
            scope = scope.parent
        return None

    def label(self, name: str) -> int | None:
        """Index of a label that is visible here."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.labels:
                return scope.labels[name]
            scope = scope.parent
        return None

    def table(self, name: str) -> Table | None:
        """A branch table that is visible here."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.tables:
                return scope.tables[name]
            scope = scope.parent
        return None

    def _from_range(self, name: str) -> Register | None:
        """A register of ``%r<5>``, made at its first use. ``%r1<5>`` may end in a digit itself."""
        match = _NUMBERED.match(name)
        if match is None or not self.ranges:
            return None
        start = match.start(2)
        for cut in range(start, len(name)):
            digits = name[cut:]
            if (found := self.ranges.get(name[:cut])) is not None and str(int(digits)) == digits:
                count, type_ = found
                if int(digits) < count:
                    register = Register(name, type_)
                    self.names[name] = register
                    self.registers.append(register)
                    return register
        return None


@dataclass(frozen=True)
class Pending:
    """A label or table that is looked up when the function has been read."""

    what: Target | Table
    scope: Scope
    line: int
