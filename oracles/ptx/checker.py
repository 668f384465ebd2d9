"""Definedness: collects findings, keeps shadow state for memory, and joins the race detector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from oracles.api import Finding, FindingKind, Launch
from oracles.ptx.access import Access
from oracles.ptx.memory import M64, split_generic
from oracles.ptx.origins import Origin
from oracles.ptx.races import Races
from oracles.ptx.reader.syntax import Instr

if TYPE_CHECKING:
    from oracles.ptx.warp import Warp

MOST = 20
"""Findings that are reported."""


class Checker:
    """State of the definedness checks of one launch."""

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self.races = Races(launch, self.where)
        self._origins: dict[tuple[FindingKind, int, str], Origin] = {}
        self._divergent: dict[tuple[int, ...], Finding] = {}
        # Origins of undefined bytes in memory: (space, block or thread) -> address -> origin.
        self.tainted: dict[tuple[str, int], dict[int, Origin]] = {}

    def where(self, thread: int) -> str:
        """``thread (1,0,0) of block (0,0,0)``."""
        block, tid = self.launch.where(thread)
        return f"thread ({','.join(map(str, tid))}) of block ({','.join(map(str, block))})"

    # -- values ------------------------------------------------------------------------------------

    def origin(self, kind: FindingKind, what: str, instr: Instr) -> Origin:
        """The one origin of that kind and text at an instruction."""
        key = (kind, instr.ordinal, what)
        found = self._origins.get(key)
        if found is None:
            found = self._origins[key] = Origin(kind, what, instr)
        return found

    def open_values(self, w: Warp, lanes: Sequence[int], what: str, instr: Instr) -> dict[int, Origin]:
        """Origins for lanes that are about to get a value that PTX leaves open."""
        if not lanes:
            return {}
        origin = self.origin(FindingKind.UNSPECIFIED, what, instr)
        origin.threads.update(w.thread0 + lane for lane in lanes)
        return dict.fromkeys(lanes, origin)

    def met(self, origin: Origin, thread: int) -> None:
        """A thread got an undefined value out of memory or from another lane."""
        if origin.kind is FindingKind.UNSPECIFIED:
            origin.threads.add(thread)

    def used(self, origin: Origin, thread: int, use: str, instr: Instr) -> None:
        """An undefined value came to matter."""
        origin.threads.add(thread)
        if not origin.use:
            origin.use = f"{use} at {instr.cited}"

    def divergent(self, threads: Sequence[int], message: str, instr: Instr, key: tuple[int, ...]) -> None:
        """A barrier that a warp's threads did not reach together."""
        if key not in self._divergent:
            self._divergent[key] = Finding(
                FindingKind.DIVERGENT_BARRIER, message, tuple(threads), instr.ordinal
            )

    # -- memory ------------------------------------------------------------------------------------

    def load(self, w: Warp, lanes: Sequence[int], instr: Instr, access: Access) -> dict[int, Origin]:
        """Check a load: initialised, free of races. Returns the lanes whose value will be undefined."""
        column, offset, space = w.R[access.base], access.offset, access.space
        strong, size = access.strong, access.total
        out: dict[int, Origin] = {}
        block = w.block
        races = self.races
        if space == "const":
            return out
        for lane in lanes:
            address = (column[lane] + offset) & M64
            place = space
            if space == "generic":
                place, address = split_generic(address)
            thread = w.thread0 + lane
            if place == "global":
                races.access(races.words, thread, address, size, False, strong, instr, "global")
                if strong:
                    races.observe(thread, address, access.acquire)
            elif place == "shared":
                if 0 in block.shared_written[address : address + size]:
                    what = "shared memory is read before it is written"
                    out[lane] = self.origin(FindingKind.UNINITIALISED, what, instr)
                races.access(block.race_words, thread, address, size, False, strong, instr, "shared")
                if strong:
                    races.observe(thread, (block.index, address), access.acquire)
            elif 0 in w.local_written[lane][address : address + size]:
                what = "local memory is read before it is written"
                out[lane] = self.origin(FindingKind.UNINITIALISED, what, instr)
            if self.tainted:
                self._tainted_bytes(w, place, lane, address, size, out)
        return out

    def _tainted_bytes(
        self, w: Warp, place: str, lane: int, address: int, size: int, out: dict[int, Origin]
    ) -> None:
        bytes_ = self.tainted.get(self._memory(w, place, lane))
        if bytes_:
            for at in range(address, address + size):
                if at in bytes_:
                    out[lane] = bytes_[at]
                    self.met(bytes_[at], w.thread0 + lane)

    @staticmethod
    def _memory(w: Warp, place: str, lane: int) -> tuple[str, int]:
        return place, w.block.index if place == "shared" else w.thread0 + lane if place == "local" else 0

    def store(self, w: Warp, lanes: Sequence[int], instr: Instr, access: Access, slots: Sequence[int]) -> None:
        """Check a store of the values in ``slots``."""
        column, offset, space = w.R[access.base], access.offset, access.space
        strong, size = access.strong, access.size
        values = [(slot, at * size) for at, slot in enumerate(slots)]
        block = w.block
        races = self.races
        for lane in lanes:
            for slot, step in values:
                address = (column[lane] + offset + step) & M64
                place = space
                if space == "generic":
                    place, address = split_generic(address)
                thread = w.thread0 + lane
                value = w.R[slot][lane] & ((1 << 8 * size) - 1)
                if place == "global":
                    races.access(races.words, thread, address, size, True, strong, instr, "global", value)
                    if strong:
                        races.publish(thread, address, False, access.release)
                elif place == "shared":
                    races.access(block.race_words, thread, address, size, True, strong, instr, "shared", value)
                    if strong:
                        races.publish(thread, (block.index, address), False, access.release)
                    block.shared_written[address : address + size] = b"\1" * min(
                        size, max(0, len(block.shared_written) - address)
                    )
                elif place == "local":
                    written = w.local_written[lane]
                    written[address : address + size] = b"\1" * min(size, max(0, len(written) - address))
                self._mark(w, place, lane, address, size, slot, instr)

    def _mark(self, w: Warp, place: str, lane: int, address: int, size: int, slot: int, instr: Instr) -> None:
        """Remember that bytes in memory are undefined, or no longer."""
        undefined = w.T[slot] >> lane & 1
        if not undefined and not self.tainted:
            return
        bytes_ = self.tainted.setdefault(self._memory(w, place, lane), {})
        for at in range(address, address + size):
            if undefined:
                bytes_[at] = w.origin_of(slot, lane, instr)
            else:
                bytes_.pop(at, None)

    def atomic(self, w: Warp, lanes: Sequence[int], instr: Instr, access: Access) -> dict[int, Origin]:
        """Check an atomic: its location is initialised, nothing else races with it."""
        column, offset, space = w.R[access.base], access.offset, access.space
        strong, size = access.strong, access.total
        out: dict[int, Origin] = {}
        block = w.block
        races = self.races
        swap = "cas" in instr.mods
        for lane in lanes:
            address = (column[lane] + offset) & M64
            place = space
            if space == "generic":
                place, address = split_generic(address)
            thread = w.thread0 + lane
            if place == "global":
                races.access(races.words, thread, address, size, True, strong, instr, "global")
                if swap:
                    races.swaps(thread, address, "global")
                races.observe(thread, address, access.acquire)
                races.publish(thread, address, True, access.release)
            elif place == "shared":
                if 0 in block.shared_written[address : address + size]:
                    what = "shared memory is read before it is written"
                    origin = out[lane] = self.origin(FindingKind.UNINITIALISED, what, instr)
                    self.used(origin, thread, "it is changed by an atomic", instr)
                races.access(block.race_words, thread, address, size, True, strong, instr, "shared")
                if swap:
                    races.swaps(thread, address, "shared")
                races.observe(thread, (block.index, address), access.acquire)
                races.publish(thread, (block.index, address), True, access.release)
            if self.tainted:
                self._tainted_bytes(w, place, lane, address, size, out)
        return out

    # -- the end -----------------------------------------------------------------------------------

    def findings(self) -> tuple[Finding, ...]:
        """All findings, those that make a launch undefined first."""
        out: list[Finding] = self.races.all_findings()
        out += self._divergent.values()
        values = []
        for origin in self._origins.values():
            if origin.kind is FindingKind.UNINITIALISED and not origin.use:
                continue
            threads = tuple(sorted(origin.threads))
            first = f", {self.where(threads[0])}" if threads else ""
            ending = f"; {origin.use}" if origin.use else "; it is not stored and decides nothing"
            message = f"{origin.what} at {origin.instr.cited}{first}{ending}"
            values.append(Finding(origin.kind, message, threads, origin.instr.ordinal))
        hard = [f for f in values if f.kind is FindingKind.UNINITIALISED]
        soft = [f for f in values if f.kind is not FindingKind.UNINITIALISED]
        return tuple((hard + out)[: MOST - min(len(soft), MOST // 2)] + soft)[:MOST]
