"""Known disagreements that do not fail a run: a file of case, leg, url, expiry and reason."""

from __future__ import annotations

import datetime
import fnmatch
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.verdicts import WAIVABLE, Ruling, Verdict

_KEYS = {"case", "leg", "url", "expires", "reason"}


class WaiverError(ValueError):
    """A waiver file that cannot be used: one line."""


@dataclass(frozen=True)
class Waiver:
    """``case`` may hold shell wildcards; ``leg`` is a leg's key (or its name without the spec)."""

    case: str
    leg: str
    url: str
    expires: datetime.date
    reason: str

    def covers(self, case: str, leg: str) -> bool:
        """True for this case and leg, whatever the date."""
        return fnmatch.fnmatchcase(case, self.case) and (
            leg == self.leg or leg.partition("+")[0].startswith(f"{self.leg}-")
        )


def read_waivers(path: Path) -> tuple[Waiver, ...]:
    """The waivers of a YAML or JSON file that holds a list; raises WaiverError."""
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":
            raw = json.loads(text)
        else:
            import yaml  # type: ignore[import-untyped]  # noqa: PLC0415

            raw = yaml.safe_load(text)
    except OSError as error:
        raise WaiverError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise WaiverError(f"{path}: {str(error).splitlines()[0]}") from None
    except yaml.YAMLError as error:
        raise WaiverError(f"{path}: is not YAML: {str(error).splitlines()[0]}") from None
    if not isinstance(raw, list):
        raise WaiverError(f"{path}: holds no list of waivers")
    return tuple(_waiver(entry, f"{path}: [{index}]") for index, entry in enumerate(raw))


def _waiver(entry: Any, where: str) -> Waiver:
    if not isinstance(entry, dict) or entry.keys() != _KEYS:
        raise WaiverError(f"{where}: a waiver has exactly the keys {', '.join(sorted(_KEYS))}")
    expires = entry["expires"]
    if isinstance(expires, str):
        try:
            expires = datetime.date.fromisoformat(expires)
        except ValueError:
            expires = None
    if not isinstance(expires, datetime.date):
        raise WaiverError(f"{where}.expires: {entry['expires']!r} is not a date (YYYY-MM-DD)")
    texts = {key: entry[key] for key in ("case", "leg", "url", "reason")}
    for key, value in texts.items():
        if not isinstance(value, str) or not value.strip():
            raise WaiverError(f"{where}.{key}: is empty")
    if not texts["url"].startswith(("https://", "http://")):
        raise WaiverError(f"{where}.url: {texts['url']!r} is not a web address")
    return Waiver(expires=expires, **texts)


def waive(case: str, ruling: Ruling, waivers: Sequence[Waiver], today: datetime.date) -> Ruling:
    """WAIVED in place of a disagreement if every leg that FAIL names (or one that differs) is covered.

    An expired waiver does not count; a harness error or a tripped guard is never waived.
    """
    if ruling.verdict not in WAIVABLE or not ruling.blame:
        return ruling
    valid = [waiver for waiver in waivers if waiver.expires >= today]
    found = {leg: next((waiver for waiver in valid if waiver.covers(case, leg)), None) for leg in ruling.blame}
    covering = [waiver for waiver in found.values() if waiver]
    enough = all(found.values()) if ruling.verdict is Verdict.FAIL else bool(covering)
    if not enough:
        return ruling
    first = covering[0]
    return Ruling(
        Verdict.WAIVED,
        f"{ruling}: {first.reason}",
        ruling.blame,
        url=first.url,
        expires=first.expires.isoformat(),
    )
