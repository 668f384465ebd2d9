"""Token counts of the corpus by payload width: `python -m conformance.bench.tokens` (docs/tokens.md)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import click

from conformance.cases import Case, discover
from conformance.cli.qwengpu_inputs import InputError, Source, compile_source, entry_of
from oracles.api import Launch, Module, Options, Result, Status
from oracles.reference.leg import ReferenceOracle, lower_ptx
from qwengpu.program import Program
from qwengpu.spec import SEED, Spec
from qwengpu.tokens import Kind, vocabulary

WIDTHS = (4, 6, 8, 10, 12, 16)
HIDDEN = 2048
"""Hidden size of the model that the head multiplies (Qwen3.5-2B)."""
LAYER = 60_000_000
"""Weights of one layer of Qwen3.5-2B, about."""
BODIES = (12, 45)
"""Numbers of layers that every token passes: the smallest machine thought of, and the largest allowed."""


@dataclass(frozen=True)
class Cost:
    """Tokens of one launch at one payload width, by kind for the generated ones."""

    name: str
    bits: int
    prompt: int
    generated: Counter[Kind]

    @property
    def total(self) -> int:
        """Generated tokens, HALT included."""
        return sum(self.generated.values())


def launch_costs(name: str, module: Module, launch: Launch, widths: Sequence[int] = WIDTHS) -> list[Cost]:
    """One Cost a width, or none if the launch does not end on the seed machine.

    The blocks do not depend on the payload, so the kernel is lowered once.
    """
    out = []
    for bits in widths:
        spec = replace(SEED, payload_bits=bits)
        result = _run(module, launch, spec)
        if result.status is not Status.OK or result.tokens is None:
            return []
        vocab = vocabulary(spec)
        kinds = Counter(vocab.token(token_id).kind for token_id in result.tokens)
        out.append(Cost(name, bits, result.notes["prompt_tokens"], kinds))
    return out


def _run(module: Module, launch: Launch, spec: Spec) -> Result:
    def lower(ptx: str, kernel: str | None, _: Spec) -> Program:
        return replace(_lowered(ptx, kernel), spec=spec)

    return ReferenceOracle(lower).run(module, launch, Options())


@lru_cache(maxsize=4)
def _lowered(ptx: str, kernel: str | None) -> Program:
    return lower_ptx(ptx, kernel, SEED)


def corpus_costs(cases: Iterable[Case], widths: Sequence[int] = WIDTHS) -> Iterator[list[Cost]]:
    """Costs of every launch that runs to its end on the seed machine, a list (by width) a launch."""
    for case in cases:
        compiler = (case.compilers or ("clang",))[0]
        source = Source(Path(case.kernel_file).name, case.language, case.text)
        try:
            module = compile_source(source, compiler)
            for number, stated in enumerate(case.launches):
                given = stated.launch
                launch = replace(given, kernel=entry_of(module, given.kernel))
                costs = launch_costs(f"{case.id}#{number}", module, launch, widths)
                if costs:
                    yield costs
        except InputError:
            continue


def width_table(costs: Sequence[Sequence[Cost]]) -> Iterator[str]:
    """Markdown: a row a payload width."""
    yield (
        "| payload bits | vocabulary | head weights, M | generated tokens, all launches "
        "| geometric mean a launch | prompt tokens, all launches "
        + "".join(f"| tokens x weights, {layers} layers " for layers in BODIES)
        + "|"
    )
    yield "| --- | --- | --- | --- | --- | --- " + "| --- " * len(BODIES) + "|"
    rows = []
    for column, cost in enumerate(costs[0]):
        spec = replace(SEED, payload_bits=cost.bits)
        size = vocabulary(spec).size
        totals = [launch[column].total for launch in costs]
        prompts = sum(launch[column].prompt for launch in costs)
        mean = math.exp(sum(map(math.log, totals)) / len(totals))
        work = [sum(totals) * (layers * LAYER + size * HIDDEN) for layers in BODIES]
        rows.append((cost.bits, size, sum(totals), mean, prompts, work))
    base = next(work for bits, *_, work in rows if bits == SEED.payload_bits)
    for bits, size, total, mean, prompts, work in rows:
        relative = " | ".join(f"{mine / its:.3f}" for mine, its in zip(work, base, strict=True))
        yield f"| {bits} | {size} | {size * HIDDEN / 1e6:.1f} | {total} | {mean:.1f} | {prompts} | {relative} |"


def kind_table(costs: Sequence[Sequence[Cost]]) -> Iterator[str]:
    """Markdown: generated tokens by kind at the spec's own payload width."""
    column = [cost.bits for cost in costs[0]].index(SEED.payload_bits)
    sums: Counter[Kind] = Counter()
    for launch in costs:
        sums += launch[column].generated
    total = sum(sums.values())
    yield "| kind | tokens | share |"
    yield "| --- | --- | --- |"
    for kind, count in sums.most_common():
        yield f"| {kind.value} | {count} | {100 * count / total:.1f}% |"


def launch_table(costs: Sequence[Sequence[Cost]], names: str) -> Iterator[str]:
    """Markdown: launches whose name holds ``names``, at the spec's own payload width."""
    column = [cost.bits for cost in costs[0]].index(SEED.payload_bits)
    yield "| launch | generated | of these EXEC | prompt |"
    yield "| --- | --- | --- | --- |"
    for launch in costs:
        cost = launch[column]
        if names in cost.name:
            yield f"| {cost.name} | {cost.total} | {cost.generated[Kind.EXEC]} | {cost.prompt} |"


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--show", default="dot", show_default=True, help="Launches listed one by one hold this.")
def main(paths: tuple[str, ...], show: str) -> None:
    """Count tokens of PATHS (files, areas, ids; default: the corpus) and print the tables as Markdown."""
    costs = list(corpus_costs(discover(paths).cases))
    if not costs:
        raise click.ClickException("no launch ran to its end on the seed machine")
    click.echo(f"{len(costs)} launches.\n")
    for table in (width_table(costs), kind_table(costs), launch_table(costs, show)):
        click.echo("\n".join(table) + "\n")


if __name__ == "__main__":
    main()
