"""What somebody searched for, told by the address of the result page."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import SplitResult, parse_qs

LONGEST_QUERY = 500

# host pattern, path pattern, the parameter that holds the words
ENGINES: tuple[tuple[re.Pattern[str], re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(rf"(?:^|\.){host}$"), re.compile(path), tuple(parameters.split()))
    for host, path, parameters in (
        (r"google\.[a-z]{2,3}(?:\.[a-z]{2})?", r"^/(?:$|search|scholar|webhp)", "q"),
        (r"bing\.com", r"/search$", "q"),
        (r"duckduckgo\.com", r"^/(?:$|html|lite)", "q"),
        (r"search\.yahoo\.co(?:m|\.jp)", r"^/search|^/yhs", "p"),
        (r"ecosia\.org", r"^/(?:search|images|news|videos)", "q"),
        (r"startpage\.com", r"^/(?:sp|do)/", "query"),
        (r"search\.brave\.com", r"^/", "q"),
        (r"qwant\.com", r"^/", "q"),
        (r"kagi\.com", r"^/search", "q"),
        (r"mojeek\.com", r"^/search", "q"),
        (r"metager\.(?:de|org)", r"/meta", "eingabe"),
        (r"swisscows\.com", r"/web", "query"),
        (r"yandex\.[a-z.]+|ya\.ru", r"^/search", "text"),
        (r"baidu\.com", r"^/s$", "wd word"),
        (r"search\.naver\.com", r"^/search", "query"),
        (r"sogou\.com", r"^/web", "query"),
        (r"seznam\.cz", r"^/", "q"),
        (r"perplexity\.ai", r"^/search", "q"),
        (r"youtube\.com", r"^/results", "search_query"),
        (r"github\.com", r"/search$|^/search", "q"),
        (r"gitlab\.com", r"^/search", "search"),
        (r"stackoverflow\.com|stackexchange\.com|superuser\.com|serverfault\.com", r"^/search", "q"),
        (r"wikipedia\.org|wiktionary\.org", r"^/w/index\.php|/Special:Search", "search"),
        (r"amazon\.[a-z.]+", r"^/s(?:$|/)", "k field-keywords"),
        (r"arxiv\.org", r"^/search", "query"),
        (r"semanticscholar\.org", r"^/search", "q"),
        (r"pubmed\.ncbi\.nlm\.nih\.gov", r"^/$", "term"),
        (r"pypi\.org|npmjs\.com|crates\.io", r"^/search", "q"),
        (r"developer\.mozilla\.org", r"/search$", "q"),
        (r"packages\.debian\.org", r"^/search", "keywords"),
        (r"reddit\.com", r"/search", "q"),
        (r"news\.ycombinator\.com|hn\.algolia\.com", r"^/", "q"),
    )
)


def searched(address: SplitResult) -> str:
    """The words that were searched for on a known engine, "" on any other page."""
    if not (address.query or address.fragment):
        return ""
    for path, parameters in _engines((address.hostname or "").rstrip(".")):
        if path.search(address.path or "/"):
            return _words(address, parameters)
    return ""


def is_engine(host: str) -> bool:
    return bool(_engines(host.rstrip(".")))


@lru_cache(maxsize=4_096)
def _engines(host: str) -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    return tuple((path, parameters) for engine, path, parameters in ENGINES if engine.search(host))


def _words(address: SplitResult, parameters: tuple[str, ...]) -> str:
    for part in (
        address.fragment,
        address.query,
    ):  # the fragment holds what was searched for on the page since
        try:
            given = parse_qs(part, max_num_fields=200, errors="replace")
        except ValueError:
            continue
        for parameter in parameters:
            if words := " ".join(given.get(parameter, [""])[0].split()):
                return words[:LONGEST_QUERY]
    return ""
