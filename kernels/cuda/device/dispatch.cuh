/*
 * Chooses the template of a launcher by the equation and the precision of a run. Host code; engine
 * thread.
 */
#ifndef SS_CUDA_DISPATCH_CUH
#define SS_CUDA_DISPATCH_CUH

#include <math.h>

#include "kernels/cuda/device/state.cuh"
#include "kernels/cuda/device/update.cuh"

template <class E> static E equation(const ss_run *run)
{
    E eq;
    eq.c = (typename E::real)run->coef.c[0];
    eq.a = (typename E::real)run->coef.c[1];
    return eq;
}

/* True where the products of the update never round: c is a power of two and a is 1 (a line has no
 * a). A product below the smallest normal number does round, but the sum with the right-hand side
 * does not depend on it unless the right-hand side is as small. */
static inline bool ss_cuda_fma(const ss_run *run)
{
    int exponent;
    return frexp(run->coef.c[0], &exponent) == 0.5 &&
           (run->problem.dim == 1 || run->coef.c[1] == 1) &&
           ss_cuda_of(run)->least_rhs >= (run->prec == SS_F64 ? 1e-250 : 1e-20);
}

/* FN<E>(...) with E = LINE<T> or PLANE<T>, by the run's update and precision. The update was looked
 * up, or refused, when the run was opened: ss_cuda_update_of. */
#define SS_CUDA_DISPATCH_TO(run, LINE, PLANE, FN, ...)                                             \
    (ss_cuda_of(run)->update == SS_CUDA_PLANE                                                      \
         ? ((run)->prec == SS_F64 ? FN<PLANE<double>>(__VA_ARGS__)                                 \
                                  : FN<PLANE<float>>(__VA_ARGS__))                                 \
         : ((run)->prec == SS_F64 ? FN<LINE<double>>(__VA_ARGS__) : FN<LINE<float>>(__VA_ARGS__)))

#define SS_CUDA_DISPATCH(run, FN, ...) SS_CUDA_DISPATCH_TO(run, line, plane, FN, __VA_ARGS__)

/* The same with the fewest operations that leave the bits of this run as they are. */
#define SS_CUDA_DISPATCH_FMA(run, FN, ...)                                                         \
    (ss_cuda_fma(run) ? SS_CUDA_DISPATCH_TO(run, fma_line, fma_plane, FN, __VA_ARGS__)             \
                      : SS_CUDA_DISPATCH(run, FN, __VA_ARGS__))

#endif
