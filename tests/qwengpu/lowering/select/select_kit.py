"""Small PTX kernels around one instruction, run on the MIR machine."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from mir_machine import launch

from qwengpu.lowering.mir import MFunction
from qwengpu.lowering.select import select
from qwengpu.spec import SEED, Spec

EDGES = (
    0,
    1,
    2,
    3,
    7,
    31,
    32,
    33,
    0x7F,
    0x80,
    0xFF,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x1_0000,
    0x7FFF_FFFF,
    0x8000_0000,
)
EDGES64 = (
    *EDGES,
    0x8000_0001,
    0xFFFF_FFFF,
    0x1_0000_0000,
    0x7FFF_FFFF_FFFF_FFFF,
    0x8000_0000_0000_0000,
    0xFFFF_FFFF_0000_0000,
)

HEADER = ".version 7.0\n.target sm_75\n.address_size 64\n"
REGISTERS = {1: "pred", 16: "b16", 32: "b32", 64: "b64"}


def bits(width: int) -> st.SearchStrategy[int]:
    """Words of ``width`` bits: edges, their negatives and neighbours, small and any numbers."""
    mask = (1 << width) - 1
    edges = {e & mask for v in EDGES64 for e in (v, -v, v - 1, v + 1)}
    return st.one_of(st.sampled_from(sorted(edges)), st.integers(0, mask), st.integers(0, 70 & mask))


def signed(value: int, width: int) -> int:
    """``value``'s low ``width`` bits as a signed number."""
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def kernel(body: str, params: str = "", declare: str = "") -> str:
    """A PTX file with one kernel k."""
    return f"{HEADER}{declare}\n.visible .entry k({params})\n{{\n{body}\n}}\n"


def source(instr: str, results: tuple[int, ...], operands: tuple[int, ...]) -> str:
    """A kernel that loads operands a0, a1, ... of the given widths, executes ``instr`` (which writes d0,
    d1, ...), and stores the results as 64-bit words. Predicates are bit 0 of a parameter."""
    params = [".param .u64 out"] + [f".param .u64 p{n}" for n in range(len(operands))]
    lines = [".reg .b64 %out;", ".reg .b32 %w;", ".reg .b64 %x;", "ld.param.u64 %out, [out];"]
    for n, width in enumerate(operands):
        lines.append(f".reg .{REGISTERS[width]} a{n};")
        if width == 1:
            lines += [f"ld.param.u32 %w, [p{n}];", "and.b32 %w, %w, 1;", f"setp.ne.u32 a{n}, %w, 0;"]
        else:
            lines.append(f"ld.param.u{width} a{n}, [p{n}];")
    lines += [f".reg .{REGISTERS[width]} d{n};" for n, width in enumerate(results)]
    lines.append(instr)
    for n, width in enumerate(results):
        if width == 1:
            lines += [f"selp.b64 %x, 1, 0, d{n};", f"st.global.u64 [%out+{8 * n}], %x;"]
        elif width == 64:
            lines.append(f"st.global.u64 [%out+{8 * n}], d{n};")
        else:
            lines += [f"cvt.u64.u{width} %x, d{n};", f"st.global.u64 [%out+{8 * n}], %x;"]
    return kernel("\n".join([*lines, "ret;"]), ", ".join(params))


@cache
def selected(ptx: str, spec: Spec = SEED) -> MFunction:
    """The kernel's MIR."""
    return select(ptx, None, spec)


def run(instr: str, results: tuple[int, ...], operands: tuple[int, ...], values: tuple[int, ...]) -> list[int]:
    """Values of the results; checks that they are also what the definitions report."""
    ptx = source(instr, results, operands)
    function = selected(ptx)
    arguments: list[bytes | bytearray] = [bytearray(8 * len(results))]
    arguments += [value.to_bytes(8, "little") for value in values]
    (out,), defined = launch(function, SEED, arguments)
    found = [int.from_bytes(out[8 * n : 8 * n + 8], "little") for n in range(len(results))]
    for n in range(len(results)):
        reports = [d.value for d in defined if d.register == f"d{n}"]
        assert not reports or reports[-1] == found[n], (instr, n, reports, found)
    return found


def one(instr: str, result: int, operands: tuple[int, ...], values: tuple[int, ...]) -> int:
    """As `run` for one result."""
    return run(instr, (result,), operands, values)[0]
