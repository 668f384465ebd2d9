"""Meta-tests: legs with planted errors must be blamed, and nothing else."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from conftest import Runner

from conformance.runner.execute import rulings_of
from conformance.verdicts import Verdict, exit_code
from conformance.waivers import Waiver

NAMES = ("ptx", "reference", "native")


def legs(*planted: str, more: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The good legs with some replaced by ``NAME__PLANT``."""
    by_name = {name.partition("__")[0]: name for name in planted}
    for alias, name in (("ptx4", "ptx"), ("ptx32", "ptx"), ("wide", "reference")):
        if alias in by_name:
            by_name[name] = by_name[alias]
    return (*(by_name.get(name, f"good_{name}") for name in NAMES), *more, "expected")


def leg_verdicts(record: dict[str, Any]) -> dict[str, str]:
    return {key: entry["verdict"] for key, entry in record["launches"][0]["legs"].items()}


def first(record: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = record["launches"][0]["differences"][0]
    return found


def code(record: dict[str, Any]) -> int:
    return exit_code(rulings_of(record))


def test_good_legs_pass_and_everything_is_counted(run_on: Runner) -> None:
    record = run_on()
    assert (record["verdict"], record["ok"], code(record)) == ("PASS", True, 0)
    assert leg_verdicts(record) == {
        "expected": "PASS",
        "ptx": "PASS",
        "ptx@4": "PASS",
        "native": "PASS",
        "reference-seed": "PASS",
    }
    compared = {(c["a"], c["b"]): c for c in record["launches"][0]["comparisons"]}
    assert compared["ptx", "native"] == {
        "a": "ptx",
        "b": "native",
        "memory": {"compared": 8, "total": 8, "agree": True},
    }
    events = compared["ptx@4", "reference-seed"]
    assert events["registers"] == {"compared": 32, "total": 32, "excluded": {}, "agree": True}
    assert events["trace"] == {"compared": 12, "total": 12, "excluded": {}, "agree": True}
    assert events["definitions32"]["compared"] == 3
    assert "differences" not in record["launches"][0]


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_word_in_memory_is_blamed_on_its_leg(run_on: Runner, name: str) -> None:
    record = run_on(*legs(f"{name}__memory"))
    key = "reference-seed" if name == "reference" else name
    assert (record["verdict"], record["blame"], code(record)) == ("FAIL", [key], 1)
    found = first(record)
    assert (found["kind"], found["leg"], found["argument"], found["index"]) == ("memory", key, 1, 2)
    assert (found["got"], found["want"]) == ("7", "6")
    verdicts = leg_verdicts(record)
    assert verdicts.pop(key) == "FAIL"
    assert "FAIL" not in verdicts.values()


def test_a_flipped_word_of_expect_is_blamed_on_the_stated_values(run_on: Runner) -> None:
    record = run_on(replace=("1: [2, 4, 6, 8]", "1: [2, 4, 7, 8]"))
    assert (record["verdict"], record["blame"]) == ("FAIL", ["expected"])
    found = first(record)
    assert (found["argument"], found["index"], found["got"], found["want"]) == (1, 2, "7", "6")
    assert found["text"] == "buffer of argument 1 at index 2: expected got 7, ptx wants 6"


def test_a_buffer_that_is_not_named_must_stay_as_it_was(run_on: Runner) -> None:
    record = run_on(replace=("      1: [2, 4, 6, 8]\n", "      0: [1, 2, 3, 4]\n"))
    assert record["blame"] == ["expected"]
    assert first(record)["argument"] == 1


def test_expect_against_one_leg_blames_nobody(run_on: Runner) -> None:
    record = run_on("ptx__memory", "expected")
    assert (record["verdict"], record["blame"], code(record)) == ("DIFFER", ["expected", "ptx"], 1)
    assert (first(record)["got"], first(record)["want"]) == ("7", "6")


@pytest.mark.parametrize(
    ("plant", "kind", "instr", "got", "want"),
    [
        ("register", "register", 6, "7 (0x7)", "6 (0x6)"),
        ("missing_register", "register", 6, "no event", "6 (0x6)"),
        ("extra_register", "register", 11, "5 (0x5)", "no event"),
        (
            "missing_store",
            "trace",
            8,
            "barrier bar 0 (instruction 9)",
            "store global:4 6 at 0x40000018 (instruction 8)",
        ),
        (
            "swapped",
            "trace",
            8,
            "barrier bar 0 (instruction 9)",
            "store global:4 6 at 0x40000018 (instruction 8)",
        ),
        ("extra_store", "trace", 10, "store global:4 6 at 0x40000018 (instruction 10)", "no event"),
    ],
)
def test_a_wrong_event_is_named_and_blamed_where_a_majority_can_tell(
    run_on: Runner, plant: str, kind: str, instr: int, got: str, want: str
) -> None:
    """Two legs with registers cannot blame each other; a third one names who is alone."""
    two = run_on(*legs(f"reference__{plant}"))
    assert (two["verdict"], two["blame"]) == ("DIFFER", ["ptx@4", "reference-seed"])
    three = run_on(*legs(f"reference__{plant}", more=("machine__none",)))
    assert (three["verdict"], three["blame"], code(three)) == ("FAIL", ["reference-seed"], 1)
    for record in (two, three):
        found = first(record)
        assert (found["kind"], found["instr"], found["leg"], found["thread"]) == (
            kind,
            instr,
            "reference-seed",
            2,
        )
        assert (found["got"], found["want"]) == (got, want)
        assert found["tid"] == (2, 0, 0)
        assert found["ptx_line"] == {6: 33, 8: 36, 10: 38, 11: 39}[instr]
    assert leg_verdicts(three)["reference-seed"] == "FAIL"
    assert leg_verdicts(three)["machine"] == "PASS"


def test_a_wrong_register_of_the_ptx_leg_is_blamed_on_it(run_on: Runner) -> None:
    record = run_on(*legs("ptx__register", more=("machine__none",)))
    assert (record["verdict"], record["blame"]) == ("FAIL", ["ptx@4"])
    assert (first(record)["leg"], first(record)["got"], first(record)["want"]) == (
        "ptx@4",
        "7 (0x7)",
        "6 (0x6)",
    )


def test_the_deepest_difference_comes_first(run_on: Runner) -> None:
    record = run_on(*legs("reference__register_and_memory"))
    assert (record["verdict"], record["blame"]) == ("FAIL", ["reference-seed"])
    kinds = [d["kind"] for d in record["launches"][0]["differences"]]
    assert kinds == ["register", "memory"]


def test_one_spec_alone_is_blamed_against_the_other(run_on: Runner) -> None:
    record = run_on(*legs("wide__memory"), specs=("seed", "wide"))
    assert (record["verdict"], record["blame"]) == ("FAIL", ["reference-wide"])
    record = run_on("good_ptx", "wide__register", specs=("seed", "wide"))
    assert (record["verdict"], record["blame"]) == ("FAIL", ["reference-wide"])


def test_without_events_registers_are_not_compared(run_on: Runner) -> None:
    record = run_on(*legs("reference__register"), events=False)
    assert record["verdict"] == "PASS"
    assert all("registers" not in c for c in record["launches"][0]["comparisons"])


def test_an_order_dependent_register_is_left_out_and_counted(run_on: Runner) -> None:
    record = run_on("ptx__unstable_register", "reference__register", "expected")
    assert record["verdict"] == "PASS"
    events = next(c for c in record["launches"][0]["comparisons"] if "registers" in c)
    assert events["registers"]["excluded"] == {"order dependent": 4}


# --------------------------------------------------------------------------------------------------
# What the survey finds


def test_order_dependence_is_found_and_nothing_is_compared(run_on: Runner) -> None:
    record = run_on(*legs("ptx__order", "reference__memory"))
    assert (record["verdict"], code(record)) == ("ORDER_DEPENDENT", 2)
    assert "argument 1 at index 2 changes from 6 to 7" in record["reason"]
    assert leg_verdicts(record)["reference-seed"] == "UNSUPPORTED"
    assert not record["launches"][0]["comparisons"]


def test_warp_size_dependence_is_compared_among_wide_warps_only(run_on: Runner) -> None:
    record = run_on(*legs("ptx4__memory", "reference__memory"))
    assert (record["verdict"], record["ok"], code(record)) == ("WARP_SIZE_DEPENDENT", True, 0)
    verdicts = leg_verdicts(record)
    assert verdicts["reference-seed"] == "WARP_SIZE_DEPENDENT"
    assert verdicts["native"] == verdicts["ptx"] == verdicts["expected"] == "PASS"
    assert record["launches"][0]["legs"]["reference-seed"]["ran"] is False
    wrong = run_on(*legs("ptx4__memory", "native__memory"))
    assert (wrong["verdict"], wrong["blame"], code(wrong)) == ("FAIL", ["native"], 1)
    alone = run_on("ptx4__memory", "good_reference")
    assert (alone["verdict"], code(alone)) == ("UNCOMPARED", 2)


@pytest.mark.parametrize("kind", ["race", "uninitialised", "divergent_barrier"])
def test_an_undefined_launch_is_not_compared(run_on: Runner, kind: str) -> None:
    record = run_on(*legs(f"ptx__finding_at_{kind}", "native__memory"))
    assert (record["verdict"], code(record)) == ("UNDEFINED", 2)
    assert record["reason"] == f"{kind}: thread 0, PTX line 31"
    assert record["launches"][0]["findings"][0]["kind"] == kind
    assert record["launches"][0]["legs"]["native"]["ran"] is False


def test_unspecified_values_never_vote(run_on: Runner) -> None:
    plant = "ptx__finding_at_unspecified"
    agreed = run_on(*legs(plant, "reference__register"))
    assert agreed["verdict"] == "PASS"
    events = next(c for c in agreed["launches"][0]["comparisons"] if "registers" in c)
    assert (events["registers"]["compared"], events["registers"]["agree"]) == (0, None)
    differ = run_on(*legs(plant, "reference__memory"))
    assert differ["verdict"] == "UNDEFINED"
    declared = run_on(
        *legs(plant, "reference__memory"), replace=("    expect:", "    unspecified: {1: [2]}\n    expect:")
    )
    assert declared["verdict"] == "PASS"
    assert declared["launches"][0]["unspecified"]["reference-seed"] == {"1": {"2": 7}}
    memory = declared["launches"][0]["comparisons"][0]["memory"]
    assert (memory["compared"], memory["total"]) == (7, 8)


@pytest.mark.parametrize(
    ("declared", "plant", "verdict", "exit_"),
    [
        ("ORDER_DEPENDENT", "ptx__order", "ORDER_DEPENDENT", 0),
        ("WARP_SIZE_DEPENDENT", "ptx4__memory", "WARP_SIZE_DEPENDENT", 0),
        ("UNDEFINED", "ptx__finding_at_race", "UNDEFINED", 0),
        ("ORDER_DEPENDENT", "ptx__none", "FAIL", 1),
        ("UNDEFINED", "ptx__order", "FAIL", 1),
        ("UNDEFINED", "ptx__raise", "HARNESS_ERROR", 2),
    ],
)
def test_declared_verdicts(run_on: Runner, declared: str, plant: str, verdict: str, exit_: int) -> None:
    record = run_on(*legs(plant), replace=("    expect:", f"    verdict: {declared}\n    expect:"))
    assert (record["verdict"], code(record)) == (verdict, exit_)
    if verdict == "FAIL":
        assert record["blame"] == ["expected"]
        assert record["reason"].startswith(f"the case declares {declared}, found: ")


DECLARE = ("    expect:\n      1: [2, 4, 6, 8]\n", "    fault: {}\n")


def declare(fault: str) -> tuple[str, str]:
    return DECLARE[0], DECLARE[1].format(fault)


def test_a_declared_fault_that_all_report_passes(run_on: Runner) -> None:
    fault = "fault_at_out_of_range"
    record = run_on(*legs(f"ptx__{fault}", f"reference__{fault}"), replace=declare("out_of_range"))
    assert (record["verdict"], code(record)) == ("PASS", 0)
    assert leg_verdicts(record)["native"] == "UNSUPPORTED"  # only defined launches run as host code
    assert record["launches"][0]["legs"]["ptx"]["fault"]["kind"] == "out_of_range"


@pytest.mark.parametrize(
    ("ptx", "reference", "blame"),
    [
        ("none", "none", ["expected"]),  # declared but not found
        ("fault_at_trap", "fault_at_out_of_range", ["ptx"]),
        ("fault_at_out_of_range", "none", ["reference-seed"]),
    ],
)
def test_a_declared_fault_that_is_not_found_fails(
    run_on: Runner, ptx: str, reference: str, blame: list[str]
) -> None:
    record = run_on(f"ptx__{ptx}", f"reference__{reference}", "expected", replace=declare("out_of_range"))
    assert (record["verdict"], record["blame"], code(record)) == ("FAIL", blame, 1)


def test_a_fault_that_is_not_declared_is_bad_input(run_on: Runner) -> None:
    fault = "fault_at_out_of_range"
    record = run_on(f"ptx__{fault}", f"reference__{fault}", "good_native")
    assert (record["verdict"], code(record)) == ("FAULT", 2)
    alone = run_on(*legs(f"reference__{fault}"))
    assert (alone["verdict"], alone["blame"]) == ("FAIL", ["reference-seed"])
    place = first(alone)
    assert (place["kind"], place["thread"], place["ptx_line"]) == ("outcome", 3, 36)


def test_stated_values_have_no_vote_if_every_leg_faults(run_on: Runner) -> None:
    fault = "fault_at_out_of_range"
    record = run_on(f"ptx__{fault}", f"reference__{fault}", "expected")
    assert (record["verdict"], code(record)) == ("FAULT", 2)
    record = run_on(f"ptx__{fault}", "expected")
    assert (record["verdict"], code(record)) == ("FAULT", 2)
    record = run_on("ptx__timeout", "reference__timeout", "expected")
    assert (record["verdict"], code(record)) == ("TIMEOUT", 2)


def test_timeouts(run_on: Runner) -> None:
    record = run_on("ptx__timeout", "reference__timeout")
    assert (record["verdict"], code(record)) == ("TIMEOUT", 2)
    record = run_on("ptx__timeout", "reference__timeout", "expected", replace=declare("timeout"))
    assert record["verdict"] == "PASS"


# --------------------------------------------------------------------------------------------------
# Legs that break or refuse


def test_a_leg_that_raises_costs_its_own_verdict_only(run_on: Runner) -> None:
    record = run_on(*legs("native__raise"))
    assert (record["verdict"], code(record)) == ("HARNESS_ERROR", 2)
    assert record["reason"].startswith("native: ZeroDivisionError: planted (conformance_fakes.py:")
    assert leg_verdicts(record)["reference-seed"] == "PASS"


@pytest.mark.parametrize(
    ("plant", "verdict", "reason", "exit_"),
    [
        ("idle", "HARNESS_ERROR", "native: reports success with 0 instructions executed", 2),
        ("shape", "HARNESS_ERROR", "native: reports 1 buffers for 2 arguments", 2),
        ("guard", "GUARD_TRIPPED", "native: the interpreter was called", 1),
        ("lost", "DEVICE_LOST", "native: the device fell off the bus", 2),
        ("bad_input", "BAD_INPUT", "native: kernel takes 3 arguments, 2 were given", 2),
    ],
)
def test_broken_answers(run_on: Runner, plant: str, verdict: str, reason: str, exit_: int) -> None:
    record = run_on(*legs(f"native__{plant}"))
    assert (record["verdict"], record["reason"], code(record)) == (verdict, reason, exit_)


def test_a_broken_leg_cannot_be_waived_or_declared_away(run_on: Runner) -> None:
    waivers = tuple(
        Waiver("*", leg, "https://example.org", datetime.date.max, "known") for leg in ("native", "reference")
    )
    for plant in ("raise", "guard"):
        assert run_on(*legs(f"native__{plant}"), waivers=waivers)["ok"] is False
    record = run_on(*legs("native__memory"), waivers=waivers)
    assert (record["verdict"], record["url"], code(record)) == ("WAIVED", "https://example.org", 0)


def test_a_leg_that_refuses_is_counted_and_not_fatal(run_on: Runner) -> None:
    record = run_on(*legs("reference__unsupported"))
    assert (record["verdict"], code(record)) == ("PASS", 0)
    assert leg_verdicts(record)["reference-seed"] == "UNSUPPORTED"


def test_nothing_executed_or_compared_is_an_error(run_on: Runner) -> None:
    none = run_on("ptx__unsupported", "reference__unsupported", "expected")
    assert (none["verdict"], code(none)) == ("UNSUPPORTED", 2)
    one = run_on("good_ptx", "reference__unsupported")
    assert (one["verdict"], code(one)) == ("UNCOMPARED", 2)
    assert "reference-seed: add.s32 is not supported" in one["reason"]


def test_native_runs_only_what_ptx_found_defined(run_on: Runner) -> None:
    record = run_on(*legs("ptx__unsupported", "native__memory"))
    entry = record["launches"][0]["legs"]["native"]
    assert (entry["verdict"], entry["ran"]) == ("UNSUPPORTED", False)
    assert "the ptx leg ended with unsupported" in entry["reason"]


def test_a_product_that_cannot_be_told_does_not_break_the_run(run_on: Runner) -> None:
    record = run_on(*legs("native__product"))
    assert record["verdict"] == "PASS"
    assert record["launches"][0]["legs"]["native"]["product"].startswith("native@unknown (OSError")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("  - block: [4]", "  - kernel: thrice\n    block: [4]", "no kernel 'thrice'; the module has: twice"),
        (
            ".visible .entry twice(",
            ".entry a() { ret; }\n.entry twice(",
            "names no kernel and the module has: a, twice",
        ),
        (".visible .entry twice(", ".func twice(", "names no kernel and the module has: none"),
    ],
)
def test_kernels_that_are_not_there(run_on: Runner, old: str, new: str, reason: str) -> None:
    record = run_on(replace=(old, new))
    assert (record["verdict"], code(record)) == ("BAD_INPUT", 2)
    assert reason in record["reason"]


def test_needs_are_checked_against_the_warp_size(run_on: Runner) -> None:
    record = run_on(*legs("reference__memory"), replace=("    expect:", "    needs: [warp32]\n    expect:"))
    assert record["verdict"] == "PASS"
    assert leg_verdicts(record)["reference-seed"] == "UNSUPPORTED"


def test_every_verdict_in_a_record_is_of_the_closed_set(run_on: Runner) -> None:
    for plant in ("none", "memory", "raise", "unsupported", "guard", "lost"):
        record = run_on(*legs(f"native__{plant}"))
        for verdict in (record["verdict"], *leg_verdicts(record).values()):
            assert Verdict(verdict)
