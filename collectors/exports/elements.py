"""Reads the records of a large JSON file one by one: an array's elements, an object a line, or lists within objects."""

from __future__ import annotations

import codecs
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

Path = tuple[str, ...]
Element = tuple[Path, Any]

_BLOCK = 256 * 1024
_LONGEST = 4 * 1024 * 1024
_BLANK = re.compile(r"[\s\ufeff]*")
_LOOKED_AT = 200
_FIRST_KEY = re.compile(r'\{\s*"([^"\\]{1,100})"')
_NEXT = re.compile(r"\n|\}\s*,\s*(?=\{)")
_decode = json.JSONDecoder().raw_decode


class _Ended(Exception):
    """The file ends where more was due."""


class Elements:
    """`within` says of the keys that lead to an object whether its lists and objects are gone into.

    What is no JSON is skipped up to the next record and counted; memory stays flat, however large the file.
    """

    def __init__(self, file: BinaryIO, within: Callable[[Path], bool], skipped: Counter[str]) -> None:
        self._file = file
        self._within = within
        self._skipped = skipped
        self._size = max(1, os.fstat(file.fileno()).st_size)
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""
        self._at = 0
        self._whole = False

    @property
    def share(self) -> float:
        """How much of the file has been read, from 0 to 1."""
        return min(1.0, self._file.tell() / self._size)

    def __iter__(self) -> Iterator[Element]:
        try:
            while self._peek():
                yield from self._walk(())
        except _Ended:
            self._skipped["the file ends in the middle"] += 1

    def _walk(self, path: Path) -> Iterator[Element]:
        opening = self._peek()
        if opening == "[" and (not path or self._within(path)):
            yield from self._list(path)
        elif opening == "{" and self._within(path) and (path or self._leads_on()):
            yield from self._object(path)
        elif (value := self._value()) is not _SKIPPED and not path:
            yield path, value

    def _leads_on(self) -> bool:
        """Whether the first key of the outermost object leads to lists; else it is a record itself."""
        while len(self._text) - self._at < _LOOKED_AT and not self._whole:
            self._fill()
        key = _FIRST_KEY.match(self._text, self._at)
        return key is not None and self._within((key[1],))

    def _list(self, path: Path) -> Iterator[Element]:
        self._at += 1
        while (there := self._due()) != "]":
            if there == ",":
                self._at += 1
            elif (value := self._value()) is not _SKIPPED:
                yield path, value
        self._at += 1

    def _object(self, path: Path) -> Iterator[Element]:
        self._at += 1
        while (there := self._due()) != "}":
            if there in ",:":
                self._at += 1
            elif there != '"':
                self._skip()
            elif isinstance(key := self._value(), str) and self._due() == ":":
                self._at += 1
                self._due()
                yield from self._walk((*path, key))
        self._at += 1

    def _value(self) -> Any:
        """The value here, or _SKIPPED where there is none that can be read."""
        while True:
            try:
                value, end = _decode(self._text, self._at)
            except (ValueError, RecursionError):
                if self._whole or len(self._text) - self._at > _LONGEST:
                    self._skip()
                    return _SKIPPED
            else:
                if end < len(self._text) or self._whole:
                    self._at = end
                    return value
            self._fill()

    def _skip(self) -> None:
        """Go on after what cannot be read."""
        self._skipped["not JSON"] += 1
        self._at += 1
        while (found := _NEXT.search(self._text, self._at)) is None:
            if self._whole:
                raise _Ended
            self._at = max(self._at, len(self._text) - 100)
            self._fill()
        self._at = found.end()

    def _due(self) -> str:
        """The next character that is not blank, where one must come."""
        if not (there := self._peek()):
            raise _Ended
        return there

    def _peek(self) -> str:
        while True:
            blank = _BLANK.match(self._text, self._at)
            self._at = blank.end() if blank else self._at
            if self._at < len(self._text) or self._whole:
                return self._text[self._at : self._at + 1]
            self._fill()

    def _fill(self) -> None:
        block = self._file.read(max(_BLOCK, len(self._text) - self._at))
        self._whole = not block
        self._text = self._text[self._at :] + self._utf8.decode(block, final=self._whole)
        self._at = 0


_SKIPPED = object()
