/* The brush and the clipboard line in the user interface: the commands of mouse and keys, and the
 * display. */

#include <stdio.h>
#include <stdlib.h>

#define SCREEN_EMIT log_command
#define SCREEN_OPEN open_painted
#include "src/core/command.h"

static uint64_t log_command(void *ctx, const ss_cmd *cmd, ss_err *err);

#include "tests/ui/fixture.h"

enum { LINES_MAX = 200 };

static char line_of[LINES_MAX][200]; /* the emitted commands */
static int count;

static uint64_t log_command(void *ctx, const ss_cmd *cmd, ss_err *err)
{
    (void)ctx, (void)err;
    CHECK(cmd->row->side != SS_SIDE_SCREEN);
    if (count < LINES_MAX)
        ss_cmd_format(cmd, line_of[count++], sizeof line_of[0]);
    return 1;
}

static void paint_screen(fixture *d)
{
    draw_screen(d);
    CHECK(ss_cells_resize(&d->cells, d->cols, d->rows));
    ss_cells_paint(&d->cells, d->scene, &d->how);
}

static void open_painted(fixture *d, ss_snapshot *snap)
{
    snap->deterministic = true;
    open_screen(d, snap, 120, 40);
    d->how = (ss_paint){ss_glyphs_find("ascii"), 32, true, false, false};
    count = 0;
    paint_screen(d);
}

static void mouse(fixture *d, ss_event_kind kind, double x, double y, int dy)
{
    ss_event ev = {.kind = kind, .x = x, .y = y, .dy = dy};
    ss_ui_event(d->ui, &ev, d->scene, d->snap);
    paint_screen(d);
}

static const ss_rect *field_of(fixture *d)
{
    for (int i = 0; i < d->scene->nhit; i++)
        if (d->scene->hit[i].kind == SS_H_FIELD)
            return &d->scene->hit[i].rect;
    CHECK_MSG(false, "there is no field");
    return NULL;
}

static bool on_screen(fixture *d, const char *text)
{
    char line[1024];
    paint_screen(d);
    for (int y = 0; y < 40; y++)
        if (strstr(ss_cells_row(&d->cells, y, line, sizeof line), text))
            return true;
    return false;
}

/* The field has 1024 x 1024 points. */
SCREEN_TEST(brush, a_drag_is_one_stroke, sample_2d(SS_VALUE, 58, 58))
{
    press_key(d, "e");
    CHECK(on_screen(d, "brush: radius 64"));
    sample_command(d->ui, "brush amount 0.5", d->snap);
    ss_rect r = *field_of(d);
    mouse(d, SS_EV_PRESS, r.x + 0.5 * r.w, r.y + 0.5 * r.h, 0);
    CHECK_INT(count, 1);
    CHECK_STR(line_of[0], "paint 511.5 511.5 64 0.5");
    mouse(d, SS_EV_DRAG, r.x + 0.625 * r.w, r.y + 0.5 * r.h, 0); /* 128 points to the right */
    CHECK_INT(count, 5);
    CHECK_STR(line_of[1], "paint 543.5 511.5 64 0.5 join");
    CHECK_STR(line_of[4], "paint 639.5 511.5 64 0.5 join");
    mouse(d, SS_EV_DRAG, -50, -50, 0); /* beyond the edge it stays on the field */
    CHECK(count <= 5 + 64);
    for (int i = 0; i < count; i++) {
        double x, y;
        CHECK(sscanf(line_of[i], "paint %lf %lf", &x, &y) == 2);
        CHECK(x >= 0 && y >= 0 && x <= 1023 && y <= 1023);
    }
    mouse(d, SS_EV_RELEASE, 0, 0, 0);
    int before = count;
    mouse(d, SS_EV_DRAG, r.x + 2, r.y + 2, 0); /* the button is up */
    CHECK_INT(count, before);
    mouse(d, SS_EV_PRESS, r.x + 0.5 * r.w, r.y + 0.5 * r.h, 0);
    CHECK_STR(line_of[before], "paint 511.5 511.5 64 0.5"); /* a new stroke */
    press_key(d, "esc");
    mouse(d, SS_EV_PRESS, r.x + 2, r.y + 2, 0);
    CHECK_INT(count, before + 1); /* a click probes a point again */
}

SCREEN_TEST(brush, the_keyboard_paints, sample_2d(SS_VALUE, 58, 58))
{
    press_key(d, "e");
    sample_command(d->ui, "brush radius 10", d->snap);
    sample_command(d->ui, "brush amount 1", d->snap);
    sample_command(d->ui, "view probe 100 200", d->snap);
    press_key(d, "]");
    press_key(d, "+");
    press_key(d, "i");
    press_key(d, "enter");
    CHECK_STR(line_of[0], "paint 100 200 13 -2");
    press_key(d, "[");
    press_key(d, "-");
    press_key(d, "right");
    press_key(d, "enter");
    CHECK_MSG(strstr(line_of[1], " 10 -1") && !strstr(line_of[1], "join"), "%s", line_of[1]);
    press_key(d, "u");
    CHECK_STR(line_of[2], "undo");
    press_key(d, "space");
    CHECK_STR(line_of[3], "toggle");
    for (int i = 0; i < 100; i++)
        press_key(d, "[");
    CHECK(on_screen(d, "brush: radius 1,"));
    for (int i = 0; i < 100; i++)
        press_key(d, "]");
    CHECK(on_screen(d, "brush: radius 1024,"));
}

SCREEN_TEST(brush, the_wheel_and_the_pointer, sample_2d(SS_VALUE, 58, 58))
{
    press_key(d, "e");
    ss_rect r = *field_of(d);
    mouse(d, SS_EV_WHEEL, r.x + 3, r.y + 3, 1);
    CHECK(on_screen(d, "brush: radius 80"));
    mouse(d, SS_EV_WHEEL, r.x + 3, r.y + 3, -1);
    CHECK(on_screen(d, "brush: radius 64"));
    mouse(d, SS_EV_MOVE, r.x, r.y + r.h - 0.01, 0);
    CHECK_INT(ss_ui_view(d->ui)->probe_x, 0);
    CHECK_INT(count, 0);
}

/* A stroke paints the field that is shown. */
TEST(brush, strokes_name_the_field_and_the_slice)
{
    fixture d;
    open_painted(&d, sample_swept(64, 0));
    CHECK_INT(sample_command(d.ui, "view field velocity", d.snap), SS_OK);
    CHECK_INT(sample_command(d.ui, "view grid of", d.snap), SS_FAIL);
    CHECK_INT(sample_command(d.ui, "view smooth onn", d.snap), SS_FAIL);
    press_key(&d, "e");
    sample_command(d.ui, "brush radius 8", d.snap);
    sample_command(d.ui, "view probe 20 0", d.snap);
    press_key(&d, "enter");
    CHECK_MSG(strstr(line_of[0], "paint 20 0 8 ") && strstr(line_of[0], " field=velocity"), "%s",
              line_of[0]);
    close_fixture(&d);
    open_painted(&d, sample_3d(SS_VALUE, 64, 32));
    press_key(&d, "e");
    sample_command(d.ui, "view probe 20 10", d.snap);
    press_key(&d, "enter");
    CHECK_MSG(strstr(line_of[0], "plane=xy slice="), "%s", line_of[0]);
    close_fixture(&d);
}

SCREEN_TEST(brush, invalid_brush_commands_are_refused, sample_2d(SS_VALUE, 58, 58))
{
    static const char *const bad[] = {"brush blue",     "brush radius 0.5", "brush radius 5000",
                                      "brush amount 0", "brush amount x",   "brush dab"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_MSG(sample_command(d->ui, bad[i], d->snap) == SS_FAIL, "%s", bad[i]);
}

static bool says(fixture *d, const ss_extent *e, const char *text)
{
    const ss_scene *s = ss_ui_scene(d->ui, d->snap, e, 0);
    bool found = false;
    for (int i = 0; i < s->nitem; i++)
        found = found || (s->item[i].kind == SS_I_TEXT && strstr(s->item[i].text, text));
    return found;
}

/* Letters of a window's font are narrower than cells: labels that fit next to them are shown. */
SCREEN_TEST(corner, corner_text_appears_where_it_fits_beside_the_chart,
            sample_2d(SS_RESIDUAL, 58, 58))
{
    ss_extent window = {128, 40, 10, 20, 2, 2, .scale = 1};
    CHECK(says(d, &window, "residual / r0"));
    CHECK(says(d, &window, "mean |b − A u|, x and y"));
}

/* A mouse that rests on a cost shows its explanation. */
SCREEN_TEST(costs, a_resting_pointer_explains_a_cost, sample_2d(SS_VALUE, 58, 58))
{
    ss_extent window = {128, 40, 10, 20, 2, 2, .scale = 1};
    const ss_scene *s = ss_ui_scene(d->ui, d->snap, &window, 0);
    ss_event rest = {.kind = SS_EV_HOVER};
    for (int i = 0; i < s->nitem; i++)
        if (s->item[i].kind == SS_I_TEXT && strcmp(s->item[i].text, "stale kept") == 0)
            rest.x = s->item[i].rect.x + 1.5, rest.y = s->item[i].rect.y + 0.5;
    CHECK(rest.x > 0 && !says(d, &window, "share of the written"));
    ss_ui_event(d->ui, &rest, s, d->snap);
    CHECK(says(d, &window, "share of the written"));
}

/* --- the sign of a recording ------------------------------------------------------------------ */

static bool shows_sign(const ss_scene *s, const char *text)
{
    for (int i = 0; i < s->nitem; i++)
        if (s->item[i].kind == SS_I_TEXT && strstr(s->item[i].text, "REC"))
            return s->item[i].rect.w > 0 && strcmp(s->item[i].text, text) == 0;
    return !*text;
}

/* The screen shows the sign, the recording does not. */
SCREEN_TEST(recording, the_recording_sign_is_shown_but_not_recorded, sample_2d(SS_VALUE, 58, 58))
{
    ss_extent terminal = {120, 40, 1, 2, 1, 1, .scale = 0};
    CHECK(shows_sign(ss_ui_scene(d->ui, d->snap, &terminal, 0), ""));
    ss_ui_recording(d->ui, 1);
    CHECK(shows_sign(ss_ui_scene(d->ui, d->snap, &terminal, 0), "● REC"));
    ss_ui_recording(d->ui, 2);
    ss_scene *s = ss_ui_scene(d->ui, d->snap, &terminal, 0);
    CHECK(shows_sign(s, "● REC 2"));
    int item = s->unrecorded;
    ss_scene_recorded(s);
    CHECK(!shows_sign(s, "● REC 2") && s->item[item].rect.w == 0);
}

/* --- a small window --------------------------------------------------------------------------- */

/* A window does not mention cells; a recording shows no message. */
SCREEN_TEST(small, a_small_window_gives_its_size_in_pixels, sample_2d(SS_VALUE, 58, 58))
{
    ss_extent window = {64, 20, 20, 40, 2, 2, .scale = 2}, tiny = {18, 6, 20, 40, 2, 2, .scale = 2};
    ss_extent terminal = {64, 20, 1, 2, 1, 1, .scale = 0};
    CHECK(says(d, &window, "1600×960 pixels show more, or --ui-scale 1.6"));
    CHECK(says(d, &terminal, "80×24 or larger, this is 64×20"));
    CHECK(!says(d, &window, "80×24"));
    ss_ui_in_order(d->ui);
    CHECK(!says(d, &window, "pixels show") && !says(d, &tiny, "pixels"));
}

/* --- the clipboard ---------------------------------------------------------------------------- */

SCREEN_TEST(copy, copying_gives_the_command_line_and_the_view, sample_2d(SS_VALUE, 58, 58))
{
    snprintf(d->snap->command, sizeof d->snap->command,
             "stencilscope poisson2d shared -e 'step 9'");
    CHECK(ss_ui_take_copy(d->ui) == NULL);
    press_key(d, "Y");
    CHECK_STR(ss_ui_take_copy(d->ui), "stencilscope poisson2d shared -e 'step 9'");
    CHECK(ss_ui_take_copy(d->ui) == NULL); /* once */
    ss_ui_copied(d->ui, true);
    CHECK(on_screen(d, "copied to the clipboard") && on_screen(d, "shared -e 'step 9'"));
    press_key(d, "esc");
    CHECK(!on_screen(d, "copied to the clipboard"));
    static const char *const lines[] = {"view layer residual", "view axis bytes",
                                        "view grid off",       "view window 8 16 108 96.5",
                                        "view probe 20 30",    "theme light"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        CHECK_INT(sample_command(d->ui, lines[i], d->snap), SS_OK);
    press_key(d, "Y");
    CHECK_STR(ss_ui_take_copy(d->ui),
              "stencilscope poisson2d shared -e 'step 9' -e 'view layer residual' -e 'view axis "
              "bytes' -e 'view grid off' -e 'view window 8 16 108 96.5' -e 'view probe 20 30' "
              "-e 'theme light'");
}

/* In a window the edge with the title is two rows high: the line stands below it. */
SCREEN_TEST(copy, the_copied_line_is_shown_below_the_title, sample_2d(SS_VALUE, 58, 58))
{
    snprintf(d->snap->command, sizeof d->snap->command,
             "stencilscope poisson2d shared -e 'step 9'");
    press_key(d, "Y");
    ss_extent window = {128, 40, 10, 20, 2, 1, .scale = 1};
    const ss_scene *s = ss_ui_scene(d->ui, d->snap, &window, 0);
    const ss_item *frame = NULL, *line = NULL;
    for (int i = 0; i < s->nitem; i++) {
        if (s->item[i].kind == SS_I_FRAME && strstr(s->item[i].text, "as a command"))
            frame = &s->item[i];
        if (s->item[i].kind == SS_I_TEXT && strstr(s->item[i].text, "step 9"))
            line = &s->item[i];
    }
    CHECK(frame && line);
    CHECK_INT(line->rect.y, frame->rect.y + 2);
    CHECK_INT(frame->rect.h, 4);
}

/* A page that holds the program copies links. */
static const ss_scene *in_page(fixture *d)
{
    static const ss_extent page = {128, 40, 10, 20, 2, 1, .scale = 1, .page = true, .links = true};
    d->snap->seq++;
    return ss_ui_scene(d->ui, d->snap, &page, 0);
}

static bool has_text(const ss_scene *s, const char *part)
{
    for (int i = 0; i < s->nitem; i++)
        if ((s->item[i].kind == SS_I_TEXT || s->item[i].kind == SS_I_FRAME) &&
            strstr(s->item[i].text, part))
            return true;
    return false;
}

SCREEN_TEST(copy, a_page_copies_a_link_that_goes_on_as_the_run_does, sample_2d(SS_VALUE, 58, 58))
{
    static ss_page lesson = {.step = 2, .opens = "lesson 05-stale-halos 2"};
    char line[2048];
    snprintf(d->snap->command, sizeof d->snap->command, "stencilscope poisson2d -e 'step 9'");
    in_page(d);
    d->snap->paused = true;
    CHECK(!ss_ui_line_of(d->ui, d->snap, line, sizeof line));
    CHECK_STR(line, "stencilscope poisson2d -e 'step 9'");
    d->snap->paused = false;
    CHECK_INT(sample_command(d->ui, "theme light", d->snap), SS_OK); /* is the reader's */
    press_key(d, "Y");
    CHECK_STR(ss_ui_take_copy(d->ui), "stencilscope poisson2d -e 'step 9' -e 'run'");
    ss_ui_copied(d->ui, true);
    const ss_scene *s = in_page(d);
    CHECK(has_text(s, "A link to this state") && has_text(s, "copied to the clipboard"));
    CHECK(has_text(s, "Whoever opens the link sees this state"));
    CHECK_INT(sample_command(d->ui, "copy refused", d->snap), SS_FAIL);
    CHECK(has_text(in_page(d), "the browser refused the clipboard"));
    ss_ui_page(d->ui, &lesson);
    CHECK(!ss_ui_line_of(d->ui, d->snap, line, sizeof line));
    CHECK_STR(line, "stencilscope lesson 05-stale-halos 2");
    ss_ui_page(d->ui, NULL);
    d->snap->rhs = "b.npy";
    const char *why = ss_ui_line_of(d->ui, d->snap, line, sizeof line);
    CHECK(why && strstr(why, "needs a file"));
    d->snap->rhs = NULL;
}

SCREEN_TEST(copy, a_page_that_holds_the_program_has_no_quit, sample_2d(SS_VALUE, 58, 58))
{
    static const ss_extent window = {128, 40, 10, 20, 2, 1, .scale = 1};
    CHECK(has_text(ss_ui_scene(d->ui, d->snap, &window, 0), "quit"));
    CHECK(!has_text(in_page(d), "quit"));
    CHECK_INT(sample_command(d->ui, "quit", d->snap), SS_FAIL);
    CHECK(!ss_ui_wants_quit(d->ui));
}

SCREEN_TEST(copy, a_state_without_a_command_line_is_saved_as_a_session, sample_2d(SS_VALUE, 58, 58))
{
    d->snap->command_why = "the field was painted";
    press_key(d, "Y");
    CHECK(ss_ui_take_copy(d->ui) == NULL);
    CHECK(on_screen(d, "the field was painted") && on_screen(d, "s saves the session as"));
    press_key(d, "s");
    CHECK_INT(count, 1);
    CHECK_MSG(strncmp(line_of[0], "save poisson2d-", 15) == 0, "%s", line_of[0]);
    const char *text = ss_ui_take_copy(d->ui);
    CHECK_MSG(text && strncmp(text, "stencilscope --run poisson2d-", 29) == 0, "%s", text);
}
