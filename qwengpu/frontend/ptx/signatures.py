"""Kernels of a PTX file with their parameters, for checking a launch's arguments."""

from __future__ import annotations

from qwengpu.frontend.ptx.ast import Module, ParamDecl, Variable
from qwengpu.frontend.ptx.reader import read_ptx


def signatures(ptx: str | Module) -> dict[str, list[ParamDecl]]:
    """Parameters of every kernel that has a body, in order. Raises PtxError for text that is no PTX."""
    module = read_ptx(ptx) if isinstance(ptx, str) else ptx
    return {name: [declaration(p) for p in module.functions[name].params] for name in module.kernels}


def declaration(param: object) -> ParamDecl:
    """The public view of a kernel's parameter."""
    assert isinstance(param, Variable)
    scalar64 = param.size == 8 and param.elements is None
    return ParamDecl(
        param.name,
        param.type,
        param.size,
        param.align,
        pointer=True if param.pointer else None if scalar64 else False,
    )
