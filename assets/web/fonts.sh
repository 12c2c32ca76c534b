#!/bin/sh
# A font of the page: the characters of the program's texts, without layout tables, so that widths are
# those of ui/pen/advances.h.
#
#   fonts.sh inter|inter-bold|mono|mono-bold FILE.woff2
set -eu
case $1 in
inter) font='Inter:weight=80' ;;
inter-bold) font='Inter:weight=180' ;;
mono) font='JetBrains Mono:weight=80' ;;
mono-bold) font='JetBrains Mono:weight=180' ;;
esac
codes=$(sed -n 's/^    {\([0-9]*\), {.*/\1/p' ui/pen/advances.h | while read -r code; do printf 'U+%x,' "$code"; done)
exec pyftsubset "$(fc-match -f '%{file}' "$font:slant=0:width=100")" --unicodes="${codes%,}" \
    --layout-features='' --no-hinting --flavor=woff2 --output-file="$2"
