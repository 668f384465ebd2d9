"""Running a click command as a console script that may be read by `head`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

PIPE_CLOSED = 141
"""What a shell reports for a program ended by SIGPIPE."""


def run(command: click.Command, name: str, argv: Sequence[str] | None = None) -> None:
    """Run ``command`` and exit; if the reader of its output went away, quietly with PIPE_CLOSED.

    click itself would exit with 1 then, which means "a case differs" here.
    """
    try:
        command.main(args=None if argv is None else list(argv), prog_name=name, standalone_mode=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(PIPE_CLOSED) from None
    except SystemExit:
        # click has put a wrapper of its own around an output that is closed.
        if type(sys.stdout).__module__.startswith("click."):
            raise SystemExit(PIPE_CLOSED) from None
        raise
