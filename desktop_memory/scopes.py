"""What an AI client may be told: some kinds, some apps, the last days. One line a client in the settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from desktop_memory.errors import KnownError, UsageError
from desktop_memory.model import KINDS, Remembered
from desktop_memory.moments import parse_span

EVERYONE = "*"
"""The line for clients that have none of their own."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """Events outside of it do not exist for the client. Empty: no limit."""

    kinds: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    since: datetime | None = None

    def __bool__(self) -> bool:
        return bool(self.kinds or self.apps or self.since)

    def allows(self, event: Remembered) -> bool:
        return (
            (not self.kinds or event.kind in self.kinds)
            and (not self.apps or event.app.casefold() in {app.casefold() for app in self.apps})
            and (self.since is None or event.start >= self.since)
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Limit:
    """A line of the settings: `cursor = kinds: terminal, git_commit; apps: VS Code; last: 7d`."""

    client: str
    kinds: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    last: str = ""

    def __str__(self) -> str:
        parts = {"kinds": ", ".join(self.kinds), "apps": ", ".join(self.apps), "last": self.last}
        return f"{self.client} = {'; '.join(f'{name}: {text}' for name, text in parts.items() if text)}"

    def scope(self, now: datetime) -> Scope:
        since = now - parse_span(self.last) if self.last else None
        return Scope(kinds=self.kinds, apps=self.apps, since=since)


def read_limit(line: str) -> Limit:
    """Raises KnownError for a line that cannot be read: what it would have kept in must not get out."""
    client, equals, rest = line.partition("=")
    parts = {}
    for part in filter(str.strip, rest.split(";")):
        name, colon, text = part.partition(":")
        if not colon or name.strip() not in ("kinds", "apps", "last") or not text.strip():
            raise _unreadable(line)
        parts[name.strip()] = text.strip()
    kinds = _names(parts.get("kinds", ""))
    if not client.strip() or not equals or not parts or not set(kinds) <= set(KINDS):
        raise _unreadable(line)
    try:
        if "last" in parts:
            parse_span(parts["last"])
    except UsageError as error:
        raise _unreadable(line) from error
    return Limit(
        client=client.strip(), kinds=kinds, apps=_names(parts.get("apps", "")), last=parts.get("last", "")
    )


def scope_of(client: str, lines: Sequence[str], now: datetime) -> Scope:
    """What this client may be told by these lines. Raises KnownError when one of them cannot be read."""
    limits = {limit.client.casefold(): limit for limit in map(read_limit, lines)}
    limit = limits.get(client.casefold(), limits.get(EVERYONE))
    return Scope() if limit is None else limit.scope(now)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _unreadable(line: str) -> KnownError:
    return KnownError(
        f"The limit {line.partition('=')[0].strip()[:40]!r} for an AI client cannot be read.",
        "Write it like: cursor = kinds: terminal, git_commit; apps: VS Code; last: 7d",
    )
