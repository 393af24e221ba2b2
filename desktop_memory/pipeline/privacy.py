"""Says of an event whether it may be recorded, and why not."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from collectors.event import Event
from desktop_memory.errors import KnownError
from desktop_memory.pipeline.places import named_paths, under, whole
from desktop_memory.pipeline.private_window import PrivateMarks
from desktop_memory.resources import resource
from desktop_memory.settings import Privacy


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """Whether an event is kept; `why` names the rule in words for its owner ("excluded app: Slack")."""

    keep: bool
    why: str


KEPT = Verdict(keep=True, why="no rule speaks against it")


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """The user's rules and the lists that come with the app, ready to judge one event after the other."""

    apps: frozenset[str] = frozenset()
    titles: tuple[re.Pattern[str], ...] = ()
    domains: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()
    projects: frozenset[str] = frozenset()
    commands: tuple[re.Pattern[str], ...] = ()
    defaults: Defaults | None = None

    @classmethod
    def of(cls, privacy: Privacy, *, home: Path | None = None) -> Rules:
        """The rules of these settings. Raises KnownError, naming it, for a pattern that cannot be read."""
        home = home or Path.home()
        return cls(
            apps=frozenset(_app(name) for name in privacy.exclude_apps if name.strip()),
            titles=_patterns(privacy.exclude_titles, "exclude_titles", re.IGNORECASE),
            domains=frozenset(filter(None, map(host, privacy.exclude_domains))),
            folders=tuple(whole(folder, home) for folder in privacy.exclude_paths if folder.strip()),
            projects=frozenset(name.strip().casefold() for name in privacy.exclude_projects if name.strip()),
            commands=_patterns(privacy.exclude_commands, "exclude_commands"),
            defaults=default_lists() if privacy.default_lists else None,
        )

    def judge(self, event: Event) -> Verdict:
        """Kept, or the first rule that forbids it."""
        why = (self.defaults.against(event) if self.defaults else "") or self._against(event)
        return Verdict(keep=False, why=why) if why else KEPT

    def allows(self, event: Event) -> bool:
        return self.judge(event).keep

    def _against(self, event: Event) -> str:
        if self.apps and not self.apps.isdisjoint(app_names(event.app)):
            return f"excluded app: {event.app}"
        if self.domains and (named := listed(hosts(event), self.domains)):
            return f"excluded site: {named}"
        if event.project.casefold() in self.projects and event.project:
            return f"excluded project: {event.project}"
        if pattern := _matching(self.titles, event.title):
            return f"excluded title: {pattern}"
        if event.kind == "terminal" and (pattern := _matching(self.commands, event.text)):
            return f"excluded command: {pattern}"
        if self.folders and (folder := under(named_paths(event), self.folders)):
            return f"excluded folder: {folder}"
        return ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Defaults:
    """The lists of resources/privacy.toml."""

    password_managers: frozenset[str] = frozenset()
    password_sites: frozenset[str] = frozenset()
    password_addresses: tuple[str, ...] = ()
    lock_screens: frozenset[str] = frozenset()
    lock_titles: frozenset[str] = frozenset()
    private_apps: frozenset[str] = frozenset()
    marks: PrivateMarks = field(default_factory=PrivateMarks)

    def against(self, event: Event) -> str:
        """Which list forbids it; empty when none does."""
        names = app_names(event.app)
        if event.private or not self.private_apps.isdisjoint(names):
            return "private window"
        if not self.password_managers.isdisjoint(names):
            return f"password manager: {event.app}"
        if not self.lock_screens.isdisjoint(names) or event.title.casefold() in self.lock_titles:
            return "lock screen"
        if named := listed(hosts(event), self.password_sites):
            return f"password manager: {named}"
        if event.url.lower().startswith(self.password_addresses):
            return "password manager: the browser's own"
        if event.kind != "browser" and self.marks.in_title(event.title, event.app, names):
            return "private window"
        return ""


@cache
def default_lists() -> Defaults:
    """The lists that come with the app."""
    return _defaults(tomllib.loads(resource("privacy.toml").read_text(encoding="utf-8")))


def _defaults(lists: Mapping[str, Any]) -> Defaults:
    managers, locks, private = lists["password_managers"], lists["lock_screens"], lists["private_windows"]
    return Defaults(
        password_managers=frozenset(managers["apps"]),
        password_sites=frozenset(managers["domains"]),
        password_addresses=tuple(managers["addresses"]),
        lock_screens=frozenset(locks["apps"]),
        lock_titles=frozenset(locks["titles"]),
        private_apps=frozenset(private["apps"]),
        marks=PrivateMarks.of(private["browsers"], private["tabs"], private["marks"]),
    )


def app_names(app: str) -> frozenset[str]:
    """The names an app goes by: whole, and the last part of a reverse-domain id."""
    name = _app(app)
    if not name:
        return frozenset()
    last = name.rsplit(".", 1)[-1] if _REVERSE_DOMAIN.match(name) else name
    return frozenset((name, last))


_REVERSE_DOMAIN = re.compile(r"[a-z]{2,6}(?:\.[\w-]+)*\.[\w -]+$")


def _app(name: str) -> str:
    return (
        " ".join(name.split()).casefold().removesuffix(".exe").removesuffix(".desktop").removesuffix(".app")
    )


def hosts(event: Event) -> Iterable[str]:
    """The event's host names: its domain and its url's."""
    return filter(None, {host(event.domain), host(event.url)})


def listed(names: Iterable[str], domains: frozenset[str]) -> str:
    """The first listed domain that one of the hosts is, or is a subdomain of; never a mere ending."""
    for name in names:
        labels = name.split(".")
        for start in range(len(labels)):
            if (candidate := ".".join(labels[start:])) in domains:
                return candidate
    return ""


def host(address: str) -> str:
    """The host of an address or of a bare name, as browsers compare it: small letters, ASCII, no port."""
    text = address.strip().removeprefix("*.")
    if plain := _PLAIN_HOST.match(text):  # nearly all are, and taking an address apart takes its time
        return (plain[1] or plain[2]).strip(".")
    if not text:
        return ""
    try:
        name = urlsplit(text if "://" in text else f"//{text}").hostname or ""
    except ValueError:
        return ""
    name = name.strip(".").lower()
    if name.isascii():
        return name
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return name


_PLAIN_HOST = re.compile(r"https?://([a-z0-9.-]+)(?:[/?#]|\Z)|([a-z0-9.-]+)\Z")


def _patterns(given: Iterable[str], setting: str, flags: int = 0) -> tuple[re.Pattern[str], ...]:
    patterns = []
    for pattern in given:
        if not pattern.strip():
            continue
        try:
            patterns.append(re.compile(pattern, flags))
        except (re.error, OverflowError, RecursionError) as error:
            problem = f"The pattern {pattern!r} in privacy.{setting} cannot be read: {error}."
            raise KnownError(
                problem, "Mend it in the settings; a dot or bracket meant as such needs a \\."
            ) from error
    return tuple(patterns)


def _matching(patterns: Iterable[re.Pattern[str]], text: str) -> str:
    return next((pattern.pattern for pattern in patterns if pattern.search(text)), "")
