/* The GPU against the CPU: every kernel on random fields and right-hand sides, on grids that are
 * neither square nor a multiple of any block, with and without norms, as graphs and by single
 * launches; runs that stop, changes on the way, slabs on several devices (one device named several
 * times, so that any machine with a GPU tests them), the CPU beside the GPU. Skipped without a GPU.
 */
#include "tests/equal/equal.h"

#define RANDOM "problem random "
#define PREC "precision {f64|f32} "
#define OFTEN "check-every {1|1000000} "
#define CHECKS "check-every {1|3|1000000} "
#define LAUNCH "[launch graph|launch stream] "
#define ODD_STEPS " : 1, 98, 3, 37"
#define THREADS "[|tpb-x 64 tpb-y 3|tpb-x 256 tpb-y 1] "

#define PLANE "equation poisson2d n 203 ny 131 "
#define LARGE "equation poisson2d n 1024 ny 1024 "
#define NARROW "equation poisson2d n 5 ny 300 "
#define LINES "equation poisson1d n 203 copies 131 "
#define LONG "equation poisson1d n 5001 copies 1 "
#define PENTA "equation plane n 203 ny 131 west -1.3 east 0.45 south -0.9 north -1.7 diagonal 4.7 "
#define TRI "equation line n 203 copies 131 west -1.3 east 0.45 diagonal 2.7 "
#define UPWIND "equation advdiff2d n 131 ny 203 scheme upwind "

/* --- the ladder, tiles in memory and in registers --------------------------------------------- */

#define KERNELS "kernel {naive|padded|texture|smem-packed|smem|unrolled|vector} "
#define PLANE_TILES                                                                                \
    "{k 7 block 32 overlap 6 overlap-y 4|k 8 block 30 block-y 17 overlap 4 overlap-y 2|k 16 "      \
    "block 48 block-y 32 overlap 30 overlap-y 20|k 5 block 64 block-y 64 overlap 2|k 9 block 128 " \
    "block-y 64 overlap 8|k 9 block 33 block-y 128 overlap 8|k 4 block 100 block-y 20 overlap 0} "
#define LINE_TILES                                                                                 \
    "{k 7 block 32 overlap 6|k 16 block 64 overlap 30|k 8 block 100 overlap 2|k 40 block 256 "     \
    "overlap 8|k 9 block 500 overlap 16} "

/* One test per grid. FEW, MANY, SHORT, LONGER: cycles. */
#define ON_GRID(NAME, GRID, TILES, FEW, MANY, SHORT, LONGER)                                       \
    EQUAL_ON_GPU(TEST, jacobi_kernels_##NAME,                                                      \
                 {GRID RANDOM PREC OFTEN "solver jacobi", KERNELS "launch graph : " MANY},         \
                 {GRID RANDOM PREC OFTEN "solver jacobi",                                          \
                  KERNELS "{launch stream|tpb-x 64 tpb-y 3|tpb-x 256 tpb-y 1} : " FEW})            \
    EQUAL_ON_GPU(TEST, memory_tiles_##NAME,                                                        \
                 {GRID RANDOM PREC OFTEN "solver shared k 1 block 32", "tile memory : " LONGER},   \
                 {GRID RANDOM PREC OFTEN "solver shared " TILES, "tile memory : " SHORT})          \
    EQUAL_ON_GPU(TEST, register_tiles_##NAME,                                                      \
                 {GRID RANDOM PREC OFTEN "solver shared k 1 block 32", "tile register : " LONGER}, \
                 {GRID RANDOM PREC OFTEN "solver shared " TILES, "tile register : " SHORT})

ON_GRID(plane, PLANE, PLANE_TILES, "37", "101", "5", "69")
ON_GRID(large_plane, LARGE, PLANE_TILES, "5", "69", "2", "66")
ON_GRID(narrow_plane, NARROW, PLANE_TILES, "37", "101", "5", "69")
ON_GRID(lines, LINES, LINE_TILES, "37", "101", "5", "69")
ON_GRID(long_line, LONG, LINE_TILES, "37", "101", "5", "69")
ON_GRID(pentadiagonal, PENTA, PLANE_TILES, "37", "101", "5", "69")
ON_GRID(tridiagonal, TRI, LINE_TILES, "37", "101", "5", "69")
ON_GRID(advection, UPWIND, PLANE_TILES, "37", "101", "5", "69")

/* Blocks that do not divide the field, of one row or one column, of an odd number of points; more
 * points than a thread block has threads, and than registers hold. */
#define ODD_PLANES                                                                                 \
    "equation {poisson2d n 203 ny 131|poisson2d n 64 ny 48 aspect 1.37|advdiff2d n 70 ny 51 "      \
    "scheme upwind} " RANDOM PREC CHECKS
#define ODD_LINES                                                                                  \
    "equation {poisson1d n 101 copies 7|poisson1d n 5001 copies 1|line n 203 copies 31 west -1.3 " \
    "east 0.45 diagonal 2.7} " RANDOM PREC CHECKS

EQUAL_ON_GPU(TEST, odd_blocks,
             {ODD_PLANES "solver shared {k 2 block 33 block-y 1 overlap 2 overlap-y 0|k 3 block 1 "
                         "block-y 25 overlap 0|k 4 block 31 block-y 26 overlap 6}",
              "tile {memory|register} " LAUNCH ODD_STEPS},
             {ODD_LINES "solver shared {k 5 block 33 overlap 6|k 2 block 130 overlap 2}",
              "tile {memory|register} " LAUNCH ODD_STEPS},
             {PLANE RANDOM PREC CHECKS
              "solver shared {k 2 block 150 block-y 20|k 3 block 81 block-y 90}",
              "tile memory " LAUNCH ODD_STEPS},
             {ODD_LINES "solver shared k 5 block 1500 overlap 2", "tile memory " LAUNCH ODD_STEPS})

/* The right-hand side is a function in the kernel. */
EQUAL_ON_GPU(TEST, inline_kernel_has_the_bits_of_the_array,
             {"equation poisson2d solver jacobi {n 203 ny 131|n 5 ny 300|n 64 ny 1|n 1 ny 1|n 1 ny "
              "64} problem {paper|spike} " PREC CHECKS,
              "kernel inline {|launch stream tpb-x 64 tpb-y 3} : 37, 12, 4, 1"},
             {PLANE "solver jacobi problem spike " PREC CHECKS,
              "kernel inline {split 65 exchange 3|split 80} : 37, 12, 4, 1"})

/* --- tiles that stay, march or are pipelined -------------------------------------------------- */

#define RESIDENT_PLANES                                                                            \
    "equation {poisson2d n 203 ny 131|poisson2d n 37 ny 21|poisson2d n 64 ny 48 aspect "           \
    "1.37|poisson2d n 5 ny 300|poisson2d n 301 ny 333|plane n 131 ny 63 west -1.3 east 0.45 "      \
    "south -0.9 north -1.7 diagonal 4.7|advdiff2d n 70 ny 51 scheme upwind} "

/* Blocks of a thread block's shape and smaller ones, which do not divide the field; as much overlap
 * as the bits of the whole field need, and less. */
EQUAL_ON_GPU(TEST, resident_tiles,
             {RESIDENT_PLANES RANDOM PREC CHECKS
              "solver shared {k 1 block 64|k 2 block 32 overlap 0|k 5 block 61 block-y 57 overlap "
              "8 overlap-y 4|k 3 block 64 block-y 128 overlap 4 overlap-y 6|k 4 block 50 block-y "
              "100 overlap 14|k 7 block 64 block-y 160 overlap 4 overlap-y 16|k 3 block 62 block-y "
              "131 overlap 2|k 2 block 63 block-y 159 overlap 10 overlap-y 0|k 3 block 128 block-y "
              "88 overlap 16 overlap-y 10|k 5 block 117 block-y 80 overlap 8}",
              "tile resident " LAUNCH ODD_STEPS})

/* Tiles as high as their thread block, on grids of such rows of tiles: as wide as it, and narrower,
 * with their halo in x among the points. The aspects make square cells, whose update is fused.
 * Even and odd k; an exchange in whole accesses and not. */
EQUAL_ON_GPU(TEST, full_resident_tiles,
             {"equation poisson2d {n 232|n 255 ny 232 aspect 0.91015625|n 88|n 511 ny 88 aspect "
              "0.173828125|n 300 ny 160} " RANDOM PREC CHECKS
              "solver shared {k 3 block 128 block-y 88 overlap 16 overlap-y 16|k 4 block 126 "
              "block-y 88 overlap 10 overlap-y 16|k 5 block 126 block-y 88 overlap 12 overlap-y "
              "16|k 1 block 101 block-y 88 overlap 4 overlap-y 16|k 6 block 70 block-y 88 overlap "
              "6 overlap-y 16}",
              "tile resident" ODD_STEPS})

/* Shapes of single precision. */
EQUAL_ON_GPU(TEST, wide_resident_tiles,
             {RESIDENT_PLANES RANDOM
              "precision f32 check-every {1|5|25} solver shared {k 3 block 100 block-y 70 overlap "
              "4|k 4 block 128 overlap 6}",
              "tile resident" ODD_STEPS})

/* As many tiles as fit on the chip, many cycles: blocks run ahead of each other. */
EQUAL_ON_GPU(TEST, resident_tiles_on_all_processors,
             {"equation poisson2d n 1024 solver shared k 3 " RANDOM
              "check-every 1000000 {block 64 block-y 160 overlap 4|block 128 block-y 88 overlap 16 "
              "overlap-y 10|block 126 block-y 88 overlap 10 overlap-y 16}",
              "tile resident : 1, 5, 21, 85, 341"})

/* Fields of whole tiles, of parts of one, lower than a march's overlap; products that round. */
#define MARCH_PLANES                                                                               \
    "equation poisson2d {n 204 ny 131|n 36 ny 21|n 64 ny 48 aspect 1.37|n 4 ny 300|n 128 ny 5|n "  \
    "300 ny 333} "
#define PIPELINE_PLANES                                                                            \
    "equation poisson2d {n 700 ny 90|n 180 ny 131|n 180 ny 21|n 180 ny 48 aspect 1.37|n 180 ny "   \
    "300|n 360 ny 5} "

EQUAL_ON_GPU(TEST, marching_tiles,
             {MARCH_PLANES RANDOM
              "solver shared precision f64 [check-every 1|check-every 3|check-every 1000000] {k 8 "
              "block 40 block-y 50 overlap 16|k 8 block 64 block-y 64 overlap 16|k 8 block 62 "
              "block-y 100 overlap 18 overlap-y 14|k 10 block 64 block-y 200 overlap 20}",
              "tile march " LAUNCH ODD_STEPS},
             {MARCH_PLANES RANDOM
              "solver shared precision f32 [check-every 1|check-every 3|check-every 1000000] {k 8 "
              "block 100 block-y 50 overlap 16|k 8 block 128 block-y 300 overlap 16|k 8 block 64 "
              "block-y 64 overlap 16 overlap-y 14|k 12 block 124 block-y 90 overlap 24}",
              "tile march " LAUNCH ODD_STEPS})

EQUAL_ON_GPU(TEST, pipelined_tiles,
             {PIPELINE_PLANES RANDOM
              "solver shared precision f64 [check-every 1|check-every 3|check-every 1000000] {k 24 "
              "block 320 block-y 200 overlap 48|k 3 block 100 block-y 50 overlap 6|k 12 block 64 "
              "block-y 60 overlap 24|k 21 block 62 block-y 100 overlap 44 overlap-y 40}",
              "tile pipeline " LAUNCH ODD_STEPS},
             {PIPELINE_PLANES RANDOM
              "solver shared precision f32 [check-every 1|check-every 3|check-every 1000000] {k 24 "
              "block 576 block-y 200 overlap 48|k 3 block 106 block-y 50 overlap 6|k 12 block 64 "
              "block-y 60 overlap 24|k 21 block 86 block-y 100 overlap 42 overlap-y 40}",
              "tile pipeline " LAUNCH ODD_STEPS})

/* --- one launch for many cycles --------------------------------------------------------------- */

EQUAL_ON_GPU(TEST, persistent_is_jacobi,
             {"equation {poisson2d n 203 ny 131|poisson2d n 1024 ny 1024|poisson2d n 20 ny "
              "700|poisson2d n 1000 ny 900|poisson1d n 300 copies 131|poisson1d n 1024 copies "
              "1000|poisson1d n 9000 copies 5|plane n 203 ny 131 west -1.3 east 0.45 south -0.9 "
              "north -1.7 diagonal 4.7|plane n 20 ny 700 west -1.3 east 0.45 south -0.9 north -1.7 "
              "diagonal 4.7|line n 300 copies 131 west -1.3 east 0.45 diagonal 2.7|advdiff2d n 500 "
              "ny 300 scheme upwind} " RANDOM PREC OFTEN,
              "solver persistent every {1|2|3|5|8} : 17, 33", "solver jacobi : 50"})

/* Without exchange no tile depends on another one's progress. */
#define MUTE(GRID, TILE, ALPHA, K, HOW)                                                            \
    {                                                                                              \
        GRID RANDOM PREC OFTEN TILE, "solver async variant 2 alpha " ALPHA " " HOW " : 3, 37",     \
            "solver shared overlap 0 k " K " : 40"                                                 \
    }
#define MUTE_PLANES                                                                                \
    "equation {poisson2d n 203 ny 131|poisson2d n 1024 ny 1024|poisson2d n 5 ny 300|plane n 203 "  \
    "ny 131 west -1.3 north -1.7 diagonal 5.1} "
#define MUTE_LINES                                                                                 \
    "equation {poisson1d n 203 copies 131|poisson1d n 5001 copies 1|line n 203 copies 131 west "   \
    "-1.3 diagonal 2.4} "

EQUAL_ON_GPU(TEST, asynchronous_tiles_without_exchange_are_shared,
             MUTE(MUTE_PLANES, "{block 32|block 30 block-y 17}", "3", "3", ""),
             MUTE(MUTE_PLANES, "{block 64 block-y 8|block 128 block-y 40}", "8", "9",
                  "launch stream"),
             MUTE(MUTE_LINES, "{block 32|block 1000}", "3", "3", ""),
             MUTE(MUTE_LINES, "block 7", "8", "9", "launch stream"))

/* --- methods with a memory -------------------------------------------------------------------- */

#define GRIDS                                                                                      \
    "equation {poisson2d n 203 ny 131|poisson2d n 64|poisson2d n 127|poisson2d n 5 ny "            \
    "300|poisson2d n 1024 ny 40|poisson1d n 203 copies 131|poisson1d n 5001 copies 1|poisson1d n " \
    "64 copies 7} "

#define SOR_KERNEL(NAME)                                                                           \
    EQUAL_ON_GPU(TEST, NAME##_sor,                                                                 \
                 {GRIDS RANDOM PREC CHECKS "solver sor [omega 1|omega 1.5|omega 1.93]",            \
                  "kernel " #NAME " {launch graph|launch stream}" ODD_STEPS})
SOR_KERNEL(fused)
SOR_KERNEL(interleaved)
SOR_KERNEL(split)

/* Widths and heights around the tile of a warp: 60 points of double precision, 120 of single, by 4
 * rows; and around a vector and a pair. */
EQUAL_ON_GPU(TEST, sor_around_a_tile,
             {"equation poisson2d n {1|2|3|4|5|59|60|61|119|120|121|239|241} ny "
              "{1|2|3|4|5|31|32|33} " RANDOM
              "solver sor omega 1.7 [precision f64|precision f32] " OFTEN,
              "kernel [fused|interleaved|fused|split]" ODD_STEPS},
             {"equation poisson1d n {2|3|4|5|59|60|61|119|120|121|239|241} copies "
              "{1|2|3|4|5|31|32|33} " RANDOM
              "solver sor omega 1.7 [precision f64|precision f32] " OFTEN,
              "kernel [fused|interleaved|fused|split]" ODD_STEPS})

EQUAL_ON_GPU(TEST, chebyshev,
             {GRIDS RANDOM PREC CHECKS "solver chebyshev [rho 0.9|rho 0.999|rho 1|rho 0]",
              "{launch graph|launch stream} " THREADS ODD_STEPS})

EQUAL_ON_GPU(TEST, damped_jacobi,
             {GRIDS RANDOM PREC CHECKS "solver jacobi [damping 0.8|damping 0.37|damping 1.01]",
              "{launch graph|launch stream} " THREADS ODD_STEPS},
             {PLANE RANDOM PREC CHECKS "solver jacobi damping 0.8",
              "{slabs 3|slabs 2 exchange 4|split 40|split 40 exchange 3|split 17 launch "
              "stream}" ODD_STEPS})

#define VARIANTS                                                                                   \
    "{variant classic|variant pipelined|variant s-step|variant s-step steps 1|variant s-step "     \
    "steps 8} "

/* Dot products are summed in the CPU's order. */
EQUAL_ON_GPU(TEST, cg,
             {GRIDS RANDOM PREC CHECKS "solver cg " VARIANTS, LAUNCH ODD_STEPS, .kind = EQUAL_NORM})

/* More segments of rows than a thread block adds in one round, rows of many segments, matrices that
 * are given by their entries, one of them not symmetric; and at the rounding errors, where the
 * method starts again if the recurrence's residual is too small. */
EQUAL_ON_GPU(TEST, cg_on_other_fields,
             {"equation {poisson2d n 5 ny 33000|poisson2d n 20 ny 5000|poisson2d n 4097 ny "
              "9|poisson2d n 17001 ny 3 precision f32|poisson1d n 1 copies 1|poisson1d n 300000 "
              "copies 1|line n 203 copies 131 west -1 east -1 diagonal 2.7|plane n 203 ny 131 west "
              "-1 east -1 south -1.5 north -1.5 diagonal 5.7|plane n 131 ny 203 west -1.3 east "
              "0.45 south -0.9 north -1.7 diagonal 4.7|advdiff2d n 131 ny 203 scheme upwind "
              "precision f32} " RANDOM "check-every 1 solver cg " VARIANTS,
              LAUNCH " : 1, 4, 7", .kind = EQUAL_NORM},
             {"equation poisson2d solver cg {n 31|n 31 precision f32|n 31 variant pipelined|n 64 "
              "ny 9 variant pipelined precision f32 check-every 3|n 64 ny 5 variant s-step steps "
              "8}",
              LAUNCH " : 1500, 1500", .kind = EQUAL_NORM})

/* Some have small grids only below the finest one, some have large coarse grids, lines of points,
 * or one point; 255 by 7 ends as a line along x, 7 by 1023 as one along y. */
EQUAL_ON_GPU(TEST, multigrid,
             {"equation {poisson2d n 63|poisson2d n 127 ny 63|poisson2d n 511 ny 255|poisson2d n "
              "255 ny 7 aspect 0.03|poisson2d n 7 ny 1023|poisson2d n 127 aspect 1.37|poisson2d n "
              "31 ny 1|poisson2d n 1|poisson1d n 4095|poisson1d n 63 copies 131|poisson1d n 1 "
              "copies 3|poisson1d n 3 copies 5000} " RANDOM PREC
              "check-every {1|3} solver multigrid shape {v|w|f} smoother {jacobi|red-black} [|pre "
              "0 post 1|pre 3 post 0|pre 0 post 2|pre 1 post 1 omega 0.7]",
              LAUNCH " : 1, 5, 2"},
             /* The coarsest grid is smoothed: a large one, one that is small, the finest. */
             {"equation poisson2d n 127 ny 63 " RANDOM PREC
              "check-every {1|3} solver multigrid smoother {jacobi|red-black} {levels 1|levels 2 "
              "shape w|levels 3 shape f pre 0|levels 5 shape w post 0}",
              LAUNCH " : 1, 5, 2"})

#define STARTS " : 1, start, 4, start, 13, start, 40, start"

EQUAL_ON_GPU(TEST, starts_of_the_last_cycle,
             {PLANE RANDOM "solver {chebyshev|jacobi damping 0.8}", STARTS},
             {PLANE RANDOM "solver sor", "kernel {fused|interleaved|split}" STARTS},
             {PLANE RANDOM "solver cg " VARIANTS, STARTS},
             {PLANE RANDOM "solver shared k 3 block 32", "tile {memory|register}" STARTS},
             {"equation poisson2d n 127 ny 63 " RANDOM
              "solver multigrid smoother {jacobi|red-black} {pre 1|pre 2}",
              " : 1, start, 2, start, 3, start, 4, start, 5, start"})

/* --- the end of a run ------------------------------------------------------------------------- */

/* The run stops at the CPU's cycle with the CPU's field, and both go on from there. */
#define GO_ON " : end, go, 1, 3, 9, 27, 81"
#define ENDS                                                                                       \
    "{n 45 ny 20 until 1e-2 check-every 1|n 45 ny 20 until 1e-3 check-every 1|n 45 ny 20 until "   \
    "1e-3 check-every 6|n 46 ny 21 until 1e-3 check-every 7 precision f32|n 45 ny 20 until 1e-4 "  \
    "check-every 100} "
#define LINE_END "equation poisson1d n 45 copies 9 until 1e-2 check-every 7 "

EQUAL_ON_GPU(TEST, jacobi_ends_at_the_same_cycle,
             {"equation {poisson2d n 45 ny 20 until 1e-2 check-every 1|poisson2d n 45 ny 20 until "
              "1e-2 check-every 6|poisson2d n 45 ny 20 until 1e-2 check-every 7 precision "
              "f32|poisson1d n 45 copies 9 until 1e-1 check-every 7} solver jacobi",
              "kernel {naive|padded|texture|smem-packed|smem|unrolled} {launch graph|launch "
              "stream}" GO_ON},
             {"equation poisson2d solver jacobi n 64 until 1e-3 {|check-every 7|check-every 100}",
              ": end"},
             {"equation poisson2d solver jacobi damping 0.8 " ENDS,
              "{launch graph|launch stream}" GO_ON},
             {LINE_END "solver jacobi damping 0.8", GO_ON})

EQUAL_ON_GPU(TEST, persistent_ends_at_the_same_cycle,
             {"equation {poisson2d n 64 until 1e-3|poisson2d n 64 until 1e-3 check-every "
              "7|poisson1d n 64 copies 3 until 1e-3}",
              "solver persistent : end", "solver jacobi : end"},
             {"equation poisson2d n 70 ny 128 until 3e-2", "solver persistent slabs 2 : end",
              "solver jacobi : end"})

EQUAL_ON_GPU(TEST, tiles_end_at_the_same_cycle,
             {"equation {poisson2d n 256 k 16 until 1e-2|poisson1d n 1024 k 16 overlap 4 until "
              "1e-2 check-every 3} solver shared",
              ": end"},
             {"equation poisson2d solver shared k 3 block 12 overlap 4 " ENDS,
              "tile {memory|register} {launch graph|launch stream}" GO_ON},
             {LINE_END "solver shared k 3 block 12 overlap 4", GO_ON},
             {"equation poisson2d solver shared k 4 block 40 {n 45 ny 20 until 1e-2 check-every "
              "1|n 145 ny 120 until 1e-3 check-every 6|n 146 ny 121 until 1e-3 check-every 7 "
              "precision f32|n 145 ny 120 until 1e-4 check-every 100}",
              "tile resident" GO_ON},
             {"equation poisson2d solver shared k 8 block 40 overlap 16 {n 44 ny 20 until 1e-2 "
              "check-every 1|n 144 ny 120 until 1e-3 check-every 6|n 148 ny 121 until 1e-3 "
              "check-every 7 precision f32}",
              "tile march" GO_ON},
             {"equation poisson2d solver shared k 6 block 80 overlap 12 {n 60 ny 20 until 1e-2 "
              "check-every 1|n 160 ny 120 until 1e-3 check-every 6|n 160 ny 121 until 1e-3 "
              "check-every 7 precision f32}",
              "tile pipeline" GO_ON})

EQUAL_ON_GPU(TEST, other_methods_end_at_the_same_cycle,
             {"equation poisson2d solver sor omega 1.7 " ENDS,
              "kernel {fused|interleaved|split} {launch graph|launch stream}" GO_ON},
             {LINE_END "solver sor omega 1.7", "kernel {fused|interleaved|split}" GO_ON},
             {"equation poisson2d solver chebyshev " ENDS, "{launch graph|launch stream}" GO_ON},
             {LINE_END "solver chebyshev", GO_ON},
             /* A diverging run. */
             {"equation poisson2d n 45 ny 20 " RANDOM
              "until 1e-4 {solver sor omega 2.2|solver jacobi damping 1.5}",
              ": end"})

/* Where the tolerance is 1e-12 the recurrence's residual meets it before the true one. */
EQUAL_ON_GPU(TEST, cg_ends_at_the_same_cycle,
             {"equation poisson2d solver cg " VARIANTS
              "{n 45 ny 20 until 1e-2 check-every 1|n 45 ny 20 until 1e-12 check-every 1|n 45 ny "
              "20 until 1e-3 check-every 6|n 63 until 1e-4 check-every 5|n 46 ny 21 until 1e-3 "
              "check-every 7 precision f32|n 45 ny 20 until 1e-4 check-every 100}",
              LAUNCH GO_ON},
             {LINE_END "solver cg", GO_ON},
             {"equation poisson2d until 1e-4 solver cg {n 64|n 127|n 256|n 127 precision f32} "
              "variant {classic|pipelined|s-step}",
              ": end", .kind = EQUAL_NORM})

EQUAL_ON_GPU(TEST, multigrid_ends_at_the_same_cycle,
             {"equation {poisson2d n 63|poisson2d n 127|poisson2d n 255|poisson2d n 127 ny 63 "
              "aspect 0.5|poisson1d n 255 copies 9|poisson2d n 127 precision f32} until 1e-4 "
              "solver multigrid {|shape w pre 0|shape f smoother red-black|check-every 3|pre 1 "
              "post 0 check-every 2}",
              LAUNCH GO_ON})

/* With few norms: the same last cycle as with all. */
#define SELDOM(METHOD)                                                                             \
    {                                                                                              \
        "equation " METHOD " backend cuda until {0.3|1e-2|1e-4}", ": seldom, end", ": end"         \
    }
EQUAL_ON_GPU(
    TEST, few_norms_find_the_same_last_cycle,
    SELDOM("poisson2d n 203 ny 131 solver jacobi {|launch stream problem random}"),
    SELDOM("poisson2d n 127 solver jacobi precision f32"),
    SELDOM("poisson2d n 203 ny 131 solver persistent {|every 4 precision f32 problem "
           "random}"),
    SELDOM("poisson1d n 150 copies 70 solver persistent"),
    SELDOM("poisson2d n 203 ny 131 solver shared {k 16 block 32|k 16 block 64 overlap 4 "
           "tile resident|k 8 block 32 tile memory precision f32|k 8 block 40 overlap 14}"))

/* --- changes and copies ----------------------------------------------------------------------- */

/* Another right-hand side after an odd number of cycles: kernels that cache it and graphs that
 * start with one of the fields must notice; and again with the captured graphs. */
EQUAL_ON_GPU(TEST, the_seed_changes_during_a_run,
             {PLANE RANDOM "check-every {1|2|3}",
              "{solver jacobi kernel naive|solver jacobi kernel padded|solver jacobi kernel "
              "texture|solver jacobi kernel smem|solver jacobi kernel unrolled|solver jacobi "
              "kernel vector|solver persistent} : 37, set seed 7, {101|101, reset, 101}",
              "solver jacobi seed 7 : 101"},
             {PLANE RANDOM "check-every {1|2|3} solver shared k 3 block 32",
              ": 37, set seed 7, {101|101, reset, 101}", "seed 7 : 101"})

/* A field from a file, after an odd number of cycles: cycle 0 begins with the other array. */
EQUAL_ON_GPU(TEST, a_loaded_field_replaces_the_field,
             {PLANE RANDOM "solver jacobi check-every {1|2|3|4}", ": 37, load, 101"})

#define COPIES                                                                                     \
    ": keep, 9, back, 1, keep, 1, back, keep, 40, back, 1, keep, 7, back, 34, keep, 5, back, 5, "  \
    "keep, 70, back, 70"

EQUAL_ON_GPU(TEST, copies_continue,
             {PLANE RANDOM "solver {chebyshev|chebyshev precision f32 check-every 3|sor omega 1.7}",
              COPIES},
             {PLANE RANDOM "solver sor omega 1.7", "kernel split " COPIES},
             {PLANE RANDOM "solver cg " VARIANTS
                           "{precision f64 check-every 3|precision f32 check-every 1}",
              COPIES},
             {"equation poisson2d n 127 ny 63 " RANDOM
              "solver {multigrid|multigrid shape w smoother red-black|multigrid pre 1 precision "
              "f32 check-every 3}",
              ": keep, 9, back, 1, keep, 1, back, 1, keep, 7, back, 1, keep, 2, back, 3"},
             /* One cycle ahead of its field. */
             {"equation poisson2d n 45 ny 20 solver chebyshev until 1e-3",
              ": end, keep, go, 9, back, go, 9"})

/* A stroke and a reset begin a recurrence again. */
EQUAL_ON_GPU(TEST, strokes_and_resets,
             {PLANE RANDOM "solver {chebyshev|sor|jacobi damping 0.8}",
              ": 37, paint 60.5 64 17 0.25, 40, reset, 41"},
             {PLANE RANDOM "solver sor", "kernel split : 37, paint 60.5 64 17 0.25, 40, reset, 41"},
             {PLANE RANDOM "solver cg " VARIANTS, ": 37, paint 60.5 64 17 0.25, 40, reset, 41"})

#define STROKE(SETTINGS, WHERE)                                                                    \
    {                                                                                              \
        "equation " SETTINGS " " PREC, ": 3, keep, paint " WHERE ", 2, back, 0"                    \
    }
EQUAL_ON_GPU(TEST, strokes_are_taken_back,
             STROKE("poisson2d solver jacobi n 203 ny 131", "60.5 20 17 0.25"),
             STROKE("poisson2d solver shared n 203 ny 131 k 5", "202 130 40 -0.5"),
             STROKE("poisson1d solver shared n 501 copies 7", "300 3 25 0.5"),
             STROKE("heat1d solver swept n 512", "100 0 60 1"),
             STROKE("ks1d solver swept n 512", "3 0 20 0.5"),
             STROKE("euler1d solver swept n 512", "100 0 60 0.1 field=velocity"),
             {"equation poisson2d n 128 ny 96 " PREC, "solver persistent : 3, paint 0 0 9 1, 2",
              "solver jacobi : 3, paint 0 0 9 1, 2"})

EQUAL_ON_GPU(TEST, settings_change_during_a_run,
             {PLANE RANDOM "solver jacobi",
              ": 7, set solver sor, 7, set omega 1.2, 7, !set kernel split, 7, !set kernel "
              "interleaved, 7, set solver chebyshev, 7, set rho 0.97, 7, !set launch stream, 7, "
              "set solver jacobi, 7, set damping 0.7, 7, set damping 1, 7, set solver chebyshev, "
              "7, !set tpb-x 64, 7, set seed 7, 7, set solver sor, 7, set check-every 5, 71"},
             {PLANE RANDOM "solver cg",
              ": 7, !set launch stream, 7, set variant pipelined, 7, !set launch graph, 7, set "
              "variant s-step, 7, set steps 7, 7, !set launch stream, 7, set steps 2, 7, set "
              "solver jacobi, 7, set solver cg, 7, set seed 7, 7, set check-every 5, 7, set "
              "variant classic, 71"},
             {PLANE RANDOM "solver jacobi",
              ": 7, set solver shared, 7, set k 5, 7, set overlap 12, 7, set block 23, 7, set "
              "block-y 50, 7, !set launch stream, 7, !set tile memory, 7, set overlap 18, 7, set k "
              "1, 7, set block 70, 7, !set tile register, 7, set seed 7, 7, set k 3, 7, set "
              "check-every 5, 7, set solver jacobi, 7, set solver shared, 71"},
             {"equation poisson2d solver multigrid n 127 ny 63 " RANDOM,
              ": 3, set shape w, 3, set smoother red-black, 3, set levels 3, 3, set pre 0, 3, set "
              "post 3, 3, !set launch stream, 3, set levels 1, 3, set shape f, 3, set omega 0.7, "
              "3, set levels 0, 3, set pre 1, 3, set solver jacobi, 3, set solver multigrid, 3, "
              "set smoother jacobi, 3, set seed 7, 3, set check-every 5, 5"})

/* --- several devices -------------------------------------------------------------------------- */

#define SLAB_PLANES "equation poisson2d {n 203 ny 131|n 70 ny 300|n 5 ny 60} "

EQUAL_ON_GPU(TEST, slabs_of_jacobi,
             {SLAB_PLANES RANDOM PREC CHECKS "solver jacobi",
              "kernel {padded|smem|unrolled|vector} [slabs 2|slabs 3] {launch graph : 97, "
              "36|launch stream : 7, 36}"},
             /* Halos of several rows: the neighbours' updates are repeated. */
             {SLAB_PLANES RANDOM PREC CHECKS "solver jacobi",
              "exchange {2|3|4|7|9} {slabs 2 launch graph|slabs 3 launch stream} : 71, 23"},
             {"equation poisson1d solver jacobi n 203 copies 31 " RANDOM PREC CHECKS,
              "kernel vector slabs 3 : 71, 3"})

EQUAL_ON_GPU(
    TEST, slabs_of_tiles,
    {"equation poisson1d solver shared n 203 copies 31 k 7 block 32 overlap 6 " RANDOM PREC CHECKS,
     "{tile register slabs 3|tile memory slabs 2} : 37, 3"},
    {"equation poisson2d {n 203 ny 131|n 70 ny 300} " RANDOM PREC CHECKS
     "solver shared {k 1 block 32 block-y 16|k 7 block 32 block-y 12 overlap 6 overlap-y "
     "4|k 8 block 30 block-y 17 overlap 4 overlap-y 2|k 16 block 48 block-y 20 overlap 30 "
     "overlap-y 12|k 4 block 100 block-y 8 overlap 0}",
     "[slabs 2|slabs 3] {tile register : 41, 9|tile memory : 5, 9|tile register launch "
     "stream : 5, 9}"})

/* One launch per device, which exchange halos while they run. */
EQUAL_ON_GPU(TEST, slabs_of_persistent,
             {"equation {poisson2d n 203 ny 131|poisson2d n 128 ny 300|poisson2d n 300 ny "
              "400|plane n 203 ny 131 west -1.3 north -1.7 diagonal 5.1} " RANDOM PREC OFTEN,
              "solver persistent every {1|3|8} [slabs 2|slabs 3] : 16, 34", "solver jacobi : 50"})

/* A remainder shorter than a cycle is done by classic steps, on the parts as well. */
EQUAL_ON_GPU(TEST, slabs_of_a_line,
             {"equation {heat1d n 2048|ks1d n 2048|euler1d n 1024} solver stepper " PREC,
              "{slabs 2 launch graph|slabs 3 launch stream} : 150, 31"},
             {"equation {heat1d n 2048|ks1d n 2048|euler1d n 1024} solver swept " PREC,
              "{slabs 2 variant warp launch graph|slabs 3 variant block launch stream} : 9, 2"},
             {"equation euler1d solver swept n 1024 until-time 0.0101",
              "variant block slabs 2 : end"})

EQUAL_ON_GPU(TEST, slabs_end_at_the_same_cycle,
             {"equation poisson2d solver jacobi n 45 ny 40 until 1e-2 {check-every 1|check-every "
              "6|check-every 7 precision f32}",
              "exchange {1|2|3|4|5} {launch graph slabs 2|launch stream slabs 3} : end, go, 13"},
             {"equation poisson2d solver shared n 24 ny 80 k 5 block 12 overlap 4 until 1e-2",
              "{launch graph slabs 2|launch stream slabs 3} : end, go, 13"})

/* Rows move from device to device when the solver's tiles or the depth of the halo ask for it; a
 * stroke over the boundary of two slabs, a field from a file. */
EQUAL_ON_GPU(TEST, slabs_change,
             {PLANE RANDOM "solver jacobi",
              "slabs 2 : 7, !set exchange 4, 7, set solver shared, 7, set block-y 11, 7, set "
              "overlap-y 6, 7, set k 5, 7, set solver jacobi, 7, set seed 7, 7, !set exchange 1, "
              "71, reset, 9"},
             {PLANE RANDOM "solver jacobi",
              "slabs 2 exchange {1|5} : 7, paint 60.5 64 17 0.25, 8, load, 5"})

#ifdef SS_GPU_TESTS
/* Without peer access copies pass through the host. */
TEST(equal, slabs_without_peer_access)
{
    static const equal_row rows[] = {
        {PLANE RANDOM PREC CHECKS "solver jacobi", "{slabs 3|slabs 2 exchange 4} : 37, 4"},
        {PLANE RANDOM PREC CHECKS "solver shared k 3 block 16 overlap 4", "slabs 2 : 5, 4"}};
    setenv("STENCILSCOPE_CUDA_NO_PEERS", "1", 1);
    equal_check(rows, 2);
    unsetenv("STENCILSCOPE_CUDA_NO_PEERS");
}
#endif

/* MPI ranks share the one GPU that a machine may have. */
EQUAL_ON_GPU(TEST, ranks_with_gpus,
             {"equation poisson2d solver jacobi problem random n 203 ny 131 check-every 7",
              "ranks 2 rank-device gpu : 300"},
             {"equation poisson1d solver jacobi problem random n 611 copies 3 precision f32",
              "ranks 3 exchange 4 rank-device gpu : 300"})

/* --- the CPU beside the GPU ------------------------------------------------------------------- */

#define PARTS " : 37, 12, 4, 1"

/* Steps that begin and end anywhere between two exchanges, with either array. */
EQUAL_ON_GPU(TEST, split_rows,
             {SLAB_PLANES RANDOM PREC CHECKS "solver jacobi",
              "[split 1|split 17|split 44] kernel {padded|smem|unrolled|vector}" PARTS},
             {PLANE RANDOM PREC CHECKS "solver jacobi", "split 130 kernel vector" PARTS},
             {SLAB_PLANES RANDOM PREC CHECKS "solver jacobi",
              "{split 9 exchange 2|split 17 exchange 3|split 25 exchange 4|split 33 exchange "
              "9}" PARTS},
             /* More rows than one thread of the CPU updates. */
             {"equation poisson2d solver jacobi n 1500 ny 900 " RANDOM "threads 3 " PREC CHECKS,
              "split 400" PARTS})

EQUAL_ON_GPU(TEST, split_rows_end_and_change,
             {"equation poisson2d solver jacobi n 45 ny 40 until 1e-2 {check-every 1|check-every "
              "6|check-every 7 precision f32}",
              "split 11 exchange {1|3|5} : end, go, 13"},
             {PLANE RANDOM "solver jacobi",
              "split 20 : 7, !set split 70, 7, !set exchange 4, 7, !set split auto, 7, !set split "
              "9, 7, !set kernel padded, 7, set solver shared, 7, set k 5, 7, set solver jacobi, "
              "7, !set split off, 7, !set split 33, 7, set seed 7, 71, reset, 9"},
             {PLANE RANDOM "solver jacobi",
              "split 60 exchange {1|5} : 7, paint 60.5 64 17 0.25, 8, start, 3, load, 5"})

/* --- time-dependent equations ----------------------------------------------------------------- */

#define EQUATIONS "equation {heat1d problem random|ks1d problem waves|euler1d} "

/* Longer lines have more points per thread; `finish`: as at the end of a simulated time. */
EQUAL_ON_GPU(TEST, steps_of_a_line,
             {EQUATIONS PREC "solver stepper n {101|1024|5003}",
              "{|launch stream} : 68, 33, finish 3"},
             {EQUATIONS PREC "solver stepper n {300007|600011|1100009}",
              "{|launch stream} : 21, 10, finish 3"})

/* The swept rule's fields are the stepper's: lines of `n` points, in blocks of these lengths. */
#define SWEPT(LINES_OF, VARIANT, N, BLOCKS, STEPS)                                                 \
    {                                                                                              \
        "equation " LINES_OF " n " N " " PREC,                                                     \
            "solver swept variant " VARIANT " block {" BLOCKS "} : " STEPS ", finish 3",           \
            "solver stepper : like, finish 3"                                                      \
    }
#define HEAT_KS "{heat1d problem random|ks1d problem waves}"
#define HEAT_EULER "{heat1d problem random|euler1d}"
#define ALL_LINES "{heat1d problem random|ks1d problem waves|euler1d}"

EQUAL_ON_GPU(TEST, swept_blocks, SWEPT(ALL_LINES, "block {|launch stream}", "128", "128", "6, 3"),
             SWEPT(ALL_LINES, "block {|launch stream}", "1024", "32", "6, 3"),
             SWEPT(ALL_LINES, "block {|launch stream}", "256", "32", "74, 36"),
             SWEPT(ALL_LINES, "block", "960", "96", "2, 1"),
             SWEPT(ALL_LINES, "block", "1024", "128|256|1024", "2, 1"),
             SWEPT(ALL_LINES, "block", "2048", "32|256|512", "2, 1"),
             SWEPT(ALL_LINES, "block", "4096", "64", "2, 1"),
             SWEPT(ALL_LINES, "block", "4352", "128", "2, 1"),
             SWEPT(ALL_LINES, "block", "4608", "256", "2, 1"),
             SWEPT(ALL_LINES, "block", "16384", "64", "2, 1"),
             SWEPT(ALL_LINES, "block", "704", "64", "40, 20"))

EQUAL_ON_GPU(TEST, swept_warps, SWEPT(ALL_LINES, "warp {|launch stream}", "256", "32", "74, 36"),
             SWEPT(ALL_LINES, "warp {|launch stream}", "1024", "32", "7, 3"),
             SWEPT(ALL_LINES, "warp", "2048", "32", "2, 1"),
             SWEPT(ALL_LINES, "warp", "4096", "64", "2, 1"),
             SWEPT(ALL_LINES, "warp", "16384", "64", "2, 1"),
             SWEPT(ALL_LINES, "warp", "704", "64", "40, 20"),
             SWEPT(HEAT_KS, "warp", "128", "128", "2, 1"),
             SWEPT(HEAT_KS, "warp", "1024", "128|256", "2, 1"),
             SWEPT(HEAT_KS, "warp", "2048", "256", "2, 1"),
             SWEPT(HEAT_KS, "warp", "4352", "128", "2, 1"),
             SWEPT(HEAT_KS, "warp", "4608", "256", "2, 1"))

EQUAL_ON_GPU(TEST, swept_clusters, SWEPT(ALL_LINES, "cluster", "256", "32", "74, 36"),
             SWEPT(ALL_LINES, "cluster", "1024", "32", "7, 3"),
             SWEPT(ALL_LINES, "cluster", "2048", "32", "7, 3"),
             SWEPT(ALL_LINES, "cluster", "704", "64", "40, 20"),
             SWEPT(HEAT_KS, "cluster", "128", "128", "2, 1"),
             SWEPT(HEAT_KS, "cluster", "1024", "128|256", "2, 1"),
             SWEPT(HEAT_KS, "cluster", "2048", "256", "2, 1"),
             SWEPT(HEAT_KS, "cluster", "4096", "64", "2, 1"),
             SWEPT(HEAT_KS, "cluster", "4352", "128", "2, 1"),
             SWEPT(HEAT_KS, "cluster", "4608", "256", "2, 1"))

EQUAL_ON_GPU(TEST, swept_strips, SWEPT(ALL_LINES, "strip {|launch stream}", "128", "128", "6, 3"),
             SWEPT(ALL_LINES, "strip", "1024", "128|256|1024", "2, 1"),
             SWEPT(ALL_LINES, "strip", "2048", "256|512", "2, 1"),
             SWEPT(ALL_LINES, "strip", "4352", "128", "2, 1"),
             SWEPT(ALL_LINES, "strip", "4608", "256", "2, 1"))

EQUAL_ON_GPU(TEST, swept_hybrid, SWEPT(HEAT_EULER, "hybrid", "128", "128", "2, 1"),
             SWEPT(HEAT_EULER, "hybrid", "960", "96", "2, 1"),
             SWEPT(HEAT_EULER, "hybrid", "1024", "32|128|256|1024", "2, 1"),
             SWEPT(HEAT_EULER, "hybrid", "2048", "32|256|512", "2, 1"),
             SWEPT(HEAT_EULER, "hybrid", "4096", "64", "2, 1"),
             SWEPT(HEAT_EULER, "hybrid", "4352", "128", "2, 1"),
             SWEPT(HEAT_EULER, "hybrid", "4608", "256", "2, 1"),
             SWEPT(HEAT_EULER, "hybrid", "16384", "64", "2, 1"),
             SWEPT(HEAT_EULER, "hybrid", "256", "32", "74, 36"),
             SWEPT(HEAT_EULER, "hybrid", "704", "64", "40, 20"))

/* A change of block, variant or solver between two cycles keeps the fields; without a variant a
 * line gets one that takes its block. */
EQUAL_ON_GPU(TEST, lines_change,
             {EQUATIONS "n 2048",
              "solver swept : 3, set block 64, 3, set variant block, 3, "
              "set block 256, 3, set variant strip, 3, set solver stepper, 3, set solver swept, 3, "
              "set launch stream, 2",
              "solver stepper : like"},
             {EQUATIONS "n 2048",
              "solver swept variant cluster : 3, set variant block, 3, set "
              "variant cluster, 2",
              "solver stepper : like"},
             {"equation {heat1d n 2048|ks1d n 8192 block 256|euler1d n 2048 block 64|heat1d n "
              "4096|euler1d n 2048 block 128|heat1d n 1000 block 20|heat1d n 16384 block "
              "1024|euler1d n 16384 block 256|ks1d n 16384|heat1d n 10240 block 80}",
              "solver swept : 2, 1, finish 3", "solver stepper : like, finish 3"})

/* --- patches ---------------------------------------------------------------------------------- */

#define PATCHES                                                                                    \
    "equation poisson3d {patch 13 px 2 py 2|patch 16 px 2 pz 3 ghost mirror|sizes 9,20,14|patch "  \
    "40|patch 24 px 2 py 3 pz 2} "
#define LEXICOGRAPHIC "solver block-gs order lexicographic "
#define PATCH_STEPS " : rhs, 1, start, 69, start"

#define ON_PATCHES(NAME, METHOD, HOW)                                                              \
    EQUAL_ON_GPU(TEST, NAME,                                                                       \
                 {PATCHES PREC OFTEN METHOD, HOW " {launch graph|launch stream}" PATCH_STEPS})

ON_PATCHES(patches_of_jacobi, "solver jacobi", "{|tpb-x 64 tpb-y 3}")
ON_PATCHES(patches_of_block_jacobi, "solver block-jacobi bx {8|4|2|1}", "")
ON_PATCHES(patches_of_uneven_blocks,
           "{solver block-jacobi|" LEXICOGRAPHIC "} {bx 5 by 3 bz 7|bx 8 by 4 bz 3|bx 7 by 1 bz 5}",
           "")
EQUAL_ON_GPU(TEST, patches_of_large_blocks,
             {"equation poisson3d patch 40 ghost mirror bx 16 " PREC OFTEN
              "{solver block-jacobi|" LEXICOGRAPHIC "}",
              "{launch graph|launch stream}" PATCH_STEPS})
ON_PATCHES(patches_of_gauss_seidel, LEXICOGRAPHIC "bx {8|4}", "")

#define STORED(PRECISION, BOUND)                                                                   \
    {                                                                                              \
        PATCHES OFTEN "precision " PRECISION                                                       \
                      " {solver block-jacobi bx 8|solver block-jacobi bx 4|" LEXICOGRAPHIC         \
                      "bx 4} inverse dense",                                                       \
            "{launch graph|launch stream}" PATCH_STEPS, .kind = EQUAL_NEAR, .bound = BOUND         \
    }
EQUAL_ON_GPU(TEST, patches_with_stored_inverses, STORED("f64", 1e-12), STORED("f32", 1e-4))

EQUAL_ON_GPU(TEST, patches_end_at_the_same_cycle,
             {"equation poisson3d patch 13 px 2 until 2e-3 check-every {1|7|100} {solver "
              "jacobi|solver block-jacobi bx 4|solver block-jacobi bx 5|" LEXICOGRAPHIC
              "bx 4|" LEXICOGRAPHIC "bx 8}",
              ": rhs, end"})

/* Every combination of an odd and an even number of cycles before. In-place cycles start with the
 * array that the previous method wrote last, until a reset. */
EQUAL_ON_GPU(TEST, patches_change,
             {PATCHES LEXICOGRAPHIC "bx 4",
              ": rhs, 3, set bx 8, 66, set solver jacobi, 3, set solver block-gs, 3, set bx 2, 66, "
              "set order lexicographic, 3, set solver block-jacobi, 3, set omega 0.7, 66, set by "
              "5, 3, set solver block-gs, 3, set check-every 3, 2"},
             {"equation poisson3d patch 16 px 2",
              "backend cuda solver jacobi : 1, set solver block-gs, set order lexicographic, 70, "
              "reset, 70",
              "backend cuda " LEXICOGRAPHIC ": 70"},
             {PATCHES LEXICOGRAPHIC "bx 4",
              ": rhs, 3, set inverse dense, 2, set inverse separable, 1", .kind = EQUAL_NEAR,
              .bound = 1e-12},
             {PATCHES "solver block-jacobi bx 4", ": rhs, 3, noise, 2, reset, 2"},
             {"equation poisson3d solver block-jacobi bx 4 patch 12 px 2 py 2",
              ": 3, paint 11 5 6 1 plane=xz slice=12, 2"})

/* Patches in the host's memory. */
EQUAL_ON_GPU(TEST, streams_of_patches,
             {"equation poisson3d {solver block-jacobi bx 4 patch 13 px 3 py 2|" LEXICOGRAPHIC
              "bx 8 patch 20 px 2 ghost mirror|" LEXICOGRAPHIC "bx 4 patch 9 px 40 precision f32}",
              "stream-order {depth|breadth} : rhs, 1, 2, 3, !set stream-order resident, 2"})

#define MULTIGRID                                                                                  \
    "equation poisson3d solver multigrid {patch 32|patch 16 px 2 pz 3 ghost mirror|patch 24 py 2 " \
    "bx 3 by 4 bz 2|sizes 32,16,24 ghost mirror|patch 16 px 3 py 2 pz 2 bx 4|patch 32 px 2 py 2 "  \
    "ghost mirror bx 2} "
#define SMOOTHERS "{smoother block-jacobi|smoother block-gs order lexicographic} "
#define ODD_CYCLES ": rhs, 1, start, 2, start, 3, start"

EQUAL_ON_GPU(TEST, multigrid_on_patches,
             {MULTIGRID PREC "check-every {1|3} shape {v|w|f} " SMOOTHERS
                             "[|pre 0 post 1|pre 3 post 0|pre 0 post 2|pre 1 post 1 omega 0.7] "
                             "[coarsest 2|coarsest 3]",
              LAUNCH ODD_CYCLES},
             {"equation poisson3d solver multigrid patch 32 px 2 ghost mirror bx 4 " PREC
              "check-every {1|3} " SMOOTHERS
              "{levels 1 coarsest 1|levels 1 coarsest 2|levels 2 coarsest 3 shape w|levels 3 "
              "coarsest 1 post 0}",
              LAUNCH ODD_CYCLES},
             {"equation poisson3d solver multigrid patch 16 px 2 py 2 bx 4 inverse dense coarsest "
              "3 precision f64 check-every {1|3} " SMOOTHERS,
              ODD_CYCLES, .kind = EQUAL_NEAR, .bound = 1e-12},
             {"equation poisson3d solver multigrid patch 16 px 2 py 2 bx 4 inverse dense coarsest "
              "3 precision f32 check-every {1|3} " SMOOTHERS,
              ODD_CYCLES, .kind = EQUAL_NEAR, .bound = 1e-4})

/* The field whose norm stops the run stays, although later cycles have been enqueued. */
EQUAL_ON_GPU(TEST, multigrid_on_patches_ends_and_changes,
             {MULTIGRID SMOOTHERS
              "until 1e-4 {|shape w pre 0|shape f post 0 check-every 2|check-every 3|pre 1 "
              "precision f32}",
              LAUNCH ": rhs, end, go, 1, 2, 3"},
             /* The order is chaotic, a race, between the first two changes. */
             {"equation poisson3d solver multigrid {patch 32 px 2 ghost mirror|patch 16 py 3}",
              ": rhs, 1, set pre 0, 2, set post 3, 3, set pre 1, 1, set shape w, 2, set omega 0.7, "
              "3, set smoother block-gs, set order lexicographic, 2, set levels 2, 3, !set launch "
              "stream, 1, set bx 4, 2, set levels 0, 3, set shape f, 1, set solver block-jacobi, "
              "2, !set stream-order depth, 3, set solver multigrid, 1, !set launch graph, 2, set "
              "post 1, 3, set coarsest 2, 1, set check-every 3, 3"},
             {"equation poisson3d solver multigrid patch 16 px 2 {|smoother block-gs order "
              "lexicographic shape w|pre 1 precision f32 check-every 3}",
              ": rhs, keep, 4, back, 1, keep, 1, back, 2, keep, 5, back, 3, keep, 2, back, 2"},
             {"equation poisson3d solver multigrid patch 16 px 2 pz 2",
              ": rhs, 1, reset, 2, 2, reset, 2"})
