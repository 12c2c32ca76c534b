#!/bin/sh
# Who may include whom: the layers of the README, one row each in the tables below.  Quoted includes
# name a path from the top of the tree.  Prints "ok"/"not ok" and every line that breaks a rule.
set -u
cd "$(dirname "$0")/../.." || exit 2

# Files (first row that fits) and what they may include besides floors.txt: the point updates and the
# geometry are portable, kernels see no more of src/ than its contracts, ui/ sees snapshots, not runs.
rules='
kernels/eq/inner.h src/core/equation.h
kernels/eq/*.h    src/base/common.h kernels/eq/* kernels/geom/*
kernels/geom/*.h  src/base/common.h kernels/eq/* kernels/geom/*
kernels/mpi/rank/main.c src/base/* src/core/* src/app/tables.h kernels/*
kernels/*         src/base/* src/blas/* src/core/* kernels/*
ui/*              src/base/* src/core/param.h src/core/command.h src/core/registry.h src/snapshot/* ui/*
src/app/tables.c  src/* kernels/matrix.def
src/app/*         src/* ui/*
src/*             src/* kernels/*
'

# Headers of a library, and the only files that may see them; the rest of the system is free. CUDA's are
# not needed: kernels/cuda/device/driver.h and ptx.cuh declare what is used.
guarded='
curses.h               ui/tui/*
ncurses*.h             ui/tui/*
libwebsockets.h        ui/web/*
zlib.h                 ui/web/*
qrencode.h             ui/web/*
SDL*                   ui/sdl/*
cairo*.h               ui/canvas/*
pango/*                ui/canvas/*
libav*                 ui/encode/*
libsw*                 ui/encode/*
cuda*                  nowhere
nv*.h                  nowhere
cub/*                  nowhere
cooperative_groups*    nowhere
mpi.h                  kernels/mpi/rank/*
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
    find src kernels ui -type f \( -name '*.[ch]' -o -name '*.cuh' -o -name '*.def' \) \
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
