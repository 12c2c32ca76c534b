#!/bin/sh
# Frames per second of the window, and their cost, and the time from a key to the screen, under Xvfb
# with the solver running: two minutes.  `SS_TIMINGS=1 tests/e2e/window_rate.sh` runs it and prints its figures; WINDOW_SECONDS=N
# sets the duration of each.  In the test suite, where SS_TIMINGS is not set, it is skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
if [ "${SS_TIMINGS:-0}" != 1 ]; then
    echo 'skip window rate a timing: SS_TIMINGS=1 tests/e2e/window_rate.sh'
    exit 0
fi
program=build/release/stencilscope
if ! "$program" --help | grep -q -e '--frame-times' || ! command -v Xvfb >/dev/null 2>&1 ||
    ! command -v xdotool >/dev/null 2>&1; then
    echo 'skip window rate built without SDL, or there is no Xvfb or xdotool'
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

# waits_for COMMAND...: until it succeeds, at most half a minute
waits_for() {
    for _ in $(seq 300); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    return 1
}

there() { test -s "$number" && DISPLAY=:$(cat "$number") xdotool search --onlyvisible --class . ; }

# press KEYS: one after the other for the duration, five a second
press() {
    end=$(($(date +%s) + ${WINDOW_SECONDS:-10}))
    while [ "$(date +%s)" -lt "$end" ]; do
        for key in $1; do
            DISPLAY=:$(cat "$number") xdotool key "$key"
            sleep 0.2
        done
    done
}

# watch SIZE FRAMES WITHIN KEYS NAME ARGUMENT...: at least FRAMES frames per second, at least WITHIN
# percent of them within 20 ms; KEYS are pressed in turn
watch() {
    size=$1 frames=$2 within=$3 keys=$4 name="$5 at $1"
    shift 5
    : >"$log"
    number=$(mktemp)
    Xvfb -noreset -displayfd 3 -screen 0 "${size}x24" 3>"$number" >/dev/null 2>&1 &
    server=$!
    waits_for test -s "$number"
    DISPLAY=:$(cat "$number") "$program" --ui sdl --window "$size" --frame-times "$@" -e run \
        2>"$log" >/dev/null </dev/null &
    app=$!
    waits_for there || echo "not ok $name: no window"
    press "$keys"
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
    at_most "$name: ms from a key to the screen" "$(figure window_key_to_screen_ms)" 10
}

watch 1280x800 60 95 'k K' shared poisson2d shared --n 512 --k 12 --until 0 -e 'view layer staleness'
watch 1280x800 60 95 'g' jacobi poisson2d jacobi --n 512 --until 0
watch 1280x800 60 95 'd D' swept ks1d swept --n 256
watch 2560x1440 30 0 'k K' shared poisson2d shared --n 512 --k 12 --until 0 -e 'view layer staleness'
watch 2560x1440 30 0 'd D' swept ks1d swept --n 256
