#!/bin/sh
# The CUDA backend where something is missing: tests/cuda/driver.c answers what the case needs.  One sentence
# each, and the CPU goes on.
. tests/e2e/cli.inc

tests=$(cd "$(dirname "$program")/tests" && pwd) || exit 1
driver=$tests/cuda:$tests/nvrtc

# refuses SENTENCE NAME=VALUE...: --backend cuda ends with it, without it the CPU computes
refuses() {
    sentence=$1
    shift
    status=0
    env LD_LIBRARY_PATH="$driver" XDG_CACHE_HOME="$PWD/cache" "$@" "$program" poisson2d jacobi --n 16 --cycles 2 \
        --until 0 --ui none --backend cuda >out 2>err || status=$?
    why=
    grep -qF "$sentence" err || why="said: $(cat out err)"
    [ "$(wc -l <err)" -le 2 ] || why="$why; more than one sentence"
    [ $status != 0 ] || why="$why; status 0"
    env LD_LIBRARY_PATH="$driver" XDG_CACHE_HOME="$PWD/cache" "$@" "$program" poisson2d jacobi --n 16 --cycles 2 \
        --until 0 --ui none >out 2>err || why="$why; without --backend: status $?: $(cat err)"
    [ -z "$why" ] && pass "cuda: $sentence" || fail "cuda: $sentence" "$why"
}

refuses 'the CUDA driver is too old: it is for CUDA 11.8, 12.0 is needed' FAKE_DRIVER=11080
refuses 'no CUDA device' FAKE_COUNT=0
refuses 'no CUDA device' FAKE_INIT=100
refuses 'no CUDA: a reason of the driver' FAKE_INIT=999
refuses 'the CUDA driver has no function cuLaunchKernelEx' FAKE_LACKS=cuLaunchKernelEx
refuses 'compute capability 6.0: the kernels need 7.5 or newer' FAKE_MAJOR=6

# A bundle: a driver that NVRTC 13 is too new for, and kernels in a folder that is only read.
run_from_bundle() {
    status=0
    env LD_LIBRARY_PATH="$driver" XDG_CACHE_HOME="$PWD/own" STENCILSCOPE_CACHE="$PWD/made/stencilscope/kernels" \
        FAKE_DRIVER=12000 timeout 20 "$program" "$@" --cycles 2 --until 0 --ui none \
        --backend cuda >out 2>err || status=$?
}
kept='CUDA with kernels on disk and no compiler'
if ! LD_LIBRARY_PATH=$driver XDG_CACHE_HOME=$PWD/made "$program" kernels fill 90 'poisson2d shared --n 64 --block 32 --k 4' 'poisson3d block-jacobi' >out 2>err; then
    skip "$kept" "$(cat err)"
elif run_from_bundle poisson2d shared --n 64 --block 40 && [ $status = 0 ]; then
    skip "$kept" 'there is NVRTC 12'
else
    why=
    grep -qF 'install cuda-nvrtc-12-0 of' err && grep -qF 'without it there is block 32' err || why=$(cat err)
    verdict 'cuda: a missing kernel names its package and the nearest setting that is there' "$why"
    # Its neighbours with larger blocks would have inverses of gigabytes.
    run_from_bundle poisson3d block-jacobi --inverse dense --bx 3
    verdict 'cuda: the nearest setting is found without computing inverses' "$(
        grep -qF 'without it there is block-jacobi with its defaults' err || echo "$status $(cat err)")"
    run_from_bundle poisson2d shared --n 64 --block 32 --k 4
    # The stand-in computes nothing, so that the run ends at once.
    verdict 'cuda: what a bundle has is prepared without a compiler' "$(
        grep -q 'start of the device' out && ! grep -q NVRTC out err || echo "$status $(cat out err)")"
    verdict 'cuda: a folder of a bundle is only read' "$(find own -type f)"
fi
exit $failed
