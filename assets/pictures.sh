#!/bin/sh
# The pictures of README.md, drawn again: `make pictures`.  Deterministic, so figures that depend on
# the clock are drawn as a dash.
#
#   pictures.sh PROGRAM
set -eu

program=$(realpath "$1")
cd "$(dirname "$0")/screens"

picture() {
    file=$1
    shift
    "$program" "$@" --backend cpu --threads 1 --ui none --size 1280x800 --overwrite --export "$file"
}

staleness() {
    picture "window-shared-$1.png" poisson2d shared --n 256 --k 12 --theme "$1" \
        -e 'view layer staleness' -e 'view axis iterations' -e 'view probe 88 100' -e 'step 150' \
        -e 'set k 16' -e 'step 125' -e 'set overlap 8' -e 'step 125'
}
staleness dark
staleness light
picture cone.png poisson1d shared --n 256 --k 12 --block 32 --overlap 12 --frame cone -e 'step 10' -e 'tick 12'
picture window-heat-swept-dark.png heat1d swept --n 256 --block 32 -e 'step 40'
picture window-ranks-dark.png heat1d stepper --n 65536 --latency 5us -e 'view stage ranks' -e 'step 400'
picture window-ks-raster-dark.png ks1d swept --n 256 --block 32 -e 'step 4000'
picture window-poisson3d-dark.png poisson3d block-gs --patch 32 --px 2 --problem mixed \
    -e 'view layer error' -e 'step 6'
