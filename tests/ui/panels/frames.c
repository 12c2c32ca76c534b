/* Frames of films and figures: golden text at a few sizes (tests/ui/golden/frame-*.txt), what a
 * film shows while a value changes, and which runs have which frame. */
#include "tests/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/app/tables.h"
#include "src/core/registry.h"
#include "tests/ui/golden.h"
#include "tests/ui/samples.h"
#include "ui/panels/screen.h"
#include "ui/view/state.h"

static const ss_frame_row *frame_named(const char *name)
{
    const ss_frame_row *f = ss_frames;
    while (f->name && strcmp(f->name, name) != 0)
        f++;
    CHECK_MSG(f->name, "there is no frame %s", name);
    return f;
}

static ss_ui *new_screen(void)
{
    static sample_log log;
    ss_err err;
    ss_ui *ui = ss_ui_new(sample_emit, &log, &err);
    CHECK(ui != NULL);
    ss_ui_in_order(ui);
    return ui;
}

static const ss_scene *scene_of(ss_ui *ui, ss_snapshot *s, int cols, int rows,
                                const ss_frame_spec *spec)
{
    const ss_extent extent = {.cols = cols, .rows = rows, .dots_x = 1, .dots_y = 2};
    s->deterministic = true;
    ss_frame_scene(ui, s, &extent, spec);
    if (s->picture.w > 0)
        sample_picture(s, ss_ui_view(ui)->layer, ss_ui_view(ui)->w, ss_ui_view(ui)->h);
    if (s->race.n > 0) /* pictures of the same size */
        sample_race(s);
    return ss_frame_scene(ui, s, &extent, spec);
}

static ss_snapshot *with_race(ss_snapshot *s)
{
    sample_race(s);
    return s;
}

static ss_snapshot *with_cone(ss_snapshot *s)
{
    sample_cone(s, 12, 12, 8);
    return s;
}

/* Rewound from cycle 600 to 300. */
static ss_snapshot *with_past(ss_snapshot *s)
{
    ss_past *past = &s->past;
    s->residual0 = 1;
    s->ncurve = past->ncurve = 0;
    past->back = past->used = true;
    past->end = 600;
    for (int i = 0; i <= 300; i += 20) {
        s->curve[s->ncurve++] = (ss_point){.cycle = i, .residual = exp(-i / 40.0)};
        past->curve[past->ncurve++] =
            (ss_point){.cycle = 300 + i, .residual = exp(-7.5 - i / 80.0)};
        past->kept[past->nkept++].cycle = i;
    }
    s->telemetry.value[SS_T_CYCLE] = 300;
    s->nmark = 1;
    s->mark[0].at.cycle = 100;
    snprintf(s->mark[0].text, sizeof s->mark[0].text, "k 4→12");
    return s;
}

static void shot(ss_snapshot *s, const char *frame, const char *name, int cols, int rows)
{
    const ss_paint how = {.glyphs = ss_glyphs_find("half"), .levels = 32};
    ss_frame_spec spec = {.frame = frame_named(frame),
                          .title = "A title",
                          .caption = "a caption",
                          .paper = rows == 0,
                          .progress = 0.25};
    ss_term_cells cells = {0};
    ss_ui *ui = new_screen();
    if (s->dim == 2)
        CHECK_INT(sample_command(ui, "view layer staleness", s), SS_OK);
    const ss_scene *scene = scene_of(ui, s, cols, rows, &spec);
    CHECK(ss_cells_resize(&cells, scene->cols, scene->rows));
    ss_cells_paint(&cells, scene, &how);
    golden_check(name, &cells);
    ss_cells_free(&cells);
    sample_free(s);
    ss_ui_free(ui);
}

TEST(frames, screens)
{
    shot(sample_2d(SS_STALENESS, 64, 64), "field", "frame-field-66x25", 66, 25);
    shot(sample_2d(SS_STALENESS, 64, 64), "field+curve", "frame-field-curve-91x25", 91, 25);
    shot(sample_2d(SS_STALENESS, 64, 64), "figure", "frame-figure-73", 73, 0);
    shot(sample_2d(SS_STALENESS, 64, 64), "figure", "frame-figure-36", 36, 0);
    shot(sample_swept(64, 0), "figure", "frame-figure-swept-73", 73, 0);
    shot(sample_swept(64, 12), "theatre", "frame-theatre-66x25", 66, 25);
    shot(sample_swept(64, 0), "raster", "frame-raster-66x25", 66, 25);
    shot(sample_3d(SS_VALUE, 64, 32), "field", "frame-slice-66x25", 66, 25);
    shot(sample_2d(SS_STALENESS, 64, 64), "field+curve", "frame-field-curve-66x25", 66, 25);
    shot(with_cone(sample_2d(SS_STALENESS, 64, 64)), "cone", "frame-cone-91x25", 91, 25);
    shot(with_race(sample_2d(SS_VALUE, 64, 64)), "wipe", "frame-wipe-66x25", 66, 25);
    shot(with_race(sample_2d(SS_VALUE, 64, 64)), "wipe", "frame-wipe-91x25", 91, 25);
    shot(with_race(sample_1d(64)), "wipe", "frame-wipe-line-66x25", 66, 25);
    shot(with_past(sample_2d(SS_VALUE, 64, 64)), "timeline", "frame-timeline-66x25", 66, 25);
}

TEST(frames, the_choices_of_the_option_are_the_rows_of_the_table)
{
    ss_tables_init();
    const ss_param *row = ss_param_find(ss_options(), "frame", NULL);
    int n = 0;
    for (; ss_frames[n].name; n++)
        CHECK_STR(row->choices[n], ss_frames[n].name);
    CHECK(row->choices[n] == NULL);
    CHECK(ss_frames[0].part[0] == NULL); /* the whole screen */
}

static void expect_why(const char *frame, const ss_snapshot *s, const char *want)
{
    ss_err err = {0};
    CHECK_INT(ss_frame_check(frame_named(frame), s, &err), want ? SS_FAIL : SS_OK);
    CHECK_STR(err.text, want ? want : "");
}

TEST(frames, a_run_without_the_picture_refuses_the_frame_with_its_reason)
{
    ss_snapshot *plane = sample_2d(SS_VALUE, 8, 8), *line = sample_swept(64, 0);
    expect_why("theatre", plane,
               "frame theatre: only the solver swept has this diagram of a cycle");
    expect_why("raster", plane, "frame raster: only a 1D problem has a space-time diagram");
    expect_why("figure", plane, NULL); /* it leaves out what there is not */
    expect_why("field+curve", plane, NULL);
    expect_why(
        "cone", plane,
        "frame cone: only a steady run whose blocks do at least two subiterations in a cycle "
        "has stale values");
    expect_why("wipe", plane,
               "frame wipe: only a race has two fields: race 'RUN' 'RUN', or the command split");
    expect_why("timeline", plane, NULL);
    expect_why("timeline", line,
               "frame timeline: only a steady run has a residual over its cycles");
    with_cone(plane);
    expect_why("cone", plane, NULL);
    plane->cone.there = false;
    plane->cone.why = "a reason";
    expect_why("cone", plane, "frame cone: a reason");
    plane->cone.why = NULL;
    with_race(plane);
    expect_why("wipe", plane, NULL);
    expect_why("cone", plane, "frame cone: a race has no cone: it belongs to a cycle of one run");
    expect_why("timeline", plane, "frame timeline: a race has no timeline: it belongs to one run");
    plane->view.layer = SS_OWNER;
    expect_why("wipe", plane, "frame wipe: owners are names, which have no difference");
    expect_why("theatre", line, NULL);
    expect_why("raster", line, NULL);
    sample_free(plane);
    sample_free(line);
}

/* --- a value changes -------------------------------------------------------------------------- */

static ss_control *control_named(ss_snapshot *s, const char *name)
{
    for (int i = 0; i < s->ncontrol; i++)
        if (strcmp(s->control[i].row->name, name) == 0)
            return &s->control[i];
    CHECK_MSG(false, "there is no control %s", name);
    abort();
}

static const ss_item *text_item(const ss_scene *s, const char *text)
{
    for (int i = 0; i < s->nitem; i++)
        if (s->item[i].kind == SS_I_TEXT && strcmp(s->item[i].text, text) == 0)
            return &s->item[i];
    return NULL;
}

static const ss_scene *film_at(ss_ui *ui, ss_snapshot *s, double seconds)
{
    const ss_frame_spec spec = {.frame = frame_named("field+curve"), .seconds = seconds};
    return scene_of(ui, s, 120, 30, &spec);
}

TEST(frames, a_change_shows_both_values_for_six_tenths_of_a_second)
{
    ss_snapshot *s = sample_2d(SS_VALUE, 64, 64);
    ss_control *k = control_named(s, "k");
    ss_ui *ui = new_screen();
    k->value.i = 4;
    CHECK(text_item(film_at(ui, s, 0.95), "4") != NULL);
    k->value.i = 12;
    const ss_item *both = text_item(film_at(ui, s, 1), "4 → 12");
    CHECK(both && both->role == SS_C_ACCENT && both->roll > 0 && both->roll < 1);
    both = text_item(film_at(ui, s, 1.2), "4 → 12");
    CHECK(both && !(both->roll > 0));
    both = text_item(film_at(ui, s, 1.55), "4 → 12");
    CHECK(both && !(both->roll < 0)); /* not on its way out */
    const ss_scene *after = film_at(ui, s, 1.6);
    const ss_item *new = text_item(after, "12");
    CHECK(new &&new->role == SS_C_TEXT &&new->roll > 0);
    CHECK(text_item(after, "4 → 12")->roll < 0); /* on its way out */
    CHECK(text_item(film_at(ui, s, 2), "4 → 12") == NULL);
    sample_free(s);
    ss_ui_free(ui);
}

/* Whatever else must go where there is no room: the value that changes stays. */
TEST(frames, a_narrow_line_keeps_the_value_that_changes)
{
    ss_snapshot *s = sample_2d(SS_VALUE, 64, 64);
    ss_control *overlap = control_named(s, "overlap");
    const ss_frame_spec first = {.frame = frame_named("field")};
    const ss_frame_spec then = {.frame = frame_named("field"), .seconds = 1};
    ss_ui *ui = new_screen();
    overlap->value.i = 0;
    CHECK(text_item(scene_of(ui, s, 44, 20, &first), "overlap") == NULL);
    overlap->value.i = 6;
    CHECK(text_item(scene_of(ui, s, 44, 20, &then), "0 → 6") != NULL);
    sample_free(s);
    ss_ui_free(ui);
}

/* In pixels, too; a film has the theme of the program. */
TEST(frames, a_figure_with_a_size_is_white_and_a_film_is_not)
{
    ss_snapshot *s = sample_2d(SS_VALUE, 64, 64);
    const ss_frame_spec figure = {.frame = frame_named("field"), .seconds = -1},
                        film = {.frame = frame_named("field"), .seconds = 0};
    ss_ui *ui = new_screen();
    CHECK(scene_of(ui, s, 80, 40, &figure)->theme->color[SS_C_GROUND] == 0xffffff);
    CHECK(scene_of(ui, s, 80, 40, &film)->theme->color[SS_C_GROUND] != 0xffffff);
    sample_free(s);
    ss_ui_free(ui);
}

/* A frame is white unless a theme was chosen. */
TEST(frames, a_figure_on_paper_is_white)
{
    ss_snapshot *s = sample_2d(SS_VALUE, 64, 64);
    const ss_frame_spec paper = {.frame = frame_named("figure"), .paper = true, .seconds = -1};
    ss_ui *ui = new_screen();
    CHECK(scene_of(ui, s, 73, 0, &paper)->theme->color[SS_C_GROUND] == 0xffffff);
    CHECK_INT(sample_command(ui, "theme dark", s), SS_OK);
    CHECK(scene_of(ui, s, 73, 0, &paper)->theme->color[SS_C_GROUND] ==
          ss_theme_find("dark")->color[SS_C_PANEL]);
    sample_free(s);
    ss_ui_free(ui);
}

/* --- the wipe --------------------------------------------------------------------------------- */

static double line_of(const ss_scene *s)
{
    for (int i = 0; i < s->nitem; i++)
        if (s->item[i].kind == SS_I_IMAGE && s->item[i].image->has_wipe)
            return s->item[i].image->wipe;
    CHECK_MSG(false, "there is no wipe");
    return -1;
}

/* With the film, unless a place was chosen. */
TEST(frames, the_line_of_a_wipe_goes_from_left_to_right)
{
    ss_snapshot *s = with_race(sample_2d(SS_VALUE, 64, 64));
    ss_frame_spec spec = {.frame = frame_named("wipe")};
    ss_ui *ui = new_screen();
    for (int i = 0; i <= 4; i++) {
        spec.progress = i / 4.0;
        CHECK_NEAR(line_of(scene_of(ui, s, 66, 25, &spec)), i / 4.0, 0);
    }
    CHECK_INT(sample_command(ui, "view wipe 0.3", s), SS_OK);
    CHECK_NEAR(line_of(scene_of(ui, s, 66, 25, &spec)), 0.3, 0);
    sample_free(s);
    ss_ui_free(ui);
}

/* --- the field and its colour bar ------------------------------------------------------------- */

static const ss_item *item_of(const ss_scene *s, ss_item_kind kind)
{
    for (int i = 0; i < s->nitem; i++)
        if (s->item[i].kind == kind)
            return &s->item[i];
    CHECK_MSG(false, "an item is missing");
    abort();
}

/* In an upright room the bar stands below, so that the picture is as wide as the room. */
TEST(frames, the_colour_bar_stands_where_the_picture_is_largest)
{
    ss_snapshot *s = sample_2d(SS_VALUE, 64, 64);
    const ss_frame_spec both = {.frame = frame_named("field+curve")};
    const ss_frame_spec alone = {.frame = frame_named("field")};
    ss_ui *ui = new_screen();
    const ss_scene *scene = scene_of(ui, s, 66, 25, &both);
    ss_rect image = item_of(scene, SS_I_IMAGE)->rect, bar = item_of(scene, SS_I_BAR)->rect;
    CHECK(image.w >= 26 && bar.y > image.y + image.h && bar.x == image.x && bar.w == image.w);
    scene = scene_of(ui, s, 66, 25, &alone);
    image = item_of(scene, SS_I_IMAGE)->rect, bar = item_of(scene, SS_I_BAR)->rect;
    CHECK(bar.x > image.x + image.w - 1 && bar.y == image.y && bar.h == image.h);
    sample_free(s);
    ss_ui_free(ui);
}
