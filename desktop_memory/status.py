"""How recording fares, in the shape that CLI and others rely on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from desktop_memory.memory import Memory


def status(
    memory: Memory,
    *,
    running: bool,
    problems: Mapping[str, str] | None = None,
    live: Mapping[str, Any] | None = None,
    reading: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Whether it records, how much is there, how each place fares, and what is read for the first time now."""
    stats = memory.stats()
    pause = memory.paused()
    places = [
        {
            "source": place.source,
            "place": place.place,
            "state": place.state,
            "last_event": None if place.last_event is None else place.last_event.astimezone().isoformat(),
            "last_success": None
            if place.last_success is None
            else place.last_success.astimezone().isoformat(),
            "today": place.today,
            "skipped": dict(place.skipped),
            "advice": place.advice,
        }
        for place in memory.places()
        if place.source not in (live or {})  # what it does at the moment says more than what it did
    ]
    problems = {name: problem for name, problem in (problems or {}).items() if problem}
    return {
        "running": running,
        "state": _state(running, pause is not None, bool(problems), live or {}, places),
        "paused_until": None
        if pause is None or pause.until is None
        else pause.until.astimezone().isoformat(),
        "events": stats.events,
        "hidden": stats.hidden,
        "today": stats.today,
        "vectors": dict(stats.vectors),
        "graph": dict(stats.graph),
        "masked": dict(stats.masked),
        "dropped": dict(stats.dropped),
        "bytes": stats.bytes,
        "problems": problems,
        "live": dict(live or {}),
        "reading": [dict(place) for place in reading],
        "places": places,
    }


def _state(
    running: bool,
    paused: bool,
    troubled: bool,
    live: Mapping[str, Any],
    places: Sequence[Mapping[str, Any]],
) -> str:
    if not running:
        return "not running"
    if paused:
        return "paused"
    stopped = any(not source.get("watching") for source in live.values())
    failing = any(place["state"] == "failing" for place in places)
    return "degraded" if troubled or stopped or failing else "recording"
