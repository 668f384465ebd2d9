"""The compiler's passes: printed forms, their checkers on broken plans, what is refused and why."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_circuits import SAMPLES, adder, lookback, multiplier, wide_memory

from qwengpu.circuits import Circuit, gates
from qwengpu.circuits.graph import Part
from qwengpu.circuits.netlist import Address, Neurons
from qwengpu.weights import QWEN35_2B, STANDALONE, CompileError, PassError, Target, compile_circuit
from qwengpu.weights.allocate import allocate, check_allocation, mean_is_exact, squares_of
from qwengpu.weights.heads import check_heads, place_heads
from qwengpu.weights.relus import addable, relu_sum
from qwengpu.weights.schedule import check_schedule, make_schedule
from qwengpu.weights.tensors import TensorBuilder


def small():
    """Two levels of logic around a memory and a tap."""
    c = Circuit("small", 4)
    low, high = (c.feature(f"b{i}", lambda t, i=i: t >> i & 1) for i in range(2))
    product = c.bit([(1, low, high)], "product")
    memory = c.memory("m", 2, 1)
    memory.write([low], [product], high)
    read = memory.read([high]).word()[0]
    before = c.tap(product, 1, "before")
    c.code_logits([gates.lxor(c, read, before, "xor"), c.bit([(1, read, product)], "and")], range(4))
    gates.land(c, low, high, name="unused")
    return c.build()


def test_printed_forms():
    compiled = compile_circuit(small())
    assert str(compiled.schedule) == (
        "schedule of small: 2 layers, 1 nodes unused\n"
        "embedding: b0 b1\n"
        "layer 0 mlp: product\n"
        "layer 1 heads: m before\n"
        "layer 1 mlp: xor and"
    )
    assert str(compiled.allocation) == (
        "allocation: 9 of 64 channels, 0 erased\n"
        "constants: one in 62, norm {63: 8}\n"
        "channel 0: b0 steps 0..3\n"
        "channel 1: b1 steps 0..3\n"
        "channel 2: product steps 2..4\n"
        "channel 3: m.read0.0 steps 3..4\n"
        "channel 4: before steps 3..4\n"
        "channel 5: xor steps 4..5\n"
        "channel 6: and steps 4..5"
    )
    assert str(compiled.heads) == (
        "heads: 2 value heads a layer\n"
        "layer 1 head 0: 2 rows written, 2 read, 1 columns\n"
        "layer 1 head 1: 1 rows written, 1 read, 1 columns\n"
        "layer 1 m.read0.0 = 1*h0[0]\n"
        "layer 1 before = 1*h1[0]\n"
        "layer 1 m[0] in h0[0] rows 0.."
    )
    assert compiled.shape.layer_types == ("full_attention", "linear_attention")


def test_compiling_twice_gives_the_same():
    one, other = (compile_circuit(adder().netlist) for _ in range(2))
    assert list(one.tensors) == list(other.tensors)
    for name, tensor in one.tensors.items():
        assert (tensor.index == other.tensors[name].index).all()
        assert tensor.value.tobytes() == other.tensors[name].value.tobytes()


# ---------------------------------------------------------------------------------- schedule


def test_sums_of_relus_go_into_heads_and_save_layers():
    netlist = multiplier().netlist
    schedule = make_schedule(netlist, STANDALONE)
    heads = [node for step in range(1, 2 * schedule.layers, 2) for node in schedule.at(step)]
    moved = [node for node in heads if node.part is Part.MLP]
    assert moved
    assert all(isinstance(netlist.definitions[node.wires[0]], Neurons) for node in moved)
    assert schedule.layers <= 9


def test_layers_hold_what_the_target_allows():
    netlist = SAMPLES["shifter"]().netlist
    narrow = make_schedule(netlist, replace(STANDALONE, neurons=64, value_heads=4))
    wide = make_schedule(netlist, STANDALONE)
    assert narrow.layers > wide.layers
    for step in range(2, 2 * narrow.layers + 1, 2):
        units = set()
        for node in narrow.at(step):
            units |= {(n.gate, n.up) for n in netlist.definitions[node.wires[0]].neurons}
        assert len(units) <= 64


def moved(schedule, name, to):
    """The schedule with one node at another step."""
    pairs = zip(schedule.graph.nodes, schedule.steps, strict=True)
    return replace(schedule, steps=tuple(to if node.name == name else step for node, step in pairs))


def test_a_wire_read_too_early_is_found():
    schedule = make_schedule(small(), STANDALONE)
    with pytest.raises(PassError, match=r"xor at step 2 reads m\.read0\.0 of step 3"):
        check_schedule(moved(schedule, "xor", 2))


def test_a_product_in_heads_is_found():
    schedule = make_schedule(small(), STANDALONE)
    with pytest.raises(PassError, match="product cannot be computed at step 3"):
        check_schedule(moved(schedule, "product", 3))


def test_an_output_that_is_not_computed_is_found():
    schedule = make_schedule(small(), STANDALONE)
    with pytest.raises(PassError, match="a logit reads and, which is not computed"):
        check_schedule(moved(schedule, "and", None))


# ---------------------------------------------------------------------------------- allocate


@given(st.integers(1, 5000))
def test_four_squares(number):
    roots = squares_of(number)
    assert len(roots) <= 4
    assert sum(root * root for root in roots) == number


def test_hidden_sizes_whose_reciprocal_is_inexact_are_refused():
    assert all(mean_is_exact(size) for size in (64, 192, 2048, 2112))
    assert not mean_is_exact(2624)
    with pytest.raises(CompileError, match="hidden size 2624"):
        compile_circuit(small(), replace(STANDALONE, hidden=2624))


def tight_allocation():
    target = replace(STANDALONE, name="tight")
    return allocate(make_schedule(multiplier().netlist, target), target)


def test_channels_are_used_again():
    allocation = tight_allocation()
    assert allocation.erases
    assert len(set(allocation.channels.values())) < len(allocation.channels)


def test_two_wires_in_one_channel_are_found():
    allocation = tight_allocation()
    erase = allocation.erases[0]
    kept = tuple(other for other in allocation.erases if other != erase)
    with pytest.raises(PassError, match=r"channel \d+: .* overlap"):
        check_allocation(replace(allocation, erases=kept))


def test_a_wire_erased_while_it_is_read_is_found():
    allocation = tight_allocation()
    wire = max(
        allocation.channels, key=lambda w: allocation.schedule.last_uses[w] - allocation.schedule.wire_steps[w]
    )
    name = allocation.schedule.netlist.signals[wire].name
    other = [erase for erase in allocation.erases if erase.wire != wire]
    early = type(allocation.erases[0])(2, wire)
    with pytest.raises(PassError, match=f"{name}"):
        check_allocation(replace(allocation, erases=(*other, early)))


def test_a_wire_in_a_constants_channel_is_found():
    allocation = tight_allocation()
    channels = {**allocation.channels, 0: allocation.one}
    with pytest.raises(PassError, match=r"bit0 is in channel .* which is a constant's"):
        check_allocation(replace(allocation, channels=channels))


def test_a_hidden_size_that_is_too_small_is_refused():
    with pytest.raises(CompileError, match=r"adder needs \d+ channels at once, little has 62 of 64"):
        compile_circuit(adder().netlist, replace(STANDALONE, name="little", hidden=64))


# ---------------------------------------------------------------------------------- heads


def test_a_memory_larger_than_a_head_is_cut():
    plan = place_heads(make_schedule(wide_memory().netlist, STANDALONE))
    heads = [head for layer in plan.layers for head in layer.heads if head]
    rows = sorted({len(head.control.key.rows) for head in heads})
    assert rows == [22, 64]
    assert {cell.first_row for layer in plan.layers for cell in layer.cells} == {0, 64, 128}


def broken_heads(change):
    plan = place_heads(make_schedule(small(), STANDALONE))
    layer = plan.layers[1]
    heads = list(layer.heads)
    heads[0] = change(heads[0])
    check_heads(replace(plan, layers=(plan.layers[0], replace(layer, heads=tuple(heads)))))


def test_broken_heads_are_found():
    with pytest.raises(PassError, match="head 0: 64 columns"):
        broken_heads(lambda head: replace(head, columns=head.columns * 64))
    with pytest.raises(PassError, match="head 0: more rows than 64"):
        wide = Address(tuple(form for _ in range(65) for form in small().memories[0].write.address.rows[:1]))
        broken_heads(lambda head: replace(head, control=replace(head.control, key=wide)))
    with pytest.raises(PassError, match=r"m\.read0\.0 reads head 0 column 0, which is empty"):
        broken_heads(lambda _: None)


def test_value_heads_of_a_group_share_their_key():
    plan = place_heads(make_schedule(small(), replace(STANDALONE, group=2)))
    layer = plan.layers[1]
    heads = list(layer.heads)
    assert heads[1] is None
    heads[1] = heads[2]
    with pytest.raises(PassError, match="share a key head, not their keys"):
        check_heads(replace(plan, layers=(plan.layers[0], replace(layer, heads=tuple(heads)))))


def test_too_many_heads_are_refused():
    with pytest.raises(CompileError, match="does not fit one layer of few"):
        compile_circuit(wide_memory().netlist, replace(STANDALONE, name="few", value_heads=4))


def test_heads_that_are_not_powers_of_four_are_refused():
    with pytest.raises(CompileError, match="dk \\* dv = 8192 is no power of 4"):
        Target("odd", dk=128, dv=64)


@pytest.mark.parametrize("sample", [lookback, wide_memory])
def test_integers_are_refused_where_heads_carry_bits_only(sample):
    with pytest.raises(CompileError, match=r"128 x 128|does not fit"):
        compile_circuit(sample().netlist, replace(QWEN35_2B, hidden=320))


def test_sums_that_heads_of_128_would_round_wrongly_are_refused():
    c = Circuit("mixed", 4)
    a, b = (c.unit(c.feature(f"b{i}", lambda t, i=i: t >> i & 1)) for i in range(2))
    c.keep(c.collect(a - b, "difference"))
    compile_circuit(c.build())
    with pytest.raises(CompileError, match=r"difference adds up \[-1, 1\] times bits"):
        compile_circuit(c.build(), QWEN35_2B)
    assert addable([4, 1, 2]) and addable([-1, -8]) and not addable([3]) and not addable([1, -1])


def test_relu_sums_are_recognised():
    netlist = small()
    terms = {name: relu_sum(netlist.definitions[netlist.signal(name).index]) for name in ("xor", "product")}
    assert terms["product"] is None
    assert [coef for coef, _ in terms["xor"]] == [1, -2]


# ---------------------------------------------------------------------------------- tensors


def test_a_tensor_place_is_written_once_and_exactly():
    built = TensorBuilder((2, 3))
    built.put((1, 2), 0.5)
    with pytest.raises(PassError, match="written twice"):
        built.put((1, 2), 1)
    with pytest.raises(PassError, match="outside"):
        built.put((2, 0), 1)
    assert built.build().dense().tolist() == [[0, 0, 0], [0, 0, 0.5]]
    built.put((0, 0), 2**24 + 1)
    with pytest.raises(PassError, match=r"weight 16777217\.0 is no float32"):
        built.build()


def test_every_sample_has_one_inert_attention_layer():
    for make in SAMPLES.values():
        compiled = compile_circuit(make().netlist)
        assert compiled.shape.layer_types.count("full_attention") == 1
        attention = [tensor for name, tensor in compiled.tensors.items() if "self_attn" in name]
        assert len(attention) == 6
        assert not any(tensor.nonzeros for tensor in attention)


def test_the_published_sizes_are_kept():
    shape = compile_circuit(adder().netlist, QWEN35_2B).shape
    assert (shape.hidden, shape.intermediate, shape.value_heads, shape.dk, shape.dv) == (
        2048,
        6144,
        16,
        128,
        128,
    )
