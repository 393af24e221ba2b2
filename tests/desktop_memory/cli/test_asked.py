"""What a person is asked at a terminal, and what ends it."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

import pytest

from desktop_memory.cli import asked, parser


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    def type_in(what: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", Terminal(io.BytesIO(what), encoding="utf-8"))

    return type_in


@pytest.mark.parametrize(
    ("what", "meant"), [(b"y\n", True), (b" YES \n", True), (b"\n", False), (b"n\n", False), (b"yo\n", False)]
)
def test_only_a_yes_is_a_yes(typed: Callable[[bytes], None], what: bytes, meant: bool) -> None:
    typed(what)

    assert asked.agreed("Do it?") is meant


@pytest.mark.parametrize("what", [b"", b"\xff\xfe\n"])
def test_no_answer_cancels_and_changes_nothing(
    typed: Callable[[bytes], None], what: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    parser.run(["note", "marzipan for the party"])
    typed(what)

    code = parser.run(["forget", "marzipan"])

    assert code == parser.CANCELLED
    assert "cancelled" in capsys.readouterr().err
    typed(b"")
    parser.run(["search", "marzipan"])
    assert "for the party" in capsys.readouterr().out


def test_without_a_word_it_tells_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parser.run([])

    assert ended.value.code == 0
    assert "a block to paste into an AI chat" in capsys.readouterr().out
