/*
 * One run: a problem, its state and its progress. Owned by the engine thread. Kernels use it
 * through this header; front ends never see it (they get snapshots).
 */
#ifndef SS_RUN_H
#define SS_RUN_H

#include "src/base/common.h"
#include "src/core/backend.h"
#include "src/core/equation.h"
#include "src/core/history.h"
#include "src/core/param.h"
#include "src/core/solver.h"
#include "src/core/split.h"
#include "src/ranks/clock.h"

#ifdef __cplusplus
typedef struct atomic_bool atomic_bool; /* opaque in C++, which only passes pointers on */
#else
#include <stdatomic.h>
#endif

struct ss_reference; /* src/run/reference.h */
struct ss_run_copy;  /* src/run/copy.h */
struct ss_run_ranks; /* src/core/run.c */

/* From `step` on, at simulated time `time`, all steps have this dt. */
typedef struct ss_since {
    double time, dt;
    int64_t step;
} ss_since;

/* Norms of the error relative to u*: choices of the row error-norm. */
typedef enum ss_error_norm { SS_ERROR_MAX, SS_ERROR_ENERGY, SS_NERROR } ss_error_norm;

struct ss_run {
    /* The config, and what it resolves to. */
    ss_config cfg;
    const ss_equation *eq;
    const ss_solver *solver;
    const ss_backend *backend;
    const ss_engine_ops *ops;
    ss_prec prec;
    ss_problem problem;
    ss_coef coef;
    int threads;
    bool pin; /* bind each thread to a processor of its own */

    void *state;   /* the backend's */
    void *scratch; /* the engine ops' */

    /* Progress. `cycle` counts finished cycles; the current field is that of `cycle`. */
    int64_t cycle, iteration, step;
    double time;    /* simulated (transient equations): computed from `since`, not summed up, so
                       that it does not depend on how many steps a cycle has */
    ss_since since; /* the last change of dt */
    bool many_dt;   /* since the run began, steps of more than one dt were done */
    bool painted;   /* since the run began, a stroke was painted */
    ss_edited edited;
    struct { /* the equation's monitors; ss_run_watch */
        double first[SS_MONITOR_MAX], now[SS_MONITOR_MAX];
        double largest;           /* max |u| of the initial field */
        double seconds;           /* solving time at the last check */
        int64_t step;             /* of `now`; -1: not checked yet */
        double time;              /* of `now` */
        double error, error_time; /* as in ss_point */
        int64_t error_step;       /* of the last measurement; -1: none */
    } watch;
    int64_t exact_since; /* every cycle from this one on was exact (ss_run_exact); 0: all of them */
    ss_status status;
    char message[320]; /* the last message to the user */

    /* Limits, read by the step functions through ss_run_wants_norm and ss_run_norm. */
    double tol;        /* relative to residual0; 0: none */
    bool stop_at_tol;  /* else mark it and continue */
    bool stop_at_zero; /* without a tolerance: a residual of 0 meets the goal */
    bool reached;      /* tol was met at reached_cycle; it was reached_tol then */
    int64_t reached_cycle;
    double reached_tol;
    int64_t max_cycles;  /* -1: none */
    double max_time;     /* simulated; 0: none */
    double max_seconds;  /* of solving; 0: none */
    double growth;       /* divergence: |r| beyond this many times the first one */
    int64_t check_every; /* cycles between norms; 0: never */
    bool seldom;         /* the caller allows few norms: src/run/checks.h */
    bool no_stride;      /* the parameter check-every is auto; check_every is 1 then */
    bool unseen; /* only its time counts (bench): no copies of fields for pictures or for what the
                    next cycle needs besides, no checks of time-dependent fields */

    double residual0, residual; /* |b - A u|_2; residual belongs to cycle residual_cycle */
    int64_t residual_cycle;     /* -1: none yet */
    uint64_t began;             /* unique number of the initial field in this process; never 0 */
    ss_factors factors;         /* of the last residuals, since the last change */
    double seconds_solve;
    /* Modelled ranks (src/core/run.h): seconds_solve is the time of their clocks. NULL: none. */
    struct ss_run_ranks *ranks;
    bool modelled_work;    /* their work is the ledger's modelled time */
    double seconds_host;   /* of solving, by this machine's clock */
    double seconds_ghosts; /* part of seconds_solve: ghost cell exchange between patches */
    double seconds_inverses, bytes_inverses; /* of the present block inverses; 0: there are none */
    double tile_bytes, tile_room; /* on-chip memory that a subdomain uses, and the limit; 0: the
                                     solver or the backend does not report it */
    ss_shares shares;             /* of the devices that share the run */
    ss_split split;               /* of the CPU and the GPU that share the run */
    double seconds_upload, seconds_download; /* to a device and back, pictures included */
    /* Parts of these: the initial upload of the fields, and the last download of all of them. */
    double seconds_field_up, seconds_field_down;
    double step_started; /* host clock at the beginning of the step in progress */
    double step_seconds; /* its duration by the device's clock; negative: use the host clock */

    double patience; /* a step may end early after this many seconds; 0: it does all its cycles.
                        Read by backends whose cycles are far slower or faster than the last ones */

    int iterations_per_cycle; /* of the current config */
    int ticks_per_cycle;      /* subiterations that the microscope shows */
    ss_ledger per_cycle, total;
    bool chained; /* set by a caller that does a run in slices: the next ss_run_step continues the
                     chain of cycles of the last one, as if both were one call */
    ss_history history;

    /* Microscope: the cycle that starts from the current field is shown after `peek`
     * subiterations; 0: off. */
    int peek;
    bool start_kept; /* the other buffer holds the start of the last cycle */
    bool repeated;   /* the field is that of the last cycle once more, with other settings, which
                        is not counted: src/run/checkpoint.h */

    struct ss_run_copy *good;         /* transient: the last field that was checked; NULL: none */
    struct ss_checkpoint *checkpoint; /* src/run/checkpoint.h; NULL: none */
    char rescued[320];                /* why the run was moved to another backend, or empty */

    struct ss_reference *reference; /* u*; NULL until requested */
    bool reference_reported;        /* the user knows that it is ready, or why it failed */
    struct ss_reference *baseline;  /* the field after many Jacobi iterations; NULL as above */
    bool baseline_reported;
    double until_accuracy;  /* stop at this accuracy; 0: none */
    double accuracy;        /* max |u - baseline| / max |baseline| at accuracy_cycle */
    int64_t accuracy_cycle; /* -1: unknown */
    double until_error;     /* stop at this error relative to u*; 0: none */
    ss_error_norm error_norm;
    bool met;               /* until_accuracy or until_error was met, and the run stopped there */
    double teff;            /* iterations needed to reach until_accuracy; NaN: not reached */
    const char *load, *rhs; /* files the initial field and b come from, or NULL (interned) */
    atomic_bool *abandon;   /* set by the app to drop the current cycle; may be NULL */
};

/* --- for the step functions (kernels/) ------------------------------------------------------ */

/* Is a residual check of the current field due? */
bool ss_run_wants_norm(const ss_run *run);
/* The tolerance that is the run's goal, relative to residual0; 0: none. With stop_at_zero it is the
 * least normal number, which only a residual of 0 meets. */
double ss_run_goal(const ss_run *run);
/* Reports |r|_2 of the current field (cycle run->cycle). False: stop and keep this field. */
bool ss_run_norm(ss_run *run, double residual);
/* Reports that the cycle is finished and its result is the current field. */
void ss_run_cycle_done(ss_run *run);
/* Does a cycle with the present settings compute, bit for bit, the iterations or steps of the whole
 * field, one by one? */
bool ss_run_exact(const ss_run *run);
/* Reports point updates inside a long cycle, for the stopwatch of modelled ranks. Engine thread. */
void ss_run_part_done(ss_run *run, double updates);
/* Is the run to stop at a distance from one of its references, until_accuracy or until_error? */
static inline bool ss_run_seeks(const ss_run *run)
{
    return run->until_accuracy > 0 || run->until_error > 0;
}
/* Has the run met its tolerance or its distance? */
static inline bool ss_run_met_goal(const ss_run *run)
{
    return run->reached || run->met;
}
/* Has the app interrupted the step? Then drop the cycle. */
bool ss_run_abandoned(const ss_run *run);
/* The same for work outside a run: runs that the calling thread opens later test `flag`, and
 * ss_run_unwanted returns its value. Call ss_run_unwanted a few times per second. */
void ss_run_abandon_by(atomic_bool *flag);
bool ss_run_unwanted(void);
/* The work of modelled ranks in runs that the calling thread opens later is the ledger's time. */
void ss_run_model_work(bool modelled);
/* Number of threads: see ss_config_threads. */
int ss_run_threads(const ss_run *run);
/* u* of the run, dense nx*ny*nz doubles, or NULL while there is none (src/run/reference.c). */
const double *ss_run_reference(const ss_run *run);

/* --- for the engine and the tests ----------------------------------------------------------- */

/* Opens a run for a checked config; load and rhs are NumPy files or NULL. NULL on failure; then
 * nothing remains allocated. */
ss_run *ss_run_open(const ss_config *cfg, const char *load, const char *rhs, ss_err *err);
void ss_run_close(ss_run *run);
/* Applies a new config. The rows that differ decide: LIVE rows prepare the schedule again and keep
 * the state, RESET rows start again, REOPEN rows open a new problem. On failure the run is as
 * before. */
int ss_run_configure(ss_run *run, const ss_config *cfg, ss_err *err);
int ss_run_reset(ss_run *run, ss_err *err);
/* Between two cycles: prepares the schedule with the same settings once more, because kernels have
 * another text; the state is kept. On failure the run has failed. */
int ss_run_prepare_again(ss_run *run, ss_err *err);
/* The hash of the edited text in the kernels of its next cycle; 0: none has it. */
uint64_t ss_run_edited_now(const ss_run *run);
/* Runs and times up to `cycles` cycles; stops at limits (see status). */
int ss_run_step(ss_run *run, int64_t cycles, ss_err *err);
/* The measured factor of the residual per cycle, and whether it has settled (history.h). NaN, not
 * settled: too few residuals, or a method without a factor. All that is shown comes from here. */
double ss_run_factor(const ss_run *run, bool *settled);
/* T_eff = launches times sweeps per launch: the iterations that an asynchronous solver has done.
 * With until_accuracy (any solver): the iterations needed to reach it. Otherwise NaN. */
double ss_run_teff(const ss_run *run);
/* The papers' crossover: the number of iterations, at this time per cycle, that take as long as
 * the transfer of the problem to the device and back. NaN: no transfer, or the time is unknown. */
double ss_run_to_hide(const ss_run *run, double cycle_seconds);
/* Exact solutions are computed for at most this many points, to stay interactive. */
#define SS_SOLUTION_POINTS (1 << 20)

/* Transient equations: the exact value of a quantity at every point. False: unknown. row may be
 * NULL. Painted strokes are not part of it. */
bool ss_run_solution(const ss_run *run, int quantity, double *row);
/* The reason why it is unknown, a sentence; NULL: it is known. */
const char *ss_run_no_solution(const ss_run *run);
/* The same of the differential equation's solution, with which the error over time is measured. */
const char *ss_run_no_error(const ss_run *run);
/* Transient equations: computes the monitors and checks that values are finite, once per step.
 * Reads the whole field. */
int ss_run_watch(ss_run *run, ss_err *err);
/* Of monitor i; and its change since the start without that, NaN: unknown. */
ss_inflow ss_run_inflow(const ss_run *run, int i);
double ss_run_drift(const ss_run *run, int i);
/* Microscope: one subiteration; the last one of a cycle finishes it. */
int ss_run_tick(ss_run *run, ss_err *err);
/* Computes the norm of the current field if it is unknown (at a limit, or when paused). */
int ss_run_settle(ss_run *run, ss_err *err);
/* Saves and loads the current field as a NumPy array: interior points, rows from the bottom (y = 0)
 * up. A path that ends in .ckpt keeps the whole state: loaded again, the run continues from its
 * cycle as if it had never been interrupted. */
int ss_run_save(ss_run *run, const char *path, ss_err *err);
int ss_run_load(ss_run *run, const char *path, ss_err *err);
/* Sets n and ny to those of a run that can read this array, if neither was given. */
int ss_run_fit_points(ss_config *cfg, const char *path, ss_err *err);
/* Applies the settings that a saved state was saved with: equation, solver, what was given. *state
 * false: the file is only an array. Any thread. */
int ss_run_settings_of(const char *path, ss_config *cfg, bool *state, ss_err *err);
/* Marks this cycle on the residual curve. */
void ss_run_mark(ss_run *run, const char *text);

/* --- bookkeeping ------------------------------------------------------------------------------ */

/* Shared by the calls above and the files of src/run; step functions call none of it. Engine
 * thread. */

/* A residual (or, for transient equations, a value) this many times the first one is divergence. */
#define SS_RUN_GROWTH 1e6
/* Where the matrix is not symmetric, an iteration that converges may first raise the residual by
 * orders of magnitude: with a spectral radius below 1 only this is divergence. Larger growth would
 * leave no digit of the first field in double precision. */
#define SS_RUN_GROWTH_PASSING 1e14

/* The bound for the run's residual; ss_run.growth has it. */
double ss_run_growth_bound(const ss_run *run);
/* Values not finite or grown beyond the bound: sets the run's status and message. cause: a clause,
 * or NULL if it is unknown. */
void ss_run_say_diverged(ss_run *run, const char *what, const char *cause);
/* The likely cause, with the present values, of a residual that does not fall, or NULL: that of the
 * solver, or else of the equation. */
const char *ss_run_suspect(const ss_run *run);
/* The norm of a matrix whose rows have as much beside the diagonal as on it. */
double ss_run_matrix_norm(const ss_run *run);
/* Adds `times` times the cost `one` to the run's ledger; shares of a cycle (stale, idle) are left.
 */
void ss_run_bill(ss_run *run, const ss_ledger *one, double times);
/* The updates of a ledger per point of the run: sweeps of its (finest) grid. */
double ss_run_work(const ss_run *run, const ss_ledger *ledger);
/* The run's present figures as a point of its history, after `seconds` of solving. */
ss_point ss_run_point(const ss_run *run, double seconds);
/* Seconds since the step in progress began. */
double ss_run_in_step(const ss_run *run);
/* Seconds that the run's solving has taken of this machine or its device, for whoever shares time
 * out: seconds_solve, unless that is the time of modelled ranks. */
double ss_run_spent(const ss_run *run);
/* Starts the clock of a step. */
void ss_run_clock_start(ss_run *run);
/* The value of ss_run_model_work for the calling thread. */
bool ss_run_models_work(void);
/* Adds `steps` time steps and updates the simulated time. */
void ss_run_steps_done(ss_run *run, int64_t steps);
/* The step since which dt has its present value: the current one if dt has just been changed. */
ss_since ss_run_since(const ss_run *run);
/* Did earlier steps have another dt? */
bool ss_run_many_dt(const ss_run *run);
/* The flag that ss_run_abandon_by has set for the calling thread, or NULL. */
atomic_bool *ss_run_abandon_flag(void);
/* The flag that ss_exact_cancelled (equation.h) reads on the calling thread. */
void ss_exact_cancel_by(const atomic_bool *flag);

/* --- modelled ranks --------------------------------------------------------------------------- */

/*
 * The virtual time of a run on modelled ranks: its work is measured in CPU time of the thread that
 * computes it, shared out among the ranks by point updates, and put on their clocks together with
 * modelled messages (src/ranks/clock.h). The run's solving time is then that of the clocks. Fields
 * do not change. Called by run.c and src/run; engine thread.
 */

/* The number of modelled ranks of a config; 0: it has none. */
int ss_config_ranks(const ss_config *cfg);
/* Is there a plan for the config's ranks? */
int ss_config_check_ranks(const ss_config *cfg, const ss_problem *p, ss_err *err);

/* Makes run->ranks agree with the config; NULL if it has no modelled ranks. The clocks go on. */
int ss_run_ranks_open(ss_run *run, ss_err *err);
void ss_run_ranks_close(ss_run *run);
/* All clocks at 0. */
void ss_run_ranks_restart(ss_run *run);

/* Around a step of whole cycles, or (finish) of single time steps. */
void ss_run_ranks_begin(ss_run *run);
void ss_run_ranks_end(ss_run *run);
void ss_run_ranks_finish(ss_run *run, int64_t steps);
/* A norm was computed between two steps. */
void ss_run_ranks_check(ss_run *run);

/* out->count 0: no modelled ranks. */
void ss_run_ranks_figures(const ss_run *run, ss_ranks_figures *out);
/* Traces of the last two cycles, the later one first; NULL: none. */
const ss_ranks_trace *ss_run_ranks_trace(const ss_run *run, int which);

#endif
