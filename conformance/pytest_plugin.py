"""pytest plugin: every case and leg is a test (`pytest --conformance`, `pytest kernels/AREA/NAME.cu`).

It is loaded in every pytest run of an environment that has the package, so it imports nothing of the
suite before a case is collected.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conformance.cases import BrokenCase, Case
    from conformance.runner.config import Context

_SUFFIXES = (".cu", ".ptx", ".json")
_KERNEL_SUFFIXES = (".cu", ".ptx")
_PACKAGE = Path(__file__).resolve().parent

# Which paths are ours: None for no, else the arguments that were given (all files if it is empty).
_active = pytest.StashKey["tuple[Path, ...] | None"]()
_context = pytest.StashKey["Context"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of the plugin."""
    group = parser.getgroup("conformance", "conformance suite of CUDA kernels")
    group.addoption(
        "--conformance", action="store_true", help="collect cases (.cu, .ptx, .json); default: the corpus"
    )
    group.addoption("--conformance-legs", metavar="A,B", help="legs; default: every one available here")
    group.addoption("--conformance-spec", metavar="A,B", default="seed", help="machine specs; default: seed")


def pytest_configure(config: pytest.Config) -> None:
    """Find out whether this run is about cases at all."""
    given = [Path(str(argument).partition("::")[0]) for argument in config.args]
    if config.getoption("--conformance"):
        if config.args_source is not pytest.Config.ArgsSource.ARGS:
            roots = (_PACKAGE.parent / "kernels", _PACKAGE / "data" / "kernels")
            root = next((path for path in roots if path.is_dir()), None)
            if root is None:
                raise pytest.UsageError("--conformance: no corpus is installed; give files or directories")
            config.args[:] = [str(root)]
        config.stash[_active] = ()
        return
    ours = tuple(path.resolve() for path in given if _is_ours(path))
    config.stash[_active] = ours or None


def _is_ours(path: Path) -> bool:
    """A kernel file, or a directory of the corpus."""
    if path.suffix in _KERNEL_SUFFIXES:
        return True
    corpus = _PACKAGE.parent / "kernels"
    resolved = path.resolve()
    return resolved.is_dir() and (resolved == corpus or corpus in resolved.parents)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A collector for a case file."""
    ours = parent.config.stash.get(_active, None)
    if ours is None or file_path.suffix not in _SUFFIXES:
        return None
    named = file_path.resolve() in (ours or _given(parent.config))
    if ours and not named and not any(path in file_path.resolve().parents for path in ours):
        return None
    from conformance.cases import is_case_file  # noqa: PLC0415

    if not named and not is_case_file(file_path):
        return None
    collector: pytest.Collector = CaseFile.from_parent(parent, path=file_path)
    return collector


def _given(config: pytest.Config) -> tuple[Path, ...]:
    return tuple(Path(str(argument).partition("::")[0]).resolve() for argument in config.args)


def _context_of(config: pytest.Config) -> Context:
    """The legs, loaded once a process."""
    if _context not in config.stash:
        from conformance.runner.config import Context, RunConfig, UnknownSpec  # noqa: PLC0415
        from oracles.registry import BrokenLeg, UnknownLeg, available  # noqa: PLC0415

        legs = config.getoption("--conformance-legs")
        names = tuple(name.strip() for name in legs.split(",")) if legs else available()
        specs = tuple(name.strip() for name in config.getoption("--conformance-spec").split(","))
        try:
            config.stash[_context] = Context.build(RunConfig(names, specs))
        except (UnknownLeg, BrokenLeg, UnknownSpec) as error:
            raise pytest.Collector.CollectError(str(error)) from None
    return config.stash[_context]


class CaseFile(pytest.File):
    """A case; it is run once a process, by the first of its tests."""

    _record: dict[str, Any] | None = None
    _case: Case | BrokenCase

    def collect(self) -> Iterator[pytest.Item]:
        """One test a leg; a broken case is one test that fails."""
        from conformance.cases import BrokenCase, discover  # noqa: PLC0415
        from conformance.runner.execute import leg_keys  # noqa: PLC0415

        found = discover([str(self.path)])
        self._case = found.broken[0] if found.broken else found.cases[0]
        if isinstance(self._case, BrokenCase):
            yield LegItem.from_parent(self, name="case")
            return
        for key in leg_keys(self._case, _context_of(self.config)):
            item: pytest.Item = LegItem.from_parent(self, name=key)
            item.extra_keyword_matches.update((self._case.id, *self._case.tags))
            yield item

    def record(self) -> dict[str, Any]:
        """What the runner says of the case."""
        if self._record is None:
            from conformance.runner.execute import run_case  # noqa: PLC0415

            self._record = run_case(self._case, _context_of(self.config))
        return self._record


class CaseFailure(Exception):
    """A leg that is not fine; the message is the whole report."""


class LegItem(pytest.Item):
    """One leg of one case."""

    parent: CaseFile

    def runtest(self) -> None:
        """Raise if the leg is to blame or could not be judged; skip what it does not support."""
        from conformance.report.tables import case_line, differences  # noqa: PLC0415
        from conformance.verdicts import Ruling, Verdict, worst  # noqa: PLC0415

        record = self.parent.record()
        whole = Ruling.from_json(record)
        entries = [launch["legs"][self.name] for launch in record["launches"] if self.name in launch["legs"]]
        own = worst([Ruling.from_json(entry) for entry in entries]) if entries else whole
        if own.declared or own.verdict is Verdict.PASS:
            return
        if whole.verdict is Verdict.WAIVED:
            pytest.xfail(str(whole))
        refused = own.verdict in (Verdict.UNSUPPORTED, Verdict.WARP_SIZE_DEPENDENT)
        if (refused and entries) or (own.verdict is Verdict.UNCOMPARED and whole.fine):
            pytest.skip(str(own))
        head = f"{self.name}: {own}" + (f": {own.reason}" if own.blame or own.verdict is Verdict.FAIL else "")
        raise CaseFailure("\n".join([head, case_line(record), *differences(record)]))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report, without a Python traceback."""
        if isinstance(excinfo.value, CaseFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the test is: the head of the case file."""
        return self.path, 0, f"{self.path.name}::{self.name}"
