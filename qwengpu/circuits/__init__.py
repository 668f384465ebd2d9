"""A small hardware language whose circuits become transformer layers: see docs/circuits.md."""

from qwengpu.circuits.circuit import (
    AddressLike,
    Circuit,
    MemoryBuilder,
    NeuronTerm,
    Port,
    Word,
    address,
    onehot_address,
    row_select,
)
from qwengpu.circuits.errors import CircuitError, EvaluationError
from qwengpu.circuits.evaluate import Evaluator, State
from qwengpu.circuits.forms import Form, Linear, Raw, Signal, Wire, form, number, total
from qwengpu.circuits.netlist import Address, Datum, Memory, Netlist

__all__ = [
    "Address",
    "AddressLike",
    "Circuit",
    "CircuitError",
    "Datum",
    "EvaluationError",
    "Evaluator",
    "Form",
    "Linear",
    "Memory",
    "MemoryBuilder",
    "Netlist",
    "NeuronTerm",
    "Port",
    "Raw",
    "Signal",
    "State",
    "Wire",
    "Word",
    "address",
    "form",
    "number",
    "onehot_address",
    "row_select",
    "total",
]
