"""Checks an answer against the context it was given: is each claim in the record that it cites?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from desktop_memory.context.claims import TAG, Claim, claims_of
from desktop_memory.context.evidence import Evidence, evidence
from desktop_memory.context.opposites import NAMES
from desktop_memory.model import Source

Verdict = Literal[
    "supported", "mismatch", "wrong citation", "unsupported", "missing citation", "bad reference", "weak"
]

SUPPORTED = 0.5
TOPIC = 0.34
STRONG = 0.6
FACT_WEIGHT = 2.0
CLEARLY_BETTER = 0.15
"""By how much another record must fit better before a contradicted claim is called wrongly cited."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """A claim and what became of it: `differs` names facts that its source does not have, `better` other numbers."""

    claim: str
    cited: tuple[int, ...]
    verdict: Verdict
    differs: tuple[str, ...] = ()
    better: tuple[int, ...] = ()
    share: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """Findings in the answer's order, and how many of each verdict. The answer itself is never changed."""

    tag: str
    findings: tuple[Finding, ...]
    counts: Mapping[str, int] = field(default_factory=dict)


def tag_in(answer: str) -> str:
    """The tag of the context that an answer names; empty when it names none."""
    found = TAG.search(answer)
    return found[0] if found else ""


def check(answer: str, sources: Sequence[Source], tag: str = "") -> Checked:
    """Each claim of the answer against these sources."""
    known = {source.n: evidence(source.text) for source in sources}
    findings = tuple(found for claim in claims_of(answer) if (found := _judged(claim, known)) is not None)
    counts = Counter(finding.verdict for finding in findings)
    return Checked(tag=tag, findings=findings, counts=dict(sorted(counts.items())))


@dataclass(frozen=True, slots=True)
class Match:
    """How far a claim is found in a source: share of its weight, facts that are not there, a contradiction."""

    share: float
    missing: tuple[str, ...]
    contradicts: tuple[str, ...]

    @property
    def supports(self) -> bool:
        return self.share > SUPPORTED and not self.missing and not self.contradicts


def _judged(claim: Claim, known: Mapping[int, Evidence]) -> Finding | None:
    said = evidence(claim.text)
    if not said.words and not said.facts:
        return None
    if not claim.cited:
        return _uncited(claim, said, known)
    if bad := [n for n in claim.cited if n not in known]:
        return Finding(
            claim=claim.text, cited=claim.cited, verdict="bad reference", differs=tuple(f"[{n}]" for n in bad)
        )
    if len(claim.cited) > 1:
        said = _without_order(said)
    match = match_of(said, _together(known[n] for n in claim.cited))
    if match.supports:
        return Finding(claim=claim.text, cited=claim.cited, verdict="supported", share=match.share)
    better = _better(said, claim.cited, known, match)
    if better:
        return Finding(
            claim=claim.text, cited=claim.cited, verdict="wrong citation", better=better, share=match.share
        )
    if match.share >= TOPIC and (match.missing or match.contradicts):
        differs = (*match.contradicts, *match.missing)
        return Finding(
            claim=claim.text, cited=claim.cited, verdict="mismatch", differs=differs, share=match.share
        )
    verdict: Verdict = "weak" if match.share >= TOPIC else "unsupported"
    return Finding(
        claim=claim.text, cited=claim.cited, verdict=verdict, differs=match.missing, share=match.share
    )


def _without_order(said: Evidence) -> Evidence:
    """A claim over several records may well say which came before which."""
    return replace(said, sides=frozenset(side for side in said.sides if NAMES[side[0]] != "before/after"))


def _uncited(claim: Claim, said: Evidence, known: Mapping[int, Evidence]) -> Finding | None:
    """A claim without a number matters when it tells facts: those of a record lack its number."""
    if not _tells(said):
        return None
    best = sorted(
        ((match_of(said, source), n) for n, source in known.items()),
        key=lambda pair: (-pair[0].share, pair[1]),
    )
    supporting = [n for match, n in best if match.supports and match.share >= STRONG][:2]
    if supporting:
        return Finding(
            claim=claim.text,
            cited=(),
            verdict="missing citation",
            better=tuple(supporting),
            share=best[0][0].share,
        )
    return None


def _tells(said: Evidence) -> bool:
    return any(not fact.startswith("name:") for fact in said.facts) and len(said.words) >= 1


def _better(
    said: Evidence, cited: tuple[int, ...], known: Mapping[int, Evidence], match: Match
) -> tuple[int, ...]:
    """Records that do support the claim, where the cited ones do not."""
    others = [(n, match_of(said, source)) for n, source in known.items() if n not in cited]
    fitting = [
        (found.share, n) for n, found in others if found.supports and found.share >= max(STRONG, match.share)
    ]
    return tuple(n for _, n in sorted(fitting, key=lambda pair: (-pair[0], pair[1]))[:2])


def match_of(said: Evidence, source: Evidence) -> Match:
    facts = [fact for fact in said.facts if not _in(fact, source)]
    missing = [fact for fact in facts if not fact.startswith(("name:", "quote:"))]
    soft = [fact for fact in facts if fact.startswith(("name:", "quote:"))]
    contradicts = tuple(_contradictions(said, source))
    # What a record says the opposite of, it does speak of.
    words = min(len(said.words), len(said.words & source.words) + len(contradicts))
    weight = len(said.words) + FACT_WEIGHT * len(said.facts)
    found = words + FACT_WEIGHT * (len(said.facts) - len(facts))
    share = found / weight if weight else 0.0
    names = [said.facts[fact] for fact in (*missing, *soft)]
    return Match(share, tuple(names), contradicts)


def _in(fact: str, source: Evidence) -> bool:
    """Whether a source has this fact, written in any way."""
    if fact in source.facts:
        return True
    kind, _, value = fact.partition(":")
    if kind == "quote":
        words = value.split()
        everywhere = source.words | {w for f in source.facts for w in f.partition(":")[2].split()}
        return sum(w in everywhere or len(w) <= 2 for w in words) >= 0.8 * len(words)
    if kind == "name":
        return value in source.words or any(value in f.partition(":")[2].split() for f in source.facts)
    if kind == "number":
        return _has_number(value, source)
    if kind == "id":
        return any(value in f.partition(":")[2] for f in source.facts if f.startswith(("id:", "quote:")))
    if fact in source.stamp:
        # When it was recorded counts unless the text itself tells another day or time.
        return not any(other.startswith(f"{kind}:") for other in source.facts)
    return False


def _has_number(value: str, source: Evidence) -> bool:
    """The number with its unit, or bare on either side; 4.0 is 4."""
    digits = value.rstrip("abcdefghijklmnopqrstuvwxyz%")
    unit = value[len(digits) :]
    for fact in source.facts:
        kind, _, other = fact.partition(":")
        if kind == "number":
            other_digits = other.rstrip("abcdefghijklmnopqrstuvwxyz%")
            other_unit = other[len(other_digits) :]
            if digits == other_digits and (not unit or not other_unit or unit == other_unit):
                return True
        elif kind == "id" and not unit and digits in _digits_of(other):
            return True
    return False


def _digits_of(text: str) -> list[str]:
    found, current = [], ""
    for character in f"{text} ":
        if character.isdigit():
            current += character
        elif current:
            found.append(current.lstrip("0") or "0")
            current = ""
    return found


def _contradictions(said: Evidence, source: Evidence) -> Iterable[str]:
    """Pairs of opposites in which the claim takes one side and the source only the other."""
    for number, side in said.sides:
        if (
            (number, 1 - side) in source.sides
            and (number, side) not in source.sides
            and (number, 1 - side) not in said.sides
        ):
            yield NAMES[number]


def _together(sources: Iterable[Evidence]) -> Evidence:
    """Several cited records as one."""
    words: set[str] = set()
    facts: dict[str, str] = {}
    sides: set[tuple[int, int]] = set()
    stamp: set[str] = set()
    for one in sources:
        words |= one.words
        facts |= one.facts
        sides |= one.sides
        stamp |= one.stamp
    return Evidence(frozenset(words), facts, frozenset(sides), frozenset(stamp))
