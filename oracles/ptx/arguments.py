"""Checks a launch against a kernel's declaration and lays out its parameters."""

from __future__ import annotations

from oracles.api import Argument, Buffer, Launch
from oracles.ptx.errors import BadLaunch
from oracles.ptx.program import Layout
from oracles.ptx.reader.syntax import Function, Variable

MAX_THREADS = 1024
MAX_SHARED = 48 * 1024
"""Threads and bytes of shared memory a block (CUDA C++ programming guide, "Compute Capabilities")."""


def check_launch(kernel: Function, launch: Launch, layout: Layout) -> None:
    """Raises BadLaunch for dimensions, arguments or shared memory that the kernel cannot have."""
    threads = launch.threads_per_block
    if threads > MAX_THREADS:
        raise BadLaunch(f"{threads} threads a block, CUDA allows {MAX_THREADS}; use a smaller block")
    _check_limits(kernel, launch)
    shared = layout.shared_static
    if launch.shared_bytes:
        shared = layout.shared_dynamic_at + launch.shared_bytes
    if shared > MAX_SHARED:
        raise BadLaunch(f"{shared} bytes of shared memory a block, CUDA allows {MAX_SHARED}; use less")
    takes, given = len(kernel.params), len(launch.args)
    if takes != given:
        one = "argument" if takes == 1 else "arguments"
        raise BadLaunch(f"kernel takes {takes} {one}, {given} {'was' if given == 1 else 'were'} given")
    for index, (variable, argument) in enumerate(zip(kernel.params, launch.args, strict=True)):
        _check_argument(index, variable, argument)


def _check_limits(kernel: Function, launch: Launch) -> None:
    for name, values in kernel.limits.items():
        wanted = (*values, 1, 1)[:3]
        if name == "reqntid" and wanted != launch.block:
            raise BadLaunch(
                f"kernel requires blocks of {wanted} threads (.reqntid), the launch has {launch.block}"
            )
        if name == "maxntid" and launch.threads_per_block > wanted[0] * wanted[1] * wanted[2]:
            most = wanted[0] * wanted[1] * wanted[2]
            raise BadLaunch(
                f"kernel allows {most} threads a block (.maxntid), the launch has {launch.threads_per_block}"
            )


def _check_argument(index: int, variable: Variable, argument: Argument) -> None:
    size = variable.size
    takes = "a pointer" if variable.pointer else f"{size} bytes"
    if isinstance(argument, Buffer):
        if size != 8 or variable.array:
            raise BadLaunch(f"argument {index} is a buffer, the kernel takes {takes} there")
        return
    if variable.pointer:
        raise BadLaunch(f"argument {index} is the scalar {argument.kind}, the kernel takes a buffer there")
    have = len(argument.to_bytes())
    if have != size:
        raise BadLaunch(f"argument {index} is {argument.kind} ({have} bytes), the kernel takes {takes} there")


def parameter_bytes(launch: Launch, layout: Layout) -> bytes:
    """The kernel's parameter space."""
    out = bytearray(layout.param_size)
    for (variable, at), argument, address in zip(layout.params, launch.args, launch.addresses(), strict=True):
        if isinstance(argument, Buffer):
            assert address is not None
            data = address.to_bytes(8, "little")
        else:
            data = argument.to_bytes()
        out[at : at + variable.size] = data
    return bytes(out)
