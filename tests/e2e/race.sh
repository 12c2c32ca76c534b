#!/bin/sh
# Races without a screen: the table, the JSON object, the figures of single runs, bad input.
. tests/e2e/cli.inc

both="--backend cpu --threads 1 --n 64"
jacobi='poisson2d jacobi'
shared='poisson2d shared --k 8 --overlap 4 --block 16'

# shellcheck disable=SC2086
{
    says 'a race prints a table' 0 '^poisson2d, 64×64, on .*to 0.0001 of the first residual' \
        'run  *cycles  *iterations  *seconds  *bytes  *speed-up  *cycles  *iterations' \
        '^  jacobi  .* 1\.00 ' '^  shared k 8 block 16 overlap 4' \
        -- race "$jacobi" "$shared" $both --ui none

    run race "$jacobi" "$shared" $both --json -
    [ "$status" = 0 ] && [ "$(wc -l <out)" = 1 ] && why='' || why="status $status $(cat err)"
    verdict 'a race as one object on one line' "$why"
    cp out race.json

    # The k-th run's own figures are those of the single run.
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

    run race "$jacobi" "$shared" "poisson2d shared --k 2" $both --cycles 5 --json -
    got=$(grep -o '"cycles":5,' out | wc -l)
    [ "$got" -eq 3 ] && [ "$status" = 0 ] && why='' || why="$got, status $status: $(cat out err)"
    verdict '--cycles for all' "$why"

    bad 2 'one problem.*poisson1d' 'races of two equations' race "$jacobi" 'poisson1d jacobi' --ui none
    bad 2 'one problem.*64.*32' 'races of two sizes' race "$jacobi --n 64" "$shared --n 32" --ui none
    bad 2 '2 to 4 runs' 'a race of one' race "$jacobi" --ui none
    bad 2 'at most 4 runs' 'a race of five' race a b c d e --ui none
    bad 2 'neither an equation nor a command' 'a race of nobody' race poison2d "$jacobi" --ui none
    bad 2 'belongs to the race' 'a file in a run' race "$jacobi --json x" "$jacobi" --ui none
    bad 2 'of one run' 'a file of a race' race "$jacobi" "$shared" --ui none --save x.npy
    bad 2 'goes on for ever' 'a race without end' race heat1d 'heat1d swept' --ui none
    exits 1 'a tolerance that is missed' race "$jacobi" "$shared" $both --ui none --until 1e-9 \
        --cycles 3
}
exit "$failed"
