"""The `native` leg: the unchanged CUDA source as host code, a fiber a thread, in a child process."""

from oracles.native.leg import NativeOracle


def oracle() -> NativeOracle:
    """The leg, as named by the entry point `native`."""
    return NativeOracle()


__all__ = ["NativeOracle", "oracle"]
