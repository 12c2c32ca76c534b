/* Frames of a film in pixels: a drawing that keeps what has not changed gives the pixels of a first
 * paint while a value of the line of parameters comes up. */
#include "tests/check.h"

#ifdef SS_WITH_CAIRO

#include "tests/ui/canvas/sheet.h"
#include "ui/panels/screen.h"

enum { W = 800, H = 600 };

/* The last word of the line: no word behind it moves when it changes. */
static ss_control *last_number(ss_snapshot *s)
{
    int i = s->ncontrol - 1;
    while (s->control[i].row->type != SS_INT || strcmp(s->control[i].row->group, "Machine") == 0)
        i--;
    return &s->control[i];
}

static const struct ss_scene *film_at(ss_ui *ui, ss_snapshot *s, double seconds)
{
    ss_extent e;
    const ss_frame_spec spec = {.frame = &ss_frames[3], .seconds = seconds};
    ss_places_extent(1, W, H, &e);
    ss_frame_scene(ui, s, &e, &spec);
    sample_picture(s, ss_ui_view(ui)->layer, ss_ui_view(ui)->w, ss_ui_view(ui)->h);
    return ss_frame_scene(ui, s, &e, &spec);
}

static bool is_equal(const sheet *a, const sheet *b)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            if (pixel(a, x, y) != pixel(b, x, y))
                return false;
    return true;
}

/* Number of different pictures among consecutive ones; each is a first paint, too. */
static int different_pictures(ss_ui *ui, ss_snapshot *s, int frames)
{
    sheet kept = new_sheet(W, H), fresh = new_sheet(W, H), last = new_sheet(W, H);
    ss_drawing *d = NULL;
    int different = 0;
    for (int i = 0; i < frames; i++) {
        last_number(s)->value.i = i < 2 ? 4 : 12;
        const struct ss_scene *scene = film_at(ui, s, i / 20.0);
        double scale = ss_places_fitted(scene, W, H);
        d = d ? d : new_drawing(scale);
        ss_drawing *once = new_drawing(scale);
        ss_drawing_paint(d, scene, &kept.px, NULL);
        ss_drawing_paint(once, scene, &fresh.px, NULL);
        ss_drawing_free(once);
        CHECK_MSG(is_equal(&kept, &fresh), "frame %d differs from a first paint", i);
        different += i > 0 && !is_equal(&kept, &last);
        memcpy(last.all, kept.all, kept.size);
    }
    ss_drawing_free(d);
    free(kept.all), free(fresh.all), free(last.all);
    return different;
}

/* Frames 2, 3, 4 and 5 bring the two values, 14 to 17 the new one alone. */
TEST(film, a_value_that_changes_moves_for_a_moment_and_stands)
{
    static sample_log log;
    ss_err err;
    ss_snapshot *s = sample_2d(SS_VALUE, 64, 64);
    ss_ui *ui = ss_ui_new(sample_emit, &log, &err);
    ss_ui_in_order(ui);
    s->deterministic = true;
    CHECK_STR(ss_frames[3].name, "field+curve");
    CHECK_INT(different_pictures(ui, s, 22), 8);
    sample_free(s);
    ss_ui_free(ui);
}

/* Large words have 22 pixels in a film of 800x600, and grow with it. */
TEST(film, words_grow_with_the_size)
{
    static const int sizes[][3] = {
        {800, 600, 12}, {1280, 720, 14}, {1600, 1200, 24}, {400, 300, 6}};
    static sample_log log;
    ss_err err;
    ss_snapshot *s = sample_2d(SS_VALUE, 64, 64);
    ss_ui *ui = ss_ui_new(sample_emit, &log, &err);
    for (int i = 0; i < 4; i++) {
        ss_extent e;
        const ss_frame_spec spec = {.frame = &ss_frames[2]};
        int w = sizes[i][0], h = sizes[i][1];
        ss_places_extent(ss_places_scale(w, h), w, h, &e);
        const ss_scene *scene = ss_frame_scene(ui, s, &e, &spec);
        CHECK_INT(scene->cell, sizes[i][2]);
        CHECK_INT((int)(10 * ss_places_fitted(scene, w, h) + 0.5), sizes[i][2]);
    }
    sample_free(s);
    ss_ui_free(ui);
}

#endif
