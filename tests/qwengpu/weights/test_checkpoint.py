"""Checkpoint folders: the same bytes twice, tampering is named, bad folders are refused, transformers loads.

Loading needs torch and transformers, an optional part of an installation: only that test is skipped without.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from sample_circuits import GO, HALT, adder, up_and_down

from qwengpu.circuits import Evaluator
from qwengpu.weights import compile_circuit
from qwengpu.weights.checkpoint import read_description, verify_checkpoint, write_checkpoint
from qwengpu.weights.errors import CheckpointError
from qwengpu.weights.safetensors import read_header

WORDS = [*(f"N({i})" for i in range(16)), "HALT", "GO"]


@pytest.fixture(scope="module")
def compiled():
    return compile_circuit(up_and_down().netlist)


@pytest.fixture
def folder(tmp_path, compiled):
    write_checkpoint(tmp_path / "model", compiled, HALT, WORDS, {"spec": "none"})
    return tmp_path / "model"


def test_writing_twice_gives_the_same_bytes(folder, tmp_path):
    write_checkpoint(tmp_path / "other", compile_circuit(up_and_down().netlist), HALT, WORDS, {"spec": "none"})
    names = sorted(path.name for path in folder.iterdir())
    assert {*names} == {"config.json", "generation_config.json", "model.safetensors", "circuit.json"} | {
        "tokenizer.json",
        "tokenizer_config.json",
    }
    for name in names:
        assert (folder / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


def test_a_good_folder_verifies(folder, compiled):
    assert verify_checkpoint(folder, compiled, HALT, WORDS) == []
    description = read_description(folder)
    assert description["certificate"]["dtypes"]["float32"] == "exact"
    assert description["spec"] == "none"
    assert description["memories"][0]["name"] == "down"


def test_a_tampered_tensor_is_named(folder, compiled):
    entry = next(
        e for e in read_header(folder / "model.safetensors") if e.name.endswith("0.mlp.up_proj.weight")
    )
    with (folder / "model.safetensors").open("r+b") as file:
        file.seek(entry.begin + 4)
        file.write(b"\x00\x00\x80\x3f")
    wrong = verify_checkpoint(folder, compiled, HALT, WORDS)
    assert len(wrong) == 1
    assert "model.layers.0.mlp.up_proj.weight: 1 elements differ, first (0, 1): 1, not 0" in wrong[0]


def test_a_negative_zero_is_a_difference(folder, compiled):
    entry = read_header(folder / "model.safetensors")[-1]
    with (folder / "model.safetensors").open("r+b") as file:
        file.seek(entry.end - 1)
        last = file.read(1)
        file.seek(entry.end - 1)
        file.write(bytes([last[0] ^ 0x80]))
    assert verify_checkpoint(folder, compiled, HALT, WORDS)[0].startswith(entry.name)


def test_other_files_are_verified(folder, compiled):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "rms_norm_eps": 1e-5}))
    assert verify_checkpoint(folder, compiled, HALT, WORDS) == ["config.json: rms_norm_eps is 1e-05, not 1e-06"]
    assert verify_checkpoint(folder, compiled, HALT, [*WORDS[:-1], "RUN"])[1] == (
        "tokenizer.json: not what the compiler writes"
    )


def test_another_circuit_is_not_verified(folder):
    wrong = verify_checkpoint(folder, compile_circuit(adder().netlist), HALT, WORDS)
    assert any("embed_tokens" in line and "shape" in line for line in wrong)
    assert "circuit.json: not what the compiler writes" in wrong


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: (f / "circuit.json").unlink(), "no compiled checkpoint"),
        (lambda f: (f / "circuit.json").write_text("{"), "no JSON"),
        (lambda f: (f / "circuit.json").write_text('{"format": 99}'), "not of format 1"),
        (lambda f: (f / "model.safetensors").write_bytes(b"abc"), "no safetensors file"),
        (lambda f: (f / "model.safetensors").unlink(), "cannot be read"),
        (lambda f: truncate(f / "model.safetensors"), "truncated or damaged"),
        (lambda f: change_dtype(f / "model.safetensors"), "stored as I32, not F32"),
    ],
)
def test_bad_folders_are_refused(folder, damage, message):
    damage(folder)
    with pytest.raises(CheckpointError, match=message):
        read_description(folder)


def truncate(path):
    path.write_bytes(path.read_bytes()[:-4])


def change_dtype(path):
    path.write_bytes(path.read_bytes().replace(b'"F32"', b'"I32"', 1))


def test_words_must_name_every_token_once(tmp_path, compiled):
    with pytest.raises(ValueError, match="17 different words for 18 tokens"):
        write_checkpoint(tmp_path, compiled, HALT, [*WORDS[:-1], "HALT"])
    with pytest.raises(ValueError, match="contains a blank"):
        write_checkpoint(tmp_path, compiled, HALT, [*WORDS[:-1], "G O"])


PROGRAM = """
import sys
from transformers import AutoModelForCausalLM, AutoTokenizer
assert "qwengpu" not in sys.modules
folder = sys.argv[1]
tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
ids = tokenizer("GO N(4)", return_tensors="pt").input_ids
print(model.dtype, tokenizer.decode(model.generate(ids, max_new_tokens=40)[0]))
"""


def test_transformers_alone_load_and_generate(folder):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    want = " ".join(WORDS[token] for token in Evaluator(up_and_down().netlist).generate([GO, 4], HALT, 40))
    assert done.stdout.strip() == f"torch.float32 GO N(4) {want}"
