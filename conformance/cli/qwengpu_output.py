"""What the `qwengpu` commands print: sizes, traces, results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from oracles.api import Buffer, Launch, Result, Status
from qwengpu.encode import block_bits, block_words
from qwengpu.program import BlockMap, Program
from qwengpu.spec import Spec
from qwengpu.tokens import Kind, kind_sizes, vocabulary

LINE_STARTS = (Kind.MASK, Kind.EXEC, Kind.START, Kind.HALT, Kind.RESET, Kind.ROM, Kind.LAUNCH)
SHOWN_ELEMENTS = 64


def places(block_map: BlockMap) -> str:
    """``PTX 12-14, CUDA 5``, empty if nothing is known."""
    parts = []
    for what, lines in (("PTX", block_map.ptx_lines), ("CUDA", block_map.cuda_lines)):
        if lines:
            low, high = min(lines), max(lines)
            parts.append(f"{what} {low}" if low == high else f"{what} {low}-{high}")
    return ", ".join(parts)


def size_report(program: Program) -> Iterator[str]:
    """Needed and there, a line a resource."""
    spec, report = program.spec, program.report
    rows = (
        ("ROM blocks", report.blocks, spec.blocks),
        ("registers", report.registers, spec.registers - 1),
        ("parameter words", report.param_words, spec.param_words),
        ("shared bytes, static", report.shared_bytes, 4 * spec.memory_words),
        ("bytes of module variables", report.symbol_bytes, 4 * spec.memory_words),
    )
    yield f"kernel {program.kernel} on spec {spec.name}:"
    for what, needed, there in rows:
        yield f"  {what:26} {needed:5} of {there}"
    yield (
        f"  {report.ptx_instructions} PTX instructions became {report.machine_operations} operations "
        f"in {report.blocks} blocks"
    )


def token_lines(ids: Iterable[int], spec: Spec, program: Program | None = None) -> Iterator[str]:
    """Tokens as text, an EXEC a line; with ``program`` each EXEC says where it comes from."""
    vocab = vocabulary(spec)
    line: list[str] = []
    note = ""
    previous: Kind | None = None
    for token_id in ids:
        token = vocab.token(token_id)
        starts = token.kind in LINE_STARTS and not (token.kind is Kind.EXEC and previous is Kind.MASK)
        if starts and line:
            yield _annotated(line, note)
            line, note = [], ""
        line.append(str(token))
        if token.kind is Kind.EXEC and program is not None and token.args[0] < len(program.maps):
            note = places(program.maps[token.args[0]])
        previous = token.kind
    if line:
        yield _annotated(line, note)


def _annotated(line: Sequence[str], note: str) -> str:
    text = " ".join(line)
    return f"{text:60}  # {note}" if note else text


def result_lines(result: Result, launch: Launch) -> Iterator[str]:
    """Buffers after a run, what it cost, and how it ended."""
    for index, (arg, values) in enumerate(zip(launch.args, result.buffers, strict=False)):
        if isinstance(arg, Buffer) and values is not None:
            shown = " ".join(map(str, values[:SHOWN_ELEMENTS]))
            more = f" ... {len(values) - SHOWN_ELEMENTS} more" if len(values) > SHOWN_ELEMENTS else ""
            changed = "" if values == arg.data else "  (changed)"
            yield f"argument {index} {arg.dtype}[{len(values)}]: {shown}{more}{changed}"
    if result.tokens is not None:
        notes = result.notes
        halt = "none of them HALT" if result.status is Status.TIMEOUT else "HALT included"
        yield (
            f"{len(result.tokens)} tokens generated, {halt}, after a prompt of "
            f"{notes.get('prompt_tokens', '?')}; {notes.get('execs', '?')} EXECs"
        )
    for finding in result.findings:
        yield f"{finding.kind.value}: {finding.message}"
    yield result.status.value if result.status is Status.OK else f"{result.status.value}: {result.reason}"


def spec_lines(spec: Spec) -> Iterator[str]:
    """The numbers of a spec, the derived ones too."""
    vocab = vocabulary(spec)
    rows: tuple[tuple[str, object], ...] = (
        ("lanes a warp", spec.lanes),
        ("warps", spec.warps),
        ("threads a thread block", spec.threads),
        ("register rows (row 0 is zero)", spec.registers),
        ("ROM blocks", spec.blocks),
        ("memory words, global and shared", spec.memory_words),
        ("constant rows", spec.const_rows),
        ("parameter words", spec.param_words),
        ("payload bits of a value token", spec.payload_bits),
        ("tokens of a full word", spec.digits),
        ("slots a block, level by level", " ".join(spec.levels)),
        ("read ports", spec.read_ports),
        ("constant ports", spec.const_ports),
        ("live-outs a block", spec.live_outs),
        ("bits a block", block_bits(spec)),
        ("words a block", block_words(spec)),
        ("vocabulary", vocab.size),
    )
    yield f"spec {spec.name}"
    for what, value in rows:
        yield f"  {what:34} {value}"
    sizes = ", ".join(f"{kind.value} {size}" for kind, size in kind_sizes(spec).items())
    yield f"  token ids by kind: {sizes}"
