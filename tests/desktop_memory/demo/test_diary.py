"""The diary's own language, and that the fortnight is written in it without a slip."""

from __future__ import annotations

from datetime import time

import pytest

from desktop_memory.demo import diary
from desktop_memory.demo.diary import Act, Block
from desktop_memory.resources import resource


def test_a_block_holds_its_acts_with_their_times_and_durations() -> None:
    text = """
# a comment
09:12-10:31 billing-api on fix/LED-712, exactly
    edit billing/money.py
    09:40:30 page Currencies, and more @ https://docs.stripe.com/currencies, 140 s
10:31-10:47 -- idle
"""

    blocks = list(diary.parse(text))

    assert blocks == [
        Block(
            start=time(9, 12),
            end=time(10, 31),
            place="billing-api",
            branch="fix/LED-712",
            exactly=True,
            acts=(
                Act(verb="edit", what="billing/money.py"),
                Act(
                    verb="page",
                    what="Currencies, and more @ https://docs.stripe.com/currencies",
                    at=time(9, 40, 30),
                    seconds=140,
                ),
            ),
        ),
        Block(start=time(10, 31), end=time(10, 47), away="idle"),
    ]


@pytest.mark.parametrize(
    "line", ["nine to ten billing-api", "09:12-10:31 -- bored", "09:12-10:31 home\n    ?"]
)
def test_a_line_that_means_nothing_is_named(line: str) -> None:
    with pytest.raises(ValueError, match=r"not an? "):
        list(diary.parse(line))


def test_the_fortnight_has_fourteen_days_each_in_order_of_time() -> None:
    days = diary.read(resource("demo"))

    assert [day.ago for day in days] == list(range(13, -1, -1))
    for day in days:
        times = [moment for block in day.blocks for moment in (block.start, block.end)]
        assert times == sorted(times), day.ago
        for block in day.blocks:
            fixed = [act.at for act in block.acts if act.at is not None]
            assert fixed == sorted(fixed), (day.ago, block.start)
            assert all(block.start <= at < block.end for at in fixed), (day.ago, block.start)
