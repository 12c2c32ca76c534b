/*
 * The classic run beside the shown one, by the solver that its table row names (ss_solver.classic).
 * For steady runs: the residual curve of classic Jacobi from the same start, up to the run's own
 * iteration. For all: a timed pair of batches from the present field, and whether the two fields
 * then have the same bits. The engine computes both between the turns of the runs, while a front
 * end shows a picture: in at most a twentieth of the run's time, without limit while the run is
 * paused. Deterministic runs compute them when a picture is published, by cycles. Engine thread
 * only; see lane.h.
 */
#ifndef SS_CLASSIC_H
#define SS_CLASSIC_H

#include "src/core/run.h"

struct ss_engine;
struct ss_snapshot;
struct ss_cmd;

#define SS_CLASSIC_KEPT 4
#define SS_PAIR_ROUNDS 5

/* The user's choice about the comparison. */
typedef enum ss_classic_choice {
    SS_CLASSIC_AUTO, /* up to the backend's ss_backend.beside */
    SS_CLASSIC_ON,
    SS_CLASSIC_OFF
} ss_classic_choice;

/* The pair of batches: both runs start from the present field of the watched run. */
typedef struct ss_timed_pair {
    ss_run *own, *classic; /* NULL: none in progress */
    int batch;             /* the next one; even: own, odd: classic */
    int64_t cycles;        /* of `own` per batch */
    double seconds[2][SS_PAIR_ROUNDS];
    double since; /* clock of the last change of the watched run */
    bool done;    /* for the present settings */
    int64_t at;   /* cycle of the watched run at the last check of the bits */
    int64_t from; /* cycle of the field that both runs of the last check started from */
    double cost;  /* seconds of the engine's time since the pair was begun */
    double rest;  /* clock until which no other pair is begun */
    bool checked, equal, timed;
    double each[2];   /* seconds per iteration or step */
    int64_t compared; /* iterations or steps after which the fields were compared */
} ss_timed_pair;

typedef struct ss_classic {
    ss_classic_choice choice;
    ss_run *kept[SS_CLASSIC_KEPT]; /* classic runs of the last problems, the newest first */
    int nkept;
    /* What the watched run was at the last turn. */
    ss_config cfg;
    const char *load, *rhs;
    uint64_t began;
    double spent;         /* its solving time */
    bool refused;         /* its classic run could not be opened */
    double bytes;         /* of the ledger of a classic cycle; 0: unknown */
    ss_run *run;          /* its classic run, one of `kept`; NULL: none */
    double credit;        /* seconds that the classic run may take */
    double cycle_seconds; /* of the classic run */
    bool disturbed; /* it ran since the watched run's last slice, whose time is thus not typical */
    ss_timed_pair pair;
} ss_classic;

/* Between two turns. idle: seconds until the next one is due, < 0: unknown. Returns the same, or
 * less if there is work to do earlier. */
double ss_classic_turn(struct ss_engine *e, double idle);
/* Its part of the snapshot. */
void ss_classic_publish(struct ss_engine *e, struct ss_snapshot *s);
void ss_classic_free(struct ss_engine *e);
/* classic [on|off|auto] */
int ss_verb_classic(struct ss_engine *e, const struct ss_cmd *cmd, ss_err *err);

/* --- shared by classic.c and pair.c ----------------------------------------------------------- */

/* The problem of a run, solved by its classic solver without limits. Fails if there is none. */
int ss_classic_config(const struct ss_engine *e, const ss_run *run, ss_config *cfg, ss_err *err);
/* Seconds until the next batch of the pair is due; < 0: none will be. */
double ss_pair_wait(const struct ss_engine *e);
/* Does that batch. */
void ss_pair_turn(struct ss_engine *e);
/* Deterministic: the bits at once. */
void ss_pair_check(struct ss_engine *e);
/* Drops the pair in progress; forget: also its results. */
void ss_pair_stop(ss_timed_pair *p, bool forget);

#endif
