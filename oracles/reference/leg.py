"""The leg ``reference``: lower the PTX, load the image, run the machine, say what happened in PTX terms."""

from __future__ import annotations

import platform
import re
import time
from collections.abc import Callable
from functools import lru_cache

from oracles.api import (
    Argument,
    Buffer,
    Event,
    Fault,
    FaultKind,
    Launch,
    Module,
    Options,
    Report,
    Result,
    Status,
    kernel_missing,
)
from oracles.reference.events import events, fault_instr
from oracles.reference.machine import Machine
from oracles.reference.trace import MachineFault, StepLimit, Trace
from qwengpu.image import GLOBAL_BASE, Placed, build_image, prompt
from qwengpu.program import Param, Program, Refusal
from qwengpu.spec import Spec, spec_named
from qwengpu.tokens import FaultCode

PROBE = 10_000
"""EXECs of a warp after which a launch is first run to its end without a record of what it does."""

MACHINE_VERSION = 1
"""Version of docs/machine.md that this interpreter follows."""

Lower = Callable[[str, str | None, Spec], Program]

FAULT_KINDS: dict[FaultCode, FaultKind] = {
    FaultCode.ILLEGAL: FaultKind.ILLEGAL,
    FaultCode.OUT_OF_RANGE: FaultKind.OUT_OF_RANGE,
    FaultCode.MISALIGNED: FaultKind.MISALIGNED,
    FaultCode.BARRIER: FaultKind.BARRIER,
    FaultCode.TRAP: FaultKind.TRAP,
}
"""Machine faults that are the kernel's own."""

LIMITS: dict[FaultCode, str] = {
    FaultCode.POINTER: "a pointer left the machine's 32-bit window",
    FaultCode.CONVERGENCE: "a warp-synchronous operation needs lanes that are not there together",
}
"""Machine faults that say what this machine cannot do; the kernel may be right."""


class BadInput(Exception):
    """The launch does not fit the kernel; ``str()`` is one line."""


def lower_ptx(ptx: str, kernel: str | None, spec: Spec) -> Program:
    """`qwengpu.lowering.lower.lower`, imported at its first use.

    Raises `qwengpu.program.Refusal`.
    """
    from qwengpu.lowering.lower import lower  # noqa: PLC0415

    return lower(ptx, kernel, spec)


class ReferenceOracle:
    """`oracles.api.Oracle` for the machine's interpreter.

    A launch that ends in the step limit has no events, and no tokens either if events were asked for.
    ``Options.spec`` picks the machine. ``Options.schedule`` and ``warp_size`` do not apply: the machine has
    one order and its own warp size. ``lower`` can be replaced by another source of programs.
    """

    name = "reference"
    reports = frozenset({Report.MEMORY, Report.FAULTS, Report.REGISTERS, Report.TRACE, Report.TOKENS})

    def __init__(self, lower: Lower = lower_ptx) -> None:
        # A Program is immutable for every reader, so launches of one kernel share it.
        self._lower = lru_cache(maxsize=128)(lower)

    def product(self, options: Options) -> str:
        """``reference-<spec>@cpu-<python>-machine<version of the definition>``."""
        python = f"{platform.python_implementation().lower()}{platform.python_version()}"
        return f"{self.name}-{options.spec}@cpu-{python}-machine{MACHINE_VERSION}"

    def available(self) -> str | None:
        """Always: it is pure Python."""
        return None

    def program(self, module: Module, launch: Launch, spec: Spec) -> Program:
        """The lowered kernel of a launch.

        Raises BadInput if the module has no such kernel, and Refusal.
        """
        names = entries(module.ptx)
        if launch.kernel not in names:
            raise BadInput(kernel_missing(launch.kernel, names))
        return self._lower(module.ptx, launch.kernel, spec)

    def prompt(self, module: Module, launch: Launch, options: Options) -> tuple[Program, list[int]]:
        """The lowered kernel and the token ids of the launch's prompt.

        Raises BadInput and Refusal.
        """
        try:
            spec = spec_named(options.spec)
        except ValueError as error:
            raise BadInput(str(error)) from None
        program = self.program(module, launch, spec)
        _check_arguments(program, launch.args)
        buffers, arguments = [], []
        for arg, address in zip(launch.args, launch.addresses(), strict=True):
            if isinstance(arg, Buffer):
                assert address is not None
                buffers.append(Placed(address, arg.to_bytes()))
                arguments.append(address.to_bytes(8, "little"))
            else:
                arguments.append(arg.to_bytes())
        image = build_image(program, launch.grid, launch.block, arguments, buffers, launch.shared_bytes)
        return program, prompt(program, image)

    def run(self, module: Module, launch: Launch, options: Options) -> Result:
        """Run one launch to its end, to a fault or to the step limit."""
        started = time.perf_counter()
        try:
            result = self._run(module, launch, options)
        except BadInput as error:
            result = Result(Status.BAD_INPUT, reason=str(error))
        except Refusal as refusal:
            result = Result(Status.UNSUPPORTED, reason=str(refusal), notes={"refusal": refusal.kind})
        except Exception as error:  # the leg's outer boundary
            result = Result(Status.HARNESS_ERROR, reason=f"{type(error).__name__}: {error}")
        result.seconds = time.perf_counter() - started
        return result

    def _run(self, module: Module, launch: Launch, options: Options) -> Result:
        program, ids = self.prompt(module, launch, options)
        machine = Machine(program.spec)
        machine.feed(ids)
        trace, whole = _trace(machine, options)
        result = Result(
            Status.OK,
            buffers=tuple(final_buffers(launch, trace)),
            definitions=dict(program.unmapped),
            tokens=trace.tokens if whole else None,
            executed=trace.executed,
            notes={
                "prompt_tokens": len(ids),
                **({"tokens": len(trace.tokens)} if whole else {}),
                "execs": trace.execs,
                "operations": trace.operations,
                "rom_blocks": len(program.blocks),
                "registers": program.report.registers,
            },
        )
        if options.events and trace.stopped is None:
            raw = events(program, launch.threads_per_block, trace.records)
            result.events = [Event(*fields) for fields in raw]
        if trace.fault is not None:
            _add_fault(result, program, launch, trace.fault)
        elif trace.stopped is not None:
            result.status = Status.TIMEOUT
            result.reason = _stopped_reason(program, launch, trace.stopped)
        return result


def _trace(machine: Machine, options: Options) -> tuple[Trace, bool]:
    """The launch's trace, and whether it has the tokens.

    Records of every EXEC take most of the time and of the memory. Nobody compares the events of a launch that
    does not end, so where they are asked for, a long launch is first run without records and tokens.
    """
    if not options.events or options.step_limit <= PROBE:
        return machine.run(options.step_limit, records=options.events), True
    trace = machine.run(PROBE, records=True)
    if trace.stopped is None:
        return trace, True
    trace = machine.run(options.step_limit, tokens=False)
    if trace.stopped is not None:
        return trace, False
    return machine.run(options.step_limit, records=True), True


def entries(ptx: str) -> list[str]:
    """Names of a module's kernels, in textual order."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", ptx, flags=re.DOTALL)
    return re.findall(r"\.entry\s+([\w$%]+)", text)


def final_buffers(launch: Launch, trace: Trace) -> list[tuple[int, ...] | None]:
    """The elements of each buffer argument in the machine's memory after a run."""
    raw = b"".join(word.to_bytes(4, "little") for word in trace.memory)
    out: list[tuple[int, ...] | None] = []
    for arg, address in zip(launch.args, launch.addresses(), strict=True):
        if isinstance(arg, Buffer) and address is not None:
            start = address - GLOBAL_BASE
            out.append(arg.from_bytes(raw[start : start + arg.nbytes]))
        else:
            out.append(None)
    return out


def _check_arguments(program: Program, args: tuple[Argument, ...]) -> None:
    params = program.params
    if len(args) != len(params):
        raise BadInput(f"kernel {program.kernel} takes {len(params)} arguments, not {len(args)}")
    for index, (arg, param) in enumerate(zip(args, params, strict=True)):
        problem = _argument_problem(arg, param)
        if problem is not None:
            raise BadInput(f"argument {index} of kernel {program.kernel} ({param.name}): {problem}")


def _argument_problem(arg: Argument, param: Param) -> str | None:
    if isinstance(arg, Buffer):
        if param.size != 8 or param.pointer is False:
            return f"a buffer is given for a scalar of {param.size} bytes"
        return None
    size = len(arg.to_bytes())
    if param.pointer:
        return f"the scalar {arg.kind} is given for a pointer; give a buffer"
    if size != param.size:
        return f"the scalar {arg.kind} has {size} bytes, the parameter {param.size}"
    return None


# --------------------------------------------------------------------------------------------------
# Faults and the step limit in words


def _source_place(program: Program, block: int) -> str:
    """``block 3, PTX line 12, CUDA line 5`` as far as it is known."""
    place = [f"block {block}"]
    if block < len(program.maps):
        for what, lines in (("PTX", program.maps[block].ptx_lines), ("CUDA", program.maps[block].cuda_lines)):
            if lines:
                low, high = min(lines), max(lines)
                place.append(f"{what} line {low}" if low == high else f"{what} lines {low}-{high}")
    return ", ".join(place)


def _add_fault(result: Result, program: Program, launch: Launch, fault: MachineFault) -> None:
    lanes = program.spec.lanes
    first = fault.cta * launch.threads_per_block + fault.warp * lanes
    threads = tuple(first + lane for lane in fault.lanes)
    where = _source_place(program, fault.block)
    who = f"thread {threads[0]}" if len(threads) == 1 else f"threads {', '.join(map(str, threads))}"
    if fault.code in LIMITS:
        result.status = Status.UNSUPPORTED
        result.reason = f"{LIMITS[fault.code]}: {who} at {where}; run it on a leg without this limit"
        return
    address = fault.details[0].address
    place = f" address {address:#x}" if address is not None else ""
    kind = FAULT_KINDS[fault.code]
    message = f"{kind.value}:{place} {who} at {where}".replace(":  ", ": ")
    result.status = Status.FAULT
    result.reason = message
    result.fault = Fault(kind, message, threads, fault_instr(program, fault), address)


def _stopped_reason(program: Program, launch: Launch, stop: StepLimit) -> str:
    first = stop.cta * launch.threads_per_block + stop.warp * program.spec.lanes
    return (
        f"step limit: the warp of thread {first} was at {_source_place(program, stop.block)} "
        f"after {stop.steps} EXECs; "
        "if the kernel ends, raise step_limit in the case, or --step-limit"
    )
