"""PTX instruction ordinals -> lines of PTX and CUDA: a splitter of statements, no more.

It knows nothing of what instructions do, so that the differ shares no code with any leg. Syntax: PTX
ISA, "Syntax" (statements, comments, labels) and "Debugging Directives" (``.loc``, ``.file``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
_LABEL = re.compile(r"[\w$%]+[ \t]*:(?!:)")
_ONE_LINE = re.compile(
    r"\.(version|target|address_size|file|loc|maxntid|reqntid|minnctapersm|maxnctapersm|maxnreg"
    r"|noreturn|explicitcluster|reqnctapercluster|maxclusterrank)\b"
)
_LOC = re.compile(r"\.loc\s+(\d+)\s+(\d+)")
_INLINED_AT = re.compile(r"inlined_at\s+(\d+)\s+(\d+)")
_FUNCTION = re.compile(r"\.(entry|func)\b")
_ENTRY = re.compile(r"\.entry\s+([\w$%]+)")
_REG = re.compile(r"\.reg\s+(?:\.v\d\s+)?\.(pred|[a-z]+?)(\d*)\s+([^;]*)")


@dataclass(frozen=True)
class Line:
    """An instruction: 1-based PTX line, its text, and the line of CUDA C++ (None if not known)."""

    ptx: int
    text: str
    cuda: int | None


@dataclass
class PtxLines:
    """Instructions by ordinal (oracles.api), entries by name, and widths of registers in bits."""

    lines: list[Line] = field(default_factory=list)
    entries: list[str] = field(default_factory=list)
    _widths: dict[str, int] = field(default_factory=dict)

    @staticmethod
    def scan(ptx: str) -> PtxLines:
        """Split PTX text; text that is not PTX gives fewer lines, never an error."""
        found = PtxLines()
        _Scanner(ptx, found).run()
        return found

    def at(self, instr: int | None) -> Line | None:
        """The instruction with that ordinal, if there is one."""
        if instr is None or not 0 <= instr < len(self.lines):
            return None
        return self.lines[instr]

    def width(self, register: str) -> int:
        """Declared width in bits (a predicate: 1), 0 if the register is not declared."""
        if register in self._widths:
            return self._widths[register]
        return self._widths.get(register.rstrip("0123456789") + "<>", 0)

    def declare(self, statement: str) -> None:
        """Take note of a ``.reg`` statement."""
        match = _REG.match(statement)
        if match is None:
            return
        width = 1 if match.group(1) == "pred" else int(match.group(2) or 0)
        for name in match.group(3).split(","):
            plain, many, _ = name.strip().partition("<")
            self._widths[plain + ("<>" if many else "")] = width


class _Scanner:
    def __init__(self, ptx: str, found: PtxLines) -> None:
        # Comments become blanks of the same shape, so that positions and lines stay what they are.
        self.text = _COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), ptx)
        self.found = found
        self.at = 0
        self.line = 1
        self.counted_to = 0
        self.cuda: int | None = None

    def run(self) -> None:
        text = self.text
        while True:
            while self.at < len(text) and (text[self.at].isspace() or text[self.at] in "{};"):
                self.at += 1
            if self.at >= len(text):
                return
            label = _LABEL.match(text, self.at)
            if text[self.at] == ".":
                self._directive()
            elif label:
                self.at = label.end()
            else:
                self._instruction()

    def _line_number(self) -> int:
        self.line += self.text.count("\n", self.counted_to, self.at)
        self.counted_to = self.at
        return self.line

    def _until(self, stop: str) -> str:
        """Text up to ``stop``, which is passed over."""
        end = self.text.find(stop, self.at)
        end = len(self.text) if end < 0 else end
        out = self.text[self.at : end]
        self.at = end + 1
        return out

    def _instruction(self) -> None:
        number = self._line_number()
        words = " ".join(self._until(";").split())
        self.found.lines.append(Line(number, words + ";", self.cuda))

    def _directive(self) -> None:
        if _ONE_LINE.match(self.text, self.at):
            self._source_line(self._until("\n"))
            return
        if self.text.startswith(".section", self.at):
            self._until("}")
            return
        head_end = re.compile(r"[;{=]").search(self.text, self.at)
        head = self.text[self.at : head_end.start() if head_end else len(self.text)]
        if _FUNCTION.search(head):
            self.at += len(head) + 1
            self.cuda = None
            if entry := _ENTRY.search(head):
                self.found.entries.append(entry.group(1))
            return
        statement = self._until(";")
        if statement.startswith(".reg"):
            self.found.declare(statement)

    def _source_line(self, statement: str) -> None:
        """Lines of inlined code count as the line that they were inlined at (the kernel's own)."""
        loc, inlined = _LOC.match(statement), _INLINED_AT.search(statement)
        if loc:
            line = int((inlined or loc).group(2))
            self.cuda = line or None
