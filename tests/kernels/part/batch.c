/* The end of a batch: at the tolerance, at a flag, after a time; another division in between. */
#include <math.h>
#include <stdlib.h>

#include "tests/kernels/part/run.h"

/* --- the tolerance ---------------------------------------------------------------------------- */

/* The run stops at the field and the cycle of backend cpu, whichever schedule looks when. */
static void check_stop_alone(const char *settings, const ss_part_schedule *schedule)
{
    static const int64_t batches[] = {17, 1, 100000, 0};
    part_case c = {.settings = settings,
                   .schedule = schedule,
                   .exchange = 1,
                   .ranks = 1,
                   .batch = batches,
                   .tol = 1e-3};
    ss_run *run = open_run(settings);
    ss_err err = {0};
    run->tol = c.tol;
    run->stop_at_tol = true;
    run->check_every = 1;
    CHECK_INT(ss_run_step(run, 100000, &err), SS_OK);
    CHECK_INT(run->status, SS_CONVERGED);
    part_run(&c);
    CHECK(c.reached);
    CHECK_INT(c.cycles, run->cycle);
    double *expected = get_field(run, FIELD);
    CHECK(memcmp(c.field, expected, c.bytes) == 0);
    CHECK_NEAR(c.figures.residual, run->residual, 1e-13 * run->residual);
    free(expected);
    ss_run_close(run);
    part_free(&c);
}

TEST(part, stops_at_the_cycle_of_the_tolerance)
{
    static const char shared[] = "equation poisson2d solver shared problem paper n 33 ny 21 "
                                 "backend cpu k 6 block 33 block-y 21";
    part_check_stop(&(part_case){.tol = 1e-3});
    check_stop_alone(shared, &ss_part_shared);
}

TEST(part, a_batch_ends_before_it_has_more_norms_than_fit)
{
    static const int64_t batch[] = {5000, 0};
    static const struct {
        const char *settings;
        const ss_part_schedule *schedule;
    } cases[] = {
        {"equation poisson2d solver jacobi problem random n 13 ny 9 backend cpu", &ss_part_jacobi},
        {"equation poisson2d solver shared problem random n 13 ny 9 backend cpu k 1 block 13 "
         "block-y 9",
         &ss_part_shared},
    };
    for (size_t i = 0; i < 2; i++) {
        part_case c = {.settings = cases[i].settings,
                       .schedule = cases[i].schedule,
                       .exchange = 2,
                       .ranks = 1 + !i,
                       .batch = batch};
        double *norms;
        part_run(&c);
        CHECK(c.cycles <= SS_PART_NORMS_MAX && c.cycles > SS_PART_NORMS_MAX - 4);
        CHECK_INT(c.norms, c.cycles);
        char *expected = part_reference(&c, c.settings, &norms);
        CHECK(memcmp(c.field, expected, c.bytes) == 0);
        free(norms);
        free(expected);
        part_free(&c);
    }
}

/* --- the flag and the clock ------------------------------------------------------------------- */

typedef struct end_ctx {
    const ss_config *cfg;
    const ss_part_schedule *schedule;
    atomic_bool flag;
    double seconds;
    int64_t cycles[4]; /* finished by each rank */
    bool stopped;
} end_ctx;

/* Only rank 1 sees the flag, and only rank 2 has a time limit. */
static int end_main(ss_comm *comm, void *ctx, ss_err *err)
{
    end_ctx *x = ctx;
    static _Thread_local ss_part_done done;
    ss_part_setup setup = {.cfg = x->cfg, .schedule = x->schedule, .exchange = 2, .threads = 1};
    ss_part_run *part = ss_part_open(&setup, comm, err);
    ss_part_batch batch = {.cycles = INT64_MAX / 2, .residual_cycle = -1};
    batch.stop = comm->rank == 1 ? &x->flag : NULL;
    batch.seconds = comm->rank == 2 ? x->seconds : 0;
    int status = part ? ss_part_step(part, &batch, &done, err) : SS_FAIL;
    x->cycles[comm->rank] = done.cycles;
    if (comm->rank == 0)
        x->stopped = done.stopped;
    ss_part_close(part);
    return status;
}

static void check_end(const char *settings, const ss_part_schedule *schedule, bool flag,
                      double seconds)
{
    ss_config cfg;
    ss_err err = {0};
    end_ctx x = {.schedule = schedule, .flag = flag, .seconds = seconds};
    set_config(&cfg, settings);
    x.cfg = &cfg;
    CHECK_MSG(threads_run(4, end_main, &x, NULL, NULL, &err), "%s", err.text);
    CHECK_INT(x.stopped, flag);
    for (int r = 1; r < 4; r++)
        CHECK_INT(x.cycles[r], x.cycles[0]);
}

TEST(part, a_flag_or_a_time_limit_of_one_rank_ends_the_batch_of_all)
{
    static const struct {
        const char *settings;
        const ss_part_schedule *schedule;
    } cases[] = {
        {"equation poisson2d solver jacobi n 60 ny 40 backend cpu", &ss_part_jacobi},
        {"equation poisson2d solver shared n 60 ny 40 backend cpu", &ss_part_shared},
        {"equation heat1d solver stepper n 128 backend cpu", &ss_part_stepper},
        {"equation ks1d solver swept n 128 block 16 backend cpu", &ss_part_swept},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_end(cases[i].settings, cases[i].schedule, true, 0);
        check_end(cases[i].settings, cases[i].schedule, false, 0.02);
    }
}

/* --- another division ------------------------------------------------------------------------- */

typedef struct move_ctx {
    const ss_config *from, *to;
    double *u; /* the field at the end */
    int nx;
} move_ctx;

static int step_some(ss_part_run *part, ss_err *err)
{
    static _Thread_local ss_part_done done;
    ss_part_batch batch = {.cycles = 5, .residual_cycle = -1};
    return ss_part_step(part, &batch, &done, err);
}

/* A right-hand side of the caller, cycles as tiles, then as slabs: another owner for most points.
 */
static int move_main(ss_comm *comm, void *ctx, ss_err *err)
{
    move_ctx *x = ctx;
    ss_part_setup tiles = {.cfg = x->from, .schedule = &ss_part_shared, .threads = 1};
    ss_part_setup slabs = {.cfg = x->to, .schedule = &ss_part_jacobi, .exchange = 3, .threads = 1};
    ss_part_run *part = ss_part_open(&tiles, comm, err);
    if (!part)
        return SS_FAIL;
    const ss_problem *p = &ss_part_described(part)->problem;
    ss_part_box whole = {0, 0, p->nx, p->ny};
    double *g = malloc((size_t)p->nx * (size_t)p->ny * sizeof *g);
    for (int i = 0; i < p->nx * p->ny; i++)
        g[i] = ss_random_unit(7, (uint64_t)i);
    int status = ss_part_put(part, 1, 0, &whole, g, p->nx, err);
    free(g);
    if (status == SS_OK)
        status = step_some(part, err);
    if (status == SS_OK)
        status = ss_part_configure(&part, &slabs, err);
    if (status == SS_OK)
        status = step_some(part, err);
    ss_part_box own = ss_part_own(part);
    if (status == SS_OK)
        status =
            ss_part_get(part, 0, 0, &own, x->u + (ptrdiff_t)own.y0 * x->nx + own.x0, x->nx, err);
    ss_part_close(part);
    return status;
}

static double same_numbers(const ss_run *run, int i, int j, const void *ctx)
{
    (void)ctx;
    return ss_random_unit(7, (uint64_t)j * (uint64_t)run->problem.nx + (uint64_t)i);
}

TEST(part, another_division_keeps_fields_and_right_hand_sides)
{
    ss_config from, to;
    ss_err err = {0};
    double *u = malloc(61 * 44 * sizeof *u);
    set_config(&from, "equation poisson2d solver shared problem random n 61 ny 44 backend cpu k 1");
    set_config(&to, "equation poisson2d solver jacobi problem random n 61 ny 44 backend cpu");
    move_ctx x = {&from, &to, u, 61};
    for (int ranks = 1; ranks <= 6; ranks++) {
        memset(u, 0, 61 * 44 * sizeof *u);
        CHECK_MSG(threads_run(ranks, move_main, &x, NULL, NULL, &err), "%s", err.text);
        ss_run *run = open_run("equation poisson2d solver jacobi problem random n 61 ny 44 "
                               "backend cpu");
        set_field(run, RHS, same_numbers, NULL);
        step_run(run, 10);
        double *expected = get_field(run, FIELD);
        CHECK_MSG(memcmp(u, expected, 61 * 44 * sizeof *u) == 0, "%d ranks", ranks);
        free(expected);
        ss_run_close(run);
    }
    free(u);
}

/* --- what does not go ------------------------------------------------------------------------- */

static void check_refused(const char *settings, const ss_part_schedule *schedule, int exchange,
                          int ranks, const char *sentence)
{
    ss_config cfg;
    ss_err err = {0};
    set_config(&cfg, settings);
    ss_part_setup setup = {.cfg = &cfg, .schedule = schedule, .exchange = exchange, .threads = 1};
    CHECK_INT(ss_part_check(&setup, ranks, &err), SS_FAIL);
    CHECK_STR(err.text, sentence);
}

TEST(part, too_many_ranks_are_refused_with_the_range)
{
    check_refused("equation poisson2d solver jacobi n 60 ny 7 backend cpu", &ss_part_jacobi, 1, 8,
                  "ranks: there are only 7 rows to divide: use 1\xe2\x80\xa6"
                  "7 ranks");
    check_refused("equation poisson2d solver jacobi n 60 ny 7 backend cpu", &ss_part_jacobi, 2000,
                  4,
                  "exchange: 2000 is out of range 1\xe2\x80\xa6"
                  "1024");
    check_refused("equation ks1d solver swept n 128 block 64 backend cpu", &ss_part_swept, 1, 4,
                  "ranks: 4 ranks need as many nodes, and block 64 divides n = 128 into 2: use "
                  "1\xe2\x80\xa6"
                  "2 ranks or a smaller block");
    check_refused("equation ks1d solver stepper n 16 backend cpu", &ss_part_stepper, 1, 8,
                  "ranks: 8 ranks have 2 points each of n = 16; the halo needs 5: use 1\xe2\x80\xa6"
                  "3 ranks");
    check_refused("equation poisson1d solver shared n 9 backend cpu", &ss_part_shared, 1, 8,
                  "ranks: 9 \xc3\x97 1 points cannot be divided into 8 subdomains with this "
                  "overlap: use 5 ranks");
}

/* --- figures of the whole field --------------------------------------------------------------- */

static void check_monitors(const char *settings, const ss_part_schedule *schedule)
{
    static const int64_t cycles[] = {9, 0};
    ss_err err = {0};
    ss_run *run = open_run(settings);
    step_run(run, 9);
    CHECK_INT(ss_run_watch(run, &err), SS_OK);
    double *u = get_fields(run, FIELD), largest = 0;
    for (int i = 0; i < run->problem.nx * run->problem.nfield; i++)
        largest = fmax(largest, fabs(u[i]));
    for (int ranks = 1; ranks <= 4; ranks++) {
        part_case c = {.settings = settings, .schedule = schedule, .ranks = ranks, .batch = cycles};
        part_run(&c);
        CHECK(isnan(c.figures.residual) && isnan(c.figures.max_error));
        CHECK_NEAR(c.figures.largest, largest, 0);
        for (int m = 0; m < run->eq->nmonitor; m++)
            CHECK_NEAR(c.figures.monitor[m], run->watch.now[m],
                       1e-12 * (fabs(run->watch.now[m]) + 1));
        part_free(&c);
    }
    free(u);
    ss_run_close(run);
}

TEST(part, monitors_are_sums_over_ranks)
{
    check_monitors("equation heat1d solver stepper problem random n 131 backend cpu",
                   &ss_part_stepper);
    check_monitors("equation ks1d solver swept problem random n 256 block 32 backend cpu",
                   &ss_part_swept);
    check_monitors("equation euler1d solver stepper n 131 backend cpu", &ss_part_stepper);
}
