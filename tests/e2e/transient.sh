#!/bin/sh
# Time-dependent equations from the command line: simulated time, files, the swept rule's identity
# through them, divergence, bad input.  Helpers and output: tests/e2e/cli.inc.
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/cli.inc

# cpu ARGUMENT...: without a screen, on the CPU
cpu() { run "$@" --backend cpu --ui none; }

# --- swept is stepper --------------------------------------------------------------------------------

# identity NAME N BLOCK STEPS SETTINGS...: STEPS are some cycles of that block
identity() {
    name=$1 n=$2 block=$3 steps=$4 cycles=$5
    shift 5
    cpu "$@" stepper --n "$n" --cycles "$steps" --save a.npy
    cpu "$@" swept --n "$n" --block "$block" --cycles "$cycles" --threads 3 --save b.npy
    cpu "$@" swept --n "$n" --block "$block" --cycles "$((cycles + 1))" --save c.npy
    same "$name: swept is stepper" a.npy b.npy
    differ "$name: a cycle more is not" b.npy c.npy
}

for precision in f64 f32; do
    identity "heat1d $precision" 16384 512 1024 2 heat1d --problem random --precision $precision
    identity "ks1d $precision" 1000 40 30 3 ks1d --problem random --precision $precision
    identity "euler1d $precision" 768 24 30 5 euler1d --precision $precision
done

# --- time --------------------------------------------------------------------------------------------

# 0.105 is 67.2 steps: 8 cycles of 8, and 4 classic ones.
sod='euler1d --n 128 --dtdx 0.2'
# shellcheck disable=SC2086
{
    cpu $sod swept --block 32 --until-time 0.105 --json out.json --save a.npy
    got="$(value out.json status) $(value out.json cycles) $(value out.json steps) $status"
    [ "$got" = 'limit 8 68 0' ] && got=''
    verdict '--until-time between two cycle ends' "$got"
    case $(value out.json time) in
    0.10625*) pass 'the time reached is that of a step' ;;
    *) fail 'the time reached is that of a step' "$(value out.json time)" ;;
    esac
    cpu $sod stepper --cycles 68 --save b.npy
    same '--until-time with swept is classic stepping' a.npy b.npy
    cpu $sod swept --block 32 --until-time 0.1 --json out.json
    [ "$(value out.json steps)" = 64 ] && got='' || got=$(value out.json steps)
    verdict '--until-time where a cycle ends' "$got"
    cpu $sod swept --block 32 --until-time 0.1 --cycles 3 --json out.json
    [ "$(value out.json steps)" = 24 ] && got='' || got=$(value out.json steps)
    verdict 'the first limit counts' "$got"
}
cpu heat1d stepper --n 200 --until-time 2 --json a.json
cpu heat1d swept --n 200 --block 20 --until-time 2 --json b.json
got="$(value a.json steps) $(value b.json steps)"
[ "$got" = '316808 316808' ] && got=''
verdict 'many steps to a time are as many with every solver' "$got"
exits 0 '--seconds ends a run' ks1d --backend cpu --ui none --seconds 100ms

# --- files -------------------------------------------------------------------------------------------

# shape FILE WANT
shape() {
    if head -c 128 "$1" | grep -aq "'shape': ($2)"; then
        pass "$1 is ($2)"
    else
        fail "$1 is ($2)" "$(head -c 128 "$1" | tr -d '\0')"
    fi
}

cpu heat1d --n 64 --cycles 1 --save heat.npy
cpu euler1d --n 64 --cycles 1 --save euler.npy
cpu euler1d --n 64 --cycles 1 --precision f32 --save single.npy
shape heat.npy '64,'
shape euler.npy '3, 64'
shape single.npy '3, 64'
cpu euler1d --n 64 --cycles 0 --load euler.npy --save again.npy
same 'three fields come back as they were saved' euler.npy again.npy
cpu euler1d stepper --n 64 --cycles 20 --save whole.npy
cpu euler1d stepper --n 64 --cycles 12 --save half.npy
cpu euler1d stepper --n 64 --cycles 8 --load half.npy --save rest.npy
same 'a run goes on from its file' whole.npy rest.npy
cpu heat1d --n 64 --problem spike --cycles 0 --save spike.npy
cpu heat1d stepper --n 64 -e 'load spike.npy' -e 'step 10' --json out.json
case $(value out.json drift) in
0.0 | *e-1[5-9]) pass 'what is conserved is compared with the file that was loaded' ;;
*) fail 'what is conserved is compared with the file that was loaded' "$(cat out.json err)" ;;
esac

# --- the exact solution: of the problem's own start, without paint, and heat1d's of steps of one dt ----

# no_error NAME PATTERN ARGUMENT...: --error prints the reason in one line
no_error() {
    name=$1 pattern=$2
    shift 2
    run "$@" --backend cpu --ui none --error
    why=$([ $status = 1 ] || echo "status $status;")
    [ "$(wc -l <err)" = 1 ] && grep -qE "exact solution $pattern" err || why="$why $(cat err)"
    verdict "no error $name" "$why"
}
once="heat1d stepper --n 64"
# shellcheck disable=SC2086
{
    no_error 'after a change of dt' 'needs a constant dt' $once -e 'step 10' -e 'set fo 0.1' -e 'step 10'
    no_error 'from a file' '.*was loaded' $once --load spike.npy --cycles 10
    no_error 'from a file loaded later' '.*was loaded' $once -e 'load spike.npy' -e 'step 10'
    no_error 'of what was painted' 'does not include paint' $once -e 'step 5' -e 'paint 9 0 4 1' -e 'step 5'
    no_error 'of a tube from a file' '.*was loaded' euler1d --n 64 --load euler.npy --cycles 2
    for back in 'reset' 'open heat1d stepper n=64'; do
        cpu $once -e 'step 10' -e 'set fo 0.1' -e 'step 10' -e "$back" -e 'step 9' --error --json out.json
        case $(value out.json error_max) in
        0.0 | *e-1[3-9]) pass "but after $back" ;;
        *) fail "but after $back" "$(cat out.json err)" ;;
        esac
    done
}

# --- divergence --------------------------------------------------------------------------------------

cpu heat1d --n 64 --fo 0.6 --allow-unstable --problem random --cycles 9999
why=$([ $status = 1 ] || echo "status $status;")
grep -q 'diverged at cycle .*because fo 0.6 is unstable.* 0.5' out || why="$why $(cat out err)"
verdict 'divergence is caught and explained' "$why"
run heat1d --n 64 --fo 0.6 --allow-unstable --problem random --cycles 9999 --backend cpu --json -
why=$([ $status = 1 ] && [ "$(value out status)" = diverged ] || echo "status $status $(cat out);")
grep -q 'because fo 0.6 is unstable' err || why="$why $(cat err)"
verdict 'and with JSON on stdout the reason is on stderr' "$why"
cpu euler1d --limiter as-printed --dtdx 0.37 --until-time 0.2
why=$([ $status = 1 ] || echo "status $status;")
grep -q 'diverged at cycle .*limiter as printed' out || why="$why $(cat out err)"
verdict 'the printed limiter is named as the cause' "$why"

# --- bad input ---------------------------------------------------------------------------------------

once='--backend cpu --cycles 1 --ui none'
# shellcheck disable=SC2086
{
    bad 2 'use 32 or 64' 'block that does not divide n' heat1d --block 33 $once
    bad 2 'multiple of 4.*use 16 or 32' 'block that is no multiple' ks1d --block 18 $once
    bad 2 'use 20 or 40' 'n that is no multiple of the block' heat1d --n 1000 $once
    bad 2 'no block fits; use n = 992 or 1024' 'n without any block' euler1d --n 1022 $once
    bad 2 'no block fits; use n = 32 or 64' 'odd n' heat1d --n 37 $once
    bad 2 'range 2…1024 .a divisor of n 1024' 'block larger than n' heat1d --block 2048 $once
    bad 2 'fo: 0.51 is unstable.* 0.5;.*allow-unstable' 'Fo > 1/2' heat1d --fo 0.51 $once
    bad 2 'dt: 0.001 is unstable.*1.16' 'dt beyond its limit' ks1d --dt 1e-3 $once
    bad 2 'dtdx: 0.46 is unstable.*0.4562' 'dt/dx beyond its limit' euler1d --dtdx 0.46 $once
    bad 2 'n: 3 is out of range 4' 'too few points' heat1d --n 3 $once
    bad 2 'n: 7 is out of range 8' 'too few points for two neighbours' ks1d --n 7 $once
    bad 2 'heat1d does not run with jacobi: the solver iterates' 'solver of the wrong kind' heat1d jacobi $once
    bad 2 'is steady' 'equation of the wrong kind' poisson2d swept $once
    bad 2 'belongs to swept' 'block of no solver' heat1d stepper --block 32 $once
    bad 2 'is steady' 'a time for a steady equation' poisson2d --until-time 1 $once
    bad 2 'no residual' 'a tolerance for what moves' heat1d --until 1e-3 $once
    bad 2 'no residual' 'looks at no residual' ks1d --check-every 3 $once
    bad 2 'never ends by itself.*--until-time' 'no limit and no screen' heat1d --backend cpu --ui none
    bad 2 'never ends by itself' 'a limit of nothing' heat1d --backend cpu --ui none --seconds 0
    bad 2 'never ends by itself' 'another limit of nothing' heat1d --backend cpu --ui none --until-time none
    bad 2 'never ends by itself' 'a script that runs on' heat1d --backend cpu --ui none -e 'step 2' -e run
    bad 2 'heat1d never ends by itself' 'one more run without an end' poisson2d --n 15 --backend cpu \
        --ui none -e 'add heat1d swept'
    bad 2 'heat1d never ends by itself' 'another run without an end' ks1d --cycles 3 --backend cpu \
        --ui none -e 'open heat1d swept'
    exits 0 'one more run ends as the first one' heat1d --n 64 --cycles 3 --backend cpu --ui none \
        -e 'add heat1d swept'
    exits 0 'another run with an end' ks1d --backend cpu --ui none -e 'open heat1d swept cycles=3'
    exits 0 'another run that ends by itself' ks1d --backend cpu --ui none -e 'open poisson2d n=15'
    bad 1 'no right-hand side' '--rhs of what has none' heat1d --rhs ../heat.npy $once
    bad 1 '3, 64.*needs.*64,|needs' 'three fields for one' heat1d --n 64 --load ../euler.npy $once
    bad 1 'needs' 'one field for three' euler1d --n 64 --load ../heat.npy $once
    bad 1 'depends on time' '--accuracy of what moves' heat1d --accuracy $once
    bad 2 'need' 'memory' euler1d --n 268435456 --backend cpu --cycles 1 --ui none
}

# The limit that the error names is accepted.
for case in 'ks1d dt 0.9' 'euler1d dtdx 1.9' 'heat1d fo 0.9'; do
    # shellcheck disable=SC2086
    set -- $case
    cpu "$1" --"$2" "$3" --cycles 1
    limit_named=$(sed -nE 's/.*stable value here is ([^;]*);.*/\1/p' err)
    cpu "$1" --"$2" "$limit_named" --cycles 1
    verdict "$1 takes the limit it names, $limit_named" "$([ $status = 0 ] || cat err)"
done

says 'list' 0 '^heat1d .*-.*cpu *cuda|^heat1d .*cpu' '^ks1d .*cpu' '^euler1d .*cpu' \
    '^heat1d jacobi: .' '^poisson2d swept: .' '^poisson1d stepper: .' -- list
why=$("$program" list | sed -nE 's/^([a-z0-9]+ [a-z]+):$/no reason for \1/p')
verdict 'every hole of the matrix has a reason' "$why"
says '--help of swept' 0 '--block' '--fo' '--latency' '--until-time' '--allow-unstable' -- \
    heat1d swept --help
[ "$("$program" heat1d --help | grep -cE '^  --(until|check-every|until-accuracy) ')" = 0 ] &&
    pass '--help leaves out what has no meaning' || fail '--help leaves out' "$("$program" heat1d --help)"

exit $failed
