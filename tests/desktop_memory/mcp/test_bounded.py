"""Who asks over HTTP is held to a token, a size and a time, and nobody keeps others waiting."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn

from desktop_memory.mcp import bounded
from desktop_memory.mcp.transports import listening

KNOWN = "Authorization: Bearer secret\r\n"
read: list[int] = []


async def whole_body(scope, receive, send) -> None:
    """Reads all of the question and says how long it was."""
    size, more = 0, True
    while more:
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
        read.append(size)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(bounded, "PATIENCE_SECONDS", 1.0)
    read.clear()
    at = listening(0)
    config = uvicorn.Config(
        bounded.bounded(whole_body, "secret"), log_level="critical", lifespan="off", http=bounded.Impatient
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [at]}, name="http")
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield at.getsockname()[1]
    server.should_exit = True
    thread.join(timeout=20)
    at.close()


def answer(port: int, head: str, body: bytes = b"", times: int = 1) -> bytes:
    """The first line of the answer; empty when the connection was closed without one."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as caller:
        caller.sendall(f"POST / HTTP/1.1\r\nHost: x\r\n{head}\r\n".encode())
        with contextlib.suppress(OSError):
            for _ in range(times):
                caller.sendall(body)
        try:
            return caller.recv(4_096).split(b"\r\n")[0]
        except ConnectionError:
            return b""


def test_a_question_of_a_gigabyte_is_refused_unread(port: int) -> None:
    assert answer(port, f"{KNOWN}Content-Length: {1 << 30}\r\n").split()[1] == b"413"
    assert answer(port, f"{KNOWN}Content-Length: {'9' * 400}\r\n").split()[1] in (b"413", b"400")
    assert read == []

    part = b"20000\r\n" + b"x" * 0x20000 + b"\r\n"
    said = answer(port, f"{KNOWN}Transfer-Encoding: chunked\r\n", part, times=200)
    assert said == b"" or said.split()[1] == b"413"
    assert max(read) <= bounded.BODY_LIMIT


def test_without_the_token_nothing_is_read(port: int) -> None:
    assert answer(port, "Content-Length: 3\r\n", b"abc").split()[1] == b"401"
    assert answer(port, "Authorization: Bearer secre\r\nContent-Length: 3\r\n", b"abc").split()[1] == b"401"
    assert read == []


def test_who_is_slow_is_hung_up_on_and_others_are_answered_meanwhile(port: int) -> None:
    silent = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(20)]
    for caller in silent[:10]:
        caller.sendall(b"POST / HTTP/1.1\r\nHost: ")

    assert answer(port, f"{KNOWN}Content-Length: 3\r\n", b"abc").split()[1] == b"200"
    assert answer(port, f"{KNOWN}Content-Length: 50\r\n", b"abc").split()[1] == b"408"
    assert [caller.recv(1) for caller in silent] == [b""] * 20
    for caller in silent:
        caller.close()


def test_what_is_no_http_is_refused(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as caller:
        caller.sendall(b"\x00\xff" * 200 + b"\r\n\r\n")
        assert caller.recv(64).split()[1] == b"400"

    assert answer(port, f"{KNOWN}Content-Length: 3\r\n", b"abc").split()[1] == b"200"
