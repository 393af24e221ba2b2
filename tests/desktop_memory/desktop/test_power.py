"""On battery or not, by the kernel's files, and what the other systems say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_memory.desktop import power
from desktop_memory.desktop.power import burden, on_battery

MAINS = {"type": "Mains", "online": "1"}
UNPLUGGED = {"type": "Mains", "online": "0"}
BATTERY = {"type": "Battery", "status": "Discharging"}
MOUSE = {"type": "Battery", "status": "Discharging", "scope": "Device"}
FULL = {"type": "Battery", "status": "Full"}


def supplies(folder: Path, *found: dict[str, str]) -> Path:
    for number, files in enumerate(found):
        supply = folder / f"supply{number}"
        supply.mkdir(parents=True)
        for name, value in files.items():
            (supply / name).write_text(f"{value}\n")
    return folder


@pytest.mark.skipif(os.name == "nt", reason="the kernel's files are Linux's")
@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ((), False),
        ((MAINS, BATTERY), False),
        ((UNPLUGGED, BATTERY), True),
        ((BATTERY,), True),
        ((UNPLUGGED, FULL), False),
        ((MOUSE,), False),
        (({"type": "USB", "online": "1"}, BATTERY), False),
        (({"type": "Battery"},), False),
        (({}, BATTERY), True),
    ],
)
def test_it_runs_on_battery_when_its_own_battery_discharges(
    tmp_path: Path, found: tuple[dict[str, str], ...], expected: bool
) -> None:
    assert on_battery(supplies(tmp_path / "supplies", *found)) is expected


def test_without_the_kernels_folder_nothing_is_said(tmp_path: Path) -> None:
    assert burden(tmp_path / "missing", load=lambda: 0.0) == ""


def test_others_that_want_the_processors_are_a_burden_and_indexing_itself_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)

    assert burden(tmp_path, load=lambda: 4.0) == ""
    assert burden(tmp_path, load=lambda: 4.1) == "the computer is busy"
    assert burden(supplies(tmp_path / "s", BATTERY), load=lambda: 9.0) == "on battery"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Now drawing from 'Battery Power'\n -InternalBattery-0 80%; discharging", True),
        ("Now drawing from 'AC Power'\n -InternalBattery-0 80%; 'Battery Power'", False),
        ("", False),
    ],
)
def test_macos_says_it_in_its_first_line(said: str, expected: bool) -> None:
    assert power._draws_from_battery(said) is expected
