"""packaging/setup.sh names exactly what is missing, and finds a Python or says which it needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell script")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose apt.txt asks for three packages, on a machine where we are not root."""
    folder = tmp_path / "a checkout"
    shutil.copytree(ROOT / "packaging", folder / "packaging")
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "packaging/apt.txt").write_text("# why\n[run]\nlibone\nlibtwo0\n\n[test]\nxvfb\n")
    _program(tmp_path, "id", "echo 1000")
    _program(tmp_path, "dpkg-query", "echo 'installed|other|'")
    return folder


def test_what_is_missing_is_named_with_the_command_that_installs_it(checkout: Path, tmp_path: Path) -> None:
    _program(tmp_path, "dpkg-query", "echo 'installed|libone|'; echo 'config-files|xvfb|'")

    ran = _set_up(checkout, tmp_path, "test")

    assert ran.returncode == 1
    assert "These Debian packages are missing: libtwo0 xvfb\n" in ran.stderr
    assert "sudo apt-get install --no-install-recommends libtwo0 xvfb\n" in ran.stderr


def test_a_renamed_library_that_provides_the_old_name_is_enough(checkout: Path, tmp_path: Path) -> None:
    _program(
        tmp_path, "dpkg-query", "echo 'installed|libone|'; echo 'installed|libtwo0t64|x, libtwo0 (= 2.1)'"
    )

    ran = _set_up(checkout, tmp_path, "run", PYTHON="/nowhere/python3")

    assert "Debian packages" not in ran.stderr


def test_the_app_goes_on_without_packages_that_it_may_not_need(checkout: Path, tmp_path: Path) -> None:
    ran = _set_up(checkout, tmp_path, "run", PYTHON="/nowhere/python3")

    assert "These Debian packages are missing: libone libtwo0\n" in ran.stderr
    assert "No usable Python" in ran.stderr


def test_without_a_usable_python_it_says_which_it_needs(checkout: Path, tmp_path: Path) -> None:
    _program(tmp_path, "python-old", "exit 1")

    ran = _set_up(checkout, tmp_path, "run", PYTHON=str(tmp_path / "bin/python-old"), SKIP_APT="1")

    assert ran.returncode == 1
    assert "No usable Python 3.11 or newer" in ran.stderr
    assert "PYTHON=/path/to/python3 make run" in ran.stderr
    assert not (checkout / ".venv").exists()


def test_a_finished_environment_is_left_alone(checkout: Path, tmp_path: Path) -> None:
    python = tmp_path / "python3"
    python.write_text(f'#!/bin/sh\ncase "$2" in pip) exit 1 ;; esac\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    (checkout / ".venv/bin").mkdir(parents=True)
    (checkout / ".venv/bin/python").symlink_to(python)
    (checkout / ".venv/where").write_text(f"{checkout}\n")
    sum_of = subprocess.run(
        "cat pyproject.toml packaging/requirements.lock | cksum",
        shell=True,
        cwd=checkout,
        capture_output=True,
        text=True,
    ).stdout
    (checkout / ".venv/set-up-for-run").write_text(sum_of)

    done = _set_up(checkout, tmp_path, "run", SKIP_APT="1")
    with (checkout / "packaging/requirements.lock").open("a") as lock:
        lock.write("# newer\n")
    after_a_change = _set_up(checkout, tmp_path, "run", SKIP_APT="1")

    assert (done.returncode, done.stdout) == (0, "")
    assert "Installing the locked versions" in after_a_change.stdout
    assert "could not be installed" in after_a_change.stderr


@pytest.mark.parametrize("section", ["run", "test", "package"])
def test_the_list_has_each_section_sorted_out(section: str) -> None:
    sections: dict[str, list[str]] = {}
    name = ""
    for line in (ROOT / "packaging/apt.txt").read_text().splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif line and not line.startswith("#"):
            sections.setdefault(name, []).append(line)

    assert sections[section]
    everything = [package for packages in sections.values() for package in packages]
    assert len(everything) == len(set(everything))
    assert all(" " not in package for package in everything)


def _program(tmp_path: Path, name: str, body: str) -> None:
    path = tmp_path / "bin" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def _set_up(
    checkout: Path, tmp_path: Path, purpose: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "packaging/setup.sh", purpose],
        cwd=checkout,
        env={**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", **variables},
        capture_output=True,
        text=True,
    )
