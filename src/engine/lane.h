/* A lane: a run with the engine's state about it (paused or not, steps left, undo, the session's
 * journal). Private to the engine's files; engine thread only. */
#ifndef SS_LANE_H
#define SS_LANE_H

#include <pthread.h>
#include <stdatomic.h>

#include "src/snapshot/snapshot.h"
#include "src/engine/engine.h"
#include "src/core/run.h"

/* --- a trial of an edited kernel (edit.c) ----------------------------------------------------- */

/*
 * A trial of an edited kernel: this program once more, as a child process (`kernels try`,
 * src/app/kernels.c), because such a kernel may crash the compiler, hang or ruin the device. It is
 * polled and never waited for. Engine thread.
 */

typedef struct ss_trial_result {
    ss_err why;    /* why it failed, a sentence; "": it passed */
    uint64_t hash; /* of the text that it read */
    ss_bits bits;
    double edited, own; /* seconds per cycle; own: with the program's own text */
} ss_trial_result;

enum { SS_TRIAL_DYING = 4 };

/* Zeroed: there is none. */
typedef struct ss_trial {
    int pid;        /* 0: none in progress */
    int from;       /* its output */
    char line[600]; /* of it, the last one so far */
    size_t n;
    ss_trial_result heard;     /* in the lines before */
    int phase;                 /* compiles, runs, is compared and timed */
    double since;              /* clock: the phase began */
    double limit;              /* seconds that its cycles may take */
    int dying[SS_TRIAL_DYING]; /* killed, not gone yet: the driver takes the device from them */
} ss_trial;

/* Ends the one in progress, and starts argv[0] with these words. */
int ss_trial_start(ss_trial *t, char *const *argv, double limit, ss_err *err);
/* Has it ended? Then out is filled; false too if there is none. One that takes too long is killed:
 * that is its end. */
bool ss_trial_poll(ss_trial *t, ss_trial_result *out);
/* Kills the one in progress, if any. */
void ss_trial_end(ss_trial *t);

struct ss_engine;

/* --- the classic run beside the shown one (classic.c) ----------------------------------------- */

/* The classic run beside the shown one, by the solver that its table row names (ss_solver.classic).
 * For steady runs: the residual curve of classic Jacobi from the same start, up to the run's own
 * iteration. For all: a timed pair of batches from the present field, and whether the two fields
 * then have the same bits. The engine computes both between the turns of the runs, while a front
 * end shows a picture: in at most a twentieth of the run's time, without limit while the run is
 * paused. Deterministic runs compute them when a picture is published, by cycles. */

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

/* Drops the pair in progress; forget: also its results. */
void ss_pair_stop(ss_timed_pair *p, bool forget);

/* --- an edited kernel (edit.c) ---------------------------------------------------------------- */

/* `kernel edit`: the user changes a copy of a kernel's file in an editor of his own. Each save is
 * tried in a process of its own (edit.c) while the run goes on; a text that has passed takes the
 * place of the program's own (ss_kernel_store.edit), and the shown run is prepared again with it,
 * its field kept. One file at a time. */

enum { SS_EDIT_RUN = 1024 };

/* Zeroed: nothing is edited. */
typedef struct ss_edit {
    const ss_backend *backend; /* whose kernel is edited; NULL: none is */
    char file[SS_KERNEL_FILE]; /* of the program */
    char path[SS_KERNEL_PATH]; /* of the copy */
    const char *own, *used;    /* the program's text, and the one in use; interned */
    uint64_t hash;             /* of what the copy held when it was read last */
    int64_t size, changed;     /* bytes and time stamp of the copy then */
    double next;               /* clock: when the copy is looked at again */
    ss_trial trial;
    char trying[SS_EDIT_RUN], tried[SS_EDIT_RUN]; /* the words of the run: now, and that passed */
    ss_trial_result passed;                       /* the last one that did */
    char failed[sizeof((ss_err *)0)->text];       /* why the last one did not; "": it did */
} ss_edit;

/* --- a run and what belongs to it ------------------------------------------------------------- */

#define SS_UNDO_MAX 64

typedef struct ss_journal {
    char *text; /* commands, one per line */
    size_t size, capacity;
    int64_t cycle; /* of the last entry */
    int tick;
    bool passed; /* the run continued beyond a tolerance */
} ss_journal;

/* A change of parameters, or a brush stroke. */
typedef struct ss_undo {
    ss_config cfg;            /* to return to; of an undone one: to set again */
    struct ss_stroke *stroke; /* NULL: none; undo.c */
    struct ss_stroke *after;  /* the state when the stroke was undone; else NULL */
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

/* A run that holds: hold.c. */
typedef struct ss_held {
    ss_hold kind; /* valid only while the run has this cycle and this start */
    int64_t cycle;
    uint64_t began;
    ss_config cfg;            /* the settings of its last counted cycle */
    struct ss_repeat *repeat; /* copies for its repetition; NULL: none yet */
} ss_held;

/* The extremes of the shown layer in the subiterations of a cycle; publish.c. */
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

/* The staleness cone of the cycle under the microscope; publish_panels.c. */
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
    ss_undo change[SS_UNDO_MAX]; /* the oldest first: what can be undone, then what can be redone */
    int nundo, nchange;          /* of the first kind; all */
    uint64_t pushed;             /* serial of the latest entry */
    struct ss_rewind *rewind;    /* NULL: no checkpoints; rewind.c */
    bool stroking;               /* the last command painted a dab: the next may join its stroke */
    const char *mixed; /* why parameters alone cannot reproduce this state; NULL: they can */
    ss_config opened;  /* the config of the journal's opening line */
    ss_journal journal;
    ss_error_bands spectrum;
    ss_cycle_scale scale;
    ss_picture good;     /* the latest picture, shown after the run has diverged */
    uint64_t good_began; /* `began` of the run that it shows */
    bool restarted;      /* it was changed in a race, and started again */
    ss_compared compared;
} ss_lane;

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

/* A feature of the engine: what it does at the moments of a turn. thread.c has their table; none
 * calls another's members. NULL: nothing. */
typedef struct ss_feature {
    /* A lane is about to advance; false: it does not. */
    bool (*before)(ss_engine *e, ss_lane *lane);
    /* It has advanced from cycle `before`, without a failure. */
    void (*after)(ss_engine *e, ss_lane *lane, int64_t before);
    /* Between two turns. idle: seconds until the next one is due, 0 now, < 0 unknown. Returns the
     * same, or less if there is work to do earlier. */
    double (*turn)(ss_engine *e, double idle);
    /* Its part of a snapshot, after that of publish.c. */
    void (*publish)(ss_engine *e, ss_snapshot *s);
    /* A lane's run is closed. */
    void (*close)(ss_lane *lane);
    /* The engine thread has ended. */
    void (*end)(ss_engine *e);
} ss_feature;

extern const ss_feature ss_hold_feature, ss_race_feature, ss_recovery_feature, ss_rewind_feature,
    ss_classic_feature, ss_cone_feature, ss_edit_feature, ss_journal_feature, ss_await_feature,
    ss_undo_feature;

struct ss_engine {
    /* Constant after start. */
    ss_engine_setup setup;
    const ss_feature *const *features; /* up to NULL, in the order in which they are called */
    ss_mailbox *mailbox;
    pthread_t thread;

    /* Under lock: the command queue. */
    pthread_mutex_t lock;
    pthread_cond_t signal; /* wakes the engine thread, and start when the first run is open */
    ss_cmd *queue[SS_QUEUE_MAX];
    int nqueue;
    uint64_t tickets;  /* issued so far */
    ss_view requested; /* view of the next picture */
    bool opened;       /* the first run is open, or has failed to open */
    bool left;         /* the engine thread has ended */
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
    ss_cone_memo cone;
    struct ss_await *await; /* NULL: nothing is compiled ahead; await.c */
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

/* --- messages, cautions, pace, states (lane.c) ------------------------------------------------ */

void ss_engine_say(ss_engine *e, bool error, const char *fmt, ...) SS_PRINTF(3, 4);
/* Takes back the last message if it begins so: it is no longer true. */
void ss_engine_unsay(ss_engine *e, const char *begins);
/* A warning, which is also printed without a front end. */
void ss_engine_warn(ss_engine *e, const char *fmt, ...) SS_PRINTF(2, 3);
/* Warns of what the values of cfg are likely to lead to (ss_equation.caution), unless those of
 * `before` (NULL: there were none) led to the same. */
void ss_engine_caution(ss_engine *e, const ss_config *before, const ss_config *cfg);
/* Do the fields of a run with this config stay below setup.bytes_max? */
int ss_engine_admits_bytes(const ss_engine *e, const ss_config *cfg, ss_err *err);
/* The pace of a run that was just opened; see ss_lane. */
double ss_engine_usual_pace(const ss_engine *e, const ss_run *run);
/* The earlier of two moments that are seconds away; < 0: unknown. */
static inline double ss_earlier(double a, double b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}
/* Requested seconds between cycles; 0: full speed. */
double ss_lane_stride(const ss_lane *lane);
/* Modelled seconds of a point of its history, for deterministic runs. */
double ss_run_modelled(const ss_run *run, const ss_point *p);
/* Has the lane lost its device or its data there? */
bool ss_lane_is_lost(const ss_lane *lane);
/* Has it neither steps nor ticks to do? */
bool ss_lane_is_endless(const ss_lane *lane);
/* Why the lane holds at its present cycle; SS_HOLD_NONE: it does not. */
ss_hold ss_hold_of(const ss_lane *lane);

/* --- turns (turns.c) -------------------------------------------------------------------------- */

/* Its present figures as a point of its history. */
ss_point ss_lane_position(const ss_engine *e, const ss_lane *lane);
/* Must the lane advance: is it running, has it steps left, or must it catch up in a race? */
bool ss_lane_is_busy(const ss_engine *e, const ss_lane *lane);
/* Are counted steps or ticks in progress? */
bool ss_engine_is_stepping(const ss_engine *e);
/* race_turn: the lane whose turn it is; -1: none. race_cycles: the number of cycles that it may do,
 * at most `most`; slice: seconds per turn. */
int ss_engine_race_turn(const ss_engine *e);
int64_t ss_engine_race_cycles(const ss_engine *e, int turn, double slice, int64_t most);
/* Every lane of the race, or the shown one: the targets of a command. */
int ss_engine_race_lanes(ss_engine *e, ss_lane *out[SS_RUN_MAX]);
/* Every lane advances as far, by the measure, as the shown one does in n cycles. */
void ss_engine_race_step(ss_engine *e, int64_t n);
/* The cycles of the shown lane that bring it level with the one that is furthest ahead. */
int64_t ss_engine_race_level(const ss_engine *e);

/* --- the snapshot (publish.c, publish_panels.c, publish_layers.c) ----------------------------- */

/* Fills the back slot and publishes it. */
void ss_engine_publish(ss_engine *e);
/* Allocates w x h cells. */
int ss_publish_room(ss_picture *p, size_t *capacity, int w, int h);
/* Lanes of a race whose right-hand sides have the same bits share one u*. */
void ss_publish_references(ss_engine *e);
/* The next subiteration. Before the last one, which ends the cycle, the extremes of the shown layer
 * in all subiterations are completed, so that their pictures can share one colour range. */
int ss_scale_tick(const ss_engine *e, ss_lane *lane, ss_err *err);
void ss_scale_free(ss_cycle_scale *c);

/* The spectrum of a steady run's error; empty while the view does not show it, and for runs that
 * have none. */
void ss_publish_bands(ss_snapshot *s, ss_lane *lane);
/* After it: the spectrum of another run of a race. `shown`: the run of ss_publish_bands, of the
 * same problem. */
void ss_publish_racer_bands(ss_snapshot *s, ss_lane *lane, ss_lane *shown, ss_bands *out);
/* Does the view need u* for its spectrum? */
bool ss_publish_wants_exact(const ss_run *run, const ss_view *view);

/* Time-dependent runs on a line: quantities, monitors, the exact solution, the spectrum, the
 * space-time diagram; empty for other runs. selected: a node, or -1. */
void ss_publish_line(ss_snapshot *s, ss_run *run, int selected);
/* 3D runs: the shown slice, and the edges of blocks and patches in it; empty for others. */
void ss_publish_slice(ss_snapshot *s, ss_lane *lane);
/* Per layer the reason why it does not exist for this run, a sentence; NULL: it does. */
void ss_layers_missing(const ss_run *run, const char *why[SS_NLAYER]);
/* The same for one layer. */
const char *ss_no_layer(const ss_run *run, ss_layer layer);
/* The layer of a run in which it is 0 everywhere because no point can be stale: fills the picture
 * with that, so that a race can compare. False: it is another one. */
bool ss_layer_of_zeros(const ss_run *run, ss_layer layer, ss_picture *p);

/* --- the journal (journal.c) ------------------------------------------------------------------ */

/* The session as commands; and the command line that reproduces the present state of the shown run,
 * or of the race: the parameters that differ from their defaults and the number of cycles; after
 * changes while it ran, the parameters at its start and every command since, as `-e` options. It
 * stops there, and can go on. */

void ss_journal_add(ss_lane *lane, const char *line);
/* Writes the session to a file. `view`: n commands that choose what is shown; they follow the
 * opening line. */
int ss_journal_save(ss_lane *lane, const char *path, const char *const *view, int n, ss_err *err);
/* Begins the journal with the line that opens this problem, and loads a field unless load is NULL.
 */
void ss_journal_open(ss_lane *lane, const ss_config *cfg, const char *load);
/* The run of a config, without limits and what belongs to the machine: "poisson2d shared --k 8".
 * False: it does not fit. */
bool ss_reproduce_words(const ss_config *cfg, char *buf, size_t size);

/* --- lanes (lanes.c) -------------------------------------------------------------------------- */

/* Publishes a message before a long operation that is not a step, since nothing else is published
 * until it ends. True: there is one; call the _end function after it. */
bool ss_engine_announce(ss_engine *e, const ss_config *cfg);
void ss_engine_announce_end(ss_engine *e, const ss_run *run);
/* Opens a run for cfg as lane `index`, then closes the lane's previous run. */
int ss_engine_open(ss_engine *e, int index, const ss_config *cfg, const char *load, const char *rhs,
                   ss_err *err);
/* A run was loaded from a state: warns of cycles of an edited kernel. */
void ss_engine_loaded(ss_engine *e, const ss_run *run);
void ss_lane_clear(ss_engine *e, ss_lane *lane);
/* Continues every lane that is lost on another backend, or reports why it cannot. True: there was
 * one. */
bool ss_engine_rescue(ss_engine *e);

/* --- undo (undo.c) ---------------------------------------------------------------------------- */

/* A new change, from the settings `before`: what could be redone is dropped. */
void ss_undo_push(ss_lane *lane, const ss_config *before);
/* The last change was undone: they were `now`. The next one was redone: they were `before`. */
void ss_undo_back(ss_lane *lane, const ss_config *now);
void ss_undo_again(ss_lane *lane, const ss_config *before);
/* Removes the entries after serial number `pushed`, and what could be redone: the run was rewound
 * to the state then. */
void ss_undo_cut(ss_lane *lane, uint64_t pushed);
/* The run has restarted: removes its strokes. */
void ss_undo_begun_again(ss_lane *lane);
/* Drops what could be redone. */
void ss_redo_clear(ss_lane *lane);
/* Paints a dab, in a stroke of its own or joined to the last one; undoes the last stroke, which
 * returns the run to the stroke's cycle. */
int ss_lane_paint(ss_lane *lane, const ss_cmd *cmd, ss_err *err);
int ss_undo_stroke(ss_lane *lane, ss_err *err);
/* Restores the state in which the last stroke was undone, bit for bit. */
int ss_redo_stroke(ss_lane *lane, ss_err *err);

/* --- rewinding (rewind.c) --------------------------------------------------------------------- */

/* Checkpoints: while a run advances, the engine stores copies of its field: dense for the last
 * seconds, sparse before, always the first one. `rewind` restores one, with the settings, counters,
 * curve and journal of that moment, and repeats the cycles up to the requested one, bit for bit.
 * The cycles ahead can be reached until the run advances or changes; then they are dropped. */

/* Call before a command that changes the run, and after it has done so. */
void ss_rewind_changing(const ss_engine *e, ss_lane *lane);
void ss_rewind_changed(ss_lane *lane);

/* --- runs that hold at their tolerance (hold.c) ----------------------------------------------- */

/* A steady run with a screen, or in a lesson, holds at its tolerance: it ends there and waits.
 * `run` takes it on to round-off, where it holds again. While it holds, or is paused on a screen, a
 * change of its settings repeats the last cycle with them (src/run/checkpoint.h), so that the
 * picture answers; cycles, ledger and curve do not change, and the counted field returns before
 * anything else reads it. */

/* Did the user pause the lane? A run that holds was not paused. */
bool ss_hold_is_paused(const ss_engine *e, const ss_lane *lane);
/* Advances the lane by at most n cycles. Near the tolerance the norm of each field is computed at
 * once instead of during the next cycle, so that a run that holds still has the field from which
 * its last cycle started. */
int ss_hold_step(const ss_engine *e, ss_lane *lane, int64_t n, ss_err *err);
/* The norm of its field is known: the lane may hold now. */
void ss_hold_consider(ss_engine *e, ss_lane *lane);
/* `run` was given: the lane goes on. False, with a message: nothing is left to do. */
bool ss_hold_leave(ss_engine *e, ss_lane *lane);
/* Call before a command (changes: it may change the run), and after it with the result of the
 * first call. */
ss_hold ss_hold_before(const ss_engine *e, ss_lane *lane, bool changes);
void ss_hold_after(ss_engine *e, ss_hold before, bool changes);
/* The counted field instead of a repeated one, for those who read it; and back. */
void ss_hold_suspend(ss_lane *lane);
void ss_hold_resume(ss_engine *e, ss_lane *lane);

/* --- races (race.c) --------------------------------------------------------------------------- */

/* Restarts every lane for a race; fails if their problems differ or if there is only one. */
int ss_engine_race_begin(ss_engine *e, ss_measure by, ss_err *err);
void ss_engine_race_end(ss_engine *e);
/* Does the race allow lane `index` to be changed to cfg, or added? */
int ss_engine_race_admits(const ss_engine *e, int index, const ss_config *cfg, ss_err *err);
/* A lane of the race was changed: it starts again, so that its curve is that of its settings. */
int ss_engine_race_changed(ss_engine *e, int index, ss_err *err);

/* --- commands (verbs.c; change.c, race.c, rewind.c, classic.c, edit.c) ------------------------ */

typedef int ss_verb_fn(ss_engine *e, const ss_cmd *cmd, ss_err *err);

ss_verb_fn ss_verb_set, ss_verb_unset, ss_verb_undo, ss_verb_redo, ss_verb_rewind, ss_verb_split,
    ss_verb_race, ss_verb_classic, ss_verb_kernel;

/* Executes a command of the engine's side; messages go to the snapshot. */
void ss_engine_obey(ss_engine *e, const ss_cmd *cmd);
/* The config of the run that a command leads to, checked. Fails for commands that lead to none. */
int ss_engine_target(const ss_engine *e, const ss_cmd *cmd, ss_config *out, ss_err *err);

/* --- kernels compiled while the runs go on (await.c) ------------------------------------------ */

/* Kernels that are compiled ahead, on a thread of their own, while the runs go on: a command that
 * needs others than the run has (`set`, `unset`, `open`, `add`) waits until they are there, and is
 * executed then. Commands behind it wait too, except those that interrupt, and two that replace it:
 * `open`, and another value of the same parameter (of a dragged slider, the last one counts).
 * While nothing waits, the kernels of the next values of the run's controls are compiled. Scripts,
 * deterministic runs and runs without a front end wait for their kernels. Engine thread, except as
 * stated. */

/* Starts no thread before it is needed. NULL: memory is short, and nothing is compiled ahead. */
struct ss_await *ss_await_new(ss_engine *e);
/* The place in the queue of the command that is next, -1: all wait for the kept one. The queue is
 * not empty. Under the engine's lock. */
int ss_await_next(const ss_engine *e);
/* Is a command that was kept to be executed now? Any thread. */
bool ss_await_is_ready(const ss_engine *e);
/* Keeps a command from the queue. False: it is to be executed now. */
bool ss_await_keeps(ss_engine *e, ss_cmd *cmd);
/* The kept command, if its kernels are there. Kernels that cannot be compiled end it with a
 * message. */
ss_cmd *ss_await_take(ss_engine *e);
/* The last executed command, before the one that is kept. */
uint64_t ss_await_ticket(ss_engine *e);

#endif
