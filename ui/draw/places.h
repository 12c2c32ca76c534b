/* Where a scene's cells, texts and data lie in pixels: filled while it is drawn, read for events
 * and by painters. Pure but for the struct; the thread that draws. */
#ifndef SS_PLACES_H
#define SS_PLACES_H

#include "ui/scene/frontend.h"
#include "ui/scene/items.h"

/* A cell at scale 1, in pixels. */
enum { SS_CELL_W = 10, SS_CELL_H = 20 };

typedef struct ss_px { /* whole pixels */
    int x, y, w, h;
} ss_px;

/* A text that begins where the previous one ends, and the cells that events report for it. */
typedef struct ss_stretch {
    double px0, px1;
    int x0, x1, y0, y1;
} ss_stretch;

/* Pixels of a chart whose place in cells is another: its data, a name in its legend. */
typedef struct ss_spot {
    double x, y, w, h;
    ss_rect cells;
} ss_spot;

enum { SS_SPOT_MAX = 48 };

typedef struct ss_places {
    double scale;               /* pixels of everything per pixel at scale 1 */
    int cw, ch;                 /* pixels per cell */
    int ox, oy;                 /* position of the first cell */
    double flow_x[SS_ITEM_MAX]; /* left edge of SS_FLOW items */
    ss_stretch span[SS_ITEM_MAX];
    int nspan;
    ss_spot spot[SS_SPOT_MAX];
    int nspot;
} ss_places;

/* The scale at which w x h pixels show as much as 1280 x 800 do at scale 1: from 1 to 2.5, in
 * quarters. Fewer pixels show less, in letters that can be read: a phone has the layout of a small
 * terminal. */
double ss_places_scale(double w, double h);
/* The scale at which w x h pixels hold all cells of the scene; at least 0.5. */
double ss_places_fitted(const ss_scene *scene, int w, int h);
/* The cells that fit w x h pixels at a scale; dots are the pixels of a cell. */
void ss_places_extent(double scale, int w, int h, ss_extent *out);
/* The same for a page in a browser. */
void ss_places_page(int w, int h, ss_extent *out);

/* scale: 1 is 96 dots per inch. */
void ss_places_make(ss_places *d, double scale);
/* Puts the scene into the middle of w x h pixels. */
void ss_places_centre(ss_places *d, const ss_scene *scene, int w, int h);
/* From pixels to character cells, the units of events. */
void ss_places_cell(const ss_places *d, double px, double py, double *x, double *y);

ss_px ss_draw_px(const ss_places *d, ss_rect r);
/* The vertical centre of text in `rows` rows from pixel y on; slightly lower in a frame's edge. */
double ss_draw_middle(const ss_places *d, int y, int rows);
/* Whole pixels of a line that is n wide at scale 1; at least one. */
double ss_draw_thin(const ss_places *d, int n);

#endif
