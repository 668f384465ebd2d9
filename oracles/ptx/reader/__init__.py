"""The interpreter's own PTX reader."""

from oracles.ptx.reader.parser import read

__all__ = ["read"]
