"""Checkpoint folders: read exactly, or refused with the reason."""

import itertools
import json

import numpy as np
import pytest
from click.testing import CliRunner
from executor_models import SHALLOW, Executor, machine_model, random_ids, stock, torch, transformers

from conformance.bench.executor import main
from qwengpu.executor.errors import CheckpointError, UnsupportedModel

save_file = pytest.importorskip("safetensors.torch").save_file


@pytest.fixture
def model():
    return machine_model(SHALLOW)


def save(folder, config, tensors, dtype=torch.float32):
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    save_file({k: torch.as_tensor(v).to(dtype) for k, v in tensors.items()}, folder / "model.safetensors")
    return folder


def test_a_folder_of_the_stock_library(model, tmp_path):
    config, tensors = model
    stock(config, tensors).save_pretrained(tmp_path / "stock")
    executor = Executor.from_folder(tmp_path / "stock")
    ids = random_ids(config, 60)
    assert (executor.logits(ids) == Executor.from_state_dict(config, tensors).logits(ids)).all()
    loaded = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "stock", dtype=torch.float32)
    assert type(loaded).__name__ == "Qwen3_5ForCausalLM"


def test_shards(model, tmp_path):
    config, tensors = model
    stock(config, tensors).save_pretrained(tmp_path / "shards", max_shard_size="20KB")
    assert (tmp_path / "shards" / "model.safetensors.index.json").exists()
    ids = random_ids(config, 20)
    have = Executor.from_folder(tmp_path / "shards").logits(ids)
    assert (have == Executor.from_state_dict(config, tensors).logits(ids)).all()
    next((tmp_path / "shards").glob("model-00002*")).unlink()
    with pytest.raises(CheckpointError, match="model-00002"):
        Executor.from_folder(tmp_path / "shards")


def test_missing_files(model, tmp_path):
    config, _ = model
    with pytest.raises(CheckpointError, match=r"no config.json"):
        Executor.from_folder(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(CheckpointError, match=r"no model.safetensors"):
        Executor.from_folder(tmp_path)
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(CheckpointError, match="unreadable"):
        Executor.from_folder(tmp_path)


@pytest.mark.parametrize("keep", [0, 5, 100, 0.5, -1])
def test_truncated(model, tmp_path, keep):
    path = save(tmp_path / "model", *model) / "model.safetensors"
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep) if isinstance(keep, float) else keep])
    with pytest.raises(CheckpointError, match=r"truncated|unreadable"):
        Executor.from_folder(tmp_path / "model")


def test_dtypes(model, tmp_path):
    config, tensors = model
    folder = save(tmp_path / "half", config, tensors, torch.bfloat16)
    with pytest.raises(CheckpointError, match="is BF16, not F32"):
        Executor.from_folder(folder)
    rounded = {k: torch.as_tensor(v).bfloat16().float().numpy() for k, v in tensors.items()}
    ids = random_ids(config, 30)
    have = Executor.from_folder(folder, widen=True).logits(ids)
    assert (have == Executor.from_state_dict(config, rounded).logits(ids)).all()
    with pytest.raises(CheckpointError, match="is F64"):
        Executor.from_folder(save(tmp_path / "double", config, tensors, torch.float64))
    with pytest.raises(CheckpointError, match="float64, not float32"):
        Executor.from_state_dict(config, {k: v.astype(np.float64) for k, v in tensors.items()})
    with pytest.raises(CheckpointError, match="bfloat16, not float32"):
        Executor.from_state_dict(config, {k: torch.as_tensor(v).bfloat16() for k, v in tensors.items()})


@pytest.mark.parametrize(
    "change, error, message",
    [
        ({"model_type": "llama"}, UnsupportedModel, "model_type 'llama'"),
        ({"architectures": ["Qwen3ForCausalLM"]}, UnsupportedModel, "Qwen3ForCausalLM"),
        ({"hidden_act": "gelu"}, UnsupportedModel, "gelu"),
        ({"quantization_config": {"bits": 4}}, UnsupportedModel, "quantized"),
        ({"layer_types": ["sliding_attention"] * 2}, UnsupportedModel, "sliding_attention"),
        ({"layer_types": ["linear_attention"]}, CheckpointError, "1 layer_types for 2 layers"),
        ({"dtype": "bfloat16"}, CheckpointError, "compute in bfloat16"),
        ({"hidden_size": 64}, CheckpointError, "the config says"),
        ({"hidden_size": 0}, CheckpointError, "hidden_size is 0"),
        ({"linear_num_value_heads": 3}, CheckpointError, "do not share"),
        ({"num_hidden_layers": 3, "layer_types": ["linear_attention"] * 3}, CheckpointError, "lacks"),
        (
            {"num_hidden_layers": 1, "layer_types": ["linear_attention"]},
            CheckpointError,
            "that the model lacks",
        ),
    ],
)
def test_another_model(model, change, error, message):
    config, tensors = model
    with pytest.raises(error, match=message):
        Executor.from_state_dict({**config, **change}, tensors)


def test_tensors(model):
    config, tensors = model
    with pytest.raises(CheckpointError, match=r"lacks model.norm.weight"):
        Executor.from_state_dict(config, {k: v for k, v in tensors.items() if k != "model.norm.weight"})
    with pytest.raises(CheckpointError, match=r"lacks: extra"):
        Executor.from_state_dict(config, {**tensors, "extra": np.zeros(3, np.float32)})
    assert Executor.from_state_dict(config, {**tensors, "mtp.fc.weight": np.zeros(3, np.float32)})
    for bad, name in itertools.product((np.nan, np.inf), ("mlp.up_proj.weight", "linear_attn.conv1d.weight")):
        broken = {k: v.copy() for k, v in tensors.items()}
        broken[f"model.layers.0.{name}"].flat[0] = bad
        with pytest.raises(CheckpointError, match="not finite"):
            Executor.from_state_dict(config, broken)


def test_live_attention_is_refused(model):
    config, tensors = model
    prefix = "model.layers.1.self_attn"
    tensors[f"{prefix}.o_proj.weight"][:] = 1
    Executor.from_state_dict(config, tensors)
    for name in ("q_proj", "k_proj", "v_proj"):
        broken = {k: v.copy() for k, v in tensors.items()}
        broken[f"{prefix}.{name}.weight"][3, 2] = 1
        broken[f"{prefix}.o_proj.weight"][:] = 0
        with pytest.raises(UnsupportedModel, match=f"not provably inert: 1 nonzeros in {name}"):
            Executor.from_state_dict(config, broken)


def test_the_bench_runs(model, tmp_path):
    made = CliRunner().invoke(main, ["--checkpoint", str(save(tmp_path / "model", *model)), "--steps", "4"])
    assert made.exit_code == 0, made.output
    assert made.output.count("| fast, ") == 6 and "norms folded" in made.output
