"""Registers and constants: one memory a lane, read ports that are the first entries of the bus.

Layer 2. A lane's registers are a memory of their own because VAL writes some lanes only.
"""

from __future__ import annotations

from dataclasses import dataclass

from qwengpu.circuits import Address, Circuit, Form, Linear, Wire, form, onehot_address, row_select
from qwengpu.gpu.digits import Collector, Digits
from qwengpu.gpu.features import written_rows
from qwengpu.gpu.front import Front
from qwengpu.gpu.rom import Fields
from qwengpu.isa import ConstRow
from qwengpu.spec import WORD_BITS, Spec
from qwengpu.tokens import Kind

TID_ROWS = 3


@dataclass(frozen=True)
class Bus:
    """What the slots read: ``entries[lane][k]``, entry 0 is zero; later levels append to each lane."""

    entries: tuple[tuple[Digits | None, ...], ...]

    def extended(self, results: list[list[Digits]]) -> Bus:
        """With more entries, ``results[lane]``."""
        return Bus(tuple((*old, *new) for old, new in zip(self.entries, results, strict=True)))


def make_masks(c: Circuit, spec: Spec, front: Front) -> tuple[Wire, ...]:
    """The mask of the current warp: which of its lanes are active. Layer 1."""
    memory = c.memory("masks", spec.warps, spec.lanes)
    memory.write(front.features.warp, front.features.mask, front.features.sets_mask)
    memory.reset(front.reset)
    return memory.read(front.current.warp, "active").word()


def make_bus(
    c: Circuit,
    spec: Spec,
    front: Front,
    block: Fields,
    active: tuple[Wire, ...],
    collector: Collector,
) -> Bus:
    """The bus with its register and constant ports."""
    lanes: list[tuple[Digits | None, ...]] = []
    row = _written_row(c, spec, front, block)
    for lane in range(spec.lanes):
        with c.scope(f"lane{lane}"):
            registers = _registers(c, spec, front, block, lane, row, active, collector)
            constants = _constants(c, spec, front, block, lane, collector)
        lanes.append((None, *registers, *constants))
    return Bus(tuple(lanes))


def _written_row(c: Circuit, spec: Spec, front: Front, block: Fields) -> tuple[Wire, ...]:
    """The register row that a VAL token writes: that of its out."""
    outs = front.features.val_out
    rows = [block[f"out{out}.row"] for out in range(spec.live_outs)]
    return tuple(
        c.bit([(1, one, row[place]) for one, row in zip(outs, rows, strict=True)], f"written_row.{place}")
        for place in range(len(rows[0]))
    )


def _registers(
    c: Circuit,
    spec: Spec,
    front: Front,
    block: Fields,
    lane: int,
    row: tuple[Wire, ...],
    active: tuple[Wire, ...],
    collector: Collector,
) -> list[Digits]:
    f = front.features
    memory = c.memory("registers", spec.warps * spec.registers, WORD_BITS)
    # VAL of this lane, or of all lanes while this one is active.
    enable = form(f.val_lane[lane]) * 2 + f.val_all + active[lane] - 1
    memory.write((*row, *front.current.warp), front.value, enable)
    memory.reset(front.restart)
    ports = []
    for port in range(spec.read_ports):
        found = memory.read((*block[f"read{port}"], *front.current.warp), f"R{port}.port")
        ports.append(collector.digits([[raw] for raw in found.columns], f"R{port}"))
    return ports


class _ConstantRows:
    """Rows of a lane's constant memory: the bank's rows that can be written, then tid.x/y/z of each warp."""

    def __init__(self, spec: Spec, warp: tuple[Wire, ...]) -> None:
        self.common = written_rows(spec)
        self.spec = spec
        self.warp = warp

    def read(self, index: tuple[Wire, ...], enable: Linear) -> Address:
        """Row ``index`` of the bank, for the current warp."""
        tids = [
            row_select((*index, *self.warp), dim | warp << len(index), enable)
            for warp in range(self.spec.warps)
            for dim in range(TID_ROWS)
        ]
        return onehot_address([*(row_select(index, row, enable) for row in self.common), *tids])

    def write(self, front: Front) -> Address:
        """The row that a SET token's destination names."""
        target = front.target
        tids = [
            row_select((*target.tid_dim, *target.tid_warp), dim | warp << 2, target.is_tid)
            for warp in range(self.spec.warps)
            for dim in range(TID_ROWS)
        ]
        consts = [row_select(target.const_row, row, target.is_const) for row in self.common]
        return onehot_address([*consts, *tids])


def _constants(
    c: Circuit, spec: Spec, front: Front, block: Fields, lane: int, collector: Collector
) -> list[Digits]:
    """The constant ports: a literal, a row of the bank, the lane's or the warp's number.

    A row that the port does not read gives zeros, a literal gated by NOT is-row gives zeros for a row, so
    their sum is the port.
    """
    target, warp = front.target, front.current.warp
    rows = _ConstantRows(spec, warp)
    memory = c.memory("constants", len(rows.common) + TID_ROWS * spec.warps, WORD_BITS)
    # SET of a constant row (every lane), or of this lane's tid.
    mine = row_select(target.tid_lane, lane, target.is_tid)
    either = mine + form(target.is_const) * (1 - mine.lo)
    enable = either + (form(front.features.kind[Kind.SET]) - 1) * either.hi
    memory.write(rows.write(front), front.value, enable)
    memory.reset(front.reset)
    ports = []
    for port in range(spec.const_ports):
        is_row, value = block.flag(f"const{port}.row"), block[f"const{port}.value"]
        index = value[: (spec.const_rows - 1).bit_length()]
        found = memory.read(rows.read(index, is_row), f"C{port}.port")
        wired = _wired(spec, index, is_row, lane, warp)
        columns = []
        for place in range(WORD_BITS):
            literal = c.unit(form(value[place]) - is_row, 0, f"C{port}.literal.{place}")
            own = [c.unit(one, 0, f"C{port}.wired.{place}") for one in wired.get(place, [])]
            columns.append([found[place], literal, *own])
        ports.append(collector.digits(columns, f"C{port}"))
    return ports


def _wired(
    spec: Spec, index: tuple[Wire, ...], is_row: Wire, lane: int, warp: tuple[Wire, ...]
) -> dict[int, list[Form]]:
    """Bits of the wired rows, lane number and warp number."""
    bits: dict[int, list[Form]] = {}
    for place in range((spec.lanes - 1).bit_length()):
        if lane >> place & 1:
            bits.setdefault(place, []).append(row_select(index, ConstRow.LANEID, is_row))
    for place, bit in enumerate(warp):
        bits.setdefault(place, []).append(row_select(index, ConstRow.WARPID, is_row) + bit - 1)
    return bits
