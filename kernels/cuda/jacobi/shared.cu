/*
 * Hierarchical Jacobi on the GPU: a thread block takes a subdomain, its frozen halo and its
 * right-hand side on chip, iterates k times, and writes back the points the subdomain owns
 * (kernels/geom/tiles.h says which; kernels/cpu/shared.c is the same schedule on a CPU). There are
 * two ways to be on chip, tile_memory.cuh and tile_register.cuh; this file chooses a kernel for a
 * run, and launches it. Engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/jacobi/tile_memory.cuh"
#include "kernels/cuda/jacobi/tile_register.cuh"

/* --- which kernel ------------------------------------------------------------------------------
 */

struct choice;
typedef void launcher(const ss_run *run, const choice *how, const ss_tiling &t, int parity,
                      bool norm, cudaStream_t stream);

/* A kernel and the widest block it takes. */
struct choice {
    int width, height;
    int rows; /* subdomains of a thread block, on a line */
    int threads;
    launcher *launch[2];   /* in general; where the update is even */
    const void *kernel[2]; /* the same, without norms */
};

template <class E, class P, int WX, int WY>
static void launch_registers(const ss_run *run, const choice *how, const ss_tiling &t, int parity,
                             bool norm, cudaStream_t stream)
{
    ss_cuda_sweep<typename E::real> a = sweep_of<typename E::real>(run, parity);
    subdomains s = {t, run->iterations_per_cycle};
    int blocks = ceil_div((int64_t)t.x.count * t.y.count, how->rows);
    launch_kernel(norm ? in_registers<E, P, WX, WY, true> : in_registers<E, P, WX, WY, false>,
                  blocks, dim3(32 * WX * WY), 0, stream, a, equation<E>(run), s);
}

#define TILE(T, LX, R, WX, WY)                                                                     \
    {                                                                                              \
        4 * LX *WX, 32 / LX *R *WY, 1, 32 * WX *WY,                                                \
            {launch_registers<plane<T>, patch<plane<T>, LX, 4, R>, WX, WY>,                        \
             launch_registers<even_plane<T>, patch<even_plane<T>, LX, 4, R>, WX, WY>},             \
        {                                                                                          \
            (const void *)in_registers<plane<T>, patch<plane<T>, LX, 4, R>, WX, WY, false>,        \
                (const void *)                                                                     \
                    in_registers<even_plane<T>, patch<even_plane<T>, LX, 4, R>, WX, WY, false>     \
        }                                                                                          \
    }
#define LINE(T, LX, C, R)                                                                          \
    {                                                                                              \
        LX *C, 1, 4 * (32 / LX) * R, 128,                                                          \
            {launch_registers<line<T>, patch<line<T>, LX, C, R>, 1, 4>,                            \
             launch_registers<even_line<T>, patch<even_line<T>, LX, C, R>, 1, 4>},                 \
        {                                                                                          \
            (const void *)in_registers<line<T>, patch<line<T>, LX, C, R>, 1, 4, false>,            \
                (const void *)                                                                     \
                    in_registers<even_line<T>, patch<even_line<T>, LX, C, R>, 1, 4, false>         \
        }                                                                                          \
    }

/* By precision; narrowest first, so that the first one that is wide enough is the one. */
static const choice tiles[SS_NPREC][11] = {
    {TILE(double, 8, 8, 1, 1), TILE(double, 8, 9, 1, 1), TILE(double, 16, 8, 1, 2),
     TILE(double, 8, 8, 1, 2), TILE(double, 16, 8, 1, 4), TILE(double, 16, 9, 1, 4),
     TILE(double, 32, 8, 1, 4), TILE(double, 8, 8, 1, 4), TILE(double, 32, 8, 1, 8),
     TILE(double, 16, 8, 1, 8)},
    {TILE(float, 8, 8, 1, 1), TILE(float, 8, 9, 1, 1), TILE(float, 16, 8, 1, 2),
     TILE(float, 8, 8, 1, 2), TILE(float, 16, 8, 1, 4), TILE(float, 16, 9, 1, 4),
     TILE(float, 32, 8, 1, 4), TILE(float, 8, 8, 1, 4), TILE(float, 32, 8, 1, 8),
     TILE(float, 16, 8, 1, 8)},
};
static const choice lines[SS_NPREC][10] = {
    {LINE(double, 8, 4, 8), LINE(double, 8, 8, 4), LINE(double, 16, 8, 4), LINE(double, 32, 8, 4),
     LINE(double, 32, 16, 2)},
    {LINE(float, 8, 4, 8), LINE(float, 8, 8, 4), LINE(float, 16, 8, 4), LINE(float, 32, 8, 4),
     LINE(float, 32, 16, 2)},
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static const choice *choose(const ss_run *run, const ss_tiling &t)
{
    const choice *rows = run->problem.dim == 1 ? lines[run->prec] : tiles[run->prec];
    int x = smaller(t.x.block, t.x.n), y = smaller(t.y.block, t.y.n);
    for (; rows->launch[0]; rows++)
        if (rows->width >= x && rows->height >= y)
            return rows;
    return NULL;
}

struct plan {
    const choice *how;  /* NULL: in memory */
    bool thread_a_cell; /* if in memory */
    ss_tiling tiling;
    size_t bytes;
    dim3 threads;
};

template <class E> struct memory_kernel_of {
    typedef void type(ss_cuda_sweep<typename E::real>, E, subdomains);
};

template <class E> static typename memory_kernel_of<E>::type *memory_kernel(bool cells, bool norm)
{
    if (cells)
        return norm ? thread_a_cell<E, true> : thread_a_cell<E, false>;
    return norm ? in_memory<E, true> : in_memory<E, false>;
}

template <class E>
static void launch_memory(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    const plan *p = (const plan *)((const ss_cuda_cycles *)run->scratch)->own;
    ss_cuda_sweep<typename E::real> a = sweep_of<typename E::real>(run, parity);
    subdomains s = {p->tiling, run->iterations_per_cycle};
    int blocks = p->tiling.x.count * p->tiling.y.count;
    launch_kernel(memory_kernel<E>(p->thread_a_cell, norm), blocks, p->threads, p->bytes, stream, a,
                  equation<E>(run), s);
}

static void launch_any(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    const plan *p = (const plan *)((const ss_cuda_cycles *)run->scratch)->own;
    if (p->how)
        p->how->launch[ss_cuda_even(run)](run, p->how, p->tiling, parity, norm, stream);
    else
        SS_CUDA_DISPATCH_EVEN(run, launch_memory, run, parity, norm, stream);
}

/* --- preparing ---------------------------------------------------------------------------------
 */

template <class E> static int allow_shared(const plan *p, ss_err *err)
{
    for (int norm = 0; norm < 2; norm++)
        SS_CUDA(cudaFuncSetAttribute(memory_kernel<E>(p->thread_a_cell, norm),
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, (int)p->bytes));
    return SS_OK;
}

/* A thread a cell, as far as a block has so many. */
static dim3 threads_of(const ss_tiling &t)
{
    int x = smaller(t.x.block, t.x.n), y = smaller(t.y.block, t.y.n);
    int tx = smaller(ceil_div(x, 32) * 32, t.y.n > 1 && y > 1 ? 32 : 1024);
    return dim3((unsigned)tx, (unsigned)smaller(y, 1024 / tx));
}

#define NORM_BYTES 512 /* of shared memory, which a norm takes beside the tile */

static int prepare_memory(ss_run *run, plan *p, ss_err *err)
{
    ss_cuda_limits limits;
    const ss_box &b = ss_cuda_of(run)->box;
    char need[32], most[32];
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    p->bytes = SS_CUDA_DISPATCH(run, memory_bytes, p->tiling, b);
    p->threads = threads_of(p->tiling);
    p->thread_a_cell = smaller(p->tiling.x.block, b.nx) <= (int)p->threads.x &&
                       smaller(p->tiling.y.block, b.ny) <= (int)p->threads.y;
    if (p->bytes + NORM_BYTES > limits.block_bytes)
        return ss_fail(err,
                       "block: a tile of %d \xc3\x97 %d points needs %s of shared memory, %s has "
                       "%s for a thread block: choose a smaller block or block-y",
                       smaller(p->tiling.x.block, b.nx), smaller(p->tiling.y.block, b.ny),
                       ss_format_bytes((double)(p->bytes + NORM_BYTES), need, sizeof need),
                       limits.name, ss_format_bytes((double)limits.block_bytes, most, sizeof most));
    run->tile_bytes = (double)(p->bytes + NORM_BYTES);
    run->tile_room = (double)limits.block_bytes;
    /* Both: another right-hand side may come. */
    return SS_CUDA_DISPATCH(run, allow_shared, p, err) == SS_OK
               ? SS_CUDA_DISPATCH_EVEN(run, allow_shared, p, err)
               : SS_FAIL;
}

/* The registers of a thread block, of those that a block may have. */
static int count_registers(ss_run *run, const choice *how, ss_err *err)
{
    cudaFuncAttributes kernel;
    int most = 0;
    SS_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxRegistersPerBlock, 0));
    SS_CUDA(cudaFuncGetAttributes(&kernel, how->kernel[ss_cuda_even(run)]));
    run->tile_bytes = 4.0 * kernel.numRegs * how->threads;
    run->tile_room = 4.0 * most;
    return SS_OK;
}

static int prepare_registers(ss_run *run, plan *p, ss_err *err)
{
    p->how = choose(run, p->tiling);
    if (p->how)
        return count_registers(run, p->how, err);
    return ss_fail(err,
                   run->problem.dim > 1
                       ? "block: a tile of %d \xc3\x97 %d points does not fit the registers of "
                         "a thread block, which take 64 \xc3\x97 128, 128 \xc3\x97 64 or less: "
                         "choose a smaller block or tile memory"
                       : "block: %d \xc3\x97 %d points do not fit the registers of a warp, "
                         "which take 512 or less: choose a smaller block or tile memory",
                   smaller(p->tiling.x.block, p->tiling.x.n),
                   smaller(p->tiling.y.block, p->tiling.y.n));
}

int ss_cuda_shared_prepare(ss_run *run, ss_err *err)
{
    plan *p = (plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    p->tiling = run->solver->tiling(&run->cfg, &run->problem);
    int tiles;
    if (ss_cuda_count_tiles(&p->tiling, &tiles, err) == SS_OK &&
        (ss_config_int(&run->cfg, "tile") == SS_TILE_MEMORY ? prepare_memory : prepare_registers)(
            run, p, err) == SS_OK &&
        ss_cuda_cycles_make(run, launch_any, (size_t)tiles, p, free, err) == SS_OK)
        return SS_OK;
    if (!run->scratch)
        free(p);
    ss_cuda_release(run);
    return SS_FAIL;
}
