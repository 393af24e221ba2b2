"""Safari: the database `History.db`, one for each profile. macOS gives it only to apps with Full Disk Access.

Times are seconds since 2001, with a fraction. The title stands with the visit; `origin` is 0 for this
device; a visit that was sent on names its destination.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field

from collectors.browser.browsers import Browser, safari_browsers
from collectors.browser.download import Download
from collectors.browser.history import Format, Found, Histories
from collectors.browser.progress import Moment, Stretch
from collectors.browser.values import columns, text
from collectors.browser.visit import Visit

SINCE_2001_S = 978_307_200


class SafariFormat:
    """Visits in Safari's schema."""

    file = "History.db"

    def newest(self, history: sqlite3.Connection) -> Moment | None:
        row = history.execute(
            "SELECT visit_time, id FROM history_visits WHERE visit_time < 1e11 "
            "ORDER BY visit_time DESC, id DESC LIMIT 1"
        ).fetchone()
        return None if row is None else (_microseconds(row["visit_time"]), row["id"])

    def earliest_since(self, history: sqlite3.Connection, id: int) -> int | None:
        row = history.execute(
            "SELECT min(visit_time) AS at FROM history_visits WHERE id > ?", (id,)
        ).fetchone()
        return (
            _microseconds(row["at"]) if isinstance(row["at"], int | float) and abs(row["at"]) < 1e11 else None
        )

    def visits(self, history: sqlite3.Connection, stretch: Stretch, limit: int) -> Iterator[Found]:
        before, id = stretch.before
        values = {
            "after": _seconds(stretch.after),
            "until": _seconds(before) + 0.000_001,
            "before": before - SINCE_2001_S * 1_000_000,
            "id": id,
            "limit": limit,
        }
        for row in history.execute(_query(history), values):
            yield (_microseconds(row["visit_time"]), row["id"]), _visit(row)

    def downloads(self, history: sqlite3.Connection, after: int, limit: int) -> Iterator[Download | None]:
        """They stand in another file, without the page they came from."""
        return iter(())


@dataclass(kw_only=True)
class Safari(Histories):
    """Every page seen, in every profile."""

    source: str = field(default="safari", init=False)
    format: Format = field(default_factory=SafariFormat, init=False)
    browsers: tuple[Browser, ...] = field(default_factory=safari_browsers)


def _query(history: sqlite3.Connection) -> str:
    known = columns(history, "history_visits")
    seen = [
        condition
        for column, condition in (
            ("redirect_destination", "v.redirect_destination IS NULL"),
            ("origin", "coalesce(v.origin, 0) = 0"),
            ("synthesized", "coalesce(v.synthesized, 0) = 0"),
            ("load_successful", "coalesce(v.load_successful, 1) != 0"),
        )
        if column in known
    ]
    conditions = "".join(f" AND {condition}" for condition in seen)
    return f"""
        SELECT v.id, v.visit_time, v.title, i.url
        FROM history_visits v JOIN history_items i ON i.id = v.history_item
        WHERE v.visit_time > :after AND v.visit_time < :until
            AND (CAST(round(v.visit_time * 1000000) AS INTEGER), v.id) < (:before, :id){conditions}
        ORDER BY v.visit_time DESC, v.id DESC LIMIT :limit"""


def _visit(row: sqlite3.Row) -> Visit | None:
    try:
        at = _microseconds(row["visit_time"])
        return Visit(id=row["id"], at=at, url=text(row["url"]), title=text(row["title"]), transition="other")
    except ValueError:
        return None


def _microseconds(seconds: float) -> int:
    return round(seconds * 1_000_000) + SINCE_2001_S * 1_000_000


def _seconds(microseconds: int) -> float:
    return microseconds / 1_000_000 - SINCE_2001_S
