"""Copied contexts read as the examples do, to the letter; only the tag depends on what was hashed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from desktop_memory.context.build import build_context
from desktop_memory.model import ContextRequest
from tests.examples import ListSources, calcium, last_minutes, retention

GOLDEN = Path(__file__).parent / "golden"
EXAMPLES = [
    ("last_minutes", last_minutes, ContextRequest()),
    ("query", calcium, ContextRequest(query="when I found the calcium baseline paper")),
    ("session", retention, ContextRequest(this_session=True)),
]


def without_tag(text: str) -> str:
    return re.sub(r"ctx-[0-9a-f]{4,}", "ctx-####", text)


@pytest.mark.parametrize(("name", "made", "request_"), EXAMPLES)
def test_markdown_reads_as_the_example(name: str, made: Callable[[], ListSources], request_: ContextRequest):
    copied = build_context(request_, made())

    golden = (GOLDEN / f"{name}.md").read_text(encoding="utf-8")
    assert without_tag(copied.text) == without_tag(golden)
    assert copied.text.endswith(f"End of {copied.tag}.\n")


@pytest.mark.parametrize("format_", ["text", "xml", "json"])
@pytest.mark.parametrize(("name", "made", "request_"), EXAMPLES)
def test_the_other_formats_stay_as_they_are(
    name: str, made: Callable[[], ListSources], request_: ContextRequest, format_: str
):
    from dataclasses import replace

    copied = build_context(replace(request_, format=format_), made())  # type: ignore[arg-type]

    golden = (GOLDEN / f"{name}.{format_}").read_text(encoding="utf-8")
    assert without_tag(copied.text) == without_tag(golden)
    if format_ == "xml":
        assert ElementTree.fromstring(copied.text).get("schema_version") == "1"
    if format_ == "json":
        assert json.loads(copied.text)["tag"] == copied.tag


def test_the_examples_fit_their_budgets():
    tokens = [build_context(request, made()).tokens for _, made, request in EXAMPLES]

    assert tokens[0] <= 600
    assert max(tokens[1:]) <= 1500


def test_what_was_replaced_and_left_out_is_counted():
    assert build_context(EXAMPLES[2][2], retention()).masked == {"name replaced": 5}
    assert build_context(EXAMPLES[1][2], calcium()).left_out == 38
    assert build_context(EXAMPLES[0][2], last_minutes()).left_out == 0


def test_each_number_leads_to_its_event():
    sources = calcium()

    copied = build_context(EXAMPLES[1][2], sources)

    titles = {source.n: sources.event(source.event).title for source in copied.sources}
    assert [source.n for source in copied.sources] == list(range(1, 10))
    assert titles[3] == "Robust F0 estimation in week-long recordings"
    assert titles[9] == "ch3-methods.tex - Overleaf"
    assert copied.sources[3].text == "Tue 4 Aug 14:39 downloaded robust-f0.pdf from the page in [3]"
