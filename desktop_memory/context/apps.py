"""What programs are for, as far as a copied context cares: browsers, shells, offices, calls, chatter."""

from __future__ import annotations

from desktop_memory.pipeline.names import app_names
from desktop_memory.pipeline.tabs import is_browser as is_browser

_LABELS = {
    "code": "VS Code",
    "visual studio code": "VS Code",
    "vscode": "VS Code",
    "code - oss": "VS Code",
    "winword": "Word",
    "microsoft word": "Word",
    "excel": "Excel",
    "microsoft excel": "Excel",
    "powerpnt": "PowerPoint",
    "microsoft powerpoint": "PowerPoint",
    "microsoft teams": "Teams",
    "ms-teams": "Teams",
    "teams-for-linux": "Teams",
    "jetbrains-pycharm": "PyCharm",
    "jetbrains-idea": "IntelliJ IDEA",
}
_SHELLS = frozenset(
    ["gnome terminal", "gnome-terminal", "terminal", "konsole", "xterm", "kitty", "alacritty", "wezterm", "foot",
     "tilix", "terminator", "xfce4-terminal", "iterm2", "iterm", "ghostty", "warp", "windows terminal",
     "windowsterminal", "powershell", "cmd", "ptyxis", "console", "kgx", "black box", "hyper", "rio", "st", "urxvt",
     "qterminal", "lxterminal", "mate-terminal", "guake", "yakuake", "tabby", "zsh", "bash", "fish"]
)  # fmt: skip
_CHATTER = frozenset(
    ["slack", "discord", "telegram", "telegramdesktop", "telegram desktop", "signal", "whatsapp", "whatsapp desktop",
     "element", "mattermost", "rocket.chat", "zulip", "messages", "teams", "skype", "thunderbird", "outlook", "mail",
     "apple mail", "evolution", "geary", "kmail", "mailspring", "spotify", "music", "rhythmbox", "vlc", "amberol",
     "files", "nautilus", "dolphin", "thunar", "finder", "explorer", "windows explorer", "nemo", "pcmanfm", "settings",
     "system settings", "gnome-control-center", "calculator", "software", "clock", "calendar", "todo", "lockapp",
     "plasmashell", "gnome shell", "gnome-shell", "desktop", "dock", "launchpad", "spotlight", "searchhost",
     "startmenuexperiencehost", "screenshot", "flameshot"]
)  # fmt: skip
_MEETINGS = frozenset(
    ["zoom", "zoom workplace", "zoom.us", "webex", "gotomeeting", "bluejeans", "jitsi meet", "google meet"]
)
_OFFICE_ENDS = frozenset(
    [
        "docx",
        "doc",
        "xlsx",
        "xls",
        "pptx",
        "ppt",
        "odt",
        "ods",
        "odp",
        "rtf",
        "pages",
        "numbers",
        "key",
        "pdf",
    ]
)


def label(app: str) -> str:
    """The short name of a program."""
    return _LABELS.get(app.casefold().removesuffix(".exe"), app)


def is_shell(app: str) -> bool:
    return not app_names(app).isdisjoint(_SHELLS)


def is_chatter(app: str) -> bool:
    """Mail, chat, music, files, an idle terminal: where a short glance says nothing of the work."""
    return not app_names(app).isdisjoint(_CHATTER | _SHELLS)


def is_meeting(app: str) -> bool:
    return not app_names(app).isdisjoint(_MEETINGS)


def is_office_file(name: str) -> bool:
    return name.rpartition(".")[2].lower() in _OFFICE_ENDS
