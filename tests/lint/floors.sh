#!/bin/sh
# Folders form floors (floors.txt): a folder includes and calls only folders below it.  Inside a
# folder the files that include and call each other in a circle are counted: no more than budget.txt
# has.  Includes are read from the sources, calls from the symbols of the release objects.
#
#   floors.sh          the lint: "ok"/"not ok" lines, with every arrow that does not lead down
#   floors.sh --print    the graph: each folder with the folders it uses
#   floors.sh --circles  the files of each folder that lie in circles or between two of them
set -u
cd "$(dirname "$0")/../.." || exit 2
objects=build/release/obj

# includes ROOT: "file header" of every quoted include under ROOT/src, kernels, ui
includes() {
    (cd "$1" && find src kernels ui -type f \( -name '*.[ch]' -o -name '*.cuh' \) \
        -exec grep -HE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' {} + 2>/dev/null) |
        sed -E 's/^([^:]*):[^"]*"([^"]*)".*/include \1 \2/'
}

# calls OBJECTS...: "call file symbol definer"; an object whose source is gone does not count
calls() {
    for root in "$@"; do
        (cd "$root" && find src kernels ui -name '*.o' -exec nm -A -P -g {} + 2>/dev/null) |
            sed -E 's/^([^:]*)\.o: ([^ ]+) ([A-Za-z]).*/\1 \2 \3/'
    done | awk '
        $3 ~ /[TDBRCGS]/ { definer[$2] = $1 }
        $3 == "U" { user[++n] = $1; wants[n] = $2 }
        END { for (i = 1; i <= n; i++)
            if (wants[i] in definer) print "call", user[i], wants[i], definer[wants[i]] }'
}

# check MODE: reads the arrows, prints the report of MODE
check() {
    awk -v mode="$1" '
        function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
        function arrow(from, to, text) {
            if (from == to || (from, to, text) in seen) return
            seen[from, to, text] = 1
            if (!((from, to) in uses)) { uses[from, to] = 1; list[from] = list[from] " " to; arrows++ }
            if (!(from in floor)) wrong[++bad] = from ": has no floor in tests/lint/floors.txt"
            else if (!(to in floor)) wrong[++bad] = to ": has no floor in tests/lint/floors.txt"
            else if (floor[to] >= floor[from])
                wrong[++bad] = text ": " from " (floor " floor[from] ") uses " to " (floor " floor[to] ")"
        }
        FILENAME != "-" { if ($1 ~ /^[0-9]+$/) for (i = 2; i <= NF; i++) { floor[$i] = $1 + 0; order[++n] = $i; place[$i] = n } next }
        $1 == "include" && $3 ~ /\// { arrow(folder($2), folder($3), $2 " includes " $3) }
        $1 == "call" { arrow(folder($2), folder($4), $2 " calls " $3) }
        # Removes folders without outgoing arrows until none is left; the rest is a cycle.
        function circles(   left, went, i, j, k, parts, on) {
            for (i = 1; i <= n; i++) { there[order[i]] = 1; left++ }
            do {
                went = 0
                for (i = 1; i <= n; i++) if (there[order[i]]) {
                    k = split(list[order[i]], parts, " "); on = 0
                    for (j = 1; j <= k; j++) if (there[parts[j]]) on = 1
                    if (!on) { there[order[i]] = 0; left--; went = 1 }
                }
            } while (went)
            return left
        }
        END {
            round = circles()
            if (mode == "print")
                for (i = n; i > 0; i--) {
                    k = split(list[order[i]], parts, " ")
                    for (a = 2; a <= k; a++)
                        for (b = a; b > 1 && place[parts[b]] > place[parts[b - 1]]; b--) {
                            t = parts[b]; parts[b] = parts[b - 1]; parts[b - 1] = t
                        }
                    line = sprintf("%2d  %-20s", floor[order[i]], order[i])
                    if (k) line = line " ->"
                    for (a = 1; a <= k; a++) line = line " " parts[a]
                    print line
                }
            for (i = 1; i <= bad; i++) if (mode == "lint") print "  " wrong[i]
            if (mode == "print")
                printf "%d folders, %d arrows, %d in circles, %d upward\n", n, arrows, round, bad
            exit bad || round
        }' tests/lint/floors.txt -
}

# circles: reads the arrows, prints the files of each folder that lie in circles or between two, a .c and its .h as one
circles() {
    awk '
        function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
        function stem(path) { sub(/\.[a-z]+$/, "", path); return path }
        {
            from = stem($2); to = stem($1 == "call" ? $4 : $3)
            if (from == to || folder(from) != folder(to) || (from, to) in seen) next
            seen[from, to] = 1; uses[from] = uses[from] " " to; used[to] = used[to] " " from
            there[from] = there[to] = 1
        }
        # Removes files without arrows out, then without arrows in, until none is left.
        function prune(list,   file, k, parts, j, on, went) {
            do {
                went = 0
                for (file in there) if (there[file]) {
                    k = split(list[file], parts, " "); on = 0
                    for (j = 1; j <= k; j++) if (there[parts[j]]) on = 1
                    if (!on) there[file] = 0 + !(went = 1)
                }
            } while (went)
        }
        END {
            prune(uses); prune(used)
            for (file in there) if (there[file]) print file
        }' | sort
}

tree=$(includes . | sort -u; calls $objects | sort -u)
case ${1:-} in
--print)
    echo "$tree" | check print
    exit
    ;;
--circles)
    echo "$tree" | circles | awk '{ path = $0; sub(/\/[^\/]*$/, "", path); sub(/.*\//, ""); in_[path] = in_[path] " " $0; n++ }
        END { for (path in in_) print path ":" in_[path]; print n + 0 " files" }'
    exit
    ;;
esac

status=0
verdict() { # name, wanted exit status, exit status, text
    if [ "$3" = "$2" ]; then
        echo "ok $1"
    else
        echo "not ok $1"
        echo "$4"
        status=1
    fi
}

wrong=$(echo "$tree" | check lint)
verdict 'folders include and call only folders below them' 0 $? "$wrong"

most=$(awk '$1 == "circles" { print $2 }' tests/lint/budget.txt)
files=$(echo "$tree" | circles | wc -l)
[ "$files" -le "$most" ]
verdict 'files of a folder in circles: within the budget' 0 $? "  $files, the budget is $most (make floors)"

# The lint itself: a planted include and a planted call must be found.
plant=$(mktemp -d)
trap 'rm -rf "$plant"' EXIT
mkdir -p "$plant/kernels/geom" "$plant/obj/kernels/geom"
echo '#include "src/app/cli.h"' >"$plant/kernels/geom/planted.h"
wrong=$({ echo "$tree"; includes "$plant"; } | check lint)
verdict 'a planted include is found' 1 $? "$wrong"
echo 'void ss_engine_stop(void *); void planted(void); void planted(void) { ss_engine_stop(0); }' |
    ${CC:-cc} -xc -c - -o "$plant/obj/kernels/geom/planted.o"
wrong=$({ includes .; calls $objects "$plant/obj"; } | check lint)
verdict 'a planted call is found' 1 $? "$wrong"
planted=$({ echo "$tree"; echo 'include kernels/geom/a.h kernels/geom/b.h'
    echo 'call kernels/geom/b ss_a kernels/geom/a'; } | circles | wc -l)
[ "$planted" = $((files + 2)) ]
verdict 'a planted circle of files is found' 0 $? "  $planted files instead of $((files + 2))"
exit $status
