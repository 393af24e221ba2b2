"""Which values read like something generated, and which names announce a key."""

from __future__ import annotations

import pytest

from desktop_memory.pipeline.secret_names import kind_of, looks_random


@pytest.mark.parametrize(
    ("value", "random"),
    [
        ("abcdef123456", True),
        ("abcdef12345", False),
        ("ABCDEFGHijklmnopqrstuvwx", True),
        ("ABCDEFGHijklmnopqrstuvw", False),
        ("abcdefghijklmnopqrstuvwx", False),
        ("ABCDEFGHIJKLMNOPQRSTUVWX", False),
        ("123456789012", False),
        ("-/=.~:%!@#$^*", False),
        ("report-2026-08-13", True),
        ("chapter-verylong-12", False),
        ("PROJECT-123456", False),
        ("v10.20.30-beta.4", False),
        ("abcdef 123456", False),
    ],
)
def test_what_is_generated_has_length_and_mixture_and_is_no_number_of_a_thing(value: str, random: bool):
    assert looks_random(value) is random


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("key", ("key", False)),
        ("KEY", ("key", False)),
        ("my_key", ("key", False)),
        ("MY_KEY", ("key", True)),
        ("api_key", ("key", True)),
        ("apiKey", ("key", True)),
        ("API_KEY", ("key", True)),
        ("primary_key", ("", False)),
        ("PRIMARY_KEY", ("", False)),
        ("SECRET_KEY_BASE", ("key", True)),
        ("db_password", ("password", True)),
        ("colour", ("", True)),
    ],
)
def test_a_name_announces_a_kind_alone_or_with_its_value(name: str, kind: tuple[str, bool]):
    assert kind_of(name)[0] == kind[0]
    if kind[0]:
        assert kind_of(name) == kind
