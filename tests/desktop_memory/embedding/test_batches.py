"""Cutting texts into batches."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_memory.embedding.batches import AT_MOST, ROOM, batches
from desktop_memory.embedding.frames import BadFrame, read_frame, write_frame


@given(st.lists(st.text(max_size=400), max_size=80))
def test_every_text_is_in_one_batch_that_is_small_enough(texts: list[str]):
    cut = list(batches(texts))

    assert sorted(place for batch in cut for place in batch) == list(range(len(texts)))
    for batch in cut:
        longest = max(len(texts[place].encode()) for place in batch)
        assert len(batch) <= AT_MOST
        assert len(batch) == 1 or len(batch) * longest <= ROOM


def test_texts_of_one_length_stand_together():
    texts = ["long" * 20, "ab", "long" * 20, "cd"]

    assert list(batches(texts, at_most=2)) == [[1, 3], [0, 2]]


def test_frames_are_read_as_they_were_written():
    stream = io.BytesIO()
    write_frame(stream, {"id": 1, "texts": ["ü\ud800"]}, b"\x00\x01")
    write_frame(stream, {"id": 2})
    stream.seek(0)

    assert read_frame(stream) == ({"id": 1, "texts": ["ü\ud800"]}, b"\x00\x01")
    assert read_frame(stream) == ({"id": 2}, b"")
    assert read_frame(stream) is None


def test_a_frame_cut_short_is_the_end():
    stream = io.BytesIO()
    write_frame(stream, {"id": 1}, b"1234")

    assert read_frame(io.BytesIO(stream.getvalue()[:-1])) is None


@pytest.mark.parametrize(
    "noise", [b"Traceback (most recent call last)", b"\x02\x00\x00\x00\x00\x00\x00\x00{]"]
)
def test_something_else_than_a_frame_is_refused(noise: bytes):
    with pytest.raises(BadFrame):
        read_frame(io.BytesIO(noise))
