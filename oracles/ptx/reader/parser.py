"""PTX text -> `PtxModule`: module level and function bodies (PTX ISA, "Directives")."""

from __future__ import annotations

from oracles.ptx.errors import PtxError
from oracles.ptx.reader.declare import Declarations
from oracles.ptx.reader.lexer import Token, tokens, without_comments
from oracles.ptx.reader.opcodes import REFUSED, unknown_opcode
from oracles.ptx.reader.operands import Operands, not_a_register
from oracles.ptx.reader.scope import Pending, Scope
from oracles.ptx.reader.stream import Stream
from oracles.ptx.reader.syntax import Function, Instr, Operand, PtxModule, Register, Table, Target

_SPACES = {".global", ".const", ".shared", ".local", ".param"}
_LINKAGE = {".visible", ".extern", ".weak", ".common"}
_LIMITS = {
    ".maxntid",
    ".reqntid",
    ".minnctapersm",
    ".maxnctapersm",
    ".maxnreg",
    ".maxclusterrank",
    ".reqnctapercluster",
}


def read(text: str) -> PtxModule:
    """Read a PTX file. Raises PtxError."""
    plain = without_comments(text)
    return _Parser(plain, Stream(tokens(plain))).module()


class _Parser:
    def __init__(self, text: str, stream: Stream) -> None:
        self.text = text
        self.stream = stream
        self.result = PtxModule()
        self.globals = Scope()
        self.scope = self.globals
        self.function: Function | None = None
        self.pending: list[Pending] = []
        self.ordinal = 0
        self.cuda: int | None = None
        self.declarations = Declarations(stream)

    # -- module level ------------------------------------------------------------------------------

    def module(self) -> PtxModule:
        stream = self.stream
        if stream.next.text != ".version":
            raise PtxError(stream.next.line, "the file does not start with .version; this is not PTX")
        while stream.next.kind != "end":
            token = stream.next
            if token.kind != "dot":
                if stream.accept(";"):
                    continue
                raise PtxError(token.line, f"{token.text!r} is outside every function; a brace is misplaced")
            self._top(stream.take())
        return self.result

    def _top(self, token: Token) -> None:
        extern = False
        while token.text in _LINKAGE:
            extern = extern or token.text == ".extern"
            token = self.stream.take()
        if token.text in (".entry", ".func"):
            self._function(token)
        elif token.text in _SPACES:
            for variable in self.declarations.variables(token, self.globals, extern=extern):
                if variable.name in self._externs():  # an extern declaration, now defined or repeated
                    del self.globals.names[variable.name]
                self.globals.declare(variable.name, variable, variable.line)
                self.result.variables.append(variable)
        elif not self._anywhere(token):
            raise PtxError(token.line, f"directive {token.text} is not known at this place")

    def _externs(self) -> set[str]:
        return {v.name for v in self.result.variables if v.extern}

    def _anywhere(self, token: Token) -> bool:
        """Directives that may stand inside and outside functions."""
        stream = self.stream
        if token.text == ".loc":
            self._loc(stream.rest_of_line())
        elif token.text in (".version", ".target", ".file"):
            stream.rest_of_line()
        elif token.text == ".address_size":
            size = stream.take()
            if size.text != "64":
                raise PtxError(size.line, "only .address_size 64 is supported; compile for 64-bit addresses")
        elif token.text == ".section":
            self._skip_braces()
        elif token.text in (".pragma", ".alias"):
            while stream.next.kind != "end" and not stream.accept(";"):
                stream.take()
        else:
            return False
        return True

    def _skip_braces(self) -> None:
        depth = 0
        while self.stream.next.kind != "end":
            text = self.stream.take().text
            depth += (text == "{") - (text == "}")
            if text == "}" and depth == 0:
                return

    def _loc(self, rest: list[Token]) -> None:
        """Lines of inlined code count as the line that they were inlined at (the kernel's own)."""
        words = [token.text for token in rest]
        numbers = words[words.index("inlined_at") + 1 :] if "inlined_at" in words else words
        if len(numbers) > 1 and numbers[1].isdecimal():
            self.cuda = int(numbers[1]) or None

    # -- functions ---------------------------------------------------------------------------------

    def _function(self, start: Token) -> None:
        stream = self.stream
        self.cuda = None
        self.scope = self.globals.child()
        self.scope.registers = []
        entry = start.text == ".entry"
        returns = self.declarations.parameters(self.scope, entry) if stream.next.text == "(" else []
        name = stream.word("the function's name")
        params = self.declarations.parameters(self.scope, entry) if stream.next.text == "(" else []
        function = Function(name.text, entry, name.line)
        function.register_params = any(isinstance(p, Register) for p in (*params, *returns))
        function.params = [p for p in params if not isinstance(p, Register)]
        function.returns = [p for p in returns if not isinstance(p, Register)]
        self._function_directives(function)
        known = self.result.functions.get(name.text)
        if stream.accept(";"):
            if known is None:
                self.result.functions[name.text] = function
            return
        if known is not None and known.body is not None:
            raise PtxError(name.line, f"function {name.text} is defined twice; rename one")
        self.result.functions[name.text] = function
        self._body(function)

    def _function_directives(self, function: Function) -> None:
        stream = self.stream
        while stream.next.kind == "dot":
            token = stream.take()
            if token.text in _LIMITS:
                values = [stream.constant()]
                while stream.accept(","):
                    values.append(stream.constant())
                function.limits[token.text[1:]] = tuple(values)
            elif token.text in (".noreturn", ".explicitcluster"):
                pass
            elif not self._anywhere(token):
                raise PtxError(token.line, f"directive {token.text} is not known before a function's body")

    def _body(self, function: Function) -> None:
        stream = self.stream
        stream.expect("{", f"before the body of {function.name}")
        self.function = function
        function.body = []
        function.registers = self.scope.registers
        self.pending = []
        depth = 1
        while depth:
            token = stream.next
            if token.kind == "end":
                raise PtxError(token.line, f"the body of {function.name} is not closed; the file is cut short")
            if stream.accept("{"):
                depth += 1
                self.scope = self.scope.child()
            elif stream.accept("}"):
                depth -= 1
                assert self.scope.parent is not None
                self.scope = self.scope.parent
            elif not stream.accept(";"):
                self._statement(function)
        self.scope = self.globals
        for item in self.pending:
            _resolve(item)

    def _statement(self, function: Function) -> None:
        stream = self.stream
        token = stream.next
        assert function.body is not None
        if token.kind == "word" and stream.peek().text == ":":
            stream.at += 2
            if stream.next.text == ".branchtargets":
                self._table(token)
            elif stream.next.text in (".callprototype", ".calltargets"):
                while not stream.accept(";") and stream.next.kind != "end":
                    stream.take()
            elif token.text in self.scope.labels:
                raise PtxError(token.line, f"label {token.text} stands twice in one scope; rename one")
            else:
                self.scope.labels[token.text] = len(function.body)
        elif token.kind == "dot":
            self._directive(stream.take(), function)
        elif token.kind == "word" or token.text == "@":
            function.body.append(self._instruction())
        else:
            raise PtxError(token.line, f"a statement cannot start with {token.text!r}")

    def _table(self, name: Token) -> None:
        self.stream.take()
        table = Table(name.text, [])
        while True:
            label = self.stream.word("a label")
            target = Target(label.text)
            table.targets.append(target)
            self.pending.append(Pending(target, self.scope, label.line))
            if not self.stream.accept(","):
                break
        self.stream.expect(";", "after .branchtargets")
        self.scope.tables[name.text] = table

    def _directive(self, token: Token, function: Function) -> None:
        if token.text == ".reg":
            self.declarations.registers(self.scope)
        elif token.text in _SPACES or token.text == ".extern":
            extern = token.text == ".extern"
            space = self.stream.take() if extern else token
            for variable in self.declarations.variables(space, self.scope, extern=extern):
                self.scope.declare(variable.name, variable, variable.line)
                function.variables.append(variable)
        elif not self._anywhere(token):
            raise PtxError(token.line, f"directive {token.text} is not known inside a function")

    # -- instructions ------------------------------------------------------------------------------

    def _instruction(self) -> Instr:
        stream = self.stream
        first = stream.next
        guard, negated = self._guard()
        opcode = stream.word("an instruction")
        mods = []
        while stream.next.kind == "dot":
            mods.append(stream.take().text[1:])
        problem = unknown_opcode(opcode.text)
        if problem is not None:
            raise PtxError(opcode.line, problem)
        operands: tuple[Operand, ...] = ()
        if opcode.text in REFUSED:
            stream.skip_to(";")
        else:
            operands = Operands(stream, self.scope, opcode.text, self.pending).read()
        end = stream.take()
        if end.text != ";":
            raise PtxError(end.line, f"';' is missing after {opcode.text}; there is {end.text!r}")
        text = " ".join(self.text[first.start : end.start].split())
        instr = Instr(
            self.ordinal,
            first.line,
            self.cuda,
            text,
            opcode.text,
            tuple(mods),
            operands,
            guard,
            negated,
        )
        self.ordinal += 1
        return instr

    def _guard(self) -> tuple[Register | None, bool]:
        if not self.stream.accept("@"):
            return None, False
        negated = self.stream.accept("!")
        name = self.stream.word("a predicate after @")
        found = self.scope.find(name.text)
        if found is None and name.text.startswith("%"):
            raise PtxError(name.line, not_a_register(name.text))
        if not isinstance(found, Register) or found.type.kind != "p":
            raise PtxError(name.line, f"{name.text} is no predicate; declare it with .reg .pred")
        return found, negated


def _resolve(item: Pending) -> None:
    """Fill in what a label or a table name stands for."""
    what = item.what
    if isinstance(what, Target):
        index = item.scope.label(what.name)
        if index is None:
            raise PtxError(item.line, f"label {what.name} does not exist in this function")
        what.index = index
        return
    found = item.scope.table(what.name)
    if found is None:
        raise PtxError(item.line, f"branch table {what.name} does not exist; write it with .branchtargets")
    what.targets = found.targets
