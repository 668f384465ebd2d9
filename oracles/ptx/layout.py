"""Where the variables of a kernel lie, each space by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from oracles.ptx.errors import Unsupported
from oracles.ptx.program import Layout
from oracles.ptx.reader.syntax import Addr, Arguments, Function, Operand, Pair, PtxModule, Sym, Variable, Vec


def lay_out(module: PtxModule, kernel: Function, functions: Sequence[Function]) -> Layout:
    """Addresses for the kernel's parameters and for the variables that its ``functions`` use.

    Module variables get theirs with the launch.

    Raises Unsupported for an initialiser that this interpreter does not know.
    """
    layout = Layout()
    for variable in kernel.params:
        at = _align(layout.param_size, variable.align)
        layout.addresses[variable] = at
        layout.params.append((variable, at))
        layout.param_size = at + variable.size
    used = _used(module, functions)
    dynamic = [v for v in used if v.space == "shared" and v.extern]
    for variable in used:
        _place(layout, variable)
    align = max((v.align for v in dynamic), default=1)
    layout.shared_dynamic_at = _align(layout.shared_static, align)
    for variable in dynamic:
        layout.addresses[variable] = layout.shared_dynamic_at
    return layout


def _place(layout: Layout, variable: Variable) -> None:
    if variable.extern:
        return
    if variable.space == "shared":
        if variable.data is not None:
            where = f"shared variable {variable.name} has an initialiser at PTX line {variable.line}"
            raise Unsupported(f"{where}; assign it in the kernel")
        at = _align(layout.shared_static, variable.align)
        layout.shared_static = at + variable.size
    elif variable.space == "local":
        at = _align(layout.local_size, variable.align)
        layout.local_size = at + variable.size
    else:
        if variable.space in ("global", "const"):
            layout.module.append(variable)
        return
    layout.addresses[variable] = at


def _align(at: int, align: int) -> int:
    return -(-at // align) * align


def _used(module: PtxModule, functions: Sequence[Function]) -> list[Variable]:
    """Variables that are named in code or in a used initialiser, in the order of the file."""
    named: set[Variable] = set()
    for function in functions:
        named.update(function.variables)
        for instr in function.body or ():
            for operand in instr.operands:
                named.update(_variables(operand))
    todo = list(named)
    while todo:
        variable = todo.pop()
        for _, _, target, _, generic in variable.pointers:
            if target.space not in ("global", "const") or target.extern:
                raise Unsupported(
                    f"the initialiser of {variable.name} at PTX line {variable.line} has the address of "
                    f"{target.name} in .{target.space}{' as a generic one' if generic else ''}; "
                    "assign it in the kernel"
                )
            if target not in named:
                named.add(target)
                todo.append(target)
    ordered = [v for v in module.variables if v in named]
    for function in functions:
        ordered += function.variables
    return ordered


def _variables(operand: Operand) -> Iterator[Variable]:
    match operand:
        case Sym(variable, _):
            yield variable
        case Addr(base, _) if isinstance(base, Variable):
            yield base
        case Vec(items) | Arguments(items):
            for item in items:
                yield from _variables(item)
        case Pair(first, second):
            yield from _variables(first)
            yield from _variables(second)
