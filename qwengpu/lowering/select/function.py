"""Selection of a whole kernel."""

from __future__ import annotations

from qwengpu.frontend.build import typed_kernel
from qwengpu.frontend.ptx import Module, read_ptx
from qwengpu.frontend.typed import TypedKernel
from qwengpu.lowering.mir import Define, Jump, MFunction, MSerial
from qwengpu.lowering.select.analysis import analyse, destinations
from qwengpu.lowering.select.blocks import lower_block
from qwengpu.lowering.select.builder import Draft, finish
from qwengpu.lowering.select.layout import Layout
from qwengpu.lowering.select.pointers import find_pointers
from qwengpu.lowering.select.selector import FOLDED_UNREACHABLE, Selector
from qwengpu.spec import Spec


def select(ptx: str | Module, kernel: str | None, spec: Spec) -> MFunction:
    """Lower the kernel called ``kernel`` (None: the only one) of a PTX file to MIR for ``spec``.

    Raises Refusal (and its kind "syntax", PtxError) with one line: instruction, place, reason, remedy.
    """
    module = read_ptx(ptx) if isinstance(ptx, str) else ptx
    return select_kernel(typed_kernel(module, kernel), spec)


def select_kernel(kernel: TypedKernel, spec: Spec) -> MFunction:
    """Lower a typed kernel to MIR."""
    facts = analyse(kernel)
    pointers = find_pointers(kernel, facts)
    layout = Layout(kernel, spec, pointers.params)
    selector = Selector(kernel, facts, pointers, layout, spec)
    for number in facts.order:
        lower_block(selector, number)
    reachable = set(facts.order)
    drafts = [d for number, group in enumerate(selector.drafts) if number in reachable for d in group]
    if selector.prologue.items:
        selector.prologue.end, selector.prologue.ends = Jump(None), (drafts[0],)
        drafts.insert(0, selector.prologue)
    unmapped = _unmapped(selector, drafts, reachable)
    lines, texts = _places(kernel)
    return MFunction(
        kernel.name,
        finish(drafts),
        layout.params,
        layout.symbols,
        layout.shared_bytes,
        lines,
        texts,
        unmapped,
        kernel.instructions,
    )


def _unmapped(s: Selector, drafts: list[Draft], reachable: set[int]) -> dict[tuple[int, str], str]:
    """Definitions that are not reported. One that is folded in one inlined copy is reported in none."""
    folded = dict(s.unmapped)
    defined: set[tuple[int, str]] = set()
    for draft in drafts:
        for item in draft.items:
            if isinstance(item, Define):
                defined.add((item.instr, item.register))
            elif isinstance(item, MSerial):
                defined.update((d.instr, d.register) for d in item.items if isinstance(d, Define))
    if defined & folded.keys():
        for draft in drafts:
            draft.items = [
                item
                for item in draft.items
                if not (isinstance(item, Define) and (item.instr, item.register) in folded)
            ]
    for number, block in enumerate(s.kernel.blocks):
        if number not in reachable:
            for instr in block.instrs:
                for register in destinations(instr):
                    key = (instr.ordinal, register.name)
                    if instr.ordinal >= 0 and register.name and key not in defined:
                        folded.setdefault(key, FOLDED_UNREACHABLE)
    return folded


def _places(kernel: TypedKernel) -> tuple[dict[int, tuple[int, int]], dict[int, str]]:
    """Lines and texts of the instructions, by ordinal."""
    lines: dict[int, tuple[int, int]] = {}
    texts: dict[int, str] = {}
    for block in kernel.blocks:
        for instr in (*block.instrs, block.end):
            if instr is not None and instr.ordinal >= 0:
                lines[instr.ordinal] = (instr.line, instr.cuda_line)
                texts[instr.ordinal] = instr.text
    return lines, texts
