/*
 * Shared by the files of `bench`. A bench has groups of cases: a group is a problem, a case is a
 * solver with its settings. A kind says how cases are measured and in which columns they are shown;
 * driver.c runs every kind in the same way, print.c makes the table and the JSON from its columns.
 * The kinds of our own plan are in plan.c (assets/data/bench.txt), those of the papers in
 * paper_kinds.c (assets/data/papers.txt). Main thread, one run at a time.
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
#define SS_FOUND_MAX 16
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

struct ss_bench_kind;

/* A command line and its measurements, one per round. */
typedef struct ss_bench_case {
    ss_bench_role role;
    const struct ss_bench_kind *kind; /* of the first row of a paper that it belongs to */
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
    double load;                     /* seconds before a sample, see ss_bench_time_loaded */
    double found[SS_FOUND_MAX];      /* further values, by indices of the kind; 0: not known */
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

struct ss_paper;
struct ss_paper_row;

/* Groups: the problems, done in the first way, then in the second. Our own plan has one way. */
typedef struct ss_bench {
    ss_config base; /* of the command line, the backend resolved */
    const ss_backend *backend;
    char device[80], detail[160];
    int rounds, done, all;
    double began;      /* clock of the first measurement */
    FILE *out;         /* the tables; NULL: none */
    const char *file;  /* the JSON, also while the bench runs; NULL: none */
    double written;    /* clock when it was last written */
    int line;          /* the next line of the problem's table */
    const void *shown; /* the columns of the last line */
    void *meter;       /* the backend's */
    ss_limit limits[SS_LIMITS_MAX];
    double limit[SS_LIMITS_MAX][SS_SAMPLES_MAX];
    int nlimit, nsample;
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

/* A case that is measured or shown. */
typedef struct ss_bench_at {
    ss_bench *b;
    ss_bench_group *g;
    ss_bench_case *c;
    const struct ss_paper_row *row; /* that is shown; NULL: our own plan */
    ss_run *run;                    /* that is measured, configured as the case, without checks */
    int round, problem, way;
} ss_bench_at;

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

/* --- kinds and their columns (figures.c) ------------------------------------------------------ */

/* Numbers of a case. 1 to SS_FOUND_MAX: case.found[SS_FOUND_1 - 1] and so on. Seconds are medians
 * over the rounds. */
typedef enum ss_bench_number {
    SS_FOUND_1 = 1,
    SS_SECONDS = SS_FOUND_1 + SS_FOUND_MAX, /* case.solve */
    SS_SECONDS_ITERATION,
    SS_SECONDS_CYCLE,
    SS_UPDATES, /* per iteration */
    SS_BYTES,   /* per iteration */
    SS_PER_CYCLE,
    SS_CYCLES,
    SS_ITERATIONS, /* of all cycles, or time steps */
    SS_THEIRS,     /* of the row: the paper's figure, */
    SS_FURTHER     /* and the further one */
} ss_bench_number;
#define SS_FOUND(index) (SS_FOUND_1 + (index))

/* A column of the table and a field of the JSON: a text, or the value of a function or of a
 * quantity. Lists of them end with an empty one. */
typedef struct ss_bench_figure {
    const char *key;     /* in the JSON; NULL: only in the table */
    const char *heading; /* in the table; NULL: only in the JSON */
    int width;           /* in the table; negative: aligned to the left */
    const char *format;  /* "%.0f": an integer in the JSON too; no %: a unit with its prefix */
    int of, per; /* ss_bench_number; per: divides; 0 is not known, unless the format is "%.0f" */
    double (*value)(const ss_bench_at *at); /* NaN: not known; "-" and null */
    void (*text)(const ss_bench_at *at, char *buf, size_t size);
    double times, scale; /* the value, and only in the table; 0: times 1 */
    bool list;           /* also shown for every case of a row with a list */
} ss_bench_figure;

/* Functions that are NULL have nothing to do. */
typedef struct ss_bench_kind {
    const char *word; /* in the data; of our own plan: what the JSON says is measured */
    ss_bench_role role;
    bool limits_again; /* measure the hardware's limits for each problem */
    bool once;         /* the table leaves out rows whose cases are all in rows before */
    bool shared;       /* between a CPU and a GPU, or not at all: never another row's plain run */
    int steps;         /* time steps that a time refers to */
    /* Before the cases of a problem whose first case is of this kind. */
    int (*begin)(const ss_bench_at *at, ss_err *err);
    /* Before the rounds, in each way, the last one first. */
    int (*prepare)(const ss_bench_at *at, ss_err *err);
    int (*measure)(const ss_bench_at *at, ss_err *err); /* one round */
    const ss_bench_figure *theirs;                      /* the paper's; NULL: none */
    const ss_bench_figure *ours;
} ss_bench_kind;

double ss_bench_median(const double *v, int n);
/* Median of a[i] / b[i]: two kernels are compared within a round. */
double ss_bench_median_ratio(const double *a, const double *b, int n);
/* From the fastest round to the slowest, over the median; NaN: one round. */
double ss_bench_spread(const double *v, int n);
/* The fastest and the slowest round beside the median: "-0.4 +1.2 %"; empty: one round. */
void ss_bench_put_extremes(const double *v, int n, char *buf, size_t size);
/* Is a faster than b by more than either varies from round to round? One round cannot tell. */
bool ss_bench_is_faster(const double *a, const double *b, int n);
/* The case's times, one per round: to the goal, or per iteration. */
const double *ss_bench_samples(const ss_bench_at *at);
/* Speed-up of times, one per round, over the fastest case of a role, round by round; solve: to the
 * goal; NaN: no case has that role. */
double ss_bench_over(const ss_bench_at *at, ss_bench_role role, bool solve, const double *v);

double ss_bench_value(const ss_bench_figure *f, const ss_bench_at *at);
double ss_bench_number_of(int which, const ss_bench_at *at);
double ss_bench_known(double v);                   /* NaN unless above 0 and finite */
double ss_bench_of_speedup(const ss_bench_at *at); /* over the best classic case */
double ss_bench_of_triad(const ss_bench_at *at);   /* the ledger's bandwidth over the triad's */
double ss_bench_of_spread(const ss_bench_at *at);  /* of the rounds */
void ss_bench_put_range(const ss_bench_at *at, char *buf, size_t size); /* of the rounds */
/* The setting of a case that its row's list varies: "overlap=4". */
void ss_bench_put_choice(const ss_bench_at *at, char *buf, size_t size);
/* The same of a row's fastest case; empty: another one is as fast within the spread. */
void ss_bench_put_best(const ss_bench_at *at, char *buf, size_t size);
// clang-format off
#define SS_BENCH_SPREAD \
    {"spread", .value = ss_bench_of_spread}, {NULL, "range", 13, .text = ss_bench_put_range}
// clang-format on

/* --- the table and the JSON (print.c) --------------------------------------------------------- */

/* Device, rounds, limits; of a paper also its notes. */
void ss_bench_print_head(const ss_bench *b, FILE *out);
/* The lines of the problem's table that are not printed yet, up to the first one that waits for a
 * measurement; b->line is 0 before the first call. */
void ss_bench_print_lines(ss_bench *b, int problem, FILE *out);
/* After the tables: lists, the legend, the limits. */
void ss_bench_print_end(ss_bench *b, FILE *out);
/* What is known now: "complete" is false until everything is measured. */
json_t *ss_bench_json(ss_bench *b);
/* Are all rounds of the case measured, or is it skipped? */
bool ss_bench_is_done(const ss_bench *b, const ss_bench_case *c);
/* The same for all cases of all ways; problem < 0: of all problems. */
bool ss_bench_is_complete(ss_bench *b, int problem);

/* --- interrupted and resumed (resume.c) ------------------------------------------------------- */

json_t *ss_bench_list(const double *v, int n);
/* The measurements of each round so far, from which ss_bench_resume goes on. */
json_t *ss_bench_progress(ss_bench *b);
/* Takes over the measurements in b->file, if it is of the same command on the same device and not
 * complete. */
void ss_bench_resume(ss_bench *b);

/* --- measuring (measure.c) -------------------------------------------------------------------- */

/* Measures the hardware's limits once more. */
int ss_bench_limits(ss_bench *b, ss_err *err);
/* Opens the run of a group with its first valid case; NULL: no case is valid, err has the reason.
 */
ss_run *ss_bench_open(ss_bench_group *g, ss_err *err);
/* Reconfigures the run to cfg, without an end, with a residual check every `check_every` cycles
 * (0: none). The field does not change. */
int ss_bench_configure(ss_run *run, const ss_config *cfg, int64_t check_every, ss_err *err);
/* The same for a case, without checks. False: it is not valid, and c->skipped has the reason. */
bool ss_bench_take(const ss_bench_at *at);
/* The config of the case with one more setting (NULL: none), and the run configured to it. */
int ss_bench_take_with(const ss_bench_at *at, const char *name, const char *value, ss_err *err);
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
/* The same from the start. */
int ss_bench_restart(ss_run *run, int64_t cycles, double *seconds, ss_err *err);
/* Cycles from the initial field to the tolerance of cfg. */
int ss_bench_count(ss_run *run, const ss_config *cfg, int64_t *cycles, ss_err *err);
/* The seconds of `cycles` cycles: all are run, or more than `whole` are timed by a sample: its mean
 * cycle times their number. */
int ss_bench_solve(const ss_bench *b, ss_run *run, int64_t cycles, int64_t whole, double *seconds,
                   ss_err *err);
#define SS_BENCH_WHOLE 2000
/* The most cycles of a paper's case that are run: with one round a sample is enough. */
int64_t ss_bench_whole(const ss_bench *b);
/* Seconds of a run from the start to run->tol with the checks that are the default. *cycles 0: set
 * to the cycle at which it ends. Else it ends there; a method that may end at another one gets its
 * seconds times *cycles over that one. */
int ss_bench_to_tolerance(ss_run *run, int64_t *cycles, double *seconds, ss_err *err);
/* A case's bytes and updates per iteration by the ledger, and the triad beside them. */
void ss_bench_bill(const ss_bench_at *at);

/* --- equal accuracy (measure.c) --------------------------------------------------------------- */

#define SS_BENCH_REFERENCE 4096 /* classic iterations to the reference */
#define SS_BENCH_T 1000         /* classic iterations to the accuracy */
/* Indices of ss_bench_case.found: launches to their accuracy, and iterations over SS_BENCH_T. */
enum { SS_BENCH_LAUNCHES, SS_BENCH_TEFF, SS_BENCH_NEQUAL };

/* Computes the reference into b->fields, and the accuracy after SS_BENCH_T iterations, by the
 * problem's first case, which is classic. */
int ss_bench_reference(const ss_bench_at *at, ss_err *err);
/* Finds the launches of a case; one that takes far more than SS_BENCH_T iterations is skipped. */
int ss_bench_find_launches(const ss_bench_at *at, ss_err *err);

/* --- transfers (measure.c) -------------------------------------------------------------------- */

/* All fields (0) or the right-hand side (1) to or from host memory; wall-clock seconds. */
int ss_bench_transfer(ss_run *run, int which, void *rows, bool up, double *seconds, ss_err *err);
/* Copies the initial fields and the right-hand side of a steady problem to b->fields and b->rhs. */
int ss_bench_copy_fields(const ss_bench_at *at, ss_err *err);
/* Uploads those copies, times the case's cycles (ss_bench_solve) and downloads the field to host
 * memory. Seconds of both transfers, and of the cycles. */
int ss_bench_solve_from_host(const ss_bench_at *at, int64_t whole, double *moved, double *solve,
                             ss_err *err);

/* --- papers ----------------------------------------------------------------------------------- */

/*
 * A paper's figures and our measurements of the same cases: rows of assets/data/papers.txt, read
 * into the groups and cases of a bench. A way is a set of settings for all cases (the paper's
 * launches, our best ones); a problem has a group per way, and a case has the same index in all of
 * them.
 */

#define SS_PAPER_ROWS 256
#define SS_PAPER_WAYS 2
#define SS_PAPER_PROBLEMS (SS_GROUPS_MAX / SS_PAPER_WAYS)
#define SS_PAPER_LIST 16
#define SS_PAPER_TEXTS 12

typedef struct ss_paper_row {
    const ss_bench_kind *kind;
    char source[24], theirs[24], further[32];
    char label[64]; /* the settings that all its cases share; */
    char here[64];  /* without optional ones that do not apply on this backend */
    int problem;
    int at[SS_PAPER_LIST], count; /* its cases; the fastest one is the row's */
    bool hidden;                  /* here it is the same as a row before */
} ss_paper_row;

typedef struct ss_paper {
    const char *name;
    bool ours; /* the data's lines are those of this paper */
    char problems[SS_PAPER_PROBLEMS][16];
    double n[SS_PAPER_PROBLEMS];  /* the paper's; --n may select another */
    int index[SS_PAPER_PROBLEMS]; /* position in the paper's list of sizes */
    char left[16]; /* a problem whose line names the bench's backend: others measure the same */
    char way_names[SS_PAPER_WAYS][32];
    ss_settings ways[SS_PAPER_WAYS];
    char notes[SS_PAPER_TEXTS][128], legend[SS_PAPER_TEXTS][128];
    int nnote, nlegend; /* without notes it is nobody's paper: ours are compared with each other */
    ss_paper_row rows[SS_PAPER_ROWS];
    int nrow;
} ss_paper;

/* Reads the paper's rows into b->paper and the groups; free(b->paper) afterwards. Two ways that do
 * not differ on this backend become one. */
int ss_paper_read(ss_bench *b, const char *name, ss_err *err);
/* The row's fastest case; if all were skipped, the first. */
ss_bench_case *ss_paper_best(ss_bench *b, const ss_paper_row *row, int way);
/* The kind of that word in the data, or NULL. */
const ss_bench_kind *ss_paper_kind(const char *word);

#endif
