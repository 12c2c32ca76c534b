/* Checkpoints of a run, and rewinding it to them: see lane.h. Engine thread only. */
#include "src/engine/lane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/copy.h"
#include "src/core/registry.h"
#include "src/core/run.h"

#define BYTES 64e6            /* of all checkpoints of a run, if FEW fit into them */
#define BYTES_MAX 536870912.0 /* most bytes of FEW checkpoints */
#define MEMORY_SHARE 0.0625   /* and their largest share of the memory */
#define LEAST 4               /* no checkpoints if fewer than this fit */
#define FEW 10
#define INTERVAL 0.1 /* least seconds between two checkpoints */
#define SHARE 0.01   /* largest share of the time spent on them */
#define CHEAP 2e-3   /* seconds: checkpoints faster than this are taken at every change */
#define PART 64      /* deterministic: one checkpoint per 1/PART of the cycles done so far */

/* A checkpoint. */
typedef struct ss_saved_state {
    ss_run_copy copy;
    const char *mixed;
    ss_journal journal; /* length of the journal; the text is the lane's */
    uint64_t pushed;    /* serial of the undo list */
} ss_saved_state;

struct ss_rewind {
    uint64_t began; /* the run's `began`: checkpoints of an earlier start are discarded */
    ss_saved_state *saved[SS_KEPT_MAX]; /* oldest first */
    int n, room;       /* room: number of checkpoints that fit; 0: none, the field is too large */
    double last, cost; /* clock of the last checkpoint; seconds that it took */

    uint64_t message; /* sequence number of the message about a rewind; 0: none */
    bool used;        /* the run was rewound at least once */

    /* Valid while `back`: the run was rewound and has not left the old course since. */
    bool back;
    int here;        /* the restored checkpoint */
    int64_t target;  /* the requested cycle */
    int64_t end;     /* the farthest cycle reached before the rewind */
    ss_history line; /* curve up to `end` */
    char *journal;   /* journal up to `end` */
    size_t journal_size;
};

/* --- the ring --------------------------------------------------------------------------------- */

/* The run at checkpoint i. */
static const ss_run *then_at(const struct ss_rewind *rw, int i)
{
    return &rw->saved[i]->copy.then;
}

static void drop(struct ss_rewind *rw, int i)
{
    free(rw->saved[i]->copy.field);
    free(rw->saved[i]);
    memmove(rw->saved + i, rw->saved + i + 1, (size_t)(--rw->n - i) * sizeof *rw->saved);
}

/* Removes the curve and the journal ahead. */
static void drop_ahead(struct ss_rewind *rw)
{
    free(rw->line.point);
    free(rw->journal);
    rw->line.point = NULL;
    rw->journal = NULL;
    rw->back = false;
}

static void discard_all(struct ss_rewind *rw)
{
    while (rw->n > 0)
        drop(rw, rw->n - 1);
    drop_ahead(rw);
    rw->used = false;
}

static int room_for(const ss_engine *e, const ss_run *run)
{
    char what[96];
    double most = fmin(BYTES_MAX, MEMORY_SHARE * ss_host_memory(what, sizeof what));
    double each = (double)ss_copy_bytes(run) + sizeof(ss_saved_state), copies = most / each;
    double usual = e->setup.past_bytes > 0 ? e->setup.past_bytes : BYTES;
    copies = fmin(copies, fmax(usual / each, FEW));
    return copies < LEAST ? 0 : copies < SS_KEPT_MAX ? (int)copies : SS_KEPT_MAX;
}

/* The ring of checkpoints of the present run; NULL: none. */
static struct ss_rewind *ring_of(const ss_engine *e, ss_lane *lane)
{
    struct ss_rewind *rw = lane->rewind;
    if (e->race.on || !(e->setup.interactive || e->setup.rewinds))
        return NULL;
    if (!rw && !(rw = lane->rewind = calloc(1, sizeof *rw)))
        return NULL;
    if (rw->began != lane->run->began) {
        discard_all(rw);
        rw->began = lane->run->began;
        rw->room = room_for(e, lane->run);
        rw->cost = 0;
    }
    return rw;
}

/* Has the run advanced since the last checkpoint? */
static bool has_moved(const struct ss_rewind *rw, const ss_run *run)
{
    const ss_saved_state *last = rw->n > 0 ? rw->saved[rw->n - 1] : NULL;
    return !last || last->copy.then.cycle != run->cycle || last->copy.then.step != run->step;
}

/* Has the run advanced or been changed since the last checkpoint? */
static bool is_new_state(const struct ss_rewind *rw, const ss_lane *lane)
{
    return has_moved(rw, lane->run) || rw->saved[rw->n - 1]->journal.size != lane->journal.size;
}

/* Is a checkpoint due? at_once: at a change of the run. */
static bool is_due(const ss_engine *e, const struct ss_rewind *rw, const ss_run *run, bool at_once)
{
    const ss_saved_state *last = rw->n > 0 ? rw->saved[rw->n - 1] : NULL;
    if (!last)
        return true;
    if (at_once && (e->setup.rewinds || rw->cost < CHEAP))
        return true;
    if (e->setup.deterministic)
        return at_once || run->cycle - last->copy.then.cycle > run->cycle / PART;
    return ss_clock() - rw->last >= fmax(at_once ? 0 : INTERVAL, rw->cost / SHARE);
}

/* Removes the least useful checkpoint: the one that leaves the smallest gap relative to its age. */
static void thin(struct ss_rewind *rw, int64_t now)
{
    int least = 1;
    double smallest = (double)INFINITY;
    for (int i = 1; i + 1 < rw->n; i++) {
        int64_t from = then_at(rw, i - 1)->cycle, to = then_at(rw, i + 1)->cycle;
        double gap = (double)(to - from) / (double)(now - from + 1);
        if (gap < smallest)
            smallest = gap, least = i;
    }
    drop(rw, least);
}

/* Stores the present state as the i-th checkpoint; the caller has made room. */
static bool store(struct ss_rewind *rw, ss_lane *lane, int i)
{
    double started = ss_clock();
    ss_saved_state *k = calloc(1, sizeof *k);
    bool taken = k && ss_copy_take(lane->run, &k->copy);
    rw->last = ss_clock();
    rw->cost = rw->last - started;
    if (!taken) {
        free(k);
        return false;
    }
    k->mixed = lane->mixed;
    k->journal = lane->journal;
    k->pushed = lane->pushed;
    memmove(rw->saved + i + 1, rw->saved + i, (size_t)(rw->n++ - i) * sizeof *rw->saved);
    rw->saved[i] = k;
    return true;
}

static void store_last(struct ss_rewind *rw, ss_lane *lane)
{
    if (rw->n == rw->room)
        thin(rw, lane->run->cycle);
    store(rw, lane, rw->n);
}

/* Stores the present state before a rewound run is changed between two checkpoints. The checkpoints
 * ahead may be dropped. */
static void store_fork(struct ss_rewind *rw, ss_lane *lane)
{
    if (then_at(rw, rw->here)->cycle == lane->run->cycle)
        return;
    if (rw->n == rw->room && rw->here < rw->n - 1)
        drop(rw, rw->n - 1);
    else if (rw->n == rw->room)
        thin(rw, rw->end), rw->here--;
    rw->here += store(rw, lane, rw->here + 1);
}

static void consider(const ss_engine *e, ss_lane *lane, bool at_once)
{
    struct ss_rewind *rw = ring_of(e, lane);
    ss_status status = lane->run->status;
    if (!rw || rw->back || rw->room == 0 || status == SS_DIVERGED || status == SS_FAILED)
        return;
    if (is_new_state(rw, lane) && is_due(e, rw, lane->run, at_once))
        store_last(rw, lane);
}

void ss_rewind_changing(const ss_engine *e, ss_lane *lane)
{
    struct ss_rewind *rw = ring_of(e, lane);
    if (rw && rw->back) {
        ss_undo_cut(lane, rw->saved[rw->here]->pushed);
        store_fork(rw, lane);
    } else if (rw && has_moved(rw, lane->run)) {
        consider(e, lane, true);
    }
}

/* Before a lane advances. */
static bool begin(ss_engine *e, ss_lane *lane)
{
    struct ss_rewind *rw = ring_of(e, lane);
    if (rw && (rw->n == 0 || (is_new_state(rw, lane) && !has_moved(rw, lane->run))))
        consider(e, lane, true); /* the first state, or a state after changes */
    return true;
}

/* The run leaves its old course: what lies ahead on it is dropped. */
static void leave_line(struct ss_rewind *rw)
{
    while (rw->n > rw->here + 1)
        drop(rw, rw->n - 1);
    drop_ahead(rw);
}

void ss_rewind_changed(ss_lane *lane)
{
    struct ss_rewind *rw = lane->rewind;
    if (!rw || rw->began != lane->run->began)
        return;
    if (rw->back)
        leave_line(rw);
    /* The undo of a stroke has returned to an earlier cycle. */
    while (rw->n > 0 && then_at(rw, rw->n - 1)->cycle > lane->run->cycle)
        drop(rw, rw->n - 1);
}

/* --- rewinding -------------------------------------------------------------------------------- */

/* Stores the farthest state, so that `rewind end` can restore it. */
static int begin_rewind(struct ss_rewind *rw, ss_lane *lane, ss_err *err)
{
    const ss_history *h = &lane->run->history;
    ss_status status = lane->run->status;
    if (status != SS_DIVERGED && is_new_state(rw, lane))
        store_last(rw, lane);
    rw->line = *h;
    rw->line.point = ss_alloc((h->count + 1) * sizeof *h->point, "a copy of the curve", err);
    rw->journal =
        rw->line.point ? ss_alloc(lane->journal.size + 1, "a copy of the journal", err) : 0;
    if (!rw->journal) {
        drop_ahead(rw);
        return SS_FAIL;
    }
    if (h->count > 0) /* else there may be no points */
        memcpy(rw->line.point, h->point, h->count * sizeof *h->point);
    memcpy(rw->journal, lane->journal.text, lane->journal.size);
    rw->journal_size = lane->journal.size;
    rw->end = lane->run->cycle;
    rw->here = rw->n; /* after the last one: the present state could not be stored */
    rw->target = rw->end;
    rw->back = rw->used = true;
    return SS_OK;
}

/* Restores the curve: its first points, at the stride to which it has been thinned since. */
static void restore_curve(ss_run *run, const ss_history *line, const ss_run *then)
{
    ss_history *h = &run->history;
    const ss_history *was = &then->history;
    size_t all = was->count > 0 ? (was->count - 1) * was->stride + was->skipped + 1 : 0;
    h->stride = line->stride;
    h->count = all > 0 ? (all - 1) / h->stride + 1 : 0;
    h->skipped = all > 0 ? (all - 1) % h->stride : 0;
    h->count = h->count < line->count ? h->count : line->count;
    if (h->count > 0)
        memcpy(h->point, line->point, h->count * sizeof *h->point);
    h->nmark = was->nmark;
    memcpy(h->mark, was->mark, sizeof h->mark);
    /* It differs if the start was painted later, at cycle 0. */
    if (h->count > 0 && h->point[h->count - 1].cycle == then->residual_cycle)
        h->point[h->count - 1].residual = then->residual;
}

/* Restores the norm of the field from the curve. A norm computed now could differ in the last bits,
 * because the solver and the norm of a paused run sum in different orders. */
static void restore_norm(ss_run *run, const ss_history *line)
{
    size_t i = line->count;
    while (i > 0 && line->point[i - 1].cycle > run->cycle)
        i--;
    if (run->eq->kind != SS_STEADY || run->residual_cycle == run->cycle || i == 0 ||
        line->point[i - 1].cycle != run->cycle)
        return;
    ss_run_clock_start(run);
    ss_run_norm(run, line->point[i - 1].residual);
}

/* The settings to restore: limits and machine rows keep their present values. */
static ss_config settings_then(const ss_config *then, const ss_config *now)
{
    ss_config cfg = *then;
    for (int i = 0; i < ss_param_count(); i++) {
        const ss_param *row = ss_param_row(i);
        if (!ss_param_matters(row))
            cfg.v[row->slot] = now->v[row->slot];
    }
    return cfg;
}

static bool same_settings(const ss_config *a, const ss_config *b)
{
    for (int i = 0; i < SS_SLOTS; i++)
        if (a->v[i].set != b->v[i].set || memcmp(&a->v[i].i, &b->v[i].i, sizeof a->v[i].i) != 0)
            return false;
    return true;
}

static int restore(ss_engine *e, ss_lane *lane, int i, ss_err *err)
{
    struct ss_rewind *rw = lane->rewind;
    const ss_saved_state *k = rw->saved[i];
    const ss_run *then = &k->copy.then;
    ss_run *run = lane->run;
    ss_config cfg = settings_then(&then->cfg, &run->cfg);
    bool reconfigures = !same_settings(&cfg, &run->cfg);
    if ((reconfigures && ss_run_configure(run, &cfg, err) != SS_OK) ||
        ss_copy_resume(run, &k->copy, err) != SS_OK)
        return SS_FAIL;
    run->cfg = cfg; /* including which rows were given */
    run->seconds_solve = then->seconds_solve;
    run->seconds_ghosts = then->seconds_ghosts;
    restore_curve(run, &rw->line, then);
    restore_norm(run, &rw->line);
    char *text = lane->journal.text;
    size_t capacity = lane->journal.capacity;
    memcpy(text, rw->journal, rw->journal_size);
    lane->journal = k->journal;
    lane->journal.text = text, lane->journal.capacity = capacity;
    lane->mixed = k->mixed;
    lane->stroking = false;
    lane->spectrum.now.n = 0;
    lane->cycle_seconds = reconfigures ? 0 : lane->cycle_seconds;
    lane->steps = lane->ticks = 0;
    lane->paused = true;
    e->finished = false;
    rw->here = i;
    rw->target = then->cycle;
    return SS_OK;
}

static void advanced(ss_engine *e, ss_lane *lane, int64_t before)
{
    struct ss_rewind *rw = ring_of(e, lane);
    ss_run *run = lane->run;
    if (rw && rw->message > 0 && rw->message == e->message_seq && run->cycle > rw->target) {
        rw->message = 0; /* clears the message about the rewind */
        ss_engine_say(e, false, "%s", "");
    }
    while (rw && !rw->back && run->status == SS_DIVERGED && rw->n > 0 &&
           then_at(rw, rw->n - 1)->cycle >= run->cycle)
        drop(rw, rw->n - 1); /* taken before it was known that the fields had diverged */
    if (rw && rw->back && run->cycle > rw->target) {
        ss_undo_cut(lane, rw->saved[rw->here]->pushed);
        leave_line(rw);
    } else if (rw && rw->back && run->cycle == rw->target && run->cycle > before) {
        bool start_kept = run->start_kept;
        restore_norm(run, &rw->line);
        run->start_kept = start_kept; /* ss_run_norm dropped no cycle */
    }
    consider(e, lane, false);
}

/* --- the verb --------------------------------------------------------------------------------- */

typedef struct request {
    bool relative;
    int64_t n; /* a number of checkpoints, negative: backward; or a cycle */
} request;

static int parse(const ss_cmd *cmd, request *out, ss_err *err)
{
    const char *word = cmd->argc ? cmd->arg[0] : "-1";
    char *end;
    *out = (request){.relative = *word == '-' || *word == '+', .n = strtoll(word, &end, 10)};
    if (strcmp(word, "end") == 0)
        *out = (request){.relative = true, .n = SS_KEPT_MAX};
    else if (*end || end == word || (out->relative && out->n == 0))
        return ss_fail(err, "rewind: '%.40s' is none of CYCLE, -N, +N, end", word);
    if (out->relative)
        out->n = out->n < -SS_KEPT_MAX ? -SS_KEPT_MAX : out->n < SS_KEPT_MAX ? out->n : SS_KEPT_MAX;
    return SS_OK;
}

static int check(const ss_engine *e, const ss_lane *lane, const struct ss_rewind *rw, ss_err *err)
{
    char need[32];
    if (e->race.on)
        return ss_fail(err, "rewind: not possible in a race; :race off ends it, and each "
                            "run can be rewound from there on");
    if (!rw)
        return ss_fail(err, "rewind: no checkpoints of this run are stored");
    if (lane->run->status == SS_FAILED)
        return ss_fail(err, "rewind: the run has failed and cannot continue");
    if (rw->room == 0)
        return ss_fail(err,
                       "rewind: a copy of the field takes %s, too much to store %d of them; use a "
                       "smaller grid",
                       ss_format_bytes((double)ss_copy_bytes(lane->run), need, sizeof need), LEAST);
    return rw->n > 0 ? SS_OK : ss_fail(err, "rewind: the run has not advanced yet");
}

/* The checkpoint to restore, -1: none; *on: cycles to repeat from there. */
static int find(const struct ss_rewind *rw, const ss_run *run, const request *w, int64_t *on)
{
    bool between = rw->here < rw->n && run->cycle > then_at(rw, rw->here)->cycle;
    int64_t to = rw->here + w->n + (w->relative && between && w->n < 0);
    int i = 0;
    *on = 0;
    if (w->relative && w->n < 0) {
        int back = (int)(to < 0 ? 0 : to); /* skips checkpoints of the present cycle */
        while (back > 0 && then_at(rw, back)->cycle == run->cycle)
            back--;
        return rw->here > 0 || between ? back : -1;
    }
    if (w->relative)
        return rw->here < rw->n - 1 ? (int)(to < rw->n ? to : rw->n - 1) : -1;
    while (i + 1 < rw->n && then_at(rw, i + 1)->cycle <= w->n &&
           then_at(rw, i)->cycle < w->n) /* of several at one cycle, the first */
        i++;
    const ss_saved_state *k = rw->saved[i];
    int64_t until = i + 1 < rw->n ? then_at(rw, i + 1)->cycle : rw->end;
    size_t journal = i + 1 < rw->n ? rw->saved[i + 1]->journal.size : rw->journal_size;
    /* Repeats cycles only if no command was given between this checkpoint and the next. */
    if (w->n > k->copy.then.cycle && w->n <= until && journal == k->journal.size)
        *on = w->n - k->copy.then.cycle;
    return i;
}

static void report(ss_engine *e, const ss_lane *lane, const request *w, int64_t on)
{
    const ss_run *run = lane->run;
    const struct ss_rewind *rw = lane->rewind;
    long long at = run->cycle + on;
    const char *again = run->ops->caps & SS_CAP_EXACT
                            ? ""
                            : "; it cannot be repeated exactly: this solver has no fixed order";
    if (!w->relative && w->n != at)
        ss_engine_say(e, false, "back at cycle %lld, the nearest that can be restored%s", at,
                      again);
    else if (rw->here == rw->n - 1 && on == 0)
        ss_engine_say(e, false, "at cycle %lld, the farthest that the run had reached%s", at,
                      again);
    else
        ss_engine_say(e, false, "back at cycle %lld: change something, or go on%s", at, again);
    lane->rewind->message = e->message_seq;
}

/* The rewind failed: the run remains where it was. */
static int cancel(struct ss_rewind *rw, bool was_back)
{
    if (!was_back)
        drop_ahead(rw);
    return SS_FAIL;
}

int ss_verb_rewind(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    ss_lane *lane = &e->lane[e->shown];
    struct ss_rewind *rw = ring_of(e, lane);
    request w;
    int64_t on;
    if (parse(cmd, &w, err) != SS_OK || check(e, lane, rw, err) != SS_OK)
        return SS_FAIL;
    bool was_back = rw->back;
    if (!was_back && begin_rewind(rw, lane, err) != SS_OK)
        return SS_FAIL;
    if (!was_back && !is_new_state(rw, lane))
        rw->here = rw->n - 1;
    int i = find(rw, lane->run, &w, &on);
    if (!w.relative && w.n > rw->end) {
        ss_fail(err, "rewind: cycle %lld is not computed yet: the run has reached cycle %lld",
                (long long)w.n, (long long)rw->end);
        return cancel(rw, was_back);
    }
    if (i < 0) {
        ss_fail(err, w.n < 0 ? "rewind: this is the first checkpoint"
                             : "rewind: this is the last checkpoint");
        return cancel(rw, was_back);
    }
    if (restore(e, lane, i, err) != SS_OK)
        return cancel(rw, was_back);
    report(e, lane, &w, on);
    lane->steps = on;
    rw->target += on;
    if (i == rw->n - 1 && on == 0 && lane->run->cycle == rw->end)
        drop_ahead(rw); /* nothing is ahead */
    return SS_OK;
}

/* --- the snapshot ----------------------------------------------------------------------------- */

/* The curve and the changes from the present cycle to the farthest one. */
static void publish_ahead(const struct ss_rewind *rw, const ss_run *run, ss_past *past)
{
    ss_history rest = rw->line;
    while (rest.count > 0 && rest.point->cycle < run->cycle)
        rest.point++, rest.count--;
    past->ncurve = ss_history_thin(&rest, past->curve, SS_AHEAD_CURVE);
    for (int i = run->history.nmark; i < rw->line.nmark; i++)
        past->ahead[past->nahead++] = rw->line.mark[i];
}

/* Deterministic: nothing may depend on the clock. */
static void use_model(const ss_run *run, ss_past *past)
{
    for (int i = 0; i < past->nkept; i++)
        past->kept[i].seconds = ss_run_modelled(run, &past->kept[i]);
    for (int i = 0; i < past->ncurve; i++)
        past->curve[i].seconds = ss_run_modelled(run, &past->curve[i]);
}

static void publish(ss_engine *e, ss_snapshot *s)
{
    const ss_lane *lane = &e->lane[e->shown];
    const struct ss_rewind *rw = lane->rewind;
    ss_past *past = &s->past;
    past->nkept = past->ncurve = past->nahead = 0;
    past->back = past->used = false;
    if (!rw || e->race.on || rw->began != lane->run->began)
        return;
    past->back = rw->back;
    past->used = rw->used;
    past->end = rw->end;
    for (; past->nkept < rw->n; past->nkept++)
        past->kept[past->nkept] =
            ss_run_point(then_at(rw, past->nkept), then_at(rw, past->nkept)->seconds_solve);
    if (rw->back)
        publish_ahead(rw, lane->run, past);
    if (e->setup.deterministic)
        use_model(lane->run, past);
}

static void close_ring(ss_lane *lane)
{
    if (lane->rewind)
        discard_all(lane->rewind);
    free(lane->rewind);
    lane->rewind = NULL;
}

const ss_feature ss_rewind_feature = {
    .before = begin, .after = advanced, .publish = publish, .close = close_ring};
