/* The engine thread: owns up to four runs and advances them in turn by about 4 ms of work; at
 * each turn it executes queued commands and publishes a picture if one is wanted. The app (main
 * thread) talks to it only through these functions and never waits for it, except in start and
 * stop. */
#ifndef SS_ENGINE_H
#define SS_ENGINE_H

#include "src/core/command.h"
#include "src/core/param.h"
#include "src/snapshot/race.h"
#include "src/snapshot/types.h"

#define SS_RUN_MAX SS_RACE_MAX

typedef struct ss_engine ss_engine;
struct ss_run;

/* What a lesson sees between two turns of the engine. */
typedef struct ss_engine_moment {
    struct ss_run *run;  /* the shown one */
    bool still;          /* neither it nor its race advances */
    int undoable;        /* changes of it that can be undone */
    uint64_t ticket;     /* the last executed command */
    const char *message; /* the last sentence for the user, */
    uint64_t message_seq;
    bool message_is_error;
} ss_engine_moment;

typedef struct ss_engine_setup {
    const ss_config *cfg;    /* checked */
    const char *load, *rhs;  /* NumPy files or NULL; interned */
    bool interactive;        /* continues at the tolerance, leaves a processor to the front end */
    bool deterministic;      /* exact pictures; nothing depends on the clock */
    bool paused;             /* start paused */
    void (*wake)(void *ctx); /* called from the engine thread after each publish */
    void *wake_ctx;
    /* Called by start, on its thread, while the first run is being opened: should it give up?
     * May be NULL. */
    bool (*unwanted)(void *ctx);
    bool rewinds; /* keeps checkpoints; an interactive run keeps them anyway */
    /* A lesson: `run` ends at the tolerance and then waits. The observer is called on the engine
     * thread after each turn that changed something, and when ss_engine_observe asks for it,
     * whether a picture is wanted or not. NULL: no lesson. */
    void (*observe)(const ss_engine_moment *now, void *ctx);
    void *observe_ctx;
    double bytes_max; /* of the fields of one run; 0: no limit */
} ss_engine_setup;

/* Starts the thread and waits until the first run is open. NULL and a sentence on failure. */
ss_engine *ss_engine_start(const ss_engine_setup *setup, ss_err *err);
/* Stops the thread, within a cycle if need be, and waits for it. The runs stay. */
void ss_engine_stop(ss_engine *e);
/* Stops if need be and closes every run. */
void ss_engine_free(ss_engine *e);

/* Queues a command and returns its ticket; 0 if the queue is full. Any thread. */
uint64_t ss_engine_post(ss_engine *e, const ss_cmd *cmd);
/* Posts a `pause` that also drops the cycle in progress; 0 if the queue is full. Any thread. */
uint64_t ss_engine_interrupt(ss_engine *e);
/* Calls the observer at the next turn, even if nothing has changed. Any thread. */
void ss_engine_observe(ss_engine *e);
/* Sets the view of the next picture. Main thread. */
void ss_engine_view(ss_engine *e, const ss_view *view);
/* Requests a snapshot as soon as there is something new. */
void ss_engine_want(ss_engine *e);
const ss_snapshot *ss_engine_take(ss_engine *e, bool *fresh);

/* The shown run, once the engine has stopped: for the report and the final files. */
struct ss_run *ss_engine_run(ss_engine *e);
/* All runs of the race, or the shown one; returns how many. Once the engine has stopped. */
int ss_engine_runs(ss_engine *e, struct ss_run *out[SS_RUN_MAX]);

#endif
