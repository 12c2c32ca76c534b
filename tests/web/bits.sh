#!/bin/sh
# Are the fields of the page those of the program, bit for bit? Runs every pair of equation and solver
# that the CPU has, in both precisions, and scripts that set, paint and undo, once natively with one
# thread and once for WebAssembly under node, and compares the saved fields.
#
#   bits.sh [PROGRAM [PAGE.js]]
cd "$(dirname "$0")/../.." || exit 2
. tests/web/web.inc

# same NAME ARGUMENTS...: do both programs save the same field?
same() {
    name=$1
    shift
    rm -f native.npy wasm.npy
    "$program" "$@" --backend cpu --threads 1 --deterministic --ui none --save native.npy >native.txt 2>&1
    wasm "$@" --backend cpu --deterministic --ui none --save wasm.npy >wasm.txt 2>&1
    if cmp -s native.npy wasm.npy; then
        equal=$((equal + 1))
    else
        echo "not ok $name: $(cmp -l native.npy wasm.npy 2>&1 | wc -l) bytes differ; $(tail -n 1 wasm.txt)"
    fi
}
equal=0

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
        same "$equation $solver $precision" "$equation" "$solver" $(size_of "$equation") \
            --precision $precision --cycles 50 </dev/null
    done
done <pairs

# script NAME LINES RUN...: the same after commands
script() {
    name=$1
    printf '%b' "$2" >"$name.run"
    shift 2
    same "script $name" "$@" --run "$name.run"
}
script tuned 'step 40\nset k 5\nstep 13\nset overlap 4\nstep 30\n' poisson2d shared --n 200
script painted 'step 10\npaint 100 120 30 0.5\nstep 40\npaint 20 30 5 -1\nstep 20\n' poisson2d jacobi --n 160
script undone 'step 20\nset k 12\nstep 10\nundo\nstep 10\nset overlap 2\nstep 5\nundo\nredo\nstep 5\n' \
    poisson1d shared --n 1000
script switched 'step 5\nset solver chebyshev\nstep 20\nset solver multigrid\nstep 3\n' poisson2d jacobi --n 127
script swept 'step 6\npaint 300 0 20 1\nstep 6\nset block 64\nstep 6\n' heat1d swept --n 1024

[ $equal != 0 ] && echo "ok $equal fields of the page are bit-for-bit equal to the program's"
