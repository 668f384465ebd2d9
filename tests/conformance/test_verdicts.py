"""The closed set, votes, exit codes, waivers."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from conformance.verdicts import Ruling, Verdict, Voter, exit_code, grouped, rule, worst
from conformance.waivers import Waiver, WaiverError, read_waivers, waive


def v(key: str) -> Voter:
    """``reference-seed`` and ``reference-wide`` are one family; ``ptx+nvrtc`` is ptx by another compiler."""
    base, _, compiler = key.partition("+")
    implementation = "" if base == "expected" else base
    return Voter(key, base.partition("-")[0], compiler or "clang", implementation)


def vote(*groups: str) -> str:
    return str(rule([[v(key) for key in group.split()] for group in groups]))


@pytest.mark.parametrize(
    ("groups", "verdict"),
    [
        ((), "UNCOMPARED(no leg ran)"),
        (("ptx",), "UNCOMPARED(only ptx ran: nothing to compare with)"),
        (
            ("reference-seed reference-wide",),
            "UNCOMPARED(only reference-seed, reference-wide ran: nothing to compare with)",
        ),
        (("ptx reference-seed",), "PASS"),
        (("ptx expected",), "PASS"),
        # Two legs alone cannot blame each other, stated values included.
        (("ptx", "reference-seed"), "DIFFER(ptx, reference-seed)"),
        (("expected", "ptx"), "DIFFER(expected, ptx)"),
        # One implementation at two specs counts once.
        (("ptx", "reference-seed reference-wide"), "DIFFER(ptx, reference-seed, reference-wide)"),
        # A majority names who is alone.
        (("ptx native", "reference-seed"), "FAIL(reference-seed)"),
        (("ptx native", "reference-seed reference-wide"), "FAIL(reference-seed, reference-wide)"),
        (("expected reference-seed", "ptx"), "FAIL(ptx)"),
        (("ptx native reference-seed", "expected"), "FAIL(expected)"),
        # A family that disagrees with itself stands on both sides.
        (("ptx reference-seed", "reference-wide"), "FAIL(reference-wide)"),
        (("ptx", "reference-seed", "reference-wide"), "DIFFER(ptx, reference-seed, reference-wide)"),
        # No more than half: nobody is blamed.
        (("ptx native", "expected reference-seed"), "DIFFER(ptx, native, expected, reference-seed)"),
        (("ptx native", "reference-seed", "tiny"), "DIFFER(ptx, native, reference-seed, tiny)"),
        (("ptx native expected", "reference-seed", "tiny"), "FAIL(reference-seed, tiny)"),
        # One implementation over two toolchains: the toolchain is in doubt, whatever the majority says.
        (("ptx native expected", "ptx+nvrtc"), "ORACLE_SPLIT(ptx, ptx+nvrtc)"),
        (("hardware expected", "hardware+O3 weights"), "ORACLE_SPLIT(hardware, hardware+O3)"),
    ],
)
def test_votes(groups: tuple[str, ...], verdict: str) -> None:
    assert vote(*groups) == verdict


def test_grouping_uses_the_first_of_a_group() -> None:
    assert grouped([1, 2, 11, 12], lambda a, b: a % 10 == b % 10) == [[1, 11], [2, 12]]


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([], 2),
        (["PASS"], 0),
        (["PASS", "WAIVED", "WARP_SIZE_DEPENDENT"], 0),
        (["PASS", "FAIL"], 1),
        (["BAD_INPUT", "DIFFER"], 1),
        (["ORACLE_SPLIT"], 1),
        (["GUARD_TRIPPED"], 1),
        *[
            (["PASS", word], 2)
            for word in (
                "BAD_INPUT",
                "UNCOMPARED",
                "UNSUPPORTED",
                "FAULT",
                "TIMEOUT",
                "UNDEFINED",
                "ORDER_DEPENDENT",
                "HARNESS_ERROR",
                "DEVICE_LOST",
            )
        ],
    ],
)
def test_exit_codes(verdicts: list[str], code: int) -> None:
    assert exit_code([Ruling(Verdict(word)) for word in verdicts]) == code


def test_declared_verdicts_are_fine() -> None:
    declared = Ruling(Verdict.ORDER_DEPENDENT, declared=True)
    assert exit_code([declared]) == 0
    assert exit_code([Ruling(Verdict.ORDER_DEPENDENT)]) == 2


def test_the_worst_ruling_stands_for_all() -> None:
    ok, declared, bad = (
        Ruling(Verdict.PASS),
        Ruling(Verdict.UNDEFINED, declared=True),
        Ruling(Verdict.UNCOMPARED),
    )
    assert worst([ok, declared]) is declared
    assert worst([declared, bad, ok]) is bad
    assert worst([]).verdict is Verdict.UNCOMPARED


def test_every_verdict_has_a_severity_and_survives_json() -> None:
    for verdict in Verdict:
        ruling = Ruling(verdict, "why", ("ptx",), True, "https://example.org", "2030-01-01")
        assert Ruling.from_json(ruling.to_json()) == ruling
        assert worst([ruling]) is ruling
        assert str(ruling).startswith(verdict.value)
    assert str(Ruling(Verdict.WAIVED, "r", url="u", expires="d")) == "WAIVED(u, d)"
    assert Ruling(Verdict.PASS).to_json() == {"verdict": "PASS"}


# --------------------------------------------------------------------------------------------------

TODAY = datetime.date(2026, 12, 1)


def waiver(leg: str = "tiny", case: str = "a/*", expires: datetime.date = TODAY) -> Waiver:
    return Waiver(case, leg, "https://example.org/1", expires, "known")


def fail(*legs: str) -> Ruling:
    return Ruling(Verdict.FAIL, "against ptx", legs)


def test_a_waiver_covers_its_case_and_leg() -> None:
    found = waive("a/b", fail("tiny"), [waiver()], TODAY)
    assert str(found) == "WAIVED(https://example.org/1, 2026-12-01)"
    assert found.reason == "FAIL(tiny): known"
    assert waive("a/b", fail("reference-seed"), [waiver("reference")], TODAY).verdict is Verdict.WAIVED


@pytest.mark.parametrize(
    ("case", "ruling", "one"),
    [
        ("b/b", fail("tiny"), waiver()),  # another case
        ("a/b", fail("ptx"), waiver()),  # another leg
        ("a/b", fail("tiny", "ptx"), waiver()),  # only one of two
        ("a/b", fail("tiny"), waiver(expires=TODAY - datetime.timedelta(days=1))),  # expired
        ("a/b", Ruling(Verdict.HARNESS_ERROR, "x", ("tiny",)), waiver()),
        ("a/b", Ruling(Verdict.GUARD_TRIPPED, "x", ("tiny",)), waiver()),
        ("a/b", Ruling(Verdict.PASS), waiver()),
    ],
)
def test_what_a_waiver_does_not_cover(case: str, ruling: Ruling, one: Waiver) -> None:
    assert waive(case, ruling, [one], TODAY) is ruling


def test_a_waiver_for_one_side_covers_a_difference_without_majority() -> None:
    differ = Ruling(Verdict.DIFFER, "x", ("ptx", "tiny"))
    assert waive("a/b", differ, [waiver()], TODAY).verdict is Verdict.WAIVED
    assert waive("a/b", differ, [waiver("other")], TODAY) is differ


def test_waiver_files(tmp_path: Path) -> None:
    path = tmp_path / "w.yaml"
    entry = "{case: a, leg: b, url: 'https://example.org', expires: 2030-01-02, reason: r}"
    path.write_text(f"- {entry}")
    assert read_waivers(path)[0].expires == datetime.date(2030, 1, 2)
    as_json = tmp_path / "w.json"
    as_json.write_text(
        '[{"case": "a", "leg": "b", "url": "https://e.org", "expires": "2030-01-02", "reason": "r"}]'
    )
    assert read_waivers(as_json)[0].leg == "b"
    for text, message in (
        ("a: 1", "holds no list"),
        ("- {case: a}", "exactly the keys"),
        (f"- {entry.replace('2030-01-02', 'soon')}", "is not a date"),
        (f"- {entry.replace('https', 'ftp')}", "is not a web address"),
        (f"- {entry.replace('reason: r', 'reason: ')}", "reason: is empty"),
        ("- [", "is not YAML"),
    ):
        path.write_text(text)
        with pytest.raises(WaiverError, match=message):
            read_waivers(path)
    as_json.write_text("[")
    with pytest.raises(WaiverError):
        read_waivers(as_json)
    with pytest.raises(WaiverError, match="cannot be read"):
        read_waivers(tmp_path / "none.yaml")
