/*
 * Carries out the commands of a lesson on a headless engine and evaluates its checks: for
 * lint and grade, and for the examiner, which compares a live run with the runs made here. One
 * thread at a time may use a runner.
 */
#ifndef SS_LESSON_RUNNER_H
#define SS_LESSON_RUNNER_H

#include <stdatomic.h>

#include "src/core/run.h"
#include "src/lesson/document.h"

/* --- a run ------------------------------------------------------------------------------------ */

/*
 * An engine without a front end, for the scripts of a lesson: commands go to the engine one at a
 * time, and each returns when the engine has carried it out and the run is still. One thread at a
 * time may use it. And what the checks of a lesson read of any run: its settings and progress, the
 * quantities that they name, and its field for bit-for-bit comparisons.
 */

/* --- observations: taken on the engine thread between two turns (ss_engine_setup.observe); then
 * any thread may own one. ---------------------------------------------------------------------- */

#define SS_QUANTITIES_MAX 32

/* The parts of an observation that take time; none by default. */
typedef struct ss_wanted {
    uint32_t quantities; /* a bit per row of ss_lesson_quantities */
    bool field;
} ss_wanted;

typedef struct ss_observation {
    ss_config cfg;
    ss_status status;
    ss_kind kind;
    bool begun, reached, painted;
    bool has_end; /* a tolerance or a limit ends it */
    bool still;   /* it does not advance */
    int64_t cycle, iteration, step;
    int iterations_per_cycle;
    int undoable;                    /* changes that `undo` can take back; headless runs only */
    double value[SS_QUANTITIES_MAX]; /* NaN: not wanted, or not known */
    char *field;                     /* NULL: not wanted */
    size_t bytes;
} ss_observation;

/* The parts that the checks need of the student's run, or of the baseline. */
ss_wanted ss_wanted_by(const ss_check *check, int n, bool baseline);
/* Slow quantities and the field are left out of a run that is not still. */
int ss_observation_take(ss_run *run, ss_wanted wanted, bool still, ss_observation *out,
                        ss_err *err);
/* Frees the field. */
void ss_observation_drop(ss_observation *x);

/* --- the engine ------------------------------------------------------------------------------- */

typedef struct ss_headless ss_headless;

/* A time limit for all commands of a lesson together, and a flag that ends them at once. */
typedef struct ss_budget {
    double seconds, until;   /* until: a time of ss_clock */
    const atomic_bool *stop; /* may be NULL */
} ss_budget;

/* A paused run of a checked config; the budget must exist until it is closed. NULL: err says why.
 */
ss_headless *ss_headless_open(const ss_config *cfg, const ss_budget *budget, ss_err *err);
void ss_headless_close(ss_headless *h);
/* SS_FAIL: the command failed, or the budget is spent; the run is then paused where it is. */
int ss_headless_line(ss_headless *h, const char *line, ss_err *err);
/* Observes the run as it is now, with the wanted parts; the caller drops *out. */
int ss_headless_observe(ss_headless *h, ss_wanted wanted, ss_observation *out, ss_err *err);
/* The run after the last command, without quantities and field. */
const ss_observation *ss_headless_now(const ss_headless *h);

/* --- the runner ------------------------------------------------------------------------------- */

typedef struct ss_runner {
    ss_config machine;
    ss_budget budget;
    ss_headless *run;      /* NULL: nothing is open yet */
    ss_config scenario;    /* what the scenario asks for */
    ss_headless *baseline; /* a run of the scenario; NULL until a check needs it */
    bool changed;          /* the run was not advanced since its last change */
    int fixed;             /* changes that led to the step, which the student cannot undo */
    int line;              /* of the last command in the lesson; 0: there was none */
} ss_runner;

/* The seconds that all commands of a runner may take together. */
#define SS_LESSON_SECONDS 60.0

/* `machine` gives the backend and the threads. `stop`, once true, ends the solve; may be NULL. */
ss_runner *ss_runner_new(const ss_config *machine, double seconds, const atomic_bool *stop,
                         ss_err *err);
void ss_runner_free(ss_runner *r);
/* Restarts the time limit. */
void ss_runner_renew(ss_runner *r);

/* --- commands --------------------------------------------------------------------------------- */

/* May a lesson's script contain this command? */
int ss_lesson_admits_command(const ss_cmd *cmd, ss_err *err);
/* Fails if the command fails, writes a file, or is not available in lessons. Commands of the
 * screen do nothing here. */
int ss_runner_do(ss_runner *r, const ss_cmd *cmd, ss_err *err);
int ss_runner_script(ss_runner *r, const ss_script *s, ss_err *err);
/* Carries out only the commands that advance the run. */
int ss_runner_advance(ss_runner *r, const ss_script *s, ss_err *err);
/* Carries out the scenario of step `index`, and takes its settings as the baseline. */
int ss_runner_scenario(ss_runner *r, const ss_lesson *l, int index, ss_err *err);
/* Carries out the scenario and the scripts that lead from it to step `index`. */
int ss_runner_begin(ss_runner *r, const ss_lesson *l, int index, ss_err *err);
/* If the run was changed and not advanced since, solves it from its start. */
int ss_runner_measure(ss_runner *r, ss_err *err);

/* The run as the last command left it; NULL: nothing is open yet. */
const ss_observation *ss_runner_now(const ss_runner *r);

/* The scripts that lead to step `index`, in order; the first is the scenario. Returns their number.
 */
int ss_lesson_path(const ss_lesson *l, int index, const ss_script *out[2 * SS_STEPS_MAX + 1]);
/* The config after the scenario of step `index`. */
int ss_lesson_opening(const ss_lesson *l, int index, const ss_config *machine, ss_config *out,
                      ss_err *err);

/* --- checks ----------------------------------------------------------------------------------- */

typedef struct ss_check_result {
    bool pending, met; /* pending: not decided yet */
    bool failed;       /* it could not be evaluated: `why` has the reason */
    char why[240];     /* with the values; "" at first */
} ss_check_result;

/* Evaluates the checks of a step for the runner's own run. SS_FAIL: the run cannot be observed. */
int ss_runner_check(ss_runner *r, const ss_lesson_step *s, ss_check_result out[SS_CHECKS_MAX],
                    ss_err *err);
/* Evaluates a check for any run; the runner solves the baseline and other runs to compare with. */
void ss_evaluate(ss_runner *r, const ss_observation *x, const ss_check *c, ss_check_result *out);
/* Fails unless the run solves the scenario's problem to its tolerance. The student may change only
 * the parameters that the author's commands change. */
int ss_evaluate_fair(const ss_runner *r, const ss_config *cfg, const ss_lesson_step *s,
                     ss_err *err);

#endif
