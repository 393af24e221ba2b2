#!/bin/sh
# Does the main job: the tray app where there is a display, else one round of collecting and what it found.
set -eu
cd "$(dirname "$0")/.."
app=.venv/bin/desktop-memory

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ "$(uname)" = Darwin ]; then
    exec "$app" "$@"
fi

echo "No display here: collecting once from every source."
"$app" collect
echo
"$app" status
echo
"$app" now
cat <<END

Go on with:
  $app search "what you remember"      find it again
  $app context --copy                  the last 15 minutes, for an AI chat
  $app record                          keep recording, until stopped
  make demo                            a fortnight of someone else's work to look around in
On a machine with a display, make run opens the tray app.
END
