"""Near-duplicates of a kind made one, and the line that an event reads as."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import tzinfo
from functools import lru_cache
from typing import Any

from collectors.event import Event
from collectors.window.titles import normal
from desktop_memory.model import Remembered

DETAIL_LIMIT = 120
LONG_COMMAND = 1_000
BODY_LIMIT = 2_000
LISTED_FILES = 5
EMBEDDED_FILES = 20

Similar = Callable[[Remembered, Remembered], bool]
"""Whether two events mean the same: a cosine at or above the model's own threshold."""

_BROWSER_SUFFIX = re.compile(
    r"(?:\s+(?:and|und|et|y|e) \d+ (?:more pages?|weitere Seiten?|autres? pages?|páginas? más|altre pagine))?"
    r"(?:\s+[-–—]\s+(?:Profile? \d+|Profil \d+|Personal|Persönlich|Work|Geschäftlich|Personnel|\[InPrivate\]))?"
    r"\s+[-–—|]\s+(?:Mozilla Firefox|Firefox(?: Developer Edition| Nightly)?|Google Chrome|Chromium(?: Web Browser)?"
    r"|Microsoft.?\s?Edge|Brave(?: Browser)?|Vivaldi|Opera|Safari|LibreWolf|Waterfox|Floorp|Zen Browser|Tor Browser"
    r"|Yandex|Arc|Falkon|Konqueror|qutebrowser)(?:\s+\([^()]{3,30}\))?$"
)
_BROWSER_ENDS = (
    "Firefox", "Edition", "Nightly", "Chrome", "Chromium", "Browser", "Edge", "Brave", "Vivaldi", "Opera", "Safari",
    "LibreWolf", "Waterfox", "Floorp", "Yandex", "Arc", "Falkon", "Konqueror", "qutebrowser", ")", "\n",
)  # fmt: skip
"""How every title ends that has such a suffix: few have, and looking for one takes its time."""
_SAVED_MARK = re.compile(r"^[●•*]\s*|\s*[●•*]$|\s+\((?:modified|unsaved|saved)\)$", re.IGNORECASE)
_CONTINUED = re.compile(r"\\\r?\n\s*")
_CUT_MARK = re.compile(r"\[cut, ([\d,]+) characters\]\Z")
_IDENTIFIER = re.compile(r"\S*[\d./_\-#]\S*")


def normalise(event: Event) -> str:
    """What two near-duplicates share: without unread counts, spinners, percentages, clocks and browser suffixes."""
    if event.kind == "terminal":
        return " ".join(event.text.split())
    if event.kind in ("window", "browser"):
        return page_title(event.title or event.text)
    return " ".join((event.title or event.text).split())


@lru_cache(maxsize=8_192)
def page_title(title: str) -> str:
    """What a browser's window and the visit that it shows are both called."""
    return normal(_SAVED_MARK.sub("", _without_browser(title)))


def collapse(events: Sequence[Remembered], similar: Similar | None = None) -> list[tuple[Remembered, int]]:
    """Events oldest first, each compared with the last kept one of its kind; the newer replaces it and carries ×N."""
    kept: list[tuple[Remembered, int] | None] = []
    last: dict[str, int] = {}
    for event in events:
        at = last.get(event.kind)
        before = None if at is None else kept[at]
        count = 1
        if at is not None and before is not None and same(before[0], event, similar):
            count += before[1]
            kept[at] = None
        last[event.kind] = len(kept)
        kept.append((event, count))
    return [pair for pair in kept if pair is not None]


def same(one: Remembered, other: Remembered, similar: Similar | None = None) -> bool:
    """Whether these two may stand as one: alike in what tells them apart, and in words."""
    if discriminators(one) != discriminators(other):
        return False
    first, second = normalise(one), normalise(other)
    if first == second:
        return True
    return similar is not None and not _differs_in_identifiers(first, second) and similar(one, other)


def discriminators(event: Event) -> tuple[Any, ...]:
    """What must be equal whatever the words say: exit code, commit, files, page."""
    path = event.url.split("?", 1)[0].split("#", 1)[0] if event.kind != "window" else ""
    return (event.kind, event.app, event.details.get("exit"), event.details.get("hash"), event.files, path)


def _differs_in_identifiers(first: str, second: str) -> bool:
    """No cosine tells PR #482 from PR #483, or 2 failed from 14 passed."""
    return sorted(_IDENTIFIER.findall(first)) != sorted(_IDENTIFIER.findall(second))


def detail(event: Event) -> str:
    """An event in one line, without its time and kind."""
    if event.kind == "terminal":
        return command_line(event.text)
    if event.kind == "browser":
        return _joined(" | ", _cut(event.title) or _without_query(event.url), event.domain)
    if event.kind in ("git_commit", "git_stash"):
        return _joined(" · ", _cut(event.title or event.text), _files(event))
    if event.kind == "git_staged":
        return _files(event) or _cut(event.title)
    if event.kind == "git_checkout":
        return _cut(event.title.removeprefix("checkout "))
    if event.kind == "window":
        return _joined(" — ", event.app, _cut(event.title))
    return _cut(event.title or event.text)


def _files(event: Event) -> str:
    files = ", ".join(event.files[:LISTED_FILES])
    more = f" +{len(event.files) - LISTED_FILES}" if len(event.files) > LISTED_FILES else ""
    return files + more


def command_line(text: str, limit: int = DETAIL_LIMIT) -> str:
    """A command on one line, its own lines told apart by ⏎; with its length where most of it is left out."""
    lines = (" ".join(line.split()) for line in _CONTINUED.sub(" ", text).splitlines())
    shown = " ⏎ ".join(line for line in lines if line)
    if len(shown) <= limit:
        return shown
    cut_before = _CUT_MARK.search(text)
    whole = cut_before[1] if cut_before else f"{len(text):,}"
    size = f" ({whole} characters)" if cut_before or len(text) > LONG_COMMAND else ""
    return f"{shown[: limit - 1 - len(size)].rstrip()}…{size}"


def line(event: Event, count: int, *, zone: tzinfo, dated: bool = False) -> str:
    """`[HH:MM] kind: detail`, local; with the date where the stretch crosses midnight; ×N where N stand as one."""
    local = event.start.astimezone(zone)
    when = f"{local:%Y-%m-%d %H:%M}" if dated else f"{local:%H:%M}"
    about = "~" if event.approx else ""
    code = event.details.get("exit")
    failed = f" (exit {code})" if code not in (None, 0) else ""
    times = f" ×{count}" if count > 1 else ""
    return f"[{about}{when}] {event.kind.removeprefix('git_')}: {detail(event)}{failed}{times}"


def embedding_text(event: Event) -> str:
    """What stands for the event in search by meaning, at most 2,000 characters; equal texts get one vector."""
    if event.kind == "browser":
        body = _joined(" | ", _without_browser(event.title), event.domain)
    elif event.kind in ("git_commit", "git_stash", "git_staged"):
        body = _joined("\n", event.text or event.title, " ".join(event.files[:EMBEDDED_FILES]))
    elif event.kind == "window":
        body = _joined(" — ", event.app, _SAVED_MARK.sub("", _without_browser(event.title)))
    else:
        body = event.text or event.title
    return body.strip()[:BODY_LIMIT]


def _without_browser(title: str) -> str:
    return _BROWSER_SUFFIX.sub("", title) if title.endswith(_BROWSER_ENDS) else title


def _cut(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= DETAIL_LIMIT else one_line[: DETAIL_LIMIT - 1].rstrip() + "…"


def _joined(separator: str, *parts: str) -> str:
    return separator.join(part for part in parts if part)


def _without_query(url: str) -> str:
    return _cut(url.split("?", 1)[0])
