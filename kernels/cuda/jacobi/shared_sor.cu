/*
 * Red-black SOR in tiles on the GPU: tiles.cuh with the inner iteration that relaxes one colour per
 * subiteration. Host code; engine thread.
 */
#include <stdlib.h>

#include "kernels/cpu/loops/combine.h"
#include "kernels/cuda/device/slabs.cuh"
#include "kernels/cuda/jacobi/tiles.cuh"
#include "kernels/sample/parts.h"

struct sor_tile_plan : tile_plan {
    double omega;
};

template <class E, class F, int LX, int R, int WARPS> static register_shape plane_shape();
template <class E, class F, int LX, int C, int R> static register_shape line_shape();

struct sor_method {
    template <class E> using inner = one_colour_a_time<typename E::real>;
    template <class E> static inner<E> of(const ss_run *run, int)
    {
        typedef typename E::real T;
        double omega = static_cast<const sor_tile_plan *>(tile_plan_of(run))->omega;
        inner<E> out;
        out.relax = damped<T>{(T)(1 - omega), (T)omega};
        return out;
    }
    template <class E, int LX, int C, int R> using tile = warp_tile<E, LX, C, R>;

    /* As Jacobi's, less those with an odd number of rows per lane: colours are known when loops are
     * unrolled. */
    template <class E, class F> static const register_shape *planes()
    {
        static const register_shape shapes[] = {
            plane_shape<E, F, 8, 8, 1>(),  /* up to  32 x  32 points */
            plane_shape<E, F, 16, 8, 2>(), /*        64 x  32 */
            plane_shape<E, F, 8, 8, 2>(),  /*        32 x  64 */
            plane_shape<E, F, 16, 8, 4>(), /*        64 x  64 */
            plane_shape<E, F, 32, 8, 4>(), /*       128 x  32 */
            plane_shape<E, F, 8, 8, 4>(),  /*        32 x 128 */
            plane_shape<E, F, 32, 8, 8>(), /*       128 x  64 */
            plane_shape<E, F, 16, 8, 8>(), /*        64 x 128 */
            shapes_end(LARGEST_PLANE),
        };
        return shapes;
    }
    template <class E, class F> static const register_shape *lines()
    {
        static const register_shape shapes[] = {
            line_shape<E, F, 8, 4, 8>(),   /* up to  32 points */
            line_shape<E, F, 8, 8, 4>(),   /*        64 */
            line_shape<E, F, 16, 8, 4>(),  /*       128 */
            line_shape<E, F, 32, 8, 4>(),  /*       256 */
            line_shape<E, F, 32, 16, 2>(), /*       512 */
            shapes_end(LARGEST_LINE),
        };
        return shapes;
    }
};

template <class E, class F, int LX, int R, int WARPS> static register_shape plane_shape()
{
    return shape_of<sor_method, E, F, LX, 4, R, WARPS>();
}

template <class E, class F, int LX, int C, int R> static register_shape line_shape()
{
    return shape_of<sor_method, E, F, LX, C, R, 4>();
}

static const tile_method method = {tiles_in_smem<sor_method>::launch,
                                   tiles_in_smem<sor_method>::allow, register_shapes<sor_method>,
                                   false, true};

/* For the layer of staleness, which the CPU computes. */
static bool show(const ss_run *run, ss_recurrence *out)
{
    *out = ss_recurrence{};
    out->colours = ss_combine_of(run->prec)->relax_colour;
    out->relaxation = static_cast<const sor_tile_plan *>(tile_plan_of(run))->omega;
    return true;
}

int ss_cuda_shared_sor_prepare(ss_run *run, ss_err *err)
{
    if (ss_cuda_slabs_of(run))
        return ss_cuda_slabs_refuse("solver shared-sor", "solver jacobi or shared", err);
    sor_tile_plan *p = (sor_tile_plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    p->omega = ss_config_real(&run->cfg, "omega");
    if (ss_cuda_tiles_prepare(run, p, &method, free, err) != SS_OK)
        return SS_FAIL;
    ((ss_cuda_state *)run->state)->recurrence = show;
    return SS_OK;
}
