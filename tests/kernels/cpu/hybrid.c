/* Hybrid runs without a GPU: the other part is loops over arrays of its own, which see only what
 * the schedule copies to them. Fields against the CPU's own run, bit for bit. */
#include "kernels/cpu/hybrid.h"
#include "tests/fields.h"

/* The other part. It does its work when a round begins, or when it ends: neither part may need what
 * the other one computes in the same round. */
typedef struct other {
    ss_hybrid *h;
    ss_run *run; /* a run on the CPU, whose arrays are the other part's */
    bool eager;
    int lost_rows; /* of each exchange: 0, else the halo is wrong */
    int from, n;
    bool norm;
    double kernel, squares;
} other;

static ss_cpu_state *state_of(const other *o)
{
    return o->run->state;
}

static char *row_of(const ss_cpu_state *st, ss_prec prec, int array, int row)
{
    void *a = array == SS_HYBRID_RHS ? st->rhs : st->u[array];
    return (char *)a + (st->box.first + (size_t)((ptrdiff_t)row * st->box.sy)) * ss_prec_size(prec);
}

/* Rows with their halo columns. */
static int copy(void *self, int array, int j0, int j1, bool to_part, ss_err *err)
{
    other *o = self;
    ss_cpu_state *here = &o->h->state, *there = state_of(o);
    size_t size = ss_prec_size(o->run->prec), bytes = ((size_t)o->run->problem.nx + 2) * size;
    (void)err;
    for (int j = j0; j < j1; j++) {
        char *a = row_of(here, o->run->prec, array, j) - size;
        char *b = row_of(there, o->run->prec, array, j) - size;
        memcpy(to_part ? b : a, to_part ? a : b, bytes);
    }
    return SS_OK;
}

static void sweep(other *o, int from, int j0, bool norm)
{
    ss_cpu_state *st = state_of(o);
    const ss_problem *p = &o->run->problem;
    double *sum = calloc((size_t)p->ny, sizeof *sum);
    ss_sweep box = {.nx = p->nx,
                    .ny = p->ny - j0,
                    .nz = 1,
                    .in_sy = st->box.sy,
                    .rhs_sy = st->box.sy,
                    .out_sy = st->box.sy,
                    .sum = norm ? sum : NULL};
    o->run->eq->apply[o->run->prec](&o->run->coef, 0, row_of(st, o->run->prec, from, j0),
                                    row_of(st, o->run->prec, SS_HYBRID_RHS, j0),
                                    row_of(st, o->run->prec, 1 - from, j0), &box);
    for (int j = 0; j < p->ny; j++)
        o->squares += sum[j];
    free(sum);
}

static void work(other *o)
{
    o->squares = 0;
    for (int i = 0; i < o->n; i++)
        sweep(o, (o->from + i) & 1, o->h->rows - (o->n - 1 - i), o->norm && i == o->n - 1);
}

static int divide(void *self, int rows, ss_err *err)
{
    (void)self, (void)rows, (void)err;
    return SS_OK;
}

static void copy_down(other *o, int array)
{
    copy(o, array, o->h->rows, o->h->rows + o->h->depth - o->lost_rows, false, NULL);
}

static int begin(void *self, int from, int n, bool norm, ss_err *err)
{
    other *o = self;
    (void)err;
    o->from = from;
    o->n = n;
    o->norm = norm;
    if (o->eager) {
        work(o);
        if (n == 1)
            copy_down(o, 1 - from);
    }
    return SS_OK;
}

static int finish(void *self, int to, ss_hybrid_times *times, double *squares, ss_err *err)
{
    other *o = self;
    int x = o->h->rows;
    if (!o->eager)
        work(o);
    if (!o->eager || o->n > 1)
        copy_down(o, to);
    *times = (ss_hybrid_times){0, o->kernel, 0};
    *squares = o->squares;
    return copy(o, to, x - o->h->depth + o->lost_rows, x, true, err);
}

static void open_hybrid(ss_hybrid *h, other *o, const char *settings, const char *split, int depth)
{
    ss_split_choice choice;
    ss_err err = {0};
    *o = (other){.h = h, .run = open_run(settings), .kernel = 1e-3};
    o->run->stop_at_tol = true;
    const ss_hybrid_part part = {o, divide, begin, finish, copy};
    ss_cpu_state *st = o->run->state;
    CHECK_MSG(ss_split_parse(split, st->box.ny, depth, &choice, &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_hybrid_make(h, o->run, &st->box, &part, &choice, depth, &st->cur, &err) == SS_OK,
              "%s", err.text);
}

static void close_hybrid(ss_hybrid *h, other *o)
{
    ss_hybrid_free(h);
    ss_run_close(o->run);
}

static int64_t step_hybrid(ss_hybrid *h, other *o, int64_t cycles)
{
    ss_err err = {0};
    o->run->step_started = ss_clock();
    o->run->step_seconds = -1;
    CHECK_MSG(ss_hybrid_step(h, o->run, &cycles, &err) == SS_OK, "%s", err.text);
    return cycles;
}

static bool same_fields(ss_run *cpu, ss_hybrid *h, other *o)
{
    size_t n = (size_t)cpu->problem.nx * (size_t)cpu->problem.ny;
    CHECK_INT(ss_hybrid_settle(h, state_of(o)->cur, NULL), SS_OK);
    double *a = get_field(cpu, FIELD), *b = get_field(o->run, FIELD);
    bool same = memcmp(a, b, n * sizeof *a) == 0;
    free(a);
    free(b);
    return same;
}

static const char plane[] = "equation poisson2d solver jacobi backend cpu n 203 ny 131 problem "
                            "random precision %s check-every %d threads %d until %s";
static const char wide[] = "equation poisson2d solver jacobi backend cpu n 1000 ny 500 problem "
                           "random precision %s check-every %d threads %d until %s";

/* Steps that begin and end anywhere in a round. */
static void compare(const char *grid, const char *prec, int every, int threads, const char *split,
                    int depth, bool eager)
{
    static const int steps[] = {1, 2, 7, 30, 3, 64};
    char settings[400], what[500];
    ss_hybrid h;
    other o;
    snprintf(settings, sizeof settings, grid, prec, every, threads, "0");
    snprintf(what, sizeof what, "%s, split %s, %d deep, %s", settings, split, depth,
             eager ? "eager" : "lazy");
    ss_run *cpu = open_run(settings);
    open_hybrid(&h, &o, settings, split, depth);
    o.eager = eager;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        step_run(cpu, steps[i]);
        CHECK_INT(step_hybrid(&h, &o, steps[i]), 0);
        CHECK_INT(o.run->cycle, cpu->cycle);
        CHECK_MSG(same_fields(cpu, &h, &o), "%s: other bits at cycle %d", what, (int)cpu->cycle);
        CHECK_INT(o.run->residual_cycle, cpu->residual_cycle);
        CHECK_MSG(fabs(cpu->residual - o.run->residual) <= 1e-13 * cpu->residual,
                  "%s: |r| is %.17g, not %.17g", what, o.run->residual, cpu->residual);
    }
    close_hybrid(&h, &o);
    ss_run_close(cpu);
}

TEST(hybrid, has_the_bits_of_the_cpu)
{
    static const char *const splits[] = {"9", "64", "121"};
    static const int depths[] = {1, 2, 3, 4, 9};
    for (int s = 0; s < 3; s++)
        for (int d = 0; d < 5; d++)
            for (int every = 1; every <= 5; every += 2)
                compare(plane, s % 2 ? "f32" : "f64", every, 1 + d % 3, splits[s], depths[d],
                        (s + every) % 2);
    compare(plane, "f64", 1000000, 2, "1", 1, true);
    compare(plane, "f32", 1000000, 2, "130", 1, false);
    compare(plane, "f64", 1000000, 2, "60", 8, true);
}

TEST(hybrid, several_threads_have_the_bits_of_the_cpu)
{
    compare(wide, "f64", 3, 3, "300", 4, true);
    compare(wide, "f32", 1, 2, "200", 1, false);
}

TEST(hybrid, one_lost_halo_row_differs)
{
    char settings[400];
    snprintf(settings, sizeof settings, plane, "f64", 7, 2, "0");
    for (int depth = 1; depth < 5; depth++) {
        ss_hybrid h;
        other o;
        ss_run *cpu = open_run(settings);
        open_hybrid(&h, &o, settings, "50", depth);
        o.lost_rows = 1;
        step_run(cpu, 40);
        step_hybrid(&h, &o, 40);
        CHECK_MSG(!same_fields(cpu, &h, &o), "%d deep: not noticed", depth);
        close_hybrid(&h, &o);
        ss_run_close(cpu);
    }
}

/* Count, field and norm are of the same cycle. */
TEST(hybrid, stops_where_the_cpu_stops)
{
    static const int every[] = {1, 3, 10};
    char settings[400];
    for (int e = 0; e < 3; e++)
        for (int depth = 1; depth < 6; depth += 2) {
            ss_hybrid h;
            other o;
            ss_err err = {0};
            snprintf(settings, sizeof settings, plane, "f64", every[e], 2, "1e-2");
            ss_run *cpu = open_run(settings);
            cpu->stop_at_tol = true;
            CHECK_INT(ss_run_step(cpu, 20000, &err), SS_OK);
            CHECK_INT(cpu->status, SS_CONVERGED);
            open_hybrid(&h, &o, settings, "44", depth);
            o.eager = depth == 3;
            while (o.run->status == SS_RUNNING)
                step_hybrid(&h, &o, 17);
            CHECK_INT(o.run->status, SS_CONVERGED);
            CHECK_INT(o.run->cycle, cpu->cycle);
            CHECK(same_fields(cpu, &h, &o));
            o.run->status = cpu->status = SS_RUNNING; /* and it can go on from there */
            o.run->stop_at_tol = cpu->stop_at_tol = false;
            step_run(cpu, 11);
            step_hybrid(&h, &o, 11);
            CHECK(same_fields(cpu, &h, &o));
            close_hybrid(&h, &o);
            ss_run_close(cpu);
        }
}

/* A stroke, an upload, a reset: the schedule is told, and takes the new field. */
TEST(hybrid, takes_changes_of_the_field)
{
    char settings[400];
    int seed = 5;
    ss_hybrid h;
    other o;
    snprintf(settings, sizeof settings, plane, "f64", 10, 2, "0");
    ss_run *cpu = open_run(settings);
    open_hybrid(&h, &o, settings, "70", 2);
    step_run(cpu, 21);
    step_hybrid(&h, &o, 21);
    set_field(cpu, FIELD, at_random, &seed);
    set_field(o.run, FIELD, at_random, &seed);
    ss_hybrid_changed(&h);
    cpu->residual_cycle = o.run->residual_cycle = -1;
    step_run(cpu, 21);
    step_hybrid(&h, &o, 21);
    CHECK(same_fields(cpu, &h, &o));
    close_hybrid(&h, &o);
    ss_run_close(cpu);
}

/* The other part says how long it takes, so that the clock decides nothing. */
static void tune(double kernel, int depth, ss_hybrid *h, other *o)
{
    char settings[400];
    snprintf(settings, sizeof settings, plane, "f64", 10, 1, "0");
    open_hybrid(h, o, settings, "auto", depth);
    o->kernel = kernel;
    for (int i = 0; i < 4000 && h->rows > 0 && h->tuner.batches < 20; i++)
        step_hybrid(h, o, 100);
}

TEST(hybrid, auto_moves_the_rows_to_a_slow_part_away_from_it)
{
    char settings[400];
    ss_hybrid h;
    other o;
    tune(10, 2, &h, &o);
    CHECK(h.tuner.settled && o.run->split.settled);
    CHECK_MSG(h.rows >= 127, "%d rows of 131", h.rows);
    CHECK_INT(o.run->split.rows, h.rows);
    snprintf(settings, sizeof settings, plane, "f64", 10, 1, "0");
    ss_run *cpu = open_run(settings);
    step_run(cpu, o.run->cycle);
    CHECK(same_fields(cpu, &h, &o)); /* also after all these moves */
    close_hybrid(&h, &o);
    ss_run_close(cpu);
}

/* Halos are 8 rows deep, but a check ends its round: the model must not count on 8 iterations. */
TEST(hybrid, the_model_knows_that_checks_shorten_rounds)
{
    static const struct {
        int every, k;
    } row[] = {{1, 1}, {3, 3}, {8, 8}, {1000000, 8}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char settings[400];
        ss_hybrid h;
        other o;
        snprintf(settings, sizeof settings, plane, "f64", row[i].every, 1, "0");
        open_hybrid(&h, &o, settings, "40", 8);
        o.kernel = 1e-3;
        for (int j = 0; j < 400 && h.tuner.batches < 2; j++)
            step_hybrid(&h, &o, 4000); /* the end of a step cuts a round, too: few ends */
        CHECK_INT(o.run->split.k, row[i].k);
        close_hybrid(&h, &o);
    }
}

TEST(hybrid, auto_gives_the_cpu_up_where_it_cannot_win)
{
    char settings[400];
    ss_hybrid h;
    other o;
    tune(1e-12, 1, &h, &o);
    CHECK_INT(h.rows, 0);
    CHECK_MSG(strstr(o.run->split.refused, "GPU alone"), "'%s'", o.run->split.refused);
    CHECK(strstr(o.run->message, "split auto: the CPU would save"));
    CHECK_INT(step_hybrid(&h, &o, 5), 5); /* left to the other part */
    snprintf(settings, sizeof settings, plane, "f64", 10, 1, "0");
    ss_run *cpu = open_run(settings);
    step_run(cpu, o.run->cycle);
    CHECK(same_fields(cpu, &h, &o));
    close_hybrid(&h, &o);
    ss_run_close(cpu);
}
