#!/bin/sh
# The seconds of a race equal those of its runs alone, within 5 %: the minimum over interleaved
# rounds, since interruptions only lengthen a run.  It takes a minute: skipped unless SS_TIMINGS=1.
# RACE_ROUNDS=N sets the number of rounds, RACE_BACKEND=cuda uses the GPU.
set -u
cd "$(dirname "$0")/../.." || exit 2
if [ "${SS_TIMINGS:-0}" != 1 ]; then
    echo 'skip race rate a timing: SS_TIMINGS=1 tests/e2e/race_rate.sh'
    exit 0
fi
# shellcheck disable=SC1091
. tests/e2e/cli.inc
# shellcheck disable=SC1091
. "$root/tests/e2e/rate.inc"

first='poisson2d jacobi'
second='poisson2d shared --k 16 --overlap 4'
both="--backend ${RACE_BACKEND:-cpu} --threads 1 --n 256 --until 1e-3"

# shellcheck disable=SC2086
alone() {
    run $1 $both --json -
    sed -nE 's/.*"seconds":\{"solve":([0-9.e+-]+).*/\1/p' out
}

for _ in $(seq "${RACE_ROUNDS:-15}"); do
    one=$(alone "$first")
    two=$(alone "$second")
    # shellcheck disable=SC2086
    run race "$first" "$second" $both --json -
    # shellcheck disable=SC2046
    echo "$one $two" $(grep -oE '"seconds":[0-9.e+-]+,"bytes":[0-9]+,"reduction"' out |
        sed -E 's/"seconds":([^,]*).*/\1/')
done >rounds

# least COLUMN
least() { awk -v c="$1" '{print $c}' rounds | sort -g | head -n 1; }
ratio() { echo "$(least "$1") $(least "$2")" | awk '{print $1 / $2}'; }

held 'race over alone, jacobi' "$(ratio 3 1)" 'v > 0.95 && v < 1.05'
held 'race over alone, shared' "$(ratio 4 2)" 'v > 0.95 && v < 1.05'
exit $failed
