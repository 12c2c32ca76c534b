#!/bin/sh
# The CUDA kernels compile without a GPU, and none uses local memory (register spills, indexed arrays)
# except those named here: those of a few runs for compute capability 9.0.  `kernels.sh all` takes the
# presets, the lessons, every solver with its defaults, the plan of `bench` and the net's runs on a
# card (tests/net), for each generation that NVRTC knows, or for those of TARGETS.
set -u
cd "$(dirname "$0")/../.." || exit 2
program=${STENCILSCOPE:-$PWD/build/release/stencilscope}
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
rule='the CUDA kernels compile, and none has local memory'

# A part of a line of `stencilscope kernels`, and the most bytes of local memory per thread.
# The vector kernel of lines in single precision spills one register before 9.0 where it makes the norm,
# fused SOR from 10.0 on. Asynchronous tiles in shared memory have 64 registers per thread, since a block
# may have 1024; what the sweeps do not use is spilled. Resident tiles of 128 x 88 points hold 11264
# points, which is what the registers of an SM hold. Pipelined tiles: three rows of 10 columns in three
# iterations take all registers of a thread; 9 columns spill none and are up to 5 % slower. Cubes of 16
# cells: with fewer threads they spill none, and were measured to be slower. The pentadiagonal update has
# two more coefficients than Poisson's, which takes all registers.
known='jacobi6_vector<poisson_line< 8
sor_fused<poisson_line<float>, true> 8
async_tiles<fma_plane<double>, variant_ 16
resident_tiles<fma_plane<double>, warp_tile<fma_plane<double>, 32, 4, 11, 72
resident_columns<fma_plane<double>, warp_tile<fma_plane<double>, 32, 4, 11, 8
pipeline_tiles<fma_plane<double>, 3, 10, 40
relax_cubes<alone, float, 16, 160
tile_in_registers<pentadiagonal<float>, warp_tile<pentadiagonal<float>, 16, 4, 8>, 4, true> 8'

# The runs of the plan of `bench` on a GPU, one per line: all values of each list.
plan() {
    awk '
        function walk(i, equation, solver, options,    list, count, j, name, value) {
            if (i > words) {
                print equation, solver options
                return
            }
            name = list = word[i]
            sub(/=.*/, "", name)
            sub(/^~/, "", name)
            sub(/[^=]*=/, "", list)
            count = split(list, value, ",")
            for (j = 1; j <= count; j++)
                walk(i + 1, name == "equation" ? value[j] : equation, name == "solver" ? value[j] : solver,
                     name ~ /^(equation|solver|backend)$/ ? options : options " --" name "=" value[j])
        }
        /^[a-z]/ { group = /backend=cuda/ ? $0 : "" }
        /^ +[a-z]/ && group != "" {
            all = split(group " " $0, word, " ")
            words = 0
            for (i = 1; i <= all; i++) if (word[i] ~ /=/) word[++words] = word[i]
            walk(1, "", "", "")
        }' assets/data/bench.txt
}

# Of the net: what follows the seven figures of a line.
net() { sed -n '/--backend cuda/s/^\([^ ]* \)\{7\}//p' tests/net/lines.txt | sed 's/ --backend cuda//'; }

# spills: prints the kernels of the cache that have more local memory than is known
spills() {
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
                if (name != "" && index($0, name)) most = bytes + 0
            }
            if ($3 > most) print
        }' "$dir/list"
}

# compile LIST RUN...: into a cache of its own; prints what does not compile, and what spills
compile() {
    rm -rf "$dir/cache"
    if XDG_CACHE_HOME=$dir/cache "$program" kernels fill "$@" >"$dir/out" 2>&1; then
        spills
    else
        tail -n 3 "$dir/out"
    fi
}

# compile_all TARGET: the same for all that are known, two programs at once
compile_all() {
    rm -rf "$dir/cache"
    { plan && net; } | sort -u | tr '\n' '\0' | XDG_CACHE_HOME=$dir/cache \
        xargs -0 -P 2 -n 20 "$program" kernels fill "$1" >"$dir/out" 2>&1 &&
        XDG_CACHE_HOME=$dir/cache "$program" kernels fill "$1" >>"$dir/out" 2>&1 ||
        grep -v '^not prepared\|^prepared runs' "$dir/out" | tail -n 3
    spills
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
    for target in ${TARGETS:-75 80 86 89 90 100 120}; do
        verdict "$rule ($target)" "$(compile_all "$target")"
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
