/* The layout of a frame, that is a film or figure of parts (a picture, a curve) without the rest of
 * the screen: a pure function from the size and the parts to rectangles of character cells. Called
 * by ui/panels/frame.c; tested over all sizes. Any thread. */
#ifndef SS_LAYOUT_FRAME_H
#define SS_LAYOUT_FRAME_H

#include "ui/scene/layout.h"

enum { SS_FRAME_PARTS = 4 };

/* The shape of a part, its heading included. */
typedef struct ss_frame_shape {
    double aspect; /* of a picture, width / height in square dots; 0: any */
    int beside;    /* columns left and right of the picture */
    int around;    /* rows above and below it */
    int rows;      /* aspect 0: its height where the height is free */
    bool lead;     /* in the left one of two columns */
} ss_frame_shape;

typedef struct ss_frame_plan {
    int cols, rows; /* rows 0: free, as high as the parts need */
    int n;
    ss_frame_shape part[SS_FRAME_PARTS];
    int title, words, note; /* rows of the lines above and below the parts; 0: none */
} ss_frame_plan;

typedef struct ss_frame_layout {
    int rows;
    ss_rect title, part[SS_FRAME_PARTS], words, note; /* h == 0: none */
} ss_frame_layout;

/* Parts that fit nowhere get h == 0. */
void ss_layout_frame(const ss_frame_plan *plan, ss_frame_layout *out);

#endif
