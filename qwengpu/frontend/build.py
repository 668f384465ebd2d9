"""PTX module -> TypedKernel: choose the kernel, inline, cut into basic blocks."""

from __future__ import annotations

from collections.abc import Iterator

from qwengpu.frontend.inline import Flat, Target, flatten, scalar_params
from qwengpu.frontend.ptx.ast import Function, Instruction, Memory, Module, Operand, Symbol, Variable, Vector
from qwengpu.frontend.typed import BasicBlock, TypedKernel
from qwengpu.program import Refusal

TRANSFERS = frozenset({"bra", "brx", "ret", "exit", "trap"})


def typed_kernel(module: Module, name: str | None = None) -> TypedKernel:
    """The kernel called ``name``, or the only one.

    Raises Refusal if there is no such kernel or it cannot be inlined.
    """
    function = _choose(module, name)
    flat = flatten(module, function)
    params = tuple(p for p in function.params if isinstance(p, Variable))
    slots = scalar_params(flat.instrs, params)
    return TypedKernel(
        function.name,
        params,
        _blocks(flat),
        _variables(module, flat.instrs),
        slots,
        len(flat.instrs),
    )


def _choose(module: Module, name: str | None) -> Function:
    kernels = module.kernels
    listed = ", ".join(kernels) if kernels else "none"
    if name is None:
        if len(kernels) != 1:
            raise Refusal(f"name the kernel; the module has: {listed}", kind="kernel")
        name = kernels[0]
    if name not in kernels:
        raise Refusal(f"no kernel {name!r}; the module has: {listed}", kind="kernel")
    return module.functions[name]


def _blocks(flat: Flat) -> tuple[BasicBlock, ...]:
    """Basic blocks in textual order. A place behind the last instruction ends the thread."""
    instrs = flat.instrs
    size = len(instrs)
    leaders = {0}
    for index, targets in flat.targets.items():
        leaders.add(index + 1)
        leaders.update(flat.places[target] for target in targets if target is not None)
    leaders.update(index + 1 for index, instr in enumerate(instrs) if instr.op == "trap")
    starts = sorted(leader for leader in leaders if leader < size)
    number = {start: index for index, start in enumerate(starts)}

    def block_at(target: Target | None) -> int | None:
        return None if target is None else number.get(flat.places[target])

    blocks: list[BasicBlock] = []
    for start, stop in zip(starts, [*starts[1:], size], strict=True):
        last = instrs[stop - 1]
        follow = number.get(stop)
        if last.op not in TRANSFERS:
            blocks.append(BasicBlock(tuple(instrs[start:stop]), None, (), follow, True))
            continue
        taken = tuple(map(block_at, flat.targets.get(stop - 1, ())))
        blocks.append(BasicBlock(tuple(instrs[start : stop - 1]), last, taken, follow, last.guard is not None))
    return tuple(blocks) or (BasicBlock((), None, (), None, True),)


def _variables(module: Module, instrs: list[Instruction]) -> tuple[Variable, ...]:
    """Variables in memory that are used: those of the module in its order, then the functions' own."""
    used: dict[Variable, None] = {}
    for instr in instrs:
        for operand in instr.operands:
            for variable in _mentioned(operand):
                used[variable] = None
    declared = (*module.variables.values(), *(v for f in module.functions.values() for v in f.variables))
    ordered = {v: None for v in declared if v in used}
    return tuple({**ordered, **used})


def _mentioned(operand: Operand) -> Iterator[Variable]:
    match operand:
        case Symbol(variable) | Memory(Variable() as variable):
            if variable.space != "param":
                yield variable
        case Vector(items):
            for item in items:
                yield from _mentioned(item)
