/*
 * Chains of kernel launches in which each launch depends on the one before and on nothing on the
 * host: levels of the stepper, diamonds of the swept rule. `prepare` resolves parameters and
 * kernels once into a plan; a step only launches what the plan says. Host code; engine thread.
 *
 * A step here is one call of ss_cuda_chain_step: a number of cycles, after each of which the line
 * is on one level (stepper: one time step per cycle; swept: 2 h levels, two diamonds). u[0] and
 * u[1] are the two arrays of the run (ss_cuda_state in device/state.h); u[cur] holds the field.
 */
#ifndef SS_CUDA_CHAIN_H
#define SS_CUDA_CHAIN_H

#include "kernels/cuda/device/plan.h"

/* The equation of a run: its type in equations.cuh, by which kernels are asked for, and the
 * argument that every kernel begins with. */
typedef struct ss_cuda_equation {
    char type[24];     /* "euler<double, 2>" */
    int shared_values; /* of the type */
    /* The coefficients of the point update in the run's precision. The types have no members but
     * the first of these. */
    union {
        double f64[8];
        float f32[8];
    } coef;
} ss_cuda_equation;

/* Fails where it has no type. */
int ss_cuda_equation_of(const ss_run *run, ss_cuda_equation *out, ss_err *err);

/* Argument 1 of every kernel, ss_rows<T> of equations.cuh: row[0] is u[cur], row[1] the other
 * array. Argument 0 is ss_cuda_equation.coef. */
typedef struct ss_cuda_rows {
    void *row[2];
    ptrdiff_t field; /* elements between fields */
    int n;
} ss_cuda_rows;
ss_cuda_rows ss_cuda_rows_of(const ss_run *run, int cur);

/* What the solver owns in the plan begins with this (ss_cuda_plan.own). */
typedef struct ss_cuda_chain {
    ss_cuda_equation equation;
    ss_cuda_kernel level; /* one_level of stepper.cuh */
    /* Launch i of a step that starts in u[cur]. Launches i and i + 2 are the same; the first and
     * the last one of a step may have functions of their own (NULL: they have not). */
    void (*launch)(const ss_run *run, int cur, int i, ss_cu_stream stream);
    void (*first)(const ss_run *run, int cur, ss_cu_stream stream);
    void (*last)(const ss_run *run, int cur, ss_cu_stream stream);
    /* Launches between first and last for a number of cycles. */
    int64_t (*between)(const ss_run *run, int64_t cycles);
    /* Replaces every odd launch by work shared between device and host, which cannot be captured in
     * a graph. May be NULL. */
    int (*with_host)(ss_run *run, int cur, ss_err *err);
    /* Replaces all of these: a number of cycles in one launch. May be NULL. */
    void (*whole)(const ss_run *run, int cur, int64_t cycles, ss_cu_stream stream);
    bool graphs;
    ss_cu_graph graph[2]; /* by cur: a fixed, even number of launches, the first one odd */
} ss_cuda_chain;

static inline ss_cuda_chain *ss_cuda_chain_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

/* Sets `equation` and `graphs` of the plan. */
int ss_cuda_chain_make(const ss_run *run, ss_err *err);
/* `close` of a solver. */
void ss_cuda_chain_close(ss_run *run);
/* Sets `level` of the plan. */
int ss_cuda_chain_find_level(const ss_run *run, ss_err *err);

/* Enqueues a number of cycles from u[cur], without a wait. The first calls record graphs. */
int ss_cuda_chain_enqueue(ss_run *run, int64_t cycles, ss_err *err);
/* The same for classic steps, from u[cur]. */
void ss_cuda_chain_enqueue_steps(const ss_run *run, int64_t steps);
/* Waits for the run's stream, and adds the time since its event `begin` to the step's. */
int ss_cuda_chain_end(ss_run *run, ss_err *err);

/* Several devices (divided.c): each has a part of the line, which is a run of its own with a plan
 * of its own, made by `prepare`. Cuts are multiples of `unit` points. */
int ss_cuda_chains_prepare(ss_run *run, int (*prepare)(ss_run *part, ss_err *err), int unit,
                           ss_err *err);
int ss_cuda_chains_step(ss_run *run, int64_t cycles, ss_err *err);
int ss_cuda_chains_finish(ss_run *run, int64_t steps, ss_err *err);

/* --- variant hybrid: hybrid.c ----------------------------------------------------------------- */

/* The host computes the split node: the last node of every odd diamond, which consists of both ends
 * of the line (block.cuh). */
typedef struct ss_cuda_hybrid {
    char *row[2];     /* pinned; all fields one after the other, with room for halos around each */
    ptrdiff_t field;  /* values from field to field */
    int half, halo;   /* points of the node at each end of the line; and points beside them */
    ss_cu_event here; /* the rows have arrived */
} ss_cuda_hybrid;

/* Makes *h; the plan of the run keeps what is in it. */
int ss_cuda_hybrid_make(const ss_run *run, ss_cuda_hybrid *h, int block, ss_err *err);
/* Starts the copy of the split node's rows to the host; before the diamond's kernel is launched. */
int ss_cuda_hybrid_fetch(ss_run *run, const ss_cuda_hybrid *h, int cur, ss_err *err);
/* Waits for the rows, computes the node's diamond while the kernel runs, and starts the copy back,
 * behind the kernel. */
int ss_cuda_hybrid_advance(ss_run *run, const ss_cuda_hybrid *h, int cur, ss_err *err);

#endif
