/*
 * Red-black SOR in tiles on the GPU: tiles.cuh with the inner iteration that relaxes one colour per
 * subiteration. Host code; engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/device/slabs.cuh"
#include "kernels/cuda/jacobi/tiles.cuh"

struct sor_tile_plan : tile_plan {
    double omega;
};

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
};

static const tile_method method = {tiles_in_smem<sor_method>::launch,
                                   tiles_in_smem<sor_method>::allow, NULL, false};

int ss_cuda_shared_sor_prepare(ss_run *run, ss_err *err)
{
    if (ss_cuda_slabs_of(run))
        return ss_cuda_slabs_refuse("solver shared-sor", "solver jacobi or shared", err);
    sor_tile_plan *p = (sor_tile_plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    p->omega = ss_config_real(&run->cfg, "omega");
    return ss_cuda_tiles_prepare(run, p, &method, free, err);
}
