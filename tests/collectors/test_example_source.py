"""The source that docs/extending.md shows, installed as a package and run as a user would."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from collectors.collector import Collector
from collectors.plugins import plugins
from tests.running import ROOT, ask

DIARY = (
    "2026-08-13T14:30+02:00 Called Ada\n"
    "no time here\n"
    "2026-08-13T14:10+02:00 Lunch with 東京 🍜\n"
    "2026-08-13T15:00+02:00 half a li"
)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with the example and what an installer writes beside it."""
    folder = tmp_path / "site"
    metadata = folder / "diary-1.dist-info"
    metadata.mkdir(parents=True)
    shutil.copy(ROOT / "docs/examples/diary.py", folder)
    shown = (
        (ROOT / "docs/extending.md").read_text().partition('desktop_memory.collectors"]\n')[2].split("\n")[0]
    )
    name, _, what = shown.replace('"', "").partition(" = ")
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: diary\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[desktop_memory.collectors]\n{name} = {what}\n")
    return folder


@pytest.fixture
def collector(package: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Collector:
    monkeypatch.syspath_prepend(str(package))
    (found,) = plugins()
    assert isinstance(found, Collector)
    return found


def test_the_example_tells_lines_once_and_waits_for_half_of_one(collector: Collector, home: Path) -> None:
    (home / "diary.txt").write_text(DIARY, encoding="utf-8")
    (place,) = collector.places()

    first = collector.collect(place, None)
    (home / "diary.txt").write_text(DIARY + "ne\n", encoding="utf-8")
    then = collector.collect(place, first.cursor)

    assert [event.title for event in first.events] == ["Lunch with 東京 🍜", "Called Ada"]
    assert first.skipped == {"line without a time": 1}
    assert [event.title for event in then.events] == ["half a line"]
    again = [event.identity for event in collector.collect(place, None).events]
    assert again == [event.identity for event in (*first.events, *then.events)]


def test_the_example_is_installed_and_found(package: Path, home: Path) -> None:
    (home / "diary.txt").write_text(DIARY, encoding="utf-8")
    path = f"{ROOT}:{package}"

    done = ask(home, "collect", "--source", "diary", PYTHONPATH=path)

    assert done["new"] == 2
    assert [hit["event"]["title"] for hit in ask(home, "search", "Ada", PYTHONPATH=path)["hits"]] == [
        "Called Ada"
    ]
