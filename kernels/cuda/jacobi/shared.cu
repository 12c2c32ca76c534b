/*
 * Hierarchical Jacobi (block Jacobi with k inner sweeps and overlap) on the GPU: tiles.cuh with
 * Jacobi's own iteration; the shapes of its tiles in registers; its division among several devices.
 * Host code; called by the thread of the engine.
 */
#include <stdlib.h>

#include "kernels/cuda/device/slab_cycles.cuh"
#include "kernels/cuda/jacobi/tiles.cuh"

struct jacobi_method {
    template <class E> using inner = jacobi_alone<typename E::real>;
    template <class E> static inner<E> of(const ss_run *, int)
    {
        return inner<E>();
    }
};

/* --- tiles in registers ----------------------------------------------------------------------- */

template <class E, class P, int WARPS>
static void launch_registers(const ss_run *run, const tile_plan *p, int parity, bool norm,
                             cudaStream_t stream)
{
    launch_kernel(
        norm ? tile_in_registers<E, P, WARPS, true> : tile_in_registers<E, P, WARPS, false>,
        p->blocks, dim3(32 * WARPS), 0, stream, fields_of_tiles<typename E::real>(run, parity),
        equation<E>(run), args_of_tiles(run, p));
}

/* LX lanes in x, R rows of C points per lane, WARPS warps one above the other; E: the update, F:
 * the same with fused multiply-add. */
template <class E, class F, int LX, int C, int R, int WARPS> static register_shape shape_of()
{
    typedef warp_tile<E, LX, C, R> P;
    typedef warp_tile<F, LX, C, R> Q;
    bool plane = E::dim > 1;
    register_shape shape = {P::WIDTH,
                            plane ? P::HEIGHT * WARPS : 1,
                            plane ? 1 : P::HEIGHT * WARPS,
                            32 * WARPS,
                            {launch_registers<E, P, WARPS>, launch_registers<F, Q, WARPS>},
                            {(const void *)tile_in_registers<E, P, WARPS, false>,
                             (const void *)tile_in_registers<F, Q, WARPS, false>}};
    return shape;
}

template <class E, class F, int LX, int R, int WARPS> static register_shape plane_shape()
{
    return shape_of<E, F, LX, 4, R, WARPS>();
}

template <class E, class F, int LX, int C, int R> static register_shape line_shape()
{
    return shape_of<E, F, LX, C, R, 4>();
}

/* The first shape that is large enough is taken. Shapes of 9 rows per lane are for tiles that a
 * little overlap makes higher than 32 or 64 points: on an H200, 64 x 72 with k = 48 and an overlap
 * of 4 reaches a residual of 0.0001 first of all (assets/measured/h200.md). */
template <class E, class F = E> static const register_shape *planes()
{
    static const register_shape shapes[] = {
        plane_shape<E, F, 8, 8, 1>(),  /* up to  32 x  32 points */
        plane_shape<E, F, 8, 9, 1>(),  /*        32 x  36 */
        plane_shape<E, F, 16, 8, 2>(), /*        64 x  32 */
        plane_shape<E, F, 8, 8, 2>(),  /*        32 x  64 */
        plane_shape<E, F, 16, 8, 4>(), /*        64 x  64 */
        plane_shape<E, F, 16, 9, 4>(), /*        64 x  72 */
        plane_shape<E, F, 32, 8, 4>(), /*       128 x  32 */
        plane_shape<E, F, 8, 8, 4>(),  /*        32 x 128 */
        plane_shape<E, F, 32, 8, 8>(), /*       128 x  64 */
        plane_shape<E, F, 16, 8, 8>(), /*        64 x 128 */
        {},
    };
    return shapes;
}

template <class E, class F = E> static const register_shape *lines()
{
    static const register_shape shapes[] = {
        line_shape<E, F, 8, 4, 8>(),   /* up to  32 points */
        line_shape<E, F, 8, 8, 4>(),   /*        64 */
        line_shape<E, F, 16, 8, 4>(),  /*       128 */
        line_shape<E, F, 32, 8, 4>(),  /*       256 */
        line_shape<E, F, 32, 16, 2>(), /*       512 */
        {},
    };
    return shapes;
}

template <typename T> static const register_shape *shapes_of(int update)
{
    static const register_shape *(*const table[SS_CUDA_NUPDATE])() = {
        lines<poisson_line<T>, fma_line<T>>,
        planes<poisson_plane<T>, fma_plane<T>>,
        lines<tridiagonal<T>>,
        planes<pentadiagonal<T>>,
    };
    return table[update]();
}

static const register_shape *shapes(const ss_run *run)
{
    int update = ss_cuda_of(run)->update;
    return run->prec == SS_F64 ? shapes_of<double>(update) : shapes_of<float>(update);
}

/* --- one device ------------------------------------------------------------------------------- */

static const tile_method method = {tiles_in_smem<jacobi_method>::launch,
                                   tiles_in_smem<jacobi_method>::allow, shapes, false};

static int prepare_alone(ss_run *run, ss_err *err)
{
    tile_plan *p = (tile_plan *)calloc(1, sizeof *p);
    return p ? ss_cuda_tiles_prepare(run, p, &method, free, err) : ss_fail(err, "out of memory");
}

/* --- several devices -------------------------------------------------------------------------- */

/* The first row that row of tiles j owns. */
static int first_row(const ss_cut &c, int j)
{
    return j < c.count ? ss_cut_span(c, j).wlo : c.n;
}

/* Rows of tiles that own the first or the last `depth` rows of a slab. */
static int edge_tiles(const ss_cut &c, int depth)
{
    int owned = c.block - c.overlap;
    return depth > 0 ? (depth + owned - 1) / owned : 0;
}

/* Each device has whole rows of tiles. A tile reads overlap / 2 points beyond those that it owns,
 * and its frozen halo, one more. */
static int divide(const ss_run *run, ss_cuda_division *d, ss_err *err)
{
    const ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    ss_tiling t = run->solver->tiling(&run->cfg, &run->problem);
    int depth = run->problem.dim > 1 ? t.y.overlap / 2 + 1 : 0, edge = edge_tiles(t.y, depth);
    int least = ss_cuda_sides(s) * edge + 1;
    *d = ss_cuda_division{prepare_alone, depth, 1, {}, {}, {}};
    if (t.y.count / s->count < least)
        return ss_fail(err,
                       "devices: %d rows of subdomains are too few for %d devices, which need %d "
                       "each with this overlap: choose fewer devices, a smaller block-y or a "
                       "smaller overlap-y",
                       t.y.count, s->count, least);
    for (int i = 0; i <= s->count; i++)
        d->cut[i] = first_row(t.y, (int)((int64_t)t.y.count * i / s->count));
    for (int i = 0; i < s->count; i++) {
        int from = (int)((int64_t)t.y.count * i / s->count);
        int to = (int)((int64_t)t.y.count * (i + 1) / s->count);
        d->south[i] = i > 0 ? first_row(t.y, from + edge) - d->cut[i] : 0;
        d->north[i] = i + 1 < s->count ? d->cut[i + 1] - first_row(t.y, to - edge) : 0;
    }
    return SS_OK;
}

static int prepare_divided(ss_run *run, ss_err *err)
{
    ss_cuda_division d;
    return divide(run, &d, err) == SS_OK ? ss_cuda_divided_prepare(run, &d, err) : SS_FAIL;
}

int ss_cuda_shared_prepare(ss_run *run, ss_err *err)
{
    return (ss_cuda_slabs_of(run) ? prepare_divided : prepare_alone)(run, err);
}
