#!/bin/sh
# Tables in the documentation come from the program and the sources: the lines between a marker and
# "<!-- end -->" are generated.  Every .md file that has a marker is looked at.
#
#   <!-- generated:NAME -->   what `stencilscope --generate readme-NAME` prints
#   <!-- measured:NAME -->    assets/bench_table.sh on assets/measured/NAME.json
#   <!-- swept:NAME -->       assets/swept_table.sh on it
#   <!-- floors:graph -->     tests/lint/floors.sh --print
#
# The graph needs the objects of all sources: in a build without SDL, say, it stays as it is.
# Measured figures in running text: assets/figures.sh.
#
#   docs.sh update PROGRAM   rewrite them
#   docs.sh check PROGRAM    fail, with a diff on stderr, if that would change a file
set -eu
cd "$(dirname "$0")/.."
new=$(mktemp)
trap 'rm -f "$new"' EXIT
kinds='generated|measured|swept'
missing=$(find src kernels ui -name '*.c' | while read -r source; do
    case $source in src/standin/* | ui/page/*) continue ;; esac # of the page
    [ -e "build/release/obj/${source%.*}.o" ] || echo "$source"
done)
if [ -z "$missing" ]; then kinds="$kinds|floors"; fi
markers="^<!-- ($kinds):[a-z0-9-]+ -->\$"

# tables FILE PROGRAM: the file, its tables made anew, in $new
tables()
{
    awk -v program="$2" -v file="$1" -v markers="$markers" '
        $0 ~ markers {
            print
            split($2, part, ":")
            kind = part[1]; name = part[2]
            if (kind == "generated") command = "\"" program "\" --generate readme-" name
            if (kind == "measured") command = "assets/bench_table.sh assets/measured/" name ".json"
            if (kind == "swept") command = "assets/swept_table.sh assets/measured/" name ".json"
            if (kind == "floors") command = "tests/lint/floors.sh --print"
            lines = 0
            if (kind == "floors") print "```"
            while ((command | getline line) > 0) { print line; lines++ }
            if (kind == "floors") print "```"
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

status=0
for file in $(grep -rlE --include='*.md' "$markers" README.md src kernels ui lessons tests assets); do
    tables "$file" "$2"
    case $1 in
    update) cmp -s "$new" "$file" || cat "$new" >"$file" ;;
    check) diff -u "$file" "$new" >&2 || status=1 ;;
    esac
done
assets/figures.sh "$1" || status=1
exit $status
