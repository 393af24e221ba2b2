"""The header opens with each of its secrets and with nothing else, and survives damage to one of its copies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_memory.errors import KnownError, StoreError
from desktop_memory.vault import header as headers
from desktop_memory.vault import recovery
from desktop_memory.vault.header import Header, Key
from desktop_memory.vault.wrapping import WrongSecret

KEY = Key(bytes(range(32)))


def made(recovery_key: str, passphrase: str = "four words of mine") -> Header:
    header = Header.new("on").with_way("recovery", KEY, recovery.secret_of(recovery_key))
    return header.with_way("passphrase", KEY, headers.spelled(passphrase))


def test_each_secret_opens_it(tmp_path: Path) -> None:
    recovery_key = recovery.new()
    headers.save(made(recovery_key), tmp_path)

    found = headers.load(tmp_path)

    assert found is not None
    assert found.open_by_text(recovery_key) == KEY
    assert found.open_by_text(" four words of mine\n") == KEY


def test_a_passphrase_is_the_same_from_every_keyboard() -> None:
    decomposed, composed = "vier Wo\u0308rter 東京 🐙", "vier W\u00f6rter 東京 🐙"
    header = Header.new("on").with_way("passphrase", KEY, headers.spelled(decomposed))

    assert header.open_by_text(composed) == KEY


@pytest.mark.parametrize(
    "text",
    ["", "four words of min", recovery.new(), "x" * 5_000],
    ids=["nothing", "shorter", "another", "long"],
)
def test_no_other_text_opens_it(text: str) -> None:
    with pytest.raises(WrongSecret):
        made(recovery.new()).open_by_text(text)


def test_a_way_cannot_stand_in_for_another() -> None:
    header = made(recovery.new())
    swapped = Header(
        id=header.id, state="on", cipher=header.cipher, ways={"recovery": header.ways["passphrase"]}
    )

    with pytest.raises(WrongSecret):
        swapped.open("recovery", b"four words of mine")


def test_the_file_holds_neither_the_key_nor_a_secret(tmp_path: Path) -> None:
    recovery_key = recovery.new()
    headers.save(made(recovery_key), tmp_path)

    for name in (headers.FILE_NAME, headers.COPY_NAME):
        text = (tmp_path / name).read_text()
        assert KEY.secret.hex() not in text
        assert recovery_key not in text
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
    assert KEY.secret.hex() not in repr(KEY)


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"version": 1}', "\x00\xff"])
def test_one_damaged_copy_is_no_loss(tmp_path: Path, damage: str) -> None:
    recovery_key = recovery.new()
    headers.save(made(recovery_key), tmp_path)
    (tmp_path / headers.FILE_NAME).write_text(damage, encoding="latin-1")

    found = headers.load(tmp_path)

    assert found is not None
    assert found.open_by_text(recovery_key) == KEY


def test_two_damaged_copies_are_told_and_never_taken_for_a_plain_memory(tmp_path: Path) -> None:
    for name in (headers.FILE_NAME, headers.COPY_NAME):
        (tmp_path / name).write_text("{")

    with pytest.raises(StoreError, match="cannot be read"):
        headers.load(tmp_path)


def test_an_unknown_cipher_or_a_newer_version_is_refused(tmp_path: Path) -> None:
    headers.save(made(recovery.new()), tmp_path)
    plain = json.loads((tmp_path / headers.FILE_NAME).read_text())
    for change, error in (({"cipher": "rot13'; --"}, StoreError), ({"version": 2}, KnownError)):
        for name in (headers.FILE_NAME, headers.COPY_NAME):
            (tmp_path / name).write_text(json.dumps({**plain, **change}))

        with pytest.raises(error):
            headers.load(tmp_path)


def test_a_cost_that_would_take_for_ever_is_refused(tmp_path: Path) -> None:
    headers.save(made(recovery.new()), tmp_path)
    plain = json.loads((tmp_path / headers.FILE_NAME).read_text())
    plain["ways"]["passphrase"]["cost"] = 1 << 40
    (tmp_path / headers.FILE_NAME).write_text(json.dumps(plain))
    found = headers.load(tmp_path)
    assert found is not None

    with pytest.raises(KnownError, match="cost"):
        found.open_by_text("four words of mine")
