/* A run divided among ranks has the bits of the backend cpu, whatever the number of ranks. */
#include <math.h>
#include <stdlib.h>

#include "tests/kernels/part/run.h"

/* In several batches, with odd numbers of cycles. */
static const int64_t long_run[] = {1, 60, 7, 1, 31, 0};
static const int64_t thousand[] = {333, 667, 0};

static void check_both(const char *settings, const ss_part_schedule *schedule, int exchange,
                       const int64_t *batch, int64_t finish)
{
    static const char *const precisions[] = {"f64", "f32"};
    for (int i = 0; i < 2; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s backend cpu precision %s", settings, precisions[i]);
        part_case c = {.settings = text,
                       .schedule = schedule,
                       .exchange = exchange,
                       .batch = batch,
                       .finish = finish};
        part_check(&c, text, schedule == &ss_part_jacobi || schedule == &ss_part_shared);
    }
}

SLOW_TEST(part, jacobi_equals_cpu)
{
    static const int exchanges[] = {1, 2, 5, 40}; /* the last one is deeper than a slab of 8 */
    for (int i = 0; i < 4; i++) {
        check_both("equation poisson2d solver jacobi problem random n 203 ny 131", &ss_part_jacobi,
                   exchanges[i], long_run, 0);
        check_both("equation poisson1d solver jacobi problem random n 611 copies 3",
                   &ss_part_jacobi, exchanges[i], long_run, 0);
    }
    check_both("equation poisson2d solver jacobi problem random n 61 ny 37", &ss_part_jacobi, 3,
               thousand, 0);
}

TEST(part, jacobi_of_one_row_per_rank)
{
    check_both("equation poisson2d solver jacobi problem random n 9 ny 8", &ss_part_jacobi, 3,
               long_run, 0);
}

SLOW_TEST(part, stepper_equals_cpu)
{
    check_both("equation heat1d solver stepper problem random n 331", &ss_part_stepper, 1, thousand,
               0);
    check_both("equation ks1d solver stepper problem random n 331", &ss_part_stepper, 1, long_run,
               2);
    check_both("equation euler1d solver stepper n 331", &ss_part_stepper, 1, long_run, 0);
}

SLOW_TEST(part, swept_equals_cpu)
{
    check_both("equation heat1d solver swept problem random n 512 block 32", &ss_part_swept, 1,
               long_run, 0);
    check_both("equation heat1d solver swept problem random n 88 block 2", &ss_part_swept, 1,
               thousand, 5);
    check_both("equation ks1d solver swept problem random n 512 block 64", &ss_part_swept, 1,
               long_run, 3);
    check_both("equation ks1d solver swept problem random n 96 block 12", &ss_part_swept, 1,
               long_run, 0);
    check_both("equation euler1d solver swept n 512 block 32", &ss_part_swept, 1, long_run, 1);
    check_both("equation euler1d solver swept n 640 block 8", &ss_part_swept, 1, long_run, 0);
}

/* Fields large enough for several threads in each rank. */
TEST(part, threads_inside_a_rank_do_not_change_the_field)
{
    static const int64_t cycles[] = {6, 0};
    static const struct {
        const char *settings;
        const ss_part_schedule *schedule;
    } cases[] = {
        {"equation poisson2d solver jacobi problem random n 701 ny 611 backend cpu threads 1",
         &ss_part_jacobi},
        {"equation heat1d solver swept problem random n 262144 block 64 backend cpu threads 1",
         &ss_part_swept},
        {"equation euler1d solver stepper n 300000 backend cpu threads 1", &ss_part_stepper},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        part_case c = {.settings = cases[i].settings,
                       .schedule = cases[i].schedule,
                       .exchange = 3,
                       .ranks = 2,
                       .threads = 3,
                       .batch = cycles};
        part_run(&c);
        char *expected = part_reference(&c, cases[i].settings, NULL);
        CHECK_MSG(memcmp(c.field, expected, c.bytes) == 0, "%s", cases[i].settings);
        free(expected);
        part_free(&c);
    }
}

/* --- ranks are tiles -------------------------------------------------------------------------- */

static void check_tiles(const char *settings)
{
    const part_case like = {.settings = settings, .batch = long_run};
    part_check_tiles(&like);
}

SLOW_TEST(part, ranks_are_tiles)
{
    check_tiles("equation poisson2d solver shared problem random n 203 ny 131 k 8");
    check_tiles("equation poisson2d solver shared problem random n 67 ny 131 k 1");
    check_tiles("equation poisson2d solver shared problem random n 203 ny 131 k 5 overlap 6");
    check_tiles("equation poisson2d solver shared problem random n 131 ny 90 k 4 overlap 10 "
                "overlap-y 4");
    check_tiles("equation poisson1d solver shared problem random n 611 copies 5 k 9");
    check_tiles("equation poisson1d solver shared problem random n 611 copies 2 k 4 overlap 6");
}

/* k Jacobi iterations, from an overlap of 2 (k - 1) on. */
TEST(part, overlap_makes_shared_exact)
{
    static const int64_t cycles[] = {12, 0}, iterations[] = {48, 0};
    for (int ranks = 1; ranks <= 8; ranks *= 2) {
        part_case a = {.settings = "equation poisson2d solver shared problem random n 203 ny 131 "
                                   "backend cpu k 4 overlap 6",
                       .schedule = &ss_part_shared,
                       .ranks = ranks,
                       .batch = cycles};
        part_case b = {.settings = "equation poisson2d solver jacobi problem random n 203 ny 131 "
                                   "backend cpu",
                       .schedule = &ss_part_jacobi,
                       .exchange = 1,
                       .ranks = 1,
                       .batch = iterations};
        part_run(&a);
        part_run(&b);
        CHECK(memcmp(a.field, b.field, a.bytes) == 0);
        part_free(&a);
        part_free(&b);
    }
}

/* --- faults ----------------------------------------------------------------------------------- */

/* A message that lacks its last value must change the field. Right-hand sides are random, and so is
 * every field after a cycle: no stale value equals the new one. */
typedef struct short_case {
    const char *settings;
    const ss_part_schedule *schedule;
    int exchange;
    size_t point; /* bytes */
    int from[2];  /* first rank whose message is short, and end */
    int number;   /* of the message among those of its rank */
} short_case;

static void check_short(const short_case *s)
{
    static const int64_t cycles[] = {20, 0};
    part_case whole = {.settings = s->settings,
                       .schedule = s->schedule,
                       .exchange = s->exchange,
                       .ranks = 4,
                       .batch = cycles};
    part_run(&whole);
    for (int from = s->from[0]; from < s->from[1]; from++) {
        threads_fault fault = {.from = from, .number = s->number, .short_by = s->point};
        part_case c = whole;
        c.fault = &fault;
        part_run(&c);
        CHECK_MSG(memcmp(c.field, whole.field, c.bytes) != 0,
                  "%s: a message of rank %d was a point short, and nobody noticed", s->settings,
                  from);
        part_free(&c);
    }
    part_free(&whole);
}

#define P2 "equation poisson2d problem random n 43 ny 31 backend cpu solver "
#define LINE " problem random n 96 backend cpu solver "

/* The corner of the box that rank 3 sends to rank 0 is not read if tiles overlap: a stencil without
 * diagonals. The swept rule sends both arrays; which of them has the value at the edge that is read
 * depends on the parity of the level: hence block 8 for messages to the left, block 6 for those to
 * the right.
 */
TEST(part, a_message_one_point_short_changes_the_field)
{
    static const short_case cases[] = {
        {P2 "jacobi", &ss_part_jacobi, 1, 8, {0, 4}, 3},
        {P2 "jacobi", &ss_part_jacobi, 3, 8, {0, 4}, 3},
        {"equation poisson1d problem random n 43 backend cpu solver jacobi precision f32",
         &ss_part_jacobi,
         2,
         4,
         {0, 4},
         3},
        {P2 "shared k 3", &ss_part_shared, 1, 8, {0, 4}, 3},
        {P2 "shared k 6 overlap 4", &ss_part_shared, 1, 8, {0, 3}, 3},
        {"equation heat1d" LINE "stepper", &ss_part_stepper, 1, 8, {0, 4}, 3},
        {"equation ks1d" LINE "stepper", &ss_part_stepper, 1, 8, {0, 4}, 3},
        {"equation heat1d" LINE "swept block 8", &ss_part_swept, 1, 8, {1, 4}, 2},
        {"equation heat1d" LINE "swept block 6", &ss_part_swept, 1, 8, {0, 3}, 3},
        {"equation ks1d" LINE "swept block 16", &ss_part_swept, 1, 8, {0, 4}, 2},
        {"equation ks1d" LINE "swept block 12", &ss_part_swept, 1, 8, {0, 4}, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_short(&cases[i]);
}
