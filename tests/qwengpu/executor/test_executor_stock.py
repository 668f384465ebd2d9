"""The executor against the stock modules: exactly on machines, closely on dense models; and against itself."""

import numpy as np
import pytest
from executor_models import (
    SMALL,
    Executor,
    check_against_stock,
    dense_model,
    machine_model,
    random_ids,
    stock,
    stock_generate,
    stock_logits,
    torch,
)

from qwengpu.executor.errors import ExecutorError, StateError


@pytest.fixture(scope="module")
def machine():
    config, tensors = machine_model()
    return config, tensors, Executor.from_state_dict(config, tensors), stock(config, tensors)


@pytest.fixture(scope="module")
def dense():
    config, tensors = dense_model()
    return config, tensors, Executor.from_state_dict(config, tensors), stock(config, tensors)


def same_state(executor, state, cache):
    for layer, kind in enumerate(executor.config.layer_types):
        if kind == "linear_attention":
            assert (cache.layers[layer].recurrent_states[0][0].numpy() == state.recurrent(layer)).all(), layer


def test_machine_exactly(machine):
    config, _, executor, model = machine
    ids = random_ids(config, 150)
    assert (executor.logits(ids) == stock_logits(model, ids)).all()
    tokens, cache = stock_generate(model, ids[:70], 120)
    made = executor.generate(ids[:70], 120, stop=[])
    assert list(made.tokens) == tokens and made.margin == 1.0 and not made.stopped
    assert len(set(tokens)) > 20  # the machine is alive
    same_state(executor, made.state, cache)
    assert sum(made.state.recurrent(layer).any() for layer in range(4)) == SMALL.memories
    held = executor.counts
    assert held["decay"] > 0 and held["tiles"] > 0
    for shortcut in ("full_norm", "full_silu", "full_gate", "spread_address", "partial_beta"):
        assert held[shortcut] == 0, shortcut


def test_a_changed_weight_changes_the_result(machine):
    config, tensors, executor, _ = machine
    changed = dict(tensors)
    name = "model.layers.4.mlp.gate_proj.weight"
    changed[name] = tensors[name].copy()
    changed[name][:3] = 0
    ids = random_ids(config, 150)
    assert (Executor.from_state_dict(config, changed).logits(ids) != executor.logits(ids)).any()


@pytest.mark.parametrize("key_heads, value_heads, taps", [(2, 4, 4), (4, 4, 4), (1, 4, 4), (2, 2, 3)])
def test_dense_closely(key_heads, value_heads, taps):
    config, tensors = dense_model(1, 4, 8.0, key_heads, value_heads, taps)
    executor = check_against_stock(config, tensors, random_ids(config, 90), tolerance=1e-4)
    held = executor.counts
    assert min(held[name] for name in ("full_norm", "full_silu", "full_gate", "spread_address", "decay")) > 0


def test_dense_generation(dense):
    config, _, executor, model = dense
    prompt = random_ids(config, 21)
    tokens, cache = stock_generate(model, prompt, 50)
    made = executor.generate(prompt, 50, stop=[])
    assert list(made.tokens) == tokens
    for layer in range(3):
        want = cache.layers[layer].recurrent_states[0][0].numpy()
        assert np.abs(want - made.state.recurrent(layer)).max() <= 1e-4 * max(1, np.abs(want).max())


@pytest.mark.parametrize("count", [1, 3, 8, 9, 64, 65])
@pytest.mark.parametrize("kind", ["machine", "dense"])
def test_batches_change_no_bit(kind, count, request):
    config, _, executor, _ = request.getfixturevalue(kind)
    prompts = [random_ids(config, 1 + (7 * i) % 11, i) for i in range(count)]
    together = executor.generate_batch(prompts, 20, stop=[], threads=1)
    for i in {0, count // 2, count - 1}:
        alone = executor.generate(prompts[i], 20, stop=[])
        assert alone.tokens == together[i].tokens and alone.margin == together[i].margin
        assert (alone.state.state == together[i].state.state).all()
        assert (alone.state.history == together[i].state.history).all()
        assert alone.state.length == together[i].state.length == len(prompts[i]) + 19


@pytest.mark.parametrize("kind", ["machine", "dense"])
def test_replay_is_generation(kind, request):
    config, _, executor, _ = request.getfixturevalue(kind)
    prompt = random_ids(config, 33)
    made = executor.generate(prompt, 100, stop=[])
    trace = [*prompt, *made.tokens]
    replay = executor.replay(trace[:-1])
    assert replay.choice[len(prompt) - 1 :].tolist() == list(made.tokens)
    assert replay.margin[len(prompt) - 1 :].min() == made.margin
    assert replay.first_difference(trace, len(prompt)) is None
    assert (replay.state.state == made.state.state).all() and (replay.state.history == made.state.history).all()
    trace[60] = (trace[60] + 1) % config["vocab_size"]
    assert executor.replay(trace).first_difference(trace, len(prompt)) == 60
    logits = executor.logits(trace)
    assert (logits.argmax(axis=1) == executor.replay(trace).choice).all()
    top = np.sort(logits, axis=1)
    assert (top[:, -1] - top[:, -2] == executor.replay(trace).margin).all()


@pytest.mark.parametrize("kind", ["machine", "dense"])
@pytest.mark.parametrize("cut", [1, 2, 5, 64, 100])
def test_feeding_in_parts(kind, cut, request):
    config, _, executor, _ = request.getfixturevalue(kind)
    ids = random_ids(config, 140)
    whole = executor.feed(ids)
    state = executor.feed(ids[:cut])
    fork = state.fork()
    executor.feed(ids[cut:], state)
    for parts in (state, executor.replay(ids[cut:], fork).state):
        assert (parts.state == whole.state).all() and (parts.history == whole.history).all()
        assert parts.length == 140


def test_states_go_to_the_stock_model_and_back(machine):
    config, _, executor, model = machine
    ids = random_ids(config, 80)
    with torch.no_grad():
        cache = model(torch.tensor([ids]), use_cache=True).cache
    state = executor.new_state()
    for layer in range(4):
        state.set_recurrent(layer, cache.layers[layer].recurrent_states[0][0].numpy())
        state.set_history(layer, cache.layers[layer].conv_states[0][0].numpy())
    fed = executor.feed(ids)
    assert (state.state == fed.state).all() and (state.history == fed.history).all()
    assert any(state.history_rows(layer) for layer in range(4))
    more = random_ids(config, 40, 1)
    assert executor.replay(more, state).choice.tolist() == executor.replay(more, fed).choice.tolist()


def test_a_set_state_is_read(machine):
    """Changing a stored row changes what is read: the cached norm factor of the row does not survive it."""
    config, _, executor, _ = machine
    ids = random_ids(config, 200)
    state = executor.feed(ids)
    plain = executor.replay(ids, state.fork())
    for layer in range(4):
        changed = state.recurrent(layer)
        live = changed.any(axis=(0, 1))
        changed[..., :-1] = 128 - changed[..., :-1]
        changed[changed[..., -1] == 0] = 0
        changed[..., ~live] = 0
        state.set_recurrent(layer, changed)
        assert (state.recurrent(layer) == changed).all()
    assert (executor.replay(ids, state).choice != plain.choice).any()


def test_impossible_states_are_refused(machine):
    _, _, executor, _ = machine
    state = executor.new_state()
    dead = next(layer for layer in range(4) if executor.model.mixers[layer] is None)
    with pytest.raises(StateError, match="never written"):
        state.set_recurrent(dead, np.ones((4, 16, 16)))
    state.set_recurrent(dead, np.zeros((4, 16, 16)))
    for value in (np.zeros((4, 16)), np.full((4, 16, 16), np.nan), np.full((4, 16, 16), 0.1)):
        with pytest.raises(StateError):
            state.set_recurrent(0, value)
    with pytest.raises(StateError, match="no linear_attention"):
        state.recurrent(4)
    with pytest.raises(StateError, match="shape"):
        state.set_history(0, np.zeros((3, 3)))


def test_stopping_and_queueing(machine):
    """More launches than lanes: each ends at its own stop token, and its state is what it was there."""
    config, _, executor, _ = machine
    prompts = [random_ids(config, 5, 100 + i) for i in range(40)]
    free = [executor.generate(prompt, 60, stop=[]) for prompt in prompts]
    stop = {free[0].tokens[7], free[1].tokens[20]}
    for threads, batch in ((1, 8), (2, 8), (1, 3)):
        made = executor.generate_batch(prompts, 60, stop=stop, batch=batch, threads=threads)
        for prompt, whole, part in zip(prompts, free, made, strict=True):
            ends = [i for i, token in enumerate(whole.tokens) if token in stop]
            length = ends[0] + 1 if ends else 60
            assert part.tokens == whole.tokens[:length] and part.stopped == bool(ends)
            fed = executor.feed([*prompt, *part.tokens[:-1]])
            assert (fed.state == part.state.state).all() and (fed.history == part.state.history).all()


def test_a_shared_prompt(machine):
    config, _, executor, _ = machine
    program, data = random_ids(config, 90), [random_ids(config, 4, i) for i in range(9)]
    begin = executor.feed(program)
    before = begin.state.copy()
    made = executor.generate_batch(data, 30, stop=[], state=begin)
    assert (begin.state == before).all()
    for ids, part in zip(data, made, strict=True):
        assert part.tokens == executor.generate([*program, *ids], 30, stop=[]).tokens


def test_bad_requests(machine):
    _, _, executor, _ = machine
    with pytest.raises(ExecutorError, match="no tokens"):
        executor.feed([])
    with pytest.raises(ExecutorError, match="256 is outside"):
        executor.generate([1, 256], 4)
    with pytest.raises(ExecutorError, match="-1 is outside"):
        executor.replay([-1])
    with pytest.raises(ExecutorError, match="budget of 0"):
        executor.generate([1], 0)
    with pytest.raises(ExecutorError, match="stop token"):
        executor.generate([1], 4, stop=[999])
