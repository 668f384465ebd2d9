"""Registers and constants: one memory a lane, read ports that are the first entries of the bus.

Layer 2. A lane's registers are a memory of their own because VAL writes some lanes only.
"""

from __future__ import annotations

from dataclasses import dataclass

from qwengpu.circuits import Circuit, Form, Linear, Wire, form, onehot_address, row_select, total
from qwengpu.gpu.digits import Collector, Digits
from qwengpu.gpu.features import index_bits, written_rows
from qwengpu.gpu.front import Front
from qwengpu.gpu.rom import Fields
from qwengpu.gpu.rows import both, decoded
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
    memory.write(onehot_address(front.features.warp), front.features.mask, front.features.sets_mask)
    memory.reset(front.reset)
    return memory.read(onehot_address(front.current.warp), "active").word()


def make_bus(
    c: Circuit, spec: Spec, front: Front, block: Fields, active: tuple[Wire, ...], collector: Collector
) -> Bus:
    """The bus with its register and constant ports."""
    registers = _RegisterRows(c, spec, front, block)
    constants = _ConstantRows(c, spec, front, block)
    lanes: list[tuple[Digits | None, ...]] = []
    for lane in range(spec.lanes):
        with c.scope(f"lane{lane}"):
            found = _registers(c, spec, front, lane, registers, active, collector)
            found += _constants(c, spec, front, block, lane, constants, collector)
        lanes.append((None, *found))
    return Bus(tuple(lanes))


class _RegisterRows:
    """Row ``row + registers * warp`` of a lane's memory, for the write and each read port. One level."""

    def __init__(self, c: Circuit, spec: Spec, front: Front, block: Fields) -> None:
        warps = front.current.warp
        outs = list(enumerate(front.features.val_out))
        written = [
            c.bit(
                [(1, row_select(block[f"out{out}.row"], row, one), 1) for out, one in outs],
                f"written_row.{row}",
            )
            for row in range(spec.registers)
        ]
        self.write = onehot_address([both(one, warp) for warp in warps for one in written])
        self.reads = []
        for port in range(spec.read_ports):
            rows = decoded(c, block[f"read{port}"], spec.registers, f"R{port}.row")
            self.reads.append(onehot_address([both(one, warp) for warp in warps for one in rows]))


def _registers(
    c: Circuit,
    spec: Spec,
    front: Front,
    lane: int,
    rows: _RegisterRows,
    active: tuple[Wire, ...],
    collector: Collector,
) -> list[Digits]:
    f = front.features
    memory = c.memory("registers", spec.warps * spec.registers, WORD_BITS)
    # VAL of this lane, or of all lanes while this one is active.
    enable = form(f.val_lane[lane]) * 2 + f.val_all + active[lane] - 1
    memory.write(rows.write, front.value, enable)
    memory.reset(front.restart)
    ports = []
    for port, where in enumerate(rows.reads):
        found = memory.read(where, f"R{port}.port")
        ports.append(collector.digits([[raw] for raw in found.columns], f"R{port}"))
    return ports


class _ConstantRows:
    """Rows of a lane's constant memory: the bank's rows that can be written, then tid.x/y/z of each warp.

    One level: behind the latches for the write, behind the ROM for the ports.
    """

    def __init__(self, c: Circuit, spec: Spec, front: Front, block: Fields) -> None:
        common, target = written_rows(spec), front.target
        self.count = len(common) + TID_ROWS * spec.warps

        def row(bits: tuple[Wire, ...], number: int, on: Linear, name: str) -> Wire:
            return c.bit([(1, row_select(bits, number, on), 1)], f"{name}.{number}")

        tids = (*target.tid_dim, *target.tid_warp)
        self.write = onehot_address(
            [
                *(row(target.const_row, number, target.is_const, "const_row") for number in common),
                *(
                    row(tids, dim | warp << len(target.tid_dim), target.is_tid, "tid_row")
                    for warp in range(spec.warps)
                    for dim in range(TID_ROWS)
                ),
            ]
        )
        self.reads = []
        for port in range(spec.const_ports):
            index = block[f"const{port}.value"][: index_bits(spec.const_rows)]
            is_row = block.flag(f"const{port}.row")
            rows = {n: row(index, n, is_row, f"C{port}.row") for n in (*range(TID_ROWS), *common)}
            dims = [both(rows[dim], warp) for warp in front.current.warp for dim in range(TID_ROWS)]
            self.reads.append(onehot_address([*(rows[number] for number in common), *dims]))


def _constants(
    c: Circuit,
    spec: Spec,
    front: Front,
    block: Fields,
    lane: int,
    rows: _ConstantRows,
    collector: Collector,
) -> list[Digits]:
    """The constant ports: a literal, a row of the bank, the lane's or the warp's number.

    A row that the port does not read gives zeros, a literal gated by NOT is-row gives zeros for a row, so
    their sum is the port.
    """
    target = front.target
    memory = c.memory("constants", rows.count, WORD_BITS)
    # SET of a constant row (every lane), or of this lane's tid.
    mine = row_select(target.tid_lane, lane, target.is_tid)
    either = mine + form(target.is_const) * (1 - mine.lo)
    enable = either + (form(front.features.kind[Kind.SET]) - 1) * either.hi
    memory.write(rows.write, front.value, enable)
    memory.reset(front.reset)
    ports = []
    for port, where in enumerate(rows.reads):
        is_row, value = block.flag(f"const{port}.row"), block[f"const{port}.value"]
        found = memory.read(where, f"C{port}.port")
        wired = _wired(spec, value[: index_bits(spec.const_rows)], is_row, lane, front.current.warp)
        columns = []
        for place in range(WORD_BITS):
            literal = c.unit(form(value[place]) - is_row, 0, f"C{port}.literal.{place}")
            own = [c.unit(one, 0, f"C{port}.wired.{place}") for one in wired.get(place, [])]
            columns.append([found[place], literal, *own])
        ports.append(collector.digits(columns, f"C{port}"))
    return ports


def _wired(
    spec: Spec, index: tuple[Wire, ...], is_row: Wire, lane: int, warps: tuple[Wire, ...]
) -> dict[int, list[Form]]:
    """Bits of the wired rows, lane number and warp number."""
    bits: dict[int, list[Form]] = {}
    for place in range(index_bits(spec.lanes)):
        if lane >> place & 1:
            bits.setdefault(place, []).append(row_select(index, ConstRow.LANEID, is_row))
    for place in range(index_bits(spec.warps)):
        warp = total(one for w, one in enumerate(warps) if w >> place & 1)
        bits.setdefault(place, []).append(both(row_select(index, ConstRow.WARPID, is_row), warp))
    return bits
