"""What a repeat of a stored event tells better."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from collectors.event import Event
from desktop_memory.model import Remembered


def better(old: Remembered, new: Event) -> Remembered:
    """The stored event with what the repeat tells better: a precise time, a later end, a title that came late."""
    if old.kind == "git_commit" and new.details.get("hash") != old.details.get("hash"):
        return _rewritten(old, new)
    start, approx, offset = old.start, old.approx, old.utc_offset
    if old.approx and not new.approx:
        start, approx, offset = new.start, False, new.utc_offset
    elif not new.approx and _coarse(old) and not _coarse(new):
        start = new.start
    end = old.end
    if new.end is not None and (old.open or old.end is None or new.end > old.end or new.kind == "window"):
        end = new.end  # a window's span may also be cut back: to the moment its user went away
    if end is not None and end < start:
        end = start
    return replace(
        old,
        start=start,
        approx=approx,
        utc_offset=offset,
        end=end,
        open=old.open and new.open,
        title=new.title or old.title,
        text=old.text or new.text,
        app=old.app or new.app,
        project=old.project or new.project,
        repo=old.repo or new.repo,
        branch=old.branch or new.branch,
        url=old.url or new.url,
        domain=old.domain or new.domain,
        files=old.files
        if set(new.files) <= set(old.files)
        else (*old.files, *(f for f in new.files if f not in old.files)),
        details={**new.details, **old.details} if old.details != new.details else old.details,
    )


def _rewritten(old: Remembered, new: Event) -> Remembered:
    """A commit that was amended or rebased is the later one of the two, whichever is read last."""
    if _committed(new) < _committed(old):
        return old
    return replace(
        old,
        title=new.title,
        text=new.text,
        files=new.files,
        branch=new.branch or old.branch,
        details=new.details,
    )


def _committed(event: Event) -> datetime:
    told = event.details.get("committed")
    return event.start if told is None else datetime.fromisoformat(str(told))


def _coarse(event: Event) -> bool:
    """The second is known, what stands behind it is only an order (a count below a thousand)."""
    return event.kind == "terminal" and event.start.microsecond < 1_000
