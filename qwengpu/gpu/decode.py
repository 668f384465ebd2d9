"""Fields of the block -> control wires: what every unit does for the block in execution. One level."""

from __future__ import annotations

from dataclasses import dataclass

from qwengpu.circuits import Circuit, Form, Linear, Wire, form, row_select, total
from qwengpu.encode import bus_size
from qwengpu.gpu.rom import Fields
from qwengpu.isa import NextKind, bus_slot
from qwengpu.spec import Spec


@dataclass(frozen=True)
class NextControl:
    """How the block ends. ``cond[k]``: the condition is bus entry k (BRANCH only)."""

    branch: Wire
    barrier: Wire
    trap: Wire
    cond: tuple[Linear, ...]
    taken: tuple[Wire, ...]
    other: tuple[Wire, ...]


@dataclass(frozen=True)
class Control:
    """Control wires that belong to no unit alone.

    ``operand[slot][name][k]``: operand ``name`` of a slot is bus entry k (loads: see `addresses`).
    ``out_used[s]``, ``out[s][k]``: out s exists, comes from entry k. ``sync[k]`` likewise, all 0 without sync.
    """

    operand: tuple[dict[str, tuple[Linear, ...]], ...]
    out_used: tuple[Wire, ...]
    out: tuple[tuple[Linear, ...], ...]
    sync_used: Wire
    sync: tuple[Linear, ...]
    next: NextControl


def make_control(c: Circuit, spec: Spec, block: Fields) -> Control:
    """One level behind the ROM."""
    bus = bus_size(spec)
    operand = []
    for slot, (kind, level) in enumerate(zip(spec.slot_kinds, spec.slot_levels, strict=True)):
        count = bus_slot(spec, spec.slot_levels.index(level))
        names = "" if kind == "l" else "abc"
        with c.scope(f"slot{slot}"):
            operand.append({name: block.selects(f"slot{slot}.{name}", count, name) for name in names})
    with c.scope("control"):
        kinds = {
            kind: block.equals("next.kind", [int(kind)], kind.name.lower())
            for kind in (NextKind.BRANCH, NextKind.BARRIER, NextKind.TRAP)
        }
        is_branch = row_select(block["next.kind"], NextKind.BRANCH)
        return Control(
            operand=tuple(operand),
            out_used=tuple(block.flag(f"out{out}.used") for out in range(spec.live_outs)),
            out=tuple(block.selects(f"out{out}.source", bus, f"out{out}") for out in range(spec.live_outs)),
            sync_used=block.flag("sync.used"),
            sync=block.selects("sync", bus, "sync", block.flag("sync.used")),
            next=NextControl(
                kinds[NextKind.BRANCH],
                kinds[NextKind.BARRIER],
                kinds[NextKind.TRAP],
                block.selects("next.cond", bus, "cond", is_branch),
                block["next.taken"],
                block["next.other"],
            ),
        )


@dataclass(frozen=True)
class Lanes:
    """The active lanes of the current warp.

    ``active[l]``; ``first[l]``: the lowest active one; ``neighbours[l][p]``: p is the active lane before l.
    """

    active: tuple[Wire, ...]
    first: tuple[Wire, ...]
    neighbours: tuple[tuple[Wire, ...], ...]


def make_lanes(c: Circuit, active: tuple[Wire, ...]) -> Lanes:
    """One level behind the masks."""

    def between(p: int, lane: int) -> Form:
        return form(active[p]) + active[lane] - 1 - total(active[p + 1 : lane])

    with c.scope("lanes"):
        return Lanes(
            active,
            tuple(
                c.bit([(1, form(one) - total(active[:lane]), 1)], f"first.{lane}")
                for lane, one in enumerate(active)
            ),
            tuple(
                tuple(c.bit([(1, between(p, lane), 1)], f"before.{lane}.{p}") for p in range(lane))
                for lane in range(len(active))
            ),
        )
