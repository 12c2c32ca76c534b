#!/bin/sh
# `stencilscope bench` on small grids: the table, its JSON, the papers' tables.  Prints "ok NAME",
# "not ok NAME: why", "skip NAME why".
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/cli.inc

usual=$limit
limit=${limit:+timeout 400} # measures, and other tests run beside it
run bench --backend cpu --n 128 --rounds 1 --json bench.json
limit=$usual
why="$([ $status = 0 ] || echo "status $status: $(cat err)")"
[ "$(grep -c ' pt/s\|pt/s ' out)" -ge 20 ] || why="$why $(wc -l <out) lines"
grep -q 'triad  *[0-9.]* GB/s' out || why="$why no triad"
verdict 'bench prints a row for every case' "$why"
why=''
[ "$(wc -l <bench.json)" = 1 ] || why="$(wc -l <bench.json) lines;"
for key in backend device limits triad groups equation precision label params seconds_per_iteration \
    seconds_per_cycle triad_fraction speedup speedup_stream norm_cost cycles seconds; do
    grep -q "\"$key\":" bench.json || why="$why no $key"
done
verdict 'bench writes JSON on one line' "$why"
"$root/assets/bench_table.sh" bench.json >table.md 2>err
why=$(cat err)
[ "$(grep -c '^| `jacobi` |' table.md)" = 4 ] || why="$why $(cat table.md)"
grep -qE '^\| `jacobi` \| [0-9.]+ .?.?s \| [0-9.]+ \| 1.00 \|' table.md || why="$why no time"
verdict 'a Markdown table is made of it' "$why"

run bench --backend cpu --paper hierarchical --n 16 --rounds 1 --threads 1
why="$([ $status = 0 ] || echo "status $status: $(cat err)")"
for text in 'table 1' 'table 4' ' 5676 ms\|5.68 s' 'of a GPU do not apply'; do
    grep -q "$text" out || why="$why no $text"
done
verdict 'bench --paper hierarchical prints theirs and ours' "$why"
run bench --backend cpu --paper wild --n 16 --rounds 1 --threads 1 --json -
why="$([ $status = 0 ] || echo "status $status: $(cat err)")"
[ "$(wc -l <out)" = 1 ] && grep -q '"paper":"wild"' out || why="$why $(head -c 200 out)"
verdict 'bench --paper wild writes JSON on one line' "$why"
run bench --backend cpu --paper swept --n 1024 --rounds 1 --threads 1
why="$([ $status = 0 ] || echo "status $status: $(cat err)")"
for text in 'heat, ' 'KS, ' 'Euler, ' ' 2.92 ' 'wait policy'; do
    grep -q "$text" out || why="$why no $text"
done
verdict 'bench --paper swept prints theirs and ours' "$why"
run bench --backend cpu --paper swept --n 1024 --rounds 1 --threads 1 --json -
why="$([ $status = 0 ] || echo "status $status: $(cat err)")"
[ "$(wc -l <out)" = 1 ] && grep -q '"paper":"swept".*"their_seconds_per_step":2.9' out ||
    why="$why $(head -c 200 out)"
verdict 'bench --paper swept writes JSON on one line' "$why"
# The limits alone: printed, and kept for the roofline.
unset XDG_STATE_HOME
run bench --limits --backend cpu --rounds 1 --threads 1
why="$([ $status = 0 ] || echo "status $status: $(cat err)")"
grep -q 'triad  *[0-9.]* GB/s' out && grep -q 'kept for the roofline of runs on CPU, 1 thread$' out ||
    why="$why $(cat out)"
grep -q ' triad B/s [0-9.e+]* 0 0$' .local/state/stencilscope/limits || why="$why no file"
verdict 'bench --limits keeps what it measures' "$why"
run bench --limits --backend cpu --rounds 1 --threads 1 --json -
why="$([ $status = 0 ] || echo "status $status: $(cat err)")"
[ "$(wc -l <out)" = 1 ] && grep -q '"limits":{"triad":.*"complete":true,"groups":\[\]' out ||
    why="$why $(head -c 300 out)"
verdict 'bench --limits writes JSON on one line' "$why"
bad 2 'measures no paper' 'limits of a paper' bench --limits --paper wild
run bench --help
why="$([ $status = 0 ] || echo "status $status;")"
grep -q '^Usage: stencilscope bench' out && grep -q -e '--paper smoother --patch 16' out ||
    why="$why $(head -3 out)"
verdict 'bench has a help of its own' "$why"
# The device is named once, with the threads that were asked for.
"$program" bench --n 64 --rounds 1 --threads 1 >named.out 2>named.err &
bench=$!
sleep 2
kill -9 $bench 2>/dev/null
wait $bench 2>/dev/null
why=$(grep -h '[2-9][0-9]* threads' named.out named.err)
verdict 'bench names the threads that it uses' "$why"
# Killed while it runs: what is measured is in the file, and the same command goes on from it.
"$program" bench poisson3d --backend cpu --patch 8 --rounds 2 --json part.json >part.out 2>part.err &
bench=$!
for i in $(seq 900); do
    grep -q '"measured":[12]' part.json 2>/dev/null && break
    sleep 0.1
done
kill -TERM $bench 2>/dev/null
wait $bench 2>/dev/null
status=$?
why=''
[ $status = 130 ] || why="status $status;"
grep -q '"complete":false' part.json && [ "$(wc -l <part.json)" = 1 ] || why="$(head -c 200 part.json);"
grep -q 'triad  *[0-9.]* GB/s' part.out || why="$why no head yet: $(cat part.out part.err)"
verdict 'an interrupted bench leaves what it has measured' "$why"
run bench poisson3d --backend cpu --patch 8 --rounds 2 --json part.json
why="$([ $status = 0 ] || echo "status $status: $(cat err)")"
grep -q 'cases are taken over from part.json' out || why="$why nothing taken over"
grep -q '"complete":true' part.json && ! grep -q '"progress"' part.json || why="$why not complete"
verdict 'the same bench goes on from it' "$why"
run bench --backend cpu --paper smoother --patch 8 --rounds 1 --threads 1
why="$([ $status = 0 ] || echo "status $status: $(cat err)")"
grep -q 'theirs: 64 x 16^3; ours: poisson3d.*patch=8' out && grep -q 'sizes=16x8+16x9+16x10+16x11+16x12' out ||
    why="$why $(grep poisson3d out)"
verdict 'bench --paper smoother takes smaller patches' "$why"
# One block of all points, solved exactly: 1 - 0.8 of the residual remains after each step.
grep -q 'block-jacobi bx=8  *figure 4 .* 0\.008000  *0\.200000 ' out && why='' ||
    why="$(grep 'figure 4' out)"
verdict 'bench --paper smoother has reductions and factors' "$why"
grep -q 'figure 5a  *12 .*skipped: needs two threads' out && why='' || why="$(grep 'figure 5' out)"
verdict 'bench --paper smoother has no speed-up of one thread' "$why"
bad 1 'the paper has no n = 1000' 'size of a paper' bench --backend cpu --paper swept --n 1000 \
    --json -
bad 2 'did you mean wild' 'paper' bench --paper wilt

exit $failed
