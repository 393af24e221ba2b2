"""The rows of Sources: what watches, what is read, how far search and connections have come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from desktop_memory.model import GapReason, PlaceStatus, Stats, Timeline
from desktop_memory.ui.rows import Row, clean, header
from desktop_memory.ui.timeline_paint import reason_word
from desktop_memory.ui.translated import translated
from desktop_memory.ui.words import ago, clock_time, counted, day_name, local, number, records, stretch, tr

_MARKS = {
    "ok": ("check", "ok"),
    "waiting": ("clock-pause", "muted"),
    "failing": ("alert-triangle", "danger"),
    "unavailable": ("circle", "muted"),
}


def source_rows(
    status: Mapping[str, Any],
    places: Sequence[PlaceStatus],
    stats: Stats,
    now: datetime,
    *,
    demo: bool = False,
) -> list[Row]:
    """A row for each watcher, each place that is read, and each thing made from the records."""
    live: Mapping[str, Mapping[str, Any]] = {} if demo else status.get("live", {})
    rows: list[Row] = []
    if live:
        rows.append(header(tr("Watching as it happens")))
        rows += [_live_row(name, state) for name, state in live.items()]
    read = [place for place in places if place.source not in live]
    if read:
        rows.append(header(tr("Read every minute")))
        order = {state: rank for rank, state in enumerate(("failing", "ok", "waiting", "unavailable"))}
        rows += [_place_row(place, now) for place in sorted(read, key=lambda p: order.get(p.state, 9))]
    made = _made(stats, status.get("problems", {}))
    if made:
        rows += [header(tr("Made from the records")), *made]
    return rows


def coverage(today: Timeline, now: datetime) -> str:
    """How much of today was watched since its first record, and why the rest was not."""
    if not today.events:
        return ""
    begun = max(min(event.start for event in today.events), today.since)
    lost: dict[GapReason, float] = {}
    for gap in today.gaps:
        start, end = max(gap.start, begun), min(gap.end or now, now)
        if end > start:
            lost[gap.reason] = lost.get(gap.reason, 0) + (end - start).total_seconds()
    whole = (now - begun).total_seconds()
    watched = tr("today {time} of {whole} watched").format(
        time=stretch(max(0, whole - sum(lost.values()))), whole=stretch(whole)
    )
    reasons = [
        f"{reason_word(reason)} {stretch(seconds)}"
        for reason, seconds in sorted(lost.items(), key=lambda one: -one[1])
        if seconds >= 60
    ]
    return ", ".join([watched, *reasons])


def source_word(source: str) -> str:
    """What a source is called by people."""
    words = {
        "window": tr("Window in front"),
        "idle": tr("Away, locked, asleep"),
        "git": tr("Commits"),
        "zsh": tr("zsh history"),
        "bash": tr("bash history"),
        "fish": tr("fish history"),
        "nushell": tr("nushell history"),
        "powershell": tr("PowerShell history"),
        "atuin": tr("Atuin history"),
        "shell hook": tr("Commands, as they run"),
        "firefox": tr("Firefox history"),
        "chromium": tr("Chromium history"),
        "safari": tr("Safari history"),
        "files": tr("Recent files"),
    }
    return words.get(source, source)


def _live_row(name: str, state: Mapping[str, Any]) -> Row:
    watching = bool(state.get("watching"))
    backend = str(state.get("backend") or "")
    told = tr("Watching by {backend}").format(backend=backend) if backend else tr("Watching")
    advice = clean(translated(str(state.get("advice") or "")))
    second = " · ".join(filter(None, (told, advice))) if watching else advice or tr("Not watching")
    tried = [f"{other}: {translated(str(why))}" for other, why in dict(state.get("tried", {})).items()]
    icon, tint = _MARKS["ok" if watching else "failing"]
    return Row(
        key=("live", name), style="entry", title=source_word(name), second=clean(second), icon=icon, tint=tint,
        tooltip="\n".join([second, *tried]),
    )  # fmt: skip


def _place_row(place: PlaceStatus, now: datetime) -> Row:
    icon, tint = _MARKS.get(place.state, _MARKS["waiting"])
    told = [tr("{count} today").format(count=number(place.today))] if place.today else []
    if place.last_event is not None:
        told.append(tr("last record {when}").format(when=_when(place.last_event, now)))
    if skipped := sum(place.skipped.values()):
        told.append(tr("{count} skipped").format(count=number(skipped)))
    if place.advice:
        told.insert(0, clean(translated(place.advice)))
    if not told:
        told = [tr("nothing read yet")]
    reasons = [f"{translated(reason)}: {number(count)}" for reason, count in place.skipped.items()]
    return Row(
        key=("place", f"{place.source}\n{place.place}"), style="entry", title=_name(place), icon=icon, tint=tint,
        second=" · ".join(told), time=ago(place.last_success, now) if place.last_success else "", path=True,
        tooltip="\n".join([place.place, *told, *reasons]),
    )  # fmt: skip


def _name(place: PlaceStatus) -> str:
    home = str(Path.home())
    where = "~" + place.place[len(home) :] if place.place.startswith(home) else place.place
    return clean(f"{source_word(place.source)} · {where}" if where else source_word(place.source))


def _when(moment: datetime, now: datetime) -> str:
    day, today = local(moment).date(), local(now).date()
    if day == today:
        return clock_time(moment)
    name = tr("yesterday") if (today - day).days == 1 else day_name(day, today)
    return f"{name} {clock_time(moment)}"


def _made(stats: Stats, problems: Mapping[str, str]) -> list[Row]:
    rows = []
    if stats.vectors:
        have, docs = int(stats.vectors.get("vectors", 0)), int(stats.vectors.get("docs", 0))
        problem = str(problems.get("vectors") or stats.vectors.get("problem") or "")
        done = tr("ready for {texts}").format(texts=counted(have, tr("text"), tr("texts")))
        doing = tr("{have} of {all} texts").format(have=number(have), all=number(docs))
        told = clean(translated(problem)) or (done if have >= docs else doing)
        rows.append(
            _made_row("vectors", tr("Search by meaning"), told, bad=bool(problem), behind=have < docs)
        )
    if stats.graph:
        behind = int(stats.graph.get("behind", 0) or 0)
        problem = str(problems.get("graph") or stats.graph.get("reason") or "")
        doing = tr("{records} behind").format(records=records(behind))
        told = clean(translated(problem)) or (doing if behind else tr("up to date"))
        rows.append(_made_row("graph", tr("Connections"), told, bad=bool(problem), behind=bool(behind)))
    return rows


def _made_row(key: str, title: str, told: str, *, bad: bool, behind: bool) -> Row:
    icon, tint = _MARKS["failing" if bad else "waiting" if behind else "ok"]
    return Row(key=("made", key), style="entry", title=title, second=told, icon=icon, tint=tint, tooltip=told)
