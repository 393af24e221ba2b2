"""What an act leaves behind: the events that the collectors would have made of it.

A page, a mail or a chat tells nothing of a project, as in real life; files, commands and notes do.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from collectors.event import Event, Kind, identity, microseconds
from desktop_memory.demo.diary import Act
from desktop_memory.demo.surroundings import Place, Surroundings

BROWSER = "Firefox"
_COMMAND = re.compile(r"(.+?)(?: => (\d+))?")
_COMMIT = re.compile(r"(.+?) \| (.+?)(?: \| \+(\d+) -(\d+))?(?: \| ([0-9a-f]{7}))?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """When and where an act is done."""

    start: datetime
    end: datetime
    place: Place
    branch: str = ""

    @property
    def seconds(self) -> float:
        return (self.end - self.start).total_seconds()


class Traces:
    """Makes events of acts. `of` gives them oldest first."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings
        self._makers: dict[str, Callable[[str, Moment], Iterator[Event]]] = {
            "edit": self._edit,
            "window": self._window,
            "behind": self._window,
            "skim": self._skim,
            "mail": self._mail,
            "chat": self._chat,
            "call": self._call,
            "ran": self._ran,
            "page": self._page,
            "search": self._search,
            "commit": self._commit,
            "stage": self._stage,
            "stash": self._stash,
            "note": self._note,
            "decide": self._decide,
            "saved": self._saved,
            "downloaded": self._downloaded,
            "appointment": self._appointment,
            "screen": self._screen,
        }

    def of(self, act: Act, moment: Moment) -> list[Event]:
        """Raises ValueError for a verb that no collector could see."""
        maker = self._makers.get(act.verb)
        if maker is None:
            raise ValueError(f"unknown verb: {act.verb}")
        return list(maker(act.what, moment))

    # windows

    def _edit(self, file: str, moment: Moment) -> Iterator[Event]:
        title = self._surroundings.title_of(file, moment.place.project)
        app = self._surroundings.app_of(file)
        project = moment.place.project
        yield _event("window", moment, source="window", app=app, title=title, files=(file,), project=project)

    def _window(self, what: str, moment: Moment) -> Iterator[Event]:
        app, _, title = what.partition(": ")
        yield _event("window", moment, source="window", app=app, title=title)

    def _skim(self, what: str, moment: Moment) -> Iterator[Event]:
        """Mails gone through in a row, each for half a second."""
        app, _, titles = what.partition(": ")
        for number, title in enumerate(titles.split(" | ")):
            start = moment.start + timedelta(seconds=number / 2)
            short = replace(moment, start=start, end=start + timedelta(seconds=0.5))
            yield from self._window(f"{app}: {title} - {app}", short)

    def _mail(self, subject: str, moment: Moment) -> Iterator[Event]:
        title = subject if subject.endswith("Thunderbird") else f"{subject} - Mozilla Thunderbird"
        yield _event("window", moment, source="window", app="Thunderbird", title=title)

    def _chat(self, channel: str, moment: Moment) -> Iterator[Event]:
        what = "DM" if channel.startswith("@") else "Channel"
        title = f"{channel.lstrip('@#')} ({what}) - Ledgerline - Slack"
        yield _event("window", moment, source="window", app="Slack", title=title)

    def _call(self, what: str, moment: Moment) -> Iterator[Event]:
        title, _, app = what.partition(" @ ")
        name = title.partition(" | ")[0]
        title = {"Teams": f"{title} | Microsoft Teams", "Slack": f"Huddle: {title} - Slack"}.get(
            app, f"{title} - {app}"
        )
        yield _event("window", moment, source="window", app=app, title=title, details={"call": name})

    # the shell and git

    def _ran(self, what: str, moment: Moment) -> Iterator[Event]:
        found = _COMMAND.fullmatch(what)
        assert found is not None
        command, code = found[1], int(found[2] or 0)
        yield from self._window(f"GNOME Terminal: lena@desk: ~/{moment.place.folder}", moment)
        details = {
            "exit": code,
            "cwd": str(self._surroundings.home / moment.place.folder),
            "duration": round(moment.seconds, 1),
        }
        yield _event(
            "terminal", moment, source="zsh", app="zsh", text=command, details=details, **_here(moment)
        )
        if branch := re.fullmatch(r"git switch (?:-c )?(\S+)|gh pr checkout (\d+)", command):
            name = branch[1] or f"pr-{branch[2]}"
            details = {"to": name}
            shape = {**_here(moment), "branch": name}
            yield _event(
                "git_checkout", moment, source="git", title=f"checkout {name}", details=details, **shape
            )

    def _commit(self, what: str, moment: Moment) -> Iterator[Event]:
        found = _COMMIT.fullmatch(what)
        if found is None:
            raise ValueError(f"not a commit: {what!r}")
        message, files, insertions, deletions, short = found.groups()
        full = hashlib.sha1(f"{moment.place.repo}\n{message}".encode(), usedforsecurity=False).hexdigest()
        details: dict[str, Any] = {"hash": (short or "") + full[len(short or "") :]}
        if insertions:
            details |= {"insertions": int(insertions), "deletions": int(deletions)}
        yield _event(
            "git_commit",
            moment,
            source="git",
            title=message,
            files=tuple(files.split()),
            details=details,
            **_here(moment),
        )

    def _stage(self, files: str, moment: Moment) -> Iterator[Event]:
        names = tuple(files.split())
        yield _event("git_staged", moment, source="git", title="staged", files=names, **_here(moment))

    def _stash(self, what: str, moment: Moment) -> Iterator[Event]:
        message, _, files = what.partition(" | ")
        yield _event(
            "git_stash", moment, source="git", title=message, files=tuple(files.split()), **_here(moment)
        )

    # the browser

    def _page(self, what: str, moment: Moment) -> Iterator[Event]:
        title, _, url = what.rpartition(" @ ")
        yield self._visit(title, url, moment)

    def _search(self, what: str, moment: Moment) -> Iterator[Event]:
        query, _, engine = what.rpartition(" @ ")
        title, url = self._surroundings.search_page(query, engine)
        yield self._visit(title, url, moment, query=query)

    def _visit(self, title: str, url: str, moment: Moment, **details: Any) -> Event:
        domain = (urlsplit(url).hostname or "").removeprefix("www.")
        return _event(
            "browser",
            moment,
            source="firefox",
            app=BROWSER,
            title=title,
            url=url,
            domain=domain,
            details=details,
        )

    # notes and files

    def _note(self, text: str, moment: Moment) -> Iterator[Event]:
        yield _event("note", moment, source="note", title=text, project=moment.place.project)

    def _decide(self, text: str, moment: Moment) -> Iterator[Event]:
        yield _event("note", moment, source="note", title=text, project=moment.place.project,
                     details={"pin": "decision"})  # fmt: skip

    def _saved(self, file: str, moment: Moment) -> Iterator[Event]:
        path = str(self._surroundings.home / moment.place.folder / file)
        name = PurePosixPath(file).name
        yield _event("file", moment, source="files", title=name, files=(path,), project=moment.place.project)

    def _downloaded(self, what: str, moment: Moment) -> Iterator[Event]:
        name, _, url = what.partition(" from ")
        domain = (urlsplit(url).hostname or "").removeprefix("www.")
        path = str(self._surroundings.home / "Downloads" / name)
        yield _event("file", moment, source="firefox", title=name, files=(path,), url=url, domain=domain,
                     app=BROWSER, details={"downloaded": True})  # fmt: skip

    # what other programs exported and the person imported

    def _appointment(self, title: str, moment: Moment) -> Iterator[Event]:
        yield _event("other", moment, source="calendar.jsonl", app="Calendar", title=title)

    def _screen(self, text: str, moment: Moment) -> Iterator[Event]:
        yield _event("screen", moment, source="screens.jsonl", text=text)


_MOMENTARY: frozenset[Kind] = frozenset(
    {"git_commit", "git_staged", "git_stash", "git_checkout", "note", "file"}
)


def _event(kind: Kind, moment: Moment, **fields: Any) -> Event:
    start = moment.start.astimezone(UTC)
    name = fields.get("title") or fields.get("text")
    offset = moment.start.utcoffset()
    return Event(
        identity=identity("demo", kind, microseconds(start), name),
        kind=kind,
        start=start,
        end=None if kind in _MOMENTARY else moment.end.astimezone(UTC),
        utc_offset=None if offset is None else round(offset.total_seconds() / 60),
        **fields,
    )


def _here(moment: Moment) -> dict[str, str]:
    """The project, and its repository and branch where it has one."""
    return {"project": moment.place.project, "repo": moment.place.repo, "branch": moment.branch}
