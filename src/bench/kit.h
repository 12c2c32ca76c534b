/*
 * Shared by the files of `bench`. A bench has groups of cases: a group is a problem, a case is a
 * solver with its settings. A method defines how a case is measured and which figures it shows;
 * driver.c runs every method in the same way, print.c makes its table and its JSON from the same
 * rows of figures. Our own plan is one method (plan.c, assets/data/bench.txt), each paper is one
 * (paper_*.c, assets/data/papers.txt). Main thread, one run at a time.
 */
#ifndef SS_BENCH_KIT_H
#define SS_BENCH_KIT_H

#include <jansson.h>
#include <stdio.h>

#include "src/core/run.h"
#include "src/core/settings.h"

#define SS_ROUNDS_MAX 99
#define SS_CASES_MAX 128
#define SS_GROUPS_MAX 96
#define SS_FOUND_MAX 14
#define SS_SAMPLES_MAX (SS_ROUNDS_MAX * SS_GROUPS_MAX) /* of the limits */

/* --- cases ------------------------------------------------------------------------------------ */

/* The baselines of a group: its classic solvers, launched as the other cases are, and on a GPU the
 * classic solvers that launch one kernel per iteration. The fastest of each counts. */
typedef enum ss_bench_role {
    SS_BENCH_CASE,
    SS_BENCH_CLASSIC,
    SS_BENCH_STREAM,
    SS_BENCH_NROLE
} ss_bench_role;

/* The subject of a paper's row. */
typedef enum ss_row_kind {
    SS_ROW_CLASSIC, /* speed-ups are over these; the paper's time is in milliseconds */
    SS_ROW_SPEEDUP,
    SS_ROW_TUNE,
    SS_ROW_TUNED, /* asynchronous solvers are compared with these */
    SS_ROW_TRANSFER,
    SS_ROW_CROSSOVER, /* iterations until a GPU with its transfers has overtaken the CPU */
    SS_ROW_SPLIT,     /* the model of a run that a CPU and a GPU share, */
    SS_ROW_SHARES,    /* and its times by the share of the CPU */
    SS_ROW_DEVICES,   /* several GPUs */
    SS_ROW_WILD,
    SS_ROW_SMOOTH,
    SS_ROW_CONVERGENCE, /* reduction of three steps, and the factor of many */
    SS_ROW_SCALING,     /* all threads, and some of them, over one thread */
    SS_ROW_INVERSES,    /* the inverse of one shape of block, and of all shapes up to it */
    SS_ROW_METHOD,      /* time and costs to the tolerance */
    SS_NROW_KIND
} ss_row_kind;

/* A command line and its measurements, one per round. */
typedef struct ss_bench_case {
    ss_bench_role role;
    ss_row_kind kind; /* of the first row of a paper that it belongs to */
    ss_settings set;
    char label[96];
    char skipped[200];               /* why it is not measured; empty: it is */
    int measured;                    /* rounds */
    double iteration[SS_ROUNDS_MAX]; /* seconds per iteration or time step, no residual checks */
    double checked[SS_ROUNDS_MAX];   /* the same with a residual check in every cycle */
    double triad[SS_ROUNDS_MAX];     /* bytes per second, measured before the problem */
    double solve[SS_ROUNDS_MAX];     /* seconds of `cycles` cycles; with transfers in some papers */
    double bytes;                    /* by the ledger, per iteration; 0: not counted */
    double updates;                  /* per iteration, redundant ones not counted */
    int per_cycle;                   /* iterations or time steps */
    int64_t cycles;                  /* to the tolerance; 0: not known */
    int64_t hint;                    /* an estimate of `cycles`, for the duration */
    double load;                     /* seconds before a sample, see ss_bench_time_loaded */
    double found[SS_FOUND_MAX];      /* further values that a paper measures */
    double prepared, spent;          /* seconds of the bench: to prepare the case; in all */
} ss_bench_case;

/* Cases that share one field. */
typedef struct ss_bench_group {
    bool solve; /* time to a goal, else time per iteration */
    bool equal; /* the goal is the accuracy of SS_BENCH_T classic iterations, else the tolerance */
    ss_settings goal; /* n > 0: the goal is the error of this method at its tolerance */
    ss_settings set;
    ss_config cfg; /* these settings over those of the command line */
    char label[96];
    ss_bench_case cases[SS_CASES_MAX];
    int ncase;
    double opened, limited; /* seconds of the bench: to open the problem, to measure the limits */
} ss_bench_group;

/* A time-dependent problem: figures are per time step, and there are no residual checks. */
bool ss_bench_is_transient(const ss_bench_group *g);

struct ss_paper;
struct ss_paper_row;
struct ss_bench_method;

/* Groups: the problems, done in the first way, then in the second. Our own plan has one way. */
typedef struct ss_bench {
    ss_config base; /* of the command line, the backend resolved */
    const ss_backend *backend;
    char device[80], detail[160];
    int rounds, done, all;
    bool progress;
    FILE *out;                          /* the tables; NULL: none */
    const char *file;                   /* the JSON, also while the bench runs; NULL: none */
    double written;                     /* clock when it was last written */
    int line;                           /* the next line of the problem's table */
    const struct ss_bench_table *table; /* of the last line */
    void *meter;                        /* the backend's */
    ss_limit limits[SS_LIMITS_MAX];
    double limit[SS_LIMITS_MAX][SS_SAMPLES_MAX];
    int nlimit, nsample;
    const struct ss_bench_method *method;
    struct ss_paper *paper; /* NULL: our own plan */
    ss_bench_group groups[SS_GROUPS_MAX];
    int nproblem, nway;
    int first; /* of the groups that the cases of the plan's next line belong to */
    /* Of the problem that is being measured, in host memory; the driver frees them. */
    void *fields, *rhs, *result;
    double largest, target;  /* max |ref| and the accuracy or error to reach */
    double upload, download; /* seconds, mean over all transfers */
    int transfers;
} ss_bench;

ss_bench_group *ss_bench_group_of(ss_bench *b, int problem, int way);

/* Calls read for every line of an embedded file, except empty lines and comments; an error gets the
 * number of its line. */
int ss_bench_read_lines(ss_bench *b, const char *path,
                        int (*read)(ss_bench *b, const char *line, const char *end, ss_err *err),
                        ss_err *err);
/* Reads the groups of the plan that are for the bench's backend. */
int ss_bench_plan(ss_bench *b, ss_err *err);
/* The name of the parameter that sets a problem's size: "n", or "patch" where n does not apply. */
const char *ss_bench_size_name(const ss_config *cfg);
/* Sets the size of a group, in its config and in its label. Patches of several sizes are scaled, so
 * that the first has n cells per direction; n 0: they remain as they are. */
int ss_bench_size(ss_bench_group *g, int64_t n, ss_err *err);
/* Halves the group's size until it fits the memory; prints that on out unless NULL. */
int ss_bench_fit(const ss_bench *b, ss_bench_group *g, FILE *out, ss_err *err);
/* The config of a case, checked; fails with the reason if it is not valid. */
int ss_bench_config(const ss_bench_group *g, const ss_settings *set, ss_config *out, ss_err *err);

/* --- figures (figures.c, print.c) ---------------------------------------------------------------
 */

/* The case that a figure describes. */
typedef struct ss_bench_at {
    ss_bench *b;
    const ss_bench_group *g;
    const ss_bench_case *c;
    const struct ss_paper_row *row; /* NULL: our own plan */
    int problem, way;
} ss_bench_at;

/* A column of the table and a field of the JSON. Lists of them end with one without a value. */
typedef struct ss_bench_figure {
    const char *key;     /* in the JSON; NULL: only in the table */
    const char *heading; /* in the table; NULL: only in the JSON */
    int width;           /* in the table; negative: aligned to the left */
    const char *unit;    /* printed with a metric prefix and this unit; NULL: by the format */
    const char *format;
    double scale;                           /* the table shows the value times this; 0: times 1 */
    bool whole;                             /* an integer in the JSON */
    double (*value)(const ss_bench_at *at); /* NaN: not known; "-" and null */
    void (*text)(const ss_bench_at *at, char *buf, size_t size);
} ss_bench_figure;

/* The figures of a row itself (its name, the paper's values), and those measured in each way. */
typedef struct ss_bench_table {
    const ss_bench_figure *row, *ours;
} ss_bench_table;

/* Where the JSON of a paper has our figures. */
typedef enum ss_bench_shape {
    SS_SHAPE_FLAT, /* in the row: there is one way */
    SS_SHAPE_WAYS, /* an object per way */
    SS_SHAPE_CASES /* a list of the row's cases per way */
} ss_bench_shape;

typedef struct ss_bench_method {
    const char *name, *help; /* of --paper */
    bool limits_again;       /* measure the hardware's limits for each problem */
    bool no_paper;           /* its rows have nobody's figures beside ours */
    bool once;               /* the table leaves out rows whose cases are all in rows before */
    int steps;               /* time steps that a time refers to; 0: the paper gives none */
    /* Before a problem's cases; NULL: nothing to do. */
    int (*begin)(ss_bench *b, int problem, ss_run *run, ss_err *err);
    /* Before the rounds, for each case of the first way; NULL: nothing to do. */
    int (*prepare)(ss_bench *b, int problem, int index, ss_run *run, ss_err *err);
    /* The seconds that all rounds of a case take, from the seconds of a cycle; may set the number
     * of cycles. last: the case is of the last way. NULL: not estimated. */
    double (*estimate)(const ss_bench *b, const ss_run *run, ss_bench_case *c, bool last,
                       double cycle);
    /* One case in one round. The run is that of the case, without residual checks. */
    int (*measure)(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_run *run, int round,
                   ss_err *err);
    const ss_bench_table *tables[SS_NROW_KIND]; /* by the kind of a row */
    const ss_bench_figure *lists;               /* shown for every case of a row with a list */
    ss_bench_shape shape;
    const char *legend;
} ss_bench_method;

extern const ss_bench_method ss_bench_own, ss_bench_hierarchical, ss_bench_wild, ss_bench_smoother,
    ss_bench_swept, ss_bench_methods;

/* The table of a group of our own plan. */
const ss_bench_table *ss_bench_own_table(const ss_bench_group *g);

double ss_bench_median(const double *v, int n);
/* Median of a[i] / b[i]: two kernels are compared within a round. */
double ss_bench_median_ratio(const double *a, const double *b, int n);
/* From the fastest round to the slowest, over the median; NaN: one round. */
double ss_bench_spread(const double *v, int n);
/* The fastest and the slowest round beside the median: "-0.4 +1.2 %"; empty: one round. */
void ss_bench_put_extremes(const double *v, int n, char *buf, size_t size);
/* Is a faster than b by more than either varies from round to round? One round cannot tell. */
bool ss_bench_is_faster(const double *a, const double *b, int n);
/* The fastest case of a role in each round, into best; false: no case has that role. */
bool ss_bench_best(const ss_bench_group *g, ss_bench_role role, bool solve, int rounds,
                   double *best);
/* The case's times, one per round: to the goal, or per iteration. */
const double *ss_bench_samples(const ss_bench_at *at);
/* Speed-up over the fastest case of a role, round by round; NaN: there is none. */
double ss_bench_speedup_over(const ss_bench_at *at, ss_bench_role role);

/* Figures that several methods show. */
double ss_bench_of_seconds(const ss_bench_at *at); /* median of case.solve */
double ss_bench_of_spread(const ss_bench_at *at);  /* of the rounds */
#define SS_BENCH_SPREAD                                                                            \
    {"spread", .value = ss_bench_of_spread},                                                       \
    {                                                                                              \
        NULL, "range", 13, .text = ss_bench_put_range                                              \
    }
double ss_bench_of_speedup(const ss_bench_at *at); /* over the best classic case */
double ss_bench_of_cycles(const ss_bench_at *at);
double ss_bench_of_triad(const ss_bench_at *at); /* the ledger's bandwidth over the triad's */
void ss_bench_put_range(const ss_bench_at *at, char *buf, size_t size); /* of the rounds */
void ss_bench_put_source(const ss_bench_at *at, char *buf, size_t size);
void ss_bench_put_problem(const ss_bench_at *at, char *buf, size_t size);
void ss_bench_put_label(const ss_bench_at *at, char *buf, size_t size);
void ss_bench_put_theirs(const ss_bench_at *at, char *buf, size_t size);
void ss_bench_put_extra(const ss_bench_at *at, char *buf, size_t size);
/* The setting of a case that its row's list varies: "overlap=4". */
void ss_bench_put_choice(const ss_bench_at *at, char *buf, size_t size);
/* The same of a row's fastest case; empty: another one is as fast within the spread. */
void ss_bench_put_best(const ss_bench_at *at, char *buf, size_t size);

/* Device, rounds, limits; of a paper also its notes. */
void ss_bench_print_head(const ss_bench *b, FILE *out);
void ss_bench_print_duration(const ss_bench *b, double seconds, FILE *out);
/* The lines of the problem's table that are not printed yet, up to the first one that waits for a
 * measurement; b->line is 0 before the first call. */
void ss_bench_print_lines(ss_bench *b, int problem, FILE *out);
/* After the tables: lists, the legend, the limits. */
void ss_bench_print_end(ss_bench *b, FILE *out);
/* What is known now: "complete" is false until everything is measured. */
json_t *ss_bench_json(ss_bench *b);
json_t *ss_bench_list(const double *v, int n);
/* Are all rounds of the case measured, or is it skipped? */
bool ss_bench_is_done(const ss_bench *b, const ss_bench_case *c);
/* The same for all cases of all ways. */
bool ss_bench_is_complete(ss_bench *b);

/* --- interrupted and resumed (resume.c) ---------------------------------------------------------
 */

/* The measurements of each round so far, from which ss_bench_resume goes on. */
json_t *ss_bench_progress(ss_bench *b);
/* Takes over the measurements in b->file, if it is of the same command on the same device and not
 * complete. */
void ss_bench_resume(ss_bench *b);

/* --- measuring (measure.c) ----------------------------------------------------------------------
 */

/* Measures the hardware's limits once more. */
int ss_bench_limits(ss_bench *b, ss_err *err);
/* Opens the run of a group with its first valid case; NULL: no case is valid, err has the reason.
 */
ss_run *ss_bench_open(ss_bench_group *g, ss_err *err);
/* Reconfigures the run to cfg, without an end, with a residual check every `check_every` cycles
 * (0: none). The field does not change. */
int ss_bench_configure(ss_run *run, const ss_config *cfg, int64_t check_every, ss_err *err);
/* The same for a case. False: it is not valid, and c->skipped has the reason. */
bool ss_bench_take(const ss_bench_group *g, ss_bench_case *c, ss_run *run, int64_t check_every);
/* Seconds per cycle, averaged over at least `least` seconds of work. */
int ss_bench_time(ss_run *run, double least, double *out, ss_err *err);
/* The same as in a run of seconds: after the load under which the clock rate no longer changes.
 * *load: its seconds; 0: it makes no difference. */
int ss_bench_time_loaded(const ss_bench *b, ss_run *run, double *load, double *out, ss_err *err);
/* In a later round, from that load and the seconds per cycle of an earlier one: one sample. */
int ss_bench_time_again(ss_run *run, double load, double least, double cycle, double *out,
                        ss_err *err);
/* Seconds of work that the backend requires for one sample. */
double ss_bench_sample(const ss_bench *b);
/* Runs `cycles` cycles; the seconds are the run's own. */
int ss_bench_step(ss_run *run, int64_t cycles, double *seconds, ss_err *err);
/* Cycles from the initial field to the tolerance of cfg. */
int ss_bench_count(ss_run *run, const ss_config *cfg, int64_t *cycles, ss_err *err);
/* The seconds of `cycles` cycles: all are run, or more than `whole` are timed by a sample: its mean
 * cycle times their number. */
int ss_bench_solve(const ss_bench *b, ss_run *run, int64_t cycles, int64_t whole, double *seconds,
                   ss_err *err);
/* Seconds of a run from the start to run->tol with the checks that are the default. *cycles 0: set
 * to the cycle at which it ends. Else it ends there; a method that may end at another one gets its
 * seconds times *cycles over that one. */
int ss_bench_to_tolerance(ss_run *run, int64_t *cycles, double *seconds, ss_err *err);
#define SS_BENCH_WHOLE 2000
/* Iterations of a cycle, or time steps. */
int ss_bench_per_cycle(const ss_run *run);

/* --- equal accuracy (accuracy.c) ----------------------------------------------------------------
 */

#define SS_BENCH_REFERENCE 4096 /* classic iterations to the reference */
#define SS_BENCH_T 1000         /* classic iterations */
#define SS_BENCH_LAUNCHES 0     /* index in ss_bench_case.found: launches to their accuracy */

/* Computes the reference into b->fields, and the accuracy after SS_BENCH_T iterations. The run is
 * that of a classic case. */
int ss_bench_reference(ss_bench *b, ss_run *run, ss_err *err);
/* Finds the launches of a case; one that takes far more than SS_BENCH_T iterations is skipped. */
int ss_bench_find_launches(const ss_bench *b, ss_bench_case *c, ss_run *run, ss_err *err);
double ss_bench_of_launches(const ss_bench_at *at);
/* Iterations to that accuracy over SS_BENCH_T. */
double ss_bench_of_teff(const ss_bench_at *at);

/* --- transfers (measure.c) ----------------------------------------------------------------------
 */

/* All fields (0) or the right-hand side (1) to or from host memory; wall-clock seconds. */
int ss_bench_transfer(ss_run *run, int which, void *rows, bool up, double *seconds, ss_err *err);
/* Copies the initial fields and the right-hand side of a steady problem to b->fields and b->rhs. */
int ss_bench_copy_fields(ss_bench *b, ss_run *run, ss_err *err);

typedef struct ss_bench_times {
    double up, solve, down; /* seconds */
} ss_bench_times;

/* Uploads those copies, times `cycles` cycles (ss_bench_solve) and downloads the field to host
 * memory. */
int ss_bench_solve_from_host(ss_bench *b, ss_run *run, int64_t cycles, int64_t whole,
                             ss_bench_times *out, ss_err *err);

#endif
