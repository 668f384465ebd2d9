"""One kernel through the real lowering: the dot product of the published demonstration."""

from __future__ import annotations

from typing import Any

import pytest

from oracles.api import Buffer, EventKind, FaultKind, Launch, Module, Options, Result, Scalar, Status
from oracles.reference import oracle
from oracles.reference.machine import Machine
from oracles.reference.trace import Trace
from qwengpu.spec import SEED
from qwengpu.tokens import vocabulary

DOT = """\
.version 8.0
.target sm_70
.address_size 64
.visible .entry dot(.param .u64 a, .param .u64 b, .param .u64 out, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [out];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, 0;
  mov.u32 %r3, 0;
LOOP:
  mul.wide.u32 %rd4, %r2, 4;
  add.s64 %rd5, %rd1, %rd4;
  add.s64 %rd6, %rd2, %rd4;
  ld.global.u32 %r4, [%rd5];
  ld.global.u32 %r5, [%rd6];
  mad.lo.s32 %r3, %r4, %r5, %r3;
  add.s32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, %r1;
  @%p1 bra LOOP;
  st.global.u32 [%rd3], %r3;
  ret;
}
"""


def _launch(a: tuple[int, ...], b: tuple[int, ...]) -> Launch:
    args = (Buffer("int32", a), Buffer("int32", b), Buffer("int32", (0,)), Scalar("i32", len(a)))
    return Launch("dot", (1, 1, 1), (1, 1, 1), args)


def test_the_dot_product_takes_few_tokens() -> None:
    result = oracle().run(Module(DOT, "dot"), _launch((1, 2, 3), (4, 5, 6)), Options(events=True))
    assert result.status is Status.OK, result.reason
    assert result.buffers[2] == (32,)
    assert len(result.tokens) <= 20, vocabulary(SEED).text(result.tokens)
    products = [event.value for event in result.events if event.name == "%r3" and event.instr == 11]
    assert products == [4, 14, 32]
    stores = [event[2:] for event in result.events if event.kind == EventKind.STORE]
    assert stores == [(15, "global:4", 32, 0x4000_0018)]


def test_other_operands_give_another_answer_and_other_tokens() -> None:
    leg = oracle()
    first = leg.run(Module(DOT, "dot"), _launch((1, 2, 3), (4, 5, 6)), Options())
    other = leg.run(Module(DOT, "dot"), _launch((7, 2, 3), (4, -5, 6)), Options())
    assert other.buffers[2] == (7 * 4 - 2 * 5 + 3 * 6,)
    assert other.tokens != first.tokens


def test_a_missing_element_is_a_fault_at_its_load() -> None:
    args = (Buffer("int32", (1,)), Buffer("int32", (1,)), Buffer("int32", (0,)), Scalar("i32", 9))
    result = oracle().run(Module(DOT, "dot"), Launch("dot", (1, 1, 1), (1, 1, 1), args), Options())
    assert result.status is Status.FAULT
    assert result.fault.instr in (9, 10) and result.fault.address == 0x4000_000C


FAULTS = """\
.version 8.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{{
  .reg .pred %q<2>;
  .reg .b16 %h<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %q1, %r1, 2;
  mov.u16 %h1, 7;
  {line}
  st.global.u32 [%rd1], %r1;
  ret;
}}
"""


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("trap;", FaultKind.TRAP),
        ("@%q1 trap;", FaultKind.TRAP),
        ("st.global.u16 [%rd1+1], %h1;", FaultKind.MISALIGNED),
        ("st.global.u8 [%rd1+64], %r1;", FaultKind.OUT_OF_RANGE),
        ("st.global.u32 [%rd1+2], %r1;", FaultKind.MISALIGNED),
        ("ld.global.u32 %r2, [%rd1+64];", FaultKind.OUT_OF_RANGE),
        ("ld.global.v2.u32 {_, %r2}, [%rd1+4];", FaultKind.MISALIGNED),
        ("@%q1 ld.global.u16 %r2, [%rd1+1];", FaultKind.MISALIGNED),
        ("atom.global.add.u32 %r2, [%rd1+2], 1;", FaultKind.MISALIGNED),
        ("red.global.max.u32 [%rd1+64], 1;", FaultKind.OUT_OF_RANGE),
    ],
)
@pytest.mark.parametrize("spec", ["seed", "wide"])
def test_a_fault_names_its_ptx_instruction(line: str, kind: FaultKind, spec: str) -> None:
    launch = Launch("k", (1, 1, 1), (4, 1, 1), (Buffer("int32", (0,) * 4),))
    fault = oracle().run(Module(FAULTS.format(line=line), "k"), launch, Options(spec=spec)).fault
    assert fault is not None
    assert (fault.kind, fault.instr) == (kind, 4)


def _dot_of(length: int, **options: Any) -> Result:
    ones = (1,) * length
    return oracle().run(Module(DOT, "dot"), _launch(ones, ones), Options(**options))


def test_a_launch_that_meets_the_step_limit_keeps_no_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oracles.reference.leg.PROBE", 5)
    limits: list[tuple[int, bool, bool]] = []

    class Watched(Machine):
        def run(self, step_limit: int = 0, *, tokens: bool = True, records: bool = False) -> Trace:
            limits.append((step_limit, tokens, records))
            return super().run(step_limit, tokens=tokens, records=records)

    monkeypatch.setattr("oracles.reference.leg.Machine", Watched)
    stopped = _dot_of(40, events=True, step_limit=30)
    assert (stopped.status, stopped.events, stopped.tokens) == (Status.TIMEOUT, None, None)
    assert stopped.notes["execs"] == 30 and "after 30 EXECs" in stopped.reason
    assert limits == [(5, True, True), (30, False, False)]
    plain = _dot_of(40, step_limit=30)
    assert (plain.status, plain.reason, plain.buffers) == (stopped.status, stopped.reason, stopped.buffers)
    assert plain.tokens


def test_a_long_launch_that_ends_reports_all(monkeypatch: pytest.MonkeyPatch) -> None:
    short = _dot_of(40, events=True)
    monkeypatch.setattr("oracles.reference.leg.PROBE", 5)
    probed = _dot_of(40, events=True)
    assert probed.status is Status.OK and probed.notes["execs"] > 5
    assert (probed.events, probed.tokens, probed.buffers) == (short.events, short.tokens, short.buffers)
