"""Faults of the EXEC in hand: which kind is reported, for which lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qwengpu.circuits import Circuit, Form, Wire, form, total
from qwengpu.gpu.decode import Control, Lanes
from qwengpu.gpu.digits import Terms, bits_of, gated_step, high_bits
from qwengpu.gpu.outs import word_select
from qwengpu.gpu.ports import Bus
from qwengpu.gpu.slots import Sign, SlotFaults
from qwengpu.gpu.threads import Threads
from qwengpu.spec import Spec
from qwengpu.tokens import FaultCode


@dataclass(frozen=True)
class Faults:
    """``any``: an EXEC token whose block faults; ``number``: kind * 2**lanes + mask, one level."""

    any: Wire
    number: Terms


@dataclass(frozen=True)
class _Check:
    """One kind of fault at one stage; ``lanes[l]``: that lane has it."""

    code: FaultCode
    lanes: tuple[Wire, ...]


def make_faults(
    c: Circuit,
    spec: Spec,
    is_exec: Wire,
    illegal: Wire,
    slots: Sequence[SlotFaults],
    control: Control,
    lanes: Lanes,
    threads: Threads,
    bus: Bus,
) -> Faults:
    """All stages in order, the first that has a fault is reported."""
    with c.scope("fault"):
        checks = [_everyone(c, FaultCode.ILLEGAL, illegal, lanes)]
        for stage in range(len(spec.levels) + 1):
            checks += _stage(c, [one for one in slots if one.level == stage], lanes, stage)
        checks.append(_convergence(c, spec, control, lanes, threads, bus))
        elsewhere = gated_step(threads.waits_elsewhere, 1, control.next.barrier)
        checks.append(_everyone(c, FaultCode.BARRIER, c.bit(elsewhere, "elsewhere"), lanes))
        checks.append(_everyone(c, FaultCode.TRAP, control.next.trap, lanes))
        return _first(c, spec, is_exec, checks)


def _everyone(c: Circuit, code: FaultCode, when: Wire, lanes: Lanes) -> _Check:
    return _Check(
        code,
        tuple(
            c.bit([(1, form(when) + active - 1, 1)], f"{code.name.lower()}.{lane}")
            for lane, active in enumerate(lanes.active)
        ),
    )


def _stage(c: Circuit, slots: Sequence[SlotFaults], lanes: Lanes, stage: int) -> list[_Check]:
    """The kinds that slots of one level, or the store, can have: one level for one source, two for several."""
    found = []
    for code, name in (
        (FaultCode.POINTER, "pointer"),
        (FaultCode.OUT_OF_RANGE, "outside"),
        (FaultCode.MISALIGNED, "misaligned"),
    ):
        sources: list[tuple[Sign, ...]] = [getattr(one, name) for one in slots if getattr(one, name)]
        wires = []
        for lane, active in enumerate(lanes.active) if sources else ():
            signs = [source[lane] for source in sources]
            if len(signs) > 1:
                each = [c.bit(gated_step(sign, 1, on), f"{name}{stage}.{lane}.part") for sign, on in signs]
                signs = [(total(each), 1)]
            sign, on = signs[0]
            wires.append(c.bit(gated_step(sign, 1, form(on) + active - 1), f"{name}{stage}.{lane}"))
        if wires:
            found.append(_Check(code, tuple(wires)))
    return found


def _convergence(c: Circuit, spec: Spec, control: Control, lanes: Lanes, threads: Threads, bus: Bus) -> _Check:
    """A member mask that lacks its own lane, or has a lane that is neither active nor exited."""
    count = (spec.lanes + 1) // 2
    absent = [form(threads.live[i]) - lanes.active[i] for i in range(spec.lanes)]
    found = []
    for lane, entries in enumerate(bus.entries):
        with c.scope(f"lane{lane}"):
            mask = word_select(c, control.sync, entries, "mask", count)
            members = bits_of(mask, high_bits(c, mask, "members"))
            terms: Terms = [(1, control.sync_used - members[lane], 1)]
            terms += [(1, members[i] + absent[i] - 1, 1) for i in range(spec.lanes)]
            wrong = c.neurons(terms, "wrong", 0, spec.lanes + 1)
            found.append(c.bit(gated_step(wrong, 1, lanes.active[lane]), "convergence"))
    return _Check(FaultCode.CONVERGENCE, tuple(found))


def _first(c: Circuit, spec: Spec, is_exec: Wire, checks: Sequence[_Check]) -> Faults:
    """[no check before this one found anything] - [none up to it]: one of them is 1, or none."""
    before: Form = form(0)
    number: Terms = []
    for place, check in enumerate(checks):
        upto = before + total(check.lanes)
        here = c.bit([(1, form(is_exec) - before, 1), (-1, form(is_exec) - upto, 1)], f"reports.{place}")
        lanes = total(form(lane) * (1 << i) for i, lane in enumerate(check.lanes))
        number.append((1, here, lanes + (int(check.code) << spec.lanes)))
        before = upto
    found = c.bit(gated_step(before, 1, is_exec), "any")
    return Faults(found, number)
