"""The embedding process: starts when needed, survives nothing it should not, never speaks to the network."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from desktop_memory.embedding import process
from desktop_memory.embedding.child_embedder import FREE_FAILURES, ChildEmbedder
from desktop_memory.embedding.embedder import EmbedderUnavailable
from desktop_memory.embedding.model_files import built_in
from tests.desktop_session import eventually

ROOT = Path(__file__).parents[3]

Make = Callable[..., ChildEmbedder]


@pytest.fixture
def make() -> Iterator[Make]:
    """Makes embedders and closes them at the end."""
    made: list[ChildEmbedder] = []

    def embedder(**options: float) -> ChildEmbedder:
        made.append(ChildEmbedder(built_in(), **options))
        return made[-1]

    yield embedder
    for one in made:
        one.close()


def _pid(embedder: ChildEmbedder) -> int:
    child = embedder._child
    assert child is not None
    return child.pid


def _exists(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_nothing_runs_before_it_is_needed(make: Make):
    embedder = make()

    assert not embedder.ready()
    assert embedder._child is None


def test_a_cold_start_takes_at_most_two_seconds(make: Make):
    start = time.monotonic()

    make().embed_query("where was I")

    assert time.monotonic() - start < 2.0 * max(1.0, os.getloadavg()[0])


def test_warming_up_does_not_wait(make: Make):
    embedder = make()
    start = time.monotonic()

    embedder.warm()

    assert time.monotonic() - start < 0.2 * max(1.0, os.getloadavg()[0])
    assert eventually(embedder.ready, within=20)


def test_a_killed_process_is_replaced_and_no_text_is_lost(make: Make):
    embedder = make()
    texts = [f"the text with number {n}" for n in range(200)]
    expected = embedder.embed(texts)
    victim = _pid(embedder)
    killer = threading.Timer(0.05, os.kill, (victim, signal.SIGKILL))
    killer.start()

    found = embedder.embed(texts * 3)
    killer.join()

    assert found == pytest.approx(np.tile(expected, (3, 1)), abs=2e-6)
    assert _pid(embedder) != victim


def test_a_process_that_hangs_is_killed_and_replaced(make: Make):
    embedder = make(deadline=8.0)
    embedder.embed_query("load")
    hanging = _pid(embedder)
    os.kill(hanging, signal.SIGSTOP)

    (row,) = embedder.embed(["are you there"])

    assert np.linalg.norm(row) == pytest.approx(1.0, abs=1e-5)
    assert eventually(lambda: not _exists(hanging), within=5)


def test_it_ends_when_idle_and_comes_back(make: Make):
    embedder = make(idle_seconds=0.5)
    before = embedder.embed_query("hello")
    first = _pid(embedder)

    assert eventually(lambda: not _exists(first), within=10)
    assert eventually(lambda: not embedder.ready(), within=5)

    assert embedder.embed_query("hello") == pytest.approx(before, abs=2e-6)
    assert _pid(embedder) != first


def test_work_keeps_it_from_ending(make: Make):
    embedder = make(idle_seconds=0.3)
    embedder.embed_query("hello")
    pid = _pid(embedder)

    embedder.embed([f"{n} " + "words and more words " * 40 for n in range(40)])

    assert _pid(embedder) == pid


def test_it_dies_with_its_parent():
    script = """
import os, signal
from desktop_memory.embedding.child_embedder import ChildEmbedder
from desktop_memory.embedding.model_files import built_in
embedder = ChildEmbedder(built_in())
embedder.embed_query("load")
print(embedder._child.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    parent = subprocess.run([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, check=False)

    pid = int(parent.stdout)

    assert parent.returncode == -signal.SIGKILL
    assert eventually(lambda: not _exists(pid), within=5)


def test_a_question_waits_for_one_that_hangs_but_not_for_its_successor(
    make: Make, monkeypatch: pytest.MonkeyPatch
):
    embedder = make()
    embedder.embed_query("load")
    monkeypatch.setattr(process, "URGENT_SECONDS", 1.0)
    hanging = _pid(embedder)
    os.kill(hanging, signal.SIGSTOP)

    with pytest.raises(EmbedderUnavailable, match="no answer in time"):
        embedder.embed_query("are you there")

    assert _pid(embedder) != hanging  # its successor loads already


def test_a_question_does_not_wait_for_a_long_batch(make: Make):
    embedder = make()
    embedder.embed_query("load")
    done = threading.Event()

    def fill() -> None:
        embedder.embed([f"{n} " + "words and more words " * 90 for n in range(24)])
        done.set()

    filling = threading.Thread(target=fill)
    filling.start()
    time.sleep(0.3)
    start = time.monotonic()
    embedder.embed_query("where was I")
    waited = time.monotonic() - start

    assert not done.is_set()
    filling.join()
    assert waited < 0.25 * max(1.0, os.getloadavg()[0])


def test_many_threads_each_get_their_own_answer(make: Make):
    embedder = make()
    texts = [f"question number {n}" for n in range(8)]
    expected = embedder.embed(texts)
    answers: dict[int, np.ndarray] = {}

    def ask(n: int) -> None:
        for _ in range(10):
            answers[n] = embedder.embed_query(texts[n])

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert np.stack([answers[n] for n in range(8)]) == pytest.approx(expected, abs=2e-6)


def test_it_never_opens_a_socket(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    tell = tmp_path / "sockets"
    (tmp_path / "sitecustomize.py").write_text(
        f"""
import sys
def watch(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        open({str(tell)!r}, "a").write(event + chr(10))
        raise PermissionError("no network")
sys.addaudithook(watch)
open({str(tmp_path / "active")!r}, "w").close()
"""
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    row = make().embed_query("all of it stays here")

    assert np.linalg.norm(row) == pytest.approx(1.0, abs=1e-5)
    assert (tmp_path / "active").exists(), "the watch itself must have run"
    assert not tell.exists()


def test_what_a_start_up_file_prints_does_no_harm(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "sitecustomize.py").write_text("print('Welcome to your Python!' * 20)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONWARNINGS", "error")

    assert make().embed_query("hello").shape == (384,)


def test_its_memory_stays_within_350_megabytes(make: Make):
    embedder = make()
    embedder.embed(["字" * 2_000, "ab12ef90 " * 220] * 8 + [f"short {n}" for n in range(200)])

    status = Path(f"/proc/{_pid(embedder)}/status").read_text()
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))

    assert peak < 350 * 1024


def test_a_program_that_cannot_run_says_why_rests_and_is_tried_again(
    make: Make, monkeypatch: pytest.MonkeyPatch
):
    real = process.command
    broken = [sys.executable, "-c", "raise SystemExit('libonnx is broken')"]
    monkeypatch.setattr(process, "command", lambda: broken)
    clock = [0.0]
    embedder = make(now=lambda: clock[0])

    with pytest.raises(EmbedderUnavailable, match="libonnx is broken"):
        embedder.embed_query("a")
    for _ in range(FREE_FAILURES):
        with pytest.raises(EmbedderUnavailable):
            embedder.embed_query("a")
    with pytest.raises(EmbedderUnavailable, match="rests"):
        embedder.embed_query("a")

    monkeypatch.setattr(process, "command", real)
    clock[0] += 400
    assert embedder.embed_query("a").shape == (384,)


def test_a_program_that_is_not_there_says_so(make: Make, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(process, "command", lambda: ["/nowhere/python"])

    with pytest.raises(EmbedderUnavailable, match="cannot be started: No such file"):
        make().embed_query("a")


def test_one_that_talks_nonsense_is_given_up(make: Make, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(process, "command", lambda: ["sh", "-c", "yes welcome to this shell"])

    with pytest.raises(EmbedderUnavailable):
        make().embed_query("a")


def test_closed_it_leaves_no_process_and_answers_no_more(make: Make):
    embedder = make()
    embedder.embed_query("load")
    pid = _pid(embedder)

    embedder.close()

    assert not _exists(pid)
    with pytest.raises(EmbedderUnavailable, match="closed"):
        embedder.embed_query("a")


def test_closing_frees_whoever_waits(make: Make):
    embedder = make()
    embedder.embed_query("load")
    errors: list[Exception] = []

    def fill() -> None:
        try:
            embedder.embed(["words and more words " * 90] * 50)
        except EmbedderUnavailable as error:
            errors.append(error)

    filling = threading.Thread(target=fill)
    filling.start()
    time.sleep(0.3)
    embedder.close()
    filling.join(10)

    assert not filling.is_alive()
    assert len(errors) == 1
