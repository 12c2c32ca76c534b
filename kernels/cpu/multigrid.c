/*
 * Multigrid on the CPU. Every grid has two fields, a residual and a right-hand side of its own; the
 * finest one starts from the run's current field and ends in the other. Everything is scaled by the
 * grid's diagonal D: the residual r is u' - u, and the right-hand side of the coarser grid is the
 * restriction of r times D/D_coarse. Operations run over rows, cut into strips where a grid has few
 * rows, and each writes only its own points, so that the bits do not depend on the threads. Engine
 * thread.
 */
#include "kernels/solver/multigrid.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#include "kernels/cpu/loops/combine.h"
#include "kernels/cpu/simd/norm.h"
#include "kernels/cpu/simd/machine.h"
#include "kernels/cpu/state.h"
#include "kernels/geom/tiles.h"

/* --- the coarsest grid ------------------------------------------------------------------------ */

/* One line of points, or several that nothing couples, solved by elimination. */

typedef struct mg_line {
    int n, lines;         /* points of a line, number of lines */
    ptrdiff_t step, next; /* elements between points, between lines */
    double west, east;    /* weights of the points before and after in the Jacobi update */
    double *pivot;        /* n values */
} mg_line;

static void set_value(ss_prec prec, void *array, ptrdiff_t k, double v)
{
    if (prec == SS_F64)
        ((double *)array)[k] = v;
    else
        ((float *)array)[k] = (float)v;
}

/* The Jacobi value of the middle of 3 * 3 points, of which number `one` is 1 and the others 0. */
static double taken_of(const ss_run *run, const ss_coef *coef, int one)
{
    double u[9] = {0}, g = 0, out = 0; /* memory of either precision */
    ss_sweep box = {.nx = 1, .ny = 1, .nz = 1, .in_sy = 3, .rhs_sy = 1, .out_sy = 1};
    set_value(run->prec, u, one, 1);
    run->eq->apply[run->prec](coef, 0, (char *)u + 4 * ss_prec_size(run->prec), &g, &out, &box);
    return ss_cpu_value(run->prec, &out, 0);
}

/* The lines of a grid of nx * ny points with rows sy elements apart and these coefficients. */
static int make_line(mg_line *out, ss_run *run, const ss_coef *coef, int nx, int ny, ptrdiff_t sy,
                     ss_err *err)
{
    bool copies = run->eq->dim == 1, along_x = copies || nx > 1;
    *out = (mg_line){.n = along_x ? nx : ny,
                     .lines = copies ? ny : 1,
                     .step = along_x ? 1 : sy,
                     .next = sy,
                     .west = taken_of(run, coef, along_x ? 3 : 1),
                     .east = taken_of(run, coef, along_x ? 5 : 7)};
    out->pivot = ss_cpu_alloc(run, (size_t)out->n * sizeof *out->pivot, "the coarsest grid", err);
    return out->pivot ? SS_OK : SS_FAIL;
}

static void solve_one(const mg_line *line, ss_prec prec, const void *g, void *u, ptrdiff_t first)
{
    double before = 0, *pivot = line->pivot;
    for (int k = 0; k < line->n; k++) {
        ptrdiff_t at = first + k * line->step;
        double d = 1 - (k > 0 ? line->west * pivot[k - 1] : 0);
        pivot[k] = line->east / d;
        before = (ss_cpu_value(prec, g, (size_t)at) + line->west * before) / d;
        set_value(prec, u, at, before);
    }
    for (int k = line->n - 2; k >= 0; k--) {
        ptrdiff_t at = first + k * line->step;
        before = ss_cpu_value(prec, u, (size_t)at) + pivot[k] * before;
        set_value(prec, u, at, before);
    }
}

/* Solves u_k - west u_(k-1) - east u_(k+1) = g_k. g and u: the addresses of the first point. */
static void solve_line(const mg_line *line, ss_prec prec, const void *g, void *u)
{
    for (int i = 0; i < line->lines; i++)
        solve_one(line, prec, g, u, i * line->next);
}

/* --- the cycle -------------------------------------------------------------------------------- */

static ss_param params[] = {SS_MG_PLANE_ROWS};

enum { STRIP = 4096, CELLS_PER_THREAD = 8192 };

typedef struct grid {
    int nx, ny;
    ptrdiff_t sy;
    size_t first, count; /* elements */
    int strips;
    ss_coef coef;
    double to_coarser;  /* D/D_coarse of the next grid */
    char *u[2], *g, *r; /* arrays; the present field is u[now] */
    int now;
} grid;

typedef struct scratch {
    ss_mg_plan plan;
    const ss_combine *combine;
    bool plane; /* rows are coupled */
    grid at[SS_MG_LEVELS_MAX];
    double *sum;    /* squared changes per strip of the finest grid, */
    double squares; /* and their sum */
    mg_line line;   /* the coarsest grid, if it is solved */
    int64_t left;   /* sweeps and solutions still to do: the microscope stops in a cycle */
} scratch;

/* --- one operation over a grid ---------------------------------------------------------------- */

/* Points [x, x + n) of row j. */
typedef struct piece {
    const ss_run *run;
    const scratch *s;
    const grid *at, *coarser;
    int x, n, j;
    size_t offset; /* bytes of point (x, j) in an array of the grid */
    double *sum;   /* NULL, or the piece's sum of squared changes */
    void *buffer;  /* n values, private */
} piece;

typedef void operation(const piece *p, const char *from, char *to);

static size_t size_of(const ss_run *run)
{
    return ss_prec_size(run->prec);
}

/* Runs an operation over all pieces. check: of the finest grid, with the sum of squared changes. */
static void over(const ss_run *run, int level, operation *what, const char *from, char *to,
                 bool check)
{
    scratch *s = run->scratch;
    const grid *g = &s->at[level];
    int64_t pieces = (int64_t)g->ny * g->strips;
    double cells = (double)g->nx * g->ny;
    int team = cells < CELLS_PER_THREAD ? 1 : ss_team_size(run, cells);
#pragma omp parallel for num_threads(team) schedule(static)
    for (int64_t k = 0; k < pieces; k++) {
        double buffer[STRIP];
        int strip = (int)(k % g->strips), j = (int)(k / g->strips), x = strip * STRIP;
        piece p = {.run = run,
                   .s = s,
                   .at = g,
                   .coarser = level + 1 < s->plan.levels ? g + 1 : NULL,
                   .x = x,
                   .n = g->nx - x < STRIP ? g->nx - x : STRIP,
                   .j = j,
                   .offset = (g->first + (size_t)(j * g->sy + x)) * size_of(run),
                   .sum = check ? s->sum + k : NULL,
                   .buffer = buffer};
        what(&p, from, to);
    }
    if (check)
        s->squares = ss_tree_sum(s->sum, (size_t)pieces);
}

static void jacobi_of(const piece *p, const char *from, void *out)
{
    ss_sweep box = {
        .nx = p->n, .ny = 1, .nz = 1, .in_sy = p->at->sy, .rhs_sy = p->at->sy, .sum = p->sum};
    if (p->sum)
        *p->sum = 0;
    p->run->eq->apply[p->run->prec](&p->at->coef, 0, from + p->offset, p->at->g + p->offset, out,
                                    &box);
}

static void damped(const piece *p, const char *from, char *to)
{
    jacobi_of(p, from, p->buffer);
    p->s->combine->relax(p->n, p->s->plan.omega, from + p->offset, p->buffer, to + p->offset);
}

static void colour(const piece *p, const char *from, char *to, int half)
{
    int first = ss_colour_first(p->s->plane, p->x, p->j, half);
    jacobi_of(p, from, p->buffer);
    p->s->combine->relax_colour(p->n, first, p->s->plan.omega, from + p->offset, p->buffer,
                                to + p->offset);
}

static void red(const piece *p, const char *from, char *to)
{
    colour(p, from, to, 0);
}

static void black(const piece *p, const char *from, char *to)
{
    colour(p, from, to, 1);
}

static void residual(const piece *p, const char *from, char *to)
{
    jacobi_of(p, from, to + p->offset);
    p->s->combine->add(p->n, -1, to + p->offset, from + p->offset, to + p->offset);
}

/* --- between grids, for one precision --------------------------------------------------------- */

/* Point I of the coarser grid is point 2 I + 1 of the finer one. */
#define BETWEEN(SCALAR, NAME)                                                                      \
    static void restrict_##NAME(const piece *p, const SCALAR *r, ptrdiff_t sy, SCALAR *out)        \
    {                                                                                              \
        SCALAR factor = (SCALAR)(p->at[-1].to_coarser / (p->s->plane ? 16 : 4));                   \
        for (int i = 0; i < p->n; i++, r += 2) {                                                   \
            const SCALAR *s = r - sy, *n = r + sy;                                                 \
            SCALAR row = (r[-1] + r[1]) + 2 * r[0];                                                \
            if (p->s->plane)                                                                       \
                row = (((s[-1] + s[1]) + (n[-1] + n[1])) + 2 * ((s[0] + n[0]) + (r[-1] + r[1]))) + \
                      4 * r[0];                                                                    \
            out[i] = factor * row;                                                                 \
        }                                                                                          \
    }                                                                                              \
    /* c: the coarser point at or before point 0; rows: those whose mean is taken. */              \
    static void correct_##NAME(const piece *p, const SCALAR *u, const SCALAR *c, ptrdiff_t up,     \
                               SCALAR *out)                                                        \
    {                                                                                              \
        for (int i = 0; i < p->n; i++) {                                                           \
            int at = (p->x + i + 1) / 2 - 1; /* of an odd point, and west of an even one */        \
            SCALAR e = (SCALAR)0.5 * (c[at] + c[at + up]);                                         \
            if ((p->x + i) % 2 == 0)                                                               \
                e = (SCALAR)0.5 * (e + (SCALAR)0.5 * (c[at + 1] + c[at + 1 + up]));                \
            out[i] = u[i] + e;                                                                     \
        }                                                                                          \
    }
BETWEEN(double, f64)
BETWEEN(float, f32)

/* A piece of the coarser grid: its right-hand side from the residual of the finer one, and its
 * first guess, zero. */
static void restrict_residual(const piece *p, const char *from, char *to)
{
    const grid *fine = p->at - 1;
    ptrdiff_t j = p->s->plane ? 2 * p->j + 1 : p->j;
    const char *r = from + (fine->first + (size_t)(j * fine->sy + 2 * p->x + 1)) * size_of(p->run);
    char *out = to + p->offset;
    if (p->run->prec == SS_F64)
        restrict_f64(p, (const double *)(const void *)r, fine->sy, (double *)(void *)out);
    else
        restrict_f32(p, (const float *)(const void *)r, fine->sy, (float *)(void *)out);
    memset(p->at->u[0] + p->offset, 0, (size_t)p->n * size_of(p->run));
}

/* u + the interpolated field of the coarser grid. An even row is between two of its rows. */
static void correct(const piece *p, const char *from, char *to)
{
    const grid *c = p->coarser;
    int row = p->s->plane ? (p->j + 1) / 2 - 1 : p->j;
    ptrdiff_t up = p->s->plane && p->j % 2 == 0 ? c->sy : 0;
    const char *at = c->u[c->now] + (c->first + (size_t)(row * c->sy)) * size_of(p->run);
    const char *u = from + p->offset;
    char *out = to + p->offset;
    if (p->run->prec == SS_F64)
        correct_f64(p, (const double *)(const void *)u, (const double *)(const void *)at, up,
                    (double *)(void *)out);
    else
        correct_f32(p, (const float *)(const void *)u, (const float *)(const void *)at, up,
                    (float *)(void *)out);
}

/* --- a cycle ---------------------------------------------------------------------------------- */

/* One more operation from the present field of a grid to its other one. */
static void apply(ss_run *run, int level, operation *what, bool check)
{
    scratch *s = run->scratch;
    grid *g = &s->at[level];
    over(run, level, what, g->u[g->now], g->u[1 - g->now], check);
    g->now = 1 - g->now;
}

static void smooth_jacobi(ss_run *run, int level, bool check)
{
    apply(run, level, damped, check);
}

static void smooth_red_black(ss_run *run, int level, bool check)
{
    apply(run, level, red, check);
    apply(run, level, black, false);
}

static void smooth(ss_run *run, int level, int sweeps, bool check)
{
    static void (*const how[SS_MG_NSMOOTHER])(ss_run * run, int level, bool check) = {
        [SS_MG_JACOBI] = smooth_jacobi, [SS_MG_RED_BLACK] = smooth_red_black};
    scratch *s = run->scratch;
    for (int i = 0; i < sweeps && s->left > 0; i++, s->left--)
        how[s->plan.smoother](run, level, check && i == 0);
}

static void solve(const ss_run *run, const grid *g)
{
    const scratch *s = run->scratch;
    size_t first = g->first * size_of(run);
    solve_line(&s->line, run->prec, g->g + first, g->u[g->now] + first);
}

/* Visits a grid and the coarser ones; check: with the norm of the field before its first sweep. */
static void visit(ss_run *run, int level, int shape, bool check)
{
    scratch *s = run->scratch;
    grid *g = &s->at[level];
    bool coarsest = level + 1 == s->plan.levels;
    if (coarsest && s->plan.solves) {
        if (check) /* the finest grid is a line */
            over(run, level, residual, g->u[g->now], g->r, true);
        if (s->left-- > 0)
            solve(run, g);
        return;
    }
    smooth(run, level, s->plan.pre, check);
    bool descends = !coarsest && s->left > 0;
    for (int i = 0; i < 2 && descends && s->left > 0 && !ss_run_abandoned(run); i++) {
        int next = ss_mg_shapes[shape].next[i];
        if (next < 0)
            break;
        if (i == 0) {
            over(run, level, residual, g->u[g->now], g->r, check && s->plan.pre == 0);
            g[1].now = 0;
            over(run, level + 1, restrict_residual, g->r, g[1].g, false);
        }
        visit(run, level + 1, next, false);
    }
    if (descends)
        apply(run, level, correct, false);
    smooth(run, level, s->plan.post, check && coarsest && s->plan.pre == 0);
}

/* The finest grid starts from the current field; its arrays are scratch, so that the field remains.
 * The cycle ends after `ticks` sweeps and solutions: then what the coarser grids have so far is
 * added, without any more sweep. */
static bool part_of_cycle(ss_run *run, int64_t ticks, bool check)
{
    ss_cpu_state *st = run->state;
    scratch *s = run->scratch;
    grid *g = &s->at[0];
    size_t bytes = g->count * size_of(run);
    memcpy(g->u[0], st->u[st->cur], bytes);
    g->g = st->rhs;
    g->now = 0;
    s->left = ticks;
    visit(run, 0, s->plan.shape, check);
    if (ss_run_abandoned(run))
        return false;
    memcpy(st->u[1 - st->cur], g->u[g->now], bytes);
    return true;
}

static bool cycle(ss_run *run, bool check)
{
    return part_of_cycle(run, INT64_MAX, check);
}

static double norm(const ss_run *run)
{
    const scratch *s = run->scratch;
    return run->coef.residual * sqrt(s->squares);
}

static bool peek(ss_run *run, int ticks)
{
    return part_of_cycle(run, ticks, false);
}

/* --- memory ----------------------------------------------------------------------------------- */

/* A halo of one point and of one row on each side; rows begin at cache lines. */
static void lay_out(const ss_run *run, scratch *s, int level)
{
    const ss_cpu_state *st = run->state;
    grid *g = &s->at[level];
    ss_problem p = ss_mg_level(&run->problem, level);
    ptrdiff_t line = SS_ALIGN / (ptrdiff_t)size_of(run);
    g->nx = p.nx;
    g->ny = p.ny;
    g->strips = (p.nx + STRIP - 1) / STRIP;
    g->sy = (p.nx + 2 * line) / line * line + line;
    g->first = (size_t)(line + g->sy);
    g->count = (size_t)(g->sy * (p.ny + 2) + 2 * line);
    if (level == 0) { /* as the run's own fields */
        g->sy = st->box.sy;
        g->first = st->box.first;
        g->count = st->box.count;
    }
    run->eq->coef(&p, &g->coef);
}

/* Two fields, the residual and, but for the finest grid, the right-hand side. */
static void place(const ss_run *run, scratch *s, size_t *bytes, char *memory)
{
    *bytes = 0;
    for (int l = 0; l < s->plan.levels; l++) {
        grid *g = &s->at[l];
        char **arrays[] = {&g->u[0], &g->u[1], &g->r, &g->g};
        size_t each = (g->count * size_of(run) + SS_ALIGN - 1) / SS_ALIGN * SS_ALIGN;
        for (int i = 0; i < (l > 0 ? 4 : 3); i++, *bytes += each)
            *arrays[i] = memory ? memory + *bytes : NULL;
        if (l + 1 < s->plan.levels)
            g->to_coarser = g->coef.residual / g[1].coef.residual;
    }
}

static int prepare(ss_run *run, ss_err *err)
{
    scratch *s = run->scratch;
    size_t bytes;
    s->plan = ss_mg_plan_of(&run->cfg, &run->problem);
    s->combine = ss_combine_of(run->prec);
    s->plane = run->eq->dim > 1;
    for (int l = 0; l < s->plan.levels; l++)
        lay_out(run, s, l);
    place(run, s, &bytes, NULL);
    const grid *last = &s->at[s->plan.levels - 1];
    char *memory = ss_cpu_alloc(run, bytes, "the grids", err);
    s->sum = ss_cpu_alloc(run, (size_t)s->at[0].ny * (size_t)s->at[0].strips * sizeof *s->sum,
                          "sums of the rows", err);
    if (!memory || !s->sum)
        return SS_FAIL;
    place(run, s, &bytes, memory);
    return make_line(&s->line, run, &last->coef, last->nx, last->ny, last->sy, err);
}

static const ss_cpu_schedule schedule = {
    .scratch = sizeof(scratch), .prepare = prepare, .cycle = cycle, .norm = norm, .peek = peek};

const ss_engine_ops ss_cpu_multigrid = {
    SS_CPU_TICKS("multigrid", &schedule),
    .caps = SS_CAP_EXACT | SS_CAP_TICK,
    SS_PARAMS(params),
};
