#!/bin/sh
# The output of ptxas for every kernel: none may use local memory (register spills, indexed arrays)
# except those named here. Checked for the GPU and the compiler that the kernels were measured with,
# since others allocate registers differently.
set -u
cd "$(dirname "$0")/../.." || exit 2
built=build/release
rule='no kernel has local memory'

skip() {
    echo "skip $rule: $1"
    exit 0
}

grep -qs 'SS_WITH_CUDA=1' $built/flags.stamp || skip 'built without CUDA'
grep -qs 'code=sm_90' $built/nvcc.stamp || skip 'not built for sm_90'
read -r nvcc _ <$built/nvcc.stamp
"$nvcc" --version | grep -q 'release 13\.0,' || skip 'looked at with CUDA 13.0'

# A kernel's mangled name, and the most bytes of local memory. Smoothers that spill a few registers:
# with fewer threads they spill none, but cubes were measured to be slower. And four kernels whose
# update is pentadiagonal, in double precision: Poisson's takes all of their registers, and the two
# more coefficients spill one to five of them. And persistent Jacobi on the largest grids in double
# precision: a thread has 52 points, 104 of its 168 registers, with norms in every iteration 52
# differences as well; smaller regions spill nothing, but 2048 x 2048 points on two devices need it.
# In single precision the largest tile spills two registers in cycles with a norm, which are few; all
# others are 5 % faster for it (EDGE_FIRST in warp_tile.cuh). Resident tiles of 128 x 88 points spill
# 24 to 36 registers: 11264 points are what the registers of an SM hold; persistent Jacobi of
# as many spills one with the pentadiagonal update where any points are exchanged.
# Asynchronous tiles in registers, single precision: the mask of frozen points, which opaque() makes the
# compiler keep in memory; no register is spilled, and only tiles at the end of the grid read it.
# A strip of halo is loaded 16 bytes at a time: in tiles whose registers were all in use, the address takes
# one or two more (tiles of 9 rows in single precision). A block's place has
# the cells beyond its six sides, which the panels do not need, but step over.
# Pipelined tiles in double precision: three rows of 10 columns in three iterations take all registers of
# a thread; 9 columns spill none and are up to 5 % slower, 4 iterations per warp spill more.
# The register variant of Euler on nodes of 512 points in double precision: the last bit of a reciprocal
# (arith.cuh) takes one register more than there are.
known='
pipeline_tilesI9fma_planeIdE         32
pipeline_tilesI13poisson_planeIdE    80
resident_tilesI13pentadiagonalIdE9warp_tileIS1_Li16ELi4ELi10E 24
tile_in_registersI13pentadiagonalIfE9warp_tileIS1_Li32ELi4ELi8E 8
tile_in_registersI13pentadiagonalIfE9warp_tileIS1_Li16ELi4ELi9E 8
tile_in_registersI13poisson_planeIfE9warp_tileIS1_Li16ELi4ELi9E 8
tile_in_registersI9fma_planeIfE9warp_tileIS1_Li32ELi4ELi8ELi0EELi8ELb1E 8
tile_in_registersI9fma_planeIfE9warp_tileIS1_Li16ELi4ELi9E 8
tile_in_registersI9fma_planeIfE9warp_tileIS1_Li8ELi4ELi9E 8
relax_cubesI5alonefLi16ELi16E       152
async_in_registersI                 8
IdE9warp_tileIS1_Li32ELi4ELi13ELi13E 232
dE9warp_tileIS1_Li32ELi4ELi11ELi0EELi8ELb0ELb 144
persistent_jacobiI13pentadiagonalIdE9warp_tileIS1_Li32ELi4ELi11ELi0EELi1ELi8ELb0EL9grid_kind1E9slot_args 8
relax_cubesI6racingfLi16ELi16E      152
relax_cubesI5alonedLi8ELi8ELb1E     8
relax_cubesI5alonedLi16ELi16ELb1E   16
async_tilesI13pentadiagonalIdE13async_variantILb1ELb1ELi0E 8
async_tilesI13pentadiagonalIdE13async_variantILb0ELb0ELi1E 8
tile_in_registersI13pentadiagonalIdE9warp_tileIS1_Li16ELi4ELi9ELi0EELi4ELb1E 16
tile_in_registersI13pentadiagonalIdE9warp_tileIS1_Li8ELi4ELi9ELi0EELi1ELb1E 8'

offenders=$(
    for source in $(find kernels/cuda -name '*.cu'); do
        said=$built/obj/${source%.cu}.ptxas
        cat "$said" 2>/dev/null || echo "missing $said"
    done | KNOWN=$known awk '
        BEGIN { rows = split(ENVIRON["KNOWN"], row, /[ \n]+/) }
        /^missing/ { print }
        /Compiling entry function/ { split($0, part, "\047"); name = part[2]; measured = /sm_90/ }
        measured && /bytes stack frame/ {
            kernels++
            most = 0
            for (i = 2; i < rows; i += 2)
                if ($1 > 0 && index(name, row[i])) {
                    most = row[i + 1]
                    used[i] = 1
                }
            if ($1 > most) print name ": " $0
        }
        END {
            for (i = 2; i < rows; i += 2)
                if (!used[i]) print "known, but there is none: " row[i]
            if (!kernels) print "no kernel was found"
        }' || echo 'awk failed'
)

if [ -n "$offenders" ]; then
    echo "not ok $rule"
    echo "$offenders" | sed 's/^/  /'
    exit 1
fi
echo "ok $rule"
