"""Schema values -> launches: buffer generators, range checks, the error that names the argument."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.cases.model import CaseError, CaseLaunch
from conformance.cases.schema import BufferArg, LaunchModel, Lcg, ScalarArg
from oracles.api import DTYPES, MAX_ALIGN, SCALARS, Argument, Buffer, Dim3, Launch, Scalar, in_range

MAX_ELEMENTS = 1 << 20
"""A buffer's largest number of elements: cases are small, a typing error should not eat the memory."""

_LCG_MULTIPLIER = 6364136223846793005
_LCG_INCREMENT = 1442695040888963407
_U64 = (1 << 64) - 1


@dataclass(frozen=True)
class Place:
    """Where in which file, for messages; ``kernel_text`` gives the names of parameters."""

    file: Path
    where: str
    kernel_text: str = ""

    def error(self, below: str, what: str) -> CaseError:
        """A CaseError at ``below`` this place."""
        joined = f"{self.where}.{below}" if self.where and below else self.where or below
        return CaseError(self.file, joined, what)


def lcg_elements(spec: Lcg) -> tuple[int, ...]:
    """``count`` values in [low, high] from the 64-bit LCG of docs/cases.md."""
    out, x, width = [], spec.seed, spec.high - spec.low + 1
    for _ in range(spec.count):
        x = (x * _LCG_MULTIPLIER + _LCG_INCREMENT) & _U64
        out.append(spec.low + (x >> 33) % width)
    return tuple(out)


def build_launch(model: LaunchModel, place: Place) -> CaseLaunch:
    """The launch, with every value checked against its element type."""
    args = tuple(_argument(arg, index, place) for index, arg in enumerate(model.args))
    if model.fault and model.verdict:
        raise place.error("verdict", "a launch declares a fault or a verdict, not both")
    if model.fault and model.expect is not None:
        raise place.error("expect", f"there are no values after a declared fault ({model.fault})")
    expect = None if model.expect is None else _expect(model.expect, args, place)
    try:
        launch = Launch(model.kernel, _dims(model.grid), _dims(model.block), args, model.smem)
    except ValueError as error:
        raise place.error("grid", str(error)) from None
    return CaseLaunch(
        launch=launch,
        expect=expect,
        unspecified=_unspecified(model, args, place),
        fault=model.fault,
        verdict=model.verdict,
        step_limit=model.step_limit,
        needs=tuple(model.needs),
        can_hang_a_gpu=model.can_hang_a_gpu,
    )


def check_dtypes(raw: Any, place: Place) -> None:
    """Refuse a buffer of anything but integers, by the argument's name, before its elements are read.

    ``raw`` is a launch as it was parsed; what else is wrong with it is the schema's business.
    """
    args = raw.get("args") if isinstance(raw, dict) else None
    for index, arg in enumerate(args if isinstance(args, list) else ()):
        dtype = arg.get("dtype") if isinstance(arg, dict) else None
        if isinstance(dtype, str) and dtype not in DTYPES:
            name = parameter_name(place.kernel_text, str(raw.get("kernel") or ""), index)
            called = f"argument {index}" + (f" ({name})" if name else "")
            raise place.error(
                f"args[{index}].dtype",
                f"{dtype!r} of {called} is not supported; use one of {', '.join(DTYPES)}",
            )


def _dims(given: Sequence[int]) -> Dim3:
    x, y, z = (*given, 1, 1)[:3]
    return x, y, z


def _argument(arg: BufferArg | ScalarArg, index: int, place: Place) -> Argument:
    where = f"args[{index}]"
    if isinstance(arg, ScalarArg):
        if not in_range(SCALARS[arg.kind], arg.value):
            raise place.error(f"{where}.value", f"{arg.value} does not fit {arg.kind}")
        return Scalar(arg.kind, arg.value)
    if arg.align & (arg.align - 1):
        raise place.error(f"{where}.align", f"{arg.align} is not a power of two")
    key, data = _elements(arg, where, place)
    if len(data) > MAX_ELEMENTS:
        raise place.error(f"{where}.{key}", f"more than {MAX_ELEMENTS} elements")
    _check_range(data, arg.dtype, f"{where}.{key}", place)
    if arg.align > MAX_ALIGN:
        raise place.error(f"{where}.align", f"{arg.align} is above {MAX_ALIGN}")
    return Buffer(arg.dtype, data, arg.align)


def _elements(arg: BufferArg, where: str, place: Place) -> tuple[str, tuple[int, ...]]:
    ways = {"data": arg.data, "fill": arg.fill, "range": arg.range, "lcg": arg.lcg}
    given = [key for key, value in ways.items() if value is not None]
    if len(given) != 1:
        raise place.error(
            where, f"give exactly one of data, fill, range, lcg ({', '.join(given) or 'none'} given)"
        )
    if (arg.count is not None) != (given == ["fill"]):
        raise place.error(f"{where}.count", "count belongs with fill, and fill needs a count")
    if arg.data is not None:
        return "data", tuple(arg.data)
    if arg.fill is not None and arg.count is not None:
        return "fill", (arg.fill,) * min(arg.count, MAX_ELEMENTS + 1)
    if arg.range is not None:
        start, count, step = arg.range
        if not 0 <= count <= MAX_ELEMENTS:
            raise place.error(f"{where}.range", f"count {count} is not in 0..{MAX_ELEMENTS}")
        return "range", tuple(start + step * i for i in range(count))
    assert arg.lcg is not None
    if arg.lcg.high < arg.lcg.low or arg.lcg.count > MAX_ELEMENTS:
        raise place.error(f"{where}.lcg", f"needs low <= high and count <= {MAX_ELEMENTS}")
    return "lcg", lcg_elements(arg.lcg)


def _check_range(data: Sequence[int], dtype: str, where: str, place: Place) -> None:
    kind = DTYPES[dtype]
    for index, value in enumerate(data):
        if not in_range(kind, value):
            raise place.error(f"{where}[{index}]", f"{value} does not fit {dtype}")


def _buffer(index: int, args: Sequence[Argument], where: str, place: Place) -> Buffer:
    if index >= len(args):
        raise place.error(where, f"there is no argument {index} (there are {len(args)})")
    arg = args[index]
    if not isinstance(arg, Buffer):
        raise place.error(where, f"argument {index} is a scalar, not a buffer")
    return arg


def _expect(given: dict[int, list[int]], args: Sequence[Argument], place: Place) -> dict[int, tuple[int, ...]]:
    out: dict[int, tuple[int, ...]] = {}
    for index, values in given.items():
        where = f"expect[{index}]"
        buffer = _buffer(index, args, where, place)
        if len(values) != len(buffer.data):
            raise place.error(where, f"has {len(values)} elements, argument {index} has {len(buffer.data)}")
        _check_range(values, buffer.dtype, where, place)
        out[index] = tuple(values)
    return out


def _unspecified(
    model: LaunchModel, args: Sequence[Argument], place: Place
) -> dict[int, tuple[int, ...] | None]:
    out: dict[int, tuple[int, ...] | None] = {}
    for index, which in model.unspecified.items():
        where = f"unspecified[{index}]"
        buffer = _buffer(index, args, where, place)
        if isinstance(which, str):
            out[index] = None
            continue
        for element in which:
            if element >= len(buffer.data):
                raise place.error(where, f"there is no element {element}")
        out[index] = tuple(sorted(set(which)))
    return out


def parameter_name(text: str, kernel: str, index: int) -> str:
    """Name of parameter ``index`` in CUDA C++ or PTX text, "" if it cannot be told; for messages."""
    name = re.escape(kernel) if kernel else r"\w+"
    found = re.search(rf"(?:__global__|\.entry)\b[^(;{{]*?\b({name})\s*\(([^)]*)\)", text)
    if not found:
        return ""
    parameters = found.group(2).split(",")
    if index >= len(parameters):
        return ""
    words = re.findall(r"[A-Za-z_$]\w*", parameters[index])
    return words[-1] if words else ""
