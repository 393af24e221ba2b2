"""A page and the window that showed it are one hit."""

from __future__ import annotations

from typing import Any

from desktop_memory.model import Hit, Remembered
from desktop_memory.retrieval.shown import pages_for_windows
from tests.factories import event


def hit(id_: int, score: float, kind: str, minutes: float, **what: Any) -> Hit:
    made = event(minutes, kind=kind, title="Explicit Locking", app="Firefox", **what)
    fields = {name: getattr(made, name) for name in made.__dataclass_fields__}
    return Hit(event=Remembered(id=id_, key="", **fields), score=score)


def shape(hits: list[Hit]) -> list[tuple[int, float]]:
    return [(one.event.id, one.score) for one in hits]


URL = "https://postgresql.org/l"


def test_the_page_takes_the_place_of_its_better_window() -> None:
    hits = [
        hit(1, 3.0, "window", 5, url=URL),
        hit(2, 2.0, "terminal", 4),
        hit(3, 1.0, "browser", 1, url=URL),
        hit(4, 0.5, "window", 9, url=URL),
    ]

    assert shape(pages_for_windows(hits)) == [(3, 3.0), (2, 2.0)]


def test_a_window_whose_page_was_not_found_stays() -> None:
    hits = [hit(1, 3.0, "window", 5, url=URL), hit(2, 2.0, "browser", 1, url="https://example.org/")]

    assert shape(pages_for_windows(hits)) == [(1, 3.0), (2, 2.0)]
