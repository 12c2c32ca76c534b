#!/bin/sh
# Frames of films and figures end to end: equal bytes for equal commands, text that can be found, the
# size of paper, the time of a tick, and the sentences of refusals.  Helpers: tests/e2e/cli.inc.
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/cli.inc

# film ARGUMENT...: a small run on the CPU, without a screen
film() { run poisson2d shared --backend cpu --threads 2 --n 48 --ui none "$@"; }
line() { run heat1d swept --backend cpu --threads 2 --n 64 --ui none "$@"; }

drawn=yes
film --cycles 0 --export x.svg
[ -e x.svg ] || drawn=no why_not_drawn=$(sed 's/^stencilscope: //' err)
rm -f x.svg

# two ARGUMENT...: a race, in the layer that needs u*
two() {
    run race 'poisson2d shared --k 6' 'poisson2d jacobi' --backend cpu --threads 2 --n 48 --ui none \
        -e 'view layer error' -e 'step 4' "$@"
}

# --- equal bytes -------------------------------------------------------------------------------------

# twice NAME FILE COMMAND...: the command writes FILE, and then the same bytes again
twice() {
    name=$1 file=$2
    shift 2
    "$@"
    [ -s "$file" ] || { fail "$name" "$(cat err)"; return; }
    mv "$file" first
    "$@"
    cmp -s first "$file" && pass "$name" || fail "$name" 'two runs have different bytes'
    rm -f first "$file"
}

bytes() {
    for frame in figure field field+curve; do
        for ext in svg pdf png; do
            twice "frame $frame as .$ext: equal bytes" "f.$ext" \
                film --cycles 3 --frame $frame --export "f.$ext"
        done
        twice "frame $frame as a film: equal bytes" f.apng film -e 'step 3' -e 'set k 12' \
            -e 'step 3' --frame $frame --size 400x300 --record f.apng
    done
    for frame in figure raster theatre; do
        twice "frame $frame of a swept run: equal bytes" f.pdf line --cycles 4 --frame $frame \
            --width 88mm --export f.pdf
        twice "frame $frame of a swept run as a film: equal bytes" f.apng line --cycles 4 \
            --frame $frame --size 400x300 --record f.apng
    done
    for frame in cone timeline; do
        twice "frame $frame: equal bytes" f.pdf film --k 6 -e 'step 2' -e 'tick 6' --frame $frame \
            --export f.pdf
        twice "frame $frame as a film: equal bytes" f.apng film --k 6 -e 'step 4' -e 'rewind 2' \
            -e 'set k 12' -e 'step 2' -e 'tick 3' --frame $frame --size 400x300 --record f.apng
    done
    twice 'frame wipe: equal bytes' f.pdf two --frame wipe --export f.pdf
    twice 'frame wipe as a film: equal bytes' f.apng two --frame wipe --size 400x300 --record f.apng
    twice 'a frame in characters: equal bytes' f.cast film -e 'step 2' -e 'set k 12' -e 'step 2' \
        --frame field+curve --size 90x25 --record f.cast
}

# The commands of frames.md, one a line.
recipes() {
    awk '/^\$ stencilscope/ { on = 1; sub(/^\$ /, "") }
         on { more = sub(/ *\\$/, ""); printf "%s ", $0; if (!more) { print ""; on = 0 } }' \
        "$root/ui/record/frames.md"
}

# Each recipe writes files, and the same bytes when it runs again.
recipes_run() {
    recipes >recipes
    [ "$(wc -l <recipes)" -ge 7 ] && pass 'recipes are found' || fail 'recipes are found' "$(cat recipes)"
    while read -r line; do
        name="recipe: $(echo "$line" | cut -c 14-60 | tr -s ' ')"
        why=''
        for folder in one two; do
            mkdir $folder
            (cd $folder && eval "\$limit \"\$program\" ${line#stencilscope}" --backend cpu --threads 2 \
                >/dev/null 2>err </dev/null) ||
                why="$why it fails: $(tail -2 $folder/err)"
        done
        [ "$(find one ! -name err -type f -size +0 | wc -l)" -gt 0 ] || why="$why it writes no file;"
        rm -f one/err two/err
        diff -r one two >differ || why="$why $(cat differ)"
        verdict "$name" "$why"
        rm -rf one two
    done <recipes
}

# The run was rewound to a stored state: two of them are marked below the axis (and the present one,
# wider), and the curve ahead is dashed.
timeline() {
    film --frame timeline --size 1000x400 --k 4 -e 'step 20' -e 'set k 12' -e 'step 20' \
        -e 'rewind 10' --export f.svg
    why=''
    grep -q '>ahead<' f.svg || why='the curve ahead has no label;'
    n=$(grep -cE 'd="M [0-9.]+ 236.39[0-9]* L [0-9.]+ 236.39[0-9]* L [0-9.]+ 239' f.svg)
    [ "$n" -ge 2 ] || why="$why $n marks"
    verdict 'a timeline marks stored states and shows the curve ahead' "$why"
    rm -f f.svg
}

# --- text --------------------------------------------------------------------------------------------

text() {
    film --cycles 3 --k 4 --overlap 6 --frame figure --width 88mm --title 'A <title> & more' \
        --caption 'a caption' --export f.svg
    why=''
    for want in 'k = 4' 'overlap = 6' 'A &lt;title' '&amp; more' 'a caption' '(a)' '(b)' \
        'residual / r0'; do
        grep -q -F "$want" f.svg || why="$why '$want' is not in it;"
    done
    verdict 'an SVG figure has its parameters as text' "$why"
    if command -v pdftotext >/dev/null 2>&1; then
        film --cycles 3 --k 4 --overlap 6 --frame figure --width 88mm --export f.pdf
        pdftotext f.pdf f.txt
        grep -q 'k = 4' f.txt && grep -q 'overlap = 6' f.txt && pass 'a PDF figure has text' ||
            fail 'a PDF figure has text' "it has $(head -c 200 f.txt | tr '\n' ' ')"
    else
        skip 'a PDF figure has text' 'there is no pdftotext'
    fi
    rm -f f.svg f.pdf f.txt
}

# --- sizes and times ---------------------------------------------------------------------------------

sizes() {
    for mm in 88 180; do
        film --cycles 1 --frame figure --width ${mm}mm --export f.svg
        want=$(awk "BEGIN {printf \"%.4f\", $mm / 25.4 * 72}")
        grep -q "<svg[^>]*width=\"$want" f.svg && pass "a figure of $mm mm is $mm mm wide" ||
            fail "a figure of $mm mm is $mm mm wide" "$(grep -o '<svg[^>]*' f.svg)"
    done
    rm -f f.svg
    film --frame field -e 'step 1' -e 'tick 3' --hold-tick 0.4 --size 400x300 --record f.apng
    grep -q 'f.apng: 26 frames, 1.3 s' err && pass 'each subiteration of a tick is held' ||
        fail 'each subiteration of a tick is held' "$(cat err)"
    rm -f f.apng
}

# --- refusals ----------------------------------------------------------------------------------------

# refuses NAME STATUS SENTENCE COMMAND...
refuses() {
    name=$1 expected=$2 want=$3
    shift 3
    "$@"
    why=''
    [ "$status" = "$expected" ] || why="exit status $status, not $expected;"
    grep -q -F -- "$want" err || why="$why it says '$(head -1 err)'"
    [ ! -e f.png ] || why="$why it has written f.png"
    verdict "$name" "$why"
}

refusals() {
    refuses 'no such frame' 2 "frame: 'nothing' is not one of app, figure, field, field+curve," \
        film --cycles 1 --frame nothing --export f.png
    refuses 'a width that is no column' 2 "width: '5mm' is not a width from 40mm to 400mm" \
        film --cycles 1 --frame figure --width 5mm --export f.png
    refuses 'a width without a unit' 2 "width: '88' is not a width" \
        film --cycles 1 --frame figure --width 88 --export f.png
    refuses 'a width without a frame' 2 'width: belongs to a frame' \
        film --cycles 1 --width 88mm --export f.png
    refuses 'a title without a frame' 2 'title: belongs to a frame' \
        film --cycles 1 --title x --export f.png
    refuses 'width and size' 2 'width: a figure has --width or --size, not both' \
        film --cycles 1 --frame field --width 88mm --size 400x300 --export f.png
    refuses 'a theatre of a solver that has none' 2 \
        'frame theatre: only the solver swept has this diagram of a cycle' \
        film --cycles 1 --frame theatre --export f.png
    refuses 'a raster of a plane' 2 'frame raster: only a 1D problem has a space-time diagram' \
        film --cycles 1 --frame raster --record f.png
    refuses 'a frame of a map' 2 'frame figure: a map has a layout of its own' \
        run map poisson2d shared --backend cpu --n 16 --ui none --frame figure --export f.png
    refuses 'a cone of a run in time' 2 'frame cone: only a steady run whose blocks do' \
        line --cycles 1 --frame cone --export f.png
    refuses 'a wipe of one run' 2 "frame wipe: only a race has two fields: race 'RUN' 'RUN'," \
        film --cycles 1 --frame wipe --record f.png
    refuses 'a wipe of owners' 1 'frame wipe: owners are names, which have no difference' \
        two -e 'view layer owner' --frame wipe --export f.png
    refuses 'a timeline of a race' 1 'frame timeline: a race has no timeline' \
        run race 'poisson2d shared' 'poisson2d jacobi' --backend cpu --n 16 --cycles 1 --ui none \
        --frame timeline --export f.png
    refuses 'a timeline of a run in time' 2 'frame timeline: only a steady run has a residual' \
        line --cycles 1 --frame timeline --export f.png
    run heat1d stepper --backend cpu --n 64 --ui none --frame theatre -e 'step 1' \
        -e 'set solver swept' -e 'step 1' --export f.png
    [ -s f.png ] && pass 'a solver chosen later has its frame' ||
        fail 'a solver chosen later has its frame' "$(cat err)"
    rm -f f.png
}

# With a front end its screen is recorded: a frame would not be what is seen.
live() {
    name='a frame of a run with a front end'
    if ! command -v script >/dev/null 2>&1; then
        skip "$name" 'there is no script to give it a terminal'
        return
    fi
    # shellcheck disable=SC2086 # it may be empty
    $limit script -qec "$program poisson2d jacobi --n 16 --ui tui --frame field --export f.png" \
        /dev/null >err </dev/null
    why=''
    grep -q 'frame field: add --ui none' err || why="it says '$(head -c 200 err)'"
    [ ! -e f.png ] || why="$why it has written f.png"
    verdict "$name" "$why"
}

if [ $drawn = yes ]; then
    live
    bytes
    text
    timeline
    sizes
    refusals
    recipes_run
else
    skip 'frames' "$why_not_drawn"
fi
exit $failed
