#!/bin/sh
# Does the page see what the program sees in every lesson? Each is solved with its author's solution,
# natively and for WebAssembly under node, and must give the same lines.
#
#   lessons.sh [PROGRAM [PAGE.js]]
cd "$(dirname "$0")/../.." || exit 2
. tests/web/web.inc
cp "$here"/lessons/[0-9]*.md .
"$program" lesson lint ./*.md >native.txt 2>&1
wasm lesson lint ./*.md >wasm.txt 2>&1
if cmp -s native.txt wasm.txt && [ -s native.txt ]; then
    echo 'ok the page solves all lessons as the program does'
else
    echo 'not ok lessons in the page'
    diff native.txt wasm.txt
fi
