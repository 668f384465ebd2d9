"""Where lanes that parted at a branch meet again: the branch's immediate post-dominator."""

from __future__ import annotations

from collections.abc import Sequence

from oracles.ptx.reader.syntax import Instr, Table, Target


def _successors(body: Sequence[Instr], at: int) -> list[int]:
    """Indices that may follow; ``len(body)`` is the end of the function."""
    instr = body[at]
    out = [] if instr.guard is None and instr.op in ("bra", "brx", "ret", "exit", "trap") else [at + 1]
    for operand in instr.operands:
        if isinstance(operand, Target):
            out.append(operand.index)
        elif isinstance(operand, Table):
            out += [target.index for target in operand.targets]
    if instr.op in ("ret", "exit", "trap"):
        out.append(len(body))
    return out


def join_points(body: Sequence[Instr]) -> frozenset[int]:
    """Indices of the instructions at which some branch's lanes come together."""
    count = len(body)
    after = [_successors(body, at) for at in range(count)]
    everything = (1 << (count + 1)) - 1
    behind = [everything] * count + [1 << count]  # post-dominators as bit sets
    changed = True
    while changed:
        changed = False
        for at in range(count - 1, -1, -1):
            new = everything
            for to in after[at]:
                new &= behind[to]
            new |= 1 << at
            if new != behind[at]:
                behind[at] = new
                changed = True
    out = set()
    for at in range(count):
        if len(set(after[at])) > 1:
            candidates = [to for to in range(count) if to != at and behind[at] >> to & 1]
            if candidates:
                out.add(max(candidates, key=lambda to: behind[to].bit_count()))
    return frozenset(out)
