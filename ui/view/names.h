/*
 * Names of what can be looked at: layers, axes, planes, pictures of the theatre; and which of them
 * make sense for a run. ui/view and the panels read them. Main thread only.
 */
#ifndef SS_VIEW_NAMES_H
#define SS_VIEW_NAMES_H

#include "src/snapshot/types.h"
#include "ui/scene/colormap.h"

/* Over what the residual is drawn. */
typedef enum ss_over { SS_CYCLES, SS_ITERATIONS, SS_SECONDS, SS_BYTES, SS_NOVER } ss_over;
extern const char *const ss_over_names[SS_NOVER + 1];

/* Planes that a slice of a 3D field may lie in, by the direction across it (ss_view.axis). */
extern const char *const ss_plane_names[4];

/* What is shown of a time-dependent run where a steady one shows its residual. */
typedef enum ss_stage_id {
    SS_DIAMONDS,
    SS_LANES,
    SS_CLASSIC,
    SS_DRIFT,
    SS_SPECTRUM,
    SS_NSTAGE
} ss_stage_id;
extern const char *const ss_stage_names[SS_NSTAGE + 1];

/* How a layer is shown. */
typedef struct ss_layer_label {
    const char *name, *symbol, *help;
    const char *map;
    bool log, grid;
    ss_theme_role frame; /* of the selected block, to stand out from the map */
    int least, most;     /* dimensions in which there may be such a thing at all */
} ss_layer_label;
extern const ss_layer_label ss_layer_labels[SS_NLAYER];

/* The part of the theatre that one looks at from far: may it be shown, and if not, why? */
const char *ss_stage_why(const ss_snapshot *snap, ss_stage_id which);
/* "u" where there is only one. */
const char *ss_quantity_symbol(const ss_snapshot *snap);
/* "st", "nd", "rd", "th" */
const char *ss_ordinal(int n);

#endif
