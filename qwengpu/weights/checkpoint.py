"""A compiled circuit as a checkpoint folder that `AutoModelForCausalLM.from_pretrained` loads."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from qwengpu.weights.compiler import Compiled
from qwengpu.weights.errors import CheckpointError
from qwengpu.weights.heads import HeadPlan
from qwengpu.weights.safetensors import differing, read_header, write_safetensors
from qwengpu.weights.shape import CONV_TAPS, Shape

FORMAT = 1
"""Version of circuit.json."""
WEIGHTS, CIRCUIT = "model.safetensors", "circuit.json"


def model_config(shape: Shape, stop: int | None = None) -> dict[str, Any]:
    """What config.json says of the sizes. ``stop``: the token that ends a generation."""
    return {
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.hidden,
        "intermediate_size": shape.intermediate,
        "num_hidden_layers": len(shape.layer_types),
        "layer_types": list(shape.layer_types),
        "num_attention_heads": shape.attention.heads,
        "num_key_value_heads": shape.attention.kv_heads,
        "head_dim": shape.attention.head_dim,
        "linear_num_key_heads": shape.key_heads,
        "linear_num_value_heads": shape.value_heads,
        "linear_key_head_dim": shape.dk,
        "linear_value_head_dim": shape.dv,
        "linear_conv_kernel_dim": CONV_TAPS,
        "hidden_act": "silu",
        "rms_norm_eps": 1e-6,
        "max_position_embeddings": 1 << 20,
        "tie_word_embeddings": False,
        "attention_bias": False,
        "use_cache": True,
        "bos_token_id": None,
        "pad_token_id": stop,
        "eos_token_id": stop,
    }


def write_checkpoint(
    folder: Path, compiled: Compiled, stop: int, words: Sequence[str], extra: Mapping[str, Any] | None = None
) -> None:
    """Writes the folder: configuration, weights, generation settings, tokenizer, certificate.

    ``stop``: the token that ends a generation. ``words``: the text of every token, without blanks; a text
    of such words, separated by blanks, is what the tokenizer reads and writes. ``extra``: more entries
    for circuit.json (what the circuit was made of). The same circuit gives the same bytes.
    Raises ValueError if the words do not name every token once.
    """
    if len(words) != compiled.shape.vocabulary or len(set(words)) != len(words):
        raise ValueError(f"{len(set(words))} different words for {compiled.shape.vocabulary} tokens")
    if any(word.split() != [word] for word in words):
        raise ValueError("a token's text is empty or contains a blank")
    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "architectures": ["Qwen3_5ForCausalLM"],
        "model_type": "qwen3_5_text",
        "dtype": "float32",
        **model_config(compiled.shape, stop),
    }
    _write(folder / "config.json", config)
    settings = {"do_sample": False, "use_cache": True, "eos_token_id": stop, "pad_token_id": stop}
    _write(folder / "generation_config.json", settings)
    _write(folder / CIRCUIT, circuit_description(compiled, extra))
    for name, content in tokenizer_files(words, stop).items():
        _write(folder / name, content)
    write_safetensors(folder / WEIGHTS, compiled.tensors)


def circuit_description(compiled: Compiled, extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """circuit.json: what the weights are, where each memory lies in the recurrent state, the certificate.

    A memory's ``cells``: (layer, value head, value column, first row, column of the memory); the state of
    shape (value heads, dk, dv) holds 128 times the integer.
    """
    return {
        "format": FORMAT,
        "circuit": compiled.netlist.name,
        "target": compiled.target.name,
        **(extra or {}),
        "shape": asdict(compiled.shape),
        "memories": memory_cells(compiled.heads),
        "certificate": compiled.certificate.as_json(),
    }


def memory_cells(plan: HeadPlan) -> list[dict[str, Any]]:
    """Every memory with its place in the recurrent state."""
    cells: dict[int, list[list[int]]] = {}
    for layer in plan.layers:
        for cell in layer.cells:
            place = [layer.layer, cell.head, cell.head_column, cell.first_row, cell.column]
            cells.setdefault(cell.memory, []).append(place)
    return [
        {"name": memory.name, "rows": memory.rows, "width": memory.width, "cells": cells[memory.index]}
        for memory in plan.schedule.netlist.memories
    ]


def tokenizer_files(words: Sequence[str], stop: int) -> dict[str, Any]:
    """tokenizer.json and tokenizer_config.json of a tokenizer whose tokens are words between blanks."""
    tokenizer: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {word: number for number, word in enumerate(words)},
            "unk_token": "?",
        },
    }
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": words[stop],
        "pad_token": words[stop],
        "clean_up_tokenization_spaces": False,
        "model_max_length": 1 << 20,
    }
    return {"tokenizer.json": tokenizer, "tokenizer_config.json": config}


def read_description(folder: Path) -> dict[str, Any]:
    """circuit.json of a folder, whose weights file is there and whole.

    Raises CheckpointError if the folder is no checkpoint of ours, of another format, or truncated.
    """
    try:
        found = json.loads((folder / CIRCUIT).read_text(encoding="utf-8"))
    except OSError as error:
        raise CheckpointError(f"{folder.name} is no compiled checkpoint: no {CIRCUIT}") from error
    except ValueError as error:
        raise CheckpointError(f"{folder.name}: {CIRCUIT} is no JSON") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise CheckpointError(f"{folder.name}: {CIRCUIT} is not of format {FORMAT}; build it again")
    for entry in read_header(folder / WEIGHTS):
        if entry.dtype != "F32":
            raise CheckpointError(f"{folder.name}: {entry.name} is stored as {entry.dtype}, not F32")
    return found


def verify_checkpoint(folder: Path, compiled: Compiled, stop: int, words: Sequence[str]) -> list[str]:
    """One line for everything in the folder that is not what the compiler makes, naming the tensor or file.

    Raises CheckpointError as `read_description`.
    """
    description = read_description(folder)
    wrong = list(differing(folder / WEIGHTS, compiled.tensors))
    expected = {**circuit_description(compiled), **{k: v for k, v in description.items() if k not in _OWN}}
    if json.loads(json.dumps(expected)) != description:
        wrong.append(f"{CIRCUIT}: not what the compiler writes")
    config = _read(folder / "config.json")
    wrong += [
        f"config.json: {key} is {config.get(key)!r}, not {value!r}"
        for key, value in model_config(compiled.shape, stop).items()
        if config.get(key) != value
    ]
    for name, content in tokenizer_files(words, stop).items():
        if _read(folder / name) != content:
            wrong.append(f"{name}: not what the compiler writes")
    return wrong


_OWN = {"format", "circuit", "target", "shape", "memories", "certificate"}


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CheckpointError(f"{path.name} is missing") from error
    except ValueError as error:
        raise CheckpointError(f"{path.name} is no JSON") from error


def _write(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
