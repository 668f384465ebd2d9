"""Operands of one instruction (PTX ISA, "Instruction Operands")."""

from __future__ import annotations

from oracles.ptx.errors import PtxError
from oracles.ptx.reader.lexer import Token
from oracles.ptx.reader.scope import Pending, Scope
from oracles.ptx.reader.stream import Stream
from oracles.ptx.reader.syntax import (
    Addr,
    Arguments,
    FloatImm,
    Imm,
    Name,
    Operand,
    Pair,
    Reg,
    Register,
    Sink,
    Special,
    Sym,
    Table,
    Target,
    Variable,
    Vec,
)
from oracles.ptx.special import SPECIAL_NAMES


def not_a_register(name: str, wanted: str = "") -> str:
    """What is wrong with a name that stands for nothing here."""
    if name.startswith("%"):
        return f"register {name} is not declared"
    return f"{name} is neither {wanted}; declare it" if wanted else f"{name} is no declared register"


class Operands:
    """Reads the operands of an instruction up to its semicolon."""

    def __init__(self, stream: Stream, scope: Scope, op: str, pending: list[Pending]) -> None:
        self.stream = stream
        self.scope = scope
        self.op = op
        self.pending = pending

    def read(self) -> tuple[Operand, ...]:
        """All operands. Raises PtxError."""
        if self.stream.next.text == ";":
            return ()
        out = [self._operand()]
        while self.stream.accept(","):
            out.append(self._operand())
        return tuple(out)

    def _operand(self) -> Operand:
        first = self._single()
        return Pair(first, self._single()) if self.stream.accept("|") else first

    def _single(self) -> Operand:
        stream, token = self.stream, self.stream.next
        if token.text == "{":
            return Vec(self._list("{", "}"))
        if token.text == "[":
            return self._address()
        if token.text == "(" and self.op == "call":
            return Arguments(self._list("(", ")"))
        if token.kind == "word":
            return self._word(stream.take())
        if token.text == "!" and stream.peek().kind == "word":
            stream.take()
            name = stream.take()
            found = self.scope.find(name.text)
            if not isinstance(found, Register):
                raise PtxError(name.line, not_a_register(name.text))
            return Reg(found, negated=True)
        if token.kind == "float" or (token.text == "-" and stream.peek().kind == "float"):
            sign = "-" if stream.accept("-") else ""
            return FloatImm(sign + stream.take().text)
        if token.text == "-" and stream.peek().kind == "word":
            raise PtxError(token.line, f"a register cannot be negated in an operand of {self.op}; use neg")
        return Imm(stream.constant())

    def _list(self, start: str, end: str) -> tuple[Operand, ...]:
        self.stream.expect(start, "before a list of operands")
        out: list[Operand] = []
        while not self.stream.accept(end):
            out.append(self._single())
            if not self.stream.accept(","):
                self.stream.expect(end, "after a list of operands")
                break
        return tuple(out)

    def _word(self, name: Token) -> Operand:
        found = self.scope.find(name.text)
        stream = self.stream
        if isinstance(found, Register):
            if stream.next.kind == "dot":
                raise PtxError(name.line, f"vector register {name.text} is not supported; use scalar registers")
            return Reg(found)
        if isinstance(found, Variable):
            return Sym(found, self._symbol_offset(found))
        if name.text == "_":
            return Sink()
        if name.text == "WARP_SZ":
            return Special("WARP_SZ")
        if self.op == "bra":
            target = Target(name.text)
            self.pending.append(Pending(target, self.scope, name.line))
            return target
        if self.op == "brx":
            table = Table(name.text, [])
            self.pending.append(Pending(table, self.scope, name.line))
            return table
        if name.text.startswith("%"):
            part = stream.take().text if stream.next.kind == "dot" else ""
            if name.text + part not in SPECIAL_NAMES:
                raise PtxError(name.line, not_a_register(name.text + part))
            return Special(name.text + part)
        return Name(name.text)

    def _symbol_offset(self, variable: Variable) -> int:
        stream = self.stream
        if stream.accept("+") or stream.next.text == "-":
            return stream.constant()
        if stream.accept("["):
            index = stream.constant()
            stream.expect("]", "after an index")
            return index * max(1, variable.type.size)
        return 0

    def _address(self) -> Addr:
        stream = self.stream
        stream.expect("[", "before an address")
        base: Register | Variable | None = None
        offset = 0
        if stream.next.kind == "word":
            name = stream.take()
            found = self.scope.find(name.text)
            if found is None:
                raise PtxError(name.line, not_a_register(name.text, "a register nor a variable"))
            base = found
            if isinstance(found, Variable) and stream.next.text == "[":
                offset += self._symbol_offset(found)
            if stream.accept("+") or stream.next.text == "-":
                offset += stream.constant()
        else:
            offset = stream.constant()
        stream.expect("]", "after an address")
        return Addr(base, offset)
