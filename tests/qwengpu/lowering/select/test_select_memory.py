"""Loads, stores, parameters, variables, local memory, atomics."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mir_machine import BASE, MachineFault, launch
from select_kit import bits, kernel, signed

from qwengpu.lowering.mir import MSerial, MStore
from qwengpu.lowering.select import select
from qwengpu.spec import SEED

BUFFER = ".reg .b64 %a, %t; .reg .b32 %r<9>; ld.param.u64 %a, [buf]; cvta.to.global.u64 %a, %a;\n"


def run(
    body: str, buffer: bytes, *scalars: bytes, params: str = "", declare: str = "", block: int = 1
) -> bytes:
    """The buffer after ``body``, which finds its address in %a."""
    text = kernel(BUFFER + body + " ret;", ".param .u64 buf" + params, declare)
    function = select(text, None, SEED)
    (after,), _ = launch(function, SEED, [bytearray(buffer), *scalars], block=(block, 1, 1))
    return after


@given(st.binary(min_size=16, max_size=16), st.sampled_from([8, 16, 32, 64]), st.integers(0, 1), bits(64))
@settings(max_examples=60, deadline=None)
def test_stores_change_their_bytes_only(before: bytes, width: int, slot: int, value: int) -> None:
    size = width // 8
    at = size * slot
    body = f".reg .b64 %v; ld.param.u64 %v, [v]; st.global.u{width} [%a+{at}], %v;"
    after = run(body, before, value.to_bytes(8, "little"), params=", .param .u64 v")
    cut = (value & (1 << width) - 1).to_bytes(size, "little")
    assert after == before[:at] + cut + before[at + size :]


@pytest.mark.parametrize("width", [8, 16, 32])
@pytest.mark.parametrize("sign", ["u", "s", "b"])
@given(data=st.binary(min_size=8, max_size=8), slot=st.integers(0, 1))
@settings(max_examples=15, deadline=None)
def test_loads_extend_to_the_register(width: int, sign: str, data: bytes, slot: int) -> None:
    at = width // 8 * slot
    raw = int.from_bytes(data[at : at + width // 8], "little")
    want = signed(raw, width) if sign == "s" else raw
    for register, size in (("b32", 4), ("b64", 8)):
        body = f".reg .{register} v; ld.global.{sign}{width} v, [%a+{at}]; st.global.{register} [%a+8], v;"
        after = run(body, data + bytes(8))
        assert after[8 : 8 + size] == (want & (1 << 8 * size) - 1).to_bytes(size, "little")


def test_vectors_read_before_they_write_and_check_alignment() -> None:
    data = b"".join(n.to_bytes(8, "little") for n in (BASE + 16, 7, 5, 6))
    body = ".reg .b64 %b; mov.b64 %b, %a; ld.global.v2.u64 {%b, %t}, [%b]; st.global.v2.u64 [%b], {%t, %b};"
    after = run(body, data)
    assert after[16:] == (7).to_bytes(8, "little") + (BASE + 16).to_bytes(8, "little")
    with pytest.raises(MachineFault, match="misaligned"):
        run("ld.global.v2.u32 {%r1, %r2}, [%a+4];", bytes(16))
    with pytest.raises(MachineFault, match="misaligned"):
        run("ld.global.u64 %t, [%a+4];", bytes(16))
    after = run(
        "ld.global.v4.s8 {%r1,%r2,_,%r4}, [%a]; st.global.v2.b32 [%a+8], {%r4, %r2};",
        b"\1\xfe\3\x84" + bytes(12),
    )
    assert after[8:] == (0xFFFFFF84).to_bytes(4, "little") + (0xFFFFFFFE).to_bytes(4, "little")


def test_addresses_out_of_range_fault() -> None:
    for offset in (-4, 16, 1 << 30):
        with pytest.raises(MachineFault, match="out of range"):
            run(f"ld.global.u32 %r1, [%a+{offset}];", bytes(16))
    with pytest.raises(MachineFault, match="out of range"):
        run(
            ".reg .b64 %w; mov.u32 %r1, -1; mul.wide.u32 %w, %r1, 4; add.s64 %t, %a, %w;"
            "ld.global.u32 %r2, [%t];",
            bytes(16),
        )
    assert (
        run(
            "mov.u32 %r1, -1; mul.wide.s32 %t, %r1, 4; add.s64 %t, %t, %a; ld.global.u32 %r2, [%t+4];"
            "st.global.u32 [%a+4], %r2;",
            b"abcd" + bytes(4),
        )
        == b"abcdabcd"
    )


def test_pointer_from_memory_is_checked() -> None:
    data = (BASE + 8).to_bytes(8, "little") + b"wxyz" + bytes(4)
    assert (
        run("ld.global.u64 %t, [%a]; ld.global.u32 %r1, [%t]; st.global.u32 [%a+12], %r1;", data)[12:]
        == b"wxyz"
    )
    high = (BASE + 8 + (1 << 40)).to_bytes(8, "little") + bytes(8)
    with pytest.raises(MachineFault, match="pointer"):
        run("ld.global.u64 %t, [%a]; ld.global.u32 %r1, [%t];", high)


def test_parameters_of_every_size() -> None:
    params = ", .param .s8 c, .param .u16 h, .param .align 4 .b8 s[12], .param .u64 w"
    body = (
        ".reg .b16 %h; ld.param.s8 %r1, [c]; st.global.u32 [%a], %r1; ld.param.u16 %h, [h];"
        "st.global.u16 [%a+4], %h;"
        "ld.param.s8 %r2, [s+6]; st.global.u32 [%a+8], %r2; ld.param.u16 %r3, [s+2];"
        "st.global.u32 [%a+12], %r3;"
        "ld.param.v2.u32 {%r4, %r5}, [s+4]; st.global.u32 [%a+16], %r5; ld.param.u64 %t, [w];"
        "st.global.u64 [%a+24], %t;"
        ".reg .b64 %s; mov.b64 %s, s; ld.param.u32 %r6, [%s+8]; st.global.u32 [%a+20], %r6;"
        "ld.param.s16 %r7, [s+2]; st.global.u32 [%a+32], %r7;"
    )
    s = bytes([1, 2, 0xFD, 0xFC, 5, 6, 0x87, 8, 9, 10, 11, 12])
    after = run(body, bytes(40), b"\x80", b"\xfe\xff", s, bytes(range(8)), params=params)
    assert after[:6] == b"\x80\xff\xff\xff\xfe\xff"
    assert after[8:12] == b"\x87\xff\xff\xff"
    assert after[12:16] == b"\xfd\xfc\0\0"
    assert after[16:20] == s[8:12]
    assert after[20:24] == s[8:12]
    assert after[24:32] == bytes(range(8))
    assert after[32:36] == b"\xfd\xfc\xff\xff"


def test_module_variables() -> None:
    declare = (
        ".const .align 4 .u32 table[3] = {11, 22, 33};\n.global .align 4 .u32 counter = 5;\n"
        ".global .u32 unused = 1;\n"
    )
    body = (
        "ld.const.u32 %r1, [table+8]; mov.u64 %t, table; ld.const.u32 %r2, [%t+4]; add.u32 %r1, %r1, %r2;"
        "ld.global.u32 %r3, [counter]; add.u32 %r1, %r1, %r3; st.global.u32 [counter], %r1;"
        "ld.global.u32 %r4, [counter]; st.global.u32 [%a], %r4;"
    )
    assert run(body, bytes(4), declare=declare) == (60).to_bytes(4, "little")
    function = select(kernel(BUFFER + body + "ret;", ".param .u64 buf", declare), None, SEED)
    assert [(s.name, len(s.data), s.row) for s in function.symbols] == [("table", 12, 18), ("counter", 4, 19)]


@pytest.mark.parametrize("dynamic", [False, True])
def test_local_memory_is_a_thread_s_own(dynamic: bool) -> None:
    declare = ".extern .shared .align 8 .b8 dyn[];\n" if dynamic else ""
    shared = "mov.u32 %r5, dyn; st.shared.u32 [%r5], %r1;" if dynamic else ""
    body = (
        ".shared .align 4 .b8 pad[6]; .local .align 8 .b8 depot[12]; .reg .b64 %SP, %SPL, %q;"
        "mov.u64 %SPL, depot; cvta.local.u64 %SP, %SPL; add.u64 %q, %SP, 4; mov.u32 %r1, %tid.x;"
        "st.shared.u8 [pad], %r1;"
        + shared
        + "st.u32 [%q], %r1; bar.sync 0; ld.local.u32 %r2, [%SPL+4]; mul.wide.u32 %t, %r1, 4;"
        "add.s64 %t, %a, %t; st.global.u32 [%t], %r2;"
    )
    text = kernel(BUFFER + body + " ret;", ".param .u64 buf", declare)
    function = select(text, None, SEED)
    assert function.shared_bytes == (8 + 7 if dynamic else 8) + 16 * SEED.threads
    (after,), _ = launch(function, SEED, [bytearray(32)], block=(8, 1, 1), shared_bytes=12 if dynamic else 0)
    assert after == b"".join(n.to_bytes(4, "little") for n in range(8))


ATOMICS: dict[str, Callable[[int, int, int], int]] = {
    "add.u32": lambda old, b, c: old + b,
    "min.s32": lambda old, b, c: min(old, b, key=lambda v: signed(v, 32)),
    "min.u32": lambda old, b, c: min(old, b),
    "max.s32": lambda old, b, c: max(old, b, key=lambda v: signed(v, 32)),
    "max.u32": lambda old, b, c: max(old, b),
    "and.b32": lambda old, b, c: old & b,
    "or.b32": lambda old, b, c: old | b,
    "xor.b32": lambda old, b, c: old ^ b,
    "exch.b32": lambda old, b, c: b,
    "inc.u32": lambda old, b, c: 0 if old >= b else old + 1,
    "dec.u32": lambda old, b, c: b if old == 0 or old > b else old - 1,
    "cas.b32": lambda old, b, c: c if old == b else old,
}


@pytest.mark.parametrize("name", ATOMICS)
@given(old=bits(32), b=bits(32), c=bits(32))
@settings(max_examples=25, deadline=None)
def test_atomics(name: str, old: int, b: int, c: int) -> None:
    last = ", %r2" if name.startswith("cas") else ""
    body = (
        f"ld.global.u32 %r1, [%a+4]; ld.global.u32 %r2, [%a+8]; atom.global.{name} %r1, [%a], %r1{last};"
        "st.global.u32 [%a+12], %r1;"
    )
    for start in {old, b, (b + 1) & 0xFFFFFFFF, 0}:
        data = b"".join(v.to_bytes(4, "little") for v in (start, b, c, 0))
        after = run(body, data)
        assert int.from_bytes(after[:4], "little") == ATOMICS[name](start, b, c) & 0xFFFFFFFF
        assert int.from_bytes(after[12:], "little") == start


def test_atomics_of_lanes_follow_each_other() -> None:
    after = run("mov.u32 %r1, %tid.x; red.global.add.u32 [%a], %r1;", bytes(4), block=8)
    assert int.from_bytes(after, "little") == 28


def test_events_name_space_operation_and_size() -> None:
    text = kernel(
        BUFFER + ".shared .b32 s; st.shared.u32 [s], 1; st.volatile.global.u8 [%a], 2; st.u64 [%a], %a;"
        "atom.shared.cas.b32 %r1, [s], 1, 2; red.relaxed.gpu.global.max.s32 [%a], 3; ret;",
        ".param .u64 buf",
    )
    stores = []
    for block in select(text, None, SEED).blocks:
        for item in block.items:
            stores += [
                i for i in (item.items if isinstance(item, MSerial) else [item]) if isinstance(i, MStore)
            ]
    assert [(s.name, s.size, s.part, s.parts) for s in stores] == [
        ("shared:4", 4, 0, 1),
        ("global:1", 1, 0, 1),
        ("global:8", 8, 0, 2),
        ("global:8", 8, 1, 2),
        ("shared:cas:4", 4, 0, 1),
        ("global:max:4", 4, 0, 1),
    ]
