"""The generated side of the token protocol (docs/machine.md, section 7)."""

from __future__ import annotations

from collections.abc import Sequence

from qwengpu.isa import ConstRow
from qwengpu.spec import Spec
from qwengpu.tokens import FaultCode, Kind, vocabulary


class Emitter:
    """Appends the tokens of a run to ``ids``; ``masks`` are those that the prompt's THREADS set."""

    def __init__(self, spec: Spec, masks: Sequence[int]) -> None:
        self.ids: list[int] = []
        self._spec = spec
        self._vocab = vocab = vocabulary(spec)
        self._masks = list(masks)
        self._byte = vocab.base[Kind.BYTE]
        # First id of VAL(s, l, .) and MEM(l, .), so that a last digit is one addition.
        self._val = [
            [vocab.id(Kind.VAL, out, lane, 0) for lane in range(spec.lanes + 1)]
            for out in range(spec.live_outs)
        ]
        self._mem = [vocab.id(Kind.MEM, lane, 0) for lane in range(spec.lanes)]

    def _value(self, word: int, base: int) -> None:
        *leading, last = self._vocab.digits(word)
        self.ids += [self._byte + digit for digit in leading]
        self.ids.append(base + last)

    def exec(self, block: int, warp: int, mask: int) -> None:
        """MASK if the warp has another one, then EXEC."""
        if self._masks[warp] != mask:
            self._masks[warp] = mask
            self.ids.append(self._vocab.id(Kind.MASK, warp, mask))
        self.ids.append(self._vocab.id(Kind.EXEC, block, warp))

    def out(self, number: int, lanes: Sequence[int], values: Sequence[int]) -> None:
        """One out: once if all lanes agree, else lane by lane."""
        if values.count(values[0]) == len(values):
            self._value(values[0], self._val[number][self._spec.lanes])
        else:
            for lane, value in zip(lanes, values, strict=True):
                self._value(value, self._val[number][lane])

    def store(self, space: int, lanes: Sequence[int], words: Sequence[int], data: Sequence[int]) -> None:
        """The lanes' stores: an address wherever a lane's word is not its number above the last one."""
        rows, base = self._spec.memory_rows, -1
        for lane, word, value in zip(lanes, words, data, strict=True):
            if base != (word - lane) % rows:
                base = (word - lane) % rows
                self.ids.append(self._vocab.id(Kind.ADDR, space, base))
            self._value(value, self._mem[lane])

    def start(self, changed: Sequence[tuple[int, int]]) -> None:
        """A new thread block; ``changed`` are the dimensions of ctaid that have a new value."""
        self.ids.append(self._vocab.id(Kind.START))
        for dim, value in changed:
            self.ids.append(self._vocab.id(Kind.CONST, ConstRow.CTAID_X + dim))
            self._value(value, self._vocab.base[Kind.SET])

    def release(self) -> None:
        """The waiting threads go on."""
        self.ids.append(self._vocab.id(Kind.RELEASE))

    def fault(self, code: FaultCode, mask: int) -> None:
        """The last EXEC faulted."""
        self.ids.append(self._vocab.id(Kind.FAULT, code, mask))

    def halt(self) -> None:
        """The end."""
        self.ids.append(self._vocab.id(Kind.HALT))
