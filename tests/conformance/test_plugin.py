"""The pytest plugin, in pytest runs of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import leg_names

LEGS = ("good_ptx", "reference__memory", "native__unsupported", "expected")


def run(cwd: Path, *arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-rA", *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def place(twice: Path, tmp_path: Path) -> Path:
    (tmp_path / "test_other.py").write_text("def test_other():\n    pass\n")
    return tmp_path


def legs(*names: str) -> tuple[str, str]:
    return "--conformance-legs", ",".join(leg_names(names or LEGS))


def test_each_leg_of_a_case_is_a_test(place: Path, twice: Path) -> None:
    code, output = run(place, str(twice), *legs())
    assert code == 1
    assert "PASSED kernels/arithmetic/twice.ptx::ptx" in output
    assert "PASSED kernels/arithmetic/twice.ptx::expected" in output
    assert "FAILED kernels/arithmetic/twice.ptx::reference-seed" in output
    assert "buffer of argument 1 at index 2: reference-seed got 7" in output
    assert "UNSUPPORTED(add.s32 is not supported)" in output
    assert "Traceback" not in output
    assert "1 failed, 2 passed, 1 skipped" in output


def test_selection(place: Path, twice: Path) -> None:
    assert "1 passed, 3 deselected" in run(place, str(twice), *legs(), "-k", "published and expected")[1]
    assert "1 passed" in run(place, f"{twice}::ptx", *legs())[1]
    assert "1 failed" in run(place, str(twice), *legs(), "-x", "-k", "reference")[1]
    code, output = run(place, str(twice), *legs(), "-n", "2")
    assert (code, "1 failed, 2 passed, 1 skipped" in output) == (1, True)


def test_other_runs_are_left_alone(place: Path) -> None:
    code, output = run(place)
    assert (code, "1 passed" in output, "twice" in output) == (0, True, False)


def test_the_flag_collects_cases_in_what_is_given(place: Path) -> None:
    (place / "kernels" / "bad.cu").write_text("int x;")
    (place / "kernels" / "k.json").write_text('{"x": 1}')
    code, output = run(place, "--conformance", "kernels", *legs("good_ptx", "expected"))
    assert (code, "1 failed, 2 passed" in output) == (1, True)
    assert "no front matter" in output


def test_broken_legs_are_usage_errors(place: Path, twice: Path) -> None:
    code, output = run(place, str(twice), "--conformance-legs", "nosuch")
    assert code == 2, output
    assert "Traceback" not in output
    assert "unknown leg 'nosuch'" in output


def test_the_plugin_imports_nothing_of_the_suite() -> None:
    code = (
        "import sys, conformance.pytest_plugin\n"
        "print([m for m in sys.modules if m.startswith(('conformance.', 'oracles')) and 'plugin' not in m])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"
