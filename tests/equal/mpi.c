/* MPI ranks against the CPU. Ranks that are tiles (solver shared) are in tests/kernels/mpi. */
#include "tests/equal/equal.h"

#define PREC "precision {f64|f32} "
#define RANKS "ranks {1|2|3|4|8} "

EQUAL_ON_CPU(SLOW_TEST, ranks_of_steady_runs,
             {"equation poisson2d solver jacobi problem random n 203 ny 131 " PREC,
              RANKS "exchange 1 : 300"},
             {"equation poisson2d solver jacobi problem random n 67 ny 90 " PREC,
              RANKS "exchange 5 : 1000"},
             {"equation poisson1d solver jacobi problem random n 611 copies 3 " PREC,
              RANKS "exchange 2 : 1000"},
             {"equation poisson2d solver jacobi problem random n 203 ny 131 check-every 7",
              "ranks 4 : 300"},
             {"equation poisson1d solver jacobi problem random n 611 copies 3 precision f32",
              "ranks 3 exchange 4 : 300"})

EQUAL_ON_CPU(
    SLOW_TEST, ranks_of_lines,
    {"{equation heat1d solver stepper problem random n 512|equation ks1d solver stepper "
     "problem random n 512|equation euler1d solver stepper n 512} " PREC,
     RANKS ": 600"},
    {"{equation heat1d solver swept problem random n 512 block 32|equation ks1d solver "
     "swept problem random n 512 block 64|equation euler1d solver swept n 512 block 32} " PREC,
     RANKS ": 60"},
    {"equation ks1d solver stepper problem random n 331 precision f32", "ranks 2 : 1000"})

/* The tolerance, and live changes: solver, depth of the halo, threads; then it begins again. */
EQUAL_ON_CPU(TEST, ranks_end_and_change,
             {"equation poisson2d solver jacobi n 40 ny 30 until 1e-3", "ranks 4 : end"},
             {"equation poisson2d problem random n 120 ny 77",
              "solver jacobi ranks 3 : 21, set exchange 5, 20, set solver shared, set k 1, 11, set "
              "solver jacobi, set threads 2, 8, {0|reset, 3}",
              "solver jacobi : [60|3]"})
