"""The machine: prompt ids in, token trace and final state out (docs/machine.md, sections 5 and 6)."""

from __future__ import annotations

from collections.abc import Iterable

from oracles.reference.compile import Compiled, Effect, compile_block
from oracles.reference.emit import Emitter
from oracles.reference.prompt import Reader, State
from oracles.reference.trace import LaneFault, MachineFault, Record, StepLimit, Trace
from qwengpu.encode import Illegal
from qwengpu.isa import EXIT, ConstRow, NextKind, Space
from qwengpu.spec import Spec
from qwengpu.tokens import FaultCode


class Machine:
    """One machine of a spec. Feed it a prompt's ids, then run; a run starts from what the prompt wrote."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self._reader = Reader(spec)

    def feed(self, ids: Iterable[int]) -> None:
        """Take prompt ids, all at once or piece by piece.

        Raises `oracles.reference.prompt.PromptError`.
        """
        self._reader.feed(ids)

    @property
    def launched(self) -> bool:
        """True once LAUNCH was fed."""
        return self._reader.done

    def run(self, step_limit: int = 1_000_000, *, tokens: bool = True, records: bool = False) -> Trace:
        """Run the launch to its end, to a fault, or until a warp of a thread block did ``step_limit`` EXECs.

        ``records`` keeps the bus values of every EXEC. Raises ValueError before LAUNCH.
        """
        if not self.launched:
            raise ValueError("the prompt has no LAUNCH yet; feed it first")
        return _Run(self._reader.state, step_limit, tokens, records).run()


class _Run:
    """One launch from its first EXEC to its end."""

    def __init__(self, state: State, step_limit: int, tokens: bool, records: bool) -> None:
        self.spec = spec = state.spec
        self.step_limit = step_limit
        self.emitter = Emitter(spec, state.masks) if tokens else None
        self.records: list[Record] | None = [] if records else None
        self.state = state
        self.compiled: list[Compiled | None] = [None] * spec.blocks
        self.threads = list(state.masks)
        self.memory = list(state.memory)
        self.constants = [
            [self._thread_constants(state, warp, lane) for lane in range(spec.lanes)]
            for warp in range(spec.warps)
        ]
        self.grid = state.constants[ConstRow.NCTAID_X : ConstRow.NCTAID_Z + 1]
        self.ctaid = state.constants[ConstRow.CTAID_X : ConstRow.CTAID_Z + 1]
        self.global_bytes = state.constants[ConstRow.GLOBAL_BYTES]
        self.shared_bytes = state.constants[ConstRow.SHARED_BYTES]
        # Lanes of every mask, ascending.
        self.lanes_of = [
            tuple(lane for lane in range(spec.lanes) if mask >> lane & 1) for mask in range(1 << spec.lanes)
        ]
        self.cta = self.execs = self.executed = self.operations = 0
        self.fault: MachineFault | None = None
        self.stopped: StepLimit | None = None
        self._reset_block(list(state.shared))

    @staticmethod
    def _thread_constants(state: State, warp: int, lane: int) -> list[int]:
        rows = list(state.constants)
        rows[ConstRow.TID_X : ConstRow.TID_Z + 1] = state.tids[warp * state.spec.lanes + lane]
        rows[ConstRow.LANEID], rows[ConstRow.WARPID] = lane, warp
        return rows

    def _reset_block(self, shared: list[int]) -> None:
        """State at the start of a thread block (section 1)."""
        spec = self.spec
        self.registers = [[[0] * spec.registers for _ in range(spec.lanes)] for _ in range(spec.warps)]
        self.shared = shared
        self.pcs = [[0] * spec.lanes for _ in range(spec.warps)]
        self.live = list(self.threads)
        self.waiting = [0] * spec.warps
        self.places = [[0] * spec.lanes for _ in range(spec.warps)]
        self.steps = [0] * spec.warps
        self.last_warp = spec.warps - 1

    def run(self) -> Trace:
        while self._run_block() and self._next_cta():
            pass
        if self.emitter is not None and self.stopped is None:
            self.emitter.halt()
        return Trace(
            tokens=tuple(self.emitter.ids) if self.emitter is not None else (),
            execs=self.execs,
            executed=self.executed,
            operations=self.operations,
            registers=tuple(tuple(rows) for warp in self.registers for rows in warp),
            memory=tuple(self.memory),
            shared=tuple(self.shared),
            fault=self.fault,
            stopped=self.stopped,
            records=tuple(self.records or ()),
        )

    # ---- scheduling

    def _next_cta(self) -> bool:
        """Go to the next thread block; False after the last."""
        before = list(self.ctaid)
        for dim in range(3):
            self.ctaid[dim] += 1
            if self.ctaid[dim] < self.grid[dim]:
                break
            self.ctaid[dim] = 0
        else:
            return False
        self.cta += 1
        changed = [(dim, new) for dim, new in enumerate(self.ctaid) if new != before[dim]]
        for warp in self.constants:
            for rows in warp:
                rows[ConstRow.CTAID_X : ConstRow.CTAID_Z + 1] = self.ctaid
        self._reset_block([0] * self.spec.memory_rows)
        if self.emitter is not None:
            self.emitter.start(changed)
        return True

    def _run_block(self) -> bool:
        """Run the thread block; False if the launch ends with it (fault or step limit)."""
        warps, live, waiting = self.spec.warps, self.live, self.waiting
        warp = self.last_warp
        while True:
            for _ in range(warps):
                warp = (warp + 1) % warps
                ready = live[warp] & ~waiting[warp]
                if ready:
                    break
            else:
                if not any(live):
                    return True
                self._release()
                continue
            if not self._step(warp, ready):
                return False

    def _step(self, warp: int, ready: int) -> bool:
        """One EXEC for a warp with ready lanes; False if it ends the launch."""
        pcs = self.pcs[warp]
        lanes = self.lanes_of[ready]
        number = min(pcs[lane] for lane in lanes)
        if self.steps[warp] >= self.step_limit:
            self.stopped = StepLimit(self.cta, warp, number, self.steps[warp])
            return False
        self.steps[warp] += 1
        active = sum(1 << lane for lane in lanes if pcs[lane] == number)
        block = self._block(number)
        if block is not None and block.serial:
            active &= -active
        lanes = self.lanes_of[active]
        self.execs += 1
        self.executed += len(lanes)
        if self.emitter is not None:
            self.emitter.exec(number, warp, active)
        if block is None:
            faults = [LaneFault(FaultCode.ILLEGAL, lane) for lane in lanes]
        else:
            self.operations += block.operations * len(lanes)
            effect = block.execute(
                lanes,
                self.registers[warp],
                self.constants[warp],
                self.memory,
                self.shared,
                self.global_bytes,
                self.shared_bytes,
                active,
                self.live[warp],
            )
            faults = effect.faults or self._late_faults(block, number, warp, lanes)
            if not faults:
                self._commit(block, number, warp, lanes, effect)
                return True
        self._report(faults, number, warp)
        return False

    def _block(self, number: int) -> Compiled | None:
        """The block, compiled at its first use; None if it is illegal."""
        compiled = self.compiled[number]
        if compiled is None:
            block = self.state.block(number)
            if isinstance(block, Illegal):
                return None
            compiled = compile_block(block, self.spec, self.records is not None)
            self.compiled[number] = compiled
        return compiled

    def _late_faults(self, block: Compiled, number: int, warp: int, lanes: tuple[int, ...]) -> list[LaneFault]:
        """BARRIER and TRAP, which every other kind precedes."""
        kind = block.next.kind
        if kind is NextKind.TRAP:
            return [LaneFault(FaultCode.TRAP, lane) for lane in lanes]
        if kind is NextKind.BARRIER:
            places = self.places[warp]
            if any(places[lane] != number for lane in self.lanes_of[self.waiting[warp]]):
                return [LaneFault(FaultCode.BARRIER, lane) for lane in lanes]
        return []

    def _report(self, faults: list[LaneFault], number: int, warp: int) -> None:
        stage, code = min((self._stage(fault), fault.code) for fault in faults)
        details = {
            fault.lane: fault
            for fault in reversed(faults)
            if fault.code == code and self._stage(fault) == stage
        }
        lanes = tuple(sorted(details))
        self.fault = MachineFault(code, self.cta, warp, number, lanes, tuple(details[lane] for lane in lanes))
        if self.emitter is not None:
            self.emitter.fault(code, sum(1 << lane for lane in lanes))

    def _stage(self, fault: LaneFault) -> int:
        """When a fault shows: the levels in order, then the store, then everything else."""
        levels = len(self.spec.levels)
        if fault.slot is None:
            return levels + 1
        return self.spec.slot_levels[fault.slot] if fault.slot >= 0 else levels

    # ---- effects

    def _commit(self, block: Compiled, number: int, warp: int, lanes: tuple[int, ...], effect: Effect) -> None:
        registers = self.registers[warp]
        for out, (row, values) in enumerate(zip(block.rows, effect.outs, strict=True)):
            for lane, value in zip(lanes, values, strict=True):
                registers[lane][row] = value
            if self.emitter is not None:
                self.emitter.out(out, lanes, values)
        if block.stores:
            memory = self.memory if block.space is Space.GLOBAL else self.shared
            for word, value in zip(effect.words, effect.data, strict=True):
                memory[word] = value
            if self.emitter is not None:
                self.emitter.store(block.space, lanes, effect.words, effect.data)
        if self.records is not None:
            self.records.append(
                Record(self.cta, warp, number, lanes, effect.bus, effect.addresses, effect.taken)
            )
        self._advance(block, number, warp, lanes, effect.taken)

    def _advance(self, block: Compiled, number: int, warp: int, lanes: tuple[int, ...], taken: int) -> None:
        step = block.next
        pcs = self.pcs[warp]
        branch = step.kind is NextKind.BRANCH
        for lane in lanes:
            target = step.other if branch and not taken >> lane & 1 else step.taken
            if target == EXIT:
                self.live[warp] &= ~(1 << lane)
            else:
                pcs[lane] = target
        if step.kind is NextKind.BARRIER:
            for lane in lanes:
                self.waiting[warp] |= 1 << lane & self.live[warp]
                self.places[warp][lane] = number

    def _release(self) -> None:
        """Every thread that has not exited waits: they all go on."""
        self.waiting[:] = [0] * self.spec.warps
        if self.emitter is not None:
            self.emitter.release()
