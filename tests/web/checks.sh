#!/bin/sh
# The acceptance checks of the browser front end that are measured, each in a line with its figures:
# all of them in about six minutes, or those whose numbers are given.  For a quiet machine with two cores
# at least; no part of `make test`.  Needs node, the page (make web), and for some script (util-linux) and
# Chromium with playwright-core.
#
#   checks.sh [NUMBER...]     or: make web-checks [CHECKS='1 5']
cd "$(dirname "$0")/../.." || exit 2
for file in build/release/stencilscope build/web/site/stencilscope.wasm build/release/tests/scenes; do
    [ -e $file ] || { echo "checks: there is no $file: make web-checks builds it"; exit 2; }
done
exec node tests/web/checks.js build/release/stencilscope build/web/site build/release/tests/scenes "$@"
