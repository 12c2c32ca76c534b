#!/bin/sh
# The page in headless Chromium: page.js.
#
#   browser.sh [PROGRAM [PAGE.js]]
cd "$(dirname "$0")/../.." || exit 2
. tests/web/web.inc
node "$here/tests/web/page.js" "$(dirname "$page")/site" "$program"
