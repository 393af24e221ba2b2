"""The source "git": commits, checkouts, stashes and staged changes of every repository below the home folder."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from collectors.collector import Batch, Cursor, Place, Unavailable
from collectors.event import Event
from collectors.git.asides import read_asides
from collectors.git.command import GitFailed, require_git, unavailable
from collectors.git.discovery import Discovery
from collectors.git.history import Listing, first_commit, list_new, read_branches
from collectors.git.people import Authors, authors
from collectors.git.position import Position, Reading, position
from collectors.git.reading import read_events
from collectors.git.reflog import Diary, read_diary
from collectors.git.remote import checkout
from collectors.git.repository import Repository, locate
from collectors.git.state import shallow_mark, state

logger = logging.getLogger(__name__)

NO_NAME = (
    "Git does not know who you are here, so no commit counts as yours. "
    "Set user.email, or record the commits of all authors."
)


@dataclass(kw_only=True)
class Git:
    """Commits of the person who uses this computer, or of everybody with `all_authors`; with `diffs` what
    they changed line by line as well.

    Repositories are looked for below `folders`, by default the home folder. A long history comes in
    batches of `batch` commits, the newest first; oldest first within each.
    """

    home: Path = field(default_factory=Path.home)
    folders: tuple[Path, ...] = ()
    all_authors: bool = False
    diffs: bool = False
    batch: int = 400
    source: str = field(default="git", init=False)
    _discovery: Discovery = field(init=False)
    _repositories: dict[str, Repository] = field(default_factory=dict, init=False)
    _listings: dict[str, tuple[object, Listing]] = field(default_factory=dict, init=False)
    _advice: dict[str, str] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        folders = self.folders or (self.home,)
        self._discovery = Discovery(folders=tuple(folder.expanduser().absolute() for folder in folders))

    def places(self) -> Iterable[Place]:
        """The repositories found now. Raises Unavailable without git."""
        require_git()
        self._repositories = {str(found.root): found for found in self._discovery.find()}
        return [
            Place(source=self.source, name=name, advice=self._advice.get(name, ""))
            for name in self._repositories
        ]

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        """The next commits of this repository; costs some calls of stat where nothing changed."""
        repository = self._repositories.get(place.name) or locate(Path(place.name))
        now = state(repository, extra=f"everybody={self.all_authors} diffs={self.diffs}")
        if cursor is not None and now and now == cursor.get("state") and "reading" not in cursor:
            return Batch(events=(), cursor=cursor)
        try:
            batch = self._collect(repository, position(cursor), now)
        except GitFailed as error:
            self._listings.pop(place.name, None)
            raise unavailable(repository.root, error) from error
        return replace(batch, checkout=checkout(repository, position(batch.cursor).first))

    def _collect(self, repository: Repository, then: Position, now: str) -> Batch:
        diary = read_diary(repository)
        who = authors(repository.root, diary, everybody=self.all_authors)
        whose = " ".join(filter(None, (who.mark, shallow_mark(repository), "diffs" if self.diffs else "")))
        if then.whose != whose:
            then = Position(first=then.first, whose=whose, moved=then.moved, staged=then.staged)
        self._advise(repository, who)
        reading = then.reading or Reading(
            branches=replace(read_branches(repository.root), loose=diary.loose), state=now
        )
        first = then.first or first_commit(repository.root, reading.tips)
        if not first and reading.tips:
            advice = f'See what is damaged: git -C "{repository.root}" fsck'
            raise Unavailable(f"The branches of {repository.root} point to nothing.", advice)
        then = replace(then, first=first)
        asides: list[Event] = []
        if first and then.reading is None:
            asides, then = read_asides(repository, then)
        if who.nobody or not set(reading.tips) - set(then.done):
            return Batch(events=_in_order(asides), cursor=_finished(then, reading).cursor())
        batch = self._read(repository, then, reading, diary, who)
        return replace(batch, events=_in_order([*batch.events, *asides]))

    def _read(
        self, repository: Repository, then: Position, reading: Reading, diary: Diary, who: Authors
    ) -> Batch:
        listing = self._listing(repository, then, reading, who)
        start = reading.read if reading.read < len(listing) else 0
        until = start + self.batch
        chosen = listing.slice(start, until)
        events, skipped = read_events(repository, then.first, chosen, diary, who, diffs=self.diffs)
        if listing.incomplete and start == 0:
            skipped["history behind a missing or damaged commit"] = 1
        if until < len(listing):
            there = replace(then, reading=replace(reading, read=until))
            return Batch(events=events, cursor=there.cursor(), skipped=skipped, more=True)
        self._listings.pop(str(repository.root), None)
        there = _finished(then, reading)
        if listing.incomplete:
            there = replace(there, done=())  # once it is mended, all of it is read again
        return Batch(events=events, cursor=there.cursor(), skipped=skipped)

    def _listing(self, repository: Repository, then: Position, reading: Reading, who: Authors) -> Listing:
        """What is to be read in this turn and the next ones; kept, as listing a long history takes time."""
        name = str(repository.root)
        task = (reading.branches, then.done, who)
        if (kept := self._listings.get(name)) is not None and kept[0] == task:
            return kept[1]
        listing = list_new(repository.root, reading.branches, then.done, who)
        self._listings[name] = (task, listing)
        logger.debug("%d commits to read in a repository", len(listing))
        return listing

    def _advise(self, repository: Repository, who: Authors) -> None:
        if who.nobody:
            self._advice[str(repository.root)] = NO_NAME
        else:
            self._advice.pop(str(repository.root), None)


def _finished(then: Position, reading: Reading) -> Position:
    """Everything was read: the tips are what the next reading starts from."""
    return replace(then, done=reading.tips, state=reading.state, reading=None)


def _in_order(events: Iterable[Event]) -> list[Event]:
    return sorted(events, key=lambda event: event.start)
