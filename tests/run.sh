#!/bin/sh
# Runs the named stages, one line each, and closes on "N passed, N failed, N skipped" over all.
#
#   tests/run.sh unit e2e+shell gpu fuzz lint docs asan+tsan
#
# Stages with a + between them run side by side: those that wait, and those that leave a core idle.
# A stage builds what it runs, so that code which does not compile is a failed test and not a
# missing one.  Whatever runs the tests prints TAP lines, "ok NAME", "not ok NAME", "ok NAME # SKIP
# why" (shell tests may say "skip NAME why"): one counter reads them all.  Full logs: build/logs/.
set -u
cd "$(dirname "$0")/.." || exit 2
MAKE=${MAKE:-make}
seconds=${FUZZ_SECONDS:-5}
logs=build/logs
mkdir -p "$logs"
passed=0 failed=0 skipped=0

# More threads than cores must not burn the cores while they wait for each other.
export OMP_WAIT_POLICY=passive
export LC_ALL=C.UTF-8
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1}"
export LSAN_OPTIONS="${LSAN_OPTIONS:-suppressions=tests/leaks.supp:print_suppressions=0}"
# Libraries that were not built for it, libomp and OpenBLAS, would be reported as races.
export TSAN_OPTIONS="${TSAN_OPTIONS:-ignore_noninstrumented_modules=1}"

# tally STAGE STATUS SECONDS: count the log of a stage and print its line, with what failed under it
tally() {
    log=$logs/$1.tap
    # A leak or a race does not fail the test it happened in: each report is a failure of its own.
    reports=$(cat "$log" "$logs/$1.err" | grep -cE 'ERROR: LeakSanitizer|WARNING: ThreadSanitizer')
    p=$(grep '^ok ' "$log" | grep -vc '# SKIP')
    s=$(grep -cE '^ok .*# SKIP|^skip ' "$log")
    f=$(($(grep -c '^not ok ' "$log") + reports))
    # It died before it could say which test it was.
    if [ "$2" != 0 ] && [ "$f" = 0 ]; then f=1; fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    printf '%-6s %5d passed %5d failed %5d skipped %6d s\n' "$1" "$p" "$f" "$s" "$3"
    sed -nE 's/^ok -? *(.*[^ ]) *# SKIP (.*)/         skipped \1: \2/p
             s/^skip /         skipped /p' "$log"
    if [ "$f" != 0 ]; then
        awk '/^not ok /{show = 1} /^ok /{show = 0} show' "$log" | head -n 80
        if [ "$reports" != 0 ] || ! grep -q '^not ok ' "$log"; then
            tail -n 60 "$logs/$1.err"
            tail -n 1 "$log"
        fi
        echo "         more in $log and $logs/$1.err"
    fi
}

# build PROFILE TARGET...: quiet unless it fails; one at a time, for stages share profiles
build() {
    $one_at_a_time $MAKE PROFILE="$@" >"$logs/$stage.build" 2>&1 && return
    cp "$logs/$stage.build" "$logs/$stage.err"
    return 1
}
one_at_a_time=$(command -v flock) && one_at_a_time="$one_at_a_time $logs/building"

# limit SECONDS COMMAND...: where the machine can, a hang is a failure
limit() {
    if command -v timeout >/dev/null 2>&1; then set -- timeout "$@"; else shift; fi
    "$@"
}

# criterion PROFILE PROGRAM [OPTION...]: Criterion writes TAP to a file, for people to stderr
criterion() {
    program=build/$1/tests/$2
    build "$1" "$program" || return
    shift 2
    limit 1800 "$program" --tap="$logs/$stage.tap" "$@" >>"$logs/$stage.err" 2>&1
}

# scripts FILE...: tests that print their own lines
scripts() {
    for script in "$@"; do
        [ -e "$script" ] || continue
        limit 300 sh "$script" >"$logs/$stage.one" 2>>"$logs/$stage.err"
        code=$?
        cat "$logs/$stage.one"
        if [ $code != 0 ] && ! grep -q '^not ok ' "$logs/$stage.one"; then
            echo "not ok $script exited with $code"
            tail -n 20 "$logs/$stage.err"
        fi
    done >"$logs/$stage.tap"
    rm -f "$logs/$stage.one"
}

stage_unit() { criterion release unit_tests; }

stage_asan() {
    criterion asan unit_tests
    ran=$?
    build asan build || return
    limit 600 sh tests/asan/corners.sh build/asan/stencilscope >>"$logs/$stage.tap" \
        2>>"$logs/$stage.err" || ran=1
    return $ran
}

# One at a time: these look at the clock.
stage_e2e() { build release build && criterion release e2e_tests --jobs 1; }

stage_shell() { build release build && scripts tests/e2e/*.sh; }

stage_lint() {
    build release build
    built=$?
    scripts tests/lint/*.sh
    return $built
}

stage_docs() {
    build release build || return
    if assets/docs.sh check "$STENCILSCOPE" 2>>"$logs/$stage.err"; then
        echo 'ok README is current'
    else
        echo 'not ok README is current (make docs)'
        cat "$logs/$stage.err"
    fi >"$logs/$stage.tap"
}

# libFuzzer where clang is, else the mutations of tests/fuzz/driver.c under gcc's sanitizers.
stage_fuzz() {
    profile=asan
    if assets/deps.sh have sanitize >/dev/null; then profile=fuzz; fi
    build $profile fuzzers || return
    for source in tests/fuzz/*.c; do
        name=$(basename "$source" .c)
        target=build/$profile/tests/fuzz_$name
        [ -x "$target" ] || continue
        # New inputs go to the first folder: never into the source tree.
        mkdir -p "build/corpus/$name"
        if "$target" -max_total_time="$seconds" -timeout=10 -seed=1 -artifact_prefix=build/corpus/ \
            "build/corpus/$name" $(ls -d "tests/fuzz/corpus/$name" 2>/dev/null) \
            >"$logs/fuzz_$name.log" 2>&1; then
            echo "ok fuzz $name"
        else
            echo "not ok fuzz $name"
            tail -n 40 "$logs/fuzz_$name.log"
        fi
    done >"$logs/$stage.tap"
}

# Skipped test by test, with the reason, where there is no GPU.
stage_gpu() {
    build release build/release/tests/gpu_tests || return
    limit 900 build/release/tests/gpu_tests >"$logs/$stage.tap" 2>>"$logs/$stage.err"
}

stage_tsan() {
    if ! why=$(assets/deps.sh have sanitize); then
        echo "skip tsan $why" >"$logs/$stage.tap"
        return 0
    fi
    build tsan build/tsan/tests/unit_tests || return
    limit 900 build/tsan/tests/unit_tests >"$logs/$stage.tap" 2>>"$logs/$stage.err"
}

STENCILSCOPE=$PWD/build/release/stencilscope
export STENCILSCOPE

# --stage NAME: one of them, as below: its log, and in NAME.end its status and its seconds
if [ "$1" = --stage ]; then
    stage=$2 began=$(date +%s)
    : >"$logs/$stage.tap"
    : >"$logs/$stage.err"
    "stage_$stage"
    echo $? $(($(date +%s) - began)) >"$logs/$stage.end"
    exit 0
fi

# By xargs and not by &, which would leave them deaf to an interrupt.
for group in "$@"; do
    group=$(echo "$group" | tr + ' ')
    for name in $group; do echo '1 0' >"$logs/$name.end"; done
    printf '%s\n' $group | xargs -P 8 -I {} tests/run.sh --stage {}
    for name in $group; do tally "$name" $(cat "$logs/$name.end"); done
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
