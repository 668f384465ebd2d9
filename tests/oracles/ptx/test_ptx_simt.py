"""Divergence, barriers, warp operations, atomics, calls and memory, at both warp sizes."""

from __future__ import annotations

import pytest
from ptx_kit import HEAD, clean, data, events, kernel, out, per_thread, run, values

from oracles.api import Buffer, Event, EventKind, FaultKind, Scalar, Status

both_warps = pytest.mark.parametrize("warp", [4, 32])

LOOP = per_thread("""
    mov.b32 %r0, 0;
    mov.b32 %r1, %t;
HEAD:
    setp.eq.u32 %q0, %r1, 0;
    @%q0 bra DONE;
    add.u32 %r0, %r0, %r1;
    sub.u32 %r1, %r1, 1;
    bra HEAD;
DONE:
""")


@both_warps
@pytest.mark.parametrize("schedule", [None, 1, 2, 3])
def test_loop_with_a_trip_count_a_lane(warp: int, schedule: int | None) -> None:
    result = clean(run(LOOP, [out(37)], block=(37,), warp_size=warp, schedule=schedule))
    assert values(result) == [n * (n + 1) // 2 for n in range(37)]


@both_warps
def test_lanes_meet_again_at_the_lowest_place(warp: int) -> None:
    ptx = per_thread("""
        activemask.b32 %r1;
        and.b32 %r2, %t, 1;
        setp.ne.u32 %q0, %r2, 0;
        mov.b32 %r3, 0;
        @%q0 bra ODD;
        activemask.b32 %r3;
    ODD:
        activemask.b32 %r4;
        setp.ne.u32 %q1, %r1, %r4;
        selp.b32 %r0, 0xdead, %r3, %q1;
    """)
    even = sum(1 << lane for lane in range(0, min(warp, 8), 2))
    assert values(run(ptx, [out(8)], block=(8,), warp_size=warp)) == [even, 0] * 4


@both_warps
@pytest.mark.parametrize("schedule", [None, 5])
def test_threads_that_exited_do_not_hold_a_barrier(warp: int, schedule: int | None) -> None:
    ptx = kernel(
        """
        mov.u32 %r1, slot;
        shl.b32 %r2, %t, 2;
        add.u32 %r2, %r1, %r2;
        st.shared.u32 [%r2], %t;
        setp.gt.u32 %q0, %t, 5;
        @%q0 exit;
        bar.sync 0;
        ld.shared.u32 %r3, [slot+28];
        add.u64 %rd0, %p0, %off;
        st.global.u32 [%rd0], %r3;
        ret;""",
        extra=".shared .align 4 .b8 slot[32];",
    )
    result = clean(run(ptx, [out(8)], block=(8,), warp_size=warp, schedule=schedule))
    assert values(result) == [7] * 6 + [0, 0]


@both_warps
def test_barriers_with_counts_and_arrive(warp: int) -> None:
    ptx = kernel(
        """
        setp.ge.u32 %q0, %t, 4;
        @%q0 bra PRODUCER;
        barrier.sync 3, 8;
        ld.shared.u32 %r1, [slot];
        add.u64 %rd0, %p0, %off;
        st.global.u32 [%rd0], %r1;
        ret;
    PRODUCER:
        setp.ne.u32 %q1, %t, 4;
        @!%q1 st.shared.u32 [slot], 77;
        barrier.arrive 3, 8;
        ret;""",
        extra=".shared .align 4 .b32 slot;",
    )
    assert values(clean(run(ptx, [out(4)], block=(8,), warp_size=warp))) == [77] * 4


@both_warps
def test_bar_red(warp: int) -> None:
    ptx = per_thread("""
        setp.lt.u32 %q0, %t, 3;
        bar.red.popc.u32 %r1, 0, %q0;
        barrier.cta.red.and.pred %q1, 1, 8, %q0;
        bar.red.or.pred %q2, 2, !%q0;
        selp.b32 %r2, 10, 20, %q1;
        selp.b32 %r3, 100, 200, %q2;
        add.u32 %r0, %r1, %r2;
        add.u32 %r0, %r0, %r3;
    """)
    result = run(ptx, [out(8)], block=(8,), warp_size=warp, events=True)
    assert values(result) == [123] * 8
    assert [e.value for e in events(result, EventKind.BARRIER) if e.thread == 7] == [0, 1, 2]


def shuffle(mode: str, lane: int, delta: int, control: int, warp: int) -> tuple[int, bool]:
    """The ISA's pseudocode with the fields cut to the warp's width."""
    top = warp - 1
    segment, clamp = control >> 8 & top, control & top
    low, high = lane & segment, lane & segment | clamp & ~segment
    source = {
        "up": lane - delta,
        "down": lane + delta,
        "bfly": lane ^ delta,
        "idx": low | delta & ~segment & top,
    }[mode]
    inside = source >= high if mode == "up" else source <= high
    return (source if inside else lane), inside


@pytest.mark.parametrize("mode", ["up", "down", "bfly", "idx"])
@pytest.mark.parametrize("width", [2, 4, 32])
@both_warps
def test_shuffle(mode: str, width: int, warp: int) -> None:
    control = (32 - width) << 8 | (0 if mode == "up" else 31)
    for delta in (0, 1, 3, 5, 31):
        ptx = per_thread(f"""
            mul.lo.u32 %r1, %t, 10;
            shfl.sync.{mode}.b32 %r2|%q0, %r1, {delta}, {control}, -1;
            selp.b32 %r3, 1, 0, %q0;
            add.u32 %r0, %r2, %r3;
        """)
        found = values(run(ptx, [out(32)], block=(32,), warp_size=warp))
        for thread, got in enumerate(found):
            lane, first = thread % warp, thread - thread % warp
            source, inside = shuffle(mode, lane, delta, control, warp)
            assert got == 10 * (first + source) + inside, (mode, width, delta, thread)


@both_warps
def test_votes_and_matches(warp: int) -> None:
    ptx = kernel("""
        setp.gt.u32 %q0, %t, 1;
        vote.sync.ballot.b32 %r1, %q0, 0xf;
        vote.sync.all.pred %q1, %q0, 0xf;
        vote.sync.any.pred %q2, !%q0, 15;
        vote.sync.uni.pred %q3, %q0, 15;
        shr.u32 %r9, %t, 1;
        match.any.sync.b32 %r2, %r9, 15;
        match.all.sync.b32 %r3|%q4, %r9, 15;
        cvt.u64.u32 %rd5, 9;
        match.all.sync.b64 %r4|%q5, %rd5, 15;
        elect.sync _|%q6, 15;
        redux.sync.add.s32 %r5, %t, 15;
        redux.sync.max.s32 %r6, -3, 15;
        redux.sync.xor.b32 %r7, %t, 15;
        mov.b32 %r0, 0;
        @%q1 or.b32 %r0, %r0, 1;
        @%q2 or.b32 %r0, %r0, 2;
        @%q3 or.b32 %r0, %r0, 4;
        @%q4 or.b32 %r0, %r0, 8;
        @%q5 or.b32 %r0, %r0, 16;
        @%q6 or.b32 %r0, %r0, 32;
        mul.wide.u32 %rd1, %t, 32;
        add.u64 %rd0, %p0, %rd1;
        st.global.v4.u32 [%rd0], {%r0, %r1, %r2, %r3};
        st.global.v4.u32 [%rd0+16], {%r4, %r5, %r6, %r7};
        ret;""")
    got = values(clean(run(ptx, [Buffer("uint32", (0,) * 32, align=32)], block=(4,), warp_size=warp)))
    for lane in range(4):
        flags = 2 + 16 + (32 if lane == 0 else 0)
        assert got[8 * lane : 8 * lane + 8] == [flags, 12, 3 if lane < 2 else 12, 0, 15, 6, 0xFFFFFFFD, 0]


@both_warps
def test_two_arms_meet_in_one_warp_operation(warp: int) -> None:
    ptx = per_thread("""
        setp.lt.u32 %q0, %t, 2;
        @%q0 bra LOW;
        mul.lo.u32 %r1, %t, 100;
        shfl.sync.bfly.b32 %r0, %r1, 2, 31, 15;
        bra END;
    LOW:
        shfl.sync.bfly.b32 %r0, %t, 2, 31, 15;
    END:
    """)
    assert values(run(ptx, [out(4)], block=(4,), warp_size=warp)) == [200, 300, 0, 1]


def test_vote_goes_on_when_a_lane_of_its_mask_exits() -> None:
    ptx = per_thread("""
        setp.eq.u32 %q0, %t, 3;
        @%q0 bra LEAVE;
        setp.ge.u32 %q1, %t, 0;
        vote.sync.ballot.b32 %r0, %q1, 15;
        bra END;
    LEAVE:
        exit;
    END:
    """)
    assert values(clean(run(ptx, [out(4, fill=5)], block=(4,)))) == [7, 7, 7, 5]


@both_warps
def test_warp_sync_orders_shared_memory(warp: int) -> None:
    body = """
        shl.b32 %r1, %t, 2;
        mov.u32 %r2, slot;
        add.u32 %r1, %r1, %r2;
        st.shared.u32 [%r1], %t;
        {sync}
        xor.b32 %r3, %t, 1;
        shl.b32 %r3, %r3, 2;
        add.u32 %r3, %r3, %r2;
        ld.shared.u32 %r0, [%r3];
    """
    extra = ".shared .align 4 .b8 slot[16];"
    good = run(
        per_thread(body.format(sync="bar.warp.sync -1;"), extra=extra), [out(4)], block=(4,), warp_size=warp
    )
    assert values(clean(good)) == [1, 0, 3, 2]
    bad = run(per_thread(body.format(sync=""), extra=extra), [out(4)], block=(4,), warp_size=warp)
    assert [f.kind.value for f in bad.findings] == ["race"]


ATOMICS = [
    ("add.u32", (10,), 15, 25),
    ("add.s32", (-4,), 3, (1 << 32) - 1),
    ("add.u64", (1 << 40,), 5, (1 << 40) + 5),
    ("min.s32", (-1,), 5, (1 << 32) - 1),
    ("min.u32", (0xFFFFFFFF,), 5, 5),
    ("max.s32", (-1,), 5, 5),
    ("max.u64", (1 << 63,), 5, 1 << 63),
    ("min.s64", (1 << 63,), 5, 1 << 63),
    ("and.b32", (12,), 10, 8),
    ("or.b32", (12,), 10, 14),
    ("xor.b64", (12,), 10, 6),
    ("exch.b32", (7,), 9, 7),
    ("cas.b32", (9, 7), 9, 7),
    ("cas.b32", (8, 7), 9, 9),
    ("cas.b64", (9, 1 << 40), 9, 1 << 40),
    ("cas.b16", (9, 7), 0x50009, 0x50007),
    ("inc.u32", (5,), 5, 0),
    ("inc.u32", (5,), 4, 5),
    ("dec.u32", (5,), 0, 5),
    ("dec.u32", (5,), 6, 5),
    ("dec.u32", (5,), 3, 2),
]


@pytest.mark.parametrize(("op", "operands", "before", "after"), ATOMICS)
@pytest.mark.parametrize("space", ["global", "shared", ""])
def test_atomic(op: str, operands: tuple[int, ...], before: int, after: int, space: str) -> None:
    bits = int(op[-2:])
    name, type_ = op.split(".")
    reg = "%h1" if bits == 16 else f"%{'rd' if bits == 64 else 'r'}9"
    where = f"{space}." if space else ""
    place = "[cell]" if space == "shared" else "[%p0]"
    spelled = ", ".join(map(str, operands))
    ptx = kernel(
        f"""
        ld.global.u64 %rd8, [%p0];
        st.shared.u64 [cell], %rd8;
        atom.relaxed.gpu.{where}{name}.{type_} {reg}, {place}, {spelled};
        st.global.b{bits} [%p0+8], {reg};
        ld.shared.u64 %rd8, [cell];
        {"st.global.u64 [%p0], %rd8;" if space == "shared" else ""}
        ret;""",
        extra=".shared .align 8 .b64 cell;",
    )
    result = clean(run(ptx, [data(before, 0, dtype="uint64")], events=True))
    assert values(result) == [after, before % (1 << bits)]
    (event,) = events(result, EventKind.ATOMIC)
    assert event.name == f"{space or 'global'}:{name}:{bits // 8}"
    assert event.value == after % (1 << bits)


@both_warps
@pytest.mark.parametrize("schedule", [None, 1, 2])
def test_reductions_from_all_threads(warp: int, schedule: int | None) -> None:
    ptx = kernel("""
        red.global.add.u32 [%p0], %t;
        red.global.max.u32 [%p0+4], %t;
        atom.global.add.u32 %r1, [%p0+8], 1;
        mul.wide.u32 %rd1, %r1, 4;
        add.u64 %rd1, %p0, %rd1;
        st.global.u32 [%rd1+12], 1;
        ret;""")
    result = clean(run(ptx, [out(3 + 20)], block=(10,), grid=(2,), warp_size=warp, schedule=schedule))
    assert values(result) == [90, 9, 20] + [1] * 20


def test_schedules_change_what_depends_on_order() -> None:
    ptx = kernel("st.volatile.global.u32 [%p0], %t; ret;")
    found = {values(run(ptx, [out(1)], block=(8,), schedule=seed, check=False))[0] for seed in range(8)}
    assert len(found) > 1
    assert values(run(ptx, [out(1)], block=(8,), check=False)) == [7]


def test_schedules_change_the_order_of_two_arms() -> None:
    ptx = kernel("""
        setp.eq.u32 %q0, %t, 0;
        @%q0 bra ONE;
        atom.global.exch.b32 %r1, [%p0], 2;
        bra END;
    ONE:
        atom.global.exch.b32 %r1, [%p0], 1;
    END:
        ret;""")
    found = {values(run(ptx, [out(1)], block=(2,), schedule=seed))[0] for seed in range(12)}
    assert found == {1, 2}


BRX = """
    mov.b32 %r1, 0;
    ts: .branchtargets ZERO, ONE, TWO;
    setp.lt.u32 %q0, %t, 3;
    @%q0 brx.idx %t, ts;
    mov.b32 %r0, 99;
    bra END;
ZERO:
    add.u32 %r1, %r1, 5;
ONE:
    add.u32 %r1, %r1, 30;
TWO:
    add.u32 %r0, %r1, 200;
END:
"""


@both_warps
def test_brx_idx(warp: int) -> None:
    result = run(per_thread(BRX), [out(5)], block=(5,), warp_size=warp, events=True)
    assert values(result) == [235, 230, 200, 99, 99]
    assert [(e.thread, e.value) for e in events(result, EventKind.BRANCH)] == [
        (0, 0),
        (1, 1),
        (2, 2),
        (3, 0),
        (4, 0),
    ]


def test_brx_idx_outside_its_table() -> None:
    result = run(per_thread(BRX.replace("%t, 3;", "%t, 9;")), [out(5)], block=(5,))
    assert result.fault is not None
    assert result.fault.kind is FaultKind.ILLEGAL
    assert "index 3 is outside the table of 3 labels" in result.reason


CALLS = (
    HEAD
    + """
.func (.param .b32 result) twice(.param .b32 x);
.func (.param .b64 result) wide(.param .align 4 .b8 pair[8], .param .b64 add)
{
    .reg .b32 %a, %b; .reg .b64 %x, %y;
    ld.param.u32 %a, [pair]; ld.param.u32 %b, [pair+4];
    mul.wide.u32 %x, %a, %b;
    ld.param.u64 %y, [add];
    add.u64 %x, %x, %y;
    st.param.b64 [result], %x;
}
.visible .entry k(.param .u64 p0)
{
    .reg .b64 %p, %off, %x; .reg .b32 %t, %r; .reg .pred %q;
    ld.param.u64 %p, [p0];
    mov.u32 %t, %tid.x;
    mul.wide.u32 %off, %t, 8;
    add.u64 %p, %p, %off;
    mov.b64 %x, 0;
    setp.ne.u32 %q, %t, 2;
    @%q bra SKIP;
    st.global.u64 [%p], -1;
    ret;
SKIP:
    call (%r), twice, (%t);
    {
        .param .align 4 .b8 arg[8];
        .param .b64 more, back;
        st.param.u32 [arg], %r;
        st.param.u32 [arg+4], 1000;
        st.param.u64 [more], 7;
        call.uni (back), wide, (arg, more);
        ld.param.u64 %x, [back];
    }
    st.global.u64 [%p], %x;
    ret;
}
.func (.param .b32 result) twice(.param .b32 x)
{
    .reg .b32 %a; .reg .pred %q; .local .align 4 .b8 frame[4];
    ld.param.u32 %a, [x];
    st.local.u32 [frame], %a;
    setp.eq.u32 %q, %a, 0;
    @%q bra ZERO;
    ld.local.u32 %a, [frame];
    shl.b32 %a, %a, 1;
    st.param.b32 [result], %a;
    ret;
ZERO:
    st.param.b32 [result], 50;
    ret;
}
"""
)


@both_warps
@pytest.mark.parametrize("schedule", [None, 4])
def test_calls(warp: int, schedule: int | None) -> None:
    result = clean(run(CALLS, [out(5, "uint64")], block=(5,), warp_size=warp, schedule=schedule, events=True))
    assert values(result) == [50007, 2007, (1 << 64) - 1, 6007, 8007]


def test_guarded_call_and_return() -> None:
    ptx = (
        HEAD
        + """
    .func bump(.param .u64 where, .param .b32 how)
    {
        .reg .b64 %p; .reg .b32 %h, %v; .reg .pred %q;
        ld.param.u64 %p, [where]; ld.param.u32 %h, [how];
        setp.gt.u32 %q, %h, 6;
        @%q ret;
        ld.global.u32 %v, [%p]; add.u32 %v, %v, %h; st.global.u32 [%p], %v;
        ret;
    }
    .visible .entry k(.param .u64 p0)
    {
        .reg .b64 %p, %off; .reg .b32 %t; .reg .pred %q;
        ld.param.u64 %p, [p0]; mov.u32 %t, %tid.x; mul.wide.u32 %off, %t, 4; add.u64 %p, %p, %off;
        setp.gt.u32 %q, %t, 2;
        @%q call bump, (%p, %t);
        @!%q call bump, (%p, 100);
        ret;
    }"""
    )
    result = clean(run(ptx, [out(8)], block=(8,), events=True))
    assert values(result) == [0, 0, 0, 3, 4, 5, 6, 0]
    taken = [(e.thread, e.value) for e in events(result, EventKind.BRANCH)]
    assert taken == [(t, int(not 3 <= t <= 6)) for t in range(8)]


def test_spaces_and_generic_addresses() -> None:
    ptx = kernel(
        """
        mov.u64 %rd1, slot;
        cvta.shared.u64 %rd2, %rd1;
        st.u32 [%rd2+4], 11;
        ld.shared.u32 %r1, [slot+4];
        cvta.to.shared.u64 %rd3, %rd2;
        ld.shared.u32 %r2, [%rd3+4];
        mov.u64 %rd4, frame;
        cvta.local.u64 %rd5, %rd4;
        st.u16 [%rd5+2], 3;
        st.local.u16 [frame], 4;
        ld.u32 %r3, [%rd5];
        isspacep.shared %q1, %rd2;
        isspacep.local %q2, %rd5;
        isspacep.global %q3, %p0;
        mov.u64 %rd6, table;
        cvta.const.u64 %rd6, %rd6;
        isspacep.const %q4, %rd6;
        isspacep.global %q5, %rd6;
        ld.s16 %r4, [%rd6+2];
        ld.const.u16 %r5, [table];
        ld.global.u32 %r6, [%p0+16];
        prefetch.global.L1 [%p0];
        mov.b32 %r0, 0;
        @%q1 add.u32 %r0, %r0, 1;
        @%q2 add.u32 %r0, %r0, 2;
        @%q3 add.u32 %r0, %r0, 4;
        @%q4 add.u32 %r0, %r0, 8;
        @%q5 add.u32 %r0, %r0, 16;
        mov.u64 %rd7, pointers;
        ld.global.u64 %rd8, [%rd7+8];
        ld.u32 %r7, [%rd8];
        st.v4.u32 [%p0], {%r1, %r2, %r3, %r4};
        st.global.u32 [%p0+16], %r0;
        st.global.u32 [%p0+20], %r5;
        st.global.u32 [%p0+24], %r7;
        ret;""",
        before=""".const .align 2 .b16 table[4] = {5, -6};
        .global .align 4 .b32 numbers[2][2] = {{1}, {3, 4}};
        .global .u64 pointers[2] = {0, generic(numbers)+8};""",
        extra=".shared .align 4 .b8 slot[8]; .local .align 4 .b8 frame[4];",
    )
    result = clean(run(ptx, [Buffer("uint32", (0,) * 7, align=16)], events=True))
    assert values(result) == [11, 11, 0x30004, 0xFFFFFFFA, 15, 5, 3]
    names = [(e.name, e.address) for e in events(result, EventKind.STORE)]
    # Stores to local memory are no events: where it lies is each implementation's own affair.
    assert names[:2] == [("shared:4", 4), ("global:4", 0x40000000)]


def test_dynamic_shared_memory_follows_static_memory() -> None:
    ptx = kernel(
        """
        mov.u32 %r1, dyn; mov.u32 %r2, fixed;
        st.global.u32 [%p0], %r1;
        st.global.u32 [%p0+4], %r2;
        mov.u32 %r3, %dynamic_smem_size;
        st.global.u32 [%p0+8], %r3;
        ret;""",
        before=".extern .shared .align 16 .b8 dyn[];",
        extra=".shared .align 4 .b8 fixed[20];",
    )
    assert values(clean(run(ptx, [out(3)], smem=12))) == [32, 0, 12]


def test_scalar_and_struct_parameters() -> None:
    ptx = (
        HEAD
        + """
    .visible .entry k(.param .u64 .ptr .global .align 4 p0, .param .b8 small, .param .s16 mid, .param .u64 big)
    {
        .reg .b64 %p, %b; .reg .b32 %s, %m; .reg .b16 %h;
        ld.param.u64 %p, [p0];
        ld.param.s8 %s, [small]; ld.param.s16 %m, [mid]; ld.param.u64 %b, [big];
        st.global.u32 [%p], %s; st.global.u32 [%p+4], %m; st.global.u64 [%p+8], %b;
        ret;
    }"""
    )
    args = [Buffer("uint32", (0,) * 4, align=8), Scalar("i8", -2), Scalar("i16", -3), Scalar("u64", 1 << 40)]
    assert values(clean(run(ptx, args))) == [0xFFFFFFFE, 0xFFFFFFFD, 0, 256]


def test_special_registers() -> None:
    ptx = kernel("""
        mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z; mov.u32 %r3, %ctaid.y; mov.u32 %r4, %nctaid.y;
        mov.u32 %r5, %ntid.y; mov.u32 %r6, %laneid; mov.u32 %r7, %warpid; mov.u32 %r8, %nwarpid;
        mov.u32 %r9, %lanemask_ge; mov.u32 %r10, %lanemask_gt; mov.u32 %r11, WARP_SZ;
        mov.u32 %r12, %lanemask_le; mov.u16 %h1, %ntid.z;
        setp.ne.u32 %q0, %r2, 1; @%q0 ret;
        setp.ne.u32 %q0, %r1, 2; @%q0 ret;
        setp.ne.u32 %q0, %t, 0; @%q0 ret;
        setp.ne.u32 %q0, %r3, 1; @%q0 ret;
        cvt.u32.u16 %r13, %h1;
        st.global.v4.u32 [%p0], {%r4, %r5, %r6, %r7};
        st.global.v4.u32 [%p0+16], {%r8, %r9, %r10, %r11};
        st.global.v2.u32 [%p0+32], {%r12, %r13};
        ret;""")
    result = clean(run(ptx, [Buffer("uint32", (0,) * 10, align=16)], block=(2, 3, 2), grid=(1, 2), warp_size=4))
    assert values(result) == [2, 3, 2, 2, 3, 0b1100, 0b1000, 4, 0b111, 2]


def test_register_events_are_in_program_order_and_name_destinations() -> None:
    ptx = kernel("""
        setp.eq.u32 %q0|%q1, %t, 1;
        @%q0 mov.b32 %r1, 5;
        @%q1 bra END;
        mov.b64 %rd1, 0x200000001;
        mov.b64 {%r2, _}, %rd1;
        st.global.v2.u32 [%p0], {%r1, %r2};
        bar.sync 0;
    END:
        ret;""")
    result = run(ptx, [Buffer("uint32", (0, 0), align=8)], block=(2,), events=True, check=False)
    kinds = EventKind
    mine = [Event(*e) for e in result.events or () if e[1] == 1][3:]
    assert [(e.kind, e.instr, e.name, e.value) for e in mine] == [
        (kinds.REGISTER, 3, "%q0", 1),
        (kinds.REGISTER, 3, "%q1", 0),
        (kinds.REGISTER, 4, "%r1", 5),
        (kinds.BRANCH, 5, "bra", 0),
        (kinds.REGISTER, 6, "%rd1", 0x200000001),
        (kinds.REGISTER, 7, "%r2", 1),
        (kinds.STORE, 8, "global:4", 5),
        (kinds.STORE, 8, "global:4", 1),
        (kinds.BARRIER, 9, "bar", 0),
    ]


def test_spinning_on_another_block_ends() -> None:
    """Block 0 waits for block 1: both are resident on a GPU."""
    ptx = kernel("""
        mov.u32 %r1, %ctaid.x;
        setp.eq.u32 %q0, %r1, 1;
        @%q0 bra SET;
    WAIT:
        ld.volatile.global.u32 %r2, [%p0];
        setp.eq.u32 %q1, %r2, 0;
        @%q1 bra WAIT;
        st.global.u32 [%p0+4], 9;
        ret;
    SET:
        st.volatile.global.u32 [%p0], 1;
        ret;""")
    for schedule in (None, 1, 2):
        assert values(clean(run(ptx, [out(2)], grid=(2,), schedule=schedule))) == [1, 9]


def test_spinning_on_a_lane_of_the_same_warp_ends() -> None:
    ptx = kernel("""
        setp.eq.u32 %q0, %t, 1;
        @%q0 bra SET;
    WAIT:
        ld.volatile.global.u32 %r2, [%p0];
        setp.eq.u32 %q1, %r2, 0;
        @%q1 bra WAIT;
        ret;
    SET:
        st.volatile.global.u32 [%p0], 1;
        ret;""")
    assert values(clean(run(ptx, [out(1)], block=(2,)))) == [1]


def test_step_limit_says_where() -> None:
    result = run(per_thread("mov.b32 %r0, 1;\nAGAIN: bra AGAIN;"), [out(4)], block=(4,), step_limit=500)
    assert result.status is Status.TIMEOUT
    assert "thread (0,0,0) of block (0,0,0)" in result.reason
    assert "500" in result.reason
    assert "`bra AGAIN`" in result.reason
    assert 500 <= result.executed <= 4 * 500
