/*
 * Classic Jacobi on patches of cells: every cell from the old array into the new one, then patches
 * exchange ghosts. A thread block takes a tile of a patch, a thread a column of it, which it walks
 * up: the cells below and above stay in registers, those around come from the first level cache.
 * 24 bytes of memory a cell in double; the same numbers as kernels/cpu/sweep3d.c to the last bit.
 * Engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/device/patches.cuh"

#define SS_REAL double
#define SS_NAME(x) x##_f64
#include "kernels/eq/poisson3d.h"
#undef SS_REAL
#undef SS_NAME
#define SS_REAL float
#define SS_NAME(x) x##_f32
#include "kernels/eq/poisson3d.h"
#undef SS_REAL
#undef SS_NAME

static __device__ __forceinline__ double updated(double u, double r)
{
    return poisson3d_f64(u, r, 1 / 6.0);
}
static __device__ __forceinline__ float updated(float u, float r)
{
    return poisson3d_f32(u, r, (float)(1 / 6.0));
}

#define MOST_PLANES 32 /* of a tile, */
#define FEW_PLANES 4   /* fewer where there would not be tiles enough: so many for each processor */
#define TILES 16

/* A piece of a patch: its first element, strides, cells. */
struct tile {
    uint32_t first;
    int sy, sz, nx, ny, nz;
};

struct sweep {
    tile *tiles; /* on the device */
    int count;
    dim3 threads;
    int64_t begun; /* the cycle that the step began with */
};

/* --- kernel ----------------------------------------------------------------------------------- */

/* a's pointers address the first elements of the arrays. */
template <bool NORM, typename T>
__global__ void __launch_bounds__(1024) sweep_tiles(ss_cuda_sweep<T> a, const tile *tiles)
{
    const tile t = tiles[blockIdx.x];
    const bool mine = threadIdx.x < (unsigned)t.nx && threadIdx.y < (unsigned)t.ny;
    ptrdiff_t at = (ptrdiff_t)t.first + threadIdx.x + (ptrdiff_t)threadIdx.y * t.sy;
    double squares = 0;
    let_next_begin();
    await_previous();
    const int drop = stopped(a);
    if (mine) {
        T below = a.in[at - t.sz], here = a.in[at];
#pragma unroll 2
        for (int k = 0; k < t.nz; k++, at += t.sz) {
            const T *u = a.in + at;
            T above = u[t.sz];
            T r = numerics<T>::residual(a.rhs[at], here, u[-1], u[1], u[-t.sy], u[t.sy], below,
                                        above);
            if (NORM)
                squares += (double)r * (double)r;
            if (!drop)
                a.out[at] = updated(here, r);
            below = here;
            here = above;
        }
    }
    if (NORM)
        add_to_norm(a, drop, squares);
}

/* --- tiles ------------------------------------------------------------------------------------ */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* out NULL: only how many. */
static int64_t cut_patch(const ss_box *b, dim3 threads, int planes, tile *out)
{
    int64_t n = 0;
    int nx = (int)threads.x, ny = (int)threads.y;
    for (int z = 0; z < b->nz; z += planes)
        for (int y = 0; y < b->ny; y += ny)
            for (int x = 0; x < b->nx; x += nx, n++)
                if (out)
                    out[n] = tile{(uint32_t)((ptrdiff_t)b->first + x + y * b->sy + z * b->sz),
                                  (int)b->sy,
                                  (int)b->sz,
                                  smaller(nx, b->nx - x),
                                  smaller(ny, b->ny - y),
                                  smaller(planes, b->nz - z)};
    return n;
}

static int64_t cut(const ss_cuda_patches *p, dim3 threads, int planes, tile *out)
{
    int64_t n = 0;
    for (int q = 0; q < p->count; q++)
        n += cut_patch(&p->list[q].box, threads, planes, out ? out + n : NULL);
    return n;
}

static int make_tiles(const ss_cuda_patches *p, sweep *s, int processors, ss_err *err)
{
    int planes = MOST_PLANES;
    while (planes > FEW_PLANES && cut(p, s->threads, planes, NULL) < TILES * (int64_t)processors)
        planes /= 2;
    s->count = (int)cut(p, s->threads, planes, NULL);
    tile *list = (tile *)ss_alloc((size_t)s->count * sizeof *list, "tiles of the patches", err);
    if (!list)
        return SS_FAIL;
    cut(p, s->threads, planes, list);
    int status = ss_cuda_alloc_copy((void **)&s->tiles, list, (size_t)s->count * sizeof *list,
                                    "tiles of the patches", err);
    free(list);
    return status;
}

/* --- engine ops ------------------------------------------------------------------------------- */

static sweep *sweep_in(const ss_run *run)
{
    return (sweep *)((const ss_cuda_cycles *)run->scratch)->own;
}

template <typename T>
static void launch_sweep(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    const sweep *s = sweep_in(run);
    launch_kernel(norm ? sweep_tiles<true, T> : sweep_tiles<false, T>, (unsigned)s->count,
                  s->threads, 0, stream, sweep_of<T>(run, parity), (const tile *)s->tiles);
    ss_cuda_exchange(run, ss_cuda_of(run)->u[1 - parity], stream);
}

static int enter(ss_run *run, ss_err *err)
{
    sweep_in(run)->begun = run->cycle;
    return ss_cuda_ghosts_renew(run, err);
}

static int leave(ss_run *run, ss_err *err)
{
    (void)err;
    run->seconds_ghosts +=
        (double)(run->cycle - sweep_in(run)->begun) * ss_cuda_of(run)->patches->exchange;
    return SS_OK;
}

static void free_sweep(void *own)
{
    cudaFree(((sweep *)own)->tiles);
    free(own);
}

int ss_cuda_sweep3d_prepare(ss_run *run, ss_err *err)
{
    static ss_cuda_launch *const launches[SS_NPREC] = {launch_sweep<double>, launch_sweep<float>};
    ss_cuda_limits limits;
    dim3 threads;
    if (ss_cuda_get_limits(&limits, err) != SS_OK ||
        ss_cuda_threads(run, 1024, &threads, err) != SS_OK)
        return SS_FAIL;
    sweep *s = (sweep *)ss_alloc(sizeof *s, "scratch", err);
    if (!s)
        return SS_FAIL;
    s->threads = threads;
    if (make_tiles(ss_cuda_of(run)->patches, s, limits.processors, err) == SS_OK &&
        ss_cuda_cycles_make(run, launches[run->prec], (size_t)s->count, s, free_sweep, err) ==
            SS_OK) {
        ss_cuda_cycles *c = (ss_cuda_cycles *)run->scratch;
        c->enter = enter;
        c->leave = leave;
        return SS_OK;
    }
    if (!run->scratch)
        free_sweep(s);
    ss_cuda_release(run);
    return SS_FAIL;
}
