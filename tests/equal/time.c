/* Time-dependent equations on the CPU: the swept rule only changes the order of the updates, so
 * that it is classic stepping at the end of a cycle. From noise, for every equation. */
#include "tests/equal/equal.h"

#define SYSTEMS                                                                                    \
    "equation {heat1d|ks1d|euler1d limiter minmod|euler1d limiter none|euler1d limiter "           \
    "as-printed} "
#define EQUATIONS "equation {heat1d|ks1d|euler1d limiter minmod} "

/* Odd heights (block 12 at radius 2), one node only, the smallest ones. */
#define SIZE(PREC, N, BLOCKS)                                                                      \
    {                                                                                              \
        SYSTEMS "precision " PREC " n " N,                                                         \
            "solver swept block {" BLOCKS "} : noise, unchecked {1|2|3}",                          \
            "solver stepper : noise, like"                                                         \
    }
#define SMALL(PREC)                                                                                \
    SIZE(PREC, "8", "4|8"), SIZE(PREC, "64", "4|8|16|32|64"), SIZE(PREC, "96", "12|24|32|48|96")
#define LARGER(PREC) SIZE(PREC, "1000", "8|20|40|200|1000"), SIZE(PREC, "1036", "28|148")

EQUAL_ON_CPU(SLOW_TEST, swept_equals_stepping, SMALL("f64"), LARGER("f64"))
EQUAL_ON_CPU(TEST, swept_equals_stepping_on_small_lines, SMALL("f32"))
EQUAL_ON_CPU(TEST, swept_equals_stepping_in_single_precision, LARGER("f32"))

/* First order alone: the triangle narrows by two points per level. */
EQUAL_ON_CPU(TEST, swept_heights_of_first_order,
             {"equation heat1d n 84", "solver swept block {2|6|14|42} : noise, unchecked 2",
              "solver stepper : noise, like"})

EQUAL_ON_CPU(TEST, a_swept_cycle_of_a_step_more_differs,
             {SYSTEMS "n 64", "solver swept block 16 : noise, unchecked 2",
              "solver stepper : noise, like, unchecked 1", EQUAL_NOT},
             {SYSTEMS "n 64", "solver swept block 16 : noise, unchecked 2, finish 1",
              "solver stepper : noise, like, finish 1"})

#define HOW "[threads 1|threads 2|threads 3 precision f32|threads 3] "

EQUAL_ON_CPU(TEST, swept_large_fields_and_threads,
             {SYSTEMS "n 4096 " HOW, "solver swept block {32|512|4096} : noise, unchecked 1",
              "solver stepper : noise, like"})
EQUAL_ON_CPU(SLOW_TEST, swept_larger_fields_and_threads,
             {SYSTEMS "n 16384 " HOW, "solver swept block {32|512|4096|16384} : noise, unchecked 1",
              "solver stepper : noise, like"})

/* Enough points that classic stepping has work for three threads, too. */
EQUAL_ON_CPU(TEST, stepping_by_several_threads,
             {"equation heat1d n 200100", "solver swept block 300 threads 3 : noise, unchecked 1",
              "solver stepper : noise, like"},
             {"equation heat1d n 200100 solver stepper precision {f64|f32}",
              "threads {2|3} : noise, 3", "threads 1 : noise, 3"})
EQUAL_ON_CPU(SLOW_TEST, stepping_of_every_equation_by_several_threads,
             {EQUATIONS "n 200100 solver stepper precision {f64|f32}", "threads {2|3} : noise, 3",
              "threads 1 : noise, 3"},
             {EQUATIONS "n 200100 precision {f64|f32} threads 3",
              "solver swept block 2300 : noise, unchecked 1", "solver stepper : noise, like"})

#define STORES(EQUATION)                                                                           \
    {                                                                                              \
        "equation " EQUATION " solver stepper n 140012 {precision f64|precision f32|threads 3}",   \
            ": stores stream, noise, 3", ": stores plain, noise, 3"                                \
    }
EQUAL_ON_CPU(TEST, steps_with_stores_past_the_caches, STORES("{heat1d|ks1d}"))
EQUAL_ON_CPU(TEST, steps_of_euler_with_stores_past_the_caches,
             STORES("euler1d limiter {minmod|none|as-printed}"))

EQUAL_ON_CPU(TEST, every_instruction_set,
             {SYSTEMS "n 1000 solver stepper precision {f64|f32}",
              "instructions {1|2} : noise, unchecked 40", "instructions 0 : noise, unchecked 40"},
             {SYSTEMS "n 1000 precision {f64|f32} instructions {0|1|2}",
              "solver swept block 40 : noise, unchecked 2", "solver stepper : noise, like"})

#define LINE EQUATIONS "n 480"

/* Step by step or at once; settings change between two cycles; an abandoned cycle ends with every
 * point on one level. */
EQUAL_ON_CPU(TEST, swept_in_parts,
             {SYSTEMS "n 480 solver swept block 24", ": noise, 1, 2, 1, 2, 1", ": noise, 7"},
             {LINE,
              "solver swept block 24 : noise, 3, set block 16, 2, set threads 2, 2, set solver "
              "stepper, 2, set threads 1, 2, set solver swept, 2, set block 120, 2, set block 480, "
              "2",
              "solver stepper : noise, like"},
             {SYSTEMS "n 480", "solver swept block 24 : noise, abandon 1000",
              "solver stepper : noise, like"})
