#!/bin/sh
# Runs the named stages, prints a line for each, and ends with "N passed, N failed, N skipped" over
# all of them.
#
#   tests/run.sh build unit e2e+shell lint+docs
#   tests/run.sh --also slow gpu    counts what the run before this one counted, too
#   tests/run.sh --test NAME        one test: suite::name, suite::*, the name of a shell script, a stage
#
# The line before the last one has the seconds: wall, and those of all processors. CPU_LIMIT=MINUTES
# makes more of the latter a failure.
#
# Stages joined by + run at the same time.  A stage builds what it runs, so code that does not
# compile is a failed test, not a missing one.  Every test program prints TAP lines: "ok NAME",
# "not ok NAME", "ok NAME # SKIP why"; shell tests may also print "skip NAME why".  tally() counts
# them all.  Full logs: build/logs/.
set -u
cd "$(dirname "$0")/.." || exit 2
MAKE=${MAKE:-make}
seconds=${FUZZ_SECONDS:-5}
logs=build/logs
mkdir -p "$logs"
passed=0 failed=0 skipped=0

# Waiting threads sleep: tests use more threads than there are cores.
export OMP_WAIT_POLICY=passive
export LC_ALL=C.UTF-8
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1}"
export LSAN_OPTIONS="${LSAN_OPTIONS:-suppressions=tests/leaks.supp:print_suppressions=0}"
# Libraries that are not instrumented, libomp and OpenBLAS, would be reported as races.
export TSAN_OPTIONS="${TSAN_OPTIONS:-ignore_noninstrumented_modules=1}"

# tally STAGE STATUS SECONDS: count the log of a stage and print its line, with what failed under it
tally() {
    log=$logs/$1.tap
    # A leak or a race does not fail the test it happened in: each report is a failure of its own.
    reports=$(cat "$log" "$logs/$1.err" | grep -cE 'ERROR: LeakSanitizer|WARNING: ThreadSanitizer')
    p=$(grep '^ok ' "$log" | grep -vc '# SKIP')
    s=$(grep -cE '^ok .*# SKIP|^skip ' "$log")
    f=$(($(grep -c '^not ok ' "$log") + reports))
    # The program ended before it printed the name of a test.
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

# build PROFILE TARGET...: silent unless it fails; one at a time, since stages share profiles
build() {
    $one_at_a_time $MAKE PROFILE="$@" >"$logs/$stage.build" 2>&1 && return
    cp "$logs/$stage.build" "$logs/$stage.err"
    return 1
}
one_at_a_time=$(command -v flock) && one_at_a_time="$one_at_a_time $logs/building"

# limit SECONDS COMMAND...: ends a command that hangs, where there is timeout(1)
limit() {
    if command -v timeout >/dev/null 2>&1; then set -- timeout "$@"; else shift; fi
    "$@"
}

# criterion PROFILE PROGRAM FILTER [OPTION...]: adds the results of the tests that fit the filter to
# the log.  Criterion writes TAP to a file; tests outside the filter are in it as "test was skipped".
criterion() {
    program=build/$1/tests/$2 filter=$3
    build "$1" "$program" || return
    shift 3
    limit 1800 "$program" --tap="$logs/$stage.criterion" --filter "$filter" "$@" \
        >>"$logs/$stage.err" 2>&1
    ran=$?
    grep -av '# SKIP test was skipped$' "$logs/$stage.criterion" >>"$logs/$stage.tap" 2>/dev/null
    rm -f "$logs/$stage.criterion"
    return $ran
}

# Measurements run alone.
at_once=4
[ "${SS_TIMINGS:-0}" = 1 ] && at_once=1

# What `make test` runs of a stage; `slow` runs the rest. SLOW_TEST is in tests/check.h.
quick='!(slow_*)/*'
quick_screens='@(signals|keys|mouse)/*'
quick_scripts='tests/e2e/cli.sh tests/e2e/race.sh'

# one_script FILE: runs a test that prints its own lines; its output is FILE.one under build/logs/
one_script() {
    out=$logs/$(basename "$1").one err=$logs/$(basename "$1").err
    limit 600 sh "$1" >"$out" 2>"$err"
    code=$?
    if [ $code != 0 ] && ! grep -q '^not ok ' "$out"; then
        echo "not ok $1 exited with $code"
        tail -n 20 "$err"
    fi >>"$out"
}

# scripts JOBS FILE...: runs JOBS at a time, bench.sh and the largest first; their output in the
# order of their names
scripts() {
    jobs=$1
    shift
    # shellcheck disable=SC2012 # names of our own
    { ls "$@" | grep /bench.sh; ls -S "$@" | grep -v /bench.sh; } |
        xargs -P "$jobs" -I {} tests/run.sh --script {}
    for script in "$@"; do
        name=$(basename "$script")
        cat "$logs/$name.one" >>"$logs/$stage.tap"
        cat "$logs/$name.err" >>"$logs/$stage.err"
        rm -f "$logs/$name.one" "$logs/$name.err"
    done
}

stage_build() {
    build release build || return
    echo 'ok the program builds' >>"$logs/$stage.tap"
}

stage_unit() { criterion release unit_tests "$quick"; }

stage_slow() {
    build release build || return
    scripts $at_once tests/net/net.sh $(ls tests/e2e/*.sh | grep -vxF "$(printf '%s\n' $quick_scripts)")
    ran=0
    TARGETS=${TARGETS:-90} limit 1800 sh tests/lint/kernels.sh all >>"$logs/$stage.tap" 2>>"$logs/$stage.err" || ran=1
    screens "!${quick_screens#@}" || ran=1
    criterion release unit_tests 'slow_*/*' || ran=1
    return $ran
}

# plain PROFILE PROGRAM [OPTION...]: runs tests that are built with tests/plain.c
plain() {
    program=build/$1/tests/$2
    build "$1" "$program" || return
    shift 2
    limit 1800 "$program" "$@" >>"$logs/$stage.tap" 2>>"$logs/$stage.err"
}

# The profile with the address sanitizer: clang's, whose objects the fuzzers use as well, else gcc's.
addresses() {
    if assets/deps.sh have sanitize >/dev/null; then echo fuzz; else echo asan; fi
}

stage_asan() {
    profile=$(addresses)
    plain "$profile" unit_tests
    ran=$?
    build "$profile" build || return
    limit 600 sh tests/asan/corners.sh "build/$profile/stencilscope" >>"$logs/$stage.tap" \
        2>>"$logs/$stage.err" || ran=1
    return $ran
}

# screens FILTER: these wait more than they compute: several at a time, each on a pseudo-terminal of
# its own.
screens() { build release build && criterion release e2e_tests "$1" --jobs $at_once; }

stage_e2e() { screens "$quick_screens"; }

stage_shell() { build release build && scripts $at_once $quick_scripts; }

stage_lint() {
    build release build
    built=$?
    scripts 1 tests/lint/*.sh
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

stage_web() {
    if ! why=$(assets/deps.sh have web); then
        echo "skip web $why" >"$logs/$stage.tap"
        return 0
    fi
    build release build web || return
    scripts 1 tests/web/bits.sh tests/web/browser.sh tests/web/lessons.sh
}

# libFuzzer with clang, else the mutations of tests/fuzz/driver.c.
stage_fuzz() {
    profile=$(addresses)
    build "$profile" fuzzers || return
    for source in tests/fuzz/*.c; do
        name=$(basename "$source" .c)
        target=build/$profile/tests/fuzz_$name
        [ -x "$target" ] || continue
        # libFuzzer writes new inputs into the first folder: not one of the source tree.
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

# Without a GPU each test is skipped with the reason.
stage_gpu() {
    plain release gpu_tests
    ran=$?
    build release ladder || return
    case $(cat "$logs/$stage.build") in
    *skipped:*) echo 'skip ladder needs a GPU' ;;
    *'ok: every rung'*) echo 'ok ladder' ;;
    *) echo 'not ok ladder' ;;
    esac >>"$logs/$stage.tap"
    return $ran
}

stage_tsan() {
    if ! why=$(assets/deps.sh have sanitize); then
        echo "skip tsan $why" >"$logs/$stage.tap"
        return 0
    fi
    plain tsan unit_tests
}

STENCILSCOPE=$PWD/build/release/stencilscope
export STENCILSCOPE

# --- one test -----------------------------------------------------------------------------------------

# defining OF SUITE NAME: files that define such a test.  Names that a macro makes are not found: then
# the files with the suite.
defining() {
    pattern=$(printf '%s' "$3" | sed 's/[*]/[A-Za-z0-9_]*/g')
    case $1 in
    e2e) set -- "$2" "$pattern" tests/e2e ;;
    gpu) set -- "$2" "$pattern" tests/gpu tests/equal ;;
    unit) set -- "$2" "$pattern" tests/src tests/kernels tests/ui tests/fault tests/equal ;;
    esac
    suite=$1 pattern=$2
    shift 2
    grep -rlE "TEST(_CALL)?\($suite, $pattern[,)]" "$@" || [ -n "${exact:-}" ] ||
        grep -rlE "TEST(_CALL)?\($suite," "$@"
}

# run_in PROGRAM SUITE NAME: the tests of one program that fit, the slow ones among them
run_in() {
    case $1 in
    unit) criterion release unit_tests "?(slow_)$2/$3" ;;
    e2e) screens "?(slow_)$2/$3" ;;
    gpu) plain release gpu_tests -f "$2::$3" ;;
    esac
}

# stage_test: the test $T
stage_test() {
    case $T in
    *::*)
        suite=${T%%::*} name=${T##*::} status=0 exact=yes programs=''
        suite=${suite#slow_}
        for program in unit e2e gpu; do
            [ -z "$(defining $program "$suite" "$name")" ] || programs="$programs $program"
        done
        exact=''
        if [ -z "$programs" ]; then
            for program in unit e2e gpu; do
                [ -z "$(defining $program "$suite" "$name")" ] || programs="$programs $program"
            done
        fi
        for program in $programs; do run_in "$program" "$suite" "$name" || status=1; done
        ;;
    *)
        script=$(find tests -name "$(basename "$T" .sh).sh" ! -name run.sh | head -n 1)
        build release build || return
        case $script in
        '') ;;
        tests/asan/*)
            build "$(addresses)" build &&
                sh "$script" "build/$(addresses)/stencilscope" >>"$logs/$stage.tap" 2>>"$logs/$stage.err"
            ;;
        *) scripts 1 "$script" ;;
        esac
        status=$?
        ;;
    esac
    if ! grep -qE '^(not )?ok |^skip ' "$logs/$stage.tap"; then
        echo "not ok $T: there is no such test" >>"$logs/$stage.tap"
    fi
    return $status
}

# --- what to run ------------------------------------------------------------------------------------

# --stage NAME: one stage; its log, and in NAME.end its status and its seconds
if [ "$1" = --stage ]; then
    stage=$2 began=$(date +%s)
    : >"$logs/$stage.tap"
    : >"$logs/$stage.err"
    "stage_$stage"
    echo $? $(($(date +%s) - began)) >"$logs/$stage.end"
    exit 0
fi
if [ "$1" = --script ]; then
    one_script "$2"
    exit 0
fi

if [ "$1" = --also ]; then
    shift
    read -r passed failed skipped 2>/dev/null <"$logs/counts" || { echo 'make test has not been run'; exit 2; }
fi
if [ "$1" = --test ]; then
    T=$2
    export T
    if grep -q "^stage_$T()" "$0"; then set -- "$T"; else set -- test; fi
fi

TMPDIR=$(mktemp -d) || exit 2
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
began=$(date +%s)

# By xargs and not by &: background jobs ignore an interrupt.
for group in "$@"; do
    group=$(echo "$group" | tr + ' ')
    for name in $group; do echo '1 0' >"$logs/$name.end"; done
    printf '%s\n' $group | xargs -P 8 -I {} tests/run.sh --stage {}
    for name in $group; do tally "$name" $(cat "$logs/$name.end"); done
done

if [ -n "${T:-}" ]; then grep -ah "^ok " "$logs/$1.tap" | head -n 40; fi
times >"$logs/times" # not in a pipe, whose process has no children
processor=$(awk 'NR == 2 {gsub("s", ""); split($1, u, "m"); split($2, s, "m")
                          print int((u[1] + s[1]) * 60 + u[2] + s[2])}' "$logs/times")
echo "$(($(date +%s) - began)) s, $processor s of processor time"
if [ "$processor" -gt $((60 * ${CPU_LIMIT:-1000})) ]; then
    echo "not ok these tests may take $CPU_LIMIT minutes of processor time"
    failed=$((failed + 1))
fi
echo "$passed $failed $skipped" >"$logs/counts"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
