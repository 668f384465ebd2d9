"""Faults, refusals, bad input, and the reader's view of PTX text."""

from __future__ import annotations

import re

import pytest
from ptx_kit import HEAD, ORACLE, clean, data, kernel, out, per_thread, run, values

from oracles.api import Buffer, FaultKind, Options, Oracle, Report, Scalar, Status
from oracles.ptx.errors import PtxError
from oracles.ptx.reader import read


def test_it_is_an_oracle() -> None:
    assert isinstance(ORACLE, Oracle)
    assert ORACLE.available() is None
    assert ORACLE.product(Options()).startswith("ptx-1@cpython")
    assert Report.DEFINEDNESS in ORACLE.reports


FAULTS = [
    (
        "ld.global.u32 %r0, [%p0+16];",
        FaultKind.OUT_OF_RANGE,
        "0 bytes past the end of argument 0's buffer (16 bytes)",
    ),
    ("ld.global.u32 %r0, [%p0+-4];", FaultKind.OUT_OF_RANGE, "4 bytes before the start of argument 0's buffer"),
    ("st.global.u32 [%p0+400], 1;", FaultKind.OUT_OF_RANGE, "384 bytes past the end"),
    ("st.global.u64 [%p0+24], %rd1;", FaultKind.OUT_OF_RANGE, "past the end"),
    ("ld.global.v2.u32 {%r0, %r1}, [%p0+4];", FaultKind.MISALIGNED, "no multiple of 8"),
    (
        "ld.global.u32 %r0, [%p0+2];",
        FaultKind.MISALIGNED,
        "0x40000002 in argument 0's buffer is no multiple of 4",
    ),
    ("st.global.u16 [%p0+1], 1;", FaultKind.MISALIGNED, "no multiple of 2"),
    ("atom.global.add.u32 %r0, [%p0+16], 1;", FaultKind.OUT_OF_RANGE, "past the end"),
    ("ld.global.u32 %r0, [0];", FaultKind.OUT_OF_RANGE, "bytes before the start"),
    ("ld.shared.u32 %r0, [64];", FaultKind.OUT_OF_RANGE, "there is no shared memory"),
    ("ld.local.u32 %r0, [0];", FaultKind.OUT_OF_RANGE, "there is no local memory"),
    ("st.global.u8 [%p0+16], 1;", FaultKind.OUT_OF_RANGE, "the byte at 0x40000010"),
    ("trap;", FaultKind.TRAP, "trap is executed"),
    ("brkpt;", FaultKind.TRAP, "breakpoint"),
    ("bar.sync 16;", FaultKind.ILLEGAL, "barrier 16 does not exist"),
    ("bar.sync 0, 0;", FaultKind.ILLEGAL, "a barrier for 0 threads"),
    ("bar.sync 1, 64;", FaultKind.BARRIER, "deadlock: 1 of 64 threads"),
    ("vote.sync.any.pred %q0, %q1, 2;", FaultKind.CONVERGENCE, "lane 0 is not in its own member mask 0x2"),
]


@pytest.mark.parametrize(("line", "kind", "message"), FAULTS)
@pytest.mark.parametrize("check", [False, True])
def test_fault(line: str, kind: FaultKind, message: str, check: bool) -> None:
    result = run(kernel(f".loc 1 77 0\n{line}\nret;"), [out(4)], block=(1,), grid=(1,), check=check)
    assert result.status is Status.FAULT, result.reason
    assert result.fault is not None
    assert result.fault.kind is kind
    assert message in result.fault.message
    assert "thread (0,0,0) of block (0,0,0)" in result.fault.message
    assert "(CUDA line 77)" in result.fault.message
    assert result.fault.instr == 3
    assert result.fault.threads == (0,)


def test_fault_names_the_thread_of_a_2d_block() -> None:
    ptx = kernel("mov.u32 %r1, %tid.y; setp.eq.u32 %q0, %r1, 2; @%q0 st.global.u32 [%p0+8], 1; ret;")
    result = run(ptx, [out(2)], block=(2, 3), grid=(1, 2))
    assert "thread (0,2,0) of block (0,0,0)" in result.reason
    assert result.fault is not None
    assert result.fault.address == 0x40000008


def test_access_across_two_buffers() -> None:
    result = run(kernel("ld.global.u64 %rd1, [%p0];", params=2), [data(1), data(2)])
    assert result.fault is not None
    assert "cross the end of argument 0's buffer" in result.reason


def test_stores_to_constant_variables() -> None:
    before = ".const .align 4 .b32 c = 1;"
    stored = run(kernel("mov.u64 %rd1, c; ld.u32 %r1, [%rd1]; st.u32 [%rd1], 1; ret;", before=before), [out(1)])
    assert "variable c is constant" in stored.reason
    assert run(kernel("st.const.u32 [c], 1; ret;", before=before), [out(1)]).status is Status.BAD_INPUT


def test_deadlock_says_who_waits_where() -> None:
    ptx = kernel("setp.lt.u32 %q0, %t, 3; @%q0 bra A; barrier.sync 1; ret; A: barrier.sync 2; ret;")
    result = run(ptx, [out(1)], block=(8,))
    assert result.fault is not None
    assert result.fault.kind is FaultKind.BARRIER
    line = ptx[: ptx.index("setp.lt")].count("\n") + 1
    assert result.reason == (
        "barrier: deadlock: 5 of 8 threads (thread (3,0,0) of block (0,0,0) first) wait at barrier 1, "
        f"PTX line {line}: `barrier.sync 1`; "
        "3 of 8 threads (thread (0,0,0) of block (0,0,0) first) wait at barrier 2, "
        f"PTX line {line}: `barrier.sync 2`"
    )


def test_the_step_limit_says_where_and_what_to_do() -> None:
    ptx = kernel(".loc 1 9 0\nL: add.u32 %r1, %t, 1; bra L;")
    result = run(ptx, [out(1)], step_limit=50)
    assert result.status is Status.TIMEOUT
    assert re.fullmatch(
        r"step limit of 50 instructions reached by thread \(0,0,0\) of block \(0,0,0\) at PTX line \d+ "
        r"\(CUDA line 9\): `(add\.u32 %r1, %t, 1|bra L)`; if the kernel ends, raise step_limit in the case, "
        r"or --step-limit",
        result.reason,
    ), result.reason


def test_warp_operation_without_its_lanes() -> None:
    ptx = kernel("setp.lt.u32 %q0, %t, 2; @%q0 bra A; bar.sync 0; ret; A: bar.warp.sync 15; ret;")
    result = run(ptx, [out(1)], block=(4,))
    assert result.fault is not None
    assert result.fault.kind is FaultKind.CONVERGENCE
    assert "waits for lane 2, which waits at barrier 0" in result.reason
    other = ptx.replace("bar.sync 0", "vote.sync.any.pred %q1, %q0, 15")
    assert "which waits in " in run(other, [out(1)], block=(4,)).reason


def test_barrier_with_too_many_or_unequal_counts() -> None:
    assert (
        "8 threads arrive at barrier 0, which is for 4"
        in run(kernel("barrier.sync 0, 4; ret;"), [out(1)], block=(8,)).reason
    )
    ptx = kernel("setp.eq.u32 %q0, %t, 0; selp.b32 %r1, 4, 8, %q0; barrier.sync 0, %r1; ret;")
    assert "different counts" in run(ptx, [out(1)], block=(8,)).reason


# --------------------------------------------------------------------------------------------------
# Launches

TYPED = (
    HEAD
    + """
.visible .entry k(.param .u64 .ptr .align 4 p0, .param .u32 n, .param .u64 big, .param .align 4 .b8 s[8])
.reqntid 4, 1, 1
{ .shared .align 4 .b8 big_array[400]; ret; }
.visible .entry other(.param .u64 p0) .maxntid 8 { ret; }
"""
)
GOOD = (out(1), Scalar("u32", 1), Scalar("u64", 1), Scalar("i64", -1))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"name": "nope"}, "no kernel 'nope'; the module has: k, other"),
        ({"args": GOOD[:1]}, "kernel takes 4 arguments, 1 was given"),
        ({"args": GOOD[:3]}, "kernel takes 4 arguments, 3 were given"),
        ({"args": (), "name": "other"}, "kernel takes 1 argument, 0 were given"),
        (
            {"args": (Scalar("u64", 1), *GOOD[1:])},
            "argument 0 is the scalar u64, the kernel takes a buffer there",
        ),
        ({"args": (GOOD[0], out(1), *GOOD[2:])}, "argument 1 is a buffer, the kernel takes 4 bytes there"),
        ({"args": (*GOOD[:3], out(1))}, "argument 3 is a buffer"),
        (
            {"args": (*GOOD[:2], Scalar("i8", 1), GOOD[3])},
            "argument 2 is i8 (1 bytes), the kernel takes 8 bytes",
        ),
        ({"block": (1025,)}, "1025 threads a block, CUDA allows 1024"),
        ({"block": (5,)}, "requires blocks of (4, 1, 1) threads"),
        ({"block": (9,), "name": "other", "args": GOOD[:1]}, "allows 8 threads a block"),
        ({"smem": 48 * 1024}, "bytes of shared memory a block, CUDA allows 49152"),
        ({"warp_size": 3}, "warp size 3: a power of two"),
        ({"warp_size": 64}, "warp size 64"),
    ],
)
def test_launch_that_does_not_fit(changes: dict, reason: str) -> None:  # type: ignore[type-arg]
    result = run(TYPED, **({"args": GOOD, "block": (4,)} | changes))
    assert result.status is Status.BAD_INPUT
    assert reason in result.reason
    assert "\n" not in result.reason


def test_launch_that_fits() -> None:
    clean(run(TYPED, GOOD, block=(4,)))
    clean(run(TYPED, [Scalar("u64", 1)], name="other"))


UNSUPPORTED = [
    ("add.f32 %r1, %r2, %r3;", "floating point is not supported"),
    ("cvt.rn.f32.s32 %r1, %r2;", "floating point is not supported"),
    ("mov.f32 %r1, 0f3F800000;", "floating point is not supported"),
    ("mov.b32 %r1, 0f3F800000;", "floating point is not supported (constant 0f3F800000)"),
    ("setp.lt.f32 %q1, %r1, %r2;", "floating point is not supported"),
    ("setp.nan.u32 %q1, %r1, %r2;", "floating point is not supported"),
    ("sqrt.approx.f32 %r1, %r2;", "floating point is not supported"),
    ("ld.global.f32 %r1, [%p0];", "floating point is not supported"),
    ("atom.global.add.f32 %r1, [%p0], %r2;", "floating point is not supported"),
    ("add.rn.u32 %r1, %r2, 1;", "modifier .rn is not supported"),
    ("mov.u32 %r1, %clock;", "special register %clock has no value"),
    ("mov.u64 %rd1, %clock64;", "special register %clock64"),
    ("tex.2d.v4.s32.s32 {%r1, %r2, %r3, %r4}, [t, {%r5, %r6}];", "textures are not supported; read from a"),
    ("suld.b.1d.b32.trap {%r1}, [s, {%r2}];", "surfaces are not supported; read and write a buffer"),
    ("wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1, %r2}, [%rd1], %r2;", "matrix instructions are not"),
    ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd1}, {%rd2}, {%rd3}, {%rd4};", "matrix instructions"),
    ("mbarrier.init.shared.b64 [%rd1], 1;", "mbarrier objects are not supported; use bar.sync"),
    ("cp.async.bulk.tensor.1d.shared.global [%rd1], [%rd2, {%r1}], [%rd3];", "asynchronous copies are not"),
    ("vadd.s32.s32.s32 %r1, %r2.b0, %r3.h1;", "video instructions are not supported; use plain"),
    ("mapa.u64 %rd1, %rd2, %r1;", "clusters and dependent launches are not supported; use one thread block"),
    ("add.rn.ftz.f32 %r1, %r2, %r3;", "floating point is not supported; use integers or fixed point: add.rn"),
    ("fma.rn.f32 %r1, %r2, %r3, %r4;", "floating point is not supported; use integers or fixed point: fma.rn"),
    ("cvta.param.u64 %rd1, %rd2;", "generic addresses of parameters"),
    ("mov.u64 %rd1, p0;", "the address of parameter"),
    ("ld.param.u64 %rd1, [%rd2];", "parameters are addressed by name only"),
    ("call %rd1, (%r1), proto;", "indirect calls are not supported"),
    ("call missing, (%r1);", "function missing has no body in this module"),
    ("barrier.cluster.arrive;", "this barrier is not supported"),
    ("fence.proxy.async;", "modifier .proxy is not supported"),
    ("ld.shared::cluster.u32 %r1, [%r2];", "modifier .shared::cluster"),
    ("redux.sync.min.f32 %r1, %r2, 1;", "floating point is not supported"),
    ("redux.async.add.u32 %r1, %r2, 1;", "only redux.sync of integers"),
    ("max.s16x2.xor %r1, %r2, %r3;".replace("max.s16x2.xor", "max.xor.s16x2"), "not supported together"),
]


@pytest.mark.parametrize(("line", "reason"), UNSUPPORTED)
def test_refusal_names_instruction_and_lines(line: str, reason: str) -> None:
    result = run(kernel(f".loc 1 12 3\n{line}\nret;"), [out(1)])
    assert result.status is Status.UNSUPPORTED, result.reason
    assert reason in result.reason
    assert "(CUDA line 12)" in result.reason
    assert f": {re.split('[ ;]', line)[0]} at PTX line" in result.reason
    assert result.reason.endswith(f": `{line.rstrip(';')}`")
    assert re.search(r"; \w.*: ", result.reason), "a remedy stands before the place"
    assert "\n" not in result.reason


def test_recursion_is_refused() -> None:
    ptx = HEAD + ".func f() { call f; ret; } .visible .entry k() { call f; ret; }"
    assert "recursion is not supported" in run(ptx).reason
    taken = HEAD + ".func f(.reg .b32 %x) { ret; } .visible .entry k() { call f, (1); ret; }"
    assert "has .reg parameters" in run(taken).reason
    kernels = HEAD + ".visible .entry a() { ret; } .visible .entry k() { call a; ret; }"
    assert "a kernel cannot be called" in run(kernels).reason


def test_what_other_kernels_hold_does_not_matter() -> None:
    ptx = kernel("ret;") + ".visible .entry g() { .reg .f32 %f; add.f32 %f, %f, %f; ret; }"
    clean(run(ptx, [out(1)]))


BAD = [
    ("add.u64 %r1, %r2, %r3;", "register %r2 is .b32, add.u64 needs .u64"),
    ("add.u32 %q1, %r2, %r3;", "register %q1 is .pred"),
    ("add.u32 %r1, %r2;", "add.u32 takes 3 operands, 2 are given"),
    ("add %r1, %r2, %r3;", "add takes one of the types"),
    ("add.u32 5, %r2, %r3;", "the destination must be a register"),
    ("add.u32 %r1, %nothere, 1;", "register %nothere is not declared"),
    ("mov.u64 %rd99, %p0;", "register %rd99 is not declared"),
    ("mov.u64 %rd1, %rd99;", "register %rd99 is not declared"),
    ("ld.global.v2.u32 {%r1, %r99}, [%p0];", "register %r99 is not declared"),
    ("ld.global.u32 %r1, [%rd99+4];", "register %rd99 is not declared"),
    ("setp.eq.u32 %q1|%q99, %r1, 1;", "register %q99 is not declared"),
    ("mov.u32 %r1, %tid.a;", "register %tid.a is not declared"),
    ("@%q99 ret;", "register %q99 is not declared"),
    ("@%p0 ret;", "%p0 is no predicate"),
    ("shll.b32 %r1, %r2, 1;", "no such PTX instruction: shll (did you mean shl?)"),
    ("frobnicate.b32 %r1, {%r2}, [%r3, {1}];", "no such PTX instruction: frobnicate"),
    ("add.u32 %r1, nothere, 1;", "nothere is neither a register nor a variable"),
    ("add.u32 %r1, !%q1, 1;", "operand !%q1 is not allowed"),
    ("add.u32 %r1, {%r1, %r2}, 1;", "a form that this instruction does not take"),
    ("add.u32 %r1|%q1, %r1, 1;", "the destination d|p is not allowed"),
    ("add.u32 %r1, -%r2, 1;", "cannot be negated"),
    ("bra nowhere;", "label nowhere does not exist"),
    ("bra 5;", "bra needs a label"),
    ("brx.idx %r1, nowhere;", "branch table nowhere does not exist"),
    ("brx.idx %r1, %r2;", "brx is written brx.idx"),
    ("ld.global.u32 %r1, %rd1;", "an address in brackets is needed"),
    ("ld.global.u32 %r1, [nothere];", "nothere is neither a register nor a variable"),
    ("ld.shared.u32 %r1, [%h1];", "register %h1 cannot hold an address"),
    ("ld.global.u32 %r1, [slot];", "variable slot is in .shared, not in .global"),
    ("ld.u32 %r1, [slot];", "the generic address of slot is needed"),
    ("ld.global.v2.u32 %r1, [%p0];", "the number of elements does not fit .v2"),
    ("ld.global.v8.u64 {%rd1,%rd1,%rd1,%rd1,%rd1,%rd1,%rd1,%rd1}, [%p0];", "a vector has at most 32 bytes"),
    ("ld.param.u64 %rd1, [p0+8];", "are outside p0 (8 bytes)"),
    ("ld.param.u32 %r1, [p0+2];", "offset 2 is no multiple of 4"),
    ("ld.param.u32 %r1, [slot];", "not in .param"),
    ("ld.param.u32 %r1, %r2;", "an address in brackets is needed"),
    ("st.param.u64 [p0], %rd1;", "a kernel's parameters cannot be stored to"),
    ("mul.u32 %r1, %r2, %r3;", "mul needs one of .lo, .hi and .wide"),
    ("mad.lo.sat.s32 %r1, %r2, %r3, %r4;", "mad takes .sat only as"),
    ("mad.wide.cc.u32 %rd1, %r2, %r3, %rd4;", "mad.wide has no carry"),
    ("mad24.lo.sat.s32 %r1, %r2, %r3, %r4;", "only mad24.hi.sat.s32"),
    ("dp2a.u32.u32 %r1, %r2, %r3, %r4;", "dp2a needs .lo or .hi"),
    ("shf.wrap.b32 %r1, %r2, %r3, %r4;", "shf needs .l or .r"),
    ("lop3.b32 %r1, %r2, %r3, %r4, 256;", "must be a constant from 0 to 255"),
    ("prmt.u32 %r1, %r2, %r3, %r4;", "prmt takes .b32"),
    ("prmt.b32.xyz %r1, %r2, %r3, %r4;", "prmt has the modes"),
    ("bmsk.b32 %r1, %r2, %r3;", "bmsk needs .wrap or .clamp"),
    ("setp.lo.s32 %q1, %r1, %r2;", ".lo compares unsigned types only"),
    ("setp.lt.b32 %q1, %r1, %r2;", "untyped bits compare with .eq and .ne only"),
    ("setp.about.u32 %q1, %r1, %r2;", "setp has no comparison .about"),
    ("setp.eq.nand.u32 %q1, %r1, %r2, %q2;", "combines with .and, .or and .xor only"),
    ("setp.eq.and.u32 %q1, %r1, %r2, %r3;", "register %r3 is .b32"),
    ("setp.eq.and.u32 %q1, %r1, %r2, 1;", "a predicate register is needed"),
    ("mov.b32 %r1, {%r2, %r3, %r4};", "has no 3 parts"),
    ("cvt.pack.sat.u9.s32 %r1, %r2, %r3;", "cvt.pack is written"),
    ("cvt.u32.u16 5, %h1;", "the destination must be a register"),
    ("cvta.u64 %rd1, %rd2;", "cvta needs a state space"),
    ("atom.global.nand.b32 %r1, [%p0], 1;", "atom needs one of the operations"),
    ("red.global.cas.b32 [%p0], 1, 2;", "red needs one of the operations"),
    ("red.local.add.u32 [0], 1;", "red works on global and shared memory"),
    ("bar.red.popc.pred %r1, 0, %q1;", "write bar.sync"),
    ("shfl.idx.b32 %r1, %r2, 0, 31;", "write shfl.sync"),
    ("shfl.sync.left.b32 %r1, %r2, 0, 31, 1;", "shfl.sync has the modes"),
    ("vote.all.pred %q1, %q2;", "write vote.sync"),
    ("match.any.sync.b32 %r1|%q1, %r2, 1;", "match.any has one destination"),
    ("match.sync.b32 %r1, %r2, 1;", "write match.any.sync"),
    ("elect.sync %r1, 1;", "write elect.sync"),
    ("barrier.warp.sync 1;", "write bar.warp.sync"),
    ("call (%r1), f, (%r2);", "f takes 2 arguments and gives 1 results, the call has 1 and 1"),
    ("call (%r1), f, (%r2, slot);", "an argument must be"),
    ("call (%r1), f, (%r2, ten);", "ten has 12 bytes"),
    ("call 5;", "call is written"),
    ("@%r1 bra L;", "%r1 is no predicate"),
    ("add.u32 %r1, %r2, 09;", "09 is not an integer literal"),
    ("add.u32 %r1, %r2, 1/0;", "division by zero in a constant expression"),
    ("add.u32 %r1, %r2, (1;", "')' is missing"),
    ("add.u32 %r1, %r2, *;", "an integer constant is missing"),
    ("add.u32 %r1, %r2, 1 %r3;", "%"),
    ("setp.eq.u32 %q1, !%zz, 1;", "register %zz is not declared"),
    ("L: L: ret;", "label L stands twice"),
    (".reg .b32 %u, %u;", "%u is declared twice"),
    (".reg .v2 .b32 %u;", "vector registers are not supported"),
    (".reg %u;", "lacks its type"),
    (".reg .b32 %u<x>;", "a number is missing in <>"),
    (".shared .b32 a<4>;", "variables a<N> are not supported"),
    (".shared .b32 a[-1];", "has a negative size"),
    (".blah 5;", "directive .blah is not known inside a function"),
    (".shared .blah a;", ".blah is not known in a declaration"),
    ("5;", "a statement cannot start with '5'"),
    ("^", "a statement cannot start"),
    ("`", "unexpected character '`'"),
    ("/* open", "comment that is not closed"),
    ("{ ret;", "is not closed"),
]


@pytest.mark.parametrize(("line", "reason"), BAD)
def test_illegal_ptx_is_one_line_with_its_place(line: str, reason: str) -> None:
    before = """.func (.param .b32 r) f(.param .b32 a, .param .b32 b) { ret; }"""
    extra = ".shared .align 4 .b32 slot; .param .b8 ten[12];"
    result = run(kernel(f"{line}\nL0: ret;", before=before, extra=extra), [out(1)])
    assert result.status is Status.BAD_INPUT, result.reason
    assert reason in result.reason
    assert "PTX line" in result.reason
    assert "\n" not in result.reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "does not start with .version"),
        ("int main() {}", "does not start with .version"),
        (HEAD.replace("64", "32"), "only .address_size 64"),
        (HEAD + "ret;", "outside every function"),
        (HEAD + ".oops", "directive .oops is not known at this place"),
        (HEAD + ".entry k() .oops { ret; }", "directive .oops is not known before a function's body"),
        (HEAD + ".entry k() { ret; } .entry k() { ret; }", "defined twice"),
        (HEAD + ".entry k(.u32 x) { ret; }", ".param is missing"),
        (HEAD + ".entry k(.param .u32 x .param .u32 y) { ret; }", "')' is missing"),
        (HEAD + ".entry () { ret; }", "the function's name is missing"),
        (HEAD + ".entry k() ret;", "'{' is missing"),
        (HEAD + ".global .u32 a = b;", "b in an initialiser is no variable"),
        (HEAD + ".global .u32 a[1] = {1, 2};", "more values than its array has room for"),
        (HEAD + ".global .f32 a = 1.5;", "is no integer"),
        (HEAD + ".global .u32 a; .global .u32 a;", "declared twice"),
    ],
)
def test_reader_errors(text: str, reason: str) -> None:
    with pytest.raises(PtxError, match="PTX line") as caught:
        read(text)
    assert reason in str(caught.value)


def test_reader_takes_the_forms_that_compilers_write() -> None:
    module = read(
        HEAD
        + """
    // .globl k
    .file 1 "a.cu", 123, 45
    .extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
    .visible .global .align 8 .b8 bytes[] = {1, 2, 0xff};
    .global .attribute(.managed) .align 4 .u32 m = 0f3F800000;
    .weak .const .s32 table[2][2] = {{-1}, {2, (3+4)*2 - 010}};
    .extern .shared .align 16 .b8 dyn[];
    .section .debug_str { info: .b8 1, 2 }
    .visible .entry k(.param .u64 .ptr .align 1 k_param_0, .param .align 4 .b8 k_param_1[12])
    .maxntid 256, 1, 1 .minnctapersm 2
    {
        .reg .pred %p<3>; .reg .b32 %r<5>, x; .reg .b32 %r1x<2>;
        .loc 1 5 3 /* two */ .loc 1 9 1, function_name $L__info, inlined_at 1 6 2
    $L__BB0_1: .pragma "nounroll";
        mov.u32 %r1, 0x10U; @!%p1 bra.uni $L__BB0_1; // comment; add
        { .reg .b32 x; mov.b32 x, ~5; mov.b32 %r2, 1 ? 2 : 3; mov.b32 %r1x1, (.u64)-1 >> 60 && 1 || 0; }
        ret;
    }
    .alias a, b;
    """
    )
    assert module.entries == ("k",)
    kernel_ = module.functions["k"]
    assert [i.ordinal for i in kernel_.body or ()] == list(range(6))
    assert [(i.op, i.mods, i.cuda) for i in (kernel_.body or ())[:2]] == [
        ("mov", ("u32",), 6),
        ("bra", ("uni",), 6),
    ]
    assert kernel_.limits == {"maxntid": (256, 1, 1), "minnctapersm": (2,)}
    assert kernel_.params[0].pointer
    assert kernel_.params[1].size == 12
    sizes = {v.name: (v.size, v.align, v.data) for v in module.variables}
    assert sizes["bytes"] == (3, 8, b"\1\2\xff")
    assert sizes["m"] == (4, 4, b"\0\0\x80\x3f")
    assert sizes["table"][2] == b"".join(v.to_bytes(4, "little", signed=True) for v in (-1, 0, 2, 6))
    assert sizes["dyn"] == (0, 16, None)
    assert module.functions["vprintf"].body is None


def test_nested_scopes_and_label_shadowing() -> None:
    ptx = per_thread("""
        mov.b32 %r0, 0;
        { .reg .b32 v; mov.b32 v, 3; bra L; add.u32 v, v, 100; L: add.u32 %r0, %r0, v; }
        { .reg .b32 v; mov.b32 v, 4; bra L; add.u32 v, v, 100; L: add.u32 %r0, %r0, v; }
    """)
    assert values(clean(run(ptx, [out(1)]))) == [7]


def test_body_without_ret_and_untouched_buffers() -> None:
    ptx = kernel("st.global.u32 [%p0], 3;", params=2)
    result = clean(run(ptx, [out(1), Buffer("int8", (-3, 4))]))
    assert result.buffers == ((3,), (-3, 4))
    assert result.executed == 6  # the end of the body counts as a ret


def test_initialiser_with_an_address_that_is_not_known() -> None:
    before = ".shared .b32 s; .global .u64 g = generic(s);"
    assert (
        "has the address of s in .shared"
        in run(kernel("ld.global.u64 %rd1, [g]; ret;", before=before), [out(1)]).reason
    )
    extern = ".extern .global .u32 there;"
    assert (
        "defined in another module"
        in run(kernel("ld.global.u32 %r1, [there]; ret;", before=extern), [out(1)]).reason
    )
    shared = ".shared .b32 s = 5;"
    assert "has an initialiser" in run(kernel("ld.shared.u32 %r1, [s]; ret;", before=shared), [out(1)]).reason


def test_a_crash_of_the_leg_is_a_harness_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oracles.ptx.leg.check_launch", lambda *_: 1 / 0)
    result = run(kernel("ret;"), [out(1)])
    assert result.status is Status.HARNESS_ERROR
    assert "ZeroDivisionError" in result.reason
