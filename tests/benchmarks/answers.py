"""How long questions take at a store's size, beside bare reads of the same rows."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from collectors.event import microseconds
from desktop_memory.model import Query
from tests.benchmarks import filters
from tests.benchmarks.generator import stream
from tests.benchmarks.table import heading, row, timed
from tests.benchmarks.world import World

_ROUNDS = 40


def measure(world: World, *, bare_filters: bool = True) -> None:
    heading(f"Questions at {world.count:,} events")
    _words(world)
    _meaning(world)
    _now(world)
    _sessions(world)
    _connected(world)
    filters.measure(world, questions(), bare=bare_filters)


def questions() -> list[str]:
    """Two words of a title each, some of them common."""
    rng = Random(3)
    titles = [event.title for event in stream(3_000) if event.kind == "browser"]
    return [" ".join(rng.sample(rng.choice(titles).split(" · ")[0].split(), 2)) for _ in range(_ROUNDS + 1)]


def _words(world: World) -> None:
    asked, connection = questions(), world.bare()

    def bare(n: int) -> object:
        terms = " OR ".join(f'"{word}"' for word in asked[n].split())
        return connection.execute(
            "SELECT rowid FROM event_words WHERE event_words MATCH ? ORDER BY rank LIMIT 20", (terms,)
        ).fetchall()

    ours = timed(lambda n: world.memory.search(Query(text=asked[n], typing=True)), _ROUNDS)
    row("search by words", ours, timed(bare, _ROUNDS), "50")


def _meaning(world: World) -> None:
    world.add_vectors()
    asked = questions()
    since = world.now - timedelta(days=90)
    ours = timed(lambda n: world.memory.search(Query(text=asked[n], since=since)), _ROUNDS)
    row("words and meaning, three months", ours, None, "100, without the question's embedding")
    ours = timed(lambda n: world.memory.search(Query(text=asked[n])), 10)
    row("words and meaning, everything", ours)


def _now(world: World) -> None:
    connection, since = world.bare(), microseconds(world.now - timedelta(minutes=15))

    def bare(n: int) -> object:
        return connection.execute(
            "SELECT id, kind, start, end, title, text FROM event WHERE start >= ? ORDER BY start, key",
            (since,),
        ).fetchall()

    row("working memory", timed(lambda n: world.memory.now()), timed(bare), "50")


def _sessions(world: World) -> None:
    rng, connection = Random(5), world.bare()
    since = int(str(connection.execute("SELECT min(start) FROM event").get))
    lived = (microseconds(world.now) - since) / 1e6
    moments = [world.now - timedelta(seconds=rng.uniform(0, lived)) for _ in range(_ROUNDS + 1)]

    def bare(n: int) -> object:
        (id_,) = connection.execute(
            "SELECT coalesce(max(id), 1) FROM session WHERE start <= ?", (microseconds(moments[n]),)
        ).fetchone()
        return connection.execute(
            "SELECT id, kind, start, end, title, text FROM event WHERE session = ? ORDER BY start", (id_,)
        ).fetchall()

    def neighbours(n: int) -> object:
        at = microseconds(moments[n])
        before = connection.execute(
            "SELECT id, title, text FROM event WHERE start < ? ORDER BY start DESC, key DESC LIMIT 4", (at,)
        ).fetchall()
        return (
            before
            + connection.execute(
                "SELECT id, title, text FROM event WHERE start >= ? ORDER BY start, key LIMIT 3", (at,)
            ).fetchall()
        )

    row("session at a time", timed(lambda n: world.memory.session(moments[n])), timed(bare), "50")
    row("before and after", timed(lambda n: world.memory.around(moments[n])), timed(neighbours), "50")


def _connected(world: World) -> None:
    connection = world.bare()
    projects = [
        name for (name,) in connection.execute("SELECT name FROM entity WHERE kind = 'project' LIMIT 41")
    ]

    def bare(n: int) -> object:
        return connection.execute(
            """SELECT event.id, event.title, event.text FROM event JOIN entity ON entity.id = event.project
            WHERE entity.kind = 'project' AND entity.name = ? ORDER BY event.start DESC LIMIT 20""",
            (projects[n % len(projects)],),
        ).fetchall()

    ours = timed(lambda n: world.memory.connected("project", projects[n % len(projects)]))
    row("connected by project", ours, timed(bare), "20")
