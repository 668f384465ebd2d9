"""Shared sums and folded norms, without kernels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qwengpu.executor.norms import find_constants, fold
from qwengpu.executor.programs import compile_rows
from qwengpu.executor.sparse import matrix
from qwengpu.executor.synthetic import four_squares

ROWS = st.lists(
    st.dictionaries(st.integers(0, 7), st.sampled_from([1.0, -1.0, 128.0, 0.5, 3.0]), max_size=6), max_size=25
)


def as_rows(rows):
    return [(np.array(sorted(r), np.int64), np.array([r[c] for c in sorted(r)], np.float32)) for r in rows]


def run(program, x, scan):
    """The program's meaning, in numpy float32."""
    slots = np.zeros(program.slots, np.float32)
    found = {}
    for source, target, first, last, output in program.segments.tolist():
        total = slots[source]
        for entry in range(first, last):
            total = np.float32(total + np.float32(program.values[entry] * x[program.columns[entry]]))
        slots[target] = total
        if output >= 0:
            assert output not in found
            found[output] = total
            assert scan or target == output + 1
    return found, slots


@given(ROWS, st.booleans(), st.integers(0, 1000))
def test_programs_compute_the_rows(rows, scan, seed):
    x = np.random.default_rng(seed).integers(-100, 100, 8).astype(np.float32)
    program = compile_rows(as_rows(rows), scan)
    found, slots = run(program, x, scan)
    for number, row in enumerate(rows):
        want = sum(value * float(x[column]) for column, value in row.items())
        assert found[number] == want
        if not scan:
            assert slots[number + 1] == found[number]
    assert len(found) == len(rows) and program.products == sum(map(len, rows))
    assert len(program.values) <= program.products
    assert slots[0] == 0


def test_sharing_pays_and_changes_no_bit():
    """A decoder: 64 rows of 6 literals and a constant. Its sums equal those of each row alone, in one order."""
    rng = np.random.default_rng(0)
    weights = rng.standard_normal((6, 2)).astype(np.float32)
    rows = [{**{i: float(weights[i, n >> i & 1]) for i in range(6)}, 6: float(n)} for n in range(64)]
    program = compile_rows(as_rows(rows))
    assert len(program.values) < program.products / 2
    x = rng.standard_normal(8).astype(np.float32)
    found, _ = run(program, x, False)
    longest = max(range(64), key=lambda n: n)
    order = [c for c in program.columns.tolist() if c != 6]
    first = list(dict.fromkeys(order))
    for number in (0, 17, longest):
        total = np.float32(0)
        for column in [*first, 6]:
            if rows[number][column]:
                total = np.float32(total + np.float32(np.float32(rows[number][column]) * x[column]))
        assert found[number] == total


def embedding(constants, hidden=256, tokens=10):
    table = np.zeros((tokens, hidden), np.float32)
    for channel, value in enumerate(constants):
        table[:, channel] = value
    table[:, len(constants)] = 1
    return table


def constants_of(table, written=()):
    marks = np.zeros(table.shape[1], bool)
    marks[list(written)] = True
    return find_constants(matrix(table, "embedding", table.shape), marks, 1e-6)


@pytest.mark.parametrize("hidden", [256, 100, 1100, 2112])
def test_norm_constants_of_any_hidden_size(hidden):
    squares = four_squares(hidden)
    found = constants_of(embedding([n * 2.0**40 for n in squares], hidden))
    assert found.scale == 2.0**-40 and found.channels == tuple(range(len(squares)))
    smallest = min(squares) ** 2 * 2.0**80
    absorbed = np.float32(smallest) + np.float32(found.limit) == np.float32(smallest)
    assert absorbed and np.float32(smallest) + np.float32(4.1 * found.limit) != np.float32(smallest)
    assert (found.energy >= 1).all() and (found.energy < 1.001).all()


def test_no_norm_constants():
    good = [2.0**44]
    assert constants_of(embedding(good)).channels == (0,)
    assert constants_of(embedding(good), written=[0]).channels == ()
    assert constants_of(embedding([2.0**44, 2.0**44])).channels == ()  # mean square no power of 4
    assert constants_of(embedding([2.0**10])).channels == ()  # too small to rule
    assert constants_of(embedding([1.1 * 2.0**44])).channels == ()
    odd = embedding(good)
    odd[3, 0] *= 2
    found = constants_of(odd)
    assert found.channels == (0,) and np.isinf(found.energy[3]) and np.isfinite(found.energy[4])


def test_folding_is_exact_or_refused():
    gain = np.array([2.0**40, 3 * 2.0**40, 0, 2.0**-140, 2.0**41], np.float32)
    columns, values = np.array([0, 4]), np.array([0.1, 128], np.float32)
    folded = fold(gain, 2.0**-40, columns, values)
    assert folded is not None and folded.tolist() == [np.float32(0.1), 256]
    for column in (1, 2, 3):
        assert fold(gain, 2.0**-40, np.array([column]), np.array([1], np.float32)) is None
