"""The lowering's PTX reader."""

from qwengpu.frontend.ptx.ast import Module, ParamDecl
from qwengpu.frontend.ptx.errors import PtxError
from qwengpu.frontend.ptx.reader import read_ptx
from qwengpu.frontend.ptx.signatures import signatures

__all__ = ["Module", "ParamDecl", "PtxError", "read_ptx", "signatures"]
