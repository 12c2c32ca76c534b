#!/bin/sh
# Are the fields of the page those of the program, bit for bit? Runs every pair of equation and solver
# that the CPU has, in both precisions, and scripts that set, paint and undo, once natively with one
# thread and once for WebAssembly under node, and compares the saved fields.
#
#   bits.sh [PROGRAM [PAGE.js]]     prints a line per case; those of differs.txt may differ
set -u
cd "$(dirname "$0")/../.." || exit 2
here=$PWD
program=$here/${1:-build/release/stencilscope}
page=$here/${2:-build/web/stencilscope.js}
command -v node >/dev/null || { echo 'skipped: node is not installed'; exit 0; }
[ -f "$page" ] || { echo "skipped: there is no $page (make web)"; exit 0; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
status=0 same=0 known=0

wasm() { node --no-experimental-fetch "$here/tests/web/run.js" "$page" "$@"; }

# compare NAME ARGUMENTS...: the fields that both programs save
compare() {
    name=$1
    shift
    rm -f native.npy wasm.npy
    "$program" "$@" --backend cpu --threads 1 --deterministic --ui none --save native.npy >native.txt 2>&1
    native=$?
    wasm "$@" --backend cpu --deterministic --ui none --save wasm.npy >wasm.txt 2>&1
    if [ $native = 2 ] && grep -q 'stencilscope: ' wasm.txt && ! [ -f wasm.npy ]; then
        echo "both refuse $name: $(sed -n '1s/^stencilscope: //p' native.txt)"
    elif cmp -s native.npy wasm.npy; then
        same=$((same + 1))
    elif ! [ -f native.npy ] || ! [ -f wasm.npy ]; then
        echo "no field: $name: $(tail -n 1 wasm.txt)"
        status=1
    else
        bytes=$(cmp -l native.npy wasm.npy | wc -l)
        if grep -qxF "$name" "$here/tests/web/differs.txt"; then
            known=$((known + 1))
            echo "differs, as listed: $name, $bytes bytes"
        else
            echo "differs: $name, $bytes bytes of $(wc -c <native.npy)"
            status=1
        fi
    fi
}

pairs=$(sed -nE 's/^SS_RUNS\(([a-z0-9]+), ([a-z_]+), cpu,.*/\1 \2/p' "$here/kernels/matrix.def" | tr _ -)
# Multigrid halves its grid down to one point.
size_of() {
    case $1 in
    poisson3d | heat1d | ks1d | euler1d) ;;
    poisson1d | line) echo --n 1023 ;;
    *) echo --n 255 ;;
    esac
}

echo "$pairs" >pairs
while read -r equation solver; do
    for precision in f64 f32; do
        compare "$equation $solver $precision" "$equation" "$solver" $(size_of "$equation") \
            --precision $precision --cycles 50 </dev/null
    done
done <pairs

# script NAME LINES RUN...: the same after commands
script() {
    name=$1
    printf '%b' "$2" >"$name.run"
    shift 2
    compare "script $name" "$@" --run "$name.run"
}
script tuned 'step 40\nset k 5\nstep 13\nset overlap 4\nstep 30\n' poisson2d shared --n 200
script painted 'step 10\npaint 100 120 30 0.5\nstep 40\npaint 20 30 5 -1\nstep 20\n' poisson2d jacobi --n 160
script undone 'step 20\nset k 12\nstep 10\nundo\nstep 10\nset overlap 2\nstep 5\nundo\nredo\nstep 5\n' \
    poisson1d shared --n 1000
script switched 'step 5\nset solver chebyshev\nstep 20\nset solver multigrid\nstep 3\n' poisson2d jacobi --n 127
script swept 'step 6\npaint 300 0 20 1\nstep 6\nset block 64\nstep 6\n' heat1d swept --n 1024

echo "$same fields are bit-for-bit equal, $known differ as listed in tests/web/differs.txt"
exit $status
