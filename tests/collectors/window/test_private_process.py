"""A browser that was started for private windows tells nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.window.backend import window
from collectors.window.describer import Describer
from collectors.window.private import started_private, what_is_not_told


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
    monkeypatch.setattr("sys.platform", "darwin")
    assert "strict choice" in what_is_not_told()
