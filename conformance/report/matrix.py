"""The pass matrix: areas by legs; it always shows how much was executed, and refusals apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.verdicts import Verdict

PUBLISHED = "published"
TOTAL = "total"

_REFUSED = (Verdict.UNSUPPORTED.value, Verdict.WARP_SIZE_DEPENDENT.value)
_WRONG = (
    Verdict.FAIL.value,
    Verdict.DIFFER.value,
    Verdict.ORACLE_SPLIT.value,
    Verdict.GUARD_TRIPPED.value,
)


@dataclass
class Cell:
    """Cases of a row on one leg. ``agree`` of ``executed``; the others were refused or broke."""

    cases: int = 0
    executed: int = 0
    agree: int = 0
    wrong: int = 0
    unsupported: int = 0
    other: int = 0

    def to_json(self) -> dict[str, int]:
        """docs/results.md."""
        return dict(vars(self))

    def __str__(self) -> str:
        parts = [f"{self.agree}/{self.executed}"] if self.executed else ["-"]
        for count, word in ((self.wrong, "wrong"), (self.unsupported, "unsup"), (self.other, "other")):
            if count:
                parts.append(f"{count} {word}")
        return " ".join(parts)


@dataclass
class Matrix:
    """Rows by name, in order: areas, ``published`` if there is such a tag, ``total``."""

    legs: list[str]
    products: dict[str, list[str]]
    rows: dict[str, dict[str, Cell]] = field(default_factory=dict)
    sizes: Counter[str] = field(default_factory=Counter)
    verdicts: dict[str, Counter[str]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """docs/results.md."""
        return {
            "legs": self.legs,
            "products": self.products,
            "rows": {
                name: {
                    "cases": self.sizes[name],
                    "verdicts": dict(self.verdicts.get(name, {})),
                    "legs": {leg: cell.to_json() for leg, cell in cells.items()},
                }
                for name, cells in self.rows.items()
            },
        }


def leg_columns(record: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """A case's leg entries over its launches; the ptx leg's other warp sizes are no column."""
    out: dict[str, list[dict[str, Any]]] = {}
    for launch in record["launches"]:
        for key, entry in launch["legs"].items():
            if "@" not in key:
                out.setdefault(key, []).append(entry)
    return out


def build(records: Iterable[dict[str, Any]], order: Sequence[str] = ()) -> Matrix:
    """The matrix of case records; ``order`` is the order of legs that come first."""
    records = list(records)
    products: dict[str, list[str]] = {}
    for record in records:
        for key, entries in leg_columns(record).items():
            known = products.setdefault(key, [])
            known += [p for p in dict.fromkeys(e["product"] for e in entries) if p not in known]
    legs = [key for key in order if key in products] + [key for key in sorted(products) if key not in order]
    matrix = Matrix(legs, products)
    areas = sorted({record["area"] for record in records})
    published = [PUBLISHED] if any(PUBLISHED in record["tags"] for record in records) else []
    for name in [*areas, *published, TOTAL]:
        matrix.rows[name] = {leg: Cell() for leg in legs}
        matrix.verdicts[name] = Counter()
    for record in records:
        names = [record["area"], TOTAL, *([PUBLISHED] if PUBLISHED in record["tags"] else [])]
        for name in names:
            matrix.sizes[name] += 1
            matrix.verdicts[name][record["verdict"]] += 1
            for leg, entries in leg_columns(record).items():
                _count(matrix.rows[name][leg], record, entries)
    return matrix


def _count(cell: Cell, record: dict[str, Any], entries: list[dict[str, Any]]) -> None:
    """One case in a cell: by the worst of its launches."""
    verdicts = {entry["verdict"] for entry in entries}
    executed = any(entry["ran"] or entry["leg"] == "expected" for entry in entries)
    fine = (Verdict.PASS.value,)
    cell.cases += 1
    cell.executed += executed
    if verdicts & set(_WRONG):
        cell.wrong += 1
    elif executed and all(v in fine or e.get("declared") for e in entries for v in [e["verdict"]]):
        cell.agree += 1
    elif verdicts <= {*_REFUSED, *fine}:
        cell.unsupported += 1
    else:
        cell.other += 1


def summary(records: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Counts over all comparisons: what was compared of what there was, by kind."""
    kinds: dict[str, dict[str, Any]] = {}
    for record in records:
        for launch in record["launches"]:
            for comparison in launch["comparisons"]:
                pair = f"{comparison['a']} : {comparison['b']}"
                for kind, counts in comparison.items():
                    if kind in ("a", "b"):
                        continue
                    into = kinds.setdefault(pair, {}).setdefault(
                        kind, {"compared": 0, "total": 0, "excluded": Counter()}
                    )
                    into["compared"] += counts["compared"]
                    into["total"] += counts["total"]
                    into["excluded"].update(counts.get("excluded", {}))
    return kinds
