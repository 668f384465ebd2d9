"""Token counts by payload width: what is counted, and what is left out."""

from __future__ import annotations

import sys
import types

import pytest
from click.testing import CliRunner

from conformance.bench.tokens import Cost, kind_table, launch_costs, launch_table, main, width_table
from oracles.api import Buffer, Launch, Module
from qwengpu.asm import assemble
from qwengpu.program import BlockMap, Param, Program, SizeReport
from qwengpu.spec import Spec
from qwengpu.tokens import Kind

MODULE = Module(".visible .entry k(.param .u64 p) { ret; }", "k")
LAUNCH = Launch("k", (1, 1, 1), (2, 1, 1), (Buffer("int32", (0, 0)),))


@pytest.fixture(autouse=True)
def hand_made_lowering(monkeypatch: pytest.MonkeyPatch) -> None:
    def lower(ptx: str, kernel: str | None, spec: Spec) -> Program:
        text = "const C0=param0 C1=tid.x C2=#300\nstore.global.word [C0 + C1<<2] = C2\nout r1=C2\nnext exit"
        block = assemble(text, spec)
        report = SizeReport(1, 1, 2, 0, 0, 1, 1)
        return Program(spec, "k", (block,), (Param("p", 8, 16, 2, True),), (BlockMap(),), report)

    module = types.ModuleType("qwengpu.lowering.lower")
    module.lower = lower  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "qwengpu.lowering.lower", module)


def test_tokens_fall_as_the_payload_grows() -> None:
    costs = {cost.bits: cost for cost in launch_costs("k#0", MODULE, LAUNCH)}
    # EXEC, the value 300 once, ADDR, the value twice, HALT; 300 has three, two or one digit.
    assert {bits: cost.total for bits, cost in costs.items()} == {4: 12, 6: 9, 8: 9, 10: 6, 12: 6, 16: 6}
    assert costs[8].generated == {
        Kind.EXEC: 1,
        Kind.BYTE: 3,
        Kind.VAL: 1,
        Kind.ADDR: 1,
        Kind.MEM: 2,
        Kind.HALT: 1,
    }
    assert costs[16].prompt < costs[8].prompt < costs[4].prompt


def test_a_launch_that_does_not_end_is_left_out() -> None:
    assert launch_costs("k#0", MODULE, Launch("k", (1, 1, 1), (3, 1, 1), LAUNCH.args)) == []
    assert launch_costs("k#0", MODULE, Launch("k", (1, 1, 1), (17, 1, 1), LAUNCH.args)) == []


def test_tables() -> None:
    costs = [launch_costs("a/dot3#0", MODULE, LAUNCH), launch_costs("a/other#0", MODULE, LAUNCH)]
    rows = [line.split(" | ") for line in width_table(costs)]
    assert [row[0] for row in rows[2:]] == ["| 4", "| 6", "| 8", "| 10", "| 12", "| 16"]
    at_8 = rows[4]
    assert at_8[1] == "7413" and at_8[3] == "18" and at_8[4] == "9.0" and at_8[-2:] == ["1.000", "1.000 |"]
    assert list(kind_table(costs))[2] == "| BYTE | 6 | 33.3% |"
    assert list(launch_table(costs, "dot3"))[2:] == [f"| a/dot3#0 | 9 | 1 | {costs[0][2].prompt} |"]
    assert isinstance(costs[0][0], Cost)


def test_an_empty_selection_is_an_error(tmp_path) -> None:
    (tmp_path / "broken.cu").write_text("no front matter")
    result = CliRunner().invoke(main, [str(tmp_path / "broken.cu")])
    assert result.exit_code == 1 and "no launch ran to its end" in result.output
