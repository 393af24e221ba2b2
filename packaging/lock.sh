#!/bin/sh
# Pins every package, for all platforms and Pythons at once, with hashes. Needs uv.
set -eu
cd "$(dirname "$0")/.."
uv=${UV:-uv}

lock() {
    to=$1
    shift
    "$uv" pip compile pyproject.toml --universal --generate-hashes --no-header --no-annotate \
        --no-emit-index-url --quiet ${UPGRADE:+--upgrade} "$@" -o "packaging/$to"
}

lock requirements.lock --group pyproject.toml:build
lock requirements-test.lock --group pyproject.toml:build --group pyproject.toml:dev -c packaging/requirements.lock
lock requirements-package.lock --group pyproject.toml:build --group pyproject.toml:package -c packaging/requirements.lock
