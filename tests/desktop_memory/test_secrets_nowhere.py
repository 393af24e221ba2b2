"""Secrets of every known shape go through the real commands; afterwards no file holds one of them."""

from __future__ import annotations

import importlib.util
import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from tests.running import ask, run

_spec = importlib.util.spec_from_file_location(
    "secret_corpus_of_files", Path(__file__).with_name("pipeline") / "secret_corpus.py"
)
assert _spec is not None
assert _spec.loader is not None
corpus = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(corpus)


def records() -> Iterator[dict[str, object]]:
    """Each text as a command, a commit with its changed lines, a page's title and a window's; tokens in addresses."""
    for number, (text, secret) in enumerate(corpus.SECRETS):
        start = f"2026-08-13T{8 + number // 60:02}:{number % 60:02}:00Z"
        yield {"kind": "terminal", "start": start, "text": text}
        yield {
            "kind": "git_commit",
            "start": start,
            "title": f"Try {text}",
            "text": f"Because of it.\n\n{text}",
            "details": {"diff": f"+{text}\n-old line"},
        }
        yield {"kind": "window", "start": start, "title": f"{text} - Editor", "app": "Editor"}
        address = f"https://ana:{quote(secret, safe='')}@example.org/a?access_token={quote(secret, safe='')}"
        yield {"kind": "browser", "start": start, "title": text, "url": address}


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        if path.is_file():
            raw = path.read_bytes()
            yield path.name, raw
            if (at := raw.find(b"\x78\x9c")) >= 0 and "shared" in path.parts:
                yield f"{path.name}, unpacked", zlib.decompressobj().decompress(raw[at:])
            if zipfile.is_zipfile(path):
                with zipfile.ZipFile(path) as packed:
                    for name in packed.namelist():
                        yield f"{path.name}:{name}", packed.read(name)


def test_no_secret_of_any_shape_is_in_any_file(home: Path, tmp_path: Path) -> None:
    (home / "memory").mkdir(mode=0o700)
    (home / "shared").mkdir()
    out = home / "out"
    out.mkdir()
    lines = "\n".join(json.dumps(record) for record in records())

    imported = run(home, "import", "-", "--json", stdin=lines)
    assert imported.returncode == 0, imported.stderr
    told = json.loads(imported.stdout)
    assert told["new"] >= 3 * len(corpus.SECRETS)
    assert told["masked"] >= 4 * len(corpus.SECRETS)
    context = ask(home, "context", "--since", "2026-08-13", "--until", "2026-08-14")
    (out / "context.txt").write_text(json.dumps(context), encoding="utf-8")
    for words in (
        ("backup", str(out / "backup.zip")),
        ("export", str(out / "all.jsonl")),
        ("share", "on", str(home / "shared"), "--plain"),
        ("share", "now"),
    ):
        done = run(home, *words)
        assert done.returncode == 0, (words, done.stderr)
    where = ask(home, "masked")["masked"]
    assert {one["kind"] for one in where} == {"terminal", "git_commit", "window", "browser"}

    found = {
        (name, secret)
        for name, content in contents(home)
        for _, secret in corpus.SECRETS
        for part in secret.splitlines()
        if len(part) >= 8 and "PRIVATE KEY" not in part and part.encode() in content
    }
    assert found == set()
    assert any(b"redacted" in content for name, content in contents(home / "shared"))
