"""From a program's reply to a Result: one line that says what happened, where, to whom."""

from __future__ import annotations

from oracles.api import Buffer, Fault, FaultKind, Launch, Options, Result, Status
from oracles.native.wire import Outcome, Reply

OPERATIONS = (
    "__syncwarp",
    "__shfl_sync",
    "__shfl_up_sync",
    "__shfl_down_sync",
    "__shfl_xor_sync",
    "__ballot_sync",
    "__any_sync",
    "__all_sync",
    "__uni_sync",
    "__match_any_sync",
    "__match_all_sync",
)

FAULTS = {
    Outcome.BAD_ADDRESS: FaultKind.OUT_OF_RANGE,
    Outcome.OVERWRITTEN: FaultKind.OUT_OF_RANGE,
    Outcome.SHARED_ADDRESS: FaultKind.OUT_OF_RANGE,
    Outcome.SHARED_OVERWRITTEN: FaultKind.OUT_OF_RANGE,
    Outcome.STACK_OVERFLOW: FaultKind.OUT_OF_RANGE,
    Outcome.MISALIGNED: FaultKind.MISALIGNED,
    Outcome.TRAP: FaultKind.TRAP,
    Outcome.SIGNAL: FaultKind.TRAP,
    Outcome.CONVERGENCE: FaultKind.CONVERGENCE,
    Outcome.NOT_IN_MASK: FaultKind.CONVERGENCE,
    Outcome.STUCK_BARRIER: FaultKind.BARRIER,
}


def to_result(reply: Reply, launch: Launch, options: Options) -> Result:
    """The leg's answer for a decoded reply."""
    if reply.outcome is Outcome.OK:
        notes = {"unspecified_divisions": reply.divisions} if reply.divisions else {}
        return Result(Status.OK, reply.buffers, executed=reply.executed, notes=notes)
    if reply.outcome in FAULTS:
        return _fault(reply, launch)
    if reply.outcome is Outcome.TIMEOUT:
        where = f": {_who(reply.thread, launch)} was running" if reply.thread is not None else ""
        reason = f"no end after {options.wall_limit_s:g} s{where}"
        return Result(Status.TIMEOUT, reason=reason, executed=reply.executed)
    status, reason = _refusal(reply, launch)
    return Result(status, reason=reason)


def _fault(reply: Reply, launch: Launch) -> Result:
    message = _message(reply, launch)
    threads = () if reply.thread is None else (reply.thread,)
    fault = Fault(FAULTS[reply.outcome], message, threads, address=_address(reply, launch))
    return Result(Status.FAULT, reason=message, fault=fault, executed=reply.executed)


def _message(reply: Reply, launch: Launch) -> str:
    who = _who(reply.thread, launch)
    match reply.outcome:
        case Outcome.BAD_ADDRESS if reply.argument >= 0:
            return f"{who}: address {_place(reply, launch)}"
        case Outcome.BAD_ADDRESS:
            return f"{who}: address {reply.detail:#x} is outside every buffer"
        case Outcome.OVERWRITTEN:
            return f"a byte was stored {_place(reply, launch)}"
        case Outcome.SHARED_ADDRESS:
            what = f"{reply.expected} bytes of dynamic" if reply.detail else "static"
            return f"{who}: address outside the {what} shared memory"
        case Outcome.SHARED_OVERWRITTEN:
            return f"a byte was stored at offset {reply.offset} of a shared variable of {reply.detail} bytes"
        case Outcome.STACK_OVERFLOW:
            return f"{who}: more than {reply.detail} bytes of stack"
        case Outcome.MISALIGNED:
            return f"{who}: misaligned access" + (f" {_place(reply, launch)}" if reply.argument >= 0 else "")
        case Outcome.CONVERGENCE:
            missing = reply.detail & ~reply.expected
            operation = OPERATIONS[reply.argument]
            return (
                f"{who}: waits for ever at {operation}, mask {reply.detail:#x}; not there: lanes {missing:#x}"
            )
        case Outcome.NOT_IN_MASK:
            operation = OPERATIONS[reply.argument]
            return f"{who}: mask {reply.detail:#x} of {operation} lacks its own lane {reply.expected}"
        case Outcome.STUCK_BARRIER:
            return "threads wait at a barrier for ever"
        case Outcome.SIGNAL:
            return f"{who}: signal {reply.detail}"
        case _:
            return f"{who}: trap"


def _refusal(reply: Reply, launch: Launch) -> tuple[Status, str]:
    number = reply.argument
    match reply.outcome:
        case Outcome.ARGUMENT_COUNT:
            return (
                Status.BAD_INPUT,
                f"{launch.kernel} takes {reply.expected} arguments, the launch has {reply.detail}",
            )
        case Outcome.ARGUMENT_KIND:
            has = "a buffer" if reply.detail == 0 else "a scalar"
            wants = "a pointer" if reply.expected == 0 else "a scalar"
            return Status.BAD_INPUT, f"argument {number} is {has}, {launch.kernel} takes {wants}"
        case Outcome.ARGUMENT_SIZE:
            return (
                Status.BAD_INPUT,
                f"argument {number} has {reply.detail} bytes, {launch.kernel} takes {reply.expected}",
            )
        case Outcome.UNSUPPORTED_PARAMETER:
            what = "floating-point" if reply.detail == 2 else "by-value class"
            return Status.UNSUPPORTED, f"argument {number}: a {what} parameter"
        case Outcome.SHARED_EXHAUSTED:
            return (
                Status.UNSUPPORTED,
                f"{reply.detail} bytes of static shared memory with gaps, of {reply.expected}",
            )
        case Outcome.NO_MEMORY:
            return Status.UNSUPPORTED, "the system gives no memory for the launch"
        case _:
            return Status.HARNESS_ERROR, "the program did not understand the launch"


def _who(thread: int | None, launch: Launch) -> str:
    if thread is None:
        return "a thread"
    block, tid = launch.where(thread)
    return f"thread {thread} (blockIdx {_triple(block)}, threadIdx {_triple(tid)})"


def _triple(at: tuple[int, int, int]) -> str:
    return ",".join(map(str, at))


def _place(reply: Reply, launch: Launch) -> str:
    argument = launch.args[reply.argument]
    size = argument.nbytes if isinstance(argument, Buffer) else 0
    if 0 <= reply.offset < size:
        return f"at offset {reply.offset} of argument {reply.argument} ({size} bytes)"
    if reply.offset < 0:
        return f"{-reply.offset} bytes before argument {reply.argument} ({size} bytes)"
    return f"{reply.offset - size} bytes behind argument {reply.argument} ({size} bytes)"


def _address(reply: Reply, launch: Launch) -> int | None:
    # In the launch's addresses, so that legs can be compared; real ones say nothing.
    if reply.outcome not in (Outcome.BAD_ADDRESS, Outcome.OVERWRITTEN, Outcome.MISALIGNED):
        return None
    if not 0 <= reply.argument < len(launch.args):
        return None
    base = launch.addresses()[reply.argument]
    return None if base is None else base + reply.offset
