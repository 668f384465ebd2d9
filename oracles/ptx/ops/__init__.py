"""Decoders of instructions, by opcode."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from oracles.ptx.builder import Builder
from oracles.ptx.ops import atomics, barriers, bits, compare, control, integer, memory, moves, warpops
from oracles.ptx.reader.syntax import Instr
from oracles.ptx.step import Step

OPS: Mapping[str, Callable[[Builder, Instr], Step]] = {
    **integer.OPS,
    **bits.OPS,
    **compare.OPS,
    **moves.OPS,
    **memory.OPS,
    **atomics.OPS,
    **control.OPS,
    **barriers.OPS,
    **warpops.OPS,
}
"""Opcode (its first part) -> decoder. A decoder raises PtxError or Unsupported."""
