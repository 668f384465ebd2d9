"""The sizes of a stock `Qwen3_5ForCausalLM`, read from its config.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qwengpu.executor.errors import CheckpointError, UnsupportedModel

LINEAR, FULL = "linear_attention", "full_attention"


@dataclass(frozen=True)
class ModelConfig:
    """What the executor needs of `Qwen3_5TextConfig`; the names are shorter, the meanings the same."""

    hidden: int
    intermediate: int
    vocabulary: int
    layer_types: tuple[str, ...]
    key_heads: int
    value_heads: int
    dk: int
    dv: int
    taps: int
    eps: float
    tied: bool
    attention_heads: int
    attention_kv_heads: int
    attention_dim: int
    stop: frozenset[int]

    @property
    def key_dim(self) -> int:
        """Width of all queries, or of all keys."""
        return self.key_heads * self.dk

    @property
    def value_dim(self) -> int:
        """Width of all values."""
        return self.value_heads * self.dv

    @property
    def conv_dim(self) -> int:
        """Width of the convolution: queries, keys, values, in this order."""
        return 2 * self.key_dim + self.value_dim


_SIZES = {
    "hidden": ("hidden_size", 4096),
    "intermediate": ("intermediate_size", 12288),
    "vocabulary": ("vocab_size", 248320),
    "key_heads": ("linear_num_key_heads", 16),
    "value_heads": ("linear_num_value_heads", 32),
    "dk": ("linear_key_head_dim", 128),
    "dv": ("linear_value_head_dim", 128),
    "taps": ("linear_conv_kernel_dim", 4),
    "attention_heads": ("num_attention_heads", 16),
    "attention_kv_heads": ("num_key_value_heads", 4),
    "attention_dim": ("head_dim", 256),
}
"""Our name -> (its name in config.json, the default of `Qwen3_5TextConfig` in transformers 5.24)."""


def read_config(raw: Mapping[str, Any], widen: bool = False) -> ModelConfig:
    """The sizes from a parsed config.json.

    ``widen``: a config that asks for 16-bit arithmetic is taken too, and computed in float32 all the same.

    Raises UnsupportedModel for another architecture or a setting that changes the arithmetic, CheckpointError
    for sizes that make no sense.
    """
    _check_architecture(raw)
    dtype = str(raw.get("dtype", raw.get("torch_dtype")) or "float32").removeprefix("torch.")
    if dtype != "float32" and not widen:
        raise CheckpointError(f"config: the stock loader would compute in {dtype}, not float32")
    sizes = {ours: _size(raw, theirs, default) for ours, (theirs, default) in _SIZES.items()}
    if sizes["value_heads"] % sizes["key_heads"]:
        raise CheckpointError(f"{sizes['value_heads']} value heads do not share {sizes['key_heads']} key heads")
    if raw.get("hidden_act", "silu") != "silu":
        raise UnsupportedModel(f"hidden_act {raw['hidden_act']!r}: only silu is computed")
    return ModelConfig(
        **sizes,
        layer_types=_layer_types(raw),
        eps=float(raw.get("rms_norm_eps", 1e-6)),
        tied=bool(raw.get("tie_word_embeddings", False)),
        stop=_stop(raw.get("eos_token_id")),
    )


def _check_architecture(raw: Mapping[str, Any]) -> None:
    kind = raw.get("model_type", "qwen3_5_text")
    if kind != "qwen3_5_text":
        raise UnsupportedModel(f"model_type {kind!r}: only qwen3_5_text is computed")
    for name in raw.get("architectures") or ("Qwen3_5ForCausalLM",):
        if name != "Qwen3_5ForCausalLM":
            raise UnsupportedModel(f"architecture {name!r}: only Qwen3_5ForCausalLM is computed")
    if raw.get("quantization_config"):
        raise UnsupportedModel("the checkpoint is quantized")


def _size(raw: Mapping[str, Any], name: str, default: int) -> int:
    value = raw.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise CheckpointError(f"config: {name} is {value!r}, not a positive integer")
    return value


def _layer_types(raw: Mapping[str, Any]) -> tuple[str, ...]:
    count = _size(raw, "num_hidden_layers", 32)
    types = raw.get("layer_types")
    if types is None:
        every = int(raw.get("full_attention_interval", 4))
        types = [LINEAR if (layer + 1) % every else FULL for layer in range(count)]
    if len(types) < count:
        raise CheckpointError(f"config: {len(types)} layer_types for {count} layers")
    for kind in types:
        if kind not in (LINEAR, FULL):
            raise UnsupportedModel(f"layer type {kind!r}")
    return tuple(types[:count])


def _stop(eos: Any) -> frozenset[int]:
    if eos is None:
        return frozenset()
    return frozenset({eos} if isinstance(eos, int) else eos)
