"""Lowering the instructions of a kernel block by block: dispatch, guards, barriers, ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from qwengpu.frontend.ptx.ast import Immediate, Instruction, Register
from qwengpu.frontend.ptx.opcodes import (
    CLUSTER_OPS,
    MATRIX_OPS,
    STACK_OPS,
    SURFACE_OPS,
    TEXTURE_OPS,
    UNREAD,
    VIDEO_OPS,
)
from qwengpu.frontend.typed import BasicBlock
from qwengpu.isa import Op
from qwengpu.lowering.mir import Barrier, Branch, Jump, Lit, Operand, Trap, VReg
from qwengpu.lowering.select import arith, atomics, bits, compare, convert, memory, warp
from qwengpu.lowering.select.analysis import destinations
from qwengpu.lowering.select.builder import Draft
from qwengpu.lowering.select.selector import FOLDED_NEVER, Selector
from qwengpu.lowering.select.words import ONE, ZERO, lit

Handler = Callable[[Selector, Instruction], None]


def barrier(s: Selector, i: Instruction) -> None:
    """bar.sync 0 ends the block; bar.warp.sync waits for lanes of the warp."""
    if "warp" in i.mods:
        warp.sync_warp(s, i)
        return
    if "sync" not in i.mods:
        raise s.refuse("only bar.sync is supported", "use __syncthreads() and shared memory")
    if len(i.operands) != 1 or not isinstance(i.operands[0], Immediate) or i.operands[0].value != 0:
        raise s.refuse("only barrier 0 with all threads of the block is supported", "use __syncthreads()")
    after = s.split()
    s.b.draft.end, s.b.draft.ends = Barrier(0, i.ordinal, 0), (after,)
    s.b.enter(after)
    s.start = 0


HANDLERS: Mapping[str, Handler] = {
    **arith.HANDLERS,
    **bits.HANDLERS,
    **compare.HANDLERS,
    **convert.HANDLERS,
    **memory.HANDLERS,
    **warp.HANDLERS,
    **atomics.HANDLERS,
    "bar": barrier,
    "barrier": barrier,
}

BRANCHED = frozenset(
    {"ld", "ldu", "st", "atom", "red", "shfl", "vote", "activemask", "match", "bar", "barrier"}
)
"""Guarded, these are branched around: they touch memory or other lanes, or end the block."""

FLOATS = frozenset({"f16", "f16x2", "f32", "f64", "bf16", "bf16x2", "tf32", "e4m3x2", "e5m2x2", "f32x2"})
COPIES = frozenset({"mov", "ld", "st", "selp", "ldu"})
"""Instructions that only copy bits, whatever the type is."""

PACKED = frozenset({"u16x2", "s16x2", "b128"})

OPERANDS: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(
        (
            "mov",
            "cvt",
            "cvta",
            "neg",
            "abs",
            "not",
            "cnot",
            "popc",
            "clz",
            "brev",
            "bfind",
            "isspacep",
            "ld",
            "ldu",
        ),
        (2,),
    ),
    **dict.fromkeys(("add", "sub", "addc", "subc", "mul", "mul24", "div", "rem", "min", "max"), (3,)),
    **dict.fromkeys(("and", "or", "xor", "shl", "shr", "szext", "bmsk", "match"), (3,)),
    **dict.fromkeys(
        ("mad", "madc", "mad24", "sad", "dp4a", "dp2a", "shf", "bfe", "prmt", "selp", "slct"), (4,)
    ),
    **dict.fromkeys(("bfi", "lop3"), (5,)),
    **dict.fromkeys(("setp", "set"), (3, 4)),
    **dict.fromkeys(("st", "red"), (2, 3)),
    "atom": (3, 4),
    "vote": (2, 3),
    "shfl": (4, 5),
    "activemask": (1,),
}
"""How many operands an instruction has."""

NEEDS_MODIFIER = frozenset(HANDLERS) - {"bar", "barrier", "membar", "fence", "activemask", "nanosleep"}

REMEDIES: Mapping[str, tuple[str, str]] = {
    "call": ("calls must be inlined", "define the function in the same file"),
    "redux": ("warp-wide reductions are not supported", "reduce with __shfl_xor_sync"),
    "fns": ("finding the n-th set bit is not supported", "loop over the bits"),
    **dict.fromkeys(TEXTURE_OPS, ("textures are not supported", "read from a buffer")),
    **dict.fromkeys(SURFACE_OPS, ("surfaces are not supported", "read and write a buffer")),
    **dict.fromkeys(MATRIX_OPS, ("matrix instructions are not supported", "multiply and add each element")),
    **dict.fromkeys(CLUSTER_OPS, ("clusters and dependent launches are not supported", "use one thread block")),
    **dict.fromkeys(STACK_OPS, ("a stack of variable size is not supported", "use an array of fixed size")),
    **dict.fromkeys(VIDEO_OPS, ("video instructions are not supported", "use plain integer instructions")),
    "cp": ("asynchronous copies are not supported", "load and store"),
    "tensormap": ("tensor maps are not supported", "load and store"),
    "createpolicy": ("cache policies are not supported", "leave them out"),
    "setmaxnreg": ("register counts at run time are not supported", "leave it out"),
    "elect": ("electing a lane is not supported", "compare the lane number"),
    "mbarrier": ("mbarrier objects are not supported", "use __syncthreads()"),
    "brkpt": ("breakpoints are not supported", "remove it"),
}
FLOAT_OPS = frozenset({"fma", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh", "testp", "copysign"})
"""Instructions that exist for floating point only."""


def lower_block(s: Selector, number: int) -> None:
    """Lower one basic block of the kernel into its drafts."""
    block = s.kernel.blocks[number]
    s.block = number
    s.carry = None
    s.b.enter(s.heads[number])
    for position, instr in enumerate(block.instrs):
        s.position = position
        lower(s, instr)
    s.position = len(block.instrs)
    if block.end is not None:
        _begin(s, block.end)
    _end(s, block)


def _begin(s: Selector, i: Instruction) -> None:
    s.instr = i
    s.b.instr = i.ordinal
    s.start = len(s.b.draft.items)
    s.guard = None


def lower(s: Selector, i: Instruction) -> None:
    """Lower one instruction that is no control transfer."""
    _begin(s, i)
    defined = destinations(i)
    s.b.hint = defined[0].name if defined else ""
    handler = _handler(s, i)
    if i.guard is None:
        handler(s, i)
        return
    cond = s.word(i.guard, 1)
    if isinstance(cond, Lit):
        if (cond.value & 1) != i.negated:
            handler(s, i)
        else:
            for register in defined:
                s.fold(register, FOLDED_NEVER)
        return
    if len(defined) > 1 and isinstance(cond, VReg) and s.home_of.get(cond) in defined:
        # The first destination's assignment must not change the guard of the others.
        cond = s.b.copy(cond)
    if i.op not in BRANCHED:
        s.guard = (cond, not i.negated)
        done = s.attempt(handler, i)
        s.guard = None
        if done:
            return
    with s.branched(cond, not i.negated):
        handler(s, i)


def _handler(s: Selector, i: Instruction) -> Handler:
    if i.op in UNREAD:
        raise s.refuse(*REMEDIES[i.op])
    floats = FLOATS.intersection(i.mods)
    if i.op in FLOAT_OPS or (floats and i.op not in COPIES):
        raise s.refuse("floating point is not supported", "use integer or fixed-point arithmetic")
    if PACKED.intersection(i.mods):
        raise s.refuse("packed or 128-bit types are not supported", "use 8- to 64-bit integers")
    handler = HANDLERS.get(i.op)
    if handler is None:
        reason, remedy = REMEDIES.get(i.op, ("the instruction is not supported", "write it with simpler ones"))
        raise s.refuse(reason, remedy)
    if len(i.operands) not in OPERANDS.get(i.op, (len(i.operands),)) or (not i.mods and i.op in NEEDS_MODIFIER):
        raise s.refuse("the instruction is not complete", "give it its type and all its operands")
    return handler


# --------------------------------------------------------------------------------------------------
# Ends of blocks


def _end(s: Selector, block: BasicBlock) -> None:
    draft = s.b.draft
    follow = None if block.other is None else s.heads[block.other]
    end = block.end
    if end is None:
        draft.end, draft.ends = Jump(None), (follow,)
        return
    targets = [None if target is None else s.heads[target] for target in block.taken]
    if end.guard is None:
        _unguarded(s, end, draft, targets)
        return
    cond = s.word(end.guard, 1)
    match end.op:
        case "trap":
            trap = s.split()
            trap.end, trap.ends = Trap(end.ordinal), ()
            _branch(draft, cond, not end.negated, trap, follow, None)
        case "brx":
            # The event of a guard that is false has value 0.
            table = s.split()
            skipped = s.split()
            _branch(draft, cond, not end.negated, table, skipped, None)
            skipped.end = Branch(ZERO, None, None, end.ordinal, "bra", True, ZERO)
            skipped.ends = (follow, follow)
            _table(s, end, table, targets)
        case _:
            _branch(draft, cond, not end.negated, targets[0], follow, end)


def _unguarded(s: Selector, end: Instruction, draft: Draft, targets: list[Draft | None]) -> None:
    if end.op == "trap":
        draft.end, draft.ends = Trap(end.ordinal), ()
    elif end.op == "brx":
        _table(s, end, draft, targets)
    else:
        draft.end, draft.ends = Jump(None), (targets[0],)


def _branch(
    draft: Draft,
    cond: Operand,
    sense: bool,
    taken: Draft | None,
    other: Draft | None,
    event: Instruction | None,
) -> None:
    """End ``draft``: go to ``taken`` where bit 0 of ``cond`` equals ``sense``, else to ``other``."""
    instr = event.ordinal if event is not None and event.ordinal >= 0 else None
    name = "bra" if event is None or event.op == "bra" else "ret"
    draft.end = Branch(cond, None, None, instr, name, sense)
    draft.ends = (taken, other) if sense else (other, taken)


def _table(s: Selector, end: Instruction, draft: Draft, targets: list[Draft | None]) -> None:
    """A chain of comparisons; the first one reports the index. An index beyond the table is undefined in PTX
    and goes to the last target."""
    s.b.enter(draft)
    index = end.operands[0]
    if not isinstance(index, (Register, Immediate)):
        raise s.refuse("the index of a jump table must be a register", "use a register")
    word = s.word(index)
    if len(targets) == 1:
        draft.end = Branch(ONE, None, None, end.ordinal, "bra", True, word)
        draft.ends = (targets[0], targets[0])
        return
    for number, target in enumerate(targets[:-1]):
        last = number == len(targets) - 2
        after = targets[-1] if last else s.split()
        hit = s.b.op(Op.EQ, word, lit(number))
        current = s.b.draft
        current.end = Branch(
            hit,
            None,
            None,
            end.ordinal if number == 0 else None,
            "bra",
            True,
            word if number == 0 else None,
        )
        current.ends = (target, after)
        if not last:
            assert after is not None
            s.b.enter(after)
