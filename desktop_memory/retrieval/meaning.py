"""The lane of meaning: the events whose texts are nearest to a question, under its filters."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING

from desktop_memory.embedding.embedder import Embedder, EmbedderUnavailable
from desktop_memory.model import Query, Remembered
from desktop_memory.retrieval.background import BACKGROUND
from desktop_memory.retrieval.fuse import RELEVANT, relevance
from desktop_memory.retrieval.names import Names
from desktop_memory.retrieval.terms import told
from desktop_memory.store import docs, models, vectors
from desktop_memory.store.codes import Codes
from desktop_memory.store.store import Store

if TYPE_CHECKING:
    from desktop_memory.embedding.embedder import Vectors
    from desktop_memory.store.models import StoredModel

logger = logging.getLogger(__name__)

FEW_EVENTS = 50_000
SMALL_SHARE = 20
"""Up to so many events that pass the filters, or one in so many of all, only their docs are ranked. Of a filter that
lets more pass enough stand among the nearest of all, as a rule; where they do not, its docs are gathered after all."""
_MORE = 4
_BROAD = 1_000
_SAMPLE_AGE = 2_000
_YOUNG = 100


class VectorLane:
    """Ranks by cosine. Thread-safe."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder
        self._sample: tuple[int, int, Vectors] | None = None
        self._background: tuple[int, Vectors] | None = None
        self._names = Names()

    @cached_property
    def _codes(self) -> Codes:
        """Made at the first question: it loads numpy, which a command that only lists does not need."""
        return Codes()

    def warm(self) -> None:
        """Read the codes of a large memory before somebody waits for them."""
        model = models.active(self._store.read())
        if model is not None and vectors.needs_codes(self._store.read(), model):
            self._codes.refresh(self._store.read(), model)

    def rank(self, text: str, query: Query, limit: int) -> Nearest | None:
        """The nearest events; None when there is no model or no vector yet."""
        connection = self._store.read()
        model = models.active(connection)
        if model is None:
            return None
        try:
            question = self._embedder.embed_query(text)
        except EmbedderUnavailable:
            logger.info("search goes by words: the model is not available")
            return None
        if (self._embedder.model.name, self._embedder.model.hash) != (model.info.name, model.info.hash):
            return None  # search goes over to another model at this very moment
        sample = self._sample_of(model)
        if not len(sample):
            return None
        if len(sample) < _YOUNG:
            sample = self._with_background(model, sample)
        baseline = _median(sample @ question)
        found = self._nearest(model, question, query, limit)
        least = RELEVANT if self._embedder.knows(told(text)) else max(RELEVANT, model.info.strange)
        return Nearest(found, baseline, least, self._cosines(model, question))

    def nearness(self, text: str, names: Sequence[str]) -> list[float] | None:
        """r of each name to the text; None without a model. Names asked for once are not embedded again."""
        import numpy as np

        model = models.active(self._store.read())
        if model is None or not len(sample := self._sample_of(model)):
            return None
        try:
            question = self._embedder.embed_query(text)
            known = self._names.of(self._embedder, names)
        except EmbedderUnavailable:
            return None
        baseline = _median(sample @ question)
        return [relevance(float(np.dot(known[name], question)), baseline) for name in names]

    def similar(self, one: Remembered, other: Remembered) -> bool:
        """Whether the model takes these two for the same; False as long as one of them has no vector."""
        connection = self._store.read()
        model = models.active(connection)
        if model is None:
            return False
        doc_of = docs.docs_of(connection, [one.id, other.id])
        if len(doc_of) < 2:
            return False
        if doc_of[one.id] == doc_of[other.id]:
            return True
        known, rows = vectors.of(connection, model, doc_of.values())
        return len(known) == 2 and float(rows[0] @ rows[1]) >= model.info.threshold

    def _nearest(
        self, model: StoredModel, question: Vectors, query: Query, limit: int
    ) -> list[tuple[int, float]]:
        connection = self._store.read()
        nearest = partial(vectors.nearest, connection, model, question, codes=self._codes)
        plain = docs.only_times(query)
        if plain and query.since is None and query.until is None:
            near = nearest(limit * _MORE)
        elif plain:
            near = nearest(limit * 8, months=_months(query))
        elif (few := docs.matching(connection, query, self._few())) is not None:
            near = nearest(limit * _MORE, docs=few)
        else:
            found = docs.newest_events(connection, nearest(_BROAD), query, limit)
            if len(found) == limit:
                return found
            near = nearest(limit * _MORE, docs=docs.matching(connection, query))
        return docs.newest_events(connection, near, query, limit)

    def _few(self) -> int:
        return max(FEW_EVENTS, self._store.last_id() // SMALL_SHARE)

    def _cosines(self, model: StoredModel, question: Vectors) -> Callable[[Sequence[int]], dict[int, float]]:
        def of(events: Sequence[int]) -> dict[int, float]:
            connection = self._store.read()
            doc_of = docs.docs_of(connection, events)
            known, matrix = vectors.of(connection, model, set(doc_of.values()))
            cosine = dict(zip(known, (float(c) for c in matrix @ question), strict=True))
            return {event: cosine[doc] for event, doc in doc_of.items() if doc in cosine}

        return of

    def _sample_of(self, model: StoredModel) -> Vectors:
        """The seeded sample against which a cosine is judged; drawn anew now and then as the store grows.

        One that is not full yet is drawn each time: vectors come later than their texts.
        """
        newest = vectors.newest_doc(self._store.read())
        if (
            self._sample is None
            or self._sample[0] != model.id
            or newest - self._sample[1] > _SAMPLE_AGE
            or len(self._sample[2]) < vectors.SAMPLE
        ):
            self._sample = (model.id, newest, vectors.sample(self._store.read(), model))
        return self._sample[2]

    def _with_background(self, model: StoredModel, sample: Vectors) -> Vectors:
        """A memory of a few texts is judged against everyday ones too."""
        import numpy as np

        if self._background is None or self._background[0] != model.id:
            try:
                self._background = (model.id, self._embedder.embed(BACKGROUND))
            except EmbedderUnavailable:
                return sample
        return np.concatenate([sample, self._background[1]])


class Nearest:
    """What the lane found for one question."""

    def __init__(
        self,
        nearest: Sequence[tuple[int, float]],
        baseline: float,
        least: float,
        cosines: Callable[[Sequence[int]], dict[int, float]],
    ) -> None:
        self.nearest = nearest
        self.baseline = baseline
        self.least = least
        self._cosines = cosines

    def cosines(self, events: Iterable[Remembered]) -> dict[int, float]:
        """How near these events are, by id; those without a vector are left out."""
        known = dict(self.nearest)
        wanted = [event.id for event in events]
        missing = [id_ for id_ in wanted if id_ not in known]
        return {**{id_: known[id_] for id_ in wanted if id_ in known}, **self._cosines(missing)}


def _median(values: Vectors) -> float:
    import numpy as np

    return float(np.median(values))


def _months(query: Query) -> tuple[int, int]:
    first = query.since or datetime(1970, 1, 1, tzinfo=UTC)
    last = query.until or datetime(9000, 1, 1, tzinfo=UTC)
    return _month(first), _month(last)


def _month(when: datetime) -> int:
    utc = when.astimezone(UTC)
    return utc.year * 12 + utc.month - 1
