#!/bin/sh
# The map end to end: its table, its files, what it refuses, and that a map which was killed or
# interrupted resumes.  Prints "ok NAME", "not ok NAME: why".
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/cli.inc
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY

small='map poisson1d shared --backend cpu --n 64 --block 16 --k 2,4,8 --overlap 0:6:2'

# --- the table, the CSV, the JSON ---------------------------------------------------------------------

says 'a table with the best of each row' 0 '^map poisson1d shared .*--n 64 .*: cycles × blocks' \
    '^k .* overlap +0 +2 +4 +6$' '^ +4 .*[0-9]\*' '^\* best overlap for each k: 2: ' \
    -- $small --quantity work
says 'seconds name the best of all' 0 '^! best of all: k [248], overlap [0246]: ' -- \
    $small --quantity seconds
says 'map --help is about maps' 0 '^Usage: stencilscope map ' '4:8:3 is 4, 7' -- map --help
says 'also behind an equation' 0 '^Usage: stencilscope map ' -- map poisson1d shared --k 2,4 --help
says 'one list is one row' 0 '^\* best overlap: [0246]$' -- \
    map poisson1d shared --backend cpu --n 64 --block 16 --overlap 0:6:2
says 'what does not go together says why' 0 '\(a\) refused: overlap: 16 is out of range' '\(a\)$' -- \
    map poisson1d shared --backend cpu --n 64 --block 16 --k 4,8 --overlap 0:16:8
says 'limits are no optima' 0 ' limit ' '^\* best overlap for each k: 2: none' \
    '^limit: stopped before the tolerance' -- $small --cycles 600 --k 2,64
run $small --quantity error --cycles 10
grep -q '^limit' out && why='explains what no cell says' || why=''
verdict 'errors have no limit' "$why"
says 'an accuracy is a goal' 0 '^ +[0-9]+\*.*[0-9]$' '^\* best n: 32$' -- \
    map poisson1d jacobi --backend cpu --n 32,48 --until-accuracy 0.2
says 'a range of choices that are numbers' 0 '^variant +0 +1 +2 +3$' -- \
    map poisson2d async --backend cpu --n 32 --variant 0:3
says 'errors after so many cycles' 0 'max.u - u' '[0-9]e-0[0-9]\*' -- \
    $small --quantity error --cycles 10
says 'a reduction after so many cycles' 0 ': .r./.r0.$' '[0-9]e-0[0-9]\*!' '^! best of all: ' -- \
    $small --quantity reduction --cycles 40
says 'a factor after so many cycles' 0 ': factor of .r. per cycle' '^ +9\.8297e-01\*! .*9\.9547e-01' -- \
    map poisson1d jacobi --backend cpu --n 16,32 --quantity factor --cycles 2000
says 'a factor that changes says so' 0 '^ +\(a\) +\(a\)$' '^\* best n: none$' \
    '^\(a\) the factor has not settled' -- \
    map poisson1d jacobi --backend cpu --n 32,64 --quantity factor --cycles 20
says 'a mean error after so many cycles' 0 'mean.u - u' '[0-9]e-0[0-9]\*!' -- \
    map poisson2d jacobi --backend cpu --n 16,24 --quantity l1 --cycles 50
says 'the mean error of what moves' 0 'mean.u - u' '^! best of all: block ' -- \
    map heat1d swept --backend cpu --n 64 --block 16,32,64 --cycles 4 --quantity l1
says 'map --help names the quantities' 0 'error .max' 'l1 .mean' 'reduction ' '^ +factor .measured' -- \
    map --help
says 'what moves has its limit for a goal' 0 '^! best of all: block (16|32|64): ' -- \
    map heat1d swept --backend cpu --n 64 --block 16,32,64 --cycles 4 --quantity seconds

# As the papers count: cycles of single runs are those of the cells.
run $small --csv work/map.csv --deterministic
why=''
[ "$(sed -n 2p work/map.csv)" = k,overlap,cycles,blocks,work,seconds,status ] || why='another header;'
[ "$(wc -l <work/map.csv)" = 14 ] || why="$why not 14 lines;"
cp out table
run poisson1d shared --backend cpu --n 64 --block 16 --k 4 --overlap 2 --json -
grep -q "^4,2,$(value out cycles),$(value out blocks),[0-9]*,,ok\$" work/map.csv || why="$why no 4,2"
verdict 'a cell is what a run is' "$why"
cp work/map.csv full.csv

run $small --json - --quantity bytes
why=''
[ "$status" = 0 ] && [ "$(wc -l <out)" = 1 ] || why="status $status, or not one line;"
for key in schema_version results timestamp configuration objectives times runtimes invalidity \
    correctness measurements; do
    grep -q "\"$key\":" out || why="$why no $key;"
done
grep -q '"configuration":{"k":2,"overlap":0},"objectives":\["bytes"\]' out || why="$why no first cell"
verdict 'JSON as auto-tuners exchange it' "$why"

# All of the cycles are done, as a run without a tolerance does them, unless the user gives one.
run map poisson1d jacobi --backend cpu --n 16 --cycles 100,2000 --quantity reduction --csv work/state.csv \
    --deterministic
why=''
cp out shown
run poisson1d jacobi --backend cpu --n 16 --cycles 2000 --until 0 --json -
expected=$(value out reduction)
grep -q "^2000,2000,.*,ok,$expected\$" work/state.csv || why="no $expected: $(cat work/state.csv);"
run map poisson1d jacobi --backend cpu --n 16 --cycles 100,2000 --quantity reduction --csv work/state.csv \
    --deterministic
cmp -s out shown || why="$why another table when it is resumed;"
run map poisson1d jacobi --backend cpu --n 16 --cycles 100,2000 --quantity reduction --until 1e-4 --csv \
    work/until.csv --deterministic
grep -q '^2000,2000,' work/until.csv && why="$why the tolerance is ignored;"
run map poisson1d jacobi --backend cpu --n 32,64 --quantity factor --cycles 20 --csv work/factor.csv
cp out shown
run map poisson1d jacobi --backend cpu --n 32,64 --quantity factor --cycles 20 --csv work/factor.csv
cmp -s out shown || why="$why another reason when it is resumed"
verdict 'a state after so many cycles' "$why"

# --- resuming -----------------------------------------------------------------------------------------

run $small --csv work/map.csv --deterministic
same 'a map that is full stays as it is' work/map.csv full.csv
same 'and is shown again' out table

# The ledger supplies values that rows lack: a resumed map has the JSON of an uninterrupted one.
run $small --json - --deterministic
cp out fresh.json
grep -q '"name":"bytes"' out && why='' || why='no bytes'
head -n 6 full.csv >work/half.csv
run $small --json - --deterministic --csv work/half.csv
cmp -s out fresh.json || why="$why differs"
verdict 'JSON of a map that went on' "$why"

# Cut off at every third byte of the second half: also within a row.
why=''
size=$(wc -c <full.csv)
at=$((size / 2))
while [ $at -lt "$size" ]; do
    head -c $at full.csv >work/map.csv
    run $small --csv work/map.csv --deterministic
    cmp -s work/map.csv full.csv && cmp -s out table || why="$why $at"
    at=$((at + 37))
done
verdict 'torn anywhere it goes on' "$why"

head -c 30 full.csv >work/map.csv
run $small --csv work/map.csv --deterministic
same 'torn in its first lines it begins again' work/map.csv full.csv

# begin SIGNAL: stops a map once a few cells are done; the status to $status
large='map poisson1d shared --backend cpu --n 512 --block 32 --k 4,8,16 --overlap 0:12:2
    --deterministic --threads 1'
begin() {
    rm -f work/killed.csv
    "$program" $large --csv work/killed.csv >out 2>err </dev/null &
    pid=$!
    tries=0
    while [ "$(cat work/killed.csv 2>/dev/null | wc -l)" -lt 5 ] && [ $tries -lt 600 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    kill -"$1" $pid
    wait $pid
    status=$?
}
why=''
# One signal: timeout also signals its process group, and a second one ends the program at once.
timeout --foreground --preserve-status -s INT 2 "$program" map poisson1d shared --backend cpu --n 4096 --k 4,8 \
    --overlap 0:8:2 --csv work/killed.csv >out 2>err </dev/null
status=$?
[ "$status" = 130 ] || why="status $status;"
grep -q 'interrupted: [0-9] of 10 cells are done, and the same command resumes it' err || why="$why $(cat err)"
[ "$(tail -c 1 work/killed.csv | wc -l)" = 1 ] || why="$why a torn row"
verdict 'SIGINT: status 130 and whole rows' "$why"

run $large --csv work/whole.csv
for signal in TERM KILL; do
    begin $signal
    why=''
    cp work/killed.csv half.csv
    lines=$(wc -l <half.csv)
    [ "$lines" -lt 23 ] || why="it was done before the signal ($lines lines);"
    [ $signal = KILL ] || [ "$status" = 130 ] || why="$why status $status: $(cat err);"
    run $large --csv work/killed.csv
    cmp -s work/killed.csv work/whole.csv || why="$why another end;"
    head -n "$lines" work/killed.csv | cmp -s - half.csv || why="$why rows were written again"
    verdict "after SIG$signal it goes on" "$why"
done

# --- pictures -----------------------------------------------------------------------------------------

# A recording has a frame for each cell, the empty table ahead of them, and holds the full one.
if run map poisson1d shared --backend cpu --n 64 --block 16 --k 2,4,8 --overlap 0:6:2 \
    --deterministic --fps 10 --hold-last 1s --record work/fill.cast --size 120x40 &&
    [ "$status" = 0 ]; then
    why=''
    grep -q 'recorded work/fill.cast: 23 frames, 2.3 s' err || why="$(cat err);"
    grep -q 'all measured' work/fill.cast || why="$why the last frame is another one"
    cp work/fill.cast first.cast
    run $small --deterministic --fps 10 --hold-last 1s --record work/fill.cast --size 120x40
    cmp -s first.cast work/fill.cast || why="$why another recording the second time"
    verdict 'a recording has a frame for each cell' "$why"
else
    fail 'a recording has a frame for each cell' "status $status: $(cat err)"
fi

run $small --export work/map.svg
if grep -q 'without which this program was built' err; then
    pass 'figures need cairo, and that is said'
else
    why=''
    [ "$status" = 0 ] || why="status $status: $(cat err);"
    head -c 200 work/map.svg | grep -q '<svg' || why="$why no SVG"
    grep -q 'best overlap' out || why="$why no table"
    verdict 'a figure of the full map' "$why"
fi
bad 2 'ends in none of' 'a recording of no format' $small --record work/map.tiff

# --- refusals -----------------------------------------------------------------------------------------

exits 1 'nothing but limits is a failure' $small --cycles 5
bad 2 'the same file' 'two results in one file' $small --csv x --json x
bad 2 'which stdout is not' 'rows to stdout' $small --csv -
bad 1 'cannot write none/x' 'nowhere to write JSON, known before the first cell' $small --json none/x
bad 2 'map: --save applies to a single run' 'a field of a map' $small --save x.npy
bad 2 'map: --rounds belongs to bench' 'rounds of a map' $small --rounds 3
bad 2 'at most two axes' 'three lists' $small --block 16,32
bad 2 'needs a list or a range' 'no list' map poisson1d shared --k 4
bad 2 'k: .four. is not a number' 'no number' map poisson1d shared --k 4,four
bad 2 'k: 4 is in the list twice' 'twice' map poisson1d shared --k 4,8,4
bad 2 'do not lead from 16 to 0' 'a range that ends nowhere' map poisson1d shared --overlap 16:0:2
bad 2 'more than 128 values' 'too many' map poisson1d shared --k 1:1000
bad 2 'belongs to shared' 'not of this solver' map poisson1d jacobi --overlap 0,2
bad 2 'one of|not one of' 'two solvers' map poisson1d jacobi,shared --k 2,4
bad 2 'not one of' 'no such quantity' $small --quantity colour
bad 2 'quantity factor needs a residual, which heat1d does not have' 'no residual' \
    map heat1d swept --backend cpu --block 16,32 --cycles 4 --quantity factor
bad 2 'is not a number; lists .4,8. and ranges .4:8. are for map' 'lists are for maps' poisson1d shared --k 4,8
bad 2 'ranges .4:8. are for map' 'a range of a single run' poisson1d shared --k 4..8
bad 2 'k: .4\.\.8. is not a number; a range is 4:8' 'a range with dots' map poisson1d shared --k 4..8
bad 2 'carries out no commands' 'commands' $small -e 'step 1'
bad 2 'never ends by itself' 'no end' map heat1d swept --block 16,32
bad 2 'never ends by itself' 'no tolerance' $small --until 0
bad 1 'cannot write' 'nowhere to write' $small --csv none/map.csv
cp full.csv other.csv
bad 1 'first line is .*--n 64 .*this map .*--n 32 ' 'the file of another map' $small --n 32 \
    --csv ../other.csv
bad 1 'columns are k,overlap,cycles.*status, those of this map .*status,bytes:' \
    'the file of another quantity' $small --deterministic --quantity bytes --csv ../other.csv
same 'which stays as it was' other.csv full.csv
echo 'cycle,iteration' >other.csv
bad 1 'is a file of something else' 'another file' $small --csv ../other.csv
run map poisson1d shared --backend cpu --n 64 --block 8 --overlap 8,10
[ "$status" = 1 ] && grep -q 'every cell was refused' err && pass 'all refused is a failure' ||
    fail 'all refused is a failure' "status $status: $(cat err)"

exit $failed
