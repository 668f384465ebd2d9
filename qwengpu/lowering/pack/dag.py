"""The dependency graph of one basic block: nodes that share, or must not share, a ROM block.

References to words are integers: n >= 0 is the result of node n, ``ZERO_REF`` is the literal zero, and other
negative numbers are leaves (``dag.leaf(ref)``): registers as they are at the start of the basic block,
literals, constant rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from qwengpu.isa import Mod, Op
from qwengpu.lowering.mir import (
    Branch,
    Define,
    Lit,
    MBlock,
    MMove,
    MOp,
    MSerial,
    MStore,
    MSync,
    Operand,
    VReg,
)
from qwengpu.lowering.pack.flow import WARP_OPS

ZERO_REF = -1
_IMPURE = WARP_OPS | {Op.LD}

OP, STORE, SYNC, MOVE = range(4)
"""Kinds of nodes."""


@dataclass
class Node:
    """One thing to do. ``refs`` are its operands (all of a, b, c for an operation, unused ones zero).

    ``before``: bit set of nodes that must be in an earlier ROM block or in this one; ``strict``: in an earlier
    one. Producers of operands are in ``before`` too. ``users``: nodes that read its result.
    """

    kind: int
    refs: tuple[int, ...]
    instr: int
    op: Op | None = None
    mod: Mod | None = None
    sync: int | None = None
    store: MStore | None = None
    value: int = ZERO_REF
    dest: VReg | None = None
    cluster: int = -1
    data: int = 0
    before: int = 0
    strict: int = 0
    users: int = 0
    height: int = 0


@dataclass(frozen=True)
class Report:
    """A `Define` with its words as references."""

    define: Define
    parts: tuple[int, ...]
    guard: int | None


@dataclass
class Dag:
    """Nodes in program order, moves last. ``end_refs``: what the terminator reads (condition, index).

    ``clusters``: bit sets of the nodes of each atomic bundle. ``moves``: bit set of the move nodes.
    ``instrs``: PTX ordinals that the block comes from.
    """

    block: MBlock
    nodes: list[Node] = field(default_factory=list)
    leaves: list[Operand] = field(default_factory=lambda: [Lit(0)])
    leaf_refs: dict[Operand, int] = field(default_factory=lambda: {Lit(0): ZERO_REF})
    end_refs: tuple[int, ...] = ()
    reports: list[Report] = field(default_factory=list)
    clusters: list[int] = field(default_factory=list)
    moves: int = 0
    instrs: list[int] = field(default_factory=list)

    def leaf(self, ref: int) -> Operand:
        """The operand behind a negative reference."""
        return self.leaves[~ref]

    def is_register(self, ref: int) -> bool:
        """True if ``ref`` is a register as it is at the start."""
        return ref < 0 and isinstance(self.leaves[~ref], VReg)

    @property
    def everything(self) -> int:
        """Bit set of all nodes."""
        return (1 << len(self.nodes)) - 1


def bits(mask: int) -> list[int]:
    """Positions of the one bits, ascending."""
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


class Builder:
    """Builds the graph of one basic block."""

    def __init__(self, block: MBlock, share: bool) -> None:
        self.dag = Dag(block)
        self.share = share
        self.current: dict[VReg, int] = {}
        self.known: dict[tuple[object, ...], int] = {}
        self.memory = _MemoryOrder(self.dag)

    def build(self, live_out: set[VReg]) -> Dag:
        """The graph, where the registers of ``live_out`` must have their final values at the end."""
        dag = self.dag
        for item in dag.block.items:
            if isinstance(item, Define):
                self._report(item)
            elif isinstance(item, MMove):
                self.current[item.dest] = self.ref(item.source)
                self._instr(item.instr)
            elif isinstance(item, MOp):
                self._op(item, -1)
            elif isinstance(item, MStore):
                self._store(item, -1)
            elif isinstance(item, MSync):
                node = self._add(Node(SYNC, (), item.instr, sync=self.ref(item.mask)))
                self.memory.sync(node)
            else:
                self._serial(item)
        end = dag.block.end
        if isinstance(end, Branch):
            refs = [self.ref(end.cond)]
            if end.index is not None:
                refs.append(self.ref(end.index))
            dag.end_refs = tuple(refs)
        self._link()
        self._finals(live_out)
        self._heights()
        return dag

    def ref(self, operand: Operand) -> int:
        """The reference of what ``operand`` holds at this point."""
        if isinstance(operand, VReg):
            found = self.current.get(operand)
            if found is not None:
                return found
        ref = self.dag.leaf_refs.get(operand)
        if ref is None:
            ref = ~len(self.dag.leaves)
            self.dag.leaves.append(operand)
            self.dag.leaf_refs[operand] = ref
        return ref

    def _instr(self, instr: int) -> None:
        if instr >= 0:
            self.dag.instrs.append(instr)

    def _add(self, node: Node) -> int:
        self.dag.nodes.append(node)
        self._instr(node.instr)
        return len(self.dag.nodes) - 1

    def _report(self, item: Define) -> None:
        parts = tuple(self.ref(part) for part in item.parts)
        guard = None if item.guard is None else self.ref(item.guard)
        self.dag.reports.append(Report(item, parts, guard))
        self._instr(item.instr)

    def _op(self, item: MOp, cluster: int) -> None:
        used = item.op.operands
        refs = (
            self.ref(item.a),
            self.ref(item.b) if "b" in used else ZERO_REF,
            self.ref(item.c) if "c" in used else ZERO_REF,
        )
        key: tuple[object, ...] = (item.op, refs, item.mod)
        reusable = self.share and cluster < 0 and item.op not in _IMPURE and item.sync is None
        if reusable and item.dest is not None and key in self.known:
            self.current[item.dest] = self.known[key]
            self._instr(item.instr)
            return
        sync = None if item.sync is None else self.ref(item.sync)
        node = Node(OP, refs, item.instr, op=item.op, mod=item.mod, sync=sync, cluster=cluster)
        number = self._add(node)
        if item.op is Op.LD:
            self.memory.load(number)
        if item.op in WARP_OPS or sync is not None:
            self.memory.warp(number)
        if item.dest is not None:
            self.current[item.dest] = number
            if reusable:
                self.known[key] = number

    def _store(self, item: MStore, cluster: int) -> None:
        refs = tuple(self.ref(operand) for operand in (item.a, item.b, item.c, item.data))
        node = Node(
            STORE,
            refs,
            item.instr,
            mod=item.mod,
            store=item,
            value=ZERO_REF if isinstance(item.value, Lit) else self.ref(item.value),
            cluster=cluster,
        )
        self.memory.store(self._add(node))

    def _serial(self, item: MSerial) -> None:
        cluster = len(self.dag.clusters)
        first = len(self.dag.nodes)
        self.memory.open_serial()
        for inner in item.items:
            if isinstance(inner, Define):
                self._report(inner)
            elif isinstance(inner, MMove):
                self.current[inner.dest] = self.ref(inner.source)
            elif isinstance(inner, MStore):
                self._store(inner, cluster)
            else:
                self._op(inner, cluster)
        members = ((1 << len(self.dag.nodes)) - 1) & ~((1 << first) - 1)
        self.dag.clusters.append(members)
        self.memory.close_serial(members)

    def _link(self) -> None:
        """Producers and users of each node's operands."""
        nodes = self.dag.nodes
        for number, node in enumerate(nodes):
            node.data = 0
            for ref in (*node.refs, node.value, -1 if node.sync is None else node.sync):
                if ref >= 0:
                    node.data |= 1 << ref
            node.before |= node.data
            for producer in bits(node.data):
                nodes[producer].users |= 1 << number

    def _finals(self, live_out: set[VReg]) -> None:
        """A move node for each register of ``live_out`` that changes; it follows all reads of the old value."""
        dag = self.dag
        readers: dict[int, int] = {}
        for number, node in enumerate(dag.nodes):
            for ref in (*node.refs, node.value, -1 if node.sync is None else node.sync):
                if ref < -1:
                    readers[ref] = readers.get(ref, 0) | 1 << number
        first = len(dag.nodes)
        for reg, ref in sorted(self.current.items(), key=lambda pair: pair[0].number):
            if reg not in live_out or dag.leaf_refs.get(reg) == ref:
                continue
            number = len(dag.nodes)
            dag.nodes.append(Node(MOVE, (ref,), -1, dest=reg))
            if ref >= 0:
                dag.nodes[ref].users |= 1 << number
            elif ref < -1:
                readers[ref] = readers.get(ref, 0) | 1 << number
        dag.moves = ((1 << len(dag.nodes)) - 1) & ~((1 << first) - 1)
        for number in range(first, len(dag.nodes)):
            node = dag.nodes[number]
            node.data = 1 << node.refs[0] if node.refs[0] >= 0 else 0
            assert node.dest is not None
            old = dag.leaf_refs.get(node.dest)
            node.before = node.data | (readers.get(old, 0) & ~(1 << number) if old is not None else 0)

    def _heights(self) -> None:
        """Length of the longest chain of nodes that hangs on each node; a strict successor weighs a block."""
        nodes = self.dag.nodes
        reach = [1 if node.kind == OP else 0 for node in nodes]
        for number in range(len(nodes) - 1, -1, -1):
            node = nodes[number]
            if node.kind == MOVE:
                continue
            node.height = reach[number]
            for before in bits(node.before & ~node.strict):
                weight = 0 if nodes[before].kind != OP else 1
                reach[before] = max(reach[before], reach[number] + weight)
            for before in bits(node.strict):
                reach[before] = max(reach[before], reach[number] + 4)


class _MemoryOrder:
    """Order between memory accesses and warp-synchronous operations of one basic block.

    Accesses keep their program order, whatever their addresses: a load may share a block with earlier loads
    and with the next store, but is strictly behind earlier stores. So fences need no operation, and
    what a fault leaves behind is what program order would. (On the corpus this costs 0.1% of the tokens.)
    """

    def __init__(self, dag: Dag) -> None:
        self.dag = dag
        self.loads: list[int] = []
        self.stores: list[int] = []
        self.last_sync = -1
        self.last_warp = -1
        self.in_serial = False
        self.serials: list[int] = []

    def load(self, number: int) -> None:
        node = self.dag.nodes[number]
        if self.last_sync >= 0:
            node.before |= 1 << self.last_sync
        if self.loads:
            node.before |= 1 << self.loads[-1]
        if self.stores and not (self.in_serial and self.dag.nodes[self.stores[-1]].cluster == node.cluster):
            node.strict |= 1 << self.stores[-1]
        for serial in self.serials:
            node.strict |= serial
        node.before |= node.strict
        self.loads.append(number)

    def store(self, number: int) -> None:
        node = self.dag.nodes[number]
        if self.last_sync >= 0:
            node.before |= 1 << self.last_sync
        if self.loads:
            node.before |= 1 << self.loads[-1]
        if self.stores:
            node.strict |= 1 << self.stores[-1]
        for serial in self.serials:
            node.strict |= serial
        node.before |= node.strict
        self.stores.append(number)

    def sync(self, number: int) -> None:
        node = self.dag.nodes[number]
        for before in (*self.loads, *self.stores):
            node.before |= 1 << before
        for serial in self.serials:
            node.strict |= serial
        node.before |= node.strict
        self.last_sync = number
        self.warp(number)

    def warp(self, number: int) -> None:
        """Warp-synchronous operations keep their order."""
        if self.last_warp >= 0:
            self.dag.nodes[number].before |= 1 << self.last_warp
        self.last_warp = number

    def open_serial(self) -> None:
        self.in_serial = True

    def close_serial(self, members: int) -> None:
        """Everything of memory before the bundle is before it; what follows is strictly after it."""
        earlier_loads = sum(1 << load for load in self.loads if not members >> load & 1)
        earlier_stores = sum(1 << store for store in self.stores if not members >> store & 1)
        for number in bits(members):
            node = self.dag.nodes[number]
            node.before |= earlier_loads | earlier_stores
            node.strict |= earlier_stores
            if self.last_sync >= 0:
                node.strict |= 1 << self.last_sync
                node.before |= 1 << self.last_sync
        self.in_serial = False
        self.serials.append(members)


def build_dag(block: MBlock, live_out: set[VReg], share: bool = True) -> Dag:
    """The dependency graph of ``block``. ``share``: equal operations are done once."""
    return Builder(block, share).build(live_out)
