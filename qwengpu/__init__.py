"""The machine: spec, instruction set, front end, lowering, tokens."""

__version__ = "0.1.0"
