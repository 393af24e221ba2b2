"""The zone this person lives in, wherever they travel and whatever TZ says."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import tzlocal

from desktop_memory import clock

SUMMER = datetime(2026, 8, 13, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def zone_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield
    monkeypatch.undo()
    time.tzset()


def offset(at: datetime = SUMMER) -> timedelta | None:
    return at.astimezone(clock.zone()).utcoffset()


def test_who_travels_has_the_new_zone_without_a_restart(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TZ", "Europe/Berlin")
    assert offset() == timedelta(hours=2)

    monkeypatch.setenv("TZ", "Asia/Kathmandu")

    assert offset() == timedelta(hours=5, minutes=45)
    assert SUMMER.astimezone().utcoffset() == timedelta(hours=5, minutes=45)  # the system's own idea as well


def test_a_changed_file_of_the_system_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    file = tmp_path / "localtime"
    file.symlink_to("/usr/share/zoneinfo/Europe/Berlin")
    monkeypatch.delenv("TZ", raising=False)
    monkeypatch.setattr(clock, "_FILES", (str(file),))
    monkeypatch.setattr(
        tzlocal, "reload_localzone", lambda: ZoneInfo(os.readlink(file).split("zoneinfo/")[1])
    )
    assert offset() == timedelta(hours=2)

    (tmp_path / "new").symlink_to("/usr/share/zoneinfo/Asia/Tokyo")
    os.replace(tmp_path / "new", file)

    assert offset() == timedelta(hours=9)


@pytest.mark.parametrize(
    ("setting", "hours"),
    [
        ("Nonsense/Zone", 0),
        ("UTC-5", 5),
        ("CET-1CEST,M3.5.0,M10.5.0/3", 2),
        ("../../etc/passwd", 0),
        ("/tmp", 0),
    ],
)
def test_a_setting_that_is_no_name_of_a_zone_is_read_as_the_system_reads_it(
    monkeypatch: pytest.MonkeyPatch, setting: str, hours: int
):
    monkeypatch.setenv("TZ", setting)

    here = SUMMER.astimezone(clock.zone())

    assert here.utcoffset() == timedelta(hours=hours)
    assert here.astimezone(UTC) == SUMMER
    assert here.replace(hour=0).astimezone(UTC) == here.replace(hour=0, tzinfo=None).astimezone(UTC)


def test_the_system_s_zone_tells_the_hour_that_comes_twice_apart(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    first, second = datetime(2026, 10, 25, 0, 30, tzinfo=UTC), datetime(2026, 10, 25, 1, 30, tzinfo=UTC)

    here = [at.astimezone(clock.zone()) for at in (first, second)]

    assert [f"{at:%H:%M%z}" for at in here] == ["02:30+0200", "02:30+0100"]
    assert [at.astimezone(UTC) for at in here] == [first, second]
