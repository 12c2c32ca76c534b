#!/bin/sh
# Frames per second of the window, and their cost, under Xvfb with the solver running: two
# minutes.  `SS_TIMINGS=1 tests/e2e/window_rate.sh` runs it and prints its figures; WINDOW_SECONDS=N
# sets the duration of each.  In the test suite, where SS_TIMINGS is not set, it is skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
if [ "${SS_TIMINGS:-0}" != 1 ]; then
    echo 'skip window rate a timing: SS_TIMINGS=1 tests/e2e/window_rate.sh'
    exit 0
fi
program=build/release/stencilscope
if ! "$program" --help | grep -q -e '--frame-times' || ! command -v Xvfb >/dev/null 2>&1; then
    echo 'skip window rate built without SDL, or there is no Xvfb'
    exit 0
fi
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
export OMP_WAIT_POLICY=passive

figure() { sed -n "s/^figure $1 //p" "$log"; }

# at_least NAME VALUE LEAST, at_most NAME VALUE MOST
at_least() { awk -v v="${2:-0}" -v w="$3" 'BEGIN { exit !(v + 0 >= w + 0) }' &&
    echo "ok $1: $2" || echo "not ok $1: ${2:-nothing}, the least is $3"; }
at_most() { awk -v v="${2:-1e9}" -v w="$3" 'BEGIN { exit !(v + 0 <= w + 0) }' &&
    echo "ok $1: $2" || echo "not ok $1: ${2:-nothing}, the most is $3"; }

# watch SIZE FRAMES WITHIN NAME ARGUMENT...: at least FRAMES frames per second, at least WITHIN percent
# of them within 20 ms
watch() {
    size=$1 frames=$2 within=$3 name="$4 at $1"
    shift 4
    : >"$log"
    number=$(mktemp)
    Xvfb -displayfd 3 -screen 0 "${size}x24" 3>"$number" >/dev/null 2>&1 &
    server=$!
    sleep 2
    DISPLAY=:$(cat "$number") "$program" --ui sdl --window "$size" --frame-times "$@" -e run \
        2>"$log" >/dev/null </dev/null &
    app=$!
    sleep "${WINDOW_SECONDS:-10}"
    kill -TERM "$app"
    wait "$app"
    kill "$server"
    wait "$server" 2>/dev/null
    rm -f "$number"
    grep '^figure ' "$log" | sed "s/\$/ ($name)/"
    at_least "$name: frames per second" "$(figure window_frames_a_second)" "$frames"
    [ "$within" = 0 ] ||
        at_least "$name: percent within 20 ms" "$(figure window_within_20_ms_percent)" "$within"
    at_most "$name: processor ms per frame" "$(figure window_processor_ms_a_frame)" 3
}

watch 1280x800 60 95 shared poisson2d shared --n 512 --k 12 -e 'view layer staleness'
watch 1280x800 60 95 jacobi poisson2d jacobi --n 256
watch 1280x800 60 95 swept ks1d swept --n 256
watch 2560x1440 30 0 shared poisson2d shared --n 512 --k 12 -e 'view layer staleness'
watch 2560x1440 30 0 swept ks1d swept --n 256
