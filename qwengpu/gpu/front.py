"""The front end: latches of what earlier tokens said, and the value that a token completes.

Layer 0. A latch is written by the kind of token that says the thing, and read by every token.
"""

from __future__ import annotations

from dataclasses import dataclass

from qwengpu.circuits import Circuit, Datum, Form, Linear, Wire, form, total
from qwengpu.circuits.gates import latch
from qwengpu.gpu.digits import Digits, pairs
from qwengpu.gpu.features import Features
from qwengpu.gpu.rows import decoded
from qwengpu.spec import Spec
from qwengpu.tokens import Kind

BYTE_BITS = 8
"""Payload bits that this circuit is built for: three lookback taps reach the other digits of a word."""


@dataclass(frozen=True)
class Current:
    """The last EXEC: its block, as bits and as selects of ROM rows, and its warp, one-hot.

    ``next_warp[w]``: the round robin goes on at warp w; all 0 at the start of a thread block means warp 0.
    """

    block: tuple[Wire, ...]
    block_rows: tuple[Form, ...]
    warp: tuple[Wire, ...]
    next_warp: tuple[Wire, ...]


@dataclass(frozen=True)
class Target:
    """Where a SET writes: the last ROW, CONST or TID token. ``rom_rows``: selects of the last ROM token's
    block."""

    rom_rows: tuple[Form, ...]
    is_row: Wire
    is_const: Wire
    is_tid: Wire
    row: tuple[Wire, ...]
    const_row: tuple[Wire, ...]
    tid_warp: tuple[Wire, ...]
    tid_lane: tuple[Wire, ...]
    tid_dim: tuple[Wire, ...]


@dataclass(frozen=True)
class Anchor:
    """The last token that was no BYTE, and ``count[k]``: k BYTE tokens came since.

    ``after[p]``: of the items that an EXEC writes, item p comes after the anchor (`next_token` numbers them).
    ``ctaid[d]``: CONST of ctaid's dimension d.
    """

    kind: dict[Kind, Wire]
    ctaid: tuple[Wire, ...]
    after: tuple[Linear, ...]
    count: tuple[Linear, ...]


@dataclass(frozen=True)
class Front:
    """Everything later units know about the tokens so far.

    ``value``: bits of the word that a SET, VAL or MEM token completes (anything else at other tokens).
    """

    features: Features
    current: Current
    target: Target
    space: Wire
    address: tuple[Wire, ...]
    anchor: Anchor
    value: tuple[Wire, ...]

    @property
    def reset(self) -> Wire:
        """RESET: everything becomes zero."""
        return self.features.kind[Kind.RESET]

    @property
    def restart(self) -> Form:
        """RESET or START: a new thread block."""
        return form(self.reset) + self.features.kind[Kind.START]

    @property
    def is_exec(self) -> Wire:
        """The token is EXEC."""
        return self.features.kind[Kind.EXEC]

    @property
    def value_digits(self) -> Digits:
        """`value` in base 4."""
        return pairs(self.value)


def make_front(c: Circuit, spec: Spec, features: Features) -> Front:
    """Layer 0.

    Raises ValueError for a payload that the lookback taps do not reach.
    """
    if spec.payload_bits != BYTE_BITS:
        raise ValueError(f"spec {spec.name}: the circuit needs payloads of {BYTE_BITS} bits")
    reset = features.kind[Kind.RESET]
    byte = tuple(c.tap(features.kind[Kind.BYTE], back, f"byte{back}") for back in (1, 2, 3))
    place = latch(c, [features.space, *features.address], features.kind[Kind.ADDR], reset, 1, "addr")
    return Front(
        features=features,
        current=_current(c, spec, features),
        target=_target(c, spec, features),
        space=place[0],
        address=place[1:],
        anchor=_anchor(c, spec, features, _byte_count(c, features, byte)),
        value=_value(c, features, byte),
    )


def _current(c: Circuit, spec: Spec, f: Features) -> Current:
    started = form(f.kind[Kind.RESET]) + f.kind[Kind.START]
    block = latch(c, [*f.exec_block, *f.warp], f.kind[Kind.EXEC], f.kind[Kind.RESET], 1, "current")
    turn = latch(c, f.rr, f.kind[Kind.EXEC], started, 1, "turn")
    bits, warp = block[: len(f.exec_block)], block[len(f.exec_block) :]
    return Current(bits, decoded(c, bits, spec.blocks, "current.row"), warp, turn)


def _target(c: Circuit, spec: Spec, f: Features) -> Target:
    reset = f.kind[Kind.RESET]
    named: list[Linear] = [f.kind[Kind.ROW], f.kind[Kind.CONST], f.kind[Kind.TID]]
    groups = (f.row, f.const_row, f.tid_warp, f.tid_lane, f.tid_dim)
    flat = latch(c, [*named, *(bit for group in groups for bit in group)], total(named), reset, 1, "target")
    rom = latch(c, f.rom_block, f.kind[Kind.ROM], reset, 1, "rom_block") if f.rom_block else ()
    at, parts = len(named), []
    for group in groups:
        parts.append(flat[at : at + len(group)])
        at += len(group)
    row, const_row, warp, lane, dim = parts
    return Target(
        decoded(c, rom, spec.blocks, "rom_row"), flat[0], flat[1], flat[2], row, const_row, warp, lane, dim
    )


def _byte_count(c: Circuit, f: Features, before: tuple[Wire, ...]) -> tuple[Linear, ...]:
    """One-hot of the number of BYTE tokens up to this one that follow the last other token."""
    byte = f.kind[Kind.BYTE]
    two = c.bit([(1, form(byte) + before[0] - 1, 1)], "two_bytes")
    three = c.bit([(1, form(byte) + before[0] + before[1] - 2, 1)], "three_bytes")
    return 1 - form(byte), form(byte) - two, form(two) - three, form(three)


ANCHORS = (
    Kind.EXEC,
    Kind.VAL,
    Kind.MEM,
    Kind.ADDR,
    Kind.MASK,
    Kind.RELEASE,
    Kind.LAUNCH,
    Kind.START,
    Kind.SET,
    Kind.FAULT,
)


def _anchor(c: Circuit, spec: Spec, f: Features, count: tuple[Linear, ...]) -> Anchor:
    """The latch of the last token that is no BYTE.

    An ADDR does not say whose address it is: the next lane's after the MEM right before it, else the
    first. So its latch row also holds, from the token before, which lanes are done.
    """
    stores = spec.live_outs * spec.lanes
    done = [Datum(form(one), 1) for one in f.stored]
    data: list[Linear | Datum] = [*(f.kind[kind] for kind in ANCHORS), *f.ctaid, *f.after, *done]
    found = latch(c, data, 1 - form(f.kind[Kind.BYTE]), f.kind[Kind.RESET], 1, "anchor")
    kinds = dict(zip(ANCHORS, found, strict=False))
    first = len(ANCHORS)
    items = first + len(f.ctaid)
    late = zip(found[items + stores :], found[items + len(f.after) :], strict=False)
    effective = [
        c.bit([(1, may, 1), (-1, form(kinds[Kind.ADDR]) + gone - 1, 1)], f"after.{stores + lane}")
        for lane, (may, gone) in enumerate(late)
    ]
    return Anchor(kinds, found[first:items], (*found[items : items + stores], *effective), count)


def _value(c: Circuit, f: Features, byte: tuple[Wire, ...]) -> tuple[Wire, ...]:
    """The word that a token completes: its own payload below, up to three BYTE tokens above, sign-extended.

    BYTE payloads are 0 in other tokens, so a tap of one needs no gate of its own; a sign fills what no
    BYTE claims. One level behind the taps.
    """
    taps = [
        [c.tap(bit, back, f"value.back{back}.{i}") for i, bit in enumerate(f.byte_payload)]
        for back in (1, 2, 3)
    ]
    own, top = f.payload, BYTE_BITS - 1
    fill1 = form(own[top]) - byte[0]
    fill2 = form(taps[0][top]) - byte[1]
    fill3 = form(taps[1][top]) + byte[0] - byte[2] - 1
    bits: list[Wire] = list(own)
    for i in range(BYTE_BITS):
        bits.append(c.bit([(1, taps[0][i], 1), (1, fill1, 1)], f"value.{8 + i}"))
    for i in range(BYTE_BITS):
        known = form(taps[1][i]) + byte[0] - 1
        bits.append(c.bit([(1, known, 1), (1, fill1, 1), (1, fill2, 1)], f"value.{16 + i}"))
    for i in range(BYTE_BITS):
        known = form(taps[2][i]) + byte[0] + byte[1] - 2
        bits.append(c.bit([(1, known, 1), (1, fill1, 1), (1, fill2, 1), (1, fill3, 1)], f"value.{24 + i}"))
    return tuple(bits)
