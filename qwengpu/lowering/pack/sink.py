"""Moving operations to the later block that reads them, where that saves live-outs."""

from __future__ import annotations

from qwengpu.lowering.pack.dag import OP, Dag, bits
from qwengpu.lowering.pack.fill import Fill
from qwengpu.lowering.pack.tables import Tables

PASSES = 3


class Sinker:
    """Improves the fills of one basic block in place of a schedule that knows what comes later."""

    def __init__(self, dag: Dag, tables: Tables, fills: list[Fill]) -> None:
        self.dag = dag
        self.tables = tables
        self.fills = list(fills)
        self.after = [0] * len(dag.nodes)
        """For each node the nodes that must not be in an earlier block."""
        for number, node in enumerate(dag.nodes):
            for before in bits(node.before):
                self.after[before] |= 1 << number

    def run(self) -> list[Fill]:
        """The improved fills; fewer of them if one ran empty."""
        for _ in range(PASSES):
            changed = False
            for index in range(len(self.fills) - 2, -1, -1):
                while self._sink_one(index):
                    changed = True
            if not changed:
                break
            self.fills = [fill for fill in self.fills if fill.placed or fill.has_end]
        return self.fills

    def _sink_one(self, index: int) -> bool:
        fill = self.fills[index]
        if fill.cluster >= 0:
            return False
        for number in fill.crossing():
            if fill.here(number) and self.dag.nodes[number].kind == OP:
                for group in dict.fromkeys((self._cone(fill, number), 1 << number)):
                    if self._try(index, group):
                        return True
        return False

    def _cone(self, fill: Fill, number: int) -> int:
        """The node with all producers here that nothing outside of this set reads."""
        group = 1 << number
        for candidate in sorted(fill.slot_of, reverse=True):
            node = self.dag.nodes[candidate]
            if node.users and not node.users & ~group and candidate not in self.dag.end_refs:
                group |= 1 << candidate
        return group

    def _try(self, index: int, group: int) -> bool:
        fill = self.fills[index]
        latest = self._latest(index, group)
        if latest == index:
            return False
        source = self._rebuild(fill, fill.placed & ~group, self._done(index))
        if source is None or source.outs() > fill.outs():
            return False
        for target in range(latest, index, -1):
            other = self.fills[target]
            if other.cluster >= 0:
                continue
            sunk = self._rebuild(other, other.placed | group, self._done(target) & ~group)
            if sunk is None or source.outs() + sunk.outs() >= fill.outs() + other.outs():
                continue
            self.fills[index], self.fills[target] = source, sunk
            for between in self.fills[index + 1 : target]:
                between.done &= ~group
            return True
        return False

    def _done(self, index: int) -> int:
        done = 0
        for fill in self.fills[:index]:
            done |= fill.placed
        return done

    def _latest(self, index: int, group: int) -> int:
        """The last block that ``group`` can go to."""
        followers, strict = 0, 0
        for number in bits(group):
            followers |= self.after[number]
        followers &= ~group
        if followers & self.fills[index].placed:
            return index
        for target in range(index + 1, len(self.fills)):
            here = followers & self.fills[target].placed
            if here:
                strict = any(self.dag.nodes[number].strict & group for number in bits(here))
                return target - 1 if strict else target
        return len(self.fills) - 1

    def _rebuild(self, old: Fill, members: int, done: int) -> Fill | None:
        """A block like ``old`` with these nodes; None if they do not fit."""
        dag = self.dag
        fill = Fill(dag, self.tables, done, old.cluster)
        nodes = bits(members & ~dag.moves)
        nodes.sort(key=lambda number: (-dag.nodes[number].height, number))
        waiting = nodes
        while waiting:
            left = [number for number in waiting if not (fill.ready(number) and fill.place(number))]
            if len(left) == len(waiting) or fill.hopeless:
                return None
            waiting = left
        if old.has_end and not fill.place_end():
            return None
        for number in bits(members & dag.moves):
            if not fill.place(number):
                return None
        return fill if fill.outs() <= self.tables.spec.live_outs else None
