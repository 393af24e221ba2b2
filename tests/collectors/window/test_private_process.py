"""Private windows without a mark tell nothing: of a browser that was started so, and after a new private tab."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.window.backend import Window, window
from collectors.window.describer import Describer
from collectors.window.private import PrivateWindows, started_private, what_is_not_told
from desktop_memory.pipeline.default_lists import begins_private


@pytest.mark.parametrize(
    ("words", "private"),
    [
        (("/opt/google/chrome/chrome", "--incognito", "https://example.org"), True),
        (("/usr/lib/firefox-esr/firefox-esr", "-private-window"), True),
        (("firefox", "--private-window", "https://example.org"), True),
        (("/opt/microsoft/msedge/msedge", "--inprivate"), True),
        (("/opt/microsoft/msedge/microsoft-edge", "--InPrivate"), True),
        (("/usr/bin/qutebrowser", "--private"), True),
        (("/opt/google/chrome/chrome", "https://example.org/--incognito"), False),
        (("/opt/google/chrome/chrome", "--incognito-mode-availability=1"), False),
        (("/usr/bin/incognito-band-player", "--incognito"), False),
        (("/usr/bin/firefox", "private-window"), False),
        (("",), False),
    ],
)
def test_the_switches_of_a_browsers_process_tell(
    tmp_path: Path, words: tuple[str, ...], private: bool
) -> None:
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "cmdline").write_bytes("\0".join(words).encode() + b"\0")

    assert started_private(7, tmp_path) is private


def test_a_process_that_is_gone_or_unknown_is_not_private(tmp_path: Path) -> None:
    assert not started_private(8, tmp_path)
    assert not started_private(None, tmp_path)


def test_a_window_of_such_a_process_is_marked_for_the_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collectors.window.describer.started_private", lambda pid: pid == 7)

    assert Describer().event(window("Bank", app_id="firefox", pid=7)).private
    assert not Describer().event(window("Bank", app_id="firefox", pid=9)).private


def test_where_nothing_tells_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert what_is_not_told() == ""
    assert what_is_not_told("Firefox") == ""
    assert "strict choice" in what_is_not_told("Google Chrome")
    monkeypatch.setattr("sys.platform", "darwin")
    assert "strict choice" in what_is_not_told()


NEW_TAB = "New Incognito Tab - Chromium"


def chromium(title: str, **more: object) -> Window:
    return window(title, **{"app_id": "Chromium", "pid": 7, "key": "4194321", **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "tab", [NEW_TAB, "Neuer Inkognito-Tab – Chromium", "新しいシークレット タブ - Google Chrome"]
)
def test_a_window_that_began_with_a_private_tab_stays_private(tab: str) -> None:
    known = PrivateWindows(begins_private)

    known.look(chromium(tab), "Chromium")

    assert chromium("Bank - Chromium") in known
    assert chromium("Bank - Chromium", key="4194330") not in known
    assert chromium("Bank - Chromium", pid=8) not in known
    assert chromium("Letter", app_id="Editor") not in known
    assert Describer(private_windows=known).event(chromium("Bank - Chromium")).private


@pytest.mark.parametrize(
    ("title", "app"),
    [
        ("New Incognito Tab - Help - Chromium", "Chromium"),
        ("How to open a new incognito tab - Chromium", "Chromium"),
        (NEW_TAB, "Editor"),
        ("", "Chromium"),
    ],
)
def test_a_page_about_private_tabs_makes_no_window_private(title: str, app: str) -> None:
    known = PrivateWindows(begins_private)

    known.look(chromium(title), app)

    assert chromium("Bank - Chromium") not in known


def test_where_all_windows_of_a_program_go_by_one_key_none_is_private_for_long() -> None:
    known = PrivateWindows(begins_private)

    for key in ("7", ""):
        known.look(chromium(NEW_TAB, key=key), "Chromium")

        assert chromium("Open page - Chromium", key=key) not in known


def test_what_is_known_of_private_windows_stays_small() -> None:
    known = PrivateWindows(lambda title, app: True)

    for number in range(1_500):
        known.look(chromium(NEW_TAB, key=f"w{number}"), "Chromium")

    assert len(known._known) == 1_000
    assert chromium("a", key="w1499") in known
