"""Installing a shell hook: what it does to the user's files, and that real shells then note their commands."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collectors.collector import Place
from collectors.shell.spool import ShellHook
from desktop_memory.desktop import shell_hook
from desktop_memory.desktop.outside import changes
from desktop_memory.desktop.rc_file import BEGIN, END, RcFile
from desktop_memory.errors import KnownError, UsageError
from tests.collectors.shell.terminal import Reader, shell, texts

BOTH = pytest.mark.parametrize("name", ["zsh", "bash"])
RC = {"zsh": ".zshrc", "bash": ".bashrc", "fish": ".config/fish/conf.d/desktop-memory.fish"}


@pytest.fixture
def data(home: Path) -> Path:
    return home / "it's my memory"


def noted(data: Path) -> list[str]:
    spool = data / "spool"
    return texts(Reader(ShellHook(spool=spool), Place(source="shell hook", name=str(spool))).read())


@BOTH
def test_a_shell_notes_its_commands_once_the_hook_is_installed_and_no_more_after(
    home: Path, data: Path, name: str
):
    rc = home / RC[name]
    rc.write_text("# mine\n")
    told = shell_hook.install(name, data)
    assert shell_hook.installed(name)
    assert f"~/{RC[name]}" in told

    with shell(name, home, rc.read_text()) as running:
        running.run("echo one")
        shell_hook.remove(name)
        running.run("echo two")
        running.leave()

    assert not shell_hook.installed(name)
    assert noted(data) == ["echo one"]
    assert BEGIN not in rc.read_text()


@BOTH
def test_spool_and_script_are_private(data: Path, name: str):
    os.umask(0o022)

    shell_hook.install(name, data)

    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "spool").stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "spool" / name).stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "hooks" / f"desktop-memory.{name}").stat().st_mode) == 0o600


@BOTH
def test_installing_twice_changes_nothing_more(home: Path, data: Path, name: str):
    shell_hook.install(name, data)
    first = (home / RC[name]).read_bytes()

    told = shell_hook.install(name, data)

    assert (home / RC[name]).read_bytes() == first
    assert "already" in told


def test_another_data_folder_takes_the_place_of_the_first(home: Path, data: Path):
    (home / ".zshrc").write_text("before\n")
    shell_hook.install("zsh", data)
    with (home / ".zshrc").open("a") as file:
        file.write("after\n")

    shell_hook.install("zsh", home / "other")

    text = (home / ".zshrc").read_text()
    assert text.count(BEGIN) == text.count(END) == 1
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert shell_hook.files("zsh", home / "other") == [home / ".zshrc"]
    assert shell_hook.files("zsh", data) == []


@BOTH
@pytest.mark.parametrize(
    "content", [b"", b"a\n", b"a", b"a\r\nb\r\n", b"\xff\xfe\x80 caf\xe9\n", b"a\n\n\n", b"\n"]
)
def test_removing_restores_every_byte(home: Path, data: Path, name: str, content: bytes):
    rc = home / RC[name]
    rc.write_bytes(content)

    shell_hook.install(name, data)
    assert rc.read_bytes() != content
    shell_hook.remove(name)

    assert rc.read_bytes() == content
    assert not list(home.glob("*.before-desktop-memory"))


def test_a_file_that_was_not_there_is_gone_again(home: Path, data: Path):
    shell_hook.install("bash", data)
    shell_hook.remove("bash")

    assert not (home / ".bashrc").exists()
    assert not list(home.glob(".*.before-desktop-memory"))


def test_the_file_as_it_was_is_kept_beside(home: Path, data: Path):
    (home / ".bashrc").write_text("mine\n")
    shell_hook.install("bash", data)
    with (home / ".bashrc").open("a") as file:
        file.write("later\n")

    shell_hook.remove("bash")

    assert (home / ".bashrc").read_text() == "mine\nlater\n"
    assert (home / ".bashrc.before-desktop-memory").read_text() == "mine\n"


def test_a_link_into_a_dotfiles_folder_stays_a_link(home: Path, data: Path):
    (home / "dotfiles").mkdir()
    (home / "dotfiles" / "zshrc").write_text("mine\n")
    (home / ".zshrc").symlink_to("dotfiles/zshrc")

    shell_hook.install("zsh", data)

    assert (home / ".zshrc").is_symlink()
    assert BEGIN in (home / "dotfiles" / "zshrc").read_text()


def test_mode_and_hard_links_are_kept(home: Path, data: Path):
    (home / ".zshrc").write_text("mine\n")
    (home / ".zshrc").chmod(0o640)
    (home / ".bashrc").write_text("mine\n")
    (home / "twin").hardlink_to(home / ".bashrc")

    shell_hook.install("zsh", data)
    shell_hook.install("bash", data)

    assert stat.S_IMODE((home / ".zshrc").stat().st_mode) == 0o640
    assert BEGIN in (home / "twin").read_text()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bash", "if true; then\n"),
        ("bash", "echo 'open\n"),
        ("bash", "cat <<EOF\nopen\n"),
        ("zsh", "if true; then\n"),
        ("zsh", "echo 'open\n"),
    ],
)
def test_a_file_that_cannot_be_parsed_is_left_alone(home: Path, data: Path, name: str, content: str):
    rc = home / RC[name]
    rc.write_text(content)

    with pytest.raises(KnownError) as error:
        shell_hook.install(name, data)

    assert rc.read_text() == content
    assert not data.exists()
    assert "add these lines yourself" in error.value.advice
    assert "tmp" not in error.value.problem.replace(str(home), "")


def test_patterns_that_an_option_allows_are_no_mistake(home: Path, data: Path):
    (home / ".bashrc").write_text("shopt -s extglob\nls !(a|b) >/dev/null\n")
    (home / ".zshrc").write_text("setopt extendedglob\nprint -l ^a(N) >/dev/null\n")

    shell_hook.install("bash", data)
    shell_hook.install("zsh", data)

    assert shell_hook.installed("bash")
    assert shell_hook.installed("zsh")


def test_a_last_line_that_goes_on_does_not_swallow_the_block(home: Path, data: Path):
    (home / ".zshrc").write_text("export A=1 \\")

    shell_hook.install("zsh", data)

    with shell("zsh", home, (home / ".zshrc").read_text()) as running:
        running.run("echo one")
    assert noted(data) == ["echo one"]


@pytest.mark.parametrize("content", [f"{BEGIN}\nmine\n", f"mine\n{END}\n", f"{END}\n{BEGIN}\n"])
def test_a_mark_without_its_other_stops_everything(home: Path, data: Path, content: str):
    (home / ".bashrc").write_text(content)

    for action in (lambda: shell_hook.install("bash", data), lambda: shell_hook.remove("bash")):
        with pytest.raises(KnownError) as error:
            action()
        assert "Remove the line" in error.value.advice

    assert (home / ".bashrc").read_text() == content
    assert not shell_hook.installed("bash")


def test_what_is_no_file_or_cannot_be_written_is_said(home: Path, data: Path):
    (home / ".zshrc").mkdir()
    with pytest.raises(KnownError):
        shell_hook.install("zsh", data)

    (home / ".bashrc").symlink_to("/proc/version")
    with pytest.raises(KnownError):
        shell_hook.install("bash", data)


def test_zsh_reads_its_rc_file_where_zdotdir_says(home: Path, data: Path):
    (home / "config").mkdir()
    (home / ".zshenv").write_text("ZDOTDIR=$HOME/config\n")

    shell_hook.install("zsh", data)

    assert shell_hook.files("zsh") == [home / "config" / ".zshrc"]
    assert not (home / ".zshrc").exists()


@pytest.mark.parametrize(
    ("login", "content", "expected"),
    [
        (None, "", [".bashrc"]),
        (".profile", 'if [ -f "$HOME/.bashrc" ]; then\n    . "$HOME/.bashrc"\nfi\n', [".bashrc"]),
        (".bash_profile", "# source ~/.bashrc\nexport A=1\n", [".bash_profile", ".bashrc"]),
        (".profile", "export A=1\n", [".bashrc", ".profile"]),
    ],
)
def test_login_shells_that_do_not_read_bashrc_get_the_hook_too(
    home: Path, data: Path, login: str | None, content: str, expected: list[str]
):
    if login:
        (home / login).write_text(content)

    shell_hook.install("bash", data)

    assert sorted(path.name for path in shell_hook.files("bash")) == expected
    shell_hook.remove("bash")
    assert shell_hook.files("bash") == []


def test_debians_bashrc_gets_the_advice_to_keep_repeats(home: Path, data: Path):
    (home / ".bashrc").write_text("# HISTCONTROL=ignoredups is not set\nHISTCONTROL=ignoreboth\n")

    assert "--keep-repeats" in shell_hook.install("bash", data)
    assert "--keep-repeats" not in shell_hook.install("bash", data, keep_repeats=True)
    assert "--keep-repeats" not in shell_hook.install("bash", data)  # it stays

    with shell("bash", home, (home / ".bashrc").read_text()) as running:
        running.run("echo twice", "echo twice", " echo hidden")
    assert noted(data) == ["echo twice", "echo twice"]


def test_fish_gets_a_file_of_its_own_that_is_gone_again(home: Path, data: Path):
    told = shell_hook.install("fish", data)
    assert "~/.config/fish/conf.d/desktop-memory.fish" in told

    with shell("fish", home) as running:
        running.run("echo one")
        shell_hook.remove("fish")
        running.run("echo two")
    assert noted(data) == ["echo one"]
    assert not (home / RC["fish"]).exists()


def test_nushell_gets_a_file_of_its_own_that_needs_no_other(home: Path, data: Path):
    shell_hook.install("nushell", data)
    file = home / ".config/nushell/autoload/desktop-memory.nu"

    text = file.read_text()
    assert f'let __desktop_memory_spool = "{data}/spool/nushell"' in text
    assert "pre_execution" in text
    assert shell_hook.files("nushell", data) == [file]
    shell_hook.remove("nushell")
    assert not file.exists()
    assert not (data / "spool" / "nushell").exists()


def test_powershell_loads_it_from_the_profile_of_all_hosts(home: Path, data: Path):
    profile = home / ".config/powershell/profile.ps1"
    profile.parent.mkdir(parents=True)
    profile.write_text("Set-PSReadLineOption -EditMode Emacs\n")

    shell_hook.install("powershell", data)

    path = str(data).replace("'", "''")
    assert f". '{path}/hooks/desktop-memory.ps1' '{path}/spool/powershell'" in profile.read_text()
    shell_hook.remove("powershell")
    assert profile.read_text() == "Set-PSReadLineOption -EditMode Emacs\n"


def test_on_windows_both_powershells_get_it(home: Path, data: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr("platformdirs.user_documents_path", lambda: home / "OneDrive" / "Documents")

    shell_hook.install("powershell", data)

    assert [path.relative_to(home).as_posix() for path in shell_hook.files("powershell")] == [
        "OneDrive/Documents/PowerShell/profile.ps1",
        "OneDrive/Documents/WindowsPowerShell/profile.ps1",
    ]


def test_without_hidden_repeats_there_is_no_advice(home: Path, data: Path):
    (home / ".bashrc").write_text("# HISTCONTROL=ignoreboth\nHISTCONTROL=ignorespace\n")

    assert "HISTCONTROL" not in shell_hook.install("bash", data)


def test_a_shell_that_is_too_old_is_refused(home: Path, data: Path, monkeypatch: pytest.MonkeyPatch):
    old = home / "bin" / "bash"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho 'GNU bash, version 3.2.57(1)-release (arm64-apple-darwin23)'\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{old.parent}:{os.environ['PATH']}")

    with pytest.raises(KnownError) as error:
        shell_hook.install("bash", data)

    assert "3.2" in error.value.problem
    assert not (home / ".bashrc").exists()


def test_show_tells_the_lines_and_whether_they_are_there(home: Path, data: Path):
    before = shell_hook.show("zsh", data)
    shell_hook.install("zsh", data)

    assert "not installed" in before
    assert RcFile(path=home / ".zshrc").block in before
    assert "installed in ~/.zshrc" in shell_hook.show("zsh", data)


def test_uninstalling_lists_and_undoes_the_hooks_of_this_folder(home: Path, data: Path):
    shell_hook.install("zsh", data)
    shell_hook.install("bash", home / "demo")

    mine = [change for change in changes(data) if "hook" in change.what]
    for change in mine:
        change.undo()

    assert [(change.what, change.path) for change in mine] == [("zsh hook", str(home / ".zshrc"))]
    assert not shell_hook.installed("zsh")
    assert shell_hook.installed("bash")


def test_a_new_version_brings_the_script_up_to_date(data: Path):
    shell_hook.install("zsh", data)
    script = data / "hooks" / "desktop-memory.zsh"
    fresh = script.read_bytes()
    script.write_text("old")

    shell_hook.refresh(data)

    assert script.read_bytes() == fresh
    assert not (data / "hooks" / "desktop-memory.bash").exists()


def test_a_new_version_renews_the_script_that_stands_in_a_file_of_its_own(home: Path, data: Path):
    shell_hook.install("nushell", data)
    file = home / ".config/nushell/autoload/desktop-memory.nu"
    fresh = file.read_text()
    file.write_text(fresh.replace("pre_execution", "an_older_name"))

    shell_hook.refresh(data)

    assert file.read_text() == fresh
    shell_hook.remove("nushell")
    assert list(file.parent.iterdir()) == []


def test_notes_left_when_the_hook_is_removed_are_still_read(home: Path, data: Path):
    shell_hook.install("zsh", data)
    with shell("zsh", home, (home / ".zshrc").read_text()) as running:
        running.run("echo one")

    shell_hook.remove("zsh")

    assert not (data / "spool" / "zsh").exists()
    assert noted(data) == ["echo one"]


def test_a_shell_without_a_hook_is_named(data: Path):
    with pytest.raises(UsageError) as error:
        shell_hook.install("tcsh", data)

    assert "zsh" in error.value.advice


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    before=st.binary(max_size=80),
    lines=st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=60),
)
def test_any_file_is_restored_to_the_byte(home: Path, before: bytes, lines: str):
    rc = RcFile(path=home / "rc")
    rc.path.write_bytes(before)

    rc.put(lines)
    rc.put(lines + "\n# more")
    assert rc.block is not None
    rc.take_out()

    assert rc.path.read_bytes() == (before + b"\n" if before.endswith(b"\\") else before)
    (home / "rc.before-desktop-memory").unlink(missing_ok=True)
