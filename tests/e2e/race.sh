#!/bin/sh
# Races without a screen: the table, the JSON object, the figures of single runs, bad input.
. tests/e2e/cli.inc

both="--backend cpu --threads 1 --n 64"
jacobi='poisson2d jacobi'
shared='poisson2d shared --k 8 --overlap 4 --block 16'

# cycles_within SECONDS: of Jacobi, in five races together
cycles_within() {
    for _ in 1 2 3 4 5; do
        run race "$jacobi" "$shared" --backend cpu --threads 1 --n 128 --seconds "$1" --json -
        grep -o '"cycles":[0-9][0-9]*' out | head -n 1
    done | awk -F: '{ n += $2 } END { print n + 0 }'
}

# shellcheck disable=SC2086
{
    says 'a race prints a table' 0 '^poisson2d, 64×64, on .*to 0.0001 of the first residual' \
        'run  *cycles  *iterations  *sweeps  *reductions  *error  *seconds  *bytes  *speed-up  *cycles  *iterations  *sweeps' \
        '^  jacobi  .* 1\.00 ' '^  shared k 8 block 16 overlap 4' \
        -- race "$jacobi" "$shared" $both --ui none

    says 'a race names every device' 0 ', on CPU, 1 thread and CPU, 2 threads, to' \
        -- race "$jacobi --threads 1" "$jacobi --threads 2" "$jacobi --threads 1 --precision f32" \
        --backend cpu --n 64 --until 1e-2 --ui none

    run race "$jacobi" "$shared" $both --json -
    [ "$status" = 0 ] && [ "$(wc -l <out)" = 1 ] && why='' || why="status $status $(cat err)"
    verdict 'a race as one object on one line' "$why"
    cp out race.json

    # The k-th run has the figures of the single run.
    number=0
    for alone in "$jacobi" "$shared"; do
        run $alone $both --json -
        number=$((number + 1))
        sed -E 's/.*"runs":\[(.*)\]\}$/\1/; s/\},\{"run"/}\n{"run"/g' race.json |
            sed -n "${number}p" >one.json
        why=''
        for key in cycles iterations; do
            mine=$(sed -nE "s/.*\"status\":[^{]*\"$key\":([0-9]+).*/\1/p" one.json)
            [ -n "$mine" ] && [ "$mine" = "$(value out $key)" ] ||
                why="$why $key $mine, alone $(value out $key);"
        done
        verdict "in a race as alone: $alone" "$why"
    done
    first=$(sed -nE 's/.*"places":\{"cycles":([0-9]).*"places":\{"cycles":([0-9]).*/\1 \2/p' race.json)
    [ "$first" = '2 1' ] && why='' || why=$first
    verdict 'fewer cycles come first' "$why"

    says 'a race of six has six rows' 0 '^  jacobi  ' '^  shared  ' '^  sor  ' '^  chebyshev  ' \
        '^  cg  ' '^  multigrid .* 1 *$' \
        -- race 'poisson2d jacobi' 'poisson2d shared' 'poisson2d sor' 'poisson2d chebyshev' \
        'poisson2d cg' 'poisson2d multigrid' --backend cpu --threads 1 --n 63 --ui none
    rows=$(sed -n '/^  run /,$p' out | grep -c '^  [a-z]')
    [ "$rows" = 7 ] && why='' || why="$rows rows with the head: $(cat out)"
    verdict 'and no more' "$why"

    run race "$jacobi" "$shared" "poisson2d shared --k 2" $both --cycles 5 --json -
    got=$(grep -o '"cycles":5,' out | wc -l)
    [ "$got" -eq 3 ] && [ "$status" = 0 ] && why='' || why="$got, status $status: $(cat out err)"
    verdict '--cycles for all' "$why"

    bad 2 'one problem.*poisson1d' 'races of two equations' race "$jacobi" 'poisson1d jacobi' --ui none
    bad 2 'one problem.*64.*32' 'races of two sizes' race "$jacobi --n 64" "$shared --n 32" --ui none
    bad 2 '2 to 6 runs' 'a race of one' race "$jacobi" --ui none
    bad 2 'at most 6 runs' 'a race of seven' race a b c d e f g --ui none
    bad 2 'neither an equation nor a command' 'a race of nobody' race poison2d "$jacobi" --ui none
    bad 2 'belongs to the race' 'a file in a run' race "$jacobi --json x" "$jacobi" --ui none
    bad 2 'applies to a single run' 'a file of a race' race "$jacobi" "$shared" --ui none --save x.npy
    says 'a race in time ends by itself' 0 '^heat1d, 64 points' 'run  *t  *cycles  *steps' \
        '^  stepper  *0\.[0-9]*  .* 1\.00 ' \
        '^swept block 16 and stepper: bit-for-bit equal ✓ after [0-9]* steps$' \
        -- race 'heat1d stepper' 'heat1d swept --block 16' --n 64 --backend cpu --ui none
    says 'a race in time to a given end' 0 'to t = 0.25$' '^  stepper  *0.41888 ' '^  swept  *0.41888 ' \
        '^swept and stepper: bit-for-bit equal ✓' \
        -- race 'ks1d stepper' 'ks1d swept' --n 64 --until-time 0.25 --backend cpu --ui none
    says 'cycles of different length end at different times' 0 'at different times: --until-time' \
        '^  stepper .* limit$' -- race 'heat1d stepper' 'heat1d swept --block 16' --n 64 --cycles 3 \
        --backend cpu --ui none
    bad 2 'never ends by itself' 'a race without a tolerance' race "$jacobi" "$shared" $both --ui none \
        --until 0
    for goal in until cycles seconds until-accuracy until-error; do
        bad 2 "one goal: $goal is .* in one run and .* in another" "a race of two goals: $goal" \
            race "$jacobi --$goal 1" "$shared" $both --ui none
    done
    bad 2 'applies to a single run' 'a file of a recorded race' race "$jacobi" "$shared" --ui none --record x.cast \
        --csv x.csv

    says 'race --help is about races' 0 '^Usage: stencilscope race ' 'In the quotes' 'Outside them' \
        -- race --help
    says 'no clock, no seconds' 0 '^  jacobi  *[0-9]*  *[0-9]*  *[0-9]*  *0  *[0-9.e+-]*  *-  .*B  *-  *[12]  *[12]  *[12]  *-  *[12]  *1$' -- \
        race "$jacobi" "$shared" $both --ui none --deterministic
    run race "$jacobi" "$shared" $both --json - --deterministic
    cp out race.json
    grep -q '"seconds":null,.*"speedup":null,"places":{"cycles":2,' out && why='' || why=$(cat out err)
    verdict 'nor in JSON' "$why"

    # A recording has the race's result, not that of its first run.
    short='--n 16 --backend cpu --size 80x24 --fps 10'
    run race "$jacobi" "$shared" $short --json - --deterministic
    sed 's/"command":"[^"]*",//' out >race.json
    run race "$jacobi" "$shared" $short --ui none --record race.cast --json -
    sed 's/"command":"[^"]*",//' out >recorded.json
    same 'a recorded race as one object' recorded.json race.json
    run race "$jacobi" "$shared" $short --ui none --deterministic
    cp out table
    run race "$jacobi" "$shared" $short --ui none --record race.cast
    same 'a recorded race as a table' out table

    # Its last step ends a recorded race: nobody has interrupted it.
    run race "$jacobi" "$shared" $short --ui none --record race.cast --json - -e 'step 3'
    grep -q '"status":"limit"' out && ! grep -q interrupted out && why='' || why=$(cat out err)
    verdict 'a race that a script has stopped' "$why"

    says 'an accuracy is a goal' 0 'to an accuracy of 0.1$' '^  jacobi .*  1.00  *[12] ' -- \
        race "$jacobi" "$shared" $both --n 16 --ui none --until-accuracy 0.1
    exits 1 'an accuracy that is missed' race "$jacobi" "$shared" $both --n 16 --ui none \
        --until-accuracy 0.1 --cycles 2
    # At equal residual Jacobi's error is a hundred times that of multigrid; at equal error it needs
    # twice the iterations.
    pair='--n 127 --backend cpu --ui none --deterministic'
    says 'the error stands beside equal residuals' 0 '^  jacobi  *13133 .* 0  4.00e-01 ' \
        '^  multigrid  *5 .* 0  4.00e-03 ' '^error: max\|u - u\*\| / max\|u\*\|$' -- \
        race "$jacobi" 'poisson2d multigrid' $pair
    says 'an error is a goal' 0 'to an error of 0.004$' '^  jacobi  *28420 .* 4.00e-03 ' \
        '^  multigrid  *5 .* 0  4.00e-03 .* 1 *$' -- \
        race "$jacobi" 'poisson2d multigrid' $pair --until-error 0.004
    says 'errors on demand' 0 '^  jacobi .* 0  [0-9.]*e[+]0[01] ' -- race "$jacobi" "$shared" --n 400 \
        --backend cpu --ui none --cycles 1 --error
    says 'no error where u* takes its time' 0 '^  jacobi .* 0  *-  ' -- race "$jacobi" "$shared" --n 400 \
        --backend cpu --ui none --cycles 1
    exits 1 'an error that is missed' race "$jacobi" "$shared" $both --ui none --until-error 0.1 \
        --cycles 2
    bad 2 'applies to a single run' 'the error of a race in time' race 'heat1d stepper' 'heat1d swept' \
        --n 64 --backend cpu --ui none --error
    says 'limits stand at the head' 0 'residual, at most 5 cycles, at most 9 s each$' \
        '^  jacobi f64 ' '^  jacobi f32 ' -- \
        race "$jacobi" "$jacobi --precision f32" $both --ui none --cycles 5 --seconds 9
    says 'no cycle, no seconds' 0 '^  jacobi  *0  *0  *0  *0  *[0-9.e+]*  *0  *0 B  *-  ' -- \
        race "$jacobi" "$shared" $both --ui none --cycles 0

    # A turn is a slice of 50 ms unless less time is left: 5 ms allow far fewer cycles than 50 ms,
    # on a busy machine, too.
    few=$(cycles_within 0.005) many=$(cycles_within 0.05) why=''
    [ $((2 * few)) -lt "$many" ] || why="$few cycles in 5 ms, $many in 50 ms"
    verdict '--seconds bounds a turn' "$why"
    exits 1 'a tolerance that is missed' race "$jacobi" "$shared" $both --ui none --until 1e-9 \
        --cycles 3
}
exit "$failed"
