#!/bin/sh
# The measured figures that texts quote: assets/measured/GPU.quoted.tsv says which, and where each
# stands; they come from GPU.json beside it.
#
#   figures.sh update   write them into the texts
#   figures.sh check    fail, with a line for each figure that differs from the measured one
#
# Called by docs.sh. awk only.
set -eu
cd "$(dirname "$0")/.."
new=$(mktemp)
trap 'rm -f "$new"' EXIT

# figures FILE: the file with the figures of $measured that $quoted names, in $new; what is missing is an error
figures()
{
    { tr -d '\n' <"$measured" | awk '{
        gsub(/\{"equation":/, "\n&")
        gsub(/\{"label":/, "\n&")
        print
    }'; printf '\nquoted\n'; cat "$quoted"; } | awk -v file="$1" '
    function value(key,    at, text) {
        at = index($0, "\"" key "\":")
        if (!at) return ""
        text = substr($0, at + length(key) + 3)
        if (text ~ /^"/) { text = substr(text, 2); sub(/".*/, "", text); return text }
        sub(/[,}].*/, "", text)
        return text == "null" ? "" : text
    }
    function three(v) { return sprintf("%." (v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2) "f", v) }
    function si(v, unit,    p) {
        v += 0
        for (p = 4; v >= 999.5 && p < 8; p++) v /= 1000
        for (; v < 0.9995 && p > 1; p--) v *= 1000
        return three(v) " " prefix[p] unit
    }
    function fail(why) {
        printf "%s: %s\n", file, why > "/dev/stderr"
        failed = 1
        exit 1
    }
    # The figure of a quoted row.
    function figure(what, group, label,    key, word) {
        if (what == "rate") return si(limit[label], "B/s")
        key = group SUBSEP label
        if (!(key in seconds)) fail("nothing was measured for " group ", " label)
        if (what == "time") return si(seconds[key], "s")
        if (what == "speedup") return three(speedup[key])
        if (what == "triad") return three(bytes[key] / limit["triad"])
        split(what, word, " ")
        if (word[1] == "theirs") return three(word[2] / seconds[key])
        sub(/^over /, "", what)
        return three(seconds[group, what] / seconds[key])
    }
    # The place of a figure in a line: from and to. An empty BEFORE: the number and unit that end
    # where AFTER begins.
    function place(line, before, after,    at) {
        from = 0
        if (before == "") {
            to = index(line, after)
            return to && (from = match(substr(line, 1, to - 1), /[0-9.]+( [^ ]+)?$/))
        }
        at = index(line, before)
        if (!at) return 0
        from = at + length(before)
        to = index(substr(line, from), after)
        to = to ? from + to - 1 : 0
        return to
    }
    function put(before, after, new,    i, found) {
        for (i = 1; i <= n; i++)
            if (place(text[i], before, after)) {
                text[i] = substr(text[i], 1, from - 1) new substr(text[i], to)
                found++
            }
        if (found != 1) fail("the figure between \"" before "\" and \"" after "\" stands there " found + 0 " times")
    }
    BEGIN {
        split("n \302\265 m - k M G T", prefix, " ")
        prefix[4] = ""
        while ((getline line < file) > 0) text[++n] = line
    }
    /^\{"backend":/ {
        list = $0
        sub(/.*"limits":\{/, "", list)
        sub(/\}.*/, "", list)
        m = split(list, pairs, ",")
        for (i = 1; i <= m; i++) {
            split(pairs[i], pair, ":")
            gsub(/"/, "", pair[1])
            limit[pair[1]] = pair[2]
        }
    }
    /^\{"equation":/ { group = value("equation") " " value("precision") " " value("n") " " value("measured") }
    /^\{"label":/ {
        label = value("label")
        sub(/ launch=graph$/, "", label)
        key = group SUBSEP label
        seconds[key] = value("seconds_per_iteration") value("seconds_per_step")
        if (seconds[key] == "") seconds[key] = value("seconds")
        speedup[key] = value("speedup")
        bytes[key] = value("bytes_per_second")
    }
    /^quoted$/ { FS = "\t"; quoting = 1; next }
    quoting && !/^#/ { split($0, f, "\t"); if (f[1] == file) put(f[2], f[6], figure(f[3], f[4], f[5])) }
    END { if (!failed) for (i = 1; i <= n; i++) print text[i] }' >"$new"
}

status=0
for quoted in assets/measured/*.quoted.tsv; do
    measured=${quoted%.quoted.tsv}.json
    for file in $(awk -F'\t' '!/^#/ { print $1 }' "$quoted" | sort -u); do
        figures "$file" || { status=1; continue; }
        case $1 in
        update) cmp -s "$new" "$file" || cat "$new" >"$file" ;;
        check) diff -u "$file" "$new" >&2 || status=1 ;;
        esac
    done
done
exit $status
