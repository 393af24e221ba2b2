"""The works that `killing` interrupts: each on a copy of a memory, with what must be true at the next start."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from desktop_memory import encryption
from desktop_memory.graph.graph import Graph
from desktop_memory.graph.projector import Projector
from desktop_memory.indexer import Indexer
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.settings import Privacy
from desktop_memory.sharing.sharing import Sharing
from desktop_memory.store import counts, forget, migrations
from desktop_memory.store.store import FILE_NAME, Store
from desktop_memory.transfer import backup, rescue
from desktop_memory.transfer.merge import merge
from desktop_memory.transfer.restore import restore
from desktop_memory.vault.settling import settle
from tests.factories import FakeClock, at, event
from tests.old_store import make_old_store
from tests.stubs import memory_over
from tests.toy_embedder import ToyEmbedder

CLOCK = FakeClock(at(30_000))
COUNT = 240
APPS = 6
PASSPHRASE = "correct horse battery staple"

Tell = Callable[[int], None]
"""What has returned so far: the work says it to whoever kills it."""


@dataclass(kw_only=True)
class Opened:
    """A memory as its next start has it."""

    folder: Path
    store: Store = field(init=False)
    memory: Memory = field(init=False)

    def __post_init__(self) -> None:
        settle(self.folder)
        self.store = Store.open(self.folder, clock=CLOCK)
        self.memory = memory_over(self.store, CLOCK, privacy=Privacy(keep=("all = 1 days",)))

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    @property
    def texts(self) -> list[str]:
        return [found.text for found in self.store.all_events()]


def seen(n: int) -> object:
    minutes = n * (1 if n % 30 else 14) + (20_000 if n % 3 else 0)
    return event(
        minutes, text=f"make part-{n}", app=f"app {n % APPS}", project="atlas", files=(f"/src/{n % 11}.py",)
    )


def fill(folder: Path, numbers: Sequence[int]) -> None:
    with Opened(folder=folder) as opened:
        opened.memory.remember([seen(n) for n in numbers])  # type: ignore[misc]


@dataclass(frozen=True, kw_only=True, slots=True)
class Work:
    """`prepare` makes a folder with what it needs, `do` works in it; `look` says what is wrong afterwards.

    `look` may go on with the work: it then must come to its end.
    """

    prepare: Callable[[Path], None]
    do: Callable[[Path, Tell], None]
    look: Callable[[Path, int], list[str]]
    opens_at_once: bool = True
    """Whether the memory can be opened before `look`; one that is damaged cannot."""


def memory_of(root: Path) -> Path:
    return root / "memory"


def _plain(root: Path) -> None:
    fill(memory_of(root), range(COUNT))


def _wrong(**said: bool) -> list[str]:
    """The names of what does not hold."""
    return [name.replace("_", " ") for name, holds in said.items() if not holds]


# what arrives

BATCH = 8


def _record(root: Path, tell: Tell) -> None:
    with Opened(folder=memory_of(root)) as opened:
        for batch in range(40):
            first = COUNT + batch * BATCH
            opened.memory.remember([seen(n) for n in range(first, first + BATCH)])  # type: ignore[misc]
            tell(batch + 1)


def _recorded(root: Path, told: int) -> list[str]:
    with Opened(folder=memory_of(root)) as opened:
        new = opened.texts[COUNT:]
        again = opened.memory.remember([seen(n) for n in range(COUNT + 40 * BATCH)])  # type: ignore[misc]
        return _wrong(
            what_was_committed_is_there=len(new) >= told * BATCH,
            no_batch_is_half=len(new) % BATCH == 0,
            reading_again_brings_the_rest=again.new == 40 * BATCH - len(new),
        )


def _import(root: Path, tell: Tell) -> None:
    with Opened(folder=memory_of(root)) as opened:
        for chunk in range(6):
            opened.memory.import_lines(
                [json.dumps({"kind": "note", "start": at(n).isoformat(), "title": f"note {n}", "identity": f"n{n}"})
                 for n in range(chunk * 100, chunk * 100 + 100)]
            )  # fmt: skip
            tell(chunk + 1)


def _imported(root: Path, told: int) -> list[str]:
    with Opened(folder=memory_of(root)) as opened:
        new = opened.store.count(Query(kinds=("note",)))
        return _wrong(what_was_committed_is_there=new >= told * 100, no_chunk_is_half=new % 100 == 0)


# what goes


def _forget(root: Path, tell: Tell) -> None:
    with Opened(folder=memory_of(root)) as opened:
        for app in range(APPS - 1):
            opened.memory.forget(Query(app=f"app {app}"), now=app % 2 == 0)
            tell(app + 1)
        opened.store.purge(CLOCK() + timedelta(hours=1))
        tell(APPS)


def _forgotten(root: Path, told: int) -> list[str]:
    with Opened(folder=memory_of(root)) as opened:
        left = [opened.store.count(Query(app=f"app {app}")) for app in range(APPS)]
        before = opened.store.count()
        again = opened.memory.remember([seen(n) for n in range(COUNT)])  # type: ignore[misc]
        opened.store.purge(CLOCK() + timedelta(hours=1))
        raw = b"".join(path.read_bytes() for path in memory_of(root).glob(f"{FILE_NAME}*"))
        gone = [n for n in range(COUNT) if not left[n % APPS]]
        return _wrong(
            what_was_forgotten_is_gone=not any(left[: min(told, APPS - 1)]),
            nothing_is_half_forgotten=set(left) <= {0, COUNT // APPS},
            reading_again_brings_nothing_back=again.new == 0 and opened.store.count() == before,
            no_byte_of_it_is_left=not any(f"make part-{n}\x00".encode() in raw for n in gone)
            and not any(f'"make part-{n}"'.encode() in raw for n in gone),
        )


def _forget_much(root: Path, tell: Tell) -> None:
    forget.STEP = 15
    with Opened(folder=memory_of(root)) as opened:
        opened.memory.forget(Query(since=at(0)), now=False)
        tell(1)
        opened.memory.undo_forget()
        tell(2)
        opened.memory.forget(Query(since=at(0)))
        tell(3)


def _forgot_much(root: Path, told: int) -> list[str]:
    """In steps: each is whole, and the next start goes on with it."""
    with Opened(folder=memory_of(root)) as opened:
        opened.memory.purge_forgotten()
        left = opened.store.count()
        again = opened.memory.remember([seen(n) for n in range(COUNT)])  # type: ignore[misc]
        opened.memory.forget(Query(since=at(0)))
        opened.store.purge(CLOCK() + timedelta(hours=1))
        raw = b"".join(path.read_bytes() for path in memory_of(root).glob(f"{FILE_NAME}*"))
        return _wrong(
            it_went_as_far_as_it_said=told < 3 or left == 0,
            none_is_half_forgotten=told == 1 or left in (0, COUNT),
            what_went_stays_away=again.new == 0,
            the_next_ends_it=opened.store.count() == 0,
            no_byte_of_it_is_left=b"make part-" not in raw,
        )


def _retire(root: Path, tell: Tell) -> None:
    with Opened(folder=memory_of(root)) as opened:
        (limit,) = opened.memory.limits
        horizon = opened.store.horizon(limit)
        assert horizon is not None
        while opened.store.let_go(limit, horizon[0], 9):
            pass
        opened.store.scrub()
        tell(1)


def _retired(root: Path, told: int) -> list[str]:
    with Opened(folder=memory_of(root)) as opened:
        old = sum(found.start < CLOCK() - timedelta(days=1) for found in opened.store.all_events())
        opened.memory.retire()
        return _wrong(
            it_had_ended=old == 0 or not told,
            the_next_start_ends_it=all(
                found.start >= CLOCK() - timedelta(days=1) for found in opened.store.all_events()
            ),
        )


# what is made anew


def _rebuild(root: Path, tell: Tell) -> None:
    with Opened(folder=memory_of(root)) as opened:
        opened.store.rebuild_words()
        indexer = Indexer(opened.store, ToyEmbedder())
        indexer.rebuild()
        _to_the_end(indexer.catch_up)
        graph = Graph.open(memory_of(root) / "graph")
        Projector(opened.store, graph).rebuild()
        graph.close()
        tell(1)


def _rebuilt(root: Path, told: int) -> list[str]:
    del told
    with Opened(folder=memory_of(root)) as opened:
        return _wrong(nothing_is_lost=opened.store.count() == COUNT)


def _to_the_end(step: Callable[[threading.Event], bool]) -> None:
    while step(threading.Event()):
        pass


def projections(folder: Path) -> list[str]:
    """Graph and vectors catch up with whatever they find, and are then what the store says."""
    with Opened(folder=folder) as opened:
        indexer = Indexer(opened.store, ToyEmbedder())
        _to_the_end(indexer.catch_up)
        state = indexer.state()
        graph = Graph.open(folder / "graph")
        try:
            projector = Projector(opened.store, graph)
            _to_the_end(projector.catch_up)
            held = projector.counts()
            cursor = graph.cursor
            same = held is not None and not counts.differs(
                opened.store.read(), cursor.event, cursor.change, held
            )
        finally:
            graph.close()
        return _wrong(
            each_text_has_a_vector=state["vectors"] == state["docs"], the_graph_is_what_the_store_says=same
        )


# what is changed as a whole


def _old(root: Path) -> None:
    make_old_store(memory_of(root))


def _migrate(root: Path, tell: Tell) -> None:
    Store.open(memory_of(root), clock=CLOCK).close()
    tell(1)


def _migrated(root: Path, told: int) -> list[str]:
    del told
    with Opened(folder=memory_of(root)) as opened:
        (version,) = opened.store.read().execute("PRAGMA user_version").fetchone()
        return _wrong(
            every_event_is_there=opened.store.count() > 20,
            it_is_today_s_schema=version == len(migrations.STEPS),
        )


def _two(root: Path) -> None:
    fill(memory_of(root), range(COUNT))
    fill(root / "other", range(COUNT // 2, COUNT + COUNT // 2))


def _backed_up(root: Path) -> None:
    _two(root)
    backup.make(root / "other", root / "backup.zip", at(0), lambda what, share: False)


def _restore(root: Path, tell: Tell) -> None:
    restore(
        memory_of(root),
        root / "backup.zip",
        datetime.now().astimezone(),
        lambda what, share: False,
        replace=True,
    )
    tell(1)


def _restored(root: Path, told: int) -> list[str]:
    with Opened(folder=memory_of(root)) as opened:
        texts = opened.texts
    ours = [f"make part-{n}" for n in range(COUNT)]
    theirs = [f"make part-{n}" for n in range(COUNT // 2, COUNT + COUNT // 2)]
    kept = True
    if texts == theirs:
        aside = next(iter(memory_of(root).glob("before-restore-*")), None)
        kept = aside is not None
    return _wrong(
        it_is_the_one_or_the_other=texts == theirs or (not told and texts == ours),
        the_old_one_is_kept_aside=kept,
    )


def _merge(root: Path, tell: Tell) -> None:
    with Opened(folder=memory_of(root)) as opened:
        merge(opened.memory, opened.store, memory_of(root), root / "other", lambda what, share: False)
        tell(1)


def _merged(root: Path, told: int) -> list[str]:
    with Opened(folder=memory_of(root)) as opened:
        before = opened.texts
        again = merge(opened.memory, opened.store, memory_of(root), root / "other", lambda what, share: False)
        everything = {f"make part-{n}" for n in range(COUNT + COUNT // 2)}
        return _wrong(
            ours_is_there=set(before) >= {f"make part-{n}" for n in range(COUNT)},
            what_was_merged_is_there=not told or again.receipt.new == 0,
            once_more_brings_the_rest=sorted(opened.texts) == sorted(everything),
        )


def _share_folder(root: Path) -> None:
    _two(root)
    (root / "shared").mkdir()
    with Opened(folder=root / "other") as opened:
        sharing = Sharing(opened.memory, opened.store, CLOCK)
        sharing.on(root / "shared", "", plain=True)
        sharing.turn()


def _share(root: Path, tell: Tell) -> None:
    with Opened(folder=memory_of(root)) as opened:
        sharing = Sharing(opened.memory, opened.store, CLOCK)
        sharing.on(root / "shared", "", plain=True)
        tell(1)
        sharing.turn()
        tell(2)


def _shared(root: Path, told: int) -> list[str]:
    del told
    everything = sorted(f"make part-{n}" for n in range(COUNT + COUNT // 2))
    for _ in range(2):
        _share(root, lambda _: None)
        with Opened(folder=root / "other") as other:
            sharing = Sharing(other.memory, other.store, CLOCK)
            sharing.on(root / "shared", "", plain=True)  # where it lies in this copy
            sharing.turn()
            theirs = sorted(other.texts)
    with Opened(folder=memory_of(root)) as opened:
        ours = sorted(opened.texts)
    return _wrong(all_of_it_is_here_once=ours == everything, and_there=theirs == everything)


def _rule(root: Path, tell: Tell) -> None:
    with Opened(folder=memory_of(root)) as opened:
        opened.memory.add_project_rule("app", "app 1", "boreas")
        tell(1)
        opened.memory.merge_projects("atlas", "boreas")
        tell(2)
        while opened.memory.follow_projects():
            pass
        tell(3)


def _ruled(root: Path, told: int) -> list[str]:
    with Opened(folder=memory_of(root)) as opened:
        while opened.memory.follow_projects():
            pass
        projects = [(found.app, found.project) for found in opened.store.all_events()]
        first = [project for app, project in projects if app == "app 1"]
        return _wrong(
            nothing_is_lost=len(projects) == COUNT,
            the_rule_is_followed=not told or set(first) == {"boreas"},
            all_or_none_follow=len({project for app, project in projects if app != "app 1"}) == 1,
            the_merge_is_followed=told < 2 or {project for _, project in projects} == {"boreas"},
        )


def _encrypt(root: Path, tell: Tell) -> None:
    planned = encryption.plan(PASSPHRASE, keyring=False)
    encryption.turn_on(memory_of(root), planned, lambda share: False)
    tell(1)


def _decrypt(root: Path, tell: Tell) -> None:
    encryption.turn_off(memory_of(root), lambda share: False)
    tell(1)


def _encrypted(root: Path) -> None:
    _plain(root)
    _encrypt(root, lambda _: None)


def _switched(root: Path, told: int) -> list[str]:
    with Opened(folder=memory_of(root)) as opened:
        texts = opened.texts
    left = [path.name for path in memory_of(root).iterdir() if "switching" in path.name]
    return _wrong(
        nothing_is_lost=texts == [f"make part-{n}" for n in range(COUNT)], no_second_file_is_left=not left
    ) + ([] if told in (0, 1) else ["it told something else"])


def _damaged(root: Path) -> None:
    _plain(root)
    raw = bytearray((memory_of(root) / FILE_NAME).read_bytes())
    raw[:4096] = bytes(4096)
    (memory_of(root) / FILE_NAME).write_bytes(raw)


def _rescue(root: Path, tell: Tell) -> None:
    rescue.rescue(memory_of(root), datetime.now().astimezone(), timedelta(minutes=10))
    tell(1)


def _rescued(root: Path, told: int) -> list[str]:
    del told
    folder = memory_of(root)
    try:
        Store.open(folder, clock=CLOCK).close()
    except Exception:  # as the app's next start does
        shutil.rmtree(folder / "moving", ignore_errors=True)
        for aside in folder.glob("damaged-*"):
            aside.rename(root / aside.name)
        _rescue(root, lambda _: None)
    with Opened(folder=folder) as opened:
        return _wrong(all_is_saved=sorted(opened.texts) == sorted(f"make part-{n}" for n in range(COUNT)))


WORKS = {
    "record": Work(prepare=_plain, do=_record, look=_recorded),
    "import": Work(prepare=_plain, do=_import, look=_imported),
    "forget": Work(prepare=_plain, do=_forget, look=_forgotten),
    "forget much": Work(prepare=_plain, do=_forget_much, look=_forgot_much),
    "retire": Work(prepare=_plain, do=_retire, look=_retired),
    "rebuild": Work(prepare=_plain, do=_rebuild, look=_rebuilt),
    "migrate": Work(prepare=_old, do=_migrate, look=_migrated),
    "restore": Work(prepare=_backed_up, do=_restore, look=_restored),
    "merge": Work(prepare=_two, do=_merge, look=_merged),
    "share": Work(prepare=_share_folder, do=_share, look=_shared),
    "projects": Work(prepare=_plain, do=_rule, look=_ruled),
    "encrypt": Work(prepare=_plain, do=_encrypt, look=_switched),
    "decrypt": Work(prepare=_encrypted, do=_decrypt, look=_switched),
    "rescue": Work(prepare=_damaged, do=_rescue, look=_rescued, opens_at_once=False),
}
