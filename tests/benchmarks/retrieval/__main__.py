"""How well search finds again what was seen: recall and mean reciprocal rank for each kind of question, by words,
by meaning and by both. Run: python -m tests.benchmarks.retrieval [--half tuning|test] [--missed]
[--model NAME --installed HOME], HOME a data folder with installed models: a reranker there takes its second look."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean

from collectors.event import Event
from desktop_memory.embedding.model_files import BUILT_IN
from desktop_memory.model import Query, Remembered
from tests.benchmarks.retrieval.corpus import HALVES, KINDS, Asked, asked, events, nonsense
from tests.benchmarks.retrieval.ways import Ways, content, ways

NEAR_THE_BETTER_LANE = 0.03
IDENTIFIERS = 0.98
YOUNG = (30, 200, None)
"""Sizes of a memory at which nonsense is asked; None is all of it."""

Ranks = Mapping[str, Mapping[str, Sequence[int]]]
"""By way and kind of question: the rank of each answer, 0 where it was not found."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.retrieval", description=__doc__)
    parser.add_argument("--half", choices=HALVES, nargs="+", default=HALVES)
    parser.add_argument("--missed", action="store_true", help="tell what the fused search did not put first")
    parser.add_argument("--model", default=BUILT_IN.name, help="search by this one")
    parser.add_argument("--installed", type=Path, metavar="HOME", help="a data folder with installed models")
    given = parser.parse_args()
    reached = True
    _print_nonsense(given.half, given.model, given.installed)
    with (
        tempfile.TemporaryDirectory(prefix="desktop-memory-bench-") as folder,
        ways(Path(folder), model=given.model, installed=given.installed) as made,
    ):
        for half in given.half:
            ranks = measure(made, asked(half), missed=given.missed)
            _print(half, made.names, ranks)
            if half == "test":
                reached = _reached(ranks)
    return 0 if reached else 1


def measure(made: Ways, questions: Sequence[Asked], *, missed: bool = False) -> Ranks:
    """Ask all of them in every way."""
    by_identity = {event.identity: event for event in events()}
    ranks: dict[str, dict[str, list[int]]] = {way: defaultdict(list) for way in made.names}
    for question in questions:
        wanted = [by_identity[answer] for answer in question.answers]
        for way, found in made.answers(question.text).items():
            rank = rank_of(wanted, found, timed=question.kind == "time")
            ranks[way][question.kind].append(rank)
            if missed and way == "fused" and rank != 1:
                first = (found[0].title or found[0].text) if found else "nothing"
                print(f"{question.kind:11} {rank:2} {question.text!r} → {first!r}")
    return ranks


def rank_of(wanted: Sequence[Event], found: Sequence[Remembered], *, timed: bool = False) -> int:
    """Where the first of these stands; the same seen at another time is as good, unless a time was asked for."""
    for rank, event in enumerate(found, start=1):
        for answer in wanted:
            if content(event) == content(answer) and (not timed or event.start.date() == answer.start.date()):
                return rank
    return 0


def reciprocal(ranks: Sequence[int]) -> float:
    """The mean reciprocal rank."""
    return mean(1 / rank if rank else 0.0 for rank in ranks)


def recall(ranks: Sequence[int], first: int) -> float:
    """The share found among the first so many."""
    return mean(0 < rank <= first for rank in ranks)


def _all(of_way: Mapping[str, Sequence[int]]) -> list[int]:
    return [rank for ranks in of_way.values() for rank in ranks]


def _print_nonsense(halves: Sequence[str], model: str, installed: Path | None) -> None:
    """How often letters at random are answered, in a young memory and in a grown one."""
    for first in YOUNG:
        with (
            tempfile.TemporaryDirectory(prefix="desktop-memory-bench-") as folder,
            ways(Path(folder), first=first, model=model, installed=installed) as made,
        ):
            for half in halves:
                asked_for = nonsense(half)
                answered = sum(bool(made.fused(Query(text=text))) for text in asked_for)
                print(
                    f"{half} half, {first or 'all'} events: {answered} of {len(asked_for)} nonsense answered"
                )


def _print(half: str, names: Sequence[str], ranks: Ranks) -> None:
    counts = {kind: len(ranks["fused"][kind]) for kind in KINDS}
    print(
        f"\n{half} half: {sum(counts.values())} questions over {len(events())} events; recall@5 recall@10 MRR"
    )
    print(f"{'':18}" + "".join(f"{f'{kind} ({counts[kind]})':>20}" for kind in KINDS) + f"{'all':>18}")
    for way in names:
        cells = [ranks[way][kind] for kind in KINDS] + [_all(ranks[way])]
        figures = [f"{recall(c, 5):.2f} {recall(c, 10):.2f} {reciprocal(c):.3f}" for c in cells]
        print(f"{way:18}" + "".join(f"{figure:>20}" for figure in figures))


def _reached(ranks: Ranks) -> bool:
    alone = ("BM25", "text only", "vectors only")
    print()
    reached = True
    for kind in KINDS:
        behind = max(reciprocal(ranks[way][kind]) for way in alone) - reciprocal(ranks["fused"][kind])
        reached &= behind <= NEAR_THE_BETTER_LANE
        print(f"{kind}: fused is {behind:+.3f} behind the better lane (at most {NEAR_THE_BETTER_LANE})")
    ahead = reciprocal(_all(ranks["fused"])) - max(reciprocal(_all(ranks[way])) for way in alone)
    identifiers = reciprocal(ranks["fused"]["identifier"])
    print(f"over all: fused is {ahead:+.3f} ahead of the better lane (more than 0)")
    print(f"identifiers: {identifiers:.3f} (at least {IDENTIFIERS})")
    return reached and ahead > 0 and identifiers >= IDENTIFIERS


if __name__ == "__main__":
    sys.exit(main())
