/* poisson3d on the CPU: patches against one domain, threads, inverses, precisions, what leaves no
 * trace. With random right-hand sides, since with f = 0 a missing one would go unnoticed. */
#include "tests/equal/equal.h"

#define CUBES "equation poisson3d "
#define THREE "{solver jacobi|solver block-jacobi bx 4|solver block-gs bx 4} "

EQUAL_ON_CPU(TEST, patches_are_one_domain,
             {CUBES "ghost {zero|mirror} {solver jacobi|solver block-jacobi bx 4|solver "
                    "block-jacobi bx 8 by 2 bz 1|solver block-jacobi bx 4 precision f32|solver "
                    "jacobi precision f32}",
              "patch 16 : rhs, 7", "patch 8 px 2 py 2 pz 2 : rhs, 7"},
             {CUBES "solver jacobi", "patch 64 : 3", "patch 32 px 2 py 2 pz 2 : 3"},
             {CUBES "solver jacobi", "patch 32 px 2 py 2 : 3", "patch 16 px 4 py 4 pz 2 : 3"},
             {CUBES "solver block-gs bx 4", "sizes 2x6+9 : 2", "sizes 6,6,9 : 2"})

/* Block Gauss-Seidel takes other patches from before the step: with blocks as large as patches it
 * is block Jacobi. Jacobi's sweep is the block method with blocks of one cell. */
EQUAL_ON_CPU(TEST, methods_of_blocks_that_are_one,
             {CUBES "patch 6 px 3 py 2 bx 6", "solver block-gs : rhs, 5",
              "solver block-jacobi omega 1 : rhs, 5"},
             {CUBES "patch 21 px 2", "solver block-jacobi bx 1 by 1 bz 1 omega 1 : rhs, 5",
              "solver jacobi : rhs, 5", EQUAL_NEAR, 1e-14})

/* Blocks that do not divide the patch, patches of two sizes; and enough cells for several threads.
 */
#define ODD "{patch 21 px 2 bx 8 by 4 bz 5|sizes 50,37 bx 8} "

EQUAL_ON_CPU(SLOW_TEST, threads_and_parallel_modes_do_not_change_patches,
             {CUBES "{solver block-jacobi|solver block-gs|solver block-gs order "
                    "lexicographic|solver block-jacobi precision f32|solver block-gs inverse "
                    "dense} " ODD,
              "threads {3|3 parallel patch|2 parallel block} : rhs, 3", "threads 1 : rhs, 3"})

EQUAL_ON_CPU(TEST, threads_do_not_change_patches,
             {CUBES "solver jacobi sizes 50,37", "threads 3 : 5", "threads 1"},
             {CUBES "solver block-gs bx 3 patch 12 px 2",
              "{threads 1|threads 3 parallel patch|threads 2 parallel block} : 1, 1, 1, 1, 1",
              ": 5"})

EQUAL_ON_CPU(TEST, threads_do_not_change_multigrid_on_patches,
             {CUBES "solver multigrid {patch 64 bx 4 shape f|patch 64 smoother block-gs|patch 32 "
                    "px 2 py 2 smoother block-gs parallel patch ghost mirror precision f32}",
              "threads {2|3} : 2", "threads 1"})

EQUAL_ON_CPU(TEST, inverses_and_precisions_agree,
             {CUBES "{solver block-jacobi|solver block-gs} " ODD, "inverse dense : rhs, 3",
              "inverse separable : rhs, 3", EQUAL_NEAR, 1e-14},
             {CUBES "solver block-jacobi precision f32 " ODD, "inverse dense : rhs, 3",
              "inverse separable : rhs, 3", EQUAL_NEAR, 6e-6},
             {CUBES THREE "patch 14 px 2 ghost mirror", "precision f32 : 5", "precision f64 : 5",
              EQUAL_NEAR, 2e-6})

EQUAL_ON_CPU(TEST, a_seed_determines_the_order_of_blocks,
             {CUBES "patch 16 problem smooth solver block-gs bx 4", "seed 1 : 2", "seed 1 : 2"},
             {CUBES "patch 16 problem smooth solver block-gs bx 4", "seed 1 : 2", "seed 2 : 2",
              EQUAL_NOT})

EQUAL_ON_CPU(TEST, patches_keep_the_start, {CUBES THREE "patch 10 px 2", ": 3, start", ": 2"},
             {CUBES THREE "patch 20 px 2", ": 2, abandon 3", ": 2"},
             {CUBES "solver block-gs bx 4 order lexicographic {patch 7 px 2 pz 3|sizes 7,5,9}",
              ": 2, load, 1", ": 3"})

/* The chaotic order of a sweep depends on the number of its cycle only. */
#define CHAOTIC CUBES "solver multigrid patch 32 bx 4 smoother block-gs shape w"

EQUAL_ON_CPU(TEST, multigrid_on_patches_continues_after_a_change_and_back,
             {CHAOTIC,
              ": 2, set pre 3, set smoother block-jacobi, set smoother block-gs, set pre 2, 2",
              ": 4"},
             {CHAOTIC, ": 4, set post 0, 1", ": 5", EQUAL_NOT})

#define CYCLES                                                                                     \
    CUBES "solver multigrid {patch 32 bx 4 px 2|patch 32 bx 4 shape f pre 0|patch 16 smoother "    \
          "block-gs shape w ghost mirror}"

EQUAL_ON_CPU(TEST, a_cycle_on_patches_stopped_after_its_last_sweep_is_whole,
             {CYCLES, ": 1, peek last", ": 2"},
             {CYCLES, ": 1, peek last but one", ": 2", EQUAL_NOT})
