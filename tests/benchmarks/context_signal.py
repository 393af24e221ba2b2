"""How much of what is copied is worth it: over 200 moments of the demo, the share of lines that its labels call
signal, and how many tokens they took. What the gate keeps out (password managers) is not there to be copied.
Run: python -m tests.benchmarks.context_signal [MOMENTS]"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections import Counter
from datetime import datetime, timedelta

from collectors.event import Event
from desktop_memory import demo
from desktop_memory.context.build import build_context
from desktop_memory.model import ContextRequest, Remembered
from desktop_memory.pipeline.gate import Gate
from desktop_memory.settings import Privacy
from tests.examples import ListSources

AT_LEAST = 0.85


class _UpToNow(ListSources):
    """Sources that know nothing of what comes after the moment."""

    def stand_at(self, moment: datetime) -> None:
        self._now = moment

    def overlapping(self, since: datetime, until: datetime) -> list[Remembered]:
        until = min(until, self._now)
        return [e for e in self._sorted() if e.start < until and (e.end or e.start) >= since]


def main(moments: int = 200) -> int:
    labelled = demo.labelled(demo.NOW)
    sources = _UpToNow(demo.NOW)
    signal: dict[int, bool] = {}
    gate, kept_out = Gate(Privacy()), 0
    for woven in labelled:
        if not isinstance(woven.seen, Event):
            continue
        seen = gate.admit(woven.seen).event
        if seen is None:
            kept_out += 1
            continue
        id_ = len(signal) + 1
        values = {name: getattr(seen, name) for name in Event.__dataclass_fields__}
        sources.events.append(Remembered(**values, id=id_, key=f"{id_:064x}"))
        signal[id_] = woven.signal
    by_time = sorted(sources.events, key=lambda e: e.start)
    dice = random.Random(2026)
    told: Counter[bool] = Counter()
    tokens, millis, noise = [], [], Counter[str]()
    for _ in range(moments):
        sources.stand_at(dice.choice(by_time).start + timedelta(minutes=dice.uniform(1, 14)))
        start = time.perf_counter()
        copied = build_context(ContextRequest(), sources)
        millis.append(1000 * (time.perf_counter() - start))
        tokens.append(copied.tokens)
        for source in copied.sources:
            told[signal[source.event]] += 1
            if not signal[source.event]:
                noise[source.text.split(" ", 1)[1][:50]] += 1
    share = told[True] / max(1, told.total())
    print(f"{len(signal):,} records, {kept_out} more kept out by the gate")
    print(f"signal: {share:.1%} of {told.total():,} lines over {moments} moments (at least {AT_LEAST:.0%})")
    median = statistics.median(tokens)
    print(f"tokens: median {median:.0f}, most {max(tokens)}; built in {statistics.median(millis):.0f} ms")
    for text, count in noise.most_common(12):
        print(f"  {count:3} × {text}")
    return 0 if share >= AT_LEAST else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
