"""Says of an event whether it may be recorded, and shown, and why not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import timedelta, timezone
from pathlib import Path

from collectors.event import Event
from desktop_memory.errors import KnownError
from desktop_memory.pipeline import schedule
from desktop_memory.pipeline.default_lists import Chosen, default_lists
from desktop_memory.pipeline.names import app_name, app_names, host, hosts, listed
from desktop_memory.pipeline.places import named_paths, under, whole
from desktop_memory.settings import Privacy


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """Whether an event is kept; `why` names the rule in words for its owner ("excluded app: Slack")."""

    keep: bool
    why: str


_JUDGING = ("default_lists", "exclude_", "list_", "only_", "strict_private")
KEPT = Verdict(keep=True, why="no rule speaks against it")


@dataclass(frozen=True, kw_only=True, slots=True)
class Names:
    """Apps, sites, folders and projects that a rule names."""

    apps: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()
    projects: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        apps: Iterable[str],
        domains: Iterable[str],
        folders: Iterable[str],
        projects: Iterable[str],
        home: Path,
    ) -> Names:
        return cls(
            apps=frozenset(app_name(name) for name in apps if name.strip()),
            domains=frozenset(filter(None, map(host, domains))),
            folders=tuple(whole(folder, home) for folder in folders if folder.strip()),
            projects=frozenset(name.strip().casefold() for name in projects if name.strip()),
        )

    def __bool__(self) -> bool:
        return bool(self.apps or self.domains or self.folders or self.projects)

    def naming(self, event: Event) -> str:
        """What names it, in words ("excluded app: Slack"); empty when nothing does."""
        if self.apps and not self.apps.isdisjoint(app_names(event.app)):
            return f"excluded app: {event.app}"
        if self.domains and (named := listed(hosts(event), self.domains)):
            return f"excluded site: {named}"
        if self.projects and event.project and event.project.casefold() in self.projects:
            return f"excluded project: {event.project}"
        if self.folders and (folder := under(named_paths(event), self.folders)):
            return f"excluded folder: {folder}"
        return ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """The user's rules and the lists that come with the app, ready to judge one event after the other."""

    excluded: Names = field(default_factory=Names)
    only: Names = field(default_factory=Names)
    titles: tuple[re.Pattern[str], ...] = ()
    commands: tuple[re.Pattern[str], ...] = ()
    hours: tuple[schedule.Rest, ...] = ()
    lists: Chosen | None = None
    strict_private: bool = False

    @classmethod
    def of(cls, privacy: Privacy, *, home: Path | None = None) -> Rules:
        """The rules of these settings. Raises KnownError, naming it, for a pattern that cannot be read."""
        home = home or Path.home()
        return cls(
            excluded=Names.of(
                privacy.exclude_apps, privacy.exclude_domains, privacy.exclude_paths, privacy.exclude_projects, home
            ),
            only=Names.of(
                privacy.only_apps, privacy.only_domains, privacy.only_paths, privacy.only_projects, home
            ),
            titles=_patterns(privacy.exclude_titles, "exclude_titles", re.IGNORECASE),
            commands=_patterns(privacy.exclude_commands, "exclude_commands"),
            hours=schedule.parse(privacy.exclude_hours),
            lists=Chosen.of(privacy) if privacy.default_lists else None,
            strict_private=privacy.strict_private,
        )  # fmt: skip

    @property
    def projects(self) -> frozenset[str]:
        """The names of excluded projects, in small letters."""
        return self.excluded.projects

    def judge(self, event: Event, *, timeless: bool = False) -> Verdict:
        """Kept, or the first rule that forbids it; `timeless`, what hours forbid is not asked."""
        why = (self.lists.against(event) if self.lists else "") or self._against(event, timeless)
        return Verdict(keep=False, why=why) if why else KEPT

    def allows(self, event: Event) -> bool:
        return self.judge(event).keep

    def _against(self, event: Event, timeless: bool) -> str:
        if named := self.excluded.naming(event):
            return named
        if pattern := _matching(self.titles, event.title):
            return f"excluded title: {pattern}"
        if event.kind == "terminal" and (pattern := _matching(self.commands, event.text)):
            return f"excluded command: {pattern}"
        if self.hours and not timeless and self._in_hours(event):
            return "excluded hours"
        if self.strict_private and event.kind == "window" and _is_browser(event):
            return "a browser's window, which may be private"
        if self.only and event.kind != "note" and not self.only.naming(event):
            return "not among what alone is recorded"
        return ""

    def _in_hours(self, event: Event) -> bool:
        """By the clock of the place where it was: its start, or an end that reaches into them."""
        zone = None if event.utc_offset is None else timezone(timedelta(minutes=event.utc_offset))
        last = event.start if event.end is None else max(event.start, event.end - timedelta(microseconds=1))
        return any(
            schedule.within(self.hours, at.astimezone(zone).replace(tzinfo=None))
            for at in (event.start, last)
        )


def judging(privacy: Privacy) -> dict[str, object]:
    """Those of the settings that `Rules` judges by."""
    return {name: value for name, value in asdict(privacy).items() if name.startswith(_JUDGING)}


def _is_browser(event: Event) -> bool:
    return any(name in default_lists().marks.browsers for name in app_names(event.app))


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
