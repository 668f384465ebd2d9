"""Placing nodes of a dependency graph in the slots of one ROM block."""

from __future__ import annotations

from collections.abc import Iterable

from qwengpu.lowering.pack.dag import MOVE, OP, STORE, ZERO_REF, Dag, Node, bits
from qwengpu.lowering.pack.tables import Tables

DISPLACE_DEPTH = 3


class Fill:
    """One ROM block under construction: ``done`` nodes are in earlier blocks, ``placed`` ones in this one.

    Every method that places something leaves the block valid: slots, levels and ports hold at all times;
    live-outs are counted by `outs` and brought within the limit by `settle`.
    """

    def __init__(self, dag: Dag, tables: Tables, done: int, cluster: int = -1) -> None:
        self.dag = dag
        self.tables = tables
        self.done = done
        self.placed = 0
        self.cluster = cluster
        self.slots: list[int] = [-1] * len(tables.level)
        self.slot_of: dict[int, int] = {}
        self.ports: dict[int, int] = {}
        self.reads = 0
        self.consts = 0
        self.store = -1
        self.sync: int | None = None
        self.has_end = False
        self.hopeless = 0
        """Nodes for which no slot was left; the block only gets fuller."""

    # -- conditions ---------------------------------------------------------------------------------

    def ready(self, number: int) -> bool:
        """True if all that must precede node ``number`` is done or here."""
        node = self.dag.nodes[number]
        return not node.strict & ~self.done and not node.before & ~(self.done | self.placed)

    def here(self, ref: int) -> bool:
        """True if ``ref`` is the result of a slot of this block."""
        return ref >= 0 and bool(self.placed >> ref & 1)

    # -- ports --------------------------------------------------------------------------------------

    def _take_ports(self, refs: Iterable[int]) -> bool:
        """Reserve ports for ``refs``; False, and nothing reserved, if there are not enough."""
        taken: list[int] = []
        for ref in refs:
            if ref == ZERO_REF or (ref >= 0 and self.placed >> ref & 1):
                continue
            if ref in self.ports:
                self.ports[ref] += 1
                taken.append(ref)
                continue
            register = ref >= 0 or self.dag.is_register(ref)
            spec = self.tables.spec
            if self.reads >= spec.read_ports if register else self.consts >= spec.const_ports:
                self._free_ports(taken)
                return False
            if register:
                self.reads += 1
            else:
                self.consts += 1
            self.ports[ref] = 1
            taken.append(ref)
        return True

    def _free_ports(self, refs: Iterable[int]) -> None:
        for ref in refs:
            left = self.ports.get(ref, 0) - 1
            if left > 0:
                self.ports[ref] = left
            elif left == 0:
                del self.ports[ref]
                if ref >= 0 or self.dag.is_register(ref):
                    self.reads -= 1
                else:
                    self.consts -= 1

    # -- nodes --------------------------------------------------------------------------------------

    def place(self, number: int) -> bool:
        """Place a node that is `ready`; False, and nothing changed, if there is no room for it."""
        node = self.dag.nodes[number]
        if node.kind == STORE:
            if self.store >= 0 or not self._take_ports(_refs(node)):
                return False
            self.store = number
        elif node.kind == MOVE:
            if not self._take_ports(node.refs):
                return False
        elif not self._place_slot(number, node):
            return False
        self.placed |= 1 << number
        return True

    def _place_slot(self, number: int, node: Node) -> bool:
        if node.sync is not None and (self.cluster >= 0 or self.sync not in (None, node.sync)):
            return False
        refs = _refs(node)
        if not self._take_ports(refs):
            return False
        if node.kind == OP:
            slot = self._find_slot(number, node, set(), DISPLACE_DEPTH)
            if slot < 0:
                self.hopeless |= 1 << number
                self._free_ports(refs)
                return False
            self._put(number, slot)
        if node.sync is not None:
            self.sync = node.sync
        return True

    def _put(self, number: int, slot: int) -> None:
        self.slots[slot] = number
        self.slot_of[number] = slot

    def _bounds(self, number: int, node: Node) -> tuple[int, int]:
        """(level that all operands are at or below, level that all users here are at or above)."""
        level, slot_of = self.tables.level, self.slot_of
        low = -1
        for ref in node.refs:
            if ref >= 0 and ref in slot_of:
                low = max(low, level[slot_of[ref]])
        high = len(level) + 1
        for user in bits(node.users & ~self.done):
            if user in slot_of:
                high = min(high, level[slot_of[user]])
        return low, high

    def _find_slot(self, number: int, node: Node, barred: set[int], depth: int) -> int:
        """A free slot for the node, made free by moving others if need be; -1 if there is none.

        A node counts as in the slot that it would get while another makes room for it, so that the slots of
        all nodes that move are in order with one another.
        """
        assert node.op is not None
        level = self.tables.level
        low, high = self._bounds(number, node)
        chained = any(self.dag.nodes[user].kind == OP for user in bits(node.users & ~self.done))
        order = self.tables.early[node.op] if chained else self.tables.late[node.op]
        fitting = [slot for slot in order if low < level[slot] < high and slot not in barred]
        for slot in fitting:
            if self.slots[slot] < 0:
                return slot
        if depth == 0:
            return -1
        before = self.slot_of.get(number)
        for slot in fitting:
            other = self.slots[slot]
            self.slot_of[number] = slot
            elsewhere = self._find_slot(other, self.dag.nodes[other], barred | {slot}, depth - 1)
            if elsewhere >= 0:
                self._put(other, elsewhere)
                self.slots[slot] = -1
                return slot
        if before is None:
            self.slot_of.pop(number, None)
        else:
            self.slot_of[number] = before
        return -1

    def remove(self, number: int) -> None:
        """Take back a node that nothing else here reads."""
        node = self.dag.nodes[number]
        self.placed &= ~(1 << number)
        if node.kind == STORE:
            self.store = -1
        elif node.kind == OP:
            self.slots[self.slot_of.pop(number)] = -1
        self._free_ports(ref for ref in _refs(node) if not self.here(ref) and ref != ZERO_REF)
        if node.sync is not None and not any(
            self.dag.nodes[other].sync is not None for other in bits(self.placed)
        ):
            self.sync = None

    def place_all(self, numbers: Iterable[int]) -> bool:
        """Place all of ``numbers`` (in an order that respects dependencies), or none."""
        added: list[int] = []
        for number in numbers:
            if self.placed >> number & 1:
                continue
            if not self.ready(number) or not self.place(number):
                for other in reversed(added):
                    self.remove(other)
                return False
            added.append(number)
        return True

    # -- the end ------------------------------------------------------------------------------------

    def place_end(self) -> bool:
        """Let the block end with the terminator: needs everything but moves done or here, and ports."""
        rest = self.dag.everything & ~(self.done | self.placed | self.dag.moves)
        if (
            rest
            or self.has_end
            or any(
                ref >= 0 and self.dag.moves >> ref & 1 and not self.done >> ref & 1 for ref in self.dag.end_refs
            )
        ):
            return False
        if not self._take_ports(self.dag.end_refs):
            return False
        self.has_end = True
        return True

    def drop_end(self) -> None:
        """Take the terminator back."""
        if self.has_end:
            self.has_end = False
            self._free_ports(ref for ref in self.dag.end_refs if not self.here(ref) and ref != ZERO_REF)

    # -- live-outs ----------------------------------------------------------------------------------

    def crossing(self) -> list[int]:
        """Results of this block that a later one needs and no move of this block keeps."""
        dag = self.dag
        finished = self.done | self.placed
        out = []
        for number in self.slot_of:
            users = dag.nodes[number].users
            if users & self.placed & dag.moves:
                continue
            if users & ~finished or (not self.has_end and number in dag.end_refs):
                out.append(number)
        return out

    def outs(self) -> int:
        """Live-outs that the block needs as it stands."""
        return len(self.crossing()) + (self.placed & self.dag.moves).bit_count()

    def place_moves(self) -> None:
        """Place every move that costs nothing more, then others while live-outs are free."""
        for free in (True, False):
            progress = True
            while progress:
                progress = False
                for number in bits(self.dag.moves & ~(self.done | self.placed)):
                    if not self.placed >> number & 1 and self._try_move(number, free):
                        progress = True

    def _try_move(self, number: int, free: bool) -> bool:
        dag = self.dag
        ref = dag.nodes[number].refs[0]
        if free and (not self.here(ref) or dag.nodes[ref].users & self.placed & dag.moves):
            return False  # else the value leaves the block anyway: the move only names its register
        group = self._together(number)
        added: list[int] = []
        for member in group:
            if not self.place(member):
                break
            added.append(member)
        if group and len(added) == len(group) and self.outs() <= self.tables.spec.live_outs:
            return True
        for member in reversed(added):
            self.remove(member)
        return False

    def _together(self, number: int) -> list[int]:
        """The move with those that must happen at once with it (a swap); empty if reads are left for later."""
        group: dict[int, None] = {}
        todo = [number]
        finished = self.done | self.placed
        while todo:
            member = todo.pop()
            if member in group:
                continue
            node = self.dag.nodes[member]
            missing = node.before & ~finished
            if missing & ~self.dag.moves or node.strict & ~self.done:
                return []
            if not self.has_end and self._old_at_end(node):
                return []
            group[member] = None
            todo += bits(missing)
        return list(group)

    def _old_at_end(self, node: Node) -> bool:
        """True if the terminator reads the old value of the move's register."""
        assert node.dest is not None
        return self.dag.leaf_refs.get(node.dest, ZERO_REF) in set(self.dag.end_refs) - {ZERO_REF}

    def settle(self) -> None:
        """Take nodes back until the live-outs are within the limit."""
        limit = self.tables.spec.live_outs
        while True:
            crossing = self.crossing()
            if len(crossing) <= limit:
                return
            self.drop_end()
            victim = self._least_useful(crossing)
            if victim < 0:
                return  # an atomic bundle, which was checked to fit before operations joined it
            self.remove(victim)

    def removable(self) -> list[int]:
        """Nodes that nothing else here depends on; moves and atomic bundles stay."""
        nodes = self.dag.nodes
        needed = 0
        for number in bits(self.placed):
            needed |= nodes[number].before
        free = self.placed & ~self.dag.moves & ~needed
        return [number for number in bits(free) if nodes[number].cluster < 0]

    def _least_useful(self, crossing: list[int]) -> int:
        """The node without readers here whose removal lowers the live-outs most; of those the least urgent."""
        dag = self.dag
        best = -1
        best_key: tuple[int, int, int] | None = None
        crossing_set = set(crossing)
        for number in self.removable():
            node = dag.nodes[number]
            gain = number in crossing_set
            operands = {ref for ref in _refs(node) if self.here(ref) and ref not in crossing_set}
            key = (int(gain) - len(operands), -node.height, number)
            if best_key is None or key > best_key:
                best, best_key = number, key
        return best


def _refs(node: Node) -> tuple[int, ...]:
    """All references that must be on the bus for the node."""
    if node.kind == STORE:
        return (*node.refs, node.value)
    return node.refs if node.sync is None else (*node.refs, node.sync)
