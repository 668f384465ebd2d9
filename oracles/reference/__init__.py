"""The machine's reference interpreter, and the leg that runs lowered kernels on it."""

from __future__ import annotations

from oracles.api import Oracle


def oracle() -> Oracle:
    """The leg ``reference`` (entry point of the group ``conformance.oracles``)."""
    from oracles.reference.leg import ReferenceOracle  # noqa: PLC0415

    return ReferenceOracle()
