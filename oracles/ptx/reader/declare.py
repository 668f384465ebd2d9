"""Declarations of registers, variables and parameters (PTX ISA, "State Spaces", "Variables")."""

from __future__ import annotations

from dataclasses import dataclass, field

from oracles.ptx.errors import PtxError
from oracles.ptx.reader.lexer import Token
from oracles.ptx.reader.scope import Scope
from oracles.ptx.reader.stream import Stream
from oracles.ptx.reader.syntax import Register, Variable
from oracles.ptx.types import Type, type_named

_POINTEE_SPACES = {".global", ".const", ".shared", ".local"}


@dataclass
class _Head:
    """What stands before the name in a declaration."""

    type: Type | None = None
    vector: int = 1
    align: int = 0
    pointer: bool = False


@dataclass
class _Initial:
    """Bytes of an initialiser, and the addresses in it."""

    data: bytearray = field(default_factory=bytearray)
    pointers: list[tuple[int, int, Variable, int, bool]] = field(default_factory=list)


class Declarations:
    """Reads declarations from a stream."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def registers(self, scope: Scope) -> None:
        """``.reg`` and what follows, up to the semicolon. Raises PtxError."""
        stream = self.stream
        head = self._head()
        if head.vector != 1:
            raise PtxError(stream.next.line, "vector registers are not supported; use scalar registers")
        type_ = self._type(head)
        while True:
            name = stream.word("a register's name")
            if stream.accept("<"):
                scope.ranges[name.text] = (stream.constant_in_brackets(), type_)
            else:
                scope.declare(name.text, Register(name.text, type_), name.line)
            if not stream.accept(","):
                break
        stream.expect(";", "after .reg")

    def variables(self, space: Token, scope: Scope, extern: bool) -> list[Variable]:
        """The variables of one declaration after its space, up to the semicolon. Raises PtxError."""
        head = self._head()
        out = [self._variable(space.text[1:], head, scope, extern)]
        while self.stream.accept(","):
            out.append(self._variable(space.text[1:], head, scope, extern))
        self.stream.expect(";", f"after {space.text}")
        return out

    def parameters(self, scope: Scope, entry: bool) -> list[Variable | Register]:
        """``(.param ...)`` of a function; they are entered into ``scope``. Raises PtxError."""
        stream = self.stream
        stream.expect("(", "before the parameters")
        out: list[Variable | Register] = []
        while not stream.accept(")"):
            kind = stream.take()
            if kind.text not in (".param", ".reg"):
                raise PtxError(kind.line, f".param is missing before a parameter; there is {kind.text!r}")
            head = self._head()
            what: Variable | Register
            if kind.text == ".reg":
                name = stream.word("a parameter's name")
                what = Register(name.text, self._type(head))
            else:
                what = self._variable("kernel" if entry else "param", head, scope, extern=False)
            line = what.line if isinstance(what, Variable) else kind.line
            if what.name != "_":
                scope.declare(what.name, what, line)
            out.append(what)
            if not stream.accept(","):
                stream.expect(")", "after the parameters")
                break
        return out

    # ----------------------------------------------------------------------------------------------

    def _head(self) -> _Head:
        stream = self.stream
        head = _Head()
        while stream.next.kind == "dot":
            token = stream.take()
            if token.text == ".align":
                head.align = stream.constant()
            elif token.text == ".ptr":
                head.pointer = True
                if stream.next.text in _POINTEE_SPACES:
                    stream.take()
                if stream.next.text == ".align":  # of what it points to
                    stream.take()
                    stream.constant()
            elif token.text in (".v2", ".v4"):
                head.vector = int(token.text[2])
            elif token.text == ".attribute":
                while stream.take().text != ")":
                    pass
            elif (type_ := type_named(token.text[1:])) is not None:
                head.type = type_
            else:
                raise PtxError(token.line, f"{token.text} is not known in a declaration")
        return head

    def _type(self, head: _Head) -> Type:
        if head.type is None:
            raise PtxError(self.stream.next.line, "a declaration lacks its type, for example .b32")
        return head.type

    def _variable(self, space: str, head: _Head, scope: Scope, extern: bool) -> Variable:
        stream = self.stream
        type_ = self._type(head)
        name = stream.word("a variable's name")
        if stream.next.text == "<":
            raise PtxError(name.line, f"variables {name.text}<N> are not supported; declare each by its name")
        dims: list[int | None] = []
        while stream.accept("["):
            dims.append(None if stream.next.text == "]" else stream.constant())
            stream.expect("]", "after an array's size")
        unit = type_.size * head.vector
        initial = None
        if stream.accept("="):
            initial = _Initial()
            shape = [*dims, head.vector] if head.vector > 1 else dims
            self._initialiser(initial, shape, type_, scope)
        known = [1 if d is None else d for d in dims]
        count = 1
        for dim in known:
            count *= dim
        if dims and dims[0] is None:
            count = -(-len(initial.data) // unit) if initial is not None else 0
        if dims and any(d is not None and d < 0 for d in dims):
            raise PtxError(name.line, f"array {name.text} has a negative size")
        return Variable(
            name.text,
            space,
            type_,
            unit * count,
            head.align or unit,
            name.line,
            array=bool(dims),
            pointer=head.pointer,
            extern=extern,
            data=bytes(initial.data) if initial is not None else None,
            pointers=initial.pointers if initial is not None else [],
        )

    def _initialiser(self, out: _Initial, dims: list[int | None], type_: Type, scope: Scope) -> None:
        """Append one (possibly nested) initialiser; inner lists that are short end in zeros."""
        stream = self.stream
        if not dims or not stream.accept("{"):
            self._scalar(out, type_, scope)
            return
        inner = type_.size
        for dim in dims[1:]:
            inner *= dim or 1
        start = len(out.data)
        while not stream.accept("}"):
            self._initialiser(out, dims[1:], type_, scope)
            if len(dims) > 1:
                done = -(-(len(out.data) - start) // inner) * inner
                out.data.extend(bytes(start + done - len(out.data)))
            if not stream.accept(","):
                stream.expect("}", "after an initialiser")
                break
        if dims[0] is not None:
            whole = dims[0] * inner
            if len(out.data) - start > whole:
                raise PtxError(stream.next.line, "an initialiser has more values than its array has room for")
            if start > 0:
                out.data.extend(bytes(start + whole - len(out.data)))

    def _scalar(self, out: _Initial, type_: Type, scope: Scope) -> None:
        stream = self.stream
        token = stream.next
        if token.kind == "float":
            stream.take()
            if token.text[:2].lower() not in ("0f", "0d"):
                raise PtxError(token.line, f"initialiser {token.text} is no integer; write it as 0f or 0d bits")
            out.data.extend(int(token.text[2:], 16).to_bytes(type_.size, "little"))
            return
        if token.kind == "word":
            stream.take()
            generic = token.text == "generic"
            if generic:
                stream.expect("(", "after generic")
                token = stream.word("a variable")
                stream.expect(")", "after generic(variable")
            found = scope.find(token.text)
            if not isinstance(found, Variable):
                raise PtxError(token.line, f"{token.text} in an initialiser is no variable declared before")
            addend = 0
            if stream.accept("+") or stream.next.text == "-":
                addend = stream.constant()
            out.pointers.append((len(out.data), type_.size, found, addend, generic))
            out.data.extend(bytes(type_.size))
            return
        out.data.extend((stream.constant() & type_.mask).to_bytes(type_.size, "little"))
