"""What stands in a property list that NSKeyedArchiver wrote: plain lists, dicts, texts, numbers and bytes.

Such an archive is one flat list of objects that name each other by their number:
https://developer.apple.com/documentation/foundation/nskeyedarchiver
"""

from __future__ import annotations

import plistlib
from typing import Any
from xml.parsers.expat import ExpatError

DEEPEST = 20
MOST_OBJECTS = 200_000


def read_archive(data: bytes) -> Any:
    """The root of the archive. Raises ValueError when these bytes are none."""
    try:
        archive = plistlib.loads(data)
    except (plistlib.InvalidFileException, ExpatError, ValueError, OverflowError, RecursionError) as error:
        raise ValueError("no property list") from error
    except (KeyError, IndexError, TypeError, AttributeError, MemoryError, OSError) as error:
        raise ValueError("a damaged property list") from error
    if not isinstance(archive, dict) or not isinstance(archive.get("$objects"), list):
        raise ValueError("no archive")
    top = archive.get("$top")
    root = top.get("root") if isinstance(top, dict) else None
    return _Objects(archive["$objects"]).plain(root, 0)


class _Objects:
    def __init__(self, objects: list[Any]) -> None:
        self._objects = objects
        self._left = MOST_OBJECTS

    def plain(self, value: Any, depth: int) -> Any:
        """The value that is meant; None below a depth that only a circle has."""
        self._left -= 1
        if depth > DEEPEST or self._left < 0:
            return None
        if isinstance(value, plistlib.UID):
            if value.data >= len(self._objects):
                return None
            return self.plain(self._objects[value.data], depth + 1)
        if isinstance(value, dict):
            return self._object(value, depth)
        if isinstance(value, list):
            return [self.plain(item, depth + 1) for item in value]
        return None if value == "$null" else value

    def _object(self, value: dict[str, Any], depth: int) -> Any:
        keys, members = value.get("NS.keys"), value.get("NS.objects")
        if isinstance(keys, list) and isinstance(members, list):
            names = [self.plain(key, depth + 1) for key in keys]
            return {
                name: self.plain(member, depth + 1)
                for name, member in zip(names, members, strict=False)
                if isinstance(name, str)
            }
        if isinstance(members, list):
            return [self.plain(member, depth + 1) for member in members]
        for plain in ("NS.data", "NS.string", "NS.bytes"):
            if plain in value:
                return self.plain(value[plain], depth + 1)
        return {name: self.plain(member, depth + 1) for name, member in value.items() if name != "$class"}
