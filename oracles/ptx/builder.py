"""Operand slots for decoding: registers, constants, special registers, with PTX's rules on their types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

from oracles.ptx.errors import PtxError, Unsupported
from oracles.ptx.loops import Run, lane_loop
from oracles.ptx.program import Program
from oracles.ptx.reader.syntax import (
    FloatImm,
    Function,
    Imm,
    Instr,
    Name,
    Operand,
    Pair,
    Reg,
    Register,
    Sink,
    Special,
    Sym,
    Variable,
)
from oracles.ptx.special import special_width
from oracles.ptx.step import Step
from oracles.ptx.types import FLOATS, PRED, TYPES, Type


class Builder:
    """Hands out slots while a program is decoded; ``pc`` is the index of the instruction at hand."""

    def __init__(self, program: Program, functions: Mapping[str, Function]) -> None:
        self.program = program
        self.functions = functions
        self.warp_ops = program.warp_ops
        self.mode = program.mode
        self.function: Function = program.kernel
        self.base = 0
        self.pc = 0
        self._registers: dict[Register, int] = {}
        self._constants: dict[int, int] = {}
        self._specials: dict[tuple[str, int], int] = {}
        self._symbols: dict[tuple[Variable, int, int], int] = {}
        self._hidden: dict[object, int] = {}
        self._cells: dict[Variable, int] = {}
        self.starts: dict[str, int] = {}  # function -> index of its first instruction
        self.fresh: dict[str, list[int]] = {}  # function -> slots that are undefined when it is called
        self.returns: dict[int, list[Run]] = {}  # index after a call -> what hands its results over

    # -- slots -------------------------------------------------------------------------------------

    def _new(self) -> int:
        self.program.slots += 1
        return self.program.slots - 1

    def register(self, register: Register) -> int:
        """The slot of a register."""
        slot = self._registers.get(register)
        if slot is None:
            slot = self._registers[register] = self._new()
            self.program.names[slot] = register.name
        return slot

    def hidden(self, key: object, name: str = "") -> int:
        """A slot that no PTX name stands for: the carry flag, a return address, a sink."""
        slot = self._hidden.get(key)
        if slot is None:
            slot = self._hidden[key] = self._new()
            if name:
                self.program.names[slot] = name
        return slot

    @property
    def carry(self) -> int:
        """The slot of CC.CF."""
        return self.hidden("carry", "the carry flag")

    def constant(self, value: int) -> int:
        """A slot that holds one value in every lane."""
        slot = self._constants.get(value)
        if slot is None:
            slot = self._constants[value] = self._new()
            self.program.constants[slot] = value
        return slot

    def special(self, instr: Instr, name: str, width: int) -> int:
        """A slot that holds a special register, cut to ``width`` bits."""
        native = special_width(name)
        if native is None:
            why = f"special register {name} has no value that all implementations share"
            raise Unsupported(self.no(instr, why, "pass what you need as an argument"))
        key = (name, width)
        slot = self._specials.get(key)
        if slot is None:
            slot = self._specials[key] = self._new()
            self.program.specials[slot] = key
        return slot

    def symbol(self, instr: Instr, variable: Variable, offset: int, mask: int) -> int:
        """A slot that holds the address of a variable plus an offset."""
        if variable.space == "kernel":
            self._no_parameter_address(instr, variable)
        if variable not in self.program.layout.module:
            return self.constant(self.address_of(instr, variable, offset) & mask)
        key = (variable, offset, mask)
        slot = self._symbols.get(key)
        if slot is None:
            slot = self._symbols[key] = self._new()
            self.program.symbols[slot] = key
        return slot

    def cell(self, variable: Variable) -> int:
        """The number of a .param variable of a function or a call."""
        number = self._cells.get(variable)
        if number is None:
            number = self._cells[variable] = len(self.program.cells)
            self.program.cells.append(variable)
        return number

    def is_plain(self, slot: int) -> bool:
        """False for constants and special registers, which are always defined."""
        program = self.program
        return slot not in program.constants and slot not in program.specials and slot not in program.symbols

    # -- operands ----------------------------------------------------------------------------------

    def source(self, instr: Instr, operand: Operand, type_: Type, exact: bool = True) -> int:
        """The slot of a source operand of a type.

        With ``exact`` a register must have the type's width; without, it may be wider (cvt, st).
        """
        match operand:
            case Reg(register, negated):
                if negated:
                    self.bad(instr, f"operand !{register.name} is not allowed here; use not.pred")
                self._fits(instr, register, type_, exact)
                return self.register(register)
            case Imm(value):
                if type_.kind == "p":
                    return self.constant(int(value != 0))
                return self.constant(value & type_.mask)
            case Special(name):
                return self.special(instr, name, type_.bits)
            case Sym(variable, offset):
                return self.symbol(instr, variable, offset, type_.mask)
            case FloatImm(text):
                self.no_float(instr, f"constant {text}")
            case Name(text):
                self.bad(instr, f"{text} is neither a register nor a variable; declare it")
            case _:
                self.bad(instr, "an operand has a form that this instruction does not take")

    def condition(self, instr: Instr, operand: Operand) -> tuple[int, bool]:
        """(slot, negated) of a predicate source that may be written ``!p``."""
        if isinstance(operand, Reg):
            self._fits(instr, operand.register, PRED, True)
            return self.register(operand.register), operand.negated
        self.bad(instr, "a predicate register is needed")

    def destination(
        self, instr: Instr, operand: Operand, type_: Type, exact: bool = True
    ) -> tuple[int, str | None]:
        """(slot, name) of a destination; the name of a sink ``_`` is None."""
        if isinstance(operand, Sink):
            return self.hidden("sink"), None
        if not isinstance(operand, Reg) or operand.negated:
            self.bad(instr, "the destination must be a register")
        self._fits(instr, operand.register, type_, exact)
        return self.register(operand.register), operand.register.name

    def width(self, instr: Instr, operand: Operand, type_: Type) -> int:
        """Bits of a source operand: its register's, or the type's for anything else."""
        return operand.register.type.bits if isinstance(operand, Reg) else type_.bits

    def register_width(self, instr: Instr, operand: Operand) -> int:
        """Bits of a destination register (64 for a sink)."""
        if isinstance(operand, Sink):
            return 64
        if not isinstance(operand, Reg):
            self.bad(instr, "the destination must be a register")
        return operand.register.type.bits

    def _fits(self, instr: Instr, register: Register, type_: Type, exact: bool) -> None:
        have = register.type
        wrong = have.bits != type_.bits if exact else have.bits < type_.bits
        if wrong or (have.kind == "p") != (type_.kind == "p"):
            self.bad(
                instr,
                f"register {register.name} is .{have.name}, {instr.opcode} needs .{type_.name}; declare it so",
            )

    def address_of(self, instr: Instr, variable: Variable, offset: int) -> int:
        """The address of a variable in its own space."""
        layout = self.program.layout
        if variable not in layout.addresses:
            if variable.space == "param":
                self._no_parameter_address(instr, variable)
            if variable.extern and variable.space != "shared":
                why = f"extern variable {variable.name} is defined in another module"
                raise Unsupported(self.no(instr, why, "define it in this one"))
            self.bad(instr, f"variable {variable.name} has no address")  # pragma: no cover
        return layout.addresses[variable] + offset

    def operands(self, instr: Instr, count: int, most: int | None = None) -> tuple[Operand, ...]:
        """The operands, whose number is checked."""
        have = len(instr.operands)
        if not count <= have <= (most or count):
            wanted = f"{count}" if not most or most == count else f"{count} to {most}"
            self.bad(instr, f"{instr.opcode} takes {wanted} operands, {have} are given")
        return instr.operands

    def type_of(self, instr: Instr, at: int, allowed: str) -> Type:
        """The type that modifier ``at`` names, one of the space-separated ``allowed``."""
        mods = instr.mods
        name = mods[at] if -len(mods) <= at < len(mods) else ""
        if name in FLOATS:
            self.no_float(instr)
        type_ = TYPES.get(name)
        if type_ is None or name not in allowed.split():
            if type_ is None and name and any(m in TYPES for m in mods):
                raise Unsupported(self.no(instr, f"modifier .{name} is not known", "leave it out"))
            self.bad(instr, f"{instr.op} takes one of the types .{', .'.join(allowed.split())}")
        return type_

    def modifiers(self, instr: Instr, *known: str) -> None:
        """Refuse modifiers other than those named; types are checked by `type_of`."""
        for mod in instr.mods:
            if mod in FLOATS:
                self.no_float(instr)
            if mod not in known and mod not in TYPES:
                raise Unsupported(self.no(instr, f"modifier .{mod} is not supported", "leave it out"))

    # -- results -----------------------------------------------------------------------------------

    def compute(
        self,
        instr: Instr,
        expression: str | tuple[str, ...],
        destination: tuple[Operand, Type],
        sources: tuple[tuple[Operand, Type], ...],
        helper: Callable[..., int] | None = None,
    ) -> Step:
        """A step that computes one destination from sources of exact types."""
        slots = tuple(self.source(instr, operand, type_) for operand, type_ in sources)
        return self.assign(instr, expression, destination, slots, helper)

    def assign(
        self,
        instr: Instr,
        expression: str | tuple[str, ...],
        destination: tuple[Operand, Type],
        slots: tuple[int, ...],
        helper: Callable[..., int] | None = None,
        exact: bool = True,
    ) -> Step:
        """As `compute`, from source slots; ``d|p`` takes a second expression, for p."""
        expressions = (expression,) if isinstance(expression, str) else expression
        target, type_ = destination
        if isinstance(target, Pair):
            places = [
                self.destination(instr, target.first, type_, exact),
                self.destination(instr, target.second, PRED),
            ]
        else:
            places = [self.destination(instr, target, type_, exact)]
        if len(places) != len(expressions):
            self.bad(instr, "the destination d|p is not allowed or is needed here")
        return self.step(lane_loop(expressions, [p[0] for p in places], slots, helper), slots, places)

    def step(
        self, run: object, slots: tuple[int, ...], places: list[tuple[int, str | None]], **more: object
    ) -> Step:
        """A step with its reads and writes filled in."""
        return Step(
            run,  # type: ignore[arg-type]
            reads=tuple(dict.fromkeys(s for s in slots if self.is_plain(s))),
            writes=tuple(slot for slot, _ in places),
            shown=tuple((slot, name) for slot, name in places if name is not None),
            **more,  # type: ignore[arg-type]
        )

    # -- refusals ----------------------------------------------------------------------------------

    def no(self, instr: Instr, why: str, remedy: str) -> str:
        """The line of an Unsupported."""
        return f"{why}; {remedy}: {instr.opcode} at {instr.cited}"

    def _no_parameter_address(self, instr: Instr, variable: Variable) -> NoReturn:
        why = f"the address of parameter {variable.name} is not supported"
        raise Unsupported(self.no(instr, why, "load it by its name"))

    def no_float(self, instr: Instr, what: str = "") -> NoReturn:
        """Refuse floating point, of which ``what`` is a sign."""
        why = f"floating point is not supported{f' ({what})' if what else ''}"
        raise Unsupported(self.no(instr, why, "use integers or fixed point"))

    def bad(self, instr: Instr, why: str) -> NoReturn:
        """Raise PtxError for an instruction."""
        raise PtxError(instr.line, why, instr.text)
