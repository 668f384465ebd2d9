"""A compiled circuit as a live stock model; the only module of this package that imports torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from qwengpu.weights.checkpoint import model_config
from qwengpu.weights.compiler import Compiled
from qwengpu.weights.reads import SCALE


def _library(name: str) -> Any:
    """torch or transformers: optional, so found only where a model is run."""
    return import_module(name)


def stock_model(compiled: Compiled, stop: int | None = None) -> Any:
    """The circuit as a `Qwen3_5ForCausalLM` in fp32, eager attention, evaluation mode.

    Needs torch and transformers. Raises RuntimeError (torch's) if a tensor is missing or has another shape.
    """
    torch, transformers = _library("torch"), _library("transformers")
    config = transformers.Qwen3_5TextConfig(**model_config(compiled.shape, stop))
    config._attn_implementation = "eager"
    with torch.device("meta"):
        model = transformers.Qwen3_5ForCausalLM(config)
    model = model.to_empty(device="cpu").float().eval()
    model.model.rotary_emb = type(model.model.rotary_emb)(config=config)
    state = {name: torch.from_numpy(tensor.dense()) for name, tensor in compiled.tensors.items()}
    model.load_state_dict(state, strict=True)
    return model


def residuals(model: Any, tokens: Sequence[int], steps: bool) -> list[Any]:
    """The residual stream after every half layer: index s is step s, tensors of shape (tokens, hidden).

    ``steps``: token by token through the cache, else in one prefill.
    """
    torch = _library("torch")
    found: list[list[Any]] = [[] for _ in range(2 * len(model.model.layers) + 1)]
    hooks = []

    def keep(step: int) -> Any:
        def hook(_module: Any, inputs: Any, *_: Any) -> None:
            found[step].append(inputs[0][0].detach().clone())

        return hook

    for number, layer in enumerate(model.model.layers):
        hooks.append(layer.input_layernorm.register_forward_pre_hook(keep(2 * number)))
        hooks.append(layer.post_attention_layernorm.register_forward_pre_hook(keep(2 * number + 1)))
    hooks.append(model.model.norm.register_forward_pre_hook(keep(2 * len(model.model.layers))))
    ids = torch.tensor([list(tokens)])
    try:
        with torch.no_grad():
            if steps:
                cache = None
                for place in range(ids.shape[1]):
                    out = model(ids[:, place : place + 1], cache=cache, use_cache=True)
                    cache = out.cache
            else:
                model(ids, use_cache=False)
    finally:
        for hook in hooks:
            hook.remove()
    return [torch.cat(parts) for parts in found]


def wire_differences(
    compiled: Compiled, found: Sequence[Any], values: Mapping[str, Sequence[int]]
) -> tuple[int, list[str]]:
    """Compares every live wire at every step of its life with the evaluator: (cells compared, differences)."""
    torch = _library("torch")
    schedule = compiled.schedule
    cells, wrong = 0, []
    for wire, first in schedule.wire_steps.items():
        name, channel = compiled.netlist.signals[wire].name, compiled.allocation.channels[wire]
        want = torch.tensor([float(value) for value in values[name]])
        for step in range(first, max(first + 1, schedule.last_uses[wire])):
            have = found[step][:, channel]
            cells += len(want)
            if not torch.equal(have, want):
                token = int((have != want).nonzero()[0])
                wrong.append(
                    f"step {step} channel {channel} {name}: token {token} has {float(have[token])}, "
                    f"the evaluator {int(want[token])}"
                )
    return cells, wrong


def read_memory(compiled: Compiled, cache: Any, memory: int) -> list[list[list[int]]]:
    """The rows of a memory, read out of a model's cache: (batch, rows, width).

    Raises ValueError if a state element is no integer multiple of 128.
    """
    declared = compiled.netlist.memories[memory]
    out: list[list[list[int]]] | None = None
    for layer in compiled.heads.layers:
        for cell in layer.cells:
            if cell.memory != memory:
                continue
            state = cache.layers[layer.layer].recurrent_states[0][:, cell.head, :, cell.head_column] / SCALE
            if not bool((state == state.round()).all()):
                raise ValueError(f"memory {declared.name}: column {cell.column} holds no integers")
            if out is None:
                out = [[[0] * declared.width for _ in range(declared.rows)] for _ in range(state.shape[0])]
            for sequence, rows in enumerate(state.tolist()):
                for row, value in enumerate(rows[: declared.rows - cell.first_row], cell.first_row):
                    out[sequence][row][cell.column] = int(value)
    return out or []
