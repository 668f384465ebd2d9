"""The rules of MIR, checked after instruction selection."""

from __future__ import annotations

from qwengpu.lowering.check import CheckError
from qwengpu.lowering.mir import (
    Barrier,
    Define,
    Item,
    Lit,
    MFunction,
    MOp,
    MSerial,
    MStore,
    Operand,
    Row,
    Trap,
    VReg,
)
from qwengpu.lowering.pack.flow import WARP_OPS, end_uses, targets, uses


def check_mir(function: MFunction) -> None:
    """Raise CheckError unless ``function`` keeps the rules of `qwengpu.lowering.mir`."""
    count = len(function.blocks)
    if not count:
        raise CheckError("mir: the function has no block")
    for number, block in enumerate(function.blocks):
        place = f"mir: block {number}"
        if block.number != number:
            raise CheckError(f"{place}: its number is {block.number}")
        for target in targets(block.end):
            if not 0 <= target < count:
                raise CheckError(f"{place}: target {target} is no block")
        if isinstance(block.end, (Barrier, Trap)) and block.end.instr < 0:
            raise CheckError(f"{place}: its {type(block.end).__name__} names no instruction")
        for operand in end_uses(block.end):
            _check_operand(operand, place)
        for item in block.items:
            _check_item(item, place)


def _check_item(item: Item, place: str) -> None:
    if isinstance(item, MSerial):
        if sum(isinstance(inner, MStore) for inner in item.items) != 1:
            raise CheckError(f"{place}: an atomic bundle (instruction {item.instr}) has not exactly one store")
        for inner in item.items:
            if isinstance(inner, MOp) and (inner.op in WARP_OPS or inner.sync is not None):
                raise CheckError(f"{place}: {inner.op.name} reads other lanes inside an atomic bundle")
            _check_item(inner, place)
        return
    operands: tuple[Operand, ...] = uses(item)
    if isinstance(item, Define):
        operands = item.parts if item.guard is None else (*item.parts, item.guard)
        if not 0 < item.bits <= 32 * len(item.parts):
            raise CheckError(f"{place}: {item.register} has {item.bits} bits in {len(item.parts)} words")
    for operand in operands:
        _check_operand(operand, place)


def _check_operand(operand: Operand, place: str) -> None:
    if isinstance(operand, Lit):
        if not 0 <= operand.value < 1 << 32:
            raise CheckError(f"{place}: literal {operand.value} is no 32-bit word")
    elif isinstance(operand, Row):
        if operand.row < 0:
            raise CheckError(f"{place}: constant row {operand.row}")
    elif not isinstance(operand, VReg):
        raise CheckError(f"{place}: {operand!r} is no operand")
