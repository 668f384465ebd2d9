"""PTX text -> tokens (PTX ISA, "Syntax")."""

from __future__ import annotations

import re
from typing import NamedTuple

from oracles.ptx.errors import PtxError


class Token(NamedTuple):
    """``kind`` is word, dot (a word that starts with a dot), int, float, string, punct or end."""

    kind: str
    text: str
    line: int
    start: int


_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r\f\v]+)
  | (?P<newline>\n)
  | (?P<word>[A-Za-z_$%][\w$]*)
  | (?P<dot>\.[\w$]+(?:::[\w$]+)*)
  | (?P<float>0[fF][0-9a-fA-F]{8}\b|0[dD][0-9a-fA-F]{16}\b|\d+\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
  | (?P<int>0[xX][0-9a-fA-F]+U?|0[bB][01]+U?|\d+U?)
  | (?P<string>"[^"\n]*")
  | (?P<open>/\*)
  | (?P<punct><<|>>|<=|>=|==|!=|&&|\|\||[{}()\[\]<>,;:@!|+\-*/%&^~?=])
    """,
    re.X,
)


def without_comments(text: str) -> str:
    """The text with comments made blanks of the same shape: positions and lines stay what they are."""
    return _COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def tokens(text: str) -> list[Token]:
    """All tokens of PTX text without comments, an ``end`` token last.

    Raises PtxError for a character or comment that PTX does not know.
    """
    out: list[Token] = []
    line, at, end = 1, 0, len(text)
    match = _TOKEN.match
    while at < end:
        found = match(text, at)
        kind = found.lastgroup or "" if found else ""
        if found is None or kind == "open":
            what = "comment that is not closed" if kind else f"character {text[at]!r}"
            raise PtxError(line, f"unexpected {what}; the file is cut short or not PTX")
        if kind == "newline":
            line += 1
        elif kind != "space":
            out.append(Token(kind, found.group(), line, at))
        at = found.end()
    out.append(Token("end", "end of file", line, end))
    return out


def integer(text: str, line: int) -> int:
    """The value of an integer literal: hexadecimal, octal, binary or decimal, with or without ``U``."""
    digits = text.rstrip("U")
    try:
        if digits[:2] in ("0x", "0X", "0b", "0B"):
            return int(digits, 0)
        if len(digits) > 1 and digits[0] == "0":
            return int(digits, 8)
        return int(digits)
    except ValueError:
        raise PtxError(line, f"{text} is not an integer literal; octal digits are 0 to 7") from None
