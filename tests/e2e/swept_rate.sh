#!/bin/sh
# Speed-up of the swept rule on this machine's CPU, by less waiting and less memory traffic.
# Timings, about two minutes and twice the last-level cache of memory for each of two arrays:
# `SS_TIMINGS=1 tests/e2e/swept_rate.sh` prints and checks them; else they are skipped.  RATE_ROUNDS=N
# sets the number of interleaved rounds of the medians.
cd "$(dirname "$0")/../.." || exit 2
if [ "${SS_TIMINGS:-0}" != 1 ]; then
    echo 'skip swept rate a timing: SS_TIMINGS=1 tests/e2e/swept_rate.sh'
    exit 0
fi
. tests/e2e/cli.inc
. "$root/tests/e2e/rate.inc"
rounds=${RATE_ROUNDS:-5}
# A passive wait would favour the swept rule, which waits less.
OMP_WAIT_POLICY=active
export OMP_WAIT_POLICY
echo "figure wait_policy $OMP_WAIT_POLICY"

# step ARGUMENT...: seconds per time step
step() {
    run "$@" --backend cpu --ui none --json -
    echo "$(sed -E 's/.*"solve":([^,]*),.*/\1/' out) $(value out steps)" | awk '{print $1 / $2}'
}

# --- modelled ranks: a classic step waits for --latency ---------------------------------------------

for asked in 20e-6 200e-6 2e-3; do
    far=$(step heat1d stepper --n 64 --cycles 200 --latency "$asked")
    held "latency_${asked}_over_asked" "$(echo "$far $asked" | awk '{print $1 / $2}')" \
        'v > 1 && v < 1.15'
done

# --- swept over the fastest classic stepping ---------------------------------------------------------

# faster NAME LEAST STEPS TILES ARGUMENT...: the median over rounds, for the best tile.  TILES are
# BLOCK:THREADS, threads 0: as many as there are processors.
faster() {
    name=$1 least=$2 steps=$3 tiles=$4
    shift 4
    rm -f tile.*
    for round in $(seq "$rounds"); do
        classic=$(for threads in 0 1; do
            step heat1d stepper --threads $threads --cycles "$steps" "$@"
        done | sort -g | head -n 1)
        for tile in $tiles; do
            block=${tile%:*}
            swept=$(step heat1d swept --block "$block" --threads "${tile#*:}" \
                --cycles "$((16 * steps / block + 1))" "$@")
            echo "$classic $swept" | awk '{print $1 / $2, $1 * 1e6, $2 * 1e6}' >>"tile.$tile"
        done
    done
    best=$(for tile in $tiles; do echo "$(median "tile.$tile") $tile"; done | sort -g | tail -n 1)
    tile=${best#* }
    echo "figure ${name}_tile $tile"
    echo "figure ${name}_us_classic $(median "tile.$tile" 2)"
    echo "figure ${name}_us_swept $(median "tile.$tile" 3)"
    held "${name}_times_faster" "${best% *}" "v >= $least"
}

faster swept_latency_20us 10 16384 '1024:0 2048:0 4096:0 1024:1 2048:1' --n 16384 --latency 20us
cache=$(cat /sys/devices/system/cpu/cpu0/cache/index*/size 2>/dev/null | sort -n | tail -n 1)
cache=${cache%K}
n=$(((2 * ${cache:-32768} * 1024 / 8 / 1048576 + 1) * 1048576)) # each array twice the cache
echo "figure swept_large_n $n"
faster swept_large 2.5 8 '512:0 1024:0' --n "$n"

exit $failed
