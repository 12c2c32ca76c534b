/* Scenes in pixels (ui/canvas/canvas.h): every kind of item, no write outside, and a partial
 * repaint that equals the first paint bit for bit after any change. */
#include "tests/check.h"

#ifdef SS_WITH_CAIRO

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/common.h"
#include "tests/ui/canvas/sheet.h"
#include "tests/ui/items.h"
#include "ui/canvas/canvas.h"
#include "ui/panels/screen.h"
#include "ui/scene/place.h"

/* --- one item --------------------------------------------------------------------------------- */

TEST(canvas, every_item_is_drawn_inside_its_rectangle)
{
    static ss_scene scene;
    static const ss_rect at = {5, 3, 20, 9};
    for (int kind = 0; kind < SS_NITEM; kind++) {
        ss_drawing *d = new_drawing(1);
        ss_extent e;
        sheet s = new_sheet(411, 333); /* cells do not fill it */
        int inside = 0;
        ss_places_extent(1, s.px.w, s.px.h, &e);
        ss_scene_clear(&scene, e.cols, e.rows, &ss_themes[0]);
        fill_item(ss_scene_add(&scene, (ss_item_kind)kind, at, SS_C_TEXT));
        ss_drawing_paint(d, &scene, &s.px, NULL);
        int ox = (s.px.w - e.cols * e.dots_x) / 2, oy = (s.px.h - e.rows * e.dots_y) / 2;
        for (int y = 0; y < s.px.h; y++)
            for (int x = 0; x < s.px.w; x++) {
                bool in = x >= ox + at.x * e.dots_x && x < ox + (at.x + at.w) * e.dots_x &&
                          y >= oy + at.y * e.dots_y && y < oy + (at.y + at.h) * e.dots_y;
                bool drawn = pixel(&s, x, y) != ss_themes[0].color[SS_C_GROUND];
                CHECK_MSG(in || !drawn, "kind %d draws at (%d, %d)", kind, x, y);
                inside += drawn;
            }
        CHECK_MSG(inside > 50 || kind == SS_I_VEIL, "kind %d draws %d pixels", kind, inside);
        check_margin(&s);
        free(s.all);
        ss_drawing_free(d);
    }
}

/* A window may be smaller than a cell, while its recording goes on. */
TEST(canvas, a_scene_without_cells_is_drawn)
{
    static ss_scene scene;
    for (int i = 0; i < 4; i++) {
        ss_scene_clear(&scene, i & 1, i >> 1, &ss_themes[0]);
        double scale = ss_places_fitted(&scene, 320, 200);
        CHECK(scale >= 0.5 && scale <= 8);
        ss_drawing *d = new_drawing(scale);
        sheet s = new_sheet(320, 200);
        ss_drawing_paint(d, &scene, &s.px, NULL);
        check_margin(&s);
        free(s.all);
        ss_drawing_free(d);
    }
}

/* The amount of the curve's colour in a column, in pixels. */
static double ink(const sheet *s, int x)
{
    double ground = ss_themes[0].color[SS_C_GROUND] >> 8 & 255, sum = 0;
    double full = ss_themes[0].color[SS_C_SERIES1] >> 8 & 255;
    for (int y = 0; y < s->px.h; y++)
        sum += ((pixel(s, x, y) >> 8 & 255) - ground) / (full - ground);
    return sum;
}

/* A curve is two pixels thick at any slope: a column has two over the cosine. */
TEST(canvas, a_curve_has_the_same_width_everywhere)
{
    static ss_scene scene;
    static const ss_rect at = {5, 3, 20, 9};
    enum { GUTTER = 10, RIGHT = 4, ABOVE = 9 };
    ss_drawing *d = new_drawing(1);
    ss_extent e;
    sheet s = new_sheet(400, 300);
    ss_places_extent(1, s.px.w, s.px.h, &e);
    ss_scene_clear(&scene, e.cols, e.rows, &ss_themes[0]);
    fill_item(ss_scene_add(&scene, SS_I_CHART, at, SS_C_TEXT));
    item_chart.x.ntick = item_chart.y.ntick = 0;
    item_chart.x_label = "";
    ss_drawing_paint(d, &scene, &s.px, NULL);
    int x0 = at.x * e.dots_x + GUTTER, w = at.w * e.dots_x - GUTTER - RIGHT;
    double h = at.h * e.dots_y - ABOVE - e.dots_y;
    for (int i = 0; i < 2; i++) {
        double slope = (item_points[i + 1].y - item_points[i].y) / 4 * h / (w / 2.0);
        for (int x = x0 + i * w / 2 + 5; x < x0 + (i + 1) * w / 2 - 5; x++)
            CHECK_NEAR(ink(&s, x), 2 * sqrt(1 + slope * slope), 0.15);
    }
    free(s.all);
    ss_drawing_free(d);
}

static bool is_green(uint32_t c)
{
    int r = c >> 16 & 255, g = c >> 8 & 255, b = c & 255;
    return g > r + 30 && g > b + 30;
}

/* The label of the tolerance is above its line at the left end: at the right end the curve meets
 * the line, and there is the mark of the end of the run. */
TEST(canvas, the_label_of_a_level_is_at_its_left_end)
{
    static ss_scene scene;
    static const ss_rect at = {2, 1, 36, 13};
    ss_drawing *d = new_drawing(1);
    ss_extent e;
    sheet s = new_sheet(400, 300);
    int left = 0, right = 0;
    ss_places_extent(1, s.px.w, s.px.h, &e);
    ss_scene_clear(&scene, e.cols, e.rows, &ss_themes[0]);
    fill_item(ss_scene_add(&scene, SS_I_CHART, at, SS_C_TEXT));
    item_chart.has_level = true, item_chart.level = 1;
    strcpy(item_chart.level_text, " tol 1e-4 ");
    ss_drawing_paint(d, &scene, &s.px, NULL);
    for (int y = 0; y < s.px.h; y++) {
        int row = 0;
        for (int x = 0; x < s.px.w; x++)
            row += is_green(pixel(&s, x, y));
        for (int x = 0; x < s.px.w && row < 60; x++) /* not the line itself */
            *(x < s.px.w / 2 ? &left : &right) += is_green(pixel(&s, x, y));
    }
    CHECK_MSG(left > 5 && right == 0, "%d pixels at the left, %d at the right", left, right);
    free(s.all);
    ss_drawing_free(d);
}

/* A curve that goes up and down every few pixels: in some row every pixel differs from the one
 * before it. Cairo's fast antialiasing (before 1.17.4) writes one entry behind its buffer there;
 * with an odd width that damages the heap, and the C library ends the program. */
TEST(canvas, a_zigzag_curve_does_not_damage_the_heap)
{
    enum { N = 800, COLS = 60 };
    static ss_scene scene;
    static ss_xy at[N];
    static const double scales[] = {0.5, 0.7, 1};
    sheet s = new_sheet(640, 400);
    for (int step = 0; step < 90; step++) {
        ss_drawing *d = new_drawing(scales[step % 3]);
        ss_extent e;
        ss_places_extent(scales[step % 3], s.px.w, s.px.h, &e);
        ss_scene_clear(&scene, e.cols, e.rows, &ss_themes[0]);
        fill_item(
            ss_scene_add(&scene, SS_I_CHART, (ss_rect){1, 1, COLS - step % 5, 12}, SS_C_TEXT));
        double pitch = (1.5 + 0.5 * (step / 3 % 6)) / (COLS * e.dots_x); /* pixels of the chart */
        for (int i = 0; i < N; i++)
            at[i] = (ss_xy){2.2 * i * pitch - 0.1, i % 2 ? 0.5 : 3.5};
        item_chart.series[0] =
            (ss_series){.at = at, .n = N, .role = SS_C_SERIES1, .dots = step % 2};
        ss_drawing_paint(d, &scene, &s.px, NULL);
        ss_drawing_free(d);
    }
    check_margin(&s);
    free(s.all);
}

TEST(canvas, an_image_shows_the_colour_of_each_cell)
{
    static ss_scene scene;
    ss_drawing *d = new_drawing(1);
    sheet s = new_sheet(400, 320);
    ss_scene_clear(&scene, 40, 16, &ss_themes[0]);
    fill_item(ss_scene_add(&scene, SS_I_IMAGE, (ss_rect){0, 0, 40, 16}, SS_C_TEXT));
    ss_drawing_paint(d, &scene, &s.px, NULL);
    CHECK_INT(pixel(&s, 0, 0), item_image.map->color[0]);
    CHECK_INT(pixel(&s, 99, 79), item_image.map->color[0]);
    CHECK_INT(pixel(&s, 250, 310), item_image.map->color[255]);
    CHECK_INT(pixel(&s, 399, 319), ss_themes[0].color[SS_C_PANEL]); /* NaN */
    free(s.all);
    ss_drawing_free(d);
}

/* --- partial repaints ------------------------------------------------------------------------- */

/* Four curves of 40 points, different in every step, with every kind of item over and under them.
 */
static void busy_chart(ss_item *it, ss_xy (*at)[40], int step)
{
    static const char *const names[4] = {"a", "longer", NULL, "fourth"};
    static const ss_theme_role roles[4] = {SS_C_SERIES1, SS_C_SERIES1, SS_C_ACCENT, SS_C_TEXT};
    fill_item(it);
    it->chart = &item_chart;
    item_chart.nseries = 4;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 40; i++)
            at[k][i] =
                (ss_xy){i / 20.0, 4.4 * ss_random_unit((uint64_t)step * 4 + (uint64_t)k, i) - 0.2};
        at[k][7 + step % 5].y = NAN; /* a gap */
        item_chart.series[k] = (ss_series){.at = at[k], .n = 40, .role = roles[k]};
        item_chart.legend[k] = names[k];
    }
    item_chart.mark[0] = (ss_chart_mark){0.5, "k 8"},
    item_chart.mark[1] = (ss_chart_mark){0.6, "k 16"};
    item_chart.nmark = 2;
    item_chart.edge[0] = 1, item_chart.nedge = 1;
    item_chart.zone[0][0] = 1.2, item_chart.zone[0][1] = 1.5, item_chart.nzone = 1;
    item_chart.zone_label = "zone";
    item_chart.has_level = true, item_chart.level = 1.5;
    strcpy(item_chart.level_text, "tol");
    item_chart.under[0] = 0.3, item_chart.under[1] = 0.9, item_chart.nunder = 2,
    item_chart.here = 1;
}

static void paint_alone(const ss_scene *scene, double scale, const sheet *to)
{
    ss_drawing *d = new_drawing(scale);
    ss_drawing_paint(d, scene, &to->px, NULL);
    ss_drawing_free(d);
}

static uint32_t *pixel_at(const sheet *s, int x, int y)
{
    return (uint32_t *)(void *)((char *)s->px.data + (size_t)y * (size_t)s->px.stride) + x;
}

/* A pixel far from all curves gets another colour: it stays, since only the curves are redrawn;
 * with its colour restored the image equals a first paint. */
TEST(canvas, a_changed_curve_redraws_only_its_chart)
{
    static ss_scene scene;
    static ss_xy at[4][40];
    static const ss_rect place = {3, 2, 50, 20};
    static const double scales[] = {1, 1.7};
    for (int scale = 0; scale < 2; scale++) {
        ss_drawing *d = new_drawing(scales[scale]);
        sheet repainted = new_sheet(1021, 811), first = new_sheet(1021, 811);
        ss_extent e;
        ss_places_extent(scales[scale], repainted.px.w, repainted.px.h, &e);
        int x = (repainted.px.w - e.cols * e.dots_x) / 2 + place.x * e.dots_x + 1;
        int y = (repainted.px.h - e.rows * e.dots_y) / 2 + place.y * e.dots_y + 1;
        for (int step = 0; step < 24; step++) {
            ss_scene_clear(&scene, e.cols, e.rows, &ss_themes[0]);
            busy_chart(ss_scene_add(&scene, SS_I_CHART, place, SS_C_TEXT), at,
                       step / 12 ? 1 : step);
            if (step >= 12) /* same points, another mark: a full repaint */
                item_chart.mark[0].x = 0.5 + 0.01 * step;
            uint32_t was = *pixel_at(&repainted, x, y), other = 0xff123456u;
            if (step > 2)
                *pixel_at(&repainted, x, y) = other;
            ss_drawing_paint(d, &scene, &repainted.px, NULL);
            if (step > 2)
                CHECK_MSG((*pixel_at(&repainted, x, y) == other) == (step < 12), "step %d", step);
            if (step > 2)
                *pixel_at(&repainted, x, y) = was;
            paint_alone(&scene, scales[scale], &first);
            CHECK_MSG(memcmp(first.all, repainted.all, repainted.size) == 0, "step %d", step);
        }
        free(repainted.all), free(first.all);
        ss_drawing_free(d);
    }
}

/* Other charts in the same place, which need a full repaint, are not restored from the backdrop. */
TEST(canvas, a_cached_background_is_not_reused_for_another_chart)
{
    static ss_scene scene;
    static ss_xy at[4][40];
    static const ss_rect place = {3, 2, 40, 20};
    ss_drawing *d = new_drawing(1);
    sheet repainted = new_sheet(1021, 811), first = new_sheet(1021, 811);
    ss_extent e;
    ss_places_extent(1, repainted.px.w, repainted.px.h, &e);
    for (int step = 0; step < 48; step++) {
        int what = step / 4 % 3; /* curves, dashes among them, a picture */
        ss_scene_clear(&scene, e.cols, e.rows, &ss_themes[0]);
        ss_item *it = ss_scene_add(&scene, what == 2 ? SS_I_IMAGE : SS_I_CHART, place, SS_C_TEXT);
        busy_chart(it, at, step);
        if (what == 1)
            item_chart.series[1].dots = true;
        if (what == 2)
            it->image = &item_image;
        ss_drawing_paint(d, &scene, &repainted.px, NULL);
        paint_alone(&scene, 1, &first);
        CHECK_MSG(memcmp(first.all, repainted.all, repainted.size) == 0, "step %d", step);
    }
    free(repainted.all), free(first.all);
    ss_drawing_free(d);
}

/* What the mouse points at is drawn over the rest and taken off again: nothing below is painted
 * anew, and the result is a first paint. */
TEST(canvas, a_moving_rule_repaints_only_itself)
{
    static ss_scene scene;
    static ss_xy at[4][40];
    static const ss_rect place = {3, 2, 50, 20}, picture = {60, 2, 30, 15};
    ss_drawing *d = new_drawing(1);
    sheet repainted = new_sheet(1021, 811), first = new_sheet(1021, 811);
    ss_extent e;
    ss_places_extent(1, repainted.px.w, repainted.px.h, &e);
    int ox = (repainted.px.w - e.cols * e.dots_x) / 2;
    int oy = (repainted.px.h - e.rows * e.dots_y) / 2;
    int x = ox + picture.x * e.dots_x + 5, y = oy + picture.y * e.dots_y + 5;
    for (int step = 0; step < 12; step++) {
        ss_rect changed;
        ss_scene_clear(&scene, e.cols, e.rows, &ss_themes[0]);
        busy_chart(ss_scene_add(&scene, SS_I_CHART, place, SS_C_TEXT), at, 1);
        ss_item *it = ss_scene_add(&scene, SS_I_IMAGE, picture, SS_C_TEXT);
        fill_item(it);
        busy_chart(&scene.item[0], at, 1);
        for (int on = 0; on < 2 && step % 4 != 3; on++) { /* sometimes there is none */
            ss_rule *r = ss_scene_rule(&scene, on);
            r->x = 0.3 + 0.05 * step, r->y = on ? 0.6 : (double)NAN;
            r->dot[0].x = r->x, r->dot[0].y = 0.4, r->dot[0].role = SS_C_SERIES1, r->ndot = 1;
            r->text = "cycle 412", r->text_y = 0.5;
            r->has_zone = step == 5, r->zone = (ss_box2){0.1, 0.2, 0.4, 0.9};
        }
        uint32_t was = *pixel_at(&repainted, x, y), other = 0xff123456u;
        if (step > 1)
            *pixel_at(&repainted, x, y) = other;
        ss_drawing_paint(d, &scene, &repainted.px, &changed);
        if (step > 1) {
            CHECK_MSG(*pixel_at(&repainted, x, y) == other || step == 5, "step %d", step);
            *pixel_at(&repainted, x, y) = was;
        }
        paint_alone(&scene, 1, &first);
        CHECK_MSG(memcmp(first.all, repainted.all, repainted.size) == 0, "step %d", step);
        double px, py; /* a pixel of the data is the cell of the data */
        ss_rect data = ss_chart_data(&item_chart, place);
        ss_drawing_place(d, ox + (place.x + place.w / 2.0) * e.dots_x, oy + 200, &px, &py);
        CHECK(px > data.x && px < data.x + data.w && py > data.y && py < data.y + data.h);
    }
    free(repainted.all), free(first.all);
    ss_drawing_free(d);
}

/* The same for rows that move down: such a pixel moves with them. */
TEST(canvas, moved_rows_are_copied_and_not_redrawn)
{
    enum { W = 23, H = 32, CELL = 10, ROWS = 200 };
    static ss_scene scene;
    static float rows[ROWS][W], shown[H * W];
    uint64_t serial[H];
    ss_drawing *d = new_drawing(1);
    sheet repainted = new_sheet(411, 333), first = new_sheet(411, 333);
    for (int i = 0; i < ROWS * W; i++)
        rows[i / W][i % W] = (float)(14 * ss_random_unit(9, (uint64_t)i));
    int newest = H, moves_seen = 0;
    bool were_known = false, was_same = false; /* when it was painted last */
    for (int step = 0; step < 40; step++) {
        int moved = step % 5;
        bool known = step % 7 != 3, same = step % 11 != 5;
        newest += moved;
        for (int y = 0; y < H; y++) {
            memcpy(shown + (size_t)y * W, rows[newest - y], sizeof rows[0]);
            serial[y] = known || y != 20 ? (uint64_t)(newest - y) + 1 : 0;
        }
        ss_scene_clear(&scene, 41, 16, &ss_themes[0]);
        fill_item(ss_scene_add(&scene, SS_I_IMAGE, (ss_rect){2, 0, 20, H * CELL / 20}, SS_C_TEXT));
        item_image.cell = shown, item_image.serial = serial, item_image.w = W, item_image.h = H;
        item_image.smooth = true;
        item_image.range.hi = same ? 14 : 13;
        int x = (repainted.px.w - 410) / 2 + 2 * 10 + 77, y = (repainted.px.h - 320) / 2 + 150;
        uint32_t other = 0xff123456u;
        if (step)
            *pixel_at(&repainted, x, y) = other;
        ss_drawing_paint(d, &scene, &repainted.px, NULL);
        bool moves = known && were_known && same == was_same;
        if (step && moved)
            CHECK_MSG((*pixel_at(&repainted, x, y + moved * CELL) == other) == moves, "step %d",
                      step);
        paint_alone(&scene, 1, &first);
        if (moves || (!moved && same == was_same))
            *pixel_at(&repainted, x, y + moved * CELL) = *pixel_at(&first, x, y + moved * CELL);
        CHECK_MSG(memcmp(first.all, repainted.all, repainted.size) == 0, "step %d, %d rows", step,
                  moved);
        if (moved || same != was_same)
            were_known = known, was_same = same;
        moves_seen += moves && moved;
    }
    CHECK(moves_seen > 10);
    free(repainted.all), free(first.all);
    ss_drawing_free(d);
}

/* --- whole scenes ----------------------------------------------------------------------------- */

static const char *const changes[] = {"view layer residual",
                                      "view axis seconds",
                                      "view probe 20 9",
                                      "theme light",
                                      "help",
                                      "help",
                                      "focus block",
                                      "view smooth",
                                      "view zoom in",
                                      "presets",
                                      "redraw",
                                      "view grid"};
enum { CHANGES = sizeof changes / sizeof *changes };

/* Another picture, another cycle; sometimes a tip of the mouse, or nothing new. */
static void next_moment(ss_ui *ui, ss_snapshot *s, int step, const struct ss_scene *scene)
{
    ss_event tip = {.kind = step % 3 ? SS_EV_HOVER : SS_EV_MOVE, .x = 110, .y = 5.5};
    if (step % 4 == 3)
        return;
    s->seq++;
    s->telemetry.value[SS_T_CYCLE]++;
    for (int i = 0; i < s->picture.w * s->picture.h; i++)
        s->picture.cell[i] *= 1.01F;
    ss_ui_event(ui, &tip, scene, s);
    sample_command(ui, changes[step % CHANGES], s);
}

static void check_changed(const sheet *before, const sheet *now, ss_rect r)
{
    for (int y = 0; y < now->px.h; y++)
        for (int x = 0; x < now->px.w; x++)
            CHECK_MSG(ss_rect_has(r, x, y) || pixel(before, x, y) == pixel(now, x, y),
                      "(%d, %d) has changed and is not reported", x, y);
}

/* Scenes from `first` on, every `stride`-th, after so many changes each. */
static void check_repaints(int first_scene, int stride, int steps)
{
    for (int which = first_scene; which < 4; which += stride) {
        sample_log log = {.ticket = 0};
        ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
        ss_snapshot *snap = sample(which);
        ss_drawing *d = new_drawing(which == 3 ? 1.5 : 1);
        sheet repainted = new_sheet(1280, 800), before = new_sheet(1280, 800);
        ss_extent e;
        ss_rect changed;
        CHECK(ui != NULL);
        ss_places_extent(which == 3 ? 1.5 : 1, 1280, 800, &e);
        struct ss_scene *scene = ss_ui_scene(ui, snap, &e, 60);
        for (int step = 0; step < steps; step++) {
            memcpy(before.all, repainted.all, repainted.size);
            ss_drawing_paint(d, scene, &repainted.px, &changed);
            check_changed(&before, &repainted, changed);
            ss_drawing *anew = new_drawing(which == 3 ? 1.5 : 1);
            sheet first = new_sheet(1280, 800);
            ss_drawing_paint(anew, scene, &first.px, NULL);
            CHECK_MSG(memcmp(first.all, repainted.all, repainted.size) == 0, "scene %d, step %d",
                      which, step);
            ss_drawing_free(anew);
            free(first.all);
            next_moment(ui, snap, step, scene);
            scene = ss_ui_scene(ui, snap, &e, 60);
        }
        ss_drawing_paint(d, scene, &repainted.px, &changed);
        ss_drawing_paint(d, scene, &repainted.px, &changed);
        CHECK_MSG(changed.w == 0 && changed.h == 0, "the same again: %dx%d", changed.w, changed.h);
        free(repainted.all);
        free(before.all);
        ss_drawing_free(d);
        sample_free(snap);
        ss_ui_free(ui);
    }
}

TEST(canvas, a_repaint_is_a_first_paint)
{
    check_repaints(0, 3, CHANGES + 1);
}

SLOW_TEST(canvas, a_repaint_of_every_scene_is_a_first_paint)
{
    check_repaints(0, 1, 2 * CHANGES + 2);
}

SLOW_TEST(canvas, random_scenes_stay_inside_windows_of_any_size)
{
    uint64_t most = CHECK_SANITIZED ? 30 : 120;
    for (uint64_t seed = 0; seed < most; seed++) {
        sample_log log = {.ticket = 0};
        ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
        ss_snapshot *snap = sample_random(seed);
        ss_drawing *d = new_drawing(0.5 + 2 * ss_random_unit(3, seed));
        sheet s = new_sheet(1 + (int)(ss_random_unit(1, seed) * 1500),
                            1 + (int)(ss_random_unit(2, seed) * 1000));
        ss_extent e;
        ss_places_extent(0.5 + 2 * ss_random_unit(3, seed), s.px.w, s.px.h, &e);
        if (seed % 3)
            sample_command(ui, seed % 3 == 1 ? "help" : "presets", snap);
        for (int k = 0; k < 2; k++)
            ss_drawing_paint(d, ss_ui_scene(ui, snap, &e, 60), &s.px, NULL);
        check_margin(&s);
        free(s.all);
        ss_drawing_free(d);
        sample_free(snap);
        ss_ui_free(ui);
    }
}

/* --- places ----------------------------------------------------------------------------------- */

/* A click on a name hits where it is drawn, left of its cells. */
TEST(canvas, a_click_finds_what_is_drawn)
{
    sample_log log = {.ticket = 0};
    ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
    ss_snapshot *snap = sample_2d(SS_VALUE, 64, 64);
    ss_drawing *d = new_drawing(1);
    sheet s = new_sheet(1280, 800);
    ss_extent e;
    int found = 0;
    const char *seen = "";
    ss_places_extent(1, 1280, 800, &e);
    const struct ss_scene *scene = ss_ui_scene(ui, snap, &e, 60);
    ss_drawing_paint(d, scene, &s.px, NULL);
    for (int x = 0; x < 640; x++) { /* along the tabs of the field */
        double cx, cy;
        ss_drawing_place(d, x, 104, &cx, &cy);
        const ss_hit *h = ss_scene_at(scene, cx, cy);
        if (!h || h->kind != SS_H_COMMAND || strcmp(h->command, seen) == 0)
            continue;
        seen = h->command;
        found++;
        CHECK_MSG(strncmp(h->command, "view layer ", 11) == 0, "%s", h->command);
    }
    CHECK_MSG(found >= 6, "%d names", found);
    free(s.all);
    ss_drawing_free(d);
    sample_free(snap);
    ss_ui_free(ui);
}

#endif
