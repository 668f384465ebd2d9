"""The text of one case: source, launches, results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.cases import Case, CaseLaunch
from conformance.verdicts import Ruling
from oracles.api import Buffer

MAX_ELEMENTS = 24


def show_case(case: Case, record: dict[str, Any] | None, asked: bool) -> Iterator[str]:
    """Lines; ``record`` is the case in a run, ``asked`` whether a run was named."""
    yield f"{case.id}  ({case.file})"
    for word, text in (("description", case.description), ("reference", case.reference)):
        if text:
            yield f"  {word}: {text}"
    for word, values in (("features", case.features), ("tags", case.tags), ("covers", case.covers)):
        if values:
            yield f"  {word}: {', '.join(values)}"
    yield ""
    for number, line in enumerate(case.text.splitlines(), 1):
        yield f"{number:5}  {line}"
    for index, launch in enumerate(case.launches):
        yield ""
        yield from _launch(index, launch)
    if record is not None:
        yield ""
        yield from _results(record)
    elif asked:
        yield ""
        yield "no result of this case in the run"


def _launch(index: int, stated: CaseLaunch) -> Iterator[str]:
    launch = stated.launch
    name = launch.kernel or "the only entry"
    yield f"launch {index}: {name}, grid {launch.grid}, block {launch.block}, smem {launch.shared_bytes}"
    for at, arg in enumerate(launch.args):
        if isinstance(arg, Buffer):
            yield f"  argument {at}: {arg.dtype}[{len(arg.data)}] {_elements(arg.data)}"
        else:
            yield f"  argument {at}: {arg.kind} {arg.value}"
    if stated.expect is not None:
        for at, values in sorted(stated.expect.items()):
            yield f"  expect argument {at}: {_elements(values)}"
        yield "  expect every other buffer unchanged"
    for at, which in sorted(stated.unspecified.items()):
        yield f"  unspecified in argument {at}: {'all' if which is None else _elements(which)}"
    for word, value in (("fault", stated.fault), ("verdict", stated.verdict)):
        if value:
            yield f"  declared {word}: {value}"
    if stated.needs:
        yield f"  needs: {', '.join(stated.needs)}"


def _elements(values: tuple[int, ...]) -> str:
    shown = ", ".join(str(value) for value in values[:MAX_ELEMENTS])
    more = f", ... {len(values) - MAX_ELEMENTS} more" if len(values) > MAX_ELEMENTS else ""
    return f"[{shown}{more}]"


def _results(record: dict[str, Any]) -> Iterator[str]:
    ruling = Ruling.from_json(record)
    yield f"result: {ruling}" + (f"  ({ruling.reason})" if ruling.reason and ruling.blame else "")
    for build in record.get("compile", ()):
        yield f"  compiled by {build['compiler']}" + (f": {build['error']}" if "error" in build else "")
        if build.get("log"):
            yield from (f"    {line}" for line in build["log"].splitlines())
    for launch in record["launches"]:
        yield f"  launch {launch['launch']}: {Ruling.from_json(launch)}"
        for key, entry in launch["legs"].items():
            own = Ruling.from_json(entry)
            yield f"    {key:<16} {entry['status']:<12} {own}  executed {entry['executed']}  {entry['product']}"
        for comparison in launch["comparisons"]:
            counts = ", ".join(
                f"{kind} {value['compared']}/{value['total']}"
                for kind, value in comparison.items()
                if kind not in ("a", "b")
            )
            yield f"    {comparison['a']} : {comparison['b']}: {counts}"
        for difference in launch.get("differences", ()):
            yield f"    difference: {difference['text']}"
        for finding in launch.get("findings", ()):
            yield f"    finding: {finding['kind']}: {finding['message']}"
