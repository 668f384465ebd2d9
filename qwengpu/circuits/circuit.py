"""The circuit language: a builder whose calls add signals, memories and logits to a netlist."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from qwengpu.circuits.check import check_netlist
from qwengpu.circuits.errors import CircuitError
from qwengpu.circuits.forms import Form, Linear, Raw, Signal, Wire, form, number, total
from qwengpu.circuits.netlist import (
    MAX_BACK,
    Address,
    Collect,
    Datum,
    Definition,
    Feature,
    Memory,
    Netlist,
    Neuron,
    Neurons,
    ReadBit,
    Unit,
    Write,
)

Word: TypeAlias = tuple[Wire, ...]
"""Bits, lowest first."""

NeuronTerm: TypeAlias = "tuple[int, Linear, Linear]"
"""(coef, gate, up), which stands for coef * relu(gate) * up."""

AddressLike: TypeAlias = "Address | Sequence[Linear]"
"""An address, or its bits, lowest first."""


def row_select(bits: Sequence[Linear], row: int, enable: Linear | None = None) -> Form:
    """The form that is 1 if the bits spell ``row`` (and ``enable`` is 1), else 0 or less."""
    literals = [form(bit) if row >> place & 1 else 1 - form(bit) for place, bit in enumerate(bits)]
    if enable is not None:
        literals.append(form(enable))
    return total(literals) - (len(literals) - 1)


def address(bits: Sequence[Linear], rows: int, enable: Linear | None = None, back: int = 0) -> Address:
    """The address that bits spell, lowest first; none if ``enable`` is given and 0.

    Rows that the bits can spell beyond ``rows`` do not exist: they read zero, writes there do nothing.
    """
    if rows > 1 << len(bits):
        raise CircuitError(f"{len(bits)} address bits do not reach {rows} rows")
    return Address(tuple(row_select(bits, row, enable) for row in range(rows)), back)


def onehot_address(rows: Sequence[Linear], back: int = 0) -> Address:
    """The address of the one row whose form is 1 (every other form is 0 or less)."""
    return Address(tuple(map(form, rows)), back)


class Port:
    """What a read port gives: ``port[i]`` is column i, a `Raw` for `Circuit.collect`."""

    def __init__(self, circuit: Circuit, name: str, columns: tuple[Raw, ...]) -> None:
        self._circuit = circuit
        self.name = name
        self.columns = columns

    def __getitem__(self, column: int) -> Raw:
        return self.columns[column]

    def __len__(self) -> int:
        return len(self.columns)

    def word(self, start: int = 0, count: int | None = None) -> Word:
        """``count`` columns from ``start`` on (all by default), each in a wire of its own."""
        stop = len(self.columns) if count is None else start + count
        return tuple(
            self._circuit.collect(column, f"/{self.name}.{place}")
            for place, column in enumerate(self.columns[start:stop], start)
        )

    def number(self, start: int = 0, count: int | None = None) -> Form:
        """sum of 2**i * column start + i: a form for `Circuit.collect`."""
        stop = len(self.columns) if count is None else start + count
        return number(self.columns[start:stop])


class MemoryBuilder:
    """A memory while its ports are being stated; see `netlist.Memory` for what it does."""

    def __init__(self, circuit: Circuit, index: int, name: str, rows: int, width: int, high: int) -> None:
        self._circuit = circuit
        self.index, self.name, self.rows, self.width, self.high = index, name, rows, width, high
        self._write: Write | None = None
        self._reset: Form | None = None
        self._reads: list[Address] = []

    def _address(self, where: AddressLike) -> Address:
        found = where if isinstance(where, Address) else address(where, self.rows)
        if len(found.rows) != self.rows:
            raise CircuitError(f"memory {self.name}: {self.rows} rows, the address has {len(found.rows)}")
        for row, select in enumerate(found.rows):
            if select.hi > 1:
                raise CircuitError(f"memory {self.name}: select of row {row} can be {select.hi}: {select}")
        self._circuit.check_back(self.name, found.back)
        return found

    def read(self, where: AddressLike, name: str | None = None) -> Port:
        """A read port: the row at ``where`` after this token's write; zeros if no row is meant.

        Costs a value head a 63 columns (dv - 1), for every dk rows.
        """
        port = len(self._reads)
        self._reads.append(self._address(where))
        label = self._circuit.scoped(name) if name else f"{self.name}.read{port}"
        columns = tuple(
            self._circuit.raw(f"/{label}[{column}]", self.high, ReadBit(self.index, port, column))
            for column in range(self.width)
        )
        return Port(self._circuit, label, columns)

    def write(self, where: AddressLike, data: Sequence[Linear | Datum], enable: Linear = 1) -> None:
        """The memory's one write: at each token whose ``enable`` is 1 or more, the row becomes ``data``.

        An enable may be any form: 0 or less is off, so ``a + b - 1`` is AND and ``a + b`` is OR, free
        of charge. Data are relu of a form, likewise: ``a + b - 1`` is AND.
        Raises CircuitError for a second write, a wrong width, a datum that can exceed ``high``.
        """
        if self._write is not None:
            raise CircuitError(f"memory {self.name}: a second write")
        if len(data) != self.width:
            raise CircuitError(f"memory {self.name}: width {self.width}, {len(data)} data")
        words = tuple(one if isinstance(one, Datum) else Datum(form(one)) for one in data)
        for column, datum in enumerate(words):
            self._circuit.check_back(self.name, datum.back)
            if datum.form.hi > self.high:
                raise CircuitError(
                    f"memory {self.name}: column {column} can be {datum.form.hi}, above {self.high}"
                )
        self._write = Write(self._address(where), words, form(enable))

    def reset(self, when: Linear) -> None:
        """Every row becomes zero, before the write, at each token whose ``when`` is 1 or more."""
        if self._reset is not None:
            raise CircuitError(f"memory {self.name}: a second reset")
        self._reset = form(when)

    def build(self) -> Memory:
        """The finished memory.

        Raises CircuitError if nothing is ever written to it.
        """
        if self._write is None:
            raise CircuitError(f"memory {self.name} is never written")
        return Memory(
            self.index,
            self.name,
            self.rows,
            self.width,
            self.high,
            self._write,
            self._reset,
            tuple(self._reads),
        )


class Circuit:
    """Builds a netlist over a vocabulary of ``vocabulary`` tokens.

    Names are unique; a name that the circuit makes up gets a number. Every method that makes a signal
    returns it; nothing is changed afterwards.
    """

    def __init__(self, name: str, vocabulary: int) -> None:
        self.name = name
        self.vocabulary = vocabulary
        self._signals: list[Signal] = []
        self._definitions: list[Definition] = []
        self._memories: list[MemoryBuilder] = []
        self._logits: tuple[Form, ...] | None = None
        self._kept: list[int] = []
        self._names: dict[str, int] = {}
        self._scope: tuple[str, ...] = ()

    # ---------------------------------------------------------------------------------- names

    @contextmanager
    def scope(self, name: str) -> Iterator[None]:
        """Names made inside start with ``name.``; scopes nest, and may be entered again."""
        self._scope = (*self._scope, name)
        try:
            yield
        finally:
            self._scope = self._scope[:-1]

    def scoped(self, name: str) -> str:
        """The name inside the current scope; a name that starts with "/" is whole already."""
        return name[1:] if name.startswith("/") else ".".join((*self._scope, name))

    def _unique(self, name: str | None, default: str) -> str:
        label = self.scoped(name or default)
        uses = self._names.get(label, 0)
        self._names[label] = uses + 1
        return f"{label}#{uses}" if uses else label

    # ---------------------------------------------------------------------------------- signals

    def _wire(self, name: str | None, default: str, lo: int, hi: int, definition: Definition) -> Wire:
        wire = Wire(len(self._signals), self._unique(name, default), lo, hi)
        self._signals.append(wire)
        self._definitions.append(definition)
        return wire

    def raw(self, name: str, hi: int, definition: ReadBit | Unit) -> Raw:
        """A `Raw` signal 0...hi (`Circuit.unit` and `MemoryBuilder.read` make them)."""
        raw = Raw(len(self._signals), self._unique(name, name), 0, hi)
        self._signals.append(raw)
        self._definitions.append(definition)
        return raw

    def check_back(self, name: str, back: int) -> None:
        """Raises CircuitError unless a lookback tap reaches ``back``."""
        if not 0 <= back <= MAX_BACK:
            raise CircuitError(f"{name}: {back} tokens back; a tap reaches 0...{MAX_BACK}")

    def feature(self, name: str, values: Sequence[int] | Callable[[int], int]) -> Wire:
        """A function of the token id, known at the embedding. Costs no layer and no neuron."""
        if callable(values):
            values = [values(token) for token in range(self.vocabulary)]
        if len(values) != self.vocabulary:
            raise CircuitError(f"{name}: {len(values)} values for {self.vocabulary} tokens")
        table = tuple(map(int, values))
        return self._wire(name, name, min(table), max(table), Feature(table))

    def neurons(
        self,
        terms: Sequence[NeuronTerm],
        name: str | None = None,
        lo: int | None = None,
        hi: int | None = None,
    ) -> Wire:
        """sum of coef * relu(gate) * up over (coef, gate, up): exactly one SwiGLU level.

        ``lo``, ``hi``: tighter bounds than intervals give, where the designer knows better; the
        evaluators check them at every token.
        """
        made = tuple(Neuron(coef, form(gate), form(up)) for coef, gate, up in terms)
        low, high = neuron_bounds(made)
        return self._wire(
            name, "n", low if lo is None else max(lo, low), high if hi is None else min(hi, high), Neurons(made)
        )

    def bit(self, terms: Sequence[NeuronTerm], name: str | None = None) -> Wire:
        """`neurons` whose value the designer knows to be 0 or 1."""
        return self.neurons(terms, name, 0, 1)

    def linear(self, value: Linear, name: str | None = None) -> Wire:
        """A linear form made a wire: one neuron, one SwiGLU level."""
        return self.neurons([(1, 1, value)], name)

    # ---------------------------------------------------------------------------------- heads

    def memory(self, name: str, rows: int, width: int, high: int = 1) -> MemoryBuilder:
        """A memory of ``rows`` rows of ``width`` integers 0...high (bits by default), all zero at first."""
        if rows < 1 or width < 1 or high < 1:
            raise CircuitError(f"memory {name}: {rows} rows, width {width}, high {high}")
        memory = MemoryBuilder(self, len(self._memories), self._unique(name, "memory"), rows, width, high)
        self._memories.append(memory)
        return memory

    def unit(self, value: Linear, back: int = 0, name: str | None = None) -> Raw:
        """relu(value) of ``back`` (0...3) tokens ago, in a head: one ReLU level before the layer's MLP.

        0 at the first ``back`` tokens. Costs one value channel; at most 2**20 - 1.
        """
        self.check_back(name or "unit", back)
        made = form(value)
        return self.raw(name or "unit", max(0, made.hi), Unit(made, back))

    def collect(
        self, value: Linear, name: str | None = None, lo: int | None = None, hi: int | None = None
    ) -> Wire:
        """A linear form over `Raw` signals, made a wire: one row of the output projection.

        Everything it reads lies in one Gated DeltaNet layer. ``lo``, ``hi`` as in `neurons`.
        """
        made = form(value)
        if made.const:
            raise CircuitError(f"{name or 'collect'}: a constant ({made.const}) cannot be collected")
        low = made.lo if lo is None else max(lo, made.lo)
        high = made.hi if hi is None else min(hi, made.hi)
        return self._wire(name, "collect", low, high, Collect(made))

    def tap(self, value: Linear, back: int, name: str | None = None) -> Wire:
        """relu(value) of ``back`` (0...3) tokens ago, as a wire: a unit, collected."""
        return self.collect(self.unit(value, back, f"{name or 'tap'}.unit"), name or "tap")

    # ---------------------------------------------------------------------------------- output

    def logits(self, scores: Sequence[Linear]) -> None:
        """Every token's score; greedy decoding takes the highest, which must be ahead by 1 or more."""
        if self._logits is not None:
            raise CircuitError(f"circuit {self.name}: a second set of logits")
        if len(scores) != self.vocabulary:
            raise CircuitError(f"{len(scores)} logits for {self.vocabulary} tokens")
        self._logits = tuple(map(form, scores))

    def code_logits(self, code: Sequence[Linear], codes: Sequence[int]) -> None:
        """Logits minus the Hamming distance to each token's code number: 0 for the token meant, else <= -1.

        ``code``: bits, lowest first. Raises CircuitError if two tokens have one code.
        """
        if len(set(codes)) != len(codes):
            raise CircuitError(f"circuit {self.name}: two tokens have the same code")
        bits = [form(bit) for bit in code]
        scores = []
        for token_code in codes:
            ones = [token_code >> place & 1 for place in range(len(bits))]
            parts = (bit if one else -bit for bit, one in zip(bits, ones, strict=True))
            scores.append(total(parts) - sum(ones))
        self.logits(scores)

    def keep(self, *wires: Wire) -> None:
        """Has wires computed even if neither a logit nor a memory needs them (others are left out)."""
        self._kept += [wire.index for wire in wires]

    def build(self) -> Netlist:
        """The finished circuit, checked: widths, kinds of signals, no memory that reads its own result.

        Raises CircuitError.
        """
        zero = form(0)
        netlist = Netlist(
            self.name,
            self.vocabulary,
            tuple(self._signals),
            tuple(self._definitions),
            tuple(memory.build() for memory in self._memories),
            self._logits if self._logits is not None else (zero,) * self.vocabulary,
            tuple(self._kept),
        )
        check_netlist(netlist)
        return netlist


def neuron_bounds(neurons: Sequence[Neuron]) -> tuple[int, int]:
    """The interval that the neurons' sum lies in, from the ranges of what they read."""
    lo = hi = 0
    for neuron in neurons:
        top, bottom = max(0, neuron.gate.hi), max(0, neuron.gate.lo)
        corners = [neuron.coef * g * u for g in (bottom, top) for u in (neuron.up.lo, neuron.up.hi)]
        lo += min(corners)
        hi += max(corners)
    return lo, hi
