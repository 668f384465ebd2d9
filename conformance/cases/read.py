"""Readers: front matter of ``.cu``/``.ptx`` files, and JSON beside a kernel."""

from __future__ import annotations

import difflib
import json
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import yaml  # type: ignore[import-untyped]
from pydantic import BaseModel, ValidationError

from conformance.cases.build import Place, build_launch, check_dtypes
from conformance.cases.model import Case, CaseError, digest
from conformance.cases.schema import ARGUMENT_TAGS, About, FrontMatter, JsonCase, LaunchModel

OPEN, CLOSE = "/*---", "---*/"
KERNEL_SUFFIXES = (".cu", ".ptx")

_Model = TypeVar("_Model", bound=BaseModel)
_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _UniqueKeys(_Loader):  # type: ignore[misc]
    """A YAML loader that refuses a mapping with the same key twice (YAML lets the last one win)."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable):
                raise yaml.constructor.ConstructorError(
                    None, None, "a key is a word or a number", key_node.start_mark
                )
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"key {key!r} is there twice", key_node.start_mark
                )
            seen.add(key)
        mapping: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return mapping


def read_case(path: Path, case_id: str | None = None) -> Case:
    """The case in a ``.cu``, ``.ptx`` or ``.json`` file; raises CaseError.

    ``case_id`` is used unless the file names its own; default ``PARENT/STEM``.
    """
    fallback = case_id or f"{path.resolve().parent.name}/{path.stem}"
    if path.suffix == ".json":
        return _read_json(path, fallback)
    if path.suffix in KERNEL_SUFFIXES:
        return _read_front_matter(path, fallback)
    raise CaseError(path, "", "is not a .cu, .ptx or .json file")


def has_front_matter(text: str) -> bool:
    """True if the text starts with the opening mark."""
    return text.lstrip("\ufeff \t\r\n").startswith(OPEN)


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise CaseError(path, "", f"is not UTF-8 text ({error.reason})") from None
    except OSError as error:
        raise CaseError(path, "", f"cannot be read: {error.strerror}") from None


def _read_front_matter(path: Path, fallback: str) -> Case:
    text = _read_text(path)
    if not has_front_matter(text):
        raise CaseError(path, "", f"no front matter ({OPEN} ... {CLOSE}) and no {path.stem}.json beside it")
    start = text.index(OPEN) + len(OPEN)
    end = text.find(CLOSE, start)
    if end < 0:
        raise CaseError(path, "", f"front matter is not closed ({CLOSE} is missing)")
    raw = _yaml(text[start:end], path, text[:start].count("\n"))
    launches_given = raw.get("launches") if isinstance(raw, dict) else None
    for index, launch in enumerate(launches_given if isinstance(launches_given, list) else ()):
        check_dtypes(launch, Place(path, f"launches[{index}]", text))
    model = _validate(FrontMatter, raw, path)
    launches = tuple(
        build_launch(launch, Place(path, f"launches[{index}]", text))
        for index, launch in enumerate(model.launches)
    )
    return _case(model, fallback, path, path, text, launches, digest(text))


def _yaml(text: str, path: Path, lines_before: int) -> Any:
    try:
        # _UniqueKeys is a safe loader: it only adds the check for repeated keys.
        return yaml.load(text, Loader=_UniqueKeys)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"line {mark.line + 1 + lines_before}" if mark else ""
        raise CaseError(path, where, f"front matter is not YAML: {error.problem}") from None
    except (yaml.YAMLError, ValueError) as error:
        raise CaseError(path, "", f"front matter is not YAML: {_first_line(error)}") from None


def _read_json(path: Path, fallback: str) -> Case:
    text = _read_text(path)
    try:
        raw = json.loads(text, object_pairs_hook=_unique_pairs)
    except json.JSONDecodeError as error:
        raise CaseError(path, f"line {error.lineno}", f"is not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise CaseError(path, "", f"is not JSON: {_first_line(error)}") from None
    beside = [path.with_suffix(suffix) for suffix in KERNEL_SUFFIXES]
    kernels = [kernel for kernel in beside if kernel.is_file()]
    if not kernels:
        raise CaseError(path, "", f"there is no {path.stem}.cu or {path.stem}.ptx beside it")
    if len(kernels) > 1:
        raise CaseError(path, "", f"both {path.stem}.cu and {path.stem}.ptx are beside it")
    kernel_text = _read_text(kernels[0])
    place = Place(path, "", kernel_text)
    check_dtypes(raw, place)
    model = _validate(JsonCase, raw, path)
    launch = build_launch(model, place)
    return _case(model, fallback, path, kernels[0], kernel_text, (launch,), digest(text, kernel_text))


def _unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"key {twice!r} is there twice")
    return out


def _case(
    about: About,
    fallback: str,
    file: Path,
    kernel_file: Path,
    text: str,
    launches: tuple[Any, ...],
    sha256: str,
) -> Case:
    reference = about.reference
    if not reference and isinstance(about, JsonCase) and isinstance(about.source, dict):
        reference = str(about.source.get("ref", ""))
    return Case(
        id=about.id or fallback,
        file=str(file),
        kernel_file=str(kernel_file),
        language=kernel_file.suffix[1:],
        text=text,
        launches=launches,
        description=about.description,
        reference=reference,
        features=tuple(about.features),
        tags=tuple(about.tags),
        covers=tuple(about.covers),
        compilers=tuple(about.compilers),
        sha256=sha256,
    )


def _validate(model: type[_Model], raw: Any, path: Path) -> _Model:
    if not isinstance(raw, dict):
        raise CaseError(path, "", f"holds {type(raw).__name__}, not a mapping")
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        # The first error is enough: the next run shows the next one, on a line of its own.
        first = min(error.errors(include_url=False), key=lambda e: e["type"] != "extra_forbidden")
        where = _where(first["loc"])
        raise CaseError(path, where, _what(dict(first), model)) from None


def _where(loc: Iterable[int | str]) -> str:
    parts = list(loc)
    out = ""
    for at, part in enumerate(parts):
        tag = part in ARGUMENT_TAGS and at >= 2 and parts[at - 2] == "args"
        branch = isinstance(part, str) and part.startswith(("list[", "literal["))
        if tag or branch or part == "[key]":
            continue
        if isinstance(part, int) or (at and parts[at - 1] in ("expect", "unspecified")):
            out += f"[{part}]"
        else:
            out += f".{part}" if out else str(part)
    return out


def _what(error: dict[str, Any], model: type[BaseModel]) -> str:
    if error["type"] == "extra_forbidden":
        known = _known_keys(error["loc"], model)
        close = difflib.get_close_matches(str(error["loc"][-1]), known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else f"; known: {', '.join(known)}"
        return f"unknown key{hint}"
    message = str(error["msg"]).removeprefix("Value error, ")
    given = error.get("input")
    if error["type"] == "missing" or isinstance(given, (dict, list)):
        return message[:1].lower() + message[1:]
    return f"{message[:1].lower() + message[1:]} (got {given!r})"


def _known_keys(loc: tuple[int | str, ...], model: type[BaseModel]) -> list[str]:
    """Keys of the mapping in which an unknown key was found."""
    from conformance.cases.schema import BufferArg, Lcg, ScalarArg  # noqa: PLC0415

    within = [part for part in loc[:-1] if isinstance(part, str)]
    owner: type[BaseModel] = model
    if "lcg" in within:
        owner = Lcg
    elif "args" in within:
        owner = ScalarArg if within[-1] == "scalar" else BufferArg
    elif "launches" in within:
        owner = LaunchModel
    return list(owner.model_fields)


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
