#!/bin/sh
# Installs dist/*.deb on a bare Debian 12 in a folder of its own and tries it there. Needs root and debootstrap.
#   MIRROR=...    where debootstrap gets its packages, if not where it looks by itself
set -eu
cd "$(dirname "$0")/../.."
deb=$(ls -t dist/desktop-memory_*.deb | head -1)
root=$(mktemp -d)

# Mounts live in a namespace of their own: they are gone with it, before the folder is removed.
try() {
    unshare --mount --pid --fork sh -euc '
        mount -t proc proc "$1/proc"
        chroot "$1" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 sh -euc "$2"
    ' try "$root" "$1"
}

trap 'rm -rf --one-file-system "$root" "$root.log"' EXIT
debootstrap --variant=minbase bookworm "$root" ${MIRROR:-} >"$root.log"
cp "$deb" "$root/tmp/desktop-memory.deb"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
try 'apt-get -qq update
     DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends /tmp/desktop-memory.deb >/dev/null
     ! command -v python3'
try 'desktop-memory --version
     desktop-memory collect
     desktop-memory demo --tour
     desktop-memory doctor'
echo "$deb works on a bare Debian 12."
