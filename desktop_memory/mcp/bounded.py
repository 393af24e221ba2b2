"""Bounds on who asks over HTTP: the token first, then how much is said and how long it takes."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import anyio
from uvicorn.protocols.http.h11_impl import H11Protocol

logger = logging.getLogger(__name__)

BODY_LIMIT = 4 * 1024 * 1024
CALLERS = 64
PATIENCE_SECONDS = 15.0
"""How long a caller may take until its whole question is there."""

_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
App = Callable[[_Message, _Receive, _Send], Awaitable[None]]


class Impatient(H11Protocol):
    """Hangs up on whoever connects and does not finish the head of a first question."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.loop.call_later(PATIENCE_SECONDS, self._give_up)

    def _give_up(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            logger.info("a caller was turned away: it said nothing whole")
            self.transport.close()


class _TooMuch(Exception):
    pass


def bounded(inner: App, wanted: str) -> App:
    """The app behind a token, a limit of the body and a limit of the time that a body takes."""
    expected = f"Bearer {wanted}".encode()

    async def guarded(scope: _Message, receive: _Receive, send: _Send) -> None:
        if scope["type"] != "http":
            await inner(scope, receive, send)
            return
        headers = dict(scope["headers"])
        if not hmac.compare_digest(headers.get(b"authorization", b""), expected):
            await _refuse(send, 401, "A token is needed.", (b"www-authenticate", b"Bearer"))
        elif _too_long(headers.get(b"content-length", b"0")):
            await _refuse(send, 413, "This is too much at once.")
        else:
            try:
                await inner(scope, _limited(receive), send)
            except _TooMuch:
                await _refuse(send, 413, "This is too much at once.")
            except TimeoutError:
                await _refuse(send, 408, "This took too long.")

    return guarded


def _limited(receive: _Receive) -> _Receive:
    left, whole = BODY_LIMIT, False
    until = anyio.current_time() + PATIENCE_SECONDS

    async def limited() -> _Message:
        nonlocal left, whole
        if whole:  # from here on it only waits for the caller to go
            return await receive()
        with anyio.fail_after(max(0.0, until - anyio.current_time())):
            message = await receive()
        left -= len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if left < 0:
            raise _TooMuch
        return message

    return limited


def _too_long(given: bytes) -> bool:
    return not given.isdigit() or len(given) > 12 or int(given) > BODY_LIMIT


async def _refuse(send: _Send, status: int, why: str, *headers: tuple[bytes, bytes]) -> None:
    logger.info("a caller was turned away (%d)", status)
    plain = (b"content-type", b"text/plain")
    closing = (b"connection", b"close")
    await send({"type": "http.response.start", "status": status, "headers": [plain, closing, *headers]})
    await send({"type": "http.response.body", "body": f"{why}\n".encode()})
