"""JUnit XML: a test suite an area, a test case a case and leg."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from conformance.report.matrix import leg_columns
from conformance.report.tables import first_difference
from conformance.verdicts import DISAGREE, Ruling, Verdict

_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]")

_SKIPPED = (Verdict.UNSUPPORTED, Verdict.WARP_SIZE_DEPENDENT, Verdict.WAIVED)


def write_junit(records: Sequence[dict[str, Any]], path: Path) -> None:
    """Write the file; its directory is created."""
    root = ET.Element("testsuites", name="conformance")
    areas: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        areas.setdefault(record["area"], []).append(record)
    for area, members in sorted(areas.items()):
        suite = ET.SubElement(root, "testsuite", name=area)
        for record in members:
            _case(suite, record)
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(attribute, str(len(suite.findall(f"testcase/{tag}"))))
        suite.set("tests", str(len(suite)))
    path.parent.mkdir(parents=True, exist_ok=True)
    ET.indent(root)
    ET.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _case(suite: ET.Element, record: dict[str, Any]) -> None:
    """The case itself as one test, then each leg as one."""
    whole = Ruling.from_json(record)
    detail = first_difference(record) or ""
    _test(suite, record, record["id"], record["seconds"], whole, whole.fine, detail)
    for key, entries in leg_columns(record).items():
        worst = min((Ruling.from_json(e) for e in entries), key=lambda r: r.verdict is Verdict.PASS)
        seconds = sum(entry["seconds"] for entry in entries)
        # What stands against no leg in particular is told once, by the case.
        fine = worst.verdict not in (*DISAGREE, Verdict.HARNESS_ERROR, Verdict.DEVICE_LOST) or whole.fine
        _test(suite, record, f"{record['id']}[{key}]", seconds, worst, fine, detail)


def _test(
    suite: ET.Element,
    record: dict[str, Any],
    name: str,
    seconds: float,
    ruling: Ruling,
    fine: bool,
    detail: str,
) -> None:
    test = ET.SubElement(
        suite, "testcase", name=name, classname=record["area"], file=record["file"], time=f"{seconds:.6f}"
    )
    message = _ILLEGAL.sub("?", str(ruling))
    if not fine:
        tag = "failure" if ruling.verdict in DISAGREE else "error"
        problem = ET.SubElement(test, tag, type=ruling.verdict.value, message=message)
        problem.text = _ILLEGAL.sub("?", "\n".join(part for part in (ruling.reason, detail) if part))
    elif ruling.verdict in _SKIPPED or (ruling.verdict is not Verdict.PASS and not ruling.declared):
        ET.SubElement(test, "skipped", message=message)
