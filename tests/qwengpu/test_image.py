"""The loader: constant rows, threads, memory, refusals, and the prompt token by token."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qwengpu.asm import assemble
from qwengpu.image import GLOBAL_BASE, Placed, build_image, prompt, thread_masks
from qwengpu.isa import ConstRow
from qwengpu.program import BlockMap, Param, Program, Refusal, SizeReport, Symbol
from qwengpu.spec import SEED, WIDE
from qwengpu.tokens import vocabulary

REPORT = SizeReport(1, 0, 0, 0, 0, 0, 0)
POINTER = Param("p", 8, 16, 2, True)
NARROW = Param("c", 1, 18, 1, False)


def _program(params=(), symbols=(), shared=0, blocks=1, spec=SEED) -> Program:
    block = assemble("next exit", spec)
    return Program(
        spec, "k", (block,) * blocks, tuple(params), (BlockMap(),) * blocks, REPORT, shared, tuple(symbols)
    )


def _address(at: int) -> bytes:
    return at.to_bytes(8, "little")


def test_constant_rows() -> None:
    program = _program([POINTER, NARROW], [Symbol("s", b"\1\2\3\4\5", 16, 19)], shared=6)
    image = build_image(
        program, (2, 3, 4), (5, 2, 1), [_address(GLOBAL_BASE), b"\xff"], [Placed(GLOBAL_BASE, b"abcde")], 10
    )
    assert image.constants[ConstRow.NTID_X : ConstRow.NTID_Z + 1] == (5, 2, 1)
    assert image.constants[ConstRow.NCTAID_X : ConstRow.NCTAID_Z + 1] == (2, 3, 4)
    assert image.constants[ConstRow.CTAID_X : ConstRow.CTAID_Z + 1] == (0, 0, 0)
    assert image.constants[ConstRow.SHARED_BYTES] == image.shared_bytes == 16
    assert image.constants[ConstRow.GLOBAL_BYTES] == image.global_bytes == 16 + 5
    assert image.constants[16:20] == (GLOBAL_BASE, 0, 0xFF, GLOBAL_BASE + 16)
    assert image.memory == (0x64636261, 0x65, 0, 0, 0x04030201, 5)


def test_threads_are_numbered_x_fastest() -> None:
    image = build_image(_program(), (1, 1, 1), (3, 2, 1), [])
    assert image.tids == ((0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 0))
    assert image.masks == (0b1111, 0b0011, 0, 0)
    assert thread_masks(16, SEED) == (15, 15, 15, 15)
    assert build_image(_program(), (1, 1, 1), (1, 2, 3), []).tids[-1] == (0, 1, 2)


def test_a_symbol_without_buffers_starts_the_memory() -> None:
    image = build_image(_program(symbols=[Symbol("s", b"\7" * 8, 8, 16)]), (1, 1, 1), (1, 1, 1), [])
    assert image.constants[16] == GLOBAL_BASE and image.memory == (0x07070707,) * 2


@pytest.mark.parametrize(
    ("program", "launch", "message"),
    [
        (_program(), {"block": (17, 1, 1)}, "17 threads, spec seed has room for 16; use a larger spec"),
        (
            _program([POINTER]),
            {"arguments": [_address(GLOBAL_BASE)], "buffers": [Placed(GLOBAL_BASE, bytes(4 * 127))]},
            r"needs 127 memory words \(127 global, 0 shared\), spec seed has 126",
        ),
        (_program(shared=4 * 120), {"shared_bytes": 25}, r"needs 127 memory words \(0 global, 127 shared\)"),
        (
            _program([Param("p", 8, 31, 2)]),
            {"arguments": [_address(0)]},
            "needs 17 parameter words, spec seed has 16",
        ),
        (_program(symbols=[Symbol("s", b"1234", 4, 40)]), {}, "needs 25 parameter words"),
    ],
)
def test_what_is_too_large_is_refused(program: Program, launch: dict[str, object], message: str) -> None:
    with pytest.raises(Refusal, match=message) as caught:
        build_image(program, **{"grid": (1, 1, 1), "block": (1, 1, 1), "arguments": []} | launch)
    assert caught.value.kind == "size"


def test_the_bounds_themselves_fit() -> None:
    program = _program([POINTER])
    image = build_image(
        program, (1, 1, 1), (16, 1, 1), [_address(GLOBAL_BASE)], [Placed(GLOBAL_BASE, bytes(4 * 120))], 24
    )
    assert len(image.memory) == 120 and image.shared_bytes == 24


def test_a_rom_too_small_is_refused() -> None:
    program = _program(blocks=33)
    image = build_image(program, (1, 1, 1), (1, 1, 1), [])
    with pytest.raises(Refusal, match="needs 33 ROM blocks, spec seed has 32") as caught:
        prompt(program, image)
    assert caught.value.kind == "size"
    assert prompt(_program(blocks=33, spec=WIDE), image)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [([], "takes 1 arguments, not 0"), ([b"1234"], r"argument 0 \(p\) has 8 bytes, not 4")],
)
def test_wrong_arguments(arguments: list[bytes], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build_image(_program([POINTER]), (1, 1, 1), (1, 1, 1), arguments)


def test_a_buffer_below_the_base_is_no_launch() -> None:
    with pytest.raises(ValueError, match="lies below"):
        build_image(_program(), (1, 1, 1), (1, 1, 1), [], [Placed(GLOBAL_BASE - 4, b"1234")])


def test_the_prompt_token_by_token() -> None:
    program = _program([POINTER])
    image = build_image(
        program,
        (2, 1, 1),
        (2, 3, 1),
        [_address(GLOBAL_BASE)],
        [Placed(GLOBAL_BASE, bytes([7, 0, 0, 0, 0, 0, 0, 0, 44, 1, 0, 0]))],
    )
    text = vocabulary(SEED).text(prompt(program, image))
    # The only block: valid, next JUMP to EXIT (32) with other = EXIT (32).
    word = 1 | 32 << 15 | 32 << 21
    rom = "ROM(0) ROW(0) " + " ".join(f"BYTE({b})" for b in word.to_bytes(4, "big")[:3]) + f" SET({word & 255})"
    assert text == (
        f"RESET {rom} CONST(3) SET(2) CONST(4) SET(3) CONST(5) SET(1) CONST(9) SET(2) CONST(10) SET(1) "
        "CONST(11) SET(1) CONST(15) SET(12) CONST(16) BYTE(64) BYTE(0) BYTE(0) SET(0) "
        "TID(0,1,0) SET(1) TID(0,2,1) SET(1) TID(0,3,0) SET(1) TID(0,3,1) SET(1) TID(1,0,1) SET(2) "
        "TID(1,1,0) SET(1) TID(1,1,1) SET(2) THREADS(0,15) THREADS(1,3) "
        "ADDR(0,0) MEM(0,7) ADDR(0,2) BYTE(1) MEM(0,44) LAUNCH"
    )


def test_wired_rows_never_reach_the_prompt() -> None:
    program = _program()
    image = build_image(program, (1, 1, 1), (1, 1, 1), [])
    wired = [row if row in (0, 1, 2, 12, 13) else word for row, word in enumerate(image.constants)]
    assert prompt(program, replace(image, constants=tuple(wired))) == prompt(program, image)
