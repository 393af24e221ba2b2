"""The system's keyring: GNOME Keyring, KWallet, macOS's Keychain, Windows' Credential Manager, by `keyring`.

Asking it may open a dialog, wait for a person, or fail in as many ways as there are desktops: every question runs on
a thread of its own and is given up after a while. Where nobody could see a dialog, a locked keyring is left alone.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from collectors.collector import Unavailable
from desktop_memory.errors import KnownError

SERVICE = "Desktop Memory"
CHOSEN_VARIABLE = "PYTHON_KEYRING_BACKEND"
PATIENCE_SECONDS = 60.0
"""So long somebody may take to type the keyring's password."""
_QUIET_SECONDS = 15.0

_SECRETS = "org.freedesktop.secrets"
_DEFAULT = "/org/freedesktop/secrets/aliases/default"
_LOCKED = "org.freedesktop.Secret.Collection.Locked"
_OTHERWISE = "Unlock it, or give the passphrase or the recovery key."

T = TypeVar("T")


class NoKeyring(KnownError):
    """There is no keyring, it is locked, or it does not answer."""


def read(name: str) -> bytes | None:
    """What the keyring holds under this name; None for nothing. Raises NoKeyring."""
    kept: str | None = _asked(lambda backend: backend.get_password(SERVICE, name))
    try:
        return None if kept is None else bytes.fromhex(kept)
    except ValueError:
        return None


def keep(name: str, secret: bytes) -> None:
    """Let the keyring hold a secret, and see that it really does. Raises NoKeyring."""
    _asked(lambda backend: backend.set_password(SERVICE, name, secret.hex()))
    if read(name) != secret:
        raise NoKeyring("The system's keyring did not keep the key.", "Use a passphrase.")


def forget(name: str) -> None:
    """Take it out again; nothing to take out is fine. Raises NoKeyring."""
    if read(name) is not None:
        _asked(lambda backend: backend.delete_password(SERVICE, name))


def available() -> bool:
    """Whether this session has a keyring worth its name; it may still be locked."""
    try:
        _backend()
    except NoKeyring:
        return False
    return True


def _backend() -> Any:
    """The keyring to use: a chosen one, or the first that a system guards. Files in plain text are none."""
    import keyring

    _find_session_bus()
    try:
        found = keyring.get_keyring()
        candidates = getattr(found, "backends", [found])
    except Exception as error:  # whatever a desktop's library raises
        raise _none() from error
    for one in candidates:
        module = type(one).__module__
        guarded = module.startswith("keyring.backends.") and not module.endswith((".fail", ".null"))
        if os.environ.get(CHOSEN_VARIABLE) or guarded:
            return one
    raise _none()


def _asked(question: Callable[[Any], T]) -> T:
    """The keyring's answer. Raises NoKeyring when there is none in time."""
    backend = _backend()
    attended = _attended()
    if not attended:
        _leave_locked_alone(backend)
    answers: queue.SimpleQueue[tuple[T | None, Exception | None]] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put((question(backend), None))
        except Exception as error:  # each backend has errors of its own
            answers.put((None, error))

    threading.Thread(target=ask, daemon=True).start()
    try:
        answer, error = answers.get(timeout=PATIENCE_SECONDS if attended else _QUIET_SECONDS)
    except queue.Empty:
        raise NoKeyring("The system's keyring does not answer.", _OTHERWISE) from None
    if error is not None:
        raise NoKeyring(f"The system's keyring is locked or refuses ({type(error).__name__}).", _OTHERWISE)
    return answer  # type: ignore[return-value]  # None where that is the answer


def _none() -> NoKeyring:
    return NoKeyring("This session has no keyring.", "Give the passphrase or the recovery key.")


def _attended() -> bool:
    """Whether somebody could see a dialog."""
    shown = any(os.environ.get(variable) for variable in ("DISPLAY", "WAYLAND_DISPLAY"))
    return shown or sys.platform in ("win32", "darwin")


def _leave_locked_alone(backend: Any) -> None:
    if not type(backend).__module__.endswith((".SecretService", ".libsecret")):
        return
    from collectors.bus import Bus, Refused  # there is no such bus on other systems

    try:
        bus = Bus("session")
        try:
            locked = bus.get(_SECRETS, _DEFAULT, _LOCKED)
        finally:
            bus.close()
    except (Unavailable, Refused):
        return  # it says so itself, in its own words
    if locked:
        raise NoKeyring("The system's keyring is locked, and nobody is here to unlock it.", _OTHERWISE)


def _find_session_bus() -> None:
    """cron and plain SSH logins do not name the bus of the user's session, which may be there nevertheless."""
    if sys.platform != "linux" or os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return
    bus = Path(f"/run/user/{os.getuid()}/bus")
    if bus.is_socket():
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={bus}"
