"""Integer constants and constant expressions of PTX (PTX ISA, "Constants" and "Constant Expressions")."""

from __future__ import annotations

import re
from collections.abc import Callable

INTEGER = re.compile(r"(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)U?")
FLOAT = re.compile(r"[-+]?(?:0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?)")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>" + INTEGER.pattern + r")(?![\w.])|(?P<cast>\(\s*\.[su]64\s*\))|"
    r"(?P<op><<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>&^|?:~!()]))"
)

_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)


def _quotient(a: int, b: int) -> int:
    if b == 0:
        raise ValueError("division by zero in a constant expression")
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


_BINARY: dict[str, Callable[[int, int], int]] = {
    "||": lambda a, b: int(bool(a or b)),
    "&&": lambda a, b: int(bool(a and b)),
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "&": lambda a, b: a & b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "<<": lambda a, b: a << (b & 63),
    ">>": lambda a, b: a >> (b & 63),
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _quotient,
    "%": lambda a, b: a - b * _quotient(a, b),
}


def integer(text: str) -> int:
    """Value of one integer constant (hexadecimal, octal, binary or decimal, with or without ``U``)."""
    digits = text.rstrip("U")
    if len(digits) > 1 and digits[0] == "0" and digits[1].isdecimal():
        return int(digits, 8)
    return int(digits, 0)


def evaluate(text: str) -> int:
    """Value of a constant expression. Raises ValueError if ``text`` is none."""
    parser = _Expression(text)
    value = parser.ternary()
    if parser.token:
        raise ValueError(f"{text.strip()!r} is no constant")
    return value


class _Expression:
    """Recursive descent over one expression."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.token = ""
        self.kind = ""
        self.advance()

    def advance(self) -> str:
        taken = self.token
        if not self.text[self.at :].strip():
            self.token, self.kind = "", ""
            return taken
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            raise ValueError(f"{self.text.strip()!r} is no constant")
        self.kind = found.lastgroup or ""
        self.token = found[self.kind]
        self.at = found.end()
        return taken

    def ternary(self) -> int:
        condition = self.binary(0)
        if self.token != "?":
            return condition
        self.advance()
        yes = self.ternary()
        self.expect(":")
        no = self.ternary()
        return yes if condition else no

    def binary(self, level: int) -> int:
        if level == len(_LEVELS):
            return self.unary()
        value = self.binary(level + 1)
        while self.token in _LEVELS[level]:
            op = self.advance()
            value = _BINARY[op](value, self.binary(level + 1))
        return value

    def unary(self) -> int:
        if self.kind == "number":
            return integer(self.advance())
        if self.kind == "cast":
            cast = self.advance()
            value = self.unary() & (1 << 64) - 1
            return value - (1 << 64) if "s" in cast and value >> 63 else value
        match self.advance():
            case "-":
                return -self.unary()
            case "+":
                return self.unary()
            case "~":
                return ~self.unary()
            case "!":
                return int(not self.unary())
            case "(":
                value = self.ternary()
                self.expect(")")
                return value
        raise ValueError(f"{self.text.strip()!r} is no constant")

    def expect(self, token: str) -> None:
        if self.advance() != token:
            raise ValueError(f"{self.text.strip()!r} is no constant")
