"""Legs that compute the kernel of twice.ptx in Python, right or with one planted error."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field

from oracles.api import (
    Buffer,
    Event,
    EventKind,
    Fault,
    FaultKind,
    Finding,
    FindingKind,
    Launch,
    Module,
    Options,
    Report,
    Result,
    Status,
)

ALL = frozenset({Report.MEMORY, Report.FAULTS, Report.REGISTERS, Report.TRACE})
MEMORY = frozenset({Report.MEMORY, Report.FAULTS})

STORE1, BARRIER, STORE2 = 8, 9, 10
WRONG_REGISTER, WRONG_THREAD = 6, 2


@dataclass
class Fake:
    """``plant`` names the error; an ``only`` spec or warp size keeps it to some runs."""

    name: str
    plant: str = ""
    reports: frozenset[Report] = ALL
    family: str = ""
    warp_size: int = 32
    specs: tuple[str, ...] = ()
    needs_defined: bool = False
    only_spec: str = ""
    only_warp: int = 0
    only_compiler: str = ""
    definitions: dict[tuple[int, str], str] = field(default_factory=dict)
    missing: str | None = None

    def __post_init__(self) -> None:
        self.family = self.family or self.name

    def product(self, options: Options) -> str:
        if self.plant == "product":
            raise OSError("no device to ask")
        return f"fake-{self.name}@cpu"

    def available(self) -> str | None:
        return self.missing

    def run(self, module: Module, launch: Launch, options: Options) -> Result:
        plant = self.plant
        if self.only_spec and options.spec != self.only_spec:
            plant = ""
        if self.only_warp and options.warp_size != self.only_warp:
            plant = ""
        if self.only_compiler and module.compiler != self.only_compiler:
            plant = ""
        if self.name == "picky" and 13 not in launch.args[0].data:  # type: ignore[union-attr]
            plant = ""
        if (early := early_end(plant, options)) is not None:
            return early
        source, target = launch.args[0], launch.args[1]
        assert isinstance(source, Buffer)
        assert isinstance(target, Buffer)
        events = events_of(launch, source.data)
        out = [2 * value for value in source.data]
        out, events = damage(plant, out, events, options)
        findings: tuple[Finding, ...] = ()
        if options.check and plant.startswith("finding:"):
            findings = (Finding(FindingKind(plant.partition(":")[2]), "thread 0, PTX line 31", ()),)
        buffers: tuple[tuple[int, ...] | None, ...] = (source.data, tuple(out))
        if plant == "shape":
            buffers = buffers[:1]
        return Result(
            Status.OK,
            buffers,
            findings=findings,
            events=events if options.events and self.reports & {Report.REGISTERS, Report.TRACE} else None,
            definitions=dict(self.definitions),
            executed=0 if plant == "idle" else 12 * launch.threads_per_block,
            notes={"spec": options.spec},
        )


def early_end(plant: str, options: Options) -> Result | None:
    if plant == "raise":
        raise ZeroDivisionError("planted")
    if plant == "hang":
        time.sleep(600)
    if plant == "die":
        os._exit(7)
    if plant == "unsupported":
        return Result(Status.UNSUPPORTED, reason="add.s32 is not supported")
    if plant == "bad_input":
        return Result(Status.BAD_INPUT, reason="kernel takes 3 arguments, 2 were given")
    if plant == "guard":
        return Result(Status.GUARD_TRIPPED, reason="the interpreter was called")
    if plant == "lost":
        return Result(Status.DEVICE_LOST, reason="the device fell off the bus")
    if plant == "timeout":
        return Result(Status.TIMEOUT, reason=f"{options.step_limit} steps")
    if plant.startswith("fault:"):
        kind = FaultKind(plant.partition(":")[2])
        return Result(Status.FAULT, reason=kind.value, fault=Fault(kind, kind.value, (3,), STORE1, 0))
    return None


def events_of(launch: Launch, data: tuple[int, ...]) -> list[Event]:
    a, b = (address or 0 for address in launch.addresses()[:2])
    events = []
    for thread, value in enumerate(data):
        registers = {
            0: ("%rd1", a),
            1: ("%rd2", b),
            2: ("%r1", thread),
            3: ("%rd3", 4 * thread),
            4: ("%rd4", a + 4 * thread),
            5: ("%r2", value),
            6: ("%r3", 2 * value),
            7: ("%rd5", b + 4 * thread),
        }
        events += [Event(EventKind.REGISTER, thread, i, name, v) for i, (name, v) in registers.items()]
        events.append(Event(EventKind.STORE, thread, STORE1, "global:4", 2 * value, b + 4 * thread))
        events.append(Event(EventKind.BARRIER, thread, BARRIER, "bar", 0))
        events.append(Event(EventKind.STORE, thread, STORE2, "global:4", 2 * value, b + 4 * thread))
    return events


def damage(plant: str, out: list[int], events: list[Event], options: Options) -> tuple[list[int], list[Event]]:
    mine = [e for e in events if e.thread == WRONG_THREAD]

    def without(event: Event) -> list[Event]:
        return [e for e in events if e is not event]

    if plant == "memory":
        out[WRONG_THREAD] += 1
    elif plant == "order" and options.schedule is not None:
        out[WRONG_THREAD] += options.schedule
    elif plant == "unstable_register" and options.schedule is not None:
        events = [
            e._replace(value=e.value + options.schedule) if e.instr == WRONG_REGISTER else e for e in events
        ]
    elif plant == "register":
        events = [e._replace(value=e.value ^ 1) if e is mine[WRONG_REGISTER] else e for e in events]
    elif plant == "register_and_memory":
        events = [e._replace(value=e.value ^ 1) if e is mine[WRONG_REGISTER] else e for e in events]
        out[WRONG_THREAD] ^= 1
    elif plant == "missing_register":
        events = without(mine[WRONG_REGISTER])
    elif plant == "extra_register":
        events = [*events, Event(EventKind.REGISTER, WRONG_THREAD, 11, "%r9", 5)]
    elif plant == "missing_store":
        events = without(mine[STORE1])
    elif plant == "extra_store":
        events = [*events, mine[STORE2]]
    elif plant == "swapped":
        at, other = events.index(mine[STORE1]), events.index(mine[BARRIER])
        events = list(events)
        events[at], events[other] = events[other], events[at]
    return out, events


def good_ptx() -> Fake:
    return Fake("ptx")


def good_reference() -> Fake:
    return Fake("reference", warp_size=4, specs=("seed", "wide"))


def good_native() -> Fake:
    return Fake("native", reports=MEMORY, needs_defined=True)


def _factory(name: str, plant: str, **more: object):
    return lambda: Fake(name, plant, **more)  # type: ignore[arg-type]


def __getattr__(attribute: str):
    """``ptx__memory``, ``reference__register``, ``other__raise``...: a leg with a planted error."""
    leg, found, plant = attribute.partition("__")
    if not found or not leg:
        raise AttributeError(attribute)
    plant = plant.replace("_at_", ":")
    shapes = {
        "reference": {"warp_size": 4, "specs": ("seed", "wide")},
        "wide": {"warp_size": 4, "specs": ("seed", "wide"), "only_spec": "wide"},
        "native": {"reports": MEMORY, "needs_defined": True},
        "ptx4": {"only_warp": 4},
        "ptx32": {"only_warp": 32},
        "machine": {"warp_size": 4},
        "absent": {"missing": "no device: buy one"},
        "ptxn": {"only_compiler": "nvrtc-13"},
        "referencen": {"warp_size": 4, "specs": ("seed", "wide"), "only_compiler": "nvrtc-13"},
    }
    names = {"wide": "reference", "ptx4": "ptx", "ptx32": "ptx", "ptxn": "ptx", "referencen": "reference"}
    return _factory(names.get(leg, leg), plant, **shapes.get(leg, {}))
