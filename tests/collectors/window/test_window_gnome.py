"""Watching real windows on a real GNOME Shell, by our extension within it. Needs gnome-shell."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest

from collectors.collector import Unavailable
from collectors.idle import mutter
from collectors.window import gnome as backend
from collectors.window.collector import WindowCollector
from desktop_memory.resources import resource
from tests.collectors.watching import watching
from tests.desktop_session import bus, eventually
from tests.wayland_session import gnome, shown

__all__ = ["bus", "gnome"]


@pytest.mark.desktop
def test_focus_titles_and_no_window_at_all(gnome: None):
    connects = (("GNOME", backend.connect),)
    collector = WindowCollector(device="d", connects=connects, own_pid=-1, blip=timedelta(seconds=0.5))

    with watching(collector) as watch:
        eventually(lambda: collector.backend)
        assert collector.backend == "GNOME extension"
        with shown("retry.py", "gedit"):
            watch.until_told("retry.py")
            with shown("News 日本語", "org.mozilla.firefox") as browser:
                watch.until_told("retry.py", "News 日本語")
                browser.title("Weather")
                browser.wayland.round_trip()
                watch.until_told("News 日本語", "Weather")
            watch.until_told("Weather", "retry.py")
        eventually(lambda: not watch.events[-1].open)

    assert [event.details["class"] for event in watch.events] == [
        "gedit",
        "org.mozilla.firefox",
        "org.mozilla.firefox",
        "gedit",
    ]


@pytest.mark.desktop
def test_idle_time_comes_from_mutter(gnome: None):
    idle = mutter.connect()

    before = idle.idle()
    time.sleep(0.5)
    after = idle.idle()
    idle.close()

    assert 0.3 < after - before < 1


@pytest.mark.desktop
def test_without_an_extension_it_says_what_to_install(bus: str, monkeypatch: pytest.MonkeyPatch):
    from collectors.bus import Bus

    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    with pytest.raises(Unavailable) as absent:
        backend.connect()
    shell = Bus("session")
    shell.own("org.gnome.Shell")

    with pytest.raises(Unavailable) as raised:
        backend.connect()
    shell.close()

    assert absent.value.advice == ""
    assert "extension" in raised.value.advice


def test_both_forms_of_the_extension_do_the_same():
    legacy, esm = (
        resource("gnome-extension", form, "extension.js").read_text() for form in ("legacy", "esm")
    )

    def front(source: str) -> str:
        return source[source.index("// Answers") : source.index("class DesktopMemoryExtension")].replace(
            "export default ", ""
        )

    assert front(legacy) == front(esm)
