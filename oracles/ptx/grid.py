"""A launch in progress: memory, and which blocks and warps run when."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeVar

from oracles.api import Buffer, Launch, Options
from oracles.ptx.block import Block
from oracles.ptx.checker import Checker
from oracles.ptx.memory import Segments, global_memory
from oracles.ptx.program import Program
from oracles.ptx.warp import Warp

QUANTUM = 1000
"""Instructions a warp executes before the next one gets its turn."""

PATIENCE = 8
"""Turns after which a block that has not ended no longer keeps the next one from starting."""

_T = TypeVar("_T")


class Grid:
    """State of one launch. ``executed`` counts thread-instructions, guarded-off ones included."""

    def __init__(self, program: Program, launch: Launch, options: Options, params: bytes) -> None:
        self.program = program
        self.launch = launch
        self.params = params
        self.check = program.mode.check
        self.step_limit = options.step_limit
        self.executed = 0
        self.events: list[Any] = []
        self.checker = Checker(launch)
        self._random = random.Random(options.schedule) if program.mode.shuffled else None
        width = program.mode.warp_size
        self.constants = {slot: [value] * width for slot, value in program.constants.items()}
        defined = program.constants.keys() | program.specials.keys() | program.symbols.keys()
        self.undefined = [0 if slot in defined else (1 << width) - 1 for slot in range(program.slots)]
        self._memory()

    def _memory(self) -> None:
        memory = global_memory(self.launch, self.program.layout.module)
        width = self.program.mode.warp_size
        for slot, (variable, offset, mask) in self.program.symbols.items():
            self.constants[slot] = [memory.addresses[variable] + offset & mask] * width
        self._store = memory.store
        module = [segment for segment in memory.variables if segment.space == "global"]
        constant = [segment for segment in memory.variables if segment.space == "const"]
        self.globals = Segments([*memory.buffers, *module], "global")
        self.constant_memory = Segments(constant, "constant", read_only=True)
        self.everywhere = Segments([*memory.buffers, *module, *constant], "global")

    # -- schedule ----------------------------------------------------------------------------------

    def order(self, items: Sequence[_T]) -> Sequence[_T]:
        """Items in the order of this schedule."""
        if self._random is None or len(items) < 2:
            return items
        shuffled = list(items)
        self._random.shuffle(shuffled)
        return shuffled

    def quantum(self, usual: int) -> int:
        """Instructions until the next warp's turn."""
        return usual if self._random is None else self._random.choice((1, 3, 10, 40, usual))

    def favoured(self) -> bool:
        """Whether a new warp starts by running lanes out of turn."""
        return self._random is not None and self._random.random() < 0.5

    def out_of_turn(self, warp: Warp, lowest: int) -> int | None:
        """In a reshuffled schedule now and then lanes other than the lowest: up to where they meet again."""
        if self._random is None:
            return None
        if self._random.random() < 0.125:
            warp.favoured = not warp.favoured
        if not warp.favoured:
            return None
        places = [pc for pc in warp.ready if pc != lowest and pc not in self.program.joins]
        return self._random.choice(places) if places else None

    def run(self) -> None:
        """Run all blocks to their end. Raises KernelFault and StepLimit; `current` is the block at fault."""
        todo = list(range(self.launch.blocks))
        resident: list[Block] = []
        room = 1
        if self._random is not None:
            self._random.shuffle(todo)
            room = self._random.randint(1, min(len(todo), 8))
        todo.reverse()
        turns = 0
        while todo or resident:
            while todo and len(resident) < room:
                resident.append(Block(self, todo.pop()))
                turns = 0
            for block in self.order(resident):
                self.current = block
                block.turn(QUANTUM)
            resident = [block for block in resident if not block.finished]
            turns += 1
            if len(resident) == room and turns >= PATIENCE:
                # It may wait for what a later block does: on a GPU both are resident.
                room += 1

    # -- memory ------------------------------------------------------------------------------------

    def is_constant(self, address: int) -> bool:
        """True if a generic address is that of a constant variable."""
        return any(s.low <= address < s.high for s in self.constant_memory.segments)

    def buffers(self) -> tuple[tuple[int, ...] | None, ...]:
        """Final elements of each buffer argument."""
        out: list[tuple[int, ...] | None] = []
        for arg, address in zip(self.launch.args, self.launch.addresses(), strict=True):
            if isinstance(arg, Buffer) and address is not None:
                out.append(arg.from_bytes(self._store.read(address, arg.nbytes)))
            else:
                out.append(None)
        return tuple(out)
