"""What two spellings of one name share."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from hypothesis import given
from hypothesis import strategies as st

from desktop_memory.store.entities import norm

HOSTS = ("a.example", "x-1.example:80", "A.example", "me@a.example", "")


@given(
    st.sampled_from(("http", "https", "HTTPS", "ftp")),
    st.sampled_from(HOSTS),
    st.text("/?#a:;=&%20[]@\"'^~| é", max_size=12),
)
def test_the_quick_way_to_an_address_gives_what_taking_it_apart_gives(scheme, host, rest):
    url = f"{scheme}://{host}{rest}"
    try:
        parts = urlsplit(url)
    except ValueError:
        assert norm("url", url) == url
        return

    apart = (parts.scheme.lower(), parts.netloc.lower(), parts.path.rstrip("/"), parts.query, "")

    assert norm("url", url) == urlunsplit(apart)
