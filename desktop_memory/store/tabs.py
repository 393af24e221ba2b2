"""Gives a browser's window the address of the page that it showed, once both are known, whichever came first."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

import apsw

from collectors.event import Event, microseconds, moment
from desktop_memory.courtesy import give_way
from desktop_memory.model import Remembered
from desktop_memory.pipeline.coalesce import page_title
from desktop_memory.pipeline.tabs import LONG_OPEN, SLACK, Pages, is_browser
from desktop_memory.store.bars import Outcome, Seals
from desktop_memory.store.connection import one, rows
from desktop_memory.store.events import EventWriter
from desktop_memory.store.forget import remove
from desktop_memory.store.rows import by_ids

_SLACK_US = int(SLACK.total_seconds() * 1_000_000)
_LONG_US = int(LONG_OPEN.total_seconds() * 1_000_000)


def may_join(event: Event, outcome: Outcome) -> bool:
    """Whether a window or visit came that may belong together with others; a span whose end moves on is none."""
    if event.kind == "window":
        return outcome == "new" or (outcome == "updated" and not event.open)
    return event.kind == "browser" and outcome in ("new", "updated")


def join(connection: apsw.Connection, written: Sequence[int], writer: EventWriter) -> None:
    """Join these windows and visits, within the caller's transaction, with what they belong to.

    A window that got its page's address may belong to another project by the user's rules. A change is noted for
    each. In the full text it is still found by what it was: the visit is found by its site.
    """
    if not written or not (apps := _browsers(connection)):
        return
    fresh = rows(
        connection,
        "SELECT kind, id, start, title FROM event WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(written)),),
    )
    ids = {id_ for kind, id_, _, _ in fresh if kind == "window"}
    ids |= _waiting(
        connection, [(start, title) for kind, _, start, title in fresh if kind == "browser"], apps
    )
    windows = [event for event in by_ids(connection, ids) if not event.url and is_browser(event.app)]
    for device in {window.device for window in windows}:
        mine = [window for window in windows if window.device == device]
        pages = Pages(_visits_around(connection, mine, device))
        for window in mine:
            give_way()
            if (page := pages.certain(window)) is not None:
                _give_address(connection, window, page, writer)


def hide(
    connection: apsw.Connection, hidden: Sequence[Event], seals: Seals, now: int
) -> list[tuple[int, int, int]]:
    """Remove the windows that showed these pages, which a rule keeps out; id, start and end of each.

    The titles stay as keyed hashes for a day, so that `Bars` knows the windows that come back to such a tab.
    """
    pages = [event for event in hidden if page_title(event.title)]
    if not pages:
        return []
    connection.execute("DELETE FROM hidden_page WHERE at < ?", (now - _LONG_US,))
    connection.executemany(
        "INSERT OR IGNORE INTO hidden_page (title, at) VALUES (?, ?)",
        [(seals(page_title(page.title))[0], microseconds(page.start)) for page in pages
         if microseconds(page.start) >= now - _LONG_US],
    )  # fmt: skip
    ids = _waiting(
        connection, [(microseconds(page.start), page.title) for page in pages], _browsers(connection)
    )
    those = Pages(pages)
    windows = [event for event in by_ids(connection, ids) if those.certain(event) is not None]
    remove(connection, [window.id for window in windows], None)
    return [
        (window.id, microseconds(window.start), microseconds(window.end or window.start))
        for window in windows
    ]


def _browsers(connection: apsw.Connection) -> list[int]:
    found = rows(connection, "SELECT id, name FROM entity WHERE kind = 'app'")
    return [id_ for id_, name in found if is_browser(name)]


def _waiting(connection: apsw.Connection, visits: Sequence[tuple[int, str]], apps: Sequence[int]) -> set[int]:
    """Browser windows without an address that may have shown one of these visits, each a start and a title."""
    if not visits:
        return set()
    waiting = rows(
        connection,
        """SELECT id, title, start FROM event WHERE kind = 'window' AND start BETWEEN ? AND ? AND url IS NULL
        AND app IN (SELECT value FROM json_each(?))""",
        (min(visits)[0] - _LONG_US, max(visits)[0] + _LONG_US, json.dumps(apps)),
    )
    if not waiting:
        return set()
    titles = {page_title(title) for _, title in visits}
    nameless = {start // _SLACK_US for start, title in visits if not title}
    return {
        id_
        for id_, title, start in waiting
        if page_title(title) in titles or not nameless.isdisjoint(_slots(start))
    }


def _slots(start: int) -> range:
    return range(start // _SLACK_US - 1, start // _SLACK_US + 2)


def _visits_around(
    connection: apsw.Connection, windows: Sequence[Remembered], device: str
) -> Iterator[Event]:
    """The visits of the day before that one of these windows may have shown, with what is asked of them here."""
    first = min(microseconds(window.start) for window in windows) - _LONG_US
    last = max(microseconds(window.end or window.start) for window in windows) + _SLACK_US
    titles = {page_title(window.title) for window in windows}
    beginnings = {slot for window in windows for slot in _slots(microseconds(window.start))}
    visits = rows(
        connection,
        """SELECT event.start, event.title, app.name, url.name, domain.name, event.spelling
        FROM event JOIN entity url ON url.id = event.url LEFT JOIN entity app ON app.id = event.app
        LEFT JOIN entity domain ON domain.id = event.domain
        WHERE event.kind = 'browser' AND event.start BETWEEN ? AND ? AND NOT event.approx
        AND event.device = (SELECT id FROM device WHERE uuid = ?)""",
        (first, last, device),
    )
    for start, title, *names, spelling in visits:
        if page_title(title) in titles or start // _SLACK_US in beginnings:
            app, url, domain = (name or "" for name in names)
            written = json.loads(spelling).get("url", url) if spelling else url
            yield Event(
                identity="",
                kind="browser",
                start=moment(start),
                title=title,
                app=app,
                url=written,
                domain=domain,
            )


def _give_address(connection: apsw.Connection, window: Remembered, page: Event, writer: EventWriter) -> None:
    was, told = one(connection, "SELECT project, told FROM event WHERE id = ?", (window.id,))
    joined = replace(writer.projects.as_told(connection, window, told), url=page.url, domain=page.domain)
    links = writer.links(connection, joined)
    connection.execute(
        "UPDATE event SET url = ?, domain = ?, project = ?, told = ?, rule = ?, spelling = ? WHERE id = ?",
        (links.url, links.domain, links.project, links.told, links.rule, links.spelling, window.id),
    )
    if links.project != was:
        writer.index_words(connection)
        connection.execute("UPDATE event SET words = ? WHERE id = ?", (links.words, window.id))
    connection.execute("INSERT INTO change (what, event) VALUES ('edit', ?)", (window.id,))
