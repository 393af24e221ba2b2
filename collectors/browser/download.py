"""A file that somebody downloaded, as an event that names the page it came from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any
from urllib.parse import urlsplit

from collectors.browser.visit import LONGEST_ADDRESS, SEEN_SCHEMES, domain, local_offset, without_login
from collectors.event import Event, identity, moment
from collectors.files.use import about_then

LONGEST_PATH = 4_096


@dataclass(frozen=True, kw_only=True, slots=True)
class Download:
    """`at` is when it began, in microseconds since 1970; `page` is empty where nobody wrote it down."""

    at: int
    url: str
    page: str
    file: str


def event(download: Download, *, app: str, source: str, profile: str) -> Event:
    """The event of this download. Raises ValueError, OverflowError on nonsense.

    Its address is the page that the file was linked from, so that both are found together.
    """
    page = download.page if urlsplit(download.page).scheme.lower() in SEEN_SCHEMES else download.url
    address = urlsplit(page)
    start = moment(download.at)
    details: dict[str, Any] = {"downloaded": True, "profile": profile}
    if page != download.url and urlsplit(download.url).scheme.lower() in SEEN_SCHEMES:
        details["from"] = without_login(download.url, urlsplit(download.url))[:LONGEST_ADDRESS]
    return Event(
        identity=identity("download", download.url, download.at),
        kind="file",
        start=start,
        title=_name(download.file),
        files=(download.file[:LONGEST_PATH],),
        app=app,
        url=without_login(page, address)[:LONGEST_ADDRESS],
        domain=domain(address),
        source=source,
        utc_offset=local_offset(download.at),
        details=details,
        aliases=about_then(download.file, download.at),  # the desktop's list of documents tells of it too
    )


def _name(file: str) -> str:
    return PureWindowsPath(file).name if "\\" in file else PurePosixPath(file).name
