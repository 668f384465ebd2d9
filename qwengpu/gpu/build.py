"""The machine of docs/machine.md as a circuit: the block diagram."""

from __future__ import annotations

from dataclasses import dataclass

from qwengpu.circuits import Circuit, Form, Memory, Netlist
from qwengpu.gpu.decode import make_control, make_lanes
from qwengpu.gpu.digits import Collector, weigh
from qwengpu.gpu.faults import make_faults
from qwengpu.gpu.features import make_features
from qwengpu.gpu.front import make_front
from qwengpu.gpu.grid import make_grid
from qwengpu.gpu.legality import make_legality
from qwengpu.gpu.memory import Memories, make_sizes
from qwengpu.gpu.next_token import make_next_token
from qwengpu.gpu.outs import make_outs
from qwengpu.gpu.ports import make_bus, make_masks
from qwengpu.gpu.rom import make_rom
from qwengpu.gpu.slots import Machine, make_slots
from qwengpu.gpu.threads import make_condition, make_schedule, make_threads
from qwengpu.isa import bus_slot
from qwengpu.spec import WORD_BITS, Spec
from qwengpu.tokens import vocabulary


@dataclass(frozen=True)
class Gpu:
    """The circuit of a machine, and where its architectural state and its values are.

    ``registers[lane]`` is a memory of the netlist; `register_row` says which row holds a register, 32 bits.
    ``memory``: global and shared memory, a row a word (one of several copies). ``bus[lane][k]``: bus entry k,
    as a form over wires (see `qwengpu.isa.bus_slot`; entry 0 is zero).
    """

    spec: Spec
    netlist: Netlist
    registers: tuple[Memory, ...]
    memory: tuple[Memory, Memory]
    bus: tuple[tuple[Form, ...], ...]

    def register_row(self, warp: int, row: int) -> int:
        """Row of a lane's memory that holds register ``row`` of a warp."""
        return row + self.spec.registers * warp


def gpu_circuit(spec: Spec, joined: int = WORD_BITS) -> Gpu:
    """The machine of a spec.

    ``joined``: how many bits that heads read may share a channel (`digits.Collector`): 2 for a model whose
    1/sqrt(dk) is no power of two. Raises ValueError for a spec that the circuit is not made for.
    """
    c = Circuit(f"gpu-{spec.name}", vocabulary(spec).size)
    collector = Collector(c, joined)
    front = make_front(c, spec, make_features(c, spec))
    block = make_rom(c, spec, front)
    active = make_masks(c, spec, front)
    lanes = make_lanes(c, active)
    control = make_control(c, spec, block)
    illegal = make_legality(c, spec, block)
    sizes = make_sizes(c, spec, front, collector)
    ports = make_bus(c, spec, front, block, active, collector)
    memories = Memories(c, spec, front, collector)
    machine = Machine(c, spec, block, control, memories, sizes, active, collector)
    slots = make_slots(machine, ports)
    taken = make_condition(c, control.next, slots.bus)
    threads = make_threads(c, spec, front, control.next, lanes, taken, collector)
    schedule = make_schedule(c, spec, front, threads)
    last_level = bus_slot(spec, spec.slot_levels.index(len(spec.levels) - 1))
    outs = make_outs(machine, front, slots.bus, lanes, last_level)
    faults = make_faults(
        c, spec, front.is_exec, illegal, (*slots.faults, outs.faults), control, lanes, threads, slots.bus
    )
    grid = make_grid(c, spec, front)
    make_next_token(c, spec, front, control, lanes, outs, faults, schedule, grid)
    words = memories.finish()
    netlist = c.build()
    named = {memory.name: memory for memory in netlist.memories}
    return Gpu(
        spec,
        netlist,
        tuple(named[f"lane{lane}.registers"] for lane in range(spec.lanes)),
        (named[words[0]], named[words[1]]),
        tuple(tuple(weigh(entry or ()) for entry in lane) for lane in slots.bus.entries),
    )
