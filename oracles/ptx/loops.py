"""Compiles an expression over operands into a loop over the lanes of a warp.

An instruction runs as ``run(warp, lanes, mask)``. Registers are columns: ``warp.R[slot][lane]``. One
compiled loop serves every instruction with the same expression, so that decoding stays cheap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oracles.ptx.warp import Warp

Run = Callable[["Warp", Sequence[int], int], Any]
"""Executes an instruction for the lanes of ``mask``; see `oracles.ptx.warp` for what it may return."""

NAMES = "abcdefgh"
"""Operands in an expression, in order."""


@lru_cache(maxsize=4096)
def _maker(expressions: tuple[str, ...], sources: int, helper: Callable[..., int] | None) -> Callable[..., Run]:
    """The function (destination slots, source slots) -> Run of some expressions.

    Each destination has one expression in the operands a, b, c, ...; ``fn`` is ``helper``, ``l`` the lane.
    A later expression may use names that an earlier one assigned (``:=``).
    """
    names = NAMES[:sources]
    whole = "\n".join(expressions)
    uses = {name: len(re.findall(rf"\b{name}\b", whole)) for name in names}
    local = [name for name in names if uses[name] > 1 or (uses[name] and len(expressions) > 1)]
    body = [f"            {name} = {name.upper()}_[l]" for name in local]
    for at, expression in enumerate(expressions):
        for name in names:
            if name not in local:
                expression = re.sub(rf"\b{name}\b", f"{name.upper()}_[l]", expression)
        body.append(f"            D{at}[l] = {expression}")
    slots = [f"d{at}" for at in range(len(expressions))] + [f"s{at}" for at in range(sources)]
    fetch = [f"        D{at} = R[d{at}]" for at in range(len(expressions))]
    fetch += [f"        {name.upper()}_ = R[s{at}]" for at, name in enumerate(names) if uses[name]]
    lines = [
        f"def make({', '.join(slots)}):",
        "    def run(w, lanes, m):",
        "        R = w.R",
        *fetch,
        "        for l in lanes:",
        *body,
        "    return run",
    ]
    space: dict[str, Any] = {"fn": helper}
    exec("\n".join(lines), space)
    made: Callable[..., Run] = space["make"]
    return made


def lane_loop(
    expressions: tuple[str, ...],
    destinations: Sequence[int],
    sources: Sequence[int],
    helper: Callable[..., int] | None = None,
) -> Run:
    """An instruction that computes each destination lane by lane from the sources' values."""
    return _maker(expressions, len(sources), helper)(*destinations, *sources)
