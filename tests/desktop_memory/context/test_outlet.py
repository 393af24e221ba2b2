"""The last gate: which words pass it, under which names, and what it counts."""

from __future__ import annotations

from collections import Counter

from desktop_memory.context.draft import Part, code, own, said
from desktop_memory.context.outlet import RENAMED, WALLED, Outlet


def _redact(text: str) -> tuple[str, Counter[str]]:
    return text.replace("hunter2", "…"), Counter({"password": 1} if "hunter2" in text else {})


def _outlet() -> Outlet:
    return Outlet(_redact, {"Nordwind AG": "Client A"}, [" Zebra ", "owl", "ox"])


def test_recorded_words_are_renamed_redacted_and_counted_our_own_pass():
    text = (
        own("Nordwind AG"),
        said("Nordwind AG, Nordwind AG"),
        code("login hunter2"),
        said("zebra"),
        code(""),
    )

    passed, counts = _outlet()(text)

    assert passed == (
        own("Nordwind AG"), said("Client A, Client A"), code("login …"), said("[redacted:project]"), code("")
    )  # fmt: skip
    assert counts == {RENAMED: 2, "password": 1, WALLED: 1}


def test_counts_of_all_parts_are_added_and_a_part_keeps_its_record():
    passed, counts = _outlet()((Part("zebra", "said", event=7), said("the owl and the zebra")))

    assert passed == (
        Part("[redacted:project]", "said", event=7),
        said("the [redacted:project] and the [redacted:project]"),
    )
    assert counts == {WALLED: 3}


def test_a_walled_name_of_two_letters_would_empty_every_sentence():
    assert _outlet().words("an ox, an owl\x07") == ("an ox, an [redacted:project] ", {WALLED: 1})


def test_without_names_and_secrets_nothing_changes():
    assert Outlet(_redact, {}).words("the zebra of Nordwind AG") == ("the zebra of Nordwind AG", {})
