"""Another package's source takes part; a broken one leaves the others."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest

from collectors.collector import Unavailable
from collectors.plugins import GROUP, plugins
from tests.stubs import ScriptedSource


def good() -> ScriptedSource:
    return ScriptedSource("zotero", [])


def broken() -> ScriptedSource:
    raise RuntimeError("a bug of theirs")


def odd() -> int:
    return 5


def entry(name: str, what: str) -> EntryPoint:
    return EntryPoint(name=name, value=f"{__name__}:{what}", group=GROUP)


def test_another_packages_source_takes_part_and_a_broken_one_leaves_it(caplog, monkeypatch):
    monkeypatch.setitem(sys.modules, __name__, SimpleNamespace(good=good, broken=broken, odd=odd))
    entries = [entry("b", "broken"), entry("o", "odd"), entry("g", "good"), entry("m", "missing")]

    found = plugins(found=entries)

    assert [source.source for source in found] == ["b", "o", "zotero", "m"]
    for source in found:
        if source.source != "zotero":
            with pytest.raises(Unavailable, match=r"cannot be made|no source"):
                source.places()
    assert "a bug of theirs" in caplog.text
    assert "o of another package is no source" in caplog.text
