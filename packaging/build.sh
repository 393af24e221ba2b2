#!/bin/sh
# Builds dist/desktop-memory, a folder that runs by itself, and on Debian a .deb from it.
set -eu
cd "$(dirname "$0")/.."
python=.venv/bin/python

"$python" packaging/icons.py build/icons
"$python" -m PyInstaller --noconfirm --log-level WARN --distpath dist --workpath build packaging/desktop-memory.spec
dist/desktop-memory/desktop-memory --version
echo "dist/desktop-memory: $(du -sm dist/desktop-memory | cut -f1) MB"
if command -v dpkg-deb >/dev/null; then
    sh packaging/linux/deb.sh
fi
