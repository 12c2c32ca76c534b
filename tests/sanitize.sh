#!/bin/sh
# The net's command lines for a GPU (tests/net/lines.txt) and those below, which have the kernels that
# the net leaves out, under compute-sanitizer: memcheck (accesses out of bounds), initcheck (global memory read
# before it is written), racecheck (shared memory used by two threads without a barrier in between).
# Prints a line per tool and command line, the kernels that ran, then the count.
#
#   sanitize.sh PROGRAM [I/N]    part I of N parts, from 1; without it all
#
# Without compute-sanitizer or without a GPU it prints a skip line.  TOOLS="memcheck" chooses the
# tools, JOBS how many lines run at once.  Lines that have passed are kept in build/logs/sanitized,
# so that a run that was ended goes on where it was; a new program begins again.
set -u
cd "$(dirname "$0")/.." || exit 2
logs=$PWD/build/logs done=$PWD/build/logs/sanitized

# one PROGRAM TOOL ARGUMENTS: one line; its report stays if it fails
if [ "${1:-}" = one ]; then
    program=$2 tool=$3 arguments=$4
    report=$(mktemp "$logs/sanitize-$tool.XXXXXX") || exit 2
    # shellcheck disable=SC2086 # words
    if OMP_NUM_THREADS=2 "$SANITIZER" --tool "$tool" --target-processes application-only \
        --error-exitcode 9 "$program" $arguments --ui none >"$report" 2>&1 </dev/null; then
        echo "ok $tool $arguments"
        echo "$tool $arguments" >>"$done"
        rm -f "$report"
    elif grep -q '^stencilscope: devices:' "$report"; then
        echo "skip $tool $arguments: $(grep '^stencilscope: devices:' "$report")"
        rm -f "$report"
    else
        echo "not ok $tool $arguments: $(grep -E 'SUMMARY|^stencilscope' "$report" | tail -n 1) ($report)"
    fi
    exit 0
fi

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo 'usage: tests/sanitize.sh PROGRAM [I/N]' >&2
    exit 2
fi
program=$(realpath "$1") part=${2:-1/1}
nothing() {
    echo "skip sanitizer: $1"
    exit 0
}
SANITIZER=$(command -v compute-sanitizer || command -v /usr/local/cuda/bin/compute-sanitizer) ||
    nothing 'there is no compute-sanitizer on the PATH or in /usr/local/cuda/bin'
export SANITIZER XDG_CACHE_HOME="$PWD/build/sanitized" # kernels of these runs only
why=$("$program" poisson2d jacobi --n 8 --cycles 1 --backend cuda --json - 2>&1) ||
    nothing "$(echo "$why" | head -n 1)"
mkdir -p "$logs" "$XDG_CACHE_HOME" || exit 2
[ -n "$(find "$done" -newer "$program" 2>/dev/null)" ] || : >"$done"

lines() {
    sed -n 's/^\([^ ]* \)\{7\}\(.*--backend cuda.*\)/\2/p' tests/net/lines.txt
    for precision in f64 f32; do
        while read -r run; do
            echo "$run --precision $precision --backend cuda"
        done <<'RUNS'
poisson2d jacobi --kernel naive --n 131 --ny 67 --cycles 9 --check-every 1
poisson2d jacobi --kernel padded --n 131 --ny 67 --cycles 9 --check-every 1
poisson2d jacobi --kernel texture --n 131 --ny 67 --cycles 9 --check-every 1
poisson2d jacobi --kernel smem-packed --n 131 --ny 67 --cycles 9 --check-every 1
poisson2d jacobi --kernel smem --n 131 --ny 67 --cycles 9 --check-every 1
poisson2d jacobi --kernel unrolled --n 131 --ny 67 --cycles 9 --check-every 1
poisson2d jacobi --kernel inline --n 131 --ny 67 --cycles 9 --check-every 1
poisson2d jacobi --damping 0.8 --n 131 --ny 67 --cycles 9 --check-every 1
poisson2d jacobi --devices 0,1 --n 131 --ny 67 --exchange 3 --cycles 9 --check-every 1
poisson2d shared --tile memory --k 5 --block 24 --n 131 --ny 67 --cycles 5 --check-every 1
poisson2d shared --tile memory --k 5 --block 24 --overlap 4 --n 131 --ny 67 --cycles 5
poisson2d shared --tile resident --k 8 --overlap 14 --n 131 --ny 267 --cycles 5
poisson2d shared --tile march --k 8 --overlap 16 --n 516 --ny 267 --cycles 5
poisson2d shared --tile pipeline --k 12 --overlap 24 --n 540 --ny 267 --cycles 5
poisson2d shared --k 12 --block 128 --block-y 64 --overlap 22 --n 531 --ny 267 --cycles 5
poisson2d sor --kernel interleaved --n 131 --ny 67 --cycles 9 --check-every 1
poisson2d sor --kernel split --n 131 --ny 67 --cycles 9 --check-every 1
poisson2d async --variant 1 --n 131 --ny 67 --cycles 9
poisson2d async --variant 2 --n 131 --ny 67 --cycles 9
poisson2d async --variant 3 --n 131 --ny 67 --cycles 9
poisson1d async --variant 3 --n 1031 --cycles 9
advdiff2d jacobi --n 131 --ny 67 --cycles 9 --check-every 1
advdiff2d shared --n 131 --ny 67 --cycles 5
poisson3d block-jacobi --inverse dense --patch 16 --bx 4 --px 2 --cycles 5
poisson3d block-gs --inverse dense --patch 16 --bx 4 --px 2 --cycles 5
heat1d swept --variant strip --block 256 --n 2048 --cycles 3
ks1d swept --variant strip --block 256 --n 2048 --cycles 3
euler1d swept --variant strip --block 256 --n 2048 --cycles 3
heat1d swept --variant warp --block 64 --n 1024 --devices 0,1 --cycles 3
RUNS
    done
}

# The asynchronous solver's third variant keeps a tile in shared memory without barriers: warps read
# values that others write at the same time, on purpose (kernels/cuda/jacobi/async.cuh says why that
# is safe).
races_on_purpose() {
    case "$1" in *' async '*) ! echo "$1" | grep -qE -- '--variant [12] ' ;; *) false ;; esac
}

work=$(mktemp) out=$(mktemp) || exit 2
trap 'rm -f "$work" "$out"' EXIT
for tool in ${TOOLS:-memcheck initcheck racecheck}; do
    lines | awk -v "part=$part" 'BEGIN { split(part, p, "/") } (NR - 1) % p[2] == p[1] - 1' |
        while read -r arguments; do
            if [ "$tool" = racecheck ] && races_on_purpose "$arguments"; then
                echo "skip $tool $arguments: it races on purpose" >>"$out"
            elif grep -qxF -- "$tool $arguments" "$done"; then
                echo "ok $tool $arguments, before" >>"$out"
            else
                printf '%s\0%s\0' "$tool" "$arguments"
            fi
        done
done >"$work"
cat "$out"
xargs -0 -n 2 -P "${JOBS:-$(($(nproc) / 2 + 1))}" "$0" one "$program" <"$work" | tee -a "$out"
"$program" kernels list | sed -n 's/^sm.*: /kernel /p'
count() { grep -c "^$1 " "$out"; }
echo "$(count ok) passed, $(count 'not ok') failed, $(count skip) skipped"
[ "$(count 'not ok')" = 0 ]
