/* The names of layers, axes, planes and space-time diagrams, as tables. ui/view and the panels read
 * them. See names.h. Main thread only. */
#include "ui/view/names.h"

#include <math.h>

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

static const char *const zero_words[SS_NLAYER] = {
    [SS_VALUE] = "0 everywhere",
    [SS_EXACT] = "0 everywhere",
    [SS_RESIDUAL] = "0 everywhere: every equation holds to the last bit",
    [SS_ERROR] = "0 everywhere: bit-for-bit the exact solution",
    [SS_UPDATE] = "0 everywhere: the last cycle changed nothing",
    [SS_STALENESS] = "0 everywhere: bit-for-bit classic so far",
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

/* A sample of an exact zero proves nothing about the rest, unless the geometry does: with enough
 * overlap no kept point of any block is stale. */
const char *ss_layer_zero(const ss_snapshot *snap)
{
    const ss_picture *p = &snap->picture;
    const char *words = zero_words[snap->view.layer];
    bool zero = p->w > 0 && p->lo == 0 && p->hi == 0 && snap->race.n == 0;
    bool exact = snap->view.layer == SS_STALENESS && snap->tiled && snap->ledger.stale_kept == 0;
    if (zero && p->sampled && !exact && words)
        return "0 at every point of the sample";
    if (zero && snap->view.layer == SS_STALENESS && ss_stale_at_rest(snap))
        return "0 everywhere: halos are stale, but nothing changes";
    return zero ? words : NULL;
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
