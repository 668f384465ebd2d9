"""A leg from another package: a very small PTX implementation that runs one thread after another."""

from __future__ import annotations

import time

from oracles.api import Buffer, Launch, Module, Options, Report, Result, Status, kernel_missing
from tiny_ptx.machine import Memory, Stop, run_thread
from tiny_ptx.text import Kernel, Unsupported, read_kernels


class TinyPtx:
    """Memory only; no shared memory, no atomics, no warp operations."""

    name = "tiny"
    reports = frozenset({Report.MEMORY})

    def product(self, options: Options) -> str:
        """Product id."""
        return "tiny-0.1@cpu-python"

    def available(self) -> str | None:
        """Always."""
        return None

    def run(self, module: Module, launch: Launch, options: Options) -> Result:
        """Run every thread of the grid in order."""
        started = time.perf_counter()
        try:
            kernels = read_kernels(module.ptx)
            if launch.kernel not in kernels:
                return Result(Status.BAD_INPUT, reason=kernel_missing(launch.kernel, list(kernels)))
            kernel = kernels[launch.kernel]
            memory, params = _load(kernel, launch)
            executed = sum(
                run_thread(kernel, launch, thread, params, memory, options.step_limit)
                for thread in range(launch.blocks * launch.threads_per_block)
            )
        except Unsupported as refusal:
            return Result(Status.UNSUPPORTED, reason=str(refusal))
        except Stop as stop:
            return Result(stop.status, reason=str(stop))
        buffers = tuple(
            arg.from_bytes(memory.read(address, arg.nbytes)) if isinstance(arg, Buffer) and address else None
            for arg, address in zip(launch.args, launch.addresses(), strict=True)
        )
        return Result(Status.OK, buffers, executed=executed, seconds=time.perf_counter() - started)


def _load(kernel: Kernel, launch: Launch) -> tuple[Memory, dict[str, int]]:
    if len(kernel.params) != len(launch.args):
        raise Stop(
            Status.BAD_INPUT, f"kernel takes {len(kernel.params)} arguments, {len(launch.args)} were given"
        )
    memory = Memory()
    params: dict[str, int] = {}
    for name, arg, address in zip(kernel.params, launch.args, launch.addresses(), strict=True):
        if isinstance(arg, Buffer) and address is not None:
            memory.place(address, arg.to_bytes())
            params[name] = address
        elif not isinstance(arg, Buffer):
            params[name] = int.from_bytes(arg.to_bytes(), "little")
    return memory, params


def oracle() -> TinyPtx:
    """The entry point."""
    return TinyPtx()
