/* One table of equivalences: two runs whose fields are equal bit for bit, or differ, or agree to a
 * bound. The rows are in steady.c, time.c, patches.c, mpi.c and gpu.c; equal.c carries them out.
 * The unit program runs them on the CPU; tests/gpu, built with SS_GPU_TESTS, runs those of the GPU,
 * of which run a is on the GPU and run b on the CPU, unless they name a backend.
 *
 *     {"equation poisson2d n 203 ny {131|7}", "solver shared k 4 overlap 6 : 3", "solver jacobi"}
 *
 * `both` are settings of both runs, `a` and `b` those of one, followed by its steps. All settings
 * and steps are combined: {x|y} stands for each of its alternatives; the alternatives of [x|y] take
 * turns. Without `b` the second run has no settings of its own and the steps of the first, except
 * those marked with !, and the fields are compared after each step. A `b` without steps does as
 * many iterations as `a` has done. Steady runs do not stop ("until 0"), unless a row says so.
 *
 * Steps, separated by commas:
 *
 *     5            five cycles                     end       until the run ends by itself
 *     unchecked 5  without the checks of a run     go        on, without a tolerance
 *     paused 5     each with a pause after it      like      as many iterations as run a
 *     set k 4      a live change                   finish 3  classic steps that end a run
 *     keep, back   copies the state, restores it   reset
 *     load         a field from a file             settle    computes the last norm
 *     peek 3       the microscope: its partial     start     what the last cycle started from is
 *     peek last    cycle is compared                         compared
 *     rhs, noise   a random right-hand side, or    abandon 10  cycles that are abandoned
 *                  field                           paint 60 64 17 0.25
 *     seldom       few norms                       stores plain, stores stream
 *
 * Settings besides the program's: slabs 3 (devices 0,0,0, or those of CHECK_DEVICES in turn),
 * instructions 1 (at most those of this number).
 */
#ifndef SS_TESTS_EQUAL_H
#define SS_TESTS_EQUAL_H

#include "tests/check.h"

/* EQUAL_BITS: also their norms, to 1e-12; EQUAL_NORM: the norms bit for bit. */
typedef enum equal_kind { EQUAL_BITS, EQUAL_NORM, EQUAL_NOT, EQUAL_NEAR } equal_kind;

typedef struct equal_row {
    const char *both, *a, *b;
    equal_kind kind;
    double bound; /* EQUAL_NEAR: of the largest difference, relative to the largest value */
} equal_row;

/* Rows leave out what they do not need. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

void equal_check(const equal_row *rows, int n);

#define EQUAL_TEST(MAKE, NAME, ...)                                                                \
    MAKE(equal, NAME)                                                                              \
    {                                                                                              \
        static const equal_row rows[] = {__VA_ARGS__};                                             \
        equal_check(rows, (int)(sizeof rows / sizeof *rows));                                      \
    }
#define EQUAL_NOWHERE(MAKE, NAME, ...)

#ifdef SS_GPU_TESTS
#define EQUAL_ON_CPU EQUAL_NOWHERE
#define EQUAL_ON_GPU EQUAL_TEST
#else
#define EQUAL_ON_CPU EQUAL_TEST
#define EQUAL_ON_GPU EQUAL_NOWHERE
#endif

#endif
