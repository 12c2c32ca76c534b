/*
 * Checkpoints: while a run advances, the engine stores copies of its field: dense for the last
 * seconds, sparse before, always the first one. `rewind` restores one, with the settings, counters,
 * curve and journal of that moment, and repeats the cycles up to the requested one, bit for bit.
 * The cycles ahead can be reached until the run advances or changes; then their curve is stored as
 * a branch. Engine thread only; see lane.h.
 */
#ifndef SS_REWIND_H
#define SS_REWIND_H

#include "src/engine/lane.h"

/* Call before and after a lane has advanced; `before` is its cycle at the start. */
void ss_rewind_begin(const ss_engine *e, ss_lane *lane);
void ss_rewind_advanced(ss_engine *e, ss_lane *lane, int64_t before);
/* Call before a command that changes the run, and after it has done so. */
void ss_rewind_changing(const ss_engine *e, ss_lane *lane);
void ss_rewind_changed(ss_lane *lane);
void ss_rewind_free(ss_lane *lane);

/* rewind [CYCLE|-N|+N|end|forget] */
int ss_verb_rewind(ss_engine *e, const ss_cmd *cmd, ss_err *err);

/* publish_past.c */
void ss_publish_past(const ss_engine *e, ss_snapshot *s, const ss_lane *lane);

/* --- shared by rewind.c and publish_past.c ---------------------------------------------------- */

/* A checkpoint. */
typedef struct ss_saved_state {
    char *field; /* dense, in the run's precision */
    ss_run then; /* numbers and settings only: its pointers are invalid */
    const char *mixed;
    ss_journal journal; /* length of the journal; the text is the lane's */
    uint64_t pushed;    /* serial of the undo list */
} ss_saved_state;

/* A branch: its settings, and its curve beyond the fork. */
typedef struct ss_saved_branch {
    ss_config cfg;
    ss_point curve[SS_BRANCH_CURVE];
    int n;
    bool changed; /* on the way to its last cycle, to the settings in cfg */
} ss_saved_branch;

struct ss_rewind {
    uint64_t began; /* the run's `began`: checkpoints of an earlier start are discarded */
    ss_saved_state *saved[SS_KEPT_MAX]; /* oldest first */
    int n, room;       /* room: number of checkpoints that fit; 0: none, the field is too large */
    double last, cost; /* clock of the last checkpoint; seconds that it took */
    ss_saved_branch branch[SS_BRANCH_MAX];
    int nbranch;

    uint64_t message; /* sequence number of the message about a rewind; 0: none */
    bool used;        /* the run was rewound at least once */

    /* Valid while `back`: the run was rewound and has not left the old course since. */
    bool back;
    int here;        /* the restored checkpoint */
    int64_t target;  /* the requested cycle */
    int64_t end;     /* the farthest cycle reached before the rewind */
    ss_config cfg;   /* settings at `end` */
    ss_history line; /* curve up to `end` */
    char *journal;   /* journal up to `end` */
    size_t journal_size;
};

/* Did settings change on a rewound run's former course after cycle `from`? */
bool ss_rewind_changed_ahead(const struct ss_rewind *rw, int64_t from);
/* Removes the branches from the plot. rw NULL: there are none. */
int ss_rewind_forget(ss_engine *e, struct ss_rewind *rw, ss_err *err);
/* At most `max` points of a curve, starting at cycle `from`. Returns their number. */
int ss_rewind_curve(const ss_history *line, int64_t from, ss_point *out, int max);

#endif
