"""Pass 4, emit: the planned circuit as tensors of a stock `Qwen3_5ForCausalLM`.

Every constant is exact in float32 (measured on the modules of transformers 5.24):

* RMSNorm is the identity: constants f * 2**E in every embedding, with the sum of f**2 equal to the hidden
  size, make the mean square 2**(2E); the data's own squares are below its last bit. (1 + weight) = 2**E.
* silu(128 * n) = 128 * relu(n) for an integer n, in MLPs, and after the convolution in queries, keys, values.
* sigmoid(-128 + 256 * n) is 0 or 1 for an integer n <= 0 or >= 1; likewise a decay of exp(0) or exp(-2**14).
* A value head's last column holds 128 * 2**36 in every row that was ever written, so its gated norm divides
  by a constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from qwengpu.circuits.forms import Form, form
from qwengpu.circuits.netlist import Address, Feature, Neurons
from qwengpu.weights.allocate import Allocation
from qwengpu.weights.errors import CompileError
from qwengpu.weights.heads import ALWAYS, HeadLayer, HeadPlan, ValueHead
from qwengpu.weights.reads import KEEP, SCALE, read_constants
from qwengpu.weights.shape import CONV_TAPS, Shape
from qwengpu.weights.tensors import Tensor, TensorBuilder, Tensors

DECAY_BIAS = -(1 << 14)
"""softplus(DECAY_BIAS) = 0, so nothing decays; softplus(-DECAY_BIAS) = 2**14, so nothing remains."""


def emit(allocation: Allocation, plan: HeadPlan, shape: Shape) -> Tensors:
    """All tensors, by state_dict name, in the order of the model's modules."""
    return dict(_Emitter(allocation, plan, shape).tensors())


def make_shape(allocation: Allocation, plan: HeadPlan) -> Shape:
    """The model's sizes; layers without heads: the last one becomes the inert full-attention layer.

    Raises CompileError if an MLP needs more hidden units than the target has.
    """
    schedule, target = allocation.schedule, allocation.schedule.target
    widest = max((len(_mlp(allocation, layer)) for layer in range(schedule.layers)), default=0)
    intermediate = target.intermediate or max(8, -(-widest // 8) * 8)
    if widest > intermediate:
        raise CompileError(f"an MLP needs {widest} hidden units, {target.name} has {intermediate}")
    types = ["linear_attention"] * schedule.layers
    empty = [layer.layer for layer in plan.layers if not any(layer.heads)]
    if empty and schedule.layers > 1:
        types[empty[-1]] = "full_attention"
    else:
        types.append("full_attention")
    return Shape(
        allocation.hidden,
        intermediate,
        plan.value_heads // target.group,
        plan.value_heads,
        target.dk,
        target.dv,
        target.attention,
        schedule.netlist.vocabulary,
        tuple(types),
    )


Hidden = tuple[Form, Form]
"""Gate and up form of a hidden unit."""


def _mlp(allocation: Allocation, layer: int) -> dict[Hidden, list[tuple[int, int]]]:
    """The hidden units of a layer's MLP, each with (channel, coefficient) of what it adds to the residual."""
    schedule, netlist = allocation.schedule, allocation.schedule.netlist
    units: dict[Hidden, dict[int, int]] = {}

    def add(gate: Form, up: Form, channel: int, coef: int) -> None:
        writes = units.setdefault((gate, up), {})
        writes[channel] = writes.get(channel, 0) + coef

    step = 2 * layer + 2
    for node in schedule.at(step):
        definition = netlist.definitions[node.wires[0]]
        if isinstance(definition, Neurons):
            for neuron in definition.neurons:
                add(neuron.gate, neuron.up, allocation.channels[node.wires[0]], neuron.coef)
    for erase in allocation.erases:
        if erase.step == step:
            add(ALWAYS, form(netlist.signals[erase.wire]), allocation.channels[erase.wire], -1)
    return {unit: sorted((c, k) for c, k in writes.items() if k) for unit, writes in units.items()}


class _Emitter:
    def __init__(self, allocation: Allocation, plan: HeadPlan, shape: Shape) -> None:
        self.allocation, self.plan, self.shape = allocation, plan, shape
        self.netlist = allocation.schedule.netlist
        self.target = allocation.schedule.target

    def _row(self, value: Form, scale: float) -> Iterator[tuple[int, float]]:
        """A linear form as entries (channel, weight), its constant taken from the channel that holds 1."""
        for signal, coef in value.terms:
            yield self.allocation.channels[signal.index], coef * scale
        yield self.allocation.one, value.const * scale

    def tensors(self) -> Iterator[tuple[str, Tensor]]:
        """Every tensor with its name."""
        yield "model.embed_tokens.weight", self._embedding()
        for layer, kind in enumerate(self.shape.layer_types):
            prefix = f"model.layers.{layer}"
            if kind == "full_attention":
                parts = self._attention()
            else:
                parts = self._heads(self.plan.layers[layer] if layer < len(self.plan.layers) else None)
            yield from ((f"{prefix}.{name}", tensor) for name, tensor in parts)
            yield from ((f"{prefix}.mlp.{name}", tensor) for name, tensor in self._mlp(layer))
            yield f"{prefix}.input_layernorm.weight", self._norm()
            yield f"{prefix}.post_attention_layernorm.weight", self._norm()
        yield "model.norm.weight", self._norm()
        head = TensorBuilder((self.shape.vocabulary, self.shape.hidden))
        for token, score in enumerate(self.netlist.logits):
            head.row(token, self._row(score, 1))
        yield "lm_head.weight", head.build()

    def _embedding(self) -> Tensor:
        built = TensorBuilder((self.shape.vocabulary, self.shape.hidden))
        power = 2.0**self.target.norm_exponent
        tables: list[tuple[int, Sequence[int]]] = []
        for wire, step in self.allocation.schedule.wire_steps.items():
            definition = self.netlist.definitions[wire]
            if step == 0 and isinstance(definition, Feature):
                tables.append((self.allocation.channels[wire], definition.values))
        for token in range(self.shape.vocabulary):
            built.row(token, ((channel, values[token]) for channel, values in tables))
            built.put((token, self.allocation.one), 1)
            built.row(token, ((channel, root * power) for channel, root in self.allocation.squares))
        return built.build()

    def _norm(self) -> Tensor:
        """1 + weight is 2**E in every channel that is ever read, 0 in the others."""
        built = TensorBuilder((self.shape.hidden,), -1.0)
        for channel in sorted({*self.allocation.channels.values(), self.allocation.one}):
            built.put((channel,), 2.0**self.target.norm_exponent)
        return built.build()

    def _mlp(self, layer: int) -> Iterable[tuple[str, Tensor]]:
        hidden, width = self.shape.hidden, self.shape.intermediate
        gates, ups = TensorBuilder((width, hidden)), TensorBuilder((width, hidden))
        downs = TensorBuilder((hidden, width))
        for unit, ((gate, up), writes) in enumerate(_mlp(self.allocation, layer).items()):
            gates.row(unit, self._row(gate, SCALE))
            ups.row(unit, self._row(up, 1))
            for channel, coef in writes:
                downs.put((channel, unit), coef / SCALE)
        yield "gate_proj.weight", gates.build()
        yield "up_proj.weight", ups.build()
        yield "down_proj.weight", downs.build()

    def _attention(self) -> Iterable[tuple[str, Tensor]]:
        """The inert layer: all projections zero."""
        sizes, hidden = self.shape.attention, self.shape.hidden
        query, key = sizes.heads * sizes.head_dim, sizes.kv_heads * sizes.head_dim
        shapes = {
            "q_proj": (2 * query, hidden),
            "k_proj": (key, hidden),
            "v_proj": (key, hidden),
            "o_proj": (hidden, query),
            "q_norm": (sizes.head_dim,),
            "k_norm": (sizes.head_dim,),
        }
        for name, extents in shapes.items():
            yield f"self_attn.{name}.weight", TensorBuilder(extents).build()

    def _heads(self, layer: HeadLayer | None) -> Iterable[tuple[str, Tensor]]:
        shape, hidden = self.shape, self.shape.hidden
        width = 2 * shape.key_dim + shape.value_dim
        qkv = TensorBuilder((width, hidden))
        conv = TensorBuilder((width, 1, CONV_TAPS))
        gate = TensorBuilder((shape.value_dim, hidden))
        strength, decay = (TensorBuilder((shape.value_heads, hidden)) for _ in range(2))
        out = TensorBuilder((hidden, shape.value_dim))

        def channel(row: int, value: Form, back: int, scale: float = SCALE) -> None:
            qkv.row(row, self._row(value, scale))
            conv.put((row, 0, CONV_TAPS - 1 - back), 1)

        def address(start: int, where: Address) -> None:
            for row, select in enumerate(where.rows):
                channel(start + row, select, where.back)

        group = self.target.group
        for number, head in enumerate(layer.heads if layer is not None else ()):
            if head is None:
                continue
            if number % group == 0:
                address(number // group * shape.dk, head.control.query)
                address(shape.key_dim + number // group * shape.dk, head.control.key)
            self._value_head(number, head, gate)
            first = 2 * shape.key_dim + number * shape.dv
            for column, datum in enumerate(head.columns):
                channel(first + column, datum.form, datum.back)
            channel(first + shape.dv - 1, ALWAYS, 0, SCALE * 2.0**KEEP)
            strength.row(number, self._row(head.control.enable * 2 - 1, SCALE))
            if head.control.reset is not None:
                decay.row(number, self._row(head.control.reset, -2 * DECAY_BIAS))
        scale = read_constants(shape.dk, shape.dv).scale
        for wire, terms in (layer.sums if layer is not None else {}).items():
            for number, column, coef in terms:
                out.put((self.allocation.channels[wire], number * shape.dv + column), coef * scale)
        yield "linear_attn.dt_bias", TensorBuilder((shape.value_heads,), DECAY_BIAS).build()
        yield "linear_attn.A_log", TensorBuilder((shape.value_heads,)).build()
        yield "linear_attn.conv1d.weight", conv.build()
        yield "linear_attn.norm.weight", TensorBuilder((shape.dv,), 1.0).build()
        yield "linear_attn.out_proj.weight", out.build()
        yield "linear_attn.in_proj_qkv.weight", qkv.build()
        yield "linear_attn.in_proj_z.weight", gate.build()
        yield "linear_attn.in_proj_b.weight", strength.build()
        yield "linear_attn.in_proj_a.weight", decay.build()

    def _value_head(self, number: int, head: ValueHead, gate: TensorBuilder) -> None:
        value = read_constants(self.shape.dk, self.shape.dv).gate
        for column in range(len(head.columns)):
            gate.row(number * self.shape.dv + column, self._row(ALWAYS, value))
