"""Lines and bodies that are no message: each is answered with an error, and the next one as ever."""

from __future__ import annotations

import json
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.running import COMMAND, environment

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
PARSE_ERROR, INVALID_REQUEST = -32700, -32600


def asking(number: object, **arguments: str) -> bytes:
    """A call of a tool as a line; a lone half of a character is written as its escape."""
    params = {"name": "search_activity", "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}).encode()


NO_MESSAGES = [
    (asking(2, query="a\ud800b"), 2, PARSE_ERROR),
    (asking(3, query="x").replace(b'"x"', b'"a\xed\xa0\x80b"'), 3, PARSE_ERROR),
    (asking(4, query="x").replace(b'"x"', b'"a\xe2\x82"'), 4, PARSE_ERROR),
    (asking("five\udfff", query="x"), None, PARSE_ERROR),
    (b'{"jsonrpc":"2.0","id":6,', None, PARSE_ERROR),
    (b"\xff\xfe\x00", None, PARSE_ERROR),
    (b"[" * 50_000, None, PARSE_ERROR),
    (b"[1, 2]", None, INVALID_REQUEST),
    (b'{"jsonrpc":"2.0","id":9,"question":"?"}', 9, INVALID_REQUEST),
]


def test_a_line_that_is_no_message_is_answered_with_an_error_and_the_next_one_as_ever(home: Path):
    process = subprocess.Popen(
        [*COMMAND, "mcp", "serve", "test"], env=environment(home), cwd=home,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None

    def answer(line: bytes) -> dict[str, Any]:
        process.stdin.write(line + b"\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    assert answer(json.dumps(hello).encode())["id"] == 1
    process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n\n  \n')
    for line, number, code in NO_MESSAGES:
        told = answer(line)
        assert (told["id"], told["error"]["code"]) == (number, code)
        assert not answer(asking(99, query="x"))["result"]["isError"]

    process.stdin.close()
    assert process.wait(30) == 0
    assert process.stdout.read() == b""
    process.stdout.close()


def test_what_was_asked_before_the_input_ended_is_answered(home: Path):
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    lines = [
        json.dumps(hello).encode(),
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        *(asking(number, query="x") for number in range(2, 8)),
    ]

    done = subprocess.run(
        [*COMMAND, "mcp", "serve", "test"], env=environment(home), cwd=home,
        input=b"\n".join(lines) + b"\n", capture_output=True, timeout=60, check=True,
    )  # fmt: skip

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(answer["id"] for answer in answers) == list(range(1, 8))
    assert all("result" in answer for answer in answers)


def test_a_body_that_is_no_message_is_refused_and_the_next_one_answered(home: Path):
    process = subprocess.Popen(
        [*COMMAND, "mcp", "--http", "0"], env=environment(home), cwd=home, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    url, token = process.stderr.readline().decode().split("  Authorization: ")
    head = {
        "Authorization": token.strip(),
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }

    def answer(body: bytes) -> tuple[int, dict[str, Any]]:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, body, head), timeout=30) as told:
                return told.status, json.loads(told.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())

    try:
        for body, _, _ in NO_MESSAGES:
            status, told = answer(body)
            assert (status, "error" in told) == (400, True)
            assert answer(asking(99, query="x"))[0] == 200
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.mark.parametrize(
    "words",
    [
        ("resume", "--project", "a\udcff"),
        ("search", "x", "--app", "\udc80"),
        ("pin", "goal", "half \udce2\udc82"),
    ],
)
def test_a_word_that_is_no_text_is_said_in_one_line(home: Path, words: tuple[str, ...]):
    done = subprocess.run([*COMMAND, *words], env=environment(home), capture_output=True, check=False)

    assert done.returncode == 2
    assert b"not text in UTF-8" in done.stderr
