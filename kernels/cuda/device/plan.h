/*
 * What a solver prepares on the device, and how a step is launched. A plan holds kernels with the
 * shape of their launch, device memory, and the functions that put cycles on a stream; plan.c puts
 * them there one by one or as a CUDA graph. One function frees any plan. Engine thread.
 */
#ifndef SS_CUDA_PLAN_H
#define SS_CUDA_PLAN_H

#include "kernels/cuda/device/slabs.h"
#include "kernels/cuda/device/state.h"

/* --- kernels by equation and precision -------------------------------------------------------- */

/* The coefficients of a point update (update.cuh), in the run's precision: an argument of kernels.
 */
typedef union ss_cuda_coefficients {
    double f64[4];
    float f32[4];
} ss_cuda_coefficients;
ss_cuda_coefficients ss_cuda_coefficients_of(const ss_run *run);

/* A number in the run's precision: an argument of kernels. */
typedef union ss_cuda_real {
    double f64;
    float f32;
} ss_cuda_real;
ss_cuda_real ss_cuda_real_of(ss_prec prec, double value);

/* "double" or "float". */
const char *ss_cuda_real_name(ss_prec prec);
/* The type of the run's point update, as "poisson_plane<double>". fma: with the fewest operations
 * that leave the bits of this run as they are. */
const char *ss_cuda_update_name(const ss_run *run, bool fma);

/* The arguments of a cycle from u[parity]. */
ss_cuda_cycle_args ss_cuda_cycle_args_of(const ss_run *run, int parity);

static inline int ceil_div(int64_t a, int64_t b)
{
    return (int)((a + b - 1) / b);
}

/* --- plans ------------------------------------------------------------------------------------ */

/* Launches one cycle from u[parity] into u[1 - parity], and before or with it the norm of u[parity]
 * if `norm` is set. */
typedef void ss_cuda_launch(const ss_run *run, int parity, bool norm, ss_cu_stream stream);

/* Many cycles recorded. */
typedef struct ss_cuda_cycle_graph {
    ss_cu_graph exec;    /* NULL: none yet */
    int length;          /* its cycles */
    int start;           /* the first cycle starts from u[start] */
    int64_t check_every; /* of the run */
} ss_cuda_cycle_graph;

/* run->scratch of every engine op on the device. */
typedef struct ss_cuda_plan {
    void *own;                       /* the solver's own members, zeroed; freed with the plan */
    ss_cuda_kernel_list kernels;     /* those found in `own` */
    const ss_cuda_kernel_list *more; /* those in other memory; NULL: none */
    ss_cuda_kept kept;               /* all that the solver has on the device */
    /* Optional: frees what is neither in `own` nor in `kept`. */
    void (*close)(ss_run *run);

    /* Optional: finds the kernels of the present fma. ss_cuda_plan_find calls it when that
     * has changed; the solver's prepare calls it first. */
    int (*find)(ss_run *run, ss_err *err);
    bool fma; /* of the kernels that were found */

    /* For ss_cuda_step; other steps leave it NULL. */
    ss_cuda_launch *launch;
    /* Optional: enqueued before the first cycle of a step, which starts from u[parity]. */
    void (*begin)(const ss_run *run, int parity, ss_cu_stream stream);
    /* Optional: several launches in a row are enqueued between fork and join, for solvers with
     * streams of their own: these begin and end with `stream`. */
    void (*fork)(const ss_run *run, ss_cu_stream stream);
    void (*join)(const ss_run *run, ss_cu_stream stream);
    /* Optional: `cycles` cycles, at least 2, without norms in one launch, from u[parity] into
     * u[(parity + cycles) & 1]. */
    void (*many)(const ss_run *run, int parity, int cycles, ss_cu_stream stream);
    /* Optional: enqueued before the last cycle of a step; saves the field it starts from. Double
     * buffered cycles need none, as they leave it in u[1 - cur]. */
    void (*keep)(const ss_run *run, ss_cu_stream stream);
    /* Optional: before the first cycle of a step and after its last one. Solvers that keep the
     * fields in a layout of their own convert them here. */
    int (*enter)(ss_run *run, ss_err *err), (*leave)(ss_run *run, ss_err *err);
    int alone; /* cycles at the end of a step that are launched by themselves, not in a graph and
                  not with others */
    bool in_place;                /* cycles update u[cur] in place; launch then ignores parity */
    bool graphs;                  /* many cycles are one launch of a graph */
    double *partial;              /* on the device, one sum per thread block */
    ss_cuda_cycle_graph graph[2]; /* without norms, and with those of run->check_every */
} ss_cuda_plan;

static inline ss_cuda_plan *ss_cuda_plan_of(const ss_run *run)
{
    return (ss_cuda_plan *)run->scratch;
}

/* Makes run->scratch, with `own` zeroed bytes of the solver's, and the run's device current. After
 * a failure, here or later in prepare, the solver calls ss_cuda_release. */
int ss_cuda_plan_make(ss_run *run, size_t own, ss_err *err);
/* Before launches: finds the kernels for the present right-hand side and coefficients again, if
 * they are others. ss_cuda_step calls it. */
int ss_cuda_plan_find(ss_run *run, ss_err *err);
/* Lets the plan launch cycles of at most `blocks` thread blocks. */
int ss_cuda_plan_cycles(ss_run *run, ss_cuda_launch *launch, size_t blocks, ss_err *err);

/* The thread block of parameters tpb-x and tpb-y. Refuses more than max_threads threads, and rows
 * that are not whole warps, which block_sum needs. */
int ss_cuda_threads(const ss_run *run, int max_threads, ss_cu_dim *out, ss_err *err);

/* The number of subdomains of a tiling; refuses more than one launch has thread blocks. */
int ss_cuda_count_tiles(const ss_tiling *t, int *out, ss_err *err);

/* --- a solver --------------------------------------------------------------------------------- */

/*
 * A solver on the GPU as a constant row: what `prepare` of its engine ops does is the same for all,
 * and differs in these. Engine thread.
 */

typedef struct ss_cuda_solver {
    size_t own; /* bytes of its members: ss_cuda_plan.own */
    /* Fills the plan: shapes, kernels, memory, the launch of a cycle. */
    int (*make)(ss_run *run, ss_cuda_plan *plan, ss_err *err);
    const char *alone; /* in words, if it runs on one device only */
    /* As in the plan; set before `make`. */
    int (*find)(ss_run *run, ss_err *err);
    void (*begin)(const ss_run *run, int parity, ss_cu_stream stream);
    int (*enter)(ss_run *run, ss_err *err), (*leave)(ss_run *run, ss_err *err);
    void (*close)(ss_run *run);
} ss_cuda_solver;

/* Makes run->scratch; after a failure there is none. */
int ss_cuda_prepare(ss_run *run, const ss_cuda_solver *solver, ss_err *err);

/* Records as a graph, if there is none yet, what `cycle` puts on the run's stream: for cycles of
 * many launches. */
int ss_cuda_record_cycle(const ss_run *run, ss_cuda_launch *cycle, int parity, bool norm,
                         ss_cu_graph *graph, ss_err *err);

/* --- sums of many blocks ---------------------------------------------------------------------- */

/*
 * Sums over many thread blocks in two launches, always in the same order: each block of the first
 * stores one partial sum (leave_sum in norm.cuh), the one block of the second adds them. Engine
 * thread.
 */

/* The kernels of the second launch, on one device. */
typedef struct ss_cuda_sums {
    ss_cuda_kernel add, decide;
} ss_cuda_sums;
int ss_cuda_sums_find(ss_cuda_sums *s, ss_err *err);

/* Appends the norm of `count` partial sums and decides whether the run goes on: see norm.cuh. */
void ss_cuda_sums_decide(const ss_cuda_sums *s, const double *partial, uint32_t count,
                         ss_cuda_control *control, ss_cu_stream stream);
/* Stores the sum of `count` partial sums in *out, on the device. */
void ss_cuda_sums_add(const ss_cuda_sums *s, const double *partial, uint32_t count, double *out,
                      ss_cu_stream stream);

#endif
