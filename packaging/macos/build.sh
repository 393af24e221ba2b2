#!/bin/sh
# Builds "dist/Desktop Memory.app" and a disk image of it. NOT RUN on macOS yet.
#   IDENTITY="Developer ID Application: ..."   signs it for others; without, it is signed for this machine only
set -eu
cd "$(dirname "$0")/../.."

sh packaging/setup.sh package
.venv/bin/python packaging/icons.py build/icons
.venv/bin/python -m PyInstaller --noconfirm --log-level WARN --distpath dist --workpath build packaging/desktop-memory.spec
app="dist/Desktop Memory.app"
if [ -n "${IDENTITY:-}" ]; then
    codesign --force --deep --timestamp --options runtime --entitlements packaging/macos/entitlements.plist \
        --sign "$IDENTITY" "$app"
else
    codesign --force --deep --sign - "$app"  # the hardened runtime would refuse libraries that nobody signed
fi
"$app/Contents/MacOS/desktop-memory" --version
hdiutil create -volname "Desktop Memory" -srcfolder "$app" -ov -format UDZO dist/desktop-memory.dmg
