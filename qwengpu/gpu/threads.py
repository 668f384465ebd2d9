"""Threads: program counters, exits, barriers; and which warp, block and lanes come next.

Every thread's state is a one-row memory that EXEC writes for active lanes, late in the layers, once the branch
is known. The schedule is computed anew at every token, from what the memories hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qwengpu.circuits import (
    Circuit,
    Form,
    Linear,
    Wire,
    address,
    form,
    number,
    onehot_address,
    total,
)
from qwengpu.gpu.decode import Lanes, NextControl
from qwengpu.gpu.digits import Collector, Terms, gated_step, odd
from qwengpu.gpu.features import index_bits
from qwengpu.gpu.front import Front
from qwengpu.gpu.ports import Bus
from qwengpu.gpu.rom import word_writes
from qwengpu.spec import Spec
from qwengpu.tokens import Kind


@dataclass(frozen=True)
class Thread:
    """One thread: its program counter, as ``bits`` and as a number ``counter``.

    ``live``: it exists and has not exited; ``ready``: and does not wait.
    """

    bits: tuple[Wire, ...]
    counter: Linear
    live: Form
    waiting: Wire
    ready: Form


@dataclass(frozen=True)
class Threads:
    """``threads[warp][lane]``; of the current warp's lanes: ``live[l]``, ``waits_elsewhere``."""

    threads: tuple[tuple[Thread, ...], ...]
    live: tuple[Wire, ...]
    waits_elsewhere: Form


def make_condition(c: Circuit, control: NextControl, bus: Bus) -> tuple[Wire, ...]:
    """Each lane's branch: bit 0 of the selected entry, 1 if the block does not branch. One level."""
    out = []
    for lane, entries in enumerate(bus.entries):
        terms: Terms = [(1, 1, 1), (-1, control.branch, 1)]
        for select, entry in zip(control.cond, entries, strict=True):
            if entry is not None:
                terms += odd(entry[0], select)
        out.append(c.bit(terms, f"taken.{lane}"))
    return tuple(out)


def make_threads(
    c: Circuit,
    spec: Spec,
    front: Front,
    control: NextControl,
    lanes: Lanes,
    taken: tuple[Wire, ...],
    collector: Collector,
) -> Threads:
    """The memories of all threads."""
    rows = []
    for warp in range(spec.warps):
        with c.scope(f"warp{warp}"):
            exists = _exists(c, spec, front, warp)
            rows.append(
                tuple(
                    _thread(
                        c,
                        spec,
                        front,
                        control,
                        (warp, lane),
                        lanes.active[lane],
                        taken[lane],
                        exists[lane],
                        collector,
                    )
                    for lane in range(spec.lanes)
                )
            )
    current = front.current.warp
    live = []
    elsewhere: Terms = []
    for lane in range(spec.lanes):
        with c.scope(f"lane{lane}"):
            threads = [row[lane] for row in rows]
            live.append(_of_current(c, current, [one.live for one in threads], "live"))
            waits = _of_current(c, current, [one.waiting for one in threads], "waits")
            apart = _place(c, spec, front, lanes.active[lane])
            elsewhere += gated_step(apart, 1, waits)
    return Threads(tuple(rows), tuple(live), form(c.neurons(elsewhere, "waits_elsewhere", 0, spec.lanes)))


def _exists(c: Circuit, spec: Spec, front: Front, warp: int) -> tuple[Wire, ...]:
    f = front.features
    memory = c.memory("exists", 1, spec.lanes)
    memory.write([], f.mask, form(f.warp[warp]) + f.kind[Kind.THREADS] - 1)
    memory.reset(front.reset)
    return memory.read([]).word()


def _thread(
    c: Circuit,
    spec: Spec,
    front: Front,
    control: NextControl,
    place: tuple[int, int],
    active: Wire,
    taken: Wire,
    exists: Wire,
    collector: Collector,
) -> Thread:
    """A target's bit is two columns, of which one is 0: no level lies between branch and memory."""
    warp, lane = place
    bits = index_bits(spec.blocks)
    enable = form(front.current.warp[warp]) + front.is_exec + active - 2
    with c.scope(f"lane{lane}"):
        # The highest bit of a target is set for EXIT alone.
        columns = [form(bit) + taken - 1 for bit in control.taken] + [
            form(bit) - taken for bit in control.other
        ]
        memory = c.memory("counter", 1, len(columns))
        memory.write([], columns, enable)
        memory.reset(front.restart)
        port = memory.read([])
        raws = [[port[i], port[len(control.taken) + i]] for i in range(len(control.taken))]
        exited = c.collect(total(raws[-1]), "exited", 0, 1)
        barrier = c.memory("waiting", 1, 1)
        barrier.write([], [form(control.barrier) - control.taken[-1]], enable)
        barrier.reset(front.restart + front.features.kind[Kind.RELEASE])
        waiting = barrier.read([]).word()[0]
        live = form(exists) - exited
        return Thread(
            tuple(c.collect(total(pair), f"counter.{i}", 0, 1) for i, pair in enumerate(raws[:bits])),
            collector.number(raws[:bits], "counter"),
            live,
            waiting,
            live - waiting,
        )


def _of_current(c: Circuit, current: Sequence[Wire], values: Sequence[Linear], name: str) -> Wire:
    """A bit of the current warp's thread."""
    return c.bit([(1, form(here) + value - 1, 1) for here, value in zip(current, values, strict=True)], name)


def _place(c: Circuit, spec: Spec, front: Front, active: Wire) -> Wire:
    """In how many bits the block where the lane last was differs from the current one."""
    memory = c.memory("place", spec.warps, max(1, len(front.current.block)))
    where = onehot_address(front.current.warp)
    memory.write(where, front.current.block or [0], form(front.is_exec) + active - 1)
    memory.reset(front.restart)
    terms: Terms = []
    for found, own in zip(memory.read(where).word(), front.current.block, strict=False):
        terms += [(1, form(found) - own, 1), (1, form(own) - found, 1)]
    return c.neurons(terms, "place.differs", 0, len(front.current.block))


# --------------------------------------------------------------------------------------------------
# What comes next


@dataclass(frozen=True)
class Schedule:
    """The next EXEC: ``exec_number`` = block * warps + warp, ``mask_number`` = warp * 2**lanes + mask.

    ``new_mask``: not 0 if the warp has another mask. ``none_ready``: no thread is ready; ``done``: all exited.
    """

    exec_number: Linear
    mask_number: Linear
    new_mask: Wire
    none_ready: Wire
    done: Wire


@dataclass(frozen=True)
class _Choice:
    chosen: tuple[Wire, ...]
    lead: tuple[tuple[Wire, ...], ...]
    first: tuple[tuple[Wire, ...], ...]


def make_schedule(c: Circuit, spec: Spec, front: Front, threads: Threads) -> Schedule:
    """Four levels behind the threads' memories."""
    every = [thread for row in threads.threads for thread in row]
    with c.scope("schedule"):
        choice = _choose(c, spec, front, threads)
        pairs = [(w, lane) for w in range(spec.warps) for lane in range(spec.lanes)]

        def both(w: int, one: Linear) -> Form:
            return form(choice.chosen[w]) + one - 1

        runs = [
            c.bit([(1, both(w, choice.lead[w][lane]), 1) for w in range(spec.warps)], f"runs.{lane}")
            for lane in range(spec.lanes)
        ]
        lowest = [
            c.bit([(1, both(w, choice.first[w][lane]), 1) for w in range(spec.warps)], f"lowest.{lane}")
            for lane in range(spec.lanes)
        ]
        block = [
            c.bit(
                [
                    (1, both(w, choice.first[w][lane]) + threads.threads[w][lane].bits[i] - 1, 1)
                    for w, lane in pairs
                ],
                f"block.{i}",
            )
            for i in range(index_bits(spec.blocks))
        ]
        warp = total(form(one) * w for w, one in enumerate(choice.chosen))
        serial = _serial(c, spec, front, block)
        has = _mask(c, spec, front, choice.chosen)
        need = [
            c.bit([(1, form(runs[i]) - serial, 1), (1, form(lowest[i]) + serial - 1, 1)], f"needed.{i}")
            for i in range(spec.lanes)
        ]
        return Schedule(
            number(block) * spec.warps + warp,
            number(need) + warp * (1 << spec.lanes),
            c.neurons(_mismatch(runs, lowest, has, serial), "new_mask", 0, spec.lanes),
            c.bit([(1, 1 - total(one.ready for one in every), 1)], "none_ready"),
            c.bit([(1, 1 - total(one.live for one in every), 1)], "done"),
        )


def _choose(c: Circuit, spec: Spec, front: Front, threads: Threads) -> _Choice:
    """The first warp with a ready thread in the round robin; in each warp the lanes at its lowest counter."""
    idle = [
        c.bit([(1, 1 - total(thread.ready for thread in row), 1)], f"idle.{w}")
        for w, row in enumerate(threads.threads)
    ]
    turn = [form(one) for one in front.current.next_warp]
    turn[0] = 1 - total(turn[1:])
    chosen = []
    for w in range(spec.warps):
        terms: Terms = []
        for start, here in enumerate(turn):
            between = [(start + step) % spec.warps for step in range((w - start) % spec.warps)]
            terms.append((1, here - idle[w] - total(1 - form(idle[u]) for u in between), 1))
        chosen.append(c.bit(terms, f"chosen.{w}"))
    lead, first = [], []
    for w, row in enumerate(threads.threads):
        with c.scope(f"warp{w}"):
            below, not_above = _compared(c, spec, row)
        lead.append(
            tuple(
                c.bit(
                    [(1, one.ready - total(below[m][i] for m in range(len(row)) if m != i), 1)], f"lead.{w}.{i}"
                )
                for i, one in enumerate(row)
            )
        )
        first.append(
            tuple(
                c.bit(
                    [
                        (
                            1,
                            one.ready
                            - total(not_above[m][i] for m in range(i))
                            - total(below[m][i] for m in range(i + 1, len(row))),
                            1,
                        )
                    ],
                    f"first.{w}.{i}",
                )
                for i, one in enumerate(row)
            )
        )
    return _Choice(tuple(chosen), tuple(lead), tuple(first))


def _compared(
    c: Circuit, spec: Spec, row: tuple[Thread, ...]
) -> tuple[dict[int, dict[int, Wire]], dict[int, dict[int, Wire]]]:
    """[m][i]: lane m is ready, its counter is below lane i's (first result), or not above it (second)."""
    below: dict[int, dict[int, Wire]] = {}
    not_above: dict[int, dict[int, Wire]] = {}
    for m, other in enumerate(row):
        below[m], not_above[m] = {}, {}
        for i, one in enumerate(row):
            if m != i:
                ahead = form(one.counter) - other.counter
                below[m][i] = c.bit(gated_step(ahead, 1, other.ready), f"below.{m}.{i}")
            if m < i:
                not_above[m][i] = c.bit(gated_step(ahead, 0, other.ready), f"not_above.{m}.{i}")
    return below, not_above


SERIAL_BIT = 1
"""Bit of ROM word 0 that makes a block serial."""


def _serial(c: Circuit, spec: Spec, front: Front, block: Sequence[Wire]) -> Wire:
    """The serial flag of the block chosen, from a memory of its own: the ROM lies layers before."""
    memory = c.memory("serial", spec.blocks, 1)
    memory.write(onehot_address(front.target.rom_rows), [front.value[SERIAL_BIT]], word_writes(front, 0))
    memory.reset(front.reset)
    return memory.read(address(block, spec.blocks)).word()[0]


def _mask(c: Circuit, spec: Spec, front: Front, chosen: Sequence[Wire]) -> tuple[Wire, ...]:
    """The mask that the chosen warp has."""
    memory = c.memory("masks", spec.warps, spec.lanes)
    memory.write(onehot_address(front.features.warp), front.features.mask, front.features.sets_mask)
    memory.reset(front.reset)
    return memory.read(onehot_address(chosen)).word()


def _mismatch(runs: list[Wire], lowest: list[Wire], has: tuple[Wire, ...], serial: Wire) -> Terms:
    """In how many lanes the mask needed is not the one there is."""
    terms: Terms = []
    for run, low, old in zip(runs, lowest, has, strict=True):
        terms += [
            (1, form(run) - serial - old, 1),
            (1, form(old) - run - serial, 1),
            (1, form(low) + serial - old - 1, 1),
            (1, form(old) + serial - low - 1, 1),
        ]
    return terms
