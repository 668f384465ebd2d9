"""Splitting a basic block into ROM blocks: greedy filling in several orders, a small beam search on top."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from qwengpu.isa import Op
from qwengpu.lowering.mir import Barrier, Branch, Jump, Trap, VReg
from qwengpu.lowering.pack.dag import MOVE, OP, STORE, Dag, Node, bits
from qwengpu.lowering.pack.fill import Fill
from qwengpu.lowering.pack.flow import WARP_OPS
from qwengpu.lowering.pack.pressure import Pressure
from qwengpu.lowering.pack.sink import Sinker
from qwengpu.lowering.pack.tables import Tables
from qwengpu.program import Refusal


@dataclass(frozen=True)
class Effort:
    """How hard to search, and for what.

    ``block_cost``: cost of a ROM block in live-outs. A block is one EXEC token, a live-out 1 to 4 tokens a
    lane; blocks count more only where ROM is short. ``beam``: states kept a step, for graphs of at most
    ``nodes`` (1: greedy in each order, the best one is taken; on the corpus a beam saves 0.2% of the tokens).
    ``low_pressure``: keep within the machine's registers, at a cost of blocks.
    """

    block_cost: int = 1
    beam: int = 1
    nodes: int = 160
    low_pressure: bool = False


class Scheduler:
    """Schedules one basic block."""

    def __init__(
        self, dag: Dag, tables: Tables, fresh: Callable[[], VReg], pressure: Pressure | None = None
    ) -> None:
        self.dag = dag
        self.pressure = pressure
        self.tables = tables
        self.fresh = fresh
        self._absorb()
        numbers = [n for n, node in enumerate(dag.nodes) if node.kind != MOVE]
        by_height = sorted(numbers, key=lambda n: (-dag.nodes[n].height, n))
        orders = (by_height, numbers, self._cones(numbers))
        self.plain = [[n for n in order if dag.nodes[n].cluster < 0] for order in orders]

    # -- search -------------------------------------------------------------------------------------

    def run(self, effort: Effort) -> list[Fill]:
        """The ROM blocks, in order."""
        if self.pressure is not None:
            return self._greedy(2)
        found: list[list[Fill]] = []
        for order in range(len(self.plain)):
            size = len(self.dag.nodes)
            fills = self._greedy(order)
            if len(fills) == 1:
                return fills
            if len(self.dag.nodes) > size:
                found.clear()  # a deadlock was broken: what was found before lacks the new nodes
            found.append(fills)
        if effort.beam > 1 and len(self.dag.nodes) <= effort.nodes:
            beamed = self._beam(effort)
            found += [] if beamed is None else [beamed]
        sunk = [Sinker(self.dag, self.tables, fills).run() for fills in found]
        return min(sunk, key=lambda fills: _cost(fills, effort))

    def _greedy(self, order: int) -> list[Fill]:
        fills: list[Fill] = []
        done = 0
        while True:
            options = self._next(done, [order])
            if not options:
                self._split(done)
                continue
            fills.append(options[0])
            done |= options[0].placed
            if options[0].has_end:
                return fills

    def _beam(self, effort: Effort) -> list[Fill] | None:
        """The best of several ways at once; None if all of them end in a deadlock of moves."""
        states: list[tuple[int, list[Fill]]] = [(0, [])]
        while states:
            grown: dict[tuple[int, bool], list[Fill]] = {}
            for done, fills in states:
                for fill in self._next(done, range(len(self.plain))):
                    after = (done | fill.placed, fill.has_end)
                    path = [*fills, fill]
                    if after not in grown or _cost(path, effort) < _cost(grown[after], effort):
                        grown[after] = path
            ended = [path for (_, has_end), path in grown.items() if has_end]
            if ended:
                return min(ended, key=lambda path: _cost(path, effort))
            ranked = sorted(grown.items(), key=lambda item: self._promise(item[0][0], item[1]))
            states = [(done, path) for (done, _), path in ranked[: effort.beam]]
        return None

    def _promise(self, done: int, fills: list[Fill]) -> float:
        left = sum(1 + node.height for n, node in enumerate(self.dag.nodes) if not done >> n & 1)
        return _outs(fills) + left * 1.5

    # -- one block ----------------------------------------------------------------------------------

    def _next(self, done: int, orders: Sequence[int]) -> list[Fill]:
        """Different ways to fill the next block; none if what is left are moves that wait for each other."""
        out: dict[int, Fill] = {}
        serial = self._serial(done)
        if serial is not None and (len(orders) > 1 or not self._useful_before(serial, done)):
            out[serial.placed] = serial
        if not out or len(orders) > 1:
            for order in orders:
                fill = self._fill(done, self.plain[order], hard=True)
                if not fill.placed and not fill.has_end:
                    fill = self._fill(done, self.plain[order], hard=False)
                if fill.placed or fill.has_end:
                    out.setdefault(fill.placed, fill)
        if not out and serial is not None:
            return [serial]
        return list(out.values())

    def _fill(self, done: int, order: list[int], hard: bool) -> Fill:
        fill = Fill(self.dag, self.tables, done)
        nodes = self.dag.nodes
        progress = True
        while progress:
            progress = False
            for number in order:
                if (done | fill.placed | fill.hopeless) >> number & 1 or not fill.ready(number):
                    continue
                if hard and self._too_early(fill, number, nodes[number]):
                    continue
                progress |= fill.place(number)
        self._finish(fill)
        return fill

    def _too_early(self, fill: Fill, number: int, node: Node) -> bool:
        """True if the result is only a register's next value, and its old one is still to be read."""
        moves = node.users & self.dag.moves
        if not moves or moves != node.users or number in self.dag.end_refs:
            return False
        have = fill.done | fill.placed | 1 << number | self.dag.moves
        return all(self.dag.nodes[move].before & ~have for move in bits(moves))

    def _finish(self, fill: Fill) -> None:
        """End the basic block here if all is done; bring live-outs within the limit; place moves."""
        self._place_end(fill)
        fill.settle()
        if self.pressure is not None:
            self.pressure.relieve(fill, self.plain[2])
        fill.place_moves()
        if fill.has_end and self.dag.moves & ~(fill.done | fill.placed):
            for number in bits(fill.placed & self.dag.moves):
                fill.remove(number)
            fill.drop_end()
            fill.settle()
            fill.place_moves()

    def _place_end(self, fill: Fill) -> None:
        end = self.dag.block.end
        if isinstance(end, Trap) and (fill.store >= 0 or fill.cluster >= 0):
            return  # a trap discards its block's store
        if fill.cluster >= 0 and not self._forward():
            return
        fill.place_end()

    def _forward(self) -> bool:
        """True if every target has a higher number: lanes that leave a serial block one by one gather there."""
        end, number = self.dag.block.end, self.dag.block.number
        if isinstance(end, Branch):
            ends: tuple[int | None, ...] = (end.taken, end.other)
        elif isinstance(end, (Jump, Barrier)):
            ends = (end.target,)
        else:
            return False
        return all(target is None or target > number for target in ends)

    # -- atomic bundles -----------------------------------------------------------------------------

    def _absorb(self) -> None:
        """Operations that only feed one bundle join it if it still fits one block: no register is needed."""
        dag = self.dag
        for cluster, members in enumerate(dag.clusters):
            if self._cluster_fill(members, cluster) is None:
                raise Refusal(
                    "an atomic operation needs more than one ROM block of this machine",
                    kind="size",
                    instr=dag.nodes[bits(members)[-1]].instr,
                )
            for number in range(bits(members)[-1] - 1, -1, -1):
                node = dag.nodes[number]
                if node.kind != OP or node.cluster >= 0 or node.op in WARP_OPS or node.sync is not None:
                    continue
                if not node.users or node.users & ~members or number in dag.end_refs:
                    continue
                if self._needed_before(number, members):
                    continue
                if self._cluster_fill(members | 1 << number, cluster) is not None:
                    members |= 1 << number
                    node.cluster = cluster
            dag.clusters[cluster] = members

    def _needed_before(self, number: int, members: int) -> bool:
        """True if something that may precede the bundle must follow node ``number`` (a store after a load)."""
        last = members.bit_length()
        return any(
            self.dag.nodes[other].before >> number & 1 and not members >> other & 1
            for other in range(number + 1, last)
        )

    def _cluster_fill(self, members: int, cluster: int) -> Fill | None:
        """A block with ``members``, as if all that precedes them were done; None if they do not fit."""
        before = 0
        for number in bits(members):
            before |= self.dag.nodes[number].before
        fill = Fill(self.dag, self.tables, before & ~members, cluster)
        return fill if fill.place_all(bits(members)) and not self._over(fill) else None

    def _over(self, fill: Fill) -> bool:
        return len(fill.crossing()) > self.tables.spec.live_outs

    def _serial(self, done: int) -> Fill | None:
        """The next atomic bundle as a block of its own, if it can be done now."""
        dag = self.dag
        for cluster, members in enumerate(dag.clusters):
            if members & done:
                continue
            fill = Fill(dag, self.tables, done, cluster)
            if not fill.place_all(bits(members)):
                return None
            self._follow(fill)
            self._finish(fill)
            return fill
        return None

    def _follow(self, fill: Fill) -> None:
        """ALU operations on the bundle's results may stay with it: nothing of them depends on other lanes."""
        for number in self.plain[0]:
            node = self.dag.nodes[number]
            if node.kind != OP or node.op in WARP_OPS or node.op is Op.LD or node.sync is not None:
                continue
            if node.data & fill.placed and not fill.done >> number & 1 and fill.ready(number):
                before = len(fill.crossing())
                if fill.place(number) and len(fill.crossing()) > before:
                    fill.remove(number)

    def _useful_before(self, serial: Fill, done: int) -> bool:
        """True if something that is not for after the bundle can be done before it."""
        first = bits(serial.placed)[0]
        return any(
            number < first and not done >> number & 1 and self.dag.nodes[number].cluster < 0
            for number in self.plain[0]
        )

    # -- orders, bounds, ways out -------------------------------------------------------------------

    def _cones(self, numbers: list[int]) -> list[int]:
        """Each root (store, last value) with all it needs, one root after the other, in program order.

        Of the operands the one with the longest chain behind it goes first, so that few values wait.
        """
        nodes = self.dag.nodes
        depth: list[int] = []
        for number in numbers:
            depth.append(1 + max((depth[before] for before in bits(nodes[number].before)), default=0))
        seen: dict[int, None] = {}

        def visit(number: int) -> None:
            stack = [(number, False)]
            while stack:
                at, expanded = stack.pop()
                if at in seen:
                    continue
                if expanded:
                    seen[at] = None
                    continue
                stack.append((at, True))
                waiting = [before for before in bits(nodes[at].before) if before not in seen]
                waiting.sort(key=lambda before: (depth[before], -before))
                stack += [(before, False) for before in waiting]

        for number in numbers:
            if nodes[number].kind == STORE or not nodes[number].users & ~self.dag.moves:
                visit(number)
        for number in numbers:
            visit(number)
        return list(seen)

    def _split(self, done: int) -> None:
        """Break a deadlock of moves (a permutation larger than a block) with temporary registers.

        Raises Refusal if what is left are no moves: an operation that no block of this pipeline can hold.
        """
        dag = self.dag
        rest = dag.everything & ~done
        stuck = bits(rest & ~dag.moves)
        if stuck:
            node = dag.nodes[stuck[0]]
            name = node.op.name if node.op is not None else "store"
            raise Refusal(f"{name} does not fit one ROM block of this machine", kind="size", instr=node.instr)
        copies: dict[int, int] = {}
        for number in bits(rest):
            node = dag.nodes[number]
            ref = node.refs[0]
            if dag.is_register(ref):
                node.refs = (self._copy(ref, copies),)
                node.data = node.strict = 1 << node.refs[0]
        dag.end_refs = tuple(self._copy(ref, copies) if dag.is_register(ref) else ref for ref in dag.end_refs)
        if not copies:
            raise Refusal("a branch needs more ports than this machine has", kind="size")
        for number in bits(rest):
            node = dag.nodes[number]
            assert node.dest is not None
            old = dag.leaf_refs.get(node.dest)
            node.before = node.data
            if old is not None and old in copies:
                node.before |= 1 << copies[old]

    def _copy(self, ref: int, copies: dict[int, int]) -> int:
        if ref not in copies:
            copies[ref] = len(self.dag.nodes)
            self.dag.nodes.append(Node(MOVE, (ref,), -1, dest=self.fresh()))
            self.dag.moves |= 1 << copies[ref]
        return copies[ref]


def _outs(fills: list[Fill]) -> int:
    return sum(fill.outs() for fill in fills)


def _cost(fills: list[Fill], effort: Effort) -> int:
    return effort.block_cost * len(fills) + _outs(fills)
