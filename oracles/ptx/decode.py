"""A kernel and the functions that it calls -> `Program`."""

from __future__ import annotations

from oracles.ptx.builder import Builder
from oracles.ptx.errors import Unsupported
from oracles.ptx.joins import join_points
from oracles.ptx.layout import lay_out
from oracles.ptx.loops import Run
from oracles.ptx.ops import OPS
from oracles.ptx.ops.control import leave
from oracles.ptx.ops.params import shadow
from oracles.ptx.program import Mode, Program
from oracles.ptx.reader.opcodes import REFUSED
from oracles.ptx.reader.syntax import Arguments, Function, Instr, Name, PtxModule
from oracles.ptx.types import FLOATS
from oracles.ptx.wrap import wrap


def decode(module: PtxModule, kernel: str, mode: Mode) -> Program:
    """Decode a kernel that the module has. Raises PtxError and Unsupported."""
    entry = module.functions[kernel]
    functions = _reachable(module, entry)
    program = Program(entry, mode, lay_out(module, entry, functions))
    b = Builder(program, module.functions)
    at = 0
    for function in functions:
        b.starts[function.name] = at
        at += len(function.body or ()) + 1
    for function in functions:
        _function(b, function)
    program.entry = b.starts[kernel]
    return program


def _function(b: Builder, function: Function) -> None:
    program, body = b.program, function.body or []
    b.function, b.base = function, b.starts[function.name]
    for variable in (*function.params, *function.returns):
        if not function.entry:
            b.cell(variable)
    for instr in body:
        b.pc = len(program.code)
        program.code.append(_instruction(b, instr))
        program.instrs.append(instr)
    if b.mode.shuffled:
        program.joins.update(b.base + at for at in join_points(body))
    # A body that ends without ret returns; nobody sees an instruction for that.
    b.pc = len(program.code)
    last = body[-1] if body else Instr(0, function.line, None, "", "ret", (), ())
    end = Instr(last.ordinal, last.line, last.cuda, last.text, "ret", (), ())
    program.code.append(leave(b, end, returns=not function.entry).run)
    program.instrs.append(end)
    b.fresh[function.name] = [b.register(register) for register in function.registers]
    params = [v for v in function.variables if v.space == "param"]
    b.fresh[function.name] += [shadow(b, v) for v in (*params, *function.returns)] if not function.entry else []


def _instruction(b: Builder, instr: Instr) -> Run:
    if instr.op in REFUSED:
        raise Unsupported(b.no(instr, *REFUSED[instr.op]))
    if any(m in FLOATS for m in instr.mods):
        b.no_float(instr)
    decoder = OPS.get(instr.op)
    if decoder is None:
        why = f"instruction {instr.op} is not supported"
        raise Unsupported(b.no(instr, why, "write it with simpler ones"))
    return wrap(b, instr, decoder(b, instr))


def _reachable(module: PtxModule, entry: Function) -> list[Function]:
    """The kernel and what it calls, each function after those that it calls."""
    out: list[Function] = []
    path: list[str] = []

    def visit(function: Function) -> None:
        path.append(function.name)
        for instr in function.body or ():
            name = _called(instr)
            if name is None:
                continue
            callee = module.functions.get(name)
            place = f"{instr.opcode} at {instr.cited}"
            if name in path:
                raise Unsupported(f"recursion is not supported; write a loop: {name} calls itself: {place}")
            if callee is None or callee.body is None:
                raise Unsupported(f"function {name} has no body in this module; define it there: {place}")
            if callee.register_params:
                raise Unsupported(f"function {name} has .reg parameters; use .param: {place}")
            if callee.entry:
                raise Unsupported(f"a kernel cannot be called; make it a .func: {place}")
            if callee not in out:
                visit(callee)
        path.pop()
        out.append(function)

    visit(entry)
    return out


def _called(instr: Instr) -> str | None:
    if instr.op != "call":
        return None
    operands = [operand for operand in instr.operands[:2] if not isinstance(operand, Arguments)]
    return operands[0].text if operands and isinstance(operands[0], Name) else None
