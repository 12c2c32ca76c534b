#!/bin/sh
# `kernel edit`, with tests/cuda/driver.c in place of a GPU: most of its kernels do nothing, so that fields differ from
# the CPU's.  What it takes from the user, what it says of each save, where an edited kernel is named.
. tests/e2e/cli.inc

LD_LIBRARY_PATH=$(cd "$(dirname "$program")/tests/cuda" && pwd) || exit 1
XDG_CACHE_HOME=$PWD/cache
export LD_LIBRARY_PATH XDG_CACHE_HOME
source=kernels/cuda/jacobi/ladder.cuh
cp "$root/$source" own.cuh
run kernels try $source own.cuh 'poisson2d jacobi --n 32'
if grep -q 'NVRTC' err; then
    skip 'kernel edit' "$(cat err)"
    exit 0
fi
cd work || exit 2

# begin OPTION...: the program reads commands from descriptor 3, and writes into the file log
begin() {
    rm -f pipe hang ruin lost
    mkfifo pipe
    $limit "$program" poisson2d jacobi --n 32 --until 0 --backend cuda --ui text "$@" >log 2>&1 <pipe &
    child=$!
    exec 3>pipe
}
send() { echo "$1" >&3; }
finish() {
    send quit
    exec 3>&-
    wait $child
}
# says SENTENCE [SECONDS]: it comes after what was expected before
seen=0
says() {
    for _ in $(seq $((${2:-20} * 10))); do
        line=$(tail -n +$((seen + 1)) log | grep -nF "$1" | head -n 1 | cut -d : -f 1)
        if [ -n "$line" ]; then
            seen=$((seen + line))
            pass "kernel edit: $1"
            return
        fi
        sleep 0.1
    done
    fail "kernel edit: $1" "$(tail -n +$((seen + 1)) log | tail -n 5)"
}
save() { # a file is complete at once, as with an editor
    cat >new
    mv new ladder.cuh
}

begin --json out.json --csv out.csv
send 'kernel edit off'
says 'refused: no kernel is being edited'
send 'kernel edit'
says "edit $PWD/ladder.cuh: each save is tried"
cmp -s ladder.cuh ../own.cuh && pass 'kernel edit: the copy is the text of the program' || fail 'kernel edit: copy' differs
(cat ../own.cuh && echo '// mine') | save
says "its field differs from the CPU's; "
(echo 'int broken = ;' && cat ../own.cuh) | save
says "ladder.cuh is not used: NVRTC_ERROR_COMPILATION: $source(1): error: expected an expression"
send kernel
says 'not used: NVRTC'
touch ruin
(cat ../own.cuh && echo '// another') | save
says 'ladder.cuh is not used: the GPU failed: an illegal memory access was encountered'
touch hang
(cat ../own.cuh && echo '// a third') | save
says 'ladder.cuh is not used: the edited kernel did not finish within 2.5 s'
rm -f hang ruin
(cat ../own.cuh && echo '// mended') | save
says "its field differs from the CPU's; "
send 'step 3'
send 'save state.ckpt'
says 'wrote state.ckpt'
send 'save session.run'
says 'wrote session.run'
grep -q '^# Without its edited kernel' session.run && pass 'kernel edit: a saved session' ||
    fail 'kernel edit: a saved session' "$(cat session.run)"
touch hang
(cat ../own.cuh && echo '// the last') | save
sleep 1
before=$(date +%s)
finish
[ $(($(date +%s) - before)) -le 3 ] && pass 'kernel edit: quit does not wait for a trial' || fail 'kernel edit: quit' waits
pgrep -f "kernels try $source $PWD" >/dev/null && fail 'kernel edit: a trial is left' "$(pgrep -af 'kernels try')" ||
    pass 'kernel edit: a trial ends with the program'
grep -q '"edited":{"hash":"[0-9a-f]\{12\}","bits":"differ"}' out.json && pass 'kernel edit: JSON' ||
    fail 'kernel edit: JSON' "$(cut -c 1-400 out.json)"
head -n 1 out.csv | grep -q "^# edited kernel [0-9a-f]\{12\}, its field differs from the CPU's" &&
    pass 'kernel edit: CSV' || fail 'kernel edit: CSV' "$(head -n 1 out.csv)"

run --load state.ckpt --backend cpu --cycles 5 --json -
grep -q '"edited":{"hash":"[0-9a-f]\{12\}","bits":"differ"}' out && pass 'kernel edit: a saved state' ||
    fail 'kernel edit: a saved state' "$(cat err out | cut -c 1-300)"

grep -q 'the saved state has cycles of an edited kernel' err && pass 'kernel edit: a saved state is announced' ||
    fail 'kernel edit: a saved state is announced' "$(cat err)"

rm -f hang
# Kernels that the driver has: their bits are the CPU's.
run kernels try $source ladder.cuh 'poisson2d jacobi --n 40 --kernel padded --launch stream'
grep -qx 'bits same' out && pass 'kernels try: same bits' || fail 'kernels try: same bits' "$(cat out err)"

# The copy of an earlier time is kept, and tried.
seen=0
begin --kernel padded --launch stream
send 'kernel edit'
says 'same bits as the CPU; '
grep -q 'the last' ladder.cuh && pass 'kernel edit: an edited copy is kept' || fail 'kernel edit: copy' 'written over'
send 'kernel edit off'
says "the program's own kernel is in use; $PWD/ladder.cuh stays"
send 'kernel edit'
says 'same bits as the CPU; '
touch lost
send 'step 3'
says 'an edited kernel: the GPU failed: an illegal memory access was encountered'
finish
grep -q 'continuing on CPU.*from cycle' log && pass 'kernel edit: the run goes on' || fail 'kernel edit: rescue' "$(tail -n 3 log)"
rm -f lost

# refuses SENTENCE OPTION...
refuses() {
    sentence=$1
    shift
    run --ui none "$@"
    grep -qF "$sentence" err && [ $status = 2 ] && pass "kernel edit: $sentence" ||
        fail "kernel edit: $sentence" "status $status: $(cat err)"
}
printf 'open poisson2d jacobi n=32\nkernel edit\n' >commands.run
refuses "a link may not carry out 'kernel edit'" --link "stencilscope poisson2d --n 32 -e 'kernel edit'"
refuses 'kernel edit: a run file may not; type it' --run commands.run
refuses 'keeps the program'"'"'s kernels' poisson2d --n 32 --cycles 2 -e 'kernel edit'
printf 'kernel edit\nquit\n' | "$program" poisson2d --n 32 --backend cpu --ui text >log 2>&1
seen=0
says 'refused: kernel edit: no kernel runs here, backend cpu computes with functions of the program' 1
exit $failed
