"""How many registers are live behind a partly scheduled basic block."""

from __future__ import annotations

from qwengpu.lowering.mir import VReg
from qwengpu.lowering.pack.dag import MOVE, OP, ZERO_REF, Dag, bits
from qwengpu.lowering.pack.fill import Fill


class Pressure:
    """Counts live registers of one graph, and takes nodes back where there would be too many."""

    def __init__(self, dag: Dag, live_out: set[VReg], budget: int) -> None:
        self.dag = dag
        self.budget = budget
        finals = {dag.nodes[number].dest for number in bits(dag.moves)}
        leaves = {leaf for leaf in dag.leaves if isinstance(leaf, VReg)}
        kept = live_out - finals
        self.through = len(kept)
        self.readers: dict[VReg, int] = dict.fromkeys(leaves - kept, 0)
        self.at_end = {ref for ref in dag.end_refs if ref != ZERO_REF}
        for number, node in enumerate(dag.nodes):
            for ref in (*node.refs, node.value, ZERO_REF if node.sync is None else node.sync):
                leaf = dag.leaf(ref) if ref < ZERO_REF else None
                if isinstance(leaf, VReg) and leaf in self.readers:
                    self.readers[leaf] |= 1 << number

    def live(self, finished: int, ended: bool) -> int:
        """Registers that hold something needed, once the nodes of ``finished`` are done."""
        count = self.through
        for leaf, readers in self.readers.items():
            waits = not ended and self.dag.leaf_refs[leaf] in self.at_end
            count += bool(readers & ~finished) or waits
        for number in bits(finished):
            node = self.dag.nodes[number]
            if node.kind == MOVE:
                count += 1
            elif node.kind == OP and not node.users & self.dag.moves & finished:
                count += bool(node.users & ~finished) or (not ended and number in self.at_end)
        return count

    def relieve(self, fill: Fill, order: list[int]) -> None:
        """Take back nodes until the budget holds: those that free most, of these the last in ``order``.

        The block keeps at least one node.
        """
        now = self.live(fill.done | fill.placed, fill.has_end)
        place = {number: index for index, number in enumerate(order)}
        while now > self.budget and fill.placed.bit_count() > 1:
            options = [
                (self.live(fill.done | fill.placed & ~(1 << number), False), -place.get(number, 0), number)
                for number in fill.removable()
            ]
            if not options or min(options)[0] > now:
                return
            now, _, number = min(options)
            fill.drop_end()
            fill.remove(number)
