/*
 * Scenes drawn by cairo, and the frames that draw them in a browser, for checks.js to compare:
 * every kind of item and four screens, in two themes and three sizes.
 *
 *   scenes FOLDER    writes NAME.bin, a whole frame as in ui/stream/stream.h; NAME.png; and
 *                    NAME-bare.png, without its texts. Prints the names.
 */
#include <stdio.h>
#include <stdlib.h>

#include <cairo.h>

#include "tests/ui/items.h"
#include "tests/ui/samples.h"
#include "ui/canvas/parts.h"
#include "ui/panels/screen.h"
#include "ui/stream/stream.h"

static const char *const themes[] = {"dark", "light"};
static const struct size {
    int w, h;
    double scale; /* of items */
} sizes[] = {{1280, 800, 1}, {390, 740, 1.5}, {2560, 1600, 2}};
enum { NTHEME = 2, NSIZE = 3, NSCREEN = 4, COLS = 40, ROWS = 18 };

static const char *folder;

static void check(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "scenes: %s\n", what);
    exit(1);
}

/* --- cairo ------------------------------------------------------------------------------------ */

static double text_of_no_pixel(ss_pen *pen, const ss_pen_text *text)
{
    ss_pen_save(pen);
    ss_pen_rect(pen, 0, 0, 0, 0);
    ss_pen_clip(pen);
    double width = ss_cairo_text(pen, text);
    ss_pen_restore(pen);
    return width;
}

static void draw_png(const ss_scene *scene, double scale, int w, int h, bool bare, const char *path)
{
    ss_err err;
    ss_drawing *d = ss_drawing_new(scale, &err);
    check(d != NULL, err.text);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, w, h);
    cairo_t *cr = cairo_create(surface);
    ss_cairo_pen pen = ss_cairo_pen_on(cr, d);
    ss_pen_ops ops = *pen.pen.ops;
    ops.text = bare ? text_of_no_pixel : ops.text;
    pen.pen.ops = &ops;
    ss_painter p = ss_cairo_painter(&pen, scene);
    ss_places_centre(&d->places, scene, w, h);
    ss_draw_role(&p, SS_C_GROUND, 1);
    cairo_paint(cr);
    cairo_translate(cr, d->places.ox, d->places.oy);
    ss_draw_scene(&p);
    check(cairo_surface_write_to_png(surface, path) == CAIRO_STATUS_SUCCESS, path);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    ss_drawing_free(d);
}

/* --- bytes ------------------------------------------------------------------------------------ */

static void write_frame(const ss_scene *scene, double scale, int w, int h, const char *path)
{
    static ss_stream_frame frame;
    static ss_stream_message message;
    ss_err err;
    ss_framer *framer = ss_framer_new(&err);
    frame.serial = 1;
    check(framer && ss_framer_draw(framer, scene, scale, w, h, &frame, &err) == SS_OK &&
              ss_message_write(&message, NULL, &frame, &err) == SS_OK,
          err.text);
    ss_framer_free(framer);
    FILE *f = fopen(path, "wb");
    check(f && fwrite(message.data, 1, message.used, f) == message.used && fclose(f) == 0, path);
}

/* --- scenes ----------------------------------------------------------------------------------- */

static void put(const ss_scene *scene, double scale, int w, int h, const char *name)
{
    char path[512];
    const char *const png[] = {".png", "-bare.png"};
    for (int bare = 0; bare < 2; bare++) {
        snprintf(path, sizeof path, "%s/%s%s", folder, name, png[bare]);
        draw_png(scene, scale, w, h, bare, path);
    }
    snprintf(path, sizeof path, "%s/%s.bin", folder, name);
    write_frame(scene, scale, w, h, path);
    printf("%s\n", name);
}

static void put_item(int kind, int theme, const struct size *size)
{
    static ss_scene scene;
    char name[64];
    int w = (int)(COLS * SS_CELL_W * size->scale), h = (int)(ROWS * SS_CELL_H * size->scale);
    ss_scene_clear(&scene, COLS, ROWS, ss_theme_find(themes[theme]));
    fill_item(ss_scene_add(&scene, (ss_item_kind)kind, (ss_rect){3, 2, 33, 14}, SS_C_TEXT));
    item_image.smooth = theme;
    snprintf(name, sizeof name, "item%d-%s-%dx%d", kind, themes[theme], w, h);
    put(&scene, size->scale, w, h, name);
}

static ss_snapshot *sample(int which)
{
    return which == 0   ? sample_2d(SS_STALENESS, 256, 256)
           : which == 1 ? sample_1d(256)
           : which == 2 ? sample_swept(256, 0)
                        : sample_3d(SS_VALUE, 64, 32);
}

static void put_screen(int which, int theme, const struct size *size)
{
    char name[64], command[32];
    sample_log log = {.ticket = 0};
    ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
    ss_snapshot *snap = sample(which);
    ss_extent extent;
    snprintf(command, sizeof command, "theme %s", themes[theme]);
    sample_command(ui, command, snap);
    ss_places_page(size->w, size->h, &extent);
    const ss_scene *scene = ss_ui_scene(ui, snap, &extent, 30);
    snprintf(name, sizeof name, "screen%d-%s-%dx%d", which, themes[theme], size->w, size->h);
    put(scene, scene->cell / (double)SS_CELL_W, size->w, size->h, name);
    sample_free(snap);
    ss_ui_free(ui);
}

int main(int argc, char **argv)
{
    check(argc == 2, "scenes FOLDER");
    folder = argv[1];
    for (int theme = 0; theme < NTHEME; theme++)
        for (int size = 0; size < NSIZE; size++) {
            for (int kind = 0; kind < SS_NITEM; kind++)
                put_item(kind, theme, &sizes[size]);
            for (int which = 0; which < NSCREEN; which++)
                put_screen(which, theme, &sizes[size]);
        }
    return 0;
}
