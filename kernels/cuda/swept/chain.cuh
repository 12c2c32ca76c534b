/*
 * Chains of launches that wait for each other and for nobody else: levels of the stepper, diamonds
 * of the swept rule. CUDA C++17; host functions are called from the engine thread.
 */
#ifndef SS_CUDA_CHAIN_CUH
#define SS_CUDA_CHAIN_CUH

#include "kernels/cuda/swept/equations.cuh"

/* Scratch of such engine ops. */
struct ss_cuda_chain {
    /* Launch i of a step whose start lies in u[cur]; i and i + 2 are the same launch, but for the
     * first and the last one of a step, which have functions of their own or are like any other
     * (NULL). */
    void (*launch)(const ss_run *run, int cur, int i, cudaStream_t stream);
    /* Level i of classic steps. */
    void (*level)(const ss_run *run, int cur, int i, cudaStream_t stream);
    void (*first)(const ss_run *run, int cur, cudaStream_t stream);
    void (*last)(const ss_run *run, int cur, cudaStream_t stream);
    /* Launches between first and last of so many cycles. */
    int64_t (*between)(const ss_run *run, int64_t cycles);
    /* Instead of the second of each pair of launches: something that takes the host, too. May be
     * NULL; there are no graphs then. */
    int (*aside)(ss_run *run, int cur, ss_err *err);
    /* Instead of all these: so many cycles at once. May be NULL. */
    void (*whole)(const ss_run *run, int cur, int64_t cycles, cudaStream_t stream);
    bool graphs;
    cudaGraphExec_t graph[2]; /* by cur; of SS_CHAIN_GRAPH launches, the first one odd */
    void *own;
    void (*free_own)(void *own);
};

int ss_cuda_chain_make(ss_run *run, const ss_cuda_chain *like, ss_err *err);

/* Level i of classic steps, a thread for a few points (stepper.cu). */
template <class E>
void ss_cuda_launch_level(const ss_run *run, int cur, int i, cudaStream_t stream);

/*
 * PREPARE<E>(run, err) for the equation, the precision and the limiter of a run: C functions named
 * <name>_heat_prepare and so on, one for each column of the matrix.
 */
#define SS_CUDA_PREPARE_EACH(name, PREPARE)                                                        \
    int name##_heat_prepare(ss_run *run, ss_err *err)                                              \
    {                                                                                              \
        return run->prec == SS_F64 ? PREPARE<heat<double>>(run, err)                               \
                                   : PREPARE<heat<float>>(run, err);                               \
    }                                                                                              \
    int name##_ks_prepare(ss_run *run, ss_err *err)                                                \
    {                                                                                              \
        return run->prec == SS_F64 ? PREPARE<ks<double>>(run, err) : PREPARE<ks<float>>(run, err); \
    }                                                                                              \
    int name##_euler_prepare(ss_run *run, ss_err *err)                                             \
    {                                                                                              \
        static int (*const each[SS_NPREC][SS_NLIMITER])(ss_run *, ss_err *) = {                    \
            {PREPARE<euler<double, SS_LIMITER_MINMOD>>,                                            \
             PREPARE<euler<double, SS_LIMITER_PRINTED>>, PREPARE<euler<double, SS_LIMITER_NONE>>}, \
            {PREPARE<euler<float, SS_LIMITER_MINMOD>>, PREPARE<euler<float, SS_LIMITER_PRINTED>>,  \
             PREPARE<euler<float, SS_LIMITER_NONE>>}};                                             \
        return each[run->prec][(int)run->coef.c[2]](run, err);                                     \
    }

#endif
