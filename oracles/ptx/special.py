"""Special registers (PTX ISA, "Special Registers")."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from oracles.api import Dim3


@dataclass(frozen=True)
class Place:
    """Where a warp is: its block, its first thread in the block, and the launch's dimensions."""

    grid: Dim3
    block: Dim3
    ctaid: Dim3
    first: int
    warp_size: int
    shared_dynamic: int

    def tid(self, lane: int, axis: int) -> int:
        """threadIdx of a lane."""
        linear = self.first + lane
        x, y = self.block[0], self.block[1]
        return (linear % x, linear // x % y, linear // (x * y))[axis]


def _masks() -> dict[str, Callable[[Place, int], int]]:
    def cut(place: Place, value: int) -> int:
        return value & ((1 << place.warp_size) - 1)

    return {
        "eq": lambda place, lane: 1 << lane,
        "lt": lambda place, lane: (1 << lane) - 1,
        "le": lambda place, lane: (2 << lane) - 1,
        "gt": lambda place, lane: cut(place, -(2 << lane)),
        "ge": lambda place, lane: cut(place, -(1 << lane)),
    }


def _values() -> dict[str, Callable[[Place, int], int]]:
    out: dict[str, Callable[[Place, int], int]] = {
        "%laneid": lambda place, lane: lane,
        "%warpid": lambda place, lane: place.first // place.warp_size,
        "%nwarpid": lambda place, lane: -(-place.block[0] * place.block[1] * place.block[2] // place.warp_size),
        "WARP_SZ": lambda place, lane: place.warp_size,
        "%dynamic_smem_size": lambda place, lane: place.shared_dynamic,
    }
    for axis, letter in enumerate("xyz"):
        out[f"%tid.{letter}"] = lambda place, lane, axis=axis: place.tid(lane, axis)  # type: ignore[misc]
        out[f"%ntid.{letter}"] = lambda place, lane, axis=axis: place.block[axis]  # type: ignore[misc]
        out[f"%ctaid.{letter}"] = lambda place, lane, axis=axis: place.ctaid[axis]  # type: ignore[misc]
        out[f"%nctaid.{letter}"] = lambda place, lane, axis=axis: place.grid[axis]  # type: ignore[misc]
    for name, function in _masks().items():
        out[f"%lanemask_{name}"] = function
    return out


_VALUES = _values()


def _names() -> frozenset[str]:
    vectors = ("tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid")
    whole = """laneid warpid nwarpid smid nsmid gridid is_explicit_cluster cluster_ctarank cluster_nctarank
        clock clock_hi clock64 globaltimer globaltimer_lo globaltimer_hi reserved_smem_offset_begin
        reserved_smem_offset_end reserved_smem_offset_cap reserved_smem_offset_0 reserved_smem_offset_1
        total_smem_size aggr_smem_size dynamic_smem_size current_graph_exec"""
    out = {"WARP_SZ", *(f"%{name}" for name in whole.split())}
    for name in vectors:
        out |= {f"%{name}", *(f"%{name}.{part}" for part in "xyzw")}
    out |= {f"%lanemask_{relation}" for relation in ("eq", "le", "lt", "ge", "gt")}
    out |= {f"%envreg{number}" for number in range(32)}
    out |= {f"%pm{number}{suffix}" for number in range(8) for suffix in ("", "_64")}
    return frozenset(out)


SPECIAL_NAMES = _names()
"""Every special register of PTX, those without a value here too."""


def special_width(name: str) -> int | None:
    """Width in bits of a special register that has a value here, else None."""
    return 32 if name in _VALUES else None


def special_column(name: str, width: int, place: Place) -> list[int]:
    """The value in each lane, cut to ``width`` bits."""
    value, mask = _VALUES[name], (1 << width) - 1
    return [value(place, lane) & mask for lane in range(place.warp_size)]
