/* Whole screens in pixels: popups, the outline of every panel, words inside panels, the size of the
 * window and the projector theme. */
#include "tests/check.h"

#ifdef SS_WITH_CAIRO

#include "tests/ui/canvas/sheet.h"

/* --- popups ----------------------------------------------------------------------------------- */

/* A colour below the veil of a popup. */
static ss_rgb dimmed(ss_rgb c, ss_rgb ground)
{
    ss_rgb out = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        ss_rgb of = c >> shift & 255, to = ground >> shift & 255;
        out |= (of * (256 - SS_VEIL_PARTS) + to * SS_VEIL_PARTS) >> 8 << shift;
    }
    return out;
}

static const ss_scene *paint_ui(ss_ui *ui, ss_snapshot *snap, const sheet *to)
{
    ss_drawing *d = new_drawing(1);
    ss_extent e;
    ss_places_extent(1, to->px.w, to->px.h, &e);
    const ss_scene *scene = ss_ui_scene(ui, snap, &e, 60);
    ss_drawing_paint(d, scene, &to->px, NULL);
    ss_drawing_free(d);
    return scene;
}

/* The last frame of a scene. */
static const ss_item *last_frame(const ss_scene *s)
{
    int i = s->nitem - 1;
    while (i > 0 && s->item[i].kind != SS_I_FRAME)
        i--;
    return &s->item[i];
}

/* Around the list of presets every pixel is dimmed, up to its outline and in its round corners;
 * the keys in the footer are not. */
TEST(canvas, a_popup_dims_what_is_around_it)
{
    sample_log log = {.ticket = 0};
    ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
    ss_snapshot *snap = sample(0);
    sheet plain = new_sheet(1280, 800), popup = new_sheet(1280, 800);
    ss_rgb ground = ss_themes[0].color[SS_C_GROUND];
    paint_ui(ui, snap, &plain);
    sample_command(ui, "presets", snap);
    ss_rect r = last_frame(paint_ui(ui, snap, &popup))->rect;
    int x0 = r.x * 10 + 5, x1 = (r.x + r.w) * 10 - 5, y0 = r.y * 20 + 8, y1 = (r.y + r.h) * 20 - 2;
    int colours = 0;
    for (int y = 0; y < 740; y++)
        for (int x = 0; x < 1280; x++) {
            bool corner = (x < x0 + 2 || x >= x1 - 2) && (y < y0 + 2 || y >= y1 - 2);
            if (x >= x0 && x < x1 && y >= y0 && y < y1 && !corner)
                continue;
            ss_rgb want = dimmed(pixel(&plain, x, y), ground);
            CHECK_MSG(pixel(&popup, x, y) == want, "(%d, %d)", x, y);
            colours += want != ground;
        }
    CHECK(colours > 1000);
    const ss_rgb accent = ss_themes[0].color[SS_C_ACCENT];
    bool key = false;
    for (int i = 0; i < 40 * 1280; i++)
        key = key || pixel(&popup, i % 1280, 760 + i / 1280) == accent;
    CHECK(key);
    free(plain.all), free(popup.all);
    sample_free(snap);
    ss_ui_free(ui);
}

/* Choosing a card of the gallery repaints two cards; all others stay as they are. */
TEST(canvas, a_chosen_card_hides_no_other_card)
{
    sample_log log = {.ticket = 0};
    ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
    ss_snapshot *snap = sample(0);
    sheet first = new_sheet(1280, 800), then = new_sheet(1280, 800);
    sample_command(ui, "presets", snap);
    paint_ui(ui, snap, &first);
    sample_command(ui, "presets move right", snap);
    const ss_scene *scene = paint_ui(ui, snap, &then);
    int same = 0;
    for (int i = 0; i < scene->nhit; i++) {
        const ss_hit *h = &scene->hit[i];
        bool equal = true;
        if (h->kind != SS_H_PICK)
            continue;
        for (int y = h->rect.y * 20; y < (h->rect.y + h->rect.h) * 20; y++)
            for (int x = h->rect.x * 10; x < (h->rect.x + h->rect.w) * 10; x++)
                equal = equal && pixel(&first, x, y) == pixel(&then, x, y);
        CHECK_MSG(equal == (h->index > 1), "card %d", h->index);
        same += equal;
    }
    CHECK(same >= 10);
    free(first.all), free(then.all);
    sample_free(snap);
    ss_ui_free(ui);
}

/* --- outlines --------------------------------------------------------------------------------- */

/* Is (x, y), in cells, below a frame that was added after item i? */
static bool is_below(const ss_scene *s, int i, double x, double y)
{
    for (int k = i + 1; k < s->nitem; k++)
        if (s->item[k].kind == SS_I_FRAME && ss_rect_has(s->item[k].rect, x, y))
            return true;
    return false;
}

static bool is_veiled(const ss_scene *s, int i)
{
    while (i < s->nitem && s->item[i].kind != SS_I_VEIL)
        i++;
    return i < s->nitem;
}

/* All pixels of the four straight edges of frame i have its colour. */
static void check_outline(const sheet *s, const ss_scene *scene, int i, const char *what)
{
    ss_rect r = scene->item[i].rect;
    int cw = scene->cell, ch = 2 * cw;
    double scale = cw / (double)SS_CELL_W, round = 9 * scale + 1;
    int ox = (s->px.w - scene->cols * cw) / 2, oy = (s->px.h - scene->rows * ch) / 2;
    int x0 = ox + r.x * cw + (int)floor(5 * scale), x1 = ox + (r.x + r.w) * cw;
    int y0 = oy + r.y * ch + (int)floor(8 * scale), y1 = oy + (r.y + r.h) * ch;
    x1 -= (int)floor(5 * scale) + 1, y1 -= (int)floor(2 * scale) + 1;
    ss_rgb want = scene->theme->color[scene->item[i].role];
    if (is_veiled(scene, i))
        want = dimmed(want, scene->theme->color[SS_C_GROUND]);
    for (int edge = 0; edge < 4; edge++) {
        int from = (edge < 2 ? x0 : y0) + (int)round, to = (edge < 2 ? x1 : y1) - (int)round;
        for (int at = from; at <= to; at++) {
            int x = edge < 2 ? at : edge == 2 ? x0 : x1, y = edge == 0 ? y0 : edge == 1 ? y1 : at;
            if (is_below(scene, i, (x - ox) / (double)cw, (y - oy) / (double)ch))
                continue;
            CHECK_MSG(pixel(s, x, y) == want, "%s, %dx%d: the frame at cell (%d, %d) is cut at %s",
                      what, s->px.w, s->px.h, r.x, r.y,
                      ((const char *[]){"its upper edge", "its lower edge", "its left edge",
                                        "its right edge"})[edge]);
            if (pixel(s, x, y) != want)
                return;
        }
    }
}

/* No text that belongs to a panel is wider than it. */
static void check_outlines(ss_ui *ui, ss_snapshot *snap, int w, int h, const char *what)
{
    double scale = ss_places_scale(w, h);
    sheet s = new_sheet(w, h);
    ss_extent e;
    ss_places_extent(scale, w, h, &e);
    const ss_scene *scene = ss_ui_scene(ui, snap, &e, 60);
    ss_drawing *d = new_drawing(scene->cell / (double)SS_CELL_W);
    ss_drawing_paint(d, scene, &s.px, NULL);
    for (int i = 0; i < scene->nitem; i++)
        if (scene->item[i].kind == SS_I_FRAME)
            check_outline(&s, scene, i, what);
    ss_drawing_free(d);
    free(s.all);
}

/* Everything that a panel can show: layers, fields, stages, axes, a rewound run, a race's order. */
static const char *const shown[] = {"view layer staleness",
                                    "view layer age",
                                    "view layer error",
                                    "view layer value",
                                    "view field next",
                                    "view stage swept",
                                    "view stage lanes",
                                    "view stage classic",
                                    "view stage drift",
                                    "view stage spectrum",
                                    "view axis bytes",
                                    "view plane next",
                                    "view probe 20 9",
                                    "theme projector",
                                    "help",
                                    NULL};
#define NSHOWN (sizeof shown / sizeof *shown)

static void check_all_outlines(const int (*size)[2], int nsize, int stride)
{
    for (int which = 0; which < 4; which++)
        for (int i = 0; i < nsize; i++) {
            sample_log log = {.ticket = 0};
            ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
            ss_snapshot *snap = sample(which);
            CHECK(ui != NULL);
            for (size_t k = (size_t)((which + i) % stride); k < NSHOWN && shown[k];
                 k += (size_t)stride) {
                sample_command(ui, shown[k], snap);
                check_outlines(ui, snap, size[i][0], size[i][1], shown[k]);
            }
            sample_free(snap);
            ss_ui_free(ui);
        }
}

SLOW_TEST(canvas, the_outline_of_every_panel_is_whole)
{
    static const int sizes[][2] = {{640, 480},  {700, 500},  {800, 600},  {1000, 640},
                                   {1280, 720}, {1280, 800}, {1920, 1080}};
    check_all_outlines(sizes, CHECK_SANITIZED ? 3 : 7, 5);
}

SLOW_TEST(canvas, the_outline_of_every_panel_is_whole_at_every_size)
{
    int sizes[64][2], n = 0;
    for (int w = 640; w <= 2560; w += 96)
        for (int k = 0; k < 3 && n < 64; k++, n++)
            sizes[n][0] = w, sizes[n][1] = k == 0 ? w * 3 / 4 : k == 1 ? w * 9 / 16 : w * 5 / 8;
    for (int i = 0; i < n; i++)
        sizes[i][1] = sizes[i][1] < 480 ? 480 : sizes[i][1];
    check_all_outlines((const int(*)[2])sizes, n, 1);
}

/* What a panel says stays inside it, at every size of a window. */
SLOW_TEST(canvas, no_text_is_wider_than_its_panel)
{
    for (int which = 0; which < 4; which++) {
        sample_log log = {.ticket = 0};
        ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
        ss_snapshot *snap = sample(which);
        for (int cols = 64; cols <= 200; cols += 3)
            for (int rows = 24; rows <= 72; rows += 4)
                for (size_t k = 0; k < NSHOWN && shown[k]; k += 2) {
                    ss_extent e = {.cols = cols,
                                   .rows = rows,
                                   .dots_x = 10,
                                   .dots_y = 20,
                                   .head = 2,
                                   .side = 2,
                                   .scale = 1};
                    sample_command(ui, shown[k], snap);
                    const ss_scene *s = ss_ui_scene(ui, snap, &e, 60);
                    ss_rect panel = {0, 0, 0, 0};
                    for (int i = 0; i < s->nitem; i++) {
                        const ss_item *it = &s->item[i];
                        ss_rect r = it->rect;
                        panel = it->kind == SS_I_FRAME ? r : panel;
                        if (it->kind != SS_I_TEXT || !ss_rect_has(panel, r.x + 0.5 * r.w, r.y))
                            continue;
                        CHECK_MSG(r.x >= panel.x && r.x + r.w <= panel.x + panel.w,
                                  "%dx%d, %s: '%s' is wider than its panel", cols, rows, shown[k],
                                  it->text);
                    }
                }
        sample_free(snap);
        ss_ui_free(ui);
    }
}

TEST(canvas, the_scale_follows_the_size_of_the_window)
{
    static const struct {
        int w, h;
        double scale;
    } of[] = {{640, 480, 1},      {1280, 800, 1},  {1900, 1000, 1.25}, {1920, 1080, 1.25},
              {2560, 1440, 1.75}, {2560, 1600, 2}, {3840, 2160, 2.5},  {7680, 4320, 2.5},
              {2560, 600, 1},     {900, 2000, 1}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        CHECK_NEAR(ss_places_scale(of[i].w, of[i].h), of[i].scale, 0);
}

/* A larger theme has larger cells, and the drawing that is made for the scene fills the window. */
TEST(canvas, the_projector_theme_draws_everything_larger)
{
    sample_log log = {.ticket = 0};
    ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
    ss_snapshot *snap = sample(0);
    ss_extent e;
    ss_places_extent(1, 1280, 800, &e);
    const ss_scene *scene = ss_ui_scene(ui, snap, &e, 60);
    CHECK_INT(scene->cell, 10);
    CHECK_INT(scene->cols, 128);
    sample_command(ui, "theme projector", snap);
    scene = ss_ui_scene(ui, snap, &e, 60);
    CHECK_INT(scene->cell, 13);
    CHECK_INT(scene->cols, 98);
    CHECK_INT(scene->rows, 30);
    CHECK_NEAR(ss_places_fitted(scene, 1280, 800), 1.3, 1e-12);
    ss_extent terminal = {.cols = 120, .rows = 40, .dots_x = 1, .dots_y = 2};
    scene = ss_ui_scene(ui, snap, &terminal, 20);
    CHECK_INT(scene->cols, 120); /* a terminal has cells of one size */
    sample_free(snap);
    ss_ui_free(ui);
}

#endif
