"""A whole checkpoint as layers of programs: what the executor computes, not yet laid out for kernels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qwengpu.executor.config import LINEAR, ModelConfig
from qwengpu.executor.layers import Mixer, Mlp, check_inert, plan_mixer, plan_mlp
from qwengpu.executor.norms import Constants, find_constants
from qwengpu.executor.programs import Program, compile_rows
from qwengpu.executor.sparse import Floats, Matrix
from qwengpu.executor.weights import Weights


@dataclass(frozen=True, eq=False)
class Model:
    """``gains``: 1 + the norms' weights, before mixer 0, MLP 0, mixer 1, ..., head: (2 layers + 1, hidden)."""

    config: ModelConfig
    embedding: Matrix
    mixers: tuple[Mixer | None, ...]
    mlps: tuple[Mlp, ...]
    gains: Floats
    head: Program
    constants: Constants

    @property
    def products(self) -> int:
        """Nonzero weights that a token meets: the multiply-adds of a plain sparse product."""
        return sum(program.products for program in self.programs)

    @property
    def shared_products(self) -> int:
        """Multiply-adds that are left when common beginnings of rows are summed once."""
        return sum(len(program.values) for program in self.programs)

    @property
    def programs(self) -> list[Program]:
        """All sparse products of a token."""
        found = [self.head]
        for mixer in self.mixers:
            if mixer is not None:
                found += [mixer.inputs, mixer.values, mixer.output]
        for mlp in self.mlps:
            found += [mlp.gate, mlp.up, mlp.output]
        return found


def plan_model(config: ModelConfig, tensors: Mapping[str, Any], widen: bool = False) -> Model:
    """Everything that the weights prove.

    Raises CheckpointError for missing, unknown or misshapen tensors, UnsupportedModel for live attention.
    """
    weights = Weights(tensors, widen)
    embedding = weights.matrix("model.embed_tokens.weight", (config.vocabulary, config.hidden))
    mixers: list[Mixer | None] = []
    mlps, gains = [], []
    written = np.zeros(config.hidden, bool)
    for layer, kind in enumerate(config.layer_types):
        prefix = f"model.layers.{layer}"
        if kind == LINEAR:
            mixers.append(plan_mixer(weights, f"{prefix}.linear_attn", config))
        else:
            check_inert(weights, f"{prefix}.self_attn", config)
            mixers.append(None)
        mlps.append(plan_mlp(weights, f"{prefix}.mlp", config))
        for name in ("input_layernorm", "post_attention_layernorm"):
            gains.append(1 + weights.dense(f"{prefix}.{name}.weight", (config.hidden,)))
        _mark(written, mixers[-1], mlps[-1])
    gains.append(1 + weights.dense("model.norm.weight", (config.hidden,)))
    head = _head(weights, config, embedding)
    weights.check_all_used()
    constants = find_constants(embedding, written, config.eps)
    return Model(config, embedding, tuple(mixers), tuple(mlps), np.stack(gains), head, constants)


def _mark(written: NDArray[np.bool_], mixer: Mixer | None, mlp: Mlp) -> None:
    for channels in (mixer.channels if mixer is not None else (), mlp.channels):
        written[list(channels)] = True


def _head(weights: Weights, config: ModelConfig, embedding: Matrix) -> Program:
    if config.tied:
        weights.ignore("lm_head.weight")
        matrix = embedding
    else:
        matrix = weights.matrix("lm_head.weight", (config.vocabulary, config.hidden))
    return compile_rows([matrix.row(token) for token in range(config.vocabulary)], scan=True)
