/* The panel of costs: the ledger and the measured figures, each row with its explanation, or the
 * run under the kept roofs of the machine. See build.h. Main thread only. */
#include <math.h>
#include <string.h>

#include "ui/panels/build.h"

/* --- rows of text ----------------------------------------------------------------------------- */

/* A figure and its name. help: shown when the mouse rests on the row; NULL: none. */
typedef struct text_row {
    const char *label, *help, *text;
    ss_theme_role role;
} text_row;

/* In the last row of a panel without room for all: how many rows it lacks. */
static void put_rows(const ss_build *b, ss_rect in, const text_row *rows, int n)
{
    int shown = n > in.h ? in.h - 1 : n, missing = n - shown;
    for (int i = 0; i < shown; i++) {
        ss_rect at = {in.x, in.y + i, in.w, 1};
        if (rows[i].help)
            ss_scene_hit(b->s, SS_H_WORDS, at, rows[i].help, 0);
        ss_put_end(b, at, rows[i].role, SS_FIGURE, rows[i].text);
        at.w -= ss_text_width(rows[i].text) + 1;
        ss_put(b, at, SS_C_DIM, 0, rows[i].label);
    }
    if (missing == 0)
        return;
    ss_rect last = {in.x, in.y + in.h - 1, in.w, 1};
    ss_scene_hit(b->s, SS_H_WORDS, last, "a larger screen shows them", 0);
    ss_put(b, last, SS_C_FAINT, 0, ss_text("… %d more row%s", missing, missing == 1 ? "" : "s"));
}

/* --- the cost of a cycle ---------------------------------------------------------------------- */

typedef enum cost {
    NO_COST,
    STEPS,
    LAUNCHES,
    CLASSIC_LAUNCHES,
    REDUCTIONS,
    SWEEPS,
    CORE_BYTES,
    GLOBAL_BYTES,
    EDGE_BYTES,
    TILE_BYTES,
    PANEL_BYTES,
    BARRIERS,
    UPDATES,
    ALL_UPDATES,
    IDLE,
    USEFUL,
    REDUNDANT,
    STALE,
    BLOCKS,
    INVERSES,
    PER_UPDATE,
    GHOST_SHARE,
    ITERATION,
    STEP,
    CLASSIC,
    CLASSIC_STEP,
    SPEED_UP,
    STEP_SPEED_UP,
    IN_JACOBI,
    EQUAL,
    EQUAL_STEPS,
    NCOSTS
} cost;

/* unit: "" a count, "#" scaled, "B", "%", "s", "x" a factor, "=" yes or no. role: where there is
 * some of it; 0: as others. brief: the label where there is no room for it; NULL: none. */
static const struct cost_row {
    const char *label, *unit, *help;
    ss_theme_role role;
    const char *brief;
} cost_rows[NCOSTS] = {
    [STEPS] = {"steps", "", "time steps per cycle"},
    [LAUNCHES] = {"launches", "", "kernel launches per cycle; on a CPU, parallel loops"},
    [CLASSIC_LAUNCHES] = {"classic launches", "",
                          "launches that classic stepping would need for the same steps",
                          .brief = "vs. classic"},
    [REDUCTIONS] = {"reductions", "", "sums over all points per cycle, for which everybody waits",
                    SS_C_ACCENT},
    [SWEEPS] = {"sweeps", "x", "updates per point and cycle, on all grids"},
    [CORE_BYTES] = {"global bytes", "B", "moved between global memory and the cores"},
    [GLOBAL_BYTES] = {"global bytes", "B", "moved between global memory and the tiles"},
    [EDGE_BYTES] = {"edge bytes", "B", "global bytes of the halo exchange"},
    [TILE_BYTES] = {"tile bytes", "B",
                    "moved inside the tiles: shared memory of a GPU, caches of a CPU"},
    [PANEL_BYTES] = {"panel bytes", "B",
                     "moved in shared memory; on a CPU, in the panels of a thread"},
    [BARRIERS] = {"barriers per block", "", "barriers among the threads of each block"},
    [UPDATES] = {"updates", "#", "point updates per cycle"},
    [ALL_UPDATES] = {"updates", "#", "point updates per cycle, redundant ones included"},
    [IDLE] = {"lanes idle", "%", "share of idle points in the working blocks"},
    [USEFUL] = {"useful", "%", "share of the updates that are not redundant", SS_C_SERIES2},
    [REDUNDANT] = {"redundant", "%",
                   "share of the updates that overlap computes twice and discards", SS_C_ACCENT},
    [STALE] = {"stale kept", "%", "share of the written points that depend on a stale halo",
               SS_C_SERIES3},
    [BLOCKS] = {"blocks", "", "blocks relaxed per cycle"},
    [INVERSES] = {"inverses", "B", "the stored inverses of the blocks"},
    [PER_UPDATE] = {"per update", "B", "global bytes per point update"},
    [GHOST_SHARE] = {"for ghosts", "%",
                     "share of the global bytes that fills ghost cells of patches"},
    [ITERATION] = {"per iteration", "s", "time per iteration, without residual checks"},
    [STEP] = {"per step", "s", "time per step"},
    [CLASSIC] = {"classic", "s", "time per iteration of classic Jacobi, in turn with this run"},
    [CLASSIC_STEP] = {"classic", "s", "time per step of classic stepping, in turn with this run",
                      SS_C_TEXT},
    [SPEED_UP] = {"speed-up per iteration", "x",
                  "time per iteration of classic Jacobi, divided by that of this run",
                  .brief = "speed-up/iter."},
    [STEP_SPEED_UP] = {"speed-up per step", "x",
                       "time per step of classic stepping, divided by that of this run",
                       .brief = "speed-up/step"},
    [IN_JACOBI] = {"in Jacobi iterations", "x",
                   "time per iteration, divided by that of classic Jacobi", .brief = "in Jacobi's"},
    [EQUAL] = {"bit-for-bit equal", "=",
               "has the field the same bits as after classic iterations, from the start (✓) or "
               "from a cycle on?",
               .brief = "equal bits"},
    [EQUAL_STEPS] = {"bit-for-bit equal", "=",
                     "has the field the same bits as after classic steps, from the start (✓) or "
                     "from a cycle on?",
                     .brief = "equal bits"}};

/* The rows of a kind of run; those of a run that is compared with the classic solver; and those
 * that are left out where the panel is low, the least important first. */
enum { COSTS = 8, PAIRS = 4, LEFT_OUT = 4 };
typedef struct cost_set {
    cost row[COSTS], pair[PAIRS], last[LEFT_OUT];
} cost_set;

static const cost_set tiles = {{LAUNCHES, GLOBAL_BYTES, TILE_BYTES, BARRIERS, ALL_UPDATES, USEFUL,
                                REDUNDANT, STALE},
                               {ITERATION, CLASSIC, SPEED_UP, EQUAL},
                               {BARRIERS, TILE_BYTES, ALL_UPDATES, CLASSIC}},
                      sweeps = {{LAUNCHES, REDUCTIONS, SWEEPS, CORE_BYTES, PER_UPDATE, UPDATES},
                                {ITERATION, CLASSIC, SPEED_UP, EQUAL},
                                {UPDATES, PER_UPDATE, CLASSIC}},
                      another_method = {{LAUNCHES, REDUCTIONS, SWEEPS, CORE_BYTES, PER_UPDATE,
                                         UPDATES},
                                        {ITERATION, CLASSIC, IN_JACOBI},
                                        {UPDATES, PER_UPDATE, CLASSIC}},
                      transient = {{STEPS, LAUNCHES, CLASSIC_LAUNCHES, GLOBAL_BYTES, EDGE_BYTES,
                                    TILE_BYTES, ALL_UPDATES, IDLE},
                                   {STEP, CLASSIC_STEP, STEP_SPEED_UP, EQUAL_STEPS},
                                   {TILE_BYTES, ALL_UPDATES, EDGE_BYTES, CLASSIC_STEP}},
                      patches = {{LAUNCHES, BLOCKS, ALL_UPDATES, GLOBAL_BYTES, PER_UPDATE,
                                  GHOST_SHARE, PANEL_BYTES, INVERSES},
                                 {NO_COST},
                                 {NO_COST}};

static const cost_set *set_of(const ss_snapshot *snap)
{
    return snap->kind == SS_TRANSIENT    ? &transient
           : snap->dim > 2               ? &patches
           : snap->tiled                 ? &tiles
           : snap->beside.another_method ? &another_method
                                         : &sweeps;
}

/* The comparison with the classic solver is measured, the rest is modelled. NaN: unknown. */
static void compute(const ss_snapshot *snap, double v[NCOSTS])
{
    const ss_ledger *l = &snap->ledger;
    const ss_beside_pair *p = &snap->beside.pair;
    bool timed = p->timed && !snap->deterministic,
         stored = snap->telemetry.valid[SS_T_INVERSE_BYTES];
    v[STEPS] = snap->steps;
    v[LAUNCHES] = l->launches;
    v[CLASSIC_LAUNCHES] = snap->levels;
    v[REDUCTIONS] = l->reductions;
    v[SWEEPS] = l->updates / ((double)snap->nx * snap->ny * snap->nz);
    v[CORE_BYTES] = v[GLOBAL_BYTES] = l->global_bytes;
    v[EDGE_BYTES] = l->edge_bytes;
    v[TILE_BYTES] = v[PANEL_BYTES] = l->shared_bytes;
    v[BARRIERS] = l->blocks > 0 ? l->barriers / l->blocks : l->barriers;
    v[UPDATES] = v[ALL_UPDATES] = l->updates;
    v[IDLE] = 100 * l->idle;
    v[REDUNDANT] = l->updates > 0 ? 100 * l->redundant_updates / l->updates : 0;
    v[USEFUL] = 100 - v[REDUNDANT];
    v[STALE] = 100 * l->stale_kept;
    v[BLOCKS] = l->blocks;
    v[INVERSES] = stored ? snap->telemetry.value[SS_T_INVERSE_BYTES] : 0;
    v[PER_UPDATE] = l->updates > 0 ? l->global_bytes / l->updates : 0;
    v[GHOST_SHARE] = l->global_bytes > 0 ? 100 * l->edge_bytes / l->global_bytes : 0;
    v[ITERATION] = v[STEP] = timed ? p->own : (double)NAN;
    v[CLASSIC] = v[CLASSIC_STEP] = timed ? p->classic : (double)NAN;
    v[SPEED_UP] = v[STEP_SPEED_UP] = v[CLASSIC] / v[ITERATION];
    v[IN_JACOBI] = v[ITERATION] / v[CLASSIC];
    v[EQUAL] = v[EQUAL_STEPS] = p->checked ? p->equal : (double)NAN;
}

/* Formats "16.4 M". */
static const char *spaced_si(double v)
{
    const char *text = ss_si_text(v, "");
    size_t n = strlen(text);
    bool prefix = n > 1 && (text[n - 1] < '0' || text[n - 1] > '9');
    return ss_text("%.*s%s%s", (int)(n - prefix), text, prefix ? " " : "",
                   prefix ? text + n - 1 : "");
}

/* The check starts from a field of the run: it speaks of the whole run if that was exact so far. */
static const char *bits_text(const ss_snapshot *snap, bool equal)
{
    if (equal && snap->exact_since > 0)
        return ss_text("from %lld on", (long long)snap->beside.pair.from);
    return equal ? "✓" : "✗";
}

static const char *cost_text(const ss_snapshot *snap, const char *unit, double v)
{
    if (isnan(v))
        return "–";
    switch (*unit) {
    case 's':
        return ss_si_text(v, "s");
    case 'x':
        return ss_figure_text(v);
    case '=':
        return bits_text(snap, v > 0);
    case '%':
        return ss_text("%.1f %%", v);
    case 'B':
        return ss_bytes_text(v);
    case '#':
        return spaced_si(v);
    default:
        return ss_count_text(v);
    }
}

/* The rows of a run, the comparison with the classic solver included; returns their number. */
static int all_costs(const ss_snapshot *snap, cost out[COSTS + PAIRS])
{
    const cost_set *set = set_of(snap);
    int n = 0;
    for (; n < COSTS && set->row[n]; n++)
        out[n] = set->row[n];
    for (int i = 0; i < PAIRS && snap->beside.wanted && set->pair[i]; i++)
        out[n++] = set->pair[i];
    return n;
}

/* Leaves out unimportant rows until the rest fits. */
static int fitting_costs(const ss_snapshot *snap, int room, cost out[COSTS + PAIRS])
{
    const cost *last = set_of(snap)->last;
    int n = all_costs(snap, out);
    for (int k = 0; k < LEFT_OUT && last[k] && n > room; k++)
        for (int i = 0; i < n; i++)
            if (out[i] == last[k]) {
                memmove(out + i, out + i + 1, (size_t)(--n - i) * sizeof *out);
                break;
            }
    return n;
}

/* A factor takes the columns of "0.951", so that its label does not change with the value. */
static const char *label_for(const struct cost_row *row, int columns, const char *value)
{
    enum { FACTOR = 5 };
    int least = *row->unit == 'x' ? FACTOR : 0, w = ss_text_width(value);
    bool fits = ss_text_width(row->label) + 1 + (w > least ? w : least) <= columns;
    return row->brief && !fits ? row->brief : row->label;
}

/* Returns the number of rows, those without room included. */
static int put_costs(const ss_build *b, ss_rect in)
{
    cost id[COSTS + PAIRS];
    text_row rows[COSTS + PAIRS];
    double v[NCOSTS];
    int n = fitting_costs(b->snap, in.h, id);
    compute(b->snap, v);
    for (int i = 0; i < n; i++) {
        const struct cost_row *row = &cost_rows[id[i]];
        const char *text = cost_text(b->snap, row->unit, v[id[i]]);
        rows[i] = (text_row){label_for(row, in.w, text), row->help, text,
                             v[id[i]] > 0 && row->role ? row->role : SS_C_TEXT};
    }
    put_rows(b, in, rows, n);
    return n;
}

bool ss_cost_help(const ss_snapshot *snap, int i, const char **label, const char **help)
{
    cost id[COSTS + PAIRS];
    if (i >= all_costs(snap, id))
        return false;
    *label = cost_rows[id[i]].label;
    *help = cost_rows[id[i]].help;
    return true;
}

/* --- the measured figures --------------------------------------------------------------------- */

/* Explanations of measured rows whose names do not suffice. */
static const char *const helps[SS_NTELEMETRY] = {
    [SS_T_RESIDUAL] = "norm of the residual b - Au",
    [SS_T_REDUCTION] = "norm of the residual over that of the first",
    [SS_T_FACTOR] =
        "of the residual per cycle, mean of the last ones (at most 100); once it is steady",
    [SS_T_PREDICTED] = "its limit after many cycles, from Jacobi's spectral radius; near the best "
                       "omega the residual falls more slowly for long",
    [SS_T_MAX_ERROR] = "largest distance to the exact solution",
    [SS_T_SECONDS] = "solving time with residual checks, without pictures",
    [SS_T_CYCLE_SECONDS] = "recent time per cycle, residual checks included",
    [SS_T_STEP_SECONDS] = "recent time per step",
    [SS_T_BANDWIDTH] = "global bytes per second, time of residual checks included",
    [SS_T_BYTES] = "global bytes moved since the start, modelled",
    [SS_T_GHOSTS] = "time to fill the ghost cells of patches",
    [SS_T_INVERSES] = "time to compute the inverses of blocks",
    [SS_T_TILE] = "registers or shared memory of an SM that a subdomain uses",
    [SS_T_TILE_ROOM] = "the most of them that a thread block may use",
    [SS_T_UPLOAD] = "time to upload the field to the device",
    [SS_T_DOWNLOAD] = "time to download the field",
    [SS_T_HIDDEN] = "iterations that take as long as both transfers, without pictures",
};

/* The rows of steady and of transient runs; those of some runs only: ghost cells of patches, block
 * inverses, a tile's share of an SM, transfers of the fields. They end with the first telemetry. */
enum { MEASURED = 11, ALL_MEASURED = MEASURED + SS_MONITOR_MAX + MEASURED };
static const ss_telemetry_id
    measured_ids[SS_NKIND][MEASURED + 1] =
        {[SS_STEADY] = {SS_T_RESIDUAL, SS_T_REDUCTION, SS_T_FACTOR, SS_T_PREDICTED, SS_T_MAX_ERROR,
                        SS_T_BYTES, SS_T_SECONDS, SS_T_CYCLE_SECONDS, SS_T_BANDWIDTH, SS_T_TEFF,
                        SS_T_ACCURACY},
         [SS_TRANSIENT] = {SS_T_TIME, SS_T_DT, SS_T_STEP, SS_T_MAX_ERROR, SS_T_STEP_SECONDS,
                           SS_T_CYCLE_SECONDS, SS_T_SECONDS, SS_T_BYTES, SS_T_BANDWIDTH}},
                                      further_ids[] = {SS_T_GHOSTS,    SS_T_INVERSES, SS_T_TILE,
                                                       SS_T_TILE_ROOM, SS_T_UPLOAD,   SS_T_DOWNLOAD,
                                                       SS_T_COMPUTE,   SS_T_HIDDEN,   0};

/* The costs have the time per iteration or step, by another clock: without norms. */
static bool is_told_twice(const ss_snapshot *snap, ss_telemetry_id id)
{
    return (id == SS_T_STEP_SECONDS || id == SS_T_CYCLE_SECONDS) && snap->beside.wanted;
}

static int add_telemetry(const ss_snapshot *snap, const ss_telemetry_id *id, bool wall,
                         text_row *out)
{
    int n = 0;
    for (; *id; id++) {
        const ss_telemetry_row *row = &ss_telemetry_rows[*id];
        if (!is_told_twice(snap, *id) && (snap->telemetry.valid[*id] || (wall && row->wall)))
            out[n++] = (text_row){row->label, helps[*id], ss_telemetry_text(snap, *id), SS_C_TEXT};
    }
    return n;
}

/* "0.5625"; for a conserved quantity also its conservation error, "0.5625 ±2e-16". */
static text_row watched_row(const ss_watched *w, int columns)
{
    int room = columns - ss_text_width(w->row->name) - 2;
    double error = fabs(ss_watched_drift(w, w->now, w->time));
    const char *drift = isfinite(error) ? ss_sci_text(error) : "–";
    const char *now = ss_text("%.5g", w->now), *both = ss_text("%s ±%s", now, drift);
    bool conserved = w->row->conserved, fits = (int)strlen(both) - 1 <= room;
    return (text_row){ss_text("%s%s", w->row->name, conserved && !fits ? " drift" : ""),
                      conserved ? "error of conservation" : NULL,
                      !conserved ? now
                      : fits     ? both
                                 : drift,
                      SS_C_TEXT};
}

/* Below the costs, if there is room: the measured figures so far. */
static void put_measured(const ss_build *b, ss_rect in)
{
    const ss_snapshot *p = b->snap;
    text_row rows[ALL_MEASURED];
    int n = add_telemetry(p, measured_ids[p->kind], true, rows);
    for (int i = 0; i < p->nwatched; i++)
        rows[n++] = watched_row(&p->watched[i], in.w);
    n += add_telemetry(p, further_ids, false, rows + n);
    ss_put(b, ss_rect_top(&in, 1), SS_C_TEXT, SS_BOLD,
           p->ranks.count == 0 ? "This run"
           : in.w >= 25        ? "This run, in virtual time"
                               : "In virtual time");
    put_rows(b, in, rows, n);
}

/* --- the roofline ----------------------------------------------------------------------------- */

#define STAGGER 0.08 /* of the width: between the names of two roofs */
#define WIDE 8       /* the axis of operations per byte reaches beyond the run by this factor */

/* The roofs as series from x0 to x1. */
static void add_roofs(const ss_build *b, ss_chart *c, const ss_roofs *r, double x0, double x1)
{
    for (int i = r->n - 1; i >= 0; i--) {
        ss_xy *at = ss_scene_points(b->s, 3);
        if (!at)
            return;
        double ridge = r->rate > 0 ? r->rate / r->roof[i].bandwidth : x1;
        ridge = fmin(fmax(ridge, x0), x1);
        at[0] = (ss_xy){x0, ss_roofs_at(r, i, x0)};
        at[1] = (ss_xy){ridge, ss_roofs_at(r, i, ridge)};
        at[2] = (ss_xy){x1, ss_roofs_at(r, i, x1)};
        ss_theme_role role = i == 0 ? SS_C_TEXT : SS_C_DIM;
        ss_chart_add(c, (ss_series){.at = at, .n = 3, .role = role, .dash = i == 0 ? 0 : 3}, NULL);
        double x = x0 * pow(x1 / x0, STAGGER * i);
        c->note[c->nnote++] = (ss_chart_note){{x, ss_roofs_at(r, i, x)}, r->roof[i].name, role};
    }
}

/* The point of the run: operations per byte are modelled, the bandwidth is measured. */
static ss_roof_point roof_point(const ss_snapshot *snap)
{
    const ss_ledger *l = &snap->ledger;
    bool known = snap->telemetry.valid[SS_T_BANDWIDTH] && l->global_bytes > 0 && l->operations > 0;
    double intensity = known ? l->operations / l->global_bytes : (double)NAN;
    return (ss_roof_point){intensity, intensity * snap->telemetry.value[SS_T_BANDWIDTH],
                           snap->threads, snap->working_set};
}

static void roofline_chart(const ss_build *b, const ss_roofs *r, const ss_roof_point *p,
                           ss_rect chart, ss_rect panel)
{
    enum { NAMES = 12 };
    ss_chart *c = &b->s->chart[3];
    ss_xy *at = ss_scene_points(b->s, 1);
    double x0 = p->intensity / WIDE, x1 = p->intensity * WIDE, top = p->rate;
    *c = (ss_chart){.x_label = "op/B",
                    .y_label = "op/s",
                    .x_name = "operations per byte",
                    .y_name = "operations per second"};
    for (int i = 0; i < r->n; i++)
        top = fmax(top, ss_roofs_at(r, i, x1));
    ss_axis_make(&c->x, x0, x1, true, false, chart.w / 7);
    ss_axis_make(&c->y, fmin(ss_roofs_at(r, 0, x0), p->rate) / 2, top * 1.5, true, false,
                 chart.h / 2);
    add_roofs(b, c, r, c->x.lo, c->x.hi);
    if (chart.h < NAMES && c->nnote > 1) /* no room but for the name of memory, the last one */
        c->note[0] = c->note[c->nnote - 1], c->nnote = 1;
    if (at) {
        *at = (ss_xy){p->intensity, p->rate};
        ss_chart_add(c, (ss_series){.at = at, .n = 1, .role = SS_C_SERIES3, .points = 2}, NULL);
    }
    ss_build_chart(b, c, SS_X_INTENSITY, chart, panel);
}

/* "memory 25.1 GB/s, L3 40.3 GB/s, matrix product 56.2 Gop/s" */
static const char *limits_text(const ss_roofs *r)
{
    const char *text = "";
    for (int i = 0; i < r->n; i++)
        text = ss_text("%s%s%s %s", text, i ? ", " : "", r->roof[i].name,
                       ss_si_text(r->roof[i].bandwidth, "B/s"));
    return r->rate > 0 ? ss_text("%s, matrix product %s", text, ss_si_text(r->rate, "op/s")) : text;
}

static void measured_roofline(const ss_build *b, const ss_roofs *r, ss_rect panel)
{
    enum { LEAST = 5, FEW = 2, MANY = 4 }; /* rows of the chart, of the words below it */
    char text[240];
    ss_rect in = ss_layout_inside(b->l, panel);
    const ss_roof_point p = roof_point(b->snap);
    if (isnan(p.rate)) {
        ss_build_nothing(b, panel, "the run is not measured yet; space goes on");
        return;
    }
    int words = in.h >= 3 * MANY ? MANY : in.h >= LEAST + FEW ? FEW : 0;
    in.h -= words;
    roofline_chart(b, r, &p, in, panel);
    in.y += in.h, in.h = words;
    ss_rect_top(&in, ss_build_wrap(b, in, SS_C_TEXT, ss_roofs_explain(r, &p, text, sizeof text)));
    if (words == MANY)
        ss_build_wrap(b, in, SS_C_DIM, limits_text(r));
}

static void roofline(const ss_build *b, ss_rect panel)
{
    const ss_costing *c = &b->ui->cost;
    if (b->snap->deterministic)
        ss_build_nothing(b, panel, "with --deterministic nothing is measured");
    else if (b->ui->in_order)
        ss_build_nothing(b, panel, "recordings have no roofline: it depends on the clock");
    else if (c->roofs)
        measured_roofline(b, c->roofs, panel);
    else if (c->no_roofs)
        ss_build_wrap(b, ss_layout_inside(b->l, panel), SS_C_DIM, c->no_roofs);
}

/* --- the panel -------------------------------------------------------------------------------- */

void ss_build_ledger(const ss_build *b)
{
    enum { WIDEST = 52 }; /* a figure far from its name cannot be read */
    ss_rect r = b->l->panel[SS_PANEL_LEDGER];
    if (!r.w)
        return;
    const ss_tabs tabs = {ss_cost_pages,  NULL, SS_COST_NPAGE, (int)b->ui->cost.page, NULL,
                          "view cost %s", 0};
    int end = ss_build_tabs(b, r, &tabs);
    if (b->ui->cost.page == SS_COST_ROOFLINE) {
        roofline(b, r);
        return;
    }
    ss_build_unit(b, r, end,
                  b->snap->ranks.count > 0 && r.w >= 50 ? "one cycle, modelled; times virtual"
                  : b->snap->beside.wanted && r.w >= 50 ? "one cycle, modelled; times measured"
                                                        : "one cycle");
    if (ss_page_awaits(b->ui)) { /* one of them may be the answer */
        ss_build_nothing(b, r, "shown after your prediction");
        return;
    }
    ss_rect in = {r.x + 2, r.y + b->l->head, r.w - 4, r.h - b->l->head - 1};
    in.w = in.w < WIDEST ? in.w : WIDEST;
    int n = put_costs(b, in);
    if (in.h < n + 4)
        return;
    ss_rect_top(&in, n + 1);
    if (b->snap->kind != SS_STEADY ||
        !b->l->panel[SS_PANEL_PROFILE].w) /* else lower.c shows them */
        ss_rect_top(&in, ss_build_shares(b, in, in.y));
    if (in.h >= 3)
        put_measured(b, in);
}
