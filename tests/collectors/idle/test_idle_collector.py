"""Absence on a real X server and a real message bus."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from collectors.bus import Bus, Message, field
from collectors.collector import LiveCollector, Unavailable
from collectors.idle import desktops, lock, xscreensaver
from collectors.idle.collector import IdleCollector
from collectors.idle.presence import Presence
from collectors.window import x11
from collectors.window.collector import WindowCollector
from tests.collectors.watching import watching
from tests.desktop_session import Screen, bus, eventually, message_bus, need, openbox, running, screen

__all__ = ["bus", "openbox", "screen"]
pytestmark = pytest.mark.desktop

BY_X = (("XScreenSaver", xscreensaver.connect),)


def collector(seconds: float = 2, **options) -> IdleCollector:
    options.setdefault("connects", BY_X)
    options.setdefault("connect_locks", None)
    options.setdefault("slept", lambda: 0.0)
    return IdleCollector(threshold=timedelta(seconds=seconds), **options)


def now() -> datetime:
    return datetime.now(UTC)


def test_it_is_a_live_collector():
    assert isinstance(collector(), LiveCollector)


def test_idle_time_counts_from_the_last_input(screen: Screen):
    need("xdotool")
    backend = xscreensaver.connect()

    time.sleep(0.5)
    before = backend.idle()
    screen.do("xdotool", "key", "a")
    after = backend.idle()
    backend.close()

    assert before > 0.4
    assert after < before


def test_absence_is_a_gap_from_the_last_input_to_the_next(openbox: Screen):
    need("xdotool")
    idle = collector()

    with watching(idle) as watch:
        openbox.do("xdotool", "key", "a")
        pressed = now()
        eventually(lambda: watch.gaps)
        assert watch.gaps[0].end is None
        returned = now()
        eventually(lambda: openbox.do("xdotool", "key", "b") or watch.gaps[0].end)
        assert idle.backend == "XScreenSaver"

    (gap,) = watch.gaps
    assert gap.reason == "idle"
    assert abs(gap.start - pressed) < timedelta(seconds=0.3)
    assert gap.end is not None
    assert returned < gap.end < returned + timedelta(seconds=1.5)
    assert idle.presence.away is None


def test_one_stray_key_does_not_end_it(openbox: Screen):
    need("xdotool")

    with watching(collector()) as watch:
        openbox.do("xdotool", "key", "a")
        eventually(lambda: watch.gaps)
        openbox.do("xdotool", "key", "b")
        time.sleep(1.5)
        assert [gap.end for gap in watch.gaps] == [None]

    assert len(watch.gaps) == 1


def test_the_window_in_front_is_closed_when_the_idling_began(openbox: Screen):
    need("xdotool")
    presence = Presence()
    windows = WindowCollector(
        device="d",
        presence=presence,
        connects=(("X11", x11.connect),),
        own_pid=-1,
        blip=timedelta(seconds=0.2),
    )
    openbox.window("paper").focus()

    with watching(collector(presence=presence)) as absence, watching(windows) as watch:
        openbox.do("xdotool", "key", "a")
        watch.until_told("paper")
        eventually(lambda: absence.gaps and not watch.events[0].open)
        eventually(lambda: openbox.do("xdotool", "key", "b") or len(watch.events) == 2)

    first, second = watch.events
    assert first.end == max(absence.gaps[0].start, first.start)
    assert second.start == absence.gaps[0].end


def test_sleep_ends_what_was_going_on_before_it(screen: Screen):
    naps = iter([0.0, 0.0, 3600.0])
    idle = collector(seconds=6, slept=lambda: next(naps, 0.0))

    with watching(idle) as watch:
        began = now()
        eventually(lambda: watch.gaps)
        (gap,) = watch.gaps
        assert gap.reason == "asleep"
        assert gap.start < began + timedelta(seconds=2)
        # The machine woke on its own: somebody is there only with the first key.
        time.sleep(0.5)
        assert watch.gaps[0].end is None
        eventually(lambda: screen.do("xdotool", "key", "b") or watch.gaps[0].end)


def test_without_an_x_server_and_a_bus_it_is_unavailable(monkeypatch: pytest.MonkeyPatch):
    for variable in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere")
    idle = collector(connect_locks=lock.connect)

    with pytest.raises(Unavailable):
        idle.watch(lambda gap: None, threading.Event())

    assert set(idle.tried) == {"XScreenSaver", "lock"}


def test_a_screen_saver_on_the_bus_locks_and_unlocks(bus: str, monkeypatch: pytest.MonkeyPatch):
    need("gdbus")
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere")

    def active(value: str) -> None:
        signal = "org.gnome.ScreenSaver.ActiveChanged"
        with running(
            "gdbus", "emit", "--session", "-o", "/org/gnome/ScreenSaver", "-s", signal, value
        ) as done:
            done.wait(5)

    with watching(collector(connects=(), connect_locks=lock.connect)) as watch:
        time.sleep(0.2)
        locked = now()
        active("true")
        eventually(lambda: watch.gaps)
        active("false")
        eventually(lambda: watch.gaps[0].end)

    (gap,) = watch.gaps
    assert gap.reason == "locked"
    assert locked <= gap.start < locked + timedelta(seconds=2)


class Logind:
    """The part of logind that we listen to, on a bus of its own."""

    def __init__(self, bus: Bus) -> None:
        self.properties = {"LockedHint": False, "Active": True}
        self._bus = bus
        self._bus.own("org.freedesktop.login1")
        self.stop = threading.Event()

    def serve(self) -> None:
        while not self.stop.wait(0.01):
            for message in self._bus.heard():
                self._answer(message)

    def _answer(self, call: Message) -> None:
        if field(call, "member") == "GetSession":
            self._bus.answer(call, "o", "/org/freedesktop/login1/session/_37")
        elif field(call, "member") == "Get" and call.body[1] in self.properties:
            self._bus.answer(call, "v", ("b", self.properties[call.body[1]]))

    def change(self, **properties: bool) -> None:
        self.properties.update(properties)
        changed = {name: ("b", value) for name, value in properties.items()}
        self._emit(
            "/org/freedesktop/login1/session/_37",
            "org.freedesktop.DBus.Properties",
            "PropertiesChanged",
            "sa{sv}as",
            "org.freedesktop.login1.Session",
            changed,
            [],
        )

    def sleep(self, begins: bool) -> None:
        self._emit(
            "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", "b", begins
        )

    def _emit(self, path: str, interface: str, member: str, signature: str, *values: object) -> None:
        from jeepney import DBusAddress, new_signal

        self._bus._send(new_signal(DBusAddress(path, interface=interface), member, signature, values))


@pytest.fixture
def logind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Logind]:
    need("dbus-daemon")
    with message_bus(tmp_path / "system") as address:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
        monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
        monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
        monkeypatch.setenv("XDG_SESSION_ID", "7")
        service = Bus("system")
        logind = Logind(service)
        thread = threading.Thread(target=logind.serve, name="logind")
        thread.start()
        yield logind
        logind.stop.set()
        thread.join()
        service.close()


def test_logind_tells_of_lock_sleep_and_another_user(logind: Logind):
    with watching(collector(connects=(), connect_locks=lock.connect)) as watch:
        time.sleep(0.3)
        logind.change(LockedHint=True)
        eventually(lambda: [gap.reason for gap in watch.gaps] == ["locked"])
        logind.sleep(True)
        eventually(lambda: [gap.reason for gap in watch.gaps] == ["locked", "asleep"])
        logind.sleep(False)
        eventually(lambda: [gap.reason for gap in watch.gaps] == ["locked", "asleep", "locked"])
        logind.change(LockedHint=False)
        eventually(lambda: watch.gaps[-1].end)
        logind.change(Active=False)
        eventually(lambda: len(watch.gaps) == 4)
        logind.change(Active=True)
        eventually(lambda: watch.gaps[-1].end)

    ends = [gap.end for gap in watch.gaps]
    assert [gap.reason for gap in watch.gaps] == ["locked", "asleep", "locked", "locked"]
    assert ends[0] == watch.gaps[1].start
    assert ends[1] == watch.gaps[2].start


def test_the_bus_may_go_away(bus: str, screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with message_bus(tmp_path / "other") as address:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere")
        context = watching(collector(connect_locks=lock.connect))
        watch = context.__enter__()
        time.sleep(0.3)
    try:
        eventually(lambda: watch.gaps)
    finally:
        context.__exit__(None, None, None)

    assert watch.failed is None


def test_a_bus_that_comes_back_is_listened_to_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lock, "_LOOK_AGAIN_SECONDS", 0.0)
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path / 'bus'}")
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere")
    with message_bus(tmp_path / "bus"):
        locks = lock.connect()
        assert len(locks.connections) == 1

    eventually(lambda: not (list(locks.states()) and locks.connections))
    (tmp_path / "bus").unlink(missing_ok=True)
    with message_bus(tmp_path / "bus"):
        eventually(lambda: list(locks.states()) and locks.connections)
        locks.close()


def test_a_clock_set_back_while_nobody_is_there_does_not_hide_the_return(screen: Screen):
    need("xdotool")
    back = timedelta(0)
    idle = collector(clock=lambda: now() - back)

    with watching(idle) as watch:
        screen.do("xdotool", "key", "a")
        eventually(lambda: watch.gaps)
        back = timedelta(hours=1)
        eventually(lambda: screen.do("xdotool", "key", "b") or watch.gaps[0].end)

    assert watch.gaps[0].end == watch.gaps[0].start  # never before it


def test_a_screen_that_is_locked_when_the_watch_ends_does_not_stay_so(
    bus: str, monkeypatch: pytest.MonkeyPatch, logind: Logind
):
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus)
    logind.properties["LockedHint"] = True
    idle = collector(connects=(), connect_locks=lock.connect)

    with watching(idle) as watch:
        eventually(lambda: idle.presence.away)
        assert idle.presence.away is not None
        assert idle.presence.away.reason == "locked"

    assert idle.presence.away is None
    assert [gap.end is not None for gap in watch.gaps] == [True]


def test_stopping_ends_the_gap_that_is_open(screen: Screen):
    with watching(collector(seconds=0.5)) as watch:
        eventually(lambda: watch.gaps)

    assert [gap.end is not None for gap in watch.gaps] == [True]


def test_watching_costs_next_to_nothing(screen: Screen):
    with watching(collector(seconds=180)):
        time.sleep(0.5)
        before, began = time.process_time(), time.monotonic()
        time.sleep(3)
        busy, passed = time.process_time() - before, time.monotonic() - began

    assert busy / passed < 0.005


def test_a_meeting_in_front_is_not_an_absence(screen: Screen):
    presence = Presence()
    presence.engaged = True

    with watching(collector(seconds=0.5, presence=presence)) as watch:
        time.sleep(1.5)
        assert watch.gaps == []
        presence.engaged = False
        ended = now()
        eventually(lambda: watch.gaps)

    assert watch.gaps[0].start >= ended - timedelta(seconds=0.2)


def test_a_film_counts_only_where_the_rule_says_so_and_while_it_plays(screen: Screen, bus: str):
    player = Bus("session")
    player.own("org.mpris.MediaPlayer2.film")
    said, stop = {"status": "Playing"}, threading.Event()

    def serve() -> None:
        while not stop.wait(0.01):
            for message in player.heard():
                player.answer(message, "v", ("s", said["status"]))

    thread = threading.Thread(target=serve, name="player")
    thread.start()
    try:
        with watching(collector(seconds=0.5)) as without:
            eventually(lambda: without.gaps)
        with watching(collector(seconds=0.5, media=desktops.media())) as watch:
            time.sleep(1.5)
            assert watch.gaps == []
            said["status"] = "Paused"
            paused = now()
            eventually(lambda: watch.gaps)
        assert watch.gaps[0].start > paused - timedelta(seconds=0.5)
    finally:
        stop.set()
        thread.join()
        player.close()


def test_no_player_and_no_bus_are_no_film(monkeypatch: pytest.MonkeyPatch, bus: str):
    media = desktops.media()
    assert media is not None
    assert not media.plays()
    media.close()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    assert not media.plays()
