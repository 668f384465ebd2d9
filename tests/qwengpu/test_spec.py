"""The numbers that a spec derives, and the specs that it refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qwengpu.spec import SEED, WIDE, spec_named


def test_seed_has_the_published_sizes() -> None:
    assert (SEED.lanes, SEED.warps, SEED.threads, SEED.registers) == (4, 4, 16, 16)
    assert (SEED.blocks, SEED.memory_words, SEED.memory_rows, SEED.param_words) == (32, 126, 128, 16)
    assert SEED.slot_kinds == tuple("xallmaxa")
    assert SEED.slot_levels == (0, 0, 1, 1, 2, 2, 3, 3)


def test_wide_is_at_least_what_the_corpus_needs() -> None:
    assert WIDE.blocks >= 256 and WIDE.memory_words >= 1024 and WIDE.warps >= 8


@pytest.mark.parametrize(("bits", "digits"), [(4, 8), (5, 7), (8, 4), (10, 4), (12, 3), (16, 2)])
def test_digits_cover_a_word(bits: int, digits: int) -> None:
    assert replace(SEED, payload_bits=bits).digits == digits


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lanes": 3}, "lanes = 3 is not a power of two"),
        ({"blocks": 0}, "blocks = 0 is not a power of two"),
        ({"const_rows": 16}, "leaves no parameter row"),
        ({"payload_bits": 17}, "not in 1..16"),
        ({"levels": ("xq",)}, "none of a, x, m, l"),
    ],
)
def test_bad_sizes_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(SEED, **change)


def test_an_unknown_name_lists_those_there_are() -> None:
    assert spec_named("wide") is WIDE
    with pytest.raises(ValueError, match=r"no machine spec 'big'; known: seed, wide"):
        spec_named("big")
