#!/bin/sh
# Tables of measured times, from what `stencilscope bench --json FILE` wrote:
#
#   assets/bench_table.sh FILE
#
# assets/measured/NAME.md holds them between "<!-- measured:NAME -->" and "<!-- end -->"; `make docs`
# generates them.  awk only.
set -eu
[ -r "$1" ] || { echo "bench_table.sh: cannot read $1" >&2; exit 1; }

# One line for the head, each group and each case.
tr -d '\n' <"$1" | awk '{
    gsub(/\{"equation":/, "\n&")
    gsub(/\{"label":/, "\n&")
    print
}' | awk '
    function rounds(n) { return n == 1 ? "one round" : n " rounds" }

    # The value of a key of this line; "" if it has none or null.
    function value(key,    at, text) {
        at = index($0, "\"" key "\":")
        if (!at) return ""
        text = substr($0, at + length(key) + 3)
        if (text ~ /^"/) { text = substr(text, 2); sub(/".*/, "", text); return text }
        sub(/[,}].*/, "", text)
        return text == "null" ? "" : text
    }
    # Three digits with a metric prefix.
    function si(v, unit,    p) {
        if (v == "") return "-"
        v += 0
        for (p = 4; v >= 999.5 && p < 8; p++) v /= 1000
        for (; v < 0.9995 && p > 1; p--) v *= 1000
        return round(v, v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2) " " prefix[p] unit
    }
    function round(v, digits) { return v == "" ? "-" : sprintf("%." digits "f", v) }

    # A domain of patches.
    function patches()
    {
        return value("px") "\303\227" value("py") "\303\227" value("pz") " patches of " \
            value("patch") "\302\263"
    }

    # Seconds of what is counted: iterations, or time steps.
    function each() { return value("seconds_per_iteration") value("seconds_per_step") }

    BEGIN { split("n \302\265 m - k M G T", prefix, " "); prefix[4] = "" }

    /^\{"backend":/ {
        printf "%s (%s), medians of %s:\n\n", value("device"), value("detail"), rounds(value("rounds"))
        text = $0
        sub(/.*"limits":\{/, "", text)
        sub(/\}.*/, "", text)
        n = split(text, limit, ",")
        for (i = 1; i <= n; i++) {
            split(limit[i], pair, ":")
            gsub(/"/, "", pair[1])
            if (pair[1] ~ /^triad/ && !triad) triad = pair[2]
            printf("%s%s %s", i == 1 ? "" : ", ", pair[1], si(pair[2], (pair[2] > 1) ? "B/s" : "s"))
        }
        printf ".\n"
    }

    /^\{"equation":/ {
        equal = value("measured") == "equal"
        solve = equal || value("measured") == "solve"
        problem = "`" value("equation") "`, " (value("n") == "" ? patches() : "n = " value("n"))
        if (value("copies") != "") problem = problem ", " value("copies") " copies"
        if (value("ranks-model") > 1)
            problem = problem ", " value("ranks-model") " modelled ranks, latency " value("latency")
        precision = value("precision")
        if (solve) problem = problem ", " precision ", to " (equal ? \
            "the accuracy of 1000 classic iterations" : value("until"))
        if (!(problem in known)) { known[problem] = 1; problems[++nproblem] = problem }
        solves[problem] = solve
        seen[problem, precision] = 1
    }

    /^\{"label":/ {
        label = value("label")
        launched = sub(/ launch=stream$/, "", label) && !solve
        sub(/ launch=graph$/, "", label)
        if (solve) label = value("label")
        if (!((problem, label) in row)) { row[problem, label] = 1; rows[problem, ++nrow[problem]] = label }
        key = problem SUBSEP label SUBSEP precision
        skipped = value("skipped")
        if (solve) {
            line[key] = skipped != "" ? "| skipped: " skipped " | | | |" : "| " \
                (value("cycles") == "" ? round(value("launches"), 1) : value("cycles")) " | " \
                si(value("seconds"), "s") " | " round(value("speedup"), 2) " | " \
                round(value("speedup_stream"), 2) " |"
        } else if (launched) {
            stream[key] = skipped != "" ? "" : si(each(), "s")
        } else if (skipped == "") {
            time[key] = si(each(), "s")
            if (value("steps_per_cycle") != "") unit[problem] = "step"
            if (value("iterations_per_cycle") + value("steps_per_cycle") > 1)
                cycle[key] = si(value("seconds_per_cycle"), "s")
            bytes = value("bytes_per_second")
            triads[key] = round(bytes == "" ? "" : bytes / triad, 2)
            faster[key] = round(value("speedup"), 2)
            cost = value("norm_cost")
            if (cost != "") { looks[problem] = 1; look[key] = sprintf("%+.0f %%", 100 * cost) }
        }
    }

    # Has a row anything in it?
    function measured(key) {
        return (key SUBSEP "f64") in time || (key SUBSEP "f32") in time
    }

    function cell(problem, key,    text) {
        if (!(key in time)) return " - | | |" (problem in looks ? " |" : "")
        text = " " time[key]
        if (key in cycle) text = text ", a cycle " cycle[key]
        if (stream[key] != "") text = text " (" stream[key] ")"
        return text " | " triads[key] " | " faster[key] " |" (problem in looks ? " " look[key] " |" : "")
    }

    END {
        for (p = 1; p <= nproblem; p++) {
            problem = problems[p]
            if (solves[problem]) {
                printf "\n| %s | cycles | time | speed-up | over stream |\n|---|---|---|---|---|\n", problem
                for (r = 1; r <= nrow[problem]; r++) {
                    for (key in line)
                        if (index(key, problem SUBSEP rows[problem, r] SUBSEP) == 1)
                            printf "| `%s` %s\n", rows[problem, r], line[key]
                }
                continue
            }
            if (problem in unit && !folded++)
                printf "\n<details><summary>Time steps: heat, KS, Euler</summary>\n"
            both = ((problem, "f64") in seen) && ((problem, "f32") in seen)
            printf "\n| %s |", problem
            for (i = 1; i <= 2; i++)
                if ((problem, i == 1 ? "f64" : "f32") in seen)
                    printf " %s, %s | of triad | speed-up |%s", i == 1 ? "f64" : "f32", \
                        problem in unit ? unit[problem] : "iteration", \
                        problem in looks ? " checked every cycle |" : ""
            precision = "---|---|---|" (problem in looks ? "---|" : "")
            printf "\n|---|%s%s\n", precision, both ? precision : ""
            for (r = 1; r <= nrow[problem]; r++) {
                if (!measured(problem SUBSEP rows[problem, r])) continue
                printf "| `%s` |", rows[problem, r]
                for (i = 1; i <= 2; i++)
                    if ((problem, i == 1 ? "f64" : "f32") in seen)
                        printf "%s", cell(problem, problem SUBSEP rows[problem, r] SUBSEP (i == 1 ? "f64" : "f32"))
                printf "\n"
            }
        }
        if (folded) printf "\n</details>\n"
    }'
