"""What a query's words are: plain words, and identifiers that stand as one phrase."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_memory.resources import resource

_PIECE = re.compile(r'"([^"]+)"|(\S+)')
_TOKEN = re.compile(r"[^\W_]+")
_IDENTIFIER = re.compile(r"\w[./_\-#:@]\w|\d")
_TERM_LIMIT = 24


@dataclass(frozen=True, slots=True)
class Term:
    """Folded tokens that must stand side by side; `prefix` lets the last one go on."""

    tokens: tuple[str, ...]
    prefix: bool = False
    stop: bool = False

    @property
    def naming(self) -> bool:
        """Whether it names one thing rather than tells of it: an identifier, a number, a quoted phrase."""
        return len(self.tokens) > 1 or any(c.isdigit() for c in self.tokens[0])

    @property
    def match(self) -> str:
        """This term in FTS5's syntax, quoted."""
        return '"' + " ".join(self.tokens) + '"' + ("*" if self.prefix else "")


def fold(text: str) -> str:
    """Lower case without diacritics, as the index folds it."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return plain.casefold()


def tokens(text: str) -> list[str]:
    """The folded tokens of a text, in order."""
    return _TOKEN.findall(fold(text))


def terms(text: str, *, typing: bool = False) -> list[Term]:
    """The query's terms. While typing, the last word may be unfinished; one letter of it says nothing yet."""
    found: list[Term] = []
    for quoted, bare in _PIECE.findall(text):
        found.extend(_terms_of(quoted or bare, phrase=bool(quoted)))
    if typing and found and not text.endswith((" ", '"')):
        last = found.pop()
        if len(last.tokens[-1]) > 1 or last.prefix:
            found.append(Term(last.tokens, prefix=True, stop=False))
        elif not found:
            found.append(Term(last.tokens))
    return found[:_TERM_LIMIT]


def match(wanted: Sequence[Term]) -> str:
    """An FTS5 query that finds any of these terms; stop words take part only when nothing else does."""
    meant = [term for term in wanted if not term.stop] or list(wanted)
    return " OR ".join(dict.fromkeys(term.match for term in meant))


def match_all(wanted: Sequence[Term]) -> str:
    """An FTS5 query that finds what holds each of these terms, stop words too."""
    return " AND ".join(dict.fromkeys(term.match for term in wanted))


def told(text: str) -> str:
    """The query without its stop words, unless it has no others."""
    meant = [token for term in terms(text) if not term.stop for token in term.tokens]
    return " ".join(meant) or text


def _terms_of(piece: str, *, phrase: bool) -> list[Term]:
    parts = tuple(tokens(piece))
    if not parts:
        return []
    if phrase or (len(parts) > 1 and _IDENTIFIER.search(piece)):
        return [Term(parts)]
    return [Term((part,), prefix=_is_run_together(part), stop=part in stop_words()) for part in parts]


def _is_run_together(token: str) -> bool:
    """Scripts without spaces make one token of a whole phrase: match its beginning."""
    return any("\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af" for c in token)


_STOP_WORDS: frozenset[str] = frozenset()


def stop_words() -> frozenset[str]:
    """Words too common to find anything by, from resources/stop_words.txt."""
    global _STOP_WORDS
    if not _STOP_WORDS:
        _STOP_WORDS = frozenset(resource("stop_words.txt").read_text(encoding="utf-8").split())
    return _STOP_WORDS
