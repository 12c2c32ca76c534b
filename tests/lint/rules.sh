#!/bin/sh
# The rules of the architecture that a search can check.  Prints a line each, and what breaks it.
set -u
cd "$(dirname "$0")/../.." || exit 2
status=0

verdict() { # name, offending lines
    if [ -z "$2" ]; then
        echo "ok $1"
    else
        echo "not ok $1"
        echo "$2" | sed 's/^/  /'
        status=1
    fi
}

sources() { find src kernels ui -type f \( -name '*.[ch]' -o -name '*.cuh' \) "$@"; }

# search PATTERN FILE...: "file:line: text" of code that matches; comments do not count
search() {
    pattern=$1
    shift
    [ $# -gt 0 ] || return 0
    awk -v pattern="$pattern" '
        FNR == 1 { comment = 0 }
        {
            code = $0
            if (comment) { if (!sub(/^.*\*\//, "", code)) next; comment = 0 }
            gsub(/\/\*([^*]|\*[^\/])*\*\//, "", code)
            sub(/\/\/.*/, "", code)
            if (sub(/\/\*.*/, "", code)) comment = 1
            if (code ~ pattern) print FILENAME ":" FNR ": " $0
        }' "$@"
}

verdict 'only main exits' \
    "$(search '(^|[^A-Za-z0-9_])(exit|_Exit|quick_exit) *\(' $(sources ! -path src/app/main.c))"

# Only the registry looks names up in tables; anything else is a branch on identity: a comparison with
# a name, or with the address of a descriptor.
known=$(sed -nE 's/^SS_(EQUATION|SOLVER|BACKEND)\((.*)\).*/\2/p' kernels/matrix.def
    sed -nE 's/^ *\.name = "([^"]*)",$/\1/p' $(find ui -name '*.c'))
known=$(echo $known | tr ' ' '|')
others=$(sources ! -path src/core/registry.c)
verdict 'no branch on the identity of an equation, solver, backend or front end' "$(
    {
        search 'str(n|case|ncase)?cmp *\(.*(equation|solver|backend|frontend|eq|ops)(->|\.)name' $others
        search "str(n|case|ncase)?cmp *\\(.*\"($known)\"" $others
        search '[=!]= *&ss_(eq|solver|backend|frontend)_' $others
    } | sort -u
)"

# A step looks up no parameter: prepare has written the values into the plan. So only functions named
# prepare, plan or open may read a config (kernels/eq and kernels/solver describe, and may, too).
stepping='kernels/block kernels/cpu kernels/geom'
verdict 'no step function looks a parameter up' "$(
    find $stepping -name '*.[ch]' -o -name '*.cuh' | sort | xargs awk '
        FNR == 1 { name = "" }
        /^[a-zA-Z].*\(/ && !/;$/ { name = $0; sub(/ *\(.*/, "", name); sub(/.*[ *]/, "", name) }
        /^}/ { name = "" }
        /ss_config_(int|real|text|given|value) *\(|run->cfg/ && name !~ /prepare|plan|open|describe/ {
            print FILENAME ":" FNR ": in " name ":" $0
        }'
)"

# Their last digits depend on the C library (src/base/elementary).  A quote before: a text, or a
# number printed with few digits.  The predictions of solvers are only displayed, as are the powers in
# the exact solutions of two equations.
library='sin|cos|tan|asin|acos|atan2?|a?sinh|a?cosh|a?tanh|exp2?|expm1|log(2|10|1p)?|pow|hypot|cbrt|erfc?'
verdict 'fields take no sine, exponential or power from the C library' "$(
    search '^([^"]*[^A-Za-z0-9_"])?('"$library"')f?\\(' \
        $(find kernels -type f \( -name '*.[ch]' -o -name '*.cuh' \) ! -path 'kernels/solver/*') |
        grep -vE '^kernels/eq/(heat1d|euler1d)\.c:.*[^_]\bpow\('
)"

# Before 1.17.4 cairo writes behind a buffer there: canvas::a_zigzag_curve_does_not_damage_the_heap.
verdict 'no fast antialiasing of cairo' "$(search 'CAIRO_ANTIALIAS_FAST' $(sources))"

# twice FILE...: names of types that have more than one definition, each with its files
twice() {
    awk '/^typedef .*[^{]$/ && /;$/ { name = $NF } /^} [a-z_0-9]+;$/ { name = $2 }
         name { sub(/;/, "", name); if (name ~ /^ss_/ && !((name, FILENAME) in seen)) {
             seen[name, FILENAME] = 1; n[name]++; at[name] = at[name] " " FILENAME }
             name = "" }
         END { for (name in n) if (n[name] > 1) print name ":" at[name] }' "$@"
}
verdict 'a type has one definition' "$(twice $(sources))"
plant=$(mktemp -d) || exit 2
trap 'rm -rf "$plant"' EXIT
printf 'typedef struct ss_run {\n    int n;\n} ss_run;\n' >"$plant/plant.h"
case $(twice $(sources) "$plant/plant.h") in
"ss_run: "*plant.h) verdict 'a planted second definition is found' '' ;;
*) verdict 'a planted second definition is found' 'it is not' ;;
esac

# The reason is in the comment at the top of the file.
verdict 'a file of more than 800 lines says why' \
    "$(find src kernels ui tests Makefile -type f \( -name '*.[ch]' -o -name '*.cuh' -o -name '*.sh' \
        -o -name Makefile \) | while read -r file; do
        lines=$(wc -l <"$file")
        [ "$lines" -le 800 ] || head -n 15 "$file" | grep -qi 'long because' ||
            echo "$file: $lines lines"
    done)"

verdict 'a kernel that is only fast says what to read first' \
    "$(grep -L '^ \* Reads after `' kernels/cuda/*/fast/*.cuh)"

# Generated lines do not count.
verdict 'the README of a folder has at most 60 lines, the front page 200' \
    "$(for file in README.md $(find src kernels ui lessons tests assets -name README.md); do
        awk -v most="$([ $file = README.md ] && echo 200 || echo 60)" '
            /^<!-- end -->$/ { inside = 0 }
            !inside { n++ }
            /^<!-- [a-z]+:.* -->$/ { inside = 1 }
            END { if (n > most) print FILENAME ": " n " lines" }' $file
    done)"

exit $status
