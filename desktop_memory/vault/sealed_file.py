"""An encrypted file to carry away: the same ways open it that open the memory it came from, or a passphrase alone.

One line says what it is and holds the locked keys; then pieces of a megabyte follow, each encrypted by AES-256-GCM
under its number and whether it is the last, so that none can be changed, moved, left out or cut off unseen.
"""

from __future__ import annotations

import io
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, cast

from desktop_memory.errors import KnownError
from desktop_memory.vault import EXPORT_MAGIC as MAGIC
from desktop_memory.vault import header as headers
from desktop_memory.vault.header import Header, Key
from desktop_memory.vault.wrapping import KEY_BYTES

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_PIECE = 1 << 20
_TAG = 16
_LONGEST_HEAD = 64 * 1024


def by_passphrase(passphrase: str) -> tuple[Header, Key]:
    """A key of the file's own that only a passphrase opens."""
    key = Key(secrets.token_bytes(KEY_BYTES))
    return Header.new("on").with_way("passphrase", key, headers.spelled(passphrase)), key


@contextmanager
def sealing(into: IO[bytes], header: Header, key: Key) -> Iterator[IO[bytes]]:
    """Whatever is written is encrypted; the file is complete when the block ends without an error."""
    salt = secrets.token_bytes(16)
    into.write(MAGIC + headers.as_json(header) + b"\n" + salt)
    writer = _Writer(into, _cipher(key, salt))
    yield cast(IO[bytes], writer)
    writer.end()


def header_of(file: IO[bytes]) -> Header:
    """What opens a sealed file, which is read up to its pieces. Raises KnownError when it is damaged."""
    if file.read(len(MAGIC)) != MAGIC:
        raise KnownError("This is no encrypted export.", "Choose a file that `export` wrote.")
    try:
        return headers.from_json(json.loads(file.readline(_LONGEST_HEAD)))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged() from error


def unsealing(file: IO[bytes], key: Key) -> IO[bytes]:
    """What was sealed, from a file that `header_of` has read the beginning of. Reading raises KnownError."""
    return io.BufferedReader(_Reader(file, _cipher(key, file.read(16))), _PIECE)


class _Writer(io.RawIOBase):
    def __init__(self, into: IO[bytes], cipher: AESGCM) -> None:
        self._into, self._cipher = into, cipher
        self._held = bytearray()
        self._number = 0

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        raw = bytes(data)  # type: ignore[call-overload]  # any buffer
        self._held += raw
        while len(self._held) > _PIECE:
            self._put(bytes(self._held[:_PIECE]), last=False)
            del self._held[:_PIECE]
        return len(raw)

    def end(self) -> None:
        self._put(bytes(self._held), last=True)

    def _put(self, piece: bytes, *, last: bool) -> None:
        self._into.write(self._cipher.encrypt(_nonce(self._number, last), piece, None))
        self._number += 1


class _Reader(io.RawIOBase):
    def __init__(self, file: IO[bytes], cipher: AESGCM) -> None:
        self._file, self._cipher = file, cipher
        self._ahead = file.read(_PIECE + _TAG)
        self._number = 0
        self._plain = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        room = memoryview(buffer)  # type: ignore[arg-type]  # any buffer
        while not self._plain and self._ahead:
            self._plain = self._next()
        taken = self._plain[: len(room)]
        self._plain = self._plain[len(taken) :]
        room[: len(taken)] = taken
        return len(taken)

    def _next(self) -> bytes:
        from cryptography.exceptions import InvalidTag

        piece, self._ahead = self._ahead, self._file.read(_PIECE + _TAG)
        try:
            plain = self._cipher.decrypt(_nonce(self._number, not self._ahead), piece, None)
        except InvalidTag as error:
            raise _damaged() from error
        self._number += 1
        return plain


def _cipher(key: Key, salt: bytes) -> AESGCM:
    """A key for this file alone."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return AESGCM(HKDF(SHA256(), KEY_BYTES, salt, b"desktop-memory export").derive(key.secret))


def _nonce(number: int, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


def _damaged() -> KnownError:
    return KnownError("The encrypted file is damaged or cut off.", "What came before that was read.")
