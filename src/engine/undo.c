/* The undo list: changes of parameters, and brush strokes. Undoing a stroke restores the field and
 * the cycle before it, bit for bit; redoing it restores those when it was undone. Engine thread
 * only; see lane.h. */
#include <stdlib.h>
#include <string.h>

#include "src/run/copy.h"
#include "src/engine/lane.h"
#include "src/run/paint.h"

#define COPIES_MAX 1073741824.0 /* bytes of stored fields; the latest is stored in any case */

/* The state of the run before a stroke, or when a stroke was undone. */
struct ss_stroke {
    ss_run_copy copy;
    size_t bytes;
    const char *mixed;
    ss_point *curve; /* copy.then.history's, when it was undone; else NULL */
};

/* --- the stack -------------------------------------------------------------------------------- */

static void free_stroke(struct ss_stroke *s)
{
    if (s) {
        free(s->copy.field);
        free(s->curve);
    }
    free(s);
}

static void free_entry(ss_undo *u)
{
    free_stroke(u->stroke);
    free_stroke(u->after);
}

/* Removes entries [from, to). */
static void drop(ss_lane *lane, int from, int to)
{
    for (int i = from; i < to; i++)
        free_entry(&lane->change[i]);
    memmove(lane->change + from, lane->change + to,
            (size_t)(lane->nchange - to) * sizeof *lane->change);
    lane->nchange -= to - from;
    if (from < lane->nundo)
        lane->nundo -= ss_min(to, lane->nundo) - from;
}

static double bytes_of(const ss_undo *u)
{
    return (u->stroke ? (double)u->stroke->bytes : 0) + (u->after ? (double)u->after->bytes : 0);
}

/* Drops the farthest entries on either side if the stored fields there exceed COPIES_MAX. */
static void bound_copies(ss_lane *lane)
{
    double bytes = 0;
    int i = lane->nundo;
    while (i > 0 && ((bytes += bytes_of(&lane->change[i - 1])) <= COPIES_MAX || i == lane->nundo))
        i--;
    drop(lane, 0, i);
    for (bytes = 0, i = lane->nundo; i < lane->nchange; i++)
        if ((bytes += bytes_of(&lane->change[i])) > COPIES_MAX && i > lane->nundo)
            break;
    drop(lane, i, lane->nchange);
}

void ss_redo_clear(ss_lane *lane)
{
    drop(lane, lane->nundo, lane->nchange);
}

static void clear(ss_lane *lane)
{
    drop(lane, 0, lane->nchange);
}

void ss_undo_push(ss_lane *lane, const ss_config *before)
{
    ss_redo_clear(lane);
    if (lane->nundo == SS_UNDO_MAX)
        drop(lane, 0, 1);
    lane->change[lane->nundo++] = (ss_undo){.cfg = *before, .serial = ++lane->pushed};
    lane->nchange = lane->nundo;
}

void ss_undo_back(ss_lane *lane, const ss_config *now)
{
    ss_undo *u = &lane->change[--lane->nundo];
    u->cfg = *now;
    u->row = NULL;
}

void ss_undo_again(ss_lane *lane, const ss_config *before)
{
    ss_undo *u = &lane->change[lane->nundo++];
    u->cfg = *before;
    u->serial = ++lane->pushed;
    u->mark[0] = '\0';
}

void ss_undo_cut(ss_lane *lane, uint64_t pushed)
{
    ss_redo_clear(lane);
    while (lane->nundo > 0 && lane->change[lane->nundo - 1].serial > pushed)
        drop(lane, lane->nundo - 1, lane->nundo);
}

void ss_undo_begun_again(ss_lane *lane)
{
    for (int i = lane->nchange; i-- > 0;)
        if (lane->change[i].stroke)
            drop(lane, i, i + 1);
    lane->mixed = NULL;
}

/* --- strokes ---------------------------------------------------------------------------------- */

static int check_room(const ss_run *run, ss_err *err)
{
    char what[96], need[32], have[32];
    double bytes = (double)ss_copy_bytes(run);
    double room = ss_host_memory(what, sizeof what);
    if (bytes <= 0.5 * room)
        return SS_OK;
    return ss_fail(err, "paint: undo needs a copy of the field, %s, but may use half of %s of %s",
                   ss_format_bytes(bytes, need, sizeof need),
                   ss_format_bytes(room, have, sizeof have), what);
}

static struct ss_stroke *begin_stroke(ss_lane *lane, ss_err *err)
{
    if (check_room(lane->run, err) != SS_OK)
        return NULL;
    struct ss_stroke *s = calloc(1, sizeof *s);
    if (!s || !ss_copy_take(lane->run, &s->copy)) {
        free(s);
        ss_fail(err, "paint: the field cannot be copied, which undo needs");
        return NULL;
    }
    s->bytes = ss_copy_bytes(lane->run);
    s->mixed = lane->mixed;
    return s;
}

/* The field was changed by hand: what is known of it belongs to another one, and a paused run's
 * last cycle is not repeated any more. */
static void field_changed(ss_lane *lane, const char *mixed, bool stroking)
{
    lane->spectrum.now.n = 0;
    if (lane->held.kind == SS_HOLD_NONE)
        lane->held.cycle = -1;
    lane->mixed = mixed;
    lane->stroking = stroking;
}

static bool continues_stroke(const ss_lane *lane, const ss_dab *dab)
{
    return dab->joined && lane->stroking && lane->nundo > 0 && lane->change[lane->nundo - 1].stroke;
}

int ss_lane_paint(ss_lane *lane, const ss_cmd *cmd, ss_err *err)
{
    ss_dab dab;
    struct ss_stroke *s = NULL;
    if (ss_dab_parse(lane->run, cmd, &dab, err) != SS_OK)
        return SS_FAIL;
    bool joined = continues_stroke(lane, &dab);
    lane->stroking = joined;
    if (!joined && !(s = begin_stroke(lane, err)))
        return SS_FAIL;
    if (ss_dab_apply(lane->run, &dab, err) != SS_OK) {
        free_stroke(s);
        return SS_FAIL;
    }
    lane->journal.passed = lane->journal.passed || lane->run->reached;
    ss_run_disturbed(lane->run);
    field_changed(lane, "the field was painted", true);
    ss_redo_clear(lane);
    if (joined)
        return SS_OK;
    ss_undo_push(lane, &lane->run->cfg);
    lane->change[lane->nundo - 1].stroke = s;
    bound_copies(lane);
    ss_run_mark(lane->run, "painted");
    return SS_OK;
}

/* --- undo and redo of a stroke ---------------------------------------------------------------- */

/* The present state, for redo; NULL: it cannot be kept. */
static struct ss_stroke *keep_after(ss_lane *lane)
{
    ss_err ignored;
    const ss_history *h = &lane->run->history;
    bool sound = lane->run->status != SS_DIVERGED && lane->run->status != SS_FAILED;
    struct ss_stroke *s = sound ? begin_stroke(lane, &ignored) : NULL;
    if (s)
        s->curve = malloc((h->count + 1) * sizeof *s->curve);
    if (!s || !s->curve) {
        free_stroke(s);
        return NULL;
    }
    if (h->count > 0) /* else there may be no points */
        memcpy(s->curve, h->point, h->count * sizeof *s->curve);
    s->bytes += h->count * sizeof *s->curve;
    return s;
}

int ss_undo_stroke(ss_lane *lane, ss_err *err)
{
    ss_run *run = lane->run;
    ss_undo *u = &lane->change[lane->nundo - 1];
    struct ss_stroke *s = u->stroke, *after = keep_after(lane);
    bool reached = run->reached;
    if (ss_copy_put(run, &s->copy, err) != SS_OK) {
        free_stroke(after);
        return SS_FAIL;
    }
    lane->journal.passed = lane->journal.passed || reached;
    ss_checkpoint_forget(run); /* the copy may belong to a later cycle */
    ss_run_disturbed(run);
    run->reached = s->copy.then.reached && s->copy.then.reached_cycle < run->cycle;
    ss_history_cut(&run->history, run->cycle, run->cycle - 1);
    run->history.nmark = ss_min(run->history.nmark, s->copy.then.history.nmark);
    field_changed(lane, s->mixed, false);
    if (!after) { /* it cannot be redone, nor can what followed it */
        drop(lane, lane->nundo - 1, lane->nchange);
        return SS_OK;
    }
    u->after = after;
    lane->nundo--;
    bound_copies(lane);
    return SS_OK;
}

/* The curve as it was: it had room for its points then. */
static void restore_history(ss_history *h, const struct ss_stroke *s)
{
    const ss_history *was = &s->copy.then.history;
    h->count = was->count < h->capacity ? was->count : h->capacity;
    h->stride = was->stride;
    h->skipped = was->skipped;
    h->nmark = was->nmark;
    if (h->count > 0)
        memcpy(h->point, s->curve, h->count * sizeof *h->point);
    memcpy(h->mark, was->mark, sizeof h->mark);
}

int ss_redo_stroke(ss_lane *lane, ss_err *err)
{
    ss_run *run = lane->run;
    ss_undo *u = &lane->change[lane->nundo];
    struct ss_stroke *s = u->after;
    bool reached = run->reached;
    if (ss_copy_resume(run, &s->copy, err) != SS_OK)
        return SS_FAIL;
    lane->journal.passed = lane->journal.passed || reached;
    restore_history(&run->history, s);
    field_changed(lane, s->mixed, false);
    free_stroke(s);
    u->after = NULL;
    ss_undo_again(lane, &u->cfg);
    return SS_OK;
}

const ss_feature ss_undo_feature = {.close = clear};
