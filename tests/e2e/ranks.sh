#!/bin/sh
# Runs on MPI ranks from the command line: fields equal to those of the backend cpu, no libmpi in the
# program; and two "machines", network namespaces with a wire between them, which is cut.  All
# combinations: slow_mpi in tests/kernels/mpi.  Helpers and output: tests/e2e/cli.inc.
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/cli.inc

export TMPDIR="$tmp" # for logs of failed starts
rank=$(dirname "$program")/stencilscope-rank
if ! [ -x "$rank" ]; then
    skip 'runs on ranks' 'no Open MPI: make config says what is missing'
    bad 1 'stencilscope-rank is missing' 'ranks without Open MPI' --ranks 2
    exit $failed
fi

case $(ldd "$program") in *libmpi*) fail 'the program is not linked with MPI' "$(ldd "$program")" ;;
*) pass 'the program is not linked with MPI' ;; esac

# --- equality ----------------------------------------------------------------------------------------

# near NAME A B: residuals of two JSON files, to 1e-13
near() {
    got=$(awk -v a="$(value a.json residual)" -v b="$(value b.json residual)" \
        'BEGIN { if (a == "" || a - b > 1e-13 * b || b - a > 1e-13 * b) print "residual", a, b }')
    verdict "$1" "$got"
}

# equal RANKS SETTINGS...: the blocks of a tiled run on one machine are those of the ranks
equal() {
    ranks=$1
    shift
    rm -f a.npy b.npy a.json b.json
    run "$@" --ranks "$ranks" --ui none --save a.npy --json a.json
    [ "$status" = 0 ] || fail "$ranks ranks: $*" "$(cat err)"
    case "$*" in *shared*) tiles="--block $(value a.json block) --block-y $(value a.json block-y)" ;;
    *) tiles= ;; esac
    # shellcheck disable=SC2086
    run "$@" $tiles --backend cpu --ui none --save b.npy --json b.json
    same "$ranks ranks: $*" a.npy b.npy
    case "$1" in poisson*) near "$ranks ranks: norm of $*" ;; esac
}
equal 4 poisson2d jacobi --n 203 --ny 131 --problem random --cycles 300
equal 3 poisson2d shared --n 203 --ny 131 --problem random --cycles 60 --k 8 --overlap 4
equal 2 ks1d swept --n 512 --block 64 --problem random --cycles 60 --precision f32

bad 2 'block: with 3 ranks a block is a rank' 'a block that is not a rank'"'"'s part' \
    poisson2d shared --n 200 --ny 210 --k 8 --block 32 --overlap 4 --cycles 3 --until 0 --ranks 3 --ui none

# --- GPUs --------------------------------------------------------------------------------------------

# Two ranks may share a GPU here, which a run refuses.
export STENCILSCOPE_CUDA_TWICE=1
run poisson2d jacobi --n 16 --cycles 1 --backend cuda --ui none
if [ "$status" = 0 ]; then
    equal 2 poisson2d jacobi --n 203 --ny 131 --problem random --cycles 300 --rank-device gpu
    equal 3 poisson2d jacobi --n 203 --ny 131 --problem random --cycles 300 --exchange 4 \
        --rank-device gpu --precision f32
    equal 3 poisson2d shared --n 203 --ny 131 --problem random --cycles 60 --k 8 --overlap 4 \
        --rank-device gpu
    got=
    grep -q '"device":"3 MPI ranks, 1 GPU each' a.json || got=$(value a.json device)
    verdict 'the device of ranks with GPUs' "$got"
    bad 1 'ranks compute solvers jacobi and shared on GPUs, and swept with CPU threads' \
        'a solver without GPUs' heat1d swept --n 512 --cycles 2 --ranks 2 --rank-device gpu --ui none
    # The 300th call of CUDA fails in each rank; the program goes on with the GPU or without.
    rm -f a.npy b.npy
    run poisson2d jacobi --n 61 --ny 43 --problem random --until 0 --cycles 5000 --ranks 2 \
        --rank-device gpu --ui none --save a.npy \
        --launcher 'env STENCILSCOPE_CUDA_FAULT=300 mpiexec --oversubscribe --bind-to none -n 2'
    got="$status $(cat err)"
    case $got in '0 '*'continuing on '*) got= ;; esac
    verdict 'a GPU that fails becomes a sentence' "$got"
    run poisson2d jacobi --n 61 --ny 43 --problem random --until 0 --cycles 5000 --backend cpu \
        --ui none --save b.npy
    same 'the run goes on without the GPU' a.npy b.npy
else
    skip 'ranks on GPUs' "$(cat err)"
    bad 1 'rank-device: ' 'GPUs that are missing' \
        poisson2d jacobi --n 64 --cycles 2 --ranks 2 --rank-device gpu --ui none
fi
unset STENCILSCOPE_CUDA_TWICE
# Without a wish, ranks that have no GPU each compute on the CPU.
equal 2 poisson2d jacobi --n 61 --ny 43 --problem random --cycles 30 --rank-device auto

# A pipe is written by the program, which downloads the field.
"$program" poisson2d jacobi --n 64 --cycles 5 --ranks 2 --ui none --save /dev/stderr 2>&1 >/dev/null |
    cat >a.npy
run poisson2d jacobi --n 64 --cycles 5 --backend cpu --ui none --save b.npy --overwrite
same 'a field into a pipe' a.npy b.npy

# Two runs at a time, each with ranks of its own.
run race 'poisson2d jacobi' 'poisson2d shared --k 4' --n 64 --ranks 2 --ui none --json race.json
got="$status $(cat err)"
[ "$got" = '0 ' ] && got=''
verdict 'a race of two runs on ranks' "$got"
bad 1 'bench does not measure the backend mpi' 'bench on ranks' bench --backend mpi

# --- refusals ----------------------------------------------------------------------------------------

# A rank program of another build, beside a copy of the program.
id=$(sed -n 's/.*return "\(.*\)";.*/\1/p' "$(dirname "$program")/gen/build.c" 2>/dev/null)
other=$(echo "$id" | tr 0123456789 1234567890)
mkdir other
cp "$program" other/
sed "s/$id/$other/g" "$rank" >other/stencilscope-rank
chmod +x other/stencilscope-rank
$limit other/stencilscope poisson2d --n 64 --cycles 2 --ranks 2 --ui none >out 2>err
got="$? $(cat err)"
case $got in
"1 "*"is another build (0.1.0 $other) than this program (0.1.0 $id): build and install both"*)
    pass 'ranks of another build are refused' ;;
*) fail 'ranks of another build are refused' "$got" ;;
esac

# A stranger: who does not know the token is hung up on.
wrong="env STENCILSCOPE_RANKS_TOKEN=0123456789abcdef0123456789abcdef"
bad 1 'the ranks have ended with status' 'a wrong token' poisson2d --n 64 --cycles 2 --ranks 2 \
    --launcher "$wrong mpiexec --oversubscribe --bind-to none -n 2"
bad 1 '3 ranks were started and 2 are wanted' 'another number of ranks' poisson2d --n 64 \
    --cycles 2 --ranks 2 --launcher 'mpiexec --oversubscribe --bind-to none -n 3'
bad 1 'cannot start no-such-launcher' 'no launcher' poisson2d --n 64 --ranks 2 \
    --launcher no-such-launcher
# The log of a failed start stays, and the message names it. A killed program leaves nothing.
log=$(sed -n 's/.*(\(.*\))$/\1/p' err)
[ -f "$log" ] || fail 'a failed start leaves its log' "$(cat err)"
rm -f "$TMPDIR"/stencilscope-ranks-*
"$program" poisson2d jacobi --n 512 --until 0 --ranks 2 --ui none >out 2>err </dev/null &
pid=$!
sleep 3
kill -9 $pid
wait $pid 2>/dev/null
verdict 'a killed program leaves nothing' "$(ls -d "$TMPDIR"/stencilscope-* 2>/dev/null)"
$limit "$rank" >out 2>err </dev/null
got="$? $(cat err)"
case $got in
"1 stencilscope-rank: stencilscope starts this program"*) pass 'a rank alone says who starts it' ;;
*) fail 'a rank alone says who starts it' "$got" ;;
esac

# --- two machines ------------------------------------------------------------------------------------

near_net=ssn1-$$ far_net=ssn2-$$ wire=ss$$
unplug() {
    ip netns del "$near_net" 2>/dev/null
    ip netns del "$far_net" 2>/dev/null
    ip link del "${wire}a" 2>/dev/null
}
plug() {
    ip netns add "$near_net" && ip netns add "$far_net" &&
        ip link add "${wire}a" type veth peer name "${wire}b" &&
        ip link set "${wire}a" netns "$near_net" && ip link set "${wire}b" netns "$far_net" &&
        ip netns exec "$near_net" ip addr add 10.77.0.1/24 dev "${wire}a" &&
        ip netns exec "$far_net" ip addr add 10.77.0.2/24 dev "${wire}b" &&
        ip netns exec "$near_net" ip link set "${wire}a" up &&
        ip netns exec "$far_net" ip link set "${wire}b" up &&
        ip netns exec "$near_net" ip link set lo up && ip netns exec "$far_net" ip link set lo up
}

if [ "$(id -u)" != 0 ]; then
    skip 'ranks on two machines' 'network namespaces need root'
    exit $failed
fi
trap 'unplug; rm -rf "$tmp"' EXIT
if ! plug >plug.err 2>&1; then
    skip 'ranks on two machines' "no network namespaces here: $(head -n 1 plug.err)"
    exit $failed
fi

# What ssh is for mpiexec: HOST COMMAND.  A name of its own makes it another machine.
cat >remote <<END
#!/bin/sh
host=\$1
shift
exec ip netns exec $far_net unshare -u sh -c "hostname ssn2; \$*"
END
chmod +x remote
cat >here <<END
#!/bin/sh
exec ip netns exec $near_net unshare -u sh -c 'hostname ssn1; exec "\$0" "\$@"' "\$@"
END
chmod +x here
launcher="mpiexec --mca plm_rsh_agent $tmp/remote --mca oob_tcp_if_include 10.77.0.0/24 \
--mca btl_tcp_if_include 10.77.0.0/24 --oversubscribe --bind-to none \
--host 10.77.0.1:2,10.77.0.2:2 -n 4"

run_here() {
    $limit ./here "$program" "$@" >out 2>err </dev/null
    status=$?
}
for settings in 'poisson2d jacobi --n 203 --ny 131 --problem random --cycles 100' \
    'poisson2d shared --n 200 --ny 200 --problem random --cycles 20 --k 8' \
    'heat1d swept --n 512 --block 32 --problem random --cycles 20'; do
    # shellcheck disable=SC2086
    {
        run_here $settings --ranks 4 --launcher "$launcher" --ui none --save a.npy --overwrite
        [ "$status" = 0 ] || fail "two machines: $settings" "$(cat err)"
        blocks=
        case $settings in *shared*) blocks='--block 100' ;; esac
        run $settings $blocks --backend cpu --ui none --save b.npy --overwrite
        same "two machines: $settings" a.npy b.npy
    }
done

# The wire is cut while the run goes on: a sentence, and it goes on here.
./here "$program" poisson2d jacobi --n 256 --until 0 --seconds 40 --ranks 4 --launcher "$launcher" \
    --ui text >out 2>err </dev/null &
pid=$!
for _ in $(seq 200); do
    [ "$(ip netns pids "$far_net" | wc -l)" -ge 2 ] && grep -q . out && break
    sleep 0.1
done
sleep 5
began=$(date +%s)
ip netns exec "$near_net" ip link set "${wire}a" down
for _ in $(seq 400); do
    cat out err | grep -q 'continuing on CPU' && break
    sleep 0.1
done
took=$(($(date +%s) - began))
got=$(cat out err | grep -oE 'rank [0-9].* (does not answer|has been silent).*continuing on CPU.*' | head -n 1)
if [ -n "$got" ] && [ $took -le 30 ]; then
    pass "a cut wire becomes a sentence"
    echo "# after $took s: $got"
else
    fail "a cut wire becomes a sentence" "after $took s: $(tail -n 3 out err)"
fi
for _ in $(seq 300); do
    [ -z "$(ip netns pids "$far_net")" ] && break
    sleep 0.1
done
verdict 'no rank lives on beyond the cut' "$(for p in $(ip netns pids "$far_net"); do tr '\0' ' ' </proc/$p/cmdline; done)"
kill -INT $pid 2>/dev/null
wait $pid
sleep 1
verdict 'nothing is left running here' "$(ip netns pids "$near_net")"
exit $failed
