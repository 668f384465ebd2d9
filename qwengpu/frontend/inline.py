"""One flat instruction list for a kernel: bodies of called functions are put in place of the calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from qwengpu.frontend.places import refusal
from qwengpu.frontend.ptx.ast import (
    TYPE_BITS,
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
    Symbol,
    Variable,
    Vector,
)

T = TypeVar("T")

Target = tuple[int, int]
"""A place in the flat list before it is known: (inlined instance, index in its body; -1: behind the body)."""

SYNTHETIC = -1
"""Ordinal of an instruction that is not in the text."""

LIMIT = 20_000


@dataclass
class Flat:
    """Instructions, where each control transfer goes, and where each place is in the list.

    A target None ends the thread.
    """

    instrs: list[Instruction] = field(default_factory=list)
    targets: dict[int, tuple[Target | None, ...]] = field(default_factory=dict)
    places: dict[Target, int] = field(default_factory=dict)
    variables: dict[Variable, None] = field(default_factory=dict)


def flatten(module: Module, kernel: Function) -> Flat:
    """Inline every call below ``kernel``.

    Raises Refusal for recursion, indirect calls and calls of functions without a body.
    """
    inliner = _Inliner(module)
    inliner.instance(kernel, [], {})
    return inliner.flat


class _Inliner:
    def __init__(self, module: Module) -> None:
        self.module = module
        self.flat = Flat()
        self.count = 0

    def instance(self, function: Function, stack: list[Function], bound: dict[Variable, Variable]) -> None:
        """Append one copy of ``function``; ``bound``: its parameters -> the caller's variables."""
        number = self.count
        self.count += 1
        flat = self.flat
        copy = _Renaming(bound).operand if stack else None
        labels = set(function.labels.values())
        for index, instr in enumerate(function.body):
            if index in labels:
                flat.places[number, index] = len(flat.instrs)
            if copy is not None:
                guard = copy(instr.guard) if instr.guard is not None else None
                assert guard is None or isinstance(guard, Register)
                instr = replace(instr, operands=tuple(map(copy, instr.operands)), guard=guard)
            if instr.op == "call":
                self.call(function, instr, [*stack, function])
                continue
            targets = self.transfer(function, instr, number, bool(stack))
            if targets is not None:
                flat.targets[len(flat.instrs)] = targets
            flat.instrs.append(instr)
        if len(flat.instrs) > LIMIT:
            raise refusal(
                function.body[0],
                f"inlining {function.name} gives more than {LIMIT} instructions",
                "call fewer functions",
                kind="size",
            )
        for index in labels:
            if index == len(function.body):
                flat.places[number, index] = len(flat.instrs)
        flat.places[number, -1] = len(flat.instrs)

    def transfer(
        self, function: Function, instr: Instruction, number: int, inner: bool
    ) -> tuple[Target | None, ...] | None:
        """Where a control transfer goes; None if ``instr`` is none."""
        if instr.op == "bra":
            return (self.label(function, instr, number),)
        if instr.op == "brx":
            table = instr.operands[1] if len(instr.operands) == 2 else None
            names = _scoped(function, table, function.tables) if isinstance(table, Name) else None
            if names is None or not isinstance(table, Name):
                raise refusal(instr, "the list of branch targets is not known", "name a .branchtargets list")
            scope = table.scope
            return tuple(self.label(function, instr, number, Name(name, scope)) for name in names)
        if instr.op == "ret":
            return ((number, -1),) if inner else (None,)
        if instr.op == "exit":
            return (None,)
        return None

    def label(self, function: Function, instr: Instruction, number: int, name: Operand | None = None) -> Target:
        target = name if name is not None else instr.operands[0] if instr.operands else None
        index = _scoped(function, target, function.labels) if isinstance(target, Name) else None
        if index is None:
            raise refusal(instr, "the target is no label of this function", "branch to a label")
        return (number, index)

    def call(self, caller: Function, instr: Instruction, stack: list[Function]) -> None:
        groups = [operand for operand in instr.operands if isinstance(operand, Group)]
        callee = next((operand for operand in instr.operands if not isinstance(operand, Group)), None)
        if not isinstance(callee, Name):
            raise refusal(instr, "an indirect call cannot be inlined", "call the function by its name")
        function = self.module.functions.get(callee.name)
        if function is None or not function.has_body:
            raise refusal(
                instr,
                f"function {callee.name} has no body in this file",
                "define the function as __device__ code in the same file",
            )
        if function in stack:
            raise refusal(instr, f"{function.name} is recursive", "rewrite it as a loop")
        has_results = isinstance(instr.operands[0], Group)
        results = groups[0].items if has_results else ()
        arguments = groups[-1].items if len(groups) > has_results else ()
        if len(results) != len(function.results) or len(arguments) != len(function.params):
            raise refusal(
                instr, f"{function.name} has another number of parameters", "declare and call it alike"
            )
        if instr.guard is not None:
            self.flat.targets[len(self.flat.instrs)] = ((self.count, -1),)
            self.emit(instr, "bra", (), (), guard=instr.guard, negated=not instr.negated)
        bound: dict[Variable, Variable] = {}
        registers: list[tuple[Register, Operand]] = []
        for formal, actual in zip(function.params, arguments, strict=True):
            self.bind(instr, formal, actual, bound, registers)
        after: list[tuple[Operand, Variable | Register]] = []
        for formal, actual in zip(function.results, results, strict=True):
            if isinstance(formal, Variable) and isinstance(actual, Symbol):
                bound[formal] = actual.variable
            elif isinstance(formal, Variable):
                bound[formal] = replace(formal)
                after.append((actual, bound[formal]))
            else:
                after.append((actual, formal))
        if registers or any(isinstance(formal, Register) for _, formal in after):
            raise refusal(instr, "parameters in registers are not supported", "pass them as .param variables")
        self.instance(function, stack, bound)
        for actual, formal in after:
            assert isinstance(formal, Variable)
            self.emit(instr, "ld", ("param", formal.type), (actual, Memory(formal)))

    def bind(
        self,
        instr: Instruction,
        formal: Variable | Register,
        actual: Operand,
        bound: dict[Variable, Variable],
        registers: list[tuple[Register, Operand]],
    ) -> None:
        if isinstance(formal, Register):
            registers.append((formal, actual))
        elif isinstance(actual, Symbol):
            bound[formal] = actual.variable
        else:
            bound[formal] = replace(formal)
            self.emit(instr, "st", ("param", formal.type), (Memory(bound[formal]), actual))

    def emit(
        self,
        origin: Instruction,
        op: str,
        mods: tuple[str, ...],
        operands: tuple[Operand, ...],
        guard: Register | None = None,
        negated: bool = False,
    ) -> None:
        """An instruction that a call stands for."""
        self.flat.instrs.append(
            replace(
                origin,
                ordinal=SYNTHETIC,
                op=op,
                mods=mods,
                operands=operands,
                guard=guard,
                negated=negated,
            )
        )


class _Renaming:
    """Fresh registers and local variables for one inlined instance."""

    def __init__(self, bound: dict[Variable, Variable]) -> None:
        self.variables = dict(bound)
        self.registers: dict[Register, Register] = {}
        self.memo: dict[int, Operand] = {}

    def variable(self, variable: Variable) -> Variable:
        if variable.space not in ("param", "local"):
            return variable
        found = self.variables.get(variable)
        if found is None:
            found = self.variables[variable] = replace(variable)
        return found

    def register(self, register: Register) -> Register:
        found = self.registers.get(register)
        if found is None:
            found = self.registers[register] = replace(register)
        return found

    def operand(self, operand: Operand) -> Operand:
        match operand:
            case Register():
                return self.register(operand)
            case Symbol(variable, offset):
                return Symbol(self.variable(variable), offset)
            case Memory(base, offset):
                if isinstance(base, Register):
                    return Memory(self.register(base), offset)
                return Memory(self.variable(base), offset) if isinstance(base, Variable) else operand
            case Vector(items):
                return Vector(tuple(map(self.operand, items)))
            case Group(items):
                return Group(tuple(map(self.operand, items)))
            case Pair(first, second):
                return Pair(self.operand(first), self.operand(second))
            case Not(register):
                return Not(self.register(register))
        return operand


def scalar_params(
    instrs: list[Instruction], params: tuple[Variable, ...]
) -> dict[Variable, tuple[Register, ...]]:
    """Turn accesses of call parameters into moves (in place) where a variable is one word or double word.

    The others get one register a word; they are returned.
    """
    kernel = set(params)
    accesses: dict[Variable, list[int]] = {}
    for index, instr in enumerate(instrs):
        if instr.op in ("ld", "st") and instr.mods and instr.mods[0] == "param":
            for operand in instr.operands:
                if (
                    isinstance(operand, Memory)
                    and isinstance(operand.base, Variable)
                    and operand.base not in kernel
                ):
                    accesses.setdefault(operand.base, []).append(index)
    words: dict[Variable, tuple[Register, ...]] = {}
    for variable, places in accesses.items():
        if all(_is_plain(instrs[at], variable) for at in places):
            stand_in = Register("", f"b{8 * variable.size}", 8 * variable.size)
            for at in places:
                instr = instrs[at]
                operands = tuple(stand_in if isinstance(o, Memory) else o for o in instr.operands)
                instrs[at] = replace(instr, op="mov", mods=(f"b{8 * variable.size}",), operands=operands)
        else:
            words[variable] = tuple(Register("", "b32", 32) for _ in range(-(-variable.size // 4)))
    return words


def _is_plain(instr: Instruction, variable: Variable) -> bool:
    """True if ``instr`` moves the whole of a 32- or 64-bit parameter from or to a register as wide."""
    bits = 8 * variable.size
    if bits not in (32, 64) or len(instr.mods) != 2 or TYPE_BITS.get(instr.mods[1]) != bits:
        return False
    for operand in instr.operands:
        if isinstance(operand, Memory):
            if operand.offset:
                return False
        elif isinstance(operand, Register):
            if operand.bits != bits:
                return False
        elif not isinstance(operand, Immediate):
            return False
    return True


def _scoped(function: Function, name: Name, table: Mapping[tuple[int, str], T]) -> T | None:
    scope = name.scope
    while scope >= 0:
        found = table.get((scope, name.name))
        if found is not None:
            return found
        scope = function.parents[scope]
    return None
