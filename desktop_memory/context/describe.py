"""Says an item in one line; the verbs claim only what was seen: ran, page, window, searched."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from datetime import datetime, tzinfo

from desktop_memory.context import apps, moments
from desktop_memory.context.draft import Part, Text, code, own, ref, said
from desktop_memory.context.fold import Item, is_call, searched
from desktop_memory.context.window_title import Subject, subject
from desktop_memory.counting import counted
from desktop_memory.model import Remembered
from desktop_memory.pipeline.coalesce import command_line

COMMAND_LIMIT = 200
TITLE_LIMIT = 160
NOTE_LIMIT = 400
LISTED = 4
LONG_COMMAND = 10.0

# Hosts where the first label names a customer: "acme.atlassian.net" tells no more than "atlassian.net".
_TENANTS = frozenset(
    ["atlassian.net", "slack.com", "readthedocs.io", "github.io", "gitlab.io", "zendesk.com", "sharepoint.com",
     "myshopify.com", "notion.site", "freshdesk.com", "okta.com", "service-now.com", "salesforce.com", "force.com",
     "auth0.com", "herokuapp.com", "netlify.app", "vercel.app", "pages.dev", "workers.dev", "azurewebsites.net",
     "cloudfront.net", "amazonaws.com", "web.app", "firebaseapp.com", "onmicrosoft.com", "my.site.com", "hubspot.com"]
)  # fmt: skip

PageOf = Callable[[Remembered], int]
"""The id of the event whose page a download came from; 0 when it is not told here."""


def describe(
    item: Item, *, zone: tzinfo, now: datetime, page_of: PageOf = lambda event: 0, new: bool = False
) -> Text:
    """The line of this item, without time and number."""
    event = item.last
    match event.kind:
        case "terminal":
            return _command(item)
        case "browser":
            return _page(item, zone, now)
        case "window":
            return _call(item) if is_call(event) else _window(item, zone, now, new)
        case "git_commit" | "git_stash" | "git_staged" | "git_checkout":
            return _git(event)
        case "note":
            return _note(event)
        case "file":
            return _file(event, page_of)
    name = apps.label(event.app)
    return (said(name) if name else own(event.kind), own(": "), *_quoted(event.title or event.text))


def _command(item: Item) -> Text:
    event = item.last
    parts: list[Part] = [own("ran "), code(command_line(event.text, COMMAND_LIMIT))]
    if len(item.events) > 1:
        parts.append(own(f" ×{len(item.events)}"))
    if (exit_code := event.details.get("exit")) is not None:
        parts.append(own(f", exit {exit_code}"))
    if item.seconds >= LONG_COMMAND:
        parts.append(own(f", {moments.stretch(item.seconds)}"))
    return tuple(parts)


def _page(item: Item, zone: tzinfo, now: datetime) -> Text:
    event = item.first
    query = searched(event)
    parts: list[Part] = [
        own("searched " if query else "page "),
        *_quoted(query or event.title or _bare(event.url)),
    ]
    if event.domain:
        parts.append(own(" · "))
        parts.append(said(site(event.domain)))
    if not query:
        parts += _in_brackets(item, zone, now)
    return tuple(parts)


def _in_brackets(item: Item, zone: tzinfo, now: datetime, spans: str = "") -> Iterable[Part]:
    """(11 min; Wed 5 Aug ×3, 6 min)"""
    pieces = [f"{moments.stretch(item.seconds)}{spans}"] if item.seconds >= 1 else []
    by_day: dict[str, list[Remembered]] = {}
    for event in item.others:
        by_day.setdefault(moments.near_day(event.start, now, zone), []).append(event)
    for day, events in list(by_day.items())[:2]:
        seconds = sum(((e.end or e.start) - e.start).total_seconds() for e in events)
        times = f" ×{len(events)}" if len(events) > 1 else ""
        pieces.append(f"{day}{times}" + (f", {moments.stretch(seconds)}" if seconds >= 1 else ""))
    if len(by_day) > 2:
        pieces.append(counted(len(by_day) - 2, "more day"))
    return [own(f" ({'; '.join(pieces)})")] if pieces else []


def _window(item: Item, zone: tzinfo, now: datetime, new: bool) -> Text:
    event = item.first
    name = apps.label(event.app) or "window"
    shown = _documents(item)
    parts: list[Part] = [said(name)]
    if any(one.text for one in shown):
        parts.append(own(": "))
        parts += _listed(shown, event)
    if new:
        parts.append(own(", first seen"))
    spans = f" in {item.spans} spans" if item.spans > 1 and len(item.documents) == 1 else ""
    return (*parts, *_in_brackets(item, zone, now, spans))


def _documents(item: Item) -> list[Subject]:
    found: dict[str, Subject] = {}
    for event in item.events:
        one = subject(event)
        if one.text:
            found.setdefault(one.text, one)
    return list(found.values())


def _listed(shown: list[Subject], event: Remembered) -> Iterable[Part]:
    parts: list[Part] = []
    for at, one in enumerate(shown[:LISTED]):
        if at:
            parts.append(own(", "))
        parts += [said(_cut(one.text, TITLE_LIMIT))] if one.is_file else _quoted(one.text)
    if len(shown) > LISTED:
        parts.append(own(f" +{len(shown) - LISTED}"))
    return parts


def _call(item: Item) -> Text:
    event = item.first
    given = event.details.get("call")
    name = given if isinstance(given, str) and given else subject(event).text
    length = [own(f" ({moments.stretch(item.seconds)})")] if item.seconds >= 1 else []
    return (own("call: "), *_quoted(name), own(" · "), said(apps.label(event.app)), *length)


def _git(event: Remembered) -> Text:
    message = " ".join((event.title or event.text).split("\n")[0].split())
    if event.kind == "git_checkout":
        to = event.details.get("to")
        return own("switched to branch "), said(to if isinstance(to, str) and to else event.branch or message)
    parts: list[Part] = [
        own({"git_commit": "commit ", "git_stash": "stashed ", "git_staged": "staged "}[event.kind])
    ]
    commit = event.details.get("hash")
    if event.kind == "git_commit" and isinstance(commit, str) and commit:
        parts += [said(commit[:7]), own(" ")]
    if event.kind != "git_staged":
        parts += _quoted(message)
    if event.files:
        more = f" +{len(event.files) - LISTED}" if len(event.files) > LISTED else ""
        parts += [own(" · "), said(", ".join(event.files[:LISTED])), own(more)]
    added, removed = event.details.get("insertions"), event.details.get("deletions")
    if isinstance(added, int) and isinstance(removed, int) and (added or removed):
        parts.append(own(f" (+{added} −{removed})"))
    return tuple(parts)


def is_decision(event: Remembered) -> bool:
    return event.kind == "note" and "decision" in (event.details.get("pin"), event.details.get("note"))


def note_text(event: Remembered) -> str:
    return _cut(event.title or event.text, NOTE_LIMIT)


def _note(event: Remembered) -> Text:
    verb = "my decision: " if is_decision(event) else "my note: "
    return (own(verb), *_quoted(note_text(event), NOTE_LIMIT))


def _file(event: Remembered, page_of: PageOf) -> Text:
    name = posixpath.basename(event.files[0].replace("\\", "/")) if event.files else event.title
    if not event.details.get("downloaded") and not (event.url and event.source not in ("files", "")):
        return own("file "), said(_cut(name, TITLE_LIMIT))
    page = page_of(event)
    parts: list[Part] = [own("downloaded "), said(_cut(name, TITLE_LIMIT))]
    if page:
        return (*parts, own(" from the page in"), ref(page))
    return (*parts, own(" from "), said(site(event.domain))) if event.domain else tuple(parts)


def site(domain: str) -> str:
    """The site of a host, without "www." and without a customer's name before a provider's."""
    host = domain.strip(".").lower().removeprefix("www.")
    for tenant in _TENANTS:
        if host.endswith(f".{tenant}"):
            return tenant
    return host


def _quoted(text: str, limit: int = TITLE_LIMIT) -> list[Part]:
    return [own('"'), said(_cut(text, limit).replace('"', "'")), own('"')]


def _bare(url: str) -> str:
    return url.split("?", 1)[0].split("#", 1)[0]


def _cut(text: str, limit: int) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= limit else one_line[: limit - 1].rstrip() + "…"
