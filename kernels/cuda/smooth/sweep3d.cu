/*
 * Classic Jacobi on patches: tiles and launches of the kernel in sweep3d.cuh. After each cycle the
 * patches exchange ghosts. Engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/device/patches.cuh"
#include "kernels/cuda/smooth/sweep3d.cuh"

#define MAX_PLANES 32 /* of a tile, */
#define MIN_PLANES 4  /* fewer where there would be fewer than TILES tiles per SM */
#define TILES 16

struct sweep {
    tile *tiles; /* on the device */
    int count;
    dim3 threads;
    int64_t begun; /* the cycle at which the step began */
};

/* --- tiles ------------------------------------------------------------------------------------ */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Returns the number of tiles; out NULL: only counts them. */
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

static int make_tiles(const ss_cuda_patches *p, sweep *s, int sms, ss_err *err)
{
    int planes = MAX_PLANES;
    while (planes > MIN_PLANES && cut(p, s->threads, planes, NULL) < TILES * (int64_t)sms)
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
