"""The fast executor's speed, beside the stock model's: `python -m conformance.bench.executor`."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

REPEATS = 3
PROMPT = 200
"""Tokens of the made-up prompt of one launch."""
TRACE = 4096
"""Tokens of the replayed trace."""


def seconds(job: Callable[[], object], repeats: int = REPEATS) -> float:
    """Of the fastest run (the others were disturbed)."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        job()
        times.append(time.perf_counter() - started)
    return min(times)


def decode_rate(executor: Any, batch: int, threads: int, steps: int, prompts: Sequence[Sequence[int]]) -> float:
    """Generated tokens a second over the batch; what the prompts cost is measured apart and taken off."""

    def run(budget: int) -> float:
        return seconds(
            lambda: executor.generate_batch(
                prompts, budget, stop=(), batch=batch, threads=threads, keep_states=False
            )
        )

    run(2)  # compiles, or loads what was compiled before
    return len(prompts) * (steps - 2) / max(run(steps) - run(2), 1e-9)


def executor_rows(executor: Any, steps: int) -> Iterator[str]:
    """Markdown rows: tokens a second of the executor."""
    source = random.Random(1)
    vocabulary = executor.config.vocabulary

    def ids(count: int) -> list[int]:
        return [source.randrange(vocabulary) for _ in range(count)]

    for batch, threads in ((1, 1), (8, 1), (64, 1), (64, 2)):
        rate = decode_rate(executor, batch, threads, steps, [ids(3) for _ in range(batch * threads)])
        yield f"| fast, batch {batch}, {threads} thread{'s' * (threads > 1)} | {rate:,.0f} |"
    prompt = ids(PROMPT)
    trace = [*prompt, *executor.generate(prompt, TRACE - PROMPT, stop=()).tokens]
    yield f"| fast, replay of one trace | {TRACE / seconds(lambda: executor.replay(trace)):,.0f} |"
    yield f"| fast, prefill | {TRACE / seconds(lambda: executor.feed(trace)):,.0f} |"


def stock_rows(model: Any, steps: int) -> Iterator[str]:
    """Markdown rows: the same of the stock modules, on one thread."""
    torch = import_module("torch")
    torch.set_num_threads(1)

    def generate(batch: int, count: int) -> float:
        ids = torch.randint(0, model.config.vocab_size, (batch, 3))
        options = {"do_sample": False, "max_new_tokens": count, "min_new_tokens": count}
        with torch.no_grad():
            return seconds(
                lambda: model.generate(ids, attention_mask=torch.ones_like(ids), **options), repeats=1
            )

    for batch in (1, 8, 64):
        generate(batch, 2)
        rate = batch * (steps - 2) / (generate(batch, steps) - generate(batch, 2))
        yield f"| stock generate(), batch {batch}, 1 thread | {rate:,.0f} |"
    trace = torch.randint(0, model.config.vocab_size, (1, 512))
    with torch.no_grad():
        rate = 512 / seconds(lambda: model(trace, use_cache=False), repeats=2)
    yield f"| stock, one pass over a trace | {rate:,.0f} |"


def stock_model(config: Any, tensors: Any) -> Any:
    """The made-up machine as the stock library's model."""
    torch, transformers = import_module("torch"), import_module("transformers")
    names = {name: value for name, value in config.items() if name not in ("model_type", "architectures")}
    made = transformers.Qwen3_5TextConfig(**names)
    made._attn_implementation = "eager"
    model = transformers.Qwen3_5ForCausalLM(made).float().eval()
    model.load_state_dict({name: torch.as_tensor(tensor) for name, tensor in tensors.items()}, strict=True)
    return model


def load_stock(folder: Path) -> Any:
    """A checkpoint folder as the stock library loads it."""
    torch, transformers = import_module("torch"), import_module("transformers")
    return transformers.AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager"
    ).eval()


@click.command()
@click.option("--checkpoint", type=click.Path(exists=True, path_type=Path), help="Default: a made-up machine.")
@click.option("--stock/--no-stock", default=False, help="Also time the stock modules (minutes, some GB).")
@click.option("--steps", default=200, show_default=True, help="Tokens generated in each launch.")
@click.option("--stock-steps", default=6, show_default=True, help="The same for the stock modules.")
def main(checkpoint: Path | None, stock: bool, steps: int, stock_steps: int) -> None:
    """Print tokens a second as Markdown."""
    from qwengpu.executor.engine import Executor  # noqa: PLC0415 - numba is an extra
    from qwengpu.executor.synthetic import Machine, make  # noqa: PLC0415

    started = time.perf_counter()
    config, tensors = make(Machine()) if checkpoint is None else ({}, {})
    made = time.perf_counter()
    if checkpoint is None:
        executor = Executor.from_state_dict(config, tensors)
    else:
        executor = Executor.from_folder(checkpoint)
    click.echo(f"made-up machine ({made - started:.1f} s)" if checkpoint is None else str(checkpoint))
    click.echo(executor.facts() + "\n")
    click.echo(f"| executor | tokens/s |\n| --- | --- |\n| (loading: {time.perf_counter() - made:.1f} s) | |")
    for row in executor_rows(executor, steps):
        click.echo(row)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    click.echo(f"| (peak memory so far: {peak:,.0f} MB) | |")
    if stock:
        model = stock_model(config, tensors) if checkpoint is None else load_stock(checkpoint)
        for row in stock_rows(model, stock_steps):
            click.echo(row)
    fallen = {name: count for name, count in executor.counts.items() if count}
    click.echo(f"\ncounts: {fallen}")


if __name__ == "__main__":
    main()
