#!/bin/sh
# The CUDA kernels compile without a GPU, and none uses local memory (register spills, indexed arrays)
# except those named here: those of a few runs for compute capability 9.0.  `kernels.sh all` takes the
# presets and every solver with its defaults, for each generation that NVRTC knows.
set -u
cd "$(dirname "$0")/../.." || exit 2
program=${STENCILSCOPE:-$PWD/build/release/stencilscope}
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
rule='the CUDA kernels compile, and none has local memory'

# A part of a line of `stencilscope kernels`, and the most bytes. Before 9.0 the vector kernel of lines
# in single precision spills one register where it makes the norm.
known='jacobi6_vector<poisson_line< 8'

# compile LIST RUN...: into a cache of its own; prints what has more local memory than is known
compile() {
    rm -rf "$dir/cache"
    XDG_CACHE_HOME=$dir/cache "$program" kernels fill "$@" >"$dir/out" 2>&1 || {
        tail -n 3 "$dir/out"
        return
    }
    XDG_CACHE_HOME=$dir/cache "$program" kernels >"$dir/list"
    KNOWN=$known awk '
        BEGIN { rows = split(ENVIRON["KNOWN"], row, /\n/) }
        $3 > 0 && $1 ~ /^sm_/ {
            most = 0
            for (i = 1; i <= rows; i++) {
                bytes = row[i]
                sub(/.* /, "", bytes)
                name = row[i]
                sub(/ +[0-9]+$/, "", name)
                if (name != "" && index($0, name)) most = bytes
            }
            if ($3 > most) print
        }' "$dir/list"
}

verdict() { # name, what is wrong
    if [ -z "$2" ]; then
        echo "ok $1"
    else
        printf 'not ok %s\n%s\n' "$1" "$2"
    fi
}

if ! why=$("$program" kernels fill 90 'poisson2d jacobi' 2>&1); then
    echo "skip $rule: $why"
    exit 0
fi
if [ "${1:-}" = all ]; then
    for target in 75 80 86 89 90 100 120; do
        verdict "$rule ($target)" "$(compile $target)"
        sed -n '$s/^/# /p' "$dir/list"
    done
    exit
fi
verdict "$rule" "$(compile 90 'poisson2d jacobi' 'poisson2d shared --precision f32' 'poisson1d cg' \
    'poisson2d sor' 'poisson2d multigrid --n 127' 'poisson2d async' 'poisson2d persistent' 'heat1d swept' \
    'euler1d stepper' 'poisson3d block-jacobi' 'poisson3d jacobi')"

# With fewer registers than it needs, a kernel spills: the check sees it.
mkdir -p "$dir/kernels/cuda/jacobi"
sed 's/__launch_bounds__(512)/__launch_bounds__(512, 4)/' kernels/cuda/jacobi/ladder.cuh \
    >"$dir/kernels/cuda/jacobi/ladder.cuh"
found=$(STENCILSCOPE_KERNELS=$dir compile 90 'poisson2d jacobi')
case $found in
*jacobi6_vector*) verdict 'a planted register spill is found' '' ;;
*) verdict 'a planted register spill is found' "it is not: $found" ;;
esac
