/* The borders between the panels that the user can move, and a panel that takes the room of all.
 * Pure functions of a layout and the user's choices. Called by the scene builder after the layout
 * is made, by the view to find a border; tested over all sizes. Any thread. */
#ifndef SS_GUTTER_H
#define SS_GUTTER_H

#include "ui/scene/layout.h"

typedef enum ss_gutter_id {
    SS_GUTTER_FIELD,    /* right of the field's column */
    SS_GUTTER_CONTROLS, /* left of the controls' column */
    SS_GUTTER_CURVE,    /* right of the curve, where the bars stand beside it */
    SS_GUTTER_UNDER_FIELD,
    SS_GUTTER_UNDER_RASTER,
    SS_GUTTER_UNDER_CURVE,
    SS_GUTTER_UNDER_CONTROLS,
    SS_NGUTTER
} ss_gutter_id;

/* "right-of-field", "below-curve" ... */
extern const char *const ss_gutter_names[SS_NGUTTER];

/* The panels that can be maximised, and their names; ends with a NULL name. */
typedef struct ss_panel_name {
    ss_panel_id panel;
    const char *name;
} ss_panel_name;
extern const ss_panel_name ss_panel_names[];

/* The places that the user has chosen, as parts of the body's width or height; 0: automatic. */
typedef struct ss_gutter_places {
    double at[SS_NGUTTER];
} ss_gutter_places;

/* A border as it is in a layout. Positions are columns or rows: the first one after the border. */
typedef struct ss_gutter {
    bool upright;   /* between columns; else between rows */
    int at, lo, hi; /* its position, and where the panels beside it keep their least sizes */
    int from, room; /* of the body, in the same direction */
    ss_rect rect;   /* the cells that take hold of it: one on either side */
} ss_gutter;

/* False: this layout has no such border, or has it under an earlier name. */
bool ss_gutter_find(const ss_layout *l, ss_gutter_id id, ss_gutter *out);
/* The room of all panels but header, strip, page, message and footer. */
ss_rect ss_layout_body(const ss_layout *l);
/* Moves the borders to the chosen places, as far as the panels keep their least sizes. */
void ss_layout_move_gutters(ss_layout *l, int dim, int ncontrol, const ss_gutter_places *places);
/* The panel takes the room of all panels of the body. */
void ss_layout_maximise(ss_layout *l, int dim, int ncontrol, ss_panel_id panel);

#endif
