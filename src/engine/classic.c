/* The classic run beside the shown one: see lane.h. pair.c has the timed pair. Engine thread
 * only. */
#include "src/engine/lane.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/registry.h"
#include "src/core/run_step.h"

#define SLICE 4e-3 /* seconds of the classic run per turn */
#define SHARE                                                                                      \
    0.05 /* its largest share of the watched run's time: too little to slow it visibly             \
          */
#define BYTES_MAX 64e6 /* of all classic runs that are kept; the present one always is */

/* --- configs ---------------------------------------------------------------------------------- */

static ss_run *watched(const ss_engine *e)
{
    return e->lane[e->shown].run;
}

int ss_classic_config(const ss_engine *e, const ss_run *run, ss_config *cfg, ss_err *err)
{
    static const char *const limits[] = {"until",  "until-accuracy", "until-error", "until-time",
                                         "cycles", "seconds",        "check-every"};
    if (!run->solver->classic)
        return ss_fail(err, "%s is not compared with another solver", run->solver->name);
    *cfg = run->cfg;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        cfg->v[ss_param_find(cfg, limits[i], NULL)->slot] = (ss_value){.set = false};
    if (ss_config_set(cfg, "solver", run->solver->classic, err) != SS_OK ||
        ss_config_check(cfg, NULL, err) != SS_OK)
        return SS_FAIL;
    return ss_engine_admits_bytes(e, cfg, err);
}

typedef struct sameness {
    const ss_config *a, *b;
    bool same;
} sameness;

static void compare_row(const ss_param *row, void *ctx)
{
    sameness *s = ctx;
    ss_value x = ss_config_value(s->a, row), y = ss_config_value(s->b, row);
    s->same = s->same && ((row->flags & SS_P_APP) || memcmp(&x.i, &y.i, sizeof x.i) == 0);
}

/* Do two configs of classic runs describe the same run? Rows of other solvers do not count. */
static bool is_same(const ss_config *a, const ss_config *b)
{
    sameness s = {a, b, true};
    ss_param_each(a, compare_row, &s);
    return s.same;
}

/* --- the kept runs ---------------------------------------------------------------------------- */

static void close_oldest(ss_classic *c)
{
    ss_run_close(c->kept[--c->nkept]);
}

static void keep(ss_classic *c, ss_run *run)
{
    double bytes = ss_config_bytes(&run->cfg);
    for (int i = 0; i < c->nkept; i++)
        bytes += ss_config_bytes(&c->kept[i]->cfg);
    for (; c->nkept > 0 && (c->nkept == SS_CLASSIC_KEPT || bytes > BYTES_MAX); close_oldest(c))
        bytes -= ss_config_bytes(&c->kept[c->nkept - 1]->cfg);
    memmove(c->kept + 1, c->kept, (size_t)c->nkept++ * sizeof *c->kept);
    c->kept[0] = run;
}

static ss_run *find(ss_classic *c, const ss_config *cfg, const ss_run *of)
{
    for (int i = 0; i < c->nkept; i++) {
        ss_run *run = c->kept[i];
        if (run->load != of->load || run->rhs != of->rhs || !is_same(&run->cfg, cfg))
            continue;
        memmove(c->kept + 1, c->kept, (size_t)i * sizeof *c->kept);
        return c->kept[0] = run;
    }
    return NULL;
}

/* The classic run of the watched one: a kept one, or a new one. */
static ss_run *classic_of(ss_engine *e, const ss_run *of)
{
    ss_classic *c = &e->classic;
    ss_config cfg;
    ss_err err;
    if (c->run || c->refused)
        return c->run;
    c->refused = ss_classic_config(e, of, &cfg, &err) != SS_OK;
    if (c->refused || (c->run = find(c, &cfg, of)))
        return c->run;
    c->run = ss_run_open(&cfg, of->load, of->rhs, &err);
    c->refused = !c->run;
    c->cycle_seconds = 0;
    if (c->run)
        keep(c, c->run);
    return c->run;
}

void ss_classic_free(ss_engine *e)
{
    ss_pair_stop(&e->classic.pair, true);
    while (e->classic.nkept > 0)
        close_oldest(&e->classic);
    e->classic.run = NULL;
}

/* --- when --------------------------------------------------------------------------------------
 */

/* Is the watched run another one, or has it other settings, than at the last turn? */
static bool is_changed(const ss_classic *c, const ss_run *run)
{
    return memcmp(&c->cfg, &run->cfg, sizeof c->cfg) != 0 || c->load != run->load ||
           c->rhs != run->rhs;
}

static double classic_bytes(const ss_engine *e, const ss_run *run)
{
    ss_config cfg;
    ss_err err;
    ss_problem p;
    ss_ledger one;
    if (ss_classic_config(e, run, &cfg, &err) != SS_OK)
        return 0;
    ss_config_problem(&cfg, &p);
    ss_config_solver(&cfg)->ledger(&cfg, run->eq, &p, &one);
    return one.global_bytes;
}

static void follow(ss_engine *e)
{
    ss_classic *c = &e->classic;
    const ss_run *run = watched(e);
    if (is_changed(c, run)) {
        c->cfg = run->cfg;
        c->load = run->load, c->rhs = run->rhs;
        c->run = NULL;
        c->refused = false;
        c->bytes = classic_bytes(e, run);
        c->credit = 0;
        ss_pair_stop(&c->pair, true);
        c->pair.since = ss_clock();
    }
    if (c->began != run->began)
        ss_pair_stop(&c->pair, false);
    double more = c->began == run->began ? ss_run_spent(run) - c->spent : 0;
    c->began = run->began;
    c->spent = ss_run_spent(run);
    c->credit = fmin(c->credit + SHARE * fmax(more, 0), 2 * SLICE);
}

static double points(const ss_run *run)
{
    return (double)run->problem.nx * run->problem.ny * run->problem.nz;
}

/* Is a picture shown, of a run that can be compared? */
static bool is_wanted(const ss_engine *e)
{
    const ss_run *run = watched(e);
    bool size = e->classic.choice == SS_CLASSIC_ON || points(run) <= run->backend->beside;
    return run->solver->classic && size && e->classic.choice != SS_CLASSIC_OFF && !e->race.on &&
           e->view.w > 0 && run->status != SS_DIVERGED && run->status != SS_FAILED;
}

/* A painted run has another start. */
static bool has_curve(const ss_run *run)
{
    return run->eq->kind == SS_STEADY && run->eq->dim < 3 && !run->painted && run->cycle > 0;
}

/* Iterations that the classic run is behind. */
static int64_t behind(const ss_run *classic, const ss_run *run)
{
    bool runs = classic && classic->status == SS_RUNNING;
    return runs && classic->iteration < run->iteration ? run->iteration - classic->iteration : 0;
}

static void advance(ss_classic *c, int64_t cycles)
{
    ss_err err;
    ss_run *run = c->run;
    int64_t before = run->cycle;
    double spent = ss_run_spent(run);
    ss_run_step(run, cycles, &err);
    if (run->cycle > before)
        c->cycle_seconds = (ss_run_spent(run) - spent) / (double)(run->cycle - before);
    c->disturbed = true;
}

/* The norm of its last field, so that both curves end at one iteration. */
static bool settle(ss_classic *c, const ss_run *run)
{
    ss_err err;
    bool due = c->run && c->run->status == SS_RUNNING && c->run->iteration == run->iteration &&
               c->run->residual_cycle != c->run->cycle;
    if (due)
        ss_run_settle(c->run, &err);
    return due;
}

/* A slice of the curve. resting: the watched run does not advance. True: there is more to do. */
static bool advance_curve(ss_engine *e, bool resting)
{
    ss_classic *c = &e->classic;
    const ss_run *run = watched(e);
    bool had = c->run != NULL;
    int64_t left = has_curve(run) ? behind(classic_of(e, run), run) : 0;
    int64_t slice = c->cycle_seconds > 0 ? (int64_t)(SLICE / c->cycle_seconds) : 1;
    bool found = !had && c->run; /* a kept one, whose curve has not been shown with this run */
    if (left == 0) {
        c->credit = 0;
        e->dirty = found || (resting && settle(c, run)) || e->dirty;
        return false;
    }
    if (!resting && c->credit < SLICE)
        return false;
    double started = ss_clock();
    advance(c, slice < 1 ? 1 : slice < left ? slice : left);
    c->credit -= ss_clock() - started;
    e->dirty = true;
    return resting;
}

/* The earlier of two moments; < 0: unknown. */
static double earlier(double a, double b)
{
    return a < 0 ? b : b < 0 || a < b ? a : b;
}

double ss_classic_turn(ss_engine *e, double idle)
{
    follow(e);
    if (e->setup.deterministic || !is_wanted(e))
        return idle;
    bool resting = idle < 0 || idle > SLICE;
    double wait = ss_pair_wait(e);
    if (wait < 0 || wait > 0)
        return advance_curve(e, resting) ? 0 : earlier(idle, wait);
    ss_pair_turn(e);
    return 0;
}

/* --- the snapshot ----------------------------------------------------------------------------- */

/* Deterministic: all of it at once, whatever it takes. */
static void catch_up(ss_engine *e)
{
    ss_classic *c = &e->classic;
    const ss_run *run = watched(e);
    int64_t left;
    follow(e);
    if (!is_wanted(e))
        return;
    if (has_curve(run) && (left = behind(classic_of(e, run), run)) > 0)
        advance(c, left);
    settle(c, run);
    ss_pair_check(e);
}

static void fill_curve(const ss_engine *e, ss_beside *out, const ss_run *classic)
{
    const ss_run *run = watched(e);
    ss_history h = classic->history;
    while (h.count > 0 && h.point[h.count - 1].iteration > run->iteration)
        h.count--;
    out->n = ss_history_thin(&h, out->curve, SS_CURVE_MAX);
    out->residual0 = classic->residual0;
    out->behind = behind(classic, run) > 0;
    for (int i = 0; e->setup.deterministic && i < out->n; i++)
        out->curve[i].seconds = ss_run_modelled(run, &out->curve[i]);
}

void ss_classic_publish(ss_engine *e, ss_snapshot *s)
{
    const ss_classic *c = &e->classic;
    const ss_timed_pair *p = &c->pair;
    ss_beside *out = &s->beside;
    if (e->setup.deterministic)
        catch_up(e);
    out->n = 0;
    out->wanted = is_wanted(e);
    out->another_method = watched(e)->solver->another_method;
    out->solver = watched(e)->solver->classic;
    out->bytes = c->bytes;
    out->pair = (ss_beside_pair){.checked = p->checked && out->wanted,
                                 .equal = p->equal,
                                 .timed = p->timed && out->wanted,
                                 .own = p->each[0],
                                 .classic = p->each[1],
                                 .compared = p->compared,
                                 .from = p->from};
    if (out->wanted && c->run && has_curve(watched(e)))
        fill_curve(e, out, c->run);
}

/* --- the command ------------------------------------------------------------------------------ */

/* The seconds that the classic run needs up to the watched run's iteration. */
static void say_expected(ss_engine *e)
{
    ss_classic *c = &e->classic;
    const ss_run *run = watched(e);
    int64_t left = has_curve(run) ? behind(classic_of(e, run), run) : 0;
    char many[32], text[32];
    if (left == 0) {
        ss_engine_say(e, false, "compared with %s", run->solver->classic);
        return;
    }
    if (c->cycle_seconds <= 0)
        advance(c, 1);
    advance(c, 1); /* the first one also touches the memory */
    ss_engine_say(e, false, "%s up to iteration %s: about %s", c->run->solver->title,
                  ss_format_si((double)run->iteration, "", many, sizeof many),
                  ss_format_si((double)left * c->cycle_seconds, "s", text, sizeof text));
}

int ss_verb_classic(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    static const ss_classic_choice words[SS_NVERB] = {[SS_VERB_CLASSIC_ON] = SS_CLASSIC_ON,
                                                      [SS_VERB_CLASSIC_OFF] = SS_CLASSIC_OFF,
                                                      [SS_VERB_CLASSIC_AUTO] = SS_CLASSIC_AUTO};
    ss_classic *c = &e->classic;
    ss_config cfg;
    ss_classic_choice now = is_wanted(e) ? SS_CLASSIC_OFF : SS_CLASSIC_ON;
    follow(e);
    c->choice = cmd->argc > 0 ? words[cmd->row->id] : now;
    c->refused = false;
    if (c->choice == SS_CLASSIC_OFF)
        ss_pair_stop(&c->pair, true);
    if (c->choice != SS_CLASSIC_ON)
        return SS_OK;
    if (ss_classic_config(e, watched(e), &cfg, err) != SS_OK) {
        c->choice = SS_CLASSIC_AUTO;
        return SS_FAIL;
    }
    say_expected(e);
    return SS_OK;
}
