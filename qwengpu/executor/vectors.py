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
_cgutils: Any = import_module("numba.core.cgutils")
_ir: Any = import_module("llvmlite.ir")

WIDTHS = (1, 8, 64)
"""Columns of a tile. A width is passed to kernels as a tuple of WIDTHS.index(width) + 1 zeros, so that it
is part of the type and every width gets code of its own."""
SILU_IS_IDENTITY = 17.0
SILU_IS_ZERO = -90.0
"""From 17 on silu(x) = x, up to -90 it is -0, in float32."""
L2_EPS = 9.999999974752427e-07
"""eps of the stock l2norm of queries and keys: 1e-6 as a float32."""
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
    return _compiled(function, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)


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

    def loop(
        self, first: Any, last: Any, begin: list[Any], step: Callable[[Any, list[Any]], list[Any]]
    ) -> list[Any]:
        """Values carried through ``step(number, values)`` for number = first...last - 1, in registers."""
        build = self.builder
        before = build.block
        body, done = build.append_basic_block("loop"), build.append_basic_block("loop.end")
        build.cbranch(build.icmp_signed("<", first, last), body, done)
        build.position_at_end(body)
        number = build.phi(self.index)
        number.add_incoming(first, before)
        phis = [build.phi(value.type) for value in begin]
        for phi, value in zip(phis, begin, strict=True):
            phi.add_incoming(value, before)
        news = step(number, list(phis))
        following = build.add(number, self.index(1))
        number.add_incoming(following, body)
        for phi, new in zip(phis, news, strict=True):
            phi.add_incoming(new, body)
        build.cbranch(build.icmp_signed("<", following, last), body, done)
        build.position_at_end(done)
        results = []
        for value, new in zip(begin, news, strict=True):
            phi = build.phi(value.type)
            phi.add_incoming(value, before)
            phi.add_incoming(new, body)
            results.append(phi)
        return results

    def accumulate(self, sums: list[Any], first: Any, last: Any, arrays: dict[str, Any]) -> list[Any]:
        """sums += values[e] * source[columns[e]] for e in first...last - 1."""
        build = self.builder

        def step(entry: Any, totals: list[Any]) -> list[Any]:
            weight = self.splat(build.load(build.gep(arrays["values"], [entry])))
            parts = self.load(arrays["source"], self.number(arrays["columns"], entry))
            return [build.fadd(t, build.fmul(weight, part)) for t, part in zip(totals, parts, strict=True)]

        return self.loop(first, last, sums, step)

    def normed(self, value: Any) -> Any:
        """The stock l2norm of a vector whose only nonzero is ``value``."""
        build = self.builder
        name = "llvm.sqrt.f32" if self.lanes == 1 else f"llvm.sqrt.v{self.lanes}f32"
        kind = _ir.FunctionType(self.vector, [self.vector])
        root = _cgutils.get_or_insert_function(build.module, kind, name)
        square = build.fadd(build.fmul(value, value), self.constant(L2_EPS))
        return build.fmul(value, build.fdiv(self.constant(1.0), build.call(root, [square])))

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
def relu_at(_context: Any, rows: Any, at: Any) -> Any:
    """SiLU of LANES floats from flat place ``at`` on, if known to be max(x, 0); else True and no change."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tile = _Tile(builder, LANES)
        (base,) = _bases(context, builder, signature, args, (0,))
        base = builder.gep(base, [args[1]])
        values, doubt = tile.relu(tile.load(base, tile.index(0)))
        with builder.if_then(builder.not_(doubt), likely=True):
            tile.store(values, base, tile.index(0))
        return doubt

    return numba.types.boolean(rows, numba.types.intp), generate


@_intrinsic
def relu_times(
    _context: Any, lanes: Any, spread: Any, gates: Any, gate: Any, ups: Any, up: Any, outs: Any, out: Any
) -> Any:
    """outs[out:] = max(gates[gate:], 0) * ups[up:], flat places; whether that may not be silu(gate) * up.

    ``lanes``: a width, as its type: so many floats. ``spread``: a tuple of 1 zero if the one gate, of 2 if the
    one up value belongs to all of them, else of 3.
    """
    kind = spread.count

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tile = _Tile(builder, WIDTHS[signature.args[0].count - 1])
        gate_base, up_base, out_base = _bases(context, builder, signature, args, (2, 4, 6))

        def load(base: Any, at: Any, single: bool) -> list[Any]:
            place = builder.gep(base, [at])
            return [tile.splat(builder.load(place))] * tile.count if single else tile.load(place, tile.index(0))

        values, doubt = tile.relu(load(gate_base, args[3], kind == 1))
        factors = load(up_base, args[5], kind == 2)
        products = [builder.fmul(value, factor) for value, factor in zip(values, factors, strict=True)]
        tile.store(products, builder.gep(out_base, [args[7]]), tile.index(0))
        return doubt

    index = numba.types.intp
    return numba.types.boolean(lanes, spread, gates, index, ups, index, outs, index), generate


@_intrinsic
def add_rows(
    _context: Any, width: Any, x: Any, pool: Any, at: Any, count: Any, outputs: Any, energy: Any
) -> Any:
    """x[pool[at + i]] += outputs[i + 1] for i < count, and the squares of the results to ``energy``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tile = _Tile(builder, WIDTHS[signature.args[0].count - 1])
        x_base, pool_base, output_base, energy_base = _bases(context, builder, signature, args, (1, 2, 5, 6))

        def step(number: Any, total: list[Any]) -> list[Any]:
            channel = tile.number(pool_base, builder.add(args[3], number))
            before = tile.load(x_base, channel)
            more = tile.load(output_base, builder.add(number, tile.index(1)))
            sums = [builder.fadd(one, other) for one, other in zip(before, more, strict=True)]
            tile.store(sums, x_base, channel)
            return [builder.fadd(t, builder.fmul(v, v)) for t, v in zip(total, sums, strict=True)]

        total = tile.loop(tile.index(0), args[4], tile.load(energy_base, tile.index(0)), step)
        tile.store(total, energy_base, tile.index(0))
        return context.get_dummy_value()

    index = numba.types.intp
    return numba.types.void(width, x, pool, index, index, outputs, energy), generate


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
def find_address(
    _context: Any,
    width: Any,
    inputs: Any,
    pool: Any,
    at: Any,
    count: Any,
    named: Any,
    weight: Any,
    address: Any,
) -> Any:
    """Which of the ``count`` rows pool[at + 2 i] of ``inputs``, named pool[at + 2 i + 1], is not 0.

    named[address] = its name, -1 if all are 0, -2 if several are not; weight[address] = its value after l2norm.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tile = _Tile(builder, WIDTHS[signature.args[0].count - 1])
        inputs_base, pool_base, named_base, weight_base = _bases(
            context, builder, signature, args, (1, 2, 5, 6)
        )

        def step(number: Any, state: list[Any]) -> list[Any]:
            place = builder.add(args[3], builder.mul(number, tile.index(2)))
            parts = tile.load(inputs_base, tile.number(pool_base, place))
            name = builder.load(builder.gep(pool_base, [builder.add(place, tile.index(1))]))
            here = tile.splat(name, tile.ints)
            names, sums = [], []
            for x, old, total in zip(parts, state[: tile.count], state[tile.count :], strict=True):
                first = builder.icmp_signed("==", old, tile.integer(-1))
                new = builder.select(first, here, tile.integer(-2))
                live = builder.fcmp_unordered("!=", x, tile.constant(0.0))
                names.append(builder.select(live, new, old))
                sums.append(builder.fadd(total, x))
            return names + sums

        begin = [tile.integer(-1)] * tile.count + [tile.constant(0.0)] * tile.count
        state = tile.loop(tile.index(0), args[4], begin, step)
        tile.store(state[: tile.count], named_base, args[7], tile.ints)
        normed = [tile.normed(value) for value in state[tile.count :]]
        tile.store(normed, weight_base, args[7])
        return context.get_dummy_value()

    intp = numba.types.intp
    return numba.types.void(width, inputs, pool, intp, intp, named, weight, intp), generate


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


@_intrinsic
def prefetch(_context: Any, array: Any, place: Any, count: Any) -> Any:
    """Asks for ``count`` floats from flat place ``place`` on, a cache line at a time."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        (base,) = _bases(context, builder, signature, args, (0,))
        int32 = _ir.IntType(32)
        byte = _ir.IntType(8).as_pointer()
        kind = _ir.FunctionType(_ir.VoidType(), [byte, int32, int32, int32])
        ask = _cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        tile = _Tile(builder, LANES)

        def step(number: Any, state: list[Any]) -> list[Any]:
            at = builder.add(args[1], builder.mul(number, tile.index(LANES)))
            pointer = builder.bitcast(builder.gep(base, [at]), byte)
            builder.call(ask, [pointer, int32(0), int32(3), int32(1)])
            return state

        last = builder.sdiv(builder.add(args[2], tile.index(LANES - 1)), tile.index(LANES))
        tile.loop(tile.index(0), last, [], step)
        return context.get_dummy_value()

    return numba.types.void(array, numba.types.intp, numba.types.intp), generate
