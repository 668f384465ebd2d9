"""What the `qwengpu` commands are given: files, cases, arguments. An error is one line with the remedy."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.cases import Case, CaseError, CaseLaunch, discover
from oracles.api import DTYPES, SCALARS, Argument, Buffer, Dim3, Launch, Module, Scalar

if TYPE_CHECKING:
    from oracles.registry import Leg

COMPILERS = ("clang", "nvrtc")

PLANNED = ("weights", "hardware")
"""Legs that the design has a place for; they count as legs as soon as the registry knows them."""

MOST_ELEMENTS = 1 << 24
SHOWN = 60
"""Characters of an argument that an error quotes."""


class InputError(Exception):
    """Something given that cannot be used; ``str()`` is one line."""


@dataclass(frozen=True)
class Source:
    """A kernel file's text; ``language`` is ``cu`` or ``ptx``."""

    name: str
    language: str
    text: str


def read_source(path: Path) -> Source:
    """The kernel file at ``path``.

    Raises InputError.
    """
    if path.suffix not in (".cu", ".ptx"):
        raise InputError(f"{path} is neither a .cu nor a .ptx file")
    try:
        return Source(path.name, path.suffix[1:], path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is no UTF-8 text") from None


def compile_source(source: Source, compiler: str) -> Module:
    """The PTX module of a source; a ``.ptx`` is taken as it is.

    Raises InputError with the compiler's first message.
    """
    stem = Path(source.name).stem
    if source.language == "ptx":
        return Module(source.text, stem)
    from qwengpu.frontend.compilers import CompileError, CompilerMissing, compile_cuda  # noqa: PLC0415

    try:
        made = compile_cuda(source.text, name=source.name, compiler=compiler)
    except (CompileError, CompilerMissing) as error:
        raise InputError(str(error)) from None
    return Module(made.ptx, stem, made.compiler, source.text)


def entry_of(module: Module, wanted: str, file: str = "") -> str:
    """The kernel to use: ``wanted``, mangled or not, or the only one of the module that ``file`` gives.

    Raises InputError, listing the kernels there are.
    """
    from conformance.differ import PtxLines  # noqa: PLC0415
    from conformance.runner.build import resolve_kernel  # noqa: PLC0415

    entries = PtxLines.scan(module.ptx).entries
    if not entries:
        lacks = ".entry" if module.source is None else "__global__ function"
        raise InputError(f"no kernel in {file or module.name}: it has no {lacks}")
    name, problem = resolve_kernel(wanted, entries)
    if problem is not None:
        raise InputError(f"{problem.reason}; name one with --kernel")
    return name


def parse_dims(text: str, what: str) -> Dim3:
    """``8`` or ``2,1,1`` -> three positive numbers.

    Raises InputError.
    """
    parts = re.split(r"[,x]", text.strip())
    if len(parts) > 3 or not all(part.strip().isdecimal() and int(part) for part in parts):
        raise InputError(f"--{what} {text!r} is not one to three positive numbers, like 8 or 2,1,1")
    x, y, z = (*(int(part) for part in parts), 1, 1)[:3]
    return x, y, z


def parse_argument(text: str, index: int = 0) -> Argument:
    """``int32:1,2,3`` (a buffer; ``int32:0*8``: eight zeros) or ``i32:3`` (a scalar).

    Raises InputError that names the argument by ``index``, its place among all.
    """
    where = f"--arg {text!r} (argument {index})" if len(text) <= SHOWN else f"--arg of argument {index}"
    kind, colon, values = text.partition(":")
    if not colon or (kind not in DTYPES and kind not in SCALARS):
        raise InputError(
            f"{where} is not TYPE:VALUES; a buffer is {', '.join(DTYPES)} (int32:1,2,3 or int32:0*8), "
            f"a scalar {', '.join(SCALARS)} (i32:3)"
        )
    try:
        numbers = _numbers(values)
        if kind in DTYPES:
            return Buffer(kind, tuple(numbers))
        if len(numbers) != 1:
            raise InputError(f"{where}: a scalar has one value; for a buffer write {_dtype_of(kind)}:...")
        return Scalar(kind, numbers[0])
    except ValueError as error:
        raise InputError(f"{where}: {error}") from None


def _dtype_of(kind: str) -> str:
    return next(name for name, dtype in DTYPES.items() if dtype[1:] == SCALARS[kind][1:])


def _numbers(text: str) -> list[int]:
    """Raises ValueError that names the item at fault, counted from 0 in the text."""
    out: list[int] = []
    for number, item in enumerate(text.split(",") if text.strip() else []):
        value, star, count = item.partition("*")
        times = 1
        if star:
            if not re.fullmatch(r"\s*[0-9]{1,9}\s*", count):
                raise ValueError(f"item {number}, {_short(item)}: {_short(count)} is no number of repetitions")
            times = int(count)
        try:
            element = int(value, 0)
        except ValueError:
            what = f"{_short(item)}: {_short(value)}" if star else f"{_short(item)},"
            raise ValueError(f"item {number}, {what} is no integer, like -5 or 0xff") from None
        if len(out) + times > MOST_ELEMENTS:
            raise ValueError(f"item {number}, {_short(item)}: more than {MOST_ELEMENTS} elements")
        out += [element] * times
    return out


def _short(text: str) -> str:
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")


def load_leg(name: str) -> Leg:
    """The leg that runs a launch, by its name or import path.

    Raises InputError, listing the legs there are, and BrokenLeg.
    """
    from oracles.registry import EXPECTED, UnknownLeg, leg_names, load  # noqa: PLC0415

    names = [leg for leg in leg_names() if leg != EXPECTED]
    try:
        if name != EXPECTED:
            return load(name)
    except UnknownLeg:
        pass
    there = f"the legs are: {', '.join(names)}"
    if name == EXPECTED:
        raise InputError(f"leg {name} states the values of a case and runs nothing; {there}")
    if name in PLANNED:
        raise InputError(f"leg {name} is not built yet; {there}")
    near = difflib.get_close_matches(name, names, n=1)
    raise InputError(f"unknown leg {name!r}{f' (did you mean {near[0]!r}?)' if near else ''}; {there}")


@dataclass(frozen=True)
class CaseInput:
    """One launch of a case, compiled; the launch names its kernel."""

    case: Case
    stated: CaseLaunch
    launch: Launch
    module: Module


def load_case(name: str, number: int, compiler: str | None) -> CaseInput:
    """Launch ``number`` of the case that ``name`` (a file or a corpus id) means, compiled.

    Raises InputError.
    """
    try:
        found = discover([name])
    except CaseError as error:
        raise InputError(str(error)) from None
    if found.broken:
        raise InputError(found.broken[0].error)
    if len(found.cases) != 1:
        raise InputError(f"{name} means {len(found.cases)} cases; name one file or one id")
    case = found.cases[0]
    if not 0 <= number < len(case.launches):
        if len(case.launches) == 1:
            raise InputError(f"{name} has one launch, number 0; leave --launch out")
        raise InputError(
            f"{name} has {len(case.launches)} launches; --launch takes 0 to {len(case.launches) - 1}"
        )
    chosen = compiler or (case.compilers or COMPILERS)[0]
    if case.compilers and chosen not in case.compilers:
        raise InputError(f"{name} is for {', '.join(case.compilers)}; use --compiler {case.compilers[0]}")
    module = compile_source(Source(Path(case.kernel_file).name, case.language, case.text), chosen)
    stated = case.launches[number]
    given = stated.launch
    launch = Launch(
        entry_of(module, given.kernel, Path(case.kernel_file).name),
        given.grid,
        given.block,
        given.args,
        given.shared_bytes,
    )
    return CaseInput(case, stated, launch, module)
