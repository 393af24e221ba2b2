"""What others may read is found and closed at each start; Windows' lists are read as documented."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_memory import permissions
from desktop_memory.app import App
from desktop_memory.doctor import examine
from desktop_memory.permissions_windows import others_in, private_list

ME = "S-1-5-21-1004336348-1177238915-682003330-1001"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "memory"
    (made / "models" / "one").mkdir(parents=True)
    (made / "models" / "one" / "model.onnx").write_text("x")
    (made / "memory.sqlite").touch(mode=0o600)
    made.chmod(0o755)
    (made / "models").chmod(0o777)
    (made / "models" / "one").chmod(0o700)
    (made / "models" / "one" / "model.onnx").chmod(0o644)
    return made


def modes(folder: Path) -> dict[str, int]:
    return {
        str(path.relative_to(folder)): path.lstat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))
    }


def test_what_is_open_is_found_and_closed(folder: Path) -> None:
    assert [path.name for path in permissions.open_to_others(folder)] == ["memory", "models", "model.onnx"]

    assert permissions.mend(folder) == 3

    assert modes(folder) == {
        ".": 0o700, "models": 0o700, "models/one": 0o700, "models/one/model.onnx": 0o600,
        "memory.sqlite": 0o600,
    }  # fmt: skip
    assert permissions.mend(folder) == 0


def test_a_link_that_leads_out_is_left_alone(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o755)
    (outside / "file").touch(mode=0o644)
    (folder / "link").symlink_to(outside)
    (folder / "dangling").symlink_to(tmp_path / "nowhere")

    permissions.mend(folder)

    assert outside.stat().st_mode & 0o777 == 0o755
    assert (outside / "file").stat().st_mode & 0o777 == 0o644


def test_each_start_of_the_app_closes_what_was_opened(home: Path) -> None:
    memory = home / "memory"
    App.open(memory).close()
    (memory / "memory.sqlite").chmod(0o644)
    memory.chmod(0o755)
    told = [check.problem for check in examine(memory) if check.name == "permissions"]
    assert told == [f"others may read {memory} and 1 more"]

    App.open(memory).close()

    assert list(permissions.open_to_others(memory)) == []
    assert [check.state for check in examine(memory) if check.name == "permissions"] == ["ok"]


def test_a_folder_that_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    assert permissions.mend(tmp_path / "nothing") == 0


def test_what_cannot_be_changed_does_not_stop_the_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, mode: int) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "chmod", refuse)

    assert permissions.mend(folder) == 0


# https://learn.microsoft.com/en-us/windows/win32/secauthz/ace-strings


@pytest.mark.parametrize(
    ("sddl", "others"),
    [
        (f"D:PAI(A;OICI;FA;;;{ME})(A;OICI;FA;;;SY)", []),
        (f"D:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;{ME})", []),
        (f"D:AI(A;ID;FA;;;SY)(A;ID;0x1200a9;;;BU)(A;ID;FA;;;{ME})", ["BU"]),
        ("D:(A;;GA;;;WD)", ["WD"]),
        (f"D:(D;;GA;;;WD)(A;;FA;;;{ME})", []),
        ("D:(A;;FA;;;S-1-5-21-1004336348-1177238915-682003330-1002)", [ME[:-1] + "2"]),
        (f"O:{ME}G:BUD:P(A;;FA;;;{ME})S:AI(AU;SA;FA;;;WD)", []),
        ("D:NO_ACCESS_CONTROL", ["WD"]),
        ("", ["WD"]),
    ],
)
def test_who_a_list_lets_in(sddl: str, others: list[str]) -> None:
    assert others_in(sddl, ME) == others


def test_the_list_that_is_set_lets_nobody_else_in() -> None:
    assert others_in(private_list(ME), ME) == []
