"""Tables and lines for people: rich on a terminal, plain text in a pipe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from conformance.report.matrix import TOTAL, Matrix
from conformance.verdicts import Ruling, Verdict

_COLOURS = {
    Verdict.PASS: "green",
    Verdict.WAIVED: "yellow",
    Verdict.WARP_SIZE_DEPENDENT: "cyan",
    Verdict.UNSUPPORTED: "yellow",
}


def console(stderr: bool = False) -> Console:
    """A console that neither highlights nor reads markup, and never wraps in a pipe."""
    made = Console(stderr=stderr, highlight=False, markup=False, soft_wrap=True)
    return made


def colour(ruling: Ruling) -> str:
    """A style for a ruling."""
    return "green" if ruling.declared else _COLOURS.get(ruling.verdict, "red")


def case_line(record: dict[str, Any]) -> str:
    """One line a case: verdict, id, and the reason if there is something to say."""
    ruling = Ruling.from_json(record)
    line = f"{ruling.verdict.value:<20} {record['id']}"
    if ruling.declared:
        line += " (declared)"
    elif ruling.verdict is not Verdict.PASS:
        names = ", ".join(ruling.blame) if ruling.verdict is Verdict.FAIL else ""
        line += "".join(f": {part}" for part in (names, ruling.reason) if part)
    return line


def differences(record: dict[str, Any]) -> list[str]:
    """The text of each difference, launch by launch, the deepest first."""
    return [
        f"launch {launch['launch']}: {difference['text']}"
        for launch in record["launches"]
        for difference in launch.get("differences", ())
    ]


def first_difference(record: dict[str, Any]) -> str | None:
    """The text of the first difference of the first launch that has one."""
    return next(iter(differences(record)), None)


def rows_of(matrix: Matrix) -> tuple[list[str], list[list[str]]]:
    """Head and rows of the matrix as text."""
    head = ["area", "cases", *matrix.legs]
    rows = [
        [name, str(matrix.sizes[name]), *(str(cells[leg]) for leg in matrix.legs)]
        for name, cells in matrix.rows.items()
    ]
    return head, rows


def print_matrix(matrix: Matrix, out: Console) -> None:
    """The matrix, then what each column is."""
    head, rows = rows_of(matrix)
    if out.is_terminal:
        table = Table(title="agreeing/executed cases", title_justify="left")
        for at, word in enumerate(head):
            table.add_column(word, justify="left" if at == 0 else "right", no_wrap=True)
        for row in rows:
            if row[0] in (TOTAL, "published"):
                table.add_section()
            table.add_row(*row)
        out.print(table)
    else:
        out.print("agreeing/executed cases")
        for line in plain_table(head, rows):
            out.print(line)
    for leg in matrix.legs:
        out.print(f"  {leg}: {', '.join(matrix.products[leg])}")


def plain_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns lined up by spaces: the first to the left, the others to the right."""
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]
    out = []
    for row in [head, *rows]:
        cells = [row[0].ljust(widths[0])]
        cells += [text.rjust(width) for text, width in zip(row[1:], widths[1:], strict=True)]
        out.append("  ".join(cells).rstrip())
    return out


def verdict_counts(records: Iterable[dict[str, Any]]) -> str:
    """``120 PASS, 3 UNSUPPORTED`` in the order of the closed set."""
    counts = Counter(record["verdict"] for record in records)
    return ", ".join(f"{counts[v.value]} {v.value}" for v in Verdict if counts[v.value]) or "no cases"


def print_compared(summary: dict[str, Any], out: Console) -> None:
    """What was compared of what there was, for each pair of legs and each kind."""
    rows = []
    for pair, kinds in sorted(summary.items()):
        for kind, counts in kinds.items():
            excluded = ", ".join(f"{count} {why}" for why, count in sorted(counts["excluded"].items()))
            share = f"{100 * counts['compared'] / counts['total']:.1f}%" if counts["total"] else "-"
            rows.append([pair, kind, str(counts["compared"]), str(counts["total"]), share, excluded])
    if not rows:
        out.print("nothing was compared")
        return
    out.print("compared (registers and traces only where both legs report them)")
    for line in plain_table(["legs", "kind", "compared", "total", "share", "left out"], rows):
        out.print(line)
