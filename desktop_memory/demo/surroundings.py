"""Where the demo's person works: the programs, and what each place holds beside its diary."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote_plus

HOME = Path("/home/lena")


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A project's folder and repository, or a corner of the everyday; `glances` are acts in diary words."""

    name: str
    project: str = ""
    folder: str = ""
    repo: str = ""
    trivial: tuple[str, ...] = ()
    glances: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Surroundings:
    """What the programs are called and how they put a file or a search into their titles."""

    home: Path
    places: Mapping[str, Place]
    apps: Mapping[str, str]
    titles: Mapping[str, str]
    searches: Mapping[str, tuple[str, str]]

    def app_of(self, file: str) -> str:
        return self.apps[PurePosixPath(file).suffix]

    def title_of(self, file: str, project: str) -> str:
        return self.titles[self.app_of(file)].format(file=PurePosixPath(file).name, project=project)

    def search_page(self, query: str, engine: str) -> tuple[str, str]:
        """Title and url of that engine's page of results."""
        title, url = self.searches[engine]
        return title.format(query=query), url.format(quoted=quote_plus(query))


def read(path: Path, home: Path = HOME) -> Surroundings:
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    return Surroundings(
        home=home,
        places={name: _place(name, fields) for name, fields in raw["place"].items()},
        apps=raw["apps"],
        titles=raw["titles"],
        searches={engine: (title, url) for engine, (title, url) in raw["searches"].items()},
    )


def _place(name: str, fields: Mapping[str, str | list[str]]) -> Place:
    return Place(name=name, **{key: tuple(v) if isinstance(v, list) else v for key, v in fields.items()})  # type: ignore[arg-type]
