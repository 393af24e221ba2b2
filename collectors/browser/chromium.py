"""Chrome and its family: the database `History`.

Schema: components/history/core/browser in Chromium's source. Times are microseconds since 1601. A visit
is visible when it ends its chain of redirects and is neither a subframe nor made from a keyword
(visit_database.cc). Columns differ by version and are chosen by name.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field

from collectors.browser.browsers import Browser, chromium_browsers
from collectors.browser.download import Download
from collectors.browser.history import Format, Found, Histories
from collectors.browser.progress import Moment, Stretch
from collectors.browser.values import columns, positive, text, whole
from collectors.browser.visit import Visit

SINCE_1601_US = 11_644_473_600_000_000
CHAIN_END = 0x20000000
CORE = 0xFF
# automatic and manual subframes, and the search page made up for a typed keyword
UNSEEN = "3, 4, 10"
TRANSITIONS = {
    0: "link",
    1: "typed",
    2: "bookmark",
    5: "search",
    6: "start page",
    7: "form",
    8: "reload",
    9: "keyword",
}
COMPLETE = 1
SYNCED_OR_IMPORTED = "0, 3, 4, 5"


class ChromiumFormat:
    """Visits in Chromium's schema, of any version."""

    file = "History"

    def newest(self, history: sqlite3.Connection) -> Moment | None:
        row = history.execute(
            "SELECT visit_time AS at, id FROM visits WHERE typeof(visit_time) = 'integer' "
            "ORDER BY visit_time DESC, id DESC LIMIT 1"
        ).fetchone()
        return None if row is None else (whole(row["at"]) - SINCE_1601_US, whole(row["id"]))

    def earliest_since(self, history: sqlite3.Connection, id: int) -> int | None:
        row = history.execute("SELECT min(visit_time) AS at FROM visits WHERE id > ?", (id,)).fetchone()
        return None if not isinstance(row["at"], int) else row["at"] - SINCE_1601_US

    def visits(self, history: sqlite3.Connection, stretch: Stretch, limit: int) -> Iterator[Found]:
        before, id = stretch.before
        values = {
            "after": stretch.after + SINCE_1601_US,
            "before": min(before, (1 << 62) - SINCE_1601_US) + SINCE_1601_US,
            "id": id,
            "limit": limit,
        }
        for id, at, *told in history.execute(_query(history), values):
            yield (int(at) - SINCE_1601_US, id), _visit(id, at, *told)

    def downloads(self, history: sqlite3.Connection, after: int, limit: int) -> Iterator[Download | None]:
        if not columns(history, "downloads") >= {"start_time", "target_path", "state", "tab_url", "referrer"}:
            return
        for row in history.execute(
            """SELECT d.start_time, d.target_path, coalesce(nullif(d.tab_url, ''), d.referrer) AS page,
                (SELECT c.url FROM downloads_url_chains c WHERE c.id = d.id ORDER BY c.chain_index LIMIT 1) AS url
            FROM downloads d WHERE d.state = :complete AND d.start_time > :after AND d.target_path != ''
            ORDER BY d.start_time DESC LIMIT :limit""",
            {"complete": COMPLETE, "after": after + SINCE_1601_US, "limit": limit},
        ):
            yield _download(row)


@dataclass(kw_only=True)
class Chromium(Histories):
    """Chrome, Chromium, Edge, Brave, Vivaldi, Opera and Arc: every page seen, in every profile."""

    source: str = field(default="chromium", init=False)
    format: Format = field(default_factory=ChromiumFormat, init=False)
    browsers: tuple[Browser, ...] = field(default_factory=chromium_browsers)


def _query(history: sqlite3.Connection) -> str:
    visits, urls = columns(history, "visits"), columns(history, "urls")
    seen = [f"v.transition & {CHAIN_END}", f"v.transition & {CORE} NOT IN ({UNSEEN})"]
    if "hidden" in urls:
        seen.append("u.hidden = 0")
    if "originator_cache_guid" in visits:
        seen.append("coalesce(v.originator_cache_guid, '') = ''")
    if columns(history, "visit_source") >= {"id", "source"}:
        seen.append(
            "NOT EXISTS (SELECT 1 FROM visit_source s "
            f"WHERE s.id = v.id AND s.source IN ({SYNCED_OR_IMPORTED}))"
        )
    conditions = " AND ".join(seen)
    return f"""
        SELECT v.id, v.visit_time, v.transition, u.url, u.title, u.last_visit_time,
            {"v.visit_duration" if "visit_duration" in visits else "0"} AS stayed,
            {_in_front(history)} AS in_front, {_terms(history)} AS terms
        FROM visits v JOIN urls u ON u.id = v.url
        WHERE v.visit_time > :after AND (v.visit_time, v.id) < (:before, :id) AND {conditions}
        ORDER BY v.visit_time DESC, v.id DESC LIMIT :limit"""


def _in_front(history: sqlite3.Connection) -> str:
    if columns(history, "context_annotations") >= {"visit_id", "total_foreground_duration"}:
        return "(SELECT total_foreground_duration FROM context_annotations a WHERE a.visit_id = v.id)"
    return "0"


def _terms(history: sqlite3.Connection) -> str:
    found = []
    if columns(history, "keyword_search_terms") >= {"url_id", "term"}:
        found.append("(SELECT term FROM keyword_search_terms k WHERE k.url_id = u.id LIMIT 1)")
    if columns(history, "content_annotations") >= {"visit_id", "search_terms"}:
        found.append("(SELECT search_terms FROM content_annotations c WHERE c.visit_id = v.id)")
    return f"coalesce({', '.join([*found, 'NULL', 'NULL'])})"


def _visit(
    id: object,
    at: object,
    transition: object,
    url: object,
    title: object,
    last_visit: object,
    stayed: object,
    in_front: object,
    terms: object,
) -> Visit | None:
    """The visit in the columns of `_query`."""
    try:
        at = whole(at)
        return Visit(
            id=whole(id),
            at=at - SINCE_1601_US,
            url=text(url),
            title=text(title),
            transition=TRANSITIONS.get(whole(transition) & CORE, "other"),
            stayed=_stayed(positive(stayed), positive(in_front)),
            searched=text(terms),
            is_latest=positive(last_visit) <= at,
        )
    except ValueError:
        return None


def _stayed(there: int, in_front: int) -> int:
    """How long the page was in front where that was written, else how long it was there at all."""
    return min(there, in_front) if there and in_front else there or in_front


def _download(row: sqlite3.Row) -> Download | None:
    try:
        at = whole(row["start_time"]) - SINCE_1601_US
        return Download(at=at, url=text(row["url"]), page=text(row["page"]), file=text(row["target_path"]))
    except ValueError:
        return None
