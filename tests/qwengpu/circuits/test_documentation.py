"""The language page's example runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path


def test_the_example_runs():
    page = Path(__file__).parents[3] / "docs" / "circuits.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    assert len(blocks) == 2
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    assert names["compiled"].certificate.dtypes["float32"] == "exact"
