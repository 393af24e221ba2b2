"""What the demo's person wants to be reminded of."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path

from desktop_memory.demo.weave import ZONE
from desktop_memory.model import PinKind


@dataclass(frozen=True, kw_only=True, slots=True)
class DemoPin:
    kind: PinKind
    text: str
    project: str
    due: datetime | None


def read(path: Path, last: date) -> list[DemoPin]:
    """The pins of this file; each is due so many days after the demo's last day."""
    return [
        DemoPin(
            kind=raw["kind"],
            text=raw["text"],
            project=raw["project"],
            due=datetime.combine(last + timedelta(days=raw["due_in_days"]), time(18), tzinfo=ZONE),
        )
        for raw in tomllib.loads(path.read_text(encoding="utf-8"))["pin"]
    ]
