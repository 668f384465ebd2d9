"""What is folded where it is provable, and only there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mir_machine import launch
from select_kit import bits, kernel, one, selected, signed, source

from qwengpu.isa import Op, Space
from qwengpu.lowering.mir import MOp
from qwengpu.lowering.select import select
from qwengpu.spec import SEED

SHARED = (
    ".shared .align 4 .b32 s[32]; .reg .b64 %a; .reg .b32 %r<9>; ld.param.u64 %a, [buf]; ld.param.u32 %r1, [n];"
    "{prepare} shl.b32 %r3, %r2, 2; mov.u32 %r4, s; add.u32 %r5, %r4, 64; add.u32 %r5, %r5, 0;"
    "add.u32 %r6, %r3, 64; st.shared.u32 [%r6+-4], 7; ld.shared.u32 %r7, [%r6+-4];"
    "st.global.u32 [%a], %r7; ret;"
)


def shared_loads(prepare: str) -> tuple[list[MOp], int]:
    """Shared-memory loads of a kernel with index %r2 = ``prepare`` of n, and what it stores (n = 5)."""
    text = kernel(SHARED.replace("{prepare}", prepare), ".param .u64 buf, .param .u32 n")
    function = select(text, None, SEED)
    (after,), _ = launch(function, SEED, [bytearray(4), (5).to_bytes(4, "little")])
    items = [i for b in function.blocks for i in b.items if isinstance(i, MOp) and i.op is Op.LD]
    return [i for i in items if i.mod.space is Space.SHARED], int.from_bytes(after, "little")


def test_a_shared_address_that_cannot_wrap_is_folded() -> None:
    (load,), stored = shared_loads("and.b32 %r2, %r1, 7;")
    assert stored == 7
    assert (load.mod.scale, load.c.value) == (2, 60)


@pytest.mark.parametrize("prepare", ["mov.b32 %r2, %r1;", "and.b32 %r2, %r1, 0x4000000f;"])
def test_a_shared_address_that_may_wrap_is_not_folded(prepare: str) -> None:
    (load,), stored = shared_loads(prepare)
    assert stored == 7
    assert load.mod.scale == 0


def test_global_addresses_cost_no_operation() -> None:
    text = kernel(
        ".reg .b64 %a, %w, %x, %y, %z; .reg .b32 %i, %v; ld.param.u64 %a, [buf]; mov.u32 %i, %ctaid.x;"
        "cvt.s64.s32 %w, %i; shl.b64 %x, %w, 2; add.s64 %y, %a, %x; ld.global.s8 %v, [%y+3];"
        "mad.wide.s32 %z, %i, 8, %a; st.global.u32 [%z+-16], %v; ret;",
        ".param .u64 buf",
    )
    function = select(text, None, SEED)
    assert not [i for b in function.blocks for i in b.items if isinstance(i, MOp) and i.op is Op.LEA]


@settings(max_examples=80, deadline=None)
@given(bits(32), bits(32), st.sampled_from(["eq", "ne", "lt", "le", "gt", "ge"]), st.sampled_from("us"))
def test_comparisons_of_extended_words(a: int, b: int, relation: str, kind: str) -> None:
    compare = {
        "eq": lambda x, y: x == y,
        "ne": lambda x, y: x != y,
        "lt": lambda x, y: x < y,
        "le": lambda x, y: x <= y,
        "gt": lambda x, y: x > y,
        "ge": lambda x, y: x >= y,
    }[relation]
    for extend in ("s64.s32", "u64.u32"):
        wide = [signed(v, 32) if extend[0] == "s" else v for v in (a, b)]
        x, y = (v if kind == "s" else v & (1 << 64) - 1 for v in wide)
        text = f".reg .b64 x, y; cvt.{extend} x, a0; cvt.{extend} y, a1; setp.{relation}.{kind}64 d0, x, y;"
        assert one(text, 1, (32, 32), (a, b)) == int(compare(x, y))
        text = f".reg .b64 x; cvt.{extend} x, a0; setp.{relation}.{kind}64 d0, x, {wide[1]};"
        assert one(text, 1, (32, 32), (a, b)) == int(compare(x, y))
        text = f".reg .b64 x; cvt.{extend} x, a1; setp.{relation}.{kind}64 d0, {wide[0]}, x;"
        assert one(text, 1, (32, 32), (a, b)) == int(compare(x, y))


def test_equal_operations_are_emitted_once_a_block() -> None:
    text = ".reg .b16 h; cvt.u32.u16 d0, a0; cvt.u32.u16 d1, a0; add.u32 d2, d0, d1;"
    function = selected(source(text, (32, 32, 32), (16,)))
    ops = [i.op for b in function.blocks for i in b.items if isinstance(i, MOp)]
    assert ops.count(Op.AND) <= 1
