"""The leg ``ptx``: a pure-Python interpreter of integer PTX with a reader of its own."""

from oracles.ptx.leg import PtxOracle

__all__ = ["PtxOracle", "oracle"]


def oracle() -> PtxOracle:
    """The leg (entry point ``ptx`` of ``conformance.oracles``)."""
    return PtxOracle()
