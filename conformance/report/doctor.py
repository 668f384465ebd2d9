"""What this machine can run, and what is missing with the remedy."""

from __future__ import annotations

import platform
import shutil
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from conformance.cases import CaseError, corpus_root, discover
from oracles.registry import DEFAULT, survey

MIN_PYTHON = (3, 11)


@dataclass(frozen=True)
class Check:
    """One line: what, whether it is there, and what to do if not. ``optional`` fails no doctor."""

    what: str
    ok: bool
    detail: str
    optional: bool = False

    def __str__(self) -> str:
        mark = "ok" if self.ok else ("--" if self.optional else "MISSING")
        return f"{mark:<8} {self.what}: {self.detail}"

    def to_json(self) -> dict[str, Any]:
        """All fields."""
        return asdict(self)


def examine() -> list[Check]:
    """Every check, in the order in which they build on each other."""
    return [_python(), _package(), *_compilers(), *_legs(), _corpus(), _gpu()]


def _python() -> Check:
    text = f"{platform.python_implementation()} {platform.python_version()} on {platform.platform()}"
    return Check("python", sys.version_info >= MIN_PYTHON, text)


def _package() -> Check:
    try:
        return Check("package", True, f"qwengpu-conformance {version('qwengpu-conformance')}")
    except PackageNotFoundError:
        remedy = "not installed: other packages' legs are found, the pytest plugin is not; pip install -e ."
        return Check("package", False, remedy, optional=True)


def _compilers() -> list[Check]:
    try:
        from qwengpu.frontend.compilers import compilers_available  # noqa: PLC0415
    except ImportError as error:
        return [Check("compilers", False, f"cannot be imported: {error}")]
    out = []
    for name, number, problem in compilers_available():
        out.append(Check(f"compiler {name}", problem is None, problem or number, optional=name != "clang"))
    return out


def _legs() -> list[Check]:
    return [
        Check(
            f"leg {state.name}",
            state.problem is None,
            state.problem or f"ready ({state.origin}); reports {', '.join(state.reports)}",
            optional=state.name not in DEFAULT,
        )
        for state in survey()
    ]


def _corpus() -> Check:
    root = corpus_root()
    if root is None:
        return Check("corpus", False, "not there: install the package, or run from a checkout")
    try:
        found = discover(root=root)
    except CaseError as error:
        return Check("corpus", False, str(error))
    detail = f"{len(found.cases)} cases in {root}"
    if found.broken:
        detail += f"; {len(found.broken)} broken, the first: {found.broken[0].error}"
    return Check("corpus", bool(found.cases) and not found.broken, detail)


def _gpu() -> Check:
    """No library is imported for it: the driver's own tool is enough to know."""
    tool = shutil.which("nvidia-smi")
    if tool:
        return Check("gpu", True, f"a driver is installed ({tool})", optional=True)
    return Check("gpu", False, "no NVIDIA driver found; only legs without a GPU can run", optional=True)
