/*
 * Persistent Jacobi on the GPU: which shape of region a grid is cut into, the launches of its
 * kernel (persistent.cuh), and its norms. Each warp leaves its sums of squared changes, an entry an
 * iteration; a small kernel adds them up in a fixed order. The run stops exactly, for if the
 * tolerance was met on the way the same start is run again for just so many iterations. Engine
 * thread.
 */
#include <stdlib.h>

#include "kernels/cuda/device/graph.cuh"
#include "kernels/cuda/jacobi/persistent.cuh"

#define CHUNK 2048        /* iterations of a launch without norms */
#define CHECKED_CHUNK 512 /* and with */

struct stayer {
    cuts x, y;
    int blocks, warps, epoch; /* warps: of all blocks */
    void *fringe[2];
    int *flag;
    double *sums, *squares, *host; /* [iteration][warp], [iteration]; pinned */
    const struct shape *shape;
};

/* Rows whose right-hand sides wait in shared memory: some 28 registers' worth, where a patch, what
 * is needed beside it (80) and a norm or frozen points are more than a thread may have. */
template <class P, int WARPS> static constexpr int rows_aside(bool norm, bool frozen)
{
    const int most = 65536 / (32 * WARPS) < 255 ? 65536 / (32 * WARPS) : 255;
    const int row = P::C * (int)sizeof(typename P::T) / 4;
    return (norm || frozen) && 2 * P::R * row + 80 > most ? (28 + row - 1) / row : 0;
}

/* A kernel and the shared memory of its blocks. */
struct staying {
    const void *kernel;
    size_t bytes;
};

template <class E, class P, int WX, int WY, bool NORM, bool FROZEN> static staying stay_of()
{
    typedef typename P::template aside<rows_aside<P, WX * WY>(NORM, FROZEN)> Q;
    return {(const void *)stay<E, Q, WX, WY, NORM, FROZEN>, sizeof(desk<Q, WX, WY>)};
}

template <class E, class P, int WX, int WY> static staying choose_stay(bool norm, bool frozen)
{
    const staying choice[2][2] = {
        {stay_of<E, P, WX, WY, false, false>(), stay_of<E, P, WX, WY, false, true>()},
        {stay_of<E, P, WX, WY, true, false>(), stay_of<E, P, WX, WY, true, true>()}};
    return choice[norm][frozen];
}

template <class E, class P, int WX, int WY>
static int launch_stay(const ss_run *run, stayer *s, int iterations, bool norm, ss_err *err)
{
    typedef typename E::real T;
    const ss_cuda_state *st = ss_cuda_of(run);
    ss_cuda_sweep<T> w = sweep_of<T>(run, st->cur);
    persistence<T> a;
    E update = equation<E>(run);
    a.in = w.in, a.rhs = w.rhs, a.out = w.out, a.sy = w.sy;
    for (int i = 0; i < 2; i++)
        a.fringe[i] = (T *)s->fringe[i] + st->box.first;
    a.x = s->x, a.y = s->y;
    a.iterations = iterations;
    a.epoch = s->epoch;
    a.flag = s->flag;
    a.sums = s->sums;
    void *args[] = {&a, &update};
    staying c = choose_stay<E, P, WX, WY>(norm, s->x.n < s->x.width || s->y.n < s->y.width);
    SS_CUDA(
        cudaFuncSetAttribute(c.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)c.bytes));
    SS_CUDA(cudaLaunchCooperativeKernel(c.kernel, dim3((unsigned)s->blocks), dim3(32 * WX * WY),
                                        args, c.bytes, st->stream));
    s->epoch += (iterations - 1) / s->x.every;
    return SS_OK;
}

/* A shape of region and its kernel; the first one whose blocks fit the device is taken. */
struct shape {
    int width, height, warps;
    int (*launch[2])(const ss_run *run, stayer *s, int iterations, bool norm,
                     ss_err *err); /* [even] */
};

#define SHAPE(E, T, LX, C, R, WX, WY)                                                              \
    {                                                                                              \
        LX *C *WX, 32 / LX *R *WY, WX *WY,                                                         \
        {                                                                                          \
            launch_stay<E<T>, patch<E<T>, LX, C, R>, WX, WY>,                                      \
                launch_stay<even_##E<T>, patch<even_##E<T>, LX, C, R>, WX, WY>                     \
        }                                                                                          \
    }

/* By direction and precision, smallest first. */
static const shape shapes[2][SS_NPREC][4] = {
    {{SHAPE(line, double, 32, 11, 4, 4, 2), SHAPE(line, double, 32, 11, 4, 8, 1)},
     {SHAPE(line, float, 32, 11, 4, 4, 2), SHAPE(line, float, 32, 11, 4, 8, 1)}},
    {{SHAPE(plane, double, 16, 4, 8, 1, 4), SHAPE(plane, double, 32, 4, 11, 1, 8)},
     {SHAPE(plane, float, 16, 4, 8, 1, 4), SHAPE(plane, float, 32, 4, 11, 1, 8),
      SHAPE(plane, float, 32, 4, 13, 1, 12)}},
};

static stayer *stayer_of(const ss_run *run)
{
    return (stayer *)run->scratch;
}

#define EPOCH_MOST (1 << 30) /* hours of exchanges; flags are numbers of 32 bits */

static int launch_shape(const ss_run *run, stayer *s, int iterations, bool norm, ss_err *err)
{
    if (s->epoch > EPOCH_MOST) { /* between launches nobody waits for a flag */
        SS_CUDA(cudaMemsetAsync(s->flag, 0, (size_t)s->blocks * sizeof *s->flag,
                                ss_cuda_of(run)->stream));
        s->epoch = 0;
    }
    return s->shape->launch[ss_cuda_even(run)](run, s, iterations, norm, err);
}

void ss_cuda_persistent_release(ss_run *run)
{
    stayer *s = stayer_of(run);
    if (!s)
        return;
    cudaFree(s->fringe[0]);
    cudaFree(s->fringe[1]);
    cudaFree(s->flag);
    cudaFree(s->sums);
    cudaFree(s->squares);
    cudaFreeHost(s->host);
    free(s);
    run->scratch = NULL;
}

static int choose(const ss_run *run, stayer *s, ss_err *err)
{
    ss_cuda_limits limits;
    const ss_box *b = &ss_cuda_of(run)->box;
    int every = (int)ss_config_int(&run->cfg, "every");
    double most = 0;
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    for (const shape *row = shapes[run->problem.dim > 1][run->prec]; row->warps; row++) {
        s->x = make_cuts(b->nx, row->width, every);
        s->y = make_cuts(b->ny, row->height, run->problem.dim > 1 ? every : 0);
        s->shape = row;
        double blocks = (double)s->x.count * s->y.count;
        s->blocks = (int)blocks;
        s->warps = s->blocks * row->warps;
        if (blocks <= limits.processors)
            return SS_OK;
        double points = (double)(s->x.width - 2 * s->x.every) * (s->y.width - 2 * s->y.every);
        most = points > most ? points : most;
    }
    return ss_fail(err,
                   "persistent: %d \xc3\x97 %d points do not fit on the chip of %s, which holds "
                   "about %.0f thousand in this precision with every %d: choose a smaller n or "
                   "every, or another solver",
                   b->nx, b->ny, limits.name, most * limits.processors / 1000, every);
}

static int allocate(const ss_run *run, stayer *s, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t bytes = st->box.count * ss_prec_size(run->prec);
    for (int i = 0; i < 2; i++)
        if (ss_cuda_alloc(&s->fringe[i], bytes, "the fringes", err) != SS_OK)
            return SS_FAIL;
    if (ss_cuda_alloc((void **)&s->flag, (size_t)s->blocks * sizeof *s->flag, "the flags", err) !=
            SS_OK ||
        ss_cuda_alloc((void **)&s->sums, (size_t)s->warps * CHECKED_CHUNK * sizeof *s->sums,
                      "sums of warps", err) != SS_OK ||
        ss_cuda_alloc((void **)&s->squares, CHECKED_CHUNK * sizeof *s->squares, "the norms", err) !=
            SS_OK ||
        ss_cuda_alloc_host((void **)&s->host, CHECKED_CHUNK * sizeof *s->host,
                           "a copy of the norms", err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaMemsetAsync(s->flag, 0, (size_t)s->blocks * sizeof *s->flag, st->stream));
    return SS_OK;
}

static void add_up_sums(const ss_run *run, int iterations)
{
    const stayer *s = stayer_of(run);
    add_up<<<iterations, 128, 0, ss_cuda_of(run)->stream>>>(s->sums, s->warps, s->squares);
}

/* All kernels of a step, before its clock runs. A launch of one iteration counts no exchange: the
 * epoch stays what it is. */
static int load(const ss_run *run, ss_err *err)
{
    stayer *s = stayer_of(run);
    auto launches = [=] {
        for (int norm = 0; norm < 2; norm++)
            if (launch_shape(run, s, 1, norm, err) != SS_OK)
                return SS_FAIL;
        add_up_sums(run, 1);
        return SS_OK;
    };
    return ss_cuda_load(ss_cuda_of(run)->stream, launches, err);
}

int ss_cuda_persistent_prepare(ss_run *run, ss_err *err)
{
    stayer *s = (stayer *)calloc(1, sizeof *s);
    if (!s)
        return ss_fail(err, "out of memory");
    run->scratch = s;
    if (choose(run, s, err) == SS_OK && allocate(run, s, err) == SS_OK && load(run, err) == SS_OK)
        return SS_OK;
    ss_cuda_persistent_release(run);
    return SS_FAIL;
}

/* So many iterations from u[cur] into the other buffer; their norms, if wanted, into host. */
static int launch(ss_run *run, int iterations, bool norm, float *ms, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    stayer *s = stayer_of(run);
    SS_CUDA(cudaEventRecord(st->begin, st->stream));
    if (launch_shape(run, s, iterations, norm, err) != SS_OK)
        return SS_FAIL;
    if (norm)
        add_up_sums(run, iterations);
    SS_CUDA(cudaEventRecord(st->end, st->stream));
    if (norm)
        SS_CUDA(cudaMemcpyAsync(s->host, s->squares, (size_t)iterations * sizeof *s->host,
                                cudaMemcpyDeviceToHost, st->stream));
    SS_CUDA(cudaStreamSynchronize(st->stream));
    SS_CUDA(cudaEventElapsedTime(ms, st->begin, st->end));
    return SS_OK;
}

/* Iterations up to the next look at the norm. */
static int64_t until_check(const ss_run *run)
{
    if (run->check_every <= 0)
        return INT64_MAX;
    return run->check_every - run->cycle % run->check_every;
}

/* Tells the run of n iterations with norms. Returns how many were done before it stopped. */
static int tell(ss_run *run, int n, double earlier, double seconds)
{
    for (int i = 0; i < n; i++) {
        run->step_seconds = earlier + seconds * i / n;
        if (ss_run_wants_norm(run) &&
            !ss_run_norm(run, run->coef.residual * sqrt(stayer_of(run)->host[i])))
            return i;
        ss_run_cycle_done(run);
    }
    return n;
}

int ss_cuda_persistent_step(ss_run *run, int64_t cycles, ss_err *err)
{
    ss_cuda_state *st = (ss_cuda_state *)run->state;
    double earlier = 0;
    while (cycles > 0 && !ss_run_abandoned(run)) {
        bool norm = run->check_every > 0 && run->check_every <= 4;
        int64_t free = norm ? CHECKED_CHUNK : ss_run_wants_norm(run) ? 1 : until_check(run);
        norm = norm || ss_run_wants_norm(run);
        int64_t n = cycles < free ? cycles : free;
        n = n < CHUNK ? n : CHUNK;
        float ms = 0;
        if (launch(run, (int)n, norm, &ms, err) != SS_OK)
            return SS_FAIL;
        int done = tell(run, (int)n, earlier, ms * 1e-3);
        earlier += ms * 1e-3;
        if (done < n) { /* it stopped on the way: the same start again, just so far */
            if (done > 0 && launch(run, done, false, &ms, err) != SS_OK)
                return SS_FAIL;
            st->cur = done > 0 ? 1 - st->cur : st->cur;
            run->start_kept = false;
            break;
        }
        st->cur = 1 - st->cur;
        run->start_kept = n == 1;
        run->step_seconds = earlier;
        cycles -= n;
    }
    return SS_OK;
}
