"""What the built-in model's vectors are worth, asked through the real process."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_memory.embedding.child_embedder import ChildEmbedder

FACTS = [
    ("how do I undo the last commit", "git reset --soft HEAD~1", "sudo apt install inkscape"),
    ("train connection to Hamburg", "Deutsche Bahn: timetable Berlin - Hamburg", "Pizza dough recipe"),
    ("the invoice was not paid", "Payment overdue: reminder for bill 2023-118", "Fix a flaky parser test"),
    (
        "memory leak in the worker",
        "Process grows until the kernel kills it",
        "Choose a colour for the kitchen",
    ),
    ("docker build fails", "docker build -t api . && docker push api", "Calendar: dentist on Tuesday"),
]


@pytest.mark.parametrize(("question", "related", "unrelated"), FACTS)
def test_a_paraphrase_is_nearer_than_something_else(
    embedder: ChildEmbedder, question: str, related: str, unrelated: str
):
    query = embedder.embed_query(question)
    rows = embedder.embed([related, unrelated])

    near, far = rows @ query

    assert near > far + 0.1


def test_near_equal_texts_pass_the_models_threshold(embedder: ChildEmbedder):
    first, second, other = embedder.embed(
        [
            "main.py - shop - Visual Studio Code",
            "main.py — shop — Visual Studio Code",
            "utils.py - shop - Vim",
        ]
    )

    assert first @ second >= embedder.model.threshold > first @ other


def test_vectors_have_length_one_and_the_promised_shape(embedder: ChildEmbedder):
    rows = embedder.embed([f"text number {n}" for n in range(40)])

    assert rows.dtype == np.float32
    assert rows.shape == (40, 384)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert embedder.embed_query("a question").shape == (384,)


def test_no_texts_give_no_rows(embedder: ChildEmbedder):
    assert embedder.embed([]).shape == (0, 384)


def test_a_vector_does_not_depend_on_what_is_embedded_with_it(embedder: ChildEmbedder):
    texts = [
        "git push",
        "a much longer text " * 20,
        "ls",
        "Überweisung an 株式会社 🎉",
        *(f"window {n}" for n in range(30)),
    ]

    together = embedder.embed(texts)
    alone = np.stack([embedder.embed([text])[0] for text in texts])
    reordered = embedder.embed(texts[::-1])[::-1]

    assert together == pytest.approx(alone, abs=2e-6)
    assert together == pytest.approx(reordered, abs=2e-6)


@pytest.mark.parametrize(
    "text", ["", " \n\t", "\ud800 lone", "a\x00b", "🎉" * 3_000, "字" * 2_000, "x" * 50_000]
)
def test_untidy_texts_have_vectors_too(embedder: ChildEmbedder, text: str):
    row = embedder.embed([text, "beside it"])[0]

    assert np.linalg.norm(row) == pytest.approx(1.0, abs=1e-5)
