"""The state of instruction selection: reading operands, defining registers, guards, block structure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from qwengpu.frontend.places import refusal
from qwengpu.frontend.ptx.ast import (
    FloatImmediate,
    Immediate,
    Instruction,
    Not,
    Pair,
    Register,
    Sink,
    Special,
    Symbol,
    Vector,
)
from qwengpu.frontend.ptx.ast import (
    Operand as PtxOperand,
)
from qwengpu.frontend.typed import TypedKernel
from qwengpu.isa import Mod, Op
from qwengpu.lowering.mir import Branch, Define, Jump, MOp, Operand, VReg
from qwengpu.lowering.select.analysis import Analysis, carry_crosses_blocks
from qwengpu.lowering.select.builder import Builder, Draft
from qwengpu.lowering.select.layout import Layout
from qwengpu.lowering.select.pointers import Pointers
from qwengpu.lowering.select.special import special_register
from qwengpu.lowering.select.values import Address, Extended, Wide, constant
from qwengpu.lowering.select.words import ONE, ONES, ZERO, lit
from qwengpu.program import Refusal
from qwengpu.spec import Spec

Value = Operand | Wide

FOLDED_ADDRESS = "folded: address arithmetic is part of the memory access"
FOLDED_GENERIC = "folded: the number of a generic or local address is this implementation's own"
FOLDED_UNREACHABLE = "folded: the instruction cannot be reached"
FOLDED_NEVER = "folded: the guard is never true"


class Selector:
    """Selection of one kernel. Handlers read operands with `word`, `wide`, `pred`..., emit through ``b`` and
    end with `set` or `assign`; everything is read before anything is assigned."""

    def __init__(
        self, kernel: TypedKernel, facts: Analysis, pointers: Pointers, layout: Layout, spec: Spec
    ) -> None:
        self.kernel = kernel
        self.facts = facts
        self.pointers = pointers
        self.layout = layout
        self.spec = spec
        self.b = Builder(spec)
        self.env: dict[Register, Value] = {}
        self.homes: dict[Register, tuple[VReg, ...]] = {}
        self.home_of: dict[VReg, Register] = {}
        self.unmapped: dict[tuple[int, str], str] = {}
        self.heads = [Draft() for _ in kernel.blocks]
        self.drafts: list[list[Draft]] = [[head] for head in self.heads]
        self.prologue = Draft()
        self.block = 0
        self.position = 0
        self.instr: Instruction
        self.start = 0
        self.guard: tuple[Operand, bool] | None = None
        self.pinned: set[VReg] = set()
        self.local_base: VReg | None = None
        self.carry: Operand | None = None
        self.carry_home: VReg | None = None
        self.carry_crosses = carry_crosses_blocks(kernel)

    # ---- refusing

    def refuse(self, reason: str, remedy: str) -> Refusal:
        """A refusal of the current instruction."""
        return refusal(self.instr, reason, remedy)

    # ---- reading

    def home(self, register: Register) -> tuple[VReg, ...]:
        """The registers that hold a register with several definitions (one, or low and high)."""
        found = self.homes.get(register)
        if found is None:
            pair = register.bits == 64 and register not in self.pointers.registers
            names = (register.name, register.name + ".hi") if pair else (register.name,)
            homes = []
            for name in names:
                self.b.count += 1
                homes.append(VReg(self.b.count, name))
                self.home_of[homes[-1]] = register
            found = self.homes[register] = tuple(homes)
        return found

    def value(self, register: Register) -> Value:
        """The present value of a register."""
        if register in self.env:
            return self.env[register]
        homes = self.home(register)
        if register.bits != 64:
            return homes[0]
        pointer = self.pointers.registers.get(register)
        if pointer is None:
            return Wide(homes[0], homes[1])
        return Wide(homes[0], ZERO, Address(homes[0], space=pointer.space, generic=pointer.generic))

    def word(self, operand: PtxOperand, bits: int = 32) -> Operand:
        """A source of at most 32 bits; of a narrower one the bits above ``bits`` are not defined."""
        match operand:
            case Register():
                if operand.bits > 32 or operand.bits < bits:
                    raise self.refuse(f"{operand.name} has {operand.bits} bits here", "use a register as wide")
                value = self.value(operand)
                assert not isinstance(value, Wide)
                return value
            case Immediate(number):
                return lit(number & (1 << bits) - 1)
            case Special(name):
                return special_register(self, name)
            case Symbol(variable, offset):
                return self.layout.word_address(self, variable, offset)
            case FloatImmediate(text) if text[:2] in ("0f", "0F"):
                return lit(int(text[2:], 16))
        raise self.refuse(f"operand {_show(operand)} is not supported here", "use a register or a constant")

    def low(self, operand: PtxOperand, bits: int = 32) -> Operand:
        """The low word of a source of any width (stores and conversions take wider registers)."""
        if isinstance(operand, Register) and operand.bits == 64:
            value = self.value(operand)
            assert isinstance(value, Wide)
            return self.words(value)[0]
        return self.word(operand, bits)

    def extended(self, operand: PtxOperand, bits: int, signed: bool) -> Operand:
        """The low ``bits`` of a source, extended to 32."""
        if isinstance(operand, Immediate):
            number = operand.value & (1 << bits) - 1
            return lit(number - (1 << bits) if signed and number >> (bits - 1) else number)
        return self.extend(self.low(operand, bits), bits, signed)

    def extend(self, word: Operand, bits: int, signed: bool) -> Operand:
        """``word``'s low ``bits``, zero- or sign-extended to 32."""
        if bits == 32:
            return word
        low, high = self.b.range(word)
        if signed:
            if -(1 << (bits - 1)) <= low and high < 1 << (bits - 1):
                return word
            return self.b.op(Op.PRMT, word, ZERO, lit(0x8880 if bits == 8 else 0x9910))
        if low >= 0 and high < 1 << bits:
            return word
        return self.b.op(Op.AND, word, lit((1 << bits) - 1))

    def pred(self, operand: PtxOperand) -> Operand:
        """A predicate source; 1 in bit 0 if it is true."""
        if isinstance(operand, Not):
            return self.b.op(Op.XOR, self.pred(operand.register), ONE)
        if isinstance(operand, Immediate):
            return ONE if operand.value else ZERO
        if isinstance(operand, Register) and operand.type == "pred":
            return self.word(operand, 1)
        raise self.refuse(f"operand {_show(operand)} is no predicate", "use a .pred register")

    def wide(self, operand: PtxOperand) -> Wide:
        """A 64-bit source."""
        match operand:
            case Register():
                if operand.bits != 64:
                    raise self.refuse(f"{operand.name} has {operand.bits} bits here", "use a register as wide")
                value = self.value(operand)
                assert isinstance(value, Wide)
                return value
            case Immediate(number):
                return constant(number)
            case Symbol(variable, offset):
                address = self.layout.address(self, variable, offset)
                return self.from_address(address)
            case FloatImmediate(text) if text[:2] in ("0d", "0D"):
                return constant(int(text[2:], 16))
        raise self.refuse(f"operand {_show(operand)} is not supported here", "use a register or a constant")

    def carry_register(self) -> VReg:
        """The register that holds the carry flag between blocks."""
        if self.carry_home is None:
            self.b.count += 1
            self.carry_home = VReg(self.b.count, "CC.CF")
        return self.carry_home

    # ---- 64-bit values

    def from_address(self, address: Address) -> Wide:
        """The value that is ``address``; its words are known at once if it is only a base."""
        if address.simple:
            return Wide(address.base, ZERO, address)
        return Wide(form=address)

    def from_extended(self, word: Operand, signed: bool, scale: int = 0) -> Wide:
        """The value ext(word) << scale."""
        if signed and self.b.range(word)[0] >= 0:
            signed = False
        if scale == 0:
            return Wide(word, None if signed else ZERO, Extended(word, signed))
        return Wide(form=Extended(word, signed, scale))

    def words(self, value: Wide, raw: bool = False) -> tuple[Operand, Operand]:
        """(low, high) of a value; ``raw``: even of an address whose number is our own."""
        form = value.form
        if isinstance(form, Address) and (form.generic or form.space == "local") and not raw:
            raise self.refuse(
                f"the number of a generic or local address ({form.space}) is not comparable data",
                "use the address only to load and store",
            )
        if value.low is None or value.high is None:
            low, high = self._compute(value)
            if not isinstance(form, Extended) or form.scale == 0:
                self._remember(value, low, high)
            return low, high
        return value.low, value.high

    def _compute(self, value: Wide) -> tuple[Operand, Operand]:
        form = value.form
        if isinstance(form, Address):
            return self.base(form), ZERO
        assert isinstance(form, Extended)
        b = self.b
        high: Operand = b.op(Op.SAR, form.word, lit(31)) if form.signed else ZERO
        if form.scale == 0:
            return form.word, high
        scale = lit(form.scale)
        top = b.op(Op.SAR if form.signed else Op.SHR, form.word, lit(32 - form.scale))
        return b.op(Op.SHL, form.word, scale), top

    def _remember(self, value: Wide, low: Operand, high: Operand) -> None:
        """Report a definition whose words have just been computed in the block that defines it."""
        if self.guard is None and isinstance(value.pending, _Pending) and value.pending.draft is self.b.draft:
            pending = value.pending
            value.pending = None
            value.low, value.high = low, high
            self.pinned.update(part for part in (low, high) if isinstance(part, VReg))
            self.define(pending.instr, pending.register, (low, high))

    def base(self, address: Address) -> Operand:
        """One word that is ``address`` (LEA faults if it does not fit)."""
        if address.simple:
            return address.base
        mod = Mod(scale=address.scale, signed=address.signed)
        return self.b.op(Op.LEA, address.base, address.index, lit(address.offset), mod)

    def to_address(self, value: Wide, space: str) -> Address:
        """``value`` as the address of an access in ``space``."""
        if isinstance(value.form, Address):
            return value.form
        low, high = self.words(value)
        return Address(self.fit(low, high, signed=False), space=space)

    def fit(self, low: Operand, high: Operand, signed: bool) -> Operand:
        """``low``, with a fault unless ``high`` extends it."""
        if high == ZERO and (not signed or self.b.range(low)[0] >= 0):
            return low
        return self.b.op(Op.FIT, low, high, mod=Mod(signed=signed))

    def moved(self, address: Address, offset: Wide) -> Address:
        """``address`` plus a 64-bit number of bytes."""
        literal = offset.literal
        if literal is not None:
            near = address.plus(literal - (1 << 64) if literal >> 63 else literal)
            if near is not None:
                return near
        form = offset.form
        if isinstance(form, Extended):
            index, signed, scale = form.word, form.signed, form.scale
        else:
            low, high = self.words(offset)
            if high == ZERO:
                index, signed, scale = low, False, 0
            else:
                index, signed, scale = self.fit(low, high, signed=True), True, 0
        if address.index != ZERO:
            address = replace(address, base=self.base(address), index=ZERO, signed=False, scale=0, offset=0)
        return replace(address, index=index, signed=signed, scale=scale)

    # ---- defining

    def result(self, value: Value, bits: int) -> None:
        """Define the first operand, which has to be a register of ``bits`` bits."""
        dest = self.instr.operands[0]
        if isinstance(dest, Register) and dest.bits != bits:
            raise self.refuse(f"{dest.name} has {dest.bits} bits here", f"use a {bits}-bit register")
        self.assign([(dest, value)])

    def set(self, dest: PtxOperand, value: Value) -> None:
        """Define one destination."""
        self.assign([(dest, value)])

    def assign(self, results: list[tuple[PtxOperand, Value]]) -> None:
        """Define the destinations of the current instruction, all at once."""
        named = [(d, v) for d, v in results if not isinstance(d, Sink)]
        later: list[tuple[Register, Value]] = []
        for dest, value in named:
            if not isinstance(dest, Register):
                raise self.refuse(f"destination {_show(dest)} is not supported here", "use a register")
            if (dest.bits == 64) != isinstance(value, Wide):
                raise self.refuse(
                    f"{dest.name} has {dest.bits} bits here", "use a register as wide as the result"
                )
            if dest in self.facts.single:
                self._bind(dest, value)
            else:
                later.append((dest, value))
        if len(later) == 1:
            self._store(*later[0], movable=len(named) == 1)
        elif later:
            # Values that are homes themselves are saved before any home changes.
            saved = [(register, self._saved(value)) for register, value in later]
            for register, value in saved:
                self._store(register, value, movable=False)

    def _saved(self, value: Value) -> Value:
        if isinstance(value, Wide):
            for operand in value.operands():
                if operand in self.home_of:
                    value = value.replaced(operand, self.b.copy(operand))
            return value
        return self.b.copy(value) if value in self.home_of else value

    def _bind(self, register: Register, value: Value) -> None:
        """Define a register that has this one definition."""
        value = self._stable(register, value)
        if isinstance(value, Wide):
            self._bind_wide(register, value)
            return
        if isinstance(value, VReg):
            self.pinned.add(value)
        self.env[register] = value
        self.define(self.instr, register, (value,), self.guard)

    def _bind_wide(self, register: Register, value: Wide) -> None:
        form = value.form
        value = Wide(value.low, value.high, form)
        self.env[register] = value
        self.pinned.update(value.operands())
        if isinstance(form, Address) and (form.generic or form.space == "local"):
            self.fold(register, FOLDED_GENERIC)
            return
        if value.low is None or value.high is None:
            if self.guard is None and any(
                self._needs_words(instr) for _, instr in self.facts.uses.get(register, ())
            ):
                self.words(value)
                value.low, value.high = self._compute(value)
                self.pinned.update(value.operands())
            else:
                self.fold(register, FOLDED_ADDRESS)
                value.pending = _Pending(self.instr, register, self.b.draft) if self.guard is None else None
                return
        self.define(self.instr, register, (value.low, value.high), self.guard)

    @staticmethod
    def _needs_words(user: Instruction) -> bool:
        """True if ``user`` reads a 64-bit value as a number rather than as (part of) an address."""
        return user.op not in ("ld", "st", "atom", "red", "add", "sub", "mad", "cvta", "mov", "shl", "prefetch")

    def _stable(self, register: Register, value: Value) -> Value:
        """``value`` so that it stays what it is until the last use of ``register``."""
        operands = (
            value.operands() if isinstance(value, Wide) else {value} if isinstance(value, VReg) else set()
        )
        for operand in operands:
            home = self.home_of.get(operand)
            if home is None or self._unchanged(register, home):
                continue
            copy = self.b.copy(operand)
            value = value.replaced(operand, copy) if isinstance(value, Wide) else copy
        return value

    def _unchanged(self, register: Register, home: Register) -> bool:
        """True if ``home`` is not assigned between here and the last use of ``register``."""
        uses = [place for place, _ in self.facts.uses.get(register, ())]
        if any(block != self.block for block, _ in uses):
            return False
        last = max((index for _, index in uses), default=self.position)
        if home not in self.facts.definitions:
            return False  # a word of a call's parameter: its assignments are not listed
        return all(
            block != self.block or not self.position <= index < last
            for (block, index), _ in self.facts.definitions[home]
        )

    def _store(self, register: Register, value: Value, movable: bool) -> None:
        """Assign a register that has several definitions."""
        homes = self.home(register)
        if isinstance(value, Wide) and len(homes) == 1:
            self._store_address(register, value, homes[0], movable)
            return
        parts: tuple[Operand, ...] = self.words(value) if isinstance(value, Wide) else (value,)
        movable = movable and not set(parts) & self.pinned and len(set(parts)) == len(parts)
        if self.guard is not None:
            self.define(self.instr, register, parts, self.guard)
            parts = tuple(self.choose(part, home) for part, home in zip(parts, homes, strict=True))
            movable = True
        if len(parts) == 2 and homes[0] == parts[1]:
            parts = (parts[0], self.b.copy(parts[1]))
        written = [
            self.b.write(home, part, self.start, movable) for home, part in zip(homes, parts, strict=True)
        ]
        if self.guard is None:
            reported = [h if w else p for h, p, w in zip(homes, parts, written, strict=True)]
            # A value that was one of these registers is now something else.
            reported = [h if p in homes else p for h, p in zip(homes, reported, strict=True)]
            self.define(self.instr, register, tuple(reported))

    def _store_address(self, register: Register, value: Wide, home: VReg, movable: bool) -> None:
        pointer = self.pointers.registers[register]
        word = self.base(self.to_address(value, pointer.space))
        if self.guard is not None:
            reported = word
            word = self.choose(word, home)
        movable = movable and word not in self.pinned
        moved = self.b.write(home, word, self.start, movable or self.guard is not None)
        if pointer.generic or pointer.space == "local":
            self.fold(register, FOLDED_GENERIC)
        elif self.guard is None:
            self.define(self.instr, register, (home if moved else word, ZERO))
        else:
            self.define(self.instr, register, (reported, ZERO), self.guard)

    def choose(self, new: Operand, old: Operand) -> Operand:
        """``new`` where the guard holds, else ``old``."""
        assert self.guard is not None
        cond, sense = self.guard
        return self.b.op(Op.SEL, new, old, cond) if sense else self.b.op(Op.SEL, old, new, cond)

    def define(
        self,
        instr: Instruction,
        register: Register,
        parts: tuple[Operand, ...],
        guard: tuple[Operand, bool] | None = None,
    ) -> None:
        """Report the definition of ``register`` by ``instr``."""
        if instr.ordinal < 0 or not register.name:
            return
        self.unmapped.pop((instr.ordinal, register.name), None)
        cond, sense = guard if guard is not None else (None, True)
        self.b.emit(Define(instr.ordinal, register.name, register.bits, parts, cond, sense))

    def fold(self, register: Register, reason: str) -> None:
        """Say why the current definition of ``register`` is not reported."""
        if self.instr.ordinal >= 0 and register.name:
            self.unmapped[self.instr.ordinal, register.name] = reason

    # ---- blocks

    def split(self) -> Draft:
        """A new block behind the current one in layout; the caller ends the current one and enters it."""
        draft = Draft()
        self.drafts[self.block].append(draft)
        return draft

    @contextmanager
    def branched(self, cond: Operand, sense: bool) -> Iterator[None]:
        """What is emitted inside is executed only where bit 0 of ``cond`` equals ``sense``."""
        before = self.b.draft
        body = self.split()
        self.b.enter(body)
        self.start = 0
        guard, self.guard = self.guard, None
        carry = self.carry
        yield
        if self.carry is not carry:
            raise self.refuse("a guarded carry chain on addresses", "compute the carry without a guard")
        after = self.split()
        self.b.draft.end, self.b.draft.ends = Jump(None), (after,)
        before.end = Branch(cond, None, None)
        before.ends = (body, after) if sense else (after, body)
        self.b.enter(after)
        self.start = 0
        self.guard = guard

    def attempt(self, handler: Callable[[Selector, Instruction], None], instr: Instruction) -> bool:
        """Run ``handler`` under the guard; False, with everything undone, if it emits what may fault."""
        items = self.b.draft.items
        mark = len(items)
        saved = (dict(self.env), dict(self.unmapped), set(self.pinned), self.carry)
        handler(self, instr)
        if not any(isinstance(item, MOp) and item.op in (Op.LEA, Op.FIT) for item in items[mark:]):
            return True
        del items[mark:]
        self.b.forget_all()
        self.env, self.unmapped, self.pinned, self.carry = saved
        return False


class _Pending:
    """A 64-bit definition whose words may still be computed in the block that defines it."""

    def __init__(self, instr: Instruction, register: Register, draft: Draft) -> None:
        self.instr = instr
        self.register = register
        self.draft = draft


def _show(operand: PtxOperand) -> str:
    match operand:
        case Register() | Special():
            return operand.name
        case Immediate(value):
            return str(value)
        case Symbol(variable):
            return variable.name
        case Pair():
            return "a|b"
        case Vector():
            return "{...}"
    return type(operand).__name__.lower()


__all__ = ["FOLDED_NEVER", "FOLDED_UNREACHABLE", "ONES", "Selector", "Value"]
