"""The pipeline: slots level by level, each level's results joining the bus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from qwengpu.circuits import Circuit, Linear, Wire, form
from qwengpu.gpu.addresses import Checked, check_address, full_sum, load_used, make_address_control
from qwengpu.gpu.alu import Result, make_alu, make_alu_control, merged
from qwengpu.gpu.decode import Control
from qwengpu.gpu.digits import BASE, DIGITS, Collector, Digits, high_bits, pick
from qwengpu.gpu.exchange import Operands, make_bytes, make_exchange_control, make_lane_exchange
from qwengpu.gpu.memory import Memories, extract, make_load_control
from qwengpu.gpu.multiplier import make_multiply, make_multiply_control
from qwengpu.gpu.ports import Bus
from qwengpu.gpu.reciprocal import make_reciprocal
from qwengpu.gpu.rom import Fields
from qwengpu.gpu.shifter import make_shift, make_shift_control
from qwengpu.isa import Op
from qwengpu.spec import Spec

Sign: TypeAlias = tuple[Linear, Linear]
"""(value, on): a fault if the value is 1 or more and ``on`` is 1."""


@dataclass(frozen=True)
class SlotFaults:
    """Signs of faults of one slot, or of the store, in each lane, active or not; none: it cannot fault."""

    level: int
    pointer: tuple[Sign, ...] = ()
    outside: tuple[Sign, ...] = ()
    misaligned: tuple[Sign, ...] = ()


@dataclass(frozen=True)
class Slots:
    """The whole bus, and what can fault."""

    bus: Bus
    faults: tuple[SlotFaults, ...]


@dataclass(frozen=True)
class Machine:
    """What the slots are built from."""

    c: Circuit
    spec: Spec
    block: Fields
    control: Control
    memories: Memories
    sizes: tuple[Linear, Linear]
    active: tuple[Wire, ...]
    collector: Collector


def make_slots(m: Machine, bus: Bus) -> Slots:
    """Every level of the spec's pipeline."""
    faults: list[SlotFaults] = []
    for level in range(len(m.spec.levels)):
        numbers = [slot for slot, at in enumerate(m.spec.slot_levels) if at == level]
        results: list[list[Digits]] = [[] for _ in range(m.spec.lanes)]
        for slot in numbers:
            with m.c.scope(f"slot{slot}"):
                if m.spec.slot_kinds[slot] == "l":
                    found, fault = _load(m, bus, slot, level)
                else:
                    found, fault = _operation(m, bus, slot, level)
            faults.append(fault)
            for lane, digits in enumerate(found):
                results[lane].append(digits)
        bus = bus.extended(results)
    return Slots(bus, tuple(faults))


def select(m: Machine, bus: Bus, slot: int, lane: int) -> tuple[Digits, Digits, Digits]:
    """Operands a, b, c of a slot in a lane: one level."""
    picked = []
    for name in "abc":
        selects = m.control.operand[slot][name]
        entries = bus.entries[lane]
        picked.append(
            tuple(
                m.c.neurons(
                    pick(selects, [None if entry is None else entry[place] for entry in entries]),
                    f"{name}.{place}",
                    0,
                    BASE - 1,
                )
                for place in range(DIGITS)
            )
        )
    return picked[0], picked[1], picked[2]


def _operation(m: Machine, bus: Bus, slot: int, level: int) -> tuple[list[Digits], SlotFaults]:
    """A slot of kind a, x or m: the ALU, and what its kind adds."""
    c, kind = m.c, m.spec.slot_kinds[slot]
    alu_control = make_alu_control(c, m.block, slot)
    operands: list[Operands] = []
    results: list[list[Result]] = []
    pointer: list[Sign] = []
    for lane in range(m.spec.lanes):
        with c.scope(f"lane{lane}"):
            a, b, d = select(m, bus, slot, lane)
            x = Operands(a, b, d, high_bits(c, a, "a.upper"), high_bits(c, b, "b.upper"))
            alu = make_alu(c, alu_control, a, b, d, (x.upper_a, x.upper_b))
        operands.append(x)
        results.append([alu.result])
        pointer.append((alu.pointer, 1))
    if kind == "x":
        _add_exchange(m, slot, operands, results)
    elif kind == "m":
        _add_multiply(m, slot, operands, results)
    found = []
    for lane in range(m.spec.lanes):
        with c.scope(f"lane{lane}"):
            found.append(merged(c, results[lane], f"T{slot}"))
    return found, SlotFaults(level, pointer=tuple(pointer))


def _add_exchange(m: Machine, slot: int, operands: list[Operands], results: list[list[Result]]) -> None:
    c = m.c
    shift_control = make_shift_control(c, m.block, slot)
    control = make_exchange_control(c, m.block, slot)
    for lane, x in enumerate(operands):
        with c.scope(f"lane{lane}"):
            results[lane].append(make_shift(c, shift_control, x.a, x.b, x.upper_a))
            results[lane].append(make_bytes(c, control, x))
    for lane, result in enumerate(make_lane_exchange(c, control, operands, m.active)):
        results[lane].append(result)


def _add_multiply(m: Machine, slot: int, operands: list[Operands], results: list[list[Result]]) -> None:
    c = m.c
    control = make_multiply_control(c, m.block, slot)
    rcp = m.block.any_op(slot, [Op.RCP], "rcp")
    for lane, x in enumerate(operands):
        with c.scope(f"lane{lane}"):
            results[lane].append(make_multiply(c, control, x.a, x.b, x.c))
            results[lane].append(make_reciprocal(c, rcp, x.a))


def _load(m: Machine, bus: Bus, slot: int, level: int) -> tuple[list[Digits], SlotFaults]:
    """A load slot. Its operands are not added early: that would hold more wires in the busiest layers."""
    c = m.c
    entries = len(bus.entries[0])
    used = load_used(m.block, slot)
    control = make_address_control(c, m.block, f"slot{slot}", entries, used, m.sizes)
    load = make_load_control(c, m.block, slot)
    found: list[Digits] = []
    checks: list[Checked] = []
    for lane in range(m.spec.lanes):
        with c.scope(f"lane{lane}"):
            checked = check_address(c, m.spec, control, full_sum(c, m.spec, control, bus.entries[lane]))
            word = m.memories.read(control, checked.onehot, "word")
            found.append(merged(c, [extract(load, word, checked.onehot[0])], f"T{slot}"))
            checks.append(checked)
    return found, access_faults(level, checks, used)


def access_faults(level: int, checks: list[Checked], used: Linear) -> SlotFaults:
    """Faults of an access that is made if ``used``."""
    return SlotFaults(
        level,
        outside=tuple((1 - form(one.inside), used) for one in checks),
        misaligned=tuple((one.misaligned, used) for one in checks),
    )
