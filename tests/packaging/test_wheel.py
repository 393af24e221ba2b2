"""The wheel holds the two packages and their resources, works by itself, and takes nobody's name."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    leave_out = shutil.ignore_patterns("__pycache__")
    for name in ("desktop_memory", "collectors", "resources"):
        shutil.copytree(ROOT / name, source / name, ignore=leave_out)
    for name in ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"):
        shutil.copy(ROOT / name, source)
    code = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(built)], cwd=source, check=True, capture_output=True)
    return next(built.glob("*.whl"))


def test_it_holds_exactly_two_packages_and_every_resource(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()

    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"desktop_memory", "collectors"}
    for folder, prefix in (("resources", "desktop_memory/resources"), ("collectors", "collectors")):
        ours = {
            f"{prefix}/{path.relative_to(ROOT / folder).as_posix()}"
            for path in (ROOT / folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        assert ours - set(names) == set()


def test_it_names_its_commands_licence_and_python(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    info = next(name.split("/")[0] for name in archive.namelist() if ".dist-info/" in name)
    metadata = archive.read(f"{info}/METADATA").decode()

    assert "Requires-Python: >=3.11" in metadata
    assert "License-Expression: MIT" in metadata
    assert archive.read(f"{info}/entry_points.txt").decode().split() == [
        "[console_scripts]",
        *("desktop-memory", "=", "desktop_memory.cli:main"),
        *("dmem", "=", "desktop_memory.cli:main"),
    ]


def test_unpacked_it_finds_its_resources_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        "from desktop_memory import demo, resources; import desktop_memory.cli as cli;"
        "print(resources.resource('demo').parent); print(len(demo.seen())); cli.main(['--help'])"
    )

    ran = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )

    assert ran.stdout.splitlines()[0] == str(tmp_path / "desktop_memory/resources"), ran.stderr
    assert int(ran.stdout.splitlines()[1]) > 4_000
    assert "usage: desktop-memory" in ran.stdout


def test_no_other_installed_distribution_claims_the_name_collectors() -> None:
    claimants = {
        distribution.name
        for distribution in importlib.metadata.distributions()
        for file in distribution.files or ()
        if file.parts[0] in ("collectors", "collectors.py")
    }

    assert claimants <= {"desktop-memory"}
