"""What a window's title is about: the document or the page, without what the program adds to it."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from desktop_memory.context.apps import label
from desktop_memory.model import Remembered

_BETWEEN = re.compile(r"(\s+[-–—|]\s+)")
_MARKS = re.compile(
    r"^(?:[●•*✳⏺]\s*|\(\d{1,5}\+?\)\s*)+|\s*[●•*]$|\s+\((?:modified|unsaved|saved)\)$", re.IGNORECASE
)
_FILE = re.compile(
    r"[^\\/:\"<>|]{1,180}\.[A-Za-z][A-Za-z0-9]{0,7}$|\.[A-Za-z][\w.-]{1,40}$|(?:Make|Docker)file$"
)
_NO_FILE = re.compile(r"\.(?:com|org|net|io|dev|eu|edu|gov|co|uk|de|app|ai)$", re.IGNORECASE)
_MORE_NAMES = {
    "VS Code": ("Visual Studio Code", "VSCodium", "Code - OSS", "Cursor"),
    "Thunderbird": ("Mozilla Thunderbird",),
    "Firefox": ("Mozilla Firefox",),
    "Edge": ("Microsoft Edge",),
    "Chrome": ("Google Chrome",),
    "Teams": ("Microsoft Teams",),
    "Word": ("Microsoft Word", "LibreOffice Writer"),
    "Excel": ("Microsoft Excel", "LibreOffice Calc"),
    "PowerPoint": ("Microsoft PowerPoint",),
}


@dataclass(frozen=True, slots=True)
class Subject:
    """What a window shows, and whether that is a file's name (which needs no quotes)."""

    text: str
    is_file: bool


def subject(event: Remembered) -> Subject:
    """The document that this window shows, else its title without the program's name."""
    if len(event.files) == 1:
        name = posixpath.basename(event.files[0].replace("\\", "/"))
        if name:
            return Subject(name, True)
    return _subject(event.title, event.app, event.project)


@lru_cache(maxsize=4_096)
def _subject(title: str, app: str, project: str) -> Subject:
    pieces = _BETWEEN.split(_MARKS.sub("", title).strip())
    names = {_plain(name) for name in (app, label(app), *_MORE_NAMES.get(label(app), ())) if name}
    while len(pieces) > 2 and _plain(pieces[-1]) in names:
        del pieces[-2:]
    first = pieces[0]
    if _FILE.fullmatch(first) and not _NO_FILE.search(first):
        return Subject(first, True)
    while len(pieces) > 2 and project and _plain(pieces[-1]) == _plain(project):
        del pieces[-2:]
    whole = "".join(pieces).strip()
    return Subject("" if _plain(whole) in names else whole, False)


def _plain(text: str) -> str:
    kept = (c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c) != "Cf")
    return "".join(kept).strip().casefold()
