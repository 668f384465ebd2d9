"""Just enough of a PTX reader: one instruction a line, as compilers write it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


class Unsupported(Exception):
    """This implementation does not know the construct; the text says which."""


@dataclass
class Kernel:
    """Parameters in order, instructions as (guard, opcode, operands), and label positions."""

    params: list[str] = field(default_factory=list)
    code: list[tuple[str, str, list[str]]] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)


_ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*\((.*?)\)[^{]*\{(.*?)\n\}", re.S)
_INSTRUCTION = re.compile(r"(?:@(!?%\w+)\s+)?([a-z][\w.:]*)\s*(.*?);", re.S)


def read_kernels(ptx: str) -> dict[str, Kernel]:
    """Every `.entry` of the module by name. Raises Unsupported for modules with functions or variables."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", ptx, flags=re.S)
    if re.search(r"\.func|\.shared|\.const|^\s*(\.visible\s+)?\.global", text, re.M):
        raise Unsupported("functions, shared memory and module variables are not implemented")
    return {name: _kernel(params, body) for name, params, body in _ENTRY.findall(text)}


def _kernel(params: str, body: str) -> Kernel:
    kernel = Kernel([words.split()[-1] for words in params.split(",") if words.strip()])
    for line in body.splitlines():
        rest = line.strip()
        label = re.match(r"([\w$]+):", rest)
        if label:
            kernel.labels[label.group(1)] = len(kernel.code)
            rest = rest[label.end() :].strip()
        if rest.startswith("{"):
            raise Unsupported("scopes inside a kernel are not implemented")
        if rest and not rest.startswith("."):
            match = _INSTRUCTION.match(rest)
            if match is None:
                raise Unsupported(f"cannot read {rest!r}")
            operands = [word.strip() for word in match.group(3).split(",")] if match.group(3) else []
            kernel.code.append((match.group(1) or "", match.group(2), operands))
    return kernel
