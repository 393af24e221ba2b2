"""A segment: some hundred lines of one device in one file, so that what arrived only half is noticed.

A file is a mark, then either a digest and the compressed lines, or a nonce and the same encrypted. Lines are only
ever added, or emptied when what they tell was forgotten: "the first 120 lines are known" stays true.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import zlib
from collections.abc import Sequence
from typing import Any

MARK = b"DMS1"
FULL_BYTES = 400_000
"""Lines (before compression) from which on the next segment is begun."""
_LARGEST_BYTES = 64_000_000
_DIGEST = 32
_NONCE = 12

Line = dict[str, Any] | None
"""What one line tells; None when that was forgotten."""


class Unreadable(Exception):
    """Half written, damaged, or under another key: it is read when it has changed."""


def pack(lines: Sequence[Line], name: str, key: bytes | None) -> bytes:
    """The file's bytes. `name` is bound into an encrypted one: it cannot stand for another."""
    text = "\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
    packed = zlib.compress(text.encode("utf-8", "replace"), 6)
    if key is None:
        return MARK + b"p" + hashlib.sha256(packed).digest() + packed
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = secrets.token_bytes(_NONCE)
    return MARK + b"e" + nonce + AESGCM(key).encrypt(nonce, packed, name.encode())


def unpack(raw: bytes, name: str, key: bytes | None) -> list[Line]:
    """The lines in a file. Raises Unreadable."""
    how, body = raw[: len(MARK) + 1], raw[len(MARK) + 1 :]
    if how == MARK + b"p":
        packed = body[_DIGEST:]
        if hashlib.sha256(packed).digest() != body[:_DIGEST]:
            raise Unreadable
    elif how == MARK + b"e" and key is not None:
        packed = _decrypted(body, name, key)
    else:
        raise Unreadable
    return _lines(packed)


def _decrypted(body: bytes, name: str, key: bytes) -> bytes:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        return AESGCM(key).decrypt(body[:_NONCE], body[_NONCE:], name.encode())
    except (InvalidTag, ValueError) as error:
        raise Unreadable from error


def _lines(packed: bytes) -> list[Line]:
    try:
        text = zlib.decompressobj().decompress(packed, _LARGEST_BYTES).decode("utf-8")
    except (zlib.error, UnicodeDecodeError) as error:
        raise Unreadable from error
    return [_line(raw) for raw in text.split("\n")] if text else []


def _line(raw: str) -> Line:
    """A line that is none of ours is nothing, and keeps its place."""
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
