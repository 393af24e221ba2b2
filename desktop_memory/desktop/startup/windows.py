"""A value of the user's Run key in the registry, which Explorer starts at logon.

See https://learn.microsoft.com/en-us/windows/win32/setupapi/run-and-runonce-registry-keys. The Task Manager switches
entries off in Explorer\\StartupApproved\\Run: there an odd first byte means off.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import Any

from desktop_memory.desktop.startup.entry import Entry

_RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"
_APPROVED = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"


class RunKey:
    """`registry` is the winreg module."""

    def __init__(self, name: str, registry: Any = None) -> None:
        if registry is None:
            import winreg as registry
        self._registry = registry
        self._name = name

    def where(self) -> str:
        return rf"HKEY_CURRENT_USER\{_RUN}\{self._name}"

    def read(self) -> Entry | None:
        command = self._value(_RUN)
        if not isinstance(command, str):
            return None
        approved = self._value(_APPROVED)
        off = isinstance(approved, bytes) and len(approved) > 0 and approved[0] % 2 == 1
        return Entry(command=split(command), enabled=not off)

    def write(self, command: Sequence[str]) -> None:
        with self._registry.CreateKey(self._registry.HKEY_CURRENT_USER, _RUN) as key:
            self._registry.SetValueEx(
                key, self._name, 0, self._registry.REG_SZ, subprocess.list2cmdline(command)
            )
        self._delete(_APPROVED)

    def remove(self) -> None:
        self._delete(_RUN)
        self._delete(_APPROVED)

    def _value(self, path: str) -> Any:
        try:
            with self._registry.OpenKey(self._registry.HKEY_CURRENT_USER, path) as key:
                return self._registry.QueryValueEx(key, self._name)[0]
        except FileNotFoundError:
            return None

    def _delete(self, path: str) -> None:
        reg = self._registry
        try:
            with reg.OpenKey(reg.HKEY_CURRENT_USER, path, 0, reg.KEY_SET_VALUE) as key:
                reg.DeleteValue(key, self._name)
        except FileNotFoundError:
            pass


def split(command: str) -> tuple[str, ...]:
    """A command line's arguments, by the rules of the Microsoft C runtime; the reverse of list2cmdline."""
    arguments: list[str] = []
    argument, quoted, started, slashes = "", False, False, 0
    for char in command:
        if char == "\\":
            slashes += 1
            continue
        if char == '"':
            argument += "\\" * (slashes // 2)
            started = True
            if slashes % 2:
                argument += '"'
            else:
                quoted = not quoted
            slashes = 0
            continue
        argument += "\\" * slashes
        started, slashes = started or slashes > 0, 0
        if char in " \t" and not quoted:
            if started:
                arguments.append(argument)
            argument, started = "", False
        else:
            argument, started = argument + char, True
    argument += "\\" * slashes
    if started or slashes:
        arguments.append(argument)
    return tuple(arguments)
