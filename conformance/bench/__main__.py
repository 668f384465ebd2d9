"""`python -m conformance.bench`: every measurement, one after the other; or the named ones."""

from __future__ import annotations

import importlib
import os
import platform

import click

PARTS = {
    "speed": "interpreters, lowering, the whole corpus",
    "tokens": "token counts of the corpus by payload width",
}


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(sorted(PARTS)))
def main(parts: tuple[str, ...]) -> None:
    """Measure PARTS (default: all) and print Markdown tables."""
    machine = f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}"
    click.echo(f"{machine}, Python {platform.python_version()}\n")
    for part in parts or PARTS:
        click.echo(f"## {part}: {PARTS[part]}\n")
        importlib.import_module(f"conformance.bench.{part}").main(args=[], standalone_mode=False)


if __name__ == "__main__":
    main()
