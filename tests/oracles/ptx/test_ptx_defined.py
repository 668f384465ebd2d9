"""What the definedness checks find, and what they must leave alone."""

from __future__ import annotations

import pytest
from ptx_kit import HEAD, clean, data, kernel, out, per_thread, run, values

from oracles.api import FindingKind, Result, Status

K = FindingKind


def kinds(result: Result) -> list[FindingKind]:
    assert result.status is Status.OK, result.reason
    return [f.kind for f in result.findings]


@pytest.mark.parametrize(
    ("use", "found"),
    [
        ("st.global.u32 [%p0], %r5;", "it is stored"),
        ("setp.eq.u32 %q0, %r5, 1; @%q0 bra END;", "it decides a guard"),
        ("add.u32 %r6, %r5, 1; st.global.u32 [%p0], %r6;", "it is stored"),
        (
            "cvt.u64.u32 %rd1, %r5; add.u64 %rd1, %rd1, %p0; ld.global.u32 %r6, [%rd1];",
            "it is used as an address",
        ),
        ("addc.u32 %r6, 1, 2; st.global.u32 [%p0], %r6;", "the carry flag"),
        ("shfl.sync.idx.b32 %r6, %r5, 0, 31, -1; st.global.u32 [%p0], %r6;", "it is stored"),
        ("selp.b32 %r6, %r5, 1, %q9; st.global.u32 [%p0], %r6;", "it is stored"),
        ("setp.eq.u32 %q9, 1, 1; selp.b32 %r6, %r5, 1, %q9; st.global.u32 [%p0], %r6;", "%r5"),
        ("bar.sync %r5;", "it is an operand of a barrier"),
        ("red.global.add.u32 [%p0], %r5;", "it is stored"),
        ("setp.eq.u32 %q1, %r5, 0; vote.sync.any.pred %q2, %q1, 1; @%q2 bra END;", "it decides a guard"),
        ("st.shared.u32 [slot], %r5; ld.shared.u32 %r6, [slot]; st.global.u32 [%p0], %r6;", "it is stored"),
        ("ld.shared.u32 %r6, [slot]; st.global.u32 [%p0], %r6;", "shared memory is read before it is written"),
        ("ld.local.u16 %h1, [frame]; st.global.u16 [%p0], %h1;", "local memory is read before it is written"),
        ("atom.shared.add.u32 %r6, [slot], 1;", "it is changed by an atomic"),
        ("bar.warp.sync %r5;", "it is a member mask"),
        ("brx.idx %r5, TABLE; TABLE: .branchtargets END;", "it decides a branch"),
    ],
)
def test_undefined_values_that_matter(use: str, found: str) -> None:
    extra = ".shared .align 4 .b32 slot; .local .align 4 .b32 frame;"
    use = use.replace("bar.warp.sync %r5", "add.u32 %r7, %r5, 1; bar.warp.sync %r7") if "warp" in use else use
    result = run(kernel(f"{use}\nEND: ret;", extra=extra), [out(4)])
    if "member mask" in found:  # a mask of 1 happens to hold the lane
        assert result.findings
    assert any(found in f.message and f.kind is K.UNINITIALISED for f in result.findings), result.findings
    assert all(f.threads == (0,) for f in result.findings)


@pytest.mark.parametrize(
    "use",
    [
        "mov.b32 %r6, %r5;",
        "mov.b32 %r5, 1; st.global.u32 [%p0], %r5;",
        "setp.eq.u32 %q0, 1, 1; selp.b32 %r6, 1, %r5, %q0; st.global.u32 [%p0], %r6;",
        "add.u32 %r6, %r5, %r5; mov.b32 %r6, 0; st.global.u32 [%p0], %r6;",
        "st.shared.u8 [slot+3], 1; ld.shared.u8 %r6, [slot+3]; st.global.u32 [%p0], %r6;",
        "ld.shared.u32 %r6, [slot];",
        "st.local.u32 [frame], 1; ld.local.u8 %r6, [frame+2]; st.global.u32 [%p0], %r6;",
        "add.cc.u32 %r6, 1, 2; addc.u32 %r6, 1, 2; st.global.u32 [%p0], %r6;",
        "ld.global.u32 %r6, [%p0+8]; st.global.u32 [%p0], %r6;",
    ],
)
def test_values_that_are_defined_or_do_not_matter(use: str) -> None:
    extra = ".shared .align 4 .b32 slot; .local .align 4 .b32 frame;"
    clean(run(kernel(f"{use} ret;", extra=extra), [out(4)]))


def test_only_the_lanes_that_did_not_write_are_named() -> None:
    ptx = per_thread("setp.gt.u32 %q0, %t, 1; @%q0 mov.b32 %r0, 5;")
    (finding,) = run(ptx, [out(4)], block=(4,)).findings
    assert finding.threads == (0, 1)
    assert "%r0 is read before it is written" in finding.message
    assert "PTX line" in finding.message


def test_an_undefined_result_of_a_function() -> None:
    ptx = (
        HEAD
        + """
    .func (.param .b32 r) f(.param .b32 x) { ret; }
    .visible .entry k(.param .u64 p0)
    {
        .reg .b64 %p; .reg .b32 %r; ld.param.u64 %p, [p0];
        { .param .b32 a, b; st.param.b32 [a], 1; call (b), f, (a); ld.param.b32 %r, [b]; }
        st.global.u32 [%p], %r; ret;
    }"""
    )
    assert kinds(run(ptx, [out(1)])) == [K.UNINITIALISED]


def test_division_by_zero_is_open_and_taints() -> None:
    ptx = per_thread("ld.global.u32 %r1, [%p1]; div.u32 %r0, 7, %r1;", params=2)
    result = run(ptx, [out(2), data(0)], block=(2,))
    assert values(result) == [0xFFFFFFFF] * 2
    (finding,) = result.findings
    assert finding.kind is K.UNSPECIFIED
    assert finding.threads == (0, 1)
    assert "it is stored" in finding.message
    unused = run(kernel("mov.b32 %r1, 0; rem.s32 %r0, 7, %r1; ret;"), [out(1)])
    assert kinds(unused) == [K.UNSPECIFIED]
    assert "decides nothing" in unused.findings[0].message
    clean(run(ptx, [out(2), data(3)], block=(2,)))


@pytest.mark.parametrize("op", ["div", "rem"])
@pytest.mark.parametrize("bits", [16, 32, 64])
def test_a_quotient_that_does_not_fit_is_open(op: str, bits: int) -> None:
    register = {16: "h", 32: "r", 64: "rd"}[bits]
    lowest, above = 1 << bits - 1, (1 << bits - 1) + 1

    def divide(kind: str, a: int, b: int) -> Result:
        lines = (
            f"mov.b{bits} %{register}1, {a}; mov.b{bits} %{register}2, {b};"
            f"{op}.{kind}{bits} %{register}3, %{register}1, %{register}2;"
            f"st.global.b{bits} [%p0], %{register}3;"
        )
        return run(kernel(f"{lines} ret;"), [out(2)])

    (finding,) = divide("s", lowest, -1).findings
    assert finding.kind is K.UNSPECIFIED and finding.threads == (0,)
    assert f"the quotient of -2**{bits - 1} and -1 does not fit .s{bits}" in finding.message
    for kind, a, b in (("s", above, -1), ("s", lowest, 1), ("u", lowest, -1), ("s", lowest, lowest)):
        clean(divide(kind, a, b))


def test_an_open_value_follows_through_memory_to_other_threads() -> None:
    ptx = kernel(
        """
        setp.ne.u32 %q0, %t, 0;
        @%q0 bra WAIT;
        mov.b32 %r1, 0; div.u32 %r2, 1, %r1; st.shared.u32 [slot], %r2;
    WAIT:
        bar.sync 0;
        @!%q0 bra END;
        ld.shared.u32 %r3, [slot]; st.global.u32 [%p0], %r3;
    END: ret;""",
        extra=".shared .align 4 .b32 slot;",
    )
    (finding,) = run(ptx, [out(1)], block=(2,)).findings
    assert finding.kind is K.UNSPECIFIED
    assert finding.threads == (0, 1)


def test_shuffle_from_a_lane_that_does_not_take_part() -> None:
    ptx = per_thread("shfl.sync.idx.b32 %r0, %t, 3, 31, 3;")
    (finding,) = run(ptx, [out(2)], block=(2,)).findings
    assert finding.kind is K.UNSPECIFIED
    assert "does not take part" in finding.message


# --------------------------------------------------------------------------------------------------
# Races

SHARED = ".shared .align 4 .b8 slot[64];"


@pytest.mark.parametrize(
    ("body", "racy"),
    [
        ("st.global.u32 [%p0], %t; ret;", True),
        ("st.global.u32 [%p0], 7; ret;", False),  # one value, whoever comes last
        ("add.u64 %rd1, %p0, %off; st.global.u32 [%rd1], %t; ret;", False),
        ("cvt.u64.u32 %rd2, %t; add.u64 %rd1, %p0, %rd2; st.global.u8 [%rd1], %t; ret;", False),
        (
            "cvt.u64.u32 %rd2, %t; add.u64 %rd1, %p0, %rd2; st.global.u8 [%rd1], %t;"
            "ld.global.u32 %r1, [%p0]; ret;",
            True,
        ),
        ("red.global.add.u32 [%p0], 1; ret;", False),
        ("red.global.add.u32 [%p0], 1; ld.volatile.global.u32 %r1, [%p0]; ret;", False),
        ("red.global.add.u32 [%p0], 1; ld.global.u32 %r1, [%p0]; ret;", True),
        ("st.volatile.global.u32 [%p0], %t; ret;", False),
        (
            "setp.eq.u32 %q0, %t, 0; @%q0 st.global.u32 [%p0], 1; bar.sync 0; ld.global.u32 %r1, [%p0]; ret;",
            False,
        ),
        ("setp.eq.u32 %q0, %t, 0; @%q0 st.global.u32 [%p0], 1; ld.global.u32 %r1, [%p0]; ret;", True),
        ("ld.global.u32 %r1, [%p0]; setp.eq.u32 %q0, %t, 0; @%q0 st.global.u32 [%p0], 1; ret;", True),
        (
            "ld.global.u32 %r1, [%p0]; bar.sync 0; setp.eq.u32 %q0, %t, 0; @%q0 st.global.u32 [%p0], 1; ret;",
            False,
        ),
        (
            "ld.global.u32 %r1, [%p0]; add.u32 %r2, %r1, 1; atom.global.cas.b32 %r3, [%p0], %r1, %r2; ret;",
            False,
        ),
    ],
)
@pytest.mark.parametrize("warp", [4, 32])
def test_races_in_a_block(body: str, racy: bool, warp: int) -> None:
    for schedule in (None, 1):
        result = run(kernel(body), [out(8)], block=(8,), warp_size=warp, schedule=schedule)
        assert (K.RACE in kinds(result)) is racy, (body, result.findings)


@pytest.mark.parametrize(
    ("body", "racy"),
    [
        # A flag is passed: data, fence, flag | flag, fence, data.
        (
            "st.global.u32 [%p0], 5; membar.gl; st.volatile.global.u32 [%p0+4], 1; ret;"
            "R: ld.volatile.global.u32 %r1, [%p0+4]; setp.eq.u32 %q1, %r1, 0; @%q1 bra R; membar.gl;"
            "ld.global.u32 %r2, [%p0]; ret;",
            False,
        ),
        (
            "st.global.u32 [%p0], 5; st.volatile.global.u32 [%p0+4], 1; ret;"
            "R: ld.volatile.global.u32 %r1, [%p0+4]; setp.eq.u32 %q1, %r1, 0; @%q1 bra R; membar.gl;"
            "ld.global.u32 %r2, [%p0]; ret;",
            True,
        ),
        (
            "st.global.u32 [%p0], 5; fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%p0+4], 1; ret;"
            "R: ld.relaxed.gpu.global.u32 %r1, [%p0+4]; setp.eq.u32 %q1, %r1, 0; @%q1 bra R;"
            "ld.global.u32 %r2, [%p0]; ret;",
            True,
        ),
        (
            "st.global.u32 [%p0], 5; st.release.gpu.global.u32 [%p0+4], 1; ret;"
            "R: ld.acquire.gpu.global.u32 %r1, [%p0+4]; setp.eq.u32 %q1, %r1, 0; @%q1 bra R;"
            "ld.global.u32 %r2, [%p0]; ret;",
            False,
        ),
        (
            "st.global.u32 [%p0], 5; membar.gl; atom.global.add.u32 %r1, [%p0+4], 1; ret;"
            "R: atom.acquire.gpu.global.add.u32 %r1, [%p0+4], 0; setp.eq.u32 %q1, %r1, 0; @%q1 bra R;"
            "ld.global.u32 %r2, [%p0]; ret;",
            False,
        ),
        ("st.relaxed.cta.global.u32 [%p0], 5; ret; R: st.relaxed.cta.global.u32 [%p0], 6; ret;", True),
        ("st.relaxed.gpu.global.u32 [%p0], 5; ret; R: st.relaxed.gpu.global.u32 [%p0], 6; ret;", False),
        ("st.global.u32 [%p0], 5; ret; R: st.global.u32 [%p0], 6; ret;", True),
    ],
)
def test_races_between_blocks(body: str, racy: bool) -> None:
    ptx = kernel(f"mov.u32 %r9, %ctaid.x; setp.eq.u32 %q0, %r9, 1; @%q0 bra R; {body}")
    for schedule in (None, 1, 2):
        result = run(ptx, [out(2)], grid=(2,), schedule=schedule)
        assert (K.RACE in kinds(result)) is racy, result.findings


def test_last_block_reduces() -> None:
    ptx = kernel(
        """
        mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x;
        mul.wide.u32 %rd1, %r1, 4; add.u64 %rd1, %p0, %rd1;
        setp.ne.u32 %q0, %t, 0;
        @%q0 bra MEET;
        add.u32 %r3, %r1, 10; st.global.u32 [%rd1+8], %r3;
        membar.gl;
        atom.global.inc.u32 %r4, [%p0], %r2;
        add.u32 %r4, %r4, 1;
        st.shared.u32 [slot], %r4;
    MEET:
        bar.sync 0;
        ld.shared.u32 %r4, [slot];
        setp.ne.u32 %q1, %r4, %r2; @%q1 bra END; @%q0 bra END;
        ld.global.u32 %r5, [%p0+8]; ld.global.u32 %r6, [%p0+12];
        add.u32 %r5, %r5, %r6; st.global.u32 [%p0+4], %r5;
    END: ret;""",
        extra=SHARED,
    )
    for schedule in (None, 1, 2, 3):
        assert values(clean(run(ptx, [out(4)], block=(2,), grid=(2,), schedule=schedule)))[1] == 21
    without = run(ptx.replace("membar.gl;", ""), [out(4)], block=(2,), grid=(2,))
    assert K.RACE in kinds(without)


def test_race_message_names_both_sides() -> None:
    (finding,) = run(kernel("st.global.u32 [%p0], %t; ret;"), [out(1)], block=(2,)).findings
    assert finding.threads == (1, 0)
    assert "thread (1,0,0) of block (0,0,0) writes global 0x40000000" in finding.message
    assert "written by thread (0,0,0)" in finding.message


# --------------------------------------------------------------------------------------------------
# Barriers


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("setp.lt.u32 %q0, %t, 2; @%q0 bra A; bar.sync 0; bra B; A: bar.sync 0; B: ret;", True),
        ("setp.lt.u32 %q0, %t, 2; @%q0 bra A; barrier.sync 0; bra B; A: barrier.sync 0; B: ret;", False),
        ("setp.lt.u32 %q0, %t, 2; @%q0 bra A; B: bar.sync 0; ret; A: bra B;", False),
        ("setp.lt.u32 %q0, %t, 2; @%q0 bra A; bar.sync 0; A: ret;", False),  # two threads left, both there
        ("setp.lt.u32 %q0, %t, 2; @%q0 bra A; bar.sync 0; ret; A: bar.sync 0; ret;", True),
    ],
)
def test_barriers_that_a_warp_does_not_reach_together(body: str, found: bool) -> None:
    result = run(kernel(body), [out(1)], block=(4,))
    assert (K.DIVERGENT_BARRIER in kinds(result)) is found
    if found:
        assert "of the same warp" in result.findings[0].message


def test_other_warps_may_wait_elsewhere() -> None:
    ptx = kernel("setp.lt.u32 %q0, %t, 4; @%q0 bra A; bar.sync 0; ret; A: bar.sync 0; ret;")
    clean(run(ptx, [out(1)], block=(8,), warp_size=4))


def test_checks_can_be_left_out() -> None:
    assert run(kernel("st.global.u32 [%p0], %t; ret;"), [out(1)], block=(4,), check=False).findings == ()
