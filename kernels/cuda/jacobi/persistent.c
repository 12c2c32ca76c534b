/*
 * Persistent Jacobi on the GPU, host side: into which regions a grid is cut, the launches of the
 * kernel (persistent.cuh), and its norms. A cycle of the run is one iteration.
 *
 * Norms. An update is u' - u = r / D: r is the residual of the field u that the iteration STARTS
 * from, D the operator's diagonal (run->coef.residual). So iteration i of a launch measures field
 * i, the field after i iterations: |r| = D sqrt(sum of squared updates). Each warp stores its sum,
 * a small kernel adds them up in a fixed order.
 *
 * The run stops exactly at the tolerance. If field i meets it, but the launch went on to n > i
 * iterations, the launch is repeated from its start field, which is still in u[cur], with i
 * iterations. Engine thread.
 */
#include <math.h>

#include "kernels/cuda/jacobi/persistent.h"

#define SLOTS 7 /* as in halo_exchange.cuh */

/* slot_args<T> of halo_exchange.cuh. */
typedef struct slot_args {
    persistent_args all;
    void *slots;
    ptrdiff_t slot;
} slot_args;

typedef struct persistent {
    persistent_steps steps; /* squares: a copy of those below, in pinned host memory */
    const region_shape *shape;
    regions x, y;
    ss_cuda_kernel iterate[2], add; /* without and with norms; add_sums, a block per iteration */
    int warps;                      /* of all blocks */
    int exchanges;                  /* so far, modulo SLOTS: the number of the last one */
    void *slots;                    /* of the exchange, each as large as a field */
    double *sums;                   /* [iteration][warp]: squared updates, in device memory */
    double *squares;                /* [iteration]: their sums, in device memory */
} persistent;

static persistent *persistent_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

/* Also of a run on several devices. */
static const persistent_steps *steps_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

/* --- launches --------------------------------------------------------------------------------- */

static void iterate(const ss_run *run, int iterations, bool norm)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    persistent *s = persistent_of(run);
    ss_cuda_cycle_args w = ss_cuda_cycle_args_of(run, st->cur);
    ss_cuda_coefficients update = ss_cuda_coefficients_of(run);
    slot_args a = {
        .all = {.in = w.in,
                .rhs = w.rhs,
                .out = w.out,
                .sy = w.sy,
                .x = s->x,
                .y = s->y,
                .iterations = iterations,
                .exchanges_before = s->exchanges,
                .sums = s->sums},
        .slots = (char *)s->slots + st->box.first * ss_prec_size(run->prec),
        .slot = (ptrdiff_t)st->box.count,
    };
    if (s->x.count == 1 && (run->problem.dim == 1 || s->y.count == 1))
        a.all.x.every = iterations; /* no region has a neighbour: no exchange */
    ss_cuda_launch_kernel(&s->iterate[norm], st->stream, SS_ARGUMENTS(&a, &update));
    /* None after the last iteration: with every = 8, 17 iterations have 2 exchanges, 16 have 1. */
    s->exchanges = (s->exchanges + (iterations - 1) / a.all.x.every) % SLOTS;
}

static void add_sums(const ss_run *run, int iterations)
{
    persistent *s = persistent_of(run);
    s->add.blocks.x = (unsigned)iterations;
    ss_cuda_launch_kernel(&s->add, ss_cuda_of(run)->stream,
                          SS_ARGUMENTS(&s->sums, &s->warps, &s->squares));
}

/* See persistent_steps. */
static int launch(ss_run *run, int iterations, bool norm, float *ms, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const persistent *s = persistent_of(run);
    SS_CUDA(ss_cu->event_record(st->begin, st->stream));
    iterate(run, iterations, norm);
    if (norm)
        add_sums(run, iterations);
    SS_CUDA(ss_cuda_launch_error());
    SS_CUDA(ss_cu->event_record(st->end, st->stream));
    if (norm)
        SS_CUDA(ss_cu->copy(s->steps.squares, s->squares, (size_t)iterations * sizeof *s->squares,
                            st->stream));
    SS_CUDA(ss_cu->stream_wait(st->stream));
    SS_CUDA(ss_cu->event_ms(ms, st->begin, st->end));
    return SS_OK;
}

/* --- prepare ---------------------------------------------------------------------------------- */

/* Takes the first shape with at most as many regions as the device has SMs: one block per SM. */
static int choose_shape(const ss_run *run, ss_err *err)
{
    persistent *s = persistent_of(run);
    ss_cuda_limits limits;
    const ss_box *b = &ss_cuda_of(run)->box;
    int every = (int)ss_config_int(&run->cfg, "every");
    double most = 0;
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    for (s->shape = ss_cuda_persistent_shapes(run); s->shape->block.wx; s->shape++) {
        const block_shape *block = &s->shape->block;
        if ((s->shape->whole && shape_width(*block) < b->nx) ||
            ss_cuda_persistent_bytes(run, s->shape, false) > limits.block_bytes)
            continue;
        s->x = make_regions(b->nx, shape_width(*block), every);
        s->y = make_regions(b->ny, shape_height(*block), run->problem.dim > 1 ? every : 0);
        double blocks = (double)s->x.count * s->y.count;
        if (blocks <= limits.processors)
            return SS_OK;
        /* Owned points of an inner region, for the message. */
        double points = (double)(s->x.width - 2 * s->x.every) * (s->y.width - 2 * s->y.every);
        most = points > most ? points : most;
    }
    return ss_fail(err,
                   "persistent: %d \xc3\x97 %d points do not fit on the chip of %s, which holds "
                   "about %.0f thousand in this precision with every %d: choose a smaller n or "
                   "every, or another solver",
                   b->nx, b->ny, limits.name, most * limits.processors / 1000, every);
}

static int find(ss_run *run, ss_err *err)
{
    persistent *s = persistent_of(run);
    return ss_cuda_persistent_find(run, s->shape, s->x, s->y, false, s->iterate, err);
}

/* One block per region; all are resident at once. */
static int find_kernels(ss_run *run, ss_err *err)
{
    persistent *s = persistent_of(run);
    int blocks = s->x.count * s->y.count;
    s->warps = blocks * shape_warps(s->shape->block);
    for (int norm = 0; norm < 2; norm++) {
        s->iterate[norm].blocks.x = (unsigned)blocks;
        s->iterate[norm].cooperative = true;
    }
    s->add.threads.x = 128;
    s->add.ordinary = true;
    return find(run, err) == SS_OK
               ? ss_cuda_kernel_get(&s->add, err, "jacobi/fast/persistent.cuh", "add_sums")
               : SS_FAIL;
}

static int allocate_slots(const ss_run *run, ss_err *err)
{
    persistent *s = persistent_of(run);
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t count = SLOTS * st->box.count;
    ss_cuda_kernel fill = {.blocks = {256, 1, 1}, .threads = {256, 1, 1}, .ordinary = true};
    if (ss_cuda_keep(&ss_cuda_plan_of(run)->kept, &s->slots, count * ss_prec_size(run->prec),
                     "the halo strips", err) != SS_OK ||
        ss_cuda_kernel_get(&fill, err, "jacobi/fast/halo_exchange.cuh", "fill_with_nothing<%s>",
                           ss_cuda_real_name(run->prec)) != SS_OK)
        return SS_FAIL;
    ss_cuda_launch_kernel(&fill, st->stream, SS_ARGUMENTS(&s->slots, &count));
    SS_CUDA(ss_cuda_launch_error());
    return SS_OK;
}

static int allocate(const ss_run *run, ss_err *err)
{
    persistent *s = persistent_of(run);
    ss_cuda_kept *kept = &ss_cuda_plan_of(run)->kept;
    size_t warps = (size_t)s->warps;
    if (allocate_slots(run, err) != SS_OK ||
        ss_cuda_keep(kept, (void **)&s->sums, warps * CHECKED_CHUNK * sizeof *s->sums,
                     "sums of warps", err) != SS_OK ||
        ss_cuda_keep(kept, (void **)&s->squares, CHECKED_CHUNK * sizeof *s->squares, "the norms",
                     err) != SS_OK)
        return SS_FAIL;
    return ss_cuda_keep_pinned(kept, (void **)&s->steps.squares,
                               CHECKED_CHUNK * sizeof *s->steps.squares, "a copy of the norms",
                               err);
}

static int make(ss_run *run, ss_cuda_plan *plan, ss_err *err)
{
    ((persistent *)plan->own)->steps.launch = launch;
    if (choose_shape(run, err) != SS_OK || find_kernels(run, err) != SS_OK)
        return SS_FAIL;
    return allocate(run, err);
}

static const ss_cuda_solver alone = {sizeof(persistent), make, .find = find};

int ss_cuda_persistent_prepare(ss_run *run, ss_err *err)
{
    bool several = ss_cuda_slabs_of(run);
    return ss_cuda_prepare(run, several ? &ss_cuda_persistent_devices : &alone, err);
}

/* --- step ------------------------------------------------------------------------------------- */

/* Iterations until the next residual check, at least 1. */
static int64_t until_check(const ss_run *run)
{
    if (run->check_every <= 0)
        return INT64_MAX;
    return run->check_every - run->cycle % run->check_every;
}

/* Reports the n iterations of a launch to the run, and the norms that it asks for. Returns n, or i
 * if the norm of field i ended the run: field i, after iterations 0 to i - 1, is the result.
 * earlier: seconds of this step before the launch; seconds: of the launch. */
static int report(ss_run *run, int n, double earlier, double seconds)
{
    for (int i = 0; i < n; i++) {
        run->step_seconds = earlier + seconds * i / n;
        if (ss_run_wants_norm(run) &&
            !ss_run_norm(run, run->coef.residual * sqrt(steps_of(run)->squares[i])))
            return i;
        ss_run_cycle_done(run);
    }
    return n;
}

/* If the residual is checked at least every fourth iteration, launches compute all norms. Otherwise
 * they compute none and end at the next check, and one iteration with a norm follows. A repeated
 * launch does not count in the step's time. */
int ss_cuda_persistent_step(ss_run *run, int64_t cycles, ss_err *err)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    double earlier = 0;
    ss_cuda_use(st->device);
    if (ss_cuda_plan_find(run, err) != SS_OK)
        return SS_FAIL;
    while (cycles > 0 && !ss_run_abandoned(run)) {
        bool norm = run->check_every > 0 && run->check_every <= 4;
        int64_t allowed = norm ? CHECKED_CHUNK : ss_run_wants_norm(run) ? 1 : until_check(run);
        norm = norm || ss_run_wants_norm(run);
        int64_t n = cycles < allowed ? cycles : allowed;
        n = n < CHUNK ? n : CHUNK;
        float ms = 0;
        if (steps_of(run)->launch(run, (int)n, norm, &ms, err) != SS_OK)
            return SS_FAIL;
        double seconds = (double)ms * 1e-3;
        int done = report(run, (int)n, earlier, seconds);
        earlier += seconds;
        if (done < n) { /* the run ended with field `done`: compute it from the same start */
            if (done > 0 && steps_of(run)->launch(run, done, false, &ms, err) != SS_OK)
                return SS_FAIL;
            st->cur = done > 0 ? 1 - st->cur : st->cur;
            run->start_kept = false;
            break;
        }
        st->cur = 1 - st->cur;
        run->start_kept = n == 1; /* else the other buffer is not the last iteration's start */
        run->step_seconds = earlier;
        cycles -= n;
    }
    return SS_OK;
}

/* --- shapes of regions ------------------------------------------------------------------------ */

/* In the last two a warp has 32 lanes with 11 points in x and 4 rows, which are 4 lines: 4 warps in
 * x cover 4 * 32 * 11 = 1408 points, 2 in y 8 lines. Both hold 11264 points. In the others a warp
 * has whole lines: no warp waits for another, and nothing is exchanged. */
static const region_shape lines[] = {
    {{32, 8, 4, 0, 1, 8}, true},   /* up to  256 points of 32 lines */
    {{32, 16, 2, 0, 1, 8}, true},  /*        512           16 */
    {{32, 32, 1, 0, 1, 8}, true},  /*       1024            8 */
    {{32, 11, 4, 0, 4, 2}, false}, /* 1408 points of 8 lines */
    {{32, 11, 4, 0, 8, 1}, false}, /* 2816 points of 4 lines */
    {{0}, false},
};

#define PLANE_COLUMNS 4 /* columns per lane */

static const region_shape planes[] = {
    {{16, PLANE_COLUMNS, 8, 0, 1, 4}, false},   /*  64 x  64 points */
    {{32, PLANE_COLUMNS, 11, 0, 1, 8}, false},  /* 128 x  88 */
    {{32, PLANE_COLUMNS, 13, 0, 1, 12}, false}, /* 128 x 156; in double precision right-hand sides
                                                   are in shared memory */
    {{0}, false},
};

const region_shape *ss_cuda_persistent_shapes(const ss_run *run)
{
    return run->problem.dim > 1 ? planes : lines;
}

/* Chooses the rows of a lane whose right-hand sides are in shared memory, to avoid register spills:
 * all of them if the registers cannot hold them beside the points. With a norm or frozen points, a
 * thread is estimated to need 2 * R rows for u and rhs, and 80 registers for everything else;
 * without either 80 are not needed, and no row moves. If the need exceeds `most`, the registers of
 * a thread, as many whole rows move as free at least 28, or 32 for several devices: stores for
 * another device need a few registers more. Planes in double precision: a row has 4 * 2 = 8
 * registers, 2 * 11 * 8 + 80 = 256 > 255, ceil(28 / 8) = 4 rows move. Lines: a row has 11 * 2 = 22,
 * 2 rows move. tests/lint/kernels.sh lists the kernels that spill nevertheless. */
static block_shape with_smem_rows(block_shape s, ss_prec prec, bool norm_or_frozen, bool devices)
{
    const int fair = 65536 / (32 * shape_warps(s)), most = fair < 255 ? fair : 255;
    const int row = s.columns * (int)ss_prec_size(prec) / 4; /* registers of 32 bits */
    const int freed = devices ? 32 : 28;
    if (2 * s.rows * row > most)
        s.smem_rows = s.rows;
    else if (norm_or_frozen && 2 * s.rows * row + 80 > most)
        s.smem_rows = (freed + row - 1) / row;
    return s;
}

static size_t bytes_of(const ss_run *run, block_shape s)
{
    return (size_t)persistent_bytes(s, run->problem.dim, (int)ss_prec_size(run->prec));
}

size_t ss_cuda_persistent_bytes(const ss_run *run, const region_shape *s, bool devices)
{
    return bytes_of(run, with_smem_rows(s->block, run->prec, true, devices));
}

/* Is the grid smaller than a region? Then points outside it are frozen. */
static bool is_small(regions x, regions y)
{
    return x.n < x.width || y.n < y.width;
}

/* A grid_kind of persistent.cuh. Rows are whole on planes if n in x and `every` are multiples of a
 * lane's columns: so is then each end of a region and of what it owns, sends and receives
 * (regions.h), and rows are aligned to 16 bytes. (With one region in x n alone would do.) Lanes of
 * lines have 11 columns. */
static const char *kind_of(int dim, regions x, regions y)
{
    if (is_small(x, y))
        return "SMALL_GRID";
    bool whole = dim > 1 && x.n % PLANE_COLUMNS == 0 && x.every % PLANE_COLUMNS == 0;
    return whole ? "WHOLE_ROWS" : "ANY_POINTS";
}

int ss_cuda_persistent_find(const ss_run *run, const region_shape *s, regions x, regions y,
                            bool devices, ss_cuda_kernel k[2], ss_err *err)
{
    const char *update = ss_cuda_update_name(run, ss_cuda_plan_of(run)->fma);
    const char *arguments = devices ? "device_args" : "slot_args";
    for (int norm = 0; norm < 2; norm++) {
        block_shape b = with_smem_rows(s->block, run->prec, norm || is_small(x, y), devices);
        k[norm].threads = (ss_cu_dim){(unsigned)(32 * shape_warps(b)), 1, 1};
        k[norm].shared = bytes_of(run, b);
        if (ss_cuda_kernel_get(&k[norm], err, "jacobi/fast/persistent.cuh",
                               "persistent_jacobi<%s, warp_tile<%s, %d, %d, %d, %d>, %d, %d, %s, "
                               "%s, %s<%s>>",
                               update, update, b.lanes, b.columns, b.rows, b.smem_rows, b.wx, b.wy,
                               norm ? "true" : "false", kind_of(run->problem.dim, x, y), arguments,
                               ss_cuda_real_name(run->prec)) != SS_OK ||
            ss_cuda_kernel_raise(&k[norm], err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}
