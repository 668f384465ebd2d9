"""The `qwengpu` command line, with a hand-made lowering: output, exit codes, one-line errors."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.cli.qwengpu import cli
from conformance.cli.qwengpu_inputs import InputError, parse_argument, parse_dims
from oracles.api import Buffer, Scalar
from qwengpu.asm import assemble
from qwengpu.program import BlockMap, Param, Program, Refusal, SizeReport
from qwengpu.spec import Spec, spec_named
from qwengpu.tokens import vocabulary

PTX = """\
/*---
description: Doubles n numbers.
reference: none
launches:
  - block: [2, 1, 1]
    args: &arguments [{kind: buf, dtype: int32, data: [3, -4]}, {kind: i32, value: 2}]
    expect: {0: [6, -8]}
  - {block: [3, 1, 1], args: *arguments, fault: out_of_range}
---*/
.version 8.0
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 p, .param .u32 n)
{
  ret;
}
"""

BLOCK = """\
const C0=param0 C1=tid.x C2=param2
T2 l1: ld.global.word [C0 + C1<<2]
T4 m2: mul T2, C2
store.global.word [C0 + C1<<2] = T4
next {next}"""


def lower(ptx: str, kernel: str | None, spec: Spec) -> Program:
    """Stands for the lowering: one block, or what the PTX text asks for in a comment."""
    if "refuse" in ptx:
        raise Refusal("fma.rn.f32 (PTX line 9) is floating point; use integers", instr=0)
    block = assemble(BLOCK.format(next="0" if "loop" in ptx else "exit"), spec)
    params = (Param("p", 8, 16, 2, True), Param("n", 4, 18, 1, False))
    report = SizeReport(1, 0, 3, 0, 0, 1, 2)
    return Program(spec, kernel or "", (block,), params, (BlockMap((), (13,), (5, 6)),), report)


@pytest.fixture(autouse=True)
def hand_made_lowering(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("qwengpu.lowering.lower")
    module.lower = lower  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "qwengpu.lowering.lower", module)


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    path = tmp_path / "scale.ptx"
    path.write_text(PTX)
    return path


def call(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def failed(result: Result) -> str:
    """The one line of an error."""
    assert result.exit_code == 2, result.output
    assert result.stdout == "" and result.stderr.count("\n") == 1
    assert result.stderr.startswith("qwengpu: ")
    return result.stderr


LEGS = "the legs are: ptx, reference, native"
ARGS = ("--block", "2", "--arg", "int32:3,-4", "--arg", "i32:2")


def test_run_prints_buffers_and_cost(kernel: Path) -> None:
    result = call("run", kernel, *ARGS)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "argument 0 int32[2]: 6 -8  (changed)"
    assert lines[1].startswith("5 tokens generated, HALT included, after a prompt of ")
    assert lines[-1] == "ok"


def test_run_says_how_it_faulted(kernel: Path) -> None:
    result = call("run", kernel, "--block", "3", *ARGS[2:])
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == (
        "fault: out_of_range: address 0x40000008 thread 2 at block 0, PTX line 13, CUDA lines 5-6"
    )


def test_run_stops_at_the_step_limit(kernel: Path) -> None:
    kernel.write_text(PTX.replace("ret;", "// loop"))
    result = call("run", kernel, *ARGS, "--step-limit", "5")
    assert result.exit_code == 1 and "timeout: step limit" in result.stdout
    assert "tokens generated, none of them HALT, after" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--arg", "int32:1"), "bad_input: kernel scale takes 2 arguments, not 1"),
        ((*ARGS, "--grid", "0"), "--grid '0' is not one to three positive numbers, like 8 or 2,1,1"),
        (("--arg", "float:1"), "--arg 'float:1' (argument 0) is not TYPE:VALUES; a buffer is int8"),
        (
            ("--arg", "int32:1", "--arg", "int32:1,a"),
            "--arg 'int32:1,a' (argument 1): item 1, 'a', is no integer, like -5 or 0xff",
        ),
        (("--arg", "int32:1,,2"), "item 1, '', is no integer"),
        (("--arg", "i32:"), "a scalar has one value"),
        (("--arg", "int32:x*2"), "item 0, 'x*2': 'x' is no integer"),
        (("--arg", "int32:0*x"), "item 0, '0*x': 'x' is no number of repetitions"),
        (("--arg", "int32:0*-2"), "item 0, '0*-2': '-2' is no number of repetitions"),
        (("--arg", "int32:1,010"), "item 1, '010', is no integer"),
        (("--arg", "int32:0*999999999"), "item 0, '0*999999999': more than 16777216 elements"),
        (("--arg", "int32:" + "9" * 5000), "--arg of argument 0: item 0, '" + "9" * 60 + "...', is no integer"),
        (
            ("--arg", "int32:1,3000000000"),
            "--arg 'int32:1,3000000000' (argument 0): element 1 = 3000000000 does",
        ),
        (("--arg", "u8:256"), "256 does not fit u8"),
        (("--arg", "i32:1,2"), "a scalar has one value; for a buffer write int32:..."),
        ((*ARGS, "--kernel", "other"), "no kernel 'other'; the module has: scale; name one with --kernel"),
        ((*ARGS, "--leg", "nope"), f"unknown leg 'nope'; {LEGS}"),
        ((*ARGS, "--leg", "refrence"), f"unknown leg 'refrence' (did you mean 'reference'?); {LEGS}"),
        ((*ARGS, "--leg", "expected"), f"leg expected states the values of a case and runs nothing; {LEGS}"),
        ((*ARGS[2:], "--block", "17"), "17 threads, spec seed has room for 16"),
    ],
)
def test_run_with_bad_input(kernel: Path, arguments: tuple[str, ...], message: str) -> None:
    assert message in failed(call("run", kernel, *arguments))


@pytest.mark.parametrize("command", [("run", "{}", *ARGS), ("trace", "{}")])
def test_a_leg_that_is_planned(kernel: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]) -> None:
    monkeypatch.setattr("oracles.registry._entries", list)
    monkeypatch.setattr("oracles.registry._BUILT_IN", {"ptx": "oracles.ptx:oracle"})
    for leg in ("weights", "hardware"):
        message = failed(call(*(part.format(kernel) for part in command), "--leg", leg))
        assert message == f"qwengpu: leg {leg} is not built yet; the legs are: ptx\n"
    monkeypatch.setattr("oracles.registry._BUILT_IN", {"weights": "oracles.reference:oracle"})
    result = call(*(part.format(kernel) for part in command), "--leg", "weights")
    assert result.exit_code == 0, "as soon as it is built it is taken"


def test_a_file_without_a_kernel(tmp_path: Path, kernel: Path) -> None:
    path = tmp_path / "e.ptx"
    path.write_text("this is no PTX\n")
    for command in ("compile", "run"):
        assert failed(call(command, path)) == "qwengpu: no kernel in e.ptx: it has no .entry\n"
    kernel.write_text(PTX.replace(".visible .entry", ".visible .func"))
    assert "no kernel in scale.ptx: it has no .entry" in failed(call("prompt", kernel))


def test_a_larger_spec_has_room(kernel: Path) -> None:
    data = ",".join(str(i) for i in range(17))
    arguments = ("--block", "17", "--arg", f"int32:{data}", "--arg", "i32:1")
    assert call("run", kernel, *arguments, "--spec", "wide").exit_code == 0
    failed(call("run", kernel, *arguments))


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    assert "cannot be read" in failed(call("compile", tmp_path / "none.cu"))
    (tmp_path / "x.txt").write_text("")
    assert "neither a .cu nor a .ptx" in failed(call("run", tmp_path / "x.txt"))
    (tmp_path / "latin.ptx").write_bytes(b"// \xff")
    assert "no UTF-8" in failed(call("compile", tmp_path / "latin.ptx"))


def test_a_refusal_names_its_remedy(kernel: Path) -> None:
    kernel.write_text(PTX.replace("ret;", "// refuse"))
    result = call("compile", kernel)
    assert failed(result) == "qwengpu: fma.rn.f32 (PTX line 9) is floating point; use integers\n"
    shown = call("compile", kernel, "--ptx")
    assert (shown.exit_code, shown.stdout) == (0, kernel.read_text())
    assert "unsupported: fma.rn.f32" in failed(call("run", kernel, *ARGS))


def test_compile_lists_ptx_blocks_and_sizes(kernel: Path) -> None:
    result = call("compile", kernel)
    assert result.exit_code == 0
    assert ".visible .entry scale" in result.stdout
    assert "block 0  (CUDA 5-6, PTX 13)\n" in result.stdout
    assert "const C0=param0 C1=tid.x C2=param2\n" in result.stdout
    assert "kernel scale on spec seed:" in result.stdout
    assert re.search(r"ROM blocks +1 of +32\n", result.stdout)
    only = call("compile", kernel, "--ptx")
    assert only.exit_code == 0 and only.stdout == PTX
    assert "kernel scale on spec wide:" in call("compile", kernel, "--spec", "wide").stdout


def test_prompt_and_trace_are_one_json_list(kernel: Path) -> None:
    vocab = vocabulary(spec_named("seed"))
    prompt = json.loads(call("prompt", kernel).stdout)
    assert vocab.text(prompt[:1] + prompt[-1:]) == "RESET LAUNCH"
    assert json.loads(call("prompt", kernel, "--ids").stdout) == prompt
    trace = call("trace", kernel, "--leg", "reference", "--ids")
    assert (trace.exit_code, trace.stderr) == (0, "")
    assert vocab.text(json.loads(trace.stdout)) == "EXEC(0,0) ADDR(0,0) MEM(0,6) MEM(1,248) HALT"


def test_prompt_and_trace_as_text(kernel: Path) -> None:
    text = call("prompt", kernel, "--text").stdout
    assert text.splitlines()[0] == "RESET" and text.splitlines()[-1] == "LAUNCH"
    vocab = vocabulary(spec_named("seed"))
    assert vocab.parse(text) == json.loads(call("prompt", kernel).stdout)
    trace = call("trace", kernel).stdout
    assert trace.splitlines()[0].split("  #")[0].strip() == "EXEC(0,0) ADDR(0,0) MEM(0,6) MEM(1,248)"
    assert "# PTX 13, CUDA 5-6" in trace and "argument 0 int32[2]: 6 -8" in trace


def test_the_launch_of_a_case_can_be_chosen(kernel: Path) -> None:
    result = call("trace", kernel, "--launch", "1", "--ids")
    assert result.exit_code == 1
    tokens = vocabulary(spec_named("seed")).text(json.loads(result.stdout))
    assert tokens == "EXEC(0,0) FAULT(2,4) HALT"
    assert "has 2 launches; --launch takes 0 to 1" in failed(call("trace", kernel, "--launch", "2"))
    kernel.write_text(PTX.replace("  - {block: [3, 1, 1], args: *arguments, fault: out_of_range}\n", ""))
    for command in ("trace", "prompt"):
        for number in ("1", "-1"):
            message = failed(call(command, kernel, "--launch", number))
            assert message.endswith("has one launch, number 0; leave --launch out\n")


def test_a_json_case_beside_a_kernel(kernel: Path) -> None:
    bare = kernel.with_name("bare.ptx")
    bare.write_text(PTX.partition("---*/\n")[2])
    case = kernel.with_name("bare.json")
    arguments = [{"kind": "buf", "dtype": "int32", "data": [5]}, {"kind": "i32", "value": 3}]
    case.write_text(json.dumps({"kernel": "scale", "grid": [1, 1, 1], "block": [1, 1, 1], "args": arguments}))
    result = call("trace", case)
    assert result.exit_code == 0 and "argument 0 int32[1]: 15  (changed)" in result.stdout
    case.write_text("{")
    assert "bare.json" in failed(call("prompt", case))


def test_trace_needs_a_leg_with_tokens(kernel: Path) -> None:
    result = call("trace", kernel, "--leg", "native")
    assert result.exit_code != 0 and "native" in result.stderr


def test_a_launch_that_is_refused_has_no_trace(kernel: Path) -> None:
    kernel.write_text(PTX.replace("block: [2, 1, 1]", "block: [17, 1, 1]"))
    assert "17 threads" in failed(call("trace", kernel))
    assert "17 threads" in failed(call("prompt", kernel))


def test_an_unknown_case() -> None:
    failed(call("prompt", "no/such_case"))


def test_spec_prints_its_numbers() -> None:
    text = call("spec").stdout
    assert (
        "memory words, global and shared    126" in text and "vocabulary                         7413" in text
    )
    assert "ROM blocks                         256" in call("spec", "--spec", "wide").stdout


@pytest.mark.parametrize("command", ["compile", "run", "prompt", "trace", "spec"])
def test_every_command_explains_itself_and_knows_its_specs(command: str) -> None:
    text = call(command, "--help").stdout
    assert "Examples:" in text and "--spec" in text
    assert ("Exit codes: 0" in text) == (command != "spec")
    arguments = [] if command == "spec" else ["x.ptx"]
    result = call(command, *arguments, "--spec", "huge")
    assert result.exit_code == 2 and "known: seed, wide" in result.stderr


def test_values_of_arguments() -> None:
    assert parse_argument("int32:1,0x10,0*3") == Buffer("int32", (1, 16, 0, 0, 0))
    assert parse_argument("uint8:") == Buffer("uint8", ())
    assert parse_argument("i64:-5") == Scalar("i64", -5)
    assert parse_dims("4x2", "block") == (4, 2, 1)
    with pytest.raises(InputError, match="--block '1,2,3,4'"):
        parse_dims("1,2,3,4", "block")


def test_the_module_runs_and_has_a_version() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "qwengpu", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("qwengpu ")
    done = subprocess.run(
        [sys.executable, "-m", "qwengpu", "--help"], capture_output=True, text=True, check=True
    )
    assert "Examples:" in done.stdout


def test_importing_the_command_imports_nothing_heavy() -> None:
    heavy = ("yaml", "pydantic", "oracles", "qwengpu.lowering")
    code = f"import sys, conformance.cli.qwengpu; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
