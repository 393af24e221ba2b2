"""A text inside a file that anybody may open, locked with the memory's key: what the user typed into settings.toml."""

from __future__ import annotations

import base64
from pathlib import Path

from desktop_memory.errors import KnownError
from desktop_memory.vault import header as headers
from desktop_memory.vault.header import Header
from desktop_memory.vault.unlocking import key_for
from desktop_memory.vault.wrapping import NONCE_BYTES, SALT_BYTES, Wrapped, WrongSecret, unwrap, wrap


def wanted(folder: Path) -> Header | None:
    """What a text in this folder is to be locked by; None where the memory is not encrypted, or shall not be."""
    header = headers.load(folder)
    return header if header is not None and header.state == "on" else None


def seal(text: str, header: Header) -> str:
    """The text, locked, in letters and digits. Raises Locked."""
    wrapped = wrap(text.encode(), key_for(header).secret, _about(header), guessable=False)
    return base64.b64encode(wrapped.salt + wrapped.nonce + wrapped.sealed).decode("ascii")


def unseal(sealed: str, file: Path) -> str:
    """What `seal` was given, of this file. Raises Locked, KnownError when it cannot be opened."""
    header = headers.load(file.parent)
    if header is None:
        raise KnownError(
            f"What you typed into {file.name} is encrypted, and {headers.FILE_NAME} is not there.",
            f"Put it back, or take the line `sealed` out of {file}: your rules go with it.",
        )
    key = key_for(header)
    try:
        raw = base64.b64decode(sealed, validate=True)
        parts = raw[:SALT_BYTES], raw[SALT_BYTES : SALT_BYTES + NONCE_BYTES], raw[SALT_BYTES + NONCE_BYTES :]
        wrapped = Wrapped(salt=parts[0], nonce=parts[1], sealed=parts[2])
        return unwrap(wrapped, key.secret, _about(header)).decode()
    except (ValueError, WrongSecret) as error:
        raise KnownError(
            f"What you typed into {file.name} cannot be decrypted: the line `sealed` was changed.",
            f"Take {file.name} from a backup, or the line out of {file}: your rules go with it.",
        ) from error


def _about(header: Header) -> str:
    return f"{header.id} settings"
