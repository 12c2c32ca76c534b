/* Divided runs under test: see run.h. */
#include "tests/kernels/part/run.h"

#include <math.h>
#include <stdlib.h>

static const int64_t one[] = {1, 0};
const int part_ranks[PART_RANKS] = {1, 2, 3, 4, 8};

typedef struct rank_ctx {
    part_case *c;
    const ss_config *cfg;
} rank_ctx;

static size_t field_bytes(const ss_config *cfg)
{
    ss_problem p = ss_config_problem(cfg);
    return (size_t)p.nx * (size_t)p.ny * (size_t)p.nfield *
           ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
}

/* Copies the owned points to the dense array. */
static int collect(part_case *c, ss_part_run *part, ss_err *err)
{
    const ss_run *run = ss_part_described(part);
    ss_part_box own = ss_part_own(part);
    size_t size = ss_prec_size(run->prec);
    int nx = run->problem.nx, ny = run->problem.ny;
    for (int f = 0; f < run->eq->nfield; f++) {
        size_t at =
            (size_t)f * (size_t)nx * (size_t)ny + (size_t)own.y0 * (size_t)nx + (size_t)own.x0;
        if (ss_part_get(part, 0, f, &own, c->field + at * size, nx, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

static void keep_result(part_case *c, const ss_part_done *done)
{
    for (int i = 0; i < done->norms && c->norms < SS_PART_NORMS_MAX; i++)
        c->norm[c->norms++] = done->norm[i];
    c->cycles += done->cycles;
    c->reached = done->reached;
}

static int step_batches(ss_comm *comm, part_case *c, ss_part_run *part, ss_err *err)
{
    static _Thread_local ss_part_done done;
    ss_part_batch batch = {.residual_cycle = -1, .tol = c->tol};
    batch.check_every = ss_part_described(part)->eq->kind == SS_STEADY;
    for (const int64_t *cycles = c->batch; *cycles; cycles++) {
        batch.cycles = *cycles;
        if (ss_part_step(part, &batch, &done, err) != SS_OK)
            return SS_FAIL;
        if (comm->rank == 0)
            keep_result(c, &done);
        batch.cycle += done.cycles;
        if (done.norms > 0) {
            batch.residual0 = batch.residual_cycle < 0 ? done.norm[0].norm : batch.residual0;
            batch.residual_cycle = done.norm[done.norms - 1].cycle;
        }
        if (done.reached)
            break;
    }
    return c->finish > 0 ? ss_part_finish(part, c->finish, err) : SS_OK;
}

static int rank_main(ss_comm *comm, void *ctx, ss_err *err)
{
    const rank_ctx *x = ctx;
    part_case *c = x->c;
    ss_part_setup setup = {
        .cfg = x->cfg, .schedule = c->schedule, .exchange = c->exchange, .threads = 1};
    setup.threads = c->threads > 0 ? c->threads : 1;
    setup.device = c->mixed && comm->rank % 2 ? NULL : c->device;
    setup.which = c->which ? c->which[comm->rank] : comm->rank;
    ss_part_figures figures;
    ss_part_run *part = ss_part_open(&setup, comm, err);
    if (!part)
        return SS_FAIL;
    int status = step_batches(comm, c, part, err);
    if (status == SS_OK)
        status = collect(c, part, err);
    if (status == SS_OK)
        status = ss_part_reduce(part, NULL, &figures, err);
    if (status == SS_OK && comm->rank == 0)
        c->figures = figures;
    ss_part_close(part);
    return status;
}

void part_run(part_case *c)
{
    ss_config cfg;
    ss_err err = {0};
    set_config(&cfg, c->settings);
    rank_ctx ctx = {c, &cfg};
    c->batch = c->batch ? c->batch : one;
    c->bytes = field_bytes(&cfg);
    c->field = calloc(1, c->bytes);
    c->norms = 0;
    c->cycles = 0;
    bool ok = threads_run(c->ranks, rank_main, &ctx, c->fault, c->count, &err);
    CHECK_MSG(ok, "%s, %d ranks: %s", c->settings, c->ranks, err.text);
}

void part_free(part_case *c)
{
    free(c->field);
    c->field = NULL;
}

char *part_reference(const part_case *c, const char *settings, double **norms)
{
    ss_run *run = open_run(settings);
    ss_err err = {0};
    char *field = malloc(c->bytes);
    bool steady = run->eq->kind == SS_STEADY;
    double *norm = malloc(((size_t)c->cycles + 1) * sizeof *norm);
    run->check_every = norms ? 1 : 0;
    if (!steady) { /* one chain of diamonds or several: the bits are the same */
        step_run(run, c->cycles);
        CHECK(c->finish == 0 || run->ops->finish(run, c->finish, &err) == SS_OK);
    }
    for (int64_t i = 0; steady && i < c->cycles; i++) {
        step_run(run, 1);
        norm[i] = run->residual;
    }
    size_t each = c->bytes / (size_t)run->problem.nfield;
    for (int f = 0; f < run->problem.nfield; f++)
        CHECK_INT(run->backend->download(run, 0, f, 0, 0, run->problem.ny, field + (size_t)f * each,
                                         &err),
                  SS_OK);
    ss_run_close(run);
    if (norms)
        *norms = norm;
    else
        free(norm);
    return field;
}

void part_check_norms(const part_case *c, const double *norm)
{
    CHECK_INT(c->norms, c->cycles);
    for (int i = 0; i < c->norms; i++) {
        CHECK_INT(c->norm[i].cycle, i);
        CHECK_MSG(fabs(c->norm[i].norm - norm[i]) <= 1e-13 * norm[i],
                  "%s, %d ranks: the norm of cycle %d is %.17g, not %.17g", c->settings, c->ranks,
                  i, c->norm[i].norm, norm[i]);
    }
}

void part_check(part_case *c, const char *reference, bool norms)
{
    for (int i = 0; i < PART_RANKS; i++) {
        double *norm = NULL;
        c->ranks = part_ranks[i];
        part_run(c);
        char *expected = part_reference(c, reference, norms ? &norm : NULL);
        CHECK_MSG(memcmp(c->field, expected, c->bytes) == 0, "%s: %d ranks differ from %s",
                  c->settings, c->ranks, reference);
        if (norms)
            part_check_norms(c, norm);
        free(norm);
        free(expected);
        part_free(c);
    }
}

/* The settings of the run on one machine whose tiles are the ranks. */
static void tiled_settings(const part_case *c, char *buf, size_t size)
{
    ss_config cfg;
    set_config(&cfg, c->settings);
    ss_part_setup setup = {.cfg = &cfg, .schedule = &ss_part_shared};
    ss_tiling t = ss_part_tiling(&setup, c->ranks);
    CHECK_INT((long long)t.x.count * (t.y.block > 1 || t.y.n == 1 ? t.y.count : 1), c->ranks);
    int n = snprintf(buf, size, "%s block %d overlap %d", c->settings, t.x.block, t.x.overlap);
    if (ss_config_equation(&cfg)->dim > 1)
        snprintf(buf + n, size - (size_t)n, " block-y %d overlap-y %d", t.y.block, t.y.overlap);
}

void part_check_tiles(const part_case *like)
{
    for (int prec = 0; prec < 2; prec++)
        for (int i = 0; i < PART_RANKS; i++) {
            char text[256], reference[400];
            double *norm;
            part_case c = *like;
            snprintf(text, sizeof text, "%s backend cpu precision %s", like->settings,
                     prec ? "f32" : "f64");
            c.settings = text;
            c.schedule = &ss_part_shared;
            c.ranks = part_ranks[i];
            tiled_settings(&c, reference, sizeof reference);
            part_run(&c);
            char *expected = part_reference(&c, reference, &norm);
            CHECK_MSG(memcmp(c.field, expected, c.bytes) == 0, "%d ranks differ from %s", c.ranks,
                      reference);
            part_check_norms(&c, norm);
            free(norm);
            free(expected);
            part_free(&c);
        }
}

void part_check_stop(const part_case *like)
{
    static const char settings[] =
        "equation poisson2d solver jacobi problem paper n 33 ny 21 backend cpu";
    static const int64_t cycles[] = {17, 1, 100000, 0};
    ss_err err = {0};
    ss_run *run = open_run(settings);
    run->tol = like->tol;
    run->stop_at_tol = true;
    run->check_every = 1;
    CHECK_INT(ss_run_step(run, 100000, &err), SS_OK);
    double *expected = get_field(run, FIELD);
    for (int ranks = 1; ranks <= 4; ranks++)
        for (int exchange = 1; exchange <= 4; exchange += 3) {
            part_case c = *like;
            c.settings = settings;
            c.schedule = &ss_part_jacobi;
            c.exchange = exchange;
            c.ranks = ranks;
            c.batch = cycles;
            part_run(&c);
            CHECK(c.reached);
            CHECK_INT(c.cycles, run->cycle);
            CHECK(memcmp(c.field, expected, c.bytes) == 0);
            CHECK_NEAR(c.figures.residual, run->residual, 1e-13 * run->residual);
            part_free(&c);
        }
    free(expected);
    ss_run_close(run);
}
