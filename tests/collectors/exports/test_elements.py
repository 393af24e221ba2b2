"""Records of a large JSON file, one by one, whatever is wrong with some of them."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.exports import elements
from collectors.exports.elements import Elements


def read(folder: Path, data: bytes) -> tuple[list[object], Counter[str]]:
    (folder / "file.json").write_bytes(data)
    skipped: Counter[str] = Counter()
    with (folder / "file.json").open("rb") as file:
        found = Elements(
            file,
            lambda path: path in ((), ("buckets",), ("buckets", "b"), ("buckets", "b", "events")),
            skipped,
        )
        return [value for _, value in found], skipped


@pytest.mark.parametrize("form", ["list", "lines", "within"])
def test_each_record_comes_once_in_any_form_and_wherever_a_block_ends(tmp_path, monkeypatch, form):
    records = [{"n": n, "text": "x" * (n % 50), "日本": {"deep": [1, {"a": None}]}} for n in range(300)]
    data = {
        "list": json.dumps(records),
        "lines": "\n".join(map(json.dumps, records)),
        "within": json.dumps(
            {"buckets": {"b": {"id": "b", "tags": ["no"], "events": records}, "other": {"events": [1]}}}
        ),
    }[form]
    for block in (7, 64, 1_000_000):
        monkeypatch.setattr(elements, "_BLOCK", block)

        assert read(tmp_path, data.encode()) == (records, Counter())


def test_records_around_a_damaged_one_survive(tmp_path):
    found, skipped = read(tmp_path, b'[{"n": 1}, {"n": oops}, {"n": 3}, {"n": 4}')

    assert found == [{"n": 1}, {"n": 3}, {"n": 4}]
    assert skipped == {"not JSON": 1, "the file ends in the middle": 1}


def test_memory_stays_flat_where_nothing_can_be_read(tmp_path, monkeypatch):
    monkeypatch.setattr(elements, "_BLOCK", 1_000)
    monkeypatch.setattr(elements, "_LONGEST", 10_000)

    found, skipped = read(tmp_path, b'[{"n": 1}, {"n": "' + b"x" * 200_000 + b'"}, {"n": 3}]')

    assert found == [{"n": 1}, {"n": 3}]
    assert skipped == {"not JSON": 1}


@given(st.binary(max_size=200) | st.text('[]{},:"\\ntrue1 e.-', max_size=60).map(str.encode))
def test_any_bytes_end_without_harm(tmp_path_factory, data):
    read(tmp_path_factory.mktemp("any"), data)


def test_good_records_survive_a_byte_mutator(tmp_path):
    good = [json.dumps({"n": n, "data": {"app": "a", "title": "t [x] {y}"}}) for n in range(40)]
    for seed in range(150):
        chance = random.Random(seed)
        lines = list(good)
        hurt = bytearray(lines[20].encode())
        for _ in range(chance.randint(1, 5)):
            hurt[chance.randrange(len(hurt))] = chance.randrange(256)
        whole = (
            b"["
            + b",\n".join([*map(str.encode, lines[:20]), bytes(hurt), *map(str.encode, lines[21:])])
            + b"]"
        )

        found = {
            value["n"]
            for value in read(tmp_path, whole)[0]
            if isinstance(value, dict) and isinstance(value.get("n"), int)
        }

        assert set(range(20)) <= found, seed
        assert set(range(22, 40)) <= found, seed
