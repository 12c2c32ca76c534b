/*
 * Conjugate gradients on the CPU, in three variants (kernels/solver/cg.c). Everything is scaled by
 * the matrix's diagonal: r is the change u' - u of a Jacobi step, and A v = v - J v, where J is a
 * Jacobi step without right-hand side. All vectors have the layout of the field; their halo is
 * zero. A pass updates the vectors row by row and sums dot products in a fixed order, so that the
 * bits do not depend on the number of threads. Dot products and factors are doubles in both
 * precisions. Engine thread; the parts run on the OpenMP threads.
 */
#include "kernels/solver/recurrence.h"

#include <math.h>
#include <string.h>

#include "kernels/cpu/loops/combine.h"
#include "kernels/cpu/simd/machine.h"
#include "kernels/cpu/state.h"
#include "kernels/solver/schedules.h"

/* The vectors of each variant. Those that the next cycle needs come first. */
enum { R, P };                /* classic */
enum { W = 2, S, Z, NEXT_W }; /* pipelined, with R and P */

/* Passes over the field: the index of their function in `passes`. */
enum { START, TRUE_NORM, DIRECTION, PRODUCT, STEP, FIRST_W, PIPE, POWER, GRAM, COMBINE, NPASS };

typedef struct method {
    int vectors, kept; /* in all, and those that the next cycle needs; s-step: kept only */
    void (*cycle)(ss_run *run);
} method;

typedef struct plan {
    ss_sweeps_scratch sweeps;
    const method *how;
    const ss_combine *combine;
    char *v[SS_CG_BASIS], *zeros; /* zeros: a row, the right-hand side of J */
    ss_cg_recurrence at;
    ss_cg_basis basis;         /* s-step */
    ss_cg_coordinates vectors; /* s-step: the new vectors */
    int power;                 /* s-step: the basis vectors that the pass computes */
} plan;

/* --- rows ------------------------------------------------------------------------------------- */

/* A row of a part: what the passes work on. */
typedef struct row {
    const ss_run *run;
    const plan *c;
    int n;
    size_t at;          /* byte offset in a vector */
    char *buffer[2];    /* private: n values each */
    double *sum;        /* the first of the row's sums; NULL: none */
    size_t next, right; /* see ss_sweep_part */
} row;

static char *at(const row *r, int vector)
{
    return r->c->v[vector] + r->at;
}

static void add(const row *r, double factor, const void *a, const void *b, void *out)
{
    r->c->combine->add(r->n, factor, a, b, out);
}

/* Sum `which` of each segment. */
static void add_dot(const row *r, int which, const void *a, const void *b)
{
    size_t bytes = SS_CG_SEGMENT * ss_prec_size(r->run->prec);
    double *sum = r->sum + (size_t)which * r->next;
    const char *x = a, *y = b;
    for (int left = r->n; left > 0; left -= SS_CG_SEGMENT, sum += r->right, x += bytes, y += bytes)
        *sum += r->c->combine->dot(left < SS_CG_SEGMENT ? left : SS_CG_SEGMENT, x, y);
}

/* out = J v, one row. */
static void jacobi(const row *r, const char *v, void *out)
{
    const ss_cpu_state *st = r->run->state;
    ss_sweep box = {.nx = r->n, .ny = 1, .nz = 1, .in_sy = st->box.sy};
    r->run->eq->apply[r->run->prec](&r->run->coef, 0, v, r->c->zeros, out, &box);
}

/* out = A v */
static void operate(const row *r, const char *v, void *out)
{
    jacobi(r, v, out);
    add(r, -1, v, out, out);
}

/* r = u' - u into `out`, and r r. */
static void residual(const row *r, void *out)
{
    const ss_run *run = r->run;
    const ss_cpu_state *st = run->state;
    const char *u = (const char *)ss_sweeps_from(run) + r->at;
    ss_sweep box = {.nx = r->n, .ny = 1, .nz = 1, .in_sy = st->box.sy};
    run->eq->apply[run->prec](&run->coef, 0, u, (const char *)st->rhs + r->at, out, &box);
    add(r, -1, out, u, out);
    add_dot(r, 0, out, out);
}

static void start(const row *r)
{
    residual(r, at(r, R));
    memcpy(at(r, P), at(r, R), (size_t)r->n * ss_prec_size(r->run->prec));
}

static void true_norm(const row *r)
{
    residual(r, r->buffer[0]);
}

/* --- classic ---------------------------------------------------------------------------------- */

static void direction(const row *r)
{
    add(r, r->c->at.beta, at(r, R), at(r, P), at(r, P));
}

static void product(const row *r)
{
    operate(r, at(r, P), r->buffer[0]);
    add_dot(r, 0, at(r, P), r->buffer[0]);
}

static void move(const row *r, double alpha, const char *p)
{
    const char *u = (const char *)ss_sweeps_from(r->run) + r->at;
    add(r, alpha, u, p, (char *)ss_sweeps_into(r->run) + r->at);
}

static void step_classic(const row *r)
{
    double alpha = r->c->at.alpha;
    operate(r, at(r, P), r->buffer[0]);
    move(r, alpha, at(r, P));
    add(r, -alpha, at(r, R), r->buffer[0], at(r, R));
    add_dot(r, 0, at(r, R), at(r, R));
}

static void cycle_classic(ss_run *run)
{
    plan *c = run->scratch;
    ss_cg_recurrence *s = &c->at;
    double pap, rr;
    if (s->beta > 0) /* the first direction is r */
        ss_sweeps_pass(run, DIRECTION, 0, NULL);
    ss_sweeps_pass(run, PRODUCT, 1, &pap);
    s->alpha = ss_cg_quotient(s->rr, pap);
    ss_sweeps_pass(run, STEP, 1, &rr);
    s->beta = ss_cg_quotient(rr, s->rr);
    s->rr = rr;
}

/* --- pipelined -------------------------------------------------------------------------------- */

static void first_w(const row *r)
{
    operate(r, at(r, R), at(r, W));
    add_dot(r, 0, at(r, W), at(r, R));
}

/* Six vectors in one pass: z = A w + beta z, s = w + beta s, p = r + beta p, u += alpha p,
 * r -= alpha s, w -= alpha z; then r r and w r of the next iteration. */
static void pipe(const row *r)
{
    const ss_cg_recurrence *s = &r->c->at;
    operate(r, at(r, W), r->buffer[0]);
    add(r, s->beta, r->buffer[0], at(r, Z), at(r, Z));
    add(r, s->beta, at(r, W), at(r, S), at(r, S));
    add(r, s->beta, at(r, R), at(r, P), at(r, P));
    move(r, s->alpha, at(r, P));
    add(r, -s->alpha, at(r, R), at(r, S), at(r, R));
    add(r, -s->alpha, at(r, W), at(r, Z), at(r, NEXT_W));
    add_dot(r, 0, at(r, R), at(r, R));
    add_dot(r, 1, at(r, NEXT_W), at(r, R));
}

/* at.beta and at.alpha are those of the last iteration; beta 0: this is the first one. */
static void cycle_pipelined(ss_run *run)
{
    plan *c = run->scratch;
    ss_cg_recurrence *s = &c->at;
    double sums[2], old = s->alpha;
    if (!(s->beta > 0))
        ss_sweeps_pass(run, FIRST_W, 1, &s->wr);
    s->alpha = ss_cg_quotient(s->rr, s->beta > 0 ? s->wr - s->beta * s->rr / old : s->wr);
    ss_sweeps_pass(run, PIPE, 2, sums);
    s->beta = ss_cg_quotient(sums[0], s->rr);
    s->rr = sums[0];
    s->wr = sums[1];
    char *w = c->v[W];
    c->v[W] = c->v[NEXT_W];
    c->v[NEXT_W] = w;
}

/* --- s steps ---------------------------------------------------------------------------------- */

/* Vectors 0 and 1 are r and p, which are indices s + 1 and 0 of the basis. */
static int vector_of(const plan *c, int k)
{
    return ss_cg_vector(c->basis.s, k);
}

static int basis_size(const plan *c)
{
    return ss_cg_basis_size(c->basis.s);
}

/* The next polynomial; first: index of T_0 in the basis. */
static void power_of(const row *r, int first)
{
    const plan *c = r->c;
    int j = first + c->power;
    char *out = at(r, vector_of(c, j + 1));
    jacobi(r, at(r, vector_of(c, j)), r->buffer[0]);
    add(r, ss_cg_power_factor(c->basis, c->power), c->zeros, r->buffer[0], out);
    if (c->power > 0)
        add(r, -1, out, at(r, vector_of(c, j - 1)), out);
}

static void power(const row *r)
{
    power_of(r, 0);
    if (r->c->power + 1 < r->c->basis.s)
        power_of(r, r->c->basis.s + 1);
}

/* All dot products of the basis, row by row of the triangle. */
static void gram(const row *r)
{
    int n = basis_size(r->c), pair = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++, pair++)
            add_dot(r, pair, at(r, vector_of(r->c, i)), at(r, vector_of(r->c, j)));
}

/* out = the vector with these coordinates. */
static void sum_of(const row *r, const double *coordinates, char *out)
{
    memset(out, 0, (size_t)r->n * ss_prec_size(r->run->prec));
    for (int k = 0; k < basis_size(r->c); k++)
        add(r, coordinates[k], out, at(r, vector_of(r->c, k)), out);
}

static void combine(const row *r)
{
    size_t bytes = (size_t)r->n * ss_prec_size(r->run->prec);
    sum_of(r, r->c->vectors.x, r->buffer[0]);
    move(r, 1, r->buffer[0]);
    sum_of(r, r->c->vectors.r, r->buffer[0]);
    sum_of(r, r->c->vectors.p, r->buffer[1]);
    memcpy(at(r, R), r->buffer[0], bytes);
    memcpy(at(r, P), r->buffer[1], bytes);
}

static void cycle_s_step(ss_run *run)
{
    plan *c = run->scratch;
    double g[SS_CG_PAIRS];
    int n = basis_size(c);
    for (c->power = 0; c->power < c->basis.s; c->power++)
        ss_sweeps_pass(run, POWER, 0, NULL);
    ss_sweeps_pass(run, GRAM, n * (n + 1) / 2, g);
    c->at.rr = ss_cg_iterate(c->basis, g, &c->vectors);
    ss_sweeps_pass(run, COMBINE, 0, NULL);
}

/* --- a cycle ---------------------------------------------------------------------------------- */

static const method methods[SS_NCG] = {
    [SS_CG_CLASSIC] = {.vectors = 2, .kept = 2, .cycle = cycle_classic},
    [SS_CG_PIPELINED] = {.vectors = 6, .kept = 5, .cycle = cycle_pipelined},
    [SS_CG_S_STEP] = {.vectors = SS_CG_BASIS, .kept = 2, .cycle = cycle_s_step},
};

static void part(const ss_run *run, int which, const ss_sweep_part *p)
{
    static void (*const passes[NPASS])(const row *r) = {
        [START] = start,     [TRUE_NORM] = true_norm, [DIRECTION] = direction,
        [PRODUCT] = product, [STEP] = step_classic,   [FIRST_W] = first_w,
        [PIPE] = pipe,       [POWER] = power,         [GRAM] = gram,
        [COMBINE] = combine};
    size_t bytes = (size_t)p->nx * ss_prec_size(run->prec);
    row r = {.run = run, .c = run->scratch, .n = p->nx, .next = p->next, .right = p->right};
    r.buffer[0] = p->memory;
    r.buffer[1] = r.buffer[0] + (bytes + SS_ALIGN - 1) / SS_ALIGN * SS_ALIGN;
    for (int j = p->j0; j < p->j1; j++) {
        r.at = ss_sweeps_at(run, p->x, j);
        r.sum = p->sum ? p->sum + (j - p->j0) : NULL;
        passes[which](&r);
    }
}

static size_t memory(const ss_run *run, int nx, int rows)
{
    (void)rows;
    return 2 * ((size_t)nx * ss_prec_size(run->prec) + SS_ALIGN);
}

static void begin(ss_run *run)
{
    plan *c = run->scratch;
    c->at = (ss_cg_recurrence){.started = 1};
    ss_sweeps_pass(run, START, 1, &c->at.rr);
}

/* |r| of the present field. The recurrence's residual, unless it meets the tolerance or is near the
 * rounding errors: then the true one, from which the method starts again if they differ. */
static double norm_of(ss_run *run)
{
    plan *c = run->scratch;
    double d = run->coef.residual, norm = d * sqrt(c->at.rr), squares;
    double first = run->residual_cycle < 0 ? -1 : run->residual0;
    bool before = run->reached && run->reached_cycle < run->cycle;
    if (!ss_cg_is_doubtful(run->prec, norm, before ? 0 : run->tol, first))
        return norm;
    ss_sweeps_pass(run, TRUE_NORM, 1, &squares);
    double exact = d * sqrt(squares);
    if (norm < SS_CG_DRIFT * exact)
        c->at.started = 0;
    return exact;
}

/* The norm is known before a cycle begins. A pause or a rewind may have computed it already:
 * whether the method starts again must not depend on that. False: stop here. */
static bool check(ss_run *run)
{
    plan *c = run->scratch;
    bool due = run->check_every > 0 && run->cycle % run->check_every == 0;
    if (!c->at.started)
        begin(run);
    double norm = due ? norm_of(run) : 0;
    if (due && run->residual_cycle != run->cycle && !ss_run_norm(run, norm))
        return false;
    if (!c->at.started)
        begin(run);
    return true;
}

static int step(ss_run *run, int64_t cycles, ss_err *err)
{
    ss_cpu_state *st = run->state;
    plan *c = run->scratch;
    (void)err;
    ss_team_enter(run);
    for (int64_t i = 0; i < cycles && !ss_run_abandoned(run) && check(run); i++) {
        run->start_kept = false;
        c->how->cycle(run);
        st->cur = 1 - st->cur;
        ss_run_cycle_done(run);
    }
    ss_team_leave(run);
    return SS_OK;
}

/* --- memory ----------------------------------------------------------------------------------- */

static size_t vector_bytes(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    return st->box.count * ss_prec_size(run->prec);
}

static int prepare(ss_run *run, ss_err *err)
{
    if (ss_sweeps_prepare(run, err) != SS_OK)
        return SS_FAIL;
    plan *c = run->scratch;
    ss_cg_id variant = ss_cg_of(&run->cfg);
    c->how = &methods[variant];
    c->combine = ss_combine_of(run->prec);
    c->basis = ss_cg_basis_of(&run->cfg);
    int vectors = variant == SS_CG_S_STEP ? basis_size(c) : c->how->vectors;
    size_t bytes = (vector_bytes(run) + SS_ALIGN - 1) / SS_ALIGN * SS_ALIGN;
    char *memory = ss_cpu_alloc(run, ((size_t)vectors + 1) * bytes, "the vectors", err);
    if (!memory)
        return SS_FAIL;
    for (int k = 0; k < vectors; k++)
        c->v[k] = memory + (size_t)k * bytes;
    c->zeros = memory + (size_t)vectors * bytes;
    return SS_OK;
}

static size_t kept_bytes(const ss_run *run)
{
    const plan *c = run->scratch;
    return sizeof c->at + (size_t)c->how->kept * vector_bytes(run);
}

static int get(ss_run *run, void *to, ss_err *err)
{
    const plan *c = run->scratch;
    (void)err;
    memcpy(to, &c->at, sizeof c->at);
    for (int k = 0; k < c->how->kept; k++)
        memcpy((char *)to + sizeof c->at + (size_t)k * vector_bytes(run), c->v[k],
               vector_bytes(run));
    return SS_OK;
}

static int put(ss_run *run, const void *from, ss_err *err)
{
    plan *c = run->scratch;
    (void)err;
    c->at.started = 0;
    if (!from)
        return SS_OK;
    memcpy(&c->at, from, sizeof c->at);
    for (int k = 0; k < c->how->kept; k++)
        memcpy(c->v[k], (const char *)from + sizeof c->at + (size_t)k * vector_bytes(run),
               vector_bytes(run));
    return SS_OK;
}

static const ss_sweeps sweeps = {.schedule = {.scratch = sizeof(plan), .prepare = prepare},
                                 .ticks = 1,
                                 .sums = SS_CG_PAIRS,
                                 .segment = SS_CG_SEGMENT,
                                 .memory = memory,
                                 .part = part};

static ss_param rows[] = {SS_RANKS_ROWS};

const ss_engine_ops ss_cpu_cg = {
    .name = "cg",
    .caps = SS_CAP_EXACT | SS_CAP_TICK,
    .own = &sweeps,
    SS_PARAMS(rows),
    .prepare = ss_cpu_prepare,
    .step = step,
    .release = ss_cpu_release,
    .memory = kept_bytes,
    .memory_get = get,
    .memory_put = put,
};
