"""The leg ``ptx``: reads PTX, runs it, says what happened."""

from __future__ import annotations

import platform
import time
from dataclasses import replace
from functools import lru_cache

from oracles.api import (
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
from oracles.ptx.apart import Apart, as_given
from oracles.ptx.arguments import check_launch, parameter_bytes
from oracles.ptx.decode import decode
from oracles.ptx.errors import BadLaunch, KernelFault, PtxError, StepLimit, Unsupported
from oracles.ptx.grid import Grid
from oracles.ptx.lanes import lanes_of
from oracles.ptx.program import Mode, Program
from oracles.ptx.reader import read
from oracles.ptx.reader.syntax import PtxModule

INTERPRETER_VERSION = 1
MAX_WARP = 32


@lru_cache(maxsize=64)
def _read(text: str) -> PtxModule:
    return read(text)


@lru_cache(maxsize=256)
def _decode(text: str, kernel: str, mode: Mode) -> Program:
    return decode(_read(text), kernel, mode)


class PtxOracle:
    """`oracles.api.Oracle` for PTX itself, at any warp size up to 32."""

    name = "ptx"
    reports = frozenset({Report.MEMORY, Report.FAULTS, Report.REGISTERS, Report.TRACE, Report.DEFINEDNESS})
    warp_size = 32

    def product(self, options: Options) -> str:
        """``ptx-1@cpython3.12-linux_x86_64``."""
        python = f"{platform.python_implementation().lower()}{'.'.join(platform.python_version_tuple()[:2])}"
        machine = f"{platform.system().lower()}_{platform.machine().lower()}"
        return f"{self.name}-{INTERPRETER_VERSION}@{python}-{machine}"

    def available(self) -> str | None:
        """Always: it is pure Python."""
        return None

    def run(self, module: Module, launch: Launch, options: Options) -> Result:
        """Run one launch to its end, to a fault or to the step limit."""
        started = time.perf_counter()
        try:
            result = self._run(module, launch, options)
        except (PtxError, BadLaunch) as error:
            result = Result(Status.BAD_INPUT, reason=str(error))
        except Unsupported as error:
            result = Result(Status.UNSUPPORTED, reason=str(error))
        except Exception as error:  # the leg's outer boundary
            result = Result(Status.HARNESS_ERROR, reason=f"{type(error).__name__}: {error}")
        result.seconds = time.perf_counter() - started
        return result

    def _run(self, module: Module, launch: Launch, options: Options) -> Result:
        warp = self.warp_size if options.warp_size is None else options.warp_size
        if not 1 <= warp <= MAX_WARP or warp & (warp - 1):
            raise BadLaunch(f"warp size {warp}: a power of two from 1 to {MAX_WARP} is needed")
        names = _read(module.ptx).entries
        if launch.kernel not in names:
            raise BadLaunch(kernel_missing(launch.kernel, names))
        mode = Mode(warp, options.check, options.events, options.schedule is not None)
        program = _decode(module.ptx, launch.kernel, mode)
        check_launch(program.kernel, launch, program.layout)
        result = _execute(program, launch, options)
        if options.check and result.status is Status.OK and (len(launch.args) > 1 or program.layout.module):
            apart = _execute(program, Apart.of(launch), replace(options, events=False))
            if apart.fault is not None and apart.fault.kind is FaultKind.OUT_OF_RANGE:
                result = as_given(apart, launch)
        result.notes = {"warp_size": warp}
        return result


def _execute(program: Program, launch: Launch, options: Options) -> Result:
    """One run of a checked launch."""
    grid = Grid(program, launch, options, parameter_bytes(launch, program.layout))
    result = Result(Status.OK)
    try:
        grid.run()
    except KernelFault as fault:
        result = _fault(grid, fault)
    except StepLimit as limit:
        instr = program.instrs[limit.pc]
        where = grid.checker.where(limit.thread)
        reason = (
            f"step limit of {options.step_limit} instructions reached by {where} at {instr.cited}; "
            "if the kernel ends, raise step_limit in the case, or --step-limit"
        )
        result = Result(Status.TIMEOUT, reason=reason)
    result.buffers = grid.buffers()
    result.executed = grid.executed
    if options.events:
        result.events = grid.events
    if options.check:
        result.findings = grid.checker.findings()
    return result


def _fault(grid: Grid, fault: KernelFault) -> Result:
    """The fault with its thread, instruction and place."""
    assert fault.at is not None
    warp, pc, mask = fault.at
    instr = grid.program.instrs[pc]
    lanes = lanes_of(mask) if fault.lane is None else (fault.lane,)
    threads = tuple(warp.thread0 + lane for lane in lanes)
    message = fault.message
    if not fault.placed:
        more = f" and {len(threads) - 1} more" if fault.kind is FaultKind.BARRIER and len(threads) > 1 else ""
        message += f": {grid.checker.where(threads[0])}{more} at {instr.cited}"
    made = Fault(fault.kind, message, threads, instr.ordinal, fault.address)
    return Result(Status.FAULT, reason=f"{fault.kind.value}: {message}", fault=made)
