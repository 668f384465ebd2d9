"""NVRTC, NVIDIA's compiler as a library, through ctypes: an independent second compiler, no driver needed."""

from __future__ import annotations

import ctypes
import importlib.metadata
import re
from dataclasses import dataclass
from functools import cache

from qwengpu.frontend.compilers.errors import CompileError, CompilerMissing, compile_error
from qwengpu.frontend.compilers.headers import NVRTC_PRELUDE, header_text, include_files, line_directive
from qwengpu.frontend.compilers.tidy import tidy_nvrtc

PACKAGES = ("nvidia-cuda-nvrtc", "nvidia-cuda-nvrtc-cu13", "nvidia-cuda-nvrtc-cu12")
REMEDY = "on Linux: pip install nvidia-cuda-nvrtc; there is no build for macOS"
OLDEST_ARCH = 75
OK = 0
COMPILATION_FAILED = 6
PRELUDE_NAME = "nvrtc_device.h"

# NVRTC stamps its own release's PTX version, which every older driver refuses. Its code for sm_75 needs no
# newer ISA than this one (CUDA 11.5); should that change, the assembler says so, nothing goes wrong silently.
PTX_VERSION = "7.5"

CODE = ("--std=c++17", "-lineinfo")

REFUSED = {
    "vprintf": "'printf' is not supported: a kernel here has no console; store the value in a buffer",
    "malloc": "'malloc' is not supported: there is no device heap",
    "free": "'free' is not supported: there is no device heap",
    "%clock": "'clock' is not supported: time is not part of a comparable result",
}


@dataclass(frozen=True)
class Nvrtc:
    """NVRTC at its own optimisation level (there is no -O1) for sm_75 or the lowest it offers."""

    def key_parts(self) -> tuple[str, ...]:
        """What decides the output, beside source and name."""
        _, package = library()
        return (version(), package, architecture(), *CODE, PTX_VERSION, header_text(NVRTC_PRELUDE))

    def version(self) -> str:
        """Product and version, as stored with results."""
        return version()

    def compile(self, source: str, name: str) -> tuple[str, str]:
        """(PTX, warnings) of ``source``, whose messages call it ``name``. Raises CompileError."""
        lib, _ = library()
        text = f'#include "{PRELUDE_NAME}"\n{line_directive(name)}{source}'
        headers = {PRELUDE_NAME: NVRTC_PRELUDE.read_text(), **include_files()}
        names = (ctypes.c_char_p * len(headers))(*(n.encode() for n in headers))
        bodies = (ctypes.c_char_p * len(headers))(*(t.encode() for t in headers.values()))
        program = ctypes.c_void_p()
        code = lib.nvrtcCreateProgram(
            ctypes.byref(program), text.encode(), name.encode(), len(headers), bodies, names
        )
        if code != OK:
            raise CompileError(f"{name}: error: NVRTC does not take the source: {error_text(code)}")
        try:
            options = (f"--gpu-architecture={architecture()}", *CODE)
            array = (ctypes.c_char_p * len(options))(*(o.encode() for o in options))
            code = lib.nvrtcCompileProgram(program, len(options), array)
            log = _read(lib, program, "ProgramLog")
            if code == COMPILATION_FAILED:
                raise compile_error(log, name)
            if code != OK:
                raise CompileError(f"{name}: error: NVRTC failed: {error_text(code)}", log=log)
            ptx = tidy_nvrtc(_read(lib, program, "PTX"), name, PTX_VERSION)
        finally:
            lib.nvrtcDestroyProgram(ctypes.byref(program))
        _refuse(ptx, name)
        return ptx, log


def _read(lib: ctypes.CDLL, program: ctypes.c_void_p, what: str) -> str:
    size = ctypes.c_size_t()
    if getattr(lib, f"nvrtcGet{what}Size")(program, ctypes.byref(size)) != OK:
        return ""
    buffer = ctypes.create_string_buffer(size.value)
    if getattr(lib, f"nvrtcGet{what}")(program, buffer) != OK:
        return ""
    return buffer.value.decode("utf-8", "replace")


def _refuse(ptx: str, name: str) -> None:
    # NVRTC has these built in; clang refuses them at the header, with the line.
    for word, why in REFUSED.items():
        pattern = re.escape(word) if word.startswith("%") else rf"\.extern\s+\.func\b[^;{{]*?\b{word}\b"
        if re.search(pattern, ptx):
            raise CompileError(f"{name}: error: {why}")


@cache
def library() -> tuple[ctypes.CDLL, str]:
    """(NVRTC, package and version). Raises CompilerMissing with the remedy."""
    for package in PACKAGES:
        try:
            distribution = importlib.metadata.distribution(package)
        except importlib.metadata.PackageNotFoundError:
            continue
        for file in distribution.files or ():
            if re.fullmatch(r"libnvrtc\.so(\.\d+)*", file.name):
                path = str(distribution.locate_file(file))
                try:
                    return _declare(ctypes.CDLL(path)), f"{package}-{distribution.version}"
                except OSError as error:
                    raise CompilerMissing(f"nvrtc: {path} does not load: {error}; {REMEDY}") from None
    raise CompilerMissing(f"nvrtc: the package {PACKAGES[0]} is not installed; {REMEDY}")


def _declare(lib: ctypes.CDLL) -> ctypes.CDLL:
    lib.nvrtcGetErrorString.restype = ctypes.c_char_p
    lib.nvrtcGetErrorString.argtypes = [ctypes.c_int]
    return lib


def error_text(code: int) -> str:
    """NVRTC's name of a return code."""
    raw = library()[0].nvrtcGetErrorString(code)
    return raw.decode() if raw else f"code {code}"


@cache
def version() -> str:
    """``nvrtc-MAJOR.MINOR``. Raises CompilerMissing."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    library()[0].nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    return f"nvrtc-{major.value}.{minor.value}"


@cache
def architecture() -> str:
    """``compute_75``, or the lowest one this NVRTC still knows."""
    lib, _ = library()
    count = ctypes.c_int()
    if lib.nvrtcGetNumSupportedArchs(ctypes.byref(count)) != OK or count.value == 0:
        return f"compute_{OLDEST_ARCH}"
    archs = (ctypes.c_int * count.value)()
    lib.nvrtcGetSupportedArchs(archs)
    return f"compute_{OLDEST_ARCH if OLDEST_ARCH in archs else min(archs)}"
