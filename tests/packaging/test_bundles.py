"""What the bundles hold, and what is written for Windows and macOS and cannot be run here, agree with the command."""

from __future__ import annotations

import ast
import plistlib
import re
import struct
import subprocess
import sys
from pathlib import Path

from desktop_memory.cli.parser import build

PACKAGING = Path(__file__).parent.parent.parent / "packaging"
SPEC = (PACKAGING / "desktop-memory.spec").read_text()


def test_the_launch_agent_records_and_does_not_come_back_every_moment() -> None:
    agent = plistlib.loads((PACKAGING / "macos/org.desktop-memory.plist").read_bytes())
    program, *words = agent["ProgramArguments"]

    assert agent["Label"] == "org.desktop-memory"
    assert program == "/Applications/Desktop Memory.app/Contents/MacOS/desktop-memory"
    assert build().parse_args(words)
    assert words == ["record"]
    assert agent["KeepAlive"] == {"SuccessfulExit": False}
    assert agent["ThrottleInterval"] >= 300


def test_the_macos_app_lives_in_the_menu_bar_and_may_open_windows() -> None:
    bundle = next(
        node
        for node in ast.walk(ast.parse(SPEC))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "BUNDLE"
    )
    info = ast.literal_eval(next(keyword.value for keyword in bundle.keywords if keyword.arg == "info_plist"))

    assert info["LSUIElement"] is True
    assert info["LSBackgroundOnly"] is False


def test_the_bundle_loads_neither_qt_nor_setuptools_before_a_command() -> None:
    (unused,) = re.findall(r"^unused = (\[.*?^\])", SPEC, re.MULTILINE | re.DOTALL)

    assert {"setuptools", "distutils", "pkg_resources"} <= set(ast.literal_eval(unused))
    assert 'entry[0] != "pyi_rth_pyside6"' in SPEC


def test_the_hardened_runtime_goes_with_its_entitlements_alone() -> None:
    script = (PACKAGING / "macos/build.sh").read_text()
    allowed = plistlib.loads((PACKAGING / "macos/entitlements.plist").read_bytes())

    assert re.search(r"--options runtime --entitlements packaging/macos/entitlements\.plist", script)
    assert script.count("--options runtime") == 1
    assert set(allowed.values()) == {True}
    assert all(key.startswith("com.apple.security.") for key in allowed)


def test_the_installers_commands_exist() -> None:
    script = (PACKAGING / "windows/desktop-memory.iss").read_text()
    (words,) = re.findall(r'Parameters: "([^"]+)"', script)

    assert build().parse_args(words.split())
    assert words == "uninstall --quit"
    assert set(re.findall(r"\{app\}\\([\w-]+)\.exe", script)) <= set(re.findall(r'name="([\w-]+)"', SPEC))


def test_the_windows_icon_holds_each_size_as_it_was_drawn(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(PACKAGING / "icons.py"), str(tmp_path)], check=True)
    icon = (tmp_path / "desktop-memory.ico").read_bytes()
    _, kind, count = struct.unpack_from("<HHH", icon)
    entries = [struct.unpack_from("<BBBBHHII", icon, 6 + 16 * n) for n in range(count)]

    assert kind == 1
    assert [entry[0] or 256 for entry in entries] == [16, 22, 24, 32, 48, 64, 128, 256]
    for width, *_, length, place in entries:
        assert icon[place : place + length] == (tmp_path / f"{width or 256}.png").read_bytes()
