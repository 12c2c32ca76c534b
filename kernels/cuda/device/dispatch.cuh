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

/* Do the products of the update never round? c must be a power of two and a be 1 (or not be there).
 * A product below the smallest normal number does round, but into what no sum with the right-hand
 * side can tell, unless that is as small. */
static inline bool ss_cuda_even(const ss_run *run)
{
    int exponent;
    return frexp(run->coef.c[0], &exponent) == 0.5 &&
           (run->problem.dim == 1 || run->coef.c[1] == 1) &&
           ss_cuda_of(run)->least_rhs >= (run->prec == SS_F64 ? 1e-250 : 1e-20);
}

/* FN<E>(...) for the equation and the precision of a run; both are properties, not names. */
#define SS_CUDA_DISPATCH(run, FN, ...)                                                             \
    ((run)->problem.dim == 1                                                                       \
         ? ((run)->prec == SS_F64 ? FN<line<double>>(__VA_ARGS__) : FN<line<float>>(__VA_ARGS__))  \
         : ((run)->prec == SS_F64 ? FN<plane<double>>(__VA_ARGS__)                                 \
                                  : FN<plane<float>>(__VA_ARGS__)))

/* The same in as few operations as the run allows. */
#define SS_CUDA_DISPATCH_EVEN(run, FN, ...)                                                        \
    (!ss_cuda_even(run)        ? SS_CUDA_DISPATCH(run, FN, __VA_ARGS__)                            \
     : (run)->problem.dim == 1 ? ((run)->prec == SS_F64 ? FN<even_line<double>>(__VA_ARGS__)       \
                                                        : FN<even_line<float>>(__VA_ARGS__))       \
                               : ((run)->prec == SS_F64 ? FN<even_plane<double>>(__VA_ARGS__)      \
                                                        : FN<even_plane<float>>(__VA_ARGS__)))

#endif
