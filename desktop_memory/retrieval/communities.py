"""Communities of a weighted graph by label propagation: the same edges give the same communities."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

Edge = tuple[int, int, float]

_MOST_ROUNDS = 50
_SMALLEST = 3


def communities(edges: Iterable[Edge]) -> list[frozenset[int]]:
    """Sets of three nodes or more, the heaviest first; an edge counts by its share of both ends' weights."""
    beside = _normalised(edges)
    labels = {one: one for one in beside}
    order = sorted(beside, key=lambda one: (-sum(beside[one].values()), one))
    for _ in range(_MOST_ROUNDS):
        if not _round(order, beside, labels):
            break
    groups: dict[int, set[int]] = defaultdict(set)
    for one, label in labels.items():
        groups[label].add(one)
    found = [frozenset(group) for group in groups.values() if len(group) >= _SMALLEST]
    return sorted(found, key=lambda group: (-_inner_weight(group, beside), min(group)))


def _normalised(edges: Iterable[Edge]) -> dict[int, dict[int, float]]:
    """Weights over the square root of both ends' sums, so that what is everywhere does not swallow the rest."""
    together: dict[tuple[int, int], float] = defaultdict(float)
    sums: dict[int, float] = defaultdict(float)
    for one, other, weight in edges:
        if one != other and weight > 0:
            together[min(one, other), max(one, other)] += weight
            sums[one] += weight
            sums[other] += weight
    beside: dict[int, dict[int, float]] = defaultdict(dict)
    for (one, other), weight in sorted(together.items()):
        beside[one][other] = beside[other][one] = weight / (sums[one] * sums[other]) ** 0.5
    return beside


def _round(order: Sequence[int], beside: Mapping[int, Mapping[int, float]], labels: dict[int, int]) -> bool:
    """Each node takes the label that weighs most around it; False when none changed."""
    changed = False
    for one in order:
        weights: dict[int, float] = defaultdict(float)
        for other, weight in beside[one].items():
            weights[labels[other]] += weight
        best = min(weights, key=lambda label: (-round(weights[label], 12), label != labels[one], label))
        if best != labels[one]:
            labels[one] = best
            changed = True
    return changed


def _inner_weight(group: frozenset[int], beside: Mapping[int, Mapping[int, float]]) -> float:
    return sum(weight for one in group for other, weight in beside[one].items() if other in group)
