"""The machine's operations on virtual registers: what instruction selection gives to block packing.

A MIR function is a control-flow graph of basic blocks over unlimited 32-bit virtual registers. It is not
SSA: a register may be assigned several times (PTX out of a compiler is not SSA either). Operands are
registers, 32-bit literals and constant rows; there are no ports, levels or slots yet.

    PTX text -> frontend reader -> typed program -> select -> MIR -> pack -> allocate -> emit -> Program
"""

from __future__ import annotations

from dataclasses import dataclass, field

from qwengpu.isa import NO_MOD, Mod, Op
from qwengpu.program import Param, Symbol


@dataclass(frozen=True)
class VReg:
    """A 32-bit virtual register. ``hint`` is the PTX register it comes from (``%r3``, ``%rd4.hi``)."""

    number: int
    hint: str = ""

    def __repr__(self) -> str:
        return f"v{self.number}"


@dataclass(frozen=True)
class Lit:
    """A 32-bit literal, 0..2**32-1."""

    value: int

    def __repr__(self) -> str:
        return f"#{self.value:#x}"


@dataclass(frozen=True)
class Row:
    """A row of the constant bank (parameter words, thread and block indices)."""

    row: int

    def __repr__(self) -> str:
        return f"c{self.row}"


Operand = VReg | Lit | Row


@dataclass(frozen=True)
class Define:
    """The PTX definition ``(instr, register)`` of ``bits`` bits has the words ``parts`` (low first) at the
    point where this stands in the block's list; ``guard``/``guard_sense`` as in `RegisterEntry`. It costs
    nothing: packing attaches it to the block that has the values on its bus, or reports why it can't."""

    instr: int
    register: str
    bits: int
    parts: tuple[Operand, ...]
    guard: Operand | None = None
    guard_sense: bool = True


@dataclass(frozen=True)
class MOp:
    """``dest = op(a, b, c)``. ``instr`` is the PTX ordinal it comes from. ``sync`` is the member mask that a
    warp-synchronous operation needs. An operation with ``dest`` None is kept for its effect (sync)."""

    op: Op
    dest: VReg | None
    a: Operand = Lit(0)
    b: Operand = Lit(0)
    c: Operand = Lit(0)
    mod: Mod = NO_MOD
    instr: int = -1
    sync: Operand | None = None


@dataclass(frozen=True)
class MMove:
    """``dest = source``. Packing makes it a renaming or a live-out of a port, rarely an operation."""

    dest: VReg
    source: Operand
    instr: int = -1


@dataclass(frozen=True)
class MSync:
    """All lanes of ``mask`` must be here together (bar.warp.sync)."""

    mask: Operand
    instr: int = -1


@dataclass(frozen=True)
class MStore:
    """Store; operands as `isa.Store`. ``name``, ``size``, ``value``: the PTX-level event (`StoreEntry`);
    ``value`` is the stored register before any merging into its word."""

    a: Operand
    b: Operand
    c: Operand
    data: Operand
    mod: Mod
    instr: int
    name: str
    size: int
    value: Operand
    part: int = 0
    parts: int = 1


@dataclass(frozen=True)
class MSerial:
    """Operations that must execute in one ROM block, one lane at a time (atomics, narrow stores): loads,
    ALU operations and exactly one store, in order. A bundle that does not fit one block is a Refusal."""

    items: tuple[MOp | MMove | MStore | Define, ...]
    instr: int


Item = MOp | MMove | MSync | MStore | MSerial | Define


@dataclass(frozen=True)
class Jump:
    """Go to ``target``; None ends the thread."""

    target: int | None


@dataclass(frozen=True)
class Branch:
    """Go to ``taken`` if bit 0 of ``cond`` is set, else to ``other`` (None ends the thread). ``instr``,
    ``name``, ``sense``, ``index``: the branch event it realises, as in `BranchEntry`; ``instr`` None if it
    is no PTX branch (a guarded instruction, a step of a jump table that reports elsewhere)."""

    cond: Operand
    taken: int | None
    other: int | None
    instr: int | None = None
    name: str = "bra"
    sense: bool = True
    index: Operand | None = None


@dataclass(frozen=True)
class Barrier:
    """Block-wide barrier ``number``, then go to ``target``."""

    target: int
    instr: int
    number: int = 0


@dataclass(frozen=True)
class Trap:
    """Fault."""

    instr: int


Terminator = Jump | Branch | Barrier | Trap


@dataclass(frozen=True)
class MBlock:
    """A basic block; ``number`` is its index in the function, in layout order (lower runs first)."""

    number: int
    items: tuple[Item, ...]
    end: Terminator


@dataclass(frozen=True)
class MFunction:
    """A selected kernel. ``lines`` gives (PTX line, CUDA line or 0) for each PTX ordinal used.
    ``unmapped``: PTX definitions that selection folded away, with the reason."""

    kernel: str
    blocks: tuple[MBlock, ...]
    params: tuple[Param, ...]
    symbols: tuple[Symbol, ...]
    shared_bytes: int
    lines: dict[int, tuple[int, int]]
    texts: dict[int, str] = field(default_factory=dict)
    unmapped: dict[tuple[int, str], str] = field(default_factory=dict)
    ptx_instructions: int = 0
