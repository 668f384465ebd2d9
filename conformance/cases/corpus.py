"""Corpus discovery: ids, paths and directories -> cases and broken cases, in a stable order."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from conformance.cases.model import Case, CaseError, digest
from conformance.cases.read import KERNEL_SUFFIXES, has_front_matter, read_case

KERNELS = "kernels"
_HEAD_BYTES = 4096


@dataclass(frozen=True)
class BrokenCase:
    """A case that could not be read: one row in every report."""

    id: str
    file: str
    error: str


@dataclass
class Discovery:
    """What was found: good cases and broken ones, ids are unique over both."""

    cases: list[Case] = field(default_factory=list)
    broken: list[BrokenCase] = field(default_factory=list)

    def sha256(self) -> str:
        """One hash over what was found, independent of where it lies."""
        rows = [f"{case.id} {case.sha256}" for case in self.cases]
        rows += [f"{case.id} broken" for case in self.broken]
        return digest(*sorted(rows))


def corpus_root() -> Path | None:
    """``kernels/`` of the checkout that this package lies in, else the package's own copy, else None.

    The path is relative if it is below the working directory, so that results name no machine's folders.
    """
    package = Path(__file__).resolve().parents[1]
    for root in (package.parent / KERNELS, package / "data" / KERNELS):
        if root.is_dir():
            here = Path.cwd()
            return root.relative_to(here) if root.is_relative_to(here) else root
    return None


def discover(arguments: Sequence[str] = (), root: Path | None = None) -> Discovery:
    """Cases of paths, directories, case ids or areas; without arguments the whole corpus.

    Raises CaseError only if an argument names nothing at all; a broken file is a BrokenCase.
    """
    root = root or corpus_root()
    files: list[Path] = []
    if not arguments:
        if root is None:
            raise CaseError(KERNELS, "", "no corpus is installed; give files or directories")
        files = _scan(root)
    for argument in arguments:
        files.extend(_resolve(argument, root))
    return _read_all(_unique(files))


def case_id(path: Path) -> str:
    """``AREA/NAME``: the path under ``kernels/`` if there is one, else parent and stem."""
    path = path.resolve()
    parts = path.with_suffix("").parts
    if KERNELS in parts[:-2]:
        under = len(parts) - 1 - parts[::-1].index(KERNELS)
        return "/".join(parts[under + 1 :])
    return "/".join(parts[-2:])


def _unique(files: Iterable[Path]) -> list[Path]:
    return list({file.resolve(): file for file in files}.values())


def _resolve(argument: str, root: Path | None) -> list[Path]:
    path = Path(argument)
    if path.is_dir():
        return _scan(path)
    if path.is_file():
        return [_case_file(path)]
    if root is not None:
        if (root / argument).is_dir():
            return _scan(root / argument)
        for suffix in (*KERNEL_SUFFIXES, ".json"):
            if (file := root / f"{argument}{suffix}").is_file():
                return [_case_file(file)]
    known = [case_id(file) for file in _scan(root)] if root else []
    close = difflib.get_close_matches(argument, known, n=3)
    hint = f"; did you mean {', '.join(close)}?" if close else ""
    raise CaseError(argument, "", f"no such file, directory, case or area{hint}")


def _case_file(path: Path) -> Path:
    """A kernel without front matter stands for the JSON beside it."""
    beside = path.with_suffix(".json")
    if path.suffix in KERNEL_SUFFIXES and beside.is_file() and not _starts_with_front_matter(path):
        return beside
    return path


def _scan(root: Path) -> list[Path]:
    """Case files below a directory, sorted; kernels described by a JSON file are not listed twice."""
    found = []
    for path in sorted(root.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
        if not hidden and path.is_file() and is_case_file(path):
            found.append(path)
    return found


def is_case_file(path: Path) -> bool:
    """True for a file that stands for a case in its directory (a kernel may leave that to its JSON)."""
    if path.suffix in KERNEL_SUFFIXES:
        return _case_file(path) == path
    return path.suffix == ".json" and _looks_like_case(path)


def _starts_with_front_matter(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return has_front_matter(file.read(_HEAD_BYTES).decode("utf-8", "replace"))
    except OSError:
        return False


def _looks_like_case(path: Path) -> bool:
    """JSON beside a kernel, or with the keys of a launch; other JSON is none of our business."""
    if any(path.with_suffix(suffix).is_file() for suffix in KERNEL_SUFFIXES):
        return True
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(raw, dict) and {"kernel", "args"} <= raw.keys()


def _read_all(files: Sequence[Path]) -> Discovery:
    found = Discovery()
    taken: dict[str, str] = {}
    for file in files:
        name = _free_id(file, taken)
        try:
            case = read_case(file, name)
            if case.id in taken:
                raise CaseError(file, "id", f"{case.id!r} is already used by {taken[case.id]}")
        except CaseError as error:
            taken[name] = str(file)
            found.broken.append(BrokenCase(name, str(file), str(error)))
            continue
        taken[case.id] = str(file)
        found.cases.append(case)
    return found


def _free_id(file: Path, taken: dict[str, str]) -> str:
    """The file's id, longer by leading directories if the short one is taken."""
    name = case_id(file)
    if name not in taken:
        return name
    parts = file.resolve().with_suffix("").parts
    for length in range(3, len(parts)):
        if (longer := "/".join(parts[-length:])) not in taken:
            return longer
    return f"{name}{file.suffix}"
