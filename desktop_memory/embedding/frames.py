"""How the app and its embedding process talk: two lengths, a JSON header, raw bytes."""

from __future__ import annotations

import json
import struct
from typing import IO, Any

_LENGTHS = struct.Struct("<II")
LARGEST = 64 * 1024 * 1024
NOISE = 16 * 1024
GREETING = b"\0desktop-memory\0"


class BadFrame(Exception):
    """Something else than a frame was read."""


def write_greeting(stream: IO[bytes]) -> None:
    """Frames begin after this."""
    stream.write(GREETING)
    stream.flush()


def skip_to_greeting(stream: IO[bytes]) -> bool:
    """Pass over what a Python start-up file may have printed. False when the other side is gone."""
    seen = b""
    while not seen.endswith(GREETING):
        byte = stream.read(1)
        if not byte:
            return False
        seen += byte
        if len(seen) > NOISE:
            raise BadFrame("no greeting")
    return True


def write_frame(stream: IO[bytes], header: dict[str, Any], body: bytes = b"") -> None:
    text = json.dumps(header).encode("ascii")
    stream.write(_LENGTHS.pack(len(text), len(body)) + text + body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """The next header and body; None when the other side is gone."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    header_size, body_size = _LENGTHS.unpack(lengths)
    if header_size > LARGEST or body_size > LARGEST:
        raise BadFrame(f"a frame of {header_size} + {body_size} bytes")
    header, body = stream.read(header_size), stream.read(body_size)
    if len(header) < header_size or len(body) < body_size:
        return None
    try:
        return json.loads(header), body
    except ValueError as error:
        raise BadFrame("a header that is not JSON") from error
