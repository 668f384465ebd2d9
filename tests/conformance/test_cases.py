"""Readers, generators, discovery, and the errors that name the place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.cases import CaseError, corpus_root, discover, is_case_file, read_case
from conformance.cases.build import lcg_elements, parameter_name
from conformance.cases.schema import Lcg
from oracles.api import Buffer, Scalar

KERNEL = 'extern "C" __global__ void k(const int *in, int *out, int n) {}\n'


def front(body: str, tmp_path: Path, kernel: str = KERNEL) -> Path:
    path = tmp_path / "kernels" / "area" / "k.cu"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"/*---\n{body}\n---*/\n{kernel}")
    return path


def launch(fields: str, tmp_path: Path) -> Path:
    return front(f"launches:\n  - {{{fields}}}", tmp_path)


def beside(raw: object, tmp_path: Path, kernel: str = KERNEL) -> Path:
    (tmp_path / "k.cu").write_text(kernel)
    path = tmp_path / "k.json"
    path.write_text(raw if isinstance(raw, str) else json.dumps(raw))
    return path


def test_front_matter_gives_every_field(tmp_path: Path) -> None:
    case = read_case(
        front(
            """description: d
reference: r
features: [a, b]
tags: published
covers: [c]
compilers: [nvrtc]
launches:
  - kernel: k
    grid: [2, 3]
    block: 4
    smem: 16
    args:
      - {kind: buf, dtype: uint64, data: [18446744073709551615, 9007199254740993]}
      - {kind: buf, dtype: int64, data: [-9223372036854775808], align: 16}
      - {kind: u64, value: 18446744073709551615}
    expect: {0: [0, 18446744073709551614]}
    unspecified: {1: all}
    step_limit: 7
    needs: mul64
    can_hang_a_gpu: true""",
            tmp_path,
        ),
        "area/k",
    )
    assert (case.id, case.area, case.language) == ("area/k", "area", "cu")
    assert (case.features, case.tags, case.compilers) == (("a", "b"), ("published",), ("nvrtc",))
    stated = case.launches[0]
    assert stated.launch.grid == (2, 3, 1)
    assert stated.launch.block == (4, 1, 1)
    # Exact, beyond what a double holds.
    assert stated.launch.args[0] == Buffer("uint64", (18446744073709551615, 9007199254740993))
    assert stated.launch.args[2] == Scalar("u64", 18446744073709551615)
    assert stated.launch.addresses()[1] % 16 == 0
    assert stated.expect == {0: (0, 18446744073709551614)}
    assert (stated.unspecified, stated.step_limit, stated.needs) == ({1: None}, 7, ("mul64",))
    assert stated.can_hang_a_gpu


def test_generators(tmp_path: Path) -> None:
    path = front(
        """launches:
  - args:
      - {kind: buf, dtype: int8, fill: -3, count: 3}
      - {kind: buf, dtype: int32, range: [5, 3, -2]}
      - {kind: buf, dtype: int32, lcg: {seed: 1, count: 2, low: -5, high: 5}}""",
        tmp_path,
    )
    args = read_case(path).launches[0].launch.args
    # The formula of docs/cases.md, written out: x1 and x2 of the generator from x0 = 1.
    x1 = (6364136223846793005 + 1442695040888963407) % 2**64
    x2 = (x1 * 6364136223846793005 + 1442695040888963407) % 2**64
    drawn = tuple(-5 + (x >> 33) % 11 for x in (x1, x2))
    assert [arg.data for arg in args if isinstance(arg, Buffer)] == [(-3, -3, -3), (5, 3, 1), drawn]


@given(st.integers(0, 2**64 - 1), st.integers(-(2**31), 2**31 - 1), st.integers(0, 2**31))
def test_lcg_stays_in_its_range(seed: int, low: int, width: int) -> None:
    values = lcg_elements(Lcg(seed=seed, count=20, low=low, high=low + width))
    assert all(low <= value <= low + width for value in values)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("grd: [1]", "launches[0].grd: unknown key; did you mean 'grid'?"),
        ("zzz: 1", "launches[0].zzz: unknown key; known: kernel, grid"),
        (
            "args: [{kind: buf, dtype: int32, dat: [1]}]",
            "launches[0].args[0].dat: unknown key; did you mean 'data'?",
        ),
        ("args: [{kind: i32, valu: 1}]", "launches[0].args[0].valu: unknown key; did you mean 'value'?"),
        (
            "args: [{kind: buf, dtype: int32, lcg: {seed: 1, count: 1, low: 0, hihg: 1}}]",
            "launches[0].args[0].lcg.hihg: unknown key; did you mean 'high'?",
        ),
        ("args: [{kind: f32, value: 1}]", "launches[0].args[0]: kind must be buf or one of i8"),
        (
            "args: [{kind: buf, dtype: int32, data: [1]}, {kind: buf, dtype: float32, data: [1.5]}]",
            "launches[0].args[1].dtype: 'float32' of argument 1 (out) is not supported; use one of int8",
        ),
        (
            "args: [{kind: buf, dtype: int32, data: [1.0]}]",
            "launches[0].args[0].data[0]: input should be a valid integer",
        ),
        (
            "args: [{kind: buf, dtype: int32, data: [true]}]",
            "launches[0].args[0].data[0]: input should be a valid integer",
        ),
        (
            "args: [{kind: buf, dtype: uint8, data: [0, 256]}]",
            "launches[0].args[0].data[1]: 256 does not fit uint8",
        ),
        (
            "args: [{kind: buf, dtype: uint8, fill: -1, count: 1}]",
            "launches[0].args[0].fill[0]: -1 does not fit uint8",
        ),
        ("args: [{kind: i8, value: 128}]", "launches[0].args[0].value: 128 does not fit i8"),
        (
            "args: [{kind: buf, dtype: int32}]",
            "launches[0].args[0]: give exactly one of data, fill, range, lcg (none given)",
        ),
        ("args: [{kind: buf, dtype: int32, fill: 1}]", "launches[0].args[0].count: count belongs with fill"),
        (
            "args: [{kind: buf, dtype: int32, data: [1], align: 3}]",
            "launches[0].args[0].align: 3 is not a power of two",
        ),
        (
            "args: [{kind: buf, dtype: int32, fill: 0, count: 99999999999}]",
            "launches[0].args[0].fill: more than",
        ),
        ("args: [{kind: buf, dtype: int32, range: [0, -1, 1]}]", "launches[0].args[0].range: count -1"),
        (
            "args: [{kind: buf, dtype: int32, lcg: {seed: 1, count: 1, low: 1, high: 0}}]",
            "launches[0].args[0].lcg: needs low <= high",
        ),
        ("grid: [0]", "launches[0].grid[0]: input should be greater than or equal to 1 (got 0)"),
        ("grid: [1, 1, 1, 1]", "launches[0].grid: value should have at most 3 items"),
        ("expect: {0: [1]}", "launches[0].expect[0]: there is no argument 0"),
        ("args: [{kind: i32, value: 1}], expect: {0: [1]}", "launches[0].expect[0]: argument 0 is a scalar"),
        (
            "args: [{kind: buf, dtype: int8, data: [1]}], expect: {0: [1, 2]}",
            "launches[0].expect[0]: has 2 elements, argument 0 has 1",
        ),
        (
            "args: [{kind: buf, dtype: int8, data: [1]}], expect: {0: [200]}",
            "launches[0].expect[0][0]: 200 does not fit int8",
        ),
        (
            "args: [{kind: buf, dtype: int8, data: [1]}], unspecified: {0: [1]}",
            "launches[0].unspecified[0]: there is no element 1",
        ),
        ("fault: boom", "launches[0].fault: input should be 'illegal'"),
        ("verdict: PASS", "launches[0].verdict: input should be 'ORDER_DEPENDENT'"),
        ("fault: trap, verdict: UNDEFINED", "launches[0].verdict: a launch declares a fault or a verdict"),
        ("fault: trap, expect: {}", "launches[0].expect: there are no values after a declared fault"),
        ("expect: {x: [1]}", "launches[0].expect[x]: 'x' is not an argument index"),
    ],
)
def test_a_broken_launch_names_the_place(fields: str, message: str, tmp_path: Path) -> None:
    path = launch(fields, tmp_path)
    with pytest.raises(CaseError) as caught:
        read_case(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: {message}"), text
    assert "\n" not in text


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("launches: []", "launches: list should have at least 1 item"),
        ("description: x", "launches: field required"),
        ("descripton: x\nlaunches: [{}]", "descripton: unknown key; did you mean 'description'?"),
        ("a: [1", "line 3: front matter is not YAML"),
        ("launches: [{}]\nid: a\nid: b", "line 4: front matter is not YAML: key 'id' is there twice"),
        ("- 1", "holds list, not a mapping"),
    ],
)
def test_broken_front_matter(body: str, message: str, tmp_path: Path) -> None:
    path = front(body, tmp_path)
    with pytest.raises(CaseError) as caught:
        read_case(path)
    assert str(caught.value).startswith(f"{path}: {message}"), caught.value


def test_front_matter_not_closed_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("/*---\nlaunches: [{}]\n")
    with pytest.raises(CaseError, match="not closed"):
        read_case(path)
    path.write_text(KERNEL)
    with pytest.raises(CaseError, match=r"no front matter .* and no k\.json beside it"):
        read_case(path)
    path.write_bytes(b"/*---\xff")
    with pytest.raises(CaseError, match="not UTF-8"):
        read_case(path)
    with pytest.raises(CaseError, match=r"is not a \.cu"):
        read_case(tmp_path / "k.txt")
    with pytest.raises(CaseError, match="cannot be read"):
        read_case(tmp_path / "none.ptx")


def test_json_beside_a_kernel(tmp_path: Path) -> None:
    raw = {
        "kernel": "k",
        "grid": [1, 1, 1],
        "block": [4, 1, 1],
        "smem": 0,
        "args": [{"kind": "buf", "dtype": "int32", "data": [1]}],
        "expect": {"0": [2]},
        "expect_error": "prose",
        "error_stage": "x",
        "features": ["f"],
        "source": {"ref": "https://example.org"},
        "undefined": False,
        "memory_words": 1,
        "may_need_more": [],
        "can_hang_a_gpu": False,
        "compiles": True,
        "notes": "n",
    }
    case = read_case(beside(raw, tmp_path))
    assert case.id == f"{tmp_path.name}/k"
    assert (case.text, case.reference) == (KERNEL, "https://example.org")
    assert case.launches[0].expect == {0: (2,)}
    assert case.launches[0].fault is None  # expect_error is prose


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("{", "line 1: is not JSON"),
        ('{"kernel": "k", "kernel": "k"}', "is not JSON: key 'kernel' is there twice"),
        ([], "holds list, not a mapping"),
        ({"kernl": "k"}, "kernl: unknown key; did you mean 'kernel'?"),
        (
            {"kernel": "k", "args": [{"kind": "buf", "dtype": "float64", "data": [0.5]}]},
            "args[0].dtype: 'float64' of argument 0 (in) is not supported",
        ),
        (
            {"kernel": "k", "args": [{"kind": "i32", "value": "1"}]},
            "args[0].value: input should be a valid integer (got '1')",
        ),
    ],
)
def test_broken_json(raw: object, message: str, tmp_path: Path) -> None:
    path = beside(raw, tmp_path)
    with pytest.raises(CaseError) as caught:
        read_case(path)
    assert str(caught.value).startswith(f"{path}: {message}"), caught.value


def test_json_needs_exactly_one_kernel(tmp_path: Path) -> None:
    path = tmp_path / "k.json"
    path.write_text("{}")
    with pytest.raises(CaseError, match=r"there is no k\.cu or k\.ptx beside it"):
        read_case(path)
    (tmp_path / "k.cu").write_text(KERNEL)
    (tmp_path / "k.ptx").write_text("")
    with pytest.raises(CaseError, match="both"):
        read_case(path)


def test_discovery_takes_paths_ids_and_areas(twice: Path, tmp_path: Path) -> None:
    root = tmp_path / "kernels"
    (root / "notes.json").write_text('{"x": 1}')  # none of our business
    (root / "arithmetic" / ".hidden.cu").write_text(KERNEL)
    for arguments in ([], ["arithmetic/twice"], ["arithmetic"], [str(twice)], [str(twice), "arithmetic"]):
        found = discover(arguments, root)
        assert [case.id for case in found.cases] == ["arithmetic/twice"], arguments
        assert not found.broken
    with pytest.raises(CaseError, match="did you mean arithmetic/twice"):
        discover(["arithmetic/twise"], root)


def test_a_broken_case_is_a_row_and_the_others_stay(twice: Path, tmp_path: Path) -> None:
    (twice.parent / "bad.cu").write_text(KERNEL)
    (tmp_path / "kernels" / "lost.json").write_text('{"kernel": "k", "args": []}')
    found = discover([str(tmp_path)])
    assert [case.id for case in found.cases] == ["arithmetic/twice"]
    assert sorted(case.id for case in found.broken) == ["arithmetic/bad", "kernels/lost"]


def test_ids_are_unique_and_the_hash_depends_on_content(twice: Path, tmp_path: Path) -> None:
    before = discover([str(tmp_path)]).sha256()
    again = tmp_path / "other" / "arithmetic" / "twice.ptx"
    again.parent.mkdir(parents=True)
    again.write_text(twice.read_text())
    found = discover([str(tmp_path)])
    assert len({case.id for case in found.cases}) == 2
    assert found.sha256() != before
    named = twice.read_text().replace("description:", "id: same/one\ndescription:")
    twice.write_text(named)
    again.write_text(named)
    found = discover([str(tmp_path)])
    assert len(found.cases) == 1
    assert "'same/one' is already used by" in found.broken[0].error


def test_a_kernel_without_front_matter_stands_for_its_json(tmp_path: Path) -> None:
    path = beside({"kernel": "k"}, tmp_path)
    assert [case.file for case in discover([str(tmp_path / "k.cu")]).cases] == [str(path)]
    assert not is_case_file(tmp_path / "k.cu")
    assert is_case_file(path)


@pytest.mark.parametrize(
    ("text", "kernel", "index", "name"),
    [
        (KERNEL, "k", 2, "n"),
        (KERNEL, "", 0, "in"),
        (KERNEL, "k", 3, ""),
        (KERNEL, "other", 0, ""),
        (".visible .entry k(\n .param .u64 k_param_0,\n .param .u32 size\n)", "k", 1, "size"),
    ],
)
def test_parameter_names(text: str, kernel: str, index: int, name: str) -> None:
    assert parameter_name(text, kernel, index) == name


def test_the_corpus_of_a_checkout_is_found_and_named_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checkout = Path(__file__).resolve().parents[2]
    monkeypatch.chdir(checkout)
    assert corpus_root() == Path("kernels")
    monkeypatch.chdir(checkout / "tests")
    assert corpus_root() == checkout / "kernels"
    found = discover()
    assert len(found.cases) >= 150
    assert not found.broken
