/*
 * Classic Jacobi on the GPU, a ladder of kernels that all do the same, in the order in which the
 * paper's GPUs gained: `naive`, `padded`, `texture`, `smem` (the papers' TunedSync), and `unrolled`
 * and `vector` beyond. On Hopper `texture` gains nothing over `padded`, and `smem` only where the
 * field stays in the cache and in double precision (the README has the times). Each kernel reads u
 * and g, writes u', and differs in how. A thread block is tpb-x by tpb-y threads. The fields lie in
 * rows that start at multiples of 128 bytes; for `naive`, which shows what that is worth, they are
 * moved closer together for the time of a step. Engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/device/common.cuh"

#define GRID_MOST 65535 /* thread blocks of a grid, in y and in z */
#define ROWS 4          /* a thread's share of a column, on the last three rungs */

/* The block's first cell, if it covers wx by wy cells. */
struct corner {
    int i, j;
};

static __device__ corner block_corner(int wx, int wy)
{
    return {(int)blockIdx.x * wx, (int)(blockIdx.z * gridDim.y + blockIdx.y) * wy};
}

/* --- naive and padded: a thread a cell -------------------------------------------------------- */

template <class E, bool NORM> __global__ void one_cell(ss_cuda_sweep<typename E::real> a, E update)
{
    typedef typename E::real T;
    corner c = block_corner(blockDim.x, blockDim.y);
    int i = c.i + threadIdx.x, j = c.j + threadIdx.y;
    double squares = 0;
    await_previous();
    int drop = stopped(a);
    if (i < a.nx && j < a.ny) {
        ptrdiff_t at = j * a.sy + i;
        const T *in = a.in + at;
        T old = in[0], south = E::dim > 1 ? in[-a.sy] : 0, north = E::dim > 1 ? in[a.sy] : 0;
        T u = update(a.rhs[at], in[-1], in[1], south, north);
        if (!drop)
            a.out[at] = u;
        double d = (double)(u - old);
        squares = d * d;
    }
    if (NORM)
        add_to_norm(a, drop, squares);
}

/* --- texture: the same, u read through the texture unit ----------------------------------------
 */

template <typename T> struct texel;
template <> struct texel<float> {
    typedef float type;
    static __device__ float value(float t)
    {
        return t;
    }
};
template <> struct texel<double> {
    typedef int2 type; /* there are no textures of doubles */
    static __device__ double value(int2 t)
    {
        return __hiloint2double(t.y, t.x);
    }
};

/* Point (i, j) is texel (i + x0, j + y0): the halo is in the texture. */
template <class E, bool NORM>
__global__ void through_texture(ss_cuda_sweep<typename E::real> a, E update, cudaTextureObject_t u,
                                int x0, int y0)
{
    typedef typename E::real T;
    typedef texel<T> X;
    corner c = block_corner(blockDim.x, blockDim.y);
    int i = c.i + threadIdx.x, j = c.j + threadIdx.y;
    double squares = 0;
    await_previous();
    int drop = stopped(a);
    if (i < a.nx && j < a.ny) {
        float x = (float)(i + x0), y = (float)(j + y0);
        ptrdiff_t at = j * a.sy + i;
        T old = X::value(tex2D<typename X::type>(u, x, y));
        T west = X::value(tex2D<typename X::type>(u, x - 1, y));
        T east = X::value(tex2D<typename X::type>(u, x + 1, y));
        T south = 0, north = 0;
        if (E::dim > 1) {
            south = X::value(tex2D<typename X::type>(u, x, y - 1));
            north = X::value(tex2D<typename X::type>(u, x, y + 1));
        }
        T v = update(a.rhs[at], west, east, south, north);
        if (!drop)
            a.out[at] = v;
        double d = (double)(v - old);
        squares = d * d;
    }
    if (NORM)
        add_to_norm(a, drop, squares);
}

/* --- smem: the block's cells and their halo in shared memory -----------------------------------
 * A thread has ROWS cells of a column, blockDim.y rows apart. Each cell of the block is fetched
 * once, by one thread; its neighbours find it there. The right-hand side comes while the others are
 * awaited.
 */

template <class E, bool NORM>
__global__ void through_shared(ss_cuda_sweep<typename E::real> a, E update)
{
    typedef typename E::real T;
    extern __shared__ double raw[];
    const int halo = E::dim > 1 ? 1 : 0, width = blockDim.x + 2, high = blockDim.y * ROWS;
    const int tx = threadIdx.x, ty = threadIdx.y;
    T *tile = (T *)raw + halo * width + 1; /* the block's first cell */
    corner c = block_corner(blockDim.x, high);
    const T *in = a.in + c.j * a.sy + c.i;
    auto fetch = [&](int x, int y) {
        if (c.i + x <= a.nx && c.j + y < a.ny + halo)
            tile[y * width + x] = in[y * a.sy + x];
    };
    auto inside = [&](int y) { return c.i + tx < a.nx && c.j + y < a.ny; };
    T g[ROWS];
#pragma unroll
    for (int r = 0, y = ty; r < ROWS; r++, y += blockDim.y)
        g[r] = inside(y) ? a.rhs[(c.j + y) * a.sy + c.i + tx] : 0;
    await_previous();
    int drop = stopped(a);
#pragma unroll
    for (int r = 0, y = ty; r < ROWS; r++, y += blockDim.y) {
        fetch(tx, y);
        if (tx == 0)
            fetch(-1, y);
        if (tx == (int)blockDim.x - 1)
            fetch(tx + 1, y);
    }
    if (halo && ty == 0)
        fetch(tx, -1);
    if (halo && ty == (int)blockDim.y - 1)
        fetch(tx, high);
    __syncthreads();
    double squares = 0;
#pragma unroll
    for (int r = 0, y = ty; r < ROWS; r++, y += blockDim.y)
        if (inside(y)) {
            const T *u = tile + y * width + tx;
            T south = halo ? u[-width] : 0, north = halo ? u[width] : 0;
            T v = update(g[r], u[-1], u[1], south, north);
            if (!drop)
                a.out[(c.j + y) * a.sy + c.i + tx] = v;
            double d = (double)(v - u[0]);
            squares += d * d;
        }
    if (NORM)
        add_to_norm(a, drop, squares);
}

/* --- unrolled: a thread walks up a column; what was north becomes the point, then south --------
 */

template <class E, bool NORM> __global__ void column(ss_cuda_sweep<typename E::real> a, E update)
{
    typedef typename E::real T;
    corner c = block_corner(blockDim.x, blockDim.y * ROWS);
    int i = c.i + threadIdx.x, j = c.j + threadIdx.y * ROWS;
    double squares = 0;
    await_previous();
    int drop = stopped(a);
    if (i < a.nx && j < a.ny) {
        const T *in = a.in + j * a.sy + i;
        T south = E::dim > 1 ? in[-a.sy] : 0, here = in[0];
#pragma unroll
        for (int r = 0; r < ROWS; r++, in += a.sy) {
            if (j + r >= a.ny)
                break;
            bool more = E::dim > 1 || j + r + 1 < a.ny;
            T north = more ? in[a.sy] : 0;
            ptrdiff_t at = (j + r) * a.sy + i;
            T u = update(a.rhs[at], in[-1], in[1], south, north);
            if (!drop)
                a.out[at] = u;
            double d = (double)(u - here);
            squares += d * d;
            south = here;
            here = north;
        }
    }
    if (NORM)
        add_to_norm(a, drop, squares);
}

/* --- vector: the same walk with 16 bytes at a time, all loads under way before the first use ---
 */

/* Blocks may have several tiles to do, one after the other (when there are sums to make, there are
 * not more blocks than run at once). */
template <class E, bool NORM>
__global__ void __launch_bounds__(512)
    vectors(ss_cuda_sweep<typename E::real> a, E update, int tiles)
{
    typedef typename E::real T;
    const int N = pack<T>::n, beyond = E::dim > 1; /* rows needed on each side */
    int across = (a.nx + blockDim.x * N - 1) / (blockDim.x * N);
    int drop = 0;
    double squares = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int i = (tile % across * blockDim.x + threadIdx.x) * N;
        int j = (tile / across * blockDim.y + threadIdx.y) * ROWS;
        int rows = i >= a.nx || j >= a.ny ? 0 : a.ny - j < ROWS ? a.ny - j : ROWS;
        const T *in = a.in + j * a.sy + i, *rhs = a.rhs + j * a.sy + i;
        T *out = a.out + j * a.sy + i;
        /* u[r + 1] is row r of the walk. */
        pack<T> u[ROWS + 2], g[ROWS];
        T west[ROWS], east[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (r < rows)
                g[r] = load(rhs + r * a.sy);
        if (tile == blockIdx.x) {
            await_previous();
            let_next_begin();
            drop = stopped(a);
        }
#pragma unroll
        for (int r = -beyond; r < ROWS + beyond; r++)
            if (rows > 0 && r < rows + beyond)
                u[r + 1] = load(in + r * a.sy);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (r < rows) {
                west[r] = in[r * a.sy - 1];
                east[r] = in[r * a.sy + N];
            }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (r >= rows)
                break;
            pack<T> v;
#pragma unroll
            for (int k = 0; k < N; k++) {
                T w = k ? u[r + 1].v[k - 1] : west[r], e = k + 1 < N ? u[r + 1].v[k + 1] : east[r];
                T s = E::dim > 1 ? u[r].v[k] : 0, n = E::dim > 1 ? u[r + 2].v[k] : 0;
                v.v[k] = update(g[r].v[k], w, e, s, n);
                double d = i + k < a.nx ? (double)(v.v[k] - u[r + 1].v[k]) : 0;
                squares += d * d;
            }
            if (!drop)
                store(out + r * a.sy, v, a.nx - i);
        }
        if (!NORM)
            break;
    }
    if (NORM)
        add_to_norm(a, drop, squares);
}

/* --- the rungs ---------------------------------------------------------------------------------
 */

/* What is kept between launches. */
struct ladder {
    int kernel;
    dim3 threads;
    dim3 grid; /* thread blocks; the last rung has them in one row */
    int blocks;
    int summing_blocks; /* of a launch that makes sums, where a block can have several tiles */
    size_t shared;      /* bytes */
    cudaTextureObject_t texture[2]; /* of u[0], u[1] */
    void *close[3]; /* `naive`: u[0], u[1] and the right-hand side, rows as close as the halo allows
                     */
    ptrdiff_t close_sy;
    size_t close_first; /* element of point (0, 0) */
};

static const struct {
    int wide, high; /* cells of a thread; 0 wide: 16 bytes of them */
    int threads;    /* of a block, at most: more have no room for their registers */
} rungs[SS_NKERNEL] = {
    /* in the order of the names */
    {0, ROWS, 512}, {1, 1, 1024}, {1, 1, 1024}, {1, 1, 1024}, {1, ROWS, 1024}, {1, ROWS, 1024},
};

static ladder *ladder_of(const ss_run *run)
{
    return (ladder *)((const ss_cuda_cycles *)run->scratch)->own;
}

template <class E, bool NORM>
static void launch_rung(const ss_run *run, int parity, cudaStream_t stream)
{
    typedef typename E::real T;
    const ladder *l = ladder_of(run);
    ss_cuda_sweep<T> a = sweep_of<T>(run, parity);
    E update = equation<E>(run);
    const ss_box *b = &ss_cuda_of(run)->box;
    if (l->close_sy) {
        a.in = (const T *)l->close[parity] + l->close_first;
        a.out = (T *)l->close[1 - parity] + l->close_first;
        a.rhs = (const T *)l->close[2] + l->close_first;
        a.sy = l->close_sy;
    }
    int line = (int)(b->first - (size_t)(b->hy * b->sy));
    switch (l->kernel) {
    case SS_KERNEL_TEXTURE:
        launch_kernel(through_texture<E, NORM>, l->grid, l->threads, 0, stream, a, update,
                      l->texture[parity], line, b->hy);
        break;
    case SS_KERNEL_SMEM:
        launch_kernel(through_shared<E, NORM>, l->grid, l->threads, l->shared, stream, a, update);
        break;
    case SS_KERNEL_UNROLLED:
        launch_kernel(column<E, NORM>, l->grid, l->threads, 0, stream, a, update);
        break;
    case SS_KERNEL_VECTOR:
        launch_kernel(vectors<E, NORM>, NORM ? l->summing_blocks : l->blocks, l->threads, 0, stream,
                      a, update, l->blocks);
        break;
    default:
        launch_kernel(one_cell<E, NORM>, l->grid, l->threads, 0, stream, a, update);
    }
}

template <class E> static void launch(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    if (norm)
        launch_rung<E, true>(run, parity, stream);
    else
        launch_rung<E, false>(run, parity, stream);
}

static void launch_any(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    SS_CUDA_DISPATCH(run, launch, run, parity, norm, stream);
}

static void free_ladder(void *own)
{
    ladder *l = (ladder *)own;
    for (int i = 0; i < 2; i++)
        if (l->texture[i])
            cudaDestroyTextureObject(l->texture[i]);
    for (int i = 0; i < 3; i++)
        cudaFree(l->close[i]);
    free(l);
}

/* --- rows close together ---------------------------------------------------------------------- */

/* Array i (u[0], u[1], right-hand side): from the state to rows close together, or back. */
static int move_rows(ss_run *run, int i, bool back, ss_err *err)
{
    const ladder *l = ladder_of(run);
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t size = ss_prec_size(run->prec), near = (size_t)l->close_sy * size;
    size_t far = (size_t)st->box.sy * size, width = (size_t)st->box.nx * size;
    char *own = (char *)l->close[i] + l->close_first * size;
    char *state = (char *)(i < 2 ? st->u[i] : st->rhs) + st->box.first * size;
    return ss_cuda_copy_rows(run, back ? state : own, back ? far : near, back ? own : state,
                             back ? near : far, width, (size_t)st->box.ny, cudaMemcpyDeviceToDevice,
                             err);
}

/* The right-hand side, too: a reset may have brought another one. */
static int enter_close(ss_run *run, ss_err *err)
{
    return move_rows(run, ss_cuda_of(run)->cur, false, err) == SS_OK ? move_rows(run, 2, false, err)
                                                                     : SS_FAIL;
}

/* Both: the start of the last cycle may be looked at too. */
static int leave_close(ss_run *run, ss_err *err)
{
    return move_rows(run, 0, true, err) == SS_OK ? move_rows(run, 1, true, err) : SS_FAIL;
}

static int make_close(ss_run *run, ladder *l, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_box *b = &st->box;
    ss_cuda_cycles *c = (ss_cuda_cycles *)run->scratch;
    l->close_sy = b->nx + 2 * b->hx;
    l->close_first = (size_t)(b->hx + b->hy * l->close_sy);
    size_t bytes = (size_t)l->close_sy * (size_t)(b->ny + 2 * b->hy) * ss_prec_size(run->prec);
    for (int i = 0; i < 3; i++) {
        if (ss_cuda_alloc(&l->close[i], bytes, "a field with close rows", err) != SS_OK)
            return SS_FAIL;
        SS_CUDA(cudaMemsetAsync(l->close[i], 0, bytes, st->stream));
    }
    c->enter = enter_close;
    c->leave = leave_close;
    /* Both: a step that keeps nothing of u[1 - cur] gives back what it found there. */
    return move_rows(run, 0, false, err) == SS_OK ? move_rows(run, 1, false, err) : SS_FAIL;
}

/* --- texture -----------------------------------------------------------------------------------
 */

/* u[i] as a picture of texels, from the line before the first row on. */
static int make_texture(const ss_run *run, ladder *l, int i, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_box *b = &st->box;
    size_t size = ss_prec_size(run->prec);
    cudaResourceDesc what = {};
    cudaTextureDesc how = {};
    what.resType = cudaResourceTypePitch2D;
    what.res.pitch2D.devPtr = st->u[i];
    what.res.pitch2D.desc =
        size == 8 ? cudaCreateChannelDesc<int2>() : cudaCreateChannelDesc<float>();
    what.res.pitch2D.width = (size_t)b->sy;
    what.res.pitch2D.height = (size_t)(b->ny + 2 * b->hy);
    what.res.pitch2D.pitchInBytes = (size_t)b->sy * size;
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeElementType;
    SS_CUDA(cudaCreateTextureObject(&l->texture[i], &what, &how, NULL));
    return SS_OK;
}

static int make_textures(const ss_run *run, ladder *l, ss_err *err)
{
    const ss_box *b = &ss_cuda_of(run)->box;
    int width = 0, height = 0;
    SS_CUDA(cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture2DLinearWidth, 0));
    SS_CUDA(cudaDeviceGetAttribute(&height, cudaDevAttrMaxTexture2DLinearHeight, 0));
    if (b->sy > width || b->ny + 2 * b->hy > height)
        return ss_fail(err,
                       "kernel texture: %d \xc3\x97 %d points are more than a texture holds, "
                       "%d \xc3\x97 %d: choose another kernel",
                       b->nx, b->ny, width - 64, height - 2);
    return make_texture(run, l, 0, err) == SS_OK ? make_texture(run, l, 1, err) : SS_FAIL;
}

template <class E> static int allow_tile(size_t bytes, ss_err *err)
{
    SS_CUDA(cudaFuncSetAttribute(through_shared<E, false>,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    SS_CUDA(cudaFuncSetAttribute(through_shared<E, true>,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    return SS_OK;
}

int ss_cuda_jacobi_prepare(ss_run *run, ss_err *err)
{
    const ss_box *b = &ss_cuda_of(run)->box;
    int size = (int)ss_prec_size(run->prec);
    ss_cuda_limits limits;
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    int kernel = (int)ss_config_int(&run->cfg, "kernel");
    dim3 threads;
    if (ss_cuda_threads(run, rungs[kernel].threads, &threads, err) != SS_OK)
        return SS_FAIL;
    int tx = (int)threads.x, ty = (int)threads.y;
    ladder *l = (ladder *)calloc(1, sizeof *l);
    if (!l)
        return ss_fail(err, "out of memory");
    l->kernel = kernel;
    l->threads = threads;
    int wide = rungs[l->kernel].wide ? rungs[l->kernel].wide : 16 / size;
    int across = ceil_div(b->nx, wide * tx), up = ceil_div(b->ny, rungs[l->kernel].high * ty);
    l->blocks = across * up;
    l->grid = dim3((unsigned)across, (unsigned)(up < GRID_MOST ? up : GRID_MOST),
                   (unsigned)ceil_div(up, GRID_MOST));
    int resident = limits.processors * (1024 / (tx * ty) > 0 ? 1024 / (tx * ty) : 1);
    l->summing_blocks = l->blocks < resident ? l->blocks : resident;
    l->shared = (size_t)(tx + 2) * (size_t)(ROWS * ty + 2) * (size_t)size;
    if (ss_cuda_cycles_make(run, launch_any, (size_t)l->grid.x * l->grid.y * l->grid.z, l,
                            free_ladder, err) == SS_OK &&
        (l->kernel != SS_KERNEL_SMEM ||
         SS_CUDA_DISPATCH(run, allow_tile, l->shared, err) == SS_OK) &&
        (l->kernel != SS_KERNEL_TEXTURE || make_textures(run, l, err) == SS_OK) &&
        (l->kernel != SS_KERNEL_NAIVE || make_close(run, l, err) == SS_OK))
        return SS_OK;
    if (!run->scratch)
        free_ladder(l);
    ss_cuda_release(run);
    return SS_FAIL;
}
