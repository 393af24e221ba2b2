"""Messages over standard input and output, a line each; a line that is none is answered with an error, in its place."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server import MCPServer
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)
from pydantic import ValidationError

logger = logging.getLogger(__name__)

_Item = SessionMessage | Exception
_LEFT = (anyio.ClosedResourceError, anyio.BrokenResourceError)
"""The client left meanwhile."""
_PATIENCE = 30.0
"""Seconds for answers that are under way when the client has said its last."""


async def serve(server: MCPServer) -> None:
    """Answer one client until it closes its side, and what it asked before. The SDK passes over lines in silence
    that are no message, and drops what is not answered when the input ends."""
    with _own_input() as lines:
        async with stdio_server(stdin=anyio.wrap_file(lines)) as (given, told):
            into, messages = anyio.create_memory_object_stream[_Item](0)
            answers, out = anyio.create_memory_object_stream[SessionMessage](0)
            asked = _Unanswered()
            async with anyio.create_task_group() as group:
                group.start_soon(_hand_on, given, into, told, asked)
                group.start_soon(_send_on, out, told, asked)
                inner = server._lowlevel_server
                async with answers:
                    await inner.run(messages, answers, inner.create_initialization_options())


class _Unanswered:
    """The requests that wait for their answer."""

    def __init__(self) -> None:
        self._numbers: set[str | int] = set()
        self._changed = anyio.Event()

    def given(self, item: SessionMessage) -> None:
        message = item.message
        if isinstance(message, JSONRPCRequest):
            self._numbers.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._ended((message.params or {}).get("requestId"))

    def told(self, item: SessionMessage) -> None:
        if isinstance(item.message, (JSONRPCResponse, JSONRPCError)):
            self._ended(item.message.id)

    async def none(self) -> None:
        """Wait until nothing waits for its answer."""
        while self._numbers:
            await self._changed.wait()

    def _ended(self, number: Any) -> None:
        self._numbers.discard(number)
        self._changed.set()
        self._changed = anyio.Event()


async def _hand_on(given: Any, into: MemoryObjectSendStream[_Item], told: Any, asked: _Unanswered) -> None:
    """Give the server each message; answer a line that is none."""
    async with into:
        async for item in given:
            if isinstance(item, SessionMessage):
                asked.given(item)
                await into.send(item)
                continue
            if _is_blank(item):
                continue
            logger.info("a line from the client was no message (%s)", type(item).__name__)
            with suppress(*_LEFT):
                await told.send(SessionMessage(_error_for(item)))
        with anyio.move_on_after(_PATIENCE):
            await asked.none()


async def _send_on(out: MemoryObjectReceiveStream[SessionMessage], told: Any, asked: _Unanswered) -> None:
    async with out, told:
        async for item in out:
            with suppress(*_LEFT):
                await told.send(item)
            asked.told(item)


def _error_for(problem: Exception) -> JSONRPCError:
    """What JSON-RPC says to a line that is no message, with the number that the line gave itself, if any."""
    line = _line_of(problem)
    if line is None or isinstance(line, str):
        error = ErrorData(code=PARSE_ERROR, message="This line is not JSON in UTF-8.")
    else:
        error = ErrorData(code=INVALID_REQUEST, message="This line is no JSON-RPC message.")
    return JSONRPCError(jsonrpc="2.0", id=_number_of(line), error=error)


def _line_of(problem: Exception) -> Any:
    return problem.errors()[0]["input"] if isinstance(problem, ValidationError) else None


def _is_blank(problem: Exception) -> bool:
    line = _line_of(problem)
    return isinstance(line, str) and not line.strip()


def _number_of(line: Any) -> str | int | None:
    if isinstance(line, str):
        try:
            line = json.loads(line)
        except (ValueError, RecursionError):
            return None
    number = line.get("id") if isinstance(line, dict) else None
    if isinstance(number, int) and not isinstance(number, bool):
        return number
    return number if isinstance(number, str) and number.isprintable() else None


@contextmanager
def _own_input() -> Iterator[TextIOWrapper]:
    """Standard input for ourselves alone: what we start reads nothing there. Bytes that are no UTF-8 stay visible."""
    wire = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    lines = TextIOWrapper(os.fdopen(wire, "rb", closefd=False), encoding="utf-8", errors="surrogateescape")
    try:
        yield lines
    finally:
        os.dup2(wire, 0)
