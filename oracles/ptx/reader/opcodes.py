"""The instructions that PTX has, by the first part of their opcode (PTX ISA 8.8, "Instruction Set")."""

from __future__ import annotations

import difflib

_UNDERSTOOD = """
add sub addc subc mul mad madc mul24 mad24 sad div rem abs neg min max dp4a dp2a
popc clz bfind brev bfe bfi bmsk szext fns prmt and or xor not cnot lop3 shf shl shr
set setp selp slct mov cvt cvta isspacep ld ldu st prefetch prefetchu applypriority discard
atom red bar barrier membar fence shfl vote match activemask redux elect
bra brx call ret exit trap brkpt nanosleep pmevent
fma rcp sqrt rsqrt sin cos lg2 ex2 tanh testp copysign
"""

_FAMILIES: tuple[tuple[str, str, str], ...] = (
    ("tex tld4 txq istypep", "textures are not supported", "read from a buffer"),
    ("suld sust sured suq", "surfaces are not supported", "read and write a buffer"),
    (
        "wmma mma wgmma ldmatrix stmatrix movmatrix tcgen05",
        "matrix instructions are not supported",
        "multiply and add element by element",
    ),
    ("mbarrier", "mbarrier objects are not supported", "use bar.sync, in CUDA __syncthreads()"),
    ("cp", "asynchronous copies are not supported", "load and store"),
    ("tensormap", "tensor maps are not supported", "load and store"),
    (
        "mapa getctarank clusterlaunchcontrol multimem griddepcontrol",
        "clusters and dependent launches are not supported",
        "use one thread block, or several launches",
    ),
    (
        "vadd vsub vabsdiff vmin vmax vshl vshr vmad vset vadd2 vsub2 vavrg2 vabsdiff2 vmin2 vmax2 vset2 "
        "vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4 vset4",
        "video instructions are not supported",
        "use plain integer instructions",
    ),
    (
        "alloca stacksave stackrestore",
        "a stack of variable size is not supported",
        "use an array of fixed size",
    ),
    ("createpolicy", "cache policies are not supported", "leave them out"),
    ("setmaxnreg", "register counts at run time are not supported", "leave it out"),
)

REFUSED: dict[str, tuple[str, str]] = {
    opcode: (reason, remedy) for opcodes, reason, remedy in _FAMILIES for opcode in opcodes.split()
}
"""Opcode -> (why it is not run, what to do instead). Their operands have forms of their own."""

_ALL = frozenset(_UNDERSTOOD.split()) | REFUSED.keys()


def unknown_opcode(opcode: str) -> str | None:
    """What is wrong with an opcode that PTX does not have, with the nearest one that it has; else None."""
    if opcode in _ALL:
        return None
    near = difflib.get_close_matches(opcode, sorted(_ALL), n=1)
    return f"no such PTX instruction: {opcode}" + (f" (did you mean {near[0]}?)" if near else "")
