/* Fills a snapshot from the shown run and publishes it. Engine thread only; see
 * src/snapshot/snapshot.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/reference.h"
#include "src/engine/lane.h"
#include "src/base/system.h"
#include "src/core/run.h"
#include "src/core/registry.h"

/* --- the picture ---------------------------------------------------------------------------------
 */

#define CELLS_MAX (4096 * 4096)

int ss_publish_room(ss_picture *p, size_t *capacity, int w, int h)
{
    size_t need = (size_t)w * (size_t)h;
    if (w < 1 || h < 1 || need > CELLS_MAX)
        return SS_FAIL;
    if (need <= *capacity)
        return SS_OK;
    float *cell = malloc(need * sizeof *cell);
    uint8_t *owner = malloc(need);
    if (!cell || !owner) {
        free(cell);
        free(owner);
        return SS_FAIL;
    }
    free(p->cell);
    free(p->owner);
    p->cell = cell;
    p->owner = owner;
    *capacity = need;
    return SS_OK;
}

/* A diverged run shows its last finite picture: a new one would be empty. */
static void show_last_good(const ss_lane *lane, ss_snapshot *s)
{
    const ss_picture *good = &lane->good;
    bool valid = good->w > 0 && lane->good_began == lane->run->began;
    if (!valid || ss_publish_room(&s->picture, &s->cell_capacity, good->w, good->h) != SS_OK)
        return;
    float *cell = s->picture.cell;
    uint8_t *owner = s->picture.owner;
    s->picture = *good;
    s->picture.cell = cell;
    s->picture.owner = owner;
    size_t n = (size_t)good->w * (size_t)good->h;
    memcpy(cell, good->cell, n * sizeof *cell);
    memcpy(owner, good->owner, n);
}

static void store_good(ss_lane *lane, const ss_picture *p)
{
    size_t n = (size_t)p->w * (size_t)p->h;
    float *cell = realloc(lane->good.cell, n * sizeof *cell);
    lane->good.cell = cell ? cell : lane->good.cell;
    uint8_t *owner = realloc(lane->good.owner, n);
    lane->good.owner = owner ? owner : lane->good.owner;
    if (!cell || !owner) {
        lane->good.w = 0;
        return;
    }
    memcpy(cell, p->cell, n * sizeof *cell);
    memcpy(owner, p->owner, n);
    lane->good = *p;
    lane->good.cell = cell;
    lane->good.owner = owner;
    lane->good_began = lane->run->began;
}

static void fill_picture(ss_engine *e, ss_snapshot *s, ss_lane *lane)
{
    ss_err err = {0};
    ss_run *run = lane->run;
    s->view = e->view;
    s->view_seq = e->view.seq;
    s->picture.w = s->picture.h = 0;
    s->picture.probe.valid = false;
    s->picture.nprofile[0] = s->picture.nprofile[1] = 0;
    if (run->status == SS_DIVERGED) {
        show_last_good(lane, s);
        return;
    }
    if (e->view.w < 1 ||
        ss_publish_room(&s->picture, &s->cell_capacity, e->view.w, e->view.h) != SS_OK)
        return;
    s->picture.w = e->view.w;
    s->picture.h = e->view.h;
    ss_view view = e->view;
    view.exact = view.exact || e->setup.deterministic || e->finished;
    if (run->backend->sample(run, &view, &s->picture, &err) == SS_OK) {
        ss_layer_of_zeros(run, view.layer, &s->picture);
        store_good(lane, &s->picture);
        return;
    }
    s->picture.w = s->picture.h = 0;
    lane->failure = err;
    if (!ss_lane_is_lost(lane)) /* otherwise the rescue reports it */
        ss_engine_say(e, true, "%s", err.text);
}

/* --- words ---------------------------------------------------------------------------------------
 */

static void fill_words(ss_snapshot *s, const ss_run *run)
{
    bool diverged = run->status == SS_DIVERGED;
    static const char *const precision[SS_NPREC] = {"f64", "f32"};
    const ss_problem *p = &run->problem;
    snprintf(s->equation, sizeof s->equation, "%s", run->eq->title);
    snprintf(s->solver, sizeof s->solver, "%s", run->solver->title);
    s->equation_name = run->eq->name;
    s->solver_name = run->solver->name;
    if (run->eq->dim == 1)
        snprintf(s->grid, sizeof s->grid, p->ny > 1 ? "%d, %d copies" : "%d", p->nx, p->ny);
    else if (run->eq->dim == 2)
        snprintf(s->grid, sizeof s->grid, "%d\xc3\x97%d", p->nx, p->ny);
    else
        snprintf(s->grid, sizeof s->grid, "%d\xc3\x97%d\xc3\x97%d", p->nx, p->ny, p->nz);
    snprintf(s->precision, sizeof s->precision, "%s", precision[run->prec]);
    run->backend->describe(&run->cfg, s->backend, sizeof s->backend);
    snprintf(s->diverged, sizeof s->diverged, "%s", diverged ? run->message : "");
    s->kind = run->eq->kind;
    s->dim = run->eq->dim;
    s->nx = p->nx;
    s->origin = run->eq->origin, s->spacing = p->dx;
    s->spacing_y = p->dy;
    s->ny = p->ny;
    s->nz = p->nz;
    s->bc = run->eq->bc;
}

/* Staleness belongs to a cycle and needs the field at its start. */
static const char *no_staleness(const ss_snapshot *s, const ss_run *run)
{
    if (!s->layers[SS_STALENESS] || run->start_kept || run->peek > 0)
        return s->layer_why[SS_STALENESS];
    return run->cycle > 0
               ? "it needs the start of a cycle, which is not stored; press , for a cycle"
               : "no cycle has been done yet; press , for one";
}

static void fill_layers(ss_snapshot *s, const ss_run *run)
{
    bool tiles = run->ops->caps & SS_CAP_TILES;
    ss_layers_missing(run, s->layer_why);
    for (int i = 0; i < SS_NLAYER; i++)
        s->layers[i] = s->layer_why[i] == NULL;
    s->layer_why[SS_STALENESS] = no_staleness(s, run);
    s->tiled = tiles && (run->solver->tiling || run->solver->nodes);
    s->levels = run->iterations_per_cycle;
    s->factor = run->solver->factor ? run->solver->factor(&run->cfg, &run->problem) : 0;
    if (s->tiled && run->solver->tiling)
        s->tiling = run->solver->tiling(&run->cfg, &run->problem);
}

static const char *phase_of(const ss_run *run)
{
    const char *const *phases = run->solver->phases;
    int n = 0;
    while (phases && phases[n])
        n++;
    return n ? phases[run->peek > 0 && n > 1 ? 1 : n - 1] : NULL;
}

/* The visits of grids in a cycle, of which the microscope shows one. */
static void fill_visits(ss_snapshot *s, const ss_run *run)
{
    bool shown = run->peek > 0 && run->solver->visit && run->ticks_per_cycle <= SS_VISITS_MAX;
    s->nvisit = shown ? run->ticks_per_cycle : 0;
    for (int i = 0; i < s->nvisit; i++) {
        ss_visit v;
        run->solver->visit(&run->cfg, &run->problem, i + 1, &v);
        s->visit_level[i] = (uint8_t)v.level;
    }
    s->visit = (ss_visit){.levels = 0};
    if (run->peek > 0 && run->solver->visit)
        run->solver->visit(&run->cfg, &run->problem, run->peek, &s->visit);
}

static void fill_progress(ss_engine *e, ss_snapshot *s, const ss_lane *lane)
{
    const ss_run *run = lane->run;
    bool stepping = ss_engine_is_stepping(e);
    s->run = e->shown;
    s->nrun = e->nlane;
    s->paused = lane->paused && !stepping;
    s->painted = run->painted;
    s->deterministic = e->setup.deterministic;
    s->status = run->status;
    s->reached = run->reached;
    s->reached_cycle = run->reached_cycle;
    s->reached_tol = run->reached_tol;
    s->hold = ss_hold_of(lane);
    s->hold_cycle = s->hold == SS_HOLD_NONE ? -1 : run->cycle;
    s->repeated = run->repeated;
    s->began = run->began;
    s->exact_since = run->exact_since;
    s->exact_cycle = ss_run_exact(run);
    s->any_order = run->solver->any_order;
    s->tol = run->tol;
    s->until_error = run->until_error;
    s->energy_norm = run->error_norm == SS_ERROR_ENERGY;
    s->peek = run->peek;
    s->per_cycle = run->ticks_per_cycle;
    s->replay = run->peek > 0 && run->cycle > 0 && run->ops->order;
    s->phase = phase_of(run);
    fill_visits(s, run);
    s->stride_seconds = ss_lane_stride(lane);
    s->busy_reference = false;
}

/* --- figures -------------------------------------------------------------------------------------
 */

static void set_figure(ss_telemetry *t, ss_telemetry_id id, double value, bool valid)
{
    t->value[id] = value;
    t->valid[id] = valid && isfinite(value);
}

/* Measuring reads the whole field: only for small fields, or while the run is idle. */
#define ACCURACY_POINTS (256.0 * 1024)

static bool measure_accuracy(const ss_snapshot *s, const ss_lane *lane)
{
    ss_run *run = lane->run;
    if (run->eq->kind != SS_STEADY || run->status == SS_DIVERGED)
        return false;
    bool idle = s->paused || run->status != SS_RUNNING || s->deterministic;
    bool small = (double)run->problem.nx * run->problem.ny * run->problem.nz <= ACCURACY_POINTS;
    return run->peek == 0 && !run->repeated && (idle || small) ? ss_accuracy_measure(run)
                                                               : ss_accuracy_known(run);
}

static void fill_ranks(ss_snapshot *s, const ss_run *run)
{
    ss_run_ranks_figures(run, &s->ranks);
    for (int i = 0; i < 2; i++) {
        const ss_ranks_trace *trace = ss_run_ranks_trace(run, i);
        s->ranks_trace[i].nspan = 0;
        if (trace)
            s->ranks_trace[i] = *trace;
    }
}

/* Recent seconds per cycle; 0: unknown. On modelled ranks the mean since the last change. */
static double cycle_seconds(const ss_snapshot *s, const ss_lane *lane)
{
    double measured = s->ranks.measured * lane->run->iterations_per_cycle / lane->run->eq->nstage;
    if (s->ranks.count == 0)
        return lane->cycle_seconds;
    return isfinite(measured) ? measured : 0;
}

/* Useful point updates of a cycle. */
static double updates_of(const ss_run *run)
{
    const ss_problem *p = &run->problem;
    return (double)p->nx * p->ny * p->nz * run->iterations_per_cycle;
}

static void fill_telemetry(ss_snapshot *s, const ss_lane *lane)
{
    const ss_run *run = lane->run;
    ss_telemetry *t = &s->telemetry;
    bool ranks = s->ranks.count > 0, clock = !s->deterministic || ranks;
    double cycle = cycle_seconds(s, lane);
    bool known = run->residual_cycle >= 0;
    s->shares = run->shares;
    s->shares.count = clock ? run->shares.count : 0;
    memset(t, 0, sizeof *t);
    set_figure(t, SS_T_CYCLE, (double)run->cycle, true);
    int updates = run->ticks_per_cycle == run->iterations_per_cycle ? run->peek : 0;
    set_figure(t, SS_T_ITERATION, (double)run->iteration + updates, true);
    bool transient = run->eq->kind == SS_TRANSIENT;
    double steps = (double)run->iterations_per_cycle / run->eq->nstage;
    set_figure(t, SS_T_STEP, (double)run->step, transient);
    set_figure(t, SS_T_TIME, run->time, transient);
    set_figure(t, SS_T_DT, run->problem.dt, transient);
    set_figure(t, SS_T_STEP_SECONDS, cycle / steps, transient && clock && cycle > 0);
    set_figure(t, SS_T_RESIDUAL, run->residual, known);
    set_figure(t, SS_T_REDUCTION, run->residual / run->residual0, known && run->residual0 > 0);
    set_figure(t, SS_T_SMOOTHING, ss_factors_last(&run->factors), true);
    set_figure(t, SS_T_CONVERGENCE, ss_factors_mean(&run->factors), true);
    bool settled;
    double factor = ss_run_factor(run, &settled);
    set_figure(t, SS_T_FACTOR, factor, settled);
    set_figure(t, SS_T_PREDICTED, s->factor, s->factor > 0);
    set_figure(t, SS_T_GHOSTS, run->seconds_ghosts, clock && run->eq->patches);
    set_figure(t, SS_T_INVERSES, run->seconds_inverses, clock && run->bytes_inverses > 0);
    set_figure(t, SS_T_INVERSE_BYTES, run->bytes_inverses, run->bytes_inverses > 0);
    set_figure(t, SS_T_TILE, run->tile_bytes, run->tile_room > 0);
    set_figure(t, SS_T_TILE_ROOM, run->tile_room, run->tile_room > 0);
    set_figure(t, SS_T_SECONDS, run->seconds_solve, clock);
    set_figure(t, SS_T_RATE, ranks ? updates_of(run) / cycle : lane->rate,
               clock && (ranks ? cycle : lane->rate) > 0);
    set_figure(t, SS_T_CYCLE_SECONDS, cycle, clock && cycle > 0);
    set_figure(t, SS_T_BANDWIDTH, run->per_cycle.global_bytes / cycle,
               clock && !ranks && cycle > 0);
    set_figure(t, SS_T_BYTES, run->total.global_bytes, true);
    /* The papers' breakdown of time and their crossover; the cost of pictures is excluded. */
    bool on_device = clock && run->seconds_field_up > 0; /* the fields are not in host memory */
    set_figure(t, SS_T_UPLOAD, run->seconds_field_up, on_device);
    set_figure(t, SS_T_DOWNLOAD, run->seconds_field_down, on_device && run->seconds_field_down > 0);
    set_figure(t, SS_T_COMPUTE, run->seconds_solve, on_device);
    set_figure(t, SS_T_HIDDEN, ss_run_to_hide(run, lane->cycle_seconds), on_device);
    bool solved = run->eq->kind == SS_STEADY || !ss_run_no_solution(run);
    solved = solved && run->status != SS_DIVERGED; /* the picture is an earlier one */
    bool error = s->view.layer == SS_ERROR && s->picture.w > 0 && !s->picture.sampled && solved;
    set_figure(t, SS_T_TEFF, ss_run_teff(run), true);
    set_figure(t, SS_T_ACCURACY, run->accuracy, measure_accuracy(s, lane));
    set_figure(t, SS_T_MAX_ERROR, s->picture.hi, error && s->picture.hi >= s->picture.lo);
}

static void fill_curve(ss_snapshot *s, const ss_run *run)
{
    s->ncurve = ss_history_thin(&run->history, s->curve, SS_CURVE_MAX);
    s->residual0 = run->residual0;
    s->nmark = run->history.nmark;
    memcpy(s->mark, run->history.mark, (size_t)s->nmark * sizeof *s->mark);
    if (!s->deterministic)
        return;
    for (int i = 0; i < s->ncurve; i++)
        s->curve[i].seconds = ss_run_modelled(run, &s->curve[i]);
    for (int i = 0; i < s->nmark; i++)
        s->mark[i].at.seconds = ss_run_modelled(run, &s->mark[i].at);
}

static void fill_controls(ss_snapshot *s, const ss_run *run)
{
    const ss_param *rows[SS_CONTROL_MAX];
    s->ncontrol = ss_config_controls(&run->cfg, rows, SS_CONTROL_MAX);
    for (int i = 0; i < s->ncontrol; i++) {
        ss_control *c = &s->control[i];
        c->row = rows[i];
        c->value = ss_config_value(&run->cfg, rows[i]);
        const char *why;
        ss_config_range(&run->cfg, rows[i], &c->lo, &c->hi, &why);
        snprintf(c->why, sizeof c->why, "%s", why ? why : "");
        ss_config_track(&run->cfg, rows[i], &c->track);
        c->note[0] = '\0';
        if (rows[i]->note)
            rows[i]->note(&run->cfg, c->note, sizeof c->note);
        c->choices = rows[i]->type == SS_CHOICE ? ss_config_choices(&run->cfg, rows[i]) : 0;
    }
}

/* --- u* ------------------------------------------------------------------------------------------
 */

/* Is the reference still being computed? Reports once that it is ready (`method`: how it was
 * computed) or that it has failed. */
static bool follow_reference(ss_engine *e, struct ss_reference *ref, const char *name,
                             const char *method, bool *reported)
{
    ss_err err;
    bool failed = false;
    bool ready = ref && ss_reference_get(ref, &failed, &err) != NULL;
    if (ready && !*reported && e->setup.deterministic)
        ss_engine_unsay(e, "computing ");
    else if (ready && !*reported)
        ss_engine_say(e, false, "%s is ready (%s: %.1f s)", name, method,
                      ss_reference_seconds(ref));
    if (failed && !*reported)
        ss_engine_say(e, true, "%s", err.text);
    *reported = *reported || ready || failed;
    return ref && !ready && !failed;
}

/* Lanes whose right-hand sides have the same bits share one u*. */
void ss_publish_references(ss_engine *e)
{
    for (int i = 0; e->race.on && i < e->nlane; i++)
        for (int k = 0; k < e->nlane; k++)
            ss_reference_take(e->lane[i].run, e->lane[k].run);
}

/* Starts and polls the references. The layers u* and error need u*; so does the spectrum of
 * the error, which requests it without a message. */
static void update_references(ss_engine *e, ss_snapshot *s, ss_run *run)
{
    ss_err err;
    char notice[200];
    bool needed = e->view.layer == SS_ERROR || e->view.layer == SS_EXACT;
    bool quiet = !needed && ss_publish_wants_exact(run, &e->view);
    ss_publish_references(e); /* another lane may have it already */
    if ((needed || quiet) && !run->reference && run->eq->exact) {
        run->reference = ss_reference_start(run, true, notice, sizeof notice, &err);
        run->reference_reported = quiet && run->reference;
        if (!quiet)
            ss_engine_say(e, !run->reference, "%s", run->reference ? notice : err.text);
    }
    s->knows_exact = run->eq->kind == SS_TRANSIENT || ss_run_reference(run);
    s->busy_reference =
        follow_reference(e, run->reference, "u*", "direct solver", &run->reference_reported);
    s->busy_baseline = follow_reference(e, run->baseline, "the reference of the accuracy",
                                        "4096 iterations", &run->baseline_reported);
}

/* --- kernels ------------------------------------------------------------------------------------
 */

static void fill_kernels(ss_snapshot *s, const ss_run *run)
{
    static const char *const why[2] = {
        "No kernel runs here: this run is computed by functions of the program on the CPU. Backend "
        "cuda has kernels to show.",
        "The kernels of this solver are not listed."};
    ss_kernels *k = &s->kernels;
    bool has = run->backend->kernel_of != NULL;
    k->n = 0;
    while (s->view.kernels && has && k->n < SS_KERNELS_MAX &&
           run->backend->kernel_of(run, k->n, &k->kernel[k->n]))
        k->n++;
    k->why = s->view.kernels && k->n == 0 ? why[has] : NULL;
    s->edited = run->edited;
}

/* --- the microscope --------------------------------------------------------------------------- */

#define SLICE 0.05 /* seconds per snapshot, while a user waits for it */
#define UPDATES_MAX                                                                                \
    2e8 /* the most point updates in a subiteration's picture, for the same reason */

static bool same_picture(const ss_view *a, const ss_view *b)
{
    bool window = !(a->x0 < b->x0) && !(a->x0 > b->x0) && !(a->x1 < b->x1) && !(a->x1 > b->x1) &&
                  !(a->y0 < b->y0) && !(a->y0 > b->y0) && !(a->y1 < b->y1) && !(a->y1 > b->y1);
    return window && a->layer == b->layer && a->field == b->field && a->axis == b->axis &&
           a->slice == b->slice && a->w == b->w && a->h == b->h;
}

/* Is this the scale of the present cycle and layer, under the present parameters? */
static bool is_current(const ss_cycle_scale *c, const ss_lane *lane, const ss_view *view,
                       int64_t start)
{
    return c->begun && c->cycle == start && c->began == lane->run->began &&
           c->change == lane->pushed && same_picture(&c->view, view);
}

static bool can_learn(const ss_engine *e, const ss_run *run, const ss_view *view)
{
    const ss_problem *p = &run->problem;
    double updates = (double)p->nx * p->ny * p->nz * run->ticks_per_cycle;
    bool numbers = view->layer != SS_AGE && view->layer != SS_OWNER;
    return numbers && view->w > 0 && view->h > 0 && run->ops->peek && run->status == SS_RUNNING &&
           run->ticks_per_cycle > 1 && (e->setup.deterministic || updates <= UPDATES_MAX);
}

static void begin(ss_cycle_scale *c, const ss_lane *lane, const ss_view *view)
{
    c->begun = true;
    c->view = *view;
    c->cycle = lane->run->cycle;
    c->began = lane->run->began;
    c->change = lane->pushed;
    c->next = lane->run->ticks_per_cycle;
    c->lo = (double)INFINITY, c->hi = (double)-INFINITY;
}

/* Adds the extremes of subiteration c->next. */
static int learn_one(const ss_engine *e, ss_cycle_scale *c, ss_run *run, ss_err *err)
{
    ss_view view = c->view;
    view.exact = view.exact || e->setup.deterministic || e->finished;
    view.tile_x = view.tile_y = view.probe_x = view.probe_y = -1;
    if (ss_publish_room(&c->picture, &c->room, view.w, view.h) != SS_OK)
        return ss_fail(err, "out of memory: a picture");
    c->picture.w = view.w, c->picture.h = view.h;
    if (run->ops->peek(run, c->next, err) != SS_OK)
        return SS_FAIL;
    run->peek = c->next--;
    if (run->backend->sample(run, &view, &c->picture, err) != SS_OK)
        return SS_FAIL;
    c->lo = fmin(c->lo, c->picture.lo);
    c->hi = fmax(c->hi, c->picture.hi);
    return SS_OK;
}

/* Learns all of it, or what fits into a slice of time. False: it is not known. */
static bool learn(const ss_engine *e, ss_lane *lane)
{
    ss_cycle_scale *c = &lane->scale;
    ss_run *run = lane->run;
    ss_err err;
    if (!can_learn(e, run, &e->view))
        return false;
    if (!is_current(c, lane, &e->view, run->cycle))
        begin(c, lane, &e->view);
    if (c->next == 0)
        return true;
    int shown = run->peek, status = SS_OK;
    double until = ss_clock() + SLICE;
    do
        status = learn_one(e, c, run, &err);
    while (status == SS_OK && c->next > 0 && (e->setup.deterministic || ss_clock() < until));
    run->peek = shown;
    if (shown > 0 && run->ops->peek(run, shown, &err) != SS_OK)
        status = SS_FAIL;
    c->begun = status == SS_OK;
    return c->begun;
}

int ss_scale_tick(const ss_engine *e, ss_lane *lane, ss_err *err)
{
    ss_run *run = lane->run;
    int64_t start = run->cycle;
    if (run->peek == 0)
        lane->scale.begun = false;
    if (run->peek > 0 && run->peek + 1 >= run->ticks_per_cycle)
        learn(e, lane);
    int status = ss_run_tick(run, err);
    lane->scale.end = run->cycle > start ? run->cycle : -1;
    return status;
}

/* The scale of the cycle that is shown, or that a tick has just ended. */
static bool scale_of(const ss_engine *e, ss_lane *lane)
{
    const ss_cycle_scale *c = &lane->scale;
    const ss_run *run = lane->run;
    if (run->peek > 0)
        return learn(e, lane);
    return c->end == run->cycle && is_current(c, lane, &e->view, run->cycle - 1);
}

/* Fills s->scale, over all lanes of a race. True: some subiterations are not known yet, so the next
 * snapshot will have a better one. */
static bool publish_scale(ss_engine *e, ss_snapshot *s)
{
    bool busy = false;
    s->scale = (ss_scale){false, (double)INFINITY, (double)-INFINITY};
    for (int i = 0; i < e->nlane; i++) {
        ss_lane *lane = &e->lane[i];
        if ((i != e->shown && !e->race.on) || !scale_of(e, lane))
            continue;
        s->scale.valid = true;
        s->scale.lo = fmin(s->scale.lo, lane->scale.lo);
        s->scale.hi = fmax(s->scale.hi, lane->scale.hi);
        busy = busy || (lane->run->peek > 0 && lane->scale.next > 0);
    }
    return busy;
}

void ss_scale_free(ss_cycle_scale *c)
{
    free(c->picture.cell);
    free(c->picture.owner);
    *c = (ss_cycle_scale){.begun = false};
}

/* --- the snapshot ----------------------------------------------------------------------------- */

void ss_engine_publish(ss_engine *e)
{
    static const bool log_layers[SS_NLAYER] = {
        [SS_RESIDUAL] = true, [SS_ERROR] = true, [SS_UPDATE] = true, [SS_STALENESS] = true};
    ss_snapshot *s = ss_mailbox_back(e->mailbox);
    ss_lane *lane = &e->lane[e->shown];
    ss_run *run = lane->run;
    fill_progress(e, s, lane);
    update_references(e, s, run);
    bool learning = publish_scale(e, s);
    fill_picture(e, s, lane);
    fill_words(s, run);
    fill_layers(s, run);
    ss_publish_line(s, run, e->view.tile_x);
    ss_publish_slice(s, lane);
    ss_publish_bands(s, lane);
    fill_ranks(s, run);
    fill_telemetry(s, lane);
    fill_curve(s, run);
    fill_controls(s, run);
    fill_kernels(s, run);
    for (int i = 0; e->features[i]; i++)
        if (e->features[i]->publish)
            e->features[i]->publish(e, s);
    s->cfg = run->cfg;
    s->load = run->load, s->rhs = run->rhs;
    s->ledger = run->per_cycle;
    s->working_set = ss_config_working_set(&run->cfg);
    s->threads = run->backend->lost ? 0 : ss_run_threads(run);
    s->split = run->split;
    s->split.on = run->split.on && !s->deterministic;
    s->log_layer = log_layers[s->view.layer];
    memcpy(s->message, e->message, sizeof s->message);
    s->message_seq = e->message_seq;
    s->message_is_error = e->message_is_error;
    s->message_warns = e->message_warns;
    s->message_refuses = e->message_refuses;
    memcpy(s->rescued, run->rescued, sizeof s->rescued);
    s->seq = ++e->published;
    e->dirty = s->busy_reference || s->busy_baseline || learning;
    ss_mailbox_publish(e->mailbox);
    if (e->setup.wake)
        e->setup.wake(e->setup.wake_ctx);
}
