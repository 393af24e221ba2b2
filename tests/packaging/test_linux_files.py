"""What the .deb installs beside the program names commands and icons that are there."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from desktop_memory.cli.parser import build

LINUX = Path(__file__).parent.parent.parent / "packaging" / "linux"


def _ini(name: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string((LINUX / name).read_text())
    return parser


def test_every_entry_of_the_menu_starts_a_command_that_exists() -> None:
    entry = _ini("desktop-memory.desktop")
    actions = entry["Desktop Entry"]["Actions"].strip(";").split(";")
    lines = [entry[section]["Exec"] for section in entry.sections()]

    assert {f"Desktop Action {name}" for name in actions} | {"Desktop Entry"} == set(entry.sections())
    for line in lines:
        program, *words = line.split()
        assert program == "desktop-memory"
        build().parse_args(words)
    assert len(lines) == 3


def test_the_entry_the_icon_and_the_metadata_have_one_name() -> None:
    entry = _ini("desktop-memory.desktop")["Desktop Entry"]
    file = next(LINUX.glob("*.metainfo.xml"))
    metadata = ElementTree.parse(file).getroot()

    assert entry["Icon"] == "desktop-memory"
    assert f"{metadata.findtext('id')}.metainfo.xml" == file.name
    assert metadata.findtext("launchable") == "desktop-memory.desktop"
    assert metadata.findtext("summary") == entry["Comment"]
    assert metadata.findtext("project_license") == "MIT"


def test_the_service_records_and_does_not_fight_the_app() -> None:
    service = _ini("desktop-memory.service")["Service"]
    program, *words = service["ExecStart"].split()

    assert program == "/usr/bin/desktop-memory"
    build().parse_args(words)
    assert words == ["record"]
    assert "3" in service["RestartPreventExitStatus"].split()


def test_the_package_depends_on_the_list_of_run_packages_alone() -> None:
    script = (LINUX / "deb.sh").read_text()

    assert "packaging/apt.txt" in script
    assert re.search(r"Depends: libc6 \(>= [\d.]+\), \$depends", script)


@pytest.mark.parametrize(
    "command",
    [
        ("desktop-file-validate", "desktop-memory.desktop"),
        ("appstreamcli", "validate", "--no-net", "org.desktop_memory.DesktopMemory.metainfo.xml"),
    ],
    ids=lambda command: command[0],
)
def test_the_desktops_own_judges_find_nothing(command: tuple[str, ...]) -> None:
    judged = _judged(*command)

    assert judged.returncode == 0, judged.stdout + judged.stderr
    assert not re.search(r"^[EW]: ", judged.stdout, re.MULTILINE)


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "desktop-memory.service"
    text = (LINUX / unit.name).read_text()
    unit.write_text(
        text.replace("/usr/bin/desktop-memory", "/bin/true")
    )  # it looks whether the program is there

    judged = _judged("systemd-analyze", "verify", "--user", str(unit), XDG_RUNTIME_DIR=str(tmp_path))

    assert (judged.returncode, judged.stderr) == (0, "")


@pytest.mark.parametrize(
    ("script", "words", "said"),
    [
        ("postinst", ("configure", "0.1.0"), "quit it and start it again"),
        ("postinst", ("configure", ""), ""),
        ("postrm", ("remove",), "What Desktop Memory remembered stays"),
        ("postrm", ("upgrade", "0.2.0"), ""),
    ],
)
def test_the_package_says_what_happens_to_the_app_and_to_the_data(
    script: str, words: tuple[str, ...], said: str
) -> None:
    ran = subprocess.run(["sh", str(LINUX / script), *words], capture_output=True, text=True, check=True)

    assert said in ran.stdout
    assert bool(ran.stdout) is bool(said)


def _judged(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    if shutil.which(command[0]) is None:
        pytest.skip(f"not installed: {command[0]}")
    env = {**os.environ, **variables}
    return subprocess.run(command, cwd=LINUX, env=env, capture_output=True, text=True)
