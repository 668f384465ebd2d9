"""Short ways to say a kernel and a launch."""

from __future__ import annotations

from collections.abc import Sequence

from oracles.api import Argument, Buffer, Launch, Module, Options, Result, Status
from oracles.native import oracle

HEAD = 'extern "C" __global__ void k'
LEG = oracle()


def i32(*values: int) -> Buffer:
    return Buffer("int32", values)


def u32(*values: int) -> Buffer:
    return Buffer("uint32", values)


def u64(*values: int) -> Buffer:
    return Buffer("uint64", values)


def zeros(count: int, dtype: str = "int32") -> Buffer:
    return Buffer(dtype, (0,) * count)


def module(source: str, ptx: str = "") -> Module:
    return Module(ptx, "k.cu", "test", source)


def run(
    source: str,
    args: Sequence[Argument],
    block: int | tuple[int, int, int] = 1,
    grid: int | tuple[int, int, int] = 1,
    *,
    kernel: str = "k",
    smem: int = 0,
    options: Options | None = None,
) -> Result:
    dims = block if isinstance(block, tuple) else (block, 1, 1)
    size = grid if isinstance(grid, tuple) else (grid, 1, 1)
    launch = Launch(kernel, size, dims, tuple(args), smem)
    return LEG.run(module(source), launch, options or Options(wall_limit_s=5))


def values(source: str, args: Sequence[Argument], *more: object, **named: object) -> list[list[int]]:
    """The buffers after a run that must succeed."""
    result = run(source, args, *more, **named)  # type: ignore[arg-type]
    assert result.status is Status.OK, result.reason
    assert result.executed > 0
    return [list(b) for b in result.buffers if b is not None]
