"""What this machine is, and the compiler's name for it."""

from __future__ import annotations

import platform
import sys

MACHINES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}


def machine() -> str:
    """``x86_64`` or ``aarch64``; another one as the system calls it."""
    name = platform.machine().lower()
    return MACHINES.get(name, name)


def unsupported() -> str | None:
    """Why host programs cannot be built here, or None."""
    if sys.platform not in ("linux", "darwin"):
        return f"native: no runtime for {sys.platform}; use Linux or macOS"
    if machine() not in ("x86_64", "aarch64"):
        return f"native: no runtime for {machine()}; use x86-64 or aarch64"
    if sys.maxsize < 2**32:
        return "native: needs a 64-bit Python"
    return None


def compile_target(system: str = sys.platform, arch: str | None = None) -> str:
    """clang's target triple. Programs are freestanding, so the C library in its name is never used."""
    arch = arch or machine()
    if system == "darwin":
        return f"{'arm64' if arch == 'aarch64' else arch}-apple-macos13"
    return f"{arch}-unknown-linux-musl"
