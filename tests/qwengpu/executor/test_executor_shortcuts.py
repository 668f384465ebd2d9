"""Each shortcut of the executor with its assumption broken: the fall-back is taken, and the result is right."""

import numpy as np
import pytest
from executor_models import (
    SHALLOW,
    Executor,
    check_against_stock,
    machine_model,
    random_ids,
    stock,
    stock_logits,
)

from qwengpu.executor.errors import ArithmeticFault

MIXER, MLP = "model.layers.0.linear_attn", "model.layers.0.mlp"
HEADS, DK, DV = SHALLOW.heads, SHALLOW.dk, SHALLOW.dv
ONE = 1  # the channel that holds 1: four_squares(100) = [10], so channel 0 is the norm's constant


@pytest.fixture
def model():
    return machine_model(SHALLOW)


def check(config, tensors, shortcut, tolerance=2e-5):
    """The fall-back is counted, agrees with the stock modules, and with itself in tiles of every width."""
    ids = random_ids(config, 100)
    executor = check_against_stock(config, tensors, ids, tolerance)
    if shortcut:
        assert executor.counts[shortcut] > 0
    prompts = [ids[i : i + 3] for i in range(9)]
    for prompt, made in zip(prompts, executor.generate_batch(prompts, 12, stop=[], threads=1), strict=True):
        assert made.tokens == executor.generate(prompt, 12, stop=[]).tokens
    return executor


def test_nothing_broken(model):
    config, tensors = model
    assert tensors["model.embed_tokens.weight"][0, ONE] == 1
    executor = check(config, tensors, None, tolerance=0)
    held = executor.counts
    assert not any(
        held[name] for name in ("full_norm", "full_silu", "full_gate", "spread_address", "partial_beta")
    )
    ids = random_ids(config, 100)
    assert (executor.logits(ids) == stock_logits(stock(config, tensors), ids)).all()


def free_channel(tensors):
    """A data channel that no MLP or head uses."""
    used = np.zeros(SHALLOW.hidden, bool)
    for name, tensor in tensors.items():
        if tensor.ndim == 2 and tensor.shape[1] == SHALLOW.hidden:
            used |= tensor.any(axis=0)
        if name.endswith(("down_proj.weight", "out_proj.weight")):
            used |= tensor.any(axis=1)
    return int(np.nonzero(~used)[0][0])


@pytest.mark.parametrize("energy", ["embedding", "written"])
def test_energy_above_the_norm_constants_last_bit(model, energy):
    """A value so large that the norm is no power of two any more."""
    config, tensors = model
    channel = free_channel(tensors)
    if energy == "embedding":
        tensors["model.embed_tokens.weight"][::3, channel] = 2.0**39
    else:
        tensors[f"{MLP}.down_proj.weight"][channel, :8] = 2.0**33
    check(config, tensors, "full_norm")


def test_a_token_without_the_norm_constants(model):
    config, tensors = model
    tensors["model.embed_tokens.weight"][5, 0] = 0
    executor = check(config, tensors, "full_norm")
    assert not np.isfinite(executor.model.constants.energy[5])


def test_no_token_has_norm_constants(model):
    config, tensors = model
    tensors["model.embed_tokens.weight"][:, 0] = 3
    for name, tensor in tensors.items():
        if name.endswith("norm.weight") and tensor.shape == (SHALLOW.hidden,):
            tensor[:] = np.where(tensor > 0, 0.5, tensor)
    tensors[f"{MIXER}.out_proj.weight"] *= np.float32(2.0**-28)
    executor = check(config, tensors, "full_norm")
    assert executor.model.constants.channels == () and not executor.layout.image.foldable.any()


def test_a_layer_writes_the_norm_constant(model):
    config, tensors = model
    tensors[f"{MLP}.down_proj.weight"][0, 3] = 2.0**37
    executor = check(config, tensors, "full_norm")
    assert 0 not in executor.model.constants.channels


def test_a_norm_weight_that_is_no_power_of_two(model):
    config, tensors = model
    tensors["model.layers.0.post_attention_layernorm.weight"][ONE:] *= 1.25
    executor = check(config, tensors, "full_norm")
    assert executor.layout.image.foldable.tolist() == [1, 0, 0, 1, 1]  # step 2: the inert attention


@pytest.mark.parametrize("factor", [1 / 16, 1 / 3])
def test_silu_between_its_limits(model, factor):
    config, tensors = model
    tensors[f"{MLP}.gate_proj.weight"] *= np.float32(factor)
    check(config, tensors, "full_gate")


def test_silu_behind_the_convolution(model):
    config, tensors = model
    tensors[f"{MIXER}.in_proj_qkv.weight"] *= np.float32(1 / 16)
    check(config, tensors, "full_silu")


def test_an_output_gate_that_is_no_identity(model):
    config, tensors = model
    tensors[f"{MIXER}.in_proj_z.weight"] *= np.float32(1 / 8)
    check(config, tensors, "full_silu")


@pytest.mark.parametrize("which", ["query", "key"])
def test_addresses_with_several_rows(model, which):
    config, tensors = model
    first = 0 if which == "query" else HEADS * DK
    tensors[f"{MIXER}.in_proj_qkv.weight"][first : first + 2 * DK : 3, ONE] += 128
    check(config, tensors, "spread_address")


def test_a_key_whose_norm_is_not_one(model):
    """One nonzero, but so small that the l2norm's epsilon shows: weight 0.7 instead of 1."""
    config, tensors = model
    for first in (0, HEADS * DK):
        rows = slice(first, first + DK)
        tensors[f"{MIXER}.in_proj_qkv.weight"][rows] *= np.float32(1 / 4)
        tensors[f"{MIXER}.conv1d.weight"][rows] *= np.float32(2.0**-15)
    check(config, tensors, "full_silu")


def test_partial_write_strength(model):
    config, tensors = model
    tensors[f"{MIXER}.in_proj_b.weight"] *= np.float32(1 / 256)
    check(config, tensors, "partial_beta")


def test_no_write_strength_weights_at_all(model):
    config, tensors = model
    tensors[f"{MIXER}.in_proj_b.weight"][:] = 0
    check(config, tensors, "partial_beta")


@pytest.mark.parametrize("bias", [-3.0, 0.5, 30.0])
def test_a_constant_decay(model, bias):
    config, tensors = model
    tensors[f"{MIXER}.dt_bias"][:] = bias
    tensors[f"{MIXER}.A_log"][:] = -4
    check(config, tensors, "decay")


def test_a_decay_that_depends_on_the_token(model):
    config, tensors = model
    tensors[f"{MIXER}.in_proj_a.weight"][:, ONE] = 16383.0
    tensors[f"{MIXER}.in_proj_a.weight"][:, 2:6] = 0.75
    check(config, tensors, "decay")


def test_general_convolution_taps(model):
    config, tensors = model
    tensors[f"{MIXER}.conv1d.weight"][::5, 0] = [0.25, -0.5, 0.125, 1]
    check(config, tensors, None)


@pytest.mark.parametrize("back", [1, 2, 3])
def test_lookback_taps(model, back):
    config, tensors = model
    conv = tensors[f"{MIXER}.conv1d.weight"]
    conv[2 * HEADS * DK :: 2, 0] = np.eye(4, dtype=np.float32)[3 - back]
    conv[2 * HEADS * DK + DV - 1, 0] = [0, 0, 0, 1]
    check(config, tensors, None, tolerance=2e-5)


def test_a_gated_norm_with_weights_and_without_its_constant(model):
    config, tensors = model
    tensors[f"{MIXER}.norm.weight"][:] = np.linspace(0.5, 2, DV, dtype=np.float32)
    tensors[f"{MIXER}.in_proj_qkv.weight"][2 * HEADS * DK + DV - 1] = 0
    tensors[f"{MIXER}.out_proj.weight"] *= np.float32(2.0**-28)
    check(config, tensors, None)


def test_tied_embeddings(model):
    config, tensors = model
    config["tie_word_embeddings"] = True
    tensors["model.embed_tokens.weight"][:, 0] = 10 * 2.0**40
    tensors["lm_head.weight"] = tensors["model.embed_tokens.weight"]
    ids = random_ids(config, 40)
    have = Executor.from_state_dict(config, tensors).logits(ids)
    assert (have == stock_logits(stock(config, tensors), ids)).all()


def test_nan_is_no_result(model):
    config, tensors = model
    tensors[f"{MLP}.down_proj.weight"][:, :4] = np.float32(3e38)
    executor = Executor.from_state_dict(config, tensors)
    ids = random_ids(config, 100)
    assert not np.isfinite(stock_logits(stock(config, tensors), ids)).all()
    with pytest.raises(ArithmeticFault):
        executor.replay(ids)
    with pytest.raises(ArithmeticFault):
        executor.generate_batch([[i] for i in ids], 5, stop=[])
