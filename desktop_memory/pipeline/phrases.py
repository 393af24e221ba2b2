"""Time phrases in a query: "retry yesterday afternoon" asks for "retry", on yesterday from 12:00 to 18:00.

Local zone, half-open intervals, right over daylight saving. A phrase is words of its own: `yesterday.txt` is none,
nor is anything in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo


@dataclass(frozen=True, kw_only=True, slots=True)
class Phrase:
    """The query without its phrase, the stretch that the phrase means, and the phrase as it was typed."""

    text: str
    since: datetime | None
    until: datetime | None
    label: str


@dataclass(frozen=True, slots=True)
class _Here:
    """Now, in the person's zone."""

    now: datetime
    zone: tzinfo

    @property
    def today(self) -> date:
        return self.now.astimezone(self.zone).date()

    def at(self, day: date, hour: int = 0, minute: int = 0) -> datetime:
        return datetime.combine(day, time(hour, minute), tzinfo=self.zone).astimezone(UTC)

    def days(self, first: date, after: date) -> Stretch:
        return self.at(first), self.at(after)


Stretch = tuple[datetime | None, datetime | None]
_Read = Callable[[re.Match[str], _Here], Stretch | None]

_PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 30)}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_COUNTING = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_NUMBERS = {word: number for number, word in enumerate(_COUNTING, start=1)} | {
    "a": 1,
    "an": 1,
    "couple of": 2,
    "a couple of": 2,
}

_N = r"(?P<n>\d{1,4}|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + ")"
_UNIT = r"(?P<unit>minute|min|hour|day|week|month|year)s?"
_PART = r"(?:\s+(?P<part>morning|afternoon|evening|night))?"
_DAY_NAME = r"(?P<weekday>" + "|".join(_WEEKDAYS) + ")"
_MONTH_NAME = "|".join(f"{name[:3]}(?:{name[3:]})?" if len(name) > 3 else name for name in _MONTHS)
_DATE = (
    r"(?:(?P<iso>\d{4}-\d{2}-\d{2})"
    rf"|(?P<d1>\d{{1,2}})\.?\s+(?P<m1>{_MONTH_NAME})\.?(?:\s+(?P<y1>\d{{4}}))?"
    rf"|(?P<m2>{_MONTH_NAME})\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<y2>\d{{4}}))?)"
)
_CLOCK = r"(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?\s*(?P<half>am|pm)?"


def find(text: str, now: datetime, zone: tzinfo) -> Phrase | None:
    """The first time phrase in a query; None when there is none, or it names no time there is."""
    here = _Here(now, zone)
    open_text = re.sub(r'"[^"]*"', lambda quoted: "\0" * len(quoted[0]), text)
    for pattern, read in _PHRASES:
        for match in pattern.finditer(open_text):
            try:
                stretch = read(match, here)
            except (ValueError, OverflowError):
                continue
            if stretch is not None:
                rest = " ".join((text[: match.start()] + " " + text[match.end() :]).split())
                return Phrase(text=rest, since=stretch[0], until=stretch[1], label=match[0].strip())
    return None


# what a phrase names


def _point(words: str, here: _Here) -> Stretch | None:
    """The stretch of a simple phrase inside another one: `between Monday and yesterday`."""
    for pattern, read in _SIMPLE:
        if match := pattern.fullmatch(words.strip()):
            return read(match, here)
    return None


def _between(match: re.Match[str], here: _Here) -> Stretch | None:
    first, last = _point(match["from"], here), _point(match["to"], here)
    if first is None or last is None:
        return None
    return first[0], last[1]


def _before(match: re.Match[str], here: _Here) -> Stretch | None:
    point = _point(match["point"], here)
    return None if point is None else (None, point[0])


def _after(match: re.Match[str], here: _Here) -> Stretch | None:
    """`since Monday` takes Monday in, `after Monday` leaves it out."""
    point = _point(match["point"], here)
    if point is None:
        return None
    return (point[0] if match["word"].lower() == "since" else point[1]), None


def _day_word(match: re.Match[str], here: _Here) -> Stretch:
    day = here.today - timedelta(days=match["day"].lower() == "yesterday")
    return _part_of(day, match["part"], here)


def _this_part(match: re.Match[str], here: _Here) -> Stretch:
    return _part_of(here.today, match["part"] or "evening", here)


def _last_night(match: re.Match[str], here: _Here) -> Stretch:
    return _part_of(here.today - timedelta(days=1), "night", here)


def _part_of(day: date, part: str | None, here: _Here) -> Stretch:
    first, last = _PARTS[part.lower()] if part else (0, 24)
    return here.at(day, first), here.at(day + timedelta(days=last // 24), last % 24)


def _last_n(match: re.Match[str], here: _Here) -> Stretch:
    n, unit = _number(match["n"]), match["unit"].lower()
    if unit in ("minute", "min"):
        return here.now - timedelta(minutes=n), None
    return _back(here, n, unit)[0], None


def _ago(match: re.Match[str], here: _Here) -> Stretch:
    return _back(here, _number(match["n"]), match["unit"])


def _back(here: _Here, n: int, unit: str) -> tuple[datetime, datetime]:
    """The stretch that `n units ago` names: a day is that whole day, an hour the hour from then on, and minutes
    are told roughly."""
    unit = unit.lower()
    if unit == "hour":
        return here.now - timedelta(hours=n), here.now - timedelta(hours=n - 1)
    if unit in ("minute", "min"):
        return here.now - timedelta(minutes=n * 1.5), here.now - timedelta(minutes=n / 2)
    if unit in ("day", "week"):
        width = 7 if unit == "week" else 1
        first = here.today - timedelta(days=n * width)
    else:
        width = 365 if unit == "year" else 30
        first = _months_back(here.today, n * (12 if unit == "year" else 1))
    return here.at(first), here.at(first + timedelta(days=width))


def _months_back(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 - months
    first = date(index // 12, index % 12 + 1, 1)
    longest = (_next_month(first) - timedelta(days=1)).day
    return first.replace(day=min(day.day, longest))


def _next_month(first: date) -> date:
    return date(first.year + first.month // 12, first.month % 12 + 1, 1)


def _calendar(match: re.Match[str], here: _Here) -> Stretch:
    """This or last week, month, year: the calendar's, a week from Monday on."""
    last = match["which"].lower() in ("last", "previous")
    unit = match["span"].lower()
    today = here.today
    if unit == "week":
        first = today - timedelta(days=today.weekday() + 7 * last)
        return here.days(first, first + timedelta(days=7))
    if unit == "month":
        first = _months_back(today.replace(day=1), int(last))
        return here.days(first, _next_month(first))
    year = today.year - last
    return here.days(date(year, 1, 1), date(year + 1, 1, 1))


def _weekday(match: re.Match[str], here: _Here) -> Stretch:
    """The latest such day, today included; `last Friday` on a Friday is a week ago."""
    back = (here.today.weekday() - _WEEKDAYS.index(match["weekday"].lower())) % 7
    if back == 0 and (match["which"] or "").lower().strip() == "last":
        back = 7
    return _part_of(here.today - timedelta(days=back), match["part"], here)


def _date(match: re.Match[str], here: _Here) -> Stretch:
    if match["iso"]:
        day = date.fromisoformat(match["iso"])
    else:
        number = match["d1"] or match["d2"]
        month = _month_number(match["m1"] or match["m2"])
        year = match["y1"] or match["y2"]
        day = date(int(year or here.today.year), month, int(number))
        if not year and day > here.today:
            day = day.replace(year=day.year - 1)
    return here.days(day, day + timedelta(days=1))


def _in_month(match: re.Match[str], here: _Here) -> Stretch:
    month = _month_number(match["month"])
    year = int(match["year"]) if match["year"] else here.today.year - (month > here.today.month)
    first = date(year, month, 1)
    return here.days(first, _next_month(first))


def _around(match: re.Match[str], here: _Here) -> Stretch | None:
    """Half an hour on both sides, the latest such time that has begun."""
    middle = _moment(match, here)
    return None if middle is None else (middle - timedelta(minutes=30), middle + timedelta(minutes=30))


def _moment(match: re.Match[str], here: _Here) -> datetime | None:
    """The time of day, on the day that is named with it, else the latest such time that has begun."""
    clock = _clock(match["hour"], match["minute"], match["half"])
    day = _day(match, here)
    if clock is None or day is None:
        return None
    moment = here.at(day, *clock)
    return moment if match["on"] or moment <= here.now else here.at(day - timedelta(days=1), *clock)


def _day(match: re.Match[str], here: _Here) -> date | None:
    """The day named with a time, today without one."""
    if not match["on"]:
        return here.today
    day = _point(match["on"], here)
    return None if day is None or day[0] is None else day[0].astimezone(here.zone).date()


def _clock(hour: str, minute: str | None, half: str | None) -> tuple[int, int] | None:
    """Hour and minute; a bare number is no time."""
    number = int(hour)
    if half:
        if not 1 <= number <= 12:
            return None
        number = number % 12 + (12 if half.lower() == "pm" else 0)
    return (number, int(minute or 0)) if minute or half else None


def _between_times(match: re.Match[str], here: _Here) -> Stretch | None:
    """`between 2 and 4 pm yesterday`: both in the same half of the day, where only the second says which."""
    first = _clock(match["hour1"], match["minute1"], match["half1"] or match["half"])
    last, day = _clock(match["hour"], match["minute"], match["half"]), _day(match, here)
    if last and not first and match["minute"]:
        first = int(match["hour1"]), 0
    if first is None or last is None or first >= last or day is None:
        return None
    if not match["on"] and here.at(day, *first) > here.now:
        day -= timedelta(days=1)
    return here.at(day, *first), here.at(day, *last)


def _before_or_after(match: re.Match[str], here: _Here) -> Stretch | None:
    moment = _moment(match, here)
    if moment is None:
        return None
    return (None, moment) if match["word"].lower() in ("before", "until") else (moment, None)


def _on_that_day(match: re.Match[str], here: _Here) -> Stretch | None:
    """`after 14:00 yesterday`: the rest of that day; `before` its beginning."""
    moment = _moment(match, here)
    if moment is None:
        return None
    day = moment.astimezone(here.zone).date()
    if match["word"].lower() in ("before", "until"):
        return here.at(day), moment
    return moment, here.at(day + timedelta(days=1)) if match["on"] else None


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[" ".join(word.lower().split())]


def _month_number(name: str) -> int:
    return next(n for n, month in enumerate(_MONTHS, start=1) if month.startswith(name.lower()[:3]))


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w./\\@#-])(?:{pattern})(?:['’]s)?(?![\w/\\@#-]|\.\w)", re.IGNORECASE)


_DAY_BEFORE: tuple[tuple[re.Pattern[str], _Read], ...] = (
    (
        _compiled(r"(?:on\s+)?(?:the\s+)?day\s+before\s+yesterday"),
        lambda match, here: _part_of(here.today - timedelta(days=2), None, here),
    ),
)
"""Stands before `before yesterday`."""
_SIMPLE: tuple[tuple[re.Pattern[str], _Read], ...] = _DAY_BEFORE + tuple(
    (_compiled(pattern), read)
    for pattern, read in (
        (rf"(?:on\s+)?{_DATE}", _date),
        (rf"(?P<day>today|yesterday){_PART}", _day_word),
        (r"last\s+night", _last_night),
        (r"this\s+(?P<part>morning|afternoon|evening)|tonight", _this_part),
        (rf"(?:in\s+)?(?:the\s+)?(?:last|past)\s+{_N}\s+{_UNIT}", _last_n),
        (
            r"(?:a\s+)?half\s+(?:an\s+)?hour\s+ago",
            lambda match, here: (here.now - timedelta(minutes=45), here.now - timedelta(minutes=15)),
        ),
        (rf"{_N}\s+{_UNIT}\s+ago", _ago),
        (r"(?P<which>this|last|previous)\s+(?P<span>week|month|year)", _calendar),
        (
            r"(?:in\s+)?(?:the\s+)?(?:last|past)\s+(?P<half>half(?:\s+an)?\s+)?hour",
            lambda match, here: (here.now - timedelta(minutes=30 if match["half"] else 60), None),
        ),
        (
            r"(?:in\s+)?(?:the\s+)?past\s+(?P<unit>day|week|month|year)",
            lambda match, here: (_back(here, 1, match["unit"])[0], None),
        ),
        (rf"(?:on\s+)?(?P<which>last\s+|this\s+)?{_DAY_NAME}{_PART}", _weekday),
        (rf"in\s+(?P<month>{_MONTH_NAME})(?:\s+(?P<year>\d{{4}}))?", _in_month),
    )
)
_LOOSE = r"[^\0]{3,30}?"
_DAY = re.sub(
    r"\(\?P<\w+>", "(?:", rf"(?:day\s+before\s+)?yesterday|today|(?:(?:last|this)\s+)?{_DAY_NAME}|{_DATE}"
)
_ON = rf"(?:\s+(?P<on>(?:on\s+)?(?:{_DAY})))?"
_FIRST_CLOCK = r"(?P<hour1>\d{1,2})(?::(?P<minute1>\d{2}))?\s*(?P<half1>am|pm)?"
_PHRASES: tuple[tuple[re.Pattern[str], _Read], ...] = (
    (
        _compiled(rf"(?P<on>(?:on\s+)?(?:{_DAY}))\s+between\s+{_FIRST_CLOCK}\s+and\s+{_CLOCK}"),
        _between_times,
    ),
    (_compiled(rf"(?:between|from)\s+{_FIRST_CLOCK}\s+(?:and|to|until)\s+{_CLOCK}{_ON}"), _between_times),
    (_compiled(rf"between\s+(?P<from>{_LOOSE})\s+and\s+(?P<to>{_LOOSE})(?=$|\s|,)"), _between),
    (_compiled(rf"(?P<word>before|until|after|since)\s+{_CLOCK}{_ON}"), _on_that_day),
    (
        _compiled(rf"(?P<word>before|until|after|since)\s+(?P<on>{_DAY})\s+(?:at\s+)?{_CLOCK}"),
        _before_or_after,
    ),
    (_compiled(rf"(?P<on>(?:on\s+)?(?:{_DAY}))\s+(?:around|about|at)\s+{_CLOCK}"), _around),
    (_compiled(rf"(?:around|about|at)\s+{_CLOCK}{_ON}"), _around),
    *_DAY_BEFORE,
    *(
        (_compiled(rf"(?P<word>{words})\s+(?P<point>{pattern.pattern})"), read)
        for words, read in (("before|until", _before), ("after|since", _after))
        for pattern, _ in _SIMPLE
    ),
    *_SIMPLE,
)
