#!/bin/sh
# The tables of README.md and lessons/README.md come from the program's own: what stands between "<!-- generated:NAME -->"
# and "<!-- end -->" is what `stencilscope --generate readme-NAME` prints, and after
# "<!-- measured:NAME -->" and "<!-- swept:NAME -->" what assets/bench_table.sh and swept_table.sh
# make of assets/measured/NAME.json.
#
#   docs.sh update PROGRAM   rewrite them
#   docs.sh check PROGRAM    fail, with a diff on stderr, if that would change it
set -eu
cd "$(dirname "$0")/.."
new=$(mktemp)
trap 'rm -f "$new"' EXIT

# tables FILE PROGRAM: the file, its tables made anew, in $new
tables()
{
    awk -v program="$2" -v file="$1" '
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
                print file ": there is no table " name > "/dev/stderr"
                exit 1
            }
            inside = 1
            next
        }
        /^<!-- end -->$/ { inside = 0 }
        !inside
    ' "$1" >"$new"
}

for file in README.md lessons/README.md; do
    tables "$file" "$2"
    case $1 in
    update) cmp -s "$new" "$file" || cat "$new" >"$file" ;;
    check) diff -u "$file" "$new" >&2 ;;
    esac
done
