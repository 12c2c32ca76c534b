/*
 * One run: a problem, its state, where it stands. Owned by the engine thread; kernels see it
 * through this header, front ends never do (they get snapshots).
 */
#ifndef SS_RUN_H
#define SS_RUN_H

#ifdef __cplusplus
extern "C" {
typedef struct atomic_bool atomic_bool; /* passed on by C++, not looked at */
#else
#include <stdatomic.h>
#endif

#include "src/core/backend.h"
#include "src/base/common.h"
#include "src/core/equation.h"
#include "src/core/factors.h"
#include "src/core/history.h"
#include "src/core/param.h"
#include "src/core/solver.h"

struct ss_reference; /* in the making: src/run/reference.h */

/* Steps are of this dt since a step, and that was at this time. */
typedef struct ss_since {
    double time, dt;
    int64_t step;
} ss_since;

struct ss_run {
    /* What was asked, and what that names. */
    ss_config cfg;
    const ss_equation *eq;
    const ss_solver *solver;
    const ss_backend *backend;
    const ss_engine_ops *ops;
    ss_prec prec;
    ss_problem problem;
    ss_coef coef;
    int threads; /* to use */
    bool pin;    /* each on a processor of its own */

    void *state;   /* the backend's */
    void *scratch; /* the engine ops' */

    /* Where it stands. `cycle` counts finished cycles; the field on hand is that of `cycle`. */
    int64_t cycle, iteration, step;
    double time;    /* simulated (transient equations): counted from `since`, not summed up, so that
                       it does not depend on how many steps a cycle has */
    ss_since since; /* the last step before which dt was changed */
    bool many_dt;   /* steps of more than one dt are in the fields, */
    bool painted;   /* or a stroke is, since the run began */
    struct {        /* the equation's monitors; ss_run_watch */
        double first[SS_MONITOR_MAX], now[SS_MONITOR_MAX];
        double largest; /* max |u| at first */
        double seconds; /* of solving, when it was looked last */
        int64_t step;   /* of `now`; -1: not looked yet */
    } watch;
    ss_status status;
    char message[320]; /* the last message to the user */

    /* Limits, read by the step functions through ss_run_wants_norm and ss_run_norm. */
    double tol;       /* relative to residual0; 0: none */
    bool stop_at_tol; /* headless; interactive runs mark it and go on */
    bool reached;     /* tol was met, at: */
    int64_t reached_cycle;
    int64_t max_cycles;  /* -1: none */
    double max_time;     /* simulated; 0: none */
    double max_seconds;  /* of solving; 0: none */
    int64_t check_every; /* cycles between norms; 0: never */

    double residual0, residual; /* |b - A u|_2; residual belongs to cycle residual_cycle */
    int64_t residual_cycle;     /* -1: none yet */
    uint64_t began;             /* of all fields that a run has begun from: which one; never 0 */
    ss_factors factors;         /* of the last residuals, since the last change */
    double seconds_solve;
    double seconds_ghosts; /* of these, for the exchange of ghost cells between patches */
    double seconds_inverses, bytes_inverses; /* of the blocks, as they are now; 0: there are none */
    double tile_bytes, tile_room; /* what a subdomain takes of a processor, and what it may take; 0:
                                     the solver or the backend does not say */
    double seconds_upload, seconds_download; /* to a device and back; pictures included */
    /* Of these, what the problem itself needs: the fields there as the run began, and back the last
     * time that all of them came. */
    double seconds_field_up, seconds_field_down;
    double step_started; /* clock at the beginning of the step in progress */
    double step_seconds; /* since then, by the device's own clock; negative: by ours */

    int iterations_per_cycle; /* of the current config */
    int ticks_per_cycle;      /* as seen by the microscope */
    ss_ledger per_cycle, total;
    ss_history history;

    /* Microscope: the cycle that starts from the current field is shown after `peek`
     * subiterations; 0: off. */
    int peek;
    bool start_kept; /* the other buffer holds the start of the last cycle */

    struct ss_checkpoint *checkpoint; /* src/run/checkpoint.h; NULL: none */
    char rescued[320];                /* why the run was moved to another backend, or empty */

    struct ss_reference *reference; /* NULL until asked for */
    bool reference_told;            /* that it is ready, or why not */
    struct ss_reference *baseline;  /* the field after many Jacobi iterations, as above */
    bool baseline_told;
    double until_accuracy;  /* stop there; 0: none */
    double accuracy;        /* max |u - baseline| / max |baseline| of cycle: */
    int64_t accuracy_cycle; /* -1: not known */
    double teff;            /* iterations until until_accuracy was reached; NaN: it was not */
    const char *load, *rhs; /* files the initial field and b come from, or NULL (interned) */
    atomic_bool *abandon;   /* set by the app: drop the cycle; may be NULL */
};

/* --- for the step functions (kernels/) ------------------------------------------------------ */

/* Is the norm of the current field wanted now? */
bool ss_run_wants_norm(const ss_run *run);
/* Report it: |r|_2 of the current field (cycle run->cycle). False: stop, keep this field. */
bool ss_run_norm(ss_run *run, double residual);
/* The cycle is finished and its field is the current one. */
void ss_run_cycle_done(ss_run *run);
/* The app has interrupted the step: drop the cycle. */
bool ss_run_abandoned(const ss_run *run);
/* The same for work outside a run: runs that the calling thread opens later test `flag`, and
 * ss_run_unwanted returns it. Call it a few times per second. */
void ss_run_abandon_by(atomic_bool *flag);
bool ss_run_unwanted(void);
/* Threads to use: see ss_config_threads. */
int ss_run_threads(const ss_run *run);
/* u* of the run, dense nx*ny*nz doubles, or NULL while there is none (src/run/reference.c). */
const double *ss_run_reference(const ss_run *run);

/* --- for the engine and the tests ----------------------------------------------------------- */

/* Opens a run for a checked config; load and rhs are NumPy files or NULL. On failure NULL is
 * returned and nothing is left behind. */
ss_run *ss_run_open(const ss_config *cfg, const char *load, const char *rhs, ss_err *err);
void ss_run_close(ss_run *run);
/* New config. What the rows that differ invalidate is done: LIVE rows release and prepare and
 * keep the state, RESET rows start again, REOPEN rows open again. On failure the run is as before.
 */
int ss_run_configure(ss_run *run, const ss_config *cfg, ss_err *err);
int ss_run_reset(ss_run *run, ss_err *err);
/* Up to `cycles` cycles, timed; stops at limits (see status). */
int ss_run_step(ss_run *run, int64_t cycles, ss_err *err);
/* T_eff = launches times sweeps a launch: the iterations that an asynchronous solver has done, or
 * needed for the accuracy asked for (of any solver); NaN for others. */
double ss_run_teff(const ss_run *run);
/* The papers' crossover: the number of iterations, at this time per cycle, that takes as long as
 * the transfers of the problem to the device and back; NaN: there were none, or the time is
 * unknown. */
double ss_run_to_hide(const ss_run *run, double cycle_seconds);
/* Exact solutions are computed for at most this many points, to stay interactive. */
#define SS_SOLUTION_POINTS (1 << 20)

/* Transient equations: the exact value of a quantity in every point (row NULL: only whether it is
 * known). Strokes painted into the field are not part of it. */
bool ss_run_solution(const ss_run *run, int quantity, double *row);
/* Why that is not known, a sentence; NULL: it is. */
const char *ss_run_no_solution(const ss_run *run);
/* Transient equations: what is conserved, and whether all is still finite, if that is not known
 * for the step on hand. Reads the whole field. */
int ss_run_watch(ss_run *run, ss_err *err);
/* Microscope: one subiteration; the last one of a cycle finishes it. */
int ss_run_tick(ss_run *run, ss_err *err);
/* The norm of the field on hand now, if it is not known yet (a limit was reached, or paused). */
int ss_run_settle(ss_run *run, ss_err *err);
/* The field on hand as a NumPy array, and back: interior points, rows bottom (y = 0) first. */
int ss_run_save(ss_run *run, const char *path, ss_err *err);
int ss_run_load(ss_run *run, const char *path, ss_err *err);
/* Marks this cycle on the residual curve. */
void ss_run_mark(ss_run *run, const char *text);

#ifdef __cplusplus
}
#endif
#endif
