/* The panel of costs: the ledger and the measured figures, each row with its explanation, or the
 * run under the kept roofs of the machine. See build.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/panels/build.h"

/* --- the cost of a cycle ---------------------------------------------------------------------- */

typedef double (*cost_getter)(const ss_snapshot *snap);

typedef struct cost_row {
    const char *label, *help;
    cost_getter value;
    const char *unit; /* "" a count, "#" scaled, "B", "%", "s", "x" a factor, "=" yes or no */
    ss_theme_role role;
    const char *brief; /* the label where there is no room for it; NULL: none */
} cost_row;

static double steps(const ss_snapshot *snap)
{
    return snap->steps;
}
static double launches(const ss_snapshot *snap)
{
    return snap->ledger.launches;
}
static double classic_launches(const ss_snapshot *snap)
{
    return snap->levels;
}
static double reductions(const ss_snapshot *snap)
{
    return snap->ledger.reductions;
}
static double sweeps(const ss_snapshot *snap)
{
    return snap->ledger.updates / ((double)snap->nx * snap->ny * snap->nz);
}
static double global_bytes(const ss_snapshot *snap)
{
    return snap->ledger.global_bytes;
}
static double edge_bytes(const ss_snapshot *snap)
{
    return snap->ledger.edge_bytes;
}
static double shared_bytes(const ss_snapshot *snap)
{
    return snap->ledger.shared_bytes;
}
static double barriers(const ss_snapshot *snap)
{
    const ss_ledger *l = &snap->ledger;
    return l->blocks > 0 ? l->barriers / l->blocks : l->barriers;
}
static double updates(const ss_snapshot *snap)
{
    return snap->ledger.updates;
}
static double idle(const ss_snapshot *snap)
{
    return 100 * snap->ledger.idle;
}
static double redundant(const ss_snapshot *snap)
{
    const ss_ledger *l = &snap->ledger;
    return l->updates > 0 ? 100 * l->redundant_updates / l->updates : 0;
}
static double useful(const ss_snapshot *snap)
{
    return 100 - redundant(snap);
}
static double stale(const ss_snapshot *snap)
{
    return 100 * snap->ledger.stale_kept;
}

static double blocks(const ss_snapshot *snap)
{
    return snap->ledger.blocks;
}
static double inverses(const ss_snapshot *snap)
{
    return snap->telemetry.valid[SS_T_INVERSE_BYTES] ? snap->telemetry.value[SS_T_INVERSE_BYTES]
                                                     : 0;
}
static double bytes_per_update(const ss_snapshot *snap)
{
    const ss_ledger *l = &snap->ledger;
    return l->updates > 0 ? l->global_bytes / l->updates : 0;
}
static double ghost_share(const ss_snapshot *snap)
{
    const ss_ledger *l = &snap->ledger;
    return l->global_bytes > 0 ? 100 * l->edge_bytes / l->global_bytes : 0;
}

/* The comparison with the classic solver: measured, not modelled. NaN: unknown. */
static double own_seconds(const ss_snapshot *snap)
{
    const ss_beside_pair *p = &snap->beside.pair;
    return p->timed && !snap->deterministic ? p->own : (double)NAN;
}
static double classic_seconds(const ss_snapshot *snap)
{
    const ss_beside_pair *p = &snap->beside.pair;
    return p->timed && !snap->deterministic ? p->classic : (double)NAN;
}
static double speed_up(const ss_snapshot *snap)
{
    return classic_seconds(snap) / own_seconds(snap);
}
static double in_classic_iterations(const ss_snapshot *snap)
{
    return own_seconds(snap) / classic_seconds(snap);
}
static double equal_bits(const ss_snapshot *snap)
{
    const ss_beside_pair *p = &snap->beside.pair;
    return p->checked ? p->equal : (double)NAN;
}

enum { COSTS = 8, PAIRS = 4 };
typedef enum cost_set {
    COSTS_TILES,
    COSTS_SWEEPS,
    COSTS_METHOD, /* sweeps of another method than Jacobi's */
    COSTS_TRANSIENT,
    COSTS_PATCHES,
    NCOSTS
} cost_set;
#define COST_ROWS_SWEEPS                                                                           \
    {                                                                                              \
        {"launches", "kernel launches per cycle; on a CPU, parallel loops", launches, "",          \
         SS_C_TEXT},                                                                               \
            {"reductions", "sums over all points per cycle, for which everybody waits",            \
             reductions, "", SS_C_ACCENT},                                                         \
            {"sweeps", "updates per point and cycle, on all grids", sweeps, "x", SS_C_TEXT},       \
            {"global bytes", "moved between global memory and the cores", global_bytes, "B",       \
             SS_C_TEXT},                                                                           \
            {"per update", "global bytes per point update", bytes_per_update, "B", SS_C_TEXT},     \
        {                                                                                          \
            "updates", "point updates per cycle", updates, "#", SS_C_TEXT                          \
        }                                                                                          \
    }
static const cost_row cost_rows[NCOSTS][COSTS] = {
    [COSTS_PATCHES] =
        {{"launches", "kernel launches per cycle; on a CPU, parallel loops", launches, "",
          SS_C_TEXT},
         {"blocks", "blocks relaxed per cycle", blocks, "", SS_C_TEXT},
         {"updates", "point updates per cycle, redundant ones included", updates, "#", SS_C_TEXT},
         {"global bytes", "moved between global memory and the tiles", global_bytes, "B",
          SS_C_TEXT},
         {"per update", "global bytes per point update", bytes_per_update, "B", SS_C_TEXT},
         {"for ghosts", "share of the global bytes that fills ghost cells of patches", ghost_share,
          "%", SS_C_TEXT},
         {"panel bytes", "moved in shared memory; on a CPU, in the panels of a thread",
          shared_bytes, "B", SS_C_TEXT},
         {"inverses", "the stored inverses of the blocks", inverses, "B", SS_C_TEXT}},
    [COSTS_SWEEPS] = COST_ROWS_SWEEPS,
    [COSTS_METHOD] = COST_ROWS_SWEEPS,
    [COSTS_TILES] =
        {{"launches", "kernel launches per cycle; on a CPU, parallel loops", launches, "",
          SS_C_TEXT},
         {"global bytes", "moved between global memory and the tiles", global_bytes, "B",
          SS_C_TEXT},
         {"tile bytes", "moved inside the tiles: shared memory of a GPU, caches of a CPU",
          shared_bytes, "B", SS_C_TEXT},
         {"barriers per block", "barriers among the threads of each block", barriers, "",
          SS_C_TEXT},
         {"updates", "point updates per cycle, redundant ones included", updates, "#", SS_C_TEXT},
         {"useful", "share of the updates that are not redundant", useful, "%", SS_C_SERIES2},
         {"redundant", "share of the updates that overlap computes twice and discards", redundant,
          "%", SS_C_ACCENT},
         {"stale kept", "share of the written points that depend on a stale halo", stale, "%",
          SS_C_SERIES3}},
    [COSTS_TRANSIENT] =
        {{"steps", "time steps per cycle", steps, "", SS_C_TEXT},
         {"launches", "kernel launches per cycle; on a CPU, parallel loops", launches, "",
          SS_C_TEXT},
         {"classic launches", "launches that classic stepping would need for the same steps",
          classic_launches, "", SS_C_TEXT, "vs. classic"},
         {"global bytes", "moved between global memory and the tiles", global_bytes, "B",
          SS_C_TEXT},
         {"edge bytes", "global bytes of the halo exchange", edge_bytes, "B", SS_C_TEXT},
         {"tile bytes", "moved inside the tiles: shared memory of a GPU, caches of a CPU",
          shared_bytes, "B", SS_C_TEXT},
         {"updates", "point updates per cycle, redundant ones included", updates, "#", SS_C_TEXT},
         {"lanes idle", "share of idle points in the working blocks", idle, "%", SS_C_TEXT}},
};

/* A run that is compared with the classic solver has these too. */
#define PAIR_ROWS_STEADY                                                                            \
    {                                                                                               \
        {"per iteration", "time per iteration, without residual checks", own_seconds, "s",          \
         SS_C_TEXT},                                                                                \
            {"classic", "time per iteration of classic Jacobi, in turn with this run",              \
             classic_seconds, "s", SS_C_TEXT},                                                      \
            {"speed-up per iteration",                                                              \
             "time per iteration of classic Jacobi, divided by that of this run",                   \
             speed_up,                                                                              \
             "x",                                                                                   \
             SS_C_TEXT,                                                                             \
             "speed-up/iter."},                                                                     \
        {                                                                                           \
            "bit-for-bit equal",                                                                    \
                "has the field the same bits as after classic iterations, from the start (✓) or " \
                "from a cycle on?",                                                                 \
                equal_bits, "=", SS_C_TEXT, "equal bits"                                            \
        }                                                                                           \
    }
static const cost_row pair_rows[NCOSTS][PAIRS] = {
    [COSTS_TILES] = PAIR_ROWS_STEADY,
    [COSTS_SWEEPS] = PAIR_ROWS_STEADY,
    [COSTS_METHOD] = {{"per iteration", "time per iteration, without residual checks", own_seconds,
                       "s", SS_C_TEXT},
                      {"classic", "time per iteration of classic Jacobi, in turn with this run",
                       classic_seconds, "s", SS_C_TEXT},
                      {"in Jacobi iterations",
                       "time per iteration, divided by that of classic Jacobi",
                       in_classic_iterations, "x", SS_C_TEXT, "in Jacobi's"}},
    [COSTS_TRANSIENT] = {
        {"per step", "time per step", own_seconds, "s", SS_C_TEXT},
        {"classic", "time per step of classic stepping, in turn with this run", classic_seconds,
         "s", SS_C_TEXT},
        {"speed-up per step", "time per step of classic stepping, divided by that of this run",
         speed_up, "x", SS_C_TEXT, "speed-up/step"},
        {"bit-for-bit equal",
         "has the field the same bits as after classic steps, from the start (✓) or "
         "from a cycle on?",
         equal_bits, "=", SS_C_TEXT, "equal bits"}}};

/* The rows that are left out first where the panel is low, by their labels' order of importance. */
static const cost_getter *const unimportant[NCOSTS] = {
    [COSTS_SWEEPS] = (const cost_getter[]){updates, bytes_per_update, classic_seconds, NULL},
    [COSTS_METHOD] = (const cost_getter[]){updates, bytes_per_update, classic_seconds, NULL},
    [COSTS_TILES] = (const cost_getter[]){barriers, shared_bytes, updates, classic_seconds, NULL},
    [COSTS_TRANSIENT] =
        (const cost_getter[]){shared_bytes, updates, edge_bytes, classic_seconds, NULL},
    [COSTS_PATCHES] = (const cost_getter[]){NULL}};

/* Formats "16.4 M". */
static void spaced_si(double v, char *buf, size_t size)
{
    char text[32];
    size_t n = strlen(ss_format_si(v, "", text, sizeof text));
    bool prefix = n > 1 && (text[n - 1] < '0' || text[n - 1] > '9');
    snprintf(buf, size, "%.*s%s%s", (int)(n - prefix), text, prefix ? " " : "",
             prefix ? text + n - 1 : "");
}

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

/* The check starts from a field of the run: it speaks of the whole run if that was exact so far. */
static void bits_text(const ss_snapshot *snap, bool equal, char *buf, size_t size)
{
    if (equal && snap->exact_since > 0)
        snprintf(buf, size, "from %lld on", (long long)snap->beside.pair.from);
    else
        snprintf(buf, size, "%s", equal ? "✓" : "✗");
}

static const char *cost_text(const ss_build *b, const cost_row *row, char *buf, size_t size)
{
    double v = row->value(b->snap);
    if (isnan(v))
        snprintf(buf, size, "–");
    else if (*row->unit == 's')
        ss_format_si(v, "s", buf, size);
    else if (*row->unit == 'x')
        ss_figure_text(v, buf, size);
    else if (*row->unit == '=')
        bits_text(b->snap, v > 0, buf, size);
    else if (*row->unit == '%')
        snprintf(buf, size, "%.1f %%", v);
    else if (*row->unit == 'B')
        ss_format_bytes(v, buf, size);
    else if (*row->unit == '#')
        spaced_si(v, buf, size);
    else
        ss_count_text(v, buf, size);
    return buf;
}

/* help: shown when the mouse rests on the row; NULL: none. */
static void figure(const ss_build *b, ss_rect in, int y, const char *label, const char *help,
                   ss_theme_role role, const char *text)
{
    if (y >= in.y + in.h)
        return;
    if (help)
        ss_scene_hit(b->s, SS_H_WORDS, (ss_rect){in.x, y, in.w, 1}, help, 0);
    ss_scene_text_right(b->s, in.x + in.w, y, in.w, role, SS_FIGURE, text);
    ss_scene_text(b->s, in.x, y, in.w - ss_text_width(text) - 1, SS_C_DIM, 0, label);
}

/* Rows of some runs only: ghost cells of patches, block inverses, a tile's share of an SM,
 * transfers of the fields. */
static const ss_telemetry_id transfer_ids[] = {SS_T_GHOSTS,    SS_T_INVERSES, SS_T_TILE,
                                               SS_T_TILE_ROOM, SS_T_UPLOAD,   SS_T_DOWNLOAD,
                                               SS_T_COMPUTE,   SS_T_HIDDEN};
enum { TRANSFERS = sizeof transfer_ids / sizeof *transfer_ids, MEASURED = 11 };

/* The number of those rows. */
static int transfers(const ss_snapshot *snap)
{
    int n = 0;
    for (int i = 0; i < TRANSFERS; i++)
        n += snap->telemetry.valid[transfer_ids[i]];
    return n;
}

static void put_transfers(const ss_build *b, ss_rect in, int y)
{
    char text[48];
    for (int i = 0; i < TRANSFERS; i++) {
        ss_telemetry_id id = transfer_ids[i];
        if (b->snap->telemetry.valid[id])
            figure(b, in, y++, ss_telemetry_rows[id].label, helps[id], SS_C_TEXT,
                   ss_telemetry_text(b->snap, id, text, sizeof text));
    }
}

/* "0.5625"; for a conserved quantity also its conservation error, "0.5625 ±2e-16". */
static const char *watched_text(const ss_watched *w, int room, char *buf, size_t size)
{
    char drift[32], now[32];
    double error = fabs(ss_watched_drift(w, w->now, w->time));
    if (isfinite(error))
        ss_format_sci(error, drift, sizeof drift);
    else
        snprintf(drift, sizeof drift, "–");
    snprintf(now, sizeof now, "%.5g", w->now);
    int n = snprintf(buf, size, "%s ±%s", now, drift);
    if (!w->row->conserved || n - 1 > room)
        snprintf(buf, size, "%s", w->row->conserved ? drift : now);
    return buf;
}

static void monitors(const ss_build *b, ss_rect in, int y)
{
    char text[80], label[48];
    for (int i = 0; i < b->snap->nwatched; i++) {
        const ss_watched *w = &b->snap->watched[i];
        int room = in.w - ss_text_width(w->row->name) - 2;
        watched_text(w, room, text, sizeof text);
        bool change = w->row->conserved && !strstr(text, "±");
        snprintf(label, sizeof label, "%s%s", w->row->name, change ? " drift" : "");
        figure(b, in, y++, label, w->row->conserved ? "error of conservation" : NULL, SS_C_TEXT,
               text);
    }
}

/* In the last row of a panel without room for all: how many rows it lacks. */
static void rows_missing(const ss_build *b, ss_rect in, int missing)
{
    char text[32];
    snprintf(text, sizeof text, "… %d more row%s", missing, missing == 1 ? "" : "s");
    ss_rect r = {in.x, in.y + in.h, in.w, 1};
    ss_scene_hit(b->s, SS_H_WORDS, r, "a larger screen shows them", 0);
    ss_scene_text(b->s, r.x, r.y, r.w, SS_C_FAINT, 0, text);
}

/* Rows of measured figures that this run has. Returns their number. */
static int measured_ids(const ss_snapshot *snap, ss_telemetry_id *out)
{
    enum { MOST = MEASURED };
    static const ss_telemetry_id ids[SS_NKIND][MOST] = {
        [SS_STEADY] = {SS_T_RESIDUAL, SS_T_REDUCTION, SS_T_FACTOR, SS_T_PREDICTED, SS_T_MAX_ERROR,
                       SS_T_BYTES, SS_T_SECONDS, SS_T_CYCLE_SECONDS, SS_T_BANDWIDTH, SS_T_TEFF,
                       SS_T_ACCURACY},
        [SS_TRANSIENT] = {SS_T_TIME, SS_T_DT, SS_T_STEP, SS_T_MAX_ERROR, SS_T_STEP_SECONDS,
                          SS_T_CYCLE_SECONDS, SS_T_SECONDS, SS_T_BYTES, SS_T_BANDWIDTH}};
    int n = 0;
    for (int i = 0; i < MOST && (i == 0 || ids[snap->kind][i]); i++) {
        ss_telemetry_id id = ids[snap->kind][i];
        /* The costs above have the time per iteration or step, by another clock: without norms. */
        bool timed = id == SS_T_STEP_SECONDS || id == SS_T_CYCLE_SECONDS;
        bool twice = timed && snap->beside.wanted;
        if (!twice && (snap->telemetry.valid[id] || ss_telemetry_rows[id].wall))
            out[n++] = id;
    }
    return n;
}

/* Below the costs, if there is room: the measured figures so far. */
static void measured(const ss_build *b, ss_rect in, int y)
{
    ss_telemetry_id id[MEASURED];
    char text[48];
    int n = measured_ids(b->snap, id);
    int missing = y + 1 + n + b->snap->nwatched + transfers(b->snap) - (in.y + in.h);
    if (missing > 0)
        in.h--;
    const char *heading = b->snap->ranks.count == 0 ? "This run"
                          : in.w >= 25              ? "This run, in virtual time"
                                                    : "In virtual time";
    ss_scene_text(b->s, in.x, y++, in.w, SS_C_TEXT, SS_BOLD, heading);
    for (int i = 0; i < n; i++) {
        ss_telemetry_text(b->snap, id[i], text, sizeof text);
        figure(b, in, y++, ss_telemetry_rows[id[i]].label, helps[id[i]], SS_C_TEXT, text);
    }
    y += b->snap->nwatched;
    monitors(b, in, y - b->snap->nwatched);
    put_transfers(b, in, y);
    if (missing > 0)
        rows_missing(b, in, missing + 1);
}

static cost_set set_of(const ss_snapshot *snap)
{
    return snap->kind == SS_TRANSIENT    ? COSTS_TRANSIENT
           : snap->dim > 2               ? COSTS_PATCHES
           : snap->tiled                 ? COSTS_TILES
           : snap->beside.another_method ? COSTS_METHOD
                                         : COSTS_SWEEPS;
}

/* The rows of a run, the comparison with the classic solver included; returns their number. */
static int all_rows(const ss_snapshot *snap, const cost_row *out[COSTS + PAIRS])
{
    cost_set set = set_of(snap);
    int n = 0;
    for (; n < COSTS && cost_rows[set][n].label; n++)
        out[n] = &cost_rows[set][n];
    for (int i = 0; i < PAIRS && snap->beside.wanted && pair_rows[set][i].label; i++)
        out[n++] = &pair_rows[set][i];
    return n;
}

/* A colour says that there is some of it. */
static ss_theme_role role_of(const ss_build *b, const cost_row *row)
{
    return row->value(b->snap) > 0 ? row->role : SS_C_TEXT;
}

/* A factor takes the columns of "0.951", so that its label does not change with the value. */
static const char *label_for(const cost_row *row, int columns, const char *value)
{
    enum { FACTOR = 5 };
    int least = *row->unit == 'x' ? FACTOR : 0, w = ss_text_width(value);
    bool fits = ss_text_width(row->label) + 1 + (w > least ? w : least) <= columns;
    return row->brief && !fits ? row->brief : row->label;
}

/* Leaves out unimportant rows until the rest fits. */
static int fitting_rows(const ss_snapshot *snap, int room, const cost_row *out[COSTS + PAIRS])
{
    int n = all_rows(snap, out);
    for (const cost_getter *last = unimportant[set_of(snap)]; *last && n > room; last++)
        for (int i = 0; i < n; i++)
            if (out[i]->value == *last) {
                memmove(out + i, out + i + 1, (size_t)(--n - i) * sizeof *out);
                break;
            }
    return n;
}

bool ss_cost_help(const ss_snapshot *snap, int i, const char **label, const char **help)
{
    const cost_row *rows[COSTS + PAIRS];
    if (i >= all_rows(snap, rows))
        return false;
    *label = rows[i]->label;
    *help = rows[i]->help;
    return true;
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
        c->series[c->nseries++] =
            (ss_series){.at = at, .n = 3, .role = role, .dash = i == 0 ? 0 : 3};
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
        c->series[c->nseries++] = (ss_series){.at = at, .n = 1, .role = SS_C_SERIES3, .points = 2};
    }
    ss_build_chart(b, c, SS_X_INTENSITY, chart, panel);
}

/* "memory 25.1 GB/s, L3 40.3 GB/s, matrix product 56.2 Gop/s" */
static void limits_text(const ss_roofs *r, char *buf, size_t size)
{
    char one[32];
    int n = 0;
    for (int i = 0; i < r->n; i++)
        n += snprintf(buf + n, size - (size_t)n, "%s%s %s", i ? ", " : "", r->roof[i].name,
                      ss_format_si(r->roof[i].bandwidth, "B/s", one, sizeof one));
    if (r->rate > 0)
        snprintf(buf + n, size - (size_t)n, ", matrix product %s",
                 ss_format_si(r->rate, "op/s", one, sizeof one));
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
    int used = ss_build_wrap(b, in, SS_C_TEXT, ss_roofs_explain(r, &p, text, sizeof text));
    in.y += used, in.h -= used;
    limits_text(r, text, sizeof text);
    if (words == MANY)
        ss_build_wrap(b, in, SS_C_DIM, text);
}

static void roofline(const ss_build *b, ss_rect panel)
{
    const ss_costing *cost = &b->ui->cost;
    if (b->snap->deterministic)
        ss_build_nothing(b, panel, "with --deterministic nothing is measured");
    else if (b->ui->in_order)
        ss_build_nothing(b, panel, "recordings have no roofline: it depends on the clock");
    else if (cost->roofs)
        measured_roofline(b, cost->roofs, panel);
    else if (cost->no_roofs)
        ss_build_wrap(b, ss_layout_inside(b->l, panel), SS_C_DIM, cost->no_roofs);
}

/* --- the panel -------------------------------------------------------------------------------- */

void ss_build_ledger(const ss_build *b)
{
    enum { WIDEST = 52 }; /* a figure far from its name cannot be read */
    ss_rect r = b->l->panel[SS_PANEL_LEDGER];
    const cost_row *rows[COSTS + PAIRS];
    char text[48];
    if (!r.w)
        return;
    int end = ss_build_tabs(b, r, ss_cost_pages, SS_COST_NPAGE, (int)b->ui->cost.page, NULL,
                            "view cost %s", 0);
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
    int n = fitting_rows(b->snap, in.h, rows), missing = n - in.h;
    n = missing > 0 ? in.h - 1 : n;
    for (int i = 0; i < n; i++) {
        cost_text(b, rows[i], text, sizeof text);
        figure(b, in, in.y + i, label_for(rows[i], in.w, text), rows[i]->help, role_of(b, rows[i]),
               text);
    }
    if (missing > 0)
        rows_missing(b, (ss_rect){in.x, in.y, in.w, in.h - 1}, missing + 1);
    if (missing > 0 || in.h < n + 4)
        return;
    int y = in.y + n + 1;
    if (b->snap->kind != SS_STEADY ||
        !b->l->panel[SS_PANEL_PROFILE].w) /* else lower.c shows them */
        y += ss_build_shares(b, in, y);
    if (y + 3 <= in.y + in.h)
        measured(b, in, y);
}
