#!/bin/sh
# The command line end to end: the papers' counts, identities bit for bit through files, exit
# statuses, bad input, generated texts, sessions.  Prints "ok NAME", "not ok NAME: why", "skip NAME
# why".  STENCILSCOPE names the program; everything happens in a temporary folder.
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/cli.inc

# --- one JSON object on one line, with the papers' counts --------------------------------------------

# counts NAME KEY=VALUE... -- ARGUMENT...
counts() {
    name=$1 wants='' why=''
    shift
    while [ "$1" != -- ]; do
        wants="$wants $1"
        shift
    done
    shift
    run "$@" --ui none --json -
    [ "$status" = 0 ] || why="exit status $status: $(cat err)"
    [ -s err ] && why="$why stderr: $(cat err)"
    [ "$(wc -l <out)" = 1 ] && grep -q '^{.*}$' out || why="$why not one object on one line"
    for want in $wants; do
        got=$(value out "${want%%=*}")
        [ "$got" = "${want#*=}" ] || why="$why ${want%%=*} is '$got', not ${want#*=};"
    done
    verdict "$name" "$why"
}

counts 'poisson1d jacobi: 128760 iterations' iterations=128760 status=converged blocks=null -- \
    poisson1d jacobi --n 1024 --until 1e-4
counts 'poisson1d shared: 8094 cycles of 37 blocks' cycles=8094 blocks=37 status=converged -- \
    poisson1d shared --n 1024 --block 32 --k 16 --overlap 4
counts 'poisson2d jacobi: 38978 iterations' iterations=38978 status=converged backend=cpu \
    precision=f64 -- poisson2d jacobi --n 256
counts 'poisson2d shared: 3605 cycles' cycles=3605 iterations=57680 status=converged -- \
    poisson2d shared --n 256 --k 16
counts 'what does not apply is null' steps=null time=null error_max=null teff=null accuracy=null \
    status=limit cycles=2 seed=1 threads=1 -- poisson2d jacobi --n 64 --cycles 2 --threads 1
counts 'no cycle: no residual but the first' cycles=0 iterations=0 status=limit -- \
    poisson2d jacobi --n 64 --cycles 0

counts 'without another limit a residual of 0 ends a run' status=converged cycles=2138 residual=0.0 -- \
    poisson2d jacobi --backend cpu --n 16 --until 0
run poisson2d jacobi --backend cpu --n 16 --until 0 --ui none
grep -q '^the residual is 0: more cycles would change nothing' out && why='' || why="$(cat out err)"
verdict 'and says so' "$why"
counts 'with another limit it goes on to that' status=limit cycles=3000 -- \
    poisson2d jacobi --backend cpu --n 16 --until 0 --cycles 3000

counts 'unset goes back to the default' iterations=24 -- poisson2d shared --backend cpu --n 64 --k 4 \
    -e 'step 2' -e 'unset k' -e 'step 2'

zeros="{'descr': '<f8', 'fortran_order': False, 'shape': (16, 16), }"
printf '\223NUMPY\001\000\166\000%-117s\n' "$zeros" >zero.npy
head -c 2048 /dev/zero >>zero.npy
counts 'a reference of nothing is reached' cycles=0 status=converged accuracy=0.0 -- poisson2d jacobi \
    --n 16 --load zero.npy --rhs zero.npy --until-accuracy 0.01
counts 'a limit that is the default is one' cycles=0 status=limit -- poisson2d jacobi --n 16 \
    -e 'set cycles 0' -e run

why=''
for key in equation solver backend device precision params seed threads status cycles iterations \
    steps time blocks residual0 residual reduction error_max teff accuracy seconds solve transfer \
    total ledger launches global_bytes shared_bytes barriers updates redundant_updates operations \
    version command tolerance until_accuracy until_error error_norm error max energy; do
    grep -q "\"$key\":" out || why="$why no $key"
done
verdict 'the JSON has every key' "$why"

counts 'time-dependent runs have steps, a time and no residual' status=limit cycles=2 steps=64 \
    iterations=64 residual0=null residual=null reduction=null teff=null blocks=2 seed=1 \
    -- heat1d swept --backend cpu --n 64 --cycles 2
why=''
for key in monitors heat now drift dt edge_bytes idle; do
    grep -q "\"$key\":" out || why="$why no $key"
done
verdict 'their JSON has what they conserve' "$why"

run poisson3d block-gs --backend cpu --patch 16 --cycles 1 --ui none --json -
case $(cat out) in
*'"params":{'*'"omega":'*'"parallel":"nested"}'*) pass 'params has what only this backend has' ;;
*) fail 'params has what only this backend has' "$(cat out err)" ;;
esac

run heat1d swept --backend cpu --n 64 --cycles 2 --error --json -
case $(value out error_max) in
0.0 | *e-1[3-9]) pass '--error compares with the solution at that time' ;;
*) fail '--error compares with the solution at that time' "$(cat out err)" ;;
esac

run poisson2d jacobi --n 32 --error --ui none --json -
case $(value out error_max) in
0.* | *e-*) pass '--error gives error_max' ;;
*) fail '--error gives error_max' "$(cat out err)" ;;
esac

run poisson2d async --backend cpu --n 32 --problem spike --cycles 3 --alpha 4 --accuracy --json -
case $(value out accuracy)/$(value out teff) in
0.*/15.0 | *e-*/15.0) pass '--accuracy gives accuracy, and teff is launches times sweeps' ;;
*) fail '--accuracy gives accuracy, and teff is launches times sweeps' "$(cat out err)" ;;
esac

run poisson2d jacobi --backend cpu --n 64 --problem spike --until-accuracy 0.3 --json -
case $status/$(value out status)/$(value out accuracy) in
0/converged/0.2*) pass '--until-accuracy stops there' ;;
*) fail '--until-accuracy stops there' "$(cat out err)" ;;
esac

run poisson2d multigrid --backend cpu --n 31 --precision f32 --until 1e-9 --json -
case $status/$(value out status)/$(cat err) in
1/stagnated/*'cannot fall below about '*' of the first in single precision: --precision f64, or'*)
    pass 'a run on rounding errors ends, and says what can be done' ;;
*) fail 'a run on rounding errors ends, and says what can be done' "$(cat out err)" ;;
esac
counts '--until-error stops at the first cycle that meets it' status=converged iterations=28420 \
    error_norm=max tolerance=null -- poisson2d jacobi --backend cpu --n 127 \
    --until-error 0.004
counts 'and in the energy norm' status=converged iterations=27969 error_norm=energy -- \
    poisson2d jacobi --backend cpu --n 127 --until-error 0.004 --error-norm energy
run poisson2d jacobi --backend cpu --n 127 --ui none
grep -q '^error: 4.0e-1 of max|u\*|, 3.[0-9]e-1 in the energy norm$' out && why='' || why="$(cat out err)"
verdict 'the error stands beside the residual' "$why"
exits 1 'a missed --until-error is a failure' poisson2d jacobi --backend cpu --n 64 \
    --until-error 1e-3 --cycles 3 --ui none
says 'an error relative to nothing is a failure with a reason' 1 '^u\*, the exact solution, is 0' -- \
    poisson3d jacobi --backend cpu --patch 8 --until-error 0.1 --ui none
bad 2 'the matrix is not positive definite: use max' 'no energy norm' plane jacobi --backend cpu \
    --n 16 --diagonal 3.5 --until-error 0.1 --error-norm energy --ui none
bad 2 'two goals: give one of them' 'two distances' poisson2d jacobi --backend cpu --n 16 \
    --until-error 0.1 --until-accuracy 0.1 --ui none

# --- identities, bit for bit -------------------------------------------------------------------------

# field OUTPUT ARGUMENT...: from the random start and right-hand side of this grid and precision
field() {
    to=$1
    shift
    run "$@" --ui none --save "$to"
    [ "$status" = 0 ] || echo "exit status $status: $(cat err)"
}

# identities NAME EQUATION GRID EXACT LESS: tiles with overlap 2 (k - 1) = 8, and with one pair less
# shellcheck disable=SC2086
identities() {
    for precision in f64 f32; do
        for threads in 1 2; do
            name="$1 $precision $threads threads"
            grid="$3 --precision $precision --threads $threads"
            from="$grid --load u.npy --rhs b.npy --cycles"
            rm -f [u-z].npy b.npy
            why=$(field u.npy $2 jacobi $grid --problem random --seed 7 --cycles 0
                field b.npy $2 jacobi $grid --problem random --seed 8 --cycles 0
                field v.npy $2 jacobi $from 6
                field w.npy $2 shared $from 6 --k 1 --overlap 0
                field x.npy $2 jacobi $from 10
                field y.npy $2 shared $from 2 --k 5 $4
                field z.npy $2 shared $from 2 --k 5 $5)
            if [ -n "$why" ]; then
                fail "$name" "$why"
                continue
            fi
            differ "$name: the start is not the right-hand side" u.npy b.npy
            differ "$name: something happened" u.npy v.npy
            same "$name: shared(1, 0) is jacobi" v.npy w.npy
            same "$name: shared(k, 2(k-1)) is k jacobi" x.npy y.npy
            differ "$name: one pair of overlap fewer is not" x.npy z.npy
        done
    done
}

identities '203x131' poisson2d '--n 203 --ny 131' \
    '--block 24 --block-y 17 --overlap 8 --overlap-y 10' \
    '--block 24 --block-y 17 --overlap 6 --overlap-y 10'
identities '203x131 less in y' poisson2d '--n 203 --ny 131' \
    '--block 17 --block-y 40 --overlap 10 --overlap-y 8' \
    '--block 17 --block-y 40 --overlap 10 --overlap-y 6'
identities '203 in 1D' poisson1d '--n 203' '--block 24 --overlap 8' '--block 24 --overlap 6'

# --- exit statuses -----------------------------------------------------------------------------------

exits 0 'a limit that was asked for is no failure' poisson2d jacobi --n 64 --cycles 3 --ui none
exits 0 'a met --until is no failure' poisson2d jacobi --n 16 --until 1e-2 --cycles 9999 --ui none
exits 1 'a missed --until is a failure' poisson2d jacobi --n 64 --until 1e-9 --cycles 3 --ui none
exits 1 'a missed --until-accuracy is a failure' poisson2d async --backend cpu --n 64 \
    --until-accuracy 1e-3 --cycles 3 --ui none
exits 1 'a residual that rounding errors hold above --until is a failure' poisson2d multigrid \
    --backend cpu --n 31 --precision f32 --until 1e-9 --ui none
exits 0 'which advises a precision that suffices' poisson2d multigrid --backend cpu --n 31 \
    --precision f64 --until 1e-9 --ui none
exits 2 'wrong usage' --nonsense
exits 0 'multigrid without --n' poisson2d multigrid --backend cpu --cycles 1 --ui none
exits 0 'a race with multigrid without --n' race 'poisson1d jacobi' 'poisson1d multigrid' \
    --backend cpu --cycles 1 --ui none
exits 2 'multigrid with a size that cannot be halved' poisson2d multigrid --n 1024 --ui none

if [ -r /proc/self/status ]; then
    for signal in INT TERM HUP; do
        if [ $signal = HUP ] && grep -q '^SigIgn:.*[13579bdf]$' /proc/self/status; then
            skip "interrupted by HUP" 'this shell ignores it, as below nohup'
            continue
        fi
        rm -f end.json
        "$program" poisson2d jacobi --n 1024 --until 0 --seconds 60 --ui none --json end.json \
            >out 2>err </dev/null &
        pid=$!
        ready $pid
        kill -$signal $pid
        wait $pid
        status=$?
        why=''
        [ $status = 130 ] || why="status $status, not 130;"
        [ "$(value end.json status 2>/dev/null)" = interrupted ] ||
            why="$why status in JSON: $(cat end.json 2>&1)"
        verdict "interrupted by $signal" "$why"
        rm -f end.json
    done
else
    skip 'interrupted' 'there is no /proc to see the signal handlers in'
fi

# --- bad input ---------------------------------------------------------------------------------------

blocks=
bad 2 'did you mean poisson2d' 'equation' poison2d
bad 2 'stencilscope list' 'equation like nothing' xyzzyxyzzy
bad 2 'jacobi' 'solver' poisson2d jakobi
bad 2 'did you mean --overlap' 'option' poisson2d shared --overlp 4
bad 2 'did you mean --check-every' 'option of the program' poisson2d --check-evry 4
bad 2 'did you mean multigrid' 'a solver by its short name' poisson2d mg
bad 2 'did you mean sor' 'a solver of other programs' poisson2d gauss-seidel
bad 2 'did you mean --cycles' 'an option of other programs' poisson2d --max-iter 9
bad 2 'did you mean --until' 'a tolerance of other programs' poisson2d --tol 1e-3
bad 2 'given twice' 'two figures' poisson2d --export a.pdf --export b.pdf
bad 1 'json - writes to standard output' 'csv to stdout' poisson2d --n 16 --cycles 1 --csv -
bad 1 'json - writes to standard output' 'a field to stdout' poisson2d --n 16 --cycles 1 --save -
bad 1 'only --run - reads' 'a field from stdin' poisson2d --n 16 --cycles 1 --load -
bad 2 "'....................*…' is not a number" 'a long value is cut' poisson2d --n \
    "$(printf '%0100dx' 1)"
bad 2 '.' 'short option' poisson2d -x
bad 2 'f64, f32' 'value of a choice' poisson2d --precision f16
bad 2 'shared' 'option of another solver' poisson2d jacobi --k 4
bad 2 'did you mean set' 'command' -e 'sett k 4'
bad 2 'usage: set' 'command without arguments' -e 'set k'
bad 2 'quote' 'open quote' -e 'mark "a'
bad 2 'even' 'odd overlap' poisson2d shared --overlap 3 --ui none
bad 2 'overlap.*block|block.*overlap' 'overlap not below block' poisson2d shared --block 8 \
    --overlap 8 --ui none
bad 2 'range' 'negative n' poisson2d --n -4 --ui none
bad 2 'range' 'zero n' poisson2d --n 0 --ui none
bad 2 'range|need' 'huge n' poisson2d --n 10000000000 --ui none
bad 2 'need|range' 'n beyond memory' poisson2d --n 1000000 --ui none
bad 2 'number|range' 'NaN' poisson2d --until nan --ui none
bad 2 'number|range' 'infinity' poisson2d --seconds inf --ui none
bad 2 'number|range' 'infinity for a whole number' poisson2d --n inf --ui none
bad 2 'whole' 'a fraction for a whole number' poisson2d --n 3.5 --ui none
bad 2 'number' 'a word for a number' poisson2d --n many --ui none
bad 2 'number' 'rubbish after a number' poisson2d --n 12q --ui none
bad 2 'missing|empty' 'empty value' poisson2d --n '' --ui none
bad 2 'missing' 'no value' poisson2d --n
bad 2 'missing|empty' 'empty value after =' poisson2d --n= --ui none
bad 2 'range' 'fps beyond its range' poisson2d --fps 0 --ui none
bad 2 'range' 'too many threads' poisson2d --threads 100000 --ui none
bad 2 'unexpected' 'too many words' poisson2d jacobi three
bad 2 'bash-completion' 'what can be generated' --generate woman
bad 2 'empty|missing' 'empty file name' poisson2d --save '' --ui none --cycles 1

printf 'step 3\nset k 4\n\nsett k 5\n' >typo.run
printf 'step 3\nset overlap 3\n' >odd.run
bad 2 'typo.run:4: .*did you mean set' 'run file: name and line' poisson2d shared --n 64 \
    --run ../typo.run --ui none
bad 2 'odd|even' 'run file: refused when its turn comes' poisson2d shared --n 64 --run ../odd.run \
    --ui none
bad 1 'cannot read' 'run file that is not there' --run nowhere.run --ui none
bad 1 'cannot read' 'run file that is a folder' --run .. --ui none

# --- files -------------------------------------------------------------------------------------------

"$program" poisson2d jacobi --n 20 --ny 12 --problem random --cycles 0 --ui none --save good.npy \
    >/dev/null 2>&1
"$program" poisson2d jacobi --n 20 --ny 12 --problem random --cycles 0 --precision f32 --ui none \
    --save single.npy >/dev/null 2>&1
head -c 1000 good.npy >short.npy
head -c 60 good.npy >header.npy
head -c 4000 /dev/zero >zeros.npy
: >empty.npy
grid='poisson2d jacobi --n 20 --ny 12 --cycles 1 --ui none'
for option in --load --rhs; do
    # shellcheck disable=SC2086
    {
        bad 1 'cannot read' "$option: not there" $grid $option nowhere.npy
        bad 1 'cannot read.*(irectory|regular)|not a NumPy' "$option: a folder" $grid $option ..
        bad 1 'cut off' "$option: cut off" $grid $option ../short.npy
        bad 1 'cut off|damaged' "$option: cut off in the header" $grid $option ../header.npy
        bad 1 'not a NumPy' "$option: zeros" $grid $option ../zeros.npy
        bad 1 'not a NumPy|cut off' "$option: empty" $grid $option ../empty.npy
        bad 1 'not a NumPy' "$option: another kind of file" $grid $option ../typo.run
        bad 1 'holds \(12, 20\).*needs \(12, 21\): it fits --n 20 --ny 12$' "$option: other shape" poisson2d jacobi --n 21 --ny 12 \
            --cycles 1 --ui none $option ../good.npy
        bad 1 'needs' "$option: transposed" poisson2d jacobi --n 12 --ny 20 --cycles 1 --ui none \
            $option ../good.npy
    }
done
for option in --load --rhs; do
    "$program" poisson2d jacobi --cycles 0 --ui none $option good.npy --save taken.npy >/dev/null 2>err
    head -c 80 taken.npy | grep -q '(12, 20)' && pass "$option: the size is that of the array" ||
        fail "$option: the size is that of the array" "$(cat err)"
    rm -f taken.npy
done
# Eight equal doubles: their squares are 0, or infinite, in any norm.
for value in '\164\156\173\022\234\176\266\036' '\132\142\327\327\030\347\164\151'; do
    printf '\223NUMPY\001\000\106\000%-69s\n' "{'descr': '<f8', 'fortran_order': False, 'shape': (8,), }" >far.npy
    for i in 1 2 3 4 5 6 7 8; do printf "$value"; done >>far.npy
    bad 1 'far.npy: the largest value is (1e-160|1e.200), whose squares (over|under)flow: multiply' \
        "--rhs: values that have no squares" poisson1d jacobi --cycles 9 --ui none --rhs ../far.npy
done
if [ "$(id -u)" != 0 ]; then
    : >secret.npy
    chmod 000 secret.npy
    # shellcheck disable=SC2086
    bad 1 'ermission' 'unreadable file' $grid --load ../secret.npy
else
    skip 'bad input: unreadable file' 'root reads everything'
fi

for option in --json --csv --save; do
    # shellcheck disable=SC2086
    {
        bad 1 'cannot write.*irectory' "$option into a folder that is not there" $grid $option no/x
        bad 1 'cannot write.*irectory' "$option onto a folder" $grid $option ..
        if [ -c /dev/full ]; then
            bad 1 'cannot write.*space' "$option on a full device" $grid $option /dev/full
        else
            skip "bad input: $option on a full device" 'there is no /dev/full'
        fi
    }
done
# The same failure has the same status wherever it stands: 2 is for usage only.
for command in 'save no/x.npy' 'save no/x.run' 'load no/x.npy' 'load ../cli.sh' 'export no/x.png' \
    'record no/x.gif' 'record no/x.cast'; do
    for before in 'view layer value' 'step 2'; do
        # shellcheck disable=SC2086
        bad 1 'cannot (write|read)|not a NumPy' "$command after $before" $grid -e "$before" -e "$command"
    done
done
for command in 'save x.txt' 'record x.txt' 'export x.txt' 'set k 0'; do
    for before in 'view layer value' 'step 2'; do
        # shellcheck disable=SC2086
        bad 2 . "$command after $before" $grid -e "$before" -e "$command"
    done
done
if (trap '' XFSZ && ulimit -f 64) 2>/dev/null; then
    blocks=64
    bad 1 'cannot write' '--save cut short by a full disk' poisson2d jacobi --n 500 --cycles 1 \
        --ui none --save x.npy
    bad 1 'cannot write' 'save as a command cut short' poisson2d jacobi --n 500 --cycles 1 \
        --ui none -e 'save x.npy'
    blocks=
else
    skip 'bad input: cut short by a full disk' 'the shell cannot limit file sizes'
fi
mkdir disk
if mount -t tmpfs -o size=64k none disk 2>/dev/null; then
    run poisson2d jacobi --n 500 --cycles 1 --ui none --save disk/x.npy
    why=''
    [ $status = 1 ] && grep -q 'cannot write.*space' err || why="status $status: $(cat err);"
    [ -z "$(ls -A disk)" ] || why="$why left $(ls -A disk)"
    verdict 'full disk' "$why"
    umount disk
else
    skip 'full disk' 'cannot mount a small one'
fi

cp good.npy kept.npy
(trap '' XFSZ; ulimit -f 1; "$program" poisson2d jacobi --n 500 --cycles 1 --ui none \
    --save kept.npy) >/dev/null 2>&1
same 'a file that cannot be replaced is kept' good.npy kept.npy

run poisson2d jacobi --n 20 --ny 12 --cycles 0 --ui none --load good.npy --save again.npy
same '--load and --save give the file back' good.npy again.npy

# --- saved states ------------------------------------------------------------------------------------

cg='poisson2d cg --n 31 --ny 20 --problem random --until 0 --ui none'
# shellcheck disable=SC2086
{
    run $cg --variant pipelined --cycles 7 --save state.ckpt
    run $cg --variant pipelined --cycles 12 --save whole.npy
}
run --load state.ckpt --cycles 12 --ui none --save rest.npy
same '--load alone continues a state' whole.npy rest.npy
run poisson2d cg --cycles 12 --variant pipelined --ui none --load state.ckpt --save rest.npy
same '--load continues a state, with options that agree' whole.npy rest.npy
run poisson2d jacobi --cycles 12 --ui none --load state.ckpt --save other.npy
differ '--load continues a state with another solver' whole.npy other.npy
[ "$status" = 0 ] || fail 'another solver continues a state' "$(cat err)"
bad 1 'another problem: n=31, not n=64' 'a state with another n' poisson2d cg --n 64 \
    --load ../state.ckpt --ui none
bad 1 'another problem: poisson2d, not heat1d' 'a state of another equation' heat1d \
    --load ../state.ckpt --cycles 1 --ui none
bad 1 'leave out --rhs' 'a state and --rhs' --load ../state.ckpt --rhs ../whole.npy --ui none
head -c 3000 state.ckpt >cut.ckpt
bad 1 'cut off|damaged' 'a state that is cut off' --load ../cut.ckpt --ui none
bad 1 'cut off|damaged' 'a state that is cut off, as a command' poisson2d cg --n 31 --ny 20 \
    --ui none -e 'load ../cut.ckpt'
bad 1 'cannot read' 'a state that is not there' --load nowhere.ckpt --ui none

if [ "$(wc -c <good.npy)" = $((128 + 8 * 240)) ] && [ "$(wc -c <single.npy)" = $((128 + 4 * 240)) ]
then
    pass 'a field is its interior points in the precision of the run'
else
    fail 'a field is its interior points in the precision of the run' "$(wc -c good.npy single.npy)"
fi
run poisson2d jacobi --n 20 --ny 12 --cycles 5 --ui none --check-every 1 --csv out.csv
if [ "$(wc -l <out.csv)" = 7 ] && head -n 1 out.csv | grep -q '^cycle,iteration,' &&
    sed -n 7p out.csv | grep -q '^5,5,'; then
    pass '--csv holds every checked cycle'
else
    fail '--csv holds every checked cycle' "$(cat out.csv)"
fi

# The files that are written change nothing of what is computed or counted.
run poisson2d jacobi --backend cpu --n 64 --cycles 3000 --until 0 --json plain.json --ui none
run poisson2d jacobi --backend cpu --n 64 --cycles 3000 --until 0 --json more.json --csv few.csv --ui none
rows=$(wc -l <few.csv)
[ "$rows" -lt 1000 ] && why='' || why="$rows rows"
verdict '--json and --csv check as rarely as a run without them' "$why"

# --- texts -------------------------------------------------------------------------------------------

says '--version' 0 '^stencilscope [0-9]+\.[0-9]+' -- --version
says '--help' 0 'poisson1d' 'poisson2d' 'jacobi' 'shared' '--ui' '--json' 'Exit status' -- --help
says '--help of a solver' 0 '--overlap' '--block-y' '^  --?k ' -- poisson2d shared --help
says 'list' 0 'poisson1d .*cpu' 'poisson2d .*cpu' 'cpu' -- list
[ "$("$program" poisson2d jacobi --help | grep -c -e '--overlap')" = 0 ] &&
    pass '--help leaves out what does not apply' || fail '--help leaves out what does not apply' '--overlap'

# The command line accepts every option that --help lists.
why=''
for option in $("$program" poisson2d shared --help | sed -nE 's/^  (--?[a-z][a-z-]*) .*/\1/p'); do
    case $option in --help | --version) continue ;; esac
    run poisson2d shared --n 16 --cycles 0 --ui none "$option"
    grep -q 'unknown option' err && why="$why $option"
done
verdict '--help lists what is taken' "$why"

"$program" --generate man >page.1 2>err
if command -v groff >/dev/null 2>&1; then
    groff -man -Tascii -P-cbou -ww page.1 >page.txt 2>err
    verdict 'the manual page has no errors' "$(cat err)"
    grep -q 'EXIT STATUS' page.txt && grep -q -e '--overlap' page.txt && pass 'the manual page reads' ||
        fail 'the manual page reads' "$(head -n 5 page.txt)"
else
    skip 'the manual page' 'there is no groff'
fi
PATH=${program%/*}:$PATH # the scripts ask the program
"$program" --generate bash-completion >completion.bash 2>err
if command -v bash >/dev/null 2>&1; then
    got=$(bash -euc '. ./completion.bash; complete -p stencilscope; COMP_WORDS=(stencilscope poi)
        COMP_CWORD=1; _stencilscope; echo "${COMPREPLY[*]}"' 2>&1)
    case $got in
    *"poisson1d poisson2d"*) pass 'the completion completes' ;;
    *) fail 'the completion completes' "$got" ;;
    esac
    offers() { # words before, the word to complete
        bash -euc '. ./completion.bash; COMP_WORDS=(stencilscope $1 "$2")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _stencilscope; echo " ${COMPREPLY[*]} "' - "$1" "$2"
    }
    [ "$(offers heat1d s)" = ' stepper swept ' ] && why='' || why="heat1d: $(offers heat1d s)"
    case $(offers lesson 0) in *" 01-tour 02-"*) ;; *) why="$why lesson: $(offers lesson 0)" ;; esac
    case $(offers 'heat1d swept' --ui) in *" --ui "*) ;; *) why="$why no options" ;; esac
    verdict 'the completion offers solvers that run, and lessons' "$why"
else
    skip 'the completion' 'there is no bash'
fi
for shell in zsh fish; do
    "$program" --generate $shell-completion >completion.$shell
    if ! command -v $shell >/dev/null 2>&1; then
        skip "the completion of $shell" "there is no $shell"
        continue
    fi
    case $shell in
    zsh) got=$(zsh -fc 'compadd() { shift; print -r -- $@; }
        words=(stencilscope heat1d s) CURRENT=3; . ./completion.zsh' 2>&1) ;;
    fish) got=$(HOME=$PWD fish -c '. ./completion.fish; complete -C "stencilscope heat1d s"' 2>&1 | xargs) ;;
    esac
    case $got in
    *"stepper swept"*) pass "the completion of $shell" ;;
    *) fail "the completion of $shell" "$got" ;;
    esac
done

bad 2 'poisson2d does not run with swept: the solver steps in time' \
    'a pair that no backend runs names no backend' poisson2d swept --ui none
bad 2 'unknown option --man .stencilscope --help lists them' 'no far-fetched guess' --man

run poisson2d shared --n 64 --ui text --cycles 3 --backend cpu
why=$(LC_ALL=C tr -d '\n\040-\377' <out | od -c | sed -n 1p)
[ "$why" = 0000000 ] && why=''
[ $status = 0 ] || why="$why status $status"
[ -s err ] && why="$why stderr: $(cat err)"
grep -q '3' out || why="$why no cycle 3"
grep -qE '[│┌┐└┘─▀▄█]' out && why="$why box drawing"
verdict '--ui text is plain lines' "$why"
printf 'step 3\nset k 4\n' >from.run
$limit "$program" poisson2d shared --n 64 --ui none --json - --run - <from.run >out 2>err
status=$?
[ $status = 0 ] && grep -q '"cycles": *3' out && why='' || why="status $status: $(cat err out)"
verdict 'a run file comes from standard input' "$why"

# It begins paused, so that the commands come in time however slow the machine is.
printf '%s\n' 'step 3' 'set k 4' 'set k 0' 'frobnicate' explain 'mark Wärme' help 'step 2' \
    "$(printf '%05000d' 1)" quit |
    $limit "$program" poisson2d shared --n 64 -e pause --ui text --backend cpu >out 2>err
status=$? why=''
[ $status = 0 ] || why="status $status: $(cat err)"
for line in '^paused$' 'k 8→4' '^refused: unknown command .frobnicate' 'k: 0 is out of range' \
    'After .* cycles the residual is' '^at cycle .*: Wärme$' '^step \[N\]: advance' '^cycle [0-9]*,'; do
    grep -q -- "$line" out || why="$why no line '$line'"
done
[ "$(grep -c '^refused' out)" -ge 2 ] || why="$why the long line was taken"
LC_ALL=C grep -q "$(printf '\033')" out && why="$why escape sequences"
[ -z "$why" ] || why="$why in: $(cat out)"
verdict '--ui text carries out commands from standard input' "$why"
printf 'set k 16\n' | $limit "$program" poisson2d shared --n 64 --ui text --backend cpu >out 2>err
status=$?
[ $status = 0 ] && grep -q 'converged' out && why='' || why="status $status: $(cat err out)"
verdict 'the end of the commands lets the run go on to its end' "$why"
(echo run && sleep 1 && echo set k 16) |
    $limit "$program" poisson2d shared --n 64 -e pause --ui text --backend cpu >out 2>err
status=$?
[ $status = 0 ] && grep -q 'converged' out && grep -q 'k 8→16' out && why='' ||
    why="status $status: $(cat err out)"
verdict 'a run that has converged stays so when a setting changes' "$why"

run poisson2d shared --n 64 --cycles 3 # not a terminal: no full screen
LC_ALL=C grep -q "$(printf '\033')" out err && why='escape sequences' || why=''
[ $status = 0 ] || why="$why status $status: $(cat err)"
verdict 'without a terminal there is no full screen' "$why"

# --- signals ---------------------------------------------------------------------------------------

(trap '' HUP && exec "$program" poisson2d jacobi --n 64 --until 0 --seconds 2 --backend cpu \
    --ui none) >out 2>err </dev/null &
pid=$!
ready $pid
kill -HUP $pid
wait $pid
verdict 'what is ignored stays ignored: nohup' "$([ $? = 0 ] || cat out err)"

# --- backends --------------------------------------------------------------------------------------

if "$program" list | grep -q 'cuda .*not here: '; then
    run poisson2d --n 64 --cycles 1 --ui none
    [ $status = 0 ] && grep -q ': running on CPU, ' err && why='' || why="status $status: $(cat err)"
    verdict 'without a GPU auto says why and runs on the CPU' "$why"
    bad 1 'CUDA' 'an explicit --backend cuda without a GPU fails' poisson2d --backend cuda --ui none
    bad 1 'CUDA' 'and so does bench' bench --backend cuda
else
    skip 'without a GPU auto says why' 'there is one'
fi

# --- sessions ----------------------------------------------------------------------------------------

run poisson2d shared --n 60 --ny 40 --problem random --seed 5 --ui none --backend cpu --save first.npy \
    -e 'step 5' -e 'set k 4' -e 'step 3' -e 'set overlap 6' -e 'set solver jacobi' -e 'step 2' \
    -e 'set solver shared' -e 'step 1' -e 'undo' -e 'step 4' -e 'save session.run'
why="$([ $status = 0 ] || echo "status $status") $(cat err)"
run --ui none --backend cpu --run session.run --save second.npy
[ $status = 0 ] || why="$why status $status: $(cat err)"
if [ -n "$(echo "$why" | tr -d ' ')" ]; then
    fail 'a session is saved and played' "$why"
else
    same 'a session is saved and played' first.npy second.npy
fi
run --ui none --run session.run -e 'save again.run'
same 'a session played is the same session' session.run again.run
run poisson1d shared --n 100 --ui none -e 'step 2' -e 'reset' -e 'step 3' -e 'save field.npy' \
    -e 'step 2' --save later.npy
run poisson1d shared --n 100 --ui none --cycles 3 --save three.npy
same 'save as a command takes the field of its moment' field.npy three.npy
differ 'and the run goes on after it' field.npy later.npy

exit $failed
