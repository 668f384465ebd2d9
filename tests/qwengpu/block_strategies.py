"""Hypothesis strategies for legal machine blocks, and specs that exercise the derived numbers."""

from __future__ import annotations

from hypothesis import strategies as st

from qwengpu.encode import ADDRESS_MODS, INS_WIDTHS, STORE_WIDTHS, USED_MODS, bus_size
from qwengpu.isa import (
    EXIT,
    Block,
    Const,
    LiveOut,
    Mod,
    Next,
    NextKind,
    Op,
    ShflMode,
    Slot,
    Space,
    Store,
    Width,
    bus_slot,
)
from qwengpu.spec import SEED, WIDE, Spec

ODD = Spec(
    "odd",
    lanes=2,
    registers=8,
    warps=1,
    blocks=2,
    memory_words=9,
    const_rows=17,
    payload_bits=5,
    read_ports=3,
    const_ports=1,
    live_outs=2,
    levels=("a", "l", "mx"),
)
SPECS = (SEED, WIDE, ODD)

specs = st.sampled_from(SPECS)


def _mods(names: tuple[str, ...], widths: tuple[Width, ...]) -> st.SearchStrategy[Mod]:
    choices: dict[str, st.SearchStrategy[object]] = {
        "scale": st.integers(0, 3),
        "signed": st.booleans(),
        "width": st.sampled_from(widths),
        "space": st.sampled_from(Space),
        "align": st.integers(0, 7),
        "shfl": st.sampled_from(ShflMode),
    }
    return st.builds(Mod, **{name: choices[name] for name in names})


@st.composite
def slots(draw: st.DrawFn, spec: Spec, number: int) -> Slot | None:
    """A legal slot, idle in one case of four; fields that its operation does not use are drawn too."""
    if draw(st.integers(0, 3)) == 0:
        return None
    kind = spec.slot_kinds[number]
    op = draw(st.sampled_from([op for op in Op if kind in op.kinds]))
    earlier = bus_slot(spec, spec.slot_levels.index(spec.slot_levels[number]))
    a, b, c = (draw(st.integers(0, earlier - 1)) for _ in range(3))
    widths = INS_WIDTHS if op is Op.INS else tuple(Width)
    return Slot(op, a, b, c, draw(_mods(USED_MODS.get(op, ()), widths)))


@st.composite
def blocks(draw: st.DrawFn, spec: Spec) -> Block:
    """A legal block."""
    bus = st.integers(0, bus_size(spec) - 1)
    target = st.integers(0, spec.blocks - 1) | st.just(EXIT)
    rows = st.integers(0, spec.registers - 1)
    const = st.builds(Const, st.integers(0, 2**32 - 1)) | st.builds(
        Const, st.integers(0, spec.const_rows - 1), st.just(True)
    )
    store = st.builds(Store, bus, bus, bus, bus, _mods(ADDRESS_MODS, STORE_WIDTHS))
    return Block(
        reads=tuple(draw(st.lists(rows, max_size=spec.read_ports))),
        consts=tuple(draw(st.lists(const, max_size=spec.const_ports))),
        slots=tuple(draw(slots(spec, number)) for number in range(len(spec.slot_kinds))),
        outs=tuple(
            draw(st.lists(st.builds(LiveOut, st.integers(1, spec.registers - 1), bus), max_size=spec.live_outs))
        ),
        store=draw(st.none() | store),
        next=draw(st.builds(Next, st.sampled_from(NextKind), target, target, bus)),
        sync=draw(st.none() | bus),
        serial=draw(st.booleans()),
    )
