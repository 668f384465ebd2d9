"""The `conformance` command. Everything heavy is imported inside the commands."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from conformance.cli.pipes import run as run_command

if TYPE_CHECKING:
    from conformance.cases import Discovery
    from conformance.runner.config import RunConfig
    from conformance.runner.session import Outcome

DEFAULT_OUT = ".conformance"

BAD_USAGE = 2


def _version(context: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or context.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        number = version("qwengpu-conformance")
    except PackageNotFoundError:
        number = "not installed (running from a checkout)"
    click.echo(f"conformance {number}")
    context.exit()


def _names(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    """A comma-separated list without doubles."""
    if value is None:
        return None
    return tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))


def _fail(message: str) -> click.exceptions.Exit:
    click.echo(f"conformance: {message}", err=True)
    return click.exceptions.Exit(BAD_USAGE)


EXAMPLES = """
\b
Examples:
  conformance run                               the corpus on every leg that this machine has
  conformance run kernels/atomics -k cas        cases of an area whose id or feature holds "cas"
  conformance run my/case.json --legs ptx,native,expected
  conformance run --spec seed,wide --jobs 8 --out out --junit out/junit.xml
  conformance show warp/shfl_width1 --out out   a case, its launches and what the last run said
  conformance matrix out                        the matrix of a finished run
  conformance doctor                            what this machine can run, and what is missing
"""


@click.group(epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show the version."
)
def cli() -> None:
    """Run CUDA kernels on independent implementations and see whether they agree."""


_paths = click.argument("paths", nargs=-1)
_filter = click.option(
    "-k", "--filter", "keyword", default="", help="Only cases whose id, tags or features hold this."
)


@cli.command(
    epilog="""
\b
Exit codes: 0 all agree; 1 a case differs; 2 bad input, or a case that nobody executed or
that no two could be compared on (wrong usage too); 130 interrupted.

\b
Examples:
  conformance run kernels/shuffle --legs ptx,reference,expected
  conformance run --legs ptx,my_package.leg:oracle case.json
  conformance run --resume --out out
"""
)
@_paths
@click.option("--legs", callback=_names, help="Comma-separated; default: every leg available here.")
@click.option("--spec", "specs", callback=_names, default="seed", show_default=True, help="Machine specs.")
@click.option("--compilers", callback=_names, default="clang", show_default=True, help="clang, nvrtc or both.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1), default=None, help="Worker processes; default: all cores."
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=DEFAULT_OUT, show_default=True)
@click.option("--resume", is_flag=True, help="Go on with the interrupted run in --out.")
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write JUnit XML to this file.")
@click.option(
    "--waivers", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="YAML or JSON file."
)
@_filter
@click.option("-x", "--fail-fast", is_flag=True, help="Stop after the first case that is not fine.")
@click.option("--events/--no-events", default=True, show_default=True, help="Compare registers and traces too.")
@click.option("--step-limit", type=click.IntRange(1), help="Instructions of one thread; default: by the grid.")
@click.option(
    "--case-limit", type=click.FloatRange(min=0.1), default=120.0, show_default=True, help="Seconds a case."
)
@click.option("--no-cache", is_flag=True, help="Compile anew.")
@click.option("-v", "--verbose", is_flag=True, help="A line for every case, also for those that pass.")
@click.option("--json", "as_json", is_flag=True, help="Print the matrix as JSON.")
def run(paths: tuple[str, ...], **options: Any) -> None:
    """Run cases: PATHS are files, directories, case ids or areas; default: the corpus."""
    from conformance.cases import CaseError  # noqa: PLC0415
    from conformance.cli.live import Live  # noqa: PLC0415
    from conformance.report.junit import write_junit  # noqa: PLC0415
    from conformance.runner import session  # noqa: PLC0415
    from conformance.runner.config import UnknownSpec  # noqa: PLC0415
    from conformance.runner.store import StoreError  # noqa: PLC0415
    from conformance.waivers import WaiverError  # noqa: PLC0415
    from oracles.registry import BrokenLeg, UnknownLeg  # noqa: PLC0415

    # A job that is told to end keeps what finished, as after Ctrl-C.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        found = _find(paths, options["keyword"])
        config = _config(options)
        with Live(len(found.cases) + len(found.broken), options["verbose"], options["as_json"]) as live:
            outcome = session.run(
                found,
                config,
                out=options["out"],
                resume=options["resume"],
                jobs=options["jobs"] or os.cpu_count() or 1,
                fail_fast=options["fail_fast"],
                argv=session.command(),
                listener=live.case,
            )
        if options["junit"]:
            write_junit(outcome.records, options["junit"])
    except (CaseError, StoreError, WaiverError, UnknownLeg, BrokenLeg, UnknownSpec) as error:
        raise _fail(str(error)) from None
    except OSError as error:
        raise _fail(f"{error.filename}: {error.strerror}") from None
    _report(outcome, options)
    raise click.exceptions.Exit(outcome.exit_code)


def _find(paths: tuple[str, ...], keyword: str) -> Discovery:
    from conformance.cases import CaseError, discover  # noqa: PLC0415

    found = discover(paths)
    if keyword:
        word = keyword.lower()
        found.cases = [c for c in found.cases if word in " ".join((c.id, *c.tags, *c.features)).lower()]
        found.broken = [c for c in found.broken if word in c.id.lower()]
    if not found.cases and not found.broken:
        what = f"no case matches {keyword!r}" if keyword else "no case there"
        raise CaseError(", ".join(paths) or "corpus", "", what)
    return found


def _config(options: dict[str, Any]) -> RunConfig:
    from conformance.runner.config import RunConfig  # noqa: PLC0415
    from conformance.waivers import read_waivers  # noqa: PLC0415
    from oracles.registry import EXPECTED, load  # noqa: PLC0415
    from qwengpu.frontend.compilers import COMPILERS  # noqa: PLC0415

    if unknown := [name for name in options["compilers"] or () if name not in COMPILERS]:
        raise _fail(f"unknown compiler {unknown[0]!r}; there are: {', '.join(COMPILERS)}")
    for name in options["legs"] or ():
        problem = None if name == EXPECTED else load(name).oracle.available()
        if problem is not None:
            raise _fail(f"leg {name!r} cannot run here: {problem}")
    return RunConfig(
        legs=options["legs"] or _available_legs(),
        specs=options["specs"] or ("seed",),
        compilers=options["compilers"] or ("clang",),
        events=options["events"],
        step_limit=options["step_limit"],
        case_limit_s=options["case_limit"],
        cache=not options["no_cache"],
        waivers=read_waivers(options["waivers"]) if options["waivers"] else (),
    )


def _available_legs() -> tuple[str, ...]:
    """Legs that need no GPU and can run here; what is left out is said on standard error."""
    from oracles.registry import DEFAULT, EXPECTED, survey  # noqa: PLC0415

    states = {state.name: state for state in survey()}
    legs = []
    for name in DEFAULT:
        problem = states[name].problem if name in states else None
        if problem is None:
            legs.append(name)
        else:
            click.echo(f"leg {name} is left out: {problem}", err=True)
    if legs == [EXPECTED]:
        raise _fail("no leg can run here; see `conformance doctor`")
    return tuple(legs)


def _report(outcome: Outcome, options: dict[str, Any]) -> None:
    import json  # noqa: PLC0415

    from conformance.report import matrix, tables  # noqa: PLC0415

    order = list(outcome.environment["products"])
    made = matrix.build(outcome.records, order)
    compared = matrix.summary(outcome.records)
    if options["as_json"]:
        report = {"environment": outcome.environment, "matrix": made.to_json(), "compared": compared}
        click.echo(json.dumps(report | {"exit_code": outcome.exit_code}))
    else:
        screen = tables.console()
        tables.print_matrix(made, screen)
        tables.print_compared(compared, screen)
        screen.print(tables.verdict_counts(outcome.records))
        if outcome.path:
            screen.print(f"results: {outcome.path}")
    if outcome.interrupted:
        done = len(outcome.records)
        click.echo(
            f"interrupted: {done} of {outcome.environment['cases']} cases are kept in {outcome.path}; "
            "the same command with --resume goes on",
            err=True,
        )
    elif outcome.stopped:
        click.echo(
            f"stopped at the first problem: {len(outcome.records)} of {outcome.environment['cases']}", err=True
        )


@cli.command("list")
@_paths
@_filter
@click.option("--json", "as_json", is_flag=True, help="One JSON list.")
def list_(paths: tuple[str, ...], keyword: str, as_json: bool) -> None:
    """List cases with their areas, tags and launches."""
    import json  # noqa: PLC0415

    from conformance.cases import CaseError  # noqa: PLC0415

    try:
        found = _find(paths, keyword)
    except CaseError as error:
        raise _fail(str(error)) from None
    if as_json:
        rows = [
            {
                "id": case.id,
                "file": case.file,
                "area": case.area,
                "description": case.description,
                "tags": case.tags,
                "features": case.features,
                "launches": len(case.launches),
            }
            for case in found.cases
        ]
        rows += [{"id": case.id, "file": case.file, "error": case.error} for case in found.broken]
        click.echo(json.dumps(rows, indent=1))
    else:
        width = max((len(case.id) for case in found.cases), default=0)
        for case in found.cases:
            tags = f" [{', '.join(case.tags)}]" if case.tags else ""
            click.echo(
                f"{case.id:<{width}}  {len(case.launches)} launch(es){tags}  {case.description}".rstrip()
            )
        for broken in found.broken:
            click.echo(f"{broken.id:<{width}}  broken: {broken.error}")
        click.echo(f"{len(found.cases)} cases, {len(found.broken)} broken", err=True)
    raise click.exceptions.Exit(BAD_USAGE if found.broken else 0)


@cli.command()
@click.argument("case")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="A run whose results are shown too."
)
def show(case: str, out: Path | None) -> None:
    """Show a case: source, launches, and what the run in --out found."""
    from conformance.cases import CaseError, discover  # noqa: PLC0415
    from conformance.report.show import show_case  # noqa: PLC0415
    from conformance.runner.store import FILE, StoreError, read_run  # noqa: PLC0415

    try:
        given = out or (Path(DEFAULT_OUT) if (Path(DEFAULT_OUT) / FILE).exists() else None)
        results = read_run(given).cases if given else {}
        # The id that a run printed, also of a case outside the corpus.
        known = results.get(case)
        found = discover([known["file"] if known and Path(known["file"]).exists() else case])
    except (CaseError, StoreError) as error:
        raise _fail(str(error)) from None
    for broken in found.broken:
        click.echo(f"{broken.id}: broken: {broken.error}")
    for good in found.cases:
        for line in show_case(good, results.get(good.id), bool(out)):
            click.echo(line)
    raise click.exceptions.Exit(BAD_USAGE if found.broken else 0)


@cli.command()
@click.argument("directories", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def matrix(directories: tuple[Path, ...], as_json: bool) -> None:
    """Print the matrix of finished runs; several directories stand one after the other."""
    import json  # noqa: PLC0415

    from conformance.report import matrix as matrices  # noqa: PLC0415
    from conformance.report import tables  # noqa: PLC0415
    from conformance.runner.store import StoreError, read_run  # noqa: PLC0415

    made: dict[str, Any] = {}
    screen = tables.console()
    for directory in directories:
        try:
            stored = read_run(directory)
        except StoreError as error:
            raise _fail(str(error)) from None
        records = [stored.cases[name] for name in sorted(stored.cases)]
        built = matrices.build(records, list(stored.environment.get("products", ())))
        compared = matrices.summary(records)
        if as_json:
            made[str(directory)] = {
                "environment": stored.environment,
                "matrix": built.to_json(),
                "compared": compared,
                "differing": [r["id"] for r in records if not r["ok"]],
            }
            continue
        screen.print(f"{directory} ({stored.environment['time']})")
        missing = stored.environment["cases"] - len(records)
        if missing:
            screen.print(f"incomplete: {missing} of {stored.environment['cases']} cases are not in it")
        tables.print_matrix(built, screen)
        tables.print_compared(compared, screen)
        screen.print(tables.verdict_counts(records))
        for record in records:
            if not record["ok"]:
                screen.print(tables.case_line(record))
    if as_json:
        click.echo(json.dumps(made))


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON list.")
def doctor(as_json: bool) -> None:
    """Say what this machine can run, and what is missing with the remedy."""
    import json  # noqa: PLC0415

    from conformance.report.doctor import examine  # noqa: PLC0415

    checks = examine()
    if as_json:
        click.echo(json.dumps([check.to_json() for check in checks]))
    else:
        for check in checks:
            click.echo(str(check))
    raise click.exceptions.Exit(0 if all(check.ok or check.optional for check in checks) else BAD_USAGE)


def main(argv: list[str] | None = None) -> None:
    """The console script."""
    run_command(cli, "conformance", argv)
