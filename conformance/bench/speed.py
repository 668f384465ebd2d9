"""Interpreters, lowering and the whole corpus, timed: `python -m conformance.bench.speed`."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import click

from conformance.bench.inputs import compiled
from conformance.cases import Case, discover
from oracles.api import Launch, Module, Options, Oracle, Status
from qwengpu.program import Refusal
from qwengpu.spec import WIDE

MATRIX_PRODUCT = "algorithms/matmul_bench"
REPEATS = 5


def best(job: Callable[[], object]) -> float:
    """Seconds of the fastest of REPEATS runs (the others were disturbed)."""
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        job()
        times.append(time.perf_counter() - started)
    return min(times)


def interpreter_rates(legs: dict[str, Oracle], module: Module, launch: Launch) -> Iterator[str]:
    """Markdown: thread-instructions a second on the matrix product, a row a leg and mode."""
    yield "| leg | mode | thread-instructions | a second |"
    yield "| --- | --- | --- | --- |"
    base = Options(check=False, spec=WIDE.name)
    modes = {
        "plain": base,
        "events": replace(base, events=True),
        "definedness checked": replace(base, check=True),
        "4-lane warps": replace(base, warp_size=4),
    }
    for name, leg in legs.items():
        for mode, options in modes.items():
            if name == "reference" and mode in ("definedness checked", "4-lane warps"):
                continue
            result = leg.run(module, launch, options)
            if result.status is not Status.OK:
                raise click.ClickException(f"{name}: {result.status.value}: {result.reason}")
            seconds = best(partial(leg.run, module, launch, options))
            yield f"| {name} | {mode} | {result.executed} | {result.executed / seconds:,.0f} |"


def lowering_times(cases: list[Case]) -> Iterator[str]:
    """Markdown: milliseconds a kernel for reading, selecting and packing, beside the compiler's."""
    from qwengpu.lowering.lower import lower  # noqa: PLC0415

    times: list[float] = []
    refused = 0
    for module, launch in compiled(cases):
        started = time.perf_counter()
        try:
            lower(module.ptx, launch.kernel, WIDE)
        except Refusal:
            refused += 1
            continue
        times.append(1000 * (time.perf_counter() - started))
    times.sort()
    yield "| kernels lowered | refused | mean ms | median ms | 95th percentile ms | largest ms |"
    yield "| --- | --- | --- | --- | --- | --- |"
    yield (
        f"| {len(times)} | {refused} | {statistics.mean(times):.1f} | {statistics.median(times):.1f} "
        f"| {times[int(0.95 * len(times))]:.1f} | {times[-1]:.1f} |"
    )


def corpus_times(legs: str) -> Iterator[str]:
    """Markdown: the whole corpus through `conformance run`, with an empty compiler cache and a full one."""
    yield "| corpus on | compiler cache | seconds | ratio to the first |"
    yield "| --- | --- | --- | --- |"
    with tempfile.TemporaryDirectory() as scratch:
        environment = os.environ | {"QWENGPU_CACHE_DIR": os.path.join(scratch, "cache")}
        command = [sys.executable, "-m", "conformance", "run", "--legs", legs]
        first = 0.0
        for number, cache in enumerate(("empty", "full")):
            started = time.perf_counter()
            out = os.path.join(scratch, f"out{number}")
            subprocess.run([*command, "--out", out], env=environment, capture_output=True, check=False)
            seconds = time.perf_counter() - started
            first = first or seconds
            yield f"| {legs} | {cache} | {seconds:.1f} | {seconds / first:.2f} |"


@click.command()
@click.option("--corpus/--no-corpus", default=True, help="Also time the whole corpus (a minute or two).")
def main(corpus: bool) -> None:
    """Print speeds as Markdown."""
    from oracles.registry import load  # noqa: PLC0415

    legs = {name: load(name).oracle for name in ("ptx", "reference")}
    cases = [case for case in discover(()).cases if isinstance(case, Case)]
    product = [case for case in cases if case.id == MATRIX_PRODUCT]
    module, launch = next(compiled(product))
    click.echo("\n".join(interpreter_rates(legs, module, launch)) + "\n")
    click.echo("\n".join(lowering_times(cases)) + "\n")
    if corpus:
        click.echo("\n".join(corpus_times("ptx,reference,native,expected")) + "\n")


if __name__ == "__main__":
    main()
