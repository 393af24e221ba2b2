"""`model`: what there is, installing from a folder, and going over to it while the app records."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

from desktop_memory.embedding.model_files import BUILT_IN, built_in
from tests.desktop_session import eventually
from tests.running import ask, recording, run


def _model_folder(home: Path) -> Path:
    folder = home / "mine"
    shutil.copytree(built_in().folder, folder)
    shutil.copy(built_in().weights, folder / "model.onnx")
    (folder / "config_sentence_transformers.json").write_text('{"prompts": {"query": "find: "}}')
    with (folder / "model.onnx").open("ab") as file:
        file.write(b"\x7a\x00")  # an empty field that ONNX does not know: other bytes, the same network
    return folder


def _vectors(home: Path) -> tuple[str, bool]:
    """The model in use, and whether every text has its vector."""
    vectors = ask(home, "status")["vectors"]
    return vectors["model"], vectors["vectors"] == vectors["docs"] > 0 and "next" not in vectors


def test_the_list_says_what_is_in_use_and_what_can_be_installed(home: Path):
    listed = ask(home, "model", "list")["models"]

    assert [row["name"] for row in listed if row["in_use"]] == [BUILT_IN.name]
    assert {row["state"] for row in listed[1:]} == {"available"}
    assert all(row["license"] and row["megabytes"] for row in listed)


def test_a_running_app_goes_over_to_an_installed_model(home: Path):
    run(home, "note", "the retry budget is three attempts")
    with recording(home):
        assert eventually(lambda: _vectors(home) == (BUILT_IN.name, True), within=60)

        installed = ask(home, "model", "install", "mine", "--from", str(_model_folder(home)))
        assert (installed["name"], installed["source"]) == ("mine", "file mine")
        assert ask(home, "model", "use", "mine") == {
            "schema": 1,
            "warnings": [],
            "name": "mine",
            "running": True,
        }

        assert eventually(lambda: _vectors(home) == ("mine", True), within=60)
        found = ask(home, "search", "how often do we try again")
    assert found["mode"] == "hybrid"
    assert [hit["event"]["title"] for hit in found["hits"]] == ["the retry budget is three attempts"]

    refused = run(home, "model", "remove", "mine")
    assert refused.returncode == 1
    assert "in use" in refused.stderr


def test_a_model_that_breaks_under_a_running_app_is_said_and_mended_by_installing_it(home: Path):
    run(home, "note", "the retry budget is three attempts")
    mine = _model_folder(home)
    ask(home, "model", "install", "mine", "--from", str(mine))
    ask(home, "model", "use", "mine")
    with recording(home):
        assert eventually(lambda: _vectors(home) == ("mine", True), within=60)
        (folder,) = (home / "memory" / "models").iterdir()
        with (folder / "model.onnx").open("r+b") as file:
            file.seek(10_000_000)
            file.write(random.Random(1).randbytes(4_096))
        run(home, "note", "something new")

        assert eventually(lambda: "mine" in ask(home, "status")["problems"].get("vectors", ""), within=30)
        checks = json.loads(run(home, "doctor", "--json").stdout)["checks"]
        assert [check["state"] for check in checks if check["name"] == "model"] == ["problem"]
        by_words = ask(home, "search", "retry budget")
        assert [hit["event"]["title"] for hit in by_words["hits"]] == ["the retry budget is three attempts"]

        ask(home, "model", "install", "mine", "--from", str(mine))
        assert eventually(lambda: "vectors" not in ask(home, "status")["problems"], within=60)
        assert eventually(lambda: _vectors(home) == ("mine", True), within=60)
        assert ask(home, "search", "how often do we try again")["mode"] == "hybrid"

        shutil.rmtree(folder)
        run(home, "note", "something newer")
        assert eventually(lambda: "missing" in ask(home, "status")["problems"].get("vectors", ""), within=30)


def test_a_model_that_is_not_there_is_refused_with_the_way_to_get_it(home: Path):
    refused = run(home, "model", "use", "bge")

    assert refused.returncode == 1
    assert refused.stderr == (
        "desktop-memory: The model BAAI/bge-small-en-v1.5 is not installed. "
        "Run `desktop-memory model install BAAI/bge-small-en-v1.5`.\n"
    )


def test_a_reranker_is_switched_on_where_it_is_installed_and_off_anywhere(home: Path):
    missing = run(home, "model", "use", "reranker")
    assert (missing.returncode, "is not installed" in missing.stderr) == (1, True)

    assert run(home, "model", "use", "reranker", "--off").returncode == 0
    assert run(home, "model", "use", BUILT_IN.name, "--off").returncode == 2
