/*
 * A lane is a run and what the engine knows about it besides: is it paused, what is still to be
 * stepped, undo, the journal of the session. Private to the engine's own files; engine thread only.
 */
#ifndef SS_LANE_H
#define SS_LANE_H

#include <pthread.h>
#include <stdatomic.h>

#include "src/snapshot/bands.h"
#include "src/engine/thread.h"
#include "src/core/run.h"

#define SS_UNDO_MAX 64

typedef struct ss_journal {
    char *text; /* commands, one a line */
    size_t size, capacity;
    int64_t cycle; /* of the last entry */
    int tick;
    bool passed; /* a tolerance was met, and the run went on */
} ss_journal;

/* What one `undo` takes back: a change of parameters, or a stroke of the brush. */
typedef struct ss_undo {
    ss_config cfg;
    struct ss_stroke *stroke; /* NULL: none; undo.c */
    uint64_t serial;          /* counts all that there ever were */
    const ss_param *row;      /* the one row that was set, NULL: none: another value may join */
    char mark[128];           /* what the curve's mark says of it; "": it has none */
} ss_undo;

/* The spectrum of a 3D run's error as it was looked at last. */
typedef struct ss_spectrum3d {
    ss_bands now, start;
    int64_t cycle;  /* of now */
    uint64_t began; /* the run's, then */
    double next;    /* clock: not before then once more */
} ss_spectrum3d;

typedef struct ss_lane {
    ss_run *run;
    bool paused;
    int64_t steps, ticks; /* still to do, then pause */
    double stride;        /* seconds between cycles; 0: full speed */
    double pace;          /* simulated time a second, instead; 0: full speed */
    double next_cycle;    /* clock, when there is one of the two */
    double cycle_seconds; /* recent time per cycle */
    double rate;          /* recent useful updates per second */
    ss_err failure;       /* of the last step or picture that failed */
    bool given_up;        /* the device is lost and there is nowhere to go on */
    ss_undo undo[SS_UNDO_MAX];
    int nundo;
    uint64_t pushed;          /* the serial of the last one */
    struct ss_rewind *rewind; /* NULL: nothing is kept; rewind.h */
    bool stroking;            /* the last dab was painted: another one may join it */
    const char *mixed;        /* why parameters alone do not lead to this state; NULL: they do */
    ss_journal journal;
    ss_spectrum3d spectrum;
    ss_picture good;     /* the last one, for when the next would show nothing */
    uint64_t good_began; /* of the run that it shows */
} ss_lane;

/* Seconds between cycles that were asked for; 0: full speed. */
double ss_lane_stride(const ss_lane *lane);

#define SS_QUEUE_MAX 4096

/* All lanes keep step by a measure, each alone on the device in its turn. */
typedef struct ss_pack {
    bool on;
    ss_measure by;
    bool stepping; /* every lane goes as far as: */
    double goal;
} ss_pack;

struct ss_engine {
    /* Constant after start. */
    ss_engine_setup setup;
    ss_mailbox *mailbox;
    pthread_t thread;

    /* Under lock: the door. */
    pthread_mutex_t lock;
    pthread_cond_t knock;
    ss_cmd *queue[SS_QUEUE_MAX];
    int nqueue;
    uint64_t tickets; /* given out */
    ss_view asked;    /* the view of the next picture */
    bool opened;      /* the first open is over, well or not */
    ss_err open_error;

    /* Anybody. */
    atomic_bool want, quit, abandon;
    atomic_bool observed; /* the observer is to be called, even if nothing has changed */

    /* Engine thread's own. */
    ss_lane lane[SS_RUN_MAX];
    int nlane, shown;
    ss_pack pack;
    ss_view view;
    uint64_t ticket;    /* last command carried out */
    uint64_t published; /* snapshots */
    bool dirty;         /* something changed since the last snapshot */
    bool changed;       /* the run or a message changed since the observer was called */
    bool finished;      /* the shown run is not going on, and that has been said */
    char message[320];
    uint64_t message_seq;
    bool message_is_error, message_warns;
    bool joined; /* main thread's: stop was called */
};

/* verbs.c: carries an engine-side command out; sentences go to the snapshot's message. */
void ss_engine_obey(ss_engine *e, const ss_cmd *cmd);
/* lanes.c. Before what takes long and is not a step: nobody else can say so while it lasts. True:
 * it has been said, and wants an end. */
bool ss_engine_announce(ss_engine *e, const ss_config *cfg);
void ss_engine_announce_end(ss_engine *e, const ss_run *run);
/* Do the fields of a run with this config stay below setup.bytes_max? */
int ss_engine_admits_bytes(const ss_engine *e, const ss_config *cfg, ss_err *err);
/* Opens a run for cfg as lane `index`, closing what was there once the new one is open. */
int ss_engine_open(ss_engine *e, int index, const ss_config *cfg, const char *load, const char *rhs,
                   ss_err *err);
void ss_engine_say(ss_engine *e, bool error, const char *fmt, ...) SS_PRINTF(3, 4);
/* What a person should know even where nobody watches. */
void ss_engine_warn(ss_engine *e, const char *fmt, ...) SS_PRINTF(2, 3);
void ss_lane_clear(ss_lane *lane);

/* --- change.c --------------------------------------------------------------------------------- */

int ss_verb_set(ss_engine *e, const ss_cmd *cmd, ss_err *err);
int ss_verb_unset(ss_engine *e, const ss_cmd *cmd, ss_err *err);
int ss_verb_undo(ss_engine *e, const ss_cmd *cmd, ss_err *err);

/* --- race.c ----------------------------------------------------------------------------- */

/* Is the lane to be advanced: is it running, or has it steps left, or a way to go to the others? */
bool ss_lane_is_busy(const ss_engine *e, const ss_lane *lane);
/* Is something being done that was asked for by number? */
bool ss_engine_is_stepping(const ss_engine *e);
/* Whose turn it is; -1: nobody's. How many cycles it may do, of `most`. `slice`: seconds a turn. */
int ss_pack_turn(const ss_engine *e);
int64_t ss_pack_cycles(const ss_engine *e, int turn, double slice, int64_t most);
/* Every lane begins again; fails if they are not of one problem, or only one. */
int ss_pack_begin(ss_engine *e, ss_measure by, ss_err *err);
void ss_pack_end(ss_engine *e);
/* May lane `index` be changed to cfg, or added? */
int ss_pack_admits(const ss_engine *e, int index, const ss_config *cfg, ss_err *err);
/* Every lane of the race, or the shown one: so that a verb reaches all that run together. */
int ss_pack_lanes(ss_engine *e, ss_lane *out[SS_RUN_MAX]);
/* Has the shown lane come in, and another not yet? Then the race is not over. */
bool ss_pack_goes_on(const ss_engine *e);
/* So far as the shown lane comes in n cycles. */
void ss_pack_step(ss_engine *e, int64_t n);
int ss_verb_split(ss_engine *e, const ss_cmd *cmd, ss_err *err);
int ss_verb_race(ss_engine *e, const ss_cmd *cmd, ss_err *err);
/* What the race knows, for everybody to see. */
void ss_publish_race(ss_engine *e, ss_snapshot *s);
/* Seconds of a simulated machine, for when nothing may depend on the clock. */
double ss_run_modelled(const ss_run *run, const ss_point *p);

/* rescue.c: has the lane lost its device, or what it had there? Then it can be rescued: every such
 * lane goes on elsewhere, or says why it cannot. True: there was one. */
bool ss_lane_is_lost(const ss_lane *lane);
bool ss_engine_rescue(ss_engine *e);

/* journal.c */
void ss_journal_add(ss_lane *lane, const char *line);
int ss_journal_save(ss_lane *lane, const char *path, ss_err *err);
void ss_journal_open(ss_lane *lane, const ss_config *cfg);

/* undo.c: before a change of parameters; after it failed, or was taken back. */
void ss_undo_push(ss_lane *lane);
void ss_undo_pop(ss_lane *lane);
void ss_undo_clear(ss_lane *lane);
/* The run is back where `pushed` changes had been made: the later ones are none of its own. */
void ss_undo_cut(ss_lane *lane, uint64_t pushed);
/* The run has begun again: what was painted before is gone. */
void ss_undo_begun_again(ss_lane *lane);
/* A dab, in a stroke of its own or joined to the last one; the last stroke taken back, the run
 * being again at the cycle it was painted at. */
int ss_lane_paint(ss_lane *lane, const ss_cmd *cmd, ss_err *err);
int ss_undo_stroke(ss_lane *lane, ss_err *err);

/* publish.c: room for w x h cells. Fills the back slot and publishes it. */
int ss_publish_room(ss_picture *p, size_t *capacity, int w, int h);
void ss_engine_publish(ss_engine *e);

#endif
