"""Where the app starts from an icon, on Windows and macOS: without a word said, it runs."""

import sys

from desktop_memory.cli import main

sys.exit(main(sys.argv[1:] or ["run"]))
