/* The names of layers, axes, planes and space-time diagrams, as tables; ui/view and the panels read
 * them. Names from the words of a command. See view.h, state.h. Main thread only. */
#include "ui/view/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/scene/text.h"

/* Of runs whose blocks read values in any order: some are later ones than the classic solver's. */
static const char any_symbol[] = "|u − classic|";
static const char any_help[] = "difference from classic iterations of the same cycle";

const ss_layer_label ss_layer_labels[SS_NLAYER] = {
    [SS_VALUE] = {"value", "u", "the field u", "value", false, true, false, SS_C_TEXT, 1, 3},
    [SS_RESIDUAL] = {"residual", "|b − A u|", "how far each equation is from holding", "heat", true,
                     true, true, SS_C_SERIES1, 1, 3},
    [SS_EXACT] = {"u*", "u*", "the exact solution of the discrete system", "value", false, true,
                  false, SS_C_TEXT, 1, 3},
    [SS_ERROR] = {"error", "|u − u*|", "distance to the discrete solution", "heat", true, true,
                  false, SS_C_SERIES1, 1, 3},
    [SS_UPDATE] = {"update", "|u − u0|", "how much the last cycle has changed", "heat", true, true,
                   true, SS_C_SERIES1, 3, 3},
    [SS_STALENESS] = {"staleness", "|stale|", "difference to the same sweeps with fresh halos",
                      "heat", true, false, true, SS_C_SERIES1, 1, 2},
    [SS_AGE] = {"age", "sweeps", "sweeps ahead of the slowest tile in mid-launch", "value", false,
                true, true, SS_C_TEXT, 1, 2},
    [SS_OWNER] = {"owner", "block", "which block writes the point", "value", false, false, true,
                  SS_C_TEXT, 1, 3},
};

const char *ss_layer_symbol(const ss_snapshot *snap, ss_layer layer)
{
    return layer == SS_STALENESS && snap->any_order ? any_symbol : ss_layer_labels[layer].symbol;
}

const char *ss_layer_help(const ss_snapshot *snap, ss_layer layer)
{
    return layer == SS_STALENESS && snap->any_order ? any_help : ss_layer_labels[layer].help;
}

static const char *const zero_words[SS_NLAYER] = {
    [SS_VALUE] = "0 everywhere",
    [SS_EXACT] = "0 everywhere",
    [SS_RESIDUAL] = "0 everywhere: every equation holds to the last bit",
    [SS_ERROR] = "0 everywhere: bit-for-bit the exact solution",
    [SS_UPDATE] = "0 everywhere: the last cycle changed nothing",
    [SS_STALENESS] = "0 everywhere: nothing is stale",
    [SS_AGE] = "0 everywhere: all tiles have done equally many sweeps"};

const char *ss_layer_zero_words(ss_layer layer)
{
    return zero_words[layer];
}

bool ss_stale_at_rest(const ss_snapshot *snap)
{
    const ss_telemetry *t = &snap->telemetry;
    bool zero = t->valid[SS_T_RESIDUAL] && !(t->value[SS_T_RESIDUAL] > 0);
    return snap->ledger.stale_kept > 0 && (zero || snap->hold == SS_HOLD_ZERO);
}

/* The solver's iterations are those of the classic one, in other blocks and at other times. */
static bool is_classic(const ss_snapshot *snap)
{
    return snap->beside.solver && !snap->beside.another_method;
}

/* Of a cycle: "12 classic iterations". */
static void iterations_text(const ss_snapshot *snap, char *buf, size_t size)
{
    bool classic = is_classic(snap);
    snprintf(buf, size, "%d %siteration%s%s", snap->levels, classic ? "classic " : "",
             snap->levels == 1 ? "" : "s", classic ? "" : " with fresh halos");
}

/* Nothing is stale: said of the whole run only if every cycle was exact. */
static void fresh_words(const ss_snapshot *snap, char *buf, size_t size)
{
    char cycle[48];
    iterations_text(snap, cycle, sizeof cycle);
    if (ss_stale_at_rest(snap))
        snprintf(buf, size, "0 everywhere: halos are stale, but nothing changes");
    else if (snap->exact_since == 0 && is_classic(snap))
        snprintf(buf, size, "0 everywhere: bit-for-bit classic so far");
    else if (snap->peek > 0)
        snprintf(buf, size, "0 everywhere: nothing is stale yet in this cycle");
    else
        snprintf(buf, size, "0 everywhere: this cycle = %s", cycle);
}

/* A sample of an exact zero proves nothing about the rest, unless the geometry does: with enough
 * overlap no kept point of any block is stale. */
bool ss_layer_zero(const ss_snapshot *snap, char *buf, size_t size)
{
    const ss_picture *p = &snap->picture;
    ss_layer layer = snap->view.layer;
    bool zero = p->w > 0 && p->lo == 0 && p->hi == 0 && snap->race.n == 0;
    bool exact = layer == SS_STALENESS && snap->tiled && snap->exact_cycle;
    if (!zero || !zero_words[layer])
        return false;
    if (p->sampled && !exact)
        snprintf(buf, size, "0 at every point of the sample");
    else if (layer == SS_STALENESS)
        fresh_words(snap, buf, size);
    else
        snprintf(buf, size, "%s", zero_words[layer]);
    return true;
}

bool ss_exact_again(const ss_snapshot *snap, char *buf, size_t size)
{
    double saved = snap->beside.bytes * snap->levels / snap->ledger.global_bytes;
    char cycle[48];
    bool again = snap->exact_cycle && snap->exact_since > 0 && is_classic(snap) &&
                 (double)snap->exact_since < snap->telemetry.value[SS_T_CYCLE];
    if (!again || !(saved > 1) || !isfinite(saved))
        return false;
    iterations_text(snap, cycle, sizeof cycle);
    snprintf(buf, size, "since cycle %s each cycle = %s, with %s times fewer bytes",
             ss_count_text((double)snap->exact_since), cycle, ss_figure_text(saved));
    return true;
}

const char *const ss_over_names[SS_NOVER + 1] = {"cycles", "iterations", "sweeps", "seconds",
                                                 "bytes",  "reductions", NULL};

/* Does a run of a race say that? The redundant updates of tiles make up less than half as many
 * sweeps again. */
static bool point_tells(const ss_point *at, ss_over over)
{
    return over == SS_REDUCTIONS ? at->reductions > 0 : at->work > 1.5 * (double)at->iteration;
}

static bool race_tells(const ss_race *race, ss_over over)
{
    bool tells = false;
    for (int i = 0; i < race->n; i++)
        tells = tells || point_tells(&race->racer[i].at, over);
    return tells;
}

bool ss_over_tells(const ss_snapshot *snap, ss_over over)
{
    const ss_ledger *l = &snap->ledger;
    double points = (double)snap->nx * snap->ny * snap->nz, levels = snap->levels;
    if (over != SS_SWEEPS && over != SS_REDUCTIONS)
        return true;
    if (snap->race.n > 0)
        return race_tells(&snap->race, over);
    return over == SS_REDUCTIONS
               ? l->reductions > 0
               : !snap->tiled && fabs(l->updates / points - levels) > 0.01 * levels;
}

const char *const ss_plane_names[4] = {"yz", "xz", "xy", NULL};

const char *const ss_stage_names[SS_NSTAGE + 1] = {
    [SS_DIAMONDS] = "swept", [SS_LANES] = "lanes", [SS_CLASSIC] = "classic",
    [SS_ACCURACY] = "error", [SS_DRIFT] = "drift", [SS_SPECTRUM] = "modes",
    [SS_TIMELINE] = "ranks", [SS_NSTAGE] = NULL};

const char *ss_stage_why(const ss_snapshot *snap, ss_stage_id which)
{
    const char *const why[SS_NSTAGE] = {
        [SS_DIAMONDS] = snap->theatre.swept ? NULL : "no diamonds here: S changes to swept",
        [SS_LANES] = snap->theatre.swept ? NULL : "all lanes work on every level: none is idle",
        [SS_ACCURACY] = snap->error_why,
        [SS_TIMELINE] = snap->ranks.count > 0 ? NULL : "no modelled ranks: set ranks-model 4",
        [SS_SPECTRUM] = snap->bc == SS_BC_PERIODIC ? NULL : "only on a ring do all waves fit",
    };
    return why[which];
}

const char *ss_ordinal(int n)
{
    static const char *const ends[] = {"th", "st", "nd", "rd"};
    int d = n % 10;
    return d > 3 || (n / 10) % 10 == 1 ? ends[0] : ends[d];
}

const char *ss_quantity_symbol(const ss_snapshot *snap)
{
    return snap->quantities ? snap->quantities[snap->view.field].symbol : "u";
}

/* --- a name from the words of a command ------------------------------------------------------- */

static const char *name_in(const void *ctx, int i)
{
    return ((const char *const *)ctx)[i];
}

int ss_ui_stride(const char *word, int n)
{
    return strcmp(word, "next") == 0 ? 1 : strcmp(word, "previous") == 0 ? n - 1 : 0;
}

int ss_ui_pick(const char *what, const char *word, const char *const *names, int n, int on,
               int *out, ss_err *err)
{
    int by = ss_ui_stride(word, n);
    *out = on;
    if (by && n > 0) {
        *out = (on + by) % n;
        return SS_OK;
    }
    for (int i = 0; i < n; i++)
        if (strcmp(word, names[i]) == 0) {
            *out = i;
            return SS_OK;
        }
    const char *near = ss_nearest(word, name_in, names, n);
    return near ? ss_fail(err, "no %s is called '%.40s'; did you mean %s?", what, word, near)
                : ss_fail(err, "no %s is called '%.40s'", what, word);
}

bool ss_ui_direction(const char *word, int *x, int *y)
{
    static const struct {
        const char *name;
        int x, y;
    } moves[] = {{"left", -1, 0}, {"right", 1, 0}, {"up", 0, 1}, {"down", 0, -1}};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (strcmp(word, moves[i].name) == 0) {
            *x = moves[i].x, *y = moves[i].y;
            return true;
        }
    return false;
}
