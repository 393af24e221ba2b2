"""Events as the JSON that others rely on, and back: export, import, CLI and AI clients speak it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import Any
from urllib.parse import urlsplit

from collectors.browser.visit import domain
from collectors.event import KINDS, Event, identity, in_each_zone
from desktop_memory.model import Remembered, Session

_FIELDS = (
    "id", "key", "kind", "start", "end", "open", "approx", "title", "text", "app", "project", "repo", "branch",
    "files", "url", "domain", "source", "device", "session", "details",
)  # fmt: skip


class NotARecord(ValueError):
    """A line that cannot be an event; the message is a short reason to count."""


def event_record(event: Remembered) -> dict[str, Any]:
    """The event with all its fields; times carry the offset at capture."""
    record: dict[str, Any] = {name: getattr(event, name) for name in _FIELDS}
    record["start"] = time_text(event.start, event.utc_offset)
    record["end"] = None if event.end is None else time_text(event.end, event.utc_offset)
    record["files"] = list(event.files)
    record["details"] = dict(event.details)
    return record


def session_record(session: Session) -> dict[str, Any]:
    return {
        "id": session.id,
        "start": session.start.astimezone().isoformat(),
        "end": session.end.astimezone().isoformat(),
        "ended_by": session.ended_by,
        "apps": list(session.apps),
        "projects": list(session.projects),
        "count": session.count,
    }


def time_text(moment: datetime, offset_minutes: int | None) -> str:
    """RFC 3339 at the offset where it happened."""
    return moment.astimezone(timezone(timedelta(minutes=offset_minutes or 0))).isoformat()


def event_from(record: Mapping[str, Any]) -> Event:
    """The event in a record. It needs a kind, a start and a title or a text; unknown fields go to details.

    Raises NotARecord with a reason.
    """
    if not isinstance(record, Mapping):
        raise NotARecord("not an object")
    kind = record.get("kind")
    if kind not in KINDS:
        raise NotARecord("unknown kind")
    start = _time(record.get("start"), "start")
    end = None if record.get("end") is None else _time(record["end"], "end")
    if end is not None and end < start:
        raise NotARecord("it ends before it starts")
    words: dict[str, Any] = {
        name: _text(record, name)
        for name in ("title", "text", "app", "project", "repo", "branch", "url", "domain")
    }
    if not words["title"] and not words["text"]:
        raise NotARecord("neither title nor text")
    if "domain" not in record:
        words["domain"] = _site(words["url"])
    delta = start.utcoffset()
    details = record.get("details")
    return Event(
        identity=identity("record", kind, start.isoformat(), words["title"], words["text"], words["url"]),
        kind=kind,
        start=start,
        end=end,
        approx=bool(record.get("approx")),
        files=tuple(str(name) for name in record.get("files") or ()),
        source=_text(record, "source") or "import",
        utc_offset=0 if delta is None else int(delta.total_seconds() // 60),
        details={**(details if isinstance(details, Mapping) else {}), **_unknown(record)},
        **words,
    )


def key_of(record: Mapping[str, Any]) -> bytes | None:
    """The key that one of our own exports gave the event."""
    key = record.get("key")
    try:
        return bytes.fromhex(key) if isinstance(key, str) and len(key) == 32 else None
    except ValueError:
        return None


def _site(url: str) -> str:
    """Its site, for a record of another program that names the address alone."""
    try:
        return domain(urlsplit(url))
    except ValueError:
        return ""


def _unknown(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in _FIELDS}


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else "" if value is None else str(value)


def _time(value: Any, name: str) -> datetime:
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise NotARecord(f"unreadable {name}") from error
    if moment.tzinfo is None:
        raise NotARecord(f"{name} without time zone")
    if not in_each_zone(moment):
        raise NotARecord(f"unreadable {name}")
    return moment
