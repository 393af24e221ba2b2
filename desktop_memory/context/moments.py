"""How times and lengths are written in a copied context: absolute, local, and plain."""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def clock(at: datetime, zone: tzinfo) -> str:
    """09:41"""
    return f"{at.astimezone(zone):%H:%M}"


def day(at: datetime, zone: tzinfo) -> str:
    """Thu 13 Aug 2026"""
    return f"{short_day(at, zone)} {at.astimezone(zone).year}"


def short_day(at: datetime, zone: tzinfo) -> str:
    """Thu 13 Aug"""
    return of_date(at.astimezone(zone).date())


def of_date(day: date) -> str:
    """Thu 13 Aug"""
    return f"{WEEKDAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]}"


def near_day(at: datetime, now: datetime, zone: tzinfo) -> str:
    """The day, with its year where it is another one."""
    same = at.astimezone(zone).year == now.astimezone(zone).year
    return short_day(at, zone) if same else day(at, zone)


def offset(at: datetime, zone: tzinfo) -> str:
    """(UTC+02:00)"""
    minutes = round((at.astimezone(zone).utcoffset() or timedelta()).total_seconds() / 60)
    sign = "-" if minutes < 0 else "+"
    return f"(UTC{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d})"


def span(since: datetime, until: datetime, zone: tzinfo) -> str:
    """Thu 13 Aug 2026, 09:41–09:56; both days where it crosses midnight."""
    if since.astimezone(zone).date() == until.astimezone(zone).date():
        return f"{day(since, zone)}, {clock(since, zone)}–{clock(until, zone)}"
    return f"{day(since, zone)}, {clock(since, zone)} – {day(until, zone)}, {clock(until, zone)}"


def stretch(seconds: float) -> str:
    """40 s, 6 min, 2 h 21 min"""
    whole = round(seconds)
    if whole < 60:
        return f"{max(whole, 0)} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def short_stretch(seconds: float) -> str:
    """1 h 12: the same where many stand in a row."""
    text = stretch(seconds)
    return text.removesuffix(" min") if " h " in text else text


def ago(at: datetime, now: datetime, zone: tzinfo) -> str:
    """today, yesterday, 9 days ago, 3 months ago"""
    days = (now.astimezone(zone).date() - at.astimezone(zone).date()).days
    if days <= 1:
        return "today" if days <= 0 else "yesterday"
    if days < 60:
        return f"{days} days ago"
    months = round(days / 30.4)
    return f"{months} months ago" if months < 24 else f"{round(days / 365.25)} years ago"


def due(at: datetime, now: datetime, zone: tzinfo) -> str:
    """due tomorrow, Fri 14 Aug"""
    days = (local_date(at, zone) - local_date(now, zone)).days
    named = near_day(at, now, zone)
    if days < 0:
        return f"was due {named}"
    return {0: f"due today, {named}", 1: f"due tomorrow, {named}"}.get(days, f"due {named}")


def local_date(at: datetime, zone: tzinfo) -> date:
    return at.astimezone(zone).date()
