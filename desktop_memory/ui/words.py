"""How times, counts and stretches are said to a person, in their language and their locale's forms."""

from __future__ import annotations

import re
import tomllib
from datetime import date, datetime, timedelta

from PySide6.QtCore import QDate, QLocale, QTime

from desktop_memory.resources import resource

_translations: dict[str, str] = {}


def tr(text: str) -> str:
    """The text in the language chosen by `speak`; itself where there is no translation."""
    return _translations.get(text, text)


def speak(language: str) -> None:
    """Use this language ("de") from now on; English, the language of the code, for one that we lack."""
    _translations.clear()
    path = resource("words", f"{language}.toml")
    if path.is_file():
        _translations.update(tomllib.loads(path.read_text(encoding="utf-8"))["words"])


def number(value: int) -> str:
    """4,812."""
    return _locale().toString(value)


def decimal(value: float) -> str:
    """0.31."""
    return _locale().toString(float(value), "f", 2)


def counted(value: int, one: str, many: str) -> str:
    """1 record, 10 records; both forms are handed in translated."""
    return f"{number(value)} {one if value == 1 else many}"


def records(value: int) -> str:
    return counted(value, tr("record"), tr("records"))


def stretch(seconds: float) -> str:
    """40 s, 6 min, 2 h 21 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{max(whole, 0)} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{number(hours)} h {minutes} min" if minutes else f"{number(hours)} h"


def local(moment: datetime) -> datetime:
    """The same moment on the clock of this place."""
    return moment.astimezone()


def clock_time(moment: datetime) -> str:
    """09:41, in the locale's own form; two digits for the hour, so that times stand under one another."""
    here = local(moment)
    form = _locale().timeFormat(QLocale.FormatType.ShortFormat) if _twelve_hours() else "HH:mm"
    return _locale().toString(QTime(here.hour, here.minute), form)


def span(start: datetime, end: datetime) -> str:
    """09:41–10:32; 09:41 where both are of the same minute."""
    first, last = clock_time(start), clock_time(end)
    return first if first == last and end - start < timedelta(minutes=1) else f"{first}–{last}"


def short_day(day: date) -> str:
    """Thu 13 Aug."""
    return _locale().toString(_qdate(day), _short_form())


def long_day(day: date) -> str:
    """Thursday 13 August."""
    form = "dddd, MMMM d" if _month_first() else tr("dddd d MMMM")
    return _locale().toString(_qdate(day), form)


def month_of(day: date) -> str:
    """Aug 2026."""
    return _locale().toString(_qdate(day), "MMM yyyy")


def weekdays() -> tuple[str, ...]:
    """Mon to Sun."""
    return tuple(_locale().dayName(day, QLocale.FormatType.ShortFormat) for day in range(1, 8))


def months() -> tuple[str, ...]:
    """Jan to Dec, as they stand in a date."""
    return tuple(_locale().monthName(month, QLocale.FormatType.ShortFormat) for month in range(1, 13))


def day_form() -> str:
    """{weekday} {day} {month}, as `short_day` has them."""
    names = {"ddd": "{weekday}", "d": "{day}", "MMM": "{month}"}
    return re.sub("ddd|d|MMM", lambda found: names[found[0]], _short_form())


def clock_form() -> str:
    """%H:%M, or with AM and PM where that is usual."""
    return "%I:%M %p" if _twelve_hours() else "%H:%M"


def decimal_point() -> str:
    return _locale().decimalPoint()


def moment_format() -> str:
    """How Qt's fields write a day and a time: 13/08/2026 09:41."""
    locale = _locale()
    form = QLocale.FormatType.ShortFormat
    return f"{locale.dateFormat(form)} {locale.timeFormat(form)}"


def short_month(day: date) -> str:
    """Aug."""
    return _locale().standaloneMonthName(day.month, QLocale.FormatType.ShortFormat).removesuffix(".")


def short_weekday(day: date) -> str:
    """Thu."""
    return _locale().standaloneDayName(day.isoweekday(), QLocale.FormatType.ShortFormat).removesuffix(".")


def widest_time() -> str:
    """A time as wide as any in this locale's form."""
    return re.sub(r"\d", "0", clock_time(datetime(2026, 1, 1, 22).astimezone()))


def day_name(day: date, today: date) -> str:
    """Today, Yesterday, else the day and, in another year, the year."""
    if day == today:
        return tr("Today")
    if day == today - timedelta(days=1):
        return tr("Yesterday")
    return short_day(day) if day.year == today.year else f"{short_day(day)} {day.year}"


def ago(moment: datetime, now: datetime) -> str:
    """now, 40 min ago, yesterday, 9 days ago."""
    days = (local(now).date() - local(moment).date()).days
    passed = (now - moment).total_seconds()
    if passed < 60:
        return tr("now")
    if passed < 3600:
        return tr("{time} ago").format(time=stretch(passed))
    if days <= 0:
        return clock_time(moment)
    if days == 1:
        return tr("yesterday")
    return tr("{count} days ago").format(count=number(days))


def first_day_of_week() -> int:
    """1 for Monday to 7 for Sunday."""
    return _locale().firstDayOfWeek().value


def _short_form() -> str:
    return "ddd, MMM d" if _month_first() else tr("ddd d MMM")


def _twelve_hours() -> bool:
    return "a" in _locale().timeFormat(QLocale.FormatType.ShortFormat).lower()


def _month_first() -> bool:
    """Whether this locale writes August 13."""
    form = _locale().dateFormat(QLocale.FormatType.LongFormat).replace("dddd", "")
    return "M" in form and "d" in form and form.index("M") < form.index("d")


def _locale() -> QLocale:
    locale = QLocale()
    if locale.language() == QLocale.Language.C:
        return QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
    return locale


def _qdate(day: date) -> QDate:
    return QDate(day.year, day.month, day.day)
