#!/bin/sh
# Brings everything a checkout needs: packaging/setup.sh run | test | package
#
# Debian packages of apt.txt (installed when we are root and apt is there, else named), a .venv with the
# versions of the lock file, and the app itself in it. Quick when nothing has changed.
#   PYTHON=...    the Python to use (3.11 or newer)
#   SKIP_APT=1    leave the system's packages alone
set -eu
cd "$(dirname "$0")/.."

main() {
    purpose=${1:-run}
    case $purpose in
        run) sections="run"; lock=packaging/requirements.lock ;;
        test) sections="run test"; lock=packaging/requirements-test.lock ;;
        package) sections="run package"; lock=packaging/requirements-package.lock ;;
        *) fail "Unknown purpose: $purpose" "Say run, test or package." ;;
    esac
    system_packages
    environment
    [ "$purpose" != test ] || nushell
}

say() { printf '%s\n' "$*"; }

fail() {
    printf '%s\n' "$@" >&2
    exit 1
}

# --- the system's packages ---

system_packages() {
    [ -z "${SKIP_APT:-}" ] && command -v dpkg-query >/dev/null 2>&1 || return 0
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "Installing Debian packages:" $missing
        install_packages $missing && return 0
        problem="These Debian packages could not be installed:"
    else
        problem="These Debian packages are missing:"
    fi
    printf '%s %s\nInstall them with:\n  sudo apt-get install --no-install-recommends %s\n' \
        "$problem" "$(echo $missing)" "$(echo $missing)" >&2
    [ "$purpose" = run ] || fail "Then run this again (or set SKIP_APT=1 to go on without them)."
}

# What the sections ask for and no installed package is or provides (newer releases rename libraries).
missing_packages() {
    dpkg-query -W -f='${db:Status-Status}|${Package}|${Provides}\n' | awk -F'|' -v sections=" $sections " '
        NR == FNR {
            if ($1 != "installed") next
            have[$2] = 1
            count = split($3, provided, ", *")
            for (i = 1; i <= count; i++) { sub(/ .*/, "", provided[i]); have[provided[i]] = 1 }
            next
        }
        /^\[/ { section = substr($0, 2, index($0, "]") - 2); next }
        /^#/ || /^ *$/ { next }
        index(sections, " " section " ") && !($0 in have)
    ' - packaging/apt.txt
}

install_packages() {
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq -o DPkg::Lock::Timeout=300 update &&
        apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@" </dev/null >/dev/null
}

# --- Python, its environment, the app ---

environment() {
    if ! .venv/bin/python -c "$python_will_do" 2>/dev/null || [ "$(cat .venv/where 2>/dev/null || echo "$PWD")" != "$PWD" ]; then
        python=$(find_python)
        say "Making .venv with $("$python" --version)"
        "$python" -m venv --clear .venv
    fi
    echo "$PWD" >.venv/where
    stamp=.venv/set-up-for-$purpose
    now=$(cat pyproject.toml "$lock" | cksum)
    [ "$(cat "$stamp" 2>/dev/null)" != "$now" ] || return 0
    say "Installing the locked versions ($lock)"
    pip install --require-hashes -r "$lock"
    pip install --no-deps --no-build-isolation --no-index -e .
    echo "$now" >"$stamp"
}

# nushell, which Debian has not: from npm where there is one, else its tests are skipped. .venv goes, and it with it.
nushell() {
    [ "$(uname -sm)" = "Linux x86_64" ] && command -v npm >/dev/null 2>&1 && [ ! -e .venv/bin/nu ] || return 0
    say "Installing nushell $nushell_version"
    if npm install --silent --no-audit --no-fund --prefix .venv/npm "@nushell/linux-x64@$nushell_version" </dev/null >/dev/null 2>&1; then
        ln -s ../npm/node_modules/@nushell/linux-x64/bin/nu .venv/bin/nu
    else
        say "It could not be had; its tests will be skipped."
    fi
}
nushell_version=0.115.1

pip() {
    .venv/bin/python -m pip --quiet --disable-pip-version-check --no-input "$@" </dev/null ||
        fail "The Python packages could not be installed." \
            "Is the network or your package index reachable? Run this again: it goes on where it stopped."
}

python_will_do='import sys, ensurepip, sqlite3, ssl, venv; sys.exit(sys.version_info < (3, 11))'

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        set -- "$PYTHON"
    else
        set -- /usr/bin/python3 python3 python3.13 python3.12 python3.11 python3.14
    fi
    for candidate in "$@"; do
        if "$candidate" -c "$python_will_do" >/dev/null 2>&1; then
            echo "$candidate"
            return
        fi
    done
    fail "No usable Python 3.11 or newer was found (${PYTHON:-python3, python3.11 and newer} tried)." \
        "On Debian 12 and Ubuntu 24.04: sudo apt-get install python3 python3-venv" \
        "Elsewhere install Python 3.11 or newer and say PYTHON=/path/to/python3 make run."
}

main "$@"
