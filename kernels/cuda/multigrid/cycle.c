/*
 * Multigrid on the GPU: the arrays of the grids, and a cycle as a series of launches in the order
 * of kernels/cpu/multigrid.c. The kernels are in passes.cuh and small.cuh. Host code; engine
 * thread.
 *
 * Which buffer holds what. A cycle starts from the run's u[parity], which stays, and ends in
 * u[1 - parity]. The finest grid needs one more array: its passes alternate between that array and
 * u[1 - parity], so that the last one of a cycle stores to u[1 - parity]. The first pass makes the
 * norm of u[parity] as well. If that norm ends the run, the launches after it store nothing, and
 * the run stays at u[parity].
 *
 * A cycle is recorded as a CUDA graph of its own: a run has few cycles, and a cycle many launches.
 */
#include <stdlib.h>

#include "kernels/cuda/device/plan.h"
#include "kernels/cuda/multigrid/arguments.h"
#include "kernels/solver/multigrid.h"

#define ROW_BYTES 128           /* rows start at multiples of this */
#define GRAPH_LAUNCHES_MAX 4096 /* recording more takes longer than it saves */
#define NORM_BLOCKS 4           /* per processor: as many as are resident at once */

typedef struct mg_level {
    ss_coef coef;
    int nx, ny;
    ptrdiff_t sy;
    size_t first, count; /* elements */
    char *u[2], *g, *r;  /* arrays; of the finest grid u[0] and g are the run's, and NULL here */
    int tiles;           /* of mg_sweep */
    /* The passes of a sweep of the smoother, the second of red-black only; and the residual. */
    ss_cuda_kernel sweep[2], residual;
    ss_cuda_kernel restriction, correction; /* to and from the next coarser grid */
} mg_level;

typedef struct mg_plan {
    ss_mg_plan mg;
    mg_level at[SS_MG_LEVELS_MAX];
    ss_cuda_kernel first;              /* the first pass of a cycle, with the norm */
    ss_cuda_kernel lines, small_grids; /* from grid `small` on */
    int small;  /* the first grid that mg_small_grids visits; mg.levels: none */
    int passes; /* over the finest grid, from a field to another one */
    char *memory;
    double *line; /* divisors and factors of the coarsest line */
    double west;
    ss_cu_graph graph[2][2]; /* [parity][norm]; NULL: not recorded */
} mg_plan;

/* A cycle that is being launched. */
typedef struct mg_cycle {
    const ss_run *run;
    const mg_plan *p;
    int parity;
    ss_cu_stream stream;
    int left;                  /* passes over the finest grid to come */
    int now[SS_MG_LEVELS_MAX]; /* coarser grids: the present field is u[now] */
} mg_cycle;

static mg_plan *plan_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

static bool solves(const mg_plan *p, int level)
{
    return level + 1 == p->mg.levels && p->mg.solves;
}

static int passes_of_sweep(const mg_plan *p)
{
    return p->mg.smoother == SS_MG_RED_BLACK ? 2 : 1;
}

/* Passes of one visit over a grid, from a field to another one. */
static int passes_of(const mg_plan *p, int level)
{
    if (solves(p, level))
        return 0;
    return (p->mg.pre + p->mg.post) * passes_of_sweep(p) + (level + 1 < p->mg.levels);
}

/* --- arguments of kernels --------------------------------------------------------------------- */

/* mg_grid<E> and mg_relaxation<T> of grid.cuh. */
typedef struct mg_grid {
    void *u[2], *r;
    const void *g;
    void *restricted;
    int nx, ny;
    ptrdiff_t sy;
    ss_cuda_real weight;
    ss_cuda_coefficients update;
} mg_grid;
typedef struct mg_relaxation {
    ss_cuda_real rest, w;
} mg_relaxation;

/* mg_small<E> of small.cuh. */
typedef struct mg_small {
    mg_grid at[MG_SMALL_LEVELS];
    mg_relaxation relax;
    mg_line line;
    int last;
    int pre, post;
    bool solves, red_black;
    ss_mg_shape shapes[SS_MG_NSHAPE];
} mg_small;

static void *at_first(const ss_run *run, const mg_level *l, void *array)
{
    return array ? (char *)array + l->first * ss_prec_size(run->prec) : NULL;
}

static ss_cuda_coefficients coefficients_of(const ss_run *run, const mg_level *l)
{
    ss_cuda_coefficients c;
    for (int i = 0; i < 4; i++)
        if (run->prec == SS_F64)
            c.f64[i] = l->coef.c[i];
        else
            c.f32[i] = (float)l->coef.c[i];
    return c;
}

static mg_grid grid_of(const mg_cycle *c, int level)
{
    const mg_level *l = &c->p->at[level];
    bool more = level + 1 < c->p->mg.levels;
    double ratio = more ? l->coef.residual / l[1].coef.residual : 0;
    mg_grid out = {
        .u = {at_first(c->run, l, l->u[0]), at_first(c->run, l, l->u[1])},
        .r = at_first(c->run, l, l->r),
        .restricted = at_first(c->run, l, l->g),
        .nx = l->nx,
        .ny = l->ny,
        .sy = l->sy,
        .weight = ss_cuda_real_of(c->run->prec, ratio / (c->run->problem.dim > 1 ? 16 : 4)),
        .update = coefficients_of(c->run, l),
    };
    out.g = level > 0 ? out.restricted : at_first(c->run, l, ss_cuda_of(c->run)->rhs);
    return out;
}

static mg_relaxation relaxation_of(const mg_cycle *c)
{
    return (mg_relaxation){ss_cuda_real_of(c->run->prec, 1 - c->p->mg.omega),
                           ss_cuda_real_of(c->run->prec, c->p->mg.omega)};
}

/* Does the coarsest line run along x? In 1D every row is one. */
static bool along_x(const ss_run *run, const mg_level *l)
{
    return l->nx > 1 || run->problem.dim == 1;
}

static mg_line line_of(const ss_run *run, const mg_plan *p)
{
    const mg_level *l = &p->at[p->mg.levels - 1];
    bool x = along_x(run, l);
    int length = x ? l->nx : l->ny;
    return (mg_line){
        .divisor = p->line,
        .factor = p->line + length,
        .west = p->west,
        .lines = run->problem.dim == 1 ? l->ny : 1,
        .length = length,
        .step = x ? 1 : l->sy,
        .next = l->sy,
    };
}

static const int *stop_of(const mg_cycle *c)
{
    return ss_cuda_of(c->run)->control->stop;
}

/* --- fields ----------------------------------------------------------------------------------- */

/* The field of the finest grid when `left` passes are to come. */
static void *finest(const mg_cycle *c, int left)
{
    const ss_cuda_state *st = ss_cuda_of(c->run);
    if (left == c->p->passes)
        return st->u[c->parity];
    return left % 2 ? c->p->at[0].u[1] : st->u[1 - c->parity];
}

static void *present(const mg_cycle *c, int level)
{
    const mg_level *l = &c->p->at[level];
    return at_first(c->run, l, level > 0 ? l->u[c->now[level]] : finest(c, c->left));
}

/* Where the next pass stores. */
static void *other(const mg_cycle *c, int level)
{
    const mg_level *l = &c->p->at[level];
    return at_first(c->run, l, level > 0 ? l->u[1 - c->now[level]] : finest(c, c->left - 1));
}

static void passed(mg_cycle *c, int level, int passes)
{
    if (level > 0)
        c->now[level] = (c->now[level] + passes) & 1;
    else
        c->left -= passes;
}

/* --- launches --------------------------------------------------------------------------------- */

/* k: a form of mg_sweep. */
static void launch_pass(const mg_cycle *c, int level, const ss_cuda_kernel *k, void *to)
{
    mg_grid at = grid_of(c, level);
    void *from = present(c, level);
    mg_relaxation relax = relaxation_of(c);
    ss_cuda_launch_kernel(k, c->stream,
                          SS_ARGUMENTS(&at, &from, &to, &relax, &c->p->at[level].tiles,
                                       &ss_cuda_plan_of(c->run)->partial,
                                       &ss_cuda_of(c->run)->control));
}

/* norm: the first pass makes it, too. */
static void sweep(mg_cycle *c, int level, bool norm)
{
    for (int i = 0; i < passes_of_sweep(c->p); i++) {
        const ss_cuda_kernel *k = norm && i == 0 ? &c->p->first : &c->p->at[level].sweep[i];
        launch_pass(c, level, k, other(c, level));
        passed(c, level, 1);
    }
}

static void smooth(mg_cycle *c, int level, int sweeps, bool norm)
{
    for (int i = 0; i < sweeps; i++)
        sweep(c, level, norm && i == 0);
}

static void residual(mg_cycle *c, int level, bool norm)
{
    const mg_level *l = &c->p->at[level];
    launch_pass(c, level, norm ? &c->p->first : &l->residual, at_first(c->run, l, l->r));
}

static void restrict_residual(mg_cycle *c, int level)
{
    mg_grid fine = grid_of(c, level), coarse = grid_of(c, level + 1);
    const int *stop = stop_of(c);
    c->now[level + 1] = 0;
    ss_cuda_launch_kernel(&c->p->at[level].restriction, c->stream,
                          SS_ARGUMENTS(&fine, &coarse, &stop));
}

static void correct(mg_cycle *c, int level)
{
    const mg_level *l = &c->p->at[level];
    mg_grid at = grid_of(c, level);
    void *coarse = present(c, level + 1), *from = present(c, level), *to = other(c, level);
    const int *stop = stop_of(c);
    ss_cuda_launch_kernel(&l->correction, c->stream,
                          SS_ARGUMENTS(&at, &coarse, &l[1].sy, &from, &to, &stop));
    passed(c, level, 1);
}

/* The solution replaces the field; on the finest grid it is the result of the cycle. */
static void solve(const mg_cycle *c, int level)
{
    const mg_level *l = &c->p->at[level];
    mg_line line = line_of(c->run, c->p);
    mg_grid at = grid_of(c, level);
    void *u =
        level > 0 ? present(c, level) : at_first(c->run, l, ss_cuda_of(c->run)->u[1 - c->parity]);
    const int *stop = stop_of(c);
    ss_cuda_launch_kernel(&c->p->lines, c->stream, SS_ARGUMENTS(&line, &at.g, &u, &stop));
}

static void small_grids(mg_cycle *c, int level, int shape)
{
    const mg_plan *p = c->p;
    mg_small s = {
        .relax = relaxation_of(c),
        .line = line_of(c->run, p),
        .last = p->mg.levels - 1 - level,
        .pre = p->mg.pre,
        .post = p->mg.post,
        .solves = p->mg.solves,
        .red_black = p->mg.smoother == SS_MG_RED_BLACK,
    };
    const int *stop = stop_of(c);
    for (int l = level; l < p->mg.levels; l++)
        s.at[l - level] = grid_of(c, l);
    for (int i = 0; i < SS_MG_NSHAPE; i++)
        s.shapes[i] = ss_mg_shapes[i];
    ss_cuda_launch_kernel(&p->small_grids, c->stream,
                          SS_ARGUMENTS(&s, &shape, &c->now[level], &stop));
    passed(c, level, passes_of(p, level));
}

/* --- a cycle ---------------------------------------------------------------------------------- */

static void visit(mg_cycle *c, int level, int shape, bool norm);

/* The grid below, and the correction from it. */
static void visit_coarser(mg_cycle *c, int level, int shape, bool norm)
{
    const int *next = ss_mg_shapes[shape].next;
    residual(c, level, norm);
    restrict_residual(c, level);
    for (int i = 0; i < 2; i++)
        if (next[i] >= 0)
            visit(c, level + 1, next[i], false);
    correct(c, level);
}

/* The grid is the coarsest one, and a point or lines. */
static void visit_lines(mg_cycle *c, int level, bool norm)
{
    if (norm)
        residual(c, level, true);
    solve(c, level);
}

/* Visits a grid and the coarser ones; norm: made by the first pass. */
static void visit(mg_cycle *c, int level, int shape, bool norm)
{
    const ss_mg_plan *mg = &c->p->mg;
    bool coarsest = level + 1 == mg->levels, later = norm && mg->pre == 0;
    if (level >= c->p->small) {
        small_grids(c, level, shape);
        return;
    }
    if (solves(c->p, level)) {
        visit_lines(c, level, norm);
        return;
    }
    smooth(c, level, mg->pre, norm);
    if (!coarsest)
        visit_coarser(c, level, shape, later);
    smooth(c, level, mg->post, later && coarsest);
}

static void cycle(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    const mg_plan *p = plan_of(run);
    mg_cycle c = {run, p, parity, stream, p->passes, {0}};
    visit(&c, 0, p->mg.shape, norm);
}

static void launch(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    ss_cu_graph graph = plan_of(run)->graph[parity][norm];
    if (graph)
        ss_cuda_note(ss_cu->graph_launch(graph, stream));
    else
        cycle(run, parity, norm, stream);
}

static double launches_of(const mg_plan *p)
{
    double sum = p->small < p->mg.levels ? ss_mg_visits(&p->mg, p->small) : 0;
    for (int l = 0; l < p->small; l++) {
        bool coarsest = l + 1 == p->mg.levels;
        double each = solves(p, l) ? 1 : passes_of(p, l) + (coarsest ? 0 : 2);
        sum += ss_mg_visits(&p->mg, l) * each;
    }
    return sum;
}

/* Before a step: records the cycles from both fields, with the norm and without. */
static int record(ss_run *run, ss_err *err)
{
    for (int k = 0; k < 4; k++)
        if (ss_cuda_record_cycle(run, cycle, k / 2, k % 2, &plan_of(run)->graph[k / 2][k % 2],
                                 err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

static void close_plan(ss_run *run)
{
    for (int k = 0; k < 4; k++)
        if (plan_of(run)->graph[k / 2][k % 2])
            ss_cu->graph_free(plan_of(run)->graph[k / 2][k % 2]);
}

/* --- memory ----------------------------------------------------------------------------------- */

/* A halo of one point and of one row on each side. The finest grid is laid out as the run's own
 * fields. */
static void lay_out(const ss_run *run, mg_plan *p, int level)
{
    const ss_box *b = &ss_cuda_of(run)->box;
    mg_level *l = &p->at[level];
    ss_problem at = ss_mg_level(&run->problem, level);
    ptrdiff_t line = ROW_BYTES / (ptrdiff_t)ss_prec_size(run->prec);
    l->nx = at.nx;
    l->ny = at.ny;
    l->sy = level > 0 ? (at.nx + line) / line * line + line : b->sy;
    l->first = level > 0 ? (size_t)(line + l->sy) : b->first;
    l->count = level > 0 ? (size_t)(l->sy * (at.ny + 2) + 2 * line) : b->count;
    run->eq->coef(&at, &l->coef);
}

/* Two fields, the residual and the right-hand side of each grid; the finest one has a field and the
 * right-hand side in the run. */
static size_t place(const ss_run *run, mg_plan *p, char *memory)
{
    size_t bytes = 0;
    for (int i = 0; i < p->mg.levels; i++) {
        mg_level *l = &p->at[i];
        char **arrays[] = {&l->u[1], &l->r, &l->u[0], &l->g};
        size_t each = (l->count * ss_prec_size(run->prec) + ROW_BYTES - 1) / ROW_BYTES * ROW_BYTES;
        for (int k = 0; k < (i > 0 ? 4 : 2); k++, bytes += each)
            *arrays[k] = memory ? memory + bytes : NULL;
    }
    return bytes;
}

/* Zeroed: the halos are 0. */
static int make_grids(const ss_run *run, mg_plan *p, ss_err *err)
{
    for (int i = 0; i < p->mg.levels; i++)
        lay_out(run, p, i);
    size_t bytes = place(run, p, NULL);
    if (ss_cuda_keep_zeroed(&ss_cuda_plan_of(run)->kept, (void **)&p->memory, bytes, "the grids",
                            ss_cuda_of(run)->stream, err) != SS_OK)
        return SS_FAIL;
    place(run, p, p->memory);
    return SS_OK;
}

/* What a Jacobi step makes of a 1 among zeros, beside it on the line: c, and in y c a. */
static double beside(ss_prec prec, const mg_level *l, bool x)
{
    double c = l->coef.c[0], a = x ? 1 : l->coef.c[1];
    if (prec == SS_F64)
        return c * a;
    float product = (float)c * (float)a;
    return (double)product;
}

/* The elimination of the coarsest line, which has the same coefficients in every cycle. */
static int make_line(const ss_run *run, mg_plan *p, ss_err *err)
{
    const mg_level *l = &p->at[p->mg.levels - 1];
    bool x = along_x(run, l);
    size_t n = (size_t)(x ? l->nx : l->ny), bytes = 2 * n * sizeof(double);
    if (!p->mg.solves)
        return SS_OK;
    if (n > 1)
        p->west = beside(run->prec, l, x);
    double *host = malloc(bytes);
    if (!host)
        return ss_fail(err, "out of memory");
    for (size_t k = 0; k < n; k++) { /* Poisson's line has the same coefficient east and west */
        host[k] = 1 - (k > 0 ? p->west * host[n + k - 1] : 0);
        host[n + k] = p->west / host[k];
    }
    int status = ss_cuda_keep_copy(&ss_cuda_plan_of(run)->kept, (void **)&p->line, host, bytes,
                                   "the coarsest grid", err);
    free(host);
    return status;
}

/* The finest grid is never small, since its fields are the run's. */
static int first_small(const mg_plan *p)
{
    int level = 1;
    while (level < p->mg.levels && (int64_t)p->at[level].nx * p->at[level].ny > MG_SMALL)
        level++;
    return level;
}

/* --- kernels ---------------------------------------------------------------------------------- */

/* A pass over a grid with `rows` rows per thread: one block per tile of it. */
static void cover(const ss_run *run, const mg_level *l, int rows, ss_cuda_kernel *k)
{
    bool plane = run->problem.dim > 1;
    ss_cu_dim threads = {plane ? 32 : MG_THREADS, plane ? MG_THREADS / 32 : 1, 1};
    k->threads = threads;
    int across = ceil_div(l->nx, threads.x), up = ceil_div(l->ny, (int64_t)threads.y * rows);
    k->blocks.x = (unsigned)(across * up);
}

/* A form of mg_sweep; pass: what it stores. With the norm its blocks loop over the tiles. */
static int find_pass(const ss_run *run, mg_level *l, const char *pass, bool norm, ss_cuda_kernel *k,
                     ss_err *err)
{
    unsigned most = NORM_BLOCKS * (unsigned)ss_cuda_attribute(SS_CU_PROCESSORS);
    cover(run, l, run->problem.dim > 1 ? MG_ROWS : 1, k);
    l->tiles = (int)k->blocks.x;
    if (norm && k->blocks.x > most)
        k->blocks.x = most;
    return ss_cuda_kernel_get(k, err, "multigrid/passes.cuh", "mg_sweep<%s, %s, %s>", pass,
                              ss_cuda_update_name(run, false), norm ? "true" : "false");
}

/* Pass i of a sweep of the smoother. */
static int find_smoother(ss_run *run, mg_level *l, int i, bool norm, ss_cuda_kernel *k, ss_err *err)
{
    static const char *const passes[][2] = {
        [SS_MG_JACOBI] = {"MG_DAMPED"}, [SS_MG_RED_BLACK] = {"MG_RED", "MG_BLACK"}};
    return find_pass(run, l, passes[plan_of(run)->mg.smoother][i], norm, k, err);
}

static int find_transfers(const ss_run *run, mg_level *l, ss_err *err)
{
    const char *update = ss_cuda_update_name(run, false);
    cover(run, l + 1, 1, &l->restriction);
    cover(run, l, 1, &l->correction);
    return ss_cuda_kernel_get(&l->restriction, err, "multigrid/passes.cuh", "mg_restrict<%s>",
                              update) == SS_OK
               ? ss_cuda_kernel_get(&l->correction, err, "multigrid/passes.cuh", "mg_correct<%s>",
                                    update)
               : SS_FAIL;
}

/* The kernels of a grid that is not small. */
static int find_level(ss_run *run, int level, ss_err *err)
{
    mg_plan *p = plan_of(run);
    mg_level *l = &p->at[level];
    if (solves(p, level)) {
        p->lines.threads.x = MG_THREADS;
        p->lines.blocks.x = (unsigned)ceil_div(line_of(run, p).lines, MG_THREADS);
        return ss_cuda_kernel_get(&p->lines, err, "multigrid/passes.cuh", "mg_lines<%s>",
                                  ss_cuda_real_name(run->prec));
    }
    for (int i = 0; i < passes_of_sweep(p); i++)
        if (find_smoother(run, l, i, false, &l->sweep[i], err) != SS_OK)
            return SS_FAIL;
    if (level + 1 == p->mg.levels)
        return SS_OK;
    return find_pass(run, l, "MG_RESIDUAL", false, &l->residual, err) == SS_OK
               ? find_transfers(run, l, err)
               : SS_FAIL;
}

/* The first pass of a cycle, with the norm: see visit. */
static int find_first(ss_run *run, ss_err *err)
{
    mg_plan *p = plan_of(run);
    bool smooths = !solves(p, 0) && (p->mg.pre > 0 || p->mg.levels == 1);
    return smooths ? find_smoother(run, &p->at[0], 0, true, &p->first, err)
                   : find_pass(run, &p->at[0], "MG_RESIDUAL", true, &p->first, err);
}

static int find_small(const ss_run *run, ss_err *err)
{
    mg_plan *p = plan_of(run);
    p->small_grids.threads.x = MG_SMALL_THREADS;
    return ss_cuda_kernel_get(&p->small_grids, err, "multigrid/small.cuh", "mg_small_grids<%s>",
                              ss_cuda_update_name(run, false));
}

static int find(ss_run *run, ss_err *err)
{
    const mg_plan *p = plan_of(run);
    if (p->small < p->mg.levels && find_small(run, err) != SS_OK)
        return SS_FAIL;
    for (int level = 0; level < p->small; level++)
        if (find_level(run, level, err) != SS_OK)
            return SS_FAIL;
    return find_first(run, err);
}

/* --- prepare ---------------------------------------------------------------------------------- */

static int make(ss_run *run, ss_cuda_plan *plan, ss_err *err)
{
    mg_plan *p = plan->own;
    p->mg = ss_mg_plan_of(&run->cfg, &run->problem);
    if (make_grids(run, p, err) != SS_OK || make_line(run, p, err) != SS_OK)
        return SS_FAIL;
    p->small = first_small(p);
    p->passes = passes_of(p, 0);
    if (find(run, err) != SS_OK ||
        ss_cuda_plan_cycles(run, launch, p->first.blocks.x, err) != SS_OK)
        return SS_FAIL;
    run->per_cycle.launches = launches_of(p);
    if (plan->graphs && launches_of(p) <= GRAPH_LAUNCHES_MAX)
        plan->enter = record;
    plan->graphs = false; /* of many cycles */
    return SS_OK;
}

static const ss_cuda_solver solver = {sizeof(mg_plan), make, .alone = "solver multigrid",
                                      .close = close_plan};

int ss_cuda_multigrid_prepare(ss_run *run, ss_err *err)
{
    return ss_cuda_prepare(run, &solver, err);
}
