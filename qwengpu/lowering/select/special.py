"""Special registers: constant rows of the machine, or small expansions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qwengpu.isa import ConstRow, Op
from qwengpu.lowering.mir import Operand, Row
from qwengpu.lowering.select.words import ONE, lit

if TYPE_CHECKING:
    from qwengpu.lowering.select.selector import Selector

ROWS: dict[str, int] = {
    f"%{name}.{axis}": first + index
    for name, first in (
        ("tid", ConstRow.TID_X),
        ("ntid", ConstRow.NTID_X),
        ("ctaid", ConstRow.CTAID_X),
        ("nctaid", ConstRow.NCTAID_X),
    )
    for index, axis in enumerate("xyz")
} | {"%laneid": ConstRow.LANEID, "%warpid": ConstRow.WARPID}

TIMERS = ("%clock", "%pm", "%globaltimer")


def special_register(s: Selector, name: str) -> Operand:
    """The word of a special register."""
    row = ROWS.get(name)
    if row is not None:
        return Row(row)
    if name == "WARP_SZ":
        return lit(s.spec.lanes)
    lane = Row(ConstRow.LANEID)
    b = s.b
    match name:
        case "%lanemask_eq":
            return b.op(Op.SHL, ONE, lane)
        case "%lanemask_lt":
            return b.op(Op.SUB, b.op(Op.SHL, ONE, lane), ONE)
        case "%lanemask_le":
            return b.op(Op.SUB, b.op(Op.SHL, lit(2), lane), ONE)
        case "%lanemask_gt" | "%lanemask_ge":
            lanes = (1 << s.spec.lanes) - 1  # the warp has no other positions
            first = lanes if name == "%lanemask_ge" else lanes - 1
            return b.op(Op.AND, b.op(Op.SHL, lit(first), lane), lit(lanes))
        case "%dynamic_smem_size":
            return b.op(Op.SUB, Row(ConstRow.SHARED_BYTES), lit(s.layout.shared_bytes))
        case "%total_smem_size" if not s.layout.local_bytes:
            return Row(ConstRow.SHARED_BYTES)
    if name.startswith(TIMERS):
        raise s.refuse(
            f"{name} measures time, which is not part of a comparable result", "remove the measurement"
        )
    raise s.refuse(
        f"special register {name} is not supported", "compute the value from %tid, %ntid, %ctaid, %nctaid"
    )
