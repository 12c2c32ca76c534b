/* Names of layers, axes, planes and space-time diagrams, and which of them exist for a run.
 * ui/view and the panels read them. Main thread only. */
#ifndef SS_VIEW_NAMES_H
#define SS_VIEW_NAMES_H

#include "src/snapshot/snapshot.h"
#include "ui/scene/colormap.h"

/* The x axis of the residual plot: the measures that rank a race. Sweeps: updates per point of the
 * finest grid. */
typedef enum ss_over {
    SS_CYCLES,
    SS_ITERATIONS,
    SS_SWEEPS,
    SS_SECONDS,
    SS_BYTES,
    SS_REDUCTIONS,
    SS_NOVER
} ss_over;
extern const char *const ss_over_names[SS_NOVER + 1];
/* Does the axis tell another story than the iterations? Reductions: if there are any. Sweeps: if
 * they are not the iterations; the redundant updates of tiles have a row among the costs. In a
 * race: of any run. */
bool ss_over_tells(const ss_snapshot *snap, ss_over over);

/* Planes of a slice of a 3D field, by the direction normal to it (ss_view.axis). */
extern const char *const ss_plane_names[4];

/* The diagram that a time-dependent run shows instead of the residual. */
typedef enum ss_stage_id {
    SS_DIAMONDS,
    SS_LANES,
    SS_CLASSIC,
    SS_ACCURACY,
    SS_DRIFT,
    SS_SPECTRUM,
    SS_TIMELINE, /* the last: runs without modelled ranks have no tab for it */
    SS_NSTAGE
} ss_stage_id;
extern const char *const ss_stage_names[SS_NSTAGE + 1];

/* How a layer is drawn. */
typedef struct ss_layer_label {
    const char *name, *symbol, *help;
    const char *map;
    bool log, grid;
    bool steady;         /* it does not exist for a time-dependent equation */
    ss_theme_role frame; /* of the selected block, to contrast with the map */
    int least, most;     /* dimensions in which it exists */
} ss_layer_label;
extern const ss_layer_label ss_layer_labels[SS_NLAYER];

/* Its symbol and its meaning for this run. */
const char *ss_layer_symbol(const ss_snapshot *snap, ss_layer layer);
const char *ss_layer_help(const ss_snapshot *snap, ss_layer layer);
/* What is said of the shown picture if it is exactly zero everywhere. False: it is not, or the runs
 * of a race share its scale. */
bool ss_layer_zero(const ss_snapshot *snap, char *buf, size_t size);
/* A run that was stale and is exact now: since when, and how many bytes that saves against the
 * classic solver. False: it is not one. */
bool ss_exact_again(const ss_snapshot *snap, char *buf, size_t size);
/* Are there stale halos, but nothing changes any more, since the residual is 0? Stale and fresh
 * values are then equal. */
bool ss_stale_at_rest(const ss_snapshot *snap);
/* The same words of a layer that is zero everywhere; NULL: there are none. */
const char *ss_layer_zero_words(ss_layer layer);
/* The reason why a stage cannot be shown; NULL: it can. */
const char *ss_stage_why(const ss_snapshot *snap, ss_stage_id which);
/* "u" where there is only one quantity. */
const char *ss_quantity_symbol(const ss_snapshot *snap);
/* "st", "nd", "rd", "th" */
const char *ss_ordinal(int n);

#endif
