"""Firefox and its family: the database `places.sqlite`.

Schema: toolkit/components/places in Firefox's source. Times are microseconds since 1970. The page that a
redirect led to has the type "redirect" and names where it came from; the page that redirected is hidden,
like frames and embedded pages.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from collectors.browser.browsers import Browser, firefox_browsers
from collectors.browser.download import Download
from collectors.browser.history import Format, Found, Histories
from collectors.browser.progress import Moment, Stretch
from collectors.browser.values import columns, positive, text, whole
from collectors.browser.visit import Visit, local_file

TRANSITIONS = {1: "link", 2: "typed", 3: "bookmark", 5: "redirect", 6: "redirect", 9: "reload"}
# embedded pages, downloads, frames
UNSEEN = "4, 7, 8"
# Of so many visits those that were certainly made here tell how fine this computer's clock is.
LATEST_VISITS = 10_000
FEWEST_LOCAL = 5
# A page without a title that led on this fast was passed through, by a meta refresh or a script.
PASSING_US = 2_000_000


class FirefoxFormat:
    """Visits in Firefox's schema, of any version."""

    file = "places.sqlite"

    def newest(self, history: sqlite3.Connection) -> Moment | None:
        row = history.execute(
            "SELECT visit_date AS at, id FROM moz_historyvisits WHERE typeof(visit_date) = 'integer' "
            "ORDER BY visit_date DESC, id DESC LIMIT 1"
        ).fetchone()
        return None if row is None else (whole(row["at"]), whole(row["id"]))

    def earliest_since(self, history: sqlite3.Connection, id: int) -> int | None:
        row = history.execute(
            "SELECT min(visit_date) AS at FROM moz_historyvisits WHERE id > ?", (id,)
        ).fetchone()
        return row["at"] if isinstance(row["at"], int) else None

    def visits(self, history: sqlite3.Connection, stretch: Stretch, limit: int) -> Iterator[Found]:
        before, id = stretch.before
        values = {"after": stretch.after, "before": before, "id": id, "limit": limit}
        for row in history.execute(_query(history), values):
            yield (int(row["visit_date"]), row["id"]), _visit(row)

    def downloads(self, history: sqlite3.Connection, after: int, limit: int) -> Iterator[Download | None]:
        """A place keeps the file of its latest download only."""
        if not columns(history, "moz_annos") or not columns(history, "moz_anno_attributes"):
            return
        for row in history.execute(
            """SELECT v.visit_date, p.url, a.content AS file,
                (SELECT q.url FROM moz_historyvisits f JOIN moz_places q ON q.id = f.place_id
                    WHERE f.id = v.from_visit) AS page
            FROM moz_historyvisits v JOIN moz_places p ON p.id = v.place_id
            JOIN moz_annos a ON a.place_id = p.id
            JOIN moz_anno_attributes n ON n.id = a.anno_attribute_id AND n.name = 'downloads/destinationFileURI'
            WHERE v.visit_type = 7 AND v.visit_date > :after AND NOT EXISTS (SELECT 1 FROM moz_historyvisits l
                WHERE l.place_id = v.place_id AND l.visit_type = 7 AND l.visit_date > v.visit_date)
            ORDER BY v.visit_date DESC LIMIT :limit""",
            {"after": after, "limit": limit},
        ):
            yield _download(row)


@dataclass(kw_only=True)
class Firefox(Histories):
    """Firefox, LibreWolf, Waterfox, Floorp and Zen: every page seen, in every profile."""

    source: str = field(default="firefox", init=False)
    format: Format = field(default_factory=FirefoxFormat, init=False)
    browsers: tuple[Browser, ...] = field(default_factory=firefox_browsers)


def _query(history: sqlite3.Connection) -> str:
    return f"""
        SELECT v.id, v.visit_date, v.visit_type, p.url, p.title, p.last_visit_date, {_in_front(history)} AS in_front
        FROM moz_historyvisits v JOIN moz_places p ON p.id = v.place_id
        WHERE v.visit_date > :after AND (v.visit_date, v.id) < (:before, :id)
            AND coalesce(v.visit_type, 1) NOT IN ({UNSEEN})
            AND {"p.hidden = 0" if "hidden" in columns(history, "moz_places") else "1"}
            AND NOT EXISTS (SELECT 1 FROM moz_historyvisits n WHERE n.from_visit = v.id
                AND (n.visit_type IN (5, 6) OR (coalesce(p.title, '') = ''
                    AND n.visit_date BETWEEN v.visit_date AND v.visit_date + {PASSING_US})))
            AND NOT ({_from_elsewhere(history)})
        ORDER BY v.visit_date DESC, v.id DESC LIMIT :limit"""


def _from_elsewhere(history: sqlite3.Connection) -> str:
    """Which visits Firefox Sync brought from another device, or an import from another browser.

    Both go through `History.insertMany`, whose times are a Date's whole milliseconds and which names no page that
    led there; a visit made here has the clock's microseconds. Where that clock is no finer, nobody can tell.
    """
    conditions = ["0"]
    if columns(history, "moz_historyvisits_extra") >= {"visit_id"}:  # what only Sync writes
        conditions.append("EXISTS (SELECT 1 FROM moz_historyvisits_extra e WHERE e.visit_id = v.id)")
    if _clock_is_fine(history):
        seen_here = f"coalesce({_in_front(history)}, 0) > 0"
        conditions.append(f"v.visit_date % 1000 = 0 AND coalesce(v.from_visit, 0) = 0 AND NOT {seen_here}")
    return " OR ".join(conditions)


def _clock_is_fine(history: sqlite3.Connection) -> bool:
    count, whole_ms = history.execute(
        """SELECT count(*), total(visit_date % 1000 = 0) FROM (SELECT visit_date, from_visit
            FROM moz_historyvisits ORDER BY id DESC LIMIT ?) WHERE from_visit > 0""",
        (LATEST_VISITS,),
    ).fetchone()
    return bool(count >= FEWEST_LOCAL and whole_ms * 10 < count)


def _in_front(history: sqlite3.Connection) -> str:
    """Milliseconds that the page was looked at, of the view that began with this visit."""
    if not columns(history, "moz_places_metadata") >= {"place_id", "created_at", "total_view_time"}:
        return "0"
    return """(SELECT m.total_view_time FROM moz_places_metadata m WHERE m.place_id = v.place_id
        AND m.created_at BETWEEN v.visit_date / 1000 - 1000 AND v.visit_date / 1000 + 10000
        ORDER BY m.created_at LIMIT 1)"""


def _visit(row: sqlite3.Row) -> Visit | None:
    try:
        at = whole(row["visit_date"])
        kind = row["visit_type"]
        return Visit(
            id=whole(row["id"]),
            at=at,
            url=text(row["url"]),
            title=text(row["title"]),
            transition=TRANSITIONS.get(kind, "other") if isinstance(kind, int) else "link",
            stayed=positive(row["in_front"]) * 1000,
            is_latest=positive(row["last_visit_date"]) <= at,
        )
    except ValueError:
        return None


def _download(row: sqlite3.Row) -> Download | None:
    try:
        (file,) = local_file(urlsplit(text(row["file"])))
        return Download(at=whole(row["visit_date"]), url=text(row["url"]), page=text(row["page"]), file=file)
    except ValueError:
        return None
