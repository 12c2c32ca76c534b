/*
 * The table of views: which page looks at which. View 0 is the pilot's; whoever comes looks at it.
 * A watcher may choose another layer and window; watchers with equal choices and sizes share one
 * view, which is made once, and one that nobody looks at is dropped. Pure functions; the owner
 * locks.
 */
#ifndef SS_WEB_VIEWS_H
#define SS_WEB_VIEWS_H

#include "src/snapshot/further.h"

enum { SS_VIEWS = SS_FURTHER_MAX, SS_VIEW_SEATS = 256 };

/* Sizes of pages, so few that views are shared. */
typedef enum ss_shape { SS_SHAPE_DESKTOP, SS_SHAPE_UPRIGHT, SS_SHAPE_FLAT, SS_NSHAPE } ss_shape;
typedef struct ss_shape_size {
    int w, h; /* pixels of the frame, which the page stretches */
} ss_shape_size;
extern const ss_shape_size ss_shapes[SS_NSHAPE];
ss_shape ss_shape_of(int w, int h); /* of a page; 0 0: not known */

/* A layer and a window in whole points, {0, 0, 0, 0}: the whole field. */
typedef struct ss_lens {
    ss_layer layer;
    int window[4]; /* x0 y0 x1 y1 */
    ss_shape shape;
} ss_lens;

typedef struct ss_view_seat {
    uint32_t who; /* 0: free */
    int view;
    bool refused; /* the last choice found no free view */
} ss_view_seat;

typedef struct ss_view_row {
    ss_lens lens;
    int watchers;
    uint32_t born; /* grows when another view takes its place */
} ss_view_row;

typedef struct ss_views {
    ss_view_seat seat[SS_VIEW_SEATS];
    ss_view_row row[SS_VIEWS + 1]; /* 0: the pilot's, without a lens */
    uint32_t entered, births;
} ss_views;

/* A page comes, and gets a number of its own; 0: there are too many. It leaves. */
uint32_t ss_views_enter(ss_views *v);
void ss_views_leave(ss_views *v, uint32_t who);
/* NULL: it has left. */
ss_view_seat *ss_views_seat(ss_views *v, uint32_t who);
/* Looks through a lens, NULL: at the pilot's view. False: all views are taken, it looks where it
 * did; or it has left. */
bool ss_views_choose(ss_views *v, uint32_t who, const ss_lens *lens);
/* A view has another lens, as after the pilot opened another problem. */
void ss_views_refit(ss_views *v, int view, const ss_lens *lens);

#endif
