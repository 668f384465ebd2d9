"""ziglang's clang as a CUDA compiler: its binary called directly, no CUDA and no C library needed."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from qwengpu.frontend.compilers.errors import CompileError, CompilerMissing, compile_error
from qwengpu.frontend.compilers.headers import CLANG_PRELUDE, INCLUDE, header_text, line_directive
from qwengpu.frontend.compilers.tidy import tidy_clang

PINNED = "0.17.1"
REMEDY = f"pip install ziglang=={PINNED}"
TIMEOUT_S = 60.0

TARGET = (
    # The host side of the compilation is not emitted; naming it keeps the PTX equal on every host.
    "--target=x86_64-unknown-linux-musl",
    "--cuda-device-only",
    "--cuda-gpu-arch=sm_75",
    # clang would otherwise pick up a local CUDA, or a PTX version too old for shfl.sync.
    "--cuda-path=/nonexistent",
    "-nocudainc",
    "-nocudalib",
    "-Xclang",
    "-target-feature",
    "-Xclang",
    "+ptx63",
)
CODE = (
    "-S",
    "-std=c++17",
    # -O2 unrolls beyond what small machines hold; without LSR loops keep 32-bit indices.
    "-O1",
    # A null pointer is an address and an endless loop does not end, on the device as in the native leg.
    "-fno-delete-null-pointer-checks",
    "-fno-finite-loops",
    "-fno-unroll-loops",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-mllvm",
    "-disable-lsr",
    "-gline-directives-only",
    "-fdebug-compilation-dir=.",
    "-fuse-cuid=none",
)


@dataclass(frozen=True)
class Clang:
    """clang for NVPTX; ``jump_tables`` lets a switch become ``brx.idx``."""

    jump_tables: bool = False

    def key_parts(self) -> tuple[str, ...]:
        """What decides the output, beside source and name."""
        return (version(), *TARGET, *self._code(), header_text(CLANG_PRELUDE))

    def version(self) -> str:
        """Product and version, as stored with results."""
        return version()

    def compile(self, source: str, name: str) -> tuple[str, str]:
        """(PTX, warnings) of ``source``, whose messages call it ``name``. Raises CompileError."""
        command = [
            str(binary()),
            "clang",
            "-x",
            "cuda",
            *TARGET,
            *self._code(),
            "-nostdinc",
            "-nostdinc++",
            "-I",
            str(INCLUDE),
            "-include",
            str(CLANG_PRELUDE),
            "-",
            "-o",
            "-",
        ]
        try:
            done = run(command, line_directive(name) + source)
        except subprocess.TimeoutExpired:
            raise CompileError(f"{name}: error: clang took more than {TIMEOUT_S:g} s") from None
        if done.returncode:
            raise compile_error(done.stderr, name)
        return tidy_clang(done.stdout, name), done.stderr

    def _code(self) -> tuple[str, ...]:
        return CODE if self.jump_tables else (*CODE, "-fno-jump-tables")


def run(command: list[str], text: str) -> subprocess.CompletedProcess[str]:
    """Run a compiler on ``text`` with English messages and without the user's include paths."""
    hidden = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "SDKROOT"}
    environment = {k: v for k, v in os.environ.items() if k not in hidden} | {"LC_ALL": "C"}
    return subprocess.run(
        command,
        input=text,
        capture_output=True,
        check=False,
        encoding="utf-8",
        errors="replace",
        env=environment,
        timeout=TIMEOUT_S,
    )


@cache
def binary() -> Path:
    """The compiler's executable. Raises CompilerMissing."""
    spec = importlib.util.find_spec("ziglang")
    places = list(spec.submodule_search_locations or ()) if spec else []
    for place in places:
        for file in ("zig", "zig.exe"):
            if (path := Path(place) / file).is_file():
                return path
    raise CompilerMissing(f"clang: the package ziglang is not installed; {REMEDY}")


@cache
def version() -> str:
    """``clang-X.Y.Z``; asked once a process. Raises CompilerMissing."""
    done = run([str(binary()), "clang", "--version"], "")
    match = re.search(r"clang version (\d+(?:\.\d+)*)", done.stdout)
    if match is None:
        raise CompilerMissing(f"clang: {binary()} does not answer as clang; {REMEDY}")
    return f"clang-{match[1]}"


def package_version() -> str:
    """Version of the pip package that carries the compiler."""
    try:
        return importlib.metadata.version("ziglang")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"
