"""Which 64-bit registers hold addresses: their high word is known to be 0, so they are one word."""

from __future__ import annotations

from dataclasses import dataclass

from qwengpu.frontend.ptx.ast import Immediate, Instruction, Memory, Operand, Register, Symbol, Variable
from qwengpu.frontend.typed import TypedKernel
from qwengpu.lowering.select.analysis import Analysis


@dataclass(frozen=True)
class Pointer:
    """An address; ``space`` "" if it is not known. ``generic``: a generic address of that space."""

    space: str
    generic: bool = False


UNKNOWN = "unknown"
CONSTANT = "constant"
NUMBER = "number"

Class = Pointer | str
"""What a register is: a Pointer, or UNKNOWN (no definition seen yet), CONSTANT, NUMBER."""

WIDE_TYPES = frozenset({"u64", "s64", "b64"})


@dataclass(frozen=True)
class Pointers:
    """``registers``: the 64-bit registers that hold addresses. ``params``: the kernel parameters taken for
    addresses (the loader checks that their high word is 0)."""

    registers: dict[Register, Pointer]
    params: frozenset[Variable]


def find_pointers(kernel: TypedKernel, facts: Analysis) -> Pointers:
    """Classify the 64-bit registers of a kernel."""
    wide = {r: d for r, d in facts.definitions.items() if r.bits == 64}
    params = frozenset(_address_params(kernel, facts))
    classes: dict[Register, Class] = dict.fromkeys(wide, UNKNOWN)
    changed = True
    while changed:
        changed = False
        for register, defined in wide.items():
            new = classes[register]  # what was ruled out stays ruled out, so this ends
            for _, instr in defined:
                new = _join(new, _result(instr, classes, params))
            if new != classes[register]:
                classes[register] = new
                changed = True
    return Pointers({r: c for r, c in classes.items() if isinstance(c, Pointer)}, params)


def _join(a: Class, b: Class) -> Class:
    for one, two in ((a, b), (b, a)):
        if one == UNKNOWN:
            return two
    if a == b:
        return a
    if CONSTANT in (a, b):
        return b if a == CONSTANT else a
    if isinstance(a, Pointer) and isinstance(b, Pointer):
        return Pointer(a.space if a.space == b.space else "", a.generic or b.generic)
    return NUMBER


def _result(instr: Instruction, classes: dict[Register, Class], params: frozenset[Variable]) -> Class:
    """Class of the 64-bit result of ``instr``."""
    ops = instr.operands
    mods = instr.mods
    match instr.op:
        case "cvta":
            if mods[0] == "to":
                return Pointer(_space(mods[1]))
            return Pointer(_space(mods[0]), _space(mods[0]) != "global")
        case "mov" if len(ops) == 2:
            return _operand(ops[1], classes)
        case "ld" if mods[0] == "param" and isinstance(ops[1], Memory):
            base = ops[1].base
            return Pointer("global") if isinstance(base, Variable) and base in params else NUMBER
        case "add" | "sub" if mods[0] in WIDE_TYPES:
            a, b = _operand(ops[1], classes), _operand(ops[2], classes)
            return _sum(a, b) if instr.op == "add" else a if b in (NUMBER, CONSTANT, UNKNOWN) else NUMBER
        case "mad" if ("wide" in mods or mods[-1] in WIDE_TYPES) and "cc" not in mods:
            return _sum(NUMBER, _operand(ops[3], classes))
        case "selp":
            return _join(_operand(ops[1], classes), _operand(ops[2], classes))
    return NUMBER


def _sum(a: Class, b: Class) -> Class:
    if isinstance(a, Pointer) and isinstance(b, Pointer):
        return NUMBER
    for one, two in ((a, b), (b, a)):
        if isinstance(one, Pointer):
            return one
        if one == UNKNOWN and two != UNKNOWN:
            return UNKNOWN
    return UNKNOWN if a == UNKNOWN else NUMBER


def _operand(operand: Operand, classes: dict[Register, Class]) -> Class:
    match operand:
        case Register():
            return classes.get(operand, NUMBER)
        case Immediate(value):
            return CONSTANT if 0 <= value < 1 << 32 else NUMBER
        case Symbol(variable):
            return Pointer(_space(variable.space))
    return NUMBER


def _space(name: str) -> str:
    name = name.split("::", maxsplit=1)[0]
    return "global" if name in ("const", "param") else name


def _address_params(kernel: TypedKernel, facts: Analysis) -> set[Variable]:
    """Parameters marked ``.ptr``, and 64-bit ones that end up as the base of an address."""
    found = {p for p in kernel.params if p.pointer}
    work: list[Register] = []
    for register, used in facts.uses.items():
        if register.bits == 64 and any(_is_address(instr, register) for _, instr in used):
            work.append(register)
    seen: set[Register] = set()
    origins = _Origins(kernel, facts)
    while work:
        register = work.pop()
        if register in seen:
            continue
        seen.add(register)
        for _, instr in facts.definitions.get(register, ()):
            ops = instr.operands
            param = _loaded_param(instr, kernel)
            if param is not None:
                found.add(param)
                continue
            match instr.op:
                case "mov" | "cvta":
                    candidates = [ops[1]]
                case "selp":
                    candidates = [ops[1], ops[2]]
                case "add" if instr.mods[0] in WIDE_TYPES:
                    candidates = [o for o in ops[1:3] if isinstance(o, Register) and origins.reach(o)]
                    if len(candidates) > 1:
                        candidates = []
                case "sub":
                    candidates = [ops[1]]
                case "mad" if "wide" in instr.mods:
                    candidates = [ops[3]]
                case _:
                    candidates = []
            work += [o for o in candidates if isinstance(o, Register) and o.bits == 64]
    return found


def _is_address(instr: Instruction, register: Register) -> bool:
    if instr.op == "cvta":
        return instr.mods[0] == "to"
    return any(isinstance(o, Memory) and o.base is register for o in instr.operands)


def _loaded_param(instr: Instruction, kernel: TypedKernel) -> Variable | None:
    """The 64-bit kernel parameter that ``instr`` loads whole."""
    if instr.op == "ld" and instr.mods[0] == "param" and isinstance(instr.operands[1], Memory):
        base, offset = instr.operands[1].base, instr.operands[1].offset
        if isinstance(base, Variable) and base in kernel.params and offset == 0 and base.elements is None:
            return base if base.size == 8 and instr.mods[-1] in WIDE_TYPES else None
    return None


class _Origins:
    """Whether a register comes from a 64-bit parameter by moves, sums and selections."""

    def __init__(self, kernel: TypedKernel, facts: Analysis) -> None:
        self.kernel = kernel
        self.facts = facts
        self.memo: dict[Register, bool] = {}

    def reach(self, register: Register) -> bool:
        if register in self.memo:
            return self.memo[register]
        self.memo[register] = False
        for _, instr in self.facts.definitions.get(register, ()):
            ops = instr.operands
            if _loaded_param(instr, self.kernel) is not None or instr.op == "cvta":
                self.memo[register] = True
            elif instr.op in ("mov", "add", "sub", "selp", "mad"):
                wide = [o for o in ops[1:] if isinstance(o, Register) and o.bits == 64]
                self.memo[register] = any(map(self.reach, wide))
            if self.memo[register]:
                return True
        return False
