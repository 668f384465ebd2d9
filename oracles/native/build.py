"""One program per source and kernel: clang on the source, a runtime built once a machine, a linker."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from oracles.native.host import compile_target, machine
from qwengpu.frontend.compilers.cache import Cache, content_key
from qwengpu.frontend.compilers.clang import binary, package_version, run, version
from qwengpu.frontend.compilers.errors import CompileError, compile_error
from qwengpu.frontend.compilers.headers import INCLUDE, include_files, line_directive

RUNTIME = Path(__file__).resolve().parent / "runtime"
KERNEL_HEADER = RUNTIME / "cuda_host.h"

COMMON = (
    "-c",
    "-std=c++17",
    "-nostdinc",
    "-nostdinc++",
    "-ffreestanding",
    "-fno-builtin",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-fno-threadsafe-statics",
    # CUDA's integers wrap, its pointers may alias as the hardware lets them, its loops need not end.
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-fno-finite-loops",
    "-ffp-contract=off",
)
KERNEL = (
    "-O1",
    "-femulated-tls",
    "-ftrivial-auto-var-init=pattern",
    # The one check a GPU makes as well: a misaligned access is a fault.
    "-fsanitize=alignment",
    "-fsanitize-trap=alignment",
    "-w",
)
RUNTIME_CODE = ("-O2",)
FORMAT = "native-1"

SHARED_SYMBOL = re.compile(rb"_{2,3}emutls_v\.[A-Za-z_][\w.$]*")
WRAPPER_SYMBOL = re.compile(rb"_{1,2}ZTW\w+")
EXTERN_SHARED = re.compile(r"\bextern\b[^;{}]*\b__shared__\b|\b__shared__\b[^;{}]*\bextern\b")
SIMPLE_MANGLED = re.compile(r"_ZL?(\d+)")
KERNEL_NAME = re.compile(r"\b__global__\b[^;{}()]*(?:\([^()]*\)[^;{}()]*)*?\b([A-Za-z_]\w*)\s*\(")


@dataclass(frozen=True)
class Program:
    """A built program: its executable's bytes, and where the cache keeps it (None if it does not)."""

    content: bytes
    path: Path | None
    cached: bool


class BuildError(Exception):
    """The linker or the runtime's own build failed: no fault of the kernel's source."""


def kernel_names(source: str) -> list[str]:
    """The names behind ``__global__``, for messages only; a guess, as no C++ is parsed."""
    plain = re.sub(r"/\*.*?\*/|//[^\n]*", " ", source, flags=re.DOTALL)
    plain = re.sub(r"__launch_bounds__\s*\([^()]*\)|__attribute__\s*\(\(.*?\)\)", " ", plain)
    return list(dict.fromkeys(KERNEL_NAME.findall(plain)))


def source_name(kernel: str) -> str | None:
    """The C++ name of a PTX entry: itself, or what a mangled one stands for.

    ``_Z3addPiS_`` is ``add``, ``_ZN1a3addEv`` is ``a::add``; None for templates and other shapes.
    """
    if not kernel.startswith("_Z"):
        return kernel
    if match := SIMPLE_MANGLED.match(kernel):
        start, length = match.end(), int(match[1])
        rest = kernel[start + length : start + length + 1]
        return kernel[start : start + length] if rest != "I" else None
    if not kernel.startswith("_ZN"):
        return None
    parts, at = [], 3
    while at < len(kernel) and kernel[at] != "E":
        match = re.compile(r"L?(\d+)").match(kernel, at)
        if match is None:
            return None
        at = match.end() + int(match[1])
        parts.append(kernel[match.end() : at])
    return "::".join(parts)


def build(source: str, name: str, kernel: str, store: Cache | None) -> Program:
    """The program that runs ``kernel``, a C++ name, of ``source``, whose messages call it ``name``.

    Raises CompileError for a source that does not compile, BuildError if linking fails.
    """
    key = ""
    if store is not None:
        key = content_key((*_identity(), name, kernel, source))
        if (path := store.get_program(key)) is not None:
            return Program(b"", path, True)
    with tempfile.TemporaryDirectory(prefix="native-") as directory:
        content = _build(source, name, kernel, Path(directory), store)
    path = store.put_program(key, content) if store is not None else None
    return Program(content, path, False)


def _build(source: str, name: str, kernel: str, directory: Path, store: Cache | None) -> bytes:
    objects = [directory / "kernel.o", directory / "runtime.o"]
    text = f"{line_directive(name)}{source}\n{line_directive('<launch>')}QN_ENTRY({kernel})\n"
    done = _compile(text, objects[0], KERNEL, ("-I", str(INCLUDE), "-include", str(KERNEL_HEADER)))
    if done.returncode:
        raise compile_error(done.stderr, name)
    objects[1].write_bytes(runtime_object(store))
    if EXTERN_SHARED.search(source):
        objects.append(_stand_ins(objects[0].read_bytes(), directory))
    return _link(objects, directory / "program", name)


def _compile(
    text: str, output: Path, code: tuple[str, ...], extra: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    target = f"--target={compile_target()}"
    position = () if sys.platform == "darwin" else ("-fno-pic",)
    command = (str(binary()), "clang", target, *position, *COMMON, *code, "-I", str(RUNTIME), *extra)
    try:
        return run([*command, "-x", "c++", "-", "-o", str(output)], text)
    except subprocess.TimeoutExpired as error:
        raise CompileError(f"error: clang took more than {error.timeout:g} s") from None


def _stand_ins(kernel_object: bytes, directory: Path) -> Path:
    # `extern __shared__ T x[];` declares x and nothing defines it. A weak definition of size 0 tells the
    # runtime that the block's dynamic shared memory is meant; where the object has its own, that one counts.
    labels = sorted({symbol.decode() for symbol in SHARED_SYMBOL.findall(kernel_object)})
    lines = [
        f'extern "C" __attribute__((weak)) unsigned long stand_in_{number}[4] __asm__("{label}");\n'
        f"unsigned long stand_in_{number}[4] = {{0, 16, 0, 0}};\n"
        for number, label in enumerate(labels)
    ]
    # On macOS each use goes through a function that lives beside the definition.
    lines.append(
        'extern "C" void *__emutls_get_address(void *);\nstatic unsigned long dynamic[4] = {0, 16, 0, 0};\n'
    )
    lines += [
        f'extern "C" __attribute__((weak)) void *wrapper_{number}() __asm__("{label}");\n'
        f"void *wrapper_{number}() {{ return __emutls_get_address(dynamic); }}\n"
        for number, label in enumerate(sorted({s.decode() for s in WRAPPER_SYMBOL.findall(kernel_object)}))
        if sys.platform == "darwin"
    ]
    output = directory / "stand_ins.o"
    done = _compile("".join(lines), output, ("-O0",))
    if done.returncode:
        raise BuildError(f"native: dynamic shared memory: {_last_line(done.stderr)}")
    return output


def _link(objects: list[Path], output: Path, name: str) -> bytes:
    files = [str(path) for path in objects]
    if sys.platform == "darwin":
        # There is no static program on macOS; zig brings the system library's symbols along.
        command = [str(binary()), "cc", "-target", f"{machine()}-macos", *files, "-o", str(output)]
    else:
        command = [str(binary()), "ld.lld", "-static", "--no-dynamic-linker", *files, "-o", str(output)]
    done = run(command, "")
    if done.returncode:
        missing = re.search(r"undefined symbol: (.*)", done.stderr)
        if missing:
            raise CompileError(f"{name}: error: {missing[1]} is used and never defined", log=done.stderr)
        raise BuildError(f"native: the linker failed: {_last_line(done.stderr)}")
    return output.read_bytes()


def runtime_object(store: Cache | None) -> bytes:
    """The runtime as an object file, from the cache if it is there."""
    return _runtime_object(_identity(), store)


@cache
def _runtime_object(identity: tuple[str, ...], store: Cache | None) -> bytes:
    key = content_key(("runtime", *identity))
    if store is not None and (found := store.get(key)) is not None:
        return found
    with tempfile.TemporaryDirectory(prefix="native-") as directory:
        output = Path(directory) / "runtime.o"
        done = _compile((RUNTIME / "runtime.cpp").read_text(), output, RUNTIME_CODE)
        if done.returncode:
            raise BuildError(f"native: the runtime does not build: {_last_line(done.stderr)}")
        content = output.read_bytes()
    if store is not None:
        store.put(key, content)
    return content


@cache
def _identity() -> tuple[str, ...]:
    files = sorted(RUNTIME.iterdir())
    texts = (f"{file.name}\0{file.read_text()}" for file in files if file.is_file())
    includes = (f"{name}\0{text}" for name, text in include_files().items())
    flags = (*COMMON, *KERNEL, *RUNTIME_CODE, compile_target())
    return (FORMAT, version(), package_version(), *flags, *texts, *includes)


def _last_line(log: str) -> str:
    lines = [line.strip() for line in log.splitlines() if "error" in line] or log.split("\n")
    return lines[0] if lines else "no message"
