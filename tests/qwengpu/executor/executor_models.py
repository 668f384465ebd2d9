"""Small models for the executor's tests, and what the stock modules say about them."""

from __future__ import annotations

import numpy as np
import pytest

from qwengpu.executor.synthetic import Machine, make

pytest.importorskip("numba")
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

Executor = pytest.importorskip("qwengpu.executor.engine").Executor

torch.set_num_threads(1)

SMALL = Machine(
    hidden=256,
    layers=5,
    vocabulary=256,
    heads=4,
    dk=16,
    dv=16,
    memories=3,
    rewrites=40,
    inputs=8,
    reads=6,
    seed=2,
)
"""A machine that stock modules run quickly."""
SHALLOW = Machine(
    hidden=100,
    layers=2,
    vocabulary=64,
    heads=2,
    dk=16,
    dv=16,
    memories=1,
    rewrites=12,
    inputs=5,
    reads=4,
    seed=2,
)
"""So shallow that no inexact value is blown up before it is compared; a hidden size that is no power of 2."""


def stock(config, tensors):
    """The stock model with these weights, float32, eager attention."""
    names = {k: v for k, v in config.items() if k not in ("model_type", "architectures")}
    made = transformers.Qwen3_5TextConfig(**names)
    made._attn_implementation = "eager"
    model = transformers.Qwen3_5ForCausalLM(made).float().eval()
    model.load_state_dict({name: torch.as_tensor(tensor) for name, tensor in tensors.items()}, strict=True)
    return model


def dense_model(seed=0, layers=4, scale=8.0, key_heads=2, value_heads=4, taps=4):
    """(config, state_dict) of a random dense model whose attention is inert."""
    torch.manual_seed(seed)
    config = {
        "model_type": "qwen3_5_text",
        "vocab_size": 97,
        "hidden_size": 48,
        "intermediate_size": 64,
        "num_hidden_layers": layers,
        "layer_types": ["linear_attention"] * (layers - 1) + ["full_attention"],
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "head_dim": 8,
        "linear_num_key_heads": key_heads,
        "linear_num_value_heads": value_heads,
        "linear_key_head_dim": 8,
        "linear_value_head_dim": 16,
        "linear_conv_kernel_dim": taps,
        "tie_word_embeddings": False,
    }
    model = transformers.Qwen3_5ForCausalLM(
        transformers.Qwen3_5TextConfig(**{k: v for k, v in config.items() if k != "model_type"})
    )
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim >= 2:
                parameter.mul_(scale)
        for name in ("q_proj", "k_proj", "v_proj"):
            getattr(model.model.layers[-1].self_attn, name).weight.zero_()
    return config, {name: tensor.numpy().copy() for name, tensor in model.state_dict().items()}


def random_ids(config, count, seed=0):
    return np.random.default_rng(seed).integers(0, config["vocab_size"], count).tolist()


def stock_logits(model, ids):
    with torch.no_grad():
        return model(torch.tensor([ids]), use_cache=False).logits[0].numpy()


def stock_stream(model, ids):
    """The residual stream before every half layer and before the head, in one forward pass."""
    found, hooks = [], []

    def keep(_module, inputs):
        found.append(inputs[0][0].detach().clone().numpy())

    for layer in model.model.layers:
        hooks.append(layer.input_layernorm.register_forward_pre_hook(keep))
        hooks.append(layer.post_attention_layernorm.register_forward_pre_hook(keep))
    hooks.append(model.model.norm.register_forward_pre_hook(keep))
    stock_logits(model, ids)
    for hook in hooks:
        hook.remove()
    return np.stack(found)


def stock_generate(model, prompt, count):
    """(tokens, cache); no attention mask that generate() might infer from a padding token."""
    ids = torch.tensor([prompt])
    with torch.no_grad():
        made = model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=count,
            do_sample=False,
            return_dict_in_generate=True,
            use_cache=True,
        )
    cache = made["cache"] if "cache" in made else made["past_key_values"]
    return made["sequences"][0, len(prompt) :].tolist(), cache


def check_against_stock(config, tensors, ids, tolerance=2e-5):
    """Residual streams agree within ``tolerance`` of each half layer's scale; returns the executor."""
    executor = Executor.from_state_dict(config, tensors)
    want, have = stock_stream(stock(config, tensors), ids), executor.residuals(ids)
    for step in range(len(want)):
        data = np.abs(want[step]) < 2.0**30
        scale = max(1.0, float(np.abs(want[step][data]).max()))
        difference = np.abs(np.where(data, want[step] - have[step], 0)).max()
        assert difference <= tolerance * scale, f"half layer {step}: {difference} of {scale}"
        assert (want[step][~data] == have[step][~data]).all()
    return executor


def machine_model(machine=SMALL):
    config, tensors = make(machine)
    return config, tensors
