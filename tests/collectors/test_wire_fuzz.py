"""Whatever a desktop says over its wire: no crash, no hang, and what it says well before and after is heard."""

from __future__ import annotations

import json
import random
import socket
import struct
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jeepney.io.blocking import DBusConnection

from collectors import bus as real_bus
from collectors import wayland
from collectors.bus import Bus
from collectors.collector import Unavailable
from collectors.idle import lock, media, mutter
from collectors.idle import wayland as idle_wayland
from collectors.window import gnome, kwin, wlroots
from collectors.window.backend import Window
from collectors.window.sway import Sway
from tests.collectors.wires import WINDOW, WORKSPACE, Answers, SwayWire, WlrootsWire, frame, message

ROUNDS = 150
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inside: st.lists(inside, max_size=3)
    | st.dictionaries(
        st.sampled_from(["change", "container", "focused", "pid", "nodes", "floating_nodes", "name", "id", "app_id",
                         "window_properties", "class", "title", "wm_class", "x"]),
        inside, max_size=5,
    ),
    max_leaves=12,
)  # fmt: skip
VALUE = JSON | st.tuples(st.text(max_size=2), JSON) | st.binary(max_size=8)
BODY = st.lists(VALUE, max_size=6)


@pytest.fixture(autouse=True, scope="module")
def _no_patience() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wayland, "_PATIENCE", 0.05)
        patch.setattr("collectors.window.sway._PATIENCE", 0.05)
        patch.setattr(real_bus, "_PATIENCE", 0.05)
        patch.setenv("WAYLAND_DISPLAY", "wayland-test")
        yield


def mutated(data: bytes, chance: random.Random) -> bytes:
    """A few bytes changed, removed, doubled or put in."""
    out = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at, length = chance.randrange(len(out) + 1), chance.randint(1, 8)
        match chance.randrange(4):
            case 0:
                del out[at : at + length]
            case 1:
                out[at:at] = chance.randbytes(length)
            case 2:
                out[at:at] = out[at : at + length]
            case _:
                out[at : at + length] = bytes(b ^ (1 << chance.randrange(8)) for b in out[at : at + length])
    return bytes(out)


def title(front: Window | None) -> str:
    return "" if front is None else front.title


# sway


@settings(max_examples=ROUNDS, deadline=5_000)
@given(
    payload=JSON.map(lambda told: json.dumps(told).encode()) | st.binary(max_size=60),
    kind=st.sampled_from([WORKSPACE, WINDOW, 77]),
)
def test_sway_may_tell_anything_between_two_windows(payload: bytes, kind: int) -> None:
    wire = SwayWire(payload)
    sway = Sway(wire)
    wire.focus("before")
    assert title(sway.front()) == "before"

    wire.tell(kind, payload)
    sway.front()
    wire.focus("after")

    assert title(sway.front()) == "after"
    sway.close()


def test_sway_s_messages_damaged_anywhere_end_the_watch_at_most() -> None:
    lost = 0
    for seed in range(ROUNDS):
        chance = random.Random(seed)
        wire = SwayWire()
        sway = Sway(wire)
        for name in ("one", "two", "three"):
            wire.focus(name)
        wire.coming = bytearray(mutated(bytes(wire.coming), chance))
        try:
            sway.front()
        except Unavailable:
            lost += 1
        sway.close()
    assert 0 < lost < ROUNDS


def test_a_tree_of_any_depth_is_walked() -> None:
    wire = SwayWire(b'{"nodes":[' * 5_000 + b"{}" + b"]}" * 5_000)
    sway = Sway(wire)
    wire.focus("after")

    assert title(sway.front()) == "after"
    sway.close()


def test_many_messages_at_once_take_no_longer_each() -> None:
    wire = SwayWire()
    sway = Sway(wire)
    for number in range(50_000):
        wire.focus(f"title {number}")

    assert title(sway.front()) == "title 49999"
    sway.close()


# wlroots, and the wire of Wayland


def connected(monkeypatch: pytest.MonkeyPatch) -> tuple[WlrootsWire, wlroots.Wlroots]:
    wire = WlrootsWire()
    monkeypatch.setattr(wayland, "_open", lambda: wire)
    return wire, wlroots.connect()


def test_a_compositor_may_tell_anything_between_two_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(ROUNDS):
        chance = random.Random(seed)
        wire, backend = connected(monkeypatch)
        for told in wire.window("before"):
            wire.put(told)
        assert title(backend.front()) == "before"

        for told in wire.window("bad"):
            object_, size_opcode = struct.unpack_from("=II", told)
            wire.put(message(object_, size_opcode & 0xFFFF, mutated(told[8:], chance)))
        for told in wire.window("after"):
            wire.put(told)

        assert title(backend.front()) == "after", seed
        backend.close()


def test_wayland_s_messages_damaged_anywhere_end_the_watch_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = 0
    for seed in range(ROUNDS):
        wire, backend = connected(monkeypatch)
        wire.put(mutated(b"".join(wire.window("one") + wire.window("two")), random.Random(seed)))
        try:
            backend.front()
        except Unavailable:
            lost += 1
        backend.close()
    assert 0 < lost < ROUNDS


def test_a_compositor_that_answers_anything_is_at_most_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    class Damaging(WlrootsWire):
        def __init__(self, seed: int) -> None:
            super().__init__()
            self._chance = random.Random(seed)

        def tell(self, object_: int, opcode: int, body: bytes) -> None:
            self.put(mutated(message(object_, opcode, body), self._chance))

    for seed in range(40):
        for connect in (wlroots.connect, idle_wayland.connect):
            wire = Damaging(seed)
            monkeypatch.setattr(wayland, "_open", lambda wire=wire: wire)
            with suppress(Unavailable):
                connect().close()
            wire.close()


# the message bus


@settings(max_examples=ROUNDS, deadline=5_000)
@given(body=BODY)
def test_kwin_s_script_may_tell_anything_between_two_windows(body: list[Any]) -> None:
    answers = Answers(loadScript=(1,), run=(), unloadScript=(True,))
    backend = kwin.KWin(answers)
    answers.signal("Tell", ("before", "editor", "11", "{1}"))
    assert title(backend.front()) == "before"

    answers.signal("Tell", body)
    answers.signal("Tell", [str(part) for part in body[:4]])
    answers.signal("Tell", ("²", "²", "²", "²"))
    backend.front()
    answers.signal("Tell", ("after", "editor", "11", "{2}"))

    assert title(backend.front()) == "after"


@settings(max_examples=ROUNDS, deadline=5_000)
@given(body=BODY)
def test_gnome_s_extension_may_tell_anything_between_two_windows(body: list[Any]) -> None:
    answers = Answers(Get=body)
    backend = gnome.Ours(answers)
    answers.signal("Changed", ("before", "editor", "Editor", 11, 1))
    assert title(backend.front()) == "before"

    answers.signal("Changed", body)
    answers.signal("Changed", (*body, *"12345")[:5])
    backend.front()
    answers.signal("Changed", ("after", "editor", "Editor", 11, 2))

    assert title(backend.front()) == "after"


@settings(max_examples=ROUNDS, deadline=5_000)
@given(answer=JSON.map(json.dumps) | st.text(max_size=60))
def test_focused_window_dbus_may_answer_anything(answer: str) -> None:
    answers = Answers(Get=(answer,))
    backend = gnome.Other(answers)
    backend.front()

    answers.answers["Get"] = ('{"id": 3, "title": "after", "wm_class": "editor", "pid": 11}',)

    assert title(backend.front()) == "after"


def test_an_answer_of_any_depth_is_none() -> None:
    assert gnome.told_by_other("[" * 100_000) is None


def _logind(answers: Answers) -> Any:
    return lock._Logind()


def _savers(answers: Answers) -> Any:
    return lock._Savers()


BUS_READERS: list[Callable[[Answers], Any]] = [
    _logind,
    _savers,
    lambda answers: kwin.connect(),
    lambda answers: gnome.connect(),
    lambda answers: mutter.connect(),
    lambda answers: media.Media().plays(),
]


@settings(max_examples=ROUNDS, deadline=5_000)
@given(body=BODY | VALUE.map(lambda value: [("v", value)]), reader=st.sampled_from(range(len(BUS_READERS))))
def test_a_program_on_the_bus_may_answer_anything(body: list[Any], reader: int) -> None:
    methods = ("loadScript", "run", "Get", "GetIdletime", "GetSession", "GetActive", "Display", "LockedHint", "Active",
               "PlaybackStatus")  # fmt: skip
    answers = Answers(**dict.fromkeys(methods, body))
    with pytest.MonkeyPatch.context() as patch:
        for module in (lock, kwin, gnome, mutter, media):
            patch.setattr(module, "Bus", lambda which: answers)
        with suppress(Unavailable):
            opened = BUS_READERS[reader](answers)
            for member in ("PrepareForSleep", "PropertiesChanged", "ActiveChanged"):
                answers.signal(member, body, interface="org.gnome.ScreenSaver", path="/session")
            if hasattr(opened, "news"):
                list(opened.news())
                assert isinstance(opened.state, lock.State)


def test_bytes_on_the_bus_damaged_anywhere_end_the_connection_at_most() -> None:
    outcomes = {"heard": 0, "lost": 0}
    for seed in range(ROUNDS):
        ours, theirs = socket.socketpair()
        theirs.sendall(frame("Hello", "s", (":1.7",), reply_to=1))
        bus = Bus.__new__(Bus)
        bus._connection = DBusConnection(ours)
        bus._heard = deque()
        good = frame("Changed", "sssuu", ("title", "editor", "Editor", 11, 1))
        theirs.sendall(mutated(good * 3, random.Random(seed)))
        try:
            list(bus.heard())
            outcomes["heard"] += 1
        except Unavailable:
            outcomes["lost"] += 1
        bus.close()
        theirs.close()
    assert all(outcomes.values()), outcomes
