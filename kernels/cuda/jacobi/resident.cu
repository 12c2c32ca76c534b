/*
 * Resident tiles, host side: which shape of thread block takes the tiles of a run, the buffers and
 * flags of the exchange, and the two launches: many cycles together (cooperative, without norms),
 * or one cycle. See tile_resident.cuh. Host code; engine thread.
 */
#include <stdlib.h>

#include <type_traits>

#include "kernels/cuda/jacobi/persistent_shapes.cuh"
#include "kernels/cuda/jacobi/tile_columns.cuh"
#include "kernels/solver/tiled.h"

/* Many cycles in tiles of any size, in tiles as large as their thread blocks, with the halo in x
 * among the points (tile_columns.cuh); one cycle with its norm. */
enum resident_kernel { ANY_TILES, FULL_TILES, HALO_COLUMNS, WITH_NORM, RESIDENT_KERNELS };

/* The kernels of a thread block that holds tiles of up to width x height points. */
struct resident_shape {
    int width, height, threads;                /* threads 0: the end of a list */
    int columns;                               /* of a lane */
    kernel_choice choose[2][RESIDENT_KERNELS]; /* [ss_cuda_fma]; kernel NULL: there is none */
};

struct resident_plan {
    launch_tiling tiling;
    const resident_shape *shape;
    int blocks;
    int exchanges;     /* so far; the number of the last one */
    void *exchange[2]; /* each as large as a field */
    int *flag;         /* [block] */
};

static resident_plan *plan_of(const ss_run *run)
{
    return (resident_plan *)((const ss_cuda_cycles *)run->scratch)->own;
}

/* --- shapes ----------------------------------------------------------------------------------- */

/* With a norm half of the right-hand sides are in shared memory, for its registers. */
template <class E, class P, int WARPS> static void choose(kernel_choice (&out)[RESIDENT_KERNELS])
{
    typedef typename P::template with_smem_rows<P::R / 2> Q;
    const size_t bytes = sizeof(resident_smem<P, WARPS>),
                 bytes_norm = sizeof(resident_smem<Q, WARPS>);
    out[ANY_TILES] = {(const void *)resident_tiles<E, P, WARPS, false, false>, bytes};
    if constexpr (sizeof(typename P::T) == 8) /* in single precision it is 8 % slower */
        out[FULL_TILES] = {(const void *)resident_tiles<E, P, WARPS, false, true>, bytes};
    if constexpr (std::is_same_v<E, fma_plane<double>> && P::LY == 1)
        out[HALO_COLUMNS] = {(const void *)resident_columns<E, P, WARPS>, bytes};
    out[WITH_NORM] = {(const void *)resident_tiles<E, Q, WARPS, true, false>, bytes_norm};
}

/* LX lanes of a warp in x, R rows of C points per lane, 8 warps one above the other. */
template <class E, class F, int LX, int C, int R> static resident_shape shape_of()
{
    const int WARPS = 8;
    typedef warp_tile<E, LX, C, R> P;
    typedef warp_tile<F, LX, C, R> Q;
    resident_shape s = {P::WIDTH, P::HEIGHT * WARPS, 32 * WARPS, C, {}};
    choose<E, P, WARPS>(s.choose[0]);
    choose<F, Q, WARPS>(s.choose[1]);
    return s;
}

template <class E, class F> static const resident_shape *shapes_f64()
{
    static const resident_shape shapes[] = {
        shape_of<E, F, 16, 4, 4>(),  /* up to  64 x  64 points */
        shape_of<E, F, 16, 4, 8>(),  /*        64 x 128 */
        shape_of<E, F, 16, 4, 10>(), /*        64 x 160 */
        shape_of<E, F, 32, 4, 11>(), /*       128 x  88 */
        {},
    };
    return shapes;
}

template <class E, class F> static const resident_shape *shapes_f32()
{
    static const resident_shape shapes[] = {
        shape_of<E, F, 16, 4, 4>(),  /* up to  64 x  64 points */
        shape_of<E, F, 16, 4, 8>(),  /*        64 x 128 */
        shape_of<E, F, 16, 4, 10>(), /*        64 x 160 */
        shape_of<E, F, 32, 4, 11>(), /*       128 x  88 */
        shape_of<E, F, 32, 4, 16>(), /*       128 x 128 */
        {},
    };
    return shapes;
}

/* By update and precision; NULL: lines, which have none. */
static const resident_shape *(*const shapes[SS_CUDA_NUPDATE][SS_NPREC])() = {
    {NULL, NULL},
    {shapes_f64<poisson_plane<double>, fma_plane<double>>,
     shapes_f32<poisson_plane<float>, fma_plane<float>>},
    {NULL, NULL},
    {shapes_f64<pentadiagonal<double>, pentadiagonal<double>>,
     shapes_f32<pentadiagonal<float>, pentadiagonal<float>>},
};

/* --- launches --------------------------------------------------------------------------------- */

/* Have all subdomains of a direction `points` points? */
static bool all_have(const ss_cut &c, int points)
{
    return c.block == points && c.n >= points && (c.n - c.overlap) % (c.block - c.overlap) == 0;
}

static resident_kernel kernel_of(const ss_run *run, bool norm)
{
    const resident_plan *p = plan_of(run);
    const ss_cut &x = p->tiling.x, &y = p->tiling.y;
    if (norm)
        return WITH_NORM;
    if (!all_have(y, p->shape->height))
        return ANY_TILES;
    const kernel_choice *choose = p->shape->choose[ss_cuda_fma(run)];
    if (choose[FULL_TILES].kernel && all_have(x, p->shape->width))
        return FULL_TILES;
    bool columns =
        choose[HALO_COLUMNS].kernel && (x.block < x.n ? x.block : x.n) <= p->shape->width - 2;
    return columns ? HALO_COLUMNS : ANY_TILES;
}

/* The exchange. With halo columns a tile begins one column from the start of its thread block:
 * shifted by one, its rows of lanes are aligned in the buffer as before, and no more is sent than
 * is needed. Else more is sent in x, so that lanes send whole rows. */
template <typename T> static void set_exchange(const ss_run *run, bool columns, resident_args<T> *a)
{
    const resident_plan *p = plan_of(run);
    const ss_cut &x = p->tiling.x, &y = p->tiling.y;
    const int depth = x.overlap / 2 + 1, c = p->shape->columns;
    for (int i = 0; i < 2; i++)
        a->exchange[i] = (T *)p->exchange[i] + ss_cuda_of(run)->box.first + columns;
    a->x = regions{x.n, x.block, columns ? depth : (depth + c - 1) / c * c, x.count};
    a->y = regions{y.n, y.block, y.overlap / 2 + 1, y.count};
}

/* The update is passed by its address: all of them have the same members. */
template <typename T>
static int launch_kernel_of(const ss_run *run, int parity, int to, int cycles, bool norm,
                            cudaStream_t stream)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    resident_plan *p = plan_of(run);
    const resident_kernel kernel = kernel_of(run, norm);
    const kernel_choice &c = p->shape->choose[ss_cuda_fma(run)][kernel];
    ss_cuda_sweep<T> field = sweep_of<T>(run, parity);
    field.out = (T *)st->u[to] + st->box.first;
    resident_args<T> a;
    a.in = field.in;
    a.rhs = field.rhs;
    a.out = field.out;
    set_exchange(run, kernel == HALO_COLUMNS, &a);
    a.sy = field.sy;
    a.iterations = 0;
    a.exchanges_before = p->exchanges;
    a.flag = p->flag;
    a.sums = NULL;
    a.tiling = p->tiling;
    a.k = run->ticks_per_cycle;
    a.cycles = cycles;
    pentadiagonal<T> update = equation<pentadiagonal<T>>(run);
    void *args[] = {&field, &update, &a};
    dim3 blocks((unsigned)p->blocks), threads((unsigned)p->shape->threads);
    p->exchanges += cycles - 1;
    return cycles > 1
               ? cudaLaunchCooperativeKernel(c.kernel, blocks, threads, args, c.bytes, stream)
               : cudaLaunchKernel(c.kernel, blocks, threads, args, c.bytes, stream);
}

static void launch_cycles(const ss_run *run, int parity, int to, int cycles, bool norm,
                          cudaStream_t stream)
{
    (run->prec == SS_F64 ? launch_kernel_of<double>
                         : launch_kernel_of<float>)(run, parity, to, cycles, norm, stream);
}

static void launch(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    launch_cycles(run, parity, 1 - parity, 1, norm, stream);
}

/* An even number of cycles ends in the array where it starts. No block stores before it has seen
 * all its neighbours' flags, and they raise those after they have loaded their tiles. */
static void launch_many(const ss_run *run, int parity, int cycles, cudaStream_t stream)
{
    resident_plan *p = plan_of(run);
    if (p->exchanges > 1 << 30) { /* far below the end of an int; no kernel runs that waits */
        cudaMemsetAsync(p->flag, 0, (size_t)p->blocks * sizeof *p->flag, stream);
        p->exchanges = 0;
    }
    launch_cycles(run, parity, (parity + cycles) & 1, cycles, false, stream);
}

/* --- prepare ---------------------------------------------------------------------------------- */

static void free_plan(void *own)
{
    resident_plan *p = (resident_plan *)own;
    cudaFree(p->exchange[0]);
    cudaFree(p->exchange[1]);
    cudaFree(p->flag);
    free(p);
}

static int allow(const resident_shape *s, ss_err *err)
{
    for (const auto &kernels : s->choose)
        for (const kernel_choice &c : kernels)
            if (c.kernel)
                SS_CUDA(cudaFuncSetAttribute(c.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             (int)c.bytes));
    return SS_OK;
}

/* Fails if the tiles do not fit on the chip together. */
static int check_room(ss_run *run, const resident_plan *p, double tiles, ss_err *err)
{
    const kernel_choice &c = p->shape->choose[ss_cuda_fma(run)][ANY_TILES];
    ss_cuda_limits limits;
    cudaFuncAttributes kernel;
    int each = 0, most = 0;
    if (ss_cuda_get_limits(&limits, err) != SS_OK || allow(p->shape, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, c.kernel, p->shape->threads, c.bytes));
    SS_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxRegistersPerBlock, 0));
    SS_CUDA(cudaFuncGetAttributes(&kernel, c.kernel));
    run->tile_bytes = 4.0 * kernel.numRegs * p->shape->threads;
    run->tile_room = 4.0 * most;
    if (tiles > (double)each * limits.processors)
        return ss_fail(err,
                       "tile: %.0f subdomains do not fit on the chip of %s at once, which holds %d "
                       "of this size: choose a smaller n, a larger block or tile register",
                       tiles, limits.name, each * limits.processors);
    return SS_OK;
}

static int choose_shape(const ss_run *run, resident_plan *p, ss_err *err)
{
    const ss_cut &x = p->tiling.x, &y = p->tiling.y;
    const resident_shape *(*list)() = shapes[ss_cuda_of(run)->update][run->prec];
    if (!list)
        return ss_fail(err, "tile: subdomains of lines cannot be resident, only those of planes: "
                            "choose tile register or memory");
    int nx = x.block < x.n ? x.block : x.n, ny = y.block < y.n ? y.block : y.n;
    ss_cuda_limits limits;
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    p->shape = list();
    while (p->shape->threads && (p->shape->width < nx || p->shape->height < ny ||
                                 p->shape->choose[0][WITH_NORM].bytes > limits.block_bytes))
        p->shape++;
    if (!p->shape->threads)
        return ss_fail(err,
                       "block: a resident tile has at most %s points, not %d \xc3\x97 %d: choose a "
                       "smaller block or tile register",
                       run->prec == SS_F64 ? "64 \xc3\x97 160 or 128 \xc3\x97 88"
                                           : "64 \xc3\x97 160 or 128 \xc3\x97 128",
                       nx, ny);
    return SS_OK;
}

/* A tile receives overlap / 2 + 1 points, all of them from the next tile. */
static int check_overlap(const ss_cut &c, const char *overlap, ss_err *err)
{
    int owned = c.block - c.overlap;
    if (c.count == 1 || owned > c.overlap / 2)
        return SS_OK;
    return ss_fail(err,
                   "%s: a resident tile owns %d points, fewer than the %d that its neighbour needs "
                   "of it: choose an overlap of at most %d",
                   overlap, owned, c.overlap / 2 + 1, (c.block - 1) * 2 / 3 / 2 * 2);
}

static int allocate(const ss_run *run, resident_plan *p, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t bytes = (st->box.count + 1) * ss_prec_size(run->prec),
           flags = (size_t)p->blocks * sizeof(int);
    for (void *&buffer : p->exchange)
        if (ss_cuda_alloc(&buffer, bytes, "the strips between tiles", err) != SS_OK)
            return SS_FAIL;
    if (ss_cuda_alloc((void **)&p->flag, flags, "the flags", err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaMemsetAsync(p->flag, 0, flags, st->stream));
    return SS_OK;
}

/* In place of the ledger of a launch per cycle. The field itself is read and written once per
 * launch, which is not counted. */
static void bill(ss_run *run, const resident_plan *p)
{
    double points = ss_tiled_exchange(run->eq, &run->problem, &p->tiling);
    ss_ledger *one = &run->per_cycle;
    one->launches = 0;
    one->opening = 1;
    one->edge_bytes = one->global_bytes = 2 * points * (double)ss_prec_size(run->prec);
}

static int plan(ss_run *run, resident_plan *p, ss_err *err)
{
    static_cast<ss_tiling &>(p->tiling) = run->solver->tiling(&run->cfg, &run->problem);
    const ss_cut &x = p->tiling.x, &y = p->tiling.y;
    double tiles = (double)x.count * y.count;
    if (choose_shape(run, p, err) != SS_OK || check_overlap(x, "overlap", err) != SS_OK ||
        check_overlap(y, "overlap-y", err) != SS_OK || check_room(run, p, tiles, err) != SS_OK)
        return SS_FAIL;
    p->blocks = (int)tiles;
    return allocate(run, p, err);
}

int ss_cuda_resident_prepare(ss_run *run, ss_err *err)
{
    resident_plan *p = (resident_plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    if (plan(run, p, err) == SS_OK &&
        ss_cuda_cycles_make(run, launch, (size_t)p->blocks, p, free_plan, err) == SS_OK) {
        ss_cuda_cycles *c = (ss_cuda_cycles *)run->scratch;
        c->many = launch_many;
        c->graphs = false; /* they would launch cycle by cycle */
        bill(run, p);
        c->alone = 1; /* its start remains in the other array */
        return SS_OK;
    }
    if (!run->scratch) /* else ss_cuda_cycles_make has taken p over, and the release frees it */
        free_plan(p);
    ss_cuda_release(run);
    return SS_FAIL;
}
