#!/bin/sh
# Memory that runs out. Helpers and output: tests/e2e/cli.inc.
. tests/e2e/cli.inc

# without AT COUNT ARGUMENT...: a run whose AT-th allocation and COUNT - 1 further ones fail
fails=$(dirname "$program")/tests/fails.so
without() {
    at=$1 count=$2
    shift 2
    $limit env LD_PRELOAD="$fails" SS_TEST_FAIL_AT="$at" SS_TEST_FAIL_COUNT="$count" \
        SS_TEST_FAIL_LOG="$tmp/allocations" "$program" "$@" >out 2>err </dev/null
    status=$?
}

# memory NAME ARGUMENT...: whichever allocation fails, alone or with all that follow, the result is the
# same or a sentence says so, with status 1
memory() {
    name=$1 why='' step=1
    shift
    without 0 0 "$@"
    whole=$(head -n 1 out) # the lines behind it have seconds
    n=$(cat allocations)
    [ "$status" = 0 ] && [ "$n" -gt 9 ] || why="status $status, $n allocations: $(cat err)"
    [ "$n" -gt 60 ] && step=$((n / 8))
    for at in $(seq 1 $step "$n"); do
        for count in 1 1000000; do
            without "$at" $count "$@"
            case "$status $(cat err)" in
            '0 '*) [ "$(head -n 1 out)" = "$whole" ] || why="$why $at: another result: $(cat out);" ;;
            '1 '*'--help'*) why="$why $at: $(cat err);" ;;
            '1 '*'out of memory'*) ;;
            *) why="$why $at: status $status $(cat err);" ;;
            esac
        done
    done
    verdict "memory runs out: $name" "$why"
}
if ! [ -e "$fails" ]; then
    skip 'memory runs out' 'make tests builds tests/fails.so'
else
    cpu='--backend cpu --threads 1 --ui none --deterministic'
    # shellcheck disable=SC2086
    {
        memory 'a run' poisson2d shared --n 16 --cycles 3 $cpu
        memory 'a script' heat1d swept --n 64 $cpu -e 'step 2' -e 'set n 128' -e 'undo' -e 'step 3'
        memory 'a race' race 'poisson2d jacobi' 'poisson2d cg' --n 16 $cpu
        memory 'a lesson' lesson lint "$root/tests/e2e/lessons/good.md"
    }
fi

exit $failed
