"""Windows that mean that somebody is there without typing, by the patterns of resources/meetings.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from collectors.window.backend import Window


@dataclass(frozen=True, kw_only=True, slots=True)
class Meeting:
    """One program's meetings; no apps: any app, no titles: any title."""

    name: str
    apps: frozenset[str]
    titles: tuple[re.Pattern[str], ...]


def load(path: Path) -> tuple[Meeting, ...]:
    """The meetings that this file describes."""
    described = tomllib.loads(path.read_text(encoding="utf-8"))["meeting"]
    return tuple(
        Meeting(
            name=meeting["name"],
            apps=frozenset(app.casefold() for app in meeting["apps"]),
            titles=tuple(re.compile(title) for title in meeting["titles"]),
        )
        for meeting in described
    )


def is_meeting(window: Window, app: str, meetings: Sequence[Meeting]) -> bool:
    """Whether this window is one."""
    mine = {window.app_id.casefold(), app.casefold()}
    return any(
        (not meeting.apps or not meeting.apps.isdisjoint(mine))
        and (not meeting.titles or any(title.search(window.title) for title in meeting.titles))
        for meeting in meetings
    )
