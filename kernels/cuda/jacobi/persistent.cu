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
#include <stdlib.h>

#include "kernels/cuda/device/slabs.cuh"
#include "kernels/cuda/device/graph.cuh"
#include "kernels/cuda/jacobi/persistent_shapes.cuh"

struct persistent_plan {
    persistent_steps steps; /* squares: a copy of those below, in pinned host memory */
    const struct region_shape *shape;
    regions x, y;
    int blocks;
    int warps;       /* of all blocks */
    int exchanges;   /* so far, modulo SLOTS: the number of the last one */
    void *slots;     /* of the exchange, each as large as a field */
    double *sums;    /* [iteration][warp]: squared updates, in device memory */
    double *squares; /* [iteration]: their sums, in device memory */
};

static persistent_plan *plan_of(const ss_run *run)
{
    return (persistent_plan *)run->scratch;
}

/* Also of a run on several devices. */
static const persistent_steps *steps_of(const ss_run *run)
{
    return (const persistent_steps *)run->scratch;
}

/* --- kernels ---------------------------------------------------------------------------------- */

template <class E, class P, int WX, int WY>
static kernel_choice choose_kernel(bool norm, grid_kind kind)
{
    typedef slot_args<typename E::real> A;
    const grid_kind rows = P::DIM > 1 ? WHOLE_ROWS : ANY_POINTS; /* never on lines: kind_of */
    static kernel_choice (*const of[2][GRID_KINDS])() = {
        {instantiate<E, P, WX, WY, false, rows, A>, instantiate<E, P, WX, WY, false, ANY_POINTS, A>,
         instantiate<E, P, WX, WY, false, SMALL_GRID, A>},
        {instantiate<E, P, WX, WY, true, rows, A>, instantiate<E, P, WX, WY, true, ANY_POINTS, A>,
         instantiate<E, P, WX, WY, true, SMALL_GRID, A>},
    };
    return of[norm][kind]();
}

/* The update is passed by its address: all of them have the same members. */
template <typename T>
static int launch_kernel_of(const ss_run *run, const kernel_choice &c, int iterations, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    persistent_plan *s = plan_of(run);
    ss_cuda_sweep<T> w = sweep_of<T>(run, st->cur);
    slot_args<T> a;
    a.in = w.in;
    a.rhs = w.rhs;
    a.out = w.out;
    a.sy = w.sy;
    a.x = s->x;
    a.y = s->y;
    a.iterations = iterations;
    a.exchanges_before = s->exchanges;
    a.sums = s->sums;
    a.slots = (T *)s->slots + st->box.first;
    a.slot = (ptrdiff_t)st->box.count;
    pentadiagonal<T> update = equation<pentadiagonal<T>>(run);
    void *args[] = {&a, &update};
    if (s->x.count == 1 && (run->problem.dim == 1 || s->y.count == 1))
        a.x.every = iterations; /* no region has a neighbour: no exchange */
    SS_CUDA(
        cudaFuncSetAttribute(c.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)c.bytes));
    SS_CUDA(cudaLaunchCooperativeKernel(c.kernel, dim3((unsigned)s->blocks),
                                        dim3((unsigned)(32 * s->shape->warps)), args, c.bytes,
                                        st->stream));
    /* None after the last iteration: with every = 8, 17 iterations have 2 exchanges, 16 have 1. */
    s->exchanges = (s->exchanges + (iterations - 1) / a.x.every) % SLOTS;
    return SS_OK;
}

/* --- shapes of regions ------------------------------------------------------------------------ */

/* LX lanes of a warp in x, R rows of C points per lane, WX x WY warps per block; E: the update, F:
 * the same with fused multiply-add. */
template <class E, class F, int LX, int C, int R, int WX, int WY>
static region_shape shape_of(bool whole = false)
{
    typedef warp_tile<E, LX, C, R> P;
    typedef warp_tile<F, LX, C, R> Q;
    return {P::WIDTH * WX,
            P::HEIGHT * WY,
            WX * WY,
            whole,
            {choose_kernel<E, P, WX, WY>, choose_kernel<F, Q, WX, WY>}};
}

template <class E, class F, int WX, int WY> static region_shape line_shape()
{
    return shape_of<E, F, 32, 11, 4, WX, WY>();
}

/* A warp has whole lines: no warp waits for another, and nothing is exchanged. */
template <class E, class F, int C, int R> static region_shape whole_lines()
{
    return shape_of<E, F, 32, C, R, 1, 8>(true);
}

template <class E, class F, int LX, int R, int WARPS> static region_shape plane_shape()
{
    return shape_of<E, F, LX, PLANE_COLUMNS, R, 1, WARPS>();
}

/* choose_shape tries them in this order. In the last two a warp has 32 lanes with 11 points in x
 * and 4 rows, which are 4 lines: 4 warps in x cover 4 * 32 * 11 = 1408 points, 2 in y 8 lines. Both
 * hold 11264 points. */
template <class E, class F = E> static const region_shape *lines()
{
    static const region_shape shapes[] = {
        whole_lines<E, F, 8, 4>(),  /* up to  256 points of 32 lines */
        whole_lines<E, F, 16, 2>(), /*        512           16 */
        whole_lines<E, F, 32, 1>(), /*       1024            8 */
        line_shape<E, F, 4, 2>(),   /* 1408 points of 8 lines */
        line_shape<E, F, 8, 1>(),   /* 2816 points of 4 lines */
        {},
    };
    return shapes;
}

template <class E, class F = E> static const region_shape *planes_f64()
{
    static const region_shape shapes[] = {
        plane_shape<E, F, 16, 8, 4>(),   /*  64 x  64 points */
        plane_shape<E, F, 32, 11, 8>(),  /* 128 x  88 */
        plane_shape<E, F, 32, 13, 12>(), /* 128 x 156, right-hand sides in shared memory */
        {},
    };
    return shapes;
}

template <class E, class F = E> static const region_shape *planes_f32()
{
    static const region_shape shapes[] = {
        plane_shape<E, F, 16, 8, 4>(),   /*  64 x  64 points */
        plane_shape<E, F, 32, 11, 8>(),  /* 128 x  88 */
        plane_shape<E, F, 32, 13, 12>(), /* 128 x 156 */
        {},
    };
    return shapes;
}

/* By update and precision. */
static const region_shape *(*const shapes[SS_CUDA_NUPDATE][SS_NPREC])() = {
    {lines<poisson_line<double>, fma_line<double>>, lines<poisson_line<float>, fma_line<float>>},
    {planes_f64<poisson_plane<double>, fma_plane<double>>,
     planes_f32<poisson_plane<float>, fma_plane<float>>},
    {lines<tridiagonal<double>>, lines<tridiagonal<float>>},
    {planes_f64<pentadiagonal<double>>, planes_f32<pentadiagonal<float>>},
};

/* --- prepare and release ---------------------------------------------------------------------- */

static int launch_shape(const ss_run *run, persistent_plan *s, int iterations, bool norm,
                        ss_err *err)
{
    grid_kind kind = kind_of(run->problem.dim, s->x, s->y);
    kernel_choice c = s->shape->choose[ss_cuda_fma(run)](norm, kind);
    return (run->prec == SS_F64 ? launch_kernel_of<double>
                                : launch_kernel_of<float>)(run, c, iterations, err);
}

static void release(ss_run *run)
{
    persistent_plan *s = plan_of(run);
    cudaFree(s->slots);
    cudaFree(s->sums);
    cudaFree(s->squares);
    cudaFreeHost(s->steps.squares);
    free(s);
    run->scratch = NULL;
}

/* Takes the first shape with at most as many regions as the device has SMs: one block per SM. */
static int choose_shape(const ss_run *run, persistent_plan *s, ss_err *err)
{
    ss_cuda_limits limits;
    const ss_box *b = &ss_cuda_of(run)->box;
    int every = (int)ss_config_int(&run->cfg, "every");
    double most = 0;
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    const region_shape *row = shapes[ss_cuda_of(run)->update][run->prec]();
    for (; row->warps; row++) {
        if ((row->whole && row->width < b->nx) ||
            row->choose[0](true, ANY_POINTS).bytes > limits.block_bytes)
            continue;
        s->x = make_regions(b->nx, row->width, every);
        s->y = make_regions(b->ny, row->height, run->problem.dim > 1 ? every : 0);
        s->shape = row;
        double blocks = (double)s->x.count * s->y.count;
        s->blocks = (int)blocks;
        s->warps = s->blocks * row->warps;
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

template <typename T> static __global__ void fill_with_nothing(T *p, size_t count)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        make_nothing(p[i]);
}

static int allocate_slots(const ss_run *run, persistent_plan *s, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t count = SLOTS * st->box.count;
    if (ss_cuda_alloc(&s->slots, count * ss_prec_size(run->prec), "the halo strips", err) != SS_OK)
        return SS_FAIL;
    if (run->prec == SS_F64)
        fill_with_nothing<<<256, 256, 0, st->stream>>>((double *)s->slots, count);
    else
        fill_with_nothing<<<256, 256, 0, st->stream>>>((float *)s->slots, count);
    SS_CUDA(cudaGetLastError());
    return SS_OK;
}

static int allocate(const ss_run *run, persistent_plan *s, ss_err *err)
{
    if (allocate_slots(run, s, err) != SS_OK)
        return SS_FAIL;
    if (ss_cuda_alloc((void **)&s->sums, (size_t)s->warps * CHECKED_CHUNK * sizeof *s->sums,
                      "sums of warps", err) != SS_OK ||
        ss_cuda_alloc((void **)&s->squares, CHECKED_CHUNK * sizeof *s->squares, "the norms", err) !=
            SS_OK ||
        ss_cuda_alloc_host((void **)&s->steps.squares, CHECKED_CHUNK * sizeof *s->steps.squares,
                           "a copy of the norms", err) != SS_OK)
        return SS_FAIL;
    return SS_OK;
}

static void launch_add_sums(const ss_run *run, int iterations)
{
    const persistent_plan *s = plan_of(run);
    add_sums<<<iterations, 128, 0, ss_cuda_of(run)->stream>>>(s->sums, s->warps, s->squares);
}

/* Has the driver load all kernels of a step, so that no step's time includes it. The launches are
 * recorded as a graph that never runs (device/graph.cuh): no field changes. One iteration has no
 * exchange, so that s->exchanges stays right. */
static int load(const ss_run *run, ss_err *err)
{
    persistent_plan *s = plan_of(run);
    auto launches = [=] {
        for (int norm = 0; norm < 2; norm++)
            if (launch_shape(run, s, 1, norm, err) != SS_OK)
                return SS_FAIL;
        launch_add_sums(run, 1);
        return SS_OK;
    };
    return ss_cuda_load(ss_cuda_of(run)->stream, launches, err);
}

/* See persistent_steps. */
static int launch(ss_run *run, int iterations, bool norm, float *ms, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    persistent_plan *s = plan_of(run);
    SS_CUDA(cudaEventRecord(st->begin, st->stream));
    if (launch_shape(run, s, iterations, norm, err) != SS_OK)
        return SS_FAIL;
    if (norm)
        launch_add_sums(run, iterations);
    SS_CUDA(cudaEventRecord(st->end, st->stream));
    if (norm)
        SS_CUDA(cudaMemcpyAsync(s->steps.squares, s->squares,
                                (size_t)iterations * sizeof *s->squares, cudaMemcpyDeviceToHost,
                                st->stream));
    SS_CUDA(cudaStreamSynchronize(st->stream));
    SS_CUDA(cudaEventElapsedTime(ms, st->begin, st->end));
    return SS_OK;
}

int ss_cuda_persistent_prepare(ss_run *run, ss_err *err)
{
    if (ss_cuda_slabs_of(run))
        return ss_cuda_persistent_prepare_devices(run, err);
    persistent_plan *s = (persistent_plan *)calloc(1, sizeof *s);
    if (!s)
        return ss_fail(err, "out of memory");
    run->scratch = s;
    s->steps.launch = launch;
    s->steps.release = release;
    if (choose_shape(run, s, err) == SS_OK && allocate(run, s, err) == SS_OK &&
        load(run, err) == SS_OK)
        return SS_OK;
    release(run);
    return SS_FAIL;
}

void ss_cuda_persistent_release(ss_run *run)
{
    if (run->scratch)
        steps_of(run)->release(run);
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
    ss_cuda_state *st = (ss_cuda_state *)run->state;
    double earlier = 0;
    while (cycles > 0 && !ss_run_abandoned(run)) {
        bool norm = run->check_every > 0 && run->check_every <= 4;
        int64_t allowed = norm ? CHECKED_CHUNK : ss_run_wants_norm(run) ? 1 : until_check(run);
        norm = norm || ss_run_wants_norm(run);
        int64_t n = cycles < allowed ? cycles : allowed;
        n = n < CHUNK ? n : CHUNK;
        float ms = 0;
        if (steps_of(run)->launch(run, (int)n, norm, &ms, err) != SS_OK)
            return SS_FAIL;
        int done = report(run, (int)n, earlier, ms * 1e-3);
        earlier += ms * 1e-3;
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
