"""Instruction selection: PTX text -> typed kernel -> MIR."""

from __future__ import annotations

from qwengpu.lowering.select.function import select, select_kernel

__all__ = ["select", "select_kernel"]
