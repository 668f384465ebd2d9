"""Code generation for the two inner loops: sums of weighted rows kept in vector registers.

numba has no vector type, and its plain loops keep a tile's sums in memory; these intrinsics emit the LLVM loop
with one phi node a vector. Multiplications and additions stay separate, so that a sum's bits depend on no
instruction set.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

numba: Any = import_module("numba")
_caching: Any = import_module("numba.core.caching")
_ir: Any = import_module("llvmlite.ir")

WIDTHS = (1, 8, 64)
"""Columns of a tile. A width is passed to kernels as a tuple of WIDTHS.index(width) + 1 zeros, so that it
is part of the type and every width gets code of its own."""
SILU_IS_IDENTITY = 17.0
SILU_IS_ZERO = -90.0
"""From 17 on silu(x) = x, up to -90 it is -0, in float32."""
LARGEST = 3.4028234663852886e38
"""The greatest finite float32."""
LANES = 16
"""float32 a vector of the emitted code; where the machine's are shorter, LLVM splits them."""


def width_type(width: int) -> tuple[int, ...]:
    """The value that stands for a width in a kernel's arguments."""
    return (0,) * (WIDTHS.index(width) + 1)


def _digest() -> str:
    """What machine code on disk depends on beside the kernel's own file."""
    folder = Path(__file__).parent
    total = hashlib.sha256()
    for name in ("vectors.py", "image.py", "tile.py", "delta.py", "kernels.py"):
        total.update((folder / name).read_bytes())
    return total.hexdigest()


_DIGEST = _digest()


class _Cache(_caching.FunctionCache):  # type: ignore[misc]
    """numba's cache on disk knows a function by its own file alone; here also by those that it is made from."""

    def _index_key(self, signature: Any, codegen: Any) -> Any:
        return *super()._index_key(signature, codegen), _DIGEST


def _compiled(function: F, **options: Any) -> F:
    """No reference counts (``_nrt``): kernels allocate nothing, and counting costs more than the work."""
    made = numba.njit(nogil=True, error_model="numpy", fastmath=False, _nrt=False, **options)(function)
    with contextlib.suppress(RuntimeError):  # no folder to write to: compile anew in every process
        made._cache = _Cache(function)
    return cast(F, made)


def jit(function: F) -> F:
    """Compiles a kernel; the machine code is kept on disk."""
    return _compiled(function)


def inlined(function: F) -> F:
    """As `jit`, for a function that becomes part of its callers: passing it the model costs nothing then."""
    return _compiled(function, forceinline=True)


def _intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    return cast(Callable[..., Any], numba.extending.intrinsic(function))


@_intrinsic
def columns_of(_context: Any, width: Any) -> Any:
    """The number of columns, a constant."""
    value = WIDTHS[width.count - 1]

    def generate(context: Any, _builder: Any, _signature: Any, _args: Any) -> Any:
        return context.get_constant(numba.types.intp, value)

    return numba.types.intp(width), generate


class _Tile:
    """Emits code for rows of ``width`` floats as ``count`` vectors."""

    def __init__(self, builder: Any, width: int) -> None:
        self.builder, self.width = builder, width
        self.lanes = min(LANES, width)
        self.count = width // self.lanes
        self.index = _ir.IntType(64)
        self.float = _ir.FloatType()
        self.vector = _ir.VectorType(self.float, self.lanes) if self.lanes > 1 else self.float
        self.ints = _ir.VectorType(_ir.IntType(32), self.lanes) if self.lanes > 1 else _ir.IntType(32)

    def pointers(self, base: Any, row: Any, kind: Any = None) -> list[Any]:
        """Pointers to the vectors of a row."""
        build = self.builder
        at = build.mul(row, self.index(self.width))
        found = []
        for part in range(self.count):
            place = build.gep(base, [build.add(at, self.index(part * self.lanes))])
            found.append(build.bitcast(place, (kind or self.vector).as_pointer()))
        return found

    def load(self, base: Any, row: Any, kind: Any = None) -> list[Any]:
        """A row."""
        return [self.builder.load(pointer, align=4) for pointer in self.pointers(base, row, kind)]

    def store(self, values: list[Any], base: Any, row: Any, kind: Any = None) -> None:
        """Writes a row."""
        for value, pointer in zip(values, self.pointers(base, row, kind), strict=True):
            self.builder.store(value, pointer, align=4)

    def splat(self, value: Any, kind: Any = None) -> Any:
        """A vector with one value in every lane."""
        if self.lanes == 1:
            return value
        kind = kind or self.vector
        single = self.builder.insert_element(_ir.Constant(kind, _ir.Undefined), value, _ir.IntType(32)(0))
        zeros = _ir.Constant(_ir.VectorType(_ir.IntType(32), self.lanes), [0] * self.lanes)
        return self.builder.shuffle_vector(single, _ir.Constant(kind, _ir.Undefined), zeros)

    def number(self, base: Any, at: Any) -> Any:
        """One int32 of an array, as an index."""
        return self.builder.sext(self.builder.load(self.builder.gep(base, [at])), self.index)

    def accumulate(self, sums: list[Any], first: Any, last: Any, arrays: dict[str, Any]) -> list[Any]:
        """sums += values[e] * source[columns[e]] for e in first...last - 1."""
        build = self.builder
        before = build.block
        loop, done = build.append_basic_block("row"), build.append_basic_block("row.end")
        build.cbranch(build.icmp_signed("<", first, last), loop, done)
        build.position_at_end(loop)
        entry = build.phi(self.index)
        entry.add_incoming(first, before)
        phis = []
        for value in sums:
            phi = build.phi(self.vector)
            phi.add_incoming(value, before)
            phis.append(phi)
        weight = self.splat(build.load(build.gep(arrays["values"], [entry])))
        parts = self.load(arrays["source"], self.number(arrays["columns"], entry))
        news = [build.fadd(phi, build.fmul(weight, part)) for phi, part in zip(phis, parts, strict=True)]
        following = build.add(entry, self.index(1))
        for phi, new in zip(phis, news, strict=True):
            phi.add_incoming(new, loop)
        entry.add_incoming(following, loop)
        build.cbranch(build.icmp_signed("<", following, last), loop, done)
        build.position_at_end(done)
        results = []
        for value, new in zip(sums, news, strict=True):
            phi = build.phi(self.vector)
            phi.add_incoming(value, before)
            phi.add_incoming(new, loop)
            results.append(phi)
        return results

    def constant(self, value: float) -> Any:
        """A vector of one number."""
        return _ir.Constant(self.vector, value if self.lanes == 1 else [value] * self.lanes)

    def integer(self, value: int) -> Any:
        """A vector of one int32."""
        return _ir.Constant(self.ints, value if self.lanes == 1 else [value] * self.lanes)

    def any(self, flags: list[Any]) -> Any:
        """Whether a lane of some part is set."""
        total = flags[0]
        for flag in flags[1:]:
            total = self.builder.or_(total, flag)
        if self.lanes == 1:
            return total
        bits = self.builder.bitcast(total, _ir.IntType(self.lanes))
        return self.builder.icmp_unsigned("!=", bits, _ir.IntType(self.lanes)(0))

    def relu(self, parts: list[Any]) -> tuple[list[Any], Any]:
        """max(x, 0) of every part; and whether a lane's silu is not known to be that."""
        build, zero = self.builder, self.constant(0.0)
        values, doubts = [], []
        for x in parts:
            known = build.fcmp_ordered(">=", x, self.constant(SILU_IS_IDENTITY))
            known = build.or_(known, build.fcmp_ordered("==", x, zero))
            low = build.fcmp_ordered("<=", x, self.constant(SILU_IS_ZERO))
            low = build.and_(low, build.fcmp_ordered(">=", x, self.constant(-LARGEST)))
            doubts.append(build.not_(build.or_(known, low)))
            values.append(build.select(build.fcmp_ordered(">", x, zero), x, zero))
        return values, self.any(doubts)


def _bases(context: Any, builder: Any, signature: Any, args: Any, at: tuple[int, ...]) -> list[Any]:
    """Data pointers of the arguments that are arrays."""
    return [context.make_array(signature.args[i])(context, builder, args[i]).data for i in at]


def _segment(
    context: Any, builder: Any, signature: Any, args: Any
) -> tuple[_Tile, dict[str, Any], list[Any], list[Any]]:
    """The common part: the tile, the arrays, the segment's five numbers, its sums."""
    names = ("values", "source", "target", "segments", "columns")
    tile = _Tile(builder, WIDTHS[signature.args[0].count - 1])
    arrays = {
        name: context.make_array(kind)(context, builder, value).data
        for name, kind, value in zip(names, signature.args[1:6], args[1:6], strict=True)
    }
    at = builder.mul(args[6], tile.index(5))
    numbers = [tile.number(arrays["segments"], builder.add(at, tile.index(i))) for i in range(5)]
    sums = tile.load(arrays["target"], numbers[0])
    return tile, arrays, numbers, tile.accumulate(sums, numbers[2], numbers[3], arrays)


@_intrinsic
def run_segment(
    _context: Any, width: Any, values: Any, source: Any, target: Any, segments: Any, columns: Any, number: Any
) -> Any:
    """target[segment.target] = target[segment.source] + the segment's weighted rows of ``source``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tile, arrays, numbers, sums = _segment(context, builder, signature, args)
        tile.store(sums, arrays["target"], numbers[1])
        return context.get_dummy_value()

    return numba.types.void(width, values, source, target, segments, columns, numba.types.intp), generate


@_intrinsic
def scan_segment(
    _context: Any,
    width: Any,
    values: Any,
    source: Any,
    target: Any,
    segments: Any,
    columns: Any,
    number: Any,
    best: Any,
    second: Any,
    choice: Any,
) -> Any:
    """As `run_segment`; and if the segment ends a row, keeps the two greatest sums of every column.

    Of equal sums the row of the lowest number is chosen. A NaN sum makes ``second`` NaN for good.
    """
    kinds = (best, second, choice)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tile, arrays, numbers, sums = _segment(context, builder, signature, args)
        tile.store(sums, arrays["target"], numbers[1])
        with builder.if_then(builder.icmp_signed(">=", numbers[4], tile.index(0))):
            bases = [
                context.make_array(kind)(context, builder, value).data
                for kind, value in zip(kinds, args[7:10], strict=True)
            ]
            _keep_best(tile, sums, numbers[4], bases)
        return context.get_dummy_value()

    return numba.types.void(
        width, values, source, target, segments, columns, numba.types.intp, *kinds
    ), generate


def _keep_best(tile: _Tile, sums: list[Any], row: Any, bases: list[Any]) -> None:
    build, zero = tile.builder, tile.index(0)
    number = tile.splat(build.trunc(row, _ir.IntType(32)), tile.ints)
    old = [tile.load(base, zero, kind) for base, kind in zip(bases, (None, None, tile.ints), strict=True)]
    news: list[list[Any]] = [[], [], []]
    for value, best, second, choice in zip(sums, *old, strict=True):
        more = build.fcmp_ordered(">", value, best)
        ahead = build.or_(
            more, build.and_(build.fcmp_ordered("==", value, best), build.icmp_signed("<", number, choice))
        )
        # Not "value > second": the negated comparison lets a NaN in, and `second` NaN compares false ever after
        lower = build.select(ahead, best, value)
        keep = build.or_(build.fcmp_ordered("<=", lower, second), build.fcmp_unordered("uno", second, second))
        news[0].append(build.select(more, value, best))
        news[1].append(build.select(keep, second, lower))
        news[2].append(build.select(ahead, number, choice))
    for values, base, kind in zip(news, bases, (None, None, tile.ints), strict=True):
        tile.store(values, base, zero, kind)


@_intrinsic
def relu_row(_context: Any, width: Any, rows: Any, row: Any) -> Any:
    """SiLU of a row in place where it is known to be max(x, 0); else True, and the row is as before."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tile = _Tile(builder, WIDTHS[signature.args[0].count - 1])
        (base,) = _bases(context, builder, signature, args, (1,))
        values, doubt = tile.relu(tile.load(base, args[2]))
        with builder.if_then(builder.not_(doubt), likely=True):
            tile.store(values, base, args[2])
        return doubt

    return numba.types.boolean(width, rows, numba.types.intp), generate


@_intrinsic
def relu_times(_context: Any, width: Any, gates: Any, gate: Any, ups: Any, up: Any, outs: Any, out: Any) -> Any:
    """outs[out] = max(gates[gate], 0) * ups[up]; returns whether that may not be silu(gate) * up."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tile = _Tile(builder, WIDTHS[signature.args[0].count - 1])
        gate_base, up_base, out_base = _bases(context, builder, signature, args, (1, 3, 5))
        values, doubt = tile.relu(tile.load(gate_base, args[2]))
        factors = tile.load(up_base, args[4])
        products = [builder.fmul(value, factor) for value, factor in zip(values, factors, strict=True)]
        tile.store(products, out_base, args[6])
        return doubt

    index = numba.types.intp
    return numba.types.boolean(width, gates, index, ups, index, outs, index), generate


@_intrinsic
def add_row(_context: Any, width: Any, x: Any, channel: Any, outputs: Any, output: Any, energy: Any) -> Any:
    """x[channel] += outputs[output], and the square of the result to ``energy``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tile = _Tile(builder, WIDTHS[signature.args[0].count - 1])
        x_base, output_base, energy_base = _bases(context, builder, signature, args, (1, 3, 5))
        before, more = tile.load(x_base, args[2]), tile.load(output_base, args[4])
        sums = [builder.fadd(a, b) for a, b in zip(before, more, strict=True)]
        tile.store(sums, x_base, args[2])
        total = tile.load(energy_base, tile.index(0))
        total = [builder.fadd(t, builder.fmul(v, v)) for t, v in zip(total, sums, strict=True)]
        tile.store(total, energy_base, tile.index(0))
        return context.get_dummy_value()

    index = numba.types.intp
    return numba.types.void(width, x, index, outputs, index, energy), generate


@_intrinsic
def times_row(_context: Any, width: Any, rows: Any, row: Any, factors: Any, factor: Any) -> Any:
    """rows[row] *= factors[factor]."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tile = _Tile(builder, WIDTHS[signature.args[0].count - 1])
        base, factor_base = _bases(context, builder, signature, args, (1, 3))
        values, others = tile.load(base, args[2]), tile.load(factor_base, args[4])
        tile.store([builder.fmul(a, b) for a, b in zip(values, others, strict=True)], base, args[2])
        return context.get_dummy_value()

    return numba.types.void(width, rows, numba.types.intp, factors, numba.types.intp), generate


@_intrinsic
def fill_row(_context: Any, width: Any, rows: Any, row: Any) -> Any:
    """rows[row] = 0."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tile = _Tile(builder, WIDTHS[signature.args[0].count - 1])
        (base,) = _bases(context, builder, signature, args, (1,))
        tile.store([tile.constant(0.0)] * tile.count, base, args[2])
        return context.get_dummy_value()

    return numba.types.void(width, rows, numba.types.intp), generate


@_intrinsic
def note_address(
    _context: Any, width: Any, inputs: Any, row: Any, place: Any, index: Any, weight: Any, address: Any
) -> Any:
    """Where inputs[row] is not 0: index[address] = place, or -2 if it was not -1; adds the row to weight."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tile = _Tile(builder, WIDTHS[signature.args[0].count - 1])
        inputs_base, index_base, weight_base = _bases(context, builder, signature, args, (1, 4, 5))
        parts = tile.load(inputs_base, args[2])
        old, total = tile.load(index_base, args[6], tile.ints), tile.load(weight_base, args[6])
        here = tile.splat(builder.trunc(args[3], _ir.IntType(32)), tile.ints)
        new, sums = [], []
        for x, index_part, weight_part in zip(parts, old, total, strict=True):
            first = builder.icmp_signed("==", index_part, tile.integer(-1))
            named = builder.select(first, here, tile.integer(-2))
            live = builder.fcmp_unordered("!=", x, tile.constant(0.0))
            new.append(builder.select(live, named, index_part))
            sums.append(builder.fadd(weight_part, x))
        tile.store(new, index_base, args[6], tile.ints)
        tile.store(sums, weight_base, args[6])
        return context.get_dummy_value()

    intp = numba.types.intp
    return numba.types.void(width, inputs, intp, intp, index, weight, intp), generate


@_intrinsic
def copy_row(_context: Any, width: Any, to: Any, row: Any, source: Any, other: Any) -> Any:
    """to[row] = source[other]."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tile = _Tile(builder, WIDTHS[signature.args[0].count - 1])
        base, source_base = _bases(context, builder, signature, args, (1, 3))
        tile.store(tile.load(source_base, args[4]), base, args[2])
        return context.get_dummy_value()

    return numba.types.void(width, to, numba.types.intp, source, numba.types.intp), generate


@_intrinsic
def shift_row(_context: Any, width: Any, rows: Any, row: Any, by: Any) -> Any:
    """rows[row, by:] = rows[row, :-by] (row > 0); the first ``by`` columns are undefined after it."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tile = _Tile(builder, WIDTHS[signature.args[0].count - 1])
        (base,) = _bases(context, builder, signature, args, (1,))
        before = builder.gep(base, [builder.neg(args[3])])
        tile.store(tile.load(before, args[2]), base, args[2])
        return context.get_dummy_value()

    return numba.types.void(width, rows, numba.types.intp, numba.types.intp), generate
