"""What the reader makes of PTX text: functions of instructions whose names are resolved."""

from __future__ import annotations

from dataclasses import dataclass, field

from oracles.ptx.types import Type


@dataclass(eq=False)
class Register:
    """A declared register; every declaration is a value of its own, whatever its name."""

    name: str
    type: Type


@dataclass(eq=False)
class Variable:
    """A variable in a state space.

    ``size`` is in bytes; an ``extern`` array without size has 0. ``data`` are its initial bytes (shorter
    than ``size`` means zeros follow), None if it has no initialiser; ``pointers`` are addresses within
    the data: (offset, size in bytes, variable, addend, generic).
    """

    name: str
    space: str
    type: Type
    size: int
    align: int
    line: int
    array: bool = False
    pointer: bool = False  # a kernel parameter marked .ptr
    extern: bool = False
    data: bytes | None = None
    pointers: list[tuple[int, int, Variable, int, bool]] = field(default_factory=list)


@dataclass(frozen=True)
class Reg:
    """A register operand."""

    register: Register
    negated: bool = False


@dataclass(frozen=True)
class Imm:
    """An integer constant."""

    value: int


@dataclass(frozen=True)
class FloatImm:
    """A floating-point constant, as written."""

    text: str


@dataclass(frozen=True)
class Sym:
    """The address of a variable plus an offset."""

    variable: Variable
    offset: int = 0


@dataclass(frozen=True)
class Special:
    """A special register, ``%tid.x``."""

    name: str


@dataclass(frozen=True)
class Sink:
    """The destination ``_``."""


@dataclass(frozen=True)
class Vec:
    """``{a, b, ...}``."""

    items: tuple[Operand, ...]


@dataclass(frozen=True)
class Pair:
    """``d|p``."""

    first: Operand
    second: Operand


@dataclass(frozen=True)
class Addr:
    """``[base + offset]``; without a base an absolute address."""

    base: Register | Variable | None
    offset: int = 0


@dataclass(frozen=True)
class Name:
    """A word that is neither register nor variable: a function or the name of a branch table."""

    text: str


@dataclass(eq=False)
class Target:
    """A label; ``index`` is the index into the function's body that it stands before."""

    name: str
    index: int = -1


@dataclass(eq=False)
class Table:
    """A ``.branchtargets`` list."""

    name: str
    targets: list[Target]


@dataclass(frozen=True)
class Arguments:
    """``(a, b)`` of a call."""

    items: tuple[Operand, ...]


Operand = Reg | Imm | FloatImm | Sym | Special | Sink | Vec | Pair | Addr | Name | Target | Table | Arguments


@dataclass(eq=False)
class Instr:
    """An instruction. ``ordinal`` as in `oracles.api`; ``line`` of the PTX, ``cuda`` of the CUDA source.

    ``mods`` are the parts of the opcode after the first, without dots.
    """

    ordinal: int
    line: int
    cuda: int | None
    text: str
    op: str
    mods: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: Register | None = None
    guard_negated: bool = False

    @property
    def opcode(self) -> str:
        """``add.s32``."""
        return ".".join((self.op, *self.mods))

    @property
    def place(self) -> str:
        """``PTX line 12 (CUDA line 5)``."""
        return f"PTX line {self.line}" + (f" (CUDA line {self.cuda})" if self.cuda else "")

    @property
    def cited(self) -> str:
        """``PTX line 12 (CUDA line 5): `add.s32 %r1, %r1, 1```."""
        return f"{self.place}: `{self.text}`"


@dataclass(eq=False)
class Function:
    """An ``.entry`` or a ``.func``; ``body`` is None for a prototype. ``limits`` are .maxntid and the like."""

    name: str
    entry: bool
    line: int
    params: list[Variable] = field(default_factory=list)
    returns: list[Variable] = field(default_factory=list)
    register_params: bool = False
    body: list[Instr] | None = None
    registers: list[Register] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    limits: dict[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(eq=False)
class PtxModule:
    """A PTX file."""

    functions: dict[str, Function] = field(default_factory=dict)
    variables: list[Variable] = field(default_factory=list)

    @property
    def entries(self) -> tuple[str, ...]:
        """Names of the kernels, in order."""
        return tuple(f.name for f in self.functions.values() if f.entry and f.body is not None)
