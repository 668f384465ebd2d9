"""CUDA C++ to PTX: both compilers, their messages, the headers, the cache."""

import os
import re
import stat
from pathlib import Path

import pytest

from qwengpu.frontend.compilers import (
    COMPILERS,
    Cache,
    CompileError,
    CompileJob,
    CompilerMissing,
    compile_cuda,
    compile_many,
    compilers_available,
    default_cache,
)
from qwengpu.frontend.compilers import clang as clang_module
from qwengpu.frontend.compilers import nvrtc as nvrtc_module

MISSING = {name: reason for name, _, reason in compilers_available()}

ADD = """extern "C" __global__ void add(const int *a, int *b)
{
    unsigned t = threadIdx.x;
    b[t] = a[t] + 1;
}
"""

SYNTAX_ERROR = """// a comment
extern "C" __global__ void broken(int *a)
{
    int t = threadIdx.x
    a[t] = t;
}
"""

SWITCH = """extern "C" __global__ void pick(const int *a, int *b)
{
    int r = 0;
    switch (a[0]) {
    case 0: r = b[9]; break;
    case 1: r = b[2] * 7; break;
    case 2: r = b[3] ^ 5; break;
    case 3: r = b[1] - 9; break;
    case 4: r = b[4] << 3; break;
    case 5: r = b[7] | 3; break;
    case 6: r = b[8] & 6; break;
    }
    b[0] = r;
}
"""


@pytest.fixture(params=COMPILERS)
def compiler(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if MISSING[name] is not None:
        pytest.skip(MISSING[name])
    return name


def body(statements: str, head: str = "") -> str:
    return (
        f'{head}\nextern "C" __global__ void k(int *i, unsigned *u, long long *l, unsigned long long *q,'
        f" unsigned short *h)\n{{\n{statements}\n}}\n"
    )


def test_clang_is_installed_wherever_this_package_is() -> None:
    assert MISSING["clang"] is None


def test_ptx_has_entry_version_and_source_lines(compiler: str) -> None:
    result = compile_cuda(ADD, name="add.cu", compiler=compiler, cache=None)
    assert ".visible .entry add(" in result.ptx
    assert re.search(r"^\.target sm_75", result.ptx, re.MULTILINE)
    major, minor = map(int, re.findall(r"^\.version (\d+)\.(\d+)", result.ptx, re.MULTILINE)[0])
    assert (6, 3) <= (major, minor) <= (7, 5)
    assert re.search(r'^\s*\.file\s+1 "add\.cu"', result.ptx, re.MULTILINE)
    lines = {int(n) for n in re.findall(r"^\s*\.loc\s+1 (\d+) ", result.ptx, re.MULTILINE)}
    assert 4 in lines and max(lines) <= 5
    assert result.compiler.startswith(compiler + "-")
    assert not result.cached and result.seconds > 0


def test_text_is_the_same_each_time_and_names_no_place_of_this_machine(compiler: str) -> None:
    first = compile_cuda(ADD, name="add.cu", compiler=compiler, cache=None).ptx
    assert first == compile_cuda(ADD, name="add.cu", compiler=compiler, cache=None).ptx
    assert os.getcwd() not in first
    assert str(Path(__file__).parent) not in first


def test_line_information_leaves_the_code_alone() -> None:
    with_lines = compile_cuda(SWITCH, compiler="clang", cache=None).ptx
    flags = tuple(flag for flag in clang_module.CODE if not flag.startswith("-gline"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clang_module, "CODE", flags)
        without = compile_cuda(SWITCH, compiler="clang", cache=None).ptx

    def code(ptx: str) -> list[str]:
        return [s for s in map(str.strip, ptx.splitlines()) if s and not s.startswith((".loc", ".file", "//"))]

    assert ".loc" in with_lines and ".loc" not in without
    assert code(with_lines) == code(without)


def test_syntax_error_is_one_line_with_the_users_line(compiler: str) -> None:
    with pytest.raises(CompileError) as caught:
        compile_cuda(SYNTAX_ERROR, name="dir/broken.cu", compiler=compiler, cache=None)
    text = str(caught.value)
    assert re.match(r"dir/broken\.cu:(4|5)(:\d+)?: error: expected", text)
    assert "\n" not in text
    assert caught.value.diagnostics[0].line in (4, 5)
    assert len(caught.value.log) > len(text)


def test_clang_names_the_column() -> None:
    with pytest.raises(CompileError, match=r"^k\.cu:4:24: error: expected ';'"):
        compile_cuda(SYNTAX_ERROR, name="k.cu", cache=None)


@pytest.mark.parametrize(
    ("statements", "word"),
    [
        ('printf("%d", i[0]);', "printf"),
        ("i[0] = (int)clock();", "clock"),
        ("q[0] = (unsigned long long)malloc(4);", "malloc"),
    ],
)
def test_what_a_kernel_cannot_have_is_refused(compiler: str, statements: str, word: str) -> None:
    with pytest.raises(CompileError, match=f"'{word}'.*not supported"):
        compile_cuda(body(statements, "#include <cstdio>"), compiler=compiler, cache=None)


def test_headers_need_no_cuda_and_no_c_library(compiler: str) -> None:
    head = "".join(
        f"#include <{name}>\n"
        for name in ("cstdint", "stdint.h", "cuda_runtime.h", "climits", "limits.h", "cstddef", "cassert")
    )
    source = body(
        "assert(i[1] != INT_MIN); i[0] = INT32_MAX + CHAR_BIT; "
        "std::uint64_t w = q[0]; q[1] = w + sizeof(size_t);"
        "static_assert(sizeof(uint8_t) == 1 && sizeof(int16_t) == 2 && sizeof(uintptr_t) == 8);"
        "static_assert(UINT64_MAX == ULLONG_MAX && INT64_MIN == LLONG_MIN);",
        head,
    )
    assert "trap" in compile_cuda(source, compiler=compiler, cache=None).ptx


def test_vector_types_have_cuda_sizes_and_alignments(compiler: str) -> None:
    checks = [
        ("char2", 2, 2), ("char3", 3, 1), ("uchar4", 4, 4), ("short3", 6, 2), ("ushort4", 8, 8), ("int2", 8, 8),
        ("int3", 12, 4), ("uint4", 16, 16), ("longlong1", 8, 8), ("longlong2", 16, 16), ("ulonglong3", 24, 8),
        ("dim3", 12, 4),
    ]  # fmt: skip
    asserts = "".join(f"static_assert(sizeof({t}) == {s} && alignof({t}) == {a});" for t, s, a in checks)
    source = body(
        asserts + "int4 v = make_int4(1, 2, 3, 4); ulonglong2 w = make_ulonglong2(5, 6); "
        "uint3 at = threadIdx; dim3 n = blockDim;"
        "i[at.x] = v.w + gridDim.y + blockIdx.z + warpSize; q[n.x] = w.y;"
    )
    ptx = compile_cuda(source, compiler=compiler, cache=None).ptx
    for register in ("%tid.x", "%ntid.x", "%nctaid.y", "%ctaid.z"):
        assert register in ptx


STATEMENTS: dict[str, tuple[str, str]] = {
    # statement: what the PTX must contain
    "add": ("atomicAdd(i, 1); atomicAdd(u, 1u); atomicAdd(q, 1ull);", r"(atom|red)\.global\.add\.(u|s)64"),
    "sub": ("i[1] = atomicSub(i, u[1]); u[2] = atomicSub(u, 1u);", r"atom\.global\.add"),
    "exch": ("i[1] = atomicExch(i, 1); u[1] = atomicExch(u, 2u); q[1] = atomicExch(q, 3ull);", r"exch\.b64"),
    "min": ("i[1] = atomicMin(i, 1); l[1] = atomicMin(l, 3ll); q[1] = atomicMin(q, 3ull);", r"min\.s64"),
    "max": ("u[1] = atomicMax(u, 1u); q[1] = atomicMax(q, 3ull);", r"max\.u32"),
    "logic": ("i[1] = atomicAnd(i, 1); u[1] = atomicOr(u, 1u); q[1] = atomicXor(q, 1ull);", r"xor\.b64"),
    "inc": ("u[1] = atomicInc(u, 7u) + atomicDec(u + 2, 7u);", r"atom\.global\.inc\.u32"),
    "cas": ("i[1] = atomicCAS(i, 1, 2); q[1] = atomicCAS(q, 1ull, 2ull);", r"cas\.b64"),
    "cas16": ("h[1] = atomicCAS(h, (unsigned short)1, (unsigned short)2);", r"cas\.b(16|32)"),
    "shared": ("__shared__ int s[2]; i[1] = atomicAdd(&s[1], i[0]); i[2] = s[1];", r"atom\.shared\.add"),
    "idx": ("i[1] = __shfl_sync(~0u, i[0], 3, 4); u[1] = __shfl_sync(~0u, u[0], 1);", r"shfl\.sync\.idx"),
    "up": ("i[1] = __shfl_up_sync(~0u, i[0], 1); l[1] = __shfl_up_sync(~0u, l[0], 1);", r"shfl\.sync\.up"),
    "down": ("q[1] = __shfl_down_sync(~0u, q[0], 1, 8);", r"shfl\.sync\.down"),
    "bfly": ("i[1] = __shfl_xor_sync(~0u, i[0], 1);", r"shfl\.sync\.bfly"),
    "vote": (
        "i[1] = __ballot_sync(~0u, i[0]) "
        "+ __any_sync(~0u, i[0]) + __all_sync(~0u, i[0]);",
        r"vote\.sync\.all",
    ),
    "active": ("u[1] = __activemask();", r"activemask"),
    "match": ("u[1] = __match_any_sync(~0u, i[0]);", r"match\.any\.sync"),
    "barrier": (
        "__syncthreads(); "
        "i[1] = __syncthreads_count(i[0]) + __syncthreads_or(i[2]);",
        r"red\.popc\.u32",
    ),
    "warp": ("__syncwarp(); __syncwarp(3); i[0] = 1;", r"bar\.warp\.sync"),
    "fence": ("i[0] = 1; __threadfence(); i[1] = 1; __threadfence_block();", r"membar\.gl|fence"),
    "popc": ("i[1] = __popc(u[0]) + __popcll(q[0]);", r"popc\.b64"),
    "clz": ("i[1] = __clz(i[0]) + __clzll(l[0]) + __ffs(i[0]) + __ffsll(l[0]);", r"clz\.b64"),
    "brev": ("u[1] = __brev(u[0]); q[1] = __brevll(q[0]);", r"brev\.b64"),
    "prmt": ("u[1] = __byte_perm(u[0], u[2], u[3]);", r"prmt\.b32"),
    "funnel": (
        "u[1] = __funnelshift_l(u[0], u[2], u[3]) "
        "+ __funnelshift_rc(u[0], u[2], u[3]);",
        r"shf\.r\.clamp",
    ),
    "mulhi": (
        "i[1] = __mulhi(i[0], i[2]); "
        "q[1] = __umul64hi(q[0], q[2]); l[1] = __mul64hi(l[0], l[2]);",
        r"mul\.hi\.s64",
    ),
    "mul24": ("i[1] = __mul24(i[0], i[2]); u[1] = __umul24(u[0], u[2]);", r"mul24\.lo\.u32|mul\.lo"),
    "sad": ("u[1] = __sad(i[0], i[2], u[0]) + __usad(u[0], u[2], u[3]);", r"sad\.s32"),
    "average": (
        "i[1] = __hadd(i[0], i[2]); i[3] = __rhadd(i[0], i[2]);"
        "u[1] = __uhadd(u[0], u[2]); u[3] = __urhadd(u[0], u[2]);",
        r"shr",
    ),
    "minmax": (
        "i[1] = min(i[0], i[2]); "
        "u[1] = max(i[0], u[2]); l[1] = min(l[0], (long long)i[0]);",
        r"min\.s32",
    ),
    "abs": ("i[1] = abs(i[0]); l[1] = llabs(l[0]); l[2] = abs(l[1]);", r"abs\.s64"),
    "ldg": ("i[1] = __ldg(i + 4); q[1] = __ldg(q + 4); h[1] = __ldg(h + 3);", r"ld\.global\.nc"),
    "trap": ("if (i[0]) __trap();", r"trap"),
    "dynamic": ("extern __shared__ int d[]; d[i[0]] = 1; __syncthreads(); i[1] = d[2];", r"\.extern \.shared"),
}  # fmt: skip


@pytest.mark.parametrize("what", STATEMENTS)
def test_intrinsic_becomes_its_instruction(compiler: str, what: str) -> None:
    statements, pattern = STATEMENTS[what]
    assert re.search(pattern, compile_cuda(body(statements), compiler=compiler, cache=None).ptx)


def test_jump_tables_are_a_choice() -> None:
    assert "brx.idx" not in compile_cuda(SWITCH, cache=None).ptx
    assert "brx.idx" in compile_cuda(SWITCH, cache=None, jump_tables=True).ptx


def test_unknown_compiler_lists_the_known() -> None:
    with pytest.raises(ValueError, match="no compiler 'nvcc'; there are: clang, nvrtc"):
        compile_cuda(ADD, compiler="nvcc")


def test_many_keep_order_and_lose_nothing(compiler: str, tmp_path: Path) -> None:
    jobs = [CompileJob(ADD.replace("add", f"add{n}"), f"{n}.cu", compiler) for n in range(4)]
    jobs.insert(2, CompileJob(SYNTAX_ERROR, "bad.cu", compiler))
    results = compile_many(jobs, cache=Cache(tmp_path))
    assert [isinstance(r, CompileError) for r in results] == [False, False, True, False, False]
    for n, result in zip((0, 1, None, 2, 3), results, strict=True):
        if not isinstance(result, CompileError | CompilerMissing):
            assert f".entry add{n}(" in result.ptx
    again = compile_many(jobs, cache=Cache(tmp_path))
    assert [getattr(r, "cached", None) for r in again] == [True, True, None, True, True]


# --------------------------------------------------------------------------------------------------
# Cache


def test_second_run_does_not_compile(compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Cache(tmp_path)
    first = compile_cuda(ADD, compiler=compiler, cache=store)

    def explode(*_: object) -> tuple[str, str]:
        raise AssertionError("compiled again")

    monkeypatch.setattr(clang_module.Clang, "compile", explode)
    monkeypatch.setattr(nvrtc_module.Nvrtc, "compile", explode)
    second = compile_cuda(ADD, compiler=compiler, cache=store)
    assert second.cached and second.ptx == first.ptx and second.compiler == first.compiler
    # The control: anything that may change the text compiles anew.
    for changed in (
        {"source": ADD + "\n"},
        {"source": ADD, "name": "other.cu"},
    ):
        with pytest.raises(AssertionError, match="compiled again"):
            compile_cuda(**changed, compiler=compiler, cache=store)  # type: ignore[arg-type]
    if compiler == "clang":
        with pytest.raises(AssertionError, match="compiled again"):
            compile_cuda(ADD, compiler=compiler, cache=store, jump_tables=True)


def test_damaged_entries_are_rebuilt(tmp_path: Path) -> None:
    store = Cache(tmp_path)
    good = compile_cuda(ADD, cache=store)
    [entry] = [path for path in tmp_path.rglob("*") if path.is_file()]
    for damage in (b"", b"short", entry.read_bytes()[:-3], entry.read_bytes().replace(b"add", b"sub")):
        entry.write_bytes(damage)
        again = compile_cuda(ADD, cache=store)
        assert not again.cached and again.ptx == good.ptx
        assert compile_cuda(ADD, cache=store).cached


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    result = compile_cuda(ADD, cache=Cache(blocked))
    assert not result.cached and ".entry add(" in result.ptx


def test_programs_are_executable_and_checked(tmp_path: Path) -> None:
    store = Cache(tmp_path)
    path = store.put_program("ab12", b"#!/bin/sh\n")
    assert path is not None and path.stat().st_mode & stat.S_IXUSR
    assert store.get_program("ab12") == path
    path.write_bytes(b"#!/bin/sh\nrm")
    assert store.get_program("ab12") is None


def test_environment_moves_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QWENGPU_CACHE_DIR", str(tmp_path / "here"))
    assert default_cache().root == tmp_path / "here"
    compile_cuda(ADD)
    assert any((tmp_path / "here").rglob("*"))


def test_absent_package_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clang_module.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(nvrtc_module, "PACKAGES", ("no-such-package-here",))
    for function in (clang_module.binary, clang_module.version, nvrtc_module.library, nvrtc_module.version):
        function.cache_clear()
    try:
        reasons = {name: reason for name, _, reason in compilers_available()}
        assert "pip install ziglang" in (reasons["clang"] or "")
        assert "pip install nvidia-cuda-nvrtc" in (reasons["nvrtc"] or "")
        with pytest.raises(CompilerMissing, match="ziglang"):
            compile_cuda(ADD, cache=None)
    finally:
        for function in (clang_module.binary, clang_module.version, nvrtc_module.library, nvrtc_module.version):
            function.cache_clear()
