"""Whatever stands in a history or a spool: no crash, no hang, and good commands around it survive."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.collector import Collector, Place
from collectors.event import Event
from collectors.shell.bash import Bash
from collectors.shell.fish import Fish
from collectors.shell.nushell import Nushell
from collectors.shell.powershell import PowerShell
from collectors.shell.spool import ShellHook
from collectors.shell.zsh import Zsh
from tests.collectors.shell.terminal import Reader, texts

SEEDS = {
    "zsh": b": 1700000000:0;ls\n: 1700000001:3;for i in 1\\\ndo\\\ndone\nplain\n\\:;x\n"
    b": 1700000002:0;\xe6\x83\xb7\xa5 back\\\\ \n",
    "bash": b"#1700000000\nls\nplain 'a\nb'\n#1700000001\ncat <<EOF\n#1700000002\nEOF\n\nfoo() {\n ls\n}\necho \xff\n",
    "fish": b"- cmd: echo a\\nb\\\\n\n  when: 1700000000\n  added_when: 1690000000\n  paths:\n    - a\n"
    b"- cmd: ls\n  when: 1700000001\n# 1700000002\npwd\\\n-P\n",
    "nushell": b"ls\necho a<\\n>echo b\n  spaced\n\xff\xfe\n<\\n>\n",
    "powershell": b"\xef\xbb\xbfGet-Item\r\nif (1) {`\r\n ls`\r\n}\r\necho `\n\n",
    "shell hook": b"\x1e1\0bash\x0077\x001700000000123456\x001700000001123456\x000\0/tmp\0    1  1700000000 ls\n\0\n"
    b"\x1e1\0zsh\x0078\x001700000000.5\x001700000001.5\x001\0/tmp/a\0echo 'a\nb'\0\n",
}
GOOD = {
    "zsh": (b"\n: 1700000100:0;good before\n", b"\n: 1700000200:0;good after\n"),
    "bash": (b"\n#1700000100\ngood before\n", b"\n#1700000200\ngood after\n"),
    "fish": (b"\n- cmd: good before\n  when: 1700000100\n", b"\n- cmd: good after\n  when: 1700000200\n"),
    "nushell": (b"\ngood before\n", b"\ngood after\n"),
    "powershell": (b"\r\ngood before\r\n", b"\r\n\r\ngood after\r\n"),
    "shell hook": tuple(
        b"\x1e1\0zsh\x0079\x0017000001%d0.5\x001700000200.5\x000\0/tmp\0good %s\0\n" % (n, word)
        for n, word in enumerate((b"before", b"after"))
    ),
}
SOURCES = list(SEEDS)


def place(source: str, folder: Path, data: bytes) -> Reader:
    if source == "shell hook":
        (folder / "zsh").mkdir()
        (folder / "zsh" / "1.1").write_bytes(data)
        return Reader(ShellHook(spool=folder), Place(source=source, name=str(folder)))
    (folder / "history").write_bytes(data)
    collectors: dict[str, Collector] = {
        "zsh": Zsh(),
        "bash": Bash(),
        "fish": Fish(),
        "nushell": Nushell(copies=folder / "copies"),
        "powershell": PowerShell(),
    }
    return Reader(collectors[source], Place(source=source, name=str(folder / "history")))


def read(source: str, folder: Path, data: bytes) -> list[Event]:
    reader = place(source, folder, data)
    events = reader.read()
    for event in events:
        assert event.text == event.text.strip() != ""
        assert "\0" not in event.text
        f"{event.text}{event.project}{event.identity}{event.details}".encode()  # no lone surrogates
    assert len({event.identity for event in events}) == len(events) or source == "shell hook"
    shutil.rmtree(folder)
    return events


def mutated(data: bytes, chance: random.Random) -> bytes:
    """A few bytes changed, removed, doubled or moved, as a bad disk or a bad editor does."""
    out = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        at, length = chance.randrange(len(out) + 1), chance.randint(0, 8)
        match chance.randrange(5):
            case 0:
                del out[at : at + length]
            case 1:
                out[at:at] = chance.randbytes(length)
            case 2:
                out[at:at] = out[at : at + length * 4]
            case 3:
                out[at:at] = chance.choice(
                    [b"\0", b"\n", b"\\\n", b"#", b"'", b'"', b"<<EOF\n", b"\x83", b"\x1e1\0", b": 1:"]
                )
            case _:
                out[at : at + length] = bytes(b ^ (1 << chance.randrange(8)) for b in out[at : at + length])
    return bytes(out)


@pytest.mark.parametrize("source", SOURCES)
@settings(max_examples=100, deadline=5_000)
@given(
    data=st.binary(max_size=400)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
)
def test_any_bytes_are_read_without_harm(tmp_path_factory: pytest.TempPathFactory, source: str, data: bytes):
    read(source, tmp_path_factory.mktemp("any"), data)


@pytest.mark.parametrize("source", SOURCES)
def test_good_commands_around_damaged_ones_survive(tmp_path_factory: pytest.TempPathFactory, source: str):
    for seed in range(150):
        before, after = GOOD[source]
        damaged = mutated(SEEDS[source], random.Random(seed))

        told = texts(read(source, tmp_path_factory.mktemp("bad"), before + damaged + b"\n" + after))

        assert any(text.startswith("good before") for text in told), (seed, damaged)
        assert any(text.endswith("good after") for text in told), (seed, damaged)


def test_a_damaged_file_gives_the_same_in_pieces_as_at_once(tmp_path_factory: pytest.TempPathFactory):
    for seed in range(100):
        chance = random.Random(seed)
        data = mutated(SEEDS["zsh"] * 3, chance) + b"\n"
        folder = tmp_path_factory.mktemp("pieces")
        pieces = place("zsh", folder, b"")
        for cut in [*sorted(chance.randrange(len(data)) for _ in range(3)), len(data)]:
            (folder / "history").write_bytes(data[:cut])
            pieces.read()
        whole = place("zsh", folder, data).read()
        shutil.rmtree(folder)

        assert Counter(e.identity for e in pieces.told) == Counter(e.identity for e in whole), seed
