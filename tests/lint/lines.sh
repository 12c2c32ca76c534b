#!/bin/sh
# Lines by folder, and the budget of lines of code (without comments and blank lines) in budget.txt.
#
#   lines.sh            the lint: "ok"/"not ok" lines
#   lines.sh --print    the table: lines, code, files, files of less than 80 lines (make lines)
set -u
cd "$(dirname "$0")/../.." || exit 2

# count PART: "folder lines code" of each source file of a part of the tree
count() {
    case $1 in
    product) set -- src kernels ui ;;
    esac
    find "$@" -type f \( -name '*.[ch]' -o -name '*.cuh' -o -name '*.def' \) -exec awk '
        function put() { if (file) { path = file; sub(/\/[^\/]*$/, "", path); print path, lines, code } }
        FNR == 1 { put(); file = FILENAME; lines = code = comment = 0 }
        {
            lines++
            text = $0
            if (comment) { if (!sub(/^.*\*\//, "", text)) next; comment = 0 }
            gsub(/\/\*([^*]|\*[^\/])*\*\//, "", text)
            sub(/\/\/.*/, "", text)
            if (sub(/\/\*.*/, "", text)) comment = 1
            if (text ~ /[^ \t]/) code++
        }
        END { put() }' {} +
}

if [ "${1:-}" = --print ]; then
    for part in product tests; do
        count $part | awk -v part=$part '
            { lines[$1] += $2; code[$1] += $3; files[$1]++; if ($2 < 80) small[$1]++
              all += $2; allcode += $3; n++; if ($2 < 80) few++ }
            END { for (f in lines) printf "%7d %7d %5d %5d  %s\n", lines[f], code[f], files[f], small[f], f | "sort -rn"
                  close("sort -rn")
                  printf "%7d %7d %5d %5d  %s: lines, code, files, files of less than 80 lines\n\n", all, allcode, n, few, part }'
    done
    exit
fi

status=0
while read -r part most; do
    case $part in '#'* | '' | circles) continue ;; esac
    code=$(count "$part" | awk '{ code += $3 } END { print code }')
    if [ "$code" -le "$most" ]; then
        echo "ok lines of code of $part: within the budget"
    else
        echo "not ok lines of code of $part: $code, the budget is $most (tests/lint/budget.txt)"
        status=1
    fi
done <tests/lint/budget.txt
exit $status
