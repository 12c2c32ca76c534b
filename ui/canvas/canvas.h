/*
 * A scene in pixels, drawn by cairo and pango, for the window, figures and films. The scene is the
 * terminal's own, laid out in character cells; a drawing gives a cell its size, sets text in
 * proportional fonts, and draws curves and pictures at the resolution of the pixels. Built with
 * cairo only (SS_WITH_CAIRO). One thread at a time per drawing.
 */
#ifndef SS_CANVAS_H
#define SS_CANVAS_H

#include "ui/draw/draw.h"
#include "ui/scene/recorder.h"

/* Pixels: 32 bits each, 0x00RRGGBB in the machine's byte order (cairo's RGB24). */
typedef struct ss_pixels {
    void *data;
    int w, h, stride; /* stride in bytes */
} ss_pixels;

typedef struct ss_drawing ss_drawing; /* fonts, caches, the last drawn scene */

/* scale: 1 is 96 dots per inch. NULL: out of memory, or no font installed. */
ss_drawing *ss_drawing_new(double scale, ss_err *err);
void ss_drawing_free(ss_drawing *d);
/* From pixels to character cells, the units of events. */
void ss_drawing_place(const ss_drawing *d, double px, double py, double *x, double *y);
/* Draws the parts of the scene that differ from the last one drawn into the same pixels; changed
 * is the smallest rectangle (in pixels) around them. */
void ss_drawing_paint(ss_drawing *d, const ss_scene *scene, const ss_pixels *to, ss_rect *changed);
/* The same as at most `max` tight rectangles; returns their number. */
int ss_drawing_parts(const ss_drawing *d, ss_rect *part, int max);
/* The next paint draws everything: the pixels were replaced. */
void ss_drawing_forget(ss_drawing *d);

/* Writes the pixels into a PNG file. */
int ss_pixels_png(const ss_pixels *px, const char *path, ss_err *err);

/* --- the pixel medium of recordings; for ui/encode -------------------------------------------- */

extern const ss_medium ss_medium_pixels;

#endif
