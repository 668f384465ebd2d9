"""CUDA C++ to PTX by pip-installed compilers alone, with a cache keyed by content."""

from qwengpu.frontend.compilers.cache import Cache, default_cache
from qwengpu.frontend.compilers.compile import (
    COMPILERS,
    CompileJob,
    compile_cuda,
    compile_many,
    compilers_available,
)
from qwengpu.frontend.compilers.errors import CompileError, CompilerMissing, Diagnostic
from qwengpu.frontend.compilers.result import Compilation

__all__ = [
    "COMPILERS",
    "Cache",
    "Compilation",
    "CompileError",
    "CompileJob",
    "CompilerMissing",
    "Diagnostic",
    "compile_cuda",
    "compile_many",
    "compilers_available",
    "default_cache",
]
