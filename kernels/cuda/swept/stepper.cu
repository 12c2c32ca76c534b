/*
 * Classic time stepping on the GPU: which of the kernels of stepper.cuh a run gets, and its
 * launches. Engine thread.
 */
#include <limits.h>

#include "kernels/cuda/device/slabs.cuh"
#include "kernels/cuda/swept/chain.cuh"
#include "kernels/cuda/swept/stepper.cuh"

/* Points per thread, as an index into `kernels` below. More points mean fewer blocks to launch and
 * more bytes in flight per SM, as long as all SMs have threads. Measured on an H200: from this many
 * points of a line on. */
static int suitable_points(int fields, int n)
{
    static const int from[2][3] = {{1 << 17, 1 << 19, 1 << 20}, {1 << 18, 1 << 20, INT_MAX}};
    int choice = 0;
    while (choice < 3 && n >= from[fields > 1][choice])
        choice++;
    return choice;
}

/* Adjacent points share faces, so that equations with many fields have four of them per thread. */
template <class E> static void plan_level(const ss_run *run, ss_cuda_chain *plan)
{
    constexpr int P = E::fields > 1 ? 4 : 2;
    static const struct {
        const void *function;
        int points;
    } kernels[] = {{(const void *)one_level<E, 1, 1>, 1},
                   {(const void *)one_level<E, 2, 1>, 2},
                   {(const void *)one_level<E, P, 4 / P>, 4},
                   {(const void *)one_level<E, P, 8 / P>, 8}};
    const int choice = (int)ss_config_int(&run->cfg, "points"), n = run->problem.nx;
    const auto &k = kernels[choice > 0 ? choice - 1 : suitable_points(E::fields, n)];
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
