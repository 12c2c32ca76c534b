/*
 * Chains of kernel launches in which each launch depends on the one before and on nothing on the
 * host: levels of the stepper, diamonds of the swept rule. `prepare` resolves parameters and
 * kernels once into a plan; a step only launches what the plan says. Host code, CUDA C++17; engine
 * thread.
 *
 * A step here is one call of ss_cuda_chain_step: a number of cycles, after each of which the line
 * is on one level (stepper: one time step per cycle; swept: 2 h levels, two diamonds). u[0] and
 * u[1] are the two arrays of the run (ss_cuda_state in device/state.cuh); u[cur] holds the field.
 */
#ifndef SS_CUDA_CHAIN_CUH
#define SS_CUDA_CHAIN_CUH

#include <type_traits>

#include "kernels/cuda/device/kernel.cuh"
#include "kernels/cuda/swept/engine_ops.h"
#include "kernels/cuda/swept/equations.cuh"
#include "kernels/cuda/swept/row_io.cuh"

/* Argument 0 of every kernel of a chain: a type of equations.cuh, by value. 64 bytes hold the
 * largest, ks with eight doubles; stepper.cu asserts it. */
struct ss_cuda_equation {
    alignas(16) char bytes[64];
};

/* Argument 1: row[0] is u[cur], row[1] the other array. ss_rows<T> has one layout for every T. */
ss_rows<void> ss_cuda_rows(const ss_run *run, int cur);

/* The scratch of a run: the plan. */
struct ss_cuda_chain {
    ss_cuda_equation equation;
    ss_cuda_kernel level; /* one_level of stepper.cuh */
    /* Launch i of a step that starts in u[cur]. Launches i and i + 2 are the same; the first and
     * the last one of a step may have functions of their own (NULL: they have not). */
    void (*launch)(const ss_run *run, int cur, int i, cudaStream_t stream);
    void (*first)(const ss_run *run, int cur, cudaStream_t stream);
    void (*last)(const ss_run *run, int cur, cudaStream_t stream);
    /* Launches between first and last for a number of cycles. */
    int64_t (*between)(const ss_run *run, int64_t cycles);
    /* Replaces every odd launch by work shared between device and host, which cannot be captured in
     * a graph. May be NULL. */
    int (*with_host)(ss_run *run, int cur, ss_err *err);
    /* Replaces all of these: a number of cycles in one launch. May be NULL. */
    void (*whole)(const ss_run *run, int cur, int64_t cycles, cudaStream_t stream);
    bool graphs;
    cudaGraphExec_t graph[2]; /* by cur: a fixed, even number of launches, the first one odd */
    void *own;                /* private data of the solver; free_own(own) releases it */
    void (*free_own)(void *own);
};

static inline ss_cuda_chain *ss_cuda_chain_of(const ss_run *run)
{
    return (ss_cuda_chain *)run->scratch;
}

/* Makes a copy of `plan` the scratch of the run, and loads its kernels. On failure plan->own
 * remains the caller's. */
int ss_cuda_chain_make(ss_run *run, const ss_cuda_chain *plan, ss_err *err);

/* Enqueues a number of cycles from u[cur], without a wait. The first calls record graphs. */
int ss_cuda_chain_enqueue(ss_run *run, int64_t cycles, ss_err *err);
/* The same for classic steps, from u[cur]. */
void ss_cuda_chain_enqueue_steps(const ss_run *run, int64_t steps);

/* Several devices (divided.cu): each has a part of the line, which is a run of its own with a plan
 * of its own, made by `prepare`. Cuts are multiples of `unit` points. */
int ss_cuda_chains_prepare(ss_run *run, int (*prepare)(ss_run *part, ss_err *err), int unit,
                           ss_err *err);
int ss_cuda_chains_step(ss_run *run, int64_t cycles, ss_err *err);
int ss_cuda_chains_finish(ss_run *run, int64_t steps, ss_err *err);
void ss_cuda_chains_release(ss_run *run);

/* Level i of classic steps, for `launch`. */
void ss_cuda_chain_level(const ss_run *run, int cur, int i, cudaStream_t stream);

/* For each equation its part of the plan: `equation` and `level`, for the precision and the version
 * that the run asks for (stepper.cu). */
#define EQUATION(TYPE) void ss_cuda_##TYPE##_plan_level(const ss_run *run, ss_cuda_chain *plan);
#include "kernels/cuda/swept/equations.def"
#undef EQUATION

/*
 * f(E) with an object of type ss_equation_type<E>, where E is EQ in the precision of the run and in
 * the version (equations.cuh) that its coefficients ask for.
 */
template <class E> struct ss_equation_type {
    typedef E type;
};
template <template <typename, int> class EQ, int V = 0, class F>
static auto ss_with_equation(const ss_run *run, F f)
{
    if constexpr (V + 1 < EQ<double, V>::versions)
        if (EQ<double, V>::version(run->coef) != V)
            return ss_with_equation<EQ, V + 1>(run, f);
    return run->prec == SS_F64 ? f(ss_equation_type<EQ<double, V>>())
                               : f(ss_equation_type<EQ<float, V>>());
}

#endif
