#!/bin/sh
# The README's table of the swept rule against classic steps, ours and theirs:
#
#   assets/swept_table.sh FILE
#
# Ours from what `stencilscope bench --backend cuda --json FILE` wrote, the best variant and block of
# each problem in double precision; theirs from the lines on the paper in assets/data/papers.txt.
# README.md holds it between "<!-- swept:NAME -->" and "<!-- end -->".  awk only.
set -eu
[ -r "$1" ] || { echo "swept_table.sh: cannot read $1" >&2; exit 1; }

# Lines of their figures first, then one line for each group and each case of ours.
{
    awk -F'\t' '
        # The alternative i of "[a|b|c]".
        function pick(list, i,    part) { split(substr(list, 2, length(list) - 2), part, "|"); return part[i] }
        $1 == "paper" { paper = $2 }
        paper == "swept" && ($2 == "Classic" || $2 == "Shared") && $3 ~ /^\[/ {
            for (i = 1; i <= 3; i++) print "theirs\t" $2 "\t" pick($3, i) "\t" pick($5, i)
        }' "$(dirname "$0")/data/papers.txt"
    tr -d '\n' <"$1" | awk '{ gsub(/\{"equation":/, "\n&"); gsub(/\{"label":/, "\n&"); print }'
} | awk '
    function value(key,    at, text) {
        at = index($0, "\"" key "\":")
        if (!at) return ""
        text = substr($0, at + length(key) + 3)
        if (text ~ /^"/) { text = substr(text, 2); sub(/".*/, "", text); return text }
        sub(/[,}].*/, "", text)
        return text == "null" ? "" : text
    }
    # Microseconds, three digits.
    function us(seconds,    v) { v = seconds * 1e6; return sprintf(v < 0.9995 ? "%.3f" : v < 9.995 ? "%.2f" : "%.1f", v) }

    BEGIN { split("1024 1048576", sizes, " "); named["heat1d"] = "heat"; named["ks1d"] = "KS"; named["euler1d"] = "Euler" }

    /^theirs/ { split($0, part, "\t"); count = split(part[4], t, ","); their[part[3], part[2], 1] = t[1]
                their[part[3], part[2], 2] = t[count] }

    /^\{"equation":/ { problem = named[value("equation")]; n = value("n"); good = value("precision") == "f64" }

    good && problem != "" && /^\{"label":/ {
        seconds = value("seconds_per_step")
        if (seconds == "") next
        if (value("role") == "classic") classic[problem, n] = seconds
        if (value("role") == "case" && (!((problem, n) in best) || seconds + 0 < best[problem, n] + 0)) {
            best[problem, n] = seconds
            label = value("label")
            sub(/^swept variant=/, "`", label)
            sub(/ block=/, "`, block ", label)
            as[problem, n] = label
        }
    }

    END {
        print "| | points | their Classic | their Shared | `stepper` | `swept` | times `stepper` | best as |"
        print "|---|---|---|---|---|---|---|---|"
        split("heat KS Euler", order, " ")
        for (p = 1; p <= 3; p++)
            for (i = 1; i <= 2; i++) {
                key = order[p] SUBSEP sizes[i]
                printf "| %s | 2^%d | %s | %s | %s | %s | %.1f | %s |\n", order[p], i * 10, \
                    their[order[p], "Classic", i], their[order[p], "Shared", i], us(classic[key]), \
                    us(best[key]), classic[key] / best[key], as[key]
            }
    }'
