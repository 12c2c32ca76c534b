#!/bin/sh
# The tables of README.md come from the program's own: what stands between "<!-- generated:NAME -->"
# and "<!-- end -->" is what `stencilscope --generate readme-NAME` prints, and after
# "<!-- measured:NAME -->" and "<!-- swept:NAME -->" what assets/bench_table.sh and swept_table.sh
# make of assets/measured/NAME.json.
#
#   docs.sh update PROGRAM   rewrite README.md
#   docs.sh check PROGRAM    fail, with a diff on stderr, if that would change it
set -eu
cd "$(dirname "$0")/.."
new=$(mktemp)
trap 'rm -f "$new"' EXIT

awk -v program="$2" '
    /^<!-- (generated|measured|swept):[a-z0-9-]+ -->$/ {
        print
        name = $2
        if (sub(/^generated:/, "", name))
            command = "\"" program "\" --generate readme-" name
        else if (sub(/^measured:/, "", name))
            command = "assets/bench_table.sh assets/measured/" name ".json"
        else if (sub(/^swept:/, "", name))
            command = "assets/swept_table.sh assets/measured/" name ".json"
        lines = 0
        while ((command | getline line) > 0) { print line; lines++ }
        if (close(command) != 0 || lines == 0) {
            print "README.md: there is no table " name > "/dev/stderr"
            exit 1
        }
        inside = 1
        next
    }
    /^<!-- end -->$/ { inside = 0 }
    !inside
' README.md >"$new"

case $1 in
update) cmp -s "$new" README.md || cat "$new" >README.md ;;
check) diff -u README.md "$new" >&2 ;;
esac
