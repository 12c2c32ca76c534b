#!/bin/sh
# The operations of drawings for the page: the rows and numbers of ui/pen/ops.h, and the format of
# messages, as JavaScript. Lengths are read as coordinates.
#
#   ops.sh ui/pen/ops.h ui/stream/stream.h >ops.js
set -eu
awk '
    BEGIN { print "// Written by assets/web/ops.sh from ui/pen/ops.h.\nexport const ops = [" }
    $1 ~ /^OP\([A-Z_]+,$/ {
        split($0, part, /[(,"]/)
        gsub(/[up]/, "c", part[4])
        row[++n] = "    [\"" part[2] "\", \"" part[4] "\"],"
    }
    /^enum { SS_(IMAGE|TEXT)_/ {
        for (i = 3; i + 2 <= NF - 3; i += 3) {
            name = $i; sub(/^SS_(IMAGE|TEXT)_/, "", name)
            flags = flags (flags ? ", " : "") name " = " $(i + 2) + 0
        }
    }
    $2 == "SS_UNIT" { unit = $3 }
    $2 == "SS_TURN" { turn = $3 }
    $1 == "SS_MESSAGE_VERSION" { format = $3 + 0 }
    END {
        for (i = 1; i <= n; i++) print row[i]
        print "];\nexport const UNIT = " unit ", TURN = " turn ", FORMAT = " format ";"
        print "export const " flags ";"
    }' "$@"
