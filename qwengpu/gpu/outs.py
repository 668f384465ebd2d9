"""The end of a block: what its outs and its store write, as items that later tokens spell.

An EXEC's items (`features` numbers them) are kept in one-row memories written by EXEC tokens: four payload
digits of each value, in how many digits it fits, whether all lanes agree, the store's addresses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from qwengpu.circuits import Circuit, Form, Linear, Wire, form, number, total
from qwengpu.circuits.forms import Raw
from qwengpu.gpu.addresses import Checked, check_address, early_sum, full_sum, make_address_control, word_number
from qwengpu.gpu.decode import Lanes
from qwengpu.gpu.digits import (
    BASE,
    DIGITS,
    Digits,
    Terms,
    gated_step,
    high,
    odd,
    pick,
    unit_bit,
    weigh,
)
from qwengpu.gpu.features import index_bits
from qwengpu.gpu.front import Front
from qwengpu.gpu.ports import Bus
from qwengpu.gpu.slots import Machine, SlotFaults, access_faults
from qwengpu.spec import Spec

BYTE_BITS = 8
BYTES = 4
BYTE = 1 << BYTE_BITS
SIGN = BYTE >> 1


@dataclass(frozen=True)
class Item:
    """One value that an EXEC writes. ``digits``: payloads, lowest first; ``fits[n]``: n + 1 are enough."""

    digits: tuple[Linear, ...]
    fits: tuple[Linear, ...]


@dataclass(frozen=True)
class Outs:
    """What the last EXEC wrote, at every later token.

    ``items``: of outs and store, as numbered. ``uniform[s]``: all active lanes agree on out s. ``base[l]``: the
    address that lane l's ADDR names; ``needs[l]``: it has one.
    """

    items: tuple[Item, ...]
    uniform: tuple[Wire, ...]
    base: tuple[Linear, ...]
    needs: tuple[Wire, ...]
    store_space: Wire
    store_used: Wire
    faults: SlotFaults


def fit_terms(digits: Sequence[Linear], count: int) -> Terms:
    """[the word sign-extends from its lowest ``count`` payload digits], of 8-bit digits: four neurons."""
    top, rest = form(digits[count - 1]), total(digits[count:])
    plain = top + rest * BYTE
    filled = (BYTE - 1 - top) + (len(digits[count:]) * (BYTE - 1) - rest) * BYTE
    return [*gated_step(SIGN - 1 - plain, 0), *gated_step(SIGN - 1 - filled, 0)]


def word_select(
    c: Circuit, selects: Sequence[Linear], entries: Sequence[Digits | None], name: str, count: int = DIGITS
) -> Digits:
    """The lowest ``count`` digits of the bus entry that is selected: one level."""
    return tuple(
        c.neurons(
            pick(selects, [None if e is None else e[place] for e in entries]), f"{name}.{place}", 0, BASE - 1
        )
        for place in range(count)
    )


def payload_digits(word: Digits) -> tuple[Form, ...]:
    """The four 8-bit digits of a word: free."""
    step = BYTE_BITS // 2
    return tuple(weigh(word[i : i + step]) for i in range(0, DIGITS, step))


def make_outs(m: Machine, front: Front, bus: Bus, lanes: Lanes, older: int) -> Outs:
    """Outs and store of the block."""
    c, spec = m.c, m.spec
    words: list[list[Digits]] = []
    for out in range(spec.live_outs):
        with c.scope(f"out{out}"):
            words.append(
                [
                    word_select(c, m.control.out[out], bus.entries[lane], f"lane{lane}")
                    for lane in range(spec.lanes)
                ]
            )
    data, checked, faults, space, used = _store(m, bus, older)
    items = [_stored(m, front, word, f"item{n}") for n, word in enumerate([*chain(*words), *data])]
    uniform = [_differs(c, out, lanes, f"out{n}") for n, out in enumerate(words)]
    same = c.memory("uniform", 1, spec.live_outs)
    same.write([], [1 - form(differs) for differs in uniform], front.is_exec)
    same.reset(front.reset)
    base, needs = _store_addresses(m, front, lanes, checked)
    return Outs(tuple(items), same.read([]).word(), base, needs, space, used, faults)


def _differs(c: Circuit, words: list[Digits], lanes: Lanes, name: str) -> Form:
    """Not 0 if two neighbouring active lanes have different words: one level."""
    half = DIGITS // 2
    terms: Terms = []
    for lane, before in enumerate(lanes.neighbours):
        for p, on in enumerate(before):
            for part in (slice(0, half), slice(half, DIGITS)):
                difference = weigh(words[lane][part]) - weigh(words[p][part])
                terms += [*gated_step(difference, 1, on), *gated_step(-difference, 1, on)]
    return form(c.neurons(terms, f"{name}.differs", 0, 2 * len(words)))


def _stored(m: Machine, front: Front, word: Digits, name: str) -> Item:
    """A value's digits and lengths, kept from the EXEC on."""
    c = m.c
    with c.scope(name):
        digits = payload_digits(word)
        fits = [c.bit(fit_terms(digits, n), f"fits{n}") for n in range(1, BYTES)]
        bits = [
            c.bit(which(digit), f"bit{2 * place + upper}")
            for place, digit in enumerate(word)
            for upper, which in enumerate((odd, high))
        ]
        memory = c.memory("kept", 1, len(bits) + len(fits))
        memory.write([], [*bits, *fits], front.is_exec)
        memory.reset(front.reset)
        port = memory.read([])
        columns: list[list[Raw]] = [[raw] for raw in port.columns]
        kept = tuple(
            m.collector.number(columns[i : i + BYTE_BITS], f"byte{i // BYTE_BITS}")
            for i in range(0, len(bits), BYTE_BITS)
        )
        return Item(kept, port.word(len(bits)))


def _store(m: Machine, bus: Bus, older: int) -> tuple[list[Digits], list[Checked], SlotFaults, Wire, Wire]:
    c, spec = m.c, m.spec
    entries = len(bus.entries[0])
    with c.scope("store"):
        used = m.block.flag("store.used")
        control = make_address_control(c, m.block, "store", entries, used, m.sizes)
        source = m.block.selects("store.data", entries, "data")
        data: list[Digits] = []
        checks: list[Checked] = []
        for lane in range(spec.lanes):
            with c.scope(f"lane{lane}"):
                data.append(word_select(c, source, bus.entries[lane], "data"))
                values = bus.entries[lane]
                early = early_sum(c, spec, control, values, older)
                checks.append(check_address(c, spec, control, full_sum(c, spec, control, values, older, early)))
    faults = access_faults(len(spec.levels), checks, used)
    return data, checks, faults, m.block.flag("store.space"), used


def _store_addresses(
    m: Machine, front: Front, lanes: Lanes, checked: list[Checked]
) -> tuple[tuple[Linear, ...], tuple[Wire, ...]]:
    """ADDR names word - lane, modulo the memory's rows; a lane has one if it is the first or its differs."""
    c, count = m.c, index_bits(m.spec.memory_rows)
    bases: list[list[Wire]] = []
    for lane, one in enumerate(checked):
        bases.append(
            [
                c.bit(unit_bit(_minus(m.spec, one, place, lane), 1 << place), f"store.lane{lane}.base.{place}")
                for place in range(count)
            ]
        )
    needs = []
    for lane, before in enumerate(lanes.neighbours):
        terms: Terms = [(1, lanes.first[lane], 1)]
        for p, on in enumerate(before):
            difference = number(bases[lane]) - number(bases[p])
            terms += [*gated_step(difference, 1, on), *gated_step(-difference, 1, on)]
        needs.append(c.bit(terms, f"store.lane{lane}.needs_addr"))
    memory = c.memory("store.kept", 1, len(checked) * (count + 1))
    memory.write([], [*(bit for base in bases for bit in base), *needs], front.is_exec)
    memory.reset(front.reset)
    port = memory.read([])
    columns = [[raw] for raw in port.columns]
    kept = tuple(
        m.collector.number(columns[i * count : (i + 1) * count], f"store.lane{i}.base")
        for i in range(len(checked))
    )
    return kept, port.word(len(checked) * count)


def _minus(spec: Spec, checked: Checked, place: int, lane: int) -> Form:
    """A number not below 0 whose bit ``place`` is that of the word's number - lane."""
    digit = place // 2
    unit: int = BASE ** (digit + 1)
    return word_number(spec, checked.onehot[: 2 + digit]) - lane + -(-lane // unit) * unit
