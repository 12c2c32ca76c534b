/*
 * Multigrid on the GPU: the arrays of the grids, and a cycle as a series of launches in the order
 * of kernels/cpu/multigrid.c. The kernels are in passes.cuh, tiles.cuh and small.cuh. Host code;
 * engine thread.
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

#include "kernels/cuda/device/graph.cuh"
#include "kernels/cuda/device/slabs.cuh"
#include "kernels/cuda/multigrid/engine_ops.h"
#include "kernels/cuda/multigrid/small.cuh"
#include "kernels/cuda/multigrid/tiles.cuh"

#define ROW_BYTES 128           /* rows start at multiples of this */
#define GRAPH_LAUNCHES_MAX 4096 /* recording more takes longer than it saves */
#define NORM_BLOCKS 4           /* per processor: as many as are resident at once */

struct mg_level {
    ss_coef coef;
    int nx, ny;
    ptrdiff_t sy;
    size_t first, count; /* elements */
    char *u[2], *g, *r;  /* arrays; of the finest grid u[0] and g are the run's, and NULL here */
    tile_plan tiles;     /* of the smoother `shared` */
};

struct mg_plan {
    ss_mg_plan mg;
    mg_level at[SS_MG_LEVELS_MAX];
    int k;      /* subiterations of a sweep of the smoother `shared`, else 1 */
    int small;  /* the first grid that mg_small_grids visits; mg.levels: none */
    int passes; /* over the finest grid, from a field to another one */
    int norm_blocks;
    char *memory;
    double *line; /* divisors and factors of the coarsest line */
    double west;
    cudaGraphExec_t graph[2][2]; /* [parity][norm]; NULL: not recorded */
};

/* A cycle that is being launched. */
struct mg_cycle {
    const ss_run *run;
    const mg_plan *p;
    int parity;
    cudaStream_t stream;
    int left;                  /* passes over the finest grid to come */
    int now[SS_MG_LEVELS_MAX]; /* coarser grids: the present field is u[now] */
};

static mg_plan *plan_of(const ss_run *run)
{
    return (mg_plan *)((const ss_cuda_cycles *)run->scratch)->own;
}

static bool solves(const mg_plan *p, int level)
{
    return level + 1 == p->mg.levels && p->mg.solves;
}

/* mg_small_grids has no tiles: it visits grids that are one tile, whose frozen halo is the
 * boundary, and a sweep is k passes there. */
static int passes_of_sweeps(const mg_plan *p, int level, int sweeps)
{
    if (level >= p->small)
        sweeps *= p->k;
    return p->mg.smoother == SS_MG_RED_BLACK ? 2 * sweeps : sweeps;
}

/* Passes of one visit over a grid, from a field to another one. */
static int passes_of(const mg_plan *p, int level)
{
    if (solves(p, level))
        return 0;
    return passes_of_sweeps(p, level, p->mg.pre + p->mg.post) + (level + 1 < p->mg.levels);
}

/* --- arguments of kernels --------------------------------------------------------------------- */

template <class E> static typename E::real *at_first(const mg_level &l, void *array)
{
    return array ? (typename E::real *)array + l.first : NULL;
}

template <class E> static mg_grid<E> grid_of(const mg_cycle &c, int level)
{
    typedef typename E::real T;
    const mg_level &l = c.p->at[level];
    mg_grid<E> out;
    for (int i = 0; i < 2; i++)
        out.u[i] = at_first<E>(l, l.u[i]);
    out.r = at_first<E>(l, l.r);
    out.restricted = at_first<E>(l, l.g);
    out.g = level > 0 ? out.restricted : at_first<E>(l, ss_cuda_of(c.run)->rhs);
    out.nx = l.nx;
    out.ny = l.ny;
    out.sy = l.sy;
    for (int i = 0; i < 4; i++)
        out.update.c[i] = (T)l.coef.c[i];
    bool more = level + 1 < c.p->mg.levels;
    double ratio = more ? l.coef.residual / c.p->at[level + 1].coef.residual : 0;
    out.weight = (T)(ratio / (E::dim > 1 ? 16 : 4));
    return out;
}

template <typename T> static mg_relaxation<T> relaxation_of(const mg_plan *p)
{
    return mg_relaxation<T>{(T)(1 - p->mg.omega), (T)p->mg.omega};
}

/* Does the coarsest line run along x? In 1D every row is one. */
static bool along_x(const ss_run *run, const mg_level &l)
{
    return l.nx > 1 || run->problem.dim == 1;
}

static mg_line line_of(const ss_run *run, const mg_plan *p)
{
    const mg_level &l = p->at[p->mg.levels - 1];
    bool x = along_x(run, l);
    mg_line out;
    out.length = x ? l.nx : l.ny;
    out.lines = run->problem.dim == 1 ? l.ny : 1;
    out.divisor = p->line;
    out.factor = p->line + out.length;
    out.west = p->west;
    out.step = x ? 1 : l.sy;
    out.next = l.sy;
    return out;
}

/* --- fields ----------------------------------------------------------------------------------- */

/* The field of the finest grid when `left` passes are to come. */
static void *finest(const mg_cycle &c, int left)
{
    const ss_cuda_state *st = ss_cuda_of(c.run);
    if (left == c.p->passes)
        return st->u[c.parity];
    return left % 2 ? c.p->at[0].u[1] : st->u[1 - c.parity];
}

template <class E> static typename E::real *present(const mg_cycle &c, int level)
{
    const mg_level &l = c.p->at[level];
    return at_first<E>(l, level > 0 ? l.u[c.now[level]] : finest(c, c.left));
}

/* Where the next pass stores. */
template <class E> static typename E::real *other(const mg_cycle &c, int level)
{
    const mg_level &l = c.p->at[level];
    return at_first<E>(l, level > 0 ? l.u[1 - c.now[level]] : finest(c, c.left - 1));
}

static void passed(mg_cycle &c, int level, int passes)
{
    if (level > 0)
        c.now[level] = (c.now[level] + passes) & 1;
    else
        c.left -= passes;
}

/* --- launches --------------------------------------------------------------------------------- */

template <class E> static dim3 threads_of()
{
    return E::dim > 1 ? dim3(32, MG_THREADS / 32) : dim3(MG_THREADS);
}

template <class E> static int tiles_of(const mg_level &l, int rows)
{
    dim3 t = threads_of<E>();
    return ceil_div(l.nx, t.x) * ceil_div(l.ny, (int64_t)t.y * rows);
}

template <class E, mg_pass P>
static void launch_pass(const mg_cycle &c, int level, typename E::real *to, bool norm)
{
    typedef typename E::real T;
    int tiles = tiles_of<E>(c.p->at[level], mg_rows<E>), blocks = tiles;
    if (norm && c.p->norm_blocks < tiles)
        blocks = c.p->norm_blocks;
    launch_kernel(norm ? mg_sweep<P, E, true> : mg_sweep<P, E, false>, blocks, threads_of<E>(), 0,
                  c.stream, grid_of<E>(c, level), present<E>(c, level), to, relaxation_of<T>(c.p),
                  tiles, ((ss_cuda_cycles *)c.run->scratch)->partial, ss_cuda_of(c.run)->control);
}

template <class E, mg_pass P> static void apply(mg_cycle &c, int level, bool norm)
{
    launch_pass<E, P>(c, level, other<E>(c, level), norm);
    passed(c, level, 1);
}

/* --- sweeps of the smoothers ------------------------------------------------------------------ */

template <class E> static void sweep_damped(mg_cycle &c, int level, bool norm)
{
    apply<E, MG_DAMPED>(c, level, norm);
}

template <class E> static void sweep_red_black(mg_cycle &c, int level, bool norm)
{
    apply<E, MG_RED>(c, level, norm);
    apply<E, MG_BLACK>(c, level, false);
}

template <class E> static void sweep_tiles(mg_cycle &c, int level, bool norm)
{
    typedef typename E::real T;
    const tile_plan &t = c.p->at[level].tiles;
    mg_grid<E> at = grid_of<E>(c, level);
    ss_cuda_sweep<T> a = {present<E>(c, level),
                          at.g,
                          other<E>(c, level),
                          at.nx,
                          at.ny,
                          at.sy,
                          ((ss_cuda_cycles *)c.run->scratch)->partial,
                          ss_cuda_of(c.run)->control};
    launch_kernel(mg_tile_kernel<E>(norm), t.blocks, t.threads, t.bytes, c.stream, a, at.update,
                  relaxation_of<T>(c.p), tile_args{c.p->k, t.tiling});
    passed(c, level, 1);
}

template <class E> static void smooth(mg_cycle &c, int level, int sweeps, bool norm)
{
    static void (*const sweep[SS_MG_NSMOOTHER])(mg_cycle &, int, bool) = {
        sweep_damped<E>, sweep_red_black<E>, sweep_tiles<E>}; /* in the order of the choices */
    for (int i = 0; i < sweeps; i++)
        sweep[c.p->mg.smoother](c, level, norm && i == 0);
}

/* --- other launches --------------------------------------------------------------------------- */

template <class E> static void residual(mg_cycle &c, int level, bool norm)
{
    launch_pass<E, MG_RESIDUAL>(c, level, at_first<E>(c.p->at[level], c.p->at[level].r), norm);
}

template <class E> static void restrict_residual(mg_cycle &c, int level)
{
    c.now[level + 1] = 0;
    launch_kernel(mg_restrict<E>, tiles_of<E>(c.p->at[level + 1], 1), threads_of<E>(), 0, c.stream,
                  grid_of<E>(c, level), grid_of<E>(c, level + 1),
                  &ss_cuda_of(c.run)->control->stop);
}

template <class E> static void correct(mg_cycle &c, int level)
{
    launch_kernel(mg_correct<E>, tiles_of<E>(c.p->at[level], 1), threads_of<E>(), 0, c.stream,
                  grid_of<E>(c, level), present<E>(c, level + 1), c.p->at[level + 1].sy,
                  present<E>(c, level), other<E>(c, level), &ss_cuda_of(c.run)->control->stop);
    passed(c, level, 1);
}

/* The solution replaces the field; on the finest grid it is the result of the cycle. */
template <class E> static void solve(const mg_cycle &c, int level)
{
    typedef typename E::real T;
    const mg_level &l = c.p->at[level];
    mg_line line = line_of(c.run, c.p);
    T *u = level > 0 ? present<E>(c, level) : at_first<E>(l, ss_cuda_of(c.run)->u[1 - c.parity]);
    launch_kernel(mg_lines<T>, ceil_div(line.lines, MG_THREADS), MG_THREADS, 0, c.stream, line,
                  grid_of<E>(c, level).g, u, &ss_cuda_of(c.run)->control->stop);
}

template <class E> static void small_grids(mg_cycle &c, int level, int shape)
{
    const mg_plan *p = c.p;
    mg_small<E> s;
    for (int l = level; l < p->mg.levels; l++)
        s.at[l - level] = grid_of<E>(c, l);
    s.relax = relaxation_of<typename E::real>(p);
    s.line = line_of(c.run, p);
    s.last = p->mg.levels - 1 - level;
    s.pre = p->k * p->mg.pre;
    s.post = p->k * p->mg.post;
    s.solves = p->mg.solves;
    s.red_black = p->mg.smoother == SS_MG_RED_BLACK;
    for (int i = 0; i < SS_MG_NSHAPE; i++)
        s.shapes[i] = ss_mg_shapes[i];
    launch_kernel(mg_small_grids<E>, 1, MG_SMALL_THREADS, 0, c.stream, s, shape, c.now[level],
                  &ss_cuda_of(c.run)->control->stop);
    passed(c, level, passes_of(p, level));
}

/* --- a cycle ---------------------------------------------------------------------------------- */

template <class E> static void visit(mg_cycle &c, int level, int shape, bool norm);

/* The grid below, and the correction from it. */
template <class E> static void visit_coarser(mg_cycle &c, int level, int shape, bool norm)
{
    residual<E>(c, level, norm);
    restrict_residual<E>(c, level);
    for (int next : ss_mg_shapes[shape].next)
        if (next >= 0)
            visit<E>(c, level + 1, next, false);
    correct<E>(c, level);
}

/* The grid is the coarsest one, and a point or lines. */
template <class E> static void visit_lines(mg_cycle &c, int level, bool norm)
{
    if (norm)
        residual<E>(c, level, true);
    solve<E>(c, level);
}

/* Visits a grid and the coarser ones; norm: made by the first pass. */
template <class E> static void visit(mg_cycle &c, int level, int shape, bool norm)
{
    const ss_mg_plan &mg = c.p->mg;
    bool coarsest = level + 1 == mg.levels, later = norm && mg.pre == 0;
    if (level >= c.p->small) {
        small_grids<E>(c, level, shape);
        return;
    }
    if (solves(c.p, level)) {
        visit_lines<E>(c, level, norm);
        return;
    }
    smooth<E>(c, level, mg.pre, norm);
    if (!coarsest)
        visit_coarser<E>(c, level, shape, later);
    smooth<E>(c, level, mg.post, later && coarsest);
}

template <class E>
static void cycle_of(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    const mg_plan *p = plan_of(run);
    mg_cycle c = {run, p, parity, stream, p->passes, {0}};
    visit<E>(c, 0, p->mg.shape, norm);
}

/* By update and precision; the other updates have no coarser grids. */
static ss_cuda_launch *const cycles[SS_CUDA_NUPDATE][SS_NPREC] = {
    {cycle_of<poisson_line<double>>, cycle_of<poisson_line<float>>},
    {cycle_of<poisson_plane<double>>, cycle_of<poisson_plane<float>>},
};

static void launch(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    cudaGraphExec_t graph = plan_of(run)->graph[parity][norm];
    if (graph)
        cudaGraphLaunch(graph, stream);
    else
        cycles[ss_cuda_of(run)->update][run->prec](run, parity, norm, stream);
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
    mg_plan *p = plan_of(run);
    cudaStream_t stream = ss_cuda_of(run)->stream;
    ss_cuda_launch *cycle = cycles[ss_cuda_of(run)->update][run->prec];
    for (int k = 0; k < 4; k++) {
        int parity = k / 2, norm = k % 2;
        auto launches = [=] {
            cycle(run, parity, norm, stream);
            return SS_OK;
        };
        if (p->graph[parity][norm])
            continue;
        if (ss_cuda_record(stream, launches, &p->graph[parity][norm], err) != SS_OK)
            return SS_FAIL;
        SS_CUDA(cudaGraphUpload(p->graph[parity][norm], stream));
    }
    ((ss_cuda_cycles *)run->scratch)->loaded = true; /* with the graphs */
    return SS_OK;
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

static int make_grids(const ss_run *run, mg_plan *p, ss_err *err)
{
    for (int i = 0; i < p->mg.levels; i++)
        lay_out(run, p, i);
    size_t bytes = place(run, p, NULL);
    if (ss_cuda_alloc((void **)&p->memory, bytes, "the grids", err) != SS_OK)
        return SS_FAIL;
    place(run, p, p->memory);
    SS_CUDA(cudaMemsetAsync(p->memory, 0, bytes, ss_cuda_of(run)->stream)); /* the halos are 0 */
    return SS_OK;
}

/* What a Jacobi step makes of a 1 among zeros, beside it on the line. */
template <typename T> static double beside(const mg_level &l, int dim, bool x)
{
    T c = (T)l.coef.c[0], a = (T)l.coef.c[1];
    if (dim == 1)
        return (double)poisson1d((T)0, c, (T)1, (T)0);
    return (double)poisson2d((T)0, c, a, (T)x, (T)0, (T)!x, (T)0);
}

/* The elimination of the coarsest line, which has the same coefficients in every cycle. */
static int make_line(const ss_run *run, mg_plan *p, ss_err *err)
{
    const mg_level &l = p->at[p->mg.levels - 1];
    bool x = along_x(run, l);
    size_t n = (size_t)(x ? l.nx : l.ny);
    if (!p->mg.solves)
        return SS_OK;
    if (n > 1)
        p->west = run->prec == SS_F64 ? beside<double>(l, run->problem.dim, x)
                                      : beside<float>(l, run->problem.dim, x);
    double *host = (double *)malloc(2 * n * sizeof *host);
    if (!host)
        return ss_fail(err, "out of memory");
    for (size_t k = 0; k < n; k++) { /* Poisson's line has the same coefficient east and west */
        host[k] = 1 - (k > 0 ? p->west * host[n + k - 1] : 0);
        host[n + k] = p->west / host[k];
    }
    int status =
        ss_cuda_alloc_copy((void **)&p->line, host, 2 * n * sizeof *host, "the coarsest grid", err);
    free(host);
    return status;
}

/* --- prepare ---------------------------------------------------------------------------------- */

static void free_plan(void *own)
{
    mg_plan *p = (mg_plan *)own;
    for (auto &from : p->graph)
        for (cudaGraphExec_t graph : from)
            if (graph)
                cudaGraphExecDestroy(graph);
    cudaFree(p->memory);
    cudaFree(p->line);
    free(p);
}

/* Lines are tiles of their own. */
static bool is_one_tile(const ss_run *run, const ss_tiling &t)
{
    return t.x.count == 1 && (run->problem.dim == 1 || t.y.count == 1);
}

static bool is_small(const ss_run *run, const mg_plan *p, int level)
{
    const mg_level &l = p->at[level];
    bool tiled = p->mg.smoother == SS_MG_SHARED;
    return (int64_t)l.nx * l.ny <= MG_SMALL && (!tiled || is_one_tile(run, l.tiles.tiling));
}

/* The finest grid is never small, since its fields are the run's. */
static int first_small(const ss_run *run, const mg_plan *p)
{
    int level = 1;
    while (level < p->mg.levels && !is_small(run, p, level))
        level++;
    return level;
}

/* The tiles of the smoother `shared`, the finest grid's last: the run's costs are those. */
static int make_tiles(ss_run *run, mg_plan *p, ss_err *err)
{
    p->k = 1;
    if (p->mg.smoother != SS_MG_SHARED)
        return SS_OK;
    p->k = (int)ss_config_int(&run->cfg, "k");
    for (int i = p->mg.levels - 1; i >= 0; i--) {
        ss_problem at = ss_mg_level(&run->problem, i);
        if (mg_make_tiles(run, &at, &p->at[i].tiles, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

/* Sums of a norm. */
static size_t partial_sums(const mg_plan *p)
{
    int tiles = p->mg.smoother == SS_MG_SHARED ? p->at[0].tiles.blocks : 0;
    return (size_t)(tiles > p->norm_blocks ? tiles : p->norm_blocks);
}

static int make(ss_run *run, mg_plan *p, ss_err *err)
{
    ss_cuda_limits limits;
    p->mg = ss_mg_plan_of(&run->cfg, &run->problem);
    if (ss_cuda_get_limits(&limits, err) != SS_OK || make_grids(run, p, err) != SS_OK ||
        make_line(run, p, err) != SS_OK || make_tiles(run, p, err) != SS_OK)
        return SS_FAIL;
    p->small = first_small(run, p);
    p->passes = passes_of(p, 0);
    p->norm_blocks = NORM_BLOCKS * limits.processors;
    return ss_cuda_cycles_make(run, launch, partial_sums(p), p, free_plan, err);
}

int ss_cuda_multigrid_prepare(ss_run *run, ss_err *err)
{
    if (ss_cuda_slabs_of(run))
        return ss_cuda_slabs_refuse("solver multigrid", "solver jacobi or shared", err);
    mg_plan *p = (mg_plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    if (make(run, p, err) == SS_OK) {
        ss_cuda_cycles *c = (ss_cuda_cycles *)run->scratch;
        run->per_cycle.launches = launches_of(p);
        if (c->graphs && launches_of(p) <= GRAPH_LAUNCHES_MAX)
            c->enter = record;
        c->graphs = false; /* of many cycles */
        return SS_OK;
    }
    if (!run->scratch) /* else the scratch owns p, and ss_cuda_release frees it */
        free_plan(p);
    ss_cuda_release(run);
    return SS_FAIL;
}
