/*
 * Fuzz target: a user at a window and at a terminal of any size. Input is a list of events, each a
 * letter and its bytes (`takes` below); after each event the scene is laid out and drawn in cells
 * and, with cairo, after every fourth one and the last in pixels whose buffer ends at the end of
 * its memory. Synthetic snapshots: nothing is solved. The drawing is kept, since finding fonts
 * takes longer than everything else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ui/samples.h"
#include "ui/panels/screen.h"
#ifdef SS_WITH_CAIRO
#include "ui/canvas/canvas.h"
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { EVENTS_MAX = 32, CELL_W = 10, CELL_H = 20 };

typedef struct fixture {
    sample_log log;
    ss_ui *ui;
    ss_snapshot *snap;
    struct ss_scene *scene;
    ss_term_cells cells;
    int w, h; /* of the window in pixels */
    int events;
#ifdef SS_WITH_CAIRO
    ss_drawing *drawing;
    void *pixels;
#endif
} fixture;

/* --- snapshots and scenes --------------------------------------------------------------------- */

static void new_size(fixture *d, int w, int h)
{
    d->w = w > 0 ? w : 1, d->h = h > 0 ? h : 1;
#ifdef SS_WITH_CAIRO
    free(d->pixels);
    d->pixels = malloc((size_t)d->w * (size_t)d->h * 4);
    ss_drawing_forget(d->drawing);
#endif
}

static void draw_screen(fixture *d)
{
    ss_paint how = {ss_glyphs_find("half"), 32, false, false, false};
    ss_extent cells = {.cols = d->w / CELL_W, .rows = d->h / CELL_H, .dots_x = 1, .dots_y = 2};
    d->scene = ss_ui_scene(d->ui, d->snap, &cells, 20);
    if (!ss_cells_resize(&d->cells, cells.cols, cells.rows))
        abort();
    ss_cells_paint(&d->cells, d->scene, &how);
}

static void draw_window(fixture *d)
{
    (void)d;
#ifdef SS_WITH_CAIRO
    ss_extent cells;
    ss_pixels to = {d->pixels, d->w, d->h, 4 * d->w};
    ss_rect changed;
    ss_places_extent(1, d->w, d->h, &cells);
    d->scene = ss_ui_scene(d->ui, d->snap, &cells, 60);
    ss_drawing_paint(d->drawing, d->scene, &to, &changed);
    if (changed.x < 0 || changed.y < 0 || changed.x + changed.w > d->w ||
        changed.y + changed.h > d->h)
        abort();
#endif
}

/* Answers the requested view, as the engine would. */
static void next_snapshot(fixture *d, uint8_t seed)
{
    const ss_view *view = ss_ui_view(d->ui);
    sample_free(d->snap);
    d->snap = sample_random(seed);
    if (d->snap->picture.w > 0 && seed % 2)
        sample_picture(d->snap, view->layer, view->w, view->h);
}

/* --- events ----------------------------------------------------------------------------------- */

static void mouse(fixture *d, ss_event_kind kind, const uint8_t *b)
{
    ss_event ev = {.kind = kind, .button = b[0] % 3, .dy = b[1] % 2 ? 1 : -1};
    double x = (b[0] / 128.0 - 0.5) * d->w,
           y = (b[1] / 128.0 - 0.5) * d->h; /* outside the window, too */
#ifdef SS_WITH_CAIRO
    ss_drawing_place(d->drawing, x, y, &ev.x, &ev.y);
#else
    ev.x = x / CELL_W, ev.y = y / CELL_H;
#endif
    ss_ui_event(d->ui, &ev, d->scene, d->snap);
}

static void key(fixture *d, const uint8_t *b)
{
    static const char *const named[] = {"left",  "right",  "up",        "down",  "home",   "end",
                                        "pgup",  "pgdn",   "tab",       "enter", "esc",    "space",
                                        "S-tab", "delete", "backspace", "F1",    "S-left", "C-l"};
    ss_event ev = {.kind = SS_EV_KEY, .key = {(char)b[0]}};
    if (b[0] <= ' ' || b[0] > '~')
        snprintf(ev.key, sizeof ev.key, "%s", named[b[0] % (sizeof named / sizeof *named)]);
    ss_ui_event(d->ui, &ev, d->scene, d->snap);
}

static void named_key(fixture *d, const uint8_t *b)
{
    const uint8_t beyond = b[0] & 31;
    key(d, &beyond);
}

static void press(fixture *d, const uint8_t *b)
{
    mouse(d, SS_EV_PRESS, b);
}
static void drag(fixture *d, const uint8_t *b)
{
    mouse(d, SS_EV_DRAG, b);
}
static void release(fixture *d, const uint8_t *b)
{
    mouse(d, SS_EV_RELEASE, b);
}
static void move(fixture *d, const uint8_t *b)
{
    mouse(d, SS_EV_MOVE, b);
}
static void wheel(fixture *d, const uint8_t *b)
{
    mouse(d, SS_EV_WHEEL, b);
}
static void hover(fixture *d, const uint8_t *b)
{
    mouse(d, SS_EV_HOVER, b);
}
static void resize(fixture *d, const uint8_t *b)
{
    ss_event ev = {.kind = SS_EV_RESIZE};
    new_size(d, b[0] * 4, b[1] * 3);
    ss_ui_event(d->ui, &ev, d->scene, d->snap);
}
static void snapshot(fixture *d, const uint8_t *b)
{
    next_snapshot(d, b[0]);
}

static const struct act {
    char letter;
    size_t takes;
    void (*act)(fixture *d, const uint8_t *b);
} acts[] = {{'s', 2, resize}, {'k', 1, key},     {'n', 1, named_key}, {'p', 2, press},
            {'d', 2, drag},   {'r', 2, release}, {'m', 2, move},      {'w', 2, wheel},
            {'h', 2, hover},  {'t', 1, snapshot}};

static size_t act_on(fixture *d, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (data[0] == (uint8_t)acts[i].letter && size > acts[i].takes) {
            acts[i].act(d, data + 1);
            draw_screen(d);
            if (++d->events % 4 == 0)
                draw_window(d);
            return 1 + acts[i].takes;
        }
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fixture d;
    ss_err err;
#ifdef SS_WITH_CAIRO
    static ss_drawing *drawing;
    if (!drawing && !(drawing = ss_drawing_new(1, &err)))
        abort();
#endif
    d = (fixture){.ui = ss_ui_new(sample_emit, &d.log, &err), .snap = sample_random(size)};
    if (!d.ui)
        return 0;
#ifdef SS_WITH_CAIRO
    d.drawing = drawing;
#endif
    new_size(&d, 640, 480);
    draw_screen(&d);
    for (int n = 0; size > 0 && n < EVENTS_MAX; n++) {
        size_t used = act_on(&d, data, size);
        data += used, size -= used;
    }
    draw_window(&d);
#ifdef SS_WITH_CAIRO
    free(d.pixels);
#endif
    ss_cells_free(&d.cells);
    sample_free(d.snap);
    ss_ui_free(d.ui);
    return 0;
}
