"""Atomics (PTX ISA, "atom", "red")."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from oracles.api import EventKind
from oracles.ptx.access import Access
from oracles.ptx.builder import Builder
from oracles.ptx.loops import Run
from oracles.ptx.memory import M64, split_generic
from oracles.ptx.ops.memory import address
from oracles.ptx.origins import Origin
from oracles.ptx.reader.syntax import Instr
from oracles.ptx.step import Step
from oracles.ptx.types import Type, to_signed
from oracles.ptx.warp import Warp

New = Callable[[int, int, int], int]
"""(old, b, c) -> new, unsigned values of the type's width."""

_ALLOWED = {
    "add": "u32 s32 u64 s64",
    "min": "u32 s32 u64 s64",
    "max": "u32 s32 u64 s64",
    "and": "b32 b64",
    "or": "b32 b64",
    "xor": "b32 b64",
    "exch": "b32 b64",
    "cas": "b16 b32 b64",
    "inc": "u32",
    "dec": "u32",
}


def _operation(name: str, t: Type) -> New:
    bits, mask = t.bits, t.mask

    def value(x: int) -> int:
        return to_signed(x, bits) if t.signed else x

    functions: dict[str, New] = {
        "add": lambda old, b, c: (old + b) & mask,
        "min": lambda old, b, c: old if value(old) <= value(b) else b,
        "max": lambda old, b, c: old if value(old) >= value(b) else b,
        "and": lambda old, b, c: old & b,
        "or": lambda old, b, c: old | b,
        "xor": lambda old, b, c: old ^ b,
        "exch": lambda old, b, c: b,
        "cas": lambda old, b, c: c if old == b else old,
        "inc": lambda old, b, c: 0 if old >= b else old + 1,
        "dec": lambda old, b, c: b if old == 0 or old > b else old - 1,
    }
    return functions[name]


def _build(b: Builder, instr: Instr) -> Step:
    name = next((m for m in instr.mods if m in _ALLOWED), "")
    if not name or (instr.op == "red" and name in ("exch", "cas")):
        b.bad(instr, f"{instr.op} needs one of the operations .{', .'.join(_ALLOWED)}")
    t = b.type_of(instr, -1, _ALLOWED[name])
    result = instr.op == "atom"
    values = 2 if name == "cas" else 1
    need = values + 1 + result
    operands = b.operands(instr, need, need + ("L2::cache_hint" in instr.mods))
    access = address(b, instr, operands[int(result)], t, 1, known=(name, "noftz"))
    if access.space not in ("global", "shared", "generic"):
        b.bad(instr, f"{instr.op} works on global and shared memory, not on .{access.space}")
    # Without an order an atomic is relaxed, and its scope is the GPU: strong in any case.
    access = Access(
        access.space,
        access.base,
        access.offset,
        access.size,
        1,
        1 if "cta" in instr.mods else 2,
        access.acquire,
        access.release,
    )
    places = [b.destination(instr, operands[0], t)] if result else []
    slots = [b.source(instr, o, t) for o in operands[1 + result : 1 + result + values]]
    target = places[0][0] if places else None
    run = _run(access, target, (slots[0], slots[-1]), _operation(name, t), _Event(b, instr, name, t.size))

    def before(w: Warp, lanes: Sequence[int], m: int) -> dict[int, Origin]:
        return w.checker.atomic(w, lanes, instr, access)

    sinks = [(access.base, "it is used as an address"), *((slot, "it is stored") for slot in slots)]
    reads = (access.base, *slots)
    return b.step(run, reads, places, sinks=tuple(sinks), before=before, ordered=True)


class _Event:
    """How to record an atomic, if events are wanted."""

    def __init__(self, b: Builder, instr: Instr, name: str, size: int) -> None:
        self.wanted = b.mode.events
        self.ordinal = instr.ordinal
        self.suffix = f"{name}:{size}"

    def record(self, w: Warp, lane: int, space: str, at: int, value: int) -> None:
        """Append one event."""
        if space == "generic":
            space, at = split_generic(at)
        w.events.append((EventKind.ATOMIC, w.thread0 + lane, self.ordinal, f"{space}:{self.suffix}", value, at))


def _run(access: Access, target: int | None, slots: tuple[int, int], new: New, event: _Event) -> Run:
    base, offset, size, index = access.base, access.offset, access.size, access.index
    k, odd, wanted = size.bit_length() - 1, size - 1, event.wanted
    first, second = slots

    def run(w: Warp, lanes: Sequence[int], m: int) -> None:
        column, space = w.R[base], w.spaces[index]
        b, c = w.R[first], w.R[second]
        result = w.R[target] if target is not None else None
        low, last, views, start = space.recent[k]
        view = views[k]
        for lane in lanes:
            at = column[lane] + offset
            if at < low or at > last or at & odd:
                low, last, views, start = space.locate(at, size, lane, True)
                view = views[k]
                at &= M64
            where = (at - start) >> k
            old = view[where]
            value = view[where] = new(old, b[lane], c[lane])
            if wanted:
                event.record(w, lane, access.space, at, value)
            if result is not None:
                result[lane] = old

    return run


OPS: Mapping[str, Callable[[Builder, Instr], Step]] = {"atom": _build, "red": _build}
"""Opcode -> decoder."""
