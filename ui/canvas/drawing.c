/* A scene in pixels: see drawing.h. This file: the drawing itself, and pixels as PNG. */
#include "ui/canvas/drawing.h"

#include <stdio.h>
#include <stdlib.h>

#include <cairo.h>

#include "src/base/file.h"
#include "ui/canvas/parts.h"

/* --- life ------------------------------------------------------------------------------------- */

ss_drawing *ss_drawing_new(double scale, ss_err *err)
{
    ss_drawing *d = calloc(1, sizeof *d);
    if (!d)
        goto memory;
    ss_places_make(&d->places, scale);
    d->fonts = ss_fonts_new(err);
    if (!d->fonts)
        goto fail;
    d->logs = ss_log_tables_new();
    d->shades = ss_shades_new();
    d->groups = ss_groups_new();
    d->backdrops = ss_backdrops_new();
    d->rules = ss_rules_new();
    if (d->logs && d->shades && d->groups && d->backdrops && d->rules)
        return d;
memory:
    ss_fail(err, "out of memory: a drawing");
fail:
    ss_drawing_free(d);
    return NULL;
}

void ss_drawing_free(ss_drawing *d)
{
    if (!d)
        return;
    ss_backdrops_free(d->backdrops);
    ss_rules_free(d->rules);
    ss_groups_free(d->groups);
    ss_shades_free(d->shades);
    ss_log_tables_free(d->logs);
    ss_fonts_free(d->fonts);
    free(d);
}

void ss_drawing_forget(ss_drawing *d)
{
    ss_groups_forget(d->groups);
    ss_rules_forget(d->rules);
}

void ss_drawing_place(const ss_drawing *d, double px, double py, double *x, double *y)
{
    ss_places_cell(&d->places, px, py, x, y);
}

/* --- painting --------------------------------------------------------------------------------- */

void ss_drawing_paint(ss_drawing *d, const ss_scene *scene, const ss_pixels *to, ss_rect *changed)
{
    ss_px all = {0, 0, 0, 0};
    ss_cairo_pen pen = ss_cairo_pen_on(NULL, d);
    const ss_painter p = ss_cairo_painter(&pen, scene);
    ss_places_centre(&d->places, scene, to->w, to->h);
    ss_rules_lift(d, to);
    ss_groups_paint(d, scene, to, &all);
    ss_draw_spots(&p);
    ss_rules_paint(d, scene, to, &all);
    if (changed)
        *changed = (ss_rect){all.x, all.y, all.w, all.h};
}

static cairo_status_t to_file(void *file, const unsigned char *data, unsigned n)
{
    return fwrite(data, 1, n, file) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

int ss_pixels_png(const ss_pixels *px, const char *path, ss_err *err)
{
    ss_outfile file;
    if (ss_outfile_open(&file, path, err) != SS_OK)
        return SS_FAIL;
    cairo_surface_t *s =
        cairo_image_surface_create_for_data(px->data, CAIRO_FORMAT_RGB24, px->w, px->h, px->stride);
    cairo_status_t status = cairo_surface_write_to_png_stream(s, to_file, file.stream);
    cairo_surface_destroy(s);
    bool drawn = status == CAIRO_STATUS_SUCCESS || status == CAIRO_STATUS_WRITE_ERROR;
    if (drawn) /* cairo reports a full disk only here */
        return ss_outfile_close(&file, true, err);
    ss_outfile_close(&file, false, NULL);
    return ss_fail(err, "%.200s: %s", path, cairo_status_to_string(status));
}
