"""The loader: a lowered kernel and a launch -> what the machine holds at the start, and the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qwengpu.encode import encode
from qwengpu.isa import ConstRow
from qwengpu.program import Program, Refusal
from qwengpu.spec import CONST_PARAM_BASE, WORD_BITS, Spec
from qwengpu.tokens import Kind, Vocabulary, vocabulary

GLOBAL_BASE = 0x4000_0000
"""Byte address of the first word of global memory (docs/machine.md, section 2)."""

WORD_BYTES = WORD_BITS // 8

Dims = tuple[int, int, int]


@dataclass(frozen=True)
class Placed:
    """A buffer's initial bytes and its byte address in the machine's global memory."""

    address: int
    data: bytes


@dataclass(frozen=True)
class LaunchImage:
    """What a launch puts into the machine before the first EXEC.

    ``constants``: one word a constant row (the rows of the thread are 0). ``tids``: ``tid.x/y/z`` of each
    thread of a thread block, x fastest. ``masks``: the lanes of each warp that have a thread.
    ``memory``: words of global memory, word 0 at `GLOBAL_BASE`.
    """

    constants: tuple[int, ...]
    tids: tuple[Dims, ...]
    masks: tuple[int, ...]
    memory: tuple[int, ...]
    global_bytes: int
    shared_bytes: int


def build_image(
    program: Program,
    grid: Dims,
    block: Dims,
    arguments: Sequence[bytes],
    buffers: Sequence[Placed] = (),
    shared_bytes: int = 0,
) -> LaunchImage:
    """The image of one launch.

    ``arguments`` are the parameters' bytes, little-endian (a pointer is its 8-byte address), in the order of
    ``program.params``; ``shared_bytes`` is the dynamic shared memory. Module variables follow the buffers.

    Raises Refusal (kind "size") saying what is needed and what there is, and ValueError if the number or
    a size of the arguments is not the kernel's.
    """
    spec = program.spec
    _check_rows(program)
    constants = [0] * spec.const_rows
    _write_params(program, arguments, constants)
    memory, end = _lay_out(program, buffers, constants)
    shared = program.shared_bytes + shared_bytes
    _check_sizes(spec, block, len(memory), shared)
    fixed = {
        ConstRow.NTID_X: block,
        ConstRow.NCTAID_X: grid,
        ConstRow.SHARED_BYTES: (shared,),
        ConstRow.GLOBAL_BYTES: (end - GLOBAL_BASE,),
    }
    for row, values in fixed.items():
        constants[row : row + len(values)] = values
    threads = block[0] * block[1] * block[2]
    return LaunchImage(
        constants=tuple(constants),
        tids=tuple(
            (t % block[0], t // block[0] % block[1], t // (block[0] * block[1])) for t in range(threads)
        ),
        masks=thread_masks(threads, spec),
        memory=memory,
        global_bytes=end - GLOBAL_BASE,
        shared_bytes=shared,
    )


def thread_masks(threads: int, spec: Spec) -> tuple[int, ...]:
    """Mask of the lanes that have a thread, for each warp, when a thread block has ``threads``."""
    counts = (min(max(threads - warp * spec.lanes, 0), spec.lanes) for warp in range(spec.warps))
    return tuple((1 << count) - 1 for count in counts)


def _write_params(program: Program, arguments: Sequence[bytes], constants: list[int]) -> None:
    if len(arguments) != len(program.params):
        raise ValueError(f"kernel {program.kernel} takes {len(program.params)} arguments, not {len(arguments)}")
    for index, (param, data) in enumerate(zip(program.params, arguments, strict=True)):
        if len(data) != param.size:
            raise ValueError(f"argument {index} ({param.name}) has {param.size} bytes, not {len(data)}")
        constants[param.row : param.row + param.words] = _words(data, param.words)


def _words(data: bytes, count: int | None = None) -> list[int]:
    """Little-endian words of ``data``, filled up with zero bytes."""
    size = -(-len(data) // WORD_BYTES) if count is None else count
    padded = data.ljust(size * WORD_BYTES, b"\0")
    return [int.from_bytes(padded[i : i + WORD_BYTES], "little") for i in range(0, len(padded), WORD_BYTES)]


def _lay_out(program: Program, buffers: Sequence[Placed], constants: list[int]) -> tuple[tuple[int, ...], int]:
    """Words of global memory, and the byte address behind its last byte; writes the variables' addresses."""
    pieces = list(buffers)
    end = max((piece.address + len(piece.data) for piece in pieces), default=GLOBAL_BASE)
    for symbol in program.symbols:
        align = max(symbol.align, WORD_BYTES)
        address = -(-end // align) * align
        pieces.append(Placed(address, symbol.data))
        constants[symbol.row] = address
        end = address + len(symbol.data)
    content = bytearray(end - GLOBAL_BASE)
    for piece in pieces:
        start = piece.address - GLOBAL_BASE
        if start < 0:
            raise ValueError(f"a buffer at {piece.address:#x} lies below the machine's global memory")
        content[start : start + len(piece.data)] = piece.data
    return tuple(_words(bytes(content))), end


def _check_rows(program: Program) -> None:
    spec = program.spec
    ends = [param.row + param.words for param in program.params] + [
        symbol.row + 1 for symbol in program.symbols
    ]
    needed = max(ends, default=CONST_PARAM_BASE) - CONST_PARAM_BASE
    if needed > spec.param_words:
        raise Refusal(
            f"kernel {program.kernel} needs {needed} parameter words, spec {spec.name} has {spec.param_words}; "
            "use a larger spec",
            kind="size",
        )


def _check_sizes(spec: Spec, block: Dims, global_words: int, shared_bytes: int) -> None:
    threads = block[0] * block[1] * block[2]
    if threads > spec.threads:
        raise Refusal(
            f"the thread block has {threads} threads, spec {spec.name} has room for {spec.threads}; "
            "use a larger spec or smaller thread blocks",
            kind="size",
        )
    shared_words = -(-shared_bytes // WORD_BYTES)
    if global_words + shared_words > spec.memory_words:
        raise Refusal(
            f"the launch needs {global_words + shared_words} memory words ({global_words} global, "
            f"{shared_words} shared), spec {spec.name} has {spec.memory_words}; "
            "use a larger spec or smaller buffers",
            kind="size",
        )


# --------------------------------------------------------------------------------------------------
# The prompt

HOST_ROWS = frozenset(range(ConstRow.NTID_X, CONST_PARAM_BASE)) - {ConstRow.LANEID, ConstRow.WARPID}
"""Fixed constant rows that the prompt writes (the others are the thread's own, or wired)."""


def prompt(program: Program, image: LaunchImage) -> list[int]:
    """Token ids that bring a machine of ``program.spec`` to the start of the launch (section 7)."""
    spec = program.spec
    vocab = vocabulary(spec)
    ids = [vocab.id(Kind.RESET), *rom_ids(program, vocab)]
    for row, word in enumerate(image.constants):
        if word and (row >= CONST_PARAM_BASE or row in HOST_ROWS):
            ids += [vocab.id(Kind.CONST, row), *vocab.value(word, Kind.SET)]
    for thread, tid in enumerate(image.tids):
        for dim, word in enumerate(tid):
            if word:
                ids.append(vocab.id(Kind.TID, *divmod(thread, spec.lanes), dim))
                ids += vocab.value(word, Kind.SET)
    ids += [vocab.id(Kind.THREADS, warp, mask) for warp, mask in enumerate(image.masks) if mask]
    for address, word in enumerate(image.memory):
        if word:
            ids += [vocab.id(Kind.ADDR, 0, address), *vocab.value(word, Kind.MEM, 0)]
    ids.append(vocab.id(Kind.LAUNCH))
    return ids


def rom_ids(program: Program, vocab: Vocabulary) -> list[int]:
    """Token ids that write the kernel's blocks to ROM, from block 0 on.

    Raises Refusal (kind "size") if the ROM is too small.
    """
    spec = program.spec
    if len(program.blocks) > spec.blocks:
        raise Refusal(
            f"kernel {program.kernel} needs {len(program.blocks)} ROM blocks, "
            f"spec {spec.name} has {spec.blocks}; use a larger spec",
            kind="size",
        )
    ids: list[int] = []
    for number, block in enumerate(program.blocks):
        ids.append(vocab.id(Kind.ROM, number))
        for row, word in enumerate(encode(block, spec)):
            if word:
                ids += [vocab.id(Kind.ROW, row), *vocab.value(word, Kind.SET)]
    return ids
