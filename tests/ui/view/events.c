/* Keys and the mouse become commands; values show before the engine has carried them out: see
 * ui/view/view.h. */

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/core/registry.h"
#define SCREEN_OPEN open_painted
#include "tests/ui/fixture.h"

static void paint_screen(fixture *d)
{
    draw_screen(d);
    CHECK(ss_cells_resize(&d->cells, d->cols, d->rows));
    ss_cells_paint(&d->cells, d->scene, &d->how);
}

static void open_painted(fixture *d)
{
    open_screen(d, sample_2d(SS_VALUE, 58, 58), 120, 40);
    d->how = (ss_paint){ss_glyphs_find("half"), 32, false, false, false};
    paint_screen(d);
}

/* The snapshot shows the previous plane until the engine has made one of the new plane. */
TEST(events, slices_belong_to_the_requested_plane)
{
    sample_log log = {.ticket = 0};
    ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
    ss_snapshot *s = sample_3d(SS_VALUE, 64, 32); /* 64 cells across, slices along z */
    CHECK(s->nx == 2 * s->nz);
    char last[32], beyond[32];
    snprintf(last, sizeof last, "view slice %d", s->nx - 1);
    snprintf(beyond, sizeof beyond, "view slice %d", s->nx);
    CHECK_INT(sample_command(ui, last, s), SS_FAIL);
    CHECK_INT(sample_command(ui, "view plane yz", s), SS_OK);
    CHECK_INT(sample_command(ui, last, s), SS_OK);
    CHECK_INT(sample_command(ui, beyond, s), SS_FAIL);
    sample_free(s);
    ss_ui_free(ui);
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

SCREEN_TEST(events, keys_are_commands)
{
    CHECK_STR(press_key(d, "space"), "toggle");
    CHECK_STR(press_key(d, "."), "tick");
    CHECK_STR(press_key(d, "K"), "set k 13");
    CHECK_STR(press_key(d, "K"), "set k 14");
    CHECK_STR(press_key(d, "b"), "set block 16");
    CHECK_STR(press_key(d, "O"), "set overlap 6");
    CHECK_STR(press_key(d, "right"), "set overlap 8");
    CHECK_STR(press_key(d, "home"), "set overlap 0");
    ss_layer before = ss_ui_view(d->ui)->layer;
    CHECK_STR(press_key(d, "l"), ""); /* a command of the screen: handled */
    CHECK(ss_ui_view(d->ui)->layer != before);
    CHECK_STR(press_key(d, "Q"), "");
}

/* The controls of a run on the GPU; the test needs none. */
static void turn_to_cuda(fixture *d)
{
    static ss_config cfg;
    const ss_param *rows[SS_CONTROL_MAX];
    ss_tables_init();
    ss_config_default(&cfg);
    CHECK_INT(ss_config_set(&cfg, "solver", "jacobi", NULL), SS_OK);
    CHECK_INT(ss_config_set(&cfg, "backend", "cuda", NULL), SS_OK);
    d->snap->ncontrol = ss_config_controls(&cfg, rows, SS_CONTROL_MAX);
    for (int i = 0; i < d->snap->ncontrol; i++) {
        ss_control *c = &d->snap->control[i];
        *c = (ss_control){.row = rows[i], .value = ss_config_value(&cfg, rows[i])};
        ss_config_range(&cfg, rows[i], &c->lo, &c->hi, NULL);
        ss_config_track(&cfg, rows[i], &c->track);
        c->choices = rows[i]->type == SS_CHOICE ? ss_config_choices(&cfg, rows[i]) : 0;
    }
}

static void next_control(fixture *d)
{
    CHECK_STR(press_key(d, "tab"), "");
}

/* A control needs no key of its own: tab reaches it, arrows and digits turn it. */
SCREEN_TEST(events, gpu_parameters_are_changed_by_keys)
{
    turn_to_cuda(d);
    paint_screen(d);
    next_control(d);
    next_control(d);
    CHECK(on_screen(d, "\xe2\x96\xb8kernel"));
    CHECK_STR(press_key(d, "right"), "set kernel inline");
    next_control(d);
    CHECK_STR(press_key(d, "right"), "set launch stream");
    next_control(d);
    CHECK(on_screen(d, "\xe2\x96\xb8tpb-x"));
    CHECK_STR(press_key(d, "right"), "set tpb-x 64");
    CHECK_STR(press_key(d, "end"), "set tpb-x 128");
    CHECK_INT(sample_command(d->ui, "focus tpb-y", d->snap), SS_OK);
    press_key(d, "1");
    press_key(d, "6");
    CHECK_STR(press_key(d, "enter"), "set tpb-y 16");
}

SCREEN_TEST(events, a_new_value_is_shown_before_the_engine_applies_it)
{
    CHECK(on_screen(d, "12"));
    press_key(d, "K");
    CHECK(on_screen(d, "\xe2\x97\x82 13"));
    d->snap->seq++;
    CHECK(on_screen(d, "\xe2\x97\x82 13")); /* a snapshot older than the command */
    d->snap->seq++;
    d->snap->ticket = d->log.ticket;
    CHECK(on_screen(d, "\xe2\x97\x82 12")); /* the engine's value replaces it */
}

SCREEN_TEST(events, a_typed_number_sets_the_parameter)
{
    press_key(d, "1");
    press_key(d, "7");
    CHECK(on_screen(d, "k = 17"));
    CHECK_STR(press_key(d, "enter"), "set k 17");
    press_key(d, "9");
    CHECK_STR(press_key(d, "esc"), "");
    CHECK_STR(press_key(d, "space"), "toggle");
}

SCREEN_TEST(events, a_bad_number_is_explained)
{
    press_key(d, "1");
    press_key(d, "x");
    CHECK_STR(press_key(d, "enter"), "");
    CHECK(on_screen(d, "is not a number"));
    press_key(d, "g");
    CHECK(!on_screen(d, "is not a number"));
}

SCREEN_TEST(events, user_bindings_override_the_defaults)
{
    CHECK_INT(sample_command(d->ui, "bind space \"set k 99\"", d->snap), SS_OK);
    CHECK_STR(press_key(d, "space"), "set k 99");
    CHECK_INT(sample_command(d->ui, "bind nokey run", d->snap), SS_FAIL);
    CHECK_INT(sample_command(d->ui, "bind a nonsense", d->snap), SS_FAIL);
}

static const char *mouse(fixture *d, ss_event_kind kind, double x, double y, int dy)
{
    return send_event(d, &(ss_event){.kind = kind, .x = x, .y = y, .dy = dy});
}

SCREEN_TEST(events, dragging_a_slider_sets_its_parameter)
{
    const ss_hit *h = hit_of(d, SS_H_SLIDER, 2);
    CHECK(h != NULL);
    CHECK_STR(mouse(d, SS_EV_PRESS, h->rect.x + 0.5, h->rect.y + 0.5, 0), "set overlap 0");
    CHECK_STR(mouse(d, SS_EV_DRAG, h->rect.x + h->rect.w + 5, 3, 0), "set overlap 30 join");
    mouse(d, SS_EV_RELEASE, 0, 0, 0);
    CHECK_STR(mouse(d, SS_EV_DRAG, h->rect.x, h->rect.y, 0), "");
    CHECK_STR(mouse(d, SS_EV_WHEEL, h->rect.x + 0.5, h->rect.y + 0.5, -1), "set overlap 28");
}

SCREEN_TEST(events, clicks_run_the_command_below_the_pointer)
{
    const ss_hit *f = hit_of(d, SS_H_FIELD, 0);
    CHECK(f != NULL);
    const ss_view *v = ss_ui_view(d->ui);
    CHECK_STR(mouse(d, SS_EV_PRESS, f->rect.x, f->rect.y + f->rect.h - 0.01, 0), "");
    CHECK(v->probe_x == 0 && v->probe_y == 0);
    CHECK_STR(mouse(d, SS_EV_PRESS, f->rect.x + f->rect.w - 0.01, f->rect.y, 0), "");
    CHECK(v->probe_x == 1023 && v->probe_y == 1023);
    for (int i = 0; i < d->scene->nhit; i++)
        if (d->scene->hit[i].kind == SS_H_COMMAND &&
            strcmp(d->scene->hit[i].command, "view axis bytes") == 0) {
            mouse(d, SS_EV_PRESS, d->scene->hit[i].rect.x, d->scene->hit[i].rect.y, 0);
            CHECK(on_screen(d, "[bytes]"));
            break;
        }
}

/* What a popup covers or dims does not answer: a click on a slider closes the help, no more. */
SCREEN_TEST(events, a_click_beside_a_popup_changes_nothing)
{
    const ss_hit *found = hit_of(d, SS_H_SLIDER, 2);
    CHECK(found != NULL);
    ss_rect r = found->rect;
    sample_command(d->ui, "help", d->snap);
    d->log.count = 0;
    CHECK(on_screen(d, "Most used"));
    mouse(d, SS_EV_PRESS, r.x + 0.5, r.y + 0.5, 0);
    CHECK(!on_screen(d, "Most used"));
    CHECK_INT(d->log.count, 0);
}

/* The keys of a popup in the footer are its buttons. */
SCREEN_TEST(events, the_keys_of_the_presets_can_be_clicked)
{
    ss_ui_open_picker(d->ui);
    CHECK(on_screen(d, "What would you like to see?"));
    for (int i = 0; i < d->scene->nhit; i++)
        if (d->scene->hit[i].kind == SS_H_COMMAND &&
            strcmp(d->scene->hit[i].command, "presets close") == 0) {
            mouse(d, SS_EV_PRESS, d->scene->hit[i].rect.x + 0.5, d->scene->hit[i].rect.y + 0.5, 0);
            break;
        }
    CHECK(!on_screen(d, "What would you like to see?"));
}

SCREEN_TEST(events, zoom_and_pan_stay_inside)
{
    for (int i = 0; i < 300; i++) {
        static const char *const lines[] = {"view zoom in",  "view zoom out", "view pan 3 -2",
                                            "view pan -5 1", "view zoom in",  "view probe up"};
        sample_command(d->ui, lines[(int)(ss_random_unit(3, (uint64_t)i) * 6)], d->snap);
        const ss_view *v = ss_ui_view(d->ui);
        CHECK(v->x0 >= 0 && v->y0 >= 0 && v->x1 <= 1024 && v->y1 <= 1024);
        CHECK(v->x1 > v->x0 || (v->x0 == 0 && v->x1 == 0));
    }
}

SCREEN_TEST(events, a_preset_is_started)
{
    ss_ui_open_picker(d->ui);
    CHECK(on_screen(d, "What would you like to see?"));
    press_key(d, "down");
    d->log.count = 0;
    press_key(d, "enter");
    CHECK(d->log.count >= 2);
    CHECK(!on_screen(d, "What would you like to see?"));
}

/* Every command of every preset is valid. */
SCREEN_TEST(events, presets_are_commands)
{
    ss_ui_open_picker(d->ui);
    for (int i = 0; i < 12; i++) {
        ss_cmd cmd;
        ss_err err;
        press_key(d, "enter");
        CHECK_MSG(!*d->log.last || ss_cmd_parse(d->log.last, &cmd, &err) == SS_OK, "%s",
                  d->log.last);
        ss_ui_open_picker(d->ui);
        for (int k = 0; k <= i; k++)
            press_key(d, "down");
    }
}

SCREEN_TEST(events, q_sends_the_quit_command)
{
    CHECK(!ss_ui_wants_quit(d->ui));
    CHECK_STR(press_key(d, "q"), "");
    CHECK(ss_ui_wants_quit(d->ui));
}

/* Fields and diagrams of a time-dependent run. */
SCREEN_TEST(events, fields_and_stages_cycle)
{
    sample_free(d->snap);
    d->snap = sample_swept(64, 0);
    paint_screen(d);
    CHECK_STR(press_key(d, "F"), "");
    CHECK_INT(ss_ui_view(d->ui)->field, 1);
    CHECK_INT(sample_command(d->ui, "view field density", d->snap), SS_OK);
    CHECK_INT(ss_ui_view(d->ui)->field, 0);
    CHECK_INT(sample_command(d->ui, "view field temperature", d->snap), SS_FAIL);
    CHECK_STR(press_key(d, "x"), "");
    CHECK(on_screen(d, "[lanes]"));
    CHECK_INT(sample_command(d->ui, "view stage modes", d->snap), SS_OK);
    CHECK(on_screen(d, "[modes]") && ss_ui_view(d->ui)->spectrum);
    d->snap->bc = SS_BC_FIXED; /* no ring: the replacement and its reason */
    CHECK(on_screen(d, "[swept]"));
    CHECK_INT(sample_command(d->ui, "view stage modes", d->snap), SS_OK);
    CHECK(on_screen(d, "only on a ring"));
}

/* --- a window's mouse ------------------------------------------------------------------------- */

static bool send(fixture *d, ss_event_kind kind, double x, double y, int button)
{
    ss_event ev = {.kind = kind, .x = x, .y = y, .button = button};
    bool changed = ss_ui_event(d->ui, &ev, d->scene, d->snap);
    paint_screen(d);
    return changed;
}

static ss_rect place_of(const fixture *d, ss_hit_kind kind)
{
    for (int i = 0; i < d->scene->nhit; i++)
        if (d->scene->hit[i].kind == kind)
            return d->scene->hit[i].rect;
    return (ss_rect){0, 0, 0, 0};
}

SCREEN_TEST(events, a_resting_pointer_shows_a_tooltip)
{
    ss_rect r = place_of(d, SS_H_SLIDER);
    CHECK(r.w > 0 && !on_screen(d, "k and K"));
    CHECK(send(d, SS_EV_HOVER, r.x + 1, r.y + 0.5, 0));
    CHECK(on_screen(d, "k and K"));
    CHECK(send(d, SS_EV_MOVE, r.x + 2, r.y + 0.5, 0));
    CHECK(!on_screen(d, "k and K"));
    CHECK(!send(d, SS_EV_MOVE, r.x + 3, r.y + 0.5, 0));
}

/* Neither the track nor the name of a slider is below its tip. */
SCREEN_TEST(events, a_tip_keeps_clear_of_what_it_explains)
{
    ss_rect r = place_of(d, SS_H_SLIDER);
    send(d, SS_EV_HOVER, r.x + 1, r.y + 0.5, 0);
    const ss_item *tip = NULL;
    for (int i = 0; i < d->scene->nitem; i++)
        if (d->scene->item[i].kind == SS_I_FRAME)
            tip = &d->scene->item[i];
    CHECK(tip && on_screen(d, "k and K"));
    if (tip)
        CHECK(tip->rect.y >= r.y + r.h || tip->rect.y + tip->rect.h <= r.y ||
              tip->rect.x >= r.x + r.w || tip->rect.x + tip->rect.w <= r.x);
}

SCREEN_TEST(events, dragging_pans_the_field)
{
    ss_rect r = place_of(d, SS_H_FIELD);
    double x = r.x + 0.5 * r.w, y = r.y + 0.5 * r.h;
    CHECK_INT(sample_command(d->ui, "view zoom in", d->snap), SS_OK);
    ss_view before = *ss_ui_view(d->ui);
    send(d, SS_EV_PRESS, x, y, 2);
    send(d, SS_EV_DRAG, x - 0.25 * r.w, y, 0);
    ss_view after = *ss_ui_view(d->ui);
    double w = before.x1 - before.x0;
    CHECK_NEAR(after.x0, before.x0 + 0.25 * w, 1e-6 * w);
    CHECK_NEAR(after.x1 - after.x0, w, 1e-6 * w);
    CHECK_NEAR(after.y0, before.y0, 1e-6 * w);
    CHECK(after.probe_x < 0);
    send(d, SS_EV_RELEASE, x, y, 2);
    CHECK(!send(d, SS_EV_DRAG, x, y, 0));
}

SCREEN_TEST(events, a_notice_is_shown)
{
    ss_event ev = {.kind = SS_EV_NOTICE, .text = "the window is in picture.png"};
    CHECK(ss_ui_event(d->ui, &ev, d->scene, d->snap));
    CHECK(on_screen(d, "the window is in picture.png"));
}

/* --- the table of commands -------------------------------------------------------------------- */

/* "view pan 1 2": the minimum arguments of a row. */
static void example_of(const ss_verb *row, char *line, size_t size)
{
    size_t n = (size_t)snprintf(line, size, "%s", ss_verbs[row->of].name);
    if (row->of != row->id)
        n += (size_t)snprintf(line + n, size - n, " %s", row->name);
    for (int i = 0; i < row->min_args; i++)
        n += (size_t)snprintf(line + n, size - n, " %d", i + 1);
}

/* Some commands write files: they do so in a folder of their own. */
static void leave_folder(const char *folder, int before)
{
    glob_t files = {0};
    if (glob("*", 0, NULL, &files) == 0)
        for (size_t i = 0; i < files.gl_pathc; i++)
            unlink(files.gl_pathv[i]);
    globfree(&files);
    CHECK(fchdir(before) == 0 && close(before) == 0 && rmdir(folder) == 0);
}

/* Every row that the screen handles has a handler, with and without a snapshot; other rows are
 * refused. A verb that needs a word is no example of itself. */
SCREEN_TEST(events, every_command_of_the_screen_is_handled)
{
    char line[120], folder[] = "/tmp/ss-commands-XXXXXX";
    int before = open(".", O_RDONLY | O_DIRECTORY);
    CHECK(before >= 0 && mkdtemp(folder) != NULL && chdir(folder) == 0);
    for (const ss_verb *row = ss_verbs; row < ss_verbs + SS_NVERB; row++) {
        ss_cmd cmd;
        ss_err err = {0};
        bool needs_word =
            row->min_args > 0 && ss_verb_has_words(row) && !(row->flags & SS_V_OR_VALUE);
        if (needs_word)
            continue;
        example_of(row, line, sizeof line);
        CHECK_MSG(ss_cmd_parse(line, &cmd, &err) == SS_OK && cmd.row == row, "%s: %s", line,
                  err.text);
        int status = ss_ui_command(d->ui, &cmd, d->snap, &err);
        bool refused = status != SS_OK && strstr(err.text, "not a command of the screen");
        CHECK_MSG(refused == (row->side != SS_SIDE_SCREEN), "%s: %s", line, err.text);
        ss_ui_command(d->ui, &cmd, NULL, &err);
        paint_screen(d);
    }
    leave_folder(folder, before);
}

SCREEN_TEST(events, the_help_is_searched_with_slash)
{
    press_key(d, "?");
    CHECK(on_screen(d, "pause or continue") && on_screen(d, "Most used"));
    press_key(d, "/");
    for (const char *c = "bRush"; *c; c++)
        press_key(d, (char[]){*c, '\0'});
    CHECK(on_screen(d, "find: bRush") && on_screen(d, "paint on the field"));
    CHECK(!on_screen(d, "pause or continue") && !on_screen(d, "Cost of one cycle"));
    press_key(d, "enter"); /* the words stay, keys are keys again */
    CHECK(on_screen(d, "paint on the field") && !on_screen(d, "find:"));
    press_key(d, "/");
    for (const char *c = "qqq"; *c; c++)
        press_key(d, (char[]){*c, '\0'});
    CHECK(on_screen(d, "nothing has these words") && !ss_ui_wants_quit(d->ui));
    press_key(d, "esc");
    CHECK(on_screen(d, "pause or continue"));
    press_key(d, "esc");
    CHECK(!on_screen(d, "Most used"));
}

/* Every explanation of the help is there to its last word, at every width. */
TEST(events, the_help_is_wrapped_and_not_cut)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    for (int i = 0; i < 3; i++) {
        fixture d;
        char line[1024] = "";
        int cut = 0;
        open_painted(&d);
        press_key(&d, "?");
        for (int page = 0; page < 40; page++) {
            ss_extent e = {.cols = sizes[i][0], .rows = sizes[i][1], .dots_x = 1, .dots_y = 2};
            d.scene = ss_ui_scene(d.ui, d.snap, &e, 20);
            int here = 0; /* in this page */
            for (int k = 0; k < d.scene->nitem; k++) {
                const ss_item *it = &d.scene->item[k];
                bool in_help = it->rect.y >= 1 && it->rect.y < sizes[i][1] - 3;
                if (it->kind == SS_I_FRAME) /* the help is the last frame */
                    here = 0;
                if (it->kind == SS_I_TEXT && in_help && ss_text_width(it->text) > it->rect.w)
                    here++, snprintf(line, sizeof line, "%s", it->text);
            }
            cut += here;
            press_key(&d, "pgdn");
        }
        CHECK_MSG(cut == 0, "%d columns: '%s' is cut", sizes[i][0], line);
        close_fixture(&d);
    }
}

/* The next step is said after every preset. */
SCREEN_TEST(events, every_preset_says_what_to_press_next)
{
    CHECK(d->ui->npreset >= 16);
    for (int i = 0; i < d->ui->npreset; i++)
        CHECK_MSG(strstr(d->ui->preset[i].commands, "; say \""), "%s", d->ui->preset[i].name);
    ss_ui_open_picker(d->ui);
    CHECK(on_screen(d, "Stale halos"));
    press_key(d, "right");
    press_key(d, "enter");
    CHECK(on_screen(d, "now press K, then O"));
}

TEST(events, the_selected_block_is_that_of_the_probed_point_after_a_change)
{
    ss_err err;
    sample_log log = {0};
    ss_snapshot *s = sample_2d(SS_VALUE, 64, 64);
    ss_ui *ui = ss_ui_new(sample_emit, &log, &err);
    ss_extent extent = {.cols = 120, .rows = 40, .dots_x = 1, .dots_y = 2};
    CHECK(ui != NULL);
    ss_ui_scene(ui, s, &extent, 0);
    CHECK_INT(sample_command(ui, "view probe 500 300", s), SS_OK);
    for (int overlap = 0; overlap <= 12; overlap += 4) {
        s->tiling = (ss_tiling){ss_cut_make(s->nx, 32, overlap), ss_cut_make(s->ny, 32, overlap)};
        s->seq++;
        ss_ui_scene(ui, s, &extent, 0);
        CHECK_INT(ss_ui_view(ui)->tile_x, ss_cut_owner(s->tiling.x, 500));
        CHECK_INT(ss_ui_view(ui)->tile_y, ss_cut_owner(s->tiling.y, 300));
    }
    ss_ui_free(ui);
    sample_free(s);
}

/* shared, classic Jacobi, then a solver with other blocks. */
TEST(events, the_selected_block_is_right_after_a_solver_without_blocks)
{
    ss_err err;
    sample_log log = {0};
    ss_snapshot *s = sample_2d(SS_VALUE, 64, 64);
    ss_ui *ui = ss_ui_new(sample_emit, &log, &err);
    ss_extent extent = {.cols = 120, .rows = 40, .dots_x = 1, .dots_y = 2};
    CHECK(ui != NULL);
    for (int untiled = 0; untiled < 2; untiled++) { /* the point is chosen before, or meanwhile */
        s->tiled = !untiled;
        s->tiling = (ss_tiling){ss_cut_make(s->nx, 32, 12), ss_cut_make(s->ny, 32, 12)};
        s->seq++;
        ss_ui_scene(ui, s, &extent, 0);
        CHECK_INT(sample_command(ui, "view probe 500 300", s), SS_OK);
        s->tiled = false;
        s->seq++;
        ss_ui_scene(ui, s, &extent, 0);
        s->tiled = true;
        s->tiling = (ss_tiling){ss_cut_make(s->nx, 48, 0), ss_cut_make(s->ny, 48, 0)};
        s->seq++;
        ss_ui_scene(ui, s, &extent, 0);
        CHECK_INT(ss_ui_view(ui)->tile_x, ss_cut_owner(s->tiling.x, 500));
        CHECK_INT(ss_ui_view(ui)->tile_y, ss_cut_owner(s->tiling.y, 300));
    }
    ss_ui_free(ui);
    sample_free(s);
}

/* A block that was chosen without a point: its centre stays inside. */
TEST(events, a_chosen_block_keeps_its_centre_after_a_change)
{
    ss_err err;
    sample_log log = {0};
    ss_snapshot *s = sample_2d(SS_VALUE, 64, 64);
    ss_ui *ui = ss_ui_new(sample_emit, &log, &err);
    ss_extent extent = {.cols = 120, .rows = 40, .dots_x = 1, .dots_y = 2};
    CHECK(ui != NULL);
    s->tiling = (ss_tiling){ss_cut_make(s->nx, 32, 0), ss_cut_make(s->ny, 32, 0)};
    ss_ui_scene(ui, s, &extent, 0);
    CHECK_INT(sample_command(ui, "view tile 10 5", s), SS_OK);
    s->tiling = (ss_tiling){ss_cut_make(s->nx, 32, 16), ss_cut_make(s->ny, 32, 16)};
    s->seq++;
    ss_ui_scene(ui, s, &extent, 0);
    CHECK_INT(ss_ui_view(ui)->tile_x, ss_cut_owner(s->tiling.x, 10 * 32 + 16));
    CHECK_INT(ss_ui_view(ui)->tile_y, ss_cut_owner(s->tiling.y, 5 * 32 + 16));
    ss_ui_free(ui);
    sample_free(s);
}

static const char *drop_file(fixture *d, const char *path)
{
    ss_event ev = {.kind = SS_EV_DROP, .text = path};
    d->log.last[0] = '\0';
    CHECK(ss_ui_event(d->ui, &ev, d->scene, d->snap));
    return d->log.last;
}

SCREEN_TEST(events, a_dropped_file_is_loaded_or_played)
{
    CHECK_STR(drop_file(d, "/tmp/field.npy"), "load /tmp/field.npy");
    CHECK(on_screen(d, "load field.npy"));
    CHECK_STR(drop_file(d, "/tmp/a state.ckpt"), "load \"/tmp/a state.ckpt\"");
    CHECK_STR(drop_file(d, "/tmp/a \"b\" #1.run"), "play \"/tmp/a \\\"b\\\" #1.run\"");
    CHECK_STR(drop_file(d, "/tmp/photo.jpg"), "");
    CHECK(on_screen(d, "photo.jpg: not a field (.npy), a state (.ckpt) or a session (.run)"));
    CHECK_STR(drop_file(d, "/tmp/.npy/x"), "");
    char path[2 * SS_CMD_TEXT];
    memset(path, 'a', sizeof path);
    snprintf(path + sizeof path - 5, 5, ".npy");
    CHECK_STR(drop_file(d, path), "");
    CHECK(on_screen(d, "too long"));
}
