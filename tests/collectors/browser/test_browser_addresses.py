"""Sites and search words out of addresses."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from collectors.browser.searches import searched
from collectors.browser.visit import (
    SEEN_SCHEMES,
    Page,
    Visit,
    _page,
    domain,
    event,
    local_file,
    without_login,
)
from tests.collectors.browser.histories import NOON


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.postgresql.org/docs", "postgresql.org"),
        ("https://scholar.google.com/scholar?q=x", "scholar.google.com"),
        ("http://localhost:8000/", "localhost"),
        ("http://[::1]:8000/", "::1"),
        ("https://EXAMPLE.org./", "example.org"),
        ("https://user:secret@example.org/", "example.org"),
        ("https://xn--bcher-kva.example/", "bücher.example"),
        ("https://xn--a/", "xn--a"),
        ("file:///home/ada/x.pdf", ""),
    ],
)
def test_the_site_is_the_host_for_people(url: str, expected: str) -> None:
    assert domain(urlsplit(url)) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.google.com/search?q=postgres+advisory+lock&sca_esv=1", "postgres advisory lock"),
        ("https://www.google.co.uk/search?hl=en&q=tea", "tea"),
        ("https://scholar.google.com/scholar?hl=en&q=%CE%94F%2FF+baseline", "ΔF/F baseline"),
        ("https://duckduckgo.com/?q=transaction+vs+session&ia=web", "transaction vs session"),
        ("https://www.bing.com/search?q=CCTV+retention", "CCTV retention"),
        ("https://www.bing.com/images/search?q=cat", "cat"),
        ("https://search.yahoo.com/search?p=weather", "weather"),
        ("https://www.ecosia.org/search?method=index&q=trees", "trees"),
        ("https://www.startpage.com/sp/search?query=privacy", "privacy"),
        ("https://search.brave.com/search?q=brave", "brave"),
        ("https://yandex.ru/search/?text=%D0%BA%D0%BE%D1%82", "кот"),
        ("https://www.baidu.com/s?wd=%E6%97%A5%E6%9C%AC%E8%AA%9E", "日本語"),
        ("https://www.youtube.com/results?search_query=kuzu+graph", "kuzu graph"),
        ("https://github.com/search?q=sqlite-vec&type=repositories", "sqlite-vec"),
        ("https://github.com/torvalds/linux/search?q=lock", "lock"),
        ("https://en.wikipedia.org/w/index.php?search=owl", "owl"),
        ("https://www.amazon.de/s?k=lampe", "lampe"),
        ("https://www.google.com/search?q=%FF%FE", "��"),
        ("https://www.google.com/webhp?hl=en#q=owl+eyes&start=10", "owl eyes"),
        ("https://www.google.com/#q=owl", "owl"),
        ("https://www.google.com/search?q=first#q=then", "then"),
        ("https://www.google.com/search?q=owl#:~:text=eyes", "owl"),
        ("https://www.google.com/search?q=", ""),
        ("https://www.google.com/maps?q=berlin", ""),
        ("https://notgoogle.com.evil.example/search?q=x", ""),
        ("https://evilgoogle.com/search?q=x", ""),
        ("https://example.org/?q=hello", ""),
        ("https://duckduckgo.com/about", ""),
        ("https://www.google.com/search?" + "&".join(f"a{n}=1" for n in range(500)), ""),
    ],
)
def test_search_words_of_known_engines(url: str, expected: str) -> None:
    assert searched(urlsplit(url)) == expected


@given(
    st.from_regex(
        r"(?:https?|HTTPS|file|ftp)://(?:www\.google\.com|[a-zA-Z0-9.@:-]{0,20})[/?#]?[ -Z_a-~\t]{0,20}",
        fullmatch=True,
    )
)
def test_an_address_tells_the_same_whether_or_not_it_was_taken_apart(url: str) -> None:
    address = urlsplit(url)
    assume(address.scheme in SEEN_SCHEMES)

    assert _page(url) == Page(
        without_login(url, address), domain(address), local_file(address), searched(address)
    )


def test_a_login_in_an_address_is_not_kept() -> None:
    visit = Visit(id=1, at=NOON, url="https://ada:secret@example.org/x?y=1", title="", transition="link")

    made = event(visit, app="Firefox", source="firefox", profile="p")

    assert made is not None
    assert made.url == "https://example.org/x?y=1"


def test_endless_addresses_and_titles_are_cut() -> None:
    visit = Visit(
        id=1, at=NOON, url="https://example.org/?" + "x" * 1_000_000, title="t" * 1_000_000, transition="link"
    )

    made = event(visit, app="Firefox", source="firefox", profile="p")

    assert made is not None
    assert len(made.url) <= 8_192
    assert len(made.title) <= 4_096


def test_the_offset_is_that_of_the_place_and_the_season(monkeypatch: pytest.MonkeyPatch) -> None:
    offsets = []
    for zone in ("Europe/Berlin", "Australia/Sydney"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        for at in (NOON, NOON + 150 * 86_400_000_000):
            visit = Visit(id=1, at=at, url="https://example.org/", title="", transition="link")
            made = event(visit, app="Firefox", source="firefox", profile="p")
            offsets.append(None if made is None else made.utc_offset)
    monkeypatch.undo()
    time.tzset()

    assert offsets == [120, 60, 600, 660]
