"""Shuffles, votes, matches: operations that look at other lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qwengpu.frontend.ptx.ast import Instruction, Pair
from qwengpu.frontend.ptx.ast import Operand as PtxOperand
from qwengpu.isa import Mod, Op, ShflMode
from qwengpu.lowering.mir import MSync, Operand
from qwengpu.lowering.select.words import ONE, ONES, ZERO, lit

if TYPE_CHECKING:
    from qwengpu.lowering.select.selector import Selector, Value

MODES = {"idx": ShflMode.IDX, "up": ShflMode.UP, "down": ShflMode.DOWN, "bfly": ShflMode.BFLY}


def shfl(s: Selector, i: Instruction) -> None:
    if i.mods[0] != "sync" or len(i.operands) != 5:
        raise s.refuse("shfl without .sync does not exist on sm_70 and newer", "use shfl.sync with a mask")
    mod = Mod(shfl=MODES[i.mods[1]])
    a, b, c, mask = (s.word(operand) for operand in i.operands[1:5])
    dest = i.operands[0]
    first = dest.first if isinstance(dest, Pair) else dest
    results: list[tuple[PtxOperand, Value]] = []
    if isinstance(dest, Pair):
        results.append((dest.second, s.b.op(Op.SHFLP, ZERO, b, c, mod)))
    results.append((first, s.b.op(Op.SHFL, a, b, c, mod, sync=mask)))
    s.assign(results)


def vote(s: Selector, i: Instruction) -> None:
    """vote.sync: every form is a question to BALLOT among the lanes of the mask."""
    if i.mods[0] != "sync" or len(i.operands) != 3:
        raise s.refuse("vote without .sync does not exist on sm_70 and newer", "use vote.sync with a mask")
    mode = i.mods[1]
    p, mask = s.pred(i.operands[1]), s.word(i.operands[2])
    op = s.b.op
    if mode == "ballot":
        s.result(op(Op.BALLOT, p, mask, sync=mask), 32)
        return
    if mode == "all":
        missing = op(Op.BALLOT, op(Op.XOR, p, ONE), mask, sync=mask)
        s.result(op(Op.EQ, missing, ZERO), 1)
        return
    voted = op(Op.BALLOT, p, mask, sync=mask)
    if mode == "any":
        s.result(op(Op.NE, voted, ZERO), 1)
    elif mode == "uni":
        everyone = op(Op.BALLOT, ONE, mask)
        s.result(op(Op.OR, op(Op.EQ, voted, ZERO), op(Op.EQ, voted, everyone)), 1)
    else:
        raise s.refuse(f"vote mode .{mode} is not supported", "use all, any, uni or ballot")


def activemask(s: Selector, i: Instruction) -> None:
    s.result(s.b.op(Op.BALLOT, ONE, ONES), 32)


def match(s: Selector, i: Instruction) -> None:
    """match.sync: compares with each lane's value in turn (a lane outside the mask never counts)."""
    if i.mods[-1] != "b32":
        raise s.refuse("only 32-bit values can be matched", "match the two halves one after the other")
    value, mask = s.word(i.operands[1]), s.word(i.operands[2])
    op = s.b.op
    members = op(Op.BALLOT, ONE, mask, sync=mask)
    same: Operand = ZERO
    for lane in range(s.spec.lanes):
        theirs = op(Op.SHFL, value, lit(lane), lit(31), Mod(shfl=ShflMode.IDX))
        same = op(Op.OR, same, op(Op.SHL, op(Op.EQ, value, theirs), lit(lane)))
    same = op(Op.AND, same, members)
    if i.mods[0] == "any":
        s.result(same, 32)
        return
    everyone = op(Op.EQ, same, members)
    result = op(Op.SEL, members, ZERO, everyone)
    dest = i.operands[0]
    if isinstance(dest, Pair):
        s.assign([(dest.first, result), (dest.second, everyone)])
    else:
        s.result(result, 32)


def sync_warp(s: Selector, i: Instruction) -> None:
    s.b.emit(MSync(s.word(i.operands[0]), s.b.instr))


HANDLERS = {"shfl": shfl, "vote": vote, "activemask": activemask, "match": match}
