/*
 * Classic Jacobi on patches: tiles and launches of the kernel in sweep3d.cuh. After each cycle the
 * patches exchange ghosts. Engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/device/patches.h"
#include "kernels/cuda/device/plan.h"
#include "kernels/cuda/smooth/arguments.h"
#include "src/base/common.h"

#define MAX_PLANES 32 /* of a tile, */
#define MIN_PLANES 4  /* fewer where there would be fewer than TILES tiles per SM */
#define TILES 16

typedef struct sweep {
    ss_cuda_kernel cycle[2]; /* sweep_tiles, without and with the norm */
    sweep3d_tile *tiles;     /* on the device */
    int64_t begun;           /* the cycle at which the step began */
} sweep;

static sweep *sweep_in(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

/* --- tiles ------------------------------------------------------------------------------------ */

/* Returns the number of tiles; out NULL: only counts them. */
static int64_t cut_patch(const ss_box *b, ss_cu_dim threads, int planes, sweep3d_tile *out)
{
    int64_t n = 0;
    int nx = (int)threads.x, ny = (int)threads.y;
    for (int z = 0; z < b->nz; z += planes)
        for (int y = 0; y < b->ny; y += ny)
            for (int x = 0; x < b->nx; x += nx, n++)
                if (out)
                    out[n] =
                        (sweep3d_tile){(uint32_t)((ptrdiff_t)b->first + x + y * b->sy + z * b->sz),
                                       (int)b->sy,
                                       (int)b->sz,
                                       ss_min(nx, b->nx - x),
                                       ss_min(ny, b->ny - y),
                                       ss_min(planes, b->nz - z)};
    return n;
}

static int64_t cut(const ss_cuda_patches *p, ss_cu_dim threads, int planes, sweep3d_tile *out)
{
    int64_t n = 0;
    for (int q = 0; q < p->count; q++)
        n += cut_patch(&p->list[q].box, threads, planes, out ? out + n : NULL);
    return n;
}

static int make_tiles(ss_run *run, ss_cu_dim threads, int *count, ss_err *err)
{
    const ss_cuda_patches *p = ss_cuda_of(run)->patches;
    const int64_t enough = TILES * (int64_t)ss_cuda_attribute(SS_CU_PROCESSORS);
    int planes = MAX_PLANES;
    while (planes > MIN_PLANES && cut(p, threads, planes, NULL) < enough)
        planes /= 2;
    *count = (int)cut(p, threads, planes, NULL);
    size_t bytes = (size_t)*count * sizeof(sweep3d_tile);
    sweep3d_tile *list = ss_alloc(bytes, "tiles of the patches", err);
    if (!list)
        return SS_FAIL;
    cut(p, threads, planes, list);
    int status = ss_cuda_keep_copy(&ss_cuda_plan_of(run)->kept, (void **)&sweep_in(run)->tiles,
                                   list, bytes, "tiles of the patches", err);
    free(list);
    return status;
}

/* --- cycles ----------------------------------------------------------------------------------- */

static void launch(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    const sweep *s = sweep_in(run);
    ss_cuda_cycle_args a = ss_cuda_cycle_args_of(run, parity);
    ss_cuda_launch_kernel(&s->cycle[norm], stream, SS_ARGUMENTS(&a, &s->tiles));
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

/* --- prepare ---------------------------------------------------------------------------------- */

static int find(ss_run *run, int tiles, ss_cu_dim threads, ss_err *err)
{
    for (int norm = 0; norm < 2; norm++) {
        ss_cuda_kernel *k = &sweep_in(run)->cycle[norm];
        k->blocks.x = (unsigned)tiles;
        k->threads = threads;
        if (ss_cuda_kernel_get(k, err, "smooth/sweep3d.cuh", "sweep_tiles<%s, %s>",
                               norm ? "true" : "false", ss_cuda_real_name(run->prec)) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

static int make(ss_run *run, ss_cuda_plan *plan, ss_err *err)
{
    ss_cu_dim threads;
    int tiles = 0;
    if (ss_cuda_threads(run, 1024, &threads, err) != SS_OK ||
        make_tiles(run, threads, &tiles, err) != SS_OK || find(run, tiles, threads, err) != SS_OK)
        return SS_FAIL;
    (void)plan;
    return ss_cuda_plan_cycles(run, launch, (size_t)tiles, err);
}

static const ss_cuda_solver solver = {sizeof(sweep), make, .enter = enter, .leave = leave};

int ss_cuda_sweep3d_prepare(ss_run *run, ss_err *err)
{
    return ss_cuda_prepare(run, &solver, err);
}
