"""The compiler: the list of passes from a circuit to tensors, each checked when it is done."""

from __future__ import annotations

from dataclasses import dataclass

from qwengpu.circuits.netlist import Netlist
from qwengpu.weights.allocate import Allocation, allocate
from qwengpu.weights.certificate import Certificate, certify
from qwengpu.weights.emit import emit, make_shape
from qwengpu.weights.heads import HeadPlan, place_heads
from qwengpu.weights.schedule import Schedule, make_schedule
from qwengpu.weights.shape import STANDALONE, Shape, Target
from qwengpu.weights.tensors import Tensors


@dataclass(frozen=True)
class Compiled:
    """A circuit's model with every intermediate form; ``str()`` of a form prints it."""

    netlist: Netlist
    target: Target
    schedule: Schedule
    allocation: Allocation
    heads: HeadPlan
    shape: Shape
    tensors: Tensors
    certificate: Certificate


def compile_circuit(netlist: Netlist, target: Target = STANDALONE) -> Compiled:
    """Compiles a circuit into the weights of a stock `Qwen3_5ForCausalLM`.

    Raises CompileError, with the reason, if it does not fit the target or would not be exact there.
    """
    schedule = make_schedule(netlist, target)
    allocation = allocate(schedule, target)
    heads = place_heads(schedule)
    shape = make_shape(allocation, heads)
    tensors = emit(allocation, heads, shape)
    certificate = certify(allocation, heads, shape, tensors)
    return Compiled(netlist, target, schedule, allocation, heads, shape, tensors, certificate)
