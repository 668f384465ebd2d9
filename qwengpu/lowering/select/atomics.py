"""atom and red on 32-bit words: one lane at a time loads, computes and stores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qwengpu.frontend.ptx.ast import Instruction, Sink
from qwengpu.isa import Mod, Op, Width
from qwengpu.lowering.mir import MOp, MSerial, MStore, Operand, VReg
from qwengpu.lowering.select.memory import access_space, event_space, resolve
from qwengpu.lowering.select.words import ONE, ONES, ZERO, lit

if TYPE_CHECKING:
    from qwengpu.lowering.select.selector import Selector

NAMES = frozenset({"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"})
PLAIN: dict[tuple[str, bool], Op] = {
    ("add", False): Op.ADD,
    ("add", True): Op.ADD,
    ("min", True): Op.MIN,
    ("min", False): Op.MINU,
    ("max", True): Op.MAX,
    ("max", False): Op.MAXU,
    ("and", False): Op.AND,
    ("or", False): Op.OR,
    ("xor", False): Op.XOR,
}


def atomic(s: Selector, i: Instruction) -> None:
    kind = i.mods[-1]
    name = next((mod for mod in i.mods[:-1] if mod in NAMES), "")
    if kind not in ("u32", "s32", "b32") or not name:
        raise s.refuse("only 32-bit integer atomics are supported", "use an int or unsigned variable")
    operands = i.operands if i.op == "atom" else (Sink(), *i.operands)
    if len(operands) != (4 if name == "cas" else 3):
        raise s.refuse("the instruction is not complete", "give it all its operands")
    space = access_space(s, i)
    address, where = resolve(s, operands[1], space)
    values = [s.word(operand) for operand in operands[2:]]
    mod = Mod(scale=address.scale, signed=address.signed, width=Width.WORD, space=where)
    place = (address.base, address.index, lit(address.offset))
    old = s.b.temp()
    items: list[MOp | MStore] = [MOp(Op.LD, old, *place, mod, s.b.instr)]
    new = _new_value(s, name, kind[0] == "s", old, values, items)
    event = f"{event_space(space, address)}:{name}:4"
    items.append(MStore(*place, new, mod, s.b.instr, event, 4, new))
    s.b.emit(MSerial(tuple(items), s.b.instr))
    if not isinstance(operands[0], Sink):
        s.result(old, 32)


def _new_value(
    s: Selector, name: str, signed: bool, old: VReg, values: list[Operand], items: list[MOp | MStore]
) -> Operand:
    """What is stored; the operations that compute it are appended to ``items``."""

    def op(kind: Op, a: Operand, b: Operand, c: Operand = ZERO) -> Operand:
        dest = s.b.temp()
        items.append(MOp(kind, dest, a, b, c, instr=s.b.instr))
        return dest

    value = values[0]
    match name:
        case "exch":
            return value
        case "cas":
            return op(Op.SEL, values[1], old, op(Op.EQ, old, value))
        case "inc":
            # old >= value ? 0 : old + 1
            return op(Op.SEL, ZERO, op(Op.ADD, old, ONE), op(Op.LEU, value, old))
        case "dec":
            # old == 0 or old > value ? value : old - 1; 0 - 1 wraps to the largest word
            return op(Op.MINU, op(Op.ADD, old, ONES), value)
    return op(PLAIN[name, signed], old, value)


HANDLERS = {"atom": atomic, "red": atomic}
