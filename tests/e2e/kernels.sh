#!/bin/sh
# `stencilscope kernels`: compiling without a GPU, and the folder of compiled kernels.
. tests/e2e/cli.inc

XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
run kernels fill 90 'poisson2d jacobi'
if [ $status != 0 ] && grep -q 'NVRTC 1[0-9], which is not here' err; then
    skip 'kernels' "$(cat err)"
    exit 0
fi
folder=$XDG_CACHE_HOME/stencilscope/kernels

count() { ls "$folder" 2>/dev/null | wc -l; }
listed() { "$program" kernels | grep -c '^sm_90 '; }

verdict 'kernels of a run are compiled without a GPU' "$(
    [ $status = 0 ] || cat err
    [ "$(listed)" -ge 2 ] && [ "$(listed)" = "$(count)" ] || "$program" kernels
)"
all=$(listed)

first=$(find "$folder" -name '*.kernel' | head -n 1)
before=$(cksum <"$first")
run kernels fill 90 'poisson2d jacobi'
verdict 'what is kept is not compiled again' "$([ "$(cksum <"$first")" = "$before" ] || echo 'another file')"

printf 'x' | dd of="$first" bs=1 seek=700 conv=notrunc 2>/dev/null
[ "$(listed)" = $((all - 1)) ] || why='a damaged file is listed'
run kernels fill 90 'poisson2d jacobi'
verdict 'a damaged file is compiled again' "${why:-}$([ "$(listed)" = "$all" ] || "$program" kernels)"

"$program" kernels fill 90 'poisson2d sor' >out1 2>&1 &
"$program" kernels fill 90 'poisson2d sor' >out2 2>&1
wait $!
verdict 'two programs fill one folder' "$(
    [ "$(listed)" = "$(count)" ] || echo "$(listed) of $(count) files are whole"
    find "$folder" -name '*.kernel.*'
)"

run kernels clear
verdict 'clear removes them' "$([ "$(count)" = 0 ] || ls "$folder")"

# A place that cannot be written to: compiled, not kept, no word.
for place in "$PWD/none/such" /proc /dev/null/x; do
    XDG_CACHE_HOME=$place "$program" kernels fill 90 'poisson1d jacobi' >out 2>err ||
        why="$why $place: $(cat err);"
    [ "$(cat out)" = 'prepared runs: 1' ] || why="$why $place: $(cat out);"
done
env -u XDG_CACHE_HOME -u HOME "$program" kernels fill 90 'poisson1d jacobi' >out 2>err || why="$why no HOME: $(cat err)"
verdict 'without a folder kernels are compiled all the same' "${why:-}"

# Half of a file is written, and then no more: nothing of it remains.
(
    ulimit -f 8
    XDG_CACHE_HOME=$PWD/full
    exec "$program" kernels fill 90 'poisson2d jacobi'
) >out 2>err
status=$?
verdict 'on a full disk kernels are compiled and not kept' "$(
    [ $status = 0 ] && [ "$(cat out err)" = 'prepared runs: 1' ] || echo "$status $(cat out err)"
    find full -type f
)"

run kernels show 90 'poisson2d cg --n 64'
verdict 'show prints constants, place, registers, occupancy and source of each kernel' "$(
    for line in 'P cg_check<poisson_plane<double>>' 'kernels/cuda/cg/pass.cuh, line 204' \
        '^registers [0-9]* per thread, local 0 bytes, shared' 'blocks* per SM: occupancy [0-9]* %' \
        '^__global__ void'; do
        grep -q "$line" out || echo "no $line in: $(head -n 5 out)"
    done
)"
run kernels show 90-ptx 'poisson1d jacobi'
verdict 'what no driver has compiled yet has no registers' "$(
    grep -q '^registers - per thread, local - bytes' out || head -n 5 out
)"

# refuses STATUS SENTENCE WORD...
refuses() {
    want=$1 sentence=$2
    shift 2
    run kernels "$@"
    verdict "kernels $*: $sentence" "$([ $status = "$want" ] && grep -qF "$sentence" err || echo "$status $(cat err)")"
}
refuses 2 'is none of list, clear, show, try and fill' paint
refuses 2 'kernels show takes a compute capability' show 60 'poisson2d jacobi'
refuses 2 'is no list of compute capabilities from 75 on' fill 60
refuses 2 'is no list of compute capabilities from 75 on' fill ninety
refuses 1 'does not compile for compute capability 9.9' fill 99

run kernels fill 90 'poisson2d jakobi'
verdict 'a run that is none is said, and the others go on' "$(
    grep -q 'not prepared: poisson2d jakobi' err && [ $status = 0 ] || cat out err)"

# A text that does not compile: file, line and words; nothing is kept.
mkdir -p texts/kernels/cuda/jacobi
sed 's/int wanted = begin_cycle(stop);/int wanted = begin_cycl(stop);/' \
    "$root/kernels/cuda/jacobi/ladder.cuh" >texts/kernels/cuda/jacobi/ladder.cuh
"$program" kernels clear >/dev/null
STENCILSCOPE_KERNELS=$PWD/texts "$program" kernels fill 90 'poisson2d jacobi --kernel naive' >out 2>err
status=$?
verdict 'an error in a kernel names file and line' "$(
    grep -qE 'kernels/cuda/jacobi/ladder.cuh\([0-9]+\): error: .*begin_cycl' err && [ $status = 1 ] ||
        echo "$status $(cat err)"
    [ "$(count)" = 0 ] || echo "kept: $(ls "$folder")"
)"
exit $failed
