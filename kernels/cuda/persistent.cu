/*
 * Persistent Jacobi on the GPU: one launch for many iterations, a thread block per processor, and
 * the grid in their registers (patch.cuh). A block's region covers `every` points more than the
 * block owns on each side, except at the ends of the grid. Every `every` iterations the block
 * writes the outermost points it owns to memory, raises its flag, waits for the flags of the up to
 * eight blocks around it, and reads theirs. Two buffers by turns: a neighbour can be one exchange
 * ahead, never two. All blocks must run at once, which a cooperative launch makes sure of.
 *
 * Norms: each block leaves its sums of squared changes, an entry an iteration; a small kernel adds
 * them up in a fixed order. The run stops exactly, for if the tolerance was met on the way the same
 * start is run again for just so many iterations. Engine thread.
 */
#include <cuda/atomic>
#include <stdlib.h>

#include "kernels/cuda/device.cuh"
#include "kernels/cuda/patch.cuh"

/* One direction, cut into regions of `width` points that share 2 * every with each neighbour. */
struct cuts {
    int n, width, every, count;
};

struct piece {
    int lo;         /* the region is [lo, lo + width) */
    int own0, own1; /* of which these are the block's */
};

static cuts make_cuts(int n, int width, int every)
{
    cuts c = {n, width, every, 1};
    int end = width - every, middle = width - 2 * every;
    if (n > 2 * end)
        c.count = 2 + ceil_div(n - 2 * end, middle);
    else if (n > width)
        c.count = 2;
    return c;
}

static __host__ __device__ piece cut_piece(cuts c, int i)
{
    int end = c.width - c.every, middle = c.width - 2 * c.every;
    piece p;
    p.own0 = i == 0 ? 0 : end + (i - 1) * middle;
    p.own1 = i == c.count - 1 ? c.n : end + i * middle;
    p.lo = p.own0 - c.every;
    p.lo = p.lo + c.width > c.n ? c.n - c.width : p.lo;
    p.lo = p.lo < 0 ? 0 : p.lo;
    return p;
}

template <typename T> struct persistence {
    const T *in, *rhs;
    T *out, *fringe[2];
    ptrdiff_t sy;
    cuts x, y;
    int iterations;
    int epoch;    /* exchanges before this launch */
    int *flag;    /* exchanges each block has finished writing */
    double *sums; /* NULL, or [iteration][block] */
};

/* The block's neighbours have written exchange `epoch`. */
static __device__ __forceinline__ void wait_for_neighbours(int *flags, int across, int up, int bx,
                                                           int by, int epoch)
{
    int t = threadIdx.x, x = bx + t % 3 - 1, y = by + t / 3 - 1;
    if (t < 9 && x >= 0 && x < across && y >= 0 && y < up) {
        cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[y * across + x]);
        while (flag.load(cuda::memory_order_acquire) < epoch) {
        }
    }
    __syncthreads();
}

/* Which points to give or take follows from the bits each time anew: the compiler would keep 40
 * addresses and as many answers from one exchange to the next, and has no registers for them. */
static __device__ __forceinline__ void forget(uint64_t &bits)
{
    asm volatile("" : "+l"(bits));
}
static __device__ __forceinline__ void forget(uint32_t &bits)
{
    asm volatile("" : "+r"(bits));
}

template <typename T, class P>
static __device__ __forceinline__ void give(const P &p, T *band, ptrdiff_t sy,
                                            typename P::mask bits)
{
    if (!__any_sync(~0u, bits != 0))
        return;
#pragma unroll
    for (int r = 0; r < P::R; r++, band += sy) {
        forget(bits);
#pragma unroll
        for (int c = 0; c < P::C; c++)
            if (bits >> (r * P::C + c) & 1)
                __stcg(band + c, p.u[r][c]);
    }
}

template <typename T, class P>
static __device__ __forceinline__ void take(P &p, const T *band, ptrdiff_t sy,
                                            typename P::mask bits)
{
    if (!__any_sync(~0u, bits != 0))
        return;
#pragma unroll
    for (int r = 0; r < P::R; r++, band += sy) {
        forget(bits);
#pragma unroll
        for (int c = 0; c < P::C; c++)
            if (bits >> (r * P::C + c) & 1)
                p.u[r][c] = __ldcg(band + c);
    }
}

template <class E, class P, int WX, int WY, bool NORM, bool FROZEN>
__global__ void __launch_bounds__(32 * WX * WY, 1) stay(persistence<typename E::real> a, E update)
{
    typedef typename E::real T;
    typedef typename P::mask mask;
    __shared__ fringes<P, WX, WY> fringe;
    int warp = threadIdx.x / 32, bx = blockIdx.x % a.x.count, by = blockIdx.x / a.x.count;
    piece x = cut_piece(a.x, bx), y = cut_piece(a.y, by);
    P p;
    p.start();
    int i = x.lo + warp % WX * P::WIDTH + p.x(0), j = y.lo + warp / WX * P::HEIGHT + p.y(0);
    mask owned = 0, gives = 0, takes = 0;
    int every = a.x.every, exchanges = a.epoch;
    /* Owned points that others need lie within `every` of an end that is not the grid's. */
    int deep_x0 = bx > 0 ? x.own0 + every : x.own0, deep_y0 = by > 0 ? y.own0 + every : y.own0;
    int deep_x1 = bx + 1 < a.x.count ? x.own1 - every : x.own1;
    int deep_y1 = by + 1 < a.y.count ? y.own1 - every : y.own1;
    const T *in = a.in + (ptrdiff_t)j * a.sy + i, *rhs = a.rhs + (ptrdiff_t)j * a.sy + i;
#pragma unroll
    for (int r = 0; r < P::R; r++) {
        p.xh[r] = 0;
#pragma unroll
        for (int c = 0; c < P::C; c++) {
            mask bit = (mask)1 << (r * P::C + c);
            bool inside = i + c < a.x.n && j + r < a.y.n;
            p.u[r][c] = inside ? in[r * a.sy + c] : 0;
            p.g[r][c] = inside ? rhs[r * a.sy + c] : 0;
            bool mine = i + c >= x.own0 && i + c < x.own1 && j + r >= y.own0 && j + r < y.own1;
            bool near = i + c >= x.own0 - every && i + c < x.own1 + every &&
                        j + r >= y.own0 - every && j + r < y.own1 + every;
            bool deep = i + c >= deep_x0 && i + c < deep_x1 && j + r >= deep_y0 && j + r < deep_y1;
            p.frozen |= inside ? 0 : bit;
            owned |= inside && mine ? bit : 0;
            gives |= inside && mine && !deep ? bit : 0;
            takes |= inside && near && !mine ? bit : 0;
        }
    }
#pragma unroll
    for (int c = 0; c < P::C; c++)
        p.yh[c] = 0;
    exchange(p, fringe, 1);
    for (int n = 0, left = every; n < a.iterations; n++) {
        double squares = p.template sweep<NORM, FROZEN>(update, owned);
        if (NORM) {
            double sum = block_sum(squares);
            if (threadIdx.x == 0)
                a.sums[(size_t)n * gridDim.x + blockIdx.x] = sum;
        }
        if (--left == 0 && n + 1 < a.iterations) {
            left = every;
            exchanges++;
            T *band = exchanges & 1 ? a.fringe[1] : a.fringe[0];
            give<T>(p, band + (ptrdiff_t)j * a.sy + i, a.sy, gives);
            __syncthreads();
            if (threadIdx.x == 0) {
                cuda::atomic_ref<int, cuda::thread_scope_device> flag(a.flag[blockIdx.x]);
                flag.store(exchanges, cuda::memory_order_release);
            }
            wait_for_neighbours(a.flag, a.x.count, a.y.count, bx, by, exchanges);
            take<T>(p, band + (ptrdiff_t)j * a.sy + i, a.sy, takes);
        }
        exchange(p, fringe, n);
    }
    T *out = a.out + (ptrdiff_t)j * a.sy + i;
#pragma unroll
    for (int r = 0; r < P::R; r++)
#pragma unroll
        for (int c = 0; c < P::C; c++)
            if (owned >> (r * P::C + c) & 1)
                out[r * a.sy + c] = p.u[r][c];
}

/* Block n adds up iteration n. */
static __global__ void add_up(const double *sums, int blocks, double *squares)
{
    double sum = 0;
    for (int i = threadIdx.x; i < blocks; i += blockDim.x)
        sum += sums[(size_t)blockIdx.x * blocks + i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        squares[blockIdx.x] = sum;
}

/* --- host ------------------------------------------------------------------------------------- */

#define CHUNK 2048        /* iterations of a launch without norms */
#define CHECKED_CHUNK 512 /* and with */

struct stayer {
    cuts x, y;
    int blocks, epoch;
    void *fringe[2];
    int *flag;
    double *sums, *squares, *host; /* [iteration][block], [iteration]; pinned */
    void (*launch)(const ss_run *run, stayer *s, int iterations, bool norm);
    int (*fits)(int *per_processor);
};

template <class E, class P, int WX, int WY> static const void *kernel_of(bool norm, bool frozen)
{
    if (frozen)
        return norm ? (const void *)stay<E, P, WX, WY, true, true>
                    : (const void *)stay<E, P, WX, WY, false, true>;
    return norm ? (const void *)stay<E, P, WX, WY, true, false>
                : (const void *)stay<E, P, WX, WY, false, false>;
}

template <class E, class P, int WX, int WY>
static void launch_stay(const ss_run *run, stayer *s, int iterations, bool norm)
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
    bool frozen = s->x.n < s->x.width || s->y.n < s->y.width;
    cudaLaunchCooperativeKernel(kernel_of<E, P, WX, WY>(norm, frozen), dim3((unsigned)s->blocks),
                                dim3(32 * WX * WY), args, 0, st->stream);
    s->epoch += (iterations - 1) / s->x.every;
}

/* A shape of region and its kernel; the first one whose blocks fit the device is taken. */
struct shape {
    int width, height;
    void (*launch)(const ss_run *run, stayer *s, int iterations, bool norm);
};

#define SHAPE(T, C, R, WX, WY)                                                                     \
    {                                                                                              \
        8 * C *WX, 4 * R *WY, launch_stay<plane<T>, patch<plane<T>, 8, C, R>, WX, WY>              \
    }

static const shape shapes[SS_NPREC][6] = {
    {SHAPE(double, 4, 8, 2, 2), SHAPE(double, 4, 8, 4, 2), SHAPE(double, 5, 8, 4, 2),
     SHAPE(double, 5, 8, 2, 4)},
    {SHAPE(float, 4, 8, 2, 2), SHAPE(float, 4, 8, 4, 2), SHAPE(float, 5, 8, 4, 2),
     SHAPE(float, 4, 8, 4, 4), SHAPE(float, 5, 8, 4, 4)},
};

static stayer *stayer_of(const ss_run *run)
{
    return (stayer *)run->scratch;
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
    for (const shape *row = shapes[run->prec]; row->launch; row++) {
        s->x = make_cuts(b->nx, row->width, every);
        s->y = make_cuts(b->ny, row->height, every);
        s->launch = row->launch;
        double blocks = (double)s->x.count * s->y.count;
        s->blocks = (int)blocks;
        if (blocks <= limits.processors)
            return SS_OK;
        double points = (double)(row->width - 2 * every) * (row->height - 2 * every);
        most = points > most ? points : most;
    }
    return ss_fail(err,
                   "persistent: %d \xc3\x97 %d points do not fit on the chip of %s, which holds "
                   "about %.0f thousand in this precision: choose a smaller n or another solver",
                   b->nx, b->ny, limits.name, most * limits.processors / 1000);
}

static int allocate(const ss_run *run, stayer *s, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t bytes = st->box.count * ss_prec_size(run->prec);
    SS_CUDA(cudaMalloc(&s->fringe[0], bytes));
    SS_CUDA(cudaMalloc(&s->fringe[1], bytes));
    SS_CUDA(cudaMalloc(&s->flag, (size_t)s->blocks * sizeof *s->flag));
    SS_CUDA(cudaMalloc(&s->sums, (size_t)s->blocks * CHECKED_CHUNK * sizeof *s->sums));
    SS_CUDA(cudaMalloc(&s->squares, CHECKED_CHUNK * sizeof *s->squares));
    SS_CUDA(cudaMallocHost(&s->host, CHECKED_CHUNK * sizeof *s->host));
    SS_CUDA(cudaMemsetAsync(s->flag, 0, (size_t)s->blocks * sizeof *s->flag, st->stream));
    return SS_OK;
}

int ss_cuda_persistent_prepare(ss_run *run, ss_err *err)
{
    stayer *s = (stayer *)calloc(1, sizeof *s);
    if (!s)
        return ss_fail(err, "out of memory");
    run->scratch = s;
    if (choose(run, s, err) == SS_OK && allocate(run, s, err) == SS_OK)
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
    s->launch(run, s, iterations, norm);
    SS_CUDA(cudaGetLastError());
    if (norm)
        add_up<<<iterations, 128, 0, st->stream>>>(s->sums, s->blocks, s->squares);
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
