"""The model's sizes: what a circuit is compiled for, and what came out."""

from __future__ import annotations

from dataclasses import dataclass

from qwengpu.weights.errors import CompileError

CONV_TAPS = 4
"""`linear_conv_kernel_dim` of every published Qwen3.5 model."""


@dataclass(frozen=True)
class AttentionShape:
    """Sizes of the model's full-attention layers; the one compiled layer of this kind is inert."""

    heads: int = 1
    kv_heads: int = 1
    head_dim: int = 8


@dataclass(frozen=True)
class Target:
    """What a circuit is compiled for. ``None``: the smallest size that fits.

    ``dk``, ``dv``: key and value dimension of a Gated DeltaNet head; their product must be a power of 4, so
    that the scale of a read is a power of two. ``group``: value heads a key head. ``value_heads``: the most
    that a layer may use; ``neurons`` likewise. ``norm_exponent``: the constants that make RMSNorm the
    identity are multiples of 2**norm_exponent.
    """

    name: str
    hidden: int | None = None
    intermediate: int | None = None
    value_heads: int = 16
    exact_heads: bool = False
    group: int = 1
    dk: int = 64
    dv: int = 64
    attention: AttentionShape = AttentionShape()
    max_layers: int | None = None
    neurons: int = 6144
    norm_exponent: int = 40

    def __post_init__(self) -> None:
        product = self.dk * self.dv
        if product & (product - 1) or product.bit_length() % 2 == 0:
            raise CompileError(f"target {self.name}: dk * dv = {product} is no power of 4")
        if self.value_heads % self.group:
            raise CompileError(f"target {self.name}: {self.value_heads} value heads in groups of {self.group}")

    @property
    def columns(self) -> int:
        """Data columns of a value head; one more holds the constant that fixes the norm's scale."""
        return self.dv - 1

    @property
    def exact_integers(self) -> bool:
        """Whether a head carries any integer exactly: 1/sqrt(dk) is a power of two. Bits are always exact."""
        return self.dk.bit_length() % 2 == 1


STANDALONE = Target("standalone")
"""Sizes that follow from the circuit alone."""

QWEN35_2B = Target(
    "qwen3.5-2b",
    hidden=2048,
    intermediate=6144,
    value_heads=16,
    exact_heads=True,
    dk=128,
    dv=128,
    attention=AttentionShape(heads=8, kv_heads=2, head_dim=256),
)
"""The published base model's sizes (Qwen/Qwen3.5-2B, config.json)."""

TARGETS: dict[str, Target] = {target.name: target for target in (STANDALONE, QWEN35_2B)}


@dataclass(frozen=True)
class Shape:
    """The sizes of one compiled model. ``layer_types``: as in the model's configuration."""

    hidden: int
    intermediate: int
    key_heads: int
    value_heads: int
    dk: int
    dv: int
    attention: AttentionShape
    vocabulary: int
    layer_types: tuple[str, ...]

    @property
    def key_dim(self) -> int:
        """Width of all queries, or of all keys."""
        return self.key_heads * self.dk

    @property
    def value_dim(self) -> int:
        """Width of all values."""
        return self.value_heads * self.dv
