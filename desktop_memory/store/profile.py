"""Whose memory this is: its device, and the secrets under which identities are kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import uuid
from collections.abc import Iterable
from dataclasses import dataclass

import apsw

from desktop_memory.store.connection import one, rows

KEY_BYTES = 16
_OLDER = "older secret "


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """`older` are the secrets of memories that were merged into this one: what they knew is known here too."""

    device: str
    device_id: int
    secret: bytes
    older: tuple[bytes, ...] = ()

    def key(self, identity: str) -> bytes:
        """The keyed hash under which an identity is stored."""
        return _keyed(self.secret, identity)

    def older_keys(self, identity: str) -> list[bytes]:
        """The keyed hashes under which a memory that was merged into this one may have stored it."""
        return [_keyed(secret, identity) for secret in self.older] if identity else []

    def seals(self, name: str) -> tuple[str, ...]:
        """The keyed hashes of a name, ours first; the same for all its spellings in upper and lower case."""
        text = f"name\n{name.casefold()}"
        return tuple(_keyed(secret, text).hex() for secret in (self.secret, *self.older))


def make(connection: apsw.Connection) -> None:
    """Give a new memory its secret and its device, within the caller's transaction."""
    connection.execute(
        "INSERT OR IGNORE INTO profile (name, value) VALUES ('secret', ?), ('device', ?)",
        (secrets.token_bytes(32), str(uuid.uuid4())),
    )
    (device,) = one(connection, "SELECT value FROM profile WHERE name = 'device'")
    connection.execute("INSERT OR IGNORE INTO device (uuid) VALUES (?)", (device,))


def become_another(connection: apsw.Connection) -> None:
    """From now on this memory is another device's: the one it was copied from may go on recording, and sharing."""
    device = str(uuid.uuid4())
    connection.execute("INSERT INTO device (uuid) VALUES (?)", (device,))
    connection.execute(
        """INSERT OR IGNORE INTO share_peer (device) SELECT device.id FROM device JOIN profile ON value = uuid
        WHERE profile.name = 'device'"""
    )
    for table in ("share_segment", "share_again", "share_changed", "share_gone"):
        connection.execute(f"DELETE FROM {table}")
    connection.execute("DELETE FROM share_state WHERE name = 'segment'")
    connection.execute("UPDATE profile SET value = ? WHERE name = 'device'", (device,))


def read(connection: apsw.Connection) -> Profile | None:
    """None before it was made."""
    row = one(
        connection,
        """SELECT mine.value, device.id, secret.value FROM profile mine
        JOIN device ON device.uuid = mine.value JOIN profile secret ON secret.name = 'secret'
        WHERE mine.name = 'device'""",
    )
    if row is None:
        return None
    older = rows(connection, f"SELECT value FROM profile WHERE name LIKE '{_OLDER}%' ORDER BY name")
    return Profile(
        device=str(row[0]),
        device_id=int(row[1]),
        secret=bytes(row[2]),
        older=tuple(bytes(value) for (value,) in older),
    )


def adopt(connection: apsw.Connection, found: Iterable[bytes]) -> None:
    """Keep another memory's secrets beside our own, within the caller's transaction."""
    mine = read(connection)
    assert mine is not None
    for secret in found:
        if secret != mine.secret:
            name = _OLDER + hashlib.sha256(secret).hexdigest()[:16]
            connection.execute("INSERT OR IGNORE INTO profile (name, value) VALUES (?, ?)", (name, secret))


def take_over(connection: apsw.Connection, secret: bytes) -> None:
    """Make this our secret; the one before is kept among the older ones."""
    mine = read(connection)
    assert mine is not None
    if secret != mine.secret:
        connection.execute("UPDATE profile SET value = ? WHERE name = 'secret'", (secret,))
        adopt(connection, [mine.secret])


def device_id(connection: apsw.Connection, device: str) -> int:
    """The row of a device, made when it is met for the first time."""
    connection.execute("INSERT OR IGNORE INTO device (uuid) VALUES (?)", (device,))
    return int(one(connection, "SELECT id FROM device WHERE uuid = ?", (device,))[0])


def _keyed(secret: bytes, text: str) -> bytes:
    return hmac.digest(secret, text.encode("utf-8", "surrogatepass"), "sha256")[:KEY_BYTES]
