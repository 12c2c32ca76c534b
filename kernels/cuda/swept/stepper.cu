/*
 * Classic time stepping on the GPU: which of the kernels of stepper.cuh a run gets, and its
 * launches. Engine thread.
 */
#include <initializer_list>

#include "kernels/cuda/device/slabs.cuh"
#include "kernels/cuda/swept/chain.cuh"
#include "kernels/cuda/swept/stepper.cuh"

/* A kernel of stepper.cuh, and the shortest line that it is for. */
struct level_kernel {
    const void *function;
    int points; /* per thread */
    int from;   /* points of a line */
};

static level_kernel last_for(int n, std::initializer_list<level_kernel> rising)
{
    level_kernel last = *rising.begin();
    for (const level_kernel &k : rising)
        if (n >= k.from)
            last = k;
    return last;
}

/* More points per thread mean fewer blocks to launch and more bytes in flight per SM, as long as
 * all SMs have threads. Adjacent points share faces, so that a thread has four of them if there are
 * many fields. Measured on an H200. */
template <class E> static level_kernel kernel_for(int n)
{
    if constexpr (E::fields > 1)
        return last_for(n, {{(const void *)one_level<E, 1, 1>, 1, 0},
                            {(const void *)one_level<E, 2, 1>, 2, 1 << 18},
                            {(const void *)one_level<E, 4, 1>, 4, 1 << 20}});
    else
        return last_for(n, {{(const void *)one_level<E, 1, 1>, 1, 0},
                            {(const void *)one_level<E, 2, 1>, 2, 1 << 17},
                            {(const void *)one_level<E, 2, 2>, 4, 1 << 19},
                            {(const void *)one_level<E, 2, 4>, 8, 1 << 20}});
}

template <class E> static void plan_level(const ss_run *run, ss_cuda_chain *plan)
{
    const int n = run->problem.nx;
    const level_kernel k = kernel_for<E>(n);
    const E eq(run->coef);
    static_assert(sizeof eq <= sizeof plan->equation && std::is_trivially_copyable<E>::value,
                  "ss_cuda_equation holds every equation");
    memcpy(&plan->equation, &eq, sizeof eq);
    plan->level.function = k.function;
    plan->level.blocks = (unsigned)ceil_div(n, k.points * STEPPER_THREADS);
    plan->level.threads = STEPPER_THREADS;
}

static int64_t levels_of(const ss_run *run, int64_t cycles)
{
    return cycles * run->iterations_per_cycle;
}

static int prepare(ss_run *run, ss_cuda_chain *plan, ss_err *err)
{
    plan->launch = ss_cuda_chain_level;
    plan->between = levels_of;
    return ss_cuda_chain_make(run, plan, err);
}

#define EQUATION(TYPE)                                                                             \
    void ss_cuda_##TYPE##_plan_level(const ss_run *run, ss_cuda_chain *plan)                       \
    {                                                                                              \
        ss_with_equation<TYPE>(                                                                    \
            run, [=](auto e) { plan_level<typename decltype(e)::type>(run, plan); });              \
    }                                                                                              \
    int ss_cuda_stepper_##TYPE##_prepare(ss_run *run, ss_err *err)                                 \
    {                                                                                              \
        ss_cuda_chain plan = {};                                                                   \
        if (ss_cuda_slabs_of(run))                                                                 \
            return ss_cuda_chains_prepare(run, ss_cuda_stepper_##TYPE##_prepare, 1, err);          \
        ss_cuda_##TYPE##_plan_level(run, &plan);                                                   \
        return prepare(run, &plan, err);                                                           \
    }
#include "kernels/cuda/swept/equations.def"
#undef EQUATION
