"""Tells whether lines make up a whole bash command, so that a history without times can be cut into commands.

It knows quotes, heredocs, compound commands and line continuations, but is not a parser: what it takes for
unfinished is given up after some lines, and then each line stands for itself.
"""

from __future__ import annotations

import re

_LONGEST = 16_384
_PLAIN = re.compile(r"[^'\"\\(){}<|&`#]*\Z")
_OPENERS = frozenset({"for", "while", "until", "select", "if", "case", "{"})
_CLOSERS = frozenset({"done", "fi", "esac", "}"})
_GOES_ON = frozenset({"do", "then", "else", "elif", "!", "time", "{", "while", "until", "if"})
_WANTS_MORE = frozenset({"|", "||", "&&", "|&"})
# Repetitions are bounded where a failure would make the next attempt look at the same text again.
_TOKEN = re.compile(
    r"""
    (?P<blank>\s+)
  | (?P<comment>(?:(?<=\s)|\A)\#.*)
  | (?P<escape>\\.)
  | (?P<ansi>\$'(?:[^'\\]|\\.)*(?P<ansi_end>')?)
  | (?P<single>'[^']*(?P<single_end>')?)
  | (?P<double>"(?:[^"\\]|\\.)*(?P<double_end>")?)
  | (?P<variable>\$\{[^}]{0,400}\})
  | (?P<arithmetic>\$?\(\((?:(?!\)\)).){0,400}\)\))
  | (?P<here_string><<<)
  | (?P<heredoc><<(?P<dash>-?)[ \t]*['"\\]?(?P<ending>[^\s'"<>|&;()\\]{1,100})['"]?)
  | (?P<function>[^\s'"(){}<>|&;$`\\]{1,100}[ \t]*\([ \t]*\)[ \t]*\Z)
  | (?P<open>\()
  | (?P<close>\))
  | (?P<operator>&&|\|\||\|&|[|&;]+)
  | (?P<word>(?:[^\s'"\\(){}<>|&;$]|\$(?!['({]))+|[{}])
  | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTES = {"ansi": "$'", "single": "'", "double": '"'}
_IN_QUOTE = {
    "'": re.compile(r"[^']*'"),
    '"': re.compile(r'(?:[^"\\]|\\.)*"', re.DOTALL),
    "$'": re.compile(r"(?:[^'\\]|\\.)*'", re.DOTALL),
}


class Statement:
    """Takes the lines of one command, one by one, until it is whole."""

    def __init__(self) -> None:
        self._depth = 0
        self._parens = 0
        self._quote = ""
        self._heredocs: list[tuple[str, bool]] = []
        self._wants_more = False
        self._at_command = True
        self._naming = False

    @property
    def in_heredoc(self) -> str:
        """The line that ends the open heredoc; empty where none is open."""
        return self._heredocs[0][0] if self._heredocs and not self._quote else ""

    def add(self, line: str) -> bool:
        """Take one more line; True when the command is whole with it."""
        if self.in_heredoc:
            ending, tabs = self._heredocs[0]
            if (line.lstrip("\t") if tabs else line) == ending:
                self._heredocs.pop(0)
        elif self._depth or self._quote or not _is_plain(line):
            self._scan(line[:_LONGEST])
        elif line.strip():
            self._wants_more = False
        return not (self._depth or self._parens or self._quote or self._heredocs or self._wants_more)

    def _scan(self, line: str) -> None:
        at = 0
        if self._quote:
            rest = _IN_QUOTE[self._quote].match(line)
            if rest is None:
                return
            self._quote = ""
            at = rest.end()
        else:
            self._at_command = True
        if line[at:].strip():
            self._wants_more = False
        while at < len(line) and not self._quote:
            if line[at] == "\\" and at == len(line) - 1:
                self._wants_more = True
                return
            token = _TOKEN.match(line, at)
            assert token is not None
            at = token.end()
            self._take(token)

    def _take(self, token: re.Match[str]) -> None:
        kind, text = token.lastgroup, token[0]
        if kind in ("blank", "comment"):
            return
        if kind in _QUOTES:
            self._quote = "" if token[f"{kind}_end"] else _QUOTES[kind]
        elif kind == "heredoc":
            self._heredocs.append((token["ending"], bool(token["dash"])))
        if kind == "word" and (self._at_command or self._naming):
            self._word(text)
        elif kind in ("open", "close", "operator", "function"):
            self._parens = max(0, self._parens + {"open": 1, "close": -1}.get(kind, 0))
            self._wants_more = kind == "function" or text in _WANTS_MORE
            self._at_command = True  # after ")" too: it may end a pattern of a case
        else:
            self._wants_more = self._at_command = False

    def _word(self, word: str) -> None:
        if self._naming:
            self._naming = False
            self._at_command = self._wants_more = True
            return
        self._naming = self._wants_more = word == "function"
        self._depth = max(0, self._depth + (word in _OPENERS) - (word in _CLOSERS))
        self._at_command = word in _GOES_ON or "=" in word


def _is_plain(line: str) -> bool:
    """Nothing on the line can leave the command open."""
    first = line.split(None, 1)[:1]
    return not (first and (first[0] in _OPENERS or first[0] in ("function", "!", "time"))) and bool(
        _PLAIN.match(line)
    )
