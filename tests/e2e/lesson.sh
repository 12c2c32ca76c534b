#!/bin/sh
# Lessons: each passes with its author's solution and fails without it; invalid ones are refused
# with file, line and reason; homework is graded.  Helpers: tests/e2e/cli.inc.
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/cli.inc
lessons=$root/tests/e2e/lessons
XDG_STATE_HOME=$tmp/state
export XDG_STATE_HOME

# --- lint --------------------------------------------------------------------------------------------

for file in "$lessons/good.md" "$root"/lessons/[0-9]*.md; do
    [ -e "$file" ] || continue
    got=$($limit "$program" lesson lint "$file" 2>&1) && got=
    verdict "lint $(basename "$file")" "$got"
done

# rejected NAME LINE REASON: with exit status 1
rejected() {
    got=$($limit "$program" lesson lint "$lessons/$1.md" 2>&1)
    code=$?
    case "$code $got" in
    "1 "*"$1.md:$2: "*"$3"*) pass "lint refuses $1.md" ;;
    *) fail "lint refuses $1.md" "$code $got" ;;
    esac
}

line=$(grep -n '^cycles' "$lessons/solved.md" | cut -d: -f1)
rejected solved "$line" 'is met without the solution'
rejected unsolvable "$line" 'is not met by the solution'
rejected syntax "$line" 'did you mean cycles'

sed 's/^```check/```chekc/' "$lessons/good.md" >kind.md
got=$("$program" lesson lint kind.md 2>&1)
case $got in
kind.md:*"did you mean check"*) pass 'an unknown kind of block' ;;
*) fail 'an unknown kind of block' "$got" ;;
esac
sed 's/^set overlap 14/set overlap 14k/' "$lessons/good.md" >value.md
line=$(grep -n '14k' value.md | cut -d: -f1)
got=$($limit "$program" lesson lint value.md 2>&1)
case $got in
"value.md:$line: the solution: "*) pass 'a command that cannot be is named by its line' ;;
*) fail 'a command that cannot be is named by its line' "$got" ;;
esac

printf '#!/bin/sh\n: >x.ran\n' >x.sh
chmod +x x.sh
for command in 'bind h "save ./x.npy"' 'save x.npy' 'export x.pdf' 'record x.gif' 'copy session' \
    'load x.npy' quit 'open poisson2d save=x.npy' 'set json x.json' 'set launcher ./x.sh' \
    'add poisson2d jacobi n=8 backend=mpi launcher=./x.sh' \
    'open poisson2d jacobi n=8 backend=mpi launcher=./x.sh'; do
    awk -v c="$command" '{ print } /^```scenario/ { print c }' "$lessons/good.md" >evil.md
    got=$($limit "$program" lesson lint evil.md 2>&1)
    code=$?
    [ $code = 1 ] && got=
    for file in x.npy x.pdf x.gif x.json x.ran; do [ -e $file ] && got="it has written $file"; done
    verdict "a lesson may not $command" "${got:+$code $got}"
done

# Nor may a run file, or the work that is graded, choose a program that is started.
printf 'open poisson2d jacobi n=8 backend=mpi launcher=./x.sh\n' >evil.run
got=$($limit "$program" --run evil.run --ui none 2>&1)
case $?:$got in
[12]:*'launcher decides which programs are started: give it on the command line'*) got= ;;
esac
[ -e x.ran ] && got='it has run x.sh'
verdict 'a run file may not start programs' "$got"
got=$($limit "$program" lesson grade "$lessons/good.md" evil.run 2>&1)
[ -e x.ran ] && got='it has run x.sh' || got=
verdict 'nor may graded work' "$got"

for name in solver equation precision problem; do
    sed "s/best(overlap)/best($name)/" "$lessons/good.md" >best.md
    got=$($limit "$program" lesson lint best.md 2>&1)
    code=$?
    [ $code -le 1 ] && got=
    verdict "best($name) tries what there is" "${got:+$code $got}"
done

"$program" lesson new mine >/dev/null && got=$($limit "$program" lesson lint mine.md 2>&1) && got=
verdict 'a new lesson passes its lint' "$got"

# --- grade -------------------------------------------------------------------------------------------

printf 'mark "step 1"\nset overlap 4\nmark "step 2"\nset overlap 14\nreset\nstep 5\n' >good.run
got=$($limit "$program" lesson grade "$lessons/good.md" good.run 2>&1) && got=
verdict 'good work passes' "$got"
printf 'set overlap 0\n' >poor.run
got=$($limit "$program" lesson grade "$lessons/good.md" poor.run 2>&1)
code=$?
[ $code = 1 ] && echo "$got" | grep -q '^fail  step 1: cycles' && got=
verdict 'poor work does not, and is told why' "$got"
case $($limit "$program" lesson grade "$lessons/good.md" poor.run 2>&1) in
*'the work has no marks'*'mark "step 2" begins the work for step 2'*) pass 'and that it has no marks' ;;
*) fail 'and that it has no marks' "$got" ;;
esac
printf 'mark "step 1"\nset overlap 4\n' >half.run
got=$($limit "$program" lesson grade "$lessons/good.md" half.run 2>&1)
case "$? $got" in
"1 "*'fail  step 2: there is no work for it: mark "step 2" begins it'*) pass 'a step without work' ;;
*) fail 'a step without work' "$got" ;;
esac
printf 'mark "step 3"\nset overlap 4\n' >beyond.run
got=$($limit "$program" lesson grade "$lessons/good.md" beyond.run 2>&1)
case "$? $got" in
"1 "*'mark "step 3": the lesson has steps 1 to 2'*) pass 'work for a step that does not exist' ;;
*) fail 'work for a step that does not exist' "$got" ;;
esac
for page in src/lesson/README.md src/lesson/writing.md; do # the example that is printed there
    sed -n '/^# homework.run/,/^```/p' "$root/$page" | sed '$d' >homework.run
    got=$($limit "$program" lesson grade 06 homework.run 2>&1) && [ -s homework.run ] && got=
    verdict "the homework of $page passes" "$got"
done
printf 'mark "step 4"\nset block 256\n' >single.run
got=$($limit "$program" lesson grade 09 single.run 2>&1)
case "$? $got" in
"1 "*'fail  step 4: keep blocks >= 2'*) pass 'a single block does not pass lesson 09' ;;
*) fail 'a single block does not pass lesson 09' "$got" ;;
esac
for change in 'set n 16' 'set until 0.5'; do
    printf 'set overlap 4\n%s\n' "$change" >unfair.run
    got=$($limit "$program" lesson grade "$lessons/good.md" unfair.run 2>&1)
    case "$? $got" in
    "1 "*'differs from the lesson'*) pass "work may not $change" ;;
    *) fail "work may not $change" "$got" ;;
    esac
done
printf '2\nset until 0.5\nset overlap 4\nrun\nlook at it\nquit  \n' >unfair.in
got=$(XDG_STATE_HOME=$tmp/unfair $limit "$program" lesson "$lessons/good.md" --ui text <unfair.in 2>&1)
case "$got" in
*'until differs from the lesson'*'0 of 2 steps done'*) pass 'nor line by line' ;;
*) fail 'nor line by line' "$got" ;;
esac
# At its prompt a signal ends the lesson as it ends everything else.
mkfifo line.in
XDG_STATE_HOME=$tmp/signal "$program" lesson "$lessons/good.md" --ui text <line.in >out 2>err &
pid=$!
exec 3>line.in
ready $pid
kill -TERM $pid
wait $pid
got=$?
exec 3>&-
[ $got = 130 ] && got=
verdict 'a signal ends it with 130' "$got"
awk 'BEGIN { printf "2\nset overlap "; for (i = 0; i < 2000; i++) printf "4"; print "\nquit" }' >long.in
got=$(XDG_STATE_HOME=$tmp/long $limit "$program" lesson "$lessons/good.md" --ui text <long.in 2>&1)
case "$got" in
*'the command is longer than 1023 characters'*'0 of 2 steps done'*) pass 'a line that is too long' ;;
*) fail 'a line that is too long' "$got" ;;
esac
mkdir 06 && got=$(cd . && $limit "$program" lesson 06 --ui text </dev/null 2>&1)
case "$got" in
*'steps done'*) pass 'a folder does not hide a lesson' ;;
*) fail 'a folder does not hide a lesson' "$got" ;;
esac
rmdir 06
for verb in 'save x.npy' 'record x.gif' 'export x.svg'; do
    printf 'step 1\n%s\n' "$verb" >writes.run
    got=$($limit "$program" lesson grade "$lessons/good.md" writes.run 2>&1)
    case $? in
    1) case $got in *'writes files'*) got= ;; esac ;;
    esac
    [ -e x.npy ] || [ -e x.gif ] || [ -e x.svg ] && got='it has written a file'
    verdict "work may not $verb" "$got"
done

# --- line by line ------------------------------------------------------------------------------------

printf '1\nhint\nset overlap 4\nreset\nrun\nquit\n' >wrong.in
$limit "$program" lesson "$lessons/good.md" <wrong.in >out.txt 2>&1
got=$(cat out.txt)
grep -q '^- You predicted 1. The answer is 2: fewer' out.txt && grep -q '\[x\] cycles' out.txt && got=
verdict 'a wrong prediction is locked, then revealed' "$got"
echo quit | $limit "$program" lesson "$lessons/good.md" >out.txt 2>&1
got=$(cat out.txt)
grep -q '^Your prediction$' out.txt && grep -q '1 of 2 steps done' out.txt && got=
verdict 'it goes on where it was left' "$got"
"$program" lesson reset "$lessons/good.md" >/dev/null
printf '%s\n' 'step 1' next 1 'lesson xyz' 'lesson choose 3' next 'set overlap 4' reset run \
    next solution solution quit | $limit "$program" lesson "$lessons/good.md" >out.txt 2>&1
says() {
    got=$(cat out.txt)
    grep -q -- "$1" out.txt && got=
    verdict "$2" "$got"
}
says 'your prediction comes first: 1 to 2' 'nothing is solved before the prediction'
says "'xyz' is unknown" 'an unknown word of the lesson is refused'
says 'there is nothing to predict now' 'and an answer to nothing'
says 'This step is not done yet: next again skips it' 'next does not skip'
says '^  1 -> more' 'the answer is marked'
says '^> run' 'what the lesson runs is named'
says '  cycle 712, |r|/|r0| 1.0e-4, converged' 'and what comes of it'
says '  \[ \] overlap: to be found' 'a value to find stays hidden'
says '  \[x\] overlap >= 2' 'until it is found'
says 'step 2 of 2' 'next goes on'
says '^> set overlap 14' 'the solution is shown'
says '\[x\] same-as' 'and then done'
says 'the lesson is done, all 2 steps' 'the end is said'
says '2 of 2 steps done' 'and the progress'
got=$(grep running out.txt)
verdict 'a run that waits is not called running' "$got"
[ "$(grep -c '^Exactness' out.txt)" = 1 ] && got= || got=$(cat out.txt)
verdict 'a text is said once' "$got"
printf 'next\nnext\nnext\nnext\nrun\nrun\n:set until 1e-6\nrun\n' |
    $limit "$program" lesson 04 >out.txt 2>&1
got=$(cat out.txt)
grep -q 'converged already' out.txt && grep -q '^  \[x\] error < 0.00125' out.txt &&
    grep -q 'cycle 2320, ' out.txt && grep -q 'cycle 6334, ' out.txt && got=
verdict 'a smaller tolerance goes on from where it is' "$got"
printf 'set until 0\nrun\nquit\n' | $limit "$program" lesson 04 3 --ui text >out.txt 2>&1
says 'the run would never end: use step N' 'a run without an end is refused'
"$program" lesson reset "$lessons/good.md" >/dev/null
$limit "$program" lesson "$lessons/good.md" </dev/null >out.txt 2>&1
got=$(cat out.txt)
grep -q '0 of 2 steps done' out.txt && got=
verdict 'reset begins anew' "$got"
got=$(XDG_STATE_HOME=/proc/none $limit "$program" lesson "$lessons/good.md" <wrong.in 2>&1)
case "$? $got" in
"0 "*'progress is not saved'*'1 of 2 steps done'*) pass 'nowhere to save progress costs only that' ;;
*) fail 'nowhere to save progress costs only that' "$got" ;;
esac
got=$($limit "$program" lesson 06 --ui none </dev/null 2>&1)
case "$? $got" in
"2 "*'--ui none shows no lesson; --ui text does'*) pass 'a lesson needs a front end that shows it' ;;
*) fail 'a lesson needs a front end that shows it' "$got" ;;
esac

# --- the command line --------------------------------------------------------------------------------

# refused STATUS SENTENCE WORD...
refused() {
    want="$1 stencilscope: $2"
    shift 2
    got="$($limit "$program" lesson "$@" </dev/null 2>&1)"
    got="$? $got"
    case $got in "$want"*) pass "lesson $*" ;; *) fail "lesson $*" "$got" ;; esac
}
for option in '--n 64' '--cycles 3' '--record a.gif' '--json -' '--csv a.csv'; do
    # shellcheck disable=SC2086
    refused 2 "${option%% *} does not apply to a lesson" 06 --ui text $option
done
refused 1 "there is no lesson '0'" 0
refused 1 "there is no lesson ''" ''
for name in '' .hidden ../esc sub/dir .md; do
    refused 2 "a lesson's name is that of a file here" new "$name"
done
got=$("$program" lesson new other.md 2>&1) && [ -e other.md ] && [ ! -e other.md.md ] && got=
verdict 'lesson new takes the ending' "$got"
got=$("$program" lesson lint missing.md 2>&1 >/dev/null)
case "$? $got" in
"1 "*'cannot read missing.md'*) pass 'lint of a file that does not exist' ;;
*) fail 'lint of a file that does not exist' "$got" ;;
esac
got=$("$program" lesson list | head -n 1)
case $got in 01-tour*) pass 'lesson list' ;; *) fail 'lesson list' "$got" ;; esac
got=$("$program" lesson --help)
case $got in
'usage: stencilscope lesson '*'lesson grade LESSON RUNFILE'*'lesson lint FILE'*) pass 'lesson --help' ;;
*) fail 'lesson --help' "$got" ;;
esac
sed 's/^open .*/open ks1d stepper n=64/; s/^run$/step 1/; s/^set overlap 4$/run/' "$lessons/good.md" >endless.md
got=$($limit "$program" lesson lint endless.md 2>&1)
line=$(grep -n '^run$' endless.md | tail -n 1 | cut -d: -f1)
case $got in
*"endless.md:$line: "*'would run forever: use step N, or set until-time'*) pass 'a scenario without an end' ;;
*) fail 'a scenario without an end' "$got" ;;
esac
exit $failed
