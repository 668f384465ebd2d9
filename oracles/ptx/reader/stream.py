"""A cursor over tokens, and constant expressions (PTX ISA, "Constant Expressions")."""

from __future__ import annotations

from collections.abc import Callable

from oracles.ptx.errors import PtxError
from oracles.ptx.reader.lexer import Token, integer


def _divide(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_PRECEDENCE: list[dict[str, Callable[[int, int], int]]] = [
    {"||": lambda a, b: int(bool(a or b))},
    {"&&": lambda a, b: int(bool(a and b))},
    {"|": lambda a, b: a | b},
    {"^": lambda a, b: a ^ b},
    {"&": lambda a, b: a & b},
    {"==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b)},
    {
        "<": lambda a, b: int(a < b),
        "<=": lambda a, b: int(a <= b),
        ">": lambda a, b: int(a > b),
        ">=": lambda a, b: int(a >= b),
    },
    {"<<": lambda a, b: a << (b & 63), ">>": lambda a, b: a >> (b & 63)},
    {"+": lambda a, b: a + b, "-": lambda a, b: a - b},
    {"*": lambda a, b: a * b, "/": _divide, "%": lambda a, b: a - b * _divide(a, b)},
]


class Stream:
    """Tokens with a position."""

    def __init__(self, items: list[Token]) -> None:
        self.items = items
        self.at = 0

    @property
    def next(self) -> Token:
        """The token that comes next."""
        return self.items[self.at]

    def peek(self, ahead: int = 1) -> Token:
        """A token further on."""
        return self.items[min(self.at + ahead, len(self.items) - 1)]

    def take(self) -> Token:
        """Pass over the next token and return it."""
        token = self.items[self.at]
        if token.kind != "end":
            self.at += 1
        return token

    def accept(self, text: str) -> bool:
        """Pass over the next token if it reads ``text``."""
        if self.items[self.at].text == text:
            self.at += 1
            return True
        return False

    def expect(self, text: str, where: str) -> Token:
        """Pass over a token that must read ``text``; raises PtxError."""
        token = self.take()
        if token.text != text:
            raise PtxError(token.line, f"{text!r} is missing {where}; there is {token.text!r}")
        return token

    def word(self, what: str) -> Token:
        """Pass over an identifier; raises PtxError."""
        token = self.take()
        if token.kind != "word":
            raise PtxError(token.line, f"{what} is missing; there is {token.text!r}")
        return token

    def skip_to(self, text: str) -> None:
        """Pass over everything before the next ``text`` (or brace that closes more than was opened)."""
        depth = 0
        while self.next.kind != "end" and self.next.text != text:
            depth += (self.next.text == "{") - (self.next.text == "}")
            if depth < 0:
                return
            self.take()

    def rest_of_line(self) -> list[Token]:
        """Pass over the tokens up to the end of the line of the last one taken."""
        line = self.items[self.at - 1].line
        out = []
        while self.next.kind != "end" and self.next.line == line:
            out.append(self.take())
        return out

    def constant(self) -> int:
        """Pass over a constant expression and return its value; raises PtxError."""
        condition = self._binary(0)
        if self.accept("?"):
            yes = self.constant()
            self.expect(":", "in a constant expression")
            no = self.constant()
            return yes if condition else no
        return condition

    def constant_in_brackets(self) -> int:
        """The number in ``<5>``, whose opening bracket was taken (``>`` is no operator there)."""
        token = self.take()
        if token.kind != "int":
            raise PtxError(token.line, f"a number is missing in <>; there is {token.text!r}")
        self.expect(">", "after a number")
        return integer(token.text, token.line)

    def _binary(self, level: int) -> int:
        if level == len(_PRECEDENCE):
            return self._unary()
        value = self._binary(level + 1)
        while (operator := _PRECEDENCE[level].get(self.next.text)) is not None:
            line = self.take().line
            right = self._binary(level + 1)
            try:
                value = operator(value, right)
            except ZeroDivisionError:
                raise PtxError(line, "division by zero in a constant expression") from None
        return value

    def _unary(self) -> int:
        token = self.take()
        if token.kind == "int":
            return integer(token.text, token.line)
        if token.text == "-":
            return -self._unary()
        if token.text == "+":
            return self._unary()
        if token.text == "~":
            return ~self._unary()
        if token.text == "!":
            return int(not self._unary())
        if token.text == "(":
            if self.next.text in (".s64", ".u64"):  # a cast
                unsigned = self.take().text == ".u64"
                self.expect(")", "after a cast")
                value = self._unary()
                return value & (1 << 64) - 1 if unsigned else value
            value = self.constant()
            self.expect(")", "in a constant expression")
            return value
        raise PtxError(token.line, f"an integer constant is missing; there is {token.text!r}")
