"""Data races by happens-before, a byte at a time (vector clocks; PTX ISA, "Memory Consistency Model").

Order comes from barriers, bar.warp.sync, and from a fence followed by a strong (volatile, relaxed or
atomic) write that a strong read observes before a fence or barrier of its own. Two writes of one value do
not count as a race: whichever comes last, memory is the same. Nor does a plain read of a word that the same
thread then compares and swaps count as racing with other atomics: the swap checks what was read (compilers
make 16-bit swaps so).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from oracles.api import Finding, FindingKind, Launch
from oracles.ptx.reader.syntax import Instr

Clocks = dict[int, int]
"""Thread -> clock; never changed once it is shared."""

Cell = list[Any]
"""[writer, its clock, strength, instruction, readers: thread -> (clock, strength, instruction), value written]

The value is that of the cell's word or byte, None after an atomic."""

Words = dict[int, Any]
"""Word number -> a Cell, or four Cells if its bytes were accessed apart."""

WEAK, BLOCK, GPU = 0, 1, 2
"""Strength of an access: weak, strong within a block, strong for all threads."""

_NONE: Clocks = {}


def _cell() -> Cell:
    return [-1, 0, 0, None, {}, None]


def _byte_of(cell: Cell, index: int) -> Cell:
    """A byte's own cell out of its word's."""
    value = None if cell[5] is None else cell[5] >> 8 * index & 255
    return [*cell[:4], dict(cell[4]), value]


class Races:
    """Who did what before whom. Threads are numbered over the grid."""

    def __init__(self, launch: Launch, where: Callable[[int], str]) -> None:
        threads = launch.blocks * launch.threads_per_block
        self.per_block = launch.threads_per_block
        self.where = where
        self.words: Words = {}
        self.findings: dict[tuple[int, int, str], Finding] = {}
        self._known: list[Clocks] = [_NONE] * threads
        self._clock = [1] * threads
        self._released: dict[int, tuple[Clocks, int]] = {}  # thread -> what its last fence publishes
        self._published: dict[Hashable, dict[int, tuple[Clocks, int]]] = {}
        self._pending: dict[int, dict[int, tuple[Clocks, int]]] = {}
        # Plain reads that race with an atomic only, by (reader, word): a swap may yet justify them.
        self._suspects: dict[tuple[int, int, str], tuple[tuple[int, int, str], Finding]] = {}

    # -- accesses ----------------------------------------------------------------------------------

    def access(
        self,
        words: Words,
        thread: int,
        address: int,
        size: int,
        write: bool,
        strong: int,
        instr: Instr,
        space: str,
        value: int | None = None,
    ) -> None:
        """Check and record an access; ``value`` is what a store writes."""
        if not (size | address) & 3:
            for word in range(address >> 2, (address + size) >> 2):
                part = None if value is None else value >> 8 * ((word << 2) - address) & 0xFFFF_FFFF
                cell = words.get(word)
                if cell is None:
                    cell = words[word] = _cell()
                if cell[0].__class__ is not list:
                    self._touch(cell, thread, write, strong, instr, space, part, word << 2)
                    continue
                for at, inner in enumerate(cell):
                    byte = None if part is None else part >> 8 * at & 255
                    self._touch(inner, thread, write, strong, instr, space, byte, word << 2 | at)
            return
        for at in range(address, address + size):
            cells = words.get(at >> 2)
            if cells is None:
                cells = words[at >> 2] = [_cell() for _ in range(4)]
            elif cells[0].__class__ is not list:
                cells = words[at >> 2] = [_byte_of(cells, index) for index in range(4)]
            part = None if value is None else value >> 8 * (at - address) & 255
            self._touch(cells[at & 3], thread, write, strong, instr, space, part, at)

    def _touch(
        self,
        cell: Cell,
        thread: int,
        write: bool,
        strong: int,
        instr: Instr,
        space: str,
        value: int | None,
        at: int,
    ) -> None:
        writer, clock, how, other, readers, written = cell
        known = self._known[thread]
        if (
            writer != thread
            and writer >= 0
            and known.get(writer, 0) < clock
            and not (write and value is not None and value == written)
            and not self._strong(strong, how, thread, writer)
        ):
            self._race(thread, write, instr, writer, True, other, space, at)
        if not write:
            before = readers.get(thread)
            mine = self._clock[thread]
            if before is None or before[0] != mine or before[1] > strong:
                readers[thread] = (mine, strong, instr)
            return
        if readers:
            for reader, (seen, how, other) in readers.items():
                if (
                    reader != thread
                    and known.get(reader, 0) < seen
                    and not self._strong(strong, how, thread, reader)
                ):
                    self._race(thread, True, instr, reader, False, other, space, at)
                    break
            cell[4] = {}
        cell[0], cell[1], cell[2], cell[3], cell[5] = thread, self._clock[thread], strong, instr, value

    def _strong(self, a: int, b: int, thread: int, other: int) -> bool:
        """Morally strong: both strong, in scopes that include each other's thread."""
        if not a or not b:
            return False
        return (a == GPU and b == GPU) or thread // self.per_block == other // self.per_block

    def _race(
        self, thread: int, write: bool, instr: Instr, other: int, wrote: bool, then: Instr, space: str, at: int
    ) -> None:
        low, high = sorted((instr.ordinal, then.ordinal))
        key = (low, high, space)
        if key in self.findings:
            return
        atomics = [i.op in ("atom", "red") for i in (instr, then)]
        does, did = ("writes" if write else "reads"), ("written" if wrote else "read")
        message = (
            f"{self.where(thread)} {does} {space} 0x{at:x} at {instr.cited}, "
            f"{did} by {self.where(other)} at {then.cited}, and nothing orders the two"
        )
        finding = Finding(FindingKind.RACE, message, (thread, other), instr.ordinal)
        reader = None
        if not write and atomics[1]:
            reader = thread
        elif not wrote and atomics[0]:
            reader = other
        if reader is None:
            self.findings[key] = finding
        else:
            self._suspects.setdefault((reader, at >> 2, space), (key, finding))

    def swaps(self, thread: int, address: int, space: str) -> None:
        """A thread is about to compare and swap: its plain read of the word was no more than a guess."""
        self._suspects.pop((thread, address >> 2, space), None)

    def all_findings(self) -> list[Finding]:
        """What was found, suspicions included that no swap has lifted."""
        out = dict(self.findings)
        for key, finding in self._suspects.values():
            out.setdefault(key, finding)
        return list(out.values())

    # -- order -------------------------------------------------------------------------------------

    def barrier(self, arrived: Iterable[int], waiting: Iterable[int]) -> None:
        """All that ``arrived`` did happens before all that ``waiting`` will do."""
        arrived = list(arrived)
        for t in arrived:
            if t in self._pending:  # a barrier lets earlier strong reads count, like a fence
                self.acquire(t)
        distinct = {id(self._known[t]): self._known[t] for t in arrived}
        joined = _join(distinct.values())
        for t in arrived:
            joined[t] = self._clock[t]
            self._clock[t] += 1
        for t in waiting:
            self._known[t] = joined

    def fence(self, thread: int) -> None:
        """A fence: later strong writes publish what came before, earlier strong reads' findings count."""
        self.acquire(thread)
        self.release(thread)

    def release(self, thread: int) -> None:
        """What came before is published by later strong writes."""
        self._released[thread] = (self._known[thread], self._clock[thread])
        self._clock[thread] += 1

    def acquire(self, thread: int) -> None:
        """What earlier strong reads observed happens before what comes now."""
        seen = self._pending.pop(thread, None)
        if not seen:
            return
        joined = _join([self._known[thread], *(clocks for clocks, _ in seen.values())])
        for other, (_, clock) in seen.items():
            joined[other] = max(joined.get(other, 0), clock)
        self._known[thread] = joined

    def publish(self, thread: int, place: Hashable, chain: bool, release: bool) -> None:
        """A strong write at a place; ``chain`` if it is an atomic, which keeps what others published.
        ``release`` if it is a fence itself."""
        if release:
            self.release(thread)
        mine = self._released.get(thread)
        if not chain:
            self._published.pop(place, None)
        if mine is not None:
            self._published.setdefault(place, {})[thread] = mine

    def observe(self, thread: int, place: Hashable, acquire: bool) -> None:
        """A strong read at a place; ``acquire`` if it is a fence itself."""
        there = self._published.get(place)
        if there:
            self._pending.setdefault(thread, {}).update(there)
        if acquire:
            self.acquire(thread)


def _join(parts: Iterable[Clocks]) -> Clocks:
    ordered = sorted(parts, key=len, reverse=True)
    out = dict(ordered[0]) if ordered else {}
    for part in ordered[1:]:
        for thread, clock in part.items():
            if out.get(thread, 0) < clock:
                out[thread] = clock
    return out
