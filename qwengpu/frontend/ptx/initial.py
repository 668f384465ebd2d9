"""Initial content of module-scope variables: ``{1, 2, {3}}`` to bytes."""

from __future__ import annotations

from qwengpu.frontend.ptx.constants import FLOAT, evaluate

Tree = str | list["Tree"]


def parse_tree(text: str) -> Tree:
    """The nesting of an initialiser; leaves are texts of constants. Raises ValueError."""
    stack: list[list[Tree]] = [[]]
    leaf = ""
    for char in text:
        if char == "{":
            stack.append([])
        elif char in ",}":
            if leaf.strip():
                stack[-1].append(leaf.strip())
            leaf = ""
            if char == "}":
                if len(stack) == 1:
                    raise ValueError("unbalanced braces in an initialiser")
                done = stack.pop()
                stack[-1].append(done)
        else:
            leaf += char
    if len(stack) != 1:
        raise ValueError("unbalanced braces in an initialiser")
    if leaf.strip():
        stack[0].append(leaf.strip())
    if len(stack[0]) != 1:
        raise ValueError("an initialiser is one value or one list")
    return stack[0][0]


def pack(tree: Tree, dims: tuple[int, ...], bits: int) -> bytes:
    """Little-endian bytes of an initialiser for an array of ``dims`` (() for a scalar), zero-filled.

    ``bits`` is the element's width. Raises ValueError if it does not fit or is no number (an address).
    """
    size = bits // 8
    if not dims:
        if isinstance(tree, list):
            raise ValueError("a list initialises a scalar")
        return (_number(tree) & (1 << bits) - 1).to_bytes(size, "little")
    if isinstance(tree, str):
        raise ValueError("a single value initialises an array")
    inner = size
    for dim in dims[1:]:
        inner *= dim
    data = bytearray()
    for item in tree:
        # Nested braces give one row each; plain values go on filling.
        if isinstance(item, list):
            data += bytes(-len(data) % inner)
            data += pack(item, dims[1:], bits)
        else:
            data += pack(item, (), bits)
    total = inner * dims[0]
    if len(data) > total:
        raise ValueError("an initialiser is longer than its array")
    return bytes(data) + bytes(total - len(data))


def _number(text: str) -> int:
    if FLOAT.fullmatch(text):
        if text.lstrip("+-")[:2] in ("0f", "0F", "0d", "0D"):
            return int(text.lstrip("+-")[2:], 16)
        raise ValueError("decimal floating-point initialisers are not supported; write 0f... or 0d...")
    try:
        return evaluate(text)
    except ValueError:
        raise ValueError(f"initial value {text!r} is no number; only integers can be initial values") from None
