#!/bin/sh
# Makes dist/desktop-memory_VERSION_ARCH.deb from dist/desktop-memory.
set -eu
cd "$(dirname "$0")/../.."

version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' desktop_memory/__init__.py)
architecture=$(dpkg --print-architecture)
root=build/deb
rm -rf "$root"

install_as() { install -D -m "$1" "$2" "$root/$3"; }

mkdir -p "$root/usr/lib" "$root/usr/bin"
cp -a dist/desktop-memory "$root/usr/lib/desktop-memory"
ln -s ../lib/desktop-memory/desktop-memory "$root/usr/bin/desktop-memory"
ln -s desktop-memory "$root/usr/bin/dmem"
install_as 644 packaging/linux/desktop-memory.desktop usr/share/applications/desktop-memory.desktop
metadata=org.desktop_memory.DesktopMemory.metainfo.xml
install_as 644 "packaging/linux/$metadata" "usr/share/metainfo/$metadata"
install_as 644 packaging/linux/desktop-memory.service usr/lib/systemd/user/desktop-memory.service
install_as 644 LICENSE usr/share/doc/desktop-memory/copyright
install_as 644 resources/icons/app.svg usr/share/icons/hicolor/scalable/apps/desktop-memory.svg
for icon in build/icons/*.png; do
    size=$(basename "$icon" .png)
    install_as 644 "$icon" "usr/share/icons/hicolor/${size}x$size/apps/desktop-memory.png"
done

# What the bundle needs of the system: the [run] list without Python, which it brings along.
depends=$(awk '/^\[/ { on = $0 == "[run]"; next } on && NF && !/^#/ && !/^python3/' packaging/apt.txt | paste -sd, | sed 's/,/, /g')
mkdir -p "$root/DEBIAN"
install -m 755 packaging/linux/postinst packaging/linux/postrm "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: desktop-memory
Version: $version
Architecture: $architecture
Maintainer: Desktop Memory contributors <desktop-memory@localhost>
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: libc6 (>= 2.28), $depends
Recommends: xclip | wl-clipboard
Section: utils
Priority: optional
Description: find again what you did on this computer
 Remembers windows, commands, commits and pages and gives them back: at a
 glance, by meaning, as sessions, or as one block to paste into an AI chat.
 Everything stays on the machine.
END
dpkg-deb --root-owner-group -Zzstd -z12 -b "$root" "dist/desktop-memory_${version}_$architecture.deb"
