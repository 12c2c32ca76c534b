#!/bin/sh
# Recordings end to end: the output of ffprobe for each format, equal bytes for equal runs, and the
# files after signals, a full disk and a crash.  Helpers and output: tests/e2e/cli.inc.
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/cli.inc

# film ARGUMENT...: a small run on the CPU, without a screen
film() { run poisson2d shared --backend cpu --threads 2 --n 64 --ui none "$@"; }

why_no_video=''
if ! "$program" --ui none --backend cpu --n 16 --cycles 0 --record x.mp4 >out 2>err; then
    grep -q 'without FFmpeg' err && video=no || video=broken
    why_no_video=$(sed 's/.*: //' err)
else
    video=yes
fi
rm -f x.mp4
drawn=yes
film --cycles 0 --export x.svg
[ -e x.svg ] || drawn=no why_not_drawn=$(sed 's/^stencilscope: //' err)
rm -f x.svg
probe=yes
command -v ffprobe >/dev/null 2>&1 || probe=no

# found FILE: "codec WxH pixels range space frames rate", as ffprobe counts them
found() {
    ffprobe -v error -count_frames -of default=nw=1 -show_entries \
        stream=codec_name,width,height,pix_fmt,color_range,color_space,nb_read_frames,r_frame_rate \
        "$1" 2>&1 | sed 's/.*=//' | tr '\n' ' '
}

# duration FILE: seconds to the end of the last picture
duration() {
    ffprobe -v error -of default=nw=1:nk=1 -show_entries packet=pts_time,duration_time "$1" |
        awk 'NR % 2 {at = $1} !(NR % 2) && at + $1 > end {end = at + $1} END {printf "%.3f", end}'
}

# is NAME FILE WANT SECONDS
is() {
    got="$(found "$2")"
    why=''
    [ "$got" = "$3 " ] || why="it is '$got', not '$3';"
    [ "$(duration "$2")" = "$4" ] || why="$why it takes $(duration "$2") s, not $4"
    verdict "$1" "$why"
}

# leaves NAME FILE...: no file but these, temporary ones neither
leaves() {
    name=$1
    shift
    got=$(ls | grep -v -e '^out$' -e '^err$' -e '^work$' -e '^first$' | tr '\n' ' ')
    [ "$got" = "$(echo "$*" | sed 's/ *$//; s/$/ /; s/^ $//')" ] && pass "$name" ||
        fail "$name" "there is $got"
}

# --- the formats -------------------------------------------------------------------------------------

formats() {
    film --cycles 12 --cycles-per-frame 2 --hold-last 150ms --size 321x241,320x240 \
        --record a.mp4,a.webm --record a.gif,a.apng
    why=$([ "$status" = 0 ] || cat err)
    grep -q '322x242 instead of 321x241' err || why="$why no word of the even size"
    grep -q 'recorded a.webm: 10 frames, 0.5 s' err || why="$why no summary: $(cat err)"
    verdict 'four formats at once: 6 frames, the start and 3 at the end' "$why"
    if [ $probe = no ]; then
        skip 'what is in the files' 'no ffprobe'
        return
    fi
    is 'MP4' a.mp4 'h264 322 242 yuv420p tv bt709 20/1 10' 0.500
    is 'WebM' a.webm 'vp9 320 240 yuv420p tv bt709 20/1 10' 0.500
    is 'GIF' a.gif 'gif 320 240 bgra unknown unknown 20/1 10' 0.500
    got=$(found a.apng)
    case $got in 'apng 320 240 rgb24 pc '*' 20/1 10 ') pass 'APNG' ;; *) fail 'APNG' "$got" ;; esac
    head -c 40 a.mp4 | grep -aq ftyp &&
        [ "$(grep -abo moov a.mp4 | head -n 1 | cut -d: -f1)" -lt \
            "$(grep -abo mdat a.mp4 | head -n 1 | cut -d: -f1)" ] &&
        pass 'the head of an MP4 comes first' || fail 'the head of an MP4 comes first' 'it does not'
    why=''
    for fps in 10 25 50; do
        film --cycles 3 --fps $fps --size 200x160 --record r.gif
        got=$(found r.gif)
        case $got in *" $fps/1 4 ") ;; *) why="$why $got" ;; esac
    done
    verdict 'GIF at 10, 25 and 50 frames/s' "$why"
    film --cycles 3 --fps 30 --size 200x160 --record r.gif
    grep -q '33.33 frames/s instead of 30' err && pass 'other rates are said' ||
        fail 'other rates are said' "$(cat err)"
    film --cycles 3 --size 200x160 --loop 3 --record r.gif,r.apng
    got="$(grep -ao 'NETSCAPE2.0' r.gif | wc -l) $(grep -abo acTL r.apng | wc -l)"
    [ "$got" = '1 1' ] && pass 'loops' || fail 'loops' "$got"
    film --cycles 40 --size 320x240 --record big.gif
    film --cycles 40 --size 320x240 --max-size 40k --record small.gif
    why=$([ "$(wc -c <small.gif)" -le 40960 ] || wc -c small.gif big.gif)
    grep -q 'levels of colour.*to fit' err || why="$why $(cat err)"
    verdict '--max-size is kept, and what it took is said' "$why"
    film --cycles 41 --size 320x240 --max-size 1k --record small.gif
    got=$(ffprobe -v error -of default=nw=1:nk=1 -show_entries packet=pts_time small.gif |
        awk '{at = $1} END {print NR, at}')
    [ "$got" = '7 2.050000' ] && why='' || why=$got
    verdict 'fewer frames, the last one among them' "$why"
    film --cycles 8 --size 200x160 -e 'view layer owner' -e 'theme light' -e 'step 3' -e 'set k 4' \
        -e 'record late.mp4' -e 'step 4' -e record
    case $(found late.mp4) in *' 20/1 5 ') pass 'record as a command' ;;
    *) fail 'record as a command' "$(found late.mp4) $(cat err)" ;;
    esac
    rm -f ./*.gif ./*.mp4 ./*.apng ./*.webm
}

case $video in
yes) formats ;;
no) skip 'films' "$why_no_video" ;;
broken) fail 'films' "$why_no_video" ;;
esac

# --- the terminal, and every kind of scene -----------------------------------------------------------

film --cycles 4 --size 100x30 --caption 'a "word"' --record a.cast -e 'step 2' -e 'set k 4'
why=$([ "$status" = 0 ] || cat err)
[ "$(head -n 1 a.cast | cut -c 1-44)" = '{"version": 2, "width": 100, "height": 30, "' ] ||
    why="$why $(head -c 60 a.cast);"
grep -q '"title": "a \\"word\\""' a.cast || why="$why no title;"
grep -q '^\[0.150000, "m", "k 8→4"\]$' a.cast || why="$why no mark: $(grep '"m"' a.cast);"
[ "$(tail -n 1 a.cast)" = '[0.250000, "o", "\u001b[0m\u001b[30;1H\u001b[?25h"]' ] || why="$why it ends: $(tail -n 1 a.cast | head -c 60)"
verdict 'asciicast: head, title, mark at the change, end' "$why"
if command -v asciinema >/dev/null 2>&1 && command -v script >/dev/null 2>&1; then
    $limit script -qc 'asciinema play -s 5 a.cast' /dev/null >out 2>err </dev/null
    grep -q 'cycle' out && pass 'asciinema plays it' || fail 'asciinema plays it' "$(cat err out)"
else
    skip 'asciinema plays it' 'no asciinema, or no script to give it a terminal'
fi
rm -f a.cast

for scene in 'heat1d swept --n 64 --block 16' 'euler1d swept --n 64 --block 16' \
    'poisson3d jacobi --patch 16 --px 2' 'poisson2d async --n 64 --alpha 2'; do
    # shellcheck disable=SC2086
    run $scene --backend cpu --ui none --cycles 3 --size 120x40 --record a.cast
    why=$([ "$status" = 0 ] || cat err)
    grep -q 'recorded a.cast: 4 frames, 0.2 s' err || why="$why $(cat err)"
    verdict "recorded: $scene" "$why"
done
rm -f a.cast

if [ $drawn = no ]; then
    skip 'figures, and a PNG for each frame' "$why_not_drawn"
else
    film --cycles 2 --size 200x160 --record 'f%02d.png' --export a.svg
    leaves 'a PNG for each frame, and a figure' a.svg f00.png f01.png f02.png
    why=''
    for ext in svg pdf png; do
        film --cycles 2 --export "b.$ext"
        # cairo 1.18 compresses what describes a PDF
        case $ext in
        pdf) pdfinfo b.pdf ;;
        *) cat "b.$ext" ;;
        esac | grep -aq 'stencilscope poisson2d shared --backend cpu' || why="$why $ext"
    done
    verdict 'the command is in SVG, PDF and PNG' "$why"
    run map poisson1d shared --backend cpu --n 64 --k 4,8 --export c.svg
    grep -q 'stencilscope map poisson1d shared' c.svg && pass 'a map as a figure' ||
        fail 'a map as a figure' "$(cat err)"
    rm -f ./*.png ./*.svg ./*.pdf
fi

# --- the same every time -------------------------------------------------------------------------------

cat >script.run <<'END'
set k 4
step 4
view layer staleness
set k 16
step 4
END
all=a.cast
[ $video = yes ] && all=a.mp4,a.webm,a.gif,a.apng,a%03d.png,a.cast
mkdir first
again() { # ARGUMENT...
    film --problem random --seed 7 --run script.run --record $all "$@" \
        --size 200x160,200x160,200x160,200x160,200x160,80x24
}
differing() { # PATTERN...: files that have changed
    for file in "$@"; do cmp -s "first/$file" "$file" || echo "$file"; done
}
again
mv a.* a0* first 2>/dev/null
again
why=$(differing $(ls first))
[ "$(ls first | wc -l)" -gt 6 ] || [ $video != yes ] || why="$why few files: $(ls first)"
verdict 'two recordings of a run file are the same bytes' "$why"
if [ $video = yes ]; then
    again --threads 1
    why=$(differing a.gif a.apng a000.png a008.png)
    verdict 'the same pictures with another number of threads' "$why"
fi
rm -rf first a.* a0* script.run

# --- the colour range --------------------------------------------------------------------------------

# One range for the whole film is called held; a range for each frame is not.
film="$program poisson2d jacobi --backend cpu --n 32 --cycles 600 --cycles-per-frame 200 --ui none"
$film -e 'view layer residual' --size 80x24 --record whole.cast >out 2>err
why=$([ "$(grep -c '● held' whole.cast)" = 1 ] || echo "not held: $(cat err);")
$film -e 'view layer residual' -e 'view range auto' --size 80x24 --record each.cast >out 2>err
grep -q '● held' each.cast && why="$why a range for each frame is called held"
[ "$(wc -l <whole.cast)" = "$(wc -l <each.cast)" ] || why="$why another number of frames"
verdict 'all frames of a film share one colour range' "$why"
rm -f whole.cast each.cast

# --- signals -------------------------------------------------------------------------------------------

# ended SIGNAL: starts an endless recording and ends it with SIGNAL
ended() {
    "$program" poisson2d jacobi --backend cpu --n 64 --until 0 --ui none --size 200x160,80x24 \
        --record "s.$kind,s.cast" >out 2>err &
    pid=$!
    appear 2 's.*.tmp'
    kill "-$1" $pid
    wait $pid
    status=$?
}

kind=cast2
[ $video = yes ] && kind=mp4
if [ $video = yes ]; then
    for signal in INT TERM; do
        ended $signal
        why=$([ $status = 130 ] || echo "status $status: $(cat err);")
        [ "$(tail -c 2 s.cast)" = ']' ] || why="$why the .cast ends badly;"
        if [ $probe = yes ]; then
            got=$(found s.mp4)
            case $got in 'h264 200 160 yuv420p tv bt709 20/1 '[1-9]*) ;; *) why="$why $got" ;; esac
            reported=$(sed -nE 's/.*recorded s.mp4: ([0-9]+) frames.*/\1/p' err)
            [ "${got##*20/1 }" = "$reported " ] || why="$why $reported frames reported, $got found"
        fi
        verdict "SIG$signal ends a recording well" "$why"
        leaves "SIG$signal leaves whole files only" s.cast s.mp4
        rm -f s.*
    done
    ended KILL
    why=''
    [ -e s.mp4 ] || [ -e s.cast ] && why='a file under its last name'
    verdict 'SIGKILL leaves nothing under the name' "$why"
    why=$(ls s.* | grep -v '\.[0-9a-v]*\.tmp$')
    [ "$(ls s.*.tmp | wc -l)" = 2 ] || why="$why $(ls)"
    verdict 'and what it leaves is told apart by its name' "$why"
    rm -f s.*
fi

# In the first pass nothing has been drawn, of many thousand frames: a signal ends it as soon, with
# those that a moment suffices for.
size=80x24
for name in s.cast $([ $video = yes ] && echo s.mp4); do
    "$program" poisson2d jacobi --backend cpu --n 63 --until 0 --cycles 9999999 --ui none \
        --size $size --threads 1 --record $name >out 2>err &
    pid=$!
    ready $pid
    sleep 1
    kill -TERM $pid 2>/dev/null
    for _ in $(seq 80); do
        kill -0 $pid 2>/dev/null || break
        sleep 0.1
    done
    kill -9 $pid 2>/dev/null && why='still there after 8 s' || why=''
    wait $pid
    status=$?
    [ $status = 130 ] || why="$why status $status: $(cat err)"
    [ -s $name ] || why="$why no file"
    [ $name = s.cast ] || [ $probe = no ] || [ -n "$(found $name)" ] || why="$why not playable"
    verdict "a signal in the first pass of $name" "$why"
    size=320x240
    rm -f s.*
done

# A figure shows the interrupted state; stdout may be closed.
"$program" poisson2d jacobi --backend cpu --n 64 --until 0 --ui none --size 80x24 --record s.cast \
    --csv s.csv -e 'step 5' >out 2>err &
pid=$!
appear 1 's.*.tmp'
kill -INT $pid
wait $pid
leaves 'SIGINT leaves the history' s.cast s.csv
rm -f s.*
if [ $drawn = yes ]; then
    "$program" poisson1d jacobi --backend cpu --n 64 --until 0 --ui none --csv s.csv \
        --export s.svg >out 2>err &
    pid=$!
    ready $pid
    kill -INT $pid
    wait $pid
    why=$([ $? = 130 ] || echo "status $?: $(cat err)")
    grep -q '^interrupted after' out || why="$why $(cat out)"
    verdict 'SIGINT ahead of a figure' "$why"
    leaves 'and there are both files' s.csv s.svg
    rm -f s.*
fi
"$program" poisson2d jacobi --backend cpu --n 64 --ui none --cycles 30 --size 80x24,80x24 \
    --record s.cast,t.cast 2>&1 | head -0
leaves 'nobody reads what is said' s.cast t.cast
rm -f t.cast
rm -f s.*

# --- a full disk ---------------------------------------------------------------------------------------

mkdir disk
if mount -t tmpfs -o size=64k none disk 2>/dev/null; then
    trap 'umount "$tmp/disk" 2>/dev/null; rm -rf "$tmp"' EXIT
    kinds='cast'
    [ $video = yes ] && kinds='mp4 webm gif apng png cast'
    for kind in $kinds; do
        film --problem random --cycles 400 --size 120x40 --record "disk/f.$kind"
        [ "$kind" = cast ] || film --problem random --cycles 100 --size 800x600 --record "disk/f.$kind"
        why=$([ $status = 1 ] || echo "status $status;")
        grep -q "cannot write disk/f.*: No space left on device" err || why="$why $(cat err)"
        [ -e "disk/f.$kind" ] && why="$why there is a file"
        [ -n "$(ls disk | grep tmp)" ] && why="$why there is a temporary file"
        verdict "a full disk: no .$kind, and a sentence" "$why"
        rm -f disk/*
    done
    umount disk
else
    skip 'a full disk' 'no right to mount one'
fi
rmdir disk 2>/dev/null

# --- bad input -----------------------------------------------------------------------------------------

fails() { # PATTERN NAME ARGUMENT...
    pattern=$1 name=$2
    shift 2
    film --cycles 1 "$@"
    why=$([ "$status" != 0 ] || echo 'status 0;')
    grep -q "$pattern" err || why="$why $(cat err)"
    verdict "$name" "$why"
}
fails 'ends in none of .mp4 .webm' 'a format that there is not' --record x.cast,x.avi
[ $drawn = no ] || fails 'ends in none of .svg' 'a figure that there is not' --export x.jpg
fails 'not WIDTHxHEIGHT' 'a size that is none' --record x.cast --size huge
fails 'no size for it; from 20x8 to' 'pixels for a .cast' --record x.cast --size 1280x720
[ $drawn = no ] || fails 'no size for it; from 200x160 to 4096' 'a figure of no size' --export x.svg --size 10x10
fails '2 sizes for 1 recording' 'a size too many' --record x.cast --size 80x24,80x25
fails 'names no file' 'a list of nothing' --record ,
[ $drawn = no ] || fails 'ends in none of .svg' 'a figure without a name' --export .svg
fails 'only a .gif can be made smaller' 'a most size for what cannot shrink' --record x.cast --max-size 1M
fails 'No such file' 'a folder that there is not' --record nowhere/x.cast
fails 'is named twice' 'one file twice' --record x.cast,x.cast
if command -v iconv >/dev/null 2>&1; then
    film --cycles 1 --record x.cast --caption "$(printf 'caf\351')"
    iconv -f UTF-8 -t UTF-8 x.cast >/dev/null 2>err && why='' || why=$(cat err)
    verdict 'a caption that is no UTF-8' "$why"
    rm -f x.cast
fi
fails 'not a whole number' 'a count that is none' --record x.cast -e 'step 1e3'
fails 'not a whole number' 'a word for a count' --record x.cast -e 'tick some'
[ $drawn = no ] || fails 'No such file' 'a folder that there is not, behind the last step' \
    -e 'step 5' -e 'record nowhere/x.png'
[ $drawn = no ] || fails 'No such file' 'the same, ended by a command' \
    -e 'step 5' -e 'record nowhere/x.png' -e record
leaves 'and nothing is left behind'

exit $failed
