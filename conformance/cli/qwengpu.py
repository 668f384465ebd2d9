"""The `qwengpu` command: compile, run and trace kernels on the machine; imports are inside the commands."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from conformance.cli.pipes import run as run_command

if TYPE_CHECKING:
    from oracles.api import Launch, Module, Options, Result
    from oracles.reference.leg import ReferenceOracle

FAULTED, BAD_INPUT, BROKEN = 1, 2, 3
"""Exit codes besides 0."""

EXIT_CODES = """
\b
Exit codes: 0 it ran to its end; 1 it faulted or met the step limit; 2 bad input, or the kernel or the
launch is refused; 3 an error of the leg itself.
"""

COMPILE_EXIT_CODES = """
\b
Exit codes: 0 done; 2 bad input, or the kernel or the launch is refused.
"""

EXAMPLES = """
\b
Examples:
  qwengpu compile kernel.cu                        block listing, registers and sizes
  qwengpu run kernel.cu --block 4 --arg int32:1,2,3,4 --arg int32:0*4 --arg i32:4
  qwengpu trace control/dot3                       what the machine writes, token by token
  qwengpu prompt control/dot3 > prompt.json        the token ids that start the launch
  qwengpu spec --spec wide                         the numbers of a machine
"""


def _version(context: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or context.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        number = version("qwengpu-conformance")
    except PackageNotFoundError:
        number = "not installed (running from a checkout)"
    click.echo(f"qwengpu {number}")
    context.exit()


def _check_spec(_: click.Context, __: click.Parameter, value: str) -> str:
    from qwengpu.spec import spec_named  # noqa: PLC0415

    try:
        return spec_named(value).name
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _one_line_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Turns what is wrong with the input into one line on standard error and exit code 2."""

    @functools.wraps(command)
    def wrapped(*args: Any, **options: Any) -> None:
        from conformance.cli.qwengpu_inputs import InputError  # noqa: PLC0415
        from oracles.reference.leg import BadInput  # noqa: PLC0415
        from oracles.registry import BrokenLeg  # noqa: PLC0415
        from qwengpu.program import Refusal  # noqa: PLC0415

        try:
            command(*args, **options)
        except (InputError, BadInput, Refusal) as error:
            click.echo(f"qwengpu: {error}", err=True)
            raise click.exceptions.Exit(BAD_INPUT) from None
        except BrokenLeg as error:
            click.echo(f"qwengpu: {error}", err=True)
            raise click.exceptions.Exit(BROKEN) from None

    return wrapped


def _echo(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def _exit_code(result: Result) -> int:
    from oracles.api import Status  # noqa: PLC0415

    codes = {
        Status.OK: 0,
        Status.FAULT: FAULTED,
        Status.TIMEOUT: FAULTED,
        Status.UNSUPPORTED: BAD_INPUT,
        Status.BAD_INPUT: BAD_INPUT,
    }
    return codes.get(result.status, BROKEN)


_spec = click.option(
    "--spec", "spec_name", default="seed", show_default=True, callback=_check_spec, help="Machine spec."
)
_compiler = click.option("--compiler", type=click.Choice(["clang", "nvrtc"]), help="Default: clang.")
_launch = click.option("--launch", "number", default=0, show_default=True, help="Which launch of the case.")
_case = click.argument("case")
_file = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))


@click.group(epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show the version."
)
def cli() -> None:
    """Compile CUDA kernels for the machine, run them, and see every token that it writes."""


@cli.command(
    epilog=COMPILE_EXIT_CODES
    + """
\b
Examples:
  qwengpu compile kernel.cu
  qwengpu compile kernels/control/dot3.cu --compiler nvrtc --spec wide
  qwengpu compile kernel.cu --ptx > kernel.ptx
"""
)
@_file
@click.option("--kernel", default="", help="Entry; needed if the file has several.")
@_compiler
@click.option("--ptx", "ptx_only", is_flag=True, help="Print the PTX and nothing else.")
@click.option("--map", "value_map", is_flag=True, help="Also say which PTX definitions each block realises.")
@_spec
@_one_line_errors
def compile(
    file: Path, kernel: str, compiler: str | None, ptx_only: bool, value_map: bool, spec_name: str
) -> None:
    """Compile FILE (.cu or .ptx): PTX, machine blocks with their source lines, registers and sizes.

    A kernel that is refused prints its refusal only; --ptx shows the PTX whose lines it names.
    """
    from conformance.cli.qwengpu_inputs import compile_source, entry_of, read_source  # noqa: PLC0415
    from conformance.cli.qwengpu_output import size_report  # noqa: PLC0415
    from oracles.reference.leg import lower_ptx  # noqa: PLC0415
    from qwengpu.lowering.listing import listing  # noqa: PLC0415
    from qwengpu.spec import spec_named  # noqa: PLC0415

    module = compile_source(read_source(file), compiler or "clang")
    ptx = module.ptx.rstrip("\n")
    if ptx_only:
        click.echo(ptx)
        return
    program = lower_ptx(module.ptx, entry_of(module, kernel, file.name), spec_named(spec_name))
    click.echo(ptx)
    click.echo()
    click.echo(listing(program, module.source, definitions=value_map))
    _echo(size_report(program))


@cli.command(
    epilog=EXIT_CODES
    + """
\b
Arguments: --arg int32:1,2,3 is a buffer of three elements, --arg int32:0*8 one of eight zeros,
--arg i32:3 a scalar; types are int8 ... uint64 and i8 ... u64.

\b
Examples:
  qwengpu run dot3.cu --arg int32:1,2,3 --arg int32:4,5,6 --arg int32:0 --arg i32:3
  qwengpu run scan.cu --kernel scan --grid 2,1,1 --block 8 --smem 32 --arg int32:1,2,3,4 --leg ptx
"""
)
@_file
@click.option("--kernel", default="", help="Entry; needed if the file has several.")
@click.option("--grid", default="1", show_default=True, help="Thread blocks, like 2,1,1.")
@click.option("--block", default="1", show_default=True, help="Threads a block, like 8 or 4,2.")
@click.option("--arg", "arguments", multiple=True, help="An argument, in order: int32:1,2,3 or i32:3.")
@click.option("--smem", default=0, type=click.IntRange(0), help="Dynamic shared memory, bytes.")
@click.option("--leg", default="reference", show_default=True, help="reference, ptx, native, ...")
@click.option("--step-limit", default=1_000_000, show_default=True, type=click.IntRange(1))
@_compiler
@_spec
@_one_line_errors
def run(
    file: Path, kernel: str, arguments: tuple[str, ...], leg: str, compiler: str | None, **options: Any
) -> None:
    """Run a kernel of FILE once and print its buffers."""
    from conformance.cli import qwengpu_inputs as inputs  # noqa: PLC0415
    from conformance.cli.qwengpu_output import result_lines  # noqa: PLC0415
    from oracles.api import Launch, Options  # noqa: PLC0415

    launch_args = tuple(inputs.parse_argument(text, index) for index, text in enumerate(arguments))
    grid, block = (inputs.parse_dims(options[what], what) for what in ("grid", "block"))
    module = inputs.compile_source(inputs.read_source(file), compiler or "clang")
    launch = Launch(inputs.entry_of(module, kernel, file.name), grid, block, launch_args, options["smem"])
    settings = Options(step_limit=options["step_limit"], spec=options["spec_name"])
    result = _run_leg(leg, module, launch, settings)
    code = _exit_code(result)
    if code >= BAD_INPUT:
        click.echo(f"qwengpu: {result.status.value}: {result.reason}", err=True)
    else:
        _echo(result_lines(result, launch))
    raise click.exceptions.Exit(code)


def _run_leg(name: str, module: Module, launch: Launch, options: Options) -> Result:
    """Run on a leg of the registry.

    Raises InputError if there is no such leg or it cannot run here, and BrokenLeg.
    """
    from conformance.cli.qwengpu_inputs import InputError, load_leg  # noqa: PLC0415

    leg = load_leg(name)
    missing = leg.oracle.available()
    if missing is not None:
        raise InputError(f"leg {name} cannot run here: {missing}")
    return leg.oracle.run(module, launch, options)


def _machine() -> ReferenceOracle:
    from oracles.reference.leg import ReferenceOracle  # noqa: PLC0415

    return ReferenceOracle()


@cli.command(
    epilog=COMPILE_EXIT_CODES
    + """
\b
CASE is a .json beside a kernel, a corpus file, or the id of a corpus case.

\b
Examples:
  qwengpu prompt control/dot3 > prompt.json
  qwengpu prompt my/case.json --text
"""
)
@_case
@_launch
@click.option("--text", is_flag=True, help="Readable tokens instead of ids.")
@click.option("--ids", is_flag=True, help="One JSON list of token ids and nothing else (the default).")
@_compiler
@_spec
@_one_line_errors
def prompt(case: str, number: int, text: bool, ids: bool, compiler: str | None, spec_name: str) -> None:
    """Print the prompt of a launch as one JSON list of token ids."""
    from conformance.cli.qwengpu_inputs import load_case  # noqa: PLC0415
    from conformance.cli.qwengpu_output import token_lines  # noqa: PLC0415
    from oracles.api import Options  # noqa: PLC0415

    loaded = load_case(case, number, compiler)
    program, tokens = _machine().prompt(loaded.module, loaded.launch, Options(spec=spec_name))
    if text and not ids:
        _echo(token_lines(tokens, program.spec))
    else:
        click.echo(json.dumps(tokens))


@cli.command(
    epilog=EXIT_CODES
    + """
\b
CASE is a .json beside a kernel, a corpus file, or the id of a corpus case.

\b
Examples:
  qwengpu trace control/dot3
  qwengpu trace my/case.json --leg reference --ids
"""
)
@_case
@_launch
@click.option("--leg", default="reference", show_default=True, help="A leg that reports tokens.")
@click.option("--ids", is_flag=True, help="One JSON list of token ids and nothing else.")
@_compiler
@_spec
@_one_line_errors
def trace(case: str, number: int, leg: str, ids: bool, compiler: str | None, spec_name: str) -> None:
    """Run a launch and print the tokens that the machine generates."""
    from conformance.cli.qwengpu_inputs import InputError, load_case, load_leg  # noqa: PLC0415
    from conformance.cli.qwengpu_output import result_lines, token_lines  # noqa: PLC0415
    from oracles.api import Options, Report  # noqa: PLC0415
    from qwengpu.spec import spec_named  # noqa: PLC0415

    if Report.TOKENS not in load_leg(leg).reports:
        raise InputError(f"leg {leg} reports no tokens; use --leg reference")
    loaded = load_case(case, number, compiler)
    limit = loaded.stated.step_limit or Options().step_limit
    result = _run_leg(leg, loaded.module, loaded.launch, Options(spec=spec_name, step_limit=limit))
    if result.tokens is None:
        raise InputError(f"{result.status.value}: {result.reason}")
    if ids:
        click.echo(json.dumps(list(result.tokens)))
    else:
        spec = spec_named(spec_name)
        program = _machine().program(loaded.module, loaded.launch, spec)
        _echo(token_lines(result.tokens, spec, program))
        click.echo()
        _echo(result_lines(result, loaded.launch))
    raise click.exceptions.Exit(_exit_code(result))


@cli.command(
    epilog="""
\b
Examples:
  qwengpu spec
  qwengpu spec --spec wide
"""
)
@_spec
def spec(spec_name: str) -> None:
    """Print the numbers of a machine spec."""
    from conformance.cli.qwengpu_output import spec_lines  # noqa: PLC0415
    from qwengpu.spec import spec_named  # noqa: PLC0415

    _echo(spec_lines(spec_named(spec_name)))


def main() -> None:
    """Entry point of the console script."""
    run_command(cli, "qwengpu")
