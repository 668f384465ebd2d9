"""Every operation against plain Python integers; the rules are written out anew from docs/machine.md."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reference_kit import launch_ids, make_program, pointer_params, run_ids

from oracles.reference.machine import Machine
from qwengpu.isa import Op
from qwengpu.program import Program
from qwengpu.spec import SEED
from qwengpu.tokens import FaultCode

TWO32 = 2**32

corners = st.sampled_from(
    [0, 1, 2, 31, 32, 33, 127, 128, 255, 256, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF]
)
words = corners | st.integers(0, 63) | st.integers(0, TWO32 - 1)

SLOT = {"a": 1, "x": 0, "m": 4}


def signed(x: int) -> int:
    return x - TWO32 if x >= TWO32 // 2 else x


def bits(x: int) -> list[int]:
    """Bits of a word, lowest first."""
    return [x // 2**i % 2 for i in range(32)]


def from_bits(values: list[int]) -> int:
    return sum(bit * 2**i for i, bit in enumerate(values))


def shift(x: int, by: int, fill: int) -> int:
    """Bits moved by ``by`` places (up if positive)."""
    source = bits(x)
    return from_bits([source[i - by] if 0 <= i - by < 32 else fill for i in range(32)])


def permute(a: int, b: int, c: int) -> int:
    pool = list(a.to_bytes(4, "little") + b.to_bytes(4, "little"))
    out = []
    for nibble in f"{c % 65536:04x}"[::-1]:
        value = int(nibble, 16)
        byte = pool[value % 8]
        out.append(byte if value < 8 else 255 * (byte // 128))
    return int.from_bytes(bytes(out), "little")


def reciprocal(a: int) -> int:
    if a == 0:
        return TWO32 - 1
    n = 32 - len(f"{a:b}")
    i = (a * 2**n) // 2**22 - 512
    assert 0 <= i <= 511
    t = 2**19 // (513 + i)
    return t * 2 ** (n - 9) % TWO32 if n >= 9 else t // 2 ** (9 - n)


RULES: dict[Op, Callable[[int, int, int], int]] = {
    Op.ADD: lambda a, b, c: (a + b + c % 2) % TWO32,
    Op.SUB: lambda a, b, c: (a - b - c % 2) % TWO32,
    Op.CARRY: lambda a, b, c: int(a + b + c % 2 >= TWO32),
    Op.BORROW: lambda a, b, c: int(a < b + c % 2),
    Op.AND: lambda a, b, c: from_bits([p * q for p, q in zip(bits(a), bits(b), strict=True)]),
    Op.OR: lambda a, b, c: from_bits([max(p, q) for p, q in zip(bits(a), bits(b), strict=True)]),
    Op.XOR: lambda a, b, c: from_bits([p != q for p, q in zip(bits(a), bits(b), strict=True)]),
    Op.ANDN: lambda a, b, c: from_bits([p * (1 - q) for p, q in zip(bits(a), bits(b), strict=True)]),
    Op.EQ: lambda a, b, c: int(a == b),
    Op.NE: lambda a, b, c: int(a != b),
    Op.LT: lambda a, b, c: int(signed(a) < signed(b)),
    Op.LE: lambda a, b, c: int(signed(a) <= signed(b)),
    Op.LTU: lambda a, b, c: int(a < b),
    Op.LEU: lambda a, b, c: int(a <= b),
    Op.MIN: lambda a, b, c: min(signed(a), signed(b)) % TWO32,
    Op.MAX: lambda a, b, c: max(signed(a), signed(b)) % TWO32,
    Op.MINU: lambda a, b, c: min(a, b),
    Op.MAXU: lambda a, b, c: max(a, b),
    Op.SEL: lambda a, b, c: a if c % 2 == 1 else b,
    Op.SHL: lambda a, b, c: shift(a, min(b, 32), 0),
    Op.SHR: lambda a, b, c: shift(a, -min(b, 32), 0),
    Op.SAR: lambda a, b, c: shift(a, -min(b, 32), bits(a)[31]),
    Op.POPC: lambda a, b, c: sum(bits(a)),
    Op.CLZ: lambda a, b, c: [*bits(a)[::-1], 1].index(1),
    Op.BREV: lambda a, b, c: from_bits(bits(a)[::-1]),
    Op.PRMT: permute,
    Op.MUL: lambda a, b, c: (a * b + c) % TWO32,
    Op.MULHU: lambda a, b, c: (a * b // TWO32 + c) % TWO32,
    Op.MULHS: lambda a, b, c: (signed(a) * signed(b) // TWO32 + c) % TWO32,
    Op.RCP: lambda a, b, c: reciprocal(a),
}


def one_operation(text: str, a: int, b: int, c: int, literal: bool = False) -> tuple[Program, list[int]]:
    """A program whose only block computes ``text`` of C0, C1, C2 (parameters or literals) into r1."""
    consts = f"C0=#{a} C1=#{b} C2=#{c}" if literal else "C0=param0 C1=param1 C2=param2"
    slot = text.partition(":")[0]
    program = make_program([f"const {consts}\n{text}\nout r1={slot}\nnext exit"], pointer_params(0, 3))
    return program, launch_ids(program, scalars=[a, b, c])


def result(text: str, a: int, b: int, c: int, literal: bool = False) -> int | FaultCode:
    """r1 after the block, or the fault."""
    _, ids = one_operation(text, a, b, c, literal)
    machine = Machine(SEED)
    machine.feed(ids)
    trace = machine.run()
    return trace.fault.code if trace.fault else trace.registers[0][1]


def test_the_rules_cover_every_operation_of_one_lane() -> None:
    others = {Op.LEA, Op.FIT, Op.INS, Op.SHFL, Op.SHFLP, Op.BALLOT, Op.LD}
    assert set(RULES) | others == set(Op)


@pytest.mark.parametrize("op", RULES, ids=lambda op: op.name)
@given(words, words, words, st.booleans())
@settings(max_examples=60, deadline=None)
@example(0x80000000, 0xFFFFFFFF, 0xFFFFFFFF, False)
@example(0x80000000, 32, 0, True)
@example(0, 0, 0, True)
def test_operation(op: Op, a: int, b: int, c: int, literal: bool) -> None:
    operands = ", ".join(f"C{'abc'.index(name)}" for name in op.operands)
    text = f"T{SLOT[op.kinds[0]]}: {op.name.lower()} {operands}"
    assert result(text, a, b, c, literal) == RULES[op](a, b, c)


def test_left_out_operands_are_zero() -> None:
    assert result("T1: add C0, C1", 3, 4, 99) == 7
    assert result("T4: mul C0, C1", 3, 4, 99) == 12
    assert result("T1: sel C0, C1", 3, 4, 99) == 4


@pytest.mark.parametrize("a", [1, 2, 3, 5, 255, 256, 511, 513, 65537, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF])
def test_the_reciprocal_is_a_close_lower_bound(a: int) -> None:
    """isa: at most 2**32 / a, relative error below 2**-8."""
    got = result("T4: rcp C0", a, 0, 0)
    exact = TWO32 / a
    if a > 1:
        assert exact * (1 - 2**-8) - 1 <= got <= exact


@pytest.mark.parametrize("width", ["u8", "u16"])
@given(words, words, words, st.booleans())
@settings(max_examples=60, deadline=None)
def test_insert(width: str, a: int, b: int, c: int, literal: bool) -> None:
    target = bytearray(a.to_bytes(4, "little"))
    if width == "u8":
        target[c % 4] = b % 256
    else:
        at = c % 4 // 2 * 2
        target[at : at + 2] = (b % 65536).to_bytes(2, "little")
    assert result(f"T0: ins.{width} C0, C1, C2", a, b, c, literal) == int.from_bytes(target, "little")


@pytest.mark.parametrize("scale", range(4))
@pytest.mark.parametrize("extended", [True, False])
@given(words, words | st.integers(TWO32 - 64, TWO32 - 1), words, st.booleans())
@settings(max_examples=60, deadline=None)
@example(0xFFFFFFFF, 0, 1, False)
@example(0, 0, 0xFFFFFFFF, True)
def test_lea(scale: int, extended: bool, a: int, b: int, c: int, literal: bool) -> None:
    text = f"T0: lea [C0 + {'sext(C1)' if extended else 'C1'}<<{scale} + C2]"
    exact = a + (signed(b) if extended else b) * 2**scale + signed(c)
    expected = exact if 0 <= exact < TWO32 else FaultCode.POINTER
    assert result(text, a, b, c, literal) == expected


@given(words, st.sampled_from([0, 1, TWO32 - 1, TWO32 - 2]), st.booleans(), st.booleans())
@settings(max_examples=80, deadline=None)
def test_fit(a: int, b: int, extended: bool, literal: bool) -> None:
    high = (TWO32 - 1 if signed(a) < 0 else 0) if extended else 0
    text = f"T0: fit{'.signed' if extended else ''} C0, C1"
    assert result(text, a, b, 0, literal) == (a if b == high else FaultCode.POINTER)


# ---- operations between lanes


def shuffle(mode: str, n: int, b: int, c: int) -> tuple[int, bool]:
    """PTX ISA, shfl.sync: source lane and predicate for lane n."""
    d, clamp, mask = b % 32, c % 32, c // 256 % 32
    max_lane = (n & mask) | (clamp & ~mask & 31)
    min_lane = n & mask
    if mode == "up":
        j, fits = n - d, n - d >= max_lane
    elif mode == "down":
        j, fits = n + d, n + d <= max_lane
    elif mode == "bfly":
        j, fits = n ^ d, n ^ d <= max_lane
    else:
        j = min_lane | (d & ~mask & 31)
        fits = j <= max_lane
    return (j if fits else n), fits


SHUFFLED = """\
const C0=tid.x C1=param0 C2=param1 C3=#100
T1: add C0, C3
T6: {op}.{mode} T1, C1, C2
out r1=T6
next exit"""


@pytest.mark.parametrize("mode", ["idx", "up", "down", "bfly"])
@given(words, words, st.integers(1, 8))
@settings(max_examples=60, deadline=None)
@example(1, 0x1C03, 4)
@example(1, 0x1C00, 4)
@example(2, 0x1E1F, 8)
@example(31, 0, 3)
def test_shuffle(mode: str, b: int, c: int, threads: int) -> None:
    for op in ("shfl", "shflp"):
        program = make_program([SHUFFLED.format(op=op, mode=mode)], pointer_params(0, 2))
        trace = run_ids(SEED, launch_ids(program, scalars=[b, c], block=(threads, 1, 1)))
        for thread in range(threads):
            warp, lane = divmod(thread, 4)
            source, fits = shuffle(mode, lane, b, c)
            exists = 0 <= source < 4 and warp * 4 + source < threads
            value = 100 + (warp * 4 + source if exists else thread)
            assert trace.registers[thread][1] == (value if op == "shfl" else int(fits))


@given(st.lists(words, min_size=4, max_size=4), words, st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_ballot(values: list[int], mask: int, threads: int) -> None:
    text = """\
const C0=param0 C1=tid.x C2=param2
T2: ld.global.word [C0 + C1<<2]
T6: ballot T2, C2
out r1=T6
next exit"""
    program = make_program([text], pointer_params(1, 1))
    trace = run_ids(SEED, launch_ids(program, [values], scalars=[mask], block=(threads, 1, 1)))
    expected = sum(2**lane for lane in range(threads) if values[lane] % 2 and mask // 2**lane % 2)
    assert [rows[1] for rows in trace.registers[:threads]] == [expected] * threads


def test_two_cross_lane_levels_in_one_block() -> None:
    """Slots of level 0 and level 3, with port values and results kept between the loops."""
    text = """\
read R0=r3
const C0=tid.x C1=#1 C2=#0x1c03 C3=#15
T0: shfl.bfly C0, C1, C2
T1: add C0, C1
T4: mul T0, T1
T6: ballot T4, C3
T7: add T4, C0
out r1=T0 r2=T6 r3=T7 r4=R0
next exit"""
    trace = run_ids(SEED, launch_ids(make_program([text]), block=(4, 1, 1)))
    products = [(lane ^ 1) * (lane + 1) for lane in range(4)]
    for lane in range(4):
        vote = sum(1 << i for i, value in enumerate(products) if value % 2)
        assert trace.registers[lane][1:5] == (lane ^ 1, vote, products[lane] + lane, 0)


def test_a_wrong_rule_is_noticed() -> None:
    """Negative control: the comparison can fail."""
    assert result("T1: sub C0, C1", 5, 3, 0) != RULES[Op.ADD](5, 3, 0)
    assert result("T0: sar C0, C1", 0x80000000, 40, 0) != RULES[Op.SHR](0x80000000, 40, 0)
