"""Whole runs: files, resume, crashes, hangs, interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import GOOD, leg_names

from conformance.cases import Discovery, discover
from conformance.runner import session
from conformance.runner.config import RunConfig
from conformance.runner.store import FILE, PREVIOUS, StoreError, read_run
from oracles.registry import BrokenLeg, UnknownLeg


@pytest.fixture
def corpus(twice: Path) -> Path:
    """Four good cases and a broken one."""
    text = twice.read_text()
    for name in ("b", "c", "d"):
        (twice.parent / f"{name}.ptx").write_text(text)
    (twice.parent / "bad.cu").write_text("int x;")
    return twice.parents[1]


def config(*legs: str, **more: Any) -> RunConfig:
    return RunConfig(leg_names(legs or GOOD), **more)


def find(corpus: Path) -> Discovery:
    return discover([str(corpus)])


def lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / FILE).read_text().splitlines()]


def test_a_run_writes_environment_and_a_line_a_case(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    seen: list[str] = []
    outcome = session.run(
        find(corpus), config(), out=out, jobs=2, argv=["x"], listener=lambda r: seen.append(r["id"])
    )
    assert outcome.exit_code == 2  # the broken case
    environment, *cases = lines(out)
    assert environment["type"] == "environment"
    assert environment["products"]["reference-seed"] == "fake-reference@cpu"
    assert (environment["cases"], environment["argv"]) == (5, ["x"])
    assert len(environment["corpus_sha256"]) == 64
    assert sorted(c["id"] for c in cases) == sorted(seen)
    by_id = {c["id"]: c for c in cases}
    assert by_id["arithmetic/bad"]["verdict"] == "BAD_INPUT"
    assert "no front matter" in by_id["arithmetic/bad"]["reason"]
    assert [c["verdict"] for i, c in sorted(by_id.items()) if i != "arithmetic/bad"] == ["PASS"] * 4
    assert [r["id"] for r in outcome.records] == sorted(by_id)


def test_resume_does_only_what_is_left(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    session.run(find(corpus), config(), out=out, jobs=0)
    path = out / FILE
    kept = path.read_text().splitlines()[:3]
    path.write_text("\n".join(kept) + '\n{"type": "case", "id": "torn')  # ended while it wrote
    assert read_run(out).torn
    seen: list[str] = []
    outcome = session.run(
        find(corpus), config(), out=out, resume=True, jobs=0, listener=lambda r: seen.append(r["id"])
    )
    assert len(seen) == 3
    assert len(outcome.records) == 5
    stored = read_run(out)
    assert len(stored.cases) == 5
    assert not stored.torn
    assert [record["type"] for record in lines(out)].count("resumed") == 1
    assert session.run(find(corpus), config(), out=out, resume=True, jobs=0).exit_code == 2


@pytest.mark.parametrize("change", ["legs", "specs", "corpus", "events"])
def test_resume_refuses_another_run(corpus: Path, tmp_path: Path, change: str) -> None:
    out = tmp_path / "out"
    session.run(find(corpus), config(), out=out, jobs=0)
    other = config()
    if change == "legs":
        other = config("good_ptx", "expected")
    elif change == "specs":
        other = config(specs=("wide",))
    elif change == "events":
        other = config(events=False)
    else:
        (corpus / "arithmetic" / "b.ptx").write_text("changed")
    before = (out / FILE).read_text()
    with pytest.raises(StoreError, match=r"cannot be resumed, the (cases|settings) are not the same"):
        session.run(find(corpus), other, out=out, resume=True, jobs=0)
    assert (out / FILE).read_text() == before


def test_an_older_run_is_kept(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / ".out"
    session.run(find(corpus), config(), out=out, jobs=0)
    first = (out / FILE).read_text()
    session.run(find(corpus), config(), out=out, jobs=0)
    assert (out / PREVIOUS).read_text() == first
    assert (out / ".gitignore").read_text() == "*\n"


def test_a_worker_that_dies_costs_one_case(corpus: Path) -> None:
    text = (corpus / "arithmetic" / "b.ptx").read_text()
    (corpus / "arithmetic" / "b.ptx").write_text(text.replace("data: [1, 2, 3, 4]", "data: [1, 2, 3, 13]"))
    outcome = session.run(find(corpus), config("good_ptx", "picky__die", "expected"), jobs=2)
    verdicts = {r["id"]: r["verdict"] for r in outcome.records}
    reasons = {r["id"]: r.get("reason", "") for r in outcome.records}
    assert verdicts.pop("arithmetic/b") == "HARNESS_ERROR"
    assert reasons["arithmetic/b"] == "picky: the worker died (exit status 7)"
    assert sorted(verdicts.values()) == ["BAD_INPUT", "PASS", "PASS", "PASS"]
    assert outcome.exit_code == 2


def test_a_leg_that_hangs_is_ended(corpus: Path) -> None:
    text = (corpus / "arithmetic" / "b.ptx").read_text()
    (corpus / "arithmetic" / "b.ptx").write_text(text.replace("data: [1, 2, 3, 4]", "data: [1, 2, 3, 13]"))
    started = time.monotonic()
    outcome = session.run(find(corpus), config("good_ptx", "picky__hang", "expected", case_limit_s=2.0), jobs=2)
    assert time.monotonic() - started < 30
    by_id = {r["id"]: r for r in outcome.records}
    assert by_id["arithmetic/b"]["reason"] == "picky: no answer within 2 s; the worker was ended"
    assert by_id["arithmetic/c"]["verdict"] == "PASS"


def test_legs_that_cannot_be_loaded_end_the_run_before_it_starts(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(
        UnknownLeg, match=r"unknown leg 'refrence' \(did you mean 'reference'\?\); there are: ptx"
    ):
        session.run(find(corpus), RunConfig(("refrence",)), out=tmp_path / "out")
    with pytest.raises(BrokenLeg, match="cannot be loaded: ModuleNotFoundError"):
        session.run(find(corpus), RunConfig(("no_such_module:leg",)))
    with pytest.raises(BrokenLeg, match="is no Oracle"):
        session.run(find(corpus), RunConfig(("builtins:dict",)))
    assert not (tmp_path / "out").exists()


def test_a_directory_that_cannot_be_written(corpus: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        session.run(find(corpus), config(), out=blocked / "below", jobs=0)


def test_fail_fast_stops(corpus: Path) -> None:
    outcome = session.run(find(corpus), config(), jobs=0, fail_fast=True)
    assert outcome.stopped
    assert [r["verdict"] for r in outcome.records] == ["BAD_INPUT"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "first line is no environment"),
        ('{"type": "case"}\n', "first line is no environment"),
        ("{\n", "line 1 is not JSON"),
        ('{"type": "environment", "schema_version": 99}\n', "schema version 99 is not 1"),
    ],
)
def test_files_that_are_no_run(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(StoreError, match=message):
        read_run(tmp_path)
    with pytest.raises(StoreError, match="cannot be read"):
        read_run(tmp_path / "none")


def test_ctrl_c_keeps_what_finished_and_says_how_to_go_on(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (corpus / "arithmetic" / "bad.cu").unlink()
    path = corpus / "arithmetic" / "twice.ptx"
    path.write_text(path.read_text().replace("data: [1, 2, 3, 4]", "data: [1, 2, 3, 13]"))
    legs = ",".join(leg_names(("good_ptx", "picky__hang", "expected")))
    command = [
        sys.executable,
        "-m",
        "conformance",
        "run",
        str(corpus),
        "--legs",
        legs,
        "-j",
        "1",
        "--out",
        str(out),
    ]
    child = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:  # b, c and d finish, then twice hangs
        if (out / FILE).exists() and len((out / FILE).read_text().splitlines()) == 4:
            break
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=30)
    assert child.returncode == 130
    assert "interrupted: 3 of 4 cases are kept in" in errors
    assert "--resume goes on" in errors
    assert sorted(read_run(out).cases) == ["arithmetic/b", "arithmetic/c", "arithmetic/d"]
