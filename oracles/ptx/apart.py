"""A second layout of global memory, in which leaving a buffer never means entering the next one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from oracles.api import GLOBAL_BASE, Buffer, Launch, Result

LEAST_GAP = 1 << 20


@dataclass(frozen=True)
class Apart(Launch):
    """A launch whose buffers, and what follows them, have room between them."""

    @classmethod
    def of(cls, launch: Launch) -> Apart:
        """The same launch, apart."""
        return cls(launch.kernel, launch.grid, launch.block, launch.args, launch.shared_bytes)

    def gap(self) -> int:
        """Bytes by which each buffer moves away from the one before: more than all of them have."""
        sizes = [arg.nbytes + arg.align + 8 for arg in self.args if isinstance(arg, Buffer)]
        return max(LEAST_GAP, 1 << (2 * sum(sizes)).bit_length())

    def addresses(self) -> tuple[int | None, ...]:
        """`Launch.addresses`, each buffer one gap further than the one before; alignments stay."""
        gap = self.gap()
        given = super().addresses()
        return tuple(None if at is None else at + number * gap for number, at in enumerate(given))

    def global_bytes(self) -> int:
        """Up to where module variables start: a gap behind the last buffer."""
        return super().global_bytes() + self.gap()


def as_given(apart: Result, launch: Launch) -> Result:
    """The out-of-range fault of a run apart, with the address that it has in ``launch`` itself."""
    fault = apart.fault
    assert fault is not None and fault.address is not None
    gap = Apart.of(launch).gap()
    address = fault.address - (fault.address - GLOBAL_BASE + gap // 2) // gap * gap
    message = fault.message.replace(f"0x{fault.address:x}", f"0x{address:x}")
    made = replace(fault, message=message, address=address)
    return replace(apart, fault=made, reason=f"{fault.kind.value}: {message}")
