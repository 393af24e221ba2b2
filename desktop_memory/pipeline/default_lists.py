"""The lists that come with the app: what is left out although nobody said so. Each can be switched off."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from collectors.event import Event
from desktop_memory.pipeline.names import app_name, app_names, host, hosts, listed
from desktop_memory.pipeline.private_window import PrivateMarks
from desktop_memory.resources import resource
from desktop_memory.settings import Privacy


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
    banking_sites: frozenset[str] = frozenset()
    health_sites: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Chosen:
    """The lists that are on, and the apps and sites of theirs that the user records all the same."""

    lists: Defaults
    passwords: bool = True
    locks: bool = True
    private: bool = True
    banking: bool = True
    health: bool = True
    apart_apps: frozenset[str] = frozenset()
    apart_sites: frozenset[str] = frozenset()

    @classmethod
    def of(cls, privacy: Privacy) -> Chosen:
        return cls(
            lists=default_lists(),
            passwords=privacy.list_passwords,
            locks=privacy.list_locks,
            private=privacy.list_private,
            banking=privacy.list_banking,
            health=privacy.list_health,
            apart_apps=frozenset(app_name(name) for name in privacy.list_exceptions if name.strip()),
            apart_sites=frozenset(filter(None, map(host, privacy.list_exceptions))),
        )

    def against(self, event: Event) -> str:
        """Which list forbids it; empty when none does."""
        if event.private and event.kind == "terminal":
            return "hidden command"  # its shell was told to: no setting about windows changes that
        names = app_names(event.app)
        if self.private and (event.private or not self.lists.private_apps.isdisjoint(names)):
            return "private window"
        if self.apart_apps.isdisjoint(names):
            if self.passwords and not self.lists.password_managers.isdisjoint(names):
                return f"password manager: {event.app}"
            if self.locks and self._is_lock_screen(event, names):
                return "lock screen"
        if why := self._against_site(event):
            return why
        if (
            self.private
            and event.kind != "browser"
            and self.lists.marks.in_title(event.title, event.app, names)
        ):
            return "private window"
        return ""

    def _is_lock_screen(self, event: Event, names: Iterable[str]) -> bool:
        return (
            not self.lists.lock_screens.isdisjoint(names) or event.title.casefold() in self.lists.lock_titles
        )

    def _against_site(self, event: Event) -> str:
        if not (event.url or event.domain):
            return ""
        named = set(hosts(event))
        if self.passwords and event.url.lower().startswith(self.lists.password_addresses):
            return "password manager: the browser's own"
        if not named or listed(named, self.apart_sites):
            return ""
        if self.passwords and (site := listed(named, self.lists.password_sites)):
            return f"password manager: {site}"
        if self.banking and (site := listed(named, self.lists.banking_sites)):
            return f"banking site: {site}"
        if self.health and (site := listed(named, self.lists.health_sites)):
            return f"health site: {site}"
        return ""


@cache
def default_lists() -> Defaults:
    """The lists that come with the app."""
    return _defaults(tomllib.loads(resource("privacy.toml").read_text(encoding="utf-8")))


def begins_private(title: str, app: str) -> bool:
    """Whether this is the title of a browser's new private tab: what its window shows next, no title may tell."""
    return default_lists().marks.is_new_tab(title, app_names(app))


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
        banking_sites=frozenset(lists["banking"]["domains"]),
        health_sites=frozenset(lists["health"]["domains"]),
    )
