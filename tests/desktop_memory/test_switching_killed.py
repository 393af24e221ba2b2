"""Going over to another model, killed in the middle: it goes on with what is next newest, and switches once."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from desktop_memory.embedding.catalog import Entry
from desktop_memory.embedding.installed import folder_of, write_manifest
from desktop_memory.embedding.model_files import BUILT_IN
from desktop_memory.store import models
from tests.vector_rows import add_doc, one_vector_each, open_store

ROOT = Path(__file__).parents[2]
DOCS = 60
GO_OVER = """
import sys, threading
from pathlib import Path
from desktop_memory import indexer
from desktop_memory.store import models
from desktop_memory.switching import Models
from tests.toy_embedder import ToyEmbedder
from tests.vector_rows import open_store
indexer.BATCH = 4
store = open_store(Path(sys.argv[1]))
def told(texts):
    print("asked", switch.embedder.model.name, *texts, sep="|", flush=True)
    sys.stdin.readline()
switch = Models(store, Path(sys.argv[1]), sys.argv[2], lambda files: ToyEmbedder(files.info, before=told))
while switch.catch_up(threading.Event()):
    pass
print("done", *(f"{m.info.name} {m.active}" for m in models.models(store.read())), sep="|", flush=True)
"""


class App:
    """A process that goes over to a model; it waits for a line before each batch that it embeds."""

    def __init__(self, folder: Path, wanted: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", GO_OVER, str(folder), wanted], cwd=ROOT, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def says(self) -> list[str]:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip().split("|")

    def go_on(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def killed_after(self, batches: int) -> list[str]:
        """The texts of the batches that it was let embed; it dies while it embeds the next one."""
        embedded: list[str] = []
        for _ in range(batches):
            _, in_use, *texts = self.says()
            assert in_use == BUILT_IN.name, "searches keep the old model meanwhile"
            embedded += texts
            self.go_on()
        self.says()
        self.process.send_signal(signal.SIGKILL)
        self._gone()
        return embedded

    def finished(self) -> tuple[list[str], list[str]]:
        """The texts that it embedded, and its models at the end."""
        embedded: list[str] = []
        while (said := self.says())[0] == "asked":
            embedded += said[2:]
            self.go_on()
        self._gone()
        return embedded, said[1:]

    def _gone(self) -> None:
        self.process.communicate(timeout=30)


def test_killed_again_and_again_it_goes_on_with_the_newest_that_lack_and_switches_once(tmp_path: Path):
    folder = tmp_path / "memory"
    store = open_store(folder)
    with store.transaction() as connection:
        for n in range(DOCS):
            add_doc(connection, f"text {n}")
    store.close()
    _install(folder, "other")
    App(folder, BUILT_IN.name).finished()

    parts = [App(folder, "other").killed_after(batches) for batches in (3, 5)]
    store = open_store(folder)
    assert [(one.info.name, one.active) for one in models.models(store.read())] == [
        (BUILT_IN.name, True),
        ("other", False),
    ]
    store.close()
    rest, at_the_end = App(folder, "other").finished()

    newest_first = [f"text {n}" for n in reversed(range(DOCS))]
    assert [*parts[0], *parts[1], *rest] == newest_first, "no text is embedded twice"
    assert at_the_end == ["other True"], "the old model's vectors went with the switch"
    assert App(folder, "other").finished() == ([], ["other True"])
    store = open_store(folder)
    assert one_vector_each(store, "vectors_2")
    store.close()


def _install(data: Path, name: str) -> None:
    folder = folder_of(name, data)
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(b"weights")
    write_manifest(folder, Entry(name=name, about="", license="", dimension=16), registered="", source="test")
