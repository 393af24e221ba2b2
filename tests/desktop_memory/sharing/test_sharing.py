"""Two machines and a folder between them that copies late, in the wrong order, and by halves."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from collectors.event import Gap
from desktop_memory.errors import KnownError, UsageError
from desktop_memory.model import Query
from desktop_memory.settings import Privacy
from desktop_memory.sharing.folder import NAME
from desktop_memory.store.whole import become_another
from tests.factories import at, event
from tests.machines import PASSPHRASE, Machine, machine


@pytest.fixture
def made(tmp_path: Path) -> Iterator[list[Machine]]:
    machines: list[Machine] = []
    yield machines
    for each in machines:
        each.store.close()


@pytest.fixture
def pair(tmp_path: Path, made: list[Machine]) -> tuple[Machine, Machine]:
    """Two machines that share one folder, as over a network share."""
    both = tuple(machine(tmp_path / name, tmp_path / "shared") for name in ("laptop", "desk"))
    for each in both:
        each.sharing.on(each.folder, PASSPHRASE)
    made += both
    return both[0], both[1]


def files(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_what_one_saw_the_other_knows(pair: tuple[Machine, Machine]) -> None:
    laptop, desk = pair
    laptop.see(0, "on the laptop")
    desk.see(1, "at the desk")
    desk.memory.remember([Gap(start=at(5), end=at(50), reason="asleep")])
    for each in (laptop, desk, laptop, desk):
        each.sharing.turn()

    assert laptop.texts == desk.texts == ["at the desk", "on the laptop"]
    assert [gap.reason for gap in laptop.store.gaps(at(0), at(60))] == ["asleep"]
    assert {found.device for found in desk.store.all_events()} == {
        laptop.store.profile.device,
        desk.store.profile.device,
    }
    turn = desk.sharing.turn()
    assert (turn.written, turn.read.read) == (0, 0), "nothing new, nothing done"


def test_nothing_readable_lies_in_the_folder(pair: tuple[Machine, Machine], tmp_path: Path) -> None:
    pair[0].see(0, "buy a ring for Jane")
    pair[0].memory.pin("goal", "propose to Jane")
    pair[0].sharing.turn()

    assert b"Jane" not in files(tmp_path / "shared")
    assert b"correct horse" not in files(tmp_path / "shared")


def test_plain_only_when_said(tmp_path: Path, made: list[Machine]) -> None:
    one = machine(tmp_path / "one", tmp_path / "shared")
    two = machine(tmp_path / "two", tmp_path / "shared")
    made += [one, two]
    with pytest.raises(UsageError):
        one.sharing.on(one.folder, "")
    one.sharing.on(one.folder, "", plain=True)
    two.sharing.on(two.folder, "")
    one.see(0, "in the open")
    one.sharing.turn()
    two.sharing.turn()

    assert two.texts == ["in the open"]


def test_a_wrong_passphrase_joins_nothing(
    pair: tuple[Machine, Machine], tmp_path: Path, made: list[Machine]
) -> None:
    third = machine(tmp_path / "third", tmp_path / "shared")
    made.append(third)
    secret = third.store.profile.secret
    with pytest.raises(KnownError, match="does not open"):
        third.sharing.on(third.folder, "wrong horse")
    assert third.sharing.state() is None
    assert third.store.profile.secret == secret


def test_a_device_that_joins_knows_its_own_things_again(tmp_path: Path, made: list[Machine]) -> None:
    """The folder's secret becomes its own; its histories, read again, add nothing; what both saw stays one."""
    laptop, desk = (machine(tmp_path / name, tmp_path / "shared") for name in ("laptop", "desk"))
    made += [laptop, desk]
    same = event(0, kind="git_commit", title="Fix the parser")
    for each in (laptop, desk):
        each.memory.remember([same, event(5, text=f"mine {each is desk}")])
        each.sharing.on(each.folder, PASSPHRASE)
    for each in (laptop, desk, laptop):
        each.sharing.turn()

    assert laptop.store.profile.secret == desk.store.profile.secret
    assert laptop.texts == desk.texts == ["Fix the parser", "mine False", "mine True"]
    for each in (laptop, desk):
        assert each.memory.remember([same, event(5, text="mine True"), event(5, text="mine False")]).new == 0


def test_forgetting_travels_and_empties_the_folder(pair: tuple[Machine, Machine]) -> None:
    laptop, desk = pair
    laptop.see(0, "buy a ring", app="Notes")
    laptop.see(1, "make")
    for each in (laptop, desk):
        each.sharing.turn()
    desk.memory.forget(Query(app="Notes"))
    desk.sharing.turn()
    laptop.sharing.turn()

    assert laptop.texts == desk.texts == ["make"]
    opened = [
        line
        for device in (laptop, desk)
        for number, _ in _folder(device).segments(device.store.profile.device)
        for line in _folder(device).read(device.store.profile.device, number)
    ]
    assert "ring" not in str(opened)
    assert None in opened, "the line keeps its place"
    laptop.see(2, "after")
    laptop.sharing.turn()
    desk.sharing.turn()
    assert desk.texts == ["after", "make"]
    assert desk.memory.remember([event(0, text="buy a ring", app="Notes")]).new == 0


def _folder(device: Machine) -> object:
    from desktop_memory.sharing.sharing import _opened
    from desktop_memory.store import shared

    return _opened(shared.state(device.store.read()))


DAY = 24 * 60


def test_a_machine_that_was_away_for_a_month_and_has_the_wrong_time(pair: tuple[Machine, Machine]) -> None:
    """Its clock is three hours behind: events are as told, what was forgotten meanwhile goes, nothing comes back."""
    laptop, desk = pair
    seen = [event(n, text=f"on the laptop {n}") for n in range(20)]
    laptop.memory.remember([*seen, event(30, text="buy a ring", app="Notes")])
    for each in (laptop, desk):
        each.sharing.turn()

    for day in range(30):
        desk.clock.now = at(1_000 + day * DAY)
        desk.see(990 + day * DAY, f"day {day}")
        if day == 10:
            desk.memory.forget(Query(app="Notes"))
        desk.sharing.turn()

    laptop.clock.now = at(1_000 + 30 * DAY - 180)
    laptop.see(1_000 + 30 * DAY - 181, "back again")
    laptop.see(2_000, "seen while it was away")
    for each in (laptop, desk, laptop):
        each.sharing.turn()

    assert laptop.texts == desk.texts
    assert len(laptop.texts) == 20 + 30 + 2
    assert "buy a ring" not in laptop.texts
    receipt = laptop.memory.remember([*seen, event(30, text="buy a ring", app="Notes")])
    assert receipt.new == 0, "its own history, read again, brings nothing back"
    starts = [sorted(found.start for found in each.store.all_events()) for each in (laptop, desk)]
    assert starts[0] == starts[1], "no clock moves what was told"


def test_a_forget_that_is_undone_is_never_told(pair: tuple[Machine, Machine]) -> None:
    laptop, desk = pair
    laptop.see(0, "make")
    for each in (laptop, desk):
        each.sharing.turn()
    laptop.memory.forget(Query(kinds=("terminal",)), now=False)
    laptop.sharing.turn()
    desk.sharing.turn()
    assert desk.texts == ["make"]
    laptop.memory.undo_forget()
    for each in (laptop, desk):
        each.sharing.turn()
    assert laptop.texts == desk.texts == ["make"]


def test_what_changes_later_is_told_again(pair: tuple[Machine, Machine]) -> None:
    laptop, desk = pair
    page = event(0, kind="browser", title="loading", url="https://a.example/", identity="one")
    laptop.memory.remember([page])
    for each in (laptop, desk):
        each.sharing.turn()
    laptop.memory.remember([replace(page, title="Calcium channels")])
    for each in (laptop, desk, laptop, desk):
        each.sharing.turn()

    assert desk.texts == ["Calcium channels"]
    assert desk.sharing.turn().written == laptop.sharing.turn().written == 0


def test_an_open_span_waits_for_its_end(pair: tuple[Machine, Machine]) -> None:
    laptop, desk = pair
    span = event(990, until=991, kind="window", title="Draft", app="Writer", open=True, identity="span")
    laptop.memory.remember([span])
    for each in (laptop, desk):
        each.sharing.turn()
    assert desk.texts == []
    laptop.memory.remember([replace(span, end=at(999), open=False)])
    for each in (laptop, desk):
        each.sharing.turn()
    assert [found.end for found in desk.store.all_events()] == [at(999)]


def test_pins_travel_and_do_not_echo(pair: tuple[Machine, Machine]) -> None:
    laptop, desk = pair
    pin = laptop.memory.pin("goal", "Ship it")
    for each in (laptop, desk, laptop):
        each.sharing.turn()
    assert [found.text for found in desk.memory.pins()] == ["Ship it"]

    desk.memory.set_pin_status(desk.memory.pins()[0].id, "done")
    for each in (desk, laptop):
        each.sharing.turn()
    assert laptop.memory.pins() == []
    laptop.memory.unpin(pin.id)
    for each in (laptop, desk):
        each.sharing.turn()
    assert desk.memory.pins("") == []
    assert laptop.sharing.turn().written == desk.sharing.turn().written == 0


def test_rules_here_act_on_what_comes(
    pair: tuple[Machine, Machine], tmp_path: Path, made: list[Machine]
) -> None:
    strict = machine(tmp_path / "strict", tmp_path / "shared", Privacy(exclude_apps=("Slack",)))
    made.append(strict)
    strict.sharing.on(strict.folder, PASSPHRASE)
    pair[0].see(0, "hello", app="Slack")
    pair[0].see(1, "make")
    pair[0].sharing.turn()
    strict.sharing.turn()
    assert strict.texts == ["make"]


def test_many_segments_each_read_once(pair: tuple[Machine, Machine]) -> None:
    laptop, desk = pair
    laptop.memory.remember([event(n, text=f"{n} " + "word " * 100) for n in range(2_000)])
    laptop.sharing.turn()
    assert len(list(_folder(laptop).segments(laptop.store.profile.device))) == 2  # type: ignore[attr-defined]
    assert desk.sharing.turn().read.new == 2_000
    laptop.see(3_000, "one more")
    laptop.sharing.turn()
    assert desk.sharing.turn().read.read == 1


@pytest.mark.parametrize("seed", range(3))
def test_a_carrier_that_is_late_disordered_and_half(tmp_path: Path, made: list[Machine], seed: int) -> None:
    """Each machine has its own copy of the folder; files travel one by one, any time, some by halves first."""
    rng = random.Random(seed)
    machines = [machine(tmp_path / f"m{n}", tmp_path / f"folder{n}") for n in range(3)]
    made += machines
    machines[0].sharing.on(machines[0].folder, PASSPHRASE)
    carry(machines, rng, half=False)
    for each in machines[1:]:
        each.sharing.on(each.folder, PASSPHRASE)
    wanted: set[str] = set()
    for step in range(40):
        each = rng.choice(machines)
        what = rng.random()
        if what < 0.6:
            text = f"step {step} {'x' * rng.randrange(4_000)}"
            each.see(step, text)
            wanted.add(text)
        elif what < 0.7 and each.texts:
            found = rng.choice(list(each.store.all_events()))
            each.memory.forget(Query(), [found.id])
            wanted.discard(found.text)
        if rng.random() < 0.5:
            each.sharing.turn()
        carry(machines, rng, half=True, some=0.5)
    for _ in range(4):
        for each in machines:
            each.sharing.turn()
        carry(machines, rng, half=False)

    for each in machines:
        assert set(each.texts) == wanted
        assert len(each.texts) == len(wanted), "nothing is double"
        assert each.sharing.turn().waiting == 0


def carry(machines: list[Machine], rng: random.Random, *, half: bool, some: float = 1.0) -> None:
    """A synchroniser: newer files replace older ones; while it copies, only half may be there."""
    for source in machines:
        for path in sorted(source.folder.rglob("*")):
            if not path.is_file() or path.name.startswith("."):
                continue
            inside = path.relative_to(source.folder)
            owner = inside.parts[1] if len(inside.parts) == 3 else ""
            if owner and owner != source.store.profile.device:
                continue
            for target in machines:
                if target is source or rng.random() > some:
                    continue
                to = target.folder / inside
                if owner or not to.exists():
                    to.parent.mkdir(parents=True, exist_ok=True)
                    raw = path.read_bytes()
                    to.write_bytes(raw[: len(raw) // 2] if half and owner and rng.random() < 0.3 else raw)


def test_conflicted_copies_and_strangers_are_left_alone(
    pair: tuple[Machine, Machine], tmp_path: Path
) -> None:
    laptop, desk = pair
    laptop.see(0, "make")
    laptop.sharing.turn()
    own = tmp_path / "shared" / NAME / laptop.store.profile.device
    shutil.copy(own / "000001.dms", own / "000001 (conflicted copy).dms")
    (own / "000002.dms").write_bytes(b"noise")
    (tmp_path / "shared" / NAME / "notes").mkdir()
    turn = desk.sharing.turn()

    assert desk.texts == ["make"]
    assert turn.waiting == 1


def test_a_hostile_line_is_skipped_and_counted(tmp_path: Path, made: list[Machine]) -> None:
    one, two = (machine(tmp_path / name, tmp_path / "shared") for name in ("one", "two"))
    made += [one, two]
    for each in (one, two):
        each.sharing.on(each.folder, "", plain=True)
    folder = _folder(one)
    good = {
        "event": {
            "key": "ab" * 16,
            "device": "d",
            "kind": "terminal",
            "start": at(0).isoformat(),
            "text": "ok",
        }
    }
    bad = [
        {"event": 3}, {"event": {}}, {"event": {**good["event"], "key": "zz"}},
        {"event": {**good["event"], "start": "yesterday"}}, {"event": {**good["event"], "device": 5}},
        {**good, "keys": [1]}, {"forgotten": "ab"}, {"forgotten": [None]}, {"stretch": [1]},
        {"stretch": ["a", "b", "{}"]}, {"stretch": [0, 1, "nonsense"]}, {"gap": [1, 2, 3]},
        {"gap": [at(1).isoformat(), at(0).isoformat(), "idle"]},
        {"gap": [at(0).isoformat(), at(1).isoformat(), "bored"]}, {"pin": 3},
        {"pin": {"kind": "goal", "text": "", "status": "active"}}, {"pin": {"kind": "virus", "text": "x"}},
        {"pin": {"kind": "goal", "text": "y" * 1_000, "status": "active"}}, {}, None,
    ]  # fmt: skip
    folder.write(one.store.profile.device, 1, [*bad, good])  # type: ignore[attr-defined]
    turn = two.sharing.turn()

    assert two.texts == ["ok"]
    assert sum(turn.read.skipped.values()) == 6
    assert two.memory.pins("") == []


def test_the_folder_gone_or_set_up_anew_is_said(pair: tuple[Machine, Machine], tmp_path: Path) -> None:
    laptop, _ = pair
    (tmp_path / "shared").rename(tmp_path / "elsewhere")
    with pytest.raises(KnownError, match="not there"):
        laptop.sharing.turn()
    (tmp_path / "elsewhere").rename(tmp_path / "shared")
    laptop.sharing.turn()
    (tmp_path / "shared" / NAME / "share.json").unlink()
    laptop.sharing.on(laptop.folder, PASSPHRASE)
    with pytest.raises(KnownError, match="anew"):
        pair[1].sharing.turn()
    pair[1].sharing.on(pair[1].folder, PASSPHRASE)
    laptop.see(0, "make")
    laptop.sharing.turn()
    pair[1].sharing.turn()
    assert pair[1].texts == ["make"]


def test_off_writes_and_reads_no_more_and_keeps_all(pair: tuple[Machine, Machine]) -> None:
    laptop, desk = pair
    laptop.see(0, "make")
    for each in (laptop, desk):
        each.sharing.turn()
    desk.sharing.off()
    laptop.see(1, "later")
    laptop.sharing.turn()
    desk.sharing.turn()
    assert desk.texts == ["make"]
    desk.sharing.on(desk.folder, PASSPHRASE)
    desk.sharing.turn()
    assert desk.texts == ["later", "make"]


def test_a_restored_memory_shares_beside_the_one_it_came_from(
    pair: tuple[Machine, Machine], tmp_path: Path, made: list[Machine]
) -> None:
    laptop, desk = pair
    laptop.see(0, "make")
    laptop.sharing.turn()
    laptop.store.scrub()
    (tmp_path / "restored").mkdir()
    shutil.copy(laptop.store.path, tmp_path / "restored" / "memory.sqlite")
    become_another(tmp_path / "restored" / "memory.sqlite")
    restored = machine(tmp_path / "restored", tmp_path / "shared")
    made.append(restored)
    laptop.see(1, "on the old one")
    restored.see(2, "on the new one")
    for each in (laptop, restored, desk, laptop, restored):
        each.sharing.turn()

    for each in (laptop, restored, desk):
        assert each.texts == ["make", "on the new one", "on the old one"]


def test_a_device_that_is_no_more_can_be_taken_out(pair: tuple[Machine, Machine], tmp_path: Path) -> None:
    laptop, desk = pair
    laptop.see(0, "make")
    for each in (laptop, desk):
        each.sharing.turn()
    with pytest.raises(UsageError):
        desk.sharing.remove(desk.store.profile.device)
    desk.sharing.remove(laptop.store.profile.device)
    assert not (tmp_path / "shared" / NAME / laptop.store.profile.device).exists()
    desk.sharing.turn()
    assert desk.texts == ["make"]
