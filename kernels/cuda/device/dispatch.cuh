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
    for (int i = 0; i < 4; i++)
        eq.c[i] = (typename E::real)run->coef.c[i];
    return eq;
}

/* True where the products of Poisson's update never round: c is a power of two and a is 1 (a line
 * has no a). A product below the smallest normal number does round, but the sum with the right-hand
 * side does not depend on it unless the right-hand side is as small. Other updates have no form
 * with fused multiply-add. */
static inline bool ss_cuda_fma(const ss_run *run)
{
    static const bool has_form[SS_CUDA_NUPDATE] = {true, true, false, false};
    int exponent;
    return has_form[ss_cuda_of(run)->update] && frexp(run->coef.c[0], &exponent) == 0.5 &&
           (run->problem.dim == 1 || run->coef.c[1] == 1) &&
           ss_cuda_of(run)->least_rhs >= (run->prec == SS_F64 ? 1e-250 : 1e-20);
}

/* FN<E<T>>(...) by the run's precision T. */
#define SS_CUDA_PRECISION(run, E, FN, ...)                                                         \
    ((run)->prec == SS_F64 ? FN<E<double>>(__VA_ARGS__) : FN<E<float>>(__VA_ARGS__))

/* The same by the run's update, which was looked up, or refused, when the run was opened:
 * ss_cuda_update_of. P1 and P2 are the forms of Poisson's updates. */
#define SS_CUDA_DISPATCH_TO(run, P1, P2, FN, ...)                                                  \
    (ss_cuda_of(run)->update == SS_CUDA_POISSON1D   ? SS_CUDA_PRECISION(run, P1, FN, __VA_ARGS__)  \
     : ss_cuda_of(run)->update == SS_CUDA_POISSON2D ? SS_CUDA_PRECISION(run, P2, FN, __VA_ARGS__)  \
     : ss_cuda_of(run)->update == SS_CUDA_LINE                                                     \
         ? SS_CUDA_PRECISION(run, tridiagonal, FN, __VA_ARGS__)                                    \
         : SS_CUDA_PRECISION(run, pentadiagonal, FN, __VA_ARGS__))

#define SS_CUDA_DISPATCH(run, FN, ...)                                                             \
    SS_CUDA_DISPATCH_TO(run, poisson_line, poisson_plane, FN, __VA_ARGS__)

/* The same with the fewest operations that leave the bits of this run as they are. */
#define SS_CUDA_DISPATCH_FMA(run, FN, ...)                                                         \
    (ss_cuda_fma(run) ? SS_CUDA_DISPATCH_TO(run, fma_line, fma_plane, FN, __VA_ARGS__)             \
                      : SS_CUDA_DISPATCH(run, FN, __VA_ARGS__))

#endif
