#!/bin/sh
# The net: command lines whose fields and counts must not change.  A line of lines.txt is
#   CHECKSUM CYCLES ITERATIONS STEPS UPDATES BYTES REDUCTIONS  ARGUMENTS
# the checksum (cksum) of the saved array, counts as the JSON has them (null: there is none), and
# the arguments.  Lines with --backend cuda need a GPU, those with --ranks the program of the ranks.
# Whoever changes a line gives the reason in the commit.
#
#   tests/net/net.sh            compares (make test-all)
#   tests/net/net.sh write      writes what the program gives now; what it cannot run stays
. tests/e2e/cli.inc
lines=$root/tests/net/lines.txt
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# measure ARGUMENT...: the seven words, or nothing and the reason in `err`
measure() {
    rm -f field.npy out.json
    case "$*" in
    *--ranks\ * | *--backend*) ;;
    *) set -- "$@" --backend cpu ;;
    esac
    run "$@" --ui none --save field.npy --json out.json
    [ -s field.npy ] && [ -s out.json ] || return
    set -- "$(cksum <field.npy | cut -d ' ' -f 1)"
    for key in cycles iterations steps updates global_bytes reductions; do
        set -- "$@" "$(value out.json $key)"
    done
    echo "$*"
}

# kind ARGUMENT...: what a line needs
kind() {
    case "$*" in
    *--backend\ cuda*) echo GPU ;;
    *--ranks\ *) echo ranks ;;
    *) echo CPU ;;
    esac
}

if [ "${1:-}" = write ]; then
    while read -r sum cycles iterations steps updates bytes reductions arguments; do
        # shellcheck disable=SC2086 # words
        now=$(measure $arguments)
        echo "${now:-$sum $cycles $iterations $steps $updates $bytes $reductions} $arguments"
    done <"$lines" >new && cp new "$lines"
    exit
fi

for kind in CPU ranks GPU; do
    while read -r sum cycles iterations steps updates bytes reductions arguments; do
        # shellcheck disable=SC2086 # words
        [ "$(kind $arguments)" = $kind ] || continue
        # shellcheck disable=SC2086
        now=$(measure $arguments)
        if [ -z "$now" ] && grep -qE 'no CUDA|is missing' err; then
            skip "net $kind" "$(cat err)"
            break
        fi
        [ "$now" = "$sum $cycles $iterations $steps $updates $bytes $reductions" ] &&
            pass "net $arguments" ||
            fail "net $arguments" "was $sum $cycles $iterations $steps $updates $bytes $reductions, is ${now:-$(cat err)}"
    done <"$lines"
done
exit $failed
