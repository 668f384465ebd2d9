"""The executor: the weights of one checkpoint, run on tiles of columns."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qwengpu.executor import kernels, tile
from qwengpu.executor.checkpoint import read_folder
from qwengpu.executor.config import ModelConfig, read_config
from qwengpu.executor.errors import ArithmeticFault, ExecutorError
from qwengpu.executor.image import Layout, make_layout
from qwengpu.executor.model import Model, plan_model
from qwengpu.executor.sequence import Sequence as State
from qwengpu.executor.sparse import Floats
from qwengpu.executor.vectors import WIDTHS, width_type
from qwengpu.executor.work import make_states, make_work

TIME_WIDTH = 64
"""Columns of a tile of consecutive tokens."""


@dataclass(frozen=True, eq=False)
class Generation:
    """What one launch generated. ``stopped``: it ended by a stop token, which is the last of ``tokens``.

    ``margin``: the least lead of a chosen logit. ``state``: after every token but the last, which was not fed.
    """

    tokens: tuple[int, ...]
    stopped: bool
    margin: float
    state: State | None


@dataclass(frozen=True, eq=False)
class Replay:
    """Teacher forcing: after token i the model chooses ``choice[i]``, ``margin[i]`` ahead of the next best."""

    choice: NDArray[np.int32]
    margin: Floats
    state: State

    def first_difference(self, ids: Sequence[int], start: int) -> int | None:
        """The first position from ``start`` on whose token in ``ids`` is not what the model chose before it."""
        for position in range(max(start, 1), len(ids)):
            if self.choice[position - 1] != ids[position]:
                return position
        return None


class Executor:
    """The model of one checkpoint. Results do not depend, in any bit, on batches, tiles or threads.

    A token's id outside the vocabulary, an empty prompt and a budget below 1 raise ExecutorError; a NaN logit
    raises ArithmeticFault.
    """

    def __init__(self, config: ModelConfig, tensors: Mapping[str, Any], widen: bool = False) -> None:
        """``tensors``: numpy, torch or compiler tensors by state_dict name. Raises as `plan_model` does."""
        self.config = config
        self.model: Model = plan_model(config, tensors, widen)
        self.layout: Layout = make_layout(self.model)
        self._counts: NDArray[np.int64] = np.zeros(tile.Count.SIZE, np.int64)
        self._lock = threading.Lock()

    @classmethod
    def from_folder(cls, folder: str | os.PathLike[str], widen: bool = False) -> Executor:
        """Loads config.json and safetensors. ``widen``: accept 16-bit weights, widened exactly to float32.

        Raises CheckpointError or UnsupportedModel.
        """
        raw, tensors = read_folder(Path(folder), widen)
        return cls(read_config(raw, widen), tensors, widen)

    @classmethod
    def from_state_dict(cls, config: Mapping[str, Any], tensors: Mapping[str, Any]) -> Executor:
        """From what config.json holds (``model.config.to_dict()``) and ``model.state_dict()``."""
        return cls(read_config(config), tensors)

    @property
    def counts(self) -> dict[str, int]:
        """How often tiles were run, and shortcuts did not hold; see `tile.Count`."""
        return {count.name.lower(): int(self._counts[count]) for count in tile.Count if count.name != "SIZE"}

    def facts(self) -> str:
        """What was found in the weights, as lines of text."""
        model = self.model
        hidden = self.config.hidden
        live = [mixer for mixer in model.mixers if mixer is not None]
        constants = len(model.constants.channels)
        folded = int(self.layout.image.foldable.sum())
        return "\n".join(
            (
                f"{len(model.mlps)} layers, {len(live)} with a live Gated DeltaNet, hidden {hidden}",
                f"{model.products} nonzero weights a token, {model.shared_products} products after sharing",
                f"{constants} norm constants, {folded} of {2 * len(model.mlps) + 1} norms folded",
                f"{sum(len(mixer.heads) for mixer in live)} live value heads, "
                f"{4 * self.layout.sizes.state} bytes of state a sequence",
            )
        )

    def new_state(self) -> State:
        """The state before the first token."""
        states = make_states(self.layout, 1)
        return State(self.config, self.layout, states.state[0], states.cache[0], states.history[0])

    def feed(self, ids: Sequence[int], state: State | None = None) -> State:
        """Feeds tokens (prefill); returns the state after them. A given state is changed in place."""
        return self._feed(ids, state, every=False)[2]

    def replay(self, ids: Sequence[int], state: State | None = None) -> Replay:
        """Feeds a whole trace and tells what the model would have chosen after each of its tokens."""
        return Replay(*self._feed(ids, state, every=True))

    def _feed(
        self, ids: Sequence[int], state: State | None, every: bool
    ) -> tuple[NDArray[np.int32], Floats, State]:
        tokens = self._tokens(ids)
        state = state if state is not None else self.new_state()
        width = 1 if len(tokens) == 1 else TIME_WIDTH
        work = make_work(self.layout, width)
        choice = np.zeros(len(tokens), np.int32)
        margin = np.zeros(len(tokens), np.float32)
        good = kernels.feed(
            width_type(width), self.layout.image, work, _states([state]), tokens, choice, margin, every
        )
        self._account(work, good)
        state.length += len(tokens)
        return choice, margin, state

    def logits(self, ids: Sequence[int]) -> Floats:
        """Every logit after every token of a new sequence: (tokens, vocabulary). Slow."""
        return self._tiles(ids)[0]

    def residuals(self, ids: Sequence[int]) -> Floats:
        """The residual stream before every half layer and before the head: (2 layers + 1, tokens, hidden)."""
        return self._tiles(ids)[1]

    def _tiles(self, ids: Sequence[int]) -> tuple[Floats, Floats]:
        tokens, image = self._tokens(ids), self.layout.image
        width, work, states = (
            width_type(TIME_WIDTH),
            make_work(self.layout, TIME_WIDTH),
            _states([self.new_state()]),
        )
        steps = 2 * len(self.config.layer_types)
        out = np.zeros((self.config.vocabulary, TIME_WIDTH), np.float32)
        logits = np.zeros((len(tokens), self.config.vocabulary), np.float32)
        streams = np.zeros((steps + 1, len(tokens), self.config.hidden), np.float32)
        for start in range(0, len(tokens), TIME_WIDTH):
            count = kernels.embed_time(width, image, work, tokens, start)
            for step in range(steps + 1):
                streams[step, start : start + count] = work.x[:, :count].T
                if step < steps:
                    kernels.half_steps(width, image, work, states, count, True, step, step + 1)
            kernels.logits(width, image, work, out)
            logits[start : start + count] = out[:, :count].T
        self._account(work, True)
        return logits, streams

    def generate(
        self, prompt: Sequence[int], budget: int, stop: Iterable[int] | None = None, state: State | None = None
    ) -> Generation:
        """Greedy generation of one launch: at most ``budget`` tokens.

        ``stop``: tokens that end it (default: the checkpoint's eos tokens). ``state``: continue from there; it
        is not changed.
        """
        return self.generate_batch([prompt], budget, stop, state=state, threads=1)[0]

    def generate_batch(
        self,
        prompts: Sequence[Sequence[int]],
        budget: int,
        stop: Iterable[int] | None = None,
        *,
        state: State | None = None,
        batch: int = 64,
        threads: int | None = None,
        keep_states: bool = True,
    ) -> list[Generation]:
        """Greedy generation of independent launches, ``batch`` at a time on each of ``threads`` threads.

        ``state``: where every launch begins, e.g. after a prompt that all share. ``keep_states``: whether
        results have a state (some MB each on a large machine).
        """
        if budget < 1:
            raise ExecutorError(f"a budget of {budget} tokens")
        pending = [self._tokens(prompt) for prompt in prompts]
        ends = self._stop(stop)
        queue = _Queue(len(pending))
        results: list[Generation | None] = [None] * len(pending)
        workers = max(1, min(threads or os.cpu_count() or 1, -(-len(pending) // 8)))
        each = min(batch, max(1, -(-len(pending) // workers)))

        def job() -> None:
            lane = _Lanes(self, each, budget, ends, keep_states)
            lane.run(queue, pending, state, results)

        with ThreadPoolExecutor(workers) as pool:
            for future in [pool.submit(job) for _ in range(workers)]:
                future.result()
        return [result for result in results if result is not None]

    def _tokens(self, ids: Sequence[int]) -> NDArray[np.int32]:
        tokens = np.asarray(ids, np.int64)
        if tokens.ndim != 1 or not len(tokens):
            raise ExecutorError("no tokens to feed")
        if tokens.min() < 0 or tokens.max() >= self.config.vocabulary:
            bad = next(int(t) for t in tokens if not 0 <= t < self.config.vocabulary)
            raise ExecutorError(f"token {bad} is outside the vocabulary of {self.config.vocabulary}")
        return tokens.astype(np.int32)

    def _stop(self, stop: Iterable[int] | None) -> NDArray[np.uint8]:
        ends = np.zeros(self.config.vocabulary, np.uint8)
        for token in self.config.stop if stop is None else stop:
            if not 0 <= token < self.config.vocabulary:
                raise ExecutorError(f"stop token {token} is outside the vocabulary")
            ends[token] = 1
        return ends

    def _account(self, work: tile.Work, good: bool) -> None:
        with self._lock:
            self._counts += work.counts
        if not good:
            raise ArithmeticFault("a logit is NaN")


def _states(states: Sequence[State]) -> tile.States:
    """One sequence's arrays as the kernels take them, without a copy."""
    (state,) = states
    return tile.States(state.state[None], state.cache[None], state.history[None])


def _fitting(count: int) -> int:
    """The narrowest tile for so many columns, or the widest there is."""
    return next(width for width in WIDTHS if width >= min(count, WIDTHS[-1]))


class _Queue:
    """Numbers of the launches that are still to be started."""

    def __init__(self, count: int) -> None:
        self._next, self._count, self._lock = 0, count, threading.Lock()

    def take(self) -> int | None:
        """The next one."""
        with self._lock:
            if self._next == self._count:
                return None
            self._next += 1
            return self._next - 1


class _Lanes:
    """One thread's tile of launches; a finished one makes room for the next."""

    def __init__(
        self, executor: Executor, count: int, budget: int, stop: NDArray[np.uint8], keep_states: bool
    ) -> None:
        self.executor, self.stop, self.keep = executor, stop, keep_states
        self.width = _fitting(count)
        self.lanes = min(count, self.width)
        layout = executor.layout
        self.work = make_work(layout, self.width)
        self.states = make_states(layout, self.width + 1)
        self.work.slots[:] = self.width
        self.active = np.zeros(self.width, np.uint8)
        self.out = np.zeros((self.width, budget), np.int32)
        self.lengths = np.zeros(self.width, np.int64)
        self.limits = np.full(self.width, budget, np.int64)
        self.margins = np.zeros(self.width, np.float32)
        self.launch: list[int | None] = [None] * self.width
        self.fed = [0] * self.width

    def run(
        self,
        queue: _Queue,
        prompts: Sequence[NDArray[np.int32]],
        begin: State | None,
        results: list[Generation | None],
    ) -> None:
        """Until the queue is empty and every lane is done."""
        waiting = True
        while True:
            for lane in range(self.lanes):
                while waiting and self.launch[lane] is None:
                    number = queue.take()
                    if number is None:
                        waiting = False
                    else:
                        self._start(lane, number, prompts[number], begin)
                        self._collect(lane, results)
            running = int(self.active.sum())
            if not running:
                return
            good = kernels.generate(
                width_type(self.width),
                self.executor.layout.image,
                self.work,
                self.states,
                self.active,
                self.out,
                self.lengths,
                self.limits,
                self.margins,
                self.stop,
                running - 1 if waiting else 0,
            )
            self._account(good)
            for lane in range(self.lanes):
                self._collect(lane, results)

    def _account(self, good: bool) -> None:
        self.executor._account(self.work, good)
        self.work.counts[:] = 0

    def _start(self, lane: int, number: int, prompt: NDArray[np.int32], begin: State | None) -> None:
        """Feeds a prompt into a lane and takes the first token."""
        executor = self.executor
        state = begin.fork() if begin is not None else executor.new_state()
        choice, margin, state = executor._feed(prompt.tolist(), state, every=False)
        self.states.state[lane], self.states.cache[lane] = state.state, state.cache
        self.states.history[lane] = state.history
        token = int(choice[-1])
        self.out[lane, 0], self.lengths[lane], self.margins[lane] = token, 1, margin[-1]
        self.launch[lane], self.fed[lane] = number, state.length
        done = bool(self.stop[token]) or self.limits[lane] == 1
        self.active[lane] = not done
        self.work.tokens[lane] = token
        self.work.slots[lane] = self.width if done else lane

    def _collect(self, lane: int, results: list[Generation | None]) -> None:
        """A finished lane's result."""
        number = self.launch[lane]
        if number is None or self.active[lane]:
            return
        executor, length = self.executor, int(self.lengths[lane])
        tokens = tuple(self.out[lane, :length].tolist())
        state = None
        if self.keep:
            one, two, three = (part[lane].copy() for part in self.states)
            fed = self.fed[lane] + length - 1
            state = State(executor.config, executor.layout, one, two, three, fed)
        results[number] = Generation(tokens, bool(self.stop[tokens[-1]]), float(self.margins[lane]), state)
        self.launch[lane] = None
