"""How well an answer is checked: written claims over held-out records. Run: python -m tests.benchmarks.answer_check"""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

from desktop_memory.context.check import check

CORPUS = Path(__file__).parents[1] / "desktop_memory" / "context" / "claim_corpus.py"
TO_REACH = {"supported": 0.95, "wrong citation": 0.95, "unsupported": 0.95, "mismatch": 0.85}


def corpus() -> ModuleType:
    """The written claims."""
    spec = importlib.util.spec_from_file_location("claim_corpus", CORPUS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure(*, tuning: bool = False, loud: bool = False) -> dict[str, tuple[int, int, int]]:
    """By kind of claim: how many there are, how many were judged as a reader would, and how many flagged at all."""
    written = corpus()
    sets = [(written.TUNING, written.TUNING_CLAIMS)] if tuning else written.HELD_OUT
    count: Counter[str] = Counter()
    right: Counter[str] = Counter()
    flagged: Counter[str] = Counter()
    for sources, claims in sets:
        for claim, expected in claims:
            found = check(claim, sources).findings
            verdicts = [finding.verdict for finding in found]
            count[expected] += 1
            right[expected] += verdicts == [expected]
            flagged[expected] += verdicts != ["supported"]
            if loud and verdicts != [expected]:
                print(
                    f"  {expected:14} → {verdicts} {[(f.share, f.differs, f.better) for f in found]} {claim}"
                )
    return {kind: (count[kind], right[kind], flagged[kind]) for kind in sorted(count)}


def main() -> int:
    failed = False
    for name, tuning in (("tuning", True), ("held out", False)):
        print(name)
        for kind, (count, right, flagged) in measure(tuning=tuning, loud=True).items():
            reached = (right if kind == "supported" else flagged) / count
            failed |= not tuning and reached < TO_REACH[kind]
            what = "found" if kind == "supported" else "flagged"
            print(f"{kind:>16}: {count} claims, {reached:.0%} {what}, {right / count:.0%} named as such")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
