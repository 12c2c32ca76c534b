/* Steady equations on the CPU: the identities between the solvers, and what leaves no trace in the
 * fields. From random fields and right-hand sides, on grids that are neither square nor a multiple
 * of any block. */
#include "tests/equal/equal.h"

#define GRID "equation poisson2d n 203 ny 131 problem random seed 7 aspect 1.5 "
#define LINES "equation poisson1d n 1009 copies 5 problem random seed 3 "
/* Enough work for three threads. */
#define LARGE "equation poisson2d n 523 ny 389 problem random seed 9 "
/* Tiles as high as that hold several times the rows that private memory has. */
#define TALL "equation poisson2d n 61 ny 1031 problem random seed 4 "
#define PREC "precision {f64|f32} "
#define VARIANTS "{|precision f32|threads 1|threads 2|threads 3|threads 3 precision f32} "

/* --- shared with enough overlap is Jacobi ----------------------------------------------------- */

EQUAL_ON_CPU(TEST, one_subiteration_is_jacobi,
             {GRID VARIANTS,
              "solver shared k 1 {block 32 block-y 17|block 64 block-y 5 overlap 10 overlap-y 4} "
              ": 6",
              "solver jacobi"},
             {GRID VARIANTS, "solver shared k 1 block 1 : 2", "solver jacobi"})

EQUAL_ON_CPU(TEST, enough_overlap_is_jacobi,
             {GRID VARIANTS,
              "solver shared {k 5 block 32 block-y 21 overlap 8|k 5 block 19 block-y 47 overlap 14 "
              "overlap-y 8|k 2 block 3 block-y 5 overlap 2} : 3",
              "solver jacobi"},
             {GRID VARIANTS, "solver shared k 16 block 61 block-y 32 overlap 30 : 2",
              "solver jacobi"})

EQUAL_ON_CPU(TEST, several_threads,
             {LARGE VARIANTS,
              "solver shared {k 1 block 37 block-y 53|k 8 block 128 block-y 57 overlap 14|k 7 "
              "block 300 block-y 600 overlap 12} : 2",
              "solver jacobi"})

EQUAL_ON_CPU(TEST, tall_tiles,
             {TALL VARIANTS, "solver shared k 5 block 32 block-y 600 overlap 8 : 3",
              "solver jacobi"},
             {TALL VARIANTS, "solver shared k 3 block 64 block-y 2000 : 4", "solver jacobi"},
             {TALL VARIANTS, "solver shared k 16 block 61 block-y 517 overlap 30 : 2",
              "solver jacobi"})

EQUAL_ON_CPU(TEST, one_overlap_pair_less_differs,
             {GRID,
              "solver shared k 5 block 32 block-y 21 {overlap 6 overlap-y 8|overlap 8 overlap-y 6} "
              ": 1",
              "solver jacobi", EQUAL_NOT},
             {LINES, "solver shared k 5 block 32 overlap 6 : 1", "solver jacobi", EQUAL_NOT})

EQUAL_ON_CPU(TEST, lines, {LINES VARIANTS, "solver shared k 1 block 32 : 4", "solver jacobi"},
             {LINES VARIANTS,
              "solver shared {k 16 block 32 overlap 30|k 4 block 1024 overlap 2} : 3",
              "solver jacobi"})

/* More points than one strip of a row, and rows fewer than threads. */
EQUAL_ON_CPU(TEST, long_lines,
             {"equation poisson1d n 200001 copies 2 problem random " VARIANTS,
              "solver shared k 3 block 1024 overlap 4 : 2", "solver jacobi"},
             {"equation poisson2d n 9001 ny 37 problem random " VARIANTS,
              "solver shared k 3 block 256 block-y 16 overlap 4 : 2", "solver jacobi"})

EQUAL_ON_CPU(TEST, small_grids,
             {"equation poisson2d problem random {n 1 ny 1|n 2 ny 1|n 1 ny 3|n 2 ny 2|n 3 ny 3|n 5 "
              "ny 4|n 7 ny 9|n 16 ny 15}",
              "solver shared {k 4 block 64|k 3 block 5 overlap 4} : 3", "solver jacobi"},
             {"equation poisson1d problem random {n 1 copies 1|n 2 copies 1|n 1 copies 3|n 2 "
              "copies 2|n 3 copies 3|n 5 copies 4|n 7 copies 9|n 16 copies 15}",
              "solver shared k 4 block 64 : 3", "solver jacobi"})

#define TRIDIAGONAL "equation line n 1009 copies 5 west -1.3 east 0.45 diagonal 2.7 problem random"
#define PENTADIAGONAL                                                                              \
    "equation plane n 203 ny 131 west -1.3 east 0.45 south -0.9 north -1.7 diagonal 4.7 problem "  \
    "random"
#define UPWIND "equation advdiff2d n 203 ny 131 scheme upwind problem random"

EQUAL_ON_CPU(TEST, constant_matrices,
             {TRIDIAGONAL, "solver shared k 5 block 32 overlap 8 : 3", "solver jacobi"},
             {TRIDIAGONAL, "solver shared k 5 block 32 overlap 6 : 3", "solver jacobi", EQUAL_NOT},
             {"{" PENTADIAGONAL "|" UPWIND "}",
              "solver shared k 5 block 32 block-y 21 overlap 8 : 3", "solver jacobi"},
             {"{" PENTADIAGONAL "|" UPWIND "}",
              "solver shared k 5 block 32 block-y 21 overlap 6 : 3", "solver jacobi", EQUAL_NOT})

/* With equal spacings all products are exact. */
EQUAL_ON_CPU(TEST, poisson_coefficients_give_the_bits_of_poisson,
             {"problem random seed 3", "equation poisson1d solver jacobi n 203 copies 3 : 50",
              "equation line solver jacobi n 203 copies 3 diagonal 2"},
             {"problem random seed 3",
              "equation poisson2d solver jacobi n 101 ny 63 aspect 0.6274509803921569 : 50",
              "equation plane solver jacobi n 101 ny 63 diagonal 4"},
             {"problem random seed 3", "equation poisson2d solver jacobi n 65 : 50",
              "equation advdiff2d solver jacobi n 65 velocity-x 0 velocity-y 0"})

/* --- norms, stores, the microscope, changes --------------------------------------------------- */

#define METHODS "{solver jacobi|solver shared k 5 block 50 block-y 33 overlap 6} "

EQUAL_ON_CPU(TEST, threads_do_not_change_fields_and_norms,
             {LARGE PREC
              "{solver jacobi|solver shared k 6 block 48 overlap 4|solver shared k 3 block 256 "
              "block-y 100}",
              "threads {2|3} : 4", "threads 1", EQUAL_NORM})

EQUAL_ON_CPU(TEST, threads_do_not_change_cg_and_multigrid,
             {"equation poisson2d n 523 ny 389 problem random solver cg variant "
              "{classic|pipelined|s-step}",
              "threads {2|3} : 6", "threads 1", EQUAL_NORM},
             {"{equation poisson2d n 511 ny 255 problem random solver multigrid shape f|equation "
              "poisson2d n 255 ny 511 problem random solver multigrid smoother red-black shape "
              "w|equation poisson1d n 65535 problem random solver multigrid precision f32}",
              "threads {2|3} : 3", "threads 1", EQUAL_NORM})

/* Every point counts once in the norm, also where tiles overlap. */
EQUAL_ON_CPU(TEST, norms_of_tiles_are_those_of_jacobi,
             {GRID, "solver shared k 4 block 24 block-y 30 overlap 6 : 3, settle",
              "solver jacobi : like, settle"})

EQUAL_ON_CPU(TEST, stores_past_the_caches,
             {LARGE VARIANTS METHODS, ": stores stream, 3", ": stores plain, 3", EQUAL_NORM})

EQUAL_ON_CPU(TEST, a_peek_is_a_cycle_with_fewer_subiterations,
             {GRID "solver shared block 40 block-y 27 overlap 6", "k 7 : peek {1|2|3|4|5|6}",
              "k [1|2|3|4|5|6] : 1"},
             {GRID "solver shared block 40 block-y 27 overlap 6", "k 7 : peek {1|2|3|4|5|6}, 0",
              ": 0"})

EQUAL_ON_CPU(TEST, solver_changes_while_running,
             {GRID,
              "solver jacobi : 3, set solver shared, set k 4, set overlap 6, 2, set block 20, 2, "
              "set solver jacobi, 2",
              "solver jacobi"})

EQUAL_ON_CPU(TEST, a_run_keeps_the_field_that_met_the_tolerance,
             {GRID "{solver jacobi|solver shared k 3 overlap 4|solver async variant 0|solver async "
                   "variant 1|solver async variant 2|solver async variant 3}",
              "until 1e-2 : end", ""})

EQUAL_ON_CPU(TEST, an_abandoned_cycle_leaves_the_start,
             {LARGE "{solver jacobi|solver shared k 5 block 16}", ": abandon 10", ": 0"},
             {GRID "solver async", ": abandon 10", ": 0"})

EQUAL_ON_CPU(TEST, the_start_of_the_last_cycle_is_kept,
             {GRID "{solver async|solver jacobi|solver shared k 3}", ": 5, start", ": 4"})

/* --- asynchronous tiles ----------------------------------------------------------------------- */

#define TILES "{block 32 block-y 17|block 64 block-y 8|block 7|block 300}"
#define MUTE(ALPHA, K)                                                                             \
    {                                                                                              \
        GRID PREC TILES, "solver async variant 2 alpha " ALPHA " : 3",                             \
            "solver shared overlap 0 k " K                                                         \
    }

EQUAL_ON_CPU(TEST, asynchronous_tiles_without_exchange_are_shared, MUTE("1", "1"), MUTE("3", "3"),
             MUTE("5", "5"), MUTE("7", "7"),
             {LINES "block 50", "solver async variant 2 alpha 8 : 3", "solver shared k 9"},
             /* The shared tile's private memory holds a part of these rows. */
             {TALL "block 20 block-y 700", "solver async variant 2 alpha 6 : 3",
              "solver shared overlap 0 k 7"})

/* With one sweep per launch nothing is asynchronous; a turn is not interrupted, so that barriers
 * within a tile make no difference here. */
EQUAL_ON_CPU(TEST, asynchronous_tiles_of_one_sweep_are_jacobi,
             {"{" GRID "|" LINES "}", "solver async alpha 1 variant {0|1|2} block 20 : 6",
              "solver jacobi"},
             {GRID, "solver async variant 0 alpha 6 : 4", "solver async variant 1 alpha 6"},
             {GRID "block 32", "solver async variant 1 alpha 4 : 2", "solver shared k 5",
              EQUAL_NOT},
             {GRID "block 256", "solver async variant 1 alpha 4 : 2", "solver shared k 5"})

#define RACE "equation poisson2d n 90 seed 4 solver async variant {1|3} alpha 5 block 24 "

EQUAL_ON_CPU(TEST, seed_and_launch_determine_the_order, {RACE "problem spike", ": 9", ": 9"},
             {RACE, "seed 5 : 9", ": 9", EQUAL_NOT},
             {RACE, ": peek 2, 3, peek 2, 3, peek 2, 3", ": 9"}, {RACE, ": 9, reset, 9", ": 9"})

EQUAL_ON_CPU(SLOW_TEST, threads_do_not_change_asynchronous_tiles,
             {"equation poisson2d n 1601 ny 1103 problem random seed 9 solver async variant {1|3} "
              "alpha 3 block 64 block-y 40",
              "threads {2|3} : 2", "threads 1", EQUAL_NORM})

/* --- methods with a memory -------------------------------------------------------------------- */

#define RECURRENCES                                                                                \
    "{solver chebyshev|solver cg|solver cg variant pipelined|solver cg variant s-step steps "      \
    "3|solver sor|solver chebyshev precision f32} "
#define SMALL "equation poisson2d n 93 ny 71 problem random " RECURRENCES

/* A copy of the state continues; a reset begins the recurrence again, another number of threads
 * does not. */
EQUAL_ON_CPU(TEST, recurrences, {SMALL, ": 20, keep, 15, back, 15", ": 35"},
             {SMALL, ": 20, reset, 9", ": 9"}, {SMALL, ": 12, set threads 2, 9", ": 21"})

/* The run stops at the start of a cycle whose sweep was already done; it then continues, also from
 * a copy, as if it had not stopped. */
EQUAL_ON_CPU(TEST, a_stopped_run_goes_on,
             {"equation poisson2d n 64 ny 50 " RECURRENCES,
              "until 1e-4 : end, {go, 5|keep, go, 9, back, go, 5}", ""})

/* Near the rounding errors CG compares its residual with the true one, and starts again if they
 * differ: also in a run that was paused, whose norm is known already. */
EQUAL_ON_CPU(TEST, a_known_norm_does_not_change_cg,
             {"equation poisson2d solver cg n 37 ny 23 problem random precision f32 variant "
              "{classic|pipelined|s-step}",
              ": paused 400", ": 400"})

EQUAL_ON_CPU(TEST, a_multigrid_cycle_stopped_after_its_last_sweep_is_whole,
             {"{equation poisson2d n 63 ny 31 problem random solver multigrid|equation poisson2d n "
              "31 ny 31 problem random solver multigrid shape w smoother red-black|equation "
              "poisson2d n 31 problem random solver multigrid shape f levels 3 pre 0 post "
              "3|equation poisson1d n 127 problem random solver multigrid shape f precision f32}",
              ": 1, peek last", ": 2"})

/* --- modelled ranks --------------------------------------------------------------------------- */

#define MODELS "{ranks-model 4 latency 1ms|ranks-model 6 latency 1us hide-messages off}"

EQUAL_ON_CPU(TEST, modelled_ranks_do_not_change_the_field,
             {"{equation poisson2d solver jacobi n 203 ny 131 threads 2|equation poisson2d solver "
              "shared n 203 ny 131 block 40 overlap 6 k 5 threads 2|equation poisson2d solver "
              "shared n 203 ny 131 block 40 k 5 precision f32|equation poisson1d solver shared n "
              "1000 block 50 overlap 8 k 5} problem random",
              MODELS " : 12", ": 12", EQUAL_NORM},
             {"{equation heat1d solver stepper n 1000|equation ks1d solver stepper n 960|equation "
              "euler1d solver stepper n 1000|equation heat1d solver swept n 960 block 48 precision "
              "f32|equation ks1d solver swept n 960 block 48|equation euler1d solver swept n 960 "
              "block 48}",
              MODELS " : 12", ": 12"})
