#!/bin/sh
# The window end to end: SDL's dummy driver, then a real one under Xvfb with xdotool's mouse and
# keyboard.  Its JSON at the end and screenshots (F12) show what it did.
# shellcheck disable=SC1091,SC2086
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/cli.inc

run --help
if ! grep -q -e '--ui-scale' out; then
    run --ui sdl poisson2d
    if [ "$status" = 1 ] && grep -q 'built without SDL2.*make deps' err; then
        pass 'no SDL: what is missing, and how to get it'
    else
        fail 'no SDL: what is missing, and how to get it' "status $status: $(cat err)"
    fi
    skip window 'built without SDL'
    exit $failed
fi

XDG_STATE_HOME=$tmp/state # where the place of the window is remembered
export XDG_STATE_HOME

# --- without a display --------------------------------------------------------------------------------

SDL_VIDEODRIVER=dummy
export SDL_VIDEODRIVER
exits 0 'dummy driver: some cycles, then quit' --ui sdl poisson2d shared --n 64 -e 'step 9' \
    -e 'view layer staleness' -e 'view zoom in' -e help -e quit --json dummy.json
[ "$(value dummy.json cycles)" = 9 ] && pass 'dummy driver: the run went on' ||
    fail 'dummy driver: the run went on' "$(cat dummy.json)"
for args in 'heat1d swept' 'ks1d stepper' 'euler1d swept' 'poisson3d block-jacobi'; do
    exits 0 "dummy driver: $args" --ui sdl $args --theme light -e 'step 3' -e 'tick' -e quit
done
bad 2 'too small to read; 0.5 is the least' 'a scale that nobody can read' --ui sdl --ui-scale 0.01 poisson2d
bad 2 'no size; 1280x800 is one, from 400x300 to 16384x16384' 'a window of no size' --ui sdl --window big poisson2d
bad 2 'no size; 1280x800 is one' 'a window too large' --ui sdl --window 99999x800 poisson2d
unset SDL_VIDEODRIVER
(unset DISPLAY WAYLAND_DISPLAY; run --ui sdl poisson2d; echo "$status" >code)
if [ "$(cat code)" = 1 ] && grep -q 'there is no display for a window' err; then
    pass 'no display: a sentence'
else
    fail 'no display: a sentence' "status $(cat code): $(cat err)"
fi

mkdir empty
echo '<?xml version="1.0"?><fontconfig><dir>'"$PWD"'/empty</dir><cachedir>'"$PWD"'/empty</cachedir></fontconfig>' \
    >empty/fonts.conf
(FONTCONFIG_FILE=$PWD/empty/fonts.conf SDL_VIDEODRIVER=dummy
    export FONTCONFIG_FILE SDL_VIDEODRIVER
    run --ui sdl poisson2d -e quit; echo "$status" >code)
if [ "$(cat code)" = 1 ] && grep -q 'there is no font: install' err; then
    pass 'no font: a sentence'
else
    fail 'no font: a sentence' "status $(cat code): $(cat err)"
fi

# --- under Xvfb ---------------------------------------------------------------------------------------

for tool in Xvfb xdotool; do
    command -v $tool >/dev/null 2>&1 && continue
    skip 'window under Xvfb' "there is no $tool"
    exit $failed
done

server=
app=
cleanup() {
    [ -n "$app" ] && kill "$app" 2>/dev/null
    [ -n "$server" ] && kill "$server" 2>/dev/null
    rm -rf "$tmp"
}
trap cleanup EXIT

# server: on a free display
start_server() {
    : >number
    Xvfb -noreset -displayfd 3 -screen 0 1280x800x24 3>number >/dev/null 2>&1 &
    server=$!
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ -s number ] && break
        sleep 0.3
    done
    DISPLAY=:$(cat number)
    export DISPLAY
}

under_mouse() {
    xdotool mousemove 400 3 getmouselocation --shell 2>/dev/null | sed -n 's/^WINDOW=//p'
}

# open ARGUMENT...: waits until the window is there. Unless recall is set, as at a first start.
recall=
open_window() {
    rm -f result.json
    [ -n "$recall" ] || rm -rf "$XDG_STATE_HOME"
    $limit "$program" --ui sdl "$@" --json result.json >out 2>err </dev/null &
    app=$!
    id=$none
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        sleep 0.3 # under the mouse is the root window until there is another
        id=$(under_mouse)
        [ "$id" = "$none" ] || break
    done
    sleep 1
}

# ended NAME STATUS: within a few seconds
ended() {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        kill -0 "$app" 2>/dev/null || break
        sleep 0.3
    done
    kill -0 "$app" 2>/dev/null && fail "$1" 'it is still there' && kill -9 "$app"
    wait "$app"
    status=$?
    app=
    [ "$status" = "$2" ] && pass "$1" || fail "$1" "status $status, not $2: $(cat err)"
}

# keys KEY...: with pauses, so that each takes effect
keys() {
    for key in "$@"; do
        xdotool key "$key"
        sleep 0.15
    done
}

# says_value NAME KEY WANTED
says_value() {
    got=$(value result.json "$2")
    [ "$got" = "$3" ] && pass "$1" || fail "$1" "$2 is '$got', not $3"
}

# picture_size: of the newest screenshot, from the PNG's header
picture_size() {
    file=$(ls -t stencilscope-*.png 2>/dev/null | head -n 1)
    [ -n "$file" ] && od -An -j 16 -N 8 -t u1 "$file" |
        awk '{print $3 * 256 + $4 "x" $7 * 256 + $8}'
}

# shot NAME SIZE: a screenshot has that size, once the window has
shot() {
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        rm -f stencilscope-*.png
        keys F12
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            sleep 0.3
            got=$(picture_size)
            [ -z "$got" ] || break
        done
        [ "$got" != "$2" ] || break
    done
    [ "$got" = "$2" ] && pass "$1" || fail "$1" "the screenshot is '$got', not $2"
}

# recorded SUFFIX: the number of frames that the program says of live.SUFFIX
recorded() { sed -nE "s/.*recorded live.$1: ([0-9]+) frames?,.*/\\1/p" err; }

start_server
[ -s number ] || { skip 'window under Xvfb' 'Xvfb does not start'; exit $failed; }

none=$(under_mouse)
open_window poisson2d shared --n 128 --k 8 -e run
xdotool mousemove 1110 150 mousedown 1 mousemove 1140 150 mousemove 1290 150
sleep 0.2
xdotool mousemove 1258 151 mouseup 1
sleep 0.3
keys Tab 1 6 Return space q
ended 'q ends it' 0
says_value 'a slider is dragged to its end' k 32
says_value 'Tab, then digits and Enter' block 16

open_window poisson2d shared --n 128 --k 8 -e run
xdotool mousemove 1110 150 mousedown 1 mousemove 1140 150
sleep 0.3
xdotool mousemove 1200 150
sleep 0.3
xdotool mouseup 1
keys u q
ended 'a drag and u, q ends it' 0
says_value 'u takes back all of a drag' k 8

open_window poisson2d shared --n 128 --k 8 -e pause
keys ctrl+plus ctrl+plus ctrl+minus ctrl+0 ctrl+0 q
ended 'ctrl + - 0, q ends it' 0
says_value 'ctrl + - 0 change the size of everything, and not k' k 8

open_window poisson2d shared --n 128 --window 3000x2000 -e run
shot 'larger than the display: as large as that' 1280x800
keys q
ended 'a large one, q ends it' 0

open_window poisson2d shared --n 128 --k 8 -e run
keys 1 2 Return shift+k End Home Up Up l x p Left Left Escape question Escape t F1 Escape
xdotool mousemove 300 300 click 4 click 4 click 5 click 1 mousedown 2 mousemove 380 350 mouseup 2
sleep 0.9 # a tip
xdotool mousemove 1100 90
sleep 0.9
shot 'F12: a screenshot of the window' 1280x800
i=0
while [ $i -lt 12 ]; do # a storm
    xdotool windowsize "$id" $((500 + 60 * (i % 7))) $((400 + 50 * (i % 5)))
    i=$((i + 1))
done
xdotool windowsize "$id" 900 620
sleep 0.6
shot 'resized: as large as it is now' 900x620
keys F11
sleep 0.8
# The SDL 2 that is made of SDL 3 (2.32.50 and later) asks the window manager, and here is none.
case $(pkg-config --modversion sdl2) in
*.[5-9][0-9]) skip 'F11: the whole display' 'SDL 3 needs a window manager' ;;
*) shot 'F11: the whole display' 1280x800 ;;
esac
keys F11
sleep 0.8
shot 'F11 again: as before' 900x620
keys q
ended 'after all that, q ends it' 0

# Charts answer the mouse: a value where it rests, a part of the chart where it drags. The names of
# screenshots have whole seconds.
picture() { # FILE: a screenshot, without the message about the last one
    rm -f stencilscope-*.png
    keys F5
    sleep 0.3
    keys F12
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        sleep 0.3
        cp stencilscope-*.png "$1" 2>/dev/null && return
    done
}
# typed WORDS: in the command line
typed() {
    keys colon
    xdotool type --delay 20 "$1"
    sleep 0.2
    keys Return
    sleep 0.3
}
open_window poisson2d shared --n 64 --k 4 --until 0 --deterministic -e 'step 40' # without a double click
xdotool mousemove 640 403
sleep 0.3
picture off.png
xdotool mousemove 800 240
sleep 0.3
picture on.png
xdotool mousemove 640 403
sleep 0.3
picture again.png
differ 'the residual tells a value under the mouse' off.png on.png
same 'and no longer when the mouse has left' off.png again.png
typed 'export data whole.csv'
xdotool mousemove 760 200 mousedown 1 mousemove 800 202 mousemove 900 204
sleep 0.3
xdotool mouseup 1
sleep 0.3
typed 'export data part.csv'
ends() { awk -F, 'NR == 2 { a = $1 } { b = $1 } END { print a, b }' "$1"; }
echo "$(ends whole.csv) $(ends part.csv)" | awk '{ exit !($1 == 0 && $2 == 40 && $3 > 4 && $4 < 32 && $3 < $4) }' &&
    pass 'a drag shows a part of the curve, and its data are written' ||
    fail 'a drag shows a part of the curve, and its data are written' "$(ends whole.csv), $(ends part.csv)"
typed 'view chart fit'
typed 'export data fitted.csv'
same 'the whole curve again' whole.csv fitted.csv
rm -f stencilscope-*.png
sleep 1
typed 'copy image'
for _ in 1 2 3 4 5 6 7 8 9 10; do
    got=$(picture_size)
    [ -z "$got" ] || break
    sleep 0.3
done
[ "$got" = 1280x800 ] && pass 'copy image writes a picture' || fail 'copy image writes a picture' "'$got'"
keys q
ended 'charts, q ends it' 0
# The place of the window, its size and scale are those of the last start.
kept=$XDG_STATE_HOME/stencilscope/window
geometry() { xdotool getwindowgeometry "$id" | tr -s ' \n' ' ' | sed -E 's/.*Position: ([0-9,]+).*Geometry: ([0-9x]+).*/\1 \2/'; }
is_at() { # NAME PLACE
    got=$(geometry)
    [ "$got" = "$2" ] && pass "$1" || fail "$1" "it is at '$got', not '$2'; $(cat "$kept" 2>&1)"
}
open_window poisson2d --n 64 -e pause
xdotool windowsize "$id" 700 500 windowmove "$id" 210 2
sleep 0.6
keys ctrl+plus ctrl+plus q
ended 'moved, q ends it' 0
recall=yes
open_window poisson2d --n 64 -e pause
is_at 'the next start: at the same place' '210,2 700x500'
keys ctrl+minus F11
sleep 0.8
keys q
ended 'left in full screen, q ends it' 0
open_window poisson2d --n 64 -e pause
is_at 'after full screen: where it was before' '210,2 700x500'
keys q
ended 'at the same place, q ends it' 0
case $(cat "$kept") in '210 2 700 500 1 1280x800+0+0 '*) pass 'place, size and scale are in the file' ;;
*) fail 'place, size and scale are in the file' "$(cat "$kept")" ;; esac
cp "$kept" before
for option in '--window 500x400' '--ui-scale 1' --deterministic; do
    open_window poisson2d --n 64 -e pause $option
    got=$(geometry)
    [ "${got%% *}" != 210,2 ] && pass "$option: its own place" || fail "$option: its own place" "$got"
    kill -TERM "$app"
    wait "$app"
    app=
    same "$option: changes nothing" before "$kept"
done
echo '5000 9000 700 500 0 1920x1080+1280+0 gone' >"$kept"
open_window poisson2d --n 64 -e pause
is_at 'its display is gone: as at a first start' '0,0 1280x800'
keys q
ended 'elsewhere, q ends it' 0
[ "$(wc -l <"$kept")" = 2 ] && pass 'the other display is still remembered' ||
    fail 'the other display is still remembered' "$(cat "$kept")"
sed -i '1s/^0 0 1280 800/900 600 700 500/' "$kept"
open_window poisson2d --n 64 -e pause
sleep 0.5
id=$(xdotool mousemove 900 500 getmouselocation --shell | sed -n 's/^WINDOW=//p')
is_at 'beyond the edge: moved onto the display' '580,300 700x500'
keys q
ended 'moved onto the display, q ends it' 0
rm -rf "$XDG_STATE_HOME"
: >"$XDG_STATE_HOME"
open_window poisson2d --n 64 -e pause
keys q
ended 'no folder for it: no error' 0
said=$(grep -v XDG_RUNTIME_DIR err) # libwayland's, of SDL 3
[ -z "$said" ] && pass 'no folder for it: no message' || fail 'no folder for it: no message' "$said"
rm -f "$XDG_STATE_HOME"
recall=

# A film has the requested size, whatever the size of the window.
if ! "$program" --ui none --n 16 --cycles 0 --record x.webm >out 2>err || ! command -v ffprobe >/dev/null; then
    skip 'recorded live' 'no FFmpeg, or no ffprobe'
else
    # Both files get the same frames. Where encoding is too slow, frames of the .webm are dropped, and the
    # sentence at its end says how many; all others keep their times.
    open_window poisson2d shared --n 512 --until 0 --record live.webm,live.cast --size 800x600,80x24 -e run
    sleep 1
    xdotool windowsize "$id" 5 5 # smaller than a cell: without a window manager it may be
    sleep 0.5
    xdotool windowsize "$id" 900 620
    for _ in $(seq 100); do # until there are enough, on a machine of any load
        [ "$(cat live.cast* 2>/dev/null | grep -c ', "o", ')" -lt 30 ] || break
        sleep 0.2
    done
    keys q
    ended 'recorded live, q ends it' 0
    given=$(recorded cast) written=$(recorded webm)
    dropped=$(sed -nE 's/.*live.webm: .*; ([0-9]+) frames? (was|were) dropped.*/\1/p' err)
    got=$(ffprobe -v error -count_frames -of default=nw=1:nk=1 -show_entries \
        stream=codec_name,width,height,nb_read_frames live.webm | tr '\n' ' ')
    [ "$got" = "vp9 800 600 $written " ] && pass 'recorded live, at --size' ||
        fail 'recorded live, at --size' "$got, not $written frames: $(cat err)"
    [ "${given:-0}" -ge 30 ] && [ "$given" = $((written + ${dropped:-0})) ] &&
        pass 'recorded live: every frame is in the film or reported as dropped' ||
        fail 'recorded live: every frame is in the film or reported as dropped' "of $given: $(cat err)"
    film=$(ffprobe -v error -of default=nw=1:nk=1 -show_entries format=duration live.webm)
    last=$(tail -n 1 live.cast | sed -E 's/^\[([0-9.]+),.*/\1/')
    echo "$film $last" | awk '{ exit !($1 - $2 >= -0.06 && $1 - $2 <= 0.11) }' &&
        pass 'recorded live: both end at the same time' ||
        fail 'recorded live: both end at the same time' "$film s of pictures, the last cells at $last s"
    case $(head -n 1 live.cast) in *'"width": 128, "height": 40,'*) pass 'recorded live: cells as shown' ;;
    *) fail 'recorded live: cells as shown' "$(head -c 80 live.cast)" ;; esac
fi

run poisson2d jacobi --n 128 --cycles 20 --until 0 --backend cpu --ui none --save plain.npy
for keep in yes no; do
    open_window poisson2d jacobi --n 128 --until 0 --backend cpu -e 'step 20' --save painted.npy
    keys e
    xdotool mousemove 200 250 mousedown 1 mousemove 260 300 mousemove 320 340
    sleep 0.3
    xdotool mouseup 1
    sleep 0.3
    [ $keep = yes ] || keys u
    keys Escape q
    ended "a stroke of the brush: kept $keep" 0
    if [ $keep = yes ]; then
        differ 'a stroke of the brush changes the field' plain.npy painted.npy
    else
        same 'taken back, the field is as it was' plain.npy painted.npy
    fi
done

open_window heat1d swept --n 256 -e run
keys period period space b shift+b s
kill -TERM "$app"
ended 'SIGTERM ends it in order' 130
[ -s result.json ] && pass 'SIGTERM: the result is written' ||
    fail 'SIGTERM: the result is written' "$(cat err)"

# Processor time, in ticks of 10 ms, does not depend on the load of the machine; when a key takes effect
# does. So each is measured once it is quiet.
# The program is a child of timeout(1), or is $app itself.
ticks() {
    of=$(grep -ls "^PPid:[[:space:]]*$app\$" /proc/[0-9]*/status | head -n 1)
    awk '{print $14 + $15}' "$(dirname "${of:-/proc/$app/status}")/stat"
}

# used SECONDS: ticks in that time
used() {
    before=$(ticks)
    sleep "$1"
    echo $(($(ticks) - before))
}

# idle NAME
idle() {
    for _ in $(seq 20); do [ "$(used 1)" -gt 5 ] || break; done
    spent=$(used 3)
    [ "$spent" -le 15 ] && pass "$1: about no processor time" ||
        fail "$1: about no processor time" "$spent ticks in 3 s"
}

open_window poisson2d jacobi --n 128
idle 'held at its tolerance'
keys q
ended 'held, q ends it' 0
[ "$(value result.json status)" = converged ] && pass 'it was held at its tolerance' ||
    fail 'it was held at its tolerance' "$(cat result.json)"
open_window poisson2d jacobi --n 1024 --until 0
for _ in $(seq 40); do # it runs
    spent=$(used 0.5)
    [ "$spent" -lt 5 ] || break
done
[ "$spent" -ge 5 ] && pass 'a run that advances uses the processor' ||
    fail 'a run that advances uses the processor' "$spent ticks in half a second"
keys space
idle paused
kill -9 "$server"
wait "$server" 2>/dev/null
server=
ended 'the display is gone: the end, in order' 130
grep -q 'display of the window is gone' err && pass 'the display is gone: a sentence' ||
    fail 'the display is gone: a sentence' "$(cat err)"
exit $failed
