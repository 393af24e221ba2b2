"""How much there was of each kind, for painting months and years."""

from __future__ import annotations

from pathlib import Path

from desktop_memory.store.density import density
from desktop_memory.store.events import Incoming
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event


def test_each_kind_is_counted_in_the_stretch_in_which_it_began(tmp_path: Path) -> None:
    store = Store.open(tmp_path, clock=FakeClock())
    told = [event(0), event(1), event(59), event(60), event(61, kind="note", title="x"), event(500)]
    store.record([Incoming(event=one, body="") for one in told])

    found = density(store.read(), at(0), at(120), 3600)

    assert found == [
        ("note", at(60).timestamp(), 1),
        ("terminal", at(0).timestamp(), 3),
        ("terminal", at(60).timestamp(), 1),
    ]
    store.close()
