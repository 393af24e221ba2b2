"""Writing events: new, known, or known and now told better. Called inside the store's write transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import apsw

from collectors.event import Event, Gap, microseconds
from desktop_memory.courtesy import give_way
from desktop_memory.model import Remembered
from desktop_memory.pipeline.projects import alike
from desktop_memory.store import profile, vectors
from desktop_memory.store.bars import Bars, Outcome
from desktop_memory.store.better import better
from desktop_memory.store.connection import one
from desktop_memory.store.docs import doc_for, text_hash
from desktop_memory.store.entities import EntityIds
from desktop_memory.store.profile import Profile
from desktop_memory.store.project_links import ProjectLinks
from desktop_memory.store.rows import COLUMNS, month_of, remembered
from desktop_memory.store.told_elsewhere import ToldElsewhere, is_other
from desktop_memory.store.words import found_by

_MATCH_SLACK_US = 2_000_000
_DOC_CACHE = 20_000


class Incoming(NamedTuple):
    """An event on its way in: `body` is the text its vector is made of, `keys` are keys it has already.

    `key` is its own where it was stored before, else it is made of its identity. `device` is the one it comes
    from; this one when it is not said.
    """

    event: Event
    body: str = ""
    keys: tuple[bytes, ...] = ()
    key: bytes | None = None
    device: str = ""


@dataclass(frozen=True, slots=True)
class Touched:
    """A stretch of time in which sessions may have changed, in µs."""

    start: int
    end: int


class Links(NamedTuple):
    """Columns of an event in the order in which they are written."""

    words: str
    app: int | None
    project: int | None
    repo: int | None
    branch: int | None
    url: int | None
    domain: int | None
    told: int | None
    rule: int | None
    spelling: str


class EventWriter:
    """Writes events of one profile; remembers entity ids between transactions."""

    def __init__(self, mine: Profile) -> None:
        self._profile = mine
        self._devices = {"": mine.device_id}
        self._entities = EntityIds()
        self.projects = ProjectLinks(self._entities)
        self._docs: dict[tuple[bytes, int], int] = {}
        self._bars = Bars()
        self.touched: list[Touched] = []
        self.joining: list[int] = []
        self._unindexed: int | None = None
        self._elsewhere = ToldElsewhere()

    def begin(self, connection: apsw.Connection, incoming: Iterable[Incoming] = ()) -> None:
        """Called at the start of each transaction, with what it is about to store."""
        self.touched = []
        self.joining = []
        first = min((_earliest(item.event) for item in incoming), default=0)
        self._bars = Bars.read(connection, self._profile.seals, first)
        self.projects.begin(connection)

    def forget_cached(self) -> None:
        """Rows were removed, or a transaction was rolled back: nothing that was read before holds any more."""
        self._entities.forget_all()
        self.projects.forget_cached()
        self._docs.clear()
        self._devices = {"": self._profile.device_id}
        self._unindexed = None
        self._elsewhere.forget_cached()

    def index_words(self, connection: apsw.Connection) -> None:
        """Bring the words of all that was inserted into the full text, before the transaction ends.

        A trigger would do it row by row, each with a savepoint in which FTS5 writes a segment of its own: that took
        three quarters of the time of an import.
        """
        if self._unindexed is not None:
            connection.execute(
                """INSERT INTO event_words (rowid, title, text, words)
                SELECT id, title, text, words FROM event WHERE id >= ?""",
                (self._unindexed,),
            )
            self._unindexed = None

    def put(
        self, connection: apsw.Connection, incoming: Incoming, place: int | None
    ) -> tuple[Outcome, int | None]:
        """Store one event; the outcome and the id it is known by (None when it was not kept)."""
        give_way()
        event = incoming.event
        names = (event.identity, *event.aliases)
        key = incoming.key or self._profile.key(event.identity)
        keys = [key, *incoming.keys, *map(self._profile.key, event.aliases)]
        older = (
            [old for name in names for old in self._profile.older_keys(name)] if self._profile.older else []
        )
        known = self._find(connection, [*keys, *older])
        if known is None and incoming.device:
            known = self._find_same(connection, incoming)
        guessed = known is None and event.approx
        if guessed:
            known = self._find_precise(connection, incoming)
        if known is None and (same := self._elsewhere.find(connection, event)) is not None:
            self._name(connection, same, keys)
            return "known", same
        if known is not None and event.details.get("imported") and is_other(connection, known, key):
            return "known", known
        if known is not None:
            self._name(connection, known, keys, guessed=guessed)
            return ("updated" if self._update(connection, known, incoming) else "known"), known
        judged = self.projects.as_called(connection, event) if self._bars.forgotten else event
        if barred := self._bars.against(connection, [*keys, *older], judged):
            return barred, None
        id_ = self._insert(connection, incoming, key, place)
        self._name(connection, id_, keys[1:])
        self._elsewhere.inserted(connection, event)
        return "new", id_

    def put_gap(self, connection: apsw.Connection, gap: Gap, device: str = "") -> bool:
        """Store a gap of this device; whether it was not known."""
        start = microseconds(gap.start)
        end = None if gap.end is None else microseconds(gap.end)
        device_id = self._device_id(connection, device)
        known = connection.execute(
            "SELECT 1 FROM gap WHERE device = ? AND start = ? AND reason = ?", (device_id, start, gap.reason)
        ).fetchone()
        connection.execute(
            """INSERT INTO gap (device, start, end, reason) VALUES (?, ?, ?, ?)
            ON CONFLICT (device, start, reason) DO UPDATE SET end = coalesce(excluded.end, end)""",
            (device_id, start, end, gap.reason),
        )
        self.touched.append(Touched(start, end or start))
        return known is None

    # finding

    @staticmethod
    def _find(connection: apsw.Connection, keys: Sequence[bytes]) -> int | None:
        for key in keys:
            row = connection.execute(
                "SELECT id FROM event WHERE key = ?1 UNION ALL SELECT event FROM alias WHERE key = ?1", (key,)
            ).fetchone()
            if row is not None:
                return int(row[0])
        return None

    def _find_precise(self, connection: apsw.Connection, incoming: Incoming) -> int | None:
        """An event that a hook told exactly, for one whose time was guessed: same shell, same words, inside its
        window, and not yet taken for another. Without `earliest` it may be of any time before."""
        event = incoming.event
        if event.kind != "terminal":
            return None
        first = 0 if event.earliest is None else microseconds(event.earliest) - _MATCH_SLACK_US
        row = connection.execute(
            """SELECT event.id FROM text JOIN doc ON doc.text = text.id
            JOIN event INDEXED BY event_doc ON event.doc = doc.id
            WHERE text.hash = ? AND event.kind = 'terminal' AND event.source = ? AND event.text = ?
            AND event.start BETWEEN ? AND ? AND NOT event.approx
            AND NOT EXISTS (SELECT 1 FROM alias WHERE alias.event = event.id AND guessed)
            ORDER BY event.start LIMIT 1""",
            (
                text_hash(incoming.body),
                event.source,
                event.text,
                first,
                microseconds(event.start) + _MATCH_SLACK_US,
            ),
        ).fetchone()
        return None if row is None else int(row[0])

    def _name(
        self, connection: apsw.Connection, id_: int, keys: Iterable[bytes], *, guessed: bool = False
    ) -> None:
        for key in keys:
            connection.execute(
                """INSERT INTO alias (key, event, guessed) SELECT ?1, ?2, ?3
                WHERE NOT EXISTS (SELECT 1 FROM event WHERE key = ?1) ON CONFLICT DO NOTHING""",
                (key, id_, guessed),
            )

    @staticmethod
    def _find_same(connection: apsw.Connection, incoming: Incoming) -> int | None:
        """An event that says the very same of the very same moment: two memories recorded one thing."""
        event = incoming.event
        row = connection.execute(
            """SELECT event.id FROM event LEFT JOIN entity ON entity.id = event.url
            WHERE event.start = ? AND event.kind = ? AND event.title = ? AND event.text = ?
            AND coalesce(entity.name, '') = ? LIMIT 1""",
            (microseconds(event.start), event.kind, event.title, event.text, event.url),
        ).fetchone()
        return None if row is None else int(row[0])

    # writing

    def _device_id(self, connection: apsw.Connection, device: str) -> int:
        if device not in self._devices:
            self._devices[device] = profile.device_id(connection, device)
        return self._devices[device]

    def _insert(self, connection: apsw.Connection, incoming: Incoming, key: bytes, place: int | None) -> int:
        event = incoming.event
        start = microseconds(event.start)
        end = None if event.end is None else microseconds(event.end)
        links = self.links(connection, event)
        connection.execute(
            """INSERT INTO event (key, kind, start, end, offset, open, approx, title, text, words, app, project, repo,
                branch, url, domain, told, rule, spelling, source, device, place, doc, failed, details)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                key, event.kind, start, end, event.utc_offset or 0, event.open, event.approx, event.title, event.text,
                *links, event.source, self._device_id(connection, incoming.device), place,
                self._doc(connection, incoming.body, start), _failed(event), _json(event.details),
            ),
        )  # fmt: skip
        id_ = connection.last_insert_rowid()
        self._link_files(connection, id_, start, event)
        self.joining.append(id_)
        if self._unindexed is None:
            self._unindexed = id_
        return id_

    def _update(self, connection: apsw.Connection, id_: int, incoming: Incoming) -> bool:
        """Take what the repeat tells better; True when something changed."""
        *row, was, told = one(
            connection, f"SELECT {COLUMNS}, event.project, event.told FROM event WHERE id = ?", (id_,)
        )
        old = self.projects.as_told(connection, remembered(row), told)
        new = better(old, incoming.event)
        if new == old:
            return False
        self.index_words(connection)  # what changes must be in the full text before
        start = microseconds(new.start)
        end = None if new.end is None else microseconds(new.end)
        links = self.links(connection, new)
        body = incoming.body if (new.title, new.text) != (old.title, old.text) else None
        connection.execute(
            """UPDATE event SET start = ?, end = ?, offset = ?, open = ?, approx = ?, title = ?, text = ?, words = ?,
                app = ?, project = ?, repo = ?, branch = ?, url = ?, domain = ?, told = ?, rule = ?, spelling = ?,
                failed = ?, details = ?
            WHERE id = ?""",
            (
                start, end, new.utc_offset or 0, new.open, new.approx, new.title, new.text, *links,
                _failed(new), _json(new.details), id_,
            ),
        )  # fmt: skip
        if body is not None:
            self._change_doc(connection, id_, body, start)
        if new.files != old.files or new.start != old.start:
            connection.execute("DELETE FROM event_entity WHERE event = ?", (id_,))
            self._link_files(connection, id_, start, new)
        if _shape(new) != _shape(old) or links.project != was:
            connection.execute("INSERT INTO change (what, event) VALUES ('edit', ?)", (id_,))
        self._note_time(old, new)
        return True

    def _note_time(self, old: Remembered, new: Remembered) -> None:
        """What its sessions must know: only a later end is the quick case."""
        was = Touched(microseconds(old.start), microseconds(old.end or old.start))
        now = Touched(microseconds(new.start), microseconds(new.end or new.start))
        if (old.start, old.approx) == (new.start, new.approx) and was.end <= now.end:
            if was != now:
                self.joining.append(old.id)
        else:
            self.touched += (was, now)

    def links(self, connection: apsw.Connection, event: Event) -> Links:
        """What the event points to; its `project` is what its source tells."""
        own: dict[str, str] = {}
        placed = self.projects.place(connection, event)
        within = self.projects.within(connection, event, placed)
        names = self.projects.names(connection, placed)
        if (
            names
            and placed.told is None
            and names[0] != event.project
            and alike(names[0]) == alike(event.project)
        ):
            own["project"] = event.project

        def link(kind: str) -> int | None:
            if not (name := getattr(event, kind)):
                return None
            id_, spelled = self._entities.get(connection, kind, name, within)
            if spelled != name:
                own[kind] = name
            return id_

        app, repo, branch, url, domain = map(link, ("app", "repo", "branch", "url", "domain"))
        return Links(
            found_by(event, names), app, placed.project, repo, branch, url, domain, placed.told, placed.rule,
            _json(own) if own else "",
        )  # fmt: skip

    def _link_files(self, connection: apsw.Connection, id_: int, start: int, event: Event) -> None:
        for name in event.files:
            entity, _ = self._entities.get(connection, "file", name)
            connection.execute(
                "INSERT OR IGNORE INTO event_entity (entity, start, event) VALUES (?, ?, ?)",
                (entity, start, id_),
            )

    def _doc(self, connection: apsw.Connection, body: str, start: int) -> int | None:
        if not body:
            return None
        wanted = (text_hash(body), month_of(start))
        known = self._docs.get(wanted)
        if known is None:
            known = doc_for(connection, body, *wanted)
            if len(self._docs) >= _DOC_CACHE:
                self._docs.clear()
            self._docs[wanted] = known
        return known

    def _change_doc(self, connection: apsw.Connection, id_: int, body: str, start: int) -> None:
        (old,) = one(connection, "SELECT doc FROM event WHERE id = ?", (id_,))
        new = self._doc(connection, body, start)
        if new != old:
            connection.execute("UPDATE event SET doc = ? WHERE id = ?", (new, id_))
            if old is not None:
                drop_unused_docs(connection, [old])
                self._docs.clear()


def _earliest(event: Event) -> int:
    return microseconds(event.start if event.earliest is None else min(event.start, event.earliest))


def drop_unused_docs(connection: apsw.Connection, docs: Iterable[int]) -> tuple[int, int]:
    """Remove these docs, their vectors and texts where no event needs them any more; how many (texts, vectors)."""
    unused = [
        doc
        for doc in docs
        if not connection.execute("SELECT 1 FROM event WHERE doc = ? LIMIT 1", (doc,)).fetchone()
    ]
    removed = vectors.delete(connection, unused)
    texts = 0
    for doc in unused:
        row = connection.execute("DELETE FROM doc WHERE id = ? RETURNING text", (doc,)).fetchone()
        if row is not None and not connection.execute("SELECT 1 FROM doc WHERE text = ?", row).fetchone():
            connection.execute("DELETE FROM text WHERE id = ?", row)
            texts += 1
    return texts, removed


def _shape(event: Event) -> tuple[Any, ...]:
    """What the graph holds of an event."""
    return (
        event.start,
        event.approx,
        event.app,
        event.project,
        event.repo,
        event.branch,
        event.url,
        event.domain,
        event.files,
    )


def _failed(event: Event) -> bool:
    code = event.details.get("exit")
    return isinstance(code, int) and code not in (0, 130)


_encoded = json.JSONEncoder(ensure_ascii=False, default=str, separators=(",", ":")).encode


def _json(value: Mapping[str, Any]) -> str:
    return _encoded(dict(value)) if value else "{}"
