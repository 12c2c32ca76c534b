/*
 * Going back: while a run goes on the engine keeps copies of its field, many of the last seconds,
 * few of long ago, the first one always. `rewind` leads to one of them, with the settings, the
 * counters, the curve and the journal of that moment, and from there through the cycles to the one
 * that was asked for: the same bits as on the way there. The way ahead stays until the run goes on
 * or is changed; then it is a branch, of which the curve is left. Engine thread only; see lane.h.
 */
#ifndef SS_REWIND_H
#define SS_REWIND_H

#include "src/engine/lane.h"

/* Before and after a lane has advanced; `before` is the cycle it was at. */
void ss_rewind_begin(const ss_engine *e, ss_lane *lane);
void ss_rewind_advanced(ss_engine *e, ss_lane *lane, int64_t before);
/* Before a command that changes the run, and after one has done so. */
void ss_rewind_changing(const ss_engine *e, ss_lane *lane);
void ss_rewind_changed(ss_lane *lane);
void ss_rewind_free(ss_lane *lane);

/* rewind [CYCLE|-N|+N|end|forget] */
int ss_verb_rewind(ss_engine *e, const ss_cmd *cmd, ss_err *err);

/* publish_past.c */
void ss_publish_past(const ss_engine *e, ss_snapshot *s, const ss_lane *lane);

/* --- what rewind.c and publish_past.c share --------------------------------------------------- */

/* A state of the run that can be gone back to. */
typedef struct ss_kept {
    char *field; /* dense, in the run's precision */
    ss_run then; /* its numbers and settings only: what it points to is not its own */
    const char *mixed;
    ss_journal journal; /* how long it was; its text is the lane's */
    uint64_t pushed;    /* changes that could be undone, ever */
} ss_kept;

typedef struct ss_left {
    ss_config cfg;
    ss_point curve[SS_BRANCH_CURVE];
    int n;
} ss_left;

struct ss_rewind {
    uint64_t began; /* the run's: of another beginning nothing is left */
    ss_kept *kept[SS_KEPT_MAX];
    int n, room;       /* room: copies that there may be; 0: none, the field is too large */
    double last, cost; /* clock of the last copy; seconds that it took */
    ss_left branch[SS_BRANCH_MAX];
    int nbranch;

    uint64_t said; /* the message that told where it was taken back to; 0: none */
    bool used;     /* somebody has gone back, at some time */

    /* Since it was taken back: */
    bool back;
    int here;       /* the copy it stands at, or behind, on its way to: */
    int64_t target; /* this cycle */
    int64_t end;    /* the cycle it had come to, */
    ss_config cfg;  /* with these settings, */
    ss_history line;
    char *story; /* and this journal */
    size_t story_size;
};

/* Takes the branches out of the plot: what had been ahead, and was left. rw NULL: none is kept. */
int ss_rewind_forget(ss_engine *e, struct ss_rewind *rw, ss_err *err);
/* At most `max` points of a curve from a cycle on. Returns how many. */
int ss_rewind_curve(const ss_history *line, int64_t from, ss_point *out, int max);

#endif
