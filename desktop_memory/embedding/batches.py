"""Cuts texts into batches that are quick to embed and need little memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

AT_MOST = 16
ROOM = 3_072
"""Bytes of a padded batch, about 1,000 tokens: what a batch needs grows with its longest text, squared."""


def batches(texts: Sequence[str], at_most: int = AT_MOST, room: int = ROOM) -> Iterator[list[int]]:
    """Places of texts of similar length, shortest first; every place once."""
    sizes = [len(text.encode("utf-8", "replace")) for text in texts]
    batch: list[int] = []
    for place in sorted(range(len(texts)), key=sizes.__getitem__):
        if batch and (len(batch) == at_most or sizes[place] * (len(batch) + 1) > room):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
