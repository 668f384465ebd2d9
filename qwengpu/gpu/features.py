"""What the token id alone tells: flags and arguments of every kind of token, known at the embedding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qwengpu.circuits import Circuit, Form, Wire, form
from qwengpu.encode import block_words
from qwengpu.isa import ConstRow
from qwengpu.spec import Spec
from qwengpu.tokens import Kind, Token, vocabulary

WIRED_ROWS = (ConstRow.LANEID, ConstRow.WARPID)
"""Constant rows that nothing writes."""


def index_bits(count: int) -> int:
    """Bits of an index 0...count - 1."""
    return (count - 1).bit_length()


@dataclass(frozen=True)
class Features:
    """Wires of the embedding. Arguments are bits, lowest first; 0 where the token has no such argument.

    ``kind[k]``: the token is of kind k. ``warp[w]``: EXEC, MASK or THREADS of warp w. ``payload``: the digit
    of BYTE, SET, VAL and MEM; ``byte_payload``: of BYTE only. ``val_lane[l]``: VAL of lane l; ``val_all``: of
    all lanes. ``rr[w]``: EXEC whose successor in the round robin is warp w. ``ctaid[d]``: CONST of ctaid's
    dimension d.

    What an EXEC writes is numbered: item s * lanes + l is lane l's value of out s (a value for all lanes counts
    as the last lane's), then come the lanes of the store. ``after[p]``: item p may follow this token.
    ``stored[l]``: MEM of lane l or a higher one.
    """

    kind: dict[Kind, Wire]
    payload: tuple[Wire, ...]
    byte_payload: tuple[Wire, ...]
    after: tuple[Wire, ...]
    stored: tuple[Wire, ...]
    ctaid: tuple[Wire, ...]
    val_out: tuple[Wire, ...]
    val_lane: tuple[Wire, ...]
    val_all: Wire
    mem_lane: tuple[Wire, ...]
    mem_number: Wire
    rom_block: tuple[Wire, ...]
    row: tuple[Wire, ...]
    const_row: tuple[Wire, ...]
    tid_warp: tuple[Wire, ...]
    tid_lane: tuple[Wire, ...]
    tid_dim: tuple[Wire, ...]
    space: Wire
    address: tuple[Wire, ...]
    exec_block: tuple[Wire, ...]
    warp: tuple[Wire, ...]
    rr: tuple[Wire, ...]
    mask: tuple[Wire, ...]

    @property
    def sets_mask(self) -> Form:
        """MASK or THREADS."""
        return form(self.kind[Kind.MASK]) + self.kind[Kind.THREADS]


class FeatureMaker:
    """Features as functions of the decoded token."""

    def __init__(self, c: Circuit, spec: Spec) -> None:
        self._c = c
        self._tokens = [vocabulary(spec).token(token) for token in range(c.vocabulary)]

    def __call__(self, name: str, value: Callable[[Token], int]) -> Wire:
        """One wire: ``value`` of the token."""
        return self._c.feature(name, [int(value(token)) for token in self._tokens])

    def bits(self, name: str, kinds: tuple[Kind, ...], place: int, count: int) -> tuple[Wire, ...]:
        """Bits of argument ``place`` of tokens of these kinds."""

        def bit(i: int) -> Callable[[Token], int]:
            return lambda token: token.kind in kinds and token.args[place] >> i & 1

        return tuple(self(f"{name}.{i}", bit(i)) for i in range(count))

    def onehot(self, name: str, kind: Kind, place: int, count: int) -> tuple[Wire, ...]:
        """Wires: the token is of this kind and its argument ``place`` is v, for v < count."""

        def flag(v: int) -> Callable[[Token], int]:
            return lambda token: token.kind is kind and token.args[place] == v

        return tuple(self(f"{name}.{v}", flag(v)) for v in range(count))


def make_features(c: Circuit, spec: Spec) -> Features:
    """All features of a spec's tokens."""
    make = FeatureMaker(c, spec)
    valued = (Kind.BYTE, Kind.SET, Kind.VAL, Kind.MEM)
    payload = spec.payload_bits
    warp_place = {Kind.EXEC: 1, Kind.MASK: 0, Kind.THREADS: 0}

    def payload_bit(i: int, kinds: tuple[Kind, ...]) -> Callable[[Token], int]:
        return lambda token: token.kind in kinds and token.args[-1] >> i & 1

    def of_warp(w: int) -> Callable[[Token], int]:
        return lambda token: token.kind in warp_place and token.args[warp_place[token.kind]] == w

    def mem_from(lane: int) -> Callable[[Token], int]:
        return lambda token: token.kind is Kind.MEM and token.args[0] >= lane

    def const_of(row: int) -> Callable[[Token], int]:
        return lambda token: token.kind is Kind.CONST and token.args[0] == row

    def successor(w: int) -> Callable[[Token], int]:
        return lambda token: token.kind is Kind.EXEC and (token.args[1] + 1) % spec.warps == w

    with c.scope("token"):
        return Features(
            kind={
                kind: make(kind.value.lower(), lambda token, kind=kind: token.kind is kind)  # type: ignore[misc]
                for kind in Kind
            },
            payload=tuple(make(f"payload.{i}", payload_bit(i, valued)) for i in range(payload)),
            byte_payload=tuple(make(f"digit.{i}", payload_bit(i, (Kind.BYTE,))) for i in range(payload)),
            after=tuple(make(f"after.{p}", _follows(spec, p)) for p in range(item_count(spec))),
            stored=tuple(make(f"stored.{lane}", mem_from(lane)) for lane in range(spec.lanes)),
            ctaid=tuple(make(f"ctaid.{d}", const_of(row)) for d, row in enumerate(ctaid_rows())),
            val_out=make.onehot("val_out", Kind.VAL, 0, spec.live_outs),
            val_lane=make.onehot("val_lane", Kind.VAL, 1, spec.lanes),
            val_all=make("val_all", lambda token: token.kind is Kind.VAL and token.args[1] == spec.lanes),
            mem_lane=make.onehot("mem_lane", Kind.MEM, 0, spec.lanes),
            mem_number=make("mem_number", lambda token: token.args[0] if token.kind is Kind.MEM else 0),
            rom_block=make.bits("rom_block", (Kind.ROM,), 0, index_bits(spec.blocks)),
            row=make.bits("row_word", (Kind.ROW,), 0, index_bits(block_words(spec))),
            const_row=make.bits("const_row", (Kind.CONST,), 0, index_bits(spec.const_rows)),
            tid_warp=make.bits("tid_warp", (Kind.TID,), 0, index_bits(spec.warps)),
            tid_lane=make.bits("tid_lane", (Kind.TID,), 1, index_bits(spec.lanes)),
            tid_dim=make.bits("tid_dim", (Kind.TID,), 2, 2),
            space=make("space", lambda token: token.kind is Kind.ADDR and token.args[0]),
            address=make.bits("address", (Kind.ADDR,), 1, index_bits(spec.memory_rows)),
            exec_block=make.bits("block", (Kind.EXEC,), 0, index_bits(spec.blocks)),
            warp=tuple(make(f"warp.{w}", of_warp(w)) for w in range(spec.warps)),
            rr=tuple(make(f"next_warp.{w}", successor(w)) for w in range(spec.warps)),
            mask=make.bits("lanes", (Kind.MASK, Kind.THREADS), 1, spec.lanes),
        )


def item_count(spec: Spec) -> int:
    """Items of an EXEC: a value for each out and lane, then the store's lanes."""
    return (spec.live_outs + 1) * spec.lanes


def _follows(spec: Spec, item: int) -> Callable[[Token], int]:
    """Whether an item can come after a token of the same EXEC; of ADDR tokens only the kind is looked at."""
    lanes, stores = spec.lanes, spec.live_outs * spec.lanes

    def follows(token: Token) -> int:
        match token.kind:
            case Kind.EXEC:
                return 1
            case Kind.VAL:
                return item > token.args[0] * lanes + min(token.args[1], lanes - 1)
            case Kind.MEM:
                return item > stores + token.args[0]
            case Kind.ADDR:
                return item >= stores
            case _:
                return 0

    return follows


def written_rows(spec: Spec) -> tuple[int, ...]:
    """Constant rows that CONST tokens write: not those of the thread, not the wired ones."""
    return tuple(row for row in range(ConstRow.NTID_X, spec.const_rows) if row not in WIRED_ROWS)


def ctaid_rows() -> tuple[int, int, int]:
    """Constant rows of ctaid.x, y, z."""
    return ConstRow.CTAID_X, ConstRow.CTAID_Y, ConstRow.CTAID_Z


def nctaid_rows() -> tuple[int, int, int]:
    """Constant rows of nctaid.x, y, z."""
    return ConstRow.NCTAID_X, ConstRow.NCTAID_Y, ConstRow.NCTAID_Z
