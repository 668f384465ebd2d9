"""Loads and stores (PTX ISA, "ld", "ld.global.nc", "ldu", "st")."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from oracles.api import EventKind
from oracles.ptx.access import Access
from oracles.ptx.builder import Builder
from oracles.ptx.errors import Unsupported
from oracles.ptx.loops import Run
from oracles.ptx.memory import M64, split_generic
from oracles.ptx.ops.params import load_param, store_param
from oracles.ptx.origins import Origin
from oracles.ptx.reader.syntax import Addr, Instr, Operand, Reg, Register, Variable, Vec
from oracles.ptx.step import Step
from oracles.ptx.types import FLOATS, Type
from oracles.ptx.warp import Warp

_SPACES = ("param", "global", "shared", "const", "local")
_ORDER = ("weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "mmio")
_SCOPES = ("cta", "cluster", "gpu", "sys")
_CACHE = ("ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "unified")
_TYPES = "u8 u16 u32 u64 s8 s16 s32 s64 b8 b16 b32 b64"
_VECTORS = {"v2": 2, "v4": 4, "v8": 8}


def address(
    b: Builder, instr: Instr, operand: Operand, type_: Type, count: int, known: Sequence[str] = ()
) -> Access:
    """What an instruction accesses; refuses modifiers that are not known."""
    spaces = [word for m in instr.mods if (word := m.partition("::")[0]) in _SPACES]
    for m in instr.mods:
        hint = m.startswith(("L1::", "L2::", "level::"))
        plain = m in _ORDER or m in _SCOPES or m in _CACHE or m in _VECTORS or m in known
        if m == "shared::cluster" or not (hint or plain or m.partition("::")[0] in _SPACES or m == type_.name):
            if m in FLOATS:
                b.no_float(instr)
            raise Unsupported(b.no(instr, f"modifier .{m} is not supported", "leave it out"))
    if not isinstance(operand, Addr):
        b.bad(instr, "an address in brackets is needed")
    space = spaces[0] if spaces else "generic"
    base = operand.base
    if isinstance(base, Variable):
        if space == "generic":
            if base.space not in ("global", "const"):
                b.bad(instr, f"the generic address of {base.name} is needed; write {instr.op}.{base.space}")
        elif base.space not in (space, "kernel" if space == "param" else space):
            b.bad(instr, f"variable {base.name} is in .{base.space}, not in .{space}")
        slot, offset = b.symbol(instr, base, 0, M64), operand.offset
    elif isinstance(base, Register):
        if base.type.kind == "p" or base.type.bits not in (32, 64):
            b.bad(instr, f"register {base.name} cannot hold an address; declare it .b64")
        slot, offset = b.source(instr, Reg(base), base.type), operand.offset
    else:
        slot, offset = b.constant(operand.offset & M64), 0
    strong = any(m in ("volatile", "relaxed", "acquire", "release", "acq_rel", "mmio") for m in instr.mods)
    level = (1 if "cta" in instr.mods else 2) if strong else 0
    mods = instr.mods
    return Access(
        space,
        slot,
        offset,
        type_.size,
        count,
        level,
        acquire="acquire" in mods or "acq_rel" in mods,
        release="release" in mods or "acq_rel" in mods,
    )


def _is_param(instr: Instr) -> bool:
    return any(m.partition("::")[0] == "param" for m in instr.mods)


def _shape(b: Builder, instr: Instr, operand: Operand) -> tuple[Type, tuple[Operand, ...]]:
    """The element type and the elements of a value operand."""
    t = b.type_of(instr, -1, _TYPES)
    counts = [_VECTORS[m] for m in instr.mods if m in _VECTORS]
    items = operand.items if isinstance(operand, Vec) else (operand,)
    if len(items) != (counts[0] if counts else 1):
        b.bad(instr, f"the number of elements does not fit .{'v' + str(counts[0]) if counts else t.name}")
    if counts and counts[0] * t.size > 32:
        b.bad(instr, "a vector has at most 32 bytes")
    return t, items


def _ld(b: Builder, instr: Instr) -> Step:
    operands = b.operands(instr, 2, 3)
    t, items = _shape(b, instr, operands[0])
    places = [b.destination(instr, item, t, exact=False) for item in items]
    widths = [b.register_width(instr, item) for item in items]
    if _is_param(instr):
        return load_param(b, instr, operands[1], t, places, widths)
    access = address(b, instr, operands[1], t, len(items))
    masks = tuple((1 << width) - 1 if t.signed and width > t.bits else 0 for width in widths)
    slots = tuple(slot for slot, _ in places)
    if len(items) == 1:
        run = _load_one(access, slots[0], t.sign, masks[0])
    else:
        run = _load_many(access, slots, t.sign, masks)

    def before(w: Warp, lanes: Sequence[int], m: int) -> dict[int, Origin]:
        return w.checker.load(w, lanes, instr, access)

    sinks = ((access.base, "it is used as an address"),)
    return b.step(run, (access.base,), places, sinks=sinks, before=before)


def _load_one(access: Access, slot: int, sign: int, mask: int) -> Run:
    """``mask`` is not 0 if the value is to be sign-extended to it."""
    base, offset, size, index = access.base, access.offset, access.size, access.index
    odd, k = size - 1, size.bit_length() - 1

    def run(w: Warp, lanes: Sequence[int], m: int) -> None:
        target, column, space = w.R[slot], w.R[base], w.spaces[index]
        low, last, views, start = space.recent[k]
        view = views[k]
        for lane in lanes:
            at = column[lane] + offset
            if at < low or at > last or at & odd:
                low, last, views, start = space.locate(at, size, lane, False)
                view = views[k]
                at &= M64
            target[lane] = view[(at - start) >> k]
        if mask:
            for lane in lanes:
                target[lane] = ((target[lane] ^ sign) - sign) & mask

    return run


def _load_many(access: Access, slots: tuple[int, ...], sign: int, masks: tuple[int, ...]) -> Run:
    base, offset, size, index, total = access.base, access.offset, access.size, access.index, access.total
    k = size.bit_length() - 1

    def run(w: Warp, lanes: Sequence[int], m: int) -> None:
        column, space = w.R[base], w.spaces[index]
        targets = [w.R[slot] for slot in slots]
        for lane in lanes:
            at = column[lane] + offset & M64
            _, _, views, start = space.locate(at, total, lane, False)
            first = (at - start) >> k
            view = views[k]
            for element, target in enumerate(targets):
                value = view[first + element]
                target[lane] = ((value ^ sign) - sign) & masks[element] if masks[element] else value

    return run


def _st(b: Builder, instr: Instr) -> Step:
    operands = b.operands(instr, 2, 3)
    t, items = _shape(b, instr, operands[1])
    slots = tuple(b.source(instr, item, t, exact=False) for item in items)
    if _is_param(instr):
        return store_param(b, instr, operands[0], t, slots)
    access = address(b, instr, operands[0], t, len(items))
    if access.space == "const":
        b.bad(instr, "constant memory cannot be stored to")
    run = _store_one(access, slots[0]) if len(items) == 1 else _store_many(access, slots)

    def before(w: Warp, lanes: Sequence[int], m: int) -> dict[int, Origin]:
        w.checker.store(w, lanes, instr, access, slots)
        return {}

    sinks = [(access.base, "it is used as an address"), *((slot, "it is stored") for slot in slots)]
    return b.step(
        run,
        (access.base, *slots),
        [],
        sinks=tuple(sinks),
        before=before,
        trace=_store_events(access, slots, instr),
        ordered=True,
    )


def _store_one(access: Access, slot: int) -> Run:
    base, offset, size, index = access.base, access.offset, access.size, access.index
    odd, k, mask = size - 1, size.bit_length() - 1, (1 << 8 * size) - 1

    def run(w: Warp, lanes: Sequence[int], m: int) -> None:
        source, column, space = w.R[slot], w.R[base], w.spaces[index]
        low, last, views, start = space.recent[k]
        view = views[k]
        for lane in lanes:
            at = column[lane] + offset
            if at < low or at > last or at & odd:
                low, last, views, start = space.locate(at, size, lane, True)
                view = views[k]
                at &= M64
            view[(at - start) >> k] = source[lane] & mask

    return run


def _store_many(access: Access, slots: tuple[int, ...]) -> Run:
    base, offset, size, index, total = access.base, access.offset, access.size, access.index, access.total
    k, mask = size.bit_length() - 1, (1 << 8 * size) - 1

    def run(w: Warp, lanes: Sequence[int], m: int) -> None:
        column, space = w.R[base], w.spaces[index]
        sources = [w.R[slot] for slot in slots]
        for lane in lanes:
            at = column[lane] + offset & M64
            _, _, views, start = space.locate(at, total, lane, True)
            first = (at - start) >> k
            view = views[k]
            for element, source in enumerate(sources):
                view[first + element] = source[lane] & mask

    return run


def _store_events(access: Access, slots: tuple[int, ...], instr: Instr) -> Run:
    base, offset, size, space = access.base, access.offset, access.size, access.space
    mask, ordinal = (1 << 8 * size) - 1, instr.ordinal

    def run(w: Warp, lanes: Sequence[int], m: int) -> None:
        column, events = w.R[base], w.events
        for lane in lanes:
            at, place = column[lane] + offset & M64, space
            if space == "generic":
                place, at = split_generic(at)
            if place == "local":  # no event: where it lies is each implementation's own affair
                continue
            for element, slot in enumerate(slots):
                value = w.R[slot][lane] & mask
                events.append(
                    (EventKind.STORE, w.thread0 + lane, ordinal, f"{place}:{size}", value, at + element * size)
                )

    return run


def _nothing(b: Builder, instr: Instr) -> Step:
    """prefetch and its like: hints without an effect that can be seen."""

    def run(w: Warp, lanes: Sequence[int], m: int) -> None:
        return None

    return Step(run)


OPS: Mapping[str, Callable[[Builder, Instr], Step]] = {
    "ld": _ld,
    "ldu": _ld,
    "st": _st,
    "prefetch": _nothing,
    "prefetchu": _nothing,
    "applypriority": _nothing,
    "discard": _nothing,
    "nanosleep": _nothing,
    "pmevent": _nothing,
}
"""Opcode -> decoder."""
