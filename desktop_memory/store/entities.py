"""Apps, projects, files, urls, domains and branches: one row each, found by what two spellings share."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import urlsplit, urlunsplit

import apsw

from desktop_memory.pipeline.projects import alike

_CACHE_LIMIT = 50_000


def norm(kind: str, name: str, within: str = "") -> str:
    """What two spellings of one thing share. A branch is a branch of its project (`within`)."""
    if kind in ("app", "project", "workspace"):
        return alike(name)
    if kind == "domain":
        return name.strip(".").lower().removeprefix("www.")
    if kind == "url":
        return _norm_url(name)
    if kind == "file":
        return posixpath.normpath(name.replace("\\", "/"))
    if kind == "branch":
        return f"{within.casefold()}\n{name}"
    return name


_PLAIN_URL = re.compile(r"(https?://[a-z0-9.-]+(?::[0-9]+)?)((?:/[!-\"$->@-~]*)?)(\?[!-\"$-~]*)?(?:#[!-~]*)?")


def _norm_url(url: str) -> str:
    if plain := _PLAIN_URL.fullmatch(url):  # nearly all are, and taking an address apart takes its time
        query = plain[3] or ""
        return plain[1] + plain[2].rstrip("/") + (query if query != "?" else "")
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    path = parts.path.rstrip("/") or ""
    return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), path, parts.query, ""))


class EntityIds:
    """Gives each name its id, making the row when it is new. For the writing connection only."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str], tuple[int, str]] = {}

    def get(self, connection: apsw.Connection, kind: str, name: str, within: str = "") -> tuple[int, str]:
        """The id, and the spelling that the row keeps."""
        wanted = (kind, name, within)
        found = self._known.get(wanted)
        if found is None:
            found = self._read_or_insert(connection, kind, norm(kind, name, within), name)
            if len(self._known) >= _CACHE_LIMIT:
                self._known.clear()
            self._known[wanted] = found
        return found

    def forget_all(self) -> None:
        """Nothing is known any more: rows were removed, or a transaction was rolled back."""
        self._known.clear()

    @staticmethod
    def _read_or_insert(connection: apsw.Connection, kind: str, normal: str, name: str) -> tuple[int, str]:
        row = connection.execute(
            "SELECT id, name FROM entity WHERE kind = ? AND norm = ?", (kind, normal)
        ).fetchone()
        if row is not None:
            return int(row[0]), str(row[1])
        connection.execute("INSERT INTO entity (kind, norm, name) VALUES (?, ?, ?)", (kind, normal, name))
        return connection.last_insert_rowid(), name
