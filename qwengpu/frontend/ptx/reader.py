"""PTX text -> Module. Statement by statement with one regular expression; no grammar beyond what is used.

This reader belongs to the lowering; the PTX interpreter has one of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from qwengpu.frontend.ptx.ast import (
    TYPE_BITS,
    FloatImmediate,
    Function,
    Group,
    Immediate,
    Instruction,
    Memory,
    Module,
    Name,
    Not,
    Operand,
    Pair,
    Register,
    Sink,
    Special,
    Symbol,
    Variable,
    Vector,
)
from qwengpu.frontend.ptx.constants import FLOAT, INTEGER, evaluate, integer
from qwengpu.frontend.ptx.errors import PtxError
from qwengpu.frontend.ptx.initial import pack, parse_tree
from qwengpu.frontend.ptx.opcodes import OPCODES, UNREAD, misspelt
from qwengpu.frontend.ptx.special import SPECIAL_REGISTERS

_COMMENT = re.compile(r'"[^"\n]*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_STATEMENT = re.compile(
    r"\s*(?:(?P<label>[A-Za-z_$%][\w$]*)\s*:(?!:)"
    r"|(?:@\s*(?P<not>!?)\s*(?P<guard>[\w$%]+)\s+)?(?P<opcode>[a-z]\w*(?:(?:\.|::)\w+)*)(?P<operands>[^;]*);"
    r"|(?P<directive>\.\w+)|(?P<open>\{)|(?P<close>\})|(?P<empty>;)|(?P<end>\Z))"
)
_IDENTIFIER = re.compile(r"[A-Za-z_$%][\w$]*(?:\.[xyzw])?")
_OFFSET = re.compile(r"([A-Za-z_$%][\w$]*)\s*([-+].*)?", re.DOTALL)
_NUMBER = re.compile(r"-?" + INTEGER.pattern)
_LOC = re.compile(r"\s+(\d+)\s+(\d+)(?:\s+\d+)?(?:[^\n]*?inlined_at\s+(\d+)\s+(\d+))?[^\n]*")
_REG_TYPE = re.compile(r"\s*((?:\.v[24]\s+)?)\.(\w+)\s+([^;]*);")
_REG_NAME = re.compile(r"([A-Za-z_$%][\w$]*)(?:<\s*(\d+)\s*>)?")
_DECLARATOR = re.compile(r"\s*([A-Za-z_$%][\w$]*)((?:\s*\[[^\]]*\])*)\s*(=?)")
_ATTRIBUTE = re.compile(r"\s*\.(?:(align)\s+(\d+)|(ptr|volatile)\b|attribute\s*\([^)]*\)|(v[248])\b|(\w+))")
_LINKAGE = frozenset({".extern", ".visible", ".weak", ".common"})
_SPACES = frozenset({".shared", ".local", ".global", ".const", ".param"})
_REFERENCES = frozenset({"texref", "samplerref", "surfref"})
_TO_NEWLINE = frozenset({".version", ".target", ".address_size", ".file", ".loc"})


def read_ptx(text: str) -> Module:
    """Read a PTX file. Raises PtxError, with the line, for text that is no PTX."""
    return _Reader(text).module()


def _blank(found: re.Match[str]) -> str:
    text = found[0]
    return text if text[0] == '"' else " " + "\n" * text.count("\n")


class _Scope:
    """Declarations of one ``{ }``; ``ranges`` are ``%r<47>`` declarations by prefix."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.names: dict[str, Register | Variable] = {}
        self.ranges: dict[str, tuple[int, str]] = {}

    def find(self, name: str) -> Register | Variable | None:
        found = self.names.get(name)
        if found is not None or not self.ranges or not name[-1].isdecimal():
            return found
        cut = len(name.rstrip("0123456789"))
        while cut < len(name):
            entry = self.ranges.get(name[:cut])
            digits = name[cut:]
            if entry is not None and int(digits) < entry[0] and str(int(digits)) == digits:
                found = self.names[name] = Register(name, entry[1], TYPE_BITS[entry[1]])
                return found
            cut += 1
        return None


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = _COMMENT.sub(_blank, text)
        self.at = 0
        self.line = 1
        self.counted = 0
        self.cuda_line = 0
        self.ordinal = 0
        self.result = Module()
        self.scopes: list[_Scope] = []
        self.known: dict[str, Operand] = {}

    # ---- places

    def place(self, position: int) -> int:
        """Line number of a text position (positions must not decrease)."""
        if position > self.counted:
            self.line += self.text.count("\n", self.counted, position)
            self.counted = position
        return self.line

    def error(self, message: str) -> PtxError:
        return PtxError(self.line, message)

    def upto(self, stop: str) -> str:
        """Text up to ``stop``, which is consumed."""
        end = self.text.find(stop, self.at)
        if end < 0:
            raise self.error(f"missing {stop!r}" if stop != "\n" else "unexpected end of file")
        taken = self.text[self.at : end]
        self.at = end + len(stop)
        return taken

    def rest_of_line(self) -> str:
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        taken = self.text[self.at : end].strip()
        self.at = end
        return taken

    def skip_space(self) -> str:
        """The next character that is no white space ("" at the end)."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        self.place(self.at)
        return self.text[self.at : self.at + 1]

    def expect(self, char: str) -> None:
        if self.skip_space() != char:
            raise self.error(f"expected {char!r}, found {self.text[self.at : self.at + 12]!r}")
        self.at += 1

    # ---- module scope

    def module(self) -> Module:
        external = False
        self.scopes = [_Scope(-1)]
        while self.skip_space():
            found = re.compile(r"\.\w+").match(self.text, self.at)
            if found is None:
                raise self.error(f"unexpected {self.text[self.at : self.at + 20].split(chr(10))[0]!r}")
            word = found[0]
            self.at = found.end()
            if word in _LINKAGE:
                external = word == ".extern"
                continue
            self.directive(word, external)
            external = False
        return self.result

    def directive(self, word: str, external: bool) -> None:
        """One statement at module scope; ``word`` is already read."""
        if word in _TO_NEWLINE:
            rest = self.rest_of_line()
            if word == ".version":
                self.result.version = rest
            elif word == ".target":
                self.result.target = rest
            elif word == ".address_size":
                self.result.address_size = int(rest)
                if self.result.address_size != 64:
                    raise self.error("only 64-bit addressing is supported; write .address_size 64")
        elif word in (".entry", ".func"):
            self.function(word == ".entry")
        elif word in _SPACES:
            for variable in self.variables(word[1:], external, ";"):
                self.result.variables[variable.name] = variable
                self.scopes[0].names[variable.name] = variable
            self.at += 1
        elif word == ".section":
            self.upto("{")
            self.braces()
        elif word in (".pragma", ".alias"):
            self.upto(";")
        else:
            raise self.error(f"directive {word} is not supported")

    def braces(self) -> None:
        depth = 1
        for found in re.compile(r"[{}]").finditer(self.text, self.at):
            depth += 1 if found[0] == "{" else -1
            if depth == 0:
                self.at = found.end()
                return
        raise self.error("missing '}'")

    # ---- declarations

    def variables(self, space: str, external: bool, stop: str) -> list[Variable]:
        """Declarators after a state space, up to a character of ``stop`` (not consumed)."""
        align, pointer, kind, vector = 0, False, "", 1
        line = self.place(self.at)
        while found := _ATTRIBUTE.match(self.text, self.at):
            self.at = found.end()
            if found[1]:
                align = int(found[2])
            elif found[3]:
                pointer = pointer or found[3] == "ptr"
            elif found[4]:
                vector = int(found[4][1:])
            elif found[5] and not (pointer and found[5] in ("global", "const", "shared", "local")):
                kind = found[5]
        opaque = kind in _REFERENCES
        kind = "b64" if opaque else kind
        if kind not in TYPE_BITS:
            raise self.error(f"type .{kind} of a .{space} variable is not supported")
        out: list[Variable] = []
        while True:
            variable = self.declarator(space, kind, vector, align, pointer, external, line)
            problem = "textures and surfaces are not supported" if opaque else variable.problem
            out.append(replace(variable, problem=problem))
            char = self.skip_space()
            if char == "," and stop == ";":
                self.at += 1
                continue
            if char and char in stop:
                return out
            raise self.error(f"unexpected {self.text[self.at : self.at + 12]!r} in a declaration")

    def declarator(
        self, space: str, kind: str, vector: int, align: int, pointer: bool, external: bool, line: int
    ) -> Variable:
        found = _DECLARATOR.match(self.text, self.at)
        if found is None:
            raise self.error(f"expected a name, found {self.text[self.at : self.at + 12]!r}")
        self.at = found.end()
        bits = TYPE_BITS[kind]
        try:
            dims = [evaluate(d) if d.strip() else 0 for d in re.findall(r"\[([^\]]*)\]", found[2])]
        except ValueError as error:
            raise self.error(str(error)) from None
        if vector > 1:
            dims.append(vector)
        count = 1
        for dim in dims:
            count *= dim
        data: bytes | None = None
        problem = ""
        if found[3]:
            text = self.initialiser()
            try:
                tree = parse_tree(text)
                if dims and dims[0] == 0 and isinstance(tree, list):
                    inner = 1
                    for dim in dims[1:]:
                        inner *= dim
                    dims[0] = len(tree) if isinstance(tree[0], list) else -(-len(tree) // inner)
                    count = dims[0] * inner
                data = pack(tree, tuple(dims), bits)
            except ValueError as error:
                problem = str(error)
        return Variable(
            name=found[1],
            space=space,
            type=kind,
            size=count * (bits // 8),
            align=align if align and not pointer else max(1, bits // 8 * (vector if vector > 1 else 1)),
            elements=count if dims else None,
            data=data,
            pointer=pointer,
            external=external,
            problem=problem,
            line=line,
        )

    def initialiser(self) -> str:
        """Text of an initial value, braces included."""
        start = self.at
        depth = 0
        for found in re.compile(r"[{},;]").finditer(self.text, self.at):
            if found[0] == "{":
                depth += 1
            elif found[0] == "}":
                depth -= 1
            elif depth == 0:
                self.at = found.start()
                return self.text[start : self.at]
        raise self.error("missing ';' after an initial value")

    def registers(self, scope: _Scope) -> None:
        """The rest of a ``.reg`` statement."""
        found = _REG_TYPE.match(self.text, self.at)
        if found is None:
            raise self.error("malformed .reg declaration")
        self.at = found.end()
        if found[1] or found[2] not in TYPE_BITS:
            raise self.error(f"registers of type {found[1]}.{found[2]} are not supported; use scalar registers")
        for part in found[3].split(","):
            name = _REG_NAME.fullmatch(part.strip())
            if name is None:
                raise self.error(f"malformed register name {part.strip()!r}")
            if name[2] is None:
                scope.names[name[1]] = Register(name[1], found[2], TYPE_BITS[found[2]])
            else:
                scope.ranges[name[1]] = (int(name[2]), found[2])

    def formals(self) -> tuple[Variable | Register, ...]:
        """A parenthesised list of parameters."""
        self.expect("(")
        out: list[Variable | Register] = []
        while self.skip_space() != ")":
            if out:
                self.expect(",")
                self.skip_space()
            found = re.compile(r"\.(param|reg)\b").match(self.text, self.at)
            if found is None:
                raise self.error(f"expected .param, found {self.text[self.at : self.at + 12]!r}")
            self.at = found.end()
            if found[1] == "param":
                out += self.variables("param", False, ",)")
            else:
                register = re.compile(r"\s*\.(\w+)\s+([A-Za-z_$%][\w$]*)").match(self.text, self.at)
                if register is None or register[1] not in TYPE_BITS:
                    raise self.error("malformed .reg parameter")
                self.at = register.end()
                out.append(Register(register[2], register[1], TYPE_BITS[register[1]]))
        self.at += 1
        return tuple(out)

    # ---- functions

    def function(self, is_entry: bool) -> None:
        results: tuple[Variable | Register, ...] = ()
        if self.skip_space() == "(":
            results = self.formals()
        self.skip_space()
        name = re.compile(r"[A-Za-z_$%][\w$]*").match(self.text, self.at)
        if name is None:
            raise self.error("a function without a name")
        line = self.line
        self.at = name.end()
        params = self.formals() if self.skip_space() == "(" else ()
        function = Function(name[0], is_entry, params, results, line=line)
        while (char := self.skip_space()) not in ("{", ";"):
            found = re.compile(r"\.\w+").match(self.text, self.at)
            if found is None:
                raise self.error(f"unexpected {char!r} before the body of {name[0]}")
            self.at = found.end()
            if found[0] == ".pragma":
                self.upto(";")
            else:
                tail = re.compile(r"[^.{;]*").match(self.text, self.at)
                self.at = tail.end() if tail else self.at
        self.at += 1
        known = self.result.functions.get(name[0])
        if char == "{":
            if known is not None and known.has_body:
                raise self.error(f"{name[0]} is defined twice")
            function.has_body = True
            self.body(function)
        if known is None or function.has_body:
            self.result.functions[name[0]] = function

    def body(self, function: Function) -> None:
        """Statements up to the closing brace."""
        outer = _Scope(0)
        outer.names.update({formal.name: formal for formal in (*function.params, *function.results)})
        self.scopes = [self.scopes[0], outer]
        self.known = {}
        self.cuda_line = 0
        statement = _STATEMENT.match
        while True:
            found = statement(self.text, self.at)
            if found is None:
                self.skip_space()
                raise self.error(f"cannot read {self.text[self.at : self.at + 30].split(chr(10))[0].strip()!r}")
            kind = found.lastgroup
            if kind == "operands":
                self.place(found.start("opcode"))
                self.at = found.end()
                self.instruction(found, function)
                continue
            assert kind is not None
            self.place(found.start(kind))
            self.at = found.end()
            match kind:
                case "label":
                    self.label(function, found["label"])
                case "directive":
                    self.body_directive(function, found["directive"])
                case "open":
                    self.scopes.append(_Scope(len(function.parents)))
                    function.parents.append(self.scopes[-2].number)
                    self.known = {}
                case "close":
                    self.scopes.pop()
                    self.known = {}
                    if len(self.scopes) == 1:
                        return
                case "end":
                    raise self.error(f"the body of {function.name} is not closed")

    def label(self, function: Function, name: str) -> None:
        key = (self.scopes[-1].number, name)
        table = re.compile(r"\s*\.(branchtargets|calltargets|callprototype)\b").match(self.text, self.at)
        if table is not None:
            self.at = table.end()
            names = self.upto(";")
            if table[1] == "branchtargets":
                function.tables[key] = tuple(part.strip() for part in names.split(","))
            return
        if key in function.labels:
            raise self.error(f"label {name} is defined twice")
        function.labels[key] = len(function.body)

    def body_directive(self, function: Function, word: str) -> None:
        if word == ".loc":
            self.location()
        elif word == ".reg":
            self.registers(self.scopes[-1])
            self.known = {}
        elif word in _SPACES:
            for variable in self.variables(word[1:], False, ";"):
                self.scopes[-1].names[variable.name] = variable
                function.variables.append(variable)
            self.at += 1
            self.known = {}
        elif word in (".pragma", ".maxntid", ".minnctapersm", ".maxnreg"):
            self.upto(";")
        elif word in _LINKAGE:
            return
        else:
            raise self.error(f"directive {word} is not supported inside a function")

    def location(self) -> None:
        """``.loc FILE LINE COLUMN [, function_name F, inlined_at FILE LINE COLUMN]``. File 1 is the kernel's;
        line 0 is code of the compiler's own, counted to the line before."""
        found = _LOC.match(self.text, self.at)
        if found is None:
            raise self.error("malformed .loc")
        self.at = found.end()
        line = int(found[4]) if found[1] != "1" and found[3] == "1" else int(found[2])
        self.cuda_line = line or self.cuda_line

    # ---- instructions

    def instruction(self, found: re.Match[str], function: Function) -> None:
        opcode = found["opcode"]
        op, *mods = opcode.split(".")
        if op not in OPCODES:
            raise self.error(misspelt(op))
        text = found["operands"] if op not in UNREAD else ""
        guard: Register | None = None
        if found["guard"] is not None:
            declared = self.find(found["guard"])
            if declared is None and found["guard"][0] == "%":
                raise self.error(f"register {found['guard']} is not declared")
            if not isinstance(declared, Register) or declared.type != "pred":
                raise self.error(f"guard {found['guard']} is no predicate register")
            guard = declared
        if "{" not in text and "(" not in text:
            parts = text.split(",") if text and not text.isspace() else []
        else:
            parts = list(_split(text))
        if op == "call":
            operands = tuple(map(self.call_operand, parts))
        else:
            operands = tuple(self.known.get(part) or self.operand(part) for part in parts)
        function.body.append(
            Instruction(
                self.ordinal,
                op,
                tuple(mods),
                operands,
                guard,
                found["not"] == "!",
                self.line,
                self.cuda_line,
                " ".join(found[0].split()).removesuffix(";").rstrip(),
            )
        )
        self.ordinal += 1

    def find(self, name: str) -> Register | Variable | None:
        for scope in reversed(self.scopes):
            found = scope.find(name)
            if found is not None:
                return found
        return None

    def operand(self, text: str) -> Operand:
        """One operand; remembered until the next declaration or brace."""
        value = self.parse(text.strip())
        self.known[text] = value
        return value

    def call_operand(self, text: str) -> Operand:
        """An operand of a call: a list in parentheses, or a name."""
        text = text.strip()
        if text[:1] == "(" and text[-1:] == ")":
            return Group(tuple(self.parse(part.strip()) for part in _split(text[1:-1])))
        return self.parse(text)

    def parse(self, text: str) -> Operand:
        if not text:
            raise self.error("an operand is missing")
        if _IDENTIFIER.fullmatch(text):
            return self.name(text)
        if _NUMBER.fullmatch(text):
            return Immediate(-integer(text[1:]) if text[0] == "-" else integer(text))
        first = text[0]
        if first == "[":
            return self.memory(text)
        if first == "{" and text[-1] == "}":
            return Vector(tuple(self.parse(part.strip()) for part in _split(text[1:-1])))
        if FLOAT.fullmatch(text):
            return FloatImmediate(text)
        if first == "!" and isinstance(register := self.find(text[1:].strip()), Register):
            return Not(register)
        if "|" in text and first not in "(0123456789-":
            one, two = text.split("|", 1)
            return Pair(self.parse(one.strip()), self.parse(two.strip()))
        return self.symbol_or_constant(text)

    def name(self, text: str) -> Operand:
        found = self.find(text)
        if isinstance(found, Register):
            return found
        if found is not None:
            return Symbol(found)
        if text in SPECIAL_REGISTERS:
            return Special(text)
        if text == "_":
            return Sink()
        if text[0] == "%":
            raise self.error(f"register {text} is not declared")
        return Name(text, self.scopes[-1].number)

    def symbol_or_constant(self, text: str) -> Operand:
        try:
            found = _OFFSET.fullmatch(text)
            if found is not None and isinstance(variable := self.find(found[1]), Variable):
                return Symbol(variable, evaluate(found[2] or "0"))
            return Immediate(evaluate(text))
        except ValueError:
            raise self.error(f"cannot read operand {' '.join(text.split())!r} (is a ';' missing?)") from None

    def memory(self, text: str) -> Operand:
        inner = text[1:-1].strip() if text[-1] == "]" else ""
        found = _OFFSET.fullmatch(inner)
        try:
            if found is None:
                return Memory(None, evaluate(inner))
            base = self.find(found[1])
            if base is None:
                what = "register " if found[1][0] == "%" else ""
                raise self.error(f"{what}{found[1]} in address {text} is not declared")
            offset = found[2]
            return Memory(base, evaluate(offset.replace("+-", "-", 1)) if offset else 0)
        except ValueError:
            raise self.error(f"cannot read address {text}") from None


def _split(text: str) -> Iterator[str]:
    """Parts of ``text`` between commas that stand outside of brackets."""
    depth = 0
    start = 0
    for index, char in enumerate(text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth == 0:
            yield text[start:index]
            start = index + 1
    if text[start:].strip() or start:
        yield text[start:]
