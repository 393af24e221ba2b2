"""The recovery key survives being written by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_memory.errors import KnownError
from desktop_memory.vault import recovery


@given(st.binary(min_size=20, max_size=20))
def test_what_is_written_is_read_again(secret: bytes) -> None:
    assert recovery.secret_of(recovery.written(secret)) == secret


def test_it_may_be_typed_in_small_letters_without_dashes_and_with_look_alikes() -> None:
    written = recovery.written(bytes(range(20)))

    typed = written.replace("-", " ").lower().replace("0", "o").replace("1", "l")

    assert recovery.secret_of(typed) == bytes(range(20))


def test_one_wrong_letter_is_noticed_wherever_it_stands() -> None:
    written = recovery.new()
    for at, sign in enumerate(written):
        if sign == "-":
            continue
        other = "7" if sign != "7" else "8"

        with pytest.raises(KnownError, match="letters"):
            recovery.secret_of(written[:at] + other + written[at + 1 :])


def test_no_two_are_alike() -> None:
    assert len({recovery.new() for _ in range(100)}) == 100


@pytest.mark.parametrize("text", ["", "hello", "ABCD-" * 8, "é" * 36, "U" * 36])
def test_something_else_is_no_recovery_key(text: str) -> None:
    assert not recovery.looks_like(text)
    with pytest.raises(KnownError, match="no recovery key"):
        recovery.secret_of(text)
