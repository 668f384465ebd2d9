"""The listing names blocks, lines, and definitions."""

from __future__ import annotations

from dataclasses import replace

from test_pack_blocks import dot_product

from qwengpu.lowering.listing import listing
from qwengpu.lowering.lower import lower_mir
from qwengpu.program import Param, Symbol
from qwengpu.spec import SEED


def test_a_listing_quotes_the_source_and_names_what_is_defined() -> None:
    mir = replace(dot_product(), lines={16: (49, 2), 17: (51, 3), 21: (60, 9)})
    text = listing(lower_mir(mir, SEED), "first\n  sum += a[i] * b[i];\nthird\n")
    assert "block 1  (CUDA 2-3, PTX 49, 51)" in text
    assert "| 2: sum += a[i] * b[i];" in text
    assert "; 16 defines %r4" in text and "; 19 bra" in text and "; 21 store global:4" in text
    assert "defines" not in listing(lower_mir(mir, SEED), definitions=False)


def test_parameters_variables_and_what_has_no_value() -> None:
    program = lower_mir(dot_product(), SEED)
    program = replace(
        program,
        params=(Param("p", 8, 16, 2, True), Param("n", 4, 18, 1)),
        symbols=(Symbol("table", b"1234", 4, 19),),
        unmapped={(3, "%rd1"): "folded: address"},
    )
    text = listing(program)
    assert "param p: 8 bytes, constant rows 16-17" in text and "param n: 4 bytes, constant row 18" in text
    assert "variable table: 4 bytes, address in constant row 19" in text
    assert "instruction 3 %rd1: folded: address" in text
