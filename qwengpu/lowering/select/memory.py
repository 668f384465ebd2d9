"""Loads and stores; parameters; prefetches and fences."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from qwengpu.frontend.ptx.ast import (
    TYPE_BITS,
    Instruction,
    Memory,
    Register,
    Sink,
    Symbol,
    Variable,
    Vector,
)
from qwengpu.frontend.ptx.ast import (
    Operand as PtxOperand,
)
from qwengpu.isa import Mod, Op, Space, Width
from qwengpu.lowering.mir import Lit, MOp, MSerial, MStore, Operand, Row, VReg
from qwengpu.lowering.select.values import Address, Wide
from qwengpu.lowering.select.words import ZERO, lit

if TYPE_CHECKING:
    from qwengpu.lowering.select.selector import Selector, Value

LOAD_WIDTH: dict[tuple[int, bool], Width] = {
    (8, False): Width.U8,
    (8, True): Width.S8,
    (16, False): Width.U16,
    (16, True): Width.S16,
    (32, False): Width.WORD,
    (32, True): Width.WORD,
}
SPACES = ("global", "shared", "const", "local", "param")


def access_space(s: Selector, instr: Instruction) -> str | None:
    """The state space written in the opcode, None if the address is generic."""
    for mod in instr.mods:
        name = mod.split("::")[0]
        if name in SPACES:
            return "global" if name == "const" else name
    return None


def access_type(s: Selector, instr: Instruction) -> tuple[int, bool]:
    """(bits, signed) of the accessed elements, by the last part of the opcode."""
    kind = instr.mods[-1]
    bits = TYPE_BITS.get(kind, 0)
    if bits not in (8, 16, 32, 64):
        raise s.refuse(f"type .{kind} is not supported", "use 8- to 64-bit integers")
    return bits, kind[0] == "s"


def elements(operand: PtxOperand) -> tuple[PtxOperand, ...]:
    """The elements of a vector, or the operand alone."""
    return operand.items if isinstance(operand, Vector) else (operand,)


def resolve(s: Selector, operand: PtxOperand, space: str | None) -> tuple[Address, Space]:
    """The address of an access and the machine's memory space."""
    if not isinstance(operand, Memory):
        raise s.refuse("the address is not in brackets", "write [address]")
    base = operand.base
    if base is None:
        address = Address(lit(operand.offset), space=space or "")
    elif isinstance(base, Variable):
        address = s.layout.address(s, base, operand.offset)
    elif base.bits == 64:
        address = s.to_address(s.wide(base), space or "")
    elif base.bits == 32 and space in ("shared", "global"):
        address = unfolded(s, s.word(base), space)
    else:
        raise s.refuse(f"{base.name} has {base.bits} bits, an address has 64", "use a 64-bit register")
    if isinstance(base, Register):
        moved = address.plus(operand.offset)
        if moved is None:
            moved = Address(s.base(address), offset=operand.offset, space=address.space)
        address = moved
    name = space or address.space
    if not name:
        # Numbers never hold generic addresses of shared or local memory (Selector.words refuses), so an
        # address that comes from data is global, unless this kernel may have mixed both kinds.
        if any(pointer.generic or pointer.space == "" for pointer in s.pointers.registers.values()):
            raise s.refuse("the address space of this generic access is not known", "access one space only")
        name = "global"
    if name == "param":
        raise s.refuse("parameters have no run-time address", "copy the parameter to a local variable by name")
    return address, Space.GLOBAL if name == "global" else Space.SHARED


def unfolded(s: Selector, word: Operand, space: str) -> Address:
    """A 32-bit address as base + index << scale + offset where its sum provably does not wrap.

    Only operands that never change are taken (no register with several definitions).
    """
    address = Address(word, space=space)
    while isinstance(address.base, VReg):
        made = s.b.made.get(address.base.number)
        if made is None or s.b.range(address.base)[0] < 0:
            break
        op, a, b, c, _ = made
        if any(operand in s.home_of or s.b.range(operand)[0] < 0 for operand in (a, b)) or c != ZERO:
            break
        if op is Op.SHL and isinstance(b, Lit) and b.value <= 3 and address.index == ZERO:
            return replace(address, base=ZERO, index=a, scale=b.value)
        if op is not Op.ADD:
            break
        a, b = (b, a) if isinstance(a, Lit) else (a, b)
        if isinstance(b, Lit):
            moved = address.plus(b.value)
            if moved is None:
                break
            address = replace(moved, base=a)
            continue
        scaled = [x for x in (a, b) if isinstance(x, VReg) and _is_scaled(s, x)]
        if address.index != ZERO or not scaled:
            break
        _, index, scale, _, _ = s.b.made[scaled[0].number]
        assert isinstance(scale, Lit)
        address = replace(address, base=b if scaled[0] == a else a, index=index, scale=scale.value)
    return address


def _is_scaled(s: Selector, register: VReg) -> bool:
    """True if ``register`` is an unchanging word << 1, 2 or 3 that does not wrap."""
    made = s.b.made.get(register.number)
    if made is None or made[0] is not Op.SHL or s.b.range(register)[0] < 0:
        return False
    _, word, scale, _, _ = made
    return isinstance(scale, Lit) and scale.value <= 3 and word not in s.home_of and s.b.range(word)[0] >= 0


def event_space(space: str | None, address: Address) -> str:
    """Name of the space in a store's event."""
    return space or address.space or "global"


# --------------------------------------------------------------------------------------------------
# Loads


def load(s: Selector, instr: Instruction) -> None:
    space = access_space(s, instr)
    if space == "param":
        load_param(s, instr)
        return
    bits, signed = access_type(s, instr)
    address, where = resolve(s, instr.operands[1], space)
    targets = elements(instr.operands[0])
    align = _align(bits, len(targets))
    results: list[tuple[PtxOperand, Value]] = []
    for index, dest in enumerate(targets):
        place = _plus(s, address, index * bits // 8)
        value = _load_one(s, place, where, bits, signed, align if index == 0 else 0)
        results.append((dest, _widened(s, dest, value, signed)))
    s.assign(results)


def _align(bits: int, count: int) -> int:
    """log2 of the alignment in bytes that an access needs beyond its first word's own, else 0."""
    total = bits // 8 * count
    return total.bit_length() - 1 if total > min(bits // 8, 4) else 0


def _plus(s: Selector, address: Address, offset: int) -> Address:
    moved = address.plus(offset)
    return moved if moved is not None else replace(address, base=s.base(address), index=ZERO, offset=offset)


def _mod(address: Address, where: Space, width: Width, align: int) -> Mod:
    return Mod(scale=address.scale, signed=address.signed, width=width, space=where, align=align)


def _load_one(s: Selector, at: Address, where: Space, bits: int, signed: bool, align: int) -> Value:
    def word(address: Address, width: Width, align: int) -> Operand:
        mod = _mod(address, where, width, align)
        return s.b.op(Op.LD, address.base, address.index, lit(address.offset), mod)

    if bits == 64:
        low = word(at, Width.WORD, align)
        return Wide(low, word(_plus(s, at, 4), Width.WORD, 0))
    return word(at, LOAD_WIDTH[bits, signed], align)


def _widened(s: Selector, dest: PtxOperand, value: Value, signed: bool) -> Value:
    """A loaded value for a destination that may be wider (ld extends to the register's width)."""
    if isinstance(dest, Register) and dest.bits == 64 and not isinstance(value, Wide):
        return s.from_extended(value, signed)
    return value


# --------------------------------------------------------------------------------------------------
# Stores


def store(s: Selector, instr: Instruction) -> None:
    space = access_space(s, instr)
    if space == "param":
        store_param(s, instr)
        return
    bits, _ = access_type(s, instr)
    address, where = resolve(s, instr.operands[0], space)
    values = elements(instr.operands[1])
    align = _align(bits, len(values))
    name = f"{event_space(space, address)}:{bits // 8}"
    if bits == 64:
        data: list[tuple[Operand, ...]] = [s.words(s.wide(value)) for value in values]
    else:
        data = [(s.low(value, bits),) for value in values]
    for index, words in enumerate(data):
        at = _plus(s, address, index * bits // 8)
        first = align if index == 0 else 0
        if bits < 32:
            _store_narrow(s, at, where, bits, words[0], name, first)
            continue
        for part, word in enumerate(words):
            place = _plus(s, at, 4 * part)
            mod = _mod(place, where, Width.WORD, first if part == 0 else 0)
            offset = lit(place.offset)
            s.b.emit(
                MStore(
                    place.base,
                    place.index,
                    offset,
                    word,
                    mod,
                    instr.ordinal,
                    name,
                    bits // 8,
                    word,
                    part,
                    len(words),
                )
            )


def _store_narrow(
    s: Selector, at: Address, where: Space, bits: int, word: Operand, name: str, align: int
) -> None:
    """Merge a byte or half into its word, one lane at a time."""
    width, insert = (Width.WORD_OF_8, Width.U8) if bits == 8 else (Width.WORD_OF_16, Width.U16)
    b = s.b
    offset = lit(at.offset)
    items: list[MOp | MStore] = []
    place: Operand = at.base
    if not at.simple:
        dest = b.temp()
        items.append(
            MOp(
                Op.LEA,
                dest,
                at.base,
                at.index,
                offset,
                Mod(scale=at.scale, signed=at.signed),
                b.instr,
            )
        )
        place = dest
    mod = _mod(at, where, width, align)
    old, merged = b.temp(), b.temp()
    items.append(MOp(Op.LD, old, at.base, at.index, offset, mod, b.instr))
    items.append(MOp(Op.INS, merged, old, word, place, Mod(width=insert), b.instr))
    items.append(MStore(at.base, at.index, offset, merged, mod, b.instr, name, bits // 8, word))
    b.emit(MSerial(tuple(items), b.instr))


# --------------------------------------------------------------------------------------------------
# Parameters


def _param_place(s: Selector, operand: PtxOperand) -> tuple[Variable, int]:
    """(variable, byte offset) of a parameter access; follows address registers with one definition."""
    if not isinstance(operand, Memory) or operand.base is None:
        raise s.refuse("a parameter is accessed by name", "write [parameter + offset]")
    base, offset = operand.base, operand.offset
    while isinstance(base, Register):
        defined = s.facts.definitions.get(base, [])
        found: tuple[Register | Variable, int] | None = None
        if len(defined) == 1:
            ops = defined[0][1].operands
            match defined[0][1].op:
                case "mov" | "cvta" if isinstance(ops[1], Symbol):
                    found = (ops[1].variable, offset + ops[1].offset)
                case "mov" | "cvta" if isinstance(ops[1], Register):
                    found = (ops[1], offset)
                case "add" if isinstance(ops[1], Register) and not isinstance(ops[2], Register):
                    value = getattr(ops[2], "value", None)
                    if value is not None:
                        found = (ops[1], offset + value)
        if found is None:
            raise s.refuse(
                "the offset in a parameter is computed at run time",
                "copy the array to shared memory, or index it with constants",
            )
        base, offset = found
    return base, offset


def _param_words(s: Selector, variable: Variable) -> list[Operand]:
    if variable in s.layout.rows:
        first = s.layout.rows[variable]
        return [Row(first + index) for index in range(-(-variable.size // 4))]
    registers = s.kernel.slots.get(variable)
    if registers is None:
        raise s.refuse(f"parameter {variable.name} is read before it is written", "store it first")
    return [s.word(register) for register in registers]


def load_param(s: Selector, instr: Instruction) -> None:
    bits, signed = access_type(s, instr)
    variable, offset = _param_place(s, instr.operands[1])
    targets = elements(instr.operands[0])
    if offset < 0 or offset + len(targets) * bits // 8 > variable.size or offset % (bits // 8):
        raise s.refuse(
            f"offset {offset} is outside parameter {variable.name} of {variable.size} bytes, or misaligned",
            "correct the offset",
        )
    words = _param_words(s, variable)
    results: list[tuple[PtxOperand, Value]] = []
    for index, dest in enumerate(targets):
        at = offset + index * bits // 8
        word = words[at // 4]
        value: Value
        if bits == 64:
            pointer = variable in s.pointers.params
            value = s.from_address(Address(word, space="global")) if pointer else Wide(word, words[at // 4 + 1])
        elif bits == 32:
            value = word
        else:
            value = _param_part(s, word, at % 4, bits, signed, variable.size)
        results.append((dest, _widened(s, dest, value, signed)))
    s.assign(results)


def _param_part(s: Selector, word: Operand, at: int, bits: int, signed: bool, size: int) -> Operand:
    """A byte or half of a parameter word (a parameter narrower than a word is zero-extended)."""
    if at == 0 and size == bits // 8 and not signed and isinstance(word, Row):
        s.b.row_ranges[word.row] = (0, (1 << bits) - 1)
        return word
    if signed and at:
        selector = 0x8880 + 0x1111 * at if bits == 8 else 0xBB32
        return s.b.op(Op.PRMT, word, ZERO, lit(selector))
    return s.extend(s.b.op(Op.SHR, word, lit(8 * at)), bits, signed)


def store_param(s: Selector, instr: Instruction) -> None:
    """Write a parameter of an inlined call."""
    bits, _ = access_type(s, instr)
    variable, offset = _param_place(s, instr.operands[0])
    registers = s.kernel.slots.get(variable)
    values = elements(instr.operands[1])
    if registers is None or offset < 0 or offset + len(values) * bits // 8 > variable.size:
        raise s.refuse(f"parameter {variable.name} cannot be written here", "write call parameters only")
    for index, value in enumerate(values):
        at = offset + index * bits // 8
        if isinstance(value, Sink):
            continue
        if bits == 64:
            words = s.words(s.wide(value))
            for part, word in enumerate(words):
                s.set(registers[at // 4 + part], word)
        elif bits == 32:
            s.set(registers[at // 4], s.low(value))
        else:
            insert = Mod(width=Width.U8 if bits == 8 else Width.U16)
            old = s.word(registers[at // 4])
            s.set(registers[at // 4], s.b.op(Op.INS, old, s.low(value, bits), lit(at % 4), insert))


def ignore(s: Selector, instr: Instruction) -> None:
    """Fences order nothing here (memory is sequentially consistent); prefetches and delays change nothing."""


HANDLERS = {
    "ld": load,
    "ldu": load,
    "st": store,
    "membar": ignore,
    "fence": ignore,
    "prefetch": ignore,
    "prefetchu": ignore,
    "nanosleep": ignore,
    "applypriority": ignore,
}
