"""Compiles a case with each compiler asked for; nothing here raises for what the source is."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.cases import Case
from conformance.differ import PtxLines
from conformance.runner.config import RunConfig
from conformance.verdicts import Ruling, Verdict
from oracles.api import Module, kernel_missing

AS_IT_IS = "ptx"
"""Stands for the compiler of a file that is PTX already."""


@dataclass(frozen=True)
class Build:
    """A compiler's product, or the ruling that says why there is none."""

    compiler: str
    module: Module | None = None
    lines: PtxLines | None = None
    problem: Ruling | None = None
    log: str = ""
    seconds: float = 0.0
    cached: bool = False

    def to_json(self) -> dict[str, Any]:
        """docs/results.md."""
        out: dict[str, Any] = {
            "compiler": self.module.compiler if self.module else self.compiler,
            "seconds": round(self.seconds, 6),
            "cached": self.cached,
        }
        if self.problem:
            out["error"] = self.problem.reason
            out["log"] = self.log
        return out


def build_case(case: Case, config: RunConfig) -> list[Build]:
    """One Build a compiler; a ``.ptx`` file has one that is the file itself."""
    name = Path(case.kernel_file).name
    if case.language == "ptx":
        module = Module(case.text, Path(name).stem)
        return [Build(AS_IT_IS, module, PtxLines.scan(case.text))]
    wanted = [c for c in config.compilers if not case.compilers or c in case.compilers]
    if not wanted:
        reason = f"the case is for {', '.join(case.compilers)}; asked for {', '.join(config.compilers)}"
        return [Build(",".join(config.compilers), problem=Ruling(Verdict.UNSUPPORTED, reason))]
    return [_compile(case, name, compiler, config) for compiler in wanted]


def _compile(case: Case, name: str, compiler: str, config: RunConfig) -> Build:
    from qwengpu.frontend import compilers  # noqa: PLC0415

    started = time.perf_counter()
    cache = compilers.default_cache() if config.cache else None
    try:
        made = compilers.compile_cuda(case.text, name=name, compiler=compiler, cache=cache)
    except compilers.CompileError as error:
        problem = Ruling(Verdict.BAD_INPUT, f"does not compile: {error}")
        return Build(compiler, problem=problem, log=error.log, seconds=time.perf_counter() - started)
    except compilers.CompilerMissing as error:
        return Build(compiler, problem=Ruling(Verdict.UNSUPPORTED, str(error)))
    module = Module(made.ptx, Path(name).stem, made.compiler, case.text)
    lines = PtxLines.scan(made.ptx)
    return Build(compiler, module, lines, None, made.log, time.perf_counter() - started, made.cached)


def resolve_kernel(wanted: str, entries: list[str]) -> tuple[str, Ruling | None]:
    """The entry to launch: the one named (in C++, mangled or not), or the only one there is."""
    if wanted:
        if wanted in entries:
            return wanted, None
        mangled = [entry for entry in entries if entry.startswith(f"_Z{len(wanted)}{wanted}")]
        if len(mangled) == 1:
            return mangled[0], None
        return wanted, Ruling(Verdict.BAD_INPUT, kernel_missing(wanted, entries))
    if len(entries) == 1:
        return entries[0], None
    there = ", ".join(entries) or "none"
    return "", Ruling(Verdict.BAD_INPUT, f"the launch names no kernel and the module has: {there}")
