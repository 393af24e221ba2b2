"""A page that somebody saw, as an event."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from collectors.browser.searches import is_engine, searched
from collectors.event import Event, identity, moment

# Pages of the browser itself, of extensions, and text in the address bar are not pages that somebody saw.
SEEN_SCHEMES = frozenset({"http", "https", "file"})
LONGEST_ADDRESS = 8_192
LONGEST_TITLE = 4_096
# Longer than this, a tab was left open rather than read; the time that it stayed is kept in the details.
LONGEST_STAY = timedelta(hours=1)
QUARTER_HOUR_US = 900_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Visit:
    """`at` is in microseconds since 1970, `stayed` in microseconds, 0 when it is not known.

    `is_latest` says that nobody was at this address later: the title is that of this visit.
    """

    id: int
    at: int
    url: str
    title: str
    transition: str
    stayed: int = 0
    searched: str = ""
    is_latest: bool = True


def event(visit: Visit, *, app: str, source: str, profile: str) -> Event | None:
    """The event of this visit, None for an address that is no page. Raises ValueError, OverflowError on nonsense.

    Its identity is address and microsecond: a profile may be renamed, a title may come late.
    """
    page = _page(visit.url)
    if page is None:
        return None
    start = moment(visit.at)
    stayed = timedelta(microseconds=max(0, visit.stayed))
    details: dict[str, Any] = {"profile": profile, "transition": visit.transition}
    if stayed > LONGEST_STAY:
        details["duration"] = round(stayed.total_seconds(), 3)
    if terms := visit.searched.strip() or page.searched:
        details["searched"] = terms
    return Event(
        identity=identity("visit", visit.url, visit.at),
        kind="browser",
        start=start,
        end=start + stayed if timedelta(0) < stayed <= LONGEST_STAY else None,
        title=visit.title[:LONGEST_TITLE],
        app=app,
        url=page.url[:LONGEST_ADDRESS],
        domain=page.domain,
        files=page.files,
        source=source,
        utc_offset=local_offset(visit.at),
        details=details,
    )


class Page(NamedTuple):
    """What an address tells of the page there."""

    url: str
    domain: str
    files: tuple[str, ...] = ()
    searched: str = ""


def _page(url: str) -> Page | None:
    """None for an address that is no page. Raises ValueError for one that is none at all."""
    plain = _PLAIN.match(url)  # nearly all are, and taking an address apart takes its time
    if plain is not None and not is_engine(plain[1]):
        return Page(url, _readable(plain[1]))
    address = urlsplit(url)
    if address.scheme.lower() not in SEEN_SCHEMES:
        return None
    return Page(without_login(url, address), domain(address), local_file(address), searched(address))


_PLAIN = re.compile(r"https?://([a-z0-9.-]+)(?:[/?#]|\Z)")


def domain(address: SplitResult) -> str:
    """The host without "www.", readable where it is written in another script; "" without one."""
    return _readable(address.hostname or "")


@lru_cache(maxsize=4_096)
def _readable(host: str) -> str:
    host = host.rstrip(".").removeprefix("www.")
    if "xn--" in host:
        try:
            return host.encode("ascii").decode("idna")
        except UnicodeError:
            return host
    return host


def without_login(url: str, address: SplitResult) -> str:
    if "@" not in address.netloc:
        return url
    return urlunsplit(address._replace(netloc=address.netloc.rpartition("@")[2]))


def local_file(address: SplitResult) -> tuple[str, ...]:
    """The file or folder that a file: address shows; percent-encoded bytes that are no UTF-8 are replaced."""
    if address.scheme.lower() != "file" or not address.path:
        return ()
    path = unquote(address.path)
    return (path[1:] if path[2:3] == ":" else path,)


def local_offset(at: int) -> int | None:
    """The offset of this place's time at that moment (microseconds since 1970), in minutes."""
    return _offset(at // QUARTER_HOUR_US, time.tzname)


@lru_cache(maxsize=1_024)
def _offset(quarter: int, zone: tuple[str, str]) -> int | None:
    """Zones change at no finer grain than a quarter of an hour; a traveller's computer changes its `zone`."""
    try:
        offset = moment(quarter * QUARTER_HOUR_US).astimezone().utcoffset()
    except (OverflowError, OSError, ValueError):
        return None
    return None if offset is None else round(offset.total_seconds() / 60)
