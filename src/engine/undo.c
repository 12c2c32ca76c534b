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
    ss_copy copy;
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

/* Removes the `drop` oldest entries of a list of n. */
static void drop_from(ss_undo *list, int *n, int drop)
{
    for (int i = 0; i < drop; i++)
        free_entry(&list[i]);
    *n -= drop;
    memmove(list, list + drop, (size_t)*n * sizeof *list);
}

static void drop_oldest(ss_lane *lane, int n)
{
    drop_from(lane->undo, &lane->nundo, n);
}

void ss_redo_clear(ss_lane *lane)
{
    drop_from(lane->redo, &lane->nredo, lane->nredo);
}

static void clear_lists(ss_lane *lane)
{
    drop_oldest(lane, lane->nundo);
    ss_redo_clear(lane);
}

static ss_undo *push(ss_lane *lane)
{
    if (lane->nundo == SS_UNDO_MAX)
        drop_oldest(lane, 1);
    ss_undo *u = &lane->undo[lane->nundo++];
    *u = (ss_undo){.cfg = lane->run->cfg, .serial = ++lane->pushed};
    return u;
}

void ss_undo_push(ss_lane *lane)
{
    push(lane);
}

void ss_undo_pop(ss_lane *lane)
{
    free_stroke(lane->undo[--lane->nundo].stroke);
}

void ss_undo_cut(ss_lane *lane, uint64_t pushed)
{
    while (lane->nundo > 0 && lane->undo[lane->nundo - 1].serial > pushed)
        ss_undo_pop(lane);
    ss_redo_clear(lane);
}

static void drop_strokes(ss_undo *list, int *count)
{
    int n = 0;
    for (int i = 0; i < *count; i++)
        if (list[i].stroke)
            free_entry(&list[i]);
        else
            list[n++] = list[i];
    *count = n;
}

void ss_undo_begun_again(ss_lane *lane)
{
    drop_strokes(lane->undo, &lane->nundo);
    drop_strokes(lane->redo, &lane->nredo);
    lane->mixed = NULL;
}

void ss_redo_push(ss_lane *lane, const ss_config *cfg)
{
    lane->redo[lane->nredo++] = (ss_undo){.cfg = *cfg}; /* as long as the undo list at most */
}

void ss_redo_pop(ss_lane *lane)
{
    free_entry(&lane->redo[--lane->nredo]);
}

/* --- strokes ---------------------------------------------------------------------------------- */

/* Drops the oldest entries if the stored fields together exceed COPIES_MAX. */
static void bound_copies(ss_lane *lane)
{
    double bytes = 0;
    for (int i = lane->nundo - 1; i >= 0; i--) {
        bytes += lane->undo[i].stroke ? (double)lane->undo[i].stroke->bytes : 0;
        if (bytes > COPIES_MAX && i < lane->nundo - 1) {
            drop_oldest(lane, i + 1);
            return;
        }
    }
}

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
    return dab->joined && lane->stroking && lane->nundo > 0 && lane->undo[lane->nundo - 1].stroke;
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
    push(lane)->stroke = s;
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

/* Moves the last entry of the undo list to the redo list. after NULL: it cannot be redone, nor can
 * what followed it. */
static void move_to_redo(ss_lane *lane, struct ss_stroke *after)
{
    double bytes = 0;
    if (!after) {
        ss_redo_clear(lane);
        ss_undo_pop(lane);
        return;
    }
    lane->redo[lane->nredo] = lane->undo[--lane->nundo];
    lane->redo[lane->nredo++].after = after;
    for (int i = lane->nredo - 1; i >= 0; i--) {
        const ss_undo *u = &lane->redo[i];
        bytes += u->stroke ? (double)(u->stroke->bytes + u->after->bytes) : 0;
        if (bytes > COPIES_MAX && i < lane->nredo - 1) {
            drop_from(lane->redo, &lane->nredo, i + 1);
            return;
        }
    }
}

int ss_undo_stroke(ss_lane *lane, ss_err *err)
{
    ss_run *run = lane->run;
    struct ss_stroke *s = lane->undo[lane->nundo - 1].stroke, *after = keep_after(lane);
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
    move_to_redo(lane, after);
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
    ss_undo *u = &lane->redo[lane->nredo - 1];
    const struct ss_stroke *s = u->after;
    bool reached = run->reached;
    if (ss_copy_resume(run, &s->copy, err) != SS_OK)
        return SS_FAIL;
    lane->journal.passed = lane->journal.passed || reached;
    restore_history(&run->history, s);
    field_changed(lane, s->mixed, false);
    ss_undo *top = push(lane);
    top->cfg = u->cfg;
    top->stroke = u->stroke;
    u->stroke = NULL;
    ss_redo_pop(lane);
    return SS_OK;
}

const ss_feature ss_undo_feature = {.close = clear_lists};
