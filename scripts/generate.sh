#!/bin/sh
# Generates the Python code of the protocol, and copies the protocol to the bot in JavaScript. With --check, only tells whether the committed code
# is what the .proto files give (exit 1 if not).
#
# The generator is pinned to an old release on purpose: its code runs on every protobuf from 6.31.1
# and grpcio from 1.76, so that bots with older stacks can install the SDK. It lives in an
# environment of its own because it wants an older protobuf than the rest of the project.
set -eu
cd "$(dirname "$0")/.."
tools=.venv-proto
if [ ! -x "$tools/bin/protoc-gen-mypy" ]; then
    "${PYTHON:-python3}" -m venv "$tools"
    "$tools/bin/python" -m pip install --quiet --disable-pip-version-check \
        grpcio-tools==1.76.0 mypy-protobuf==5.1.0 setuptools==80.9.0
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
PATH="$PWD/$tools/bin:$PATH" "$tools/bin/python" -m grpc_tools.protoc -I proto \
    --python_out="$out" --grpc_python_out="$out" \
    --mypy_out=quiet:"$out" --mypy_grpc_out=quiet:"$out" \
    proto/californiajack/v1/*.proto
printf '"""Generated from proto/californiajack/v1; made by `make proto`, never edited."""\n' \
    >"$out/californiajack/v1/__init__.py"
if [ "${1:-}" = --check ]; then
    if ! diff -r -x __pycache__ "$out/californiajack/v1" sdk/californiajack/v1; then
        echo "The generated code in sdk/californiajack/v1 is not what proto/ gives: run make proto" >&2
        exit 1
    fi
else
    rm -rf sdk/californiajack/v1
    cp -R "$out/californiajack/v1" sdk/californiajack/v1
    # the bot in JavaScript has the contract in its own folder, as a stranger's would
    cp proto/californiajack/v1/*.proto sample_bots/greedy-js/proto/californiajack/v1/
fi
