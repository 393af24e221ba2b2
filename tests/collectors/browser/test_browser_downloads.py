"""Downloads, linked to the page they came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.browser.chromium import SINCE_1601_US, Chromium
from collectors.browser.download import Download, event
from collectors.browser.firefox import Firefox
from collectors.event import identity, microseconds, moment
from collectors.files import use
from collectors.files.use import Use
from desktop_memory.model import Query
from desktop_memory.store.store import Store
from tests.collectors.browser.histories import MINUTE, NOON, ChromiumHistory, FirefoxHistory, read_all
from tests.stubs import memory_over

CHROMIUM_DOWNLOADS = """
CREATE TABLE downloads (id INTEGER PRIMARY KEY, target_path LONGVARCHAR NOT NULL, start_time INTEGER NOT NULL,
    state INTEGER NOT NULL, referrer VARCHAR NOT NULL, tab_url VARCHAR NOT NULL);
CREATE TABLE downloads_url_chains (id INTEGER NOT NULL, chain_index INTEGER NOT NULL, url LONGVARCHAR NOT NULL,
    PRIMARY KEY (id, chain_index));
"""
FIREFOX_NOTES = """
CREATE TABLE moz_anno_attributes (id INTEGER PRIMARY KEY, name VARCHAR(32) UNIQUE NOT NULL);
CREATE TABLE moz_annos (id INTEGER PRIMARY KEY, place_id INTEGER NOT NULL, anno_attribute_id INTEGER,
    content LONGVARCHAR);
INSERT INTO moz_anno_attributes VALUES (1, 'downloads/metaData'), (2, 'downloads/destinationFileURI');
"""
PDF = "https://cdn.nature.com/robust-f0.pdf"
PAGE = "https://www.nature.com/articles/robust-f0"


def put(
    history: ChromiumHistory,
    *,
    at: int = NOON,
    state: int = 1,
    path: str = "/home/ada/Downloads/robust-f0.pdf",
) -> None:
    id = history.insert(
        "downloads", target_path=path, start_time=at + SINCE_1601_US, state=state, referrer=PAGE, tab_url=PAGE
    )
    history.insert("downloads_url_chains", id=id, chain_index=1, url="https://mirror.example/x")
    history.insert("downloads_url_chains", id=id, chain_index=0, url=PDF)


def test_a_download_in_chromium_names_its_file_and_page(
    chromium: Chromium, chromium_history: ChromiumHistory
) -> None:
    chromium_history.db.executescript(CHROMIUM_DOWNLOADS)
    chromium_history.visit(PAGE, "Robust F0", at=NOON - MINUTE)
    put(chromium_history)

    _, (page, file), _ = read_all(chromium)

    assert file.kind == "file"
    assert file.identity == identity("download", PDF, NOON)
    assert (file.title, file.files) == ("robust-f0.pdf", ("/home/ada/Downloads/robust-f0.pdf",))
    assert (file.url, file.domain) == (page.url, "nature.com")
    assert file.details == {"downloaded": True, "profile": "Default", "from": PDF}
    assert (file.app, file.source) == ("Google Chrome", "chromium")


def test_a_download_that_is_not_complete_waits_until_it_is(
    chromium: Chromium, chromium_history: ChromiumHistory
) -> None:
    chromium_history.db.executescript(CHROMIUM_DOWNLOADS)
    chromium_history.visit(PAGE, "Robust F0", at=NOON)
    put(chromium_history, at=NOON + 1, state=0)
    put(chromium_history, at=NOON + 2, state=2)
    _, before, cursor = read_all(chromium)
    chromium_history.db.execute("UPDATE downloads SET state = 1 WHERE state = 0")

    _, after, _ = read_all(chromium, cursor)

    assert [event.kind for event in before] == ["browser"]
    assert [microseconds(event.start) for event in after if event.kind == "file"] == [NOON + 1]


def test_a_path_of_windows_gives_its_last_part(chromium: Chromium, chromium_history: ChromiumHistory) -> None:
    chromium_history.db.executescript(CHROMIUM_DOWNLOADS)
    chromium_history.visit(PAGE)
    put(chromium_history, path=r"C:\Users\Ada\Downloads\robust f0.pdf", at=NOON + 1)

    _, (_, file), _ = read_all(chromium)

    assert file.title == "robust f0.pdf"


def test_a_download_in_firefox_names_its_file_and_page(
    firefox: Firefox, firefox_history: FirefoxHistory
) -> None:
    firefox_history.db.executescript(FIREFOX_NOTES)
    page = firefox_history.visit(PAGE, "Robust F0", at=NOON - MINUTE)
    firefox_history.visit(PDF, None, at=NOON - 2 * MINUTE, kind=7, from_visit=page)
    firefox_history.visit(PDF, None, at=NOON, kind=7, from_visit=page)
    firefox_history.insert("moz_annos", place_id=2, anno_attribute_id=1, content='{"state":1}')
    firefox_history.insert(
        "moz_annos",
        place_id=2,
        anno_attribute_id=2,
        content="file:///home/ada/Downloads/robust%20f0%20%C3%BC.pdf",
    )

    _, (visit, file), _ = read_all(firefox)

    assert file.kind == "file"
    assert (file.title, file.files) == ("robust f0 ü.pdf", ("/home/ada/Downloads/robust f0 ü.pdf",))
    assert file.url == visit.url
    assert microseconds(file.start) == NOON
    assert file.details["from"] == PDF


def test_a_download_whose_file_makes_no_sense_is_counted(
    firefox: Firefox, firefox_history: FirefoxHistory
) -> None:
    firefox_history.db.executescript(FIREFOX_NOTES)
    firefox_history.visit(PDF, None, kind=7)
    firefox_history.insert("moz_annos", place_id=1, anno_attribute_id=2, content="not an address")

    batches, events, _ = read_all(firefox)

    assert events == []
    assert batches[0].skipped == {"malformed download": 1}


@pytest.mark.parametrize("first", ["browser", "desktop"])
def test_a_download_that_the_desktop_lists_too_is_remembered_once(tmp_path: Path, first: str) -> None:
    found = Download(at=NOON, url=PDF, page=PAGE, file="/home/ada/robust-f0.pdf")
    told = event(found, app="Firefox", source="firefox", profile="a")
    listed = use.event(Use(path=found.file, at=moment(NOON + 3_000_000), app="Firefox"))
    store = Store.open(tmp_path / "data", clock=lambda: moment(NOON + MINUTE))
    memory = memory_over(store, lambda: moment(NOON + MINUTE))

    for one in (told, listed) if first == "browser" else (listed, told):
        memory.remember([one])
    (kept,) = store.between(None, None, query=Query(kinds=("file",)))
    store.close()

    assert (kept.url, kept.files, kept.details["from"]) == (PAGE, (found.file,), PDF)
