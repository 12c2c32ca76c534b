/*
 * Persistent Jacobi on the GPU: one launch for many iterations, a thread block per processor, and
 * the grid in their registers (patch.cuh). A block's region covers `every` points more than the
 * block owns on each side, except at the ends of the grid. Every `every` iterations the block
 * writes the outermost points it owns to memory, raises its flag, waits for the flags of the up to
 * eight blocks around it, and reads theirs. Two buffers by turns: a neighbour can be one exchange
 * ahead, never two. All blocks must run at once, which a cooperative launch makes sure of. On lines
 * a region is a piece of each of several lines, and only the pieces' ends are exchanged.
 *
 * Norms: each warp leaves its sums of squared changes, an entry an iteration; a small kernel adds
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
    double *sums; /* NULL, or [iteration][warp] */
};

/* The blocks around this one have written exchange `epoch`. */
static __device__ __forceinline__ void wait_for_neighbours(int *flags, const cuts &across,
                                                           const cuts &up, int bx, int by,
                                                           int epoch)
{
    int t = threadIdx.x, x = bx + t % 3 - 1, y = by + t / 3 - 1;
    bool concerned = y == by || up.every > 0;
    if (t < 9 && concerned && x >= 0 && x < across.count && y >= 0 && y < up.count) {
        cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[y * across.count + x]);
        while (flag.load(cuda::memory_order_acquire) < epoch) {
        }
    }
    __syncthreads();
}

/* What a thread needs at an exchange only: no reason to keep it in registers. A bit a point. */
template <typename mask> struct parts {
    mask owned, gives, takes;
};

/* Past the first-level cache, which knows nothing of what other processors write. */
template <bool GIVE, typename T> static __device__ __forceinline__ void pass(T *memory, T &value)
{
    if (GIVE)
        __stcg(memory, value);
    else
        value = __ldcg(memory);
}
template <bool GIVE> static __device__ __forceinline__ void pass_pack(double *memory, double *u)
{
    double2 v = make_double2(u[0], u[1]);
    pass<GIVE>((double2 *)memory, v);
    u[0] = v.x, u[1] = v.y;
}
template <bool GIVE> static __device__ __forceinline__ void pass_pack(float *memory, float *u)
{
    float4 v = make_float4(u[0], u[1], u[2], u[3]);
    pass<GIVE>((float4 *)memory, v);
    u[0] = v.x, u[1] = v.y, u[2] = v.z, u[3] = v.w;
}

/* Makes the compiler work out what follows from n each time anew: it would keep the addresses of all
 * points from one exchange to the next, and has no registers for them. */
static __device__ __forceinline__ void forget(ptrdiff_t &n)
{
    asm volatile("" : "+l"(n));
}

/* The lane's points with their bit set go to memory or come from there. ROWS: a row of C points is
 * passed as a whole or not at all, and lies well. */
template <bool GIVE, bool ROWS, class P>
static __device__ __forceinline__ void pass_points(P &p, typename P::T *band, ptrdiff_t sy,
                                                   typename P::mask bits)
{
    const int C = P::C, N = ROWS ? pack<typename P::T>::n : 1;
    forget(sy);
#pragma unroll
    for (int r = 0; r < P::R; r++, band += sy)
#pragma unroll
        for (int c = 0; c < C; c += N)
            if (bits >> (r * C + c) & 1) {
                if (ROWS)
                    pass_pack<GIVE>(band + c, &p.u[r][c]);
                else
                    pass<GIVE>(band + c, p.u[r][c]);
            }
}

/* Are the bits of each row all alike? */
template <class P> static __device__ __forceinline__ bool whole_rows(typename P::mask bits)
{
    const unsigned row = (1u << P::C) - 1;
    bool whole = true;
#pragma unroll
    for (int r = 0; r < P::R; r++) {
        unsigned b = (unsigned)(bits >> (r * P::C)) & row;
        whole = whole && (b == 0 || b == row);
    }
    return whole;
}

/* The lane's points of an array, zero where they are frozen. */
template <class P>
static __device__ __forceinline__ void take_points(const P &p, typename P::T (&to)[P::R][P::C],
                                                   const typename P::T *from, ptrdiff_t sy)
{
    forget(sy);
#pragma unroll
    for (int r = 0; r < P::R; r++, from += sy)
#pragma unroll
        for (int c = 0; c < P::C; c++)
            to[r][c] = p.keeps(r, c) ? 0 : from[c];
}

/* The block's region into registers; which of the lane's points are whose. */
template <class P>
static __device__ __forceinline__ parts<typename P::mask>
settle(P &p, const persistence<typename P::T> &a, piece x, piece y, int bx, int by, int i, int j)
{
    typedef typename P::mask mask;
    parts<mask> part = {0, 0, 0};
    int ex = a.x.every, ey = a.y.every;
    /* Owned points that others need lie within `every` of an end that is not the grid's. */
    int deep_x0 = bx > 0 ? x.own0 + ex : x.own0, deep_y0 = by > 0 ? y.own0 + ey : y.own0;
    int deep_x1 = bx + 1 < a.x.count ? x.own1 - ex : x.own1;
    int deep_y1 = by + 1 < a.y.count ? y.own1 - ey : y.own1;
#pragma unroll
    for (int r = 0; r < P::R; r++)
#pragma unroll
        for (int c = 0; c < P::C; c++) {
            mask bit = (mask)1 << (r * P::C + c);
            int px = i + c, py = j + r;
            bool inside = px < a.x.n && py < a.y.n;
            bool mine = px >= x.own0 && px < x.own1 && py >= y.own0 && py < y.own1;
            bool near = px >= x.own0 - ex && px < x.own1 + ex && py >= y.own0 - ey &&
                        py < y.own1 + ey;
            bool deep = px >= deep_x0 && px < deep_x1 && py >= deep_y0 && py < deep_y1;
            p.frozen |= inside ? 0 : bit;
            part.owned |= inside && mine ? bit : 0;
            part.gives |= inside && mine && !deep ? bit : 0;
            part.takes |= inside && near && !mine ? bit : 0;
        }
    take_points(p, p.u, a.in + (ptrdiff_t)j * a.sy + i, a.sy);
    take_points(p, p.g, a.rhs + (ptrdiff_t)j * a.sy + i, a.sy);
    return part;
}

template <bool ROWS, class P>
static __device__ __forceinline__ void
exchange(P &p, const persistence<typename P::T> &a, int bx, int by, int i, int j, int number,
         const parts<typename P::mask> &part)
{
    typename P::T *band = a.fringe[number & 1] + (ptrdiff_t)j * a.sy + i;
    pass_points<true, ROWS>(p, band, a.sy, part.gives);
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device> flag(a.flag[blockIdx.x]);
        flag.store(number, cuda::memory_order_release);
    }
    wait_for_neighbours(a.flag, a.x, a.y, bx, by, number);
    pass_points<false, ROWS>(p, band, a.sy, part.takes);
}

template <class E, class P, int WX, int WY, bool NORM, bool FROZEN>
__global__ void __launch_bounds__(32 * WX * WY, 1) stay(persistence<typename E::real> a, E update)
{
    typedef typename E::real T;
    typedef typename P::mask mask;
    __shared__ fringes<P, WX, WY> fringe;
    __shared__ parts<mask> part[32 * WX * WY];
    const int warp = threadIdx.x / 32, bx = blockIdx.x % a.x.count, by = blockIdx.x / a.x.count;
    P p;
    p.start();
    piece x = cut_piece(a.x, bx), y = cut_piece(a.y, by);
    int i = x.lo + warp % WX * P::WIDTH + p.x(0), j = y.lo + warp / WX * P::HEIGHT + p.y(0);
    parts<mask> mine = settle(p, a, x, y, bx, by, i, j);
    part[threadIdx.x] = mine;
    bool rows = i % pack<T>::n == 0 && whole_rows<P>(mine.gives) && whole_rows<P>(mine.takes);
    rows = __syncthreads_and(rows);
    const T zero_x[P::R] = {}, zero_y[P::C] = {};
    fringe.freeze(p, zero_x, zero_y, zero_y);
    fringe.show(p, 0);
    for (int n = 0, left = a.x.every, number = a.epoch; n < a.iterations; n++) {
        beside<T> f = fringe.of(p, n);
        if (NORM) {
            double sum = p.template sweep<true, FROZEN>(update, f, part[threadIdx.x].owned);
            for (int d = 16; d > 0; d /= 2)
                sum += __shfl_down_sync(~0u, sum, d);
            if (threadIdx.x % 32 == 0)
                a.sums[((size_t)n * gridDim.x + blockIdx.x) * WX * WY + warp] = sum;
        } else {
            p.template sweep<false, FROZEN>(update, f, 0);
        }
        if (--left == 0 && n + 1 < a.iterations) {
            left = a.x.every;
            number++;
            if (rows)
                exchange<true>(p, a, bx, by, i, j, number, part[threadIdx.x]);
            else
                exchange<false>(p, a, bx, by, i, j, number, part[threadIdx.x]);
        }
        fringe.show(p, n + 1);
    }
    T *out = a.out + (ptrdiff_t)j * a.sy + i;
    mask owned = part[threadIdx.x].owned;
#pragma unroll
    for (int r = 0; r < P::R; r++)
#pragma unroll
        for (int c = 0; c < P::C; c++)
            if (owned >> (r * P::C + c) & 1)
                out[r * a.sy + c] = p.u[r][c];
}

/* Block n adds up iteration n. */
static __global__ void add_up(const double *sums, int warps, double *squares)
{
    double sum = 0;
    for (int i = threadIdx.x; i < warps; i += blockDim.x)
        sum += sums[(size_t)blockIdx.x * warps + i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        squares[blockIdx.x] = sum;
}

/* --- host ------------------------------------------------------------------------------------- */

#define CHUNK 2048        /* iterations of a launch without norms */
#define CHECKED_CHUNK 512 /* and with */

struct stayer {
    cuts x, y;
    int blocks, warps, epoch; /* warps: of all blocks */
    void *fringe[2];
    int *flag;
    double *sums, *squares, *host; /* [iteration][warp], [iteration]; pinned */
    void (*launch)(const ss_run *run, stayer *s, int iterations, bool norm);
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
    int width, height, warps;
    void (*launch[2])(const ss_run *run, stayer *s, int iterations, bool norm); /* [even] */
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
      SHAPE(plane, float, 32, 4, 11, 1, 16)}},
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
    for (const shape *row = shapes[run->problem.dim > 1][run->prec]; row->warps; row++) {
        s->x = make_cuts(b->nx, row->width, every);
        s->y = make_cuts(b->ny, row->height, run->problem.dim > 1 ? every : 0);
        s->launch = row->launch[ss_cuda_even(run)];
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
    SS_CUDA(cudaMalloc(&s->fringe[0], bytes));
    SS_CUDA(cudaMalloc(&s->fringe[1], bytes));
    SS_CUDA(cudaMalloc(&s->flag, (size_t)s->blocks * sizeof *s->flag));
    SS_CUDA(cudaMalloc(&s->sums, (size_t)s->warps * CHECKED_CHUNK * sizeof *s->sums));
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
        add_up<<<iterations, 128, 0, st->stream>>>(s->sums, s->warps, s->squares);
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
