/*
 * A scene in pixels: cairo and pango draw it, for the window, for figures and for videos. The scene
 * is the terminal's own, laid out in character cells; a drawing says how large a cell is, sets text
 * in real fonts, and draws curves and pictures at the resolution of the pixels. Built with cairo
 * only (SS_WITH_CAIRO). One thread at a time for each drawing.
 */
#ifndef SS_CANVAS_H
#define SS_CANVAS_H

#include "ui/scene/frontend.h"
#include "ui/scene/items.h"

/* Pixels: 32 bits each, 0x00RRGGBB in the machine's byte order (cairo's RGB24). */
typedef struct ss_pixels {
    void *data;
    int w, h, stride; /* stride in bytes */
} ss_pixels;

typedef struct ss_drawing ss_drawing; /* fonts, cached parts, what was drawn last */

/* scale: 1 is 96 dots an inch. NULL: no memory, or no font at all. */
ss_drawing *ss_drawing_new(double scale, ss_err *err);
void ss_drawing_free(ss_drawing *d);
/* The cells that w x h pixels have room for; dots are the pixels of a cell. */
void ss_drawing_extent(const ss_drawing *d, int w, int h, ss_extent *out);
/* From pixels to character cells, as events want them. */
void ss_drawing_place(const ss_drawing *d, double px, double py, double *x, double *y);
/* Draws the scene, as far as it differs from the one drawn before into the same pixels; changed is
 * the smallest rectangle (in pixels) that holds all that was. */
void ss_drawing_paint(ss_drawing *d, const ss_scene *scene, const ss_pixels *to, ss_rect *changed);
/* The same as rectangles that do not hold much else; returns how many, at most max. */
int ss_drawing_parts(const ss_drawing *d, ss_rect *part, int max);
/* Draws everything anew the next time: the pixels are other ones. */
void ss_drawing_forget(ss_drawing *d);
/* A figure, by the name's extension: .png, .svg, .pdf; w x h at scale 1. The command that made it
 * goes into the file's metadata. */
int ss_drawing_export(const ss_scene *scene, const char *path, int w, int h, const char *command,
                      ss_err *err);

/* Pixels as they are, into a PNG file. */
int ss_pixels_png(const ss_pixels *px, const char *path, ss_err *err);

#endif
