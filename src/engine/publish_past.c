/* The past of a run in a snapshot: see rewind.h, past.h. Engine thread only. */
#include <stdio.h>
#include <string.h>

#include "src/core/registry.h"
#include "src/core/run_step.h"
#include "src/engine/rewind.h"

/* --- labels ----------------------------------------------------------------------------------- */

typedef struct labels {
    const ss_config *cfg[SS_BRANCH_MAX + 1]; /* the run's, then those of the branches */
    char *text[SS_BRANCH_MAX + 1];
    size_t size;
    int n;
} labels;

static bool differs(const labels *l, const ss_param *row)
{
    ss_value own = ss_config_value(l->cfg[0], row);
    bool given = !row->follows;
    for (int i = 0; i < l->n; i++)
        given = given || l->cfg[i]->v[row->slot].set;
    for (int i = 1; i < l->n && given; i++) {
        ss_value v = ss_config_value(l->cfg[i], row);
        if (memcmp(&v.i, &own.i, sizeof v.i) != 0)
            return true;
    }
    return false;
}

/* "k 8": appends a setting to each label if it is not the same in all. */
static void add_row(const ss_param *row, void *ctx)
{
    const labels *l = ctx;
    if (!ss_param_matters(row) || !differs(l, row))
        return;
    for (int i = 0; i < l->n; i++) {
        char value[40];
        size_t n = strlen(l->text[i]);
        ss_param_format(row, ss_config_value(l->cfg[i], row), value, sizeof value);
        snprintf(l->text[i] + n, l->size - n, "%s%s %s", n ? " " : "",
                 row->symbol ? row->symbol : row->name, value);
    }
}

/* The rows of different solvers cannot be compared: the labels then name the solvers and their
 * given rows. */
static void label_branches(const labels *l)
{
    bool one = true;
    for (int i = 0; i < l->n; i++) {
        l->text[i][0] = '\0';
        one = one && ss_config_solver(l->cfg[i]) == ss_config_solver(l->cfg[0]);
    }
    if (one)
        ss_param_each(l->cfg[0], add_row, (void *)l);
    for (int i = 0; i < l->n && !one; i++)
        ss_race_label(l->cfg[i], l->text[i], l->size);
}

/* --- curves ----------------------------------------------------------------------------------- */

int ss_rewind_curve(const ss_history *line, int64_t from, ss_point *out, int max)
{
    ss_history rest = *line;
    while (rest.count > 0 && rest.point->cycle < from)
        rest.point++, rest.count--;
    return ss_history_thin(&rest, out, max);
}

static void add_branch(ss_past *past, const ss_saved_branch *saved)
{
    ss_branch *b = &past->branch[past->nbranch++];
    b->n = saved->n;
    memcpy(b->curve, saved->curve, (size_t)saved->n * sizeof *saved->curve);
}

/* The cycles ahead of a rewound run are the last branch; they replace the oldest one. */
static void add_branches(ss_past *past, const struct ss_rewind *rw, const ss_run *run, labels *l)
{
    int first = rw->back && rw->nbranch == SS_BRANCH_MAX;
    for (int i = first; i < rw->nbranch; i++) {
        l->cfg[l->n++] = &rw->branch[i].cfg;
        add_branch(past, &rw->branch[i]);
    }
    if (!rw->back)
        return;
    ss_branch *b = &past->branch[past->nbranch++];
    l->cfg[l->n++] = &rw->cfg;
    b->n = ss_rewind_curve(&rw->line, run->cycle, b->curve, SS_BRANCH_CURVE);
    for (int i = run->history.nmark; i < rw->line.nmark; i++)
        past->ahead[past->nahead++] = rw->line.mark[i];
}

static ss_point point_of(const ss_saved_state *k)
{
    const ss_run *run = &k->then;
    return (ss_point){.cycle = run->cycle,
                      .iteration = run->iteration,
                      .seconds = run->seconds_solve,
                      .bytes = run->total.global_bytes,
                      .launches = run->total.launches,
                      .work = ss_run_work(run, &run->total),
                      .reductions = run->total.reductions,
                      .time = run->time};
}

/* Deterministic: nothing may depend on the clock. */
static void use_model(const ss_run *run, ss_past *past)
{
    for (int i = 0; i < past->nkept; i++)
        past->kept[i].seconds = ss_run_modelled(run, &past->kept[i]);
    for (int i = 0; i < past->nbranch; i++)
        for (int k = 0; k < past->branch[i].n; k++) {
            ss_point *p = &past->branch[i].curve[k];
            p->seconds = ss_run_modelled(run, p);
        }
}

/* The settings in the label of a branch may not be those of its whole curve. */
static void tell_changes(ss_past *past, const struct ss_rewind *rw, int64_t cycle)
{
    int first = rw->back && rw->nbranch == SS_BRANCH_MAX;
    for (int i = 0; i < past->nbranch; i++) {
        bool ahead = rw->back && i == past->nbranch - 1;
        bool changed = ahead ? ss_rewind_changed_ahead(rw, cycle) : rw->branch[first + i].changed;
        char *label = past->branch[i].label, own[sizeof past->branch->label];
        if (!changed || !*label)
            continue;
        snprintf(own, sizeof own, "%s", label);
        snprintf(label, sizeof past->branch->label, "at its end %.36s", own);
        ss_utf8_trim(label);
    }
}

void ss_publish_past(const ss_engine *e, ss_snapshot *s, const ss_lane *lane)
{
    const struct ss_rewind *rw = lane->rewind;
    const ss_run *run = lane->run;
    ss_past *past = &s->past;
    labels l = {.cfg = {&run->cfg}, .text = {past->label}, .size = sizeof past->label, .n = 1};
    past->nkept = past->nbranch = past->nahead = 0;
    past->back = past->used = false;
    past->label[0] = '\0';
    if (!rw || e->race.on || rw->began != run->began)
        return;
    past->back = rw->back;
    past->used = rw->used;
    past->end = rw->end;
    for (; past->nkept < rw->n; past->nkept++)
        past->kept[past->nkept] = point_of(rw->saved[past->nkept]);
    add_branches(past, rw, run, &l);
    for (int i = 1; i < l.n; i++)
        l.text[i] = past->branch[i - 1].label;
    if (past->nbranch > 0)
        label_branches(&l);
    tell_changes(past, rw, run->cycle);
    if (e->setup.deterministic)
        use_model(run, past);
}

int ss_rewind_forget(ss_engine *e, struct ss_rewind *rw, ss_err *err)
{
    if (e->race.on)
        return ss_fail(err, "rewind: a race has no branches; :race off ends it");
    if (!rw || rw->nbranch == 0)
        return ss_fail(err, "rewind: there are no branches to remove");
    ss_engine_say(e, false, rw->nbranch == 1 ? "%d branch is removed" : "%d branches are removed",
                  rw->nbranch);
    rw->nbranch = 0;
    return SS_OK;
}
