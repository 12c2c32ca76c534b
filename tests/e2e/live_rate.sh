#!/bin/sh
# The speed of the solver with the screen on over its headless speed: tests/e2e/live.c, about
# two minutes.  `SS_TIMINGS=1 tests/e2e/live_rate.sh` runs it and prints its figures; LIVE_ROUNDS=N
# sets the number of rounds, LIVE_BACKEND=cuda uses the GPU.  Skipped unless SS_TIMINGS=1.
set -u
cd "$(dirname "$0")/../.." || exit 2
if [ "${SS_TIMINGS:-0}" != 1 ]; then
    echo 'skip live rate a timing: SS_TIMINGS=1 tests/e2e/live_rate.sh'
    exit 0
fi
tests=build/release/tests/e2e_tests
[ -x $tests ] || { echo "not ok live rate: there is no $tests (make tests)"; exit 1; }
for test in jacobi shared heat ks euler smoother; do
    log=$($tests --jobs 1 --filter "live/$test" 2>&1)
    status=$?
    echo "$log" | grep '^figure '
    if [ $status = 0 ]; then
        echo "ok live rate $test"
    else
        echo "not ok live rate $test: $(echo "$log" | grep -a 'least is' | head -n 1)"
    fi
done
