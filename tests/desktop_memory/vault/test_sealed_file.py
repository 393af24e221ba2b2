"""An encrypted export opens whole or not at all."""

from __future__ import annotations

import io

import pytest

from desktop_memory.errors import KnownError
from desktop_memory.vault import is_sealed
from desktop_memory.vault.sealed_file import by_passphrase, header_of, sealing, unsealing

PIECE = 1 << 20


def sealed(text: bytes) -> bytes:
    into = io.BytesIO()
    with sealing(into, *by_passphrase("four words of mine")) as file:
        for at in range(0, len(text), 70_001):
            file.write(text[at : at + 70_001])
    return into.getvalue()


def read(raw: bytes, passphrase: str = "four words of mine") -> bytes:
    file = io.BytesIO(raw)
    header = header_of(file)
    return unsealing(file, header.open_by_text(passphrase)).read()


@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE])
def test_what_was_sealed_comes_back(size: int) -> None:
    text = bytes(n % 251 for n in range(size))

    raw = sealed(text)

    assert is_sealed(raw)
    assert read(raw) == text
    assert size < 100 or text[:100] not in raw


def test_a_piece_changed_cut_off_left_out_or_moved_is_noticed() -> None:
    raw = sealed(bytes(3 * PIECE))
    start = len(raw) - 3 * (PIECE + 16)
    one, two = raw[start : start + PIECE + 16], raw[start + PIECE + 16 : start + 2 * (PIECE + 16)]
    rest = raw[start + 2 * (PIECE + 16) :]
    for damaged in (
        raw[:-1],
        raw[: start + PIECE + 16],
        raw[:start] + two + one + rest,
        raw[:start] + one + rest,
        raw[: start + 5] + bytes([raw[start + 5] ^ 1]) + raw[start + 6 :],
        raw + b"x",
    ):
        with pytest.raises(KnownError, match="damaged"):
            read(damaged)


@pytest.mark.parametrize("raw", [b"", b"{}", b"Desktop Memory, encrypted export 1\n{"])
def test_something_else_is_refused(raw: bytes) -> None:
    with pytest.raises(KnownError):
        header_of(io.BytesIO(raw))
