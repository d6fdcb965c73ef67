#!/bin/sh
# Sets up all that the project needs, in .venv: says in plain words what is missing on the machine.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}

missing() {
    printf 'Missing: %s\n' "$1" >&2
    printf '  %s\n' "$2" >&2
    exit 1
}

command -v "$python" >/dev/null 2>&1 || missing "Python ($python is no program here)" \
    "Install Python 3.11 or newer, or name one: make PYTHON=/path/to/python3.12 ..."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || missing \
    "Python 3.11 or newer ($python is $("$python" -c 'import platform; print(platform.python_version())'))" \
    "Install a newer Python, or name one: make PYTHON=/path/to/python3.12 ..."
"$python" -c 'import ensurepip, venv' 2>/dev/null || missing "Python's venv module" \
    "Debian and Ubuntu have it in a package of its own: apt install python3-venv"

[ -x .venv/bin/python ] || "$python" -m venv .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check --use-pep517 \
    --constraint constraints.txt --editable '.[referee,dev]' || missing "the project's Python packages" \
    "pip could not install them; its messages stand above. The first set-up needs a network."
touch .venv/.ready
