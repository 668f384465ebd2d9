"""A whole run: environment, what is left to do, records as they come, the exit code."""

from __future__ import annotations

import datetime
import os
import platform
import sys
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from conformance.cases import BrokenCase, Case, Discovery
from conformance.runner.config import Context, RunConfig
from conformance.runner.execute import rulings_of, run_case
from conformance.runner.legrun import product_of
from conformance.runner.pool import Pool
from conformance.runner.store import SCHEMA_VERSION, Writer
from conformance.verdicts import exit_code
from oracles.api import Options

INTERRUPTED = 130

_PACKAGES = ("qwengpu-conformance", "ziglang", "nvidia-cuda-nvrtc", "pydantic", "pyyaml")


def environment(config: RunConfig, found: Discovery, context: Context, argv: Sequence[str]) -> dict[str, Any]:
    """The first line of a run."""
    versions: dict[str, str | None] = {}
    for package in _PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = None
    return {
        "type": "environment",
        "schema_version": SCHEMA_VERSION,
        "time": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "argv": list(argv),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
        "packages": versions,
        "products": _products(config, context),
        "unavailable": {
            leg.name: problem for leg in context.legs if (problem := leg.oracle.available()) is not None
        },
        "config": config.signature(),
        "waivers": len(config.waivers),
        "seed": config.schedules,
        "cases": len(found.cases) + len(found.broken),
        "corpus_sha256": found.sha256(),
    }


def _products(config: RunConfig, context: Context) -> dict[str, str]:
    out = {}
    for leg in context.legs:
        for spec in config.specs if leg.specs else (None,):
            options = replace(Options(warp_size=leg.warp_size), spec=spec or "seed")
            out[f"{leg.name}-{spec}" if spec else leg.name] = product_of(leg.oracle, options)
    if context.expected:
        out["expected"] = "expected@case"
    return out


@dataclass
class Outcome:
    """What a run came to. ``records`` are of all cases, resumed ones included, in the order of ids."""

    environment: dict[str, Any]
    records: list[dict[str, Any]] = field(default_factory=list)
    interrupted: bool = False
    stopped: bool = False  # --fail-fast
    path: Path | None = None

    @property
    def exit_code(self) -> int:
        """docs/results.md."""
        if self.interrupted:
            return INTERRUPTED
        return exit_code([ruling for record in self.records for ruling in rulings_of(record)])


Listener = Callable[[dict[str, Any]], None]


def run(
    found: Discovery,
    config: RunConfig,
    *,
    out: Path | None = None,
    resume: bool = False,
    jobs: int = 1,
    fail_fast: bool = False,
    argv: Sequence[str] = (),
    listener: Listener = lambda _: None,
) -> Outcome:
    """Run cases; ``jobs`` 0 runs them in this process (no protection against a crash or a hang).

    ``out`` gets ``run.jsonl``. Raises UnknownLeg, BrokenLeg, StoreError before anything runs.
    """
    context = Context.build(config)
    outcome = Outcome(environment(config, found, context, argv))
    if out is None:
        _go(found, config, context, jobs, fail_fast, listener, outcome, {}, None)
        return outcome
    with Writer(out, outcome.environment, resume) as writer:
        outcome.path = writer.path
        _go(found, config, context, jobs, fail_fast, listener, outcome, writer.done, writer)
    return outcome


def _go(
    found: Discovery,
    config: RunConfig,
    context: Context,
    jobs: int,
    fail_fast: bool,
    listener: Listener,
    outcome: Outcome,
    done: dict[str, dict[str, Any]],
    writer: Writer | None,
) -> None:
    everything: list[Case | BrokenCase] = [*found.broken, *found.cases]
    todo = [case for case in everything if case.id not in done]
    outcome.records = [done[case.id] for case in everything if case.id in done]
    records = Pool(config, jobs).run(todo) if jobs else _inline(todo, context)
    try:
        for record in records:
            if writer is not None:
                writer.write(record)
            outcome.records.append(record)
            listener(record)
            if fail_fast and not record["ok"]:
                outcome.stopped = len(outcome.records) < len(everything)
                break
    except KeyboardInterrupt:
        outcome.interrupted = True
    finally:
        records.close()
    outcome.records.sort(key=lambda record: str(record["id"]))


def _inline(todo: Sequence[Case | BrokenCase], context: Context) -> Generator[dict[str, Any], None, None]:
    for case in todo:
        yield run_case(case, context)


def command() -> list[str]:
    """The command line, as the environment records it."""
    return ["conformance", *sys.argv[1:]]
