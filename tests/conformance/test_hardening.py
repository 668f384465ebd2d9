"""What broke once: case content that ended a run, limits taken for disagreement, closed pipes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.cases import CaseError, read_case
from conformance.cases.model import digest
from conformance.runner.legrun import call
from conformance.runner.store import StoreError, read_run
from oracles.api import Buffer, Launch, Module, Options, Result, Status

KERNEL = 'extern "C" __global__ void k(unsigned *o) { o[threadIdx.x] += 1; }\n'


def json_case(folder: Path, **more: object) -> Path:
    buffer = {"kind": "buf", "dtype": "uint32", "data": [1, 2]}
    (folder / "k.cu").write_text(KERNEL, encoding="utf-8")
    path = folder / "k.json"
    path.write_text(json.dumps({"kernel": "k", "block": [2], "args": [buffer], **more}), encoding="utf-8")
    return path


def conformance(*arguments: str | Path, out: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "conformance", *map(str, arguments), "--out", str(out), "--jobs", "1"]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"grid": [2**31]}, r"grid: grid\.x = 2147483648 is above CUDA's limit of 2147483647"),
        ({"grid": [1, 65536, 1]}, r"grid: grid\.y = 65536 is above CUDA's limit of 65535"),
        ({"id": "a\x00b"}, "id: .*pattern"),
        ({"id": "../x"}, "id: .*pattern"),
        (
            {"args": [{"kind": "buf", "dtype": "int32", "data": [1], "align": 2**31}]},
            r"args\[0\]\.align: 2147483648 is above 4096",
        ),
    ],
)
def test_values_that_cannot_be_are_refused_where_they_stand(
    tmp_path: Path, more: dict[str, object], message: str
) -> None:
    with pytest.raises(CaseError, match=message):
        read_case(json_case(tmp_path, **more))


@pytest.mark.parametrize("head", ["? [a]\n: 2", "? {a: 1}\n: 2"])
def test_a_key_that_is_no_word_is_a_broken_case(tmp_path: Path, head: str) -> None:
    path = tmp_path / "y.cu"
    path.write_text(f"/*---\n{head}\n---*/\n{KERNEL}", encoding="utf-8")
    with pytest.raises(CaseError, match="front matter"):
        read_case(path)


def test_lone_surrogates_end_no_run(tmp_path: Path) -> None:
    assert digest("x \ud800") != digest("x \ud801")
    path = json_case(tmp_path, description="x \ud800", kernel="k\ud800")
    done = conformance("run", path, "--legs", "ptx,expected", out=tmp_path / "out")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "no kernel" in done.stdout


@pytest.mark.parametrize(("raw", "message"), [(b"[1]\n", "line 1 is no record"), (b"\xff\xfe\n", "UTF-8")])
def test_a_run_file_that_is_none_is_one_error(tmp_path: Path, raw: bytes, message: str) -> None:
    (tmp_path / "run.jsonl").write_bytes(raw)
    with pytest.raises(StoreError, match=message):
        read_run(tmp_path)


def test_a_step_limit_is_no_disagreement(tmp_path: Path) -> None:
    """Three steps are too few for the PTX but enough blocks for the machine: neither is to blame."""
    path = json_case(tmp_path, step_limit=3, expect={"0": [2, 3]})
    done = conformance("run", path, "--legs", "ptx,reference,expected", out=tmp_path / "out")
    assert done.returncode == 2
    (record,) = read_run(tmp_path / "out").cases.values()
    assert record["verdict"] == "TIMEOUT" and record["reason"].startswith("ptx: step limit of 3")


def test_a_step_limit_hides_no_disagreement(tmp_path: Path) -> None:
    path = json_case(tmp_path, step_limit=3, expect={"0": [2, 4]})
    done = conformance("run", path, "--legs", "ptx,reference,expected", out=tmp_path / "out")
    assert done.returncode == 1


def test_a_closed_pipe_is_no_difference() -> None:
    command = f"{sys.executable} -m conformance list | head -1 >/dev/null; exit ${{PIPESTATUS[0]}}"
    assert subprocess.run(["bash", "-c", command], check=False, capture_output=True).returncode in (0, 141)


def test_byte_permute_has_three_bits_a_selector(tmp_path: Path) -> None:
    """CUDA's `__byte_perm` ignores bit 3 of a selector; PTX's `prmt` replicates the sign with it."""
    (tmp_path / "k.cu").write_text(
        'extern "C" __global__ void k(const unsigned *a, unsigned *o)'
        " { o[0] = __byte_perm(a[0], a[1], a[2]); }\n",
        encoding="utf-8",
    )
    buffers = [{"kind": "buf", "dtype": "uint32", "data": data} for data in ([128, 0, 8], [0])]
    path = tmp_path / "k.json"
    path.write_text(
        json.dumps({"kernel": "k", "args": buffers, "expect": {"1": [0x80808080]}}), encoding="utf-8"
    )
    done = conformance("run", path, "--compilers", "clang,nvrtc", out=tmp_path / "out")
    assert done.returncode == 0, done.stdout


def answer(**more: object) -> Result:
    return Result(**({"status": Status.OK, "buffers": ((1, 2),), "executed": 1} | more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"status": "ok"}, "no oracles.api.Status"),
        ({"executed": -5}, "success with -5"),
        ({"buffers": ((1.0, 2),)}, "which is no int"),
        ({"events": [("REGISTER", 0, 0, "%r1", 1, 0)]}, "event 0 is no oracles.api.Event: kind is 'REGISTER'"),
        ({"events": [(9, 0, 0, "%r1", 1, 0)]}, "there is no kind 9"),
        ({"events": [(0, 0, 0)]}, r"event 0 is \(0, 0, 0\)"),
    ],
)
def test_a_leg_that_answers_nonsense_is_wrong_alone(more: dict[str, object], message: str) -> None:
    class Leg:
        def run(self, *_: object) -> Result:
            return answer(**more)

    launch = Launch("k", (1, 1, 1), (1, 1, 1), (Buffer("int32", (1, 2)),))
    result, _ = call(Leg(), Module("", "m"), launch, Options())  # type: ignore[arg-type]
    assert result.status is Status.HARNESS_ERROR
    assert re.search(message, result.reason), result.reason


def test_show_takes_the_id_that_a_run_printed(tmp_path: Path) -> None:
    path = json_case(tmp_path, expect={"0": [2, 9]})
    conformance("run", path, "--legs", "ptx,expected", out=tmp_path / "out")
    (name,) = read_run(tmp_path / "out").cases
    command = [sys.executable, "-m", "conformance", "show", name, "--out", str(tmp_path / "out")]
    shown = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert shown.returncode == 0 and "difference: " in shown.stdout, shown.stderr
