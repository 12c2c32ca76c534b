/*
 * What the files of `bench` share: cases with their figures, the measurements themselves. The plan
 * (assets/data/bench.txt) and the papers' figures (assets/data/papers.txt) are data; plan.c reads
 * both kinds of line. Main thread, one run at a time.
 */
#ifndef SS_BENCH_KIT_H
#define SS_BENCH_KIT_H

#include <jansson.h>
#include <stdio.h>

#include "src/core/run.h"
#include "src/core/settings.h"

#define SS_ROUNDS_MAX 99
#define SS_CASES_MAX 72
#define SS_GROUPS_MAX 72

/* --- cases ------------------------------------------------------------------------------------ */

/* What the others are compared with: the fastest classic solver in the fair way of launching (on a
 * CPU: the classic solver), and the fastest one that launches kernel after kernel. */
typedef enum ss_bench_role {
    SS_BENCH_CASE,
    SS_BENCH_CLASSIC,
    SS_BENCH_STREAM,
    SS_BENCH_NROLE
} ss_bench_role;

/* A command line, and its figures, one a round. */
typedef struct ss_case {
    ss_bench_role role;
    ss_settings set;
    char label[96];
    char skipped[200];               /* why; empty: it is measured */
    double iteration[SS_ROUNDS_MAX]; /* seconds per iteration, no norm; or per time step */
    double checked[SS_ROUNDS_MAX];   /* the same with a norm every cycle */
    double triad[SS_ROUNDS_MAX];     /* bytes a second, measured just before */
    double solve[SS_ROUNDS_MAX];     /* seconds of `cycles` cycles, no norm */
    double bytes;                    /* the ledger's, per iteration; 0: not counted */
    double updates;                  /* useful ones, per iteration */
    int per_cycle;                   /* iterations, or time steps */
    int64_t cycles;                  /* to the tolerance; 0: not known */
    int64_t hint;                    /* about so many, for an estimate of the time */
} ss_case;

/* Cases that share one field. */
typedef struct ss_group {
    bool solve; /* time to the tolerance, or else time per iteration */
    ss_settings set;
    ss_config cfg; /* these settings over what was asked for */
    char label[96];
    ss_case cases[SS_CASES_MAX];
    int ncase;
} ss_group;

/* A time-dependent problem: figures are per time step, and there are no norms. */
bool ss_bench_moves(const ss_group *g);

typedef struct ss_bench {
    ss_config base; /* what was asked for, the backend resolved */
    const ss_backend *backend;
    char device[80], detail[160];
    int rounds, done, all;
    bool progress;
    void *meter; /* the backend's */
    ss_limit limits[SS_LIMITS_MAX];
    double limit[SS_LIMITS_MAX][SS_ROUNDS_MAX * SS_GROUPS_MAX];
    int nlimit, nsample;
    ss_group groups[SS_GROUPS_MAX];
    int ngroup;
} ss_bench;

/* The plan's groups that are for the bench's backend. */
int ss_bench_plan(ss_bench *b, ss_err *err);
/* What the size of a problem is called: "n", or "patch" where that does not apply. */
const char *ss_bench_size_name(const ss_config *cfg);
/* The size of a group, in its config and in what is shown of it. */
int ss_bench_size(ss_group *g, int64_t n, ss_err *err);
/* Iterations of a cycle of the run as it stands, or time steps. */
int ss_bench_per_cycle(const ss_run *run);
/* Halves the group's size until it fits the memory; `say` (may be NULL) is told if it had to. */
int ss_bench_fit(const ss_bench *b, ss_group *g, FILE *say, ss_err *err);
/* Group and case together, checked; fails with the reason why it cannot be. */
int ss_bench_config(const ss_group *g, const ss_settings *set, ss_config *out, ss_err *err);

/* --- measuring -------------------------------------------------------------------------------- */

double ss_median(const double *v, int n);
/* Median of a[i] / b[i]: what one round says about two kernels. */
double ss_median_ratio(const double *a, const double *b, int n);
/* The fastest case of a role in each round, into best; false: nothing has that role. */
bool ss_bench_best(const ss_group *g, ss_bench_role role, bool solve, int rounds, double *best);

/* The hardware's limits once more. */
int ss_bench_limits(ss_bench *b, ss_err *err);
/* Makes the run one of cfg that never stops by itself and looks at the norm every `check_every`
 * cycles (0: never). The field stays. */
int ss_bench_take(ss_run *run, const ss_config *cfg, int64_t check_every, ss_err *err);
/* Seconds per cycle as the run stands, over that many seconds of work at least. */
int ss_bench_time(ss_run *run, double least, double *out, ss_err *err);
/* What the backend asks of a figure that is printed. */
double ss_bench_sample(const ss_bench *b);
/* So many cycles, and the seconds the run says they took. */
int ss_bench_step(ss_run *run, int64_t cycles, double *seconds, ss_err *err);
/* Cycles from the initial field to the tolerance of cfg. */
int ss_bench_count(ss_run *run, const ss_config *cfg, int64_t *cycles, ss_err *err);
/* Seconds of so many cycles from the initial field, no norms. */
int ss_bench_solve(ss_run *run, const ss_config *cfg, int64_t cycles, double *out, ss_err *err);
/* One more of b->all things is done. */
void ss_bench_advance(ss_bench *b);

/* --- what comes out --------------------------------------------------------------------------- */

void ss_bench_print(const ss_bench *b, FILE *out);
void ss_bench_print_limits(const ss_bench *b, FILE *out);
json_t *ss_bench_json(const ss_bench *b);
/* Device, rounds and limits: what every bench begins with. */
json_t *ss_bench_json_head(const ss_bench *b);

/* `bench --paper`: a paper's tables again. Prints on out unless NULL; *json gets the object. See
 * paper.h. */
typedef int ss_paper_fn(ss_bench *b, FILE *out, json_t **json, ss_err *err);
ss_paper_fn ss_paper_hierarchical, ss_paper_wild, ss_paper_smoother, ss_paper_swept;

#endif
