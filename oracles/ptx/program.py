"""A kernel decoded for one warp size and one set of checks: code, slots and memory layout."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracles.ptx.loops import Run
from oracles.ptx.reader.syntax import Function, Instr, Variable

if TYPE_CHECKING:
    from oracles.ptx.ops.warpops import WarpOp


@dataclass(frozen=True)
class Mode:
    """What a program is decoded for."""

    warp_size: int
    check: bool = False
    events: bool = False
    shuffled: bool = False


@dataclass(eq=False)
class Layout:
    """Addresses of variables in their spaces, and sizes in bytes."""

    addresses: dict[Variable, int] = field(default_factory=dict)
    shared_static: int = 0
    shared_dynamic_at: int = 0
    local_size: int = 0
    module: list[Variable] = field(default_factory=list)  # .global and .const variables, in order
    params: list[tuple[Variable, int]] = field(default_factory=list)
    param_size: int = 0


@dataclass(eq=False)
class Program:
    """``code[pc]`` executes ``instrs[pc]``; functions that are called come before their callers.

    Slots ``0 .. registers-1`` are written by the program; above them are constants (``constants[slot]``),
    special registers (``specials[slot]``: name and width in bits) and addresses of module variables, known
    with the launch (``symbols[slot]``: variable, offset, mask).
    """

    kernel: Function
    mode: Mode
    layout: Layout
    code: list[Run] = field(default_factory=list)
    instrs: list[Instr] = field(default_factory=list)
    entry: int = 0
    joins: set[int] = field(default_factory=set)  # indices at which parted lanes meet; if shuffled only
    slots: int = 0
    names: dict[int, str] = field(default_factory=dict)
    constants: dict[int, int] = field(default_factory=dict)
    specials: dict[int, tuple[str, int]] = field(default_factory=dict)
    symbols: dict[int, tuple[Variable, int, int]] = field(default_factory=dict)
    cells: list[Variable] = field(default_factory=list)  # .param variables of functions and calls
    warp_ops: dict[int, WarpOp] = field(default_factory=dict)  # by index
