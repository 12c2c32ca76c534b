#!/bin/sh
# The CUDA backend where something is missing: tests/cuda/driver.c answers what the case needs.  One sentence
# each, and the CPU goes on.
. tests/e2e/cli.inc

driver=$(cd "$(dirname "$program")/tests/cuda" && pwd) || exit 1

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
exit $failed
