"""`status` and `doctor`: how recording fares, what is wrong, and what would mend it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from desktop_memory.cli.output import one_line, print_json, say
from desktop_memory.clock import clock, zone
from desktop_memory.counting import counted
from desktop_memory.errors import NotAnswering, sentences


def print_status(folder: Path, as_json: bool) -> None:
    """The running app's own word; else what the store tells."""
    found = _status(folder)
    if as_json:
        print_json(found)
        return
    pause = f", paused until {_clock_time(found['paused_until'])}" if found["paused_until"] else ""
    events = f"{counted(found['events'], 'event')}, {found['today']:,} today"
    hidden = f" · {held:,} of them hidden by rules" if (held := found.get("hidden", 0)) else ""
    say(f"{found['state'].capitalize()}{pause} · {events}{hidden} · {folder}")
    vectors, graph = found["vectors"], found["graph"]
    if vectors:
        say(f"Search by meaning: {_meaning(vectors)}")
    if graph:
        say(f"Graph: {_graph(graph)}")
    for name, problem in found["problems"].items():
        say(f"! {name}: {problem}")
    for source, state in found["live"].items():
        backend = f" ({state['backend']})" if state["backend"] else ""
        watching = "watching" if state["watching"] else "off"
        say(f"{watching:>11}  {source}{backend} {state['advice']}".rstrip())
    for place in found["places"]:
        say(_place_line(place))
    if not found["places"]:
        say(
            "No source was read yet: `desktop-memory collect` reads them once, `desktop-memory run` keeps recording."
        )


def _status(folder: Path) -> dict[str, Any]:
    from desktop_memory.ipc.remote import RemoteApp
    from desktop_memory.reach import beside, connect, running
    from desktop_memory.status import status

    try:
        if running(folder):
            told: dict[str, Any] = RemoteApp(folder).status()
            return told
    except NotAnswering as error:
        with beside(folder) as memory:
            problem = sentences(error.problem, error.advice)
            return status(memory, running=True, problems={"app": problem})
    with connect(folder) as memory:
        return status(memory, running=False, problems={"store": memory.unwritable()})


def _clock_time(text: str) -> str:
    return f"{datetime.fromisoformat(text).astimezone(zone()):%H:%M}"


def _place_line(place: dict[str, Any]) -> str:
    skipped = ", ".join(f"{n} skipped: {why}" for why, n in place["skipped"].items())
    told = "; ".join(part for part in (place["advice"], skipped) if part)
    name = one_line(f"{place['source']} {_short(place['place'])}")
    last = f", last {_when(place['last_event'])}" if place["last_event"] else ""
    read = f", read {_when(place['last_success'])}" if place["last_success"] else ""
    return f"{place['state']:>11}  {name}  {place['today']:,} today{last}{read}  {told}".rstrip()


def _when(text: str) -> str:
    """The time of day, with the date on another day than today."""
    moment, today = datetime.fromisoformat(text).astimezone(zone()), clock().astimezone(zone()).date()
    return f"{moment:%H:%M}" if moment.date() == today else f"{moment:%Y-%m-%d}"


def _meaning(state: dict[str, Any]) -> str:
    have, texts = state["vectors"], counted(state["docs"], "text")
    done = f"ready for {texts}" if have >= state["docs"] else f"ready for {have:,} of {texts}"
    return ", ".join(part for part in (state["model"], done, state["problem"]) if part)


def _graph(state: dict[str, Any]) -> str:
    behind = f"{counted(state['behind'], 'record')} behind" if state["behind"] else ""
    stands = behind or "up to date" if state["state"] == "ready" else state["state"]
    return ", ".join(part for part in (stands, state["progress"], state["reason"]) if part)


def _short(name: str) -> str:
    home = str(Path.home())
    return "~" + name[len(home) :] if name.startswith(home + "/") else name


def print_doctor(folder: Path, as_json: bool) -> int:
    """Every check; 1 when one of them found something."""
    from desktop_memory.doctor import examine

    checks = examine(folder)
    ok = all(check.state == "ok" for check in checks)
    if as_json:
        print_json(
            {
                "ok": ok,
                "checks": [
                    {"name": c.name, "state": c.state, "problem": c.problem, "advice": c.advice}
                    for c in checks
                ],
            }
        )
        return 0 if ok else 1
    for check in checks:
        told = sentences(check.problem, check.advice)
        say(f"{'ok' if check.state == 'ok' else '!!':>3}  {check.name}  {told}".rstrip())
    return 0 if ok else 1
