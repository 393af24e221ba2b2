"""Browser histories for tests, built row by row in the browsers' own schemas."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from collectors.browser.chromium import SINCE_1601_US
from collectors.browser.history import Histories
from collectors.collector import Batch, Cursor
from collectors.event import Event

NOON = 1_786_615_200_000_000
MINUTE = 60_000_000

LINK, TYPED, CHAIN_START, CHAIN_END = 0, 1, 0x10000000, 0x20000000
WHOLE = CHAIN_START | CHAIN_END

CHROMIUM = """
CREATE TABLE urls(id INTEGER PRIMARY KEY AUTOINCREMENT, url LONGVARCHAR, title LONGVARCHAR,
    visit_count INTEGER DEFAULT 0 NOT NULL, typed_count INTEGER DEFAULT 0 NOT NULL,
    last_visit_time INTEGER NOT NULL, hidden INTEGER DEFAULT 0 NOT NULL);
CREATE TABLE visits(id INTEGER PRIMARY KEY AUTOINCREMENT, url INTEGER NOT NULL, visit_time INTEGER NOT NULL,
    from_visit INTEGER, external_referrer_url TEXT, transition INTEGER DEFAULT 0 NOT NULL, segment_id INTEGER,
    visit_duration INTEGER DEFAULT 0 NOT NULL, originator_cache_guid TEXT, app_id TEXT);
CREATE TABLE visit_source(id INTEGER PRIMARY KEY, source INTEGER NOT NULL);
CREATE INDEX visits_time_index ON visits (visit_time);
CREATE INDEX visits_url_index ON visits (url);
CREATE TABLE keyword_search_terms (keyword_id INTEGER NOT NULL, url_id INTEGER NOT NULL,
    term LONGVARCHAR NOT NULL, normalized_term LONGVARCHAR NOT NULL);
CREATE TABLE content_annotations(visit_id INTEGER PRIMARY KEY, search_terms LONGVARCHAR);
CREATE TABLE context_annotations(visit_id INTEGER PRIMARY KEY, total_foreground_duration INTEGER);
"""

# Version 20: no hidden synced visits, no annotations.
OLD_CHROMIUM = """
CREATE TABLE urls(id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR,
    visit_count INTEGER DEFAULT 0 NOT NULL, typed_count INTEGER DEFAULT 0 NOT NULL,
    last_visit_time INTEGER NOT NULL, hidden INTEGER DEFAULT 0 NOT NULL, favicon_id INTEGER DEFAULT 0 NOT NULL);
CREATE TABLE visits(id INTEGER PRIMARY KEY, url INTEGER NOT NULL, visit_time INTEGER NOT NULL,
    from_visit INTEGER, transition INTEGER DEFAULT 0 NOT NULL, segment_id INTEGER, is_indexed BOOLEAN);
"""

FIREFOX = """
CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, rev_host LONGVARCHAR,
    visit_count INTEGER DEFAULT 0, hidden INTEGER DEFAULT 0 NOT NULL, typed INTEGER DEFAULT 0 NOT NULL,
    last_visit_date INTEGER, guid TEXT, origin_id INTEGER);
CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER,
    visit_date INTEGER, visit_type INTEGER, session INTEGER, source INTEGER DEFAULT 0 NOT NULL);
CREATE INDEX moz_historyvisits_dateindex ON moz_historyvisits (visit_date);
CREATE INDEX moz_historyvisits_fromindex ON moz_historyvisits (from_visit);
CREATE INDEX moz_historyvisits_placedateindex ON moz_historyvisits (place_id, visit_date);
"""

METADATA = """
CREATE TABLE moz_places_metadata (id INTEGER PRIMARY KEY, place_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL DEFAULT 0, total_view_time INTEGER NOT NULL DEFAULT 0);
"""


class History:
    """A database that rows are added to; each call is committed at once."""

    def __init__(self, path: Path, schema: str = "") -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA synchronous = OFF")
        self.db.executescript(schema)

    def insert(self, table: str, **values: Any) -> int:
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        cursor = self.db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(values.values()))
        return cursor.lastrowid or 0

    def close(self) -> None:
        self.db.close()


class ChromiumHistory(History):
    """Times are µs since 1970; a page visited again keeps its row."""

    def __init__(self, path: Path, schema: str = CHROMIUM) -> None:
        super().__init__(path, schema)

    def visit(
        self,
        url: str,
        title: str | None = "",
        *,
        at: int = NOON,
        transition: int = LINK | WHOLE,
        hidden: int = 0,
        **more: Any,
    ) -> int:
        moment = at + SINCE_1601_US
        row = self.db.execute("SELECT id FROM urls WHERE url = ?", (url,)).fetchone()
        if row is None:
            page = self.insert("urls", url=url, title=title, last_visit_time=moment, hidden=hidden)
        else:
            page = row[0]
            self.db.execute(
                "UPDATE urls SET title = ?, last_visit_time = max(last_visit_time, ?) WHERE id = ?",
                (title, moment, page),
            )
        return self.insert("visits", url=page, visit_time=moment, transition=transition, **more)


class FirefoxHistory(History):
    def __init__(self, path: Path, schema: str = FIREFOX + METADATA) -> None:
        super().__init__(path, schema)

    def visit(
        self,
        url: str,
        title: str | None = "",
        *,
        at: int = NOON,
        kind: int | None = 1,
        hidden: int = 0,
        **more: Any,
    ) -> int:
        row = self.db.execute("SELECT id FROM moz_places WHERE url = ?", (url,)).fetchone()
        if row is None:
            page = self.insert("moz_places", url=url, title=title, last_visit_date=at, hidden=hidden)
        else:
            page = row[0]
            self.db.execute(
                "UPDATE moz_places SET title = ?, last_visit_date = max(last_visit_date, ?) WHERE id = ?",
                (title, at, page),
            )
        return self.insert("moz_historyvisits", place_id=page, visit_date=at, visit_type=kind, **more)


def read_all(
    source: Histories, cursor: Cursor | None = None
) -> tuple[list[Batch], list[Event], Cursor | None]:
    """Turns at the only place until nothing is left: the batches, their events, where it stopped."""
    (place,) = source.places()
    batches: list[Batch] = []
    while not batches or batches[-1].more:
        batches.append(source.collect(place, cursor))
        cursor = batches[-1].cursor
    return batches, [event for batch in batches for event in batch.events], cursor


def urls(events: Iterable[Event]) -> list[str]:
    return [event.url for event in events]


def titles(events: Iterable[Event]) -> list[str]:
    return [event.title for event in events]
