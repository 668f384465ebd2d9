"""Branches, jump tables, guards, barriers, calls, and operations across lanes."""

from __future__ import annotations

import pytest
from mir_machine import MachineFault, launch
from select_kit import kernel

from qwengpu.lowering.mir import Branch, MFunction
from qwengpu.lowering.mir_text import dump
from qwengpu.lowering.select import select
from qwengpu.spec import SEED

START = (
    ".reg .b64 %a, %t; .reg .b32 %r<9>, %i; .reg .pred %p<4>; ld.param.u64 %a, [buf]; mov.u32 %i, %tid.x;"
    "mul.wide.u32 %t, %i, 4; add.s64 %t, %t, %a; mov.u32 %r1, 0;\n"
)
FINISH = "\nst.global.u32 [%t], %r1; ret;"


def build(body: str, declare: str = "") -> MFunction:
    return select(kernel(START + body + FINISH, ".param .u64 buf", declare), None, SEED)


def run(body: str, threads: int = 4, declare: str = "") -> list[int]:
    """%r1 of each thread at the end."""
    (after,), _ = launch(build(body, declare), SEED, [bytearray(4 * threads)], block=(threads, 1, 1))
    return [int.from_bytes(after[4 * n : 4 * n + 4], "little") for n in range(threads)]


def branches(function: MFunction) -> list[tuple[int | None, str, bool]]:
    ends = [b.end for b in function.blocks]
    return [(e.instr, e.name, e.sense) for e in ends if isinstance(e, Branch)]


def test_divergent_loop() -> None:
    body = "L: add.u32 %r1, %r1, 2; setp.le.u32 %p1, %r1, %i; @%p1 bra L;"
    assert run(body, 6) == [2, 2, 4, 4, 6, 6]


def test_guarded_exits_and_branches_report_their_sense() -> None:
    body = (
        "setp.lt.u32 %p1, %i, 2; @!%p1 bra L; mov.u32 %r1, 5; @%p1 ret; L: setp.eq.u32 %p2, %i, 3; @%p2 exit;"
    )
    assert run(body) == [0, 0, 0, 0]
    found = branches(build(body))
    assert [(name, sense) for _, name, sense in found] == [("bra", False), ("ret", True), ("ret", True)]
    assert all(instr is not None for instr, _, _ in found)


def test_guarded_memory_is_branched_around_without_an_event() -> None:
    body = "setp.eq.u32 %p1, %i, 9; @%p1 ld.global.u32 %r1, [%a+1000]; @!%p1 mov.u32 %r1, 7;"
    assert run(body) == [7] * 4
    assert branches(build(body)) == [(None, "bra", True)]


def test_guarded_pointer_arithmetic_does_not_fault() -> None:
    body = (
        ".reg .b64 %q; mov.b64 %q, %a; setp.eq.u32 %p1, %i, 9; mov.u32 %r2, -1; mul.wide.u32 %t, %r2, 8;"
        "@%p1 add.s64 %q, %q, %t; ld.global.u32 %r1, [%q]; mul.wide.u32 %t, %i, 4; add.s64 %t, %t, %a;"
    )
    assert run(body) == [0] * 4
    with pytest.raises(MachineFault, match="pointer"):
        run(body.replace("%i, 9", "%i, 1"))


def test_jump_table() -> None:
    body = (
        "ts: .branchtargets A, B, C, A;\n brx.idx %i, ts; A: mov.u32 %r1, 10; bra E; B: mov.u32 %r1, 20; bra E;"
        "C: mov.u32 %r1, 30; E:"
    )
    assert run(body) == [10, 20, 30, 10]
    indexed = [b.end for b in build(body).blocks if isinstance(b.end, Branch) and b.end.index is not None]
    assert len(indexed) == 1
    guarded = "setp.ne.u32 %p1, %i, 2;" + body.replace("brx.idx", "@%p1 brx.idx").replace(
        "A: mov", "mov.u32 %r1, 99; bra E; A: mov"
    )
    assert run(guarded) == [10, 20, 99, 10]
    one = "ts: .branchtargets A;\n brx.idx %i, ts; mov.u32 %r1, 1; A:"
    assert run(one) == [0] * 4


def test_calls() -> None:
    declare = (
        ".func (.param .align 4 .b8 r[8]) pair(.param .b32 a, .param .b8 b) {"
        ".reg .b32 x, y; .reg .b16 h; .reg .pred p;"
        "ld.param.b32 x, [a]; ld.param.s8 h, [b]; cvt.s32.s16 y, h; setp.gt.s32 p, x, 1; @p bra Q;"
        "st.param.b32 [r], x; st.param.b32 [r+4], y; ret; Q: add.s32 y, y, x; st.param.b32 [r], y;"
        "st.param.b32 [r+4], 100; ret; }\n"
    )
    body = (
        "{ .param .b32 a; .param .b8 b; .param .align 4 .b8 r[8]; .reg .b16 %h; mov.b16 %h, 0x1fe;"
        "st.param.b32 [a], %i; st.param.b8 [b], %h; call (r), pair, (a, b);"
        "ld.param.b32 %r2, [r]; ld.param.b32 %r3, [r+4]; } shl.b32 %r1, %r2, 8; add.u32 %r1, %r1, %r3;"
    )
    want = [
        ((x + y if (y := -2) and x > 1 else x) << 8) + (100 if x > 1 else -2) & 0xFFFFFFFF for x in range(4)
    ]
    assert run(body, declare=declare) == want


def test_barrier_orders_shared_memory() -> None:
    body = (
        ".shared .b32 s[8]; .reg .b64 %s; mov.u64 %s, s; mul.wide.u32 %t, %i, 4; add.s64 %s, %s, %t;"
        "st.shared.u32 [%s], %i; barrier.sync 0; xor.b32 %r2, %i, 7; shl.b32 %r2, %r2, 2; mov.u32 %r3, s;"
        "add.u32 %r3, %r3, %r2; ld.shared.u32 %r1, [%r3]; add.s64 %t, %t, %a;"
    )
    assert run(body, 8) == [7, 6, 5, 4, 3, 2, 1, 0]


@pytest.mark.parametrize(
    ("instr", "want"),
    [
        ("vote.sync.all.pred %p2, %p1, -1; selp.u32 %r1, 1, 0, %p2;", [0, 0, 0, 0]),
        ("vote.sync.any.pred %p2, %p1, -1; selp.u32 %r1, 1, 0, %p2;", [1, 1, 1, 1]),
        ("vote.sync.uni.pred %p2, %p1, -1; selp.u32 %r1, 1, 0, %p2;", [0, 0, 0, 0]),
        ("vote.sync.ballot.b32 %r1, %p1, -1;", [0b0110] * 4),
        ("vote.sync.ballot.b32 %r1, !%p1, 3;", [0b0001] * 4),
        ("activemask.b32 %r1;", [15] * 4),
        ("match.any.sync.b32 %r1, %r3, -1;", [0b1001, 0b0110, 0b0110, 0b1001]),
        ("match.all.sync.b32 %r1|%p2, %r3, 6;", [0, 6, 6, 0]),
        ("shfl.sync.idx.b32 %r1, %i, 2, 0x1f, -1;", [2] * 4),
        ("shfl.sync.up.b32 %r1|%p2, %i, 1, 0, -1; @!%p2 mov.u32 %r1, 9;", [9, 0, 1, 2]),
        ("shfl.sync.down.b32 %r1, %i, 1, 0x1e03, -1;", [1, 1, 3, 3]),
        ("shfl.sync.bfly.b32 %r1, %i, 3, 0x1f, -1;", [3, 2, 1, 0]),
        ("mov.u32 %r1, %lanemask_lt;", [0, 1, 3, 7]),
        ("mov.u32 %r1, %lanemask_gt;", [14, 12, 8, 0]),
        ("mov.u32 %r1, %lanemask_ge;", [15, 14, 12, 8]),
        ("mov.u32 %r1, %lanemask_le;", [1, 3, 7, 15]),
        ("mov.u32 %r1, %laneid; add.u32 %r1, %r1, WARP_SZ;", [4, 5, 6, 7]),
    ],
)
def test_other_lanes(instr: str, want: list[int]) -> None:
    prepare = (
        "add.u32 %r3, %i, 1; shr.u32 %r3, %r3, 1; and.b32 %r3, %r3, 1; setp.eq.u32 %p1, %r3, 1;"
        "bar.warp.sync -1;"
    )
    got = run(prepare + instr)
    if "match.all" in instr:
        assert got[1:3] == want[1:3]
    else:
        assert got == want


def test_trap() -> None:
    assert run("setp.eq.u32 %p1, %i, 9; @%p1 trap;") == [0] * 4
    with pytest.raises(MachineFault, match="trap"):
        run("setp.eq.u32 %p1, %i, 1; @%p1 trap;")


def test_carry_flag_lives_across_blocks() -> None:
    body = (
        "setp.lt.u32 %p1, %i, 2; @%p1 bra L; add.cc.u32 %r2, -1, %i; bra M; L: add.cc.u32 %r2, 1, 1;"
        "M: addc.u32 %r1, 0, 0;"
    )
    assert run(body) == [0, 0, 1, 1]


GOLDEN = """kernel k
  param a c16..c17
  param out c18..c19
  param n c20
b0:
  ; 0 %a:64 = c16, 0
  ; 1 %o:64 = c18, 0
  ; 2 %n:32 = c20
  v1 = 0
  ; 3 %s:32 = 0
  v2 = 0
  ; 4 %i:32 = 0
  jump b1
b1:
  v3 = ld.x4 c16, v2, 0
  ; 7 %v:32 = v3
  v1 = add v1, v3, 0
  ; 8 %s:32 = v1
  v2 = add v2, 1, 0
  ; 9 %i:32 = v2
  v6 = lt v2, c20
  ; 10 %p:1 = v6
  branch v6 ? b1 : b2 ; 11 bra
b2:
  st c18, 0, 0 <- v1 (global:4)
  jump exit
  5 %w:64: folded: address arithmetic is part of the memory access
  6 %t:64: folded: address arithmetic is part of the memory access
""".replace(":64: folded", ": folded")


def test_golden_loop() -> None:
    text = kernel(
        ".reg .b64 %a, %o, %w, %t; .reg .b32 %n, %s, %i, %v; .reg .pred %p; ld.param.u64 %a, [a];"
        "ld.param.u64 %o, [out]; ld.param.u32 %n, [n]; mov.u32 %s, 0; mov.u32 %i, 0;"
        "L: mul.wide.u32 %w, %i, 4; add.s64 %t, %a, %w; ld.global.u32 %v, [%t]; add.s32 %s, %s, %v;"
        "add.s32 %i, %i, 1; setp.lt.s32 %p, %i, %n; @%p bra L; st.global.u32 [%o], %s; ret;",
        ".param .u64 .ptr a, .param .u64 out, .param .u32 n",
    )
    assert dump(select(text, None, SEED)) == GOLDEN


@pytest.mark.parametrize("sense", ["", "!"], ids=["true", "false"])
@pytest.mark.parametrize("pair", ["%p0|%p1", "%p1|%p0"], ids=["first", "second"])
@pytest.mark.parametrize("guard", ["%p0", "%p3"], ids=["itself", "alias"])
def test_the_guard_of_every_destination_is_the_one_before_the_instruction(
    sense: str, pair: str, guard: str
) -> None:
    body = (
        "setp.lt.u32 %p0, %i, 2; setp.eq.u32 %p1, %i, 9; mov.pred %p3, %p0;"
        f"@{sense}{guard} setp.gt.u32 {pair}, %i, 0;"
        "selp.u32 %r1, 1, 0, %p0; selp.u32 %r2, 2, 0, %p1; add.u32 %r1, %r1, %r2;"
    )
    function = build(body)
    (after,), defined = launch(function, SEED, [bytearray(16)], block=(4, 1, 1))
    found = [int.from_bytes(after[4 * n : 4 * n + 4], "little") for n in range(4)]
    first, second = (int(name[2]) for name in pair.split("|"))
    executed = [n for n in range(4) if (n < 2) != bool(sense)]
    expected = []
    for n in range(4):
        now = {0: n < 2, 1: False}
        if n in executed:
            now |= {first: n > 0, second: n == 0}
        expected.append(now[0] + 2 * now[1])
    assert found == expected
    ordinal = max(d.instr for d in defined if d.register == "%p1")
    events = {(d.thread, d.register, d.value) for d in defined if d.instr == ordinal}
    assert events == {(n, f"%p{first}", n > 0) for n in executed} | {
        (n, f"%p{second}", n == 0) for n in executed
    }
