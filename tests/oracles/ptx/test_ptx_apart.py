"""An access that leaves its buffer is a fault, also where it lands in the next one."""

from __future__ import annotations

import pytest

from oracles.api import Buffer, FaultKind, Launch, Module, Options, Scalar, Status
from oracles.ptx import oracle
from oracles.ptx.apart import Apart

STORE = """.version 6.3
.target sm_75
.address_size 64
.visible .entry put(.param .u64 first, .param .u64 second, .param .u32 at)
{
    .reg .b64 %rd<4>;
    .reg .b32 %r<3>;
    ld.param.u64 %rd1, [first];
    ld.param.u32 %r1, [at];
    mul.wide.s32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    mov.u32 %r2, 7;
    st.global.u32 [%rd3], %r2;
    ret;
}
"""


def launch(at: int) -> Launch:
    return Launch(
        "put", (1, 1, 1), (1, 1, 1), (Buffer("int32", (1, 2)), Buffer("int32", (3, 4)), Scalar("i32", at))
    )


@pytest.mark.parametrize(("at", "past"), [(2, 0), (3, 4)])
def test_a_store_into_the_next_buffer_is_out_of_range(at: int, past: int) -> None:
    result = oracle().run(Module(STORE, "put"), launch(at), Options(check=True))
    assert result.status is Status.FAULT and result.fault is not None
    assert result.fault.kind is FaultKind.OUT_OF_RANGE
    assert result.fault.address == 0x40000000 + 4 * at
    assert f"0x{0x40000000 + 4 * at:x}, {past} bytes past the end of argument 0's buffer" in result.reason
    assert result.buffers[:2] == ((1, 2), (3, 4))


def test_inside_its_buffer_it_is_none_and_without_the_check_neighbours_are_memory() -> None:
    inside = oracle().run(Module(STORE, "put"), launch(1), Options(check=True))
    assert inside.status is Status.OK and inside.buffers[0] == (1, 7)
    unchecked = oracle().run(Module(STORE, "put"), launch(2), Options(check=False))
    assert unchecked.status is Status.OK and unchecked.buffers[1] == (7, 4)


def test_apart_keeps_alignment_and_order() -> None:
    given = Launch(
        "k", (1, 1, 1), (1, 1, 1), (Buffer("int8", (1,) * 3), Scalar("i32", 1), Buffer("int64", (5,), 16))
    )
    near, far = given.addresses(), Apart.of(given).addresses()
    assert far[1] is None and near[2] is not None and far[2] is not None
    assert far[2] % 16 == near[2] % 16 == 0 and far[2] - near[2] == 2 * Apart.of(given).gap()
