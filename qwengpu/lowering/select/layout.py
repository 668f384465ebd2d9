"""Where parameters, variables and local memory of a kernel are: constant rows and shared-memory offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qwengpu.frontend.ptx.ast import Variable
from qwengpu.frontend.typed import TypedKernel
from qwengpu.isa import ConstRow, Op
from qwengpu.lowering.mir import Lit, Operand, Row, VReg
from qwengpu.lowering.select.values import Address
from qwengpu.lowering.select.words import ZERO, lit
from qwengpu.program import Param, Refusal, Symbol
from qwengpu.spec import CONST_PARAM_BASE, Spec

if TYPE_CHECKING:
    from qwengpu.lowering.select.selector import Selector


class Layout:
    """Static layout of one kernel.

    Shared memory: the kernel's own variables in order of declaration, each at its alignment; then what the
    launch adds (``extern .shared`` arrays start there). Local memory is a slice of shared memory a thread
    of the largest thread block that the spec has: directly behind the kernel's own variables, or, if there is
    an ``extern .shared`` array, at the end of shared memory, so that it does not move the array.
    """

    def __init__(self, kernel: TypedKernel, spec: Spec, pointers: frozenset[Variable]) -> None:
        self.spec = spec
        self.rows: dict[Variable, int] = {}
        self.offsets: dict[Variable, int] = {}
        self.local_bytes = 0
        self.local_align = 1
        self.dynamic = False
        row = CONST_PARAM_BASE
        params: list[Param] = []
        for variable in kernel.params:
            words = -(-variable.size // 4)
            pointer = True if variable in pointers else None if variable.size == 8 else False
            params.append(Param(variable.name, variable.size, row, words, pointer))
            self.rows[variable] = row
            row += words
        self.params = tuple(params)
        symbols: list[Symbol] = []
        shared = 0
        external: list[Variable] = []
        for variable in kernel.variables:
            if variable.space in ("global", "const"):
                symbols.append(_symbol(variable, row))
                self.rows[variable] = row
                row += 1
            elif variable.space == "shared" and variable.size == 0:
                external.append(variable)
            elif variable.space == "shared":
                shared = _aligned(shared, variable.align)
                self.offsets[variable] = shared
                shared += variable.size
            elif variable.space == "local":
                self.local_bytes = _aligned(self.local_bytes, variable.align)
                self.offsets[variable] = self.local_bytes
                self.local_bytes += variable.size
                self.local_align = max(self.local_align, variable.align)
        if row > spec.const_rows:
            raise Refusal(
                f"kernel {kernel.name} needs {row - CONST_PARAM_BASE} parameter words (variables included), "
                f"spec {spec.name} has {spec.param_words}; use a larger spec or fewer parameters",
                kind="size",
            )
        self.symbols = tuple(symbols)
        self._place_dynamic(external, shared)

    def _place_dynamic(self, external: list[Variable], shared: int) -> None:
        if external:
            self.dynamic = True
            shared = _aligned(shared, max(variable.align for variable in external))
        for variable in external:
            self.offsets[variable] = shared
        self.static_bytes = shared
        self.local_bytes = _aligned(self.local_bytes, max(4, self.local_align))
        if not self.local_bytes:
            self.shared_bytes = shared
            return
        self.local_align = max(4, self.local_align)
        if self.dynamic:
            self.shared_bytes = shared + self.local_align - 1 + self.local_bytes * self.spec.threads
        else:
            self.local_start = _aligned(shared, self.local_align)
            self.shared_bytes = self.local_start + self.local_bytes * self.spec.threads

    # ---- addresses

    def word_address(self, s: Selector, variable: Variable, offset: int) -> Operand:
        """The 32-bit address of a variable (shared memory only)."""
        if variable.space != "shared":
            raise s.refuse(f"a 32-bit address of .{variable.space} memory", "use a 64-bit register")
        return lit(self.offsets[variable] + offset)

    def address(self, s: Selector, variable: Variable, offset: int) -> Address:
        """The 64-bit address of a variable plus ``offset`` bytes."""
        match variable.space:
            case "shared":
                total = self.offsets[variable] + offset
                if total >= 0:
                    return Address(lit(total), space="shared")
                return Address(ZERO, offset=total, space="shared")
            case "global" | "const":
                self.check(s, variable)
                return Address(Row(self.rows[variable]), offset=offset, space="global")
            case "local":
                return Address(self.local(s), offset=self.offsets[variable] + offset, space="local")
            case "param":
                return Address(ZERO, space="param", generic=True)
        raise s.refuse(f"the address of a .{variable.space} variable", "use global or shared memory")

    def check(self, s: Selector, variable: Variable) -> None:
        """Refuse a variable whose content is not known."""
        if variable.problem:
            raise s.refuse(f"variable {variable.name}: {variable.problem}", "assign or load it in the kernel")
        if variable.external:
            raise s.refuse(
                f"variable {variable.name} is declared, not defined, in this file", "define it in the same file"
            )

    def local(self, s: Selector) -> Operand:
        """Address of the thread's local memory, computed once before the kernel's first block."""
        if s.local_base is None:
            b = s.b
            draft, known, readers = b.draft, b.known, b.readers
            b.enter(s.prologue)
            lanes = lit(self.spec.lanes)
            thread = b.op(Op.MUL, Row(ConstRow.WARPID), lanes, Row(ConstRow.LANEID))
            start: Operand
            if self.dynamic:
                end = b.op(Op.SUB, Row(ConstRow.SHARED_BYTES), lit(self.local_bytes * self.spec.threads))
                start = b.op(Op.ANDN, end, lit(self.local_align - 1))
            else:
                start = Lit(self.local_start)
            base = b.op(Op.MUL, thread, lit(self.local_bytes), start)
            assert isinstance(base, VReg)
            s.local_base = base
            b.draft, b.known, b.readers = draft, known, readers
        assert s.local_base is not None
        return s.local_base


def _symbol(variable: Variable, row: int) -> Symbol:
    data = variable.data if variable.data is not None else bytes(variable.size)
    return Symbol(variable.name, data, variable.align, row)


def _aligned(value: int, align: int) -> int:
    return -(-value // align) * align
