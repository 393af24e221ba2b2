"""A report's own words, in the language of whoever reads it; what was recorded stays as it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from desktop_memory.context import moments


@dataclass(frozen=True, kw_only=True, slots=True)
class Wording:
    """Plain texts, so that it can be sent; `{names}` stand for what is filled in."""

    weekdays: tuple[str, ...] = moments.WEEKDAYS
    months: tuple[str, ...] = moments.MONTHS
    day_form: str = "{weekday} {day} {month}"
    clock_form: str = "%H:%M"
    point: str = "."
    quoted: str = '"{text}"'
    hours: str = "Hours"
    total: str = "Total"
    no_project: str = "no project"
    nothing: str = "Nothing was recorded."
    rounded: str = "Each figure is rounded by itself, the totals too."
    unrecorded: str = "Not recorded between the first and the last record of a day: {hours} h."
    calls: str = "Calls"
    commits: str = "Commits"
    documents: str = "Documents"
    decisions: str = "Decisions"
    goals: str = "Open goals"
    suggestions: str = "Worth a goal?"
    due: str = "due {day}"
    no_goal: str = "{project}: over 2 h on {count} days, and no goal"
    a_commit: str = "a commit"

    def day(self, day: date) -> str:
        """Thu 13 Aug"""
        weekday, month = self.weekdays[day.weekday()], self.months[day.month - 1]
        return self.day_form.format(weekday=weekday, day=day.day, month=month)

    def local_day(self, at: datetime, zone: tzinfo) -> str:
        return self.day(at.astimezone(zone).date())

    def clock(self, at: datetime, zone: tzinfo) -> str:
        """09:41"""
        return at.astimezone(zone).strftime(self.clock_form)

    def quarter_hours(self, seconds: float) -> str:
        """2.25: hours to the next quarter, nothing for less than half of one."""
        quarters = in_quarters(seconds)
        return f"{quarters / 4:g}".replace(".", self.point) if quarters else ""

    def quote(self, text: str) -> str:
        return self.quoted.format(text=text)


def in_quarters(seconds: float) -> int:
    """How many quarters of an hour that is, rounded."""
    return round(seconds / 900)


ENGLISH = Wording()
