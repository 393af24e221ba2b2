"""The recovery key as people write it: nine groups of four, without letters that look alike."""

from __future__ import annotations

import hashlib
import secrets

from desktop_memory.errors import KnownError

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32
_ALIKE = str.maketrans("OIL", "011")
_BYTES, _SIGNS, _CHECK = 20, 32, 4


def new() -> str:
    """A recovery key: 160 random bits and a checksum, which tells a slip of the pen from a wrong key."""
    return written(secrets.token_bytes(_BYTES))


def written(secret: bytes) -> str:
    signs = _signs(int.from_bytes(secret, "big"), _SIGNS) + _checksum(secret)
    return "-".join(signs[at : at + 4] for at in range(0, len(signs), 4))


def looks_like(text: str) -> bool:
    """Whether somebody meant this as a recovery key."""
    signs = _plain(text)
    return len(signs) == _SIGNS + _CHECK and set(signs) <= set(_ALPHABET)


def secret_of(text: str) -> bytes:
    """The secret in a recovery key, however it was typed. Raises KnownError when it is none or has a slip."""
    signs = _plain(text)
    if not looks_like(text):
        raise KnownError("This is no recovery key.", "It has nine groups of four letters and digits.")
    number = 0
    for sign in signs[:_SIGNS]:
        number = number << 5 | _ALPHABET.index(sign)
    secret = number.to_bytes(_BYTES, "big")
    if _checksum(secret) != signs[_SIGNS:]:
        raise KnownError(
            "One of the letters of this recovery key is wrong.", "Compare it with what you kept."
        )
    return secret


def _plain(text: str) -> str:
    return "".join(text.upper().replace("-", " ").split()).translate(_ALIKE)


def _signs(number: int, count: int) -> str:
    return "".join(_ALPHABET[number >> 5 * place & 31] for place in reversed(range(count)))


def _checksum(secret: bytes) -> str:
    digest = hashlib.sha256(b"desktop-memory recovery" + secret).digest()
    return _signs(int.from_bytes(digest[:8], "big") >> 44, _CHECK)
