"""The lock files hold what pyproject.toml asks for, with hashes, and name no index."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKS = {
    "requirements.lock": ("build",),
    "requirements-test.lock": ("build", "dev"),
    "requirements-package.lock": ("build", "package"),
}


def _locked(name: str) -> dict[str, list[Requirement]]:
    found: dict[str, list[Requirement]] = {}
    for line in (ROOT / "packaging" / name).read_text().splitlines():
        if line and not line.startswith((" ", "#")):
            requirement = Requirement(line.removesuffix("\\").strip())
            found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


@pytest.mark.parametrize("name", LOCKS)
def test_every_requirement_is_locked_to_a_version_that_it_allows(name: str) -> None:
    locked = _locked(name)
    asked = [Requirement(text) for text in PROJECT["project"]["dependencies"]]
    asked += [Requirement(text) for group in LOCKS[name] for text in PROJECT["dependency-groups"][group]]

    def held(requirement: Requirement) -> bool:
        versions = [str(pin.specifier)[2:] for pin in locked.get(canonicalize_name(requirement.name), [])]
        return any(requirement.specifier.contains(version) for version in versions)

    assert [str(requirement) for requirement in asked if not held(requirement)] == []


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_is_exact_and_has_hashes(name: str) -> None:
    text = (ROOT / "packaging" / name).read_text()
    pins = re.split(r"\n(?=[a-z])", text.strip())

    assert [pin.splitlines()[0] for pin in pins if "==" not in pin or "--hash=sha256:" not in pin] == []
    assert len(pins) > 40


@pytest.mark.parametrize("name", LOCKS)
def test_no_address_of_an_index_stands_in_it(name: str) -> None:
    text = (ROOT / "packaging" / name).read_text()

    assert "://" not in text
    assert "--index" not in text


def test_the_locks_agree_with_one_another() -> None:
    run = _locked("requirements.lock")

    for name in ("requirements-test.lock", "requirements-package.lock"):
        other = _locked(name)
        assert {key: sorted(map(str, pins)) for key, pins in other.items() if key in run} == {
            key: sorted(map(str, pins)) for key, pins in run.items()
        }
