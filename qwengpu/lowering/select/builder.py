"""Emitting MIR: blocks under construction, temporaries, constant folding, common subexpressions, ranges."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from qwengpu.isa import NO_MOD, ConstRow, Mod, Op
from qwengpu.lowering.mir import (
    Barrier,
    Branch,
    Define,
    Item,
    Jump,
    Lit,
    MBlock,
    MMove,
    MOp,
    MSerial,
    MStore,
    MSync,
    Operand,
    Row,
    Terminator,
    Trap,
    VReg,
)
from qwengpu.lowering.select.words import FULL, ONE, PURE, ZERO, Range, evaluate, result_range, signed, simplify
from qwengpu.spec import Spec

Key = tuple[Op, Operand, Operand, Operand, Mod]


@dataclass(eq=False)
class Draft:
    """A block under construction. ``ends`` are the targets of ``end``, in its order (None: thread ends)."""

    items: list[Item] = field(default_factory=list)
    end: Terminator = field(default_factory=lambda: Jump(None))
    ends: tuple[Draft | None, ...] = (None,)


class Builder:
    """Appends to the current draft. ``instr`` is the PTX ordinal that new operations belong to."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.draft = Draft()
        self.instr = -1
        self.hint = ""
        self.count = 0
        self.ranges: dict[int, Range] = {}
        self.known: dict[Key, Operand] = {}
        self.readers: dict[int, list[Key]] = {}
        self.made: dict[int, Key] = {}
        self.row_ranges: dict[int, Range] = _row_ranges(spec)

    def enter(self, draft: Draft) -> None:
        """Go on in ``draft``; what was computed elsewhere is forgotten."""
        self.draft = draft
        self.forget_all()

    def forget_all(self) -> None:
        """Look up nothing that was computed before."""
        self.known = {}
        self.readers = {}

    def temp(self) -> VReg:
        """A new register."""
        self.count += 1
        return VReg(self.count, self.hint)

    def range(self, operand: Operand) -> Range:
        """Bounds of an operand as a signed number."""
        if isinstance(operand, Lit):
            value = signed(operand.value)
            return (value, value)
        if isinstance(operand, VReg):
            return self.ranges.get(operand.number, FULL)
        return self.row_ranges.get(operand.row, FULL)

    def op(
        self,
        op: Op,
        a: Operand = ZERO,
        b: Operand = ZERO,
        c: Operand = ZERO,
        mod: Mod = NO_MOD,
        sync: Operand | None = None,
    ) -> Operand:
        """The result of an operation: emitted, folded, or found."""
        pure = op in PURE
        if pure:
            if isinstance(a, Lit) and isinstance(b, Lit) and isinstance(c, Lit):
                return evaluate(op, a.value, b.value, c.value)
            simple = simplify(op, a, b, c)
            if simple is not None:
                return simple
            if op is Op.MUL and ONE in (a, b):
                return self.op(Op.ADD, b if a == ONE else a, c)
        key = (op, a, b, c, mod)
        if pure:
            found = self.known.get(key)
            if found is not None:
                return found
        bounds = result_range(op, self.range(a), self.range(b), self.range(c), mod)
        dest = self.temp()
        if bounds != FULL:
            self.ranges[dest.number] = bounds
        self.draft.items.append(MOp(op, dest, a, b, c, mod, self.instr, sync))
        if pure:
            self.known[key] = dest
            self.made[dest.number] = key
            for operand in (a, b, c, dest):
                if isinstance(operand, VReg):
                    self.readers.setdefault(operand.number, []).append(key)
        return dest

    def emit(self, item: Item) -> None:
        """Append an item as it is."""
        self.draft.items.append(item)

    def move(self, dest: VReg, source: Operand) -> None:
        """``dest = source``."""
        if dest != source:
            self.draft.items.append(MMove(dest, source, self.instr))

    def copy(self, source: Operand) -> VReg:
        """A new register that keeps the present value of ``source``."""
        dest = self.temp()
        bounds = self.range(source)
        if bounds != FULL:
            self.ranges[dest.number] = bounds
        self.move(dest, source)
        return dest

    def write(self, home: VReg, value: Operand, since: int, movable: bool) -> bool:
        """``home = value``; if ``movable``, an operation emitted from item ``since`` on gets ``home`` as its
        destination where that is the same. True if that was done."""
        self._forget(home)
        if movable and isinstance(value, VReg) and self._retarget(home, value, since):
            return True
        self.move(home, value)
        return False

    def _forget(self, register: VReg) -> None:
        """Drop remembered expressions that read ``register`` or are in it."""
        for key in self.readers.pop(register.number, ()):
            self.known.pop(key, None)

    def _retarget(self, home: VReg, value: VReg, since: int) -> bool:
        items = self.draft.items
        for index in range(len(items) - 1, since - 1, -1):
            item = items[index]
            if isinstance(item, MOp) and item.dest == value:
                later = items[index + 1 :]
                if any(mentions(other, home) or writes(other, home) for other in later):
                    return False
                items[index] = replace(item, dest=home)
                items[index + 1 :] = [substitute(other, value, home) for other in later]
                self._forget(value)
                self.made.pop(value.number, None)
                return True
        return False


def mentions(item: Item, register: VReg) -> bool:
    """True if ``item`` reads ``register``."""
    match item:
        case MOp():
            return register in (item.a, item.b, item.c, item.sync)
        case MMove():
            return item.source == register
        case MSync():
            return item.mask == register
        case MStore():
            return register in (item.a, item.b, item.c, item.data, item.value)
        case Define():
            return register in item.parts or item.guard == register
        case MSerial():
            return any(mentions(inner, register) for inner in item.items)


def writes(item: Item, register: VReg) -> bool:
    """True if ``item`` assigns ``register``."""
    if isinstance(item, MSerial):
        return any(writes(inner, register) for inner in item.items)
    return isinstance(item, (MOp, MMove)) and item.dest == register


def substitute(item: Item, old: VReg, new: VReg) -> Item:
    """``item`` with ``new`` read instead of ``old``."""
    if not mentions(item, old):
        return item

    def swap(operand: Operand) -> Operand:
        return new if operand == old else operand

    match item:
        case MOp():
            sync = None if item.sync is None else swap(item.sync)
            return replace(item, a=swap(item.a), b=swap(item.b), c=swap(item.c), sync=sync)
        case MMove():
            return replace(item, source=swap(item.source))
        case MSync():
            return replace(item, mask=swap(item.mask))
        case MStore():
            return replace(
                item,
                a=swap(item.a),
                b=swap(item.b),
                c=swap(item.c),
                data=swap(item.data),
                value=swap(item.value),
            )
        case Define():
            guard = None if item.guard is None else swap(item.guard)
            return replace(item, parts=tuple(map(swap, item.parts)), guard=guard)
        case MSerial():
            inner = tuple(substitute(part, old, new) for part in item.items)
            return replace(item, items=inner)  # type: ignore[arg-type]


def finish(drafts: list[Draft]) -> tuple[MBlock, ...]:
    """Number the drafts in layout order and resolve their targets."""
    numbers = {id(draft): index for index, draft in enumerate(drafts)}

    def number(draft: Draft | None) -> int | None:
        return None if draft is None else numbers[id(draft)]

    blocks: list[MBlock] = []
    for index, draft in enumerate(drafts):
        end = draft.end
        targets = [number(target) for target in draft.ends]
        match end:
            case Jump():
                end = Jump(targets[0])
            case Branch():
                end = replace(end, taken=targets[0], other=targets[1])
            case Barrier():
                assert targets[0] is not None
                end = replace(end, target=targets[0])
            case Trap():
                pass
        blocks.append(MBlock(index, tuple(draft.items), end))
    return tuple(blocks)


def _row_ranges(spec: Spec) -> dict[int, Range]:
    """What is known of the fixed constant rows: a thread block has at most ``spec.threads`` threads."""
    ranges: dict[int, Range] = {}
    for axis in range(3):
        ranges[ConstRow.TID_X + axis] = (0, spec.threads - 1)
        ranges[ConstRow.NTID_X + axis] = (1, spec.threads)
    ranges[ConstRow.LANEID] = (0, spec.lanes - 1)
    ranges[ConstRow.WARPID] = (0, spec.warps - 1)
    ranges[ConstRow.SHARED_BYTES] = (0, 4 * spec.memory_words)
    return ranges


__all__ = ["Builder", "Draft", "Row", "finish", "mentions", "substitute", "writes"]
