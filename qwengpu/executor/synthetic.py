"""Made-up models with the structure of compiled circuits, for tests and measurements before a real one exists.

Bits in channels, rewritten by threshold neurons; memories with one-hot keys, resets and lookback taps;
integers; a head that decodes the next token's bits, so that generation has dynamics. Every value is an
integer below 2^24.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np

from qwengpu.executor.sparse import Floats

SCALE = 128
KEEP = 2.0**36
GATE = 32
DECAY_BIAS = -float(1 << 14)
NORM = 2.0**40


@dataclass(frozen=True)
class Machine:
    """Sizes of a made-up machine. ``rewrites``: bits that an MLP recomputes; ``inputs``: of each threshold.

    ``memories``: layers with live heads. The vocabulary is a power of two.
    """

    hidden: int = 1024
    layers: int = 24
    vocabulary: int = 8192
    heads: int = 8
    dk: int = 64
    dv: int = 64
    memories: int = 8
    rewrites: int = 250
    inputs: int = 14
    reads: int = 12
    seed: int = 1


def four_squares(number: int) -> list[int]:
    """At most four positive integers whose squares add up to ``number``."""
    for a in range(isqrt(number), -1, -1):
        for b in range(isqrt(number - a * a), -1, -1):
            for c in range(isqrt(number - a * a - b * b), -1, -1):
                rest = number - a * a - b * b - c * c
                if isqrt(rest) ** 2 == rest:
                    return [n for n in (a, b, c, isqrt(rest)) if n]
    raise AssertionError("Lagrange's theorem")


def make(machine: Machine) -> tuple[dict[str, Any], dict[str, Floats]]:
    """(what config.json says, the state_dict as numpy arrays)."""
    return _Maker(machine).make()


class _Maker:
    def __init__(self, machine: Machine) -> None:
        self.m = machine
        self.random = random.Random(machine.seed)
        self.squares = four_squares(machine.hidden)
        self.one = len(self.squares)
        self.data = range(self.one + 1, machine.hidden)
        self.bits = machine.vocabulary.bit_length() - 1
        self.token = list(self.data[: self.bits])
        self.number = self.data[self.bits]
        self.free = list(self.data[self.bits + 1 :])
        self.intermediate = 3 * machine.rewrites + 8 + machine.heads * machine.reads
        self.tensors: dict[str, Floats] = {}
        self.varying: list[int] = []
        self.live = {round(i * (machine.layers - 1) / machine.memories) for i in range(machine.memories)}

    def make(self) -> tuple[dict[str, Any], dict[str, Floats]]:
        """Layer after layer; the last one's mixer is an inert full attention."""
        m = self.m
        reads = self._read_channels(0)
        self._embedding({channel for channels in reads for channel in channels})
        for layer in range(m.layers):
            prefix = f"model.layers.{layer}"
            if layer == m.layers - 1:
                self._attention(prefix)
            else:
                self._mixer(f"{prefix}.linear_attn", reads if layer in self.live else None)
            reads = self._read_channels(layer + 1)
            self._mlp(f"{prefix}.mlp", reads, last=layer == m.layers - 1)
            for norm in ("input_layernorm", "post_attention_layernorm"):
                self._norm(f"{prefix}.{norm}.weight")
        self._norm("model.norm.weight")
        self._head()
        return self.config(), self.tensors

    def config(self) -> dict[str, Any]:
        """As in config.json."""
        m = self.m
        return {
            "model_type": "qwen3_5_text",
            "architectures": ["Qwen3_5ForCausalLM"],
            "vocab_size": m.vocabulary,
            "hidden_size": m.hidden,
            "intermediate_size": self.intermediate,
            "num_hidden_layers": m.layers,
            "layer_types": ["linear_attention"] * (m.layers - 1) + ["full_attention"],
            "num_attention_heads": 1,
            "num_key_value_heads": 1,
            "head_dim": 8,
            "linear_num_key_heads": m.heads,
            "linear_num_value_heads": m.heads,
            "linear_key_head_dim": m.dk,
            "linear_value_head_dim": m.dv,
            "linear_conv_kernel_dim": 4,
            "hidden_act": "silu",
            "rms_norm_eps": 1e-6,
            "tie_word_embeddings": False,
            "eos_token_id": None,
            "dtype": "float32",
        }

    def _zeros(self, name: str, *shape: int) -> Floats:
        self.tensors[name] = np.zeros(shape, np.float32)
        return self.tensors[name]

    def _embedding(self, empty: set[int]) -> None:
        table = self._zeros("model.embed_tokens.weight", self.m.vocabulary, self.m.hidden)
        table[:, : self.one] = np.array(self.squares) * NORM
        table[:, self.one] = 1
        ids = np.arange(self.m.vocabulary)
        for bit, channel in enumerate(self.token):
            table[:, channel] = ids >> bit & 1
        table[:, self.number] = ids
        for channel in self.random.sample([c for c in self.free if c not in empty], len(self.free) // 8):
            self.varying.append(channel)
            mask = self.random.randrange(1, self.m.vocabulary)
            table[:, channel] = [bin(t & mask).count("1") & 1 for t in range(self.m.vocabulary)]

    def _norm(self, name: str) -> None:
        weight = self._zeros(name, self.m.hidden)
        weight[:] = -1
        weight[self.one :] = NORM

    def _row(self, row: Floats, terms: Iterable[tuple[int, float]], constant: float, scale: float = 1) -> None:
        for channel, weight in terms:
            row[channel] += weight * scale
        row[self.one] += constant * scale

    def _read_channels(self, layer: int) -> list[list[int]]:
        """For each head of a live layer the channels that its reads go to (cleared by the MLP before)."""
        if layer not in self.live:
            return []
        chosen = self.random.sample(self.free, self.m.heads * self.m.reads)
        self.varying = sorted({*self.varying, *chosen})
        return [chosen[i :: self.m.heads] for i in range(self.m.heads)]

    def _inputs(self, count: int) -> list[int]:
        tokens = self.random.sample(self.token, min(1, count))
        return tokens + self.random.sample(self.varying, count - len(tokens))

    def _mlp(self, prefix: str, cleared: Sequence[Sequence[int]], last: bool) -> None:
        m, unit = self.m, 0
        gates = self._zeros(f"{prefix}.gate_proj.weight", self.intermediate, m.hidden)
        ups = self._zeros(f"{prefix}.up_proj.weight", self.intermediate, m.hidden)
        downs = self._zeros(f"{prefix}.down_proj.weight", m.hidden, self.intermediate)

        def neuron(
            terms: Sequence[tuple[int, float]], constant: float, up: int, channel: int, sign: float
        ) -> None:
            nonlocal unit
            self._row(gates[unit], terms, constant, SCALE)
            ups[unit, up] = 1
            downs[channel, unit] = sign / SCALE
            unit += 1

        zero = {channel for channels in cleared for channel in channels}
        targets = self.random.sample([c for c in self.free if c not in zero], m.rewrites - self.bits)
        if last:
            targets += self.token
        for number, channel in enumerate(reversed(targets)):
            if number < max(self.bits, len(targets) // 5):  # exclusive or keeps the dynamics alive
                a, b = self.random.sample(self.varying, 2)
                if channel in self.token:  # a shift register with feedback from everything else
                    a = self.token[(self.token.index(channel) + 1) % self.bits]
                neuron([(a, 1), (b, -1)], 0, self.one, channel, 1)
                neuron([(a, -1), (b, 1)], 0, self.one, channel, 1)
                continue
            terms = [(c, self.random.choice((-1.0, 1.0))) for c in self._inputs(m.inputs)]
            at_least = sum(w > 0 for _, w in terms) - m.inputs // 2 + 1
            neuron(terms, 1 - at_least, self.one, channel, 1)
            neuron(terms, -at_least, self.one, channel, -1)
        self.varying = sorted({*self.varying, *targets})
        for channel in [*targets, *sorted(zero)]:
            neuron([], 1, channel, channel, -1)
        for step in (1, 2, 3, 4):  # an integer: number <- number / 2 or so, by steps of its own value
            limit = step * m.vocabulary // 5
            neuron([(self.number, 1)], -limit, self.one, self.number, -1 if step % 2 else 1)

    def _attention(self, prefix: str) -> None:
        hidden = self.m.hidden
        for name, shape in {
            "q_proj": (16, hidden),
            "k_proj": (8, hidden),
            "v_proj": (8, hidden),
            "o_proj": (hidden, 8),
        }.items():
            self._zeros(f"{prefix}.self_attn.{name}.weight", *shape)
        for name in ("q_norm", "k_norm"):
            self._zeros(f"{prefix}.self_attn.{name}.weight", 8)

    def _mixer(self, prefix: str, reads: Sequence[Sequence[int]] | None) -> None:
        m = self.m
        key_dim, value_dim = m.heads * m.dk, m.heads * m.dv
        width = 2 * key_dim + value_dim
        qkv = self._zeros(f"{prefix}.in_proj_qkv.weight", width, m.hidden)
        gate = self._zeros(f"{prefix}.in_proj_z.weight", value_dim, m.hidden)
        beta = self._zeros(f"{prefix}.in_proj_b.weight", m.heads, m.hidden)
        decay = self._zeros(f"{prefix}.in_proj_a.weight", m.heads, m.hidden)
        conv = self._zeros(f"{prefix}.conv1d.weight", width, 1, 4)
        out = self._zeros(f"{prefix}.out_proj.weight", m.hidden, value_dim)
        self._zeros(f"{prefix}.A_log", m.heads)
        self._zeros(f"{prefix}.dt_bias", m.heads)[:] = DECAY_BIAS
        self._zeros(f"{prefix}.norm.weight", m.dv)[:] = 1
        if reads is None:
            return
        for head, channels in enumerate(reads):
            back = 1 if head == m.heads - 1 else 0
            self._address(qkv, conv, head * m.dk, back)
            self._address(qkv, conv, key_dim + head * m.dk, back)
            first = 2 * key_dim + head * m.dv
            for column, source in enumerate(self._inputs(m.dv - 1)):
                qkv[first + column, source] = SCALE
                conv[first + column, 0, 3 - (column % 8 == 0)] = 1
            qkv[first + m.dv - 1, self.one] = SCALE * KEEP
            conv[first + m.dv - 1, 0, 3] = 1
            enable = self._inputs(1 + head % 3)
            self._row(beta[head], [(c, 2) for c in enable], 1 - 2 * len(enable), SCALE)
            if head == 0:
                reset = self._inputs(4)
                self._row(decay[head], [(c, 1) for c in reset], 1 - len(reset), -2 * DECAY_BIAS)
            for column, channel in enumerate(channels):
                gate[head * m.dv + column, self.one] = GATE
                out[channel, head * m.dv + column] = np.float32(KEEP / GATE / m.dv**0.5)

    def _address(self, qkv: Floats, conv: Floats, first: int, back: int) -> None:
        """A binary address as dk AND gates of six (or so) bits."""
        bits = self._inputs(self.m.dk.bit_length() - 1)
        for place in range(self.m.dk):
            terms = [(c, 1.0 if place >> i & 1 else -1.0) for i, c in enumerate(bits)]
            self._row(qkv[first + place], terms, 1 - bin(place).count("1"), SCALE)
            conv[first + place, 0, 3 - back] = 1

    def _head(self) -> None:
        head = self._zeros("lm_head.weight", self.m.vocabulary, self.m.hidden)
        ids = np.arange(self.m.vocabulary)
        for bit, channel in enumerate(self.token):
            head[:, channel] = 2 * (ids >> bit & 1) - 1
        head[:, self.one] = [-bin(t).count("1") for t in range(self.m.vocabulary)]
