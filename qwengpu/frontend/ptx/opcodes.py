"""First parts of the opcodes that PTX has (PTX ISA 8.8); any other word is a misspelling."""

from __future__ import annotations

import difflib

TEXTURE_OPS = frozenset({"istypep", "tex", "tld4", "txq"})
SURFACE_OPS = frozenset({"suld", "suq", "sured", "sust"})
MATRIX_OPS = frozenset({"ldmatrix", "mma", "movmatrix", "stmatrix", "tcgen05", "wgmma", "wmma"})
CLUSTER_OPS = frozenset({"clusterlaunchcontrol", "getctarank", "griddepcontrol", "mapa", "multimem"})
STACK_OPS = frozenset({"alloca", "stackrestore", "stacksave"})
VIDEO_OPS = frozenset(
    {f"v{name}" for name in ("absdiff", "add", "mad", "max", "min", "set", "shl", "shr", "sub")}
    | {f"v{name}{n}" for name in ("absdiff", "add", "avrg", "max", "min", "set", "sub") for n in (2, 4)}
)

UNREAD = (
    TEXTURE_OPS
    | SURFACE_OPS
    | MATRIX_OPS
    | CLUSTER_OPS
    | STACK_OPS
    | VIDEO_OPS
    | {"cp", "createpolicy", "mbarrier", "setmaxnreg", "tensormap"}
)
"""Their operands have forms that the reader does not take apart; instruction selection refuses them."""

OPCODES = UNREAD | frozenset(
    {
        *("abs", "activemask", "add", "addc", "and", "applypriority", "atom", "bar", "barrier", "bfe", "bfi"),
        *("bfind", "bmsk", "bra", "brev", "brkpt", "brx", "call", "clz", "cnot", "copysign", "cos", "cvt"),
        *("cvta", "discard", "div", "dp2a", "dp4a", "elect", "ex2", "exit", "fence", "fma", "fns", "isspacep"),
        *("ld", "ldu", "lg2", "lop3", "mad", "mad24", "madc", "match", "max", "membar", "min", "mov", "mul"),
        *("mul24", "nanosleep", "neg", "not", "or", "pmevent", "popc", "prefetch", "prefetchu", "prmt", "rcp"),
        *("red", "redux", "rem", "ret", "rsqrt", "sad", "selp", "set", "setp", "shf", "shfl", "shl", "shr"),
        *("sin", "slct", "sqrt", "st", "sub", "subc", "szext", "tanh", "testp", "trap", "vote", "xor"),
    }
)
"""Every one."""


def misspelt(op: str) -> str:
    """One line for an ``op`` that is none of `OPCODES`."""
    nearest = difflib.get_close_matches(op, sorted(OPCODES), n=1)
    return f"no such PTX instruction: {op}" + "".join(f" (did you mean {word}?)" for word in nearest)
