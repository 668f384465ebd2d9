"""The `native` leg: build, start, ask, report."""

from __future__ import annotations

import errno
import os
import platform
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from oracles.api import Launch, Module, Options, Report, Result, Status, kernel_missing
from oracles.native.build import BuildError, Program, build, kernel_names, source_name
from oracles.native.host import machine, unsupported
from oracles.native.verdict import to_result
from oracles.native.wire import MAX_ARGUMENTS, MAX_THREADS, decode_reply, encode_request
from qwengpu.frontend.compilers.cache import ENVIRONMENT, Cache, default_cache
from qwengpu.frontend.compilers.clang import binary, version
from qwengpu.frontend.compilers.errors import CompileError, CompilerMissing

WARP_SIZES = (4, 32)
SPARE_S = 2.0
"""The program keeps the time limit itself; this much later it is killed."""


class NativeOracle:
    """Runs the CUDA source of a module as host code. Reports memory and faults only.

    Host C++ leaves open what CUDA defines nowhere either (shifts out of range, signed overflow apart):
    ask it about launches that a leg with definedness checks has accepted.
    """

    name = "native"
    reports = frozenset({Report.MEMORY, Report.FAULTS})

    def __init__(self, cache: Cache | None = None) -> None:
        self._cache = cache

    def product(self, options: Options) -> str:
        """``native@cpu-x86_64-linux-clang22.1.8``."""
        try:
            compiler = version().replace("clang-", "clang")
        except CompilerMissing:
            compiler = "none"
        return f"native@cpu-{machine()}-{platform.system().lower()}-{compiler}"

    def available(self) -> str | None:
        """None, or what is missing and the remedy."""
        if (reason := unsupported()) is not None:
            return reason
        try:
            binary()
        except CompilerMissing as error:
            return f"native: {error}"
        return None

    def run(self, module: Module, launch: Launch, options: Options) -> Result:
        """Run one launch in a child process."""
        start = time.perf_counter()
        result = self._run(module, launch, options)
        result.seconds = time.perf_counter() - start
        return result

    def _run(self, module: Module, launch: Launch, options: Options) -> Result:
        if module.source is None:
            return Result(Status.UNSUPPORTED, reason="no CUDA source: native runs .cu only")
        if (refused := _refuse_launch(launch, options)) is not None:
            return refused
        kernel = source_name(launch.kernel)
        if kernel is None:
            reason = f"kernel {launch.kernel}: native finds plain and namespaced kernels, no template instances"
            return Result(Status.UNSUPPORTED, reason=reason)
        store = self._cache or default_cache()
        try:
            program = build(module.source, module.name, kernel, store)
        except CompileError as error:
            return _not_built(module, module.source, launch, error)
        except (BuildError, CompilerMissing) as error:
            return Result(Status.HARNESS_ERROR, reason=str(error))
        return _execute(program, launch, options)


def _refuse_launch(launch: Launch, options: Options) -> Result | None:
    if options.warp_size not in (None, *WARP_SIZES):
        sizes = " or ".join(map(str, WARP_SIZES))
        return Result(Status.UNSUPPORTED, reason=f"warp size {options.warp_size}: native has {sizes}")
    if launch.threads_per_block > MAX_THREADS:
        reason = f"{launch.threads_per_block} threads a block, CUDA allows {MAX_THREADS}"
        return Result(Status.BAD_INPUT, reason=reason)
    if len(launch.args) > MAX_ARGUMENTS:
        return Result(Status.UNSUPPORTED, reason=f"{len(launch.args)} arguments, native takes {MAX_ARGUMENTS}")
    return None


def _not_built(module: Module, source: str, launch: Launch, error: CompileError) -> Result:
    errors = [d for d in error.diagnostics if d.severity == "error"]
    if errors and all(d.file != module.name for d in errors):
        # Only the line that names the kernel is wrong.
        if any("overloaded" in d.message for d in errors):
            reason = f"{launch.kernel} is overloaded; native tells kernels apart by name only"
            return Result(Status.UNSUPPORTED, reason=reason)
        return Result(Status.BAD_INPUT, reason=kernel_missing(launch.kernel, kernel_names(source)))
    # If a CUDA compiler took the source, it is the host header that lacks something.
    if ".entry" in module.ptx:
        return Result(Status.UNSUPPORTED, reason=f"does not compile as host code: {error}")
    return Result(Status.BAD_INPUT, reason=str(error))


def _execute(program: Program, launch: Launch, options: Options) -> Result:
    request = encode_request(launch, options)
    with _executable(program) as path:
        try:
            done = _start(path, request, options.wall_limit_s + SPARE_S)
        except subprocess.TimeoutExpired:
            return Result(Status.TIMEOUT, reason=f"no end after {options.wall_limit_s:g} s; killed")
        except OSError as error:
            remedy = f"does not start: {error.strerror}; set {ENVIRONMENT} to where programs may run"
            return Result(Status.HARNESS_ERROR, reason=f"native: {path} {remedy}")
    reply = decode_reply(done.stdout, launch)
    if reply is None:
        how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit status {done.returncode}"
        return Result(Status.HARNESS_ERROR, reason=f"native: the program ended without a reply ({how})")
    return to_result(reply, launch, options)


def _start(path: Path, request: bytes, timeout: float) -> subprocess.CompletedProcess[bytes]:
    for attempt in range(20):
        try:
            return subprocess.run(
                [str(path)],
                input=request,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                check=False,
                timeout=timeout,
                env={},
            )
        except OSError as error:
            # Another thread's fork may hold the file open for writing for a moment.
            if error.errno != errno.ETXTBSY or attempt == 19:
                raise
            time.sleep(0.01)
    raise AssertionError("unreachable")


@contextmanager
def _executable(program: Program) -> Iterator[Path]:
    if program.path is not None:
        yield program.path
        return
    handle, name = tempfile.mkstemp(prefix="native-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(program.content)
        os.chmod(name, 0o700)
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)
