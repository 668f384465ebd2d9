"""Small circuits that the compiler's tests share; each comes with tokens that exercise it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import NamedTuple

from qwengpu.circuits import Circuit, Datum, Netlist, Word, address, form, gates, number


class Sample(NamedTuple):
    """A circuit and a token sequence to run it on."""

    netlist: Netlist
    tokens: list[int]


BYTE, WRITE, OPERATE = 0, 1, 2


def instruction_set(name: str) -> tuple[Circuit, Word, Word, Word]:
    """A register file of 16 words of 32 bits: (circuit, word x, word y, selects).

    Tokens: BYTE(v); WRITE(r, top bits) completes a word with the three bytes before it; OPERATE(x, y).
    """
    c = Circuit(name, 768)
    byte = tuple(c.feature(f"bit{i}", lambda t, i=i: t >> i & 1) for i in range(8))
    writes = c.feature("writes", lambda t: int(t >> 8 == WRITE))
    registers = c.memory("registers", 16, 32)
    data = [Datum(form(byte[i % 8]), 3 - i // 8) for i in range(24)] + [Datum(form(bit)) for bit in byte]
    registers.write(byte[:4], data, writes)
    x, y = registers.read(byte[:4], "x").word(), registers.read(byte[4:], "y").word()
    return c, x, y, byte


def instruction_tokens(count: int, seed: int = 1) -> list[int]:
    """``count`` register writes, each followed by an operation."""
    rng = random.Random(seed)
    out: list[int] = []
    for _ in range(count):
        out += [rng.choice([0, 1, 127, 128, 255, rng.randrange(256)]) for _ in range(3)]
        out += [WRITE << 8 | rng.randrange(256), OPERATE << 8 | rng.randrange(256)]
    return out


def lookback() -> Sample:
    """Every tap, of a bit, a form and an integer; a wire that is late and still taps."""
    c = Circuit("lookback", 16)
    bits = [c.feature(f"b{i}", lambda t, i=i: t >> i & 1) for i in range(4)]
    value = c.feature("value", lambda t: t)
    for back in range(4):
        c.keep(c.tap(value, back, f"value{back}"), c.tap(1 - form(bits[0]), back, f"not{back}"))
    late = gates.land(c, bits[0], gates.lxor(c, bits[1], bits[2]))
    c.keep(c.tap(late, 2, "late"))
    rng = random.Random(2)
    return Sample(c.build(), [rng.randrange(16) for _ in range(70)])


def decoder() -> Sample:
    """One-hot and back, and a table, with an enable."""
    c = Circuit("decoder", 64)
    bits = [c.feature(f"b{i}", lambda t, i=i: t >> i & 1) for i in range(6)]
    onehot = gates.decode(c, bits[:5], bits[5])
    c.code_logits([*gates.encode(onehot), onehot[0]], range(64))
    c.keep(*gates.table_word(c, number(bits[:5]), [(7 * i) % 32 for i in range(32)], 5))
    return Sample(c.build(), list(range(64)))


def adder() -> Sample:
    """Sum, difference and order of two registers."""
    c, x, y, _ = instruction_set("adder")
    total, difference, order = gates.add(c, x, y), gates.subtract(c, x, y), gates.compare(c, x, y)
    c.keep(*total.bits, total.carry, *difference.bits, difference.carry, *order)
    return Sample(c.build(), instruction_tokens(16))


def shifter() -> Sample:
    """All shifts, counts and permutations of registers."""
    c, x, y, byte = instruction_set("shifter")
    kinds = gates.decode(c, (byte[3], byte[7]))
    count = (*y[:6], *(0 for _ in range(25)), y[31])
    c.keep(*gates.shift(c, x, count, gates.ShiftKind(*kinds[:3])))
    c.keep(*gates.popcount(c, x), *gates.permute_bytes(c, x, y, y[:16]))
    return Sample(c.build(), instruction_tokens(16))


def multiplier() -> Sample:
    """The 64-bit product of two registers, signed or not."""
    c, x, y, byte = instruction_set("multiplier")
    signed = byte[1]
    signs = (gates.land(c, x[31], signed), gates.land(c, y[31], signed))
    c.keep(*gates.multiply(c, x, y, signed, *signs))
    return Sample(c.build(), instruction_tokens(16))


HALT, GO = 16, 17


def up_and_down() -> Sample:
    """A machine of two states: counts up to 9, then down by twos, then halts. Prompt: GO, a start."""
    c = Circuit("up_and_down", 18)
    value = c.feature("value", lambda t: t if t < HALT else 0)
    turn, go = c.feature("turn", lambda t: int(t == 9)), c.feature("go", lambda t: int(t == GO))
    (down,) = gates.latch(c, [1], turn, go, name="down")
    ends = c.bit([(1, form(down) * 2 - value, 1), (-1, form(down) * 2 - value - 1, 1)], "ends")
    following = c.neurons([(1, form(value) + 1 - 3 * form(down), 1)], "following")
    code = c.neurons([(1, 1 - form(ends), following), (16, 1, ends)], "code", 0, 16)
    c.code_logits(gates.to_bits(c, code, 5), range(18))
    return Sample(c.build(), [GO, 4, 5, 6, 7, 8, 9, 7, 5, 3, 1, HALT])


def wide_memory() -> Sample:
    """More rows than a head has keys, more columns than it has values; resets; integers; ports with delays."""
    c = Circuit("wide_memory", 1024)
    bits = [c.feature(f"b{i}", lambda t, i=i: t >> i & 1) for i in range(10)]
    memory = c.memory("memory", 150, 70, high=1000)
    place = address(bits[:8], 150)
    amount = number([0, *bits[1:9]])
    memory.write(place, [amount + i if i % 3 else bits[i % 10] for i in range(70)], bits[8])
    memory.reset(bits[9] + bits[8] + bits[0] - 2)
    late = address(bits[:8], 150, enable=bits[1], back=2)
    for port in (memory.read(place), memory.read(late)):
        c.keep(*port.word(0, 3), *port.word(68), c.collect(port[5] - 2 * form(port[4]), "mixed"))
    rng = random.Random(4)
    pool = [rng.randrange(1024) for _ in range(40)]
    return Sample(c.build(), [rng.choice(pool) for _ in range(140)])


SAMPLES: Mapping[str, Callable[[], Sample]] = {
    made.__name__: made for made in (lookback, decoder, adder, shifter, multiplier, up_and_down, wide_memory)
}
