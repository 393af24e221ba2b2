"""The local socket: the same answers as the memory itself, for those who hold the key."""

from __future__ import annotations

import json
import multiprocessing.connection as mpc
import os
import socket
import stat
import struct
import tempfile
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType

import pytest

from desktop_memory.errors import KnownError, NotAnswering, UsageError
from desktop_memory.ipc import address as address_module
from desktop_memory.ipc.address import address, make_key
from desktop_memory.ipc.client import NotRunning, ask, tell
from desktop_memory.ipc.codec import decode, encode
from desktop_memory.ipc.remote import MEMORY_METHODS, RemoteMemory
from desktop_memory.ipc.server import MESSAGE_LIMIT, PATIENCE_SECONDS, Server
from desktop_memory.model import (
    Activity,
    Line,
    Query,
    Remembered,
)
from desktop_memory.receipts import Receipt
from tests.factories import at

EVENT = Remembered(
    id=7, key="ab", identity="", kind="terminal", start=at(1), text="日本語 \udc80 😀", files=("a", "b"),
    details=MappingProxyType({"exit": 1, "deep": {"x": [1, None, 2.5]}}),
)  # fmt: skip


class FakeMemory:
    """A memory that repeats what it was asked."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def search(self, query: Query, *, extra: int = 0) -> object:
        return [query, extra]

    def now(self, minutes: int = 15) -> Activity:
        return Activity(
            since=at(0), until=at(1), lines=(Line(event=EVENT, count=2, line="[12:01] …"),), more=minutes
        )

    def note(self, text: str) -> None:
        text.encode()
        raise UsageError("An empty note says nothing.", "Write it.")

    def stats(self) -> object:
        raise ZeroDivisionError

    def show(self, what: str) -> None:
        self.shown.append(what)

    def secret(self) -> str:
        return "never"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "data"
    made.mkdir(mode=0o700)
    return made


@pytest.fixture
def memory(folder: Path) -> Iterator[FakeMemory]:
    target = FakeMemory()
    allowed = frozenset(MEMORY_METHODS)
    server = Server(folder, {"memory": (target, allowed), "app": (target, frozenset({"show"}))})
    server.start()
    yield target
    server.close()


@pytest.mark.parametrize(
    "value",
    [
        EVENT,
        Query(text="x", since=at(3), kinds=("window",)),
        (1, [2.5, (None, True)], {"a": {"b": timedelta(minutes=1)}}),
        Receipt(new=1, skipped={"half": 2}),
        datetime(2026, 1, 1, tzinfo=UTC),
    ],
)
def test_what_is_sent_arrives_as_it_was(value):
    assert decode(encode(value)) == value


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"$": "os.system"}',
        b'{"$": "Query", "nonsense": 1}',
        b"[" * 100_000,
        b'{"x": 1}',
    ],
)
def test_what_is_no_message_is_refused(raw):
    with pytest.raises(ValueError):  # noqa: PT011
        decode(raw)


def test_only_the_model_can_be_sent():
    with pytest.raises(TypeError):
        encode(object())


def test_a_remote_memory_answers_like_the_memory(folder, memory):
    remote = RemoteMemory(folder)

    assert remote.now(3) == memory.now(3)
    assert remote.search(Query(text="x"), extra=5) == [Query(text="x"), 5]


def test_a_known_error_arrives_as_the_same_error(folder, memory):
    with pytest.raises(UsageError) as told:
        RemoteMemory(folder).note("")

    assert told.value.problem == "An empty note says nothing."
    assert told.value.exit_code == 2


def test_a_bug_is_said_without_ending_the_server(folder, memory, caplog):
    with pytest.raises(KnownError, match="bug"):
        RemoteMemory(folder).stats()

    assert RemoteMemory(folder).now(1).more == 1
    assert "ZeroDivisionError" in caplog.text


def test_methods_that_are_not_offered_cannot_be_called(folder, memory):
    with pytest.raises(KnownError):
        ask(folder, "memory", "secret", encode([[], {}]))
    with pytest.raises(AttributeError):
        RemoteMemory(folder).secret()


def test_a_plain_word_reaches_the_app(folder, memory):
    tell(folder, "show", "search")

    assert memory.shown == ["search"]


def test_without_an_app_it_is_not_running(folder):
    make_key(folder)

    with pytest.raises(NotRunning):
        ask(folder, "memory", "now", encode([[], {}]))


def test_a_wrong_key_is_turned_away(folder, memory):
    (folder / "ipc.key").write_bytes(b"0" * 64)

    with pytest.raises(KnownError, match="key"):
        ask(folder, "memory", "now", encode([[], {}]))


def test_key_and_socket_are_for_their_owner_alone(folder, memory):
    assert stat.S_IMODE((folder / "ipc.key").stat().st_mode) == 0o600
    assert stat.S_IMODE(os.stat(address(folder)).st_mode) == 0o600


def test_silent_rude_and_huge_callers_do_not_keep_others_waiting(folder, memory):
    silent = [socket.socket(socket.AF_UNIX) for _ in range(8)]
    for caller in silent:
        caller.connect(address(folder))
    rude = socket.socket(socket.AF_UNIX)
    rude.connect(address(folder))
    rude.sendall(b"\xff" * 64)
    with mpc.Client(address(folder), authkey=make_key(folder)) as huge, pytest.raises((OSError, EOFError)):
        huge.send_bytes(b"x" * (MESSAGE_LIMIT + 1))
        huge.recv_bytes()

    assert RemoteMemory(folder).now(4).more == 4
    for caller in (*silent, rude):
        caller.close()


def test_sixty_who_say_nothing_keep_nobody_waiting(folder, memory):
    silent = [socket.socket(socket.AF_UNIX) for _ in range(60)]
    for caller in silent:
        caller.connect(address(folder))
    begun = time.monotonic()
    assert RemoteMemory(folder).now(4).more == 4
    assert time.monotonic() - begun < PATIENCE_SECONDS, "answered before they are hung up on"
    for caller in silent:
        caller.close()


def test_an_app_that_hangs_up_on_everybody_is_no_app_that_does_not_run(folder, monkeypatch):
    """Nobody is told that nothing is recorded only because too many ask."""
    make_key(folder)
    monkeypatch.setattr("desktop_memory.ipc.server.CALLERS", 0)
    server = Server(folder, {"memory": (FakeMemory(), frozenset({"now"}))})
    server.start()
    with pytest.raises(NotAnswering):
        RemoteMemory(folder).now(4)
    server.close()
    with pytest.raises(NotRunning):
        RemoteMemory(folder).now(4)


def test_the_end_of_the_app_waits_for_nobody_who_is_silent(folder):
    server = Server(folder, {"memory": (FakeMemory(), frozenset({"now"}))})
    server.start()
    with socket.socket(socket.AF_UNIX) as silent:
        silent.connect(address(folder))
        assert silent.recv(4), "it was greeted"
        begun = time.monotonic()
        server.close()
        assert time.monotonic() - begun < PATIENCE_SECONDS


def test_a_caller_that_dribbles_is_hung_up_on(folder, monkeypatch, caplog):
    caplog.set_level("INFO")
    monkeypatch.setattr("desktop_memory.ipc.server.TALKING_SECONDS", 0.7)
    server = Server(folder, {"memory": (FakeMemory(), frozenset({"now"}))})
    server.start()
    with mpc.Client(address(folder), authkey=make_key(folder)) as slow:
        with socket.socket(fileno=os.dup(slow.fileno())) as raw:
            raw.sendall(struct.pack("!i", 1_000))
            with pytest.raises(OSError):  # noqa: PT011
                for _ in range(40):
                    raw.sendall(b"x")
                    time.sleep(0.1)

    assert RemoteMemory(folder).now(4).more == 4
    server.close()
    assert "turned away" in caplog.text


def test_a_message_that_says_it_is_a_gigabyte_is_refused_before_it_is_read(folder, memory):
    with mpc.Client(address(folder), authkey=make_key(folder)) as huge:
        with socket.socket(fileno=os.dup(huge.fileno())) as raw:
            raw.sendall(struct.pack("!i", -1) + struct.pack("!Q", 1 << 30))
            assert raw.recv(1) == b""

    assert RemoteMemory(folder).now(4).more == 4


def test_malformed_questions_are_refused_and_the_server_goes_on(folder, memory):
    for message in (
        b"",
        b"\n",
        b"[]\n[]",
        b"[" * 100_000,
        json.dumps(["memory", "now"]).encode() + b"\nnonsense",
    ):
        with mpc.Client(address(folder), authkey=make_key(folder)) as caller:
            caller.send_bytes(message)
            assert caller.recv_bytes()[:1] == b"-"

    assert RemoteMemory(folder).now(5).more == 5


def test_half_a_character_is_an_error_and_the_server_goes_on(folder, memory, caplog):
    half = json.dumps([["a\ud800"], {"$map": {}}]).encode()
    raw = b'[["a\xe2\x82"],{"$map":{}}]'
    for arguments, says in ((half, "not text in UTF-8"), (raw, "does not understand")):
        with pytest.raises(UsageError, match=says):
            ask(folder, "memory", "note", arguments)

        assert RemoteMemory(folder).now(6).more == 6
    assert "failed" not in caplog.text


def test_many_ask_at_once(folder, memory):
    answers: list[int] = []

    def many(n: int) -> None:
        for _ in range(20):
            answers.append(RemoteMemory(folder).now(n).more - n)

    threads = [threading.Thread(target=many, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == [0] * 160


def test_a_socket_that_a_killed_app_left_is_replaced(folder):
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(address(folder))
    stale.close()
    target = FakeMemory()
    server = Server(folder, {"memory": (target, frozenset({"now"}))})

    server.start()

    assert RemoteMemory(folder).now(2).more == 2
    server.close()
    assert not os.path.exists(address(folder))


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder whose name leaves room for a socket's."""
    with tempfile.TemporaryDirectory(prefix="dm-") as folder:
        yield Path(folder)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root makes files of others")
@pytest.mark.parametrize("taken", ["folder", "link", "file"])
def test_who_takes_the_name_of_our_folder_keeps_no_app_from_starting(short_path, monkeypatch, taken):
    folder = short_path / "memory"
    folder.mkdir(mode=0o700)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr(address_module, "_SHARED", short_path)
    name = short_path / f"desktop-memory-{os.getuid()}"
    if taken == "folder":
        name.mkdir(mode=0o777)
        os.chown(name, 65_534, 65_534)
    elif taken == "link":
        name.symlink_to("/var/tmp")
    else:
        name.touch()

    server = Server(folder, {"memory": (FakeMemory(), frozenset({"now"}))})
    server.start()
    assert Path(address(folder)).parent == folder
    assert RemoteMemory(folder).now(2).more == 2
    server.close()


def test_the_socket_path_stays_short_whatever_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / ("long" * 30)))

    path = address(tmp_path / ("deep" * 50))

    assert len(path.encode()) < 108


def test_without_a_short_place_for_the_socket_it_is_said_what_to_do(short_path, monkeypatch):
    """The short folder's name is taken, and the memory's own lies too deep."""
    folder = short_path / ("x" * 40) / ("y" * 60)
    folder.mkdir(mode=0o700, parents=True)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr(address_module, "_SHARED", short_path)
    (short_path / f"desktop-memory-{os.getuid()}").touch()

    server = Server(folder, {})
    with pytest.raises(KnownError, match="short enough") as met:
        server.start()
    server.close()
    assert "XDG_RUNTIME_DIR" in met.value.advice
    with pytest.raises(NotRunning):
        RemoteMemory(folder).now(2)


def test_where_nothing_can_be_made_the_socket_lies_in_the_memory_s_folder(short_path, monkeypatch):
    folder = short_path / "memory"
    folder.mkdir(mode=0o700)
    (short_path / "file").touch()
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr(address_module, "_SHARED", short_path / "file")
    monkeypatch.setattr(address_module.tempfile, "gettempdir", lambda: str(short_path / "file"))

    assert Path(address(folder)).parent == folder
