#!/bin/sh
# Installs dist/*.deb on a bare Debian 12 in a folder of its own and tries it there as a person does: on the command
# line, with a window, the popup and the tray where Xvfb is installed here, and removes it. Needs root and debootstrap.
#   MIRROR=...    where debootstrap gets its packages, if not where it looks by itself
set -eu
cd "$(dirname "$0")/../.."
deb=$(ls -t dist/desktop-memory_*.deb | head -1)
root=$(mktemp -d)
chmod 755 "$root"  # the person in it has to get in
screen=

# Mounts live in a namespace of their own: they are gone with it, before the folder is removed.
try_as() {
    unshare --mount --pid --fork --kill-child sh -euc '
        mount -t proc proc "$1/proc"
        mount --rbind /dev "$1/dev"
        exec chroot "$1" setpriv --reuid "$2" --regid "$2" --clear-groups \
            env -i HOME="$3" DISPLAY="$4" PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 sh -euc "$5"
    ' try "$root" "$1" "$2" "${3:-}" "$4"
}
as_root() { try_as 0 /root "" "$1"; }
as_person() { try_as 1000 /home/ann "${2:-}" "$1"; }

leave() {
    [ -z "$screen" ] || kill "$screen"
    rm -rf --one-file-system "$root" "$root.log"
}
trap leave EXIT

debootstrap --variant=minbase bookworm "$root" ${MIRROR:-} >"$root.log"
cp "$deb" "$root/tmp/desktop-memory.deb"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
as_root 'apt-get -qq update
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends /tmp/desktop-memory.deb >/dev/null
    useradd -m ann
    ! command -v python3'
as_person 'desktop-memory --version
    git init -q ~/shop && cd ~/shop && git config user.email ann@localhost && git config user.name Ann
    git commit -q --allow-empty -m "Take an advisory lock before charging"
    desktop-memory collect
    desktop-memory search lock | grep advisory
    desktop-memory backup ~/memory.zip
    desktop-memory --home ~/second restore ~/memory.zip
    echo correct horse battery staple >~/passphrase
    desktop-memory --home ~/second encrypt on --passphrase-file ~/passphrase >/dev/null
    DESKTOP_MEMORY_PASSPHRASE_FILE=~/passphrase desktop-memory --home ~/second search lock | grep advisory
    desktop-memory mcp install claude-code --print | grep /usr/bin/desktop-memory
    desktop-memory demo --tour >/dev/null
    desktop-memory doctor'

if command -v Xvfb >/dev/null; then
    Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp 3>"$root/tmp/display" 2>/dev/null &
    screen=$!
    while [ ! -s "$root/tmp/display" ]; do sleep 0.2; done
    as_person 'desktop-memory run &
        app=$!
        for second in $(seq 30); do
            desktop-memory status | grep -q "watching  window" && break
            sleep 1
        done
        desktop-memory status
        desktop-memory popup
        desktop-memory uninstall --quit
        wait "$app"' ":$(cat "$root/tmp/display")"
fi

as_root 'apt-get -qq remove -y desktop-memory | grep "remembered stays"
    ! command -v desktop-memory
    ls /home/ann/.local/share/desktop-memory/memory.sqlite'
echo "$deb works on a bare Debian 12."
