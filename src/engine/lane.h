/* A lane: a run with the engine's state about it (paused or not, steps left, undo, the session's
 * journal). Private to the engine's files; engine thread only. */
#ifndef SS_LANE_H
#define SS_LANE_H

#include <pthread.h>
#include <stdatomic.h>

#include "src/engine/between.h"
#include "src/engine/classic.h"
#include "src/engine/edit.h"
#include "src/snapshot/bands.h"
#include "src/engine/thread.h"
#include "src/core/run.h"

#define SS_UNDO_MAX 64

typedef struct ss_journal {
    char *text; /* commands, one per line */
    size_t size, capacity;
    int64_t cycle; /* of the last entry */
    int tick;
    bool passed; /* the run continued beyond a tolerance */
} ss_journal;

/* One entry of the undo list, or of the redo list: a change of parameters, or a brush stroke. */
typedef struct ss_undo {
    ss_config cfg;            /* to return to; in the redo list: to set again */
    struct ss_stroke *stroke; /* NULL: none; undo.c */
    struct ss_stroke *after;  /* redo list: the state when the stroke was undone */
    uint64_t serial;          /* grows with each entry */
    const ss_param *row; /* the only row set, whose next value may join this entry; NULL: several */
    char mark[128];      /* its mark on the curve; "": none */
} ss_undo;

/* The latest spectrum of a steady run's error. */
typedef struct ss_error_bands {
    ss_bands now, start;
    int64_t cycle;  /* cycle of `now` */
    int peek;       /* and its subiteration */
    uint64_t began; /* the run's `began` at that time */
    double next;    /* clock: earliest time of the next update */
} ss_error_bands;

/* A run that holds: hold.h. */
typedef struct ss_held {
    ss_hold kind; /* valid only while the run has this cycle and this start */
    int64_t cycle;
    uint64_t began;
    ss_config cfg;            /* the settings of its last counted cycle */
    struct ss_repeat *repeat; /* copies for its repetition; NULL: none yet */
} ss_held;

/* The extremes of the shown layer in the subiterations of a cycle; publish_scale.h. */
typedef struct ss_cycle_scale {
    bool begun;
    ss_view view;    /* the picture they belong to */
    int64_t cycle;   /* the start of the cycle */
    int64_t end;     /* the cycle that the last tick has ended; -1: none */
    uint64_t began;  /* the run's `began`, */
    uint64_t change; /* and the lane's `pushed`, at that time */
    int next;        /* the next subiteration to sample; 0: all are known */
    double lo, hi;
    ss_picture picture; /* scratch */
    size_t room;
} ss_cycle_scale;

/* The staleness cone of the cycle under the microscope; publish_cone.h. */
typedef struct ss_cone_memo {
    struct ss_cone *cone; /* NULL: none was computed yet */
    double *own;          /* its block's values */
    ss_view view;         /* whose block and probe it has */
    int lane;
    int64_t cycle; /* the start of the cycle */
    uint64_t began, change;
} ss_cone_memo;

/* The last comparison of a run's field with that of the race's first run. */
typedef struct ss_compared {
    ss_race_bits bits;
    uint64_t began, first; /* `began` of the two runs */
} ss_compared;

/* The least residual since a reset or a change; stall.c. */
typedef struct ss_stall {
    uint64_t began, change; /* `began` of the run, and the lane's `pushed`, at that time */
    size_t seen;            /* points of its history that were compared */
    double residual;
    int64_t iteration; /* of that residual */
    bool said;         /* that there is no smaller one */
} ss_stall;

typedef struct ss_lane {
    ss_run *run;
    bool paused;
    ss_held held;
    bool beyond;  /* `run` was given beyond the tolerance */
    double least; /* since then: the least residual, and its cycle */
    int64_t least_cycle;
    int64_t steps, ticks; /* remaining; then the lane pauses */
    bool chained;         /* no command since the last slice: the next one continues its chain */
    double stride;        /* seconds between cycles; 0: full speed */
    double pace;          /* simulated time per second instead; 0: full speed */
    double next_cycle;    /* clock time of the next cycle, if stride or pace is set */
    double cycle_seconds; /* recent seconds per cycle */
    double cycle_spent;   /* the same of this machine's time: ss_run_spent */
    double rate;          /* recent useful updates per second */
    ss_err failure;       /* of the last step or picture that failed */
    bool given_up;        /* the device is lost and no other backend can continue */
    ss_undo undo[SS_UNDO_MAX], redo[SS_UNDO_MAX]; /* the last entry comes first */
    int nundo, nredo;
    uint64_t pushed;          /* serial of the latest entry */
    struct ss_rewind *rewind; /* NULL: no checkpoints; rewind.h */
    bool stroking;            /* the last command painted a dab: the next may join its stroke */
    const char *mixed;        /* why parameters alone cannot reproduce this state; NULL: they can */
    ss_config opened;         /* the config of the journal's opening line */
    ss_journal journal;
    ss_error_bands spectrum;
    ss_cycle_scale scale;
    ss_picture good;     /* the latest picture, shown after the run has diverged */
    uint64_t good_began; /* `began` of the run that it shows */
    bool restarted;      /* it was changed in a race, and started again */
    ss_compared compared;
    ss_stall stall;
} ss_lane;

/* Requested seconds between cycles; 0: full speed. */
double ss_lane_stride(const ss_lane *lane);

#define SS_QUEUE_MAX 4096

/* A race: all lanes are kept level by a measure; they use the device in turn, one at a time. */
typedef struct ss_engine_race {
    bool on;
    ss_measure by;
    bool chosen;   /* the user chose the measure */
    double end;    /* simulated time at which its runs end; 0: they have other limits */
    double looked; /* clock of the last comparison of fields */
    bool stepping; /* every lane advances up to `goal` and then pauses */
    double goal;
} ss_engine_race;

struct ss_engine {
    /* Constant after start. */
    ss_engine_setup setup;
    ss_mailbox *mailbox;
    pthread_t thread;

    /* Under lock: the command queue. */
    pthread_mutex_t lock;
    pthread_cond_t signal; /* wakes the engine thread, and start when the first run is open */
    ss_cmd *queue[SS_QUEUE_MAX];
    int nqueue;
    uint64_t tickets;            /* issued so far */
    ss_view requested;           /* view of the next picture */
    bool opened;                 /* the first run is open, or has failed to open */
    bool left;                   /* the engine thread has ended */
    ss_err open_error;

    /* Any thread. */
    atomic_bool want, quit, abandon;
    atomic_bool observed; /* call the observer even if nothing has changed */
    atomic_bool lesson;   /* setup.observe is the observer of a lesson; else NULL */
    void (*observer)(const ss_engine_moment *now, void *ctx);

    /* The engine thread's own. */
    ss_lane lane[SS_RUN_MAX];
    int nlane, shown;
    ss_engine_race race;
    ss_classic classic;
    ss_edit edit;
    ss_between_run between;
    ss_cone_memo cone;
    struct ss_await *await; /* NULL: nothing is compiled ahead; await.h */
    ss_view view;
    uint64_t ticket;    /* of the last executed command */
    bool script_failed; /* a command without anybody who saw it fail */
    uint64_t published; /* snapshots published */
    bool dirty;         /* something changed since the last snapshot */
    bool changed;       /* the run or a message changed since the observer was called */
    bool finished;      /* the shown run has stopped, and this has been reported */
    char message[320];
    uint64_t message_seq;
    bool message_is_error, message_warns, message_refuses;
    bool joined; /* main thread's: stop was called */
};

/* verbs.c: executes a command of the engine's side; messages go to the snapshot. */
void ss_engine_obey(ss_engine *e, const ss_cmd *cmd);
/* The config of the run that a command leads to, checked. Fails for commands that lead to none. */
int ss_engine_target(const ss_engine *e, const ss_cmd *cmd, ss_config *out, ss_err *err);
/* lanes.c: publishes a message before a long operation that is not a step, since nothing else is
 * published until it ends. True: there is one; call the _end function after it. */
bool ss_engine_announce(ss_engine *e, const ss_config *cfg);
void ss_engine_announce_end(ss_engine *e, const ss_run *run);
/* Do the fields of a run with this config stay below setup.bytes_max? */
int ss_engine_admits_bytes(const ss_engine *e, const ss_config *cfg, ss_err *err);
/* The pace of a run that was just opened; see ss_lane. */
double ss_engine_usual_pace(const ss_engine *e, const ss_run *run);
/* Opens a run for cfg as lane `index`, then closes the lane's previous run. */
int ss_engine_open(ss_engine *e, int index, const ss_config *cfg, const char *load, const char *rhs,
                   ss_err *err);
void ss_engine_say(ss_engine *e, bool error, const char *fmt, ...) SS_PRINTF(3, 4);
/* Takes back the last message if it begins so: it is no longer true. */
void ss_engine_unsay(ss_engine *e, const char *begins);
/* A warning, which is also printed without a front end. */
void ss_engine_warn(ss_engine *e, const char *fmt, ...) SS_PRINTF(2, 3);
/* lanes.c: warns of what the values of cfg are likely to lead to (ss_equation.caution), unless
 * those of `before` (NULL: there were none) led to the same. */
void ss_engine_caution(ss_engine *e, const ss_config *before, const ss_config *cfg);
/* The sentence of the solver, else that of the equation, or an empty string. */
void ss_engine_caution_of(const ss_config *cfg, char *buf, size_t size);
/* stall.c, after a slice: has the residual found no smaller value for a long time, as was feared
 * before the run? Then warns of it once. */
void ss_stall_consider(ss_engine *e, ss_lane *lane);
void ss_lane_clear(ss_lane *lane);

/* --- change.c --------------------------------------------------------------------------------- */

int ss_verb_set(ss_engine *e, const ss_cmd *cmd, ss_err *err);
int ss_verb_unset(ss_engine *e, const ss_cmd *cmd, ss_err *err);
int ss_verb_undo(ss_engine *e, const ss_cmd *cmd, ss_err *err);
int ss_verb_redo(ss_engine *e, const ss_cmd *cmd, ss_err *err);

/* --- race.c ----------------------------------------------------------------------------- */

/* Must the lane advance: is it running, has it steps left, or must it catch up in a race? */
bool ss_lane_is_busy(const ss_engine *e, const ss_lane *lane);
/* Are counted steps or ticks in progress? */
bool ss_engine_is_stepping(const ss_engine *e);
/* race_turn: the lane whose turn it is; -1: none. race_cycles: the number of cycles that it may do,
 * at most `most`; slice: seconds per turn. */
int ss_engine_race_turn(const ss_engine *e);
int64_t ss_engine_race_cycles(const ss_engine *e, int turn, double slice, int64_t most);
/* Restarts every lane for a race; fails if their problems differ or if there is only one. */
int ss_engine_race_begin(ss_engine *e, ss_measure by, ss_err *err);
void ss_engine_race_end(ss_engine *e);
/* Does the race allow lane `index` to be changed to cfg, or added? */
int ss_engine_race_admits(const ss_engine *e, int index, const ss_config *cfg, ss_err *err);
/* Every lane of the race, or the shown one: the targets of a command. */
int ss_engine_race_lanes(ss_engine *e, ss_lane *out[SS_RUN_MAX]);
/* Before a lane of the race advances: sets its end, which a change of its settings removes. */
void ss_engine_race_limit(const ss_engine *e, ss_run *run);
/* A lane of the race was changed: it starts again, so that its curve is that of its settings. */
int ss_engine_race_changed(ss_engine *e, int index, ss_err *err);
/* Compares the fields of lanes that stand at the same iteration or step. */
void ss_engine_race_compare(ss_engine *e, bool now);
/* Has the shown lane finished while another has not? */
bool ss_engine_race_goes_on(const ss_engine *e);
/* Every lane advances as far, by the measure, as the shown one does in n cycles. */
void ss_engine_race_step(ss_engine *e, int64_t n);
/* The cycles of the shown lane that bring it level with the one that is furthest ahead. */
int64_t ss_engine_race_level(const ss_engine *e);
int ss_verb_split(ss_engine *e, const ss_cmd *cmd, ss_err *err);
int ss_verb_race(ss_engine *e, const ss_cmd *cmd, ss_err *err);
/* Lanes whose right-hand sides have the same bits share one u*. */
void ss_engine_race_references(ss_engine *e);
/* The race's part of the snapshot. */
void ss_publish_race(ss_engine *e, ss_snapshot *s);
/* Modelled seconds of a point of its history, for deterministic runs. */
double ss_run_modelled(const ss_run *run, const ss_point *p);

/* rescue.c. is_lost: has the lane lost its device or its data there? rescue: continues every such
 * lane on another backend, or reports why it cannot. True: there was one. */
bool ss_lane_is_lost(const ss_lane *lane);
bool ss_engine_rescue(ss_engine *e);

/* journal.c */
void ss_journal_add(ss_lane *lane, const char *line);
/* Writes the session to a file. `view`: n commands that choose what is shown; they follow the
 * opening line. */
int ss_journal_save(ss_lane *lane, const char *path, const char *const *view, int n, ss_err *err);
/* Begins the journal with the line that opens this problem, and loads a field unless load is NULL.
 */
void ss_journal_open(ss_lane *lane, const ss_config *cfg, const char *load);
/* Calls `line` for each command after the opening line, those since the last entry included, until
 * it returns false. */
void ss_journal_each(const ss_lane *lane, bool (*line)(const char *text, void *ctx), void *ctx);

/* undo.c: call push before a change of parameters; pop after it failed or was undone. */
void ss_undo_push(ss_lane *lane);
void ss_undo_pop(ss_lane *lane);
void ss_undo_clear(ss_lane *lane);
/* Removes the entries after serial number `pushed`, and what could be redone: the run was rewound
 * to the state then. */
void ss_undo_cut(ss_lane *lane, uint64_t pushed);
/* The run has restarted: removes its strokes. */
void ss_undo_begun_again(ss_lane *lane);
/* A change of parameters was undone: they were `cfg`. A new change clears what could be redone. */
void ss_redo_push(ss_lane *lane, const ss_config *cfg);
void ss_redo_pop(ss_lane *lane);
void ss_redo_clear(ss_lane *lane);
/* Paints a dab, in a stroke of its own or joined to the last one; undoes the last stroke, which
 * returns the run to the stroke's cycle. */
int ss_lane_paint(ss_lane *lane, const ss_cmd *cmd, ss_err *err);
int ss_undo_stroke(ss_lane *lane, ss_err *err);
/* Restores the state in which the last stroke was undone, bit for bit. */
int ss_redo_stroke(ss_lane *lane, ss_err *err);

/* publish.c. room: allocates w x h cells. publish: fills the back slot and publishes it. */
int ss_publish_room(ss_picture *p, size_t *capacity, int w, int h);
void ss_engine_publish(ss_engine *e);

#endif
