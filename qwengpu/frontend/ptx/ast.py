"""PTX as data: what the reader makes of the text, with names resolved to declarations."""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_BITS: dict[str, int] = {
    "pred": 1,
    **{f"{kind}{bits}": bits for kind in "bus" for bits in (8, 16, 32, 64)},
    "b128": 128,
    "f16": 16,
    "f32": 32,
    "f64": 64,
    "f16x2": 32,
    "bf16": 16,
    "bf16x2": 32,
    "tf32": 32,
    "u16x2": 32,
    "s16x2": 32,
}
"""Width of each type in bits (PTX ISA, "Types"); tensor-map and texture types have none."""


@dataclass(frozen=True, slots=True, eq=False)
class Register:
    """A declared register; two declarations of one name (scopes, inlined bodies) are two registers."""

    name: str
    type: str
    bits: int


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A variable in a state space. ``data`` is its initial content (None: not given), ``elements`` the number
    of array elements (None: no array; 0: its size is open). ``pointer``: ``.ptr`` on a parameter."""

    name: str
    space: str
    type: str
    size: int
    align: int
    elements: int | None = None
    data: bytes | None = None
    pointer: bool = False
    external: bool = False
    problem: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Immediate:
    """An integer constant, as written (signed, unbounded)."""

    value: int


@dataclass(frozen=True, slots=True)
class FloatImmediate:
    """A floating-point constant."""

    text: str


@dataclass(frozen=True, slots=True)
class Special:
    """A special register, with its component (``%tid.x``), or ``WARP_SZ``."""

    name: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """The address of a variable plus a number of bytes."""

    variable: Variable
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Memory:
    """``[base + offset]``; base None: an absolute address."""

    base: Register | Variable | None
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Vector:
    """``{a, b, ...}``."""

    items: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """``a|b``: two destinations."""

    first: Operand
    second: Operand


@dataclass(frozen=True, slots=True)
class Not:
    """``!%p``."""

    register: Register


@dataclass(frozen=True, slots=True)
class Sink:
    """``_``: a destination that nobody wants."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name that is no variable or register: a label, a function, a list of branch targets."""

    name: str
    scope: int


@dataclass(frozen=True, slots=True)
class Group:
    """``(a, b)``: results or arguments of a call."""

    items: tuple[Operand, ...]


Operand = (
    Register
    | Immediate
    | FloatImmediate
    | Special
    | Symbol
    | Memory
    | Vector
    | Pair
    | Not
    | Sink
    | Name
    | Group
)


@dataclass(frozen=True, slots=True, eq=False)
class Instruction:
    """One PTX instruction.

    ``ordinal``: number in the module (`oracles.api`); ``op`` the first part of the opcode, ``mods`` the
    others; the guard is ``guard`` (negated if ``negated``); ``line`` in the PTX, ``cuda_line`` by ``.loc`` (0:
    not known).
    """

    ordinal: int
    op: str
    mods: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: Register | None
    negated: bool
    line: int
    cuda_line: int
    text: str

    @property
    def opcode(self) -> str:
        """The opcode as written."""
        return ".".join((self.op, *self.mods))


@dataclass(slots=True, eq=False)
class Function:
    """An ``.entry`` or ``.func``. ``labels`` gives for (scope, name) the index in ``body`` it stands before;
    ``tables`` the label names of a ``.branchtargets`` list; ``parents`` the enclosing scope of each scope."""

    name: str
    is_entry: bool
    params: tuple[Variable | Register, ...] = ()
    results: tuple[Variable | Register, ...] = ()
    body: list[Instruction] = field(default_factory=list)
    labels: dict[tuple[int, str], int] = field(default_factory=dict)
    tables: dict[tuple[int, str], tuple[str, ...]] = field(default_factory=dict)
    parents: list[int] = field(default_factory=lambda: [-1])
    variables: list[Variable] = field(default_factory=list)
    has_body: bool = False
    line: int = 0


@dataclass(slots=True, eq=False)
class Module:
    """A PTX file: kernels and functions by name, in textual order; module-scope variables by name."""

    version: str = ""
    target: str = ""
    address_size: int = 64
    functions: dict[str, Function] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)

    @property
    def kernels(self) -> tuple[str, ...]:
        """Names of the entries that have a body."""
        return tuple(f.name for f in self.functions.values() if f.is_entry and f.has_body)


@dataclass(frozen=True)
class ParamDecl:
    """A kernel parameter as declared: type (``u64``), size and alignment in bytes; ``pointer`` is True if
    the text says so (``.ptr``), False if it is no 64-bit scalar, else None."""

    name: str
    type: str
    size: int
    align: int
    pointer: bool | None
