"""Compilers: what does not compile, which kernel is meant, and two compilers at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Runner

from conformance.cases import discover
from conformance.differ import PtxLines
from conformance.runner import build, execute
from conformance.runner.build import Build, resolve_kernel
from conformance.runner.config import Context, RunConfig
from conformance.verdicts import Ruling, Verdict
from oracles.api import Module

CU = """/*---
{head}launches:
  - args: [{{kind: buf, dtype: int32, data: [1]}}]
    expect: {{0: [2]}}
---*/
{code}
"""


def record_of(tmp_path: Path, code: str, head: str = "", **config: Any) -> dict[str, Any]:
    path = tmp_path / "kernels" / "area" / "k.cu"
    path.parent.mkdir(parents=True)
    path.write_text(CU.format(head=head, code=code))
    legs = ("conformance_fakes:ptx__unsupported",)
    case = discover([str(path)]).cases[0]
    return execute.run_case(case, Context.build(RunConfig(legs, cache=False, **config)))


def test_cuda_that_does_not_compile_is_bad_input_with_the_line(tmp_path: Path) -> None:
    record = record_of(tmp_path, 'extern "C" __global__ void k(int *out) {\n  *out = undeclared;\n}')
    assert record["verdict"] == "BAD_INPUT"
    assert record["reason"].startswith(
        "does not compile: k.cu:7:10: error: use of undeclared identifier 'undeclared'"
    )
    assert "undeclared" in record["compile"][0]["log"]


def test_cuda_is_compiled_and_its_only_kernel_found(tmp_path: Path) -> None:
    record = record_of(tmp_path, 'extern "C" __global__ void k(int *out) { *out = 2; }')
    assert record["launches"][0]["kernel"] == "k"
    assert record["compile"][0]["compiler"].startswith("clang-")
    assert record["verdict"] == "UNSUPPORTED"


def test_a_case_for_another_compiler_is_unsupported(tmp_path: Path) -> None:
    record = record_of(tmp_path, "", head="compilers: [nvrtc]\n")
    assert record["verdict"] == "UNSUPPORTED"
    assert record["reason"] == "the case is for nvrtc; asked for clang"


def test_an_unknown_compiler_is_a_harness_error_of_the_case(tmp_path: Path) -> None:
    record = record_of(tmp_path, "", compilers=("gcc",))
    assert record["verdict"] == "HARNESS_ERROR"
    assert "no compiler 'gcc'" in record["reason"]


@pytest.mark.parametrize(
    ("wanted", "entries", "found"),
    [
        ("k", ["k", "_Z1kPi"], "k"),
        ("k", ["_Z1kPi", "_Z2kkPi"], "_Z1kPi"),
        ("kk", ["_Z1kPi"], None),
        ("k", ["_Z1kPi", "_Z1kPj"], None),
        ("", ["k"], "k"),
        ("", ["k", "j"], None),
        ("", [], None),
    ],
)
def test_which_kernel_is_meant(wanted: str, entries: list[str], found: str | None) -> None:
    name, problem = resolve_kernel(wanted, entries)
    if found is None:
        assert problem is not None
        assert problem.verdict is Verdict.BAD_INPUT
    else:
        assert (name, problem) == (found, None)


@pytest.fixture
def two_compilers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The case's PTX, as if clang and NVRTC had made it."""

    def fake(case: Any, config: RunConfig) -> list[Build]:
        lines = PtxLines.scan(case.text)
        names = {"clang": "clang-22", "nvrtc": "nvrtc-13"}
        return [Build(c, Module(case.text, "twice", names[c]), lines) for c in config.compilers]

    monkeypatch.setattr(execute, "build_case", fake)


BOTH = ("clang", "nvrtc")


@pytest.mark.usefixtures("two_compilers")
def test_two_compilers_are_more_products(run_on: Runner) -> None:
    record = run_on(compilers=BOTH)
    assert record["verdict"] == "PASS"
    legs = record["launches"][0]["legs"]
    assert set(legs) == {
        "expected",
        *(
            f"{key}{suffix}"
            for key in ("ptx", "ptx@4", "native", "reference-seed")
            for suffix in ("", "+nvrtc")
        ),
    }
    assert legs["ptx+nvrtc"]["compiler"] == "nvrtc"
    pairs = {(c["a"], c["b"]) for c in record["launches"][0]["comparisons"] if "registers" in c}
    assert pairs == {("ptx@4", "reference-seed"), ("ptx@4+nvrtc", "reference-seed+nvrtc")}


@pytest.mark.usefixtures("two_compilers")
def test_the_ptx_leg_on_two_compilers_is_an_oracle_split(run_on: Runner) -> None:
    record = run_on("ptxn__memory", "good_reference", "expected", compilers=BOTH)
    assert (record["verdict"], record["blame"]) == ("ORACLE_SPLIT", ["ptx", "ptx+nvrtc"])


@pytest.mark.usefixtures("two_compilers")
def test_a_leg_that_is_wrong_on_one_compiler_is_blamed_there(run_on: Runner) -> None:
    record = run_on("good_ptx", "referencen__register_and_memory", "good_native", "expected", compilers=BOTH)
    assert record["verdict"] == "FAIL"
    assert record["blame"] == ["reference-seed+nvrtc"]


def test_a_compiler_that_refuses_does_not_hide_the_other(
    run_on: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fake(case: Any, config: RunConfig) -> list[Build]:
        good = Build("clang", Module(case.text, "twice", "clang-22"), PtxLines.scan(case.text))
        return [good, Build("nvrtc", problem=Ruling(Verdict.BAD_INPUT, "does not compile: x"), log="x")]

    monkeypatch.setattr(execute, "build_case", fake)
    record = run_on(compilers=BOTH)
    assert record["verdict"] == "BAD_INPUT"
    assert record["launches"][0]["legs"]["ptx"]["verdict"] == "PASS"


def test_a_ptx_file_is_taken_as_it_is(twice: Path) -> None:
    made = build.build_case(discover([str(twice)]).cases[0], RunConfig(("ptx",)))
    assert [(b.compiler, b.module and b.module.source) for b in made] == [("ptx", None)]
