#!/bin/sh
# The program, built with sanitizers, on very small grids: every solver, sizes around one vector, one
# warp and one block.  Each size either runs without a sanitizer report or is refused with a sentence.
# Prints "ok NAME" and "not ok NAME: why".
#
#   corners.sh PROGRAM
set -u
program=$1
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
failed=0

# run MOST ARGUMENT...: adds to $why a sanitizer report or an exit status above MOST
run() {
    most=$1
    shift
    timeout 60 "$program" "$@" --backend cpu --threads 2 --ui none --json - >"$tmp/out" 2>"$tmp/err" \
        </dev/null
    code=$?
    if [ $code -gt "$most" ] || grep -qE 'Sanitizer|runtime error' "$tmp/err"; then
        why="$why $*: status $code $(grep -m 1 -E 'Sanitizer|runtime error' "$tmp/err");"
    fi
}

# corner NAME SIZES ARGUMENT...: runs every size as the value of the last argument
corner() {
    name=$1 sizes=$2 why=''
    shift 2
    for n in $sizes; do
        for precision in f64 f32; do
            run 2 "$@" "$n" --precision "$precision" --cycles 2
        done
    done
    # An interactive session: parts of a cycle, changes, undo, rewind.
    run 0 "$@" "$n" -e 'step 2' -e tick -e 'set threads 1' -e 'step 1' -e undo -e reset -e 'step 1' \
        -e 'rewind 0'
    if [ -z "$why" ]; then
        echo "ok $name"
    else
        echo "not ok $name:$(printf '%s' "$why" | tr '\n' ' ' | cut -c 1-600)"
        failed=1
    fi
}

points='1 2 3 5 7 8 9 15 17 31 33'
corner 'lines: jacobi' "$points" poisson1d jacobi --problem random --copies 3 --n
corner 'lines: shared' "$points" poisson1d shared --problem random --block 7 --k 5 --overlap 4 --n
corner 'planes: jacobi' "$points" poisson2d jacobi --problem random --ny 5 --error --n
corner 'planes: shared' "$points" poisson2d shared --problem random --block 9 --block-y 4 --overlap 2 --n
for variant in 0 1 2 3; do
    corner "planes: async, variant $variant" "$points" poisson2d async --problem random --alpha 5 \
        --variant $variant --n
done
corner 'lines: sor' "$points" poisson1d sor --problem random --copies 3 --n
corner 'planes: sor' "$points" poisson2d sor --problem random --ny 5 --omega 1.5 --error --n
corner 'planes: chebyshev' "$points" poisson2d chebyshev --problem random --ny 5 --n
corner 'planes: damped jacobi' "$points" poisson2d jacobi --problem random --damping 0.8 --n
for variant in classic pipelined s-step; do
    corner "planes: cg, $variant" "$points" poisson2d cg --problem random --ny 5 --variant $variant --n
done
for smoother in jacobi red-black; do
    corner "planes: multigrid, $smoother" '1 3 7 15 31' poisson2d multigrid --ny 7 --shape f \
        --smoother $smoother --problem random --n
done
corner 'lines: multigrid' '1 3 7 15 31' poisson1d multigrid --problem random --copies 2 --shape w --n
corner 'tridiagonal: jacobi' "$points" line jacobi --problem random --copies 3 --west -1.2 --error --n
corner 'tridiagonal: shared' "$points" line shared --problem random --block 7 --k 5 --overlap 4 --n
corner 'tridiagonal: async' "$points" line async --problem random --copies 2 --alpha 5 --n
corner 'pentadiagonal: jacobi' "$points" plane jacobi --problem random --ny 5 --north -0.3 --error --n
corner 'pentadiagonal: shared' "$points" plane shared --problem random --block 9 --block-y 4 --overlap 2 --n
corner 'pentadiagonal: async' "$points" plane async --problem random --alpha 5 --n
corner 'advection: jacobi' "$points" advdiff2d jacobi --ny 17 --scheme upwind --error --n
corner 'advection: shared' "$points" advdiff2d shared --problem spike --block 9 --k 3 --n
for smoother in block-jacobi block-gs; do
    corner "patches: multigrid, $smoother" '16 18 24 32' poisson3d multigrid --px 2 --bx 3 --shape f \
        --smoother $smoother --ghost mirror --patch
done
corner 'patches: jacobi' '1 2 3 5 8 9' poisson3d jacobi --px 2 --patch
corner 'patches: block-jacobi' '1 2 3 5 8 9' poisson3d block-jacobi --px 2 --bx 4 --patch
corner 'patches: block-jacobi, stored' '1 2 3 5 8 9' poisson3d block-jacobi --bx 4 --inverse dense --patch
corner 'patches: block-gs' '1 2 3 5 8 9' poisson3d block-gs --py 2 --bx 3 --parallel block --patch
for equation in heat1d ks1d euler1d; do
    corner "$equation: stepper" '4 5 7 8 9 15 17 33' $equation stepper --n
    corner "$equation: swept" '8 12 16 24 32 64' $equation swept --block 8 --n
done
exit $failed
