"""Refusals that name the instruction, its PTX line and its CUDA line."""

from __future__ import annotations

from qwengpu.frontend.ptx.ast import Instruction
from qwengpu.program import Refusal


def refusal(instr: Instruction, reason: str, remedy: str, *, kind: str = "unsupported") -> Refusal:
    """One line: instruction, PTX line, CUDA line if known, reason, remedy."""
    where = f"PTX line {instr.line}"
    if instr.cuda_line:
        where += f", CUDA line {instr.cuda_line}"
    return Refusal(
        f"{instr.opcode} ({where}): {reason}; {remedy}",
        kind=kind,
        instr=instr.ordinal if instr.ordinal >= 0 else None,
    )
