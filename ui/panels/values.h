/* Shared by the files that tell values: pointing.c finds the place, value_words.c writes its words,
 * values.c draws both. Private to ui/panels. Main thread only. */
#ifndef SS_PANELS_VALUES_H
#define SS_PANELS_VALUES_H

#include "ui/panels/build.h"

/* NaN: not known. at: in the units of each abscissa; y: in points of the field; time: that of the
 * space-time diagram. */
typedef struct ss_place {
    int item; /* that the mouse or the cursor is on; -1: nothing */
    ss_xy part;
    double at[SS_NABSCISSA];
    double y, time;
} ss_place;

/* Pictures by what they show. */
typedef enum ss_picture_kind {
    SS_PIC_NONE,
    SS_PIC_FIELD,
    SS_PIC_RASTER,
    SS_PIC_THEATRE
} ss_picture_kind;

/* --- pointing.c ------------------------------------------------------------------------------- */

ss_place ss_find_place(const ss_build *b);
ss_picture_kind ss_picture_kind_of(const ss_build *b, int item);
/* The x of the point of the first curve that is nearest: what is told was computed. */
double ss_snapped(const ss_chart *c, double x);
/* A chart of which the nearest mark is told. */
bool ss_chart_has_marks(const ss_chart *c);
/* The measure on the x axis of the residual. */
double ss_cost_of(const ss_build *b, const ss_point *p);

/* --- value_words.c ---------------------------------------------------------------------------- */

/* NaN: none there. */
double ss_series_value(const ss_chart *c, const ss_series *s, double x);
double ss_picture_value(const ss_image *im, ss_xy part);
/* Columns of words over so many columns of a panel: letters of a window are narrower. */
int ss_words_room(const ss_build *b, int columns);
/* "cycle 107 to cycle 263" */
void ss_zone_words(const ss_build *b, const ss_chart *c, const ss_box2 *zone, char *buf,
                   size_t size);
void ss_mark_words(const ss_build *b, const ss_chart *c, ss_xy at, char *buf, size_t size);
/* own: the chart that the mouse is on. Without `names` the values stand in the order of the legend.
 */
void ss_curve_words(const ss_build *b, const ss_chart *c, double x, bool names, bool own, char *buf,
                    size_t size);
void ss_field_words(const ss_build *b, const ss_place *p, char *buf, size_t size);
void ss_raster_words(const ss_build *b, const ss_place *p, char *buf, size_t size);

#endif
