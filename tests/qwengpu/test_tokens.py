"""Token ids, their text, and words as digits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from block_strategies import SPECS
from hypothesis import given
from hypothesis import strategies as st

from qwengpu.encode import block_words
from qwengpu.spec import SEED
from qwengpu.tokens import FaultCode, Kind, Token, Vocabulary, kind_sizes, vocabulary

WIDTHS = (1, 3, 4, 5, 6, 7, 8, 10, 12, 16)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_every_id_is_one_token_and_back(spec) -> None:
    vocab = Vocabulary(spec)
    seen = set()
    for token_id in range(vocab.size):
        token = vocab.token(token_id)
        seen.add(token)
        assert vocab.id(token.kind, *token.args) == token_id
    assert len(seen) == vocab.size == sum(kind_sizes(spec).values())
    assert vocab.parse(vocab.text(range(0, vocab.size, 7))) == list(range(0, vocab.size, 7))


def test_the_order_is_that_of_section_7() -> None:
    vocab = vocabulary(SEED)
    order = "BYTE SET VAL MEM ROM ROW CONST TID ADDR EXEC MASK THREADS FAULT RESET LAUNCH START RELEASE HALT"
    assert " ".join(kind.value for kind in Kind) == order
    assert vocab.id(Kind.BYTE, 0) == 0
    assert vocab.id(Kind.SET, 5) == 256 + 5
    assert vocab.id(Kind.VAL, 1, 2, 3) == 512 + (1 * 5 + 2) * 256 + 3
    assert vocab.id(Kind.MEM, 3, 255) == 512 + 4 * 5 * 256 + 3 * 256 + 255
    assert vocab.id(Kind.ROM, 0) == 512 + 5120 + 1024
    assert kind_sizes(SEED)[Kind.ROW] == block_words(SEED)
    assert kind_sizes(SEED)[Kind.ADDR] == 2 * 128
    assert vocab.size == 7413


def test_fault_codes_are_those_of_section_5() -> None:
    order = ["ILLEGAL", "POINTER", "OUT_OF_RANGE", "MISALIGNED", "CONVERGENCE", "BARRIER", "TRAP"]
    assert [code.name for code in sorted(FaultCode)] == order


def test_text_form() -> None:
    vocab = vocabulary(SEED)
    ids = [vocab.id(Kind.EXEC, 3, 0), vocab.id(Kind.VAL, 1, 4, 32), vocab.id(Kind.HALT)]
    assert vocab.text(ids) == "EXEC(3,0) VAL(1,4,32) HALT"
    assert vocab.parse("EXEC(3, 0)  VAL(1,4,0x20) # comment (1,2)\nHALT") == ids
    assert str(Token(Kind.RESET)) == "RESET"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("EXEQ(1,2)", "is no token; the kinds are BYTE, SET"),
        ("EXEC(1)", "EXEC takes 2 arguments, not 1"),
        ("EXEC(32,0)", r"EXEC: argument 0 = 32 is not in 0...31"),
        ("BYTE(-1)", "argument 0 = -1"),
        ("BYTE(x)", "the arguments are not numbers"),
        ("(3)", "is no token"),
        ("HALT(1)", "HALT takes 0 arguments"),
    ],
)
def test_bad_text(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        vocabulary(SEED).parse(text)


def test_ids_outside_the_vocabulary() -> None:
    vocab = vocabulary(SEED)
    for bad in (-1, vocab.size):
        with pytest.raises(ValueError, match=r"token id -?\d+ is not in 0...7412"):
            vocab.token(bad)


@given(st.integers(0, 2**32 - 1), st.sampled_from(WIDTHS))
def test_digits_are_the_fewest_that_sign_extend(word: int, bits: int) -> None:
    vocab = vocabulary(replace(SEED, payload_bits=bits))
    digits = vocab.digits(word)
    signed = word - 2**32 if word >= 2**31 else word
    assert all(0 <= digit < 1 << bits for digit in digits)
    assert 1 <= len(digits) <= vocab.spec.digits
    value = sum(digit << bits * place for place, digit in enumerate(reversed(digits)))
    assert (value - signed) % (1 << bits * len(digits)) == 0
    assert -(1 << bits * len(digits) - 1) <= signed < 1 << bits * len(digits) - 1
    if len(digits) > 1:
        fewer = bits * (len(digits) - 1)
        assert not -(1 << fewer - 1) <= signed < 1 << fewer - 1
    assert vocab.word(digits) == word


@pytest.mark.parametrize(
    ("word", "digits"),
    [
        (0, (0,)),
        (127, (127,)),
        (128, (0, 128)),
        (2**32 - 128, (128,)),
        (2**32 - 129, (255, 127)),
        (2**31, (128, 0, 0, 0)),
        (0x4000_0000, (64, 0, 0, 0)),
    ],
)
def test_digits_of_known_words(word: int, digits: tuple[int, ...]) -> None:
    assert vocabulary(SEED).digits(word) == digits


def test_too_many_digits_lose_the_first() -> None:
    assert vocabulary(SEED).word([9, 1, 2, 3, 4]) == 0x01020304


def test_value_tokens() -> None:
    vocab = vocabulary(SEED)
    assert vocab.text(vocab.value(300, Kind.MEM, 2)) == "BYTE(1) MEM(2,44)"
    assert vocab.text(vocab.value(2**32 - 1, Kind.SET)) == "SET(255)"
