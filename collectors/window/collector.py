"""The window in front, watched by the first backend that works here."""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from collectors.clock import ClockWatch
from collectors.collector import Emit, Unavailable
from collectors.event import EPOCH, Event
from collectors.idle.presence import Change, Presence
from collectors.wake import Waker, waking
from collectors.window import apps, desktops
from collectors.window.backend import Backend, Connect, Window
from collectors.window.editors import Editor, read
from collectors.window.meetings import Meeting, is_meeting
from collectors.window.spans import BLIP, SOURCE, Spans

logger = logging.getLogger(__name__)

_RESTLESS = 0.2
"""Seconds between two looks at a window whose title changes all the time."""
_NAMELESS = {"", "unknown", "n/a", "(null)", "none", "untitled window"}


@dataclass
class WindowCollector:
    """Tells which window was in front, from when to when, while somebody was there.

    `device` is this machine's id; `app_names`, `editors` and `meetings` are the data of resources/*.toml.
    `backend` is the name of what is watching now, `advice` what it cannot see, `tried` says why the
    others could not.
    """

    device: str
    presence: Presence = field(default_factory=Presence)
    app_names: Mapping[str, str] = field(default_factory=dict)
    editors: Sequence[Editor] = ()
    meetings: Sequence[Meeting] = ()
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    connects: Sequence[tuple[str, Connect]] = field(default_factory=lambda: desktops.here())
    own_pid: int = field(default_factory=os.getpid)
    blip: timedelta = BLIP

    def __post_init__(self) -> None:
        self.backend = ""
        self.advice = ""
        self.tried: dict[str, str] = {}

    @property
    def source(self) -> str:
        return SOURCE

    def watch(self, emit: Emit, stop: threading.Event) -> None:
        backend = self._connect()
        self.backend, self.advice = backend.name, backend.advice
        logger.info("watching windows by %s", backend.name)
        try:
            with waking(stop) as waker:
                self._follow(backend, waker, emit, stop)
        finally:
            self.backend = ""
            backend.close()

    def _connect(self) -> Backend:
        self.tried = {}
        advice = ""
        for name, connect in self.connects:
            try:
                return connect()
            except Unavailable as why:
                self.tried[name] = why.problem
                advice = advice or why.advice
        raise Unavailable("No window can be seen on this desktop.", advice)

    def _follow(self, backend: Backend, waker: Waker, emit: Emit, stop: threading.Event) -> None:
        spans = Spans(device=self.device, describe=self._describe, blip=self.blip)
        changes: deque[Change] = deque()
        clock_set = ClockWatch()

        def hear(change: Change) -> None:
            changes.append(change)
            waker.wake()

        seen: Window | None = None
        with self.presence.heard_by(hear):
            try:
                while not stop.is_set():
                    at = self.clock()
                    _emit(emit, spans.jumped(at) if clock_set.moved(at) else [])
                    front = self._worth_telling(backend.front())
                    _emit(emit, spans.front(front, at))
                    while changes:
                        _emit(emit, _apply(changes.popleft(), spans))
                    if front != seen:
                        self.presence.engaged = front is not None and self._is_meeting(front)
                        self.presence.stirred()
                        seen = front
                        waker.wait(_RESTLESS)
                    else:
                        backend.wait(waker, spans.seconds_to_next(at))
            finally:
                self.presence.engaged = False
                _emit(emit, spans.stop(self.clock()))

    def _worth_telling(self, window: Window | None) -> Window | None:
        """The window, unless it says nothing or is our own."""
        if window is None or window.pid == self.own_pid:
            return None
        nameless = window.title.casefold() in _NAMELESS
        return None if nameless else window

    def _is_meeting(self, window: Window) -> bool:
        return is_meeting(window, self._app(window), self.meetings)

    def _app(self, window: Window) -> str:
        return apps.readable(window.app_id, self.app_names, window.app)

    def _describe(self, window: Window) -> Event:
        app = self._app(window)
        edited = read(window, app, self.editors)
        details: dict[str, Any] = {"class": window.app_id, "pid": window.pid}
        return Event(
            identity="",
            kind="window",
            start=EPOCH,
            title=window.title,
            app=app,
            project=edited.project,
            files=edited.files,
            source=SOURCE,
            details={name: value for name, value in details.items() if value},
        )


def _apply(change: Change, spans: Spans) -> list[Event]:
    if change.now is not None:
        return spans.away(change.now.since)
    spans.back(change.at)
    return []


def _emit(emit: Emit, events: Sequence[Event]) -> None:
    for event in events:
        emit(event)
