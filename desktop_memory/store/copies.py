"""What was copied: its request and its numbered sources, so that an answer can be checked against it later."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import apsw

from collectors.event import microseconds, moment
from desktop_memory.model import CopiedContext, Source
from desktop_memory.store.connection import one, rows


@dataclass(frozen=True, kw_only=True, slots=True)
class SavedCopy:
    """A copy that was made; `client` is the AI client that asked for it, empty for the user's own.

    A list of copies leaves `sources` out and says only how many there are. The text of a source that was
    forgotten since is empty, and so is the title of its copy, which may have held it.
    """

    tag: str
    at: datetime
    title: str
    format: str
    tokens: int
    records: int
    client: str = ""
    sources: tuple[Source, ...] = ()


def save(
    connection: apsw.Connection,
    copied: CopiedContext,
    request: Mapping[str, Any],
    hashes: Sequence[str],
    at: datetime,
    client: str = "",
) -> None:
    """Keep what was copied."""
    sources = [
        {"n": source.n, "event": source.event, "text": source.text, "hash": hash_}
        for source, hash_ in zip(copied.sources, hashes, strict=True)
    ]
    connection.execute(
        """INSERT OR REPLACE INTO copy (tag, at, client, request, sources, title, format, tokens)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            copied.tag,
            microseconds(at),
            client[:80],
            json.dumps(dict(request), default=str),
            json.dumps(sources),
            copied.title,
            copied.format,
            copied.tokens,
        ),
    )


def latest(
    connection: apsw.Connection, count: int, before: datetime | None, *, whole: bool = False
) -> list[SavedCopy]:
    """The newest copies, newest first, without their sources unless `whole`; with `before`, older ones."""
    found = rows(
        connection,
        f"""{_SELECT} WHERE ?1 IS NULL OR at < ?1 ORDER BY at DESC, id DESC LIMIT ?2""",
        (None if before is None else microseconds(before), count),
    )
    return [_copy(row, whole=whole) for row in found]


def read(connection: apsw.Connection, tag: str, client: str | None = None) -> SavedCopy | None:
    """A copy with its sources, by its tag; without one the last, of this client if one is named."""
    row = one(
        connection,
        f"""{_SELECT} WHERE iif(?1 = '', ?2 IS NULL OR client = ?2, tag = ?1)
        ORDER BY at DESC, id DESC LIMIT 1""",
        (tag, client),
    )
    return None if row is None else _copy(row, whole=True)


def tag_taken(connection: apsw.Connection, tag: str) -> bool:
    return connection.execute("SELECT 1 FROM copy WHERE tag = ?", (tag,)).fetchone() is not None


def last_until(connection: apsw.Connection) -> datetime | None:
    """Until when the user's last copy reached, not a client's; None before the first."""
    (at,) = one(connection, "SELECT max(coalesce(until, at)) FROM copy WHERE client = ''")
    return None if at is None else moment(at)


def scrub(connection: apsw.Connection, gone: set[int]) -> None:
    """A saved copy keeps its numbers; what tells of these events goes: their sources' texts, its title."""
    for id_, raw in rows(connection, "SELECT id, sources FROM copy"):
        sources = json.loads(raw)
        touched = [source for source in sources if source["event"] in gone]
        if touched:
            for source in touched:
                source["text"] = ""
            connection.execute(
                "UPDATE copy SET sources = ?, title = '' WHERE id = ?", (json.dumps(sources), id_)
            )


_SELECT = "SELECT tag, at, title, format, tokens, client, sources FROM copy"


def _copy(row: Sequence[Any], *, whole: bool = False) -> SavedCopy:
    tag, at, title, format_, tokens, client, raw = row
    sources = json.loads(raw)
    return SavedCopy(
        tag=tag,
        at=moment(at),
        title=title,
        format=format_,
        tokens=tokens,
        client=client,
        records=len(sources),
        sources=tuple(Source(n=s["n"], event=s["event"], text=s["text"]) for s in sources) if whole else (),
    )
