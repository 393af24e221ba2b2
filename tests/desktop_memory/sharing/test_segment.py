"""What arrived half, damaged or under another key is noticed; what arrived whole is what was written."""

from __future__ import annotations

import secrets
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_memory.sharing.segment import Unreadable, pack, unpack

KEY = b"k" * 32
LINES: list[dict[str, Any] | None] = [{"event": {"title": "Zeile 1 日本"}}, None, {"forgotten": ["ab"]}]


@pytest.mark.parametrize("key", [None, KEY])
def test_out_comes_what_went_in(key: bytes | None) -> None:
    assert unpack(pack(LINES, "a/1", key), "a/1", key) == LINES
    assert unpack(pack([], "a/1", key), "a/1", key) == []


@pytest.mark.parametrize("key", [None, KEY])
@given(cut=st.integers(0, 10_000), flip=st.integers(0, 10_000))
def test_a_cut_or_changed_file_is_unreadable(key: bytes | None, cut: int, flip: int) -> None:
    raw = pack(LINES, "a/1", key)
    with pytest.raises(Unreadable):
        unpack(raw[: cut % len(raw)], "a/1", key)
    changed = bytearray(raw)
    changed[flip % len(raw)] ^= 0x55
    with pytest.raises(Unreadable):
        unpack(bytes(changed), "a/1", key)


def test_an_encrypted_one_is_bound_to_key_and_place() -> None:
    raw = pack(LINES, "a/1", KEY)

    assert b"Zeile" not in raw
    for name, key in (("a/2", KEY), ("b/1", KEY), ("a/1", b"x" * 32), ("a/1", None)):
        with pytest.raises(Unreadable):
            unpack(raw, name, key)


@given(st.binary(max_size=300))
def test_noise_is_unreadable(raw: bytes) -> None:
    with pytest.raises(Unreadable):
        unpack(raw, "a/1", None)


def test_a_line_that_is_none_keeps_its_place() -> None:
    import hashlib
    import zlib

    packed = zlib.compress(b'{"event": 1}\nnonsense\n[1]\n' + b"[" * 100_000 + b'\n{"gap": 2}')
    raw = b"DMS1p" + hashlib.sha256(packed).digest() + packed
    assert unpack(raw, "a/1", None) == [{"event": 1}, None, None, None, {"gap": 2}]


def test_no_two_are_encrypted_alike() -> None:
    assert pack(LINES, "a/1", KEY) != pack(LINES, "a/1", KEY)
    assert secrets.compare_digest(pack(LINES, "a/1", None), pack(LINES, "a/1", None))
