"""Runs small hand-written PTX kernels on the ptx leg."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oracles.api import Argument, Buffer, Event, EventKind, Launch, Module, Options, Result, Status
from oracles.ptx import oracle

HEAD = ".version 7.8\n.target sm_80\n.address_size 64\n"
ORACLE = oracle()


def kernel(body: str, params: int = 1, before: str = "", extra: str = "") -> str:
    """A module with the kernel ``k``: parameters p0, p1, ... in %p0, %p1, ...; %t is tid.x, %off 4 * %t."""
    names = ", ".join(f".param .u64 p{i}" for i in range(params))
    loads = "\n".join(f"ld.param.u64 %p{i}, [p{i}];" for i in range(params))
    return f"""{HEAD}{before}
.visible .entry k({names})
{{
    .reg .b64 %p<9>, %off, %rd<20>;
    .reg .b32 %t, %r<40>;
    .reg .b16 %h<20>;
    .reg .pred %q<20>;
    {extra}
    {loads}
    mov.u32 %t, %tid.x;
    mul.wide.u32 %off, %t, 4;
    {body}
}}
"""


def out(count: int, dtype: str = "uint32", fill: int = 0) -> Buffer:
    """A buffer of equal elements."""
    return Buffer(dtype, (fill,) * count)


def data(*values: int, dtype: str = "uint32") -> Buffer:
    """A buffer of given elements."""
    return Buffer(dtype, values)


def run(
    ptx: str,
    args: Sequence[Argument] = (),
    block: Sequence[int] = (1,),
    grid: Sequence[int] = (1,),
    smem: int = 0,
    name: str = "k",
    **options: Any,
) -> Result:
    """Run ``name`` of a module."""
    dims = [(*d, 1, 1)[:3] for d in (grid, block)]
    launch = Launch(name, dims[0], dims[1], tuple(args), smem)  # type: ignore[arg-type]
    return ORACLE.run(Module(ptx, "test.ptx"), launch, Options(**options))


def values(result: Result, argument: int = 0) -> list[int]:
    """The final elements of a buffer of a run that ended well."""
    assert result.status is Status.OK, result.reason
    found = result.buffers[argument]
    assert found is not None
    return list(found)


def clean(result: Result) -> Result:
    """A run that ended well without findings."""
    assert result.status is Status.OK, result.reason
    assert result.findings == (), [f.message for f in result.findings]
    return result


def events(result: Result, kind: EventKind) -> list[Event]:
    """Events of one kind, by thread."""
    assert result.events is not None
    return sorted((Event(*e) for e in result.events if e[0] == kind), key=lambda e: e.thread)


def per_thread(lines: str, result: str = "%r0", **options: Any) -> str:
    """A kernel that stores ``result`` (32 bits) of each thread into its element of argument 0."""
    return kernel(f"{lines}\nadd.u64 %rd0, %p0, %off;\nst.global.b32 [%rd0], {result};\nret;", **options)


def lanewise(
    instruction: str, widths: Sequence[int], rows: Sequence[Sequence[int]], result: int, result_is: str = "%d"
) -> list[int]:
    """Values of ``result`` bits that an instruction over %a, %b, ... gives, a thread a row.

    Operands have ``widths`` bits; 1 is a predicate. Values travel as 64-bit elements.
    """
    count = len(widths)
    letters = "abcdef"[:count]
    regs, lines = [f".reg .{'pred' if result == 1 else f'b{result}'} %d;", ".reg .b32 %pick, %again;"], []
    regs.append(".reg .pred %e;")
    for i, (letter, width) in enumerate(zip(letters, widths, strict=True)):
        regs.append(f".reg .{'pred' if width == 1 else f'b{width}'} %{letter};")
        lines.append(f"add.u64 %rd1, %p{i}, %rd0;")
        if width == 1:
            lines += ["ld.global.u32 %pick, [%rd1];", f"setp.ne.u32 %{letter}, %pick, 0;"]
        else:
            lines.append(f"ld.global.b{width} %{letter}, [%rd1];")
    store = f"st.global.b{result} [%rd1], {result_is};"
    if result == 1:
        store = f"selp.b32 %pick, 1, 0, {result_is};\nst.global.b32 [%rd1], %pick;"
    body = f"""
    mul.wide.u32 %rd0, %t, 8;
    {chr(10).join(lines)}
    {instruction}
    add.u64 %rd1, %p{count}, %rd0;
    {store}
    ret;"""
    ptx = kernel(body, params=count + 1, extra="\n".join(regs))
    columns = [Buffer("uint64", tuple(row[i] for row in rows)) for i in range(count)]
    args = [*columns, out(len(rows), "uint64")]
    return values(run(ptx, args, block=(len(rows),), check=False), count)
