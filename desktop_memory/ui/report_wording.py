"""The report in the window's language and its locale's forms."""

from __future__ import annotations

from desktop_memory.context.report_wording import Wording
from desktop_memory.ui import words
from desktop_memory.ui.words import tr


def report_wording() -> Wording:
    return Wording(
        weekdays=words.weekdays(),
        months=words.months(),
        day_form=words.day_form(),
        clock_form=words.clock_form(),
        point=words.decimal_point(),
        quoted=tr("“{text}”"),
        hours=tr("Hours"),
        total=tr("Total"),
        no_project=tr("no project"),
        nothing=tr("Nothing was recorded."),
        rounded=tr("Each figure is rounded by itself, the totals too."),
        unrecorded=tr("Not recorded between the first and the last record of a day: {hours} h."),
        calls=tr("Calls"),
        commits=tr("Commits"),
        documents=tr("Documents"),
        decisions=tr("Decisions"),
        goals=tr("Open goals"),
        suggestions=tr("Worth a goal?"),
        due=tr("due {day}"),
        no_goal=tr("{project}: over 2 h on {count} days, and no goal"),
        a_commit=tr("a commit"),
    )
