"""Reads a prompt's token ids into the state of a machine at the start of a launch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from qwengpu.encode import Illegal, block_words, decode
from qwengpu.isa import Block, ConstRow
from qwengpu.spec import Spec
from qwengpu.tokens import Kind, Token, vocabulary

WORD_BYTES = 4


class PromptError(ValueError):
    """The ids are no prompt: which token, where, why."""


@dataclass
class State:
    """What a prompt writes. ``tids[thread]`` are the thread's three rows; ``masks[warp]`` its threads."""

    spec: Spec
    rom: list[list[int]] = field(init=False)
    constants: list[int] = field(init=False)
    tids: list[list[int]] = field(init=False)
    masks: list[int] = field(init=False)
    memory: list[int] = field(init=False)
    shared: list[int] = field(init=False)

    def __post_init__(self) -> None:
        spec = self.spec
        self.rom = [[0] * block_words(spec) for _ in range(spec.blocks)]
        self.constants = [0] * spec.const_rows
        self.tids = [[0, 0, 0] for _ in range(spec.threads)]
        self.masks = [0] * spec.warps
        self.memory = [0] * spec.memory_rows
        self.shared = [0] * spec.memory_rows

    def block(self, number: int) -> Block | Illegal:
        """A ROM block, decoded."""
        return decode(self.rom[number], self.spec)

    def check(self) -> None:
        """Raise PromptError unless both memories fit the machine together."""
        sizes = [self.constants[row] for row in (ConstRow.GLOBAL_BYTES, ConstRow.SHARED_BYTES)]
        words = sum(-(-size // WORD_BYTES) for size in sizes)
        if words > self.spec.memory_words:
            raise PromptError(
                f"the prompt asks for {words} memory words, spec {self.spec.name} has {self.spec.memory_words}"
            )


class Reader:
    """Takes a prompt token by token; `done` after LAUNCH."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.vocab = vocabulary(spec)
        self.state = State(spec)
        self.done = False
        self._forget()

    def _forget(self) -> None:
        self._digits: list[int] = []
        self._block = 0
        self._target: list[int] = self.state.rom[0]
        self._row = 0
        self._address = (0, 0)

    def feed(self, ids: Iterable[int]) -> None:
        """Take more ids.

        Raises PromptError for an id that has no place in a prompt, or behind LAUNCH.
        """
        for token_id in ids:
            try:
                token = self.vocab.token(token_id)
            except ValueError as error:
                raise PromptError(str(error)) from None
            if self.done and token.kind is not Kind.RESET:
                raise PromptError(f"{token} follows LAUNCH; a new prompt starts with RESET")
            self._take(token)

    def _take(self, token: Token) -> None:
        kind, args = token
        if kind is Kind.BYTE:
            self._digits.append(args[0])
            return
        state, digits = self.state, self._digits
        self._digits = []
        match kind:
            case Kind.SET:
                self._target[self._row] = self.vocab.word([*digits, args[0]])
            case Kind.MEM:
                space, address = self._address
                words = state.shared if space else state.memory
                words[(address + args[0]) % len(words)] = self.vocab.word([*digits, args[1]])
            case Kind.ROM:
                self._block = args[0]
            case Kind.ROW:
                self._target, self._row = state.rom[self._block], args[0]
            case Kind.CONST:
                self._target, self._row = state.constants, args[0]
            case Kind.TID:
                self._target, self._row = state.tids[args[0] * self.spec.lanes + args[1]], args[2]
            case Kind.ADDR:
                self._address = (args[0], args[1])
            case Kind.THREADS:
                state.masks[args[0]] = args[1]
            case Kind.RESET:
                self.state = State(self.spec)
                self.done = False
                self._forget()
            case Kind.LAUNCH:
                state.check()
                self.done = True
            case _:
                raise PromptError(f"{token} has no place in a prompt")
