"""The compilers behind one call, with a cache in front and a pool for many sources."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from qwengpu.frontend.compilers.cache import Cache, content_key, default_cache
from qwengpu.frontend.compilers.clang import Clang
from qwengpu.frontend.compilers.errors import CompileError, CompilerMissing
from qwengpu.frontend.compilers.nvrtc import Nvrtc
from qwengpu.frontend.compilers.result import Compilation

COMPILERS = ("clang", "nvrtc")
"""The compilers that :func:`compile_cuda` knows, by name."""

CACHE_FORMAT = "ptx-1"


class Compiler(Protocol):
    """One compiler: what decides its output, and the compilation itself."""

    def key_parts(self) -> tuple[str, ...]: ...
    def version(self) -> str: ...
    def compile(self, source: str, name: str) -> tuple[str, str]: ...


@dataclass(frozen=True)
class CompileJob:
    """Arguments of one :func:`compile_cuda` call, for :func:`compile_many`."""

    source: str
    name: str = "kernel.cu"
    compiler: str = "clang"
    jump_tables: bool = False


class _Default:
    """The type of DEFAULT, so that None can mean "no cache"."""


DEFAULT = _Default()


def compile_cuda(
    source: str,
    *,
    name: str = "kernel.cu",
    compiler: str = "clang",
    cache: Cache | _Default | None = DEFAULT,
    jump_tables: bool = False,
) -> Compilation:
    """PTX of CUDA C++ ``source``; ``name`` is what messages and ``.file`` lines call it.

    ``jump_tables`` lets clang turn a switch into ``brx.idx`` (NVRTC decides by itself). Without
    ``cache`` nothing is stored. Raises CompileError for a source that does not compile,
    CompilerMissing if the compiler is not installed, ValueError for an unknown compiler.
    """
    start = time.perf_counter()
    tool = _tool(compiler, jump_tables)
    store = default_cache() if isinstance(cache, _Default) else cache
    key = ""
    if store is not None:
        key = content_key((CACHE_FORMAT, *tool.key_parts(), name, source))
        if (found := _load(store, key)) is not None:
            return Compilation(found[0], tool.version(), found[1], time.perf_counter() - start, True)
    ptx, log = tool.compile(source, name)
    if store is not None:
        store.put(key, json.dumps({"ptx": ptx, "log": log}).encode())
    return Compilation(ptx, tool.version(), log, time.perf_counter() - start, False)


def compile_many(
    jobs: Iterable[CompileJob],
    *,
    workers: int | None = None,
    cache: Cache | _Default | None = DEFAULT,
) -> list[Compilation | CompileError | CompilerMissing]:
    """Compile ``jobs`` side by side; a job that fails gives its exception, the others are not lost.

    Results come in the order of the jobs. ``workers`` defaults to the number of cores.
    """

    def one(job: CompileJob) -> Compilation | CompileError | CompilerMissing:
        try:
            return compile_cuda(
                job.source,
                name=job.name,
                compiler=job.compiler,
                cache=cache,
                jump_tables=job.jump_tables,
            )
        except (CompileError, CompilerMissing) as error:
            return error

    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        return list(pool.map(one, jobs))


def compilers_available() -> list[tuple[str, str, str | None]]:
    """(name, version, None or what is missing with the remedy) of every compiler."""
    found: list[tuple[str, str, str | None]] = []
    for name in COMPILERS:
        try:
            found.append((name, _tool(name, False).version(), None))
        except CompilerMissing as error:
            found.append((name, "", str(error)))
    return found


def _tool(name: str, jump_tables: bool) -> Compiler:
    if name == "clang":
        return Clang(jump_tables)
    if name == "nvrtc":
        return Nvrtc()
    raise ValueError(f"no compiler {name!r}; there are: {', '.join(COMPILERS)}")


def _load(store: Cache, key: str) -> Sequence[str] | None:
    raw = store.get(key)
    if raw is None:
        return None
    try:
        entry = json.loads(raw)
        return str(entry["ptx"]), str(entry["log"])
    except (ValueError, KeyError, TypeError):
        return None
