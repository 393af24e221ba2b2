"""Real repositories that are moved, renamed, cloned and given worktrees, read by the real source through the engine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from collectors import repository
from collectors.event import Event
from collectors.git.collector import Git
from collectors.git.remote import address
from collectors.repository import Checkout
from desktop_memory.engine import Engine
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.store import migrations
from desktop_memory.store.store import Store
from tests.collectors.git.workshop import Workshop
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over


@pytest.fixture
def memory(tmp_path: Path, home: Path) -> Iterator[Memory]:
    (home / ".gitconfig").write_text("[user]\n\tname = Ada Example\n\temail = ada@example.org\n")
    repository.forget()
    store = Store.open(tmp_path / "memory", clock=FakeClock(at(600)))
    yield memory_over(store, store.clock)
    store.close()
    repository.forget()


def read(memory: Memory, home: Path) -> None:
    """Look at everything anew, as after a restart."""
    repository.forget()
    engine = Engine(memory, memory._store, [Git(home=home)], poll_seconds=60, clock=memory._clock)
    engine.collect()
    while memory.follow_projects():
        pass


def ran(minutes: float, folder: Path) -> Event:
    """A command as a shell's hook tells it."""
    found = repository.enclosing(folder)
    assert found is not None
    return event(minutes, text=f"make {minutes}", project=found.name, details={"cwd": str(folder)})


def count(memory: Memory, project: str) -> int:
    return len(memory.search(Query(project=project, limit=100)).hits)


def test_moving_and_renaming_a_folder_keeps_the_project(memory: Memory, home: Path) -> None:
    shop = Workshop(home / "src" / "api")
    shop.commit("one")
    read(memory, home)
    memory.remember([ran(1, home / "src" / "api")])
    shutil.move(home / "src" / "api", home / "work" / "api-server")
    repository.forget()
    memory.remember([ran(2, home / "work" / "api-server")])

    read(memory, home)
    memory.remember([ran(3, home / "work" / "api-server")])
    moved = Workshop(home / "work" / "api-server", init=False)
    moved.clock = shop.clock
    moved.commit("two")
    read(memory, home)

    assert [project.name for project in memory.projects()] == ["api"]
    commits = memory.search(Query(project="api", kinds=("git_commit",))).hits
    assert {hit.event.title for hit in commits} == {"one", "two"}
    assert count(memory, "api") == count(memory, "api-server")
    commands = memory.search(Query(project="api-server", kinds=("terminal",))).hits
    assert {hit.event.text for hit in commands} == {"make 1", "make 2", "make 3"}


def test_worktrees_and_clones_are_the_project_and_another_of_its_name_is_not(
    memory: Memory, home: Path
) -> None:
    shop = Workshop(home / "src" / "api")
    shop.commit("one")
    shop.git("worktree", "add", "--quiet", str(home / "trees" / "fix"), "-b", "fix")
    shop.git("clone", "--quiet", str(shop.path), str(home / "copy-of-api"))
    Workshop(home / "other" / "api").commit("quite another")
    read(memory, home)

    memory.remember(
        [
            ran(1, home / "src" / "api"),
            ran(2, home / "trees" / "fix"),
            ran(3, home / "copy-of-api"),
            ran(4, home / "other" / "api"),
        ]
    )

    names = {project.name for project in memory.projects()}
    assert len(names) == 2
    commands = {
        name: {hit.event.text for hit in memory.search(Query(project=name, kinds=("terminal",))).hits}
        for name in names
    }
    assert sorted(map(sorted, commands.values())) == [["make 1", "make 2", "make 3"], ["make 4"]]


def test_a_repository_without_own_commits_is_known_by_its_folder_too(memory: Memory, home: Path) -> None:
    shop = Workshop(home / "lib")
    shop.commit("by another", GIT_AUTHOR_EMAIL="eve@example.org", GIT_COMMITTER_EMAIL="eve@example.org")
    read(memory, home)
    memory.remember([ran(1, home / "lib")])
    shutil.move(home / "lib", home / "library")

    read(memory, home)
    memory.remember([ran(2, home / "library")])

    assert [project.name for project in memory.projects()] == ["lib"]
    assert len(memory.search(Query(project="library", kinds=("terminal",))).hits) == 2


@pytest.mark.parametrize(
    ("url", "known"),
    [
        ("git@example.org:team/api.git", "example.org/team/api"),
        ("https://token:x@Example.org/team/api", "example.org/team/api"),
        ("ssh://git@example.org:2222/team/api.git/", "example.org/team/api"),
        ("/srv/git/api.git", ""),
        ("../api", ""),
        ("file:///srv/api", ""),
        ("C:/src/api", ""),
        ("https://[broken/x", ""),
    ],
)
def test_a_remote_is_the_same_however_it_is_reached_and_tells_no_password(url: str, known: str) -> None:
    assert address(url) == known


def test_a_memory_of_the_first_version_knows_its_repositories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, fresh = "5b1d0c6f" * 5, "e" * 40
    with monkeypatch.context() as patched:
        patched.setattr(migrations, "STEPS", migrations.STEPS[:1])
        connection = apsw.Connection(str(tmp_path / "memory.sqlite"))
        migrations.migrate(connection)
        connection.execute(
            """INSERT INTO device (uuid) VALUES ('d');
            INSERT INTO profile (name, value) VALUES ('device', 'd'), ('secret', x'00112233445566778899aabbccddeeff');
            INSERT INTO entity (id, kind, norm, name) VALUES (1, 'project', 'api', 'API')"""
        )
        connection.execute("INSERT INTO entity (id, kind, norm, name) VALUES (2, 'repo', ?1, ?1)", (first,))
        for number in range(3):
            connection.execute(
                """INSERT INTO event (key, kind, start, title, project, repo, device, details, spelling)
                VALUES (?, 'git_commit', ?, 'one', 1, 2, 1, '{"cwd":"/src/api"}', '{"project":"api"}')""",
                (bytes([number] * 16), number),
            )
        connection.close()

    store = Store.open(tmp_path, clock=FakeClock(at(600)))
    try:
        memory = memory_over(store, store.clock)
        memory.learn(Checkout(name="api-new", folders=("/work/api-new",), first=first))
        memory.learn(Checkout(name="api", folders=("/other/api",), first=fresh))
        memory.remember([event(1, project="api-new", details={"cwd": "/work/api-new"})])

        assert count(memory, "api") == 4
        memory.rename_project("api", "Billing")
        assert {hit.event.project for hit in memory.search(Query(project="api", limit=9)).hits} == {"Billing"}
    finally:
        store.close()
