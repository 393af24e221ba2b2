"""A key locked with another secret: AES-256-GCM under what scrypt makes of a passphrase, or HKDF of random bytes."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from desktop_memory.errors import KnownError

KEY_BYTES = 32
SALT_BYTES = 16
NONCE_BYTES = 12
SCRYPT_COST = 1 << 16
"""64 MB and about a quarter of a second for each guess."""
_LARGEST_COST = 1 << 20
_BLOCKS = 8


class WrongSecret(Exception):
    """The secret does not fit."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Wrapped:
    """A locked key, as it lies in a file. `cost` is scrypt's; 0 for a secret that is random already."""

    salt: bytes
    nonce: bytes
    sealed: bytes
    cost: int = 0


def wrap(key: bytes, secret: bytes, about: str, *, guessable: bool) -> Wrapped:
    """Lock a key. `about` must be told again when it is opened; a passphrase is `guessable`, random bytes are not."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # only where something is encrypted

    salt, nonce = secrets.token_bytes(SALT_BYTES), secrets.token_bytes(NONCE_BYTES)
    cost = SCRYPT_COST if guessable else 0
    sealed = AESGCM(_locking_key(secret, salt, cost)).encrypt(nonce, key, about.encode())
    return Wrapped(salt=salt, nonce=nonce, sealed=sealed, cost=cost)


def unwrap(wrapped: Wrapped, secret: bytes, about: str) -> bytes:
    """The key. Raises WrongSecret."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    locking = _locking_key(secret, wrapped.salt, wrapped.cost)
    try:
        return AESGCM(locking).decrypt(wrapped.nonce, wrapped.sealed, about.encode())
    except InvalidTag as error:
        raise WrongSecret from error


def _locking_key(secret: bytes, salt: bytes, cost: int) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    if not cost:
        return HKDF(SHA256(), KEY_BYTES, salt, b"desktop-memory").derive(secret)
    if cost > _LARGEST_COST or cost & (cost - 1):
        raise KnownError("This file asks for an impossible cost of its passphrase.", "It is damaged.")
    return hashlib.scrypt(
        secret, salt=salt, n=cost, r=_BLOCKS, p=1, maxmem=cost * _BLOCKS * 256, dklen=KEY_BYTES
    )
