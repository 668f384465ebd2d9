"""One thread: registers are a dict of unsigned integers, memory is a list of byte ranges."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from oracles.api import Launch, Status
from tiny_ptx.text import Kernel, Unsupported

COMPARE = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
BINARY: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul.lo": operator.mul,
    "mul.wide": operator.mul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "min": min,
    "max": max,
}


class Stop(Exception):
    """The launch ends here with a status and a reason."""

    def __init__(self, status: Status, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Memory:
    """Byte ranges at fixed addresses."""

    def __init__(self) -> None:
        self._ranges: list[tuple[int, bytearray]] = []

    def place(self, address: int, data: bytes) -> None:
        """Put ``data`` at a byte address."""
        self._ranges.append((address, bytearray(data)))

    def _find(self, address: int, size: int) -> tuple[bytearray, int]:
        for start, data in self._ranges:
            if start <= address and address + size <= start + len(data):
                return data, address - start
        raise Stop(Status.FAULT, f"{size} bytes at {address:#x} are outside every buffer")

    def read(self, address: int, size: int) -> bytes:
        """``size`` bytes."""
        data, at = self._find(address, size)
        return bytes(data[at : at + size])

    def write(self, address: int, value: bytes) -> None:
        """Store bytes."""
        data, at = self._find(address, len(value))
        data[at : at + len(value)] = value


def _bits(kind: str) -> int:
    match = re.fullmatch(r"[bus](8|16|32|64)", kind)
    if match is None:
        raise Unsupported(f"type .{kind} is not implemented")
    return int(match.group(1))


def _literal(text: str) -> int:
    match = re.fullmatch(r"(-?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)U?", text.strip())
    if match is None:
        raise Unsupported(f"operand {text!r} is not implemented")
    digits = match.group(2)
    octal = re.fullmatch(r"0[0-7]+", digits) is not None
    return (-1 if match.group(1) else 1) * (int(digits, 8) if octal else int(digits, 0))


def _as(kind: str, raw: int) -> int:
    bits = _bits(kind)
    raw &= (1 << bits) - 1
    return raw - (1 << bits) if kind[0] == "s" and raw >> (bits - 1) else raw


class Thread:
    """Registers and special registers of one thread."""

    def __init__(self, launch: Launch, thread: int, params: dict[str, int], memory: Memory) -> None:
        self.registers: dict[str, int] = {}
        self.params, self.memory = params, memory
        block, tid = launch.where(thread)
        for axis, letter in enumerate("xyz"):
            self.registers[f"%tid.{letter}"] = tid[axis]
            self.registers[f"%ctaid.{letter}"] = block[axis]
            self.registers[f"%ntid.{letter}"] = launch.block[axis]
            self.registers[f"%nctaid.{letter}"] = launch.grid[axis]

    def value(self, text: str, kind: str) -> int:
        """An operand read as ``kind``: signed kinds give negative numbers."""
        return _as(kind, self._register(text) if text.startswith("%") else _literal(text))

    def _register(self, name: str) -> int:
        if name not in self.registers:
            raise Unsupported(f"register {name} is not implemented or was never written")
        return self.registers[name]

    def address(self, text: str) -> int:
        """Byte address of ``[%rd1+4]``."""
        base, _, offset = text.strip("[]").partition("+")
        return self._register(base.strip()) + _literal(offset or "0")

    def execute(self, opcode: str, operands: list[str]) -> None:
        """One instruction that is no branch. Raises Unsupported."""
        name, _, kind = opcode.rpartition(".")
        if name in ("ld.param",):
            name, _, offset = operands[1].strip("[]").partition("+")
            if offset or name not in self.params:
                raise Unsupported(f"parameter {operands[1]} is not implemented")
            self._set(operands[0], _as(kind, self.params[name]), 64)
        elif name in ("ld.global", "ld.global.nc"):
            raw = self.memory.read(self.address(operands[1]), _bits(kind) // 8)
            self._set(operands[0], int.from_bytes(raw, "little", signed=kind[0] == "s"), 64)
        elif name == "st.global":
            size = _bits(kind) // 8
            raw_value = self.value(operands[1], kind) & ((1 << size * 8) - 1)
            self.memory.write(self.address(operands[0]), raw_value.to_bytes(size, "little"))
        elif name in ("mov", "cvta.to.global"):
            self._set(operands[0], self.value(operands[1], kind), _bits(kind))
        elif name.startswith("cvt."):
            self._set(operands[0], self.value(operands[1], kind), _bits(name.split(".")[1]))
        elif name == "mad.lo":
            a, b, c = (self.value(text, kind) for text in operands[1:])
            self._set(operands[0], a * b + c, _bits(kind))
        elif name.startswith("setp.") and name[5:] in COMPARE:
            holds = COMPARE[name[5:]](self.value(operands[1], kind), self.value(operands[2], kind))
            self._set(operands[0], int(holds), 1)
        elif name in BINARY:
            result = BINARY[name](self.value(operands[1], kind), self.value(operands[2], kind))
            self._set(operands[0], result, _bits(kind) * (2 if name == "mul.wide" else 1))
        else:
            raise Unsupported(f"instruction {opcode} is not implemented")

    def _set(self, register: str, value: int, bits: int) -> None:
        self.registers[register] = value & ((1 << bits) - 1)


def run_thread(
    kernel: Kernel, launch: Launch, thread: int, params: dict[str, int], memory: Memory, limit: int
) -> int:
    """Run one thread to its end; returns the number of instructions. Raises Stop, Unsupported."""
    state = Thread(launch, thread, params, memory)
    at = steps = 0
    while at < len(kernel.code):
        guard, opcode, operands = kernel.code[at]
        at += 1
        steps += 1
        if steps > limit:
            raise Stop(Status.TIMEOUT, f"thread {thread} ran {limit} instructions")
        if guard and bool(state.value(guard.lstrip("!"), "b8")) == guard.startswith("!"):
            continue
        if opcode in ("ret", "exit"):
            break
        if opcode in ("bra", "bra.uni"):
            if operands[0] not in kernel.labels:
                raise Unsupported(f"label {operands[0]} is not implemented")
            at = kernel.labels[operands[0]]
        else:
            state.execute(opcode, operands)
    return steps
