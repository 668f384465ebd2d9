"""Operations among the lanes of a warp (PTX ISA, "shfl.sync", "vote.sync", "match.sync", ...)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from oracles.api import EventKind, FaultKind
from oracles.ptx.builder import Builder
from oracles.ptx.errors import KernelFault, Unsupported
from oracles.ptx.lanes import lanes_of
from oracles.ptx.ops.guards import guard_of
from oracles.ptx.origins import Origin
from oracles.ptx.reader.syntax import Instr, Operand, Pair
from oracles.ptx.step import Step
from oracles.ptx.types import B32, PRED, TYPES, U32, Type
from oracles.ptx.warp import Warp

Values = dict[int, int]
"""Lane -> value."""


class WarpOp:
    """A decoded warp-synchronous operation: waits until every lane of its mask is at one of its kind.

    Two instructions meet if their ``name`` (opcode with qualifiers) and member masks are equal.
    """

    def __init__(self, b: Builder, instr: Instr, member: Operand, places: list[tuple[int, str | None]]) -> None:
        self.instr = instr
        self.name = instr.opcode
        self.member = b.source(instr, member, B32)
        self.places = places
        self.events = b.mode.events
        self.check = b.mode.check
        self.pc = b.pc
        b.warp_ops[b.pc] = self

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WarpOp) and other.name == self.name

    # -- what an operation is ----------------------------------------------------------------------

    def sources(self) -> tuple[int, ...]:
        """Slots of the operands that every participant gives."""
        raise NotImplementedError  # pragma: no cover - abstract

    def results(self, w: Warp, lane: int, given: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
        """Values of the destinations in a lane, from what all lanes gave."""
        raise NotImplementedError  # pragma: no cover - abstract

    def origins(
        self, w: Warp, lane: int, given: Mapping[int, tuple[int, ...]], undefined: Mapping[int, Origin]
    ) -> Origin | None:
        """Why the result in a lane is undefined: by default, because any lane's operand is."""
        return next(iter(undefined.values()), None)

    # -- meeting -----------------------------------------------------------------------------------

    def arrive(self, w: Warp, mask: int) -> int:
        """Lanes get here. Returns those that can go on at once."""
        groups: dict[int, int] = {}
        column = w.R[self.member]
        for lane in lanes_of(mask):
            groups[column[lane]] = groups.get(column[lane], 0) | 1 << lane
        if self.check and w.T[self.member] & mask:
            w.used(self.member, mask, "it is a member mask", self.instr)
        done = 0
        for members, group in groups.items():
            if group & ~members:
                lane = lanes_of(group & ~members)[0]
                raise KernelFault(
                    FaultKind.CONVERGENCE, f"lane {lane} is not in its own member mask 0x{members:x}", lane=lane
                )
            if group == members & w.alive:
                self.complete(w, {self.pc: group})
                done |= group
            else:
                parts = w.waiting.setdefault((self, members), {})
                parts[self.pc] = parts.get(self.pc, 0) | group
        if done != mask:
            w.release_waiting()
        return done

    def complete(self, w: Warp, parts: Mapping[int, int]) -> None:
        """All participants are there: ``parts`` maps each instruction's index to its lanes."""
        ops = w.grid.program.warp_ops
        given: dict[int, tuple[int, ...]] = {}
        undefined: dict[int, Origin] = {}
        for pc, mask in parts.items():
            columns = [w.R[slot] for slot in ops[pc].sources()]
            for lane in lanes_of(mask):
                given[lane] = tuple(column[lane] for column in columns)
            if self.check:
                for slot in ops[pc].sources():
                    for lane in lanes_of(w.T[slot] & mask):
                        undefined[lane] = w.origin_of(slot, lane, ops[pc].instr)
        outcomes = [
            (ops[pc], lane, ops[pc].results(w, lane, given))
            for pc, mask in parts.items()
            for lane in lanes_of(mask)
        ]
        why = {}
        if self.check:
            for op, lane, _ in outcomes:
                origin = op.origins(w, lane, given, undefined)
                if origin is not None:
                    why[lane] = origin
            self.order_memory(w, tuple(given))
        for op, lane, values in outcomes:
            op.write(w, lane, values, why.get(lane))

    def order_memory(self, w: Warp, lanes: Sequence[int]) -> None:
        """Only bar.warp.sync orders memory."""

    def write(self, w: Warp, lane: int, values: tuple[int, ...], origin: Origin | None) -> None:
        """Write the destinations of one lane."""
        for (slot, name), value in zip(self.places, values, strict=True):
            w.R[slot][lane] = value
            w.T[slot] &= ~(1 << lane)
            if self.events and name is not None:
                w.events.append((EventKind.REGISTER, w.thread0 + lane, self.instr.ordinal, name, value, 0))
        if origin is not None:
            w.undefine([slot for slot, _ in self.places], {lane: origin})
            w.checker.met(origin, w.thread0 + lane)

    def step(self, b: Builder) -> Step:
        """The step that runs it."""
        taken, pc = guard_of(b, self.instr), self.pc

        def run(w: Warp, lanes: Sequence[int], m: int) -> Any:
            yes = taken(w, lanes, m) if taken is not None else m
            if not yes:
                return None
            go_on = self.arrive(w, yes) | m & ~yes
            if go_on == m:
                return None
            return [(pc + 1, go_on)] if go_on else []

        return Step(run, control=True)


class _Sync(WarpOp):
    """bar.warp.sync."""

    def sources(self) -> tuple[int, ...]:
        return ()

    def results(self, w: Warp, lane: int, given: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
        return ()

    def order_memory(self, w: Warp, lanes: Sequence[int]) -> None:
        threads = [w.thread0 + lane for lane in lanes]
        w.checker.races.barrier(threads, threads)


def sync_warp(b: Builder, instr: Instr) -> Step:
    """bar.warp.sync."""
    if instr.op != "bar" or instr.mods != ("warp", "sync"):
        b.bad(instr, "write bar.warp.sync")
    (member,) = b.operands(instr, 1)
    return _Sync(b, instr, member, []).step(b)


class _Shuffle(WarpOp):
    """shfl.sync: a value from the lane that the mode, b and c name; out of its segment, the own one."""

    def __init__(self, b: Builder, instr: Instr) -> None:
        if len(instr.mods) != 3 or instr.mods[0] != "sync" or instr.mods[2] != "b32":
            b.bad(instr, "write shfl.sync.MODE.b32; shfl without .sync is gone since sm_70")
        self.mode = instr.mods[1]
        if self.mode not in ("up", "down", "bfly", "idx"):
            b.bad(instr, "shfl.sync has the modes .up, .down, .bfly and .idx")
        d, a, lane, control, member = b.operands(instr, 5)
        target, predicate = (d.first, d.second) if isinstance(d, Pair) else (d, None)
        places = [b.destination(instr, target, B32)]
        if predicate is not None:
            places.append(b.destination(instr, predicate, PRED))
        super().__init__(b, instr, member, places)
        self.slots = (
            b.source(instr, a, B32),
            b.source(instr, lane, U32),
            b.source(instr, control, U32),
        )
        self.width = b.mode.warp_size
        self.inactive = "the shuffle reads a lane that does not take part, which leaves the value open"

    def sources(self) -> tuple[int, ...]:
        return self.slots

    def _from(self, lane: int, b: int, c: int) -> tuple[int, bool]:
        """(source lane, in range) as the PTX ISA's pseudocode has it, for a warp of ``width`` lanes."""
        top = self.width - 1
        b, clamp, segment = b & 31, c & top, c >> 8 & top
        most = lane & segment | clamp & ~segment
        least = lane & segment
        if self.mode == "up":
            source = lane - b
            inside = source >= most
        elif self.mode == "down":
            source = lane + b
            inside = source <= most
        elif self.mode == "bfly":
            source = lane ^ b
            inside = source <= most
        else:
            source = least | b & ~segment & top
            inside = source <= most
        return (source if inside else lane), inside

    def results(self, w: Warp, lane: int, given: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
        _, b, c = given[lane]
        source, inside = self._from(lane, b, c)
        # What a lane outside the operation would give is open; here it is what its register holds.
        value = given[source][0] if source in given else w.R[self.slots[0]][source]
        return (value, int(inside))[: len(self.places)]

    def origins(
        self, w: Warp, lane: int, given: Mapping[int, tuple[int, ...]], undefined: Mapping[int, Origin]
    ) -> Origin | None:
        _, b, c = given[lane]
        source, _ = self._from(lane, b, c)
        if source not in given:
            return w.checker.open_values(w, [lane], self.inactive, self.instr)[lane]
        for slot in self.slots[1:]:
            if w.T[slot] >> lane & 1:
                return w.origin_of(slot, lane, self.instr)
        return undefined.get(source)


class _Vote(WarpOp):
    """vote.sync.all, .any, .uni, .ballot."""

    def __init__(self, b: Builder, instr: Instr) -> None:
        mods = instr.mods
        kinds = {"all": "pred", "any": "pred", "uni": "pred", "ballot": "b32"}
        if len(mods) != 3 or mods[0] != "sync" or kinds.get(mods[1]) != mods[2]:
            b.bad(instr, "write vote.sync.all.pred, .any.pred, .uni.pred or .ballot.b32")
        d, predicate, member = b.operands(instr, 3)
        places = [b.destination(instr, d, TYPES[mods[2]])]
        super().__init__(b, instr, member, places)
        self.kind = mods[1]
        self.slot, self.negated = b.condition(instr, predicate)

    def sources(self) -> tuple[int, ...]:
        return (self.slot,)

    def results(self, w: Warp, lane: int, given: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
        flip = int(self.negated)
        votes = {at: values[0] ^ flip for at, values in given.items()}
        if self.kind == "ballot":
            return (sum(vote << at for at, vote in votes.items()),)
        if self.kind == "all":
            return (int(all(votes.values())),)
        if self.kind == "any":
            return (int(any(votes.values())),)
        return (int(len(set(votes.values())) == 1),)


class _Match(WarpOp):
    """match.any.sync, match.all.sync."""

    def __init__(self, b: Builder, instr: Instr) -> None:
        mods = instr.mods
        if (
            len(mods) != 3
            or mods[0] not in ("any", "all")
            or mods[1] != "sync"
            or mods[2] not in ("b32", "b64")
        ):
            b.bad(instr, "write match.any.sync.b32 or match.all.sync.b32 (or .b64)")
        self.any = mods[0] == "any"
        d, a, member = b.operands(instr, 3)
        target, predicate = (d.first, d.second) if isinstance(d, Pair) else (d, None)
        if predicate is not None and self.any:
            b.bad(instr, "match.any has one destination")
        places = [b.destination(instr, target, B32)]
        if predicate is not None:
            places.append(b.destination(instr, predicate, PRED))
        super().__init__(b, instr, member, places)
        self.slot = b.source(instr, a, TYPES[mods[2]])

    def sources(self) -> tuple[int, ...]:
        return (self.slot,)

    def results(self, w: Warp, lane: int, given: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
        mine = given[lane]
        same = sum(1 << at for at, values in given.items() if values == mine)
        if self.any:
            return (same,)
        everyone = sum(1 << at for at in given)
        return (same if same == everyone else 0, int(same == everyone))[: len(self.places)]


class _Elect(WarpOp):
    """elect.sync: one lane of the mask, here the lowest."""

    def __init__(self, b: Builder, instr: Instr) -> None:
        d, member = b.operands(instr, 2)
        if instr.mods != ("sync",) or not isinstance(d, Pair):
            b.bad(instr, "write elect.sync d|p, mask")
        places = [b.destination(instr, d.first, B32), b.destination(instr, d.second, PRED)]
        super().__init__(b, instr, member, places)

    def sources(self) -> tuple[int, ...]:
        return ()

    def results(self, w: Warp, lane: int, given: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
        leader = min(given)
        return leader, int(lane == leader)


_REDUCTIONS: Mapping[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "min": min,
    "max": max,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


class _Reduce(WarpOp):
    """redux.sync: one value out of all lanes' values."""

    def __init__(self, b: Builder, instr: Instr) -> None:
        mods = instr.mods
        if len(mods) != 3 or mods[0] != "sync" or mods[1] not in _REDUCTIONS:
            raise Unsupported(b.no(instr, "only redux.sync of integers is supported", "reduce with shfl.sync"))
        self.type: Type = b.type_of(instr, -1, "u32 s32" if mods[1] in ("add", "min", "max") else "b32")
        self.function = _REDUCTIONS[mods[1]]
        d, a, member = b.operands(instr, 3)
        super().__init__(b, instr, member, [b.destination(instr, d, self.type)])
        self.slot = b.source(instr, a, self.type)

    def sources(self) -> tuple[int, ...]:
        return (self.slot,)

    def results(self, w: Warp, lane: int, given: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
        sign = self.type.sign if self.type.signed else 0
        values = [(v[0] ^ sign) - sign for v in given.values()]
        total = values[0]
        for value in values[1:]:
            total = self.function(total, value)
        return (total & self.type.mask,)


def _decoder(kind: Callable[[Builder, Instr], WarpOp]) -> Callable[[Builder, Instr], Step]:
    return lambda b, instr: kind(b, instr).step(b)


def _activemask(b: Builder, instr: Instr) -> Step:
    b.type_of(instr, -1, "b32")
    (d,) = b.operands(instr, 1)
    place = b.destination(instr, d, B32)
    slot = place[0]

    def run(w: Warp, lanes: Sequence[int], m: int) -> None:
        column = w.R[slot]
        for lane in lanes:
            column[lane] = m

    return b.step(run, (), [place])


OPS: Mapping[str, Callable[[Builder, Instr], Step]] = {
    "shfl": _decoder(_Shuffle),
    "vote": _decoder(_Vote),
    "match": _decoder(_Match),
    "elect": _decoder(_Elect),
    "redux": _decoder(_Reduce),
    "activemask": _activemask,
}
"""Opcode -> decoder."""
