/* The engine thread: owns up to six runs and advances them in turn by about 4 ms of work. At each
 * turn it executes queued commands and publishes a requested picture. The app (main thread) uses it
 * only through these functions and never waits for it, except in start and stop. */
#ifndef SS_ENGINE_H
#define SS_ENGINE_H

#include "src/core/command.h"
#include "src/core/param.h"
#include "src/snapshot/race.h"
#include "src/snapshot/snapshot.h"

#define SS_RUN_MAX SS_RACE_MAX

typedef struct ss_engine ss_engine;
struct ss_run;

/* The engine's state between two turns, for the observer of a lesson. */
typedef struct ss_engine_moment {
    struct ss_run *run;  /* the shown one */
    bool still;          /* neither that run nor its race advances */
    int undoable;        /* number of its changes that can be undone */
    uint64_t ticket;     /* the last executed command */
    const char *message; /* the last message to the user */
    uint64_t message_seq;
    bool message_is_error;
} ss_engine_moment;

typedef struct ss_engine_setup {
    const ss_config *cfg;    /* checked */
    const char *load, *rhs;  /* NumPy files or NULL; interned */
    bool interactive;        /* holds at the tolerance, leaves a processor to the front end */
    bool deterministic;      /* exact pictures; nothing depends on the clock */
    bool model_work;         /* modelled ranks work for the ledger's time; deterministic does too */
    bool paused;             /* start paused */
    void (*wake)(void *ctx); /* called from the engine thread after each publish */
    void *wake_ctx;
    /* Called by start, on its thread, while the first run is being opened: true cancels it. May be
     * NULL. */
    bool (*unwanted)(void *ctx);
    bool seldom;  /* nobody reads the residual of each cycle (src/run/checks.h); not in a lesson */
    bool rewinds; /* store checkpoints; an interactive run always does */
    bool cones;   /* a snapshot between two cycles has the next one's cone, none of it done */
    /* A lesson: `run` ends at the tolerance and then waits. The observer is called on the engine
     * thread after each turn that changed something and after ss_engine_observe, independent of
     * pictures. NULL: no lesson. later: the lesson begins with ss_engine_lesson. */
    void (*observe)(const ss_engine_moment *now, void *ctx);
    bool later;
    void *observe_ctx;
    double bytes_max;  /* of the fields of one run; 0: no limit */
    double past_bytes; /* of a run's checkpoints, see ss_frontend */
} ss_engine_setup;

/* Starts the thread and waits until the first run is open. NULL and a sentence on failure. */
ss_engine *ss_engine_start(const ss_engine_setup *setup, ss_err *err);
/* Stops the thread, even within a cycle, and waits for it. The runs stay open. */
void ss_engine_stop(ss_engine *e);
/* Stops the thread if it runs, and closes every run. */
void ss_engine_free(ss_engine *e);

/* Queues a command and returns its ticket. 0: the queue is full or memory is short, err says which.
 * Any thread. */
uint64_t ss_engine_post(ss_engine *e, const ss_cmd *cmd, ss_err *err);
/* Posts a `pause` that also drops the cycle in progress; 0 as above. Any thread. */
uint64_t ss_engine_interrupt(ss_engine *e);
/* Calls the observer at the next turn, even if nothing has changed. Any thread. */
void ss_engine_observe(ss_engine *e);
/* A lesson begins, or ends: the observer is called, or not. Any thread. */
void ss_engine_lesson(ss_engine *e, bool on);
/* Sets the view of the next picture. Main thread. */
void ss_engine_view(ss_engine *e, const ss_view *view);
/* Requests a snapshot as soon as something is new. Main thread; ss_engine_take returns the newest.
 */
void ss_engine_want(ss_engine *e);
const ss_snapshot *ss_engine_take(ss_engine *e, bool *fresh);

/* The shown run, for the report and the final files. Only after ss_engine_stop. */
struct ss_run *ss_engine_run(ss_engine *e);
/* All runs of the race, or the shown one; returns their number. Only after ss_engine_stop. */
int ss_engine_runs(ss_engine *e, struct ss_run *out[SS_RUN_MAX]);

#endif
