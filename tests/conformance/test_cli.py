"""The command line: exit codes, plain output, JSON, the reports."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import GOOD, leg_names

from conformance.cli.conformance import cli


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def run(case: Path, tmp_path: Path, *legs: str, more: tuple[str, ...] = ()) -> Result:
    names = ",".join(leg_names(legs or GOOD))
    return invoke("run", str(case), "--legs", names, "-j", "1", "--out", str(tmp_path / "out"), *more)


@pytest.mark.parametrize(
    ("legs", "code", "line"),
    [
        (GOOD, 0, "1 PASS"),
        (
            ("good_ptx", "reference__memory", "good_native", "expected"),
            1,
            "FAIL                 arithmetic/twice: reference-seed",
        ),
        (("good_ptx", "native__memory"), 1, "DIFFER               arithmetic/twice: ptx | native"),
        (
            ("good_ptx", "native__raise", "expected"),
            2,
            "HARNESS_ERROR        arithmetic/twice: native: ZeroDivisionError",
        ),
        (("good_ptx", "native__guard", "expected"), 1, "GUARD_TRIPPED        arithmetic/twice"),
        (("good_ptx",), 2, "UNCOMPARED           arithmetic/twice: only ptx ran"),
        (("ptx__unsupported",), 2, "UNSUPPORTED          arithmetic/twice: ptx: add.s32"),
        (("ptx__fault_at_trap", "reference__fault_at_trap"), 2, "FAULT                arithmetic/twice"),
    ],
)
def test_exit_codes_of_run(twice: Path, tmp_path: Path, legs: tuple[str, ...], code: int, line: str) -> None:
    result = run(twice, tmp_path, *legs)
    assert result.exit_code == code, result.output
    assert line in result.output


def test_a_difference_counts_before_bad_input(twice: Path, tmp_path: Path) -> None:
    (twice.parent / "bad.cu").write_text("int x;")
    assert run(twice.parent, tmp_path).exit_code == 2
    result = run(twice.parent, tmp_path, "good_ptx", "native__memory", "expected")
    assert result.exit_code == 1
    assert "BAD_INPUT            arithmetic/bad: " in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--legs", "refrence"),
            "unknown leg 'refrence' (did you mean 'reference'?); there are: ptx, reference, native",
        ),
        (("--legs", "nothing:here"), "cannot be loaded: ModuleNotFoundError"),
        (("--legs", "conformance_fakes:absent__x"), "cannot run here: no device: buy one"),
        (
            ("--legs", "conformance_fakes:good_reference", "--spec", "huge"),
            "has no spec 'huge'; there are: seed, wide",
        ),
        (("--compilers", "gcc"), "unknown compiler 'gcc'; there are: clang, nvrtc"),
        (("-k", "nosuch"), "no case matches 'nosuch'"),
        (("--jobs", "0"), "0 is not in the range"),
    ],
)
def test_wrong_usage_is_2(twice: Path, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    result = invoke("run", str(twice), "--out", str(tmp_path / "out"), *arguments)
    assert result.exit_code == 2
    assert message in result.output
    assert not (tmp_path / "out").exists()


def test_a_path_that_is_not_there() -> None:
    result = invoke("run", "no/such/case")
    assert (result.exit_code, result.output) == (
        2,
        "conformance: no/such/case: no such file, directory, case or area\n",
    )


def test_matrix_and_comparisons_show_what_was_executed(twice: Path, tmp_path: Path) -> None:
    result = run(twice, tmp_path, "good_ptx", "reference__unsupported", "good_native", "expected")
    assert result.exit_code == 0
    rows = {line.split()[0]: line.split() for line in result.output.splitlines() if line}
    assert rows["area"] == ["area", "cases", "ptx", "native", "reference-seed", "expected"]
    # Unsupported is a count of its own, never part of a share.
    assert rows["total"] == ["total", "1", "1/1", "1/1", "-", "1", "unsup", "1/1"]
    assert rows["published"][:3] == ["published", "1", "1/1"]
    assert "ptx : native" in result.output
    again = invoke("matrix", str(tmp_path / "out"))
    assert again.exit_code == 0
    assert " ".join(rows["total"]) in " ".join(again.output.split())


def test_json_output_is_one_object(twice: Path, tmp_path: Path) -> None:
    result = run(twice, tmp_path, more=("--json",))
    report = json.loads(result.stdout)
    cell = report["matrix"]["rows"]["total"]["legs"]["ptx"]
    assert (cell["executed"], cell["agree"], report["exit_code"]) == (1, 1, 0)
    pair = report["compared"]["ptx@4 : reference-seed"]
    assert pair["registers"]["compared"] == 32
    stored = json.loads(invoke("matrix", str(tmp_path / "out"), "--json").stdout)
    assert stored[str(tmp_path / "out")]["matrix"] == report["matrix"]


def test_junit(twice: Path, tmp_path: Path) -> None:
    (twice.parent / "bad.cu").write_text("int x;")
    path = tmp_path / "deep" / "junit.xml"
    legs = ("good_ptx", "reference__memory", "native__unsupported", "expected")
    run(twice.parent, tmp_path, *legs, more=("--junit", str(path)))
    suite = ET.parse(path).getroot().find("testsuite")
    assert suite is not None
    tests = {test.get("name"): test for test in suite}
    assert suite.attrib == {"name": "arithmetic", "tests": "6", "failures": "2", "errors": "1", "skipped": "1"}
    assert tests["arithmetic/bad"].find("error") is not None
    failure = tests["arithmetic/twice[reference-seed]"].find("failure")
    assert failure is not None
    assert "index 2" in (failure.text or "")
    assert tests["arithmetic/twice[native]"].find("skipped") is not None
    assert len(tests["arithmetic/twice[ptx]"]) == 0


def test_list_and_show(twice: Path, tmp_path: Path) -> None:
    result = invoke("list", str(twice))
    assert "arithmetic/twice  1 launch(es) [published]  Doubles each element." in result.output
    listed = json.loads(invoke("list", str(twice), "--json").stdout)
    assert (listed[0]["id"], listed[0]["launches"]) == ("arithmetic/twice", 1)
    (twice.parent / "bad.cu").write_text("int x;")
    broken = invoke("list", str(twice.parent))
    assert broken.exit_code == 2
    assert "broken" in broken.output

    run(twice, tmp_path, "good_ptx", "reference__register", "expected")
    shown = invoke("show", str(twice), "--out", str(tmp_path / "out"))
    for text in (
        "   33  \tadd.s32",
        "argument 0: int32[4] [1, 2, 3, 4]",
        "expect argument 1: [2, 4, 6, 8]",
        "result: DIFFER(ptx@4, reference-seed)",
        "difference: register %r3 of thread 2",
        "memory 8/8",
    ):
        assert text in shown.output, text
    assert invoke("show", str(twice.parent / "bad.cu")).exit_code == 2
    assert invoke("show", "nope").exit_code == 2


def test_verbose_and_filter(twice: Path, tmp_path: Path) -> None:
    assert "PASS                 arithmetic/twice" in run(twice, tmp_path, more=("-v",)).output
    assert "PASS                 arithmetic/twice" not in run(twice, tmp_path).output
    assert run(twice, tmp_path, more=("-k", "ADD.s32")).exit_code == 0


def test_waivers(twice: Path, tmp_path: Path) -> None:
    path = tmp_path / "waivers.yaml"
    text = "- {case: arithmetic/*, leg: native, url: 'https://example.org/1', expires: %s, reason: known}\n"
    path.write_text(text % "2999-01-01")
    legs = ("good_ptx", "native__memory", "expected")
    result = run(twice, tmp_path, *legs, more=("--waivers", str(path)))
    assert result.exit_code == 0
    assert "WAIVED" in result.output
    path.write_text(text % "2001-01-01")
    assert run(twice, tmp_path, *legs, more=("--waivers", str(path))).exit_code == 1
    path.write_text("nonsense")
    result = run(twice, tmp_path, *legs, more=("--waivers", str(path)))
    assert (result.exit_code, "holds no list" in result.output) == (2, True)


def test_doctor_names_what_is_missing() -> None:
    result = invoke("doctor")
    words = {line.split(":")[0].split(maxsplit=1)[1] for line in result.output.splitlines()}
    assert {"python", "leg ptx", "leg reference", "leg native", "corpus", "gpu"} <= words
    checks = json.loads(invoke("doctor", "--json").stdout)
    assert (result.exit_code == 0) == all(c["ok"] or c["optional"] for c in checks)


def test_help_has_examples_and_imports_nothing_heavy() -> None:
    for arguments in (("--help",), ("run", "--help")):
        assert "Examples:" in invoke(*arguments).output
    assert invoke("--version").output.startswith("conformance ")
    code = (
        "import sys; from conformance.cli.conformance import cli\n"
        "cli(['--help'], standalone_mode=False)\n"
        "heavy = ('rich', 'yaml', 'pydantic', 'torch', 'cupy', 'oracles.api')\n"
        "print([m for m in heavy if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "[]"


def test_importing_the_suite_imports_no_compiler_and_no_array_library() -> None:
    code = (
        "import sys, conformance, conformance.cases, conformance.differ, conformance.verdicts\n"
        "import conformance.runner.session, oracles.registry\n"
        "bad = ('torch', 'cupy', 'numpy', 'qwengpu.frontend', 'oracles.ptx', 'oracles.native')\n"
        "print([m for m in bad if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"
