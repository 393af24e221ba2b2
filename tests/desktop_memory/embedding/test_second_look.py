"""A second look costs nothing while nobody wants it."""

from __future__ import annotations

import pytest

from desktop_memory.embedding.catalog import prefixes
from desktop_memory.embedding.embedder import EmbedderUnavailable
from desktop_memory.embedding.reranker import SecondLook


class Judge:
    closed = False

    def scores(self, question: str, texts: list[str]) -> list[float]:
        return [float(len(text)) for text in texts]

    def close(self) -> None:
        self.closed = True


def test_it_is_opened_at_the_first_question_and_closed_when_it_is_switched_off():
    opened: list[Judge] = []
    look = SecondLook(lambda: opened.append(Judge()) or opened[-1], wanted=True)

    assert (look.on, len(opened)) == (True, 0)
    assert look.scores("q", ["ab", "c"]) == [2.0, 1.0]
    look.scores("q", ["ab"])
    look.want(False)

    assert (look.on, [judge.closed for judge in opened]) == (False, [True])


def test_a_model_that_is_not_installed_is_an_error_each_time_until_it_is_there():
    judges = iter([None, Judge()])

    def open_():
        if (judge := next(judges)) is None:
            raise EmbedderUnavailable("It is not installed.")
        return judge

    look = SecondLook(open_, wanted=True)

    with pytest.raises(EmbedderUnavailable):
        look.scores("q", ["a"])
    assert look.scores("q", ["a"]) == [1.0]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("BAAI/bge-base-en-v1.5", ("Represent this sentence for searching relevant passages: ", "")),
        ("intfloat/multilingual-e5-large", ("query: ", "passage: ")),
        ("sentence-transformers/all-MiniLM-L6-v2", ("", "")),
    ],
)
def test_questions_get_what_the_makers_of_a_model_ask_for(name, expected):
    assert prefixes(name) == expected
