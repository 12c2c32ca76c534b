#!/bin/sh
# Who may include whom: the layers of the README, one row each in the tables below.  Quoted includes
# name a path from the top of the tree.  Prints "ok"/"not ok" and every line that breaks a rule.
set -u
cd "$(dirname "$0")/../.." || exit 2

# Files (first row that fits) and what they may include: parts of a name, and never.
rules='
kernels/eq/poisson.h src/equation.h
kernels/eq/transient.h src/equation.h
kernels/eq/*.h    src/base.h kernels/eq/* kernels/geom/*
kernels/geom/*.h  src/base.h kernels/eq/* kernels/geom/*
kernels/*         src/base.h src/blas.h src/param.h src/equation.h src/solver.h src/backend.h src/run.h kernels/*
ui/*              src/base.h src/page.h src/param.h src/snapshot.h src/mapview.h src/command.h src/telemetry.h src/registry.h src/embed.h src/options.h src/outfile.h src/quit_signals.h ui/*
src/app*          src/* ui/*
src/film.*        src/* ui/*
src/main.c        src/* ui/*
src/frontends.c   src/* ui/*
src/*             src/* kernels/*
'

# Headers of a library, and the only files that may see them; the rest of the system is free.
guarded='
curses.h               ui/tui*.c
ncurses*.h             ui/tui*.c
SDL*                   ui/sdl*.c
cairo*.h               ui/canvas*.c
pango/*                ui/canvas*.c
libav*                 ui/encode*.c
libsw*                 ui/encode*.c
md4c*.h                src/markdown*.c
cuda*                  kernels/cuda/*
nv*.h                  kernels/cuda/*
cub/*                  kernels/cuda/*
cooperative_groups*    kernels/cuda/*
'

# Valid as C11 and as CUDA C++17: the point updates and the geometry use these only.
portable=' float.h limits.h math.h stdbool.h stddef.h stdint.h string.h '

# matches NAME PATTERN...
matches() {
    name=$1
    shift
    for pattern in "$@"; do
        case $name in $pattern) return 0 ;; esac
    done
    return 1
}

# allowed FILE KIND HEADER
allowed() {
    if [ "$2" = '<' ]; then
        while read -r guard where; do
            [ -n "$guard" ] && matches "$3" "$guard" && ! matches "$1" "$where" && return 1
        done <<END
$guarded
END
        case $1 in
        kernels/eq/*.h | kernels/geom/*.h) case $portable in *" $3 "*) ;; *) return 1 ;; esac ;;
        esac
        return 0
    fi
    while read -r files may; do
        [ -n "$files" ] && matches "$1" "$files" || continue
        matches "$3" $may
        return
    done <<END
$rules
END
}

set -f # the patterns above are for names, not for the shell's own search
broken=$(
    find src kernels ui -type f \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.def' \) \
        -exec grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]' /dev/null {} + |
        sed -E 's/^([^:]*):([0-9]+):[^<"]*([<"])([^>"]*).*/\1 \2 \3 \4/' |
        while read -r file line kind header; do
            allowed "$file" "$kind" "$header" || echo "  $file:$line may not include $header"
        done
)
if [ -z "$broken" ]; then
    echo 'ok include rules'
else
    echo 'not ok include rules'
    echo "$broken"
    exit 1
fi
