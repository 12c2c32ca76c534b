#!/bin/sh
# Files of others, hostile or damaged: run files that would replace files, pipes and devices, escape
# sequences in messages, links in the place of temporary files; and limits of the system.
# shellcheck disable=SC1091,SC3045
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/cli.inc

# small ARGUMENT...: two cycles on a tiny grid
small() { run poisson2d jacobi --backend cpu --threads 1 --n 16 --cycles 2 --ui none "$@"; }

# refused NAME STATUS PATTERN ARGUMENT...: within ten seconds, with that sentence and no escape sequence
refused() {
    name=$1 want=$2 pattern=$3 why=''
    shift 3
    timeout -s KILL 10 "$program" poisson2d jacobi --backend cpu --n 16 --cycles 2 --ui none "$@" \
        >out 2>err </dev/null
    status=$?
    [ "$status" = "$want" ] || why="status $status, not $want;"
    grep -qE "$pattern" err || why="$why no /$pattern/: $(head -c 200 err)"
    LC_ALL=C grep -q "$(printf '[\001-\010\016-\037\177]')" err out && why="$why a control character"
    verdict "$name" "$why"
}

drawn=yes
small --export x.svg
[ -e x.svg ] || drawn=no

# --- run files replace nothing ------------------------------------------------------------------------

for verb in save export record; do
    case $verb in save) file=a.npy ;; export) file=a.svg ;; record) file=a.cast ;; esac
    [ $verb = export ] && [ $drawn = no ] && continue
    echo mine >$file
    printf 'step 1\n%s %s\nstep 1\n' $verb $file >r.run
    small --run r.run
    [ "$(cat $file)" = mine ] && grep -q "$verb: $file exists; with --overwrite" err &&
        pass "a run file's $verb replaces no file" ||
        fail "a run file's $verb replaces no file" "$(head -c 20 $file | tr -d '\000') $(cat err)"
    small --run r.run --overwrite
    [ "$status" = 0 ] && [ "$(head -c 4 $file)" != mine ] && pass "$verb replaces it with --overwrite" ||
        fail "$verb replaces it with --overwrite" "status $status: $(cat err)"
    echo mine >$file
    small -e 'step 1' -e "$verb $file"
    [ "$status" = 0 ] && [ "$(head -c 4 $file)" != mine ] && pass "$verb replaces a file that -e names" ||
        fail "$verb replaces a file that -e names" "status $status: $(cat err)"
    rm -f $file
    small --run r.run
    [ "$status" = 0 ] && [ -s $file ] && pass "a run file's $verb writes a new file" ||
        fail "a run file's $verb writes a new file" "status $status: $(cat err)"
done
if [ $drawn = yes ]; then
    echo mine >s-00000.png
    printf 'record s.png\nstep 2\n' >r.run
    small --run r.run
    [ "$(cat s-00000.png)" = mine ] && grep -q 's-00000.png exists' err &&
        pass 'nor the pictures of a series' || fail 'nor the pictures of a series' "$(cat err)"
    for name in t.png t%03d.png; do # also one in the middle
        echo mine >t-00001.png
        echo mine >t001.png
        printf 'record %s\nstep 2\n' $name >r.run
        small --run r.run
        [ "$(cat t-00001.png t001.png)" = "$(printf 'mine\nmine')" ] &&
            grep -q 't.*001.png exists' err &&
            pass "nor any picture of $name" || fail "nor any picture of $name" "$(cat err)"
    done
fi
rm -f poisson2d-jacobi-*.run
printf 'step 2\ncopy session\n' >r.run
small --run r.run
session=$(ls poisson2d-*.run 2>/dev/null)
if [ -n "$session" ]; then
    echo mine >"$session"
    small --run r.run
    [ "$(cat "$session")" = mine ] && grep -q "$session exists" err &&
        pass 'nor a session' || fail 'nor a session' "$(cat err)"
fi

# --- pipes and devices --------------------------------------------------------------------------------

mkfifo pipe.npy pipe.run pipe.md
refused 'a pipe is no array' 1 'pipe.npy: it is not a regular file' --load pipe.npy
refused 'a pipe is no run file' 1 'pipe.run: it is not a regular file' --run pipe.run
refused 'a device is no run file' 1 '/dev/zero: it is not a regular file' --run /dev/zero
refused 'a folder is no run file' 1 ': it is not a regular file' --run .
refused 'load of a pipe in a script' 1 'not a regular file' -e 'load pipe.npy'
run lesson ./pipe.md --ui text
grep -q 'it is not a regular file' err && pass 'a pipe is no lesson' || fail 'a pipe is no lesson' "$(cat err)"

# --- text of others -----------------------------------------------------------------------------------

printf '\033]0;title\007set k 4\n' >escape.run
refused 'escape sequences of a run file' 2 "unknown command '\\?\\]0;title\\?set'" --run escape.run
printf 'set until 0.5\000hidden\n' >nul.run
refused 'NUL in a run file' 2 'nul.run:1: the line contains a NUL character' --run nul.run
yes pause | head -n 20001 >long.run
refused 'a run file of too many lines' 2 'long.run has more than 20000 lines' --run long.run
refused 'escape sequences of an argument' 2 "'\\?\\[31m'" "$(printf '\033[31m')"
bad_name=$(printf 'a\033[31m.npy')
refused 'escape sequences of a file name' 1 'cannot read a\?\[31m.npy' --load "$bad_name"
printf '\223NUMPY\001\000\106\000%-69s\n' "{'descr': '$(printf '\033[7m')', 'fortran_order': False, 'shape': (4, 4), }" >descr.npy
refused 'escape sequences of an array' 1 'descr.npy: the values are' --load descr.npy

# --- temporary files ----------------------------------------------------------------------------------

mkdir shared victims
next=$(sh -c 'echo $$') # one process makes all links, so that the next numbers of processes have theirs
# shellcheck disable=SC2046 # words
(cd shared && ln -s $(seq -f '../victims/o.npy.%.0f.tmp' "$next" $((next + 4000))) .)
small --save shared/o.npy
[ "$(ls shared | wc -l)" -gt 4000 ] && [ -z "$(ls victims)" ] && [ -s shared/o.npy ] && pass 'no link is followed' ||
    fail 'no link is followed' "status $status, $(ls shared | wc -l) files, $(ls victims)"
small --save mode.npy
chmod 640 mode.npy
small --save mode.npy
[ "$(stat -c %a mode.npy 2>/dev/null || stat -f %Lp mode.npy)" = 640 ] && pass 'a replaced file keeps its mode' ||
    fail 'a replaced file keeps its mode' "$(ls -l mode.npy)"

# --- limits of the system -----------------------------------------------------------------------------

(ulimit -f 1; small --save large.npy --n 64; echo "$status" >code)
[ "$(cat code)" = 1 ] && grep -q 'cannot write large.npy: File too large' err && ! ls large.npy* >/dev/null 2>&1 &&
    pass 'a file over the limit: a sentence and no rest' ||
    fail 'a file over the limit: a sentence and no rest' "status $(cat code): $(cat err) $(ls)"
# Debian 13: OpenBLAS, linked, would ask for 128 MB again and again before main.
(ulimit -v 400000 && timeout -s KILL 30 "$program" --version) >out 2>&1
[ $? = 0 ] && pass "400000 kB of memory: --version" || fail "400000 kB of memory: --version" "$(cat out)"
for kb in 266240 276480; do # libraries that find no memory for their threads try again for ever when they end
    (ulimit -v $kb && timeout -s KILL 30 "$program" poisson2d --n 64 --cycles 9 --threads 2 --ui none) >out 2>&1
    status=$?
    [ $status != 137 ] && pass "$kb kB of memory: it ends" || fail "$kb kB of memory: it ends" "status $status: $(cat out)"
done
# The limit is below what OpenBLAS needs, and above all else.
(ulimit -v 330000 && timeout -s KILL 30 "$program" poisson2d --n 64 --cycles 9 --threads 2 --error on --ui none) >out 2>&1
status=$?
[ $status = 1 ] && grep -q 'out of memory: OpenBLAS needs 201 MB of address space' out &&
    pass '330000 kB of memory: u* is refused' || fail '330000 kB of memory: u* is refused' "status $status: $(cat out)"
# The limit on processes does not hold for root.
chmod 755 . && cp "$program" few-threads
as_nobody=$([ "$(id -u)" != 0 ] || echo setpriv --reuid=65534 --clear-groups)
if $as_nobody prlimit --nproc=64 ./few-threads --version >/dev/null 2>&1; then
    $as_nobody prlimit --nproc=1 ./few-threads poisson2d --n 64 --cycles 9 --threads 2 --ui none >out 2>&1
    status=$?
    [ $status = 1 ] && grep -q 'stencilscope: cannot start' out && pass 'no threads: a sentence' ||
        fail 'no threads: a sentence' "status $status: $(cat out)"
fi
if command -v script >/dev/null 2>&1; then
    COLUMNS=30000 LINES=30000 TERM=xterm-256color timeout -s KILL 20 \
        script -qec "'$program' poisson2d --n 16 --ui tui -e quit" /dev/null >out 2>&1 </dev/null
    grep -q '30000 x 30000 cells by COLUMNS and LINES; at most' out && pass 'no terminal is that large' ||
        fail 'no terminal is that large' "$(head -c 200 out)"
fi
exit $failed
