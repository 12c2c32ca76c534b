#!/bin/sh
# The tests of the GPU under compute-sanitizer, every tool over every suite: memcheck (accesses out of
# bounds), initcheck (global memory that is read before it is written), racecheck (shared memory that
# two threads use without a barrier in between).  A line for each tool and suite, then the count.
# Slow: every access is looked at, and some tests take minutes with every tool.
#
#   sanitize.sh PROGRAM    the test program, as `make test-sanitizer` builds it
#
# Where there is no compute-sanitizer or no GPU that is said, and no failure.  CHECK_STEPS and
# CHECK_SECONDS are for the tests (tests/gpu/gpu.h, tests/plain.c), TOOLS="memcheck" is a choice.
# Full reports: build/logs/.
set -u
cd "$(dirname "$0")/.." || exit 2
if [ $# != 1 ]; then
    echo 'usage: tests/sanitize.sh PROGRAM' >&2
    exit 2
fi
program=$1
logs=build/logs
mkdir -p "$logs" || exit 2
export CHECK_STEPS="${CHECK_STEPS:-3}" CHECK_SECONDS="${CHECK_SECONDS:-600}"
export STENCILSCOPE="${STENCILSCOPE:-$PWD/build/release/stencilscope}" # what suite `fault` starts
passed=0 failed=0 skipped=0

pass() { echo "ok $1"; passed=$((passed + 1)); }
fail() { echo "not ok $1: $2"; failed=$((failed + 1)); }
skip() { echo "skip $1: $2"; skipped=$((skipped + 1)); }

# Why a tool does not look at a suite; nothing: it does.
exempt() {
    case "$1 $2" in
    # Variant 3 of the asynchronous solver keeps a tile in shared memory and has no barrier: each
    # warp reads what others write meanwhile, on purpose (kernels/cuda/jacobi/async.cuh says what makes that
    # safe).  racecheck would report every sweep of it.
    'racecheck gpu_async') echo 'in shared memory without barriers the races are the method' ;;
    esac
}

# check TOOL SUITE: its report in the log, its verdict as a line
check() {
    log=$logs/sanitize-$1-$2.log
    # Not the programs that suite fault starts: what fails there is made to fail.
    "$sanitizer" --tool "$1" --target-processes application-only --error-exitcode 9 \
        "$program" -f "$2::" >"$log" 2>&1 </dev/null
    status=$?
    ran=$(grep '^ok ' "$log" | grep -vc '# SKIP')
    if [ $status = 9 ]; then
        fail "$1 $2" "$(grep 'SUMMARY' "$log" | tail -n 1 | sed 's/^=* *//') ($log)"
    elif [ $status != 0 ]; then
        why=$(grep -A 1 '^not ok ' "$log" | head -n 2 | tr '\n' ' ')
        why=${why:-in $(grep '^# .*::' "$log" | tail -n 1 | grep . || echo 'no test')}
        fail "$1 $2" "exit status $status $why ($log)"
    elif [ "$ran" = 0 ] && grep -q '# SKIP' "$log"; then
        skip "$1 $2" "$(sed -n 's/.*# SKIP //p' "$log" | head -n 1)"
    elif [ "$ran" = 0 ]; then
        fail "$1 $2" "not a test was run ($log)"
    else
        pass "$1 $2"
    fi
}

nothing() {
    echo "skip sanitizer: $1"
    exit 0
}

sanitizer=$(command -v compute-sanitizer || command -v /usr/local/cuda/bin/compute-sanitizer) ||
    nothing 'there is no compute-sanitizer on the PATH or in /usr/local/cuda/bin'
why=$("$STENCILSCOPE" poisson2d jacobi --n 8 --cycles 1 --backend cuda --json - 2>&1) ||
    nothing "$(echo "$why" | head -n 1)"

# A test says its name before it runs.  With all GPUs hidden none gets further than that.
suites=$(CUDA_VISIBLE_DEVICES='' "$program" | sed -n 's/^# \([A-Za-z0-9_]*\)::.*/\1/p' | sort -u)
if [ -z "$suites" ]; then
    echo "not ok sanitizer: $program names no test"
    exit 1
fi

for tool in ${TOOLS:-memcheck initcheck racecheck}; do
    for suite in $suites; do
        why=$(exempt "$tool" "$suite")
        if [ -n "$why" ]; then skip "$tool $suite" "$why"; else check "$tool" "$suite"; fi
    done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
