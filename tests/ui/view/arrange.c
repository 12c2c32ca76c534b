/* Borders that keys and the mouse move, panels that are maximised: see ui/view/drag.c. */
#include "tests/check.h"

#include <stdio.h>
#include <string.h>

#include "tests/ui/samples.h"
#include "ui/panels/screen.h"
#include "ui/view/state.h"

typedef struct fixture {
    sample_log log;
    ss_ui *ui;
    ss_snapshot *snap;
    struct ss_scene *scene;
    int cols, rows;
} fixture;

static void show(fixture *f)
{
    ss_extent e = {.cols = f->cols, .rows = f->rows, .dots_x = 1, .dots_y = 2};
    f->scene = ss_ui_scene(f->ui, f->snap, &e, 20);
}

static void open_run(fixture *f, ss_snapshot *snap)
{
    *f = (fixture){.log = {.ticket = 0}, .cols = 120, .rows = 40};
    f->ui = ss_ui_new(sample_emit, &f->log, NULL);
    f->snap = snap;
    show(f);
}

static void close_run(fixture *f)
{
    sample_free(f->snap);
    ss_ui_free(f->ui);
}

static void key(fixture *f, const char *name)
{
    ss_event ev = {.kind = SS_EV_KEY};
    snprintf(ev.key, sizeof ev.key, "%s", name);
    ss_ui_event(f->ui, &ev, f->scene, f->snap);
    show(f);
}

static void mouse(fixture *f, ss_event_kind kind, double x, double y)
{
    ss_event ev = {.kind = kind, .x = x, .y = y};
    ss_ui_event(f->ui, &ev, f->scene, f->snap);
    show(f);
}

static void command(fixture *f, const char *line, int status)
{
    CHECK_MSG(sample_command(f->ui, line, f->snap) == status, "%s", line);
    show(f);
}

static ss_rect panel(const fixture *f, ss_panel_id id)
{
    return f->ui->layout.panel[id];
}

static bool has_hit(const fixture *f, ss_hit_kind kind)
{
    for (int i = 0; i < f->scene->nhit; i++)
        if (f->scene->hit[i].kind == kind)
            return true;
    return false;
}

TEST(arrange, the_mouse_drags_a_border)
{
    fixture f;
    open_run(&f, sample_2d(SS_VALUE, 58, 58));
    ss_rect field = panel(&f, SS_PANEL_FIELD), plot = panel(&f, SS_PANEL_PLOT);
    double x = field.x + field.w - 0.5, y = field.y + 9.5;
    mouse(&f, SS_EV_PRESS, x, y);
    mouse(&f, SS_EV_DRAG, x - 5, y + 3);
    CHECK_INT(panel(&f, SS_PANEL_FIELD).w, field.w - 5);
    CHECK_INT(panel(&f, SS_PANEL_PLOT).x, plot.x - 5);
    CHECK_INT(panel(&f, SS_PANEL_PLOT).w, plot.w + 5);
    CHECK_INT(panel(&f, SS_PANEL_PROFILE).w, plot.w + 5);
    mouse(&f, SS_EV_DRAG, 0, y); /* as far as the field keeps its least size */
    CHECK_INT(panel(&f, SS_PANEL_FIELD).w, ss_panel_min[SS_PANEL_FIELD].w);
    mouse(&f, SS_EV_RELEASE, 0, y);
    mouse(&f, SS_EV_DRAG, 90, y);
    CHECK_INT(panel(&f, SS_PANEL_FIELD).w, ss_panel_min[SS_PANEL_FIELD].w);
    command(&f, "view layout reset", SS_OK);
    CHECK_INT(panel(&f, SS_PANEL_FIELD).w, field.w);
    close_run(&f);
}

TEST(arrange, a_border_between_rows_is_held_at_its_lower_row_too)
{
    fixture f;
    open_run(&f, sample_2d(SS_VALUE, 58, 58));
    ss_rect plot = panel(&f, SS_PANEL_PLOT);
    double x = plot.x + plot.w - 3, y = plot.y + plot.h + 0.5;
    mouse(&f, SS_EV_PRESS, x, y);
    mouse(&f, SS_EV_DRAG, x, y + 4);
    CHECK_INT(panel(&f, SS_PANEL_PLOT).h, plot.h + 4);
    CHECK_INT(panel(&f, SS_PANEL_PROFILE).y, plot.y + plot.h + 4);
    close_run(&f);
}

TEST(arrange, keys_move_the_chosen_border)
{
    fixture f;
    open_run(&f, sample_2d(SS_VALUE, 58, 58));
    int field = panel(&f, SS_PANEL_FIELD).w, plot = panel(&f, SS_PANEL_PLOT).h;
    int controls = panel(&f, SS_PANEL_CONTROLS).w;
    key(&f, "C-left");
    CHECK_INT(panel(&f, SS_PANEL_FIELD).w, field - 2);
    key(&f, "C-right");
    CHECK_INT(panel(&f, SS_PANEL_FIELD).w, field);
    key(&f, "C-down");
    CHECK_INT(panel(&f, SS_PANEL_PLOT).h, plot + 1);
    key(&f, "C-g"); /* right of the field, then left of the controls */
    key(&f, "C-g");
    key(&f, "C-left");
    CHECK_INT(panel(&f, SS_PANEL_FIELD).w, field);
    CHECK_INT(panel(&f, SS_PANEL_CONTROLS).w, controls + 2);
    key(&f, "C-r");
    CHECK_INT(panel(&f, SS_PANEL_CONTROLS).w, controls);
    CHECK_INT(panel(&f, SS_PANEL_PLOT).h, plot);
    close_run(&f);
}

/* After a drag the keys move the border that was dragged. */
TEST(arrange, keys_continue_a_drag)
{
    fixture f;
    open_run(&f, sample_2d(SS_VALUE, 58, 58));
    ss_rect controls = panel(&f, SS_PANEL_CONTROLS);
    mouse(&f, SS_EV_PRESS, controls.x, 20);
    mouse(&f, SS_EV_DRAG, controls.x - 6, 20);
    mouse(&f, SS_EV_RELEASE, controls.x - 6, 20);
    int field = panel(&f, SS_PANEL_FIELD).w;
    key(&f, "C-right");
    CHECK_INT(panel(&f, SS_PANEL_CONTROLS).w, controls.w + 4);
    CHECK_INT(panel(&f, SS_PANEL_FIELD).w, field);
    close_run(&f);
}

static bool is_marked(const fixture *f)
{
    for (int i = 0; i < f->scene->nitem; i++) {
        const ss_item *it = &f->scene->item[i];
        if (it->kind == SS_I_TEXT && it->text && strcmp(it->text, "▾") == 0)
            return it->rect.y == panel(f, SS_PANEL_PROFILE).y;
    }
    return false;
}

/* The border that moves is marked while it does. */
TEST(arrange, the_border_that_moves_is_marked)
{
    fixture f;
    open_run(&f, sample_2d(SS_VALUE, 58, 58));
    CHECK(!is_marked(&f));
    key(&f, "C-down");
    CHECK(is_marked(&f));
    key(&f, "l");
    CHECK(!is_marked(&f));
    ss_rect below = panel(&f, SS_PANEL_PROFILE);
    mouse(&f, SS_EV_PRESS, below.x + 3, below.y - 0.5);
    mouse(&f, SS_EV_DRAG, below.x + 3, below.y + 2.5);
    CHECK(is_marked(&f));
    CHECK_INT(panel(&f, SS_PANEL_PROFILE).y, below.y + 3);
    mouse(&f, SS_EV_RELEASE, below.x + 3, below.y + 2.5);
    CHECK(!is_marked(&f));
    close_run(&f);
}

/* The sizes are parts of the screen: they stay when it changes. */
TEST(arrange, sizes_follow_the_screen)
{
    fixture f;
    open_run(&f, sample_2d(SS_VALUE, 58, 58));
    command(&f, "view gutter right-of-field 0.3", SS_OK);
    CHECK_INT(panel(&f, SS_PANEL_FIELD).w, 36);
    f.cols = 200, f.rows = 60;
    show(&f);
    CHECK_INT(panel(&f, SS_PANEL_FIELD).w, 60);
    command(&f, "view gutter right-of-field auto", SS_OK);
    CHECK(panel(&f, SS_PANEL_FIELD).w > 60);
    close_run(&f);
}

TEST(arrange, wrong_borders_are_refused)
{
    fixture f;
    open_run(&f, sample_2d(SS_VALUE, 58, 58));
    command(&f, "view gutter right-of-feild 0.3", SS_FAIL);
    command(&f, "view gutter right-of-field", SS_FAIL);
    command(&f, "view gutter right-of-field 1.5", SS_FAIL);
    command(&f, "view gutter right-of-field 0.5x", SS_FAIL);
    command(&f, "view gutter right-of-field nan", SS_FAIL);
    command(&f, "view layout usual", SS_FAIL);
    command(&f, "view maximise footer", SS_FAIL);
    command(&f, "view maximise space-time", SS_FAIL); /* 1D only */
    close_run(&f);
}

TEST(arrange, every_panel_can_be_maximised)
{
    fixture f;
    open_run(&f, sample_1d(64));
    static const ss_panel_id order[] = {SS_PANEL_FIELD,   SS_PANEL_RASTER, SS_PANEL_PLOT,
                                        SS_PANEL_PROFILE, SS_PANEL_LEDGER, SS_PANEL_CONTROLS};
    ss_rect body = ss_layout_body(&f.ui->layout);
    key(&f, "^");
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 6; k++)
            CHECK_MSG(panel(&f, order[k]).w == (k == i % 6 ? body.w : 0), "panel %d at %d", k, i);
        CHECK(f.scene->nitem > 12);
        key(&f, "C-right");
    }
    key(&f, "C-left");
    CHECK_INT(panel(&f, SS_PANEL_CONTROLS).w, body.w);
    key(&f, "esc");
    CHECK(panel(&f, SS_PANEL_FIELD).w > 0 && panel(&f, SS_PANEL_FIELD).w < body.w);
    key(&f, "^"); /* the last one again */
    CHECK_INT(panel(&f, SS_PANEL_CONTROLS).w, body.w);
    key(&f, "^");
    CHECK(panel(&f, SS_PANEL_FIELD).w > 0 && panel(&f, SS_PANEL_FIELD).w < body.w);
    close_run(&f);
}

/* The space-time diagram has no gap afterwards. */
TEST(arrange, space_time_goes_on_behind_a_maximised_panel)
{
    fixture f;
    open_run(&f, sample_1d(64));
    CHECK(ss_ui_view(f.ui)->raster);
    command(&f, "view maximise field", SS_OK);
    CHECK(ss_ui_view(f.ui)->raster);
    command(&f, "view maximise curve", SS_OK);
    CHECK(ss_ui_view(f.ui)->raster);
    close_run(&f);
}

static void double_click(fixture *f, double x, double y, double apart)
{
    double now = f->ui->now + 10;
    ss_ui_clock(f->ui, now);
    mouse(f, SS_EV_PRESS, x, y);
    mouse(f, SS_EV_RELEASE, x, y);
    ss_ui_clock(f->ui, now + apart);
    mouse(f, SS_EV_PRESS, x, y);
    mouse(f, SS_EV_RELEASE, x, y);
}

TEST(arrange, a_double_click_on_a_title_maximises)
{
    fixture f;
    open_run(&f, sample_2d(SS_VALUE, 58, 58));
    ss_rect cost = panel(&f, SS_PANEL_LEDGER), body = ss_layout_body(&f.ui->layout);
    double x = cost.x + cost.w - 1.5, y = cost.y + 0.5;
    double_click(&f, x, y, 2);
    CHECK_INT(panel(&f, SS_PANEL_LEDGER).w, cost.w);
    double_click(&f, x, y, 0.2);
    CHECK_INT(panel(&f, SS_PANEL_LEDGER).w, body.w);
    double_click(&f, body.x + body.w - 1.5, body.y + 0.5, 0.2);
    CHECK_INT(panel(&f, SS_PANEL_LEDGER).w, cost.w);
    double_click(&f, x, cost.y + 3.5, 0.2); /* inside */
    CHECK_INT(panel(&f, SS_PANEL_LEDGER).w, cost.w);
    close_run(&f);
}

/* Any run, panel and size, with moved borders: everything is inside of the screen. */
TEST(arrange, random_arrangements_stay_on_the_screen)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        fixture f;
        open_run(&f, sample_random(seed));
        for (int k = 0; k < 12; k++) {
            f.cols = 20 + (int)((seed * 37 + (uint64_t)k * 61) % 180);
            f.rows = 8 + (int)((seed * 11 + (uint64_t)k * 29) % 60);
            for (int i = 0; i < SS_NGUTTER; i++)
                f.ui->arranging.places.at[i] = ((seed + (uint64_t)(k * i)) % 10) / 10.0;
            if (k % 2)
                key(&f, k % 3 ? "C-right" : "^");
            show(&f);
            for (int i = 0; i < f.scene->nitem; i++) {
                ss_rect r = f.scene->item[i].rect;
                CHECK_MSG(r.x >= 0 && r.y >= 0 && r.x + r.w <= f.cols && r.y + r.h <= f.rows,
                          "seed %d, %dx%d: item %d (%d) at %d,%d %dx%d", (int)seed, f.cols, f.rows,
                          i, (int)f.scene->item[i].kind, r.x, r.y, r.w, r.h);
            }
        }
        close_run(&f);
    }
}

/* A recording has the usual panels; the map has its own. */
TEST(arrange, a_recording_has_the_usual_panels)
{
    fixture f;
    open_run(&f, sample_2d(SS_VALUE, 58, 58));
    int field = panel(&f, SS_PANEL_FIELD).w;
    CHECK(has_hit(&f, SS_H_TITLE) && has_hit(&f, SS_H_GUTTER));
    command(&f, "view gutter right-of-field 0.3", SS_OK);
    command(&f, "view maximise cost", SS_OK);
    ss_ui_in_order(f.ui);
    show(&f);
    CHECK_INT(panel(&f, SS_PANEL_FIELD).w, field);
    CHECK(!has_hit(&f, SS_H_TITLE) && !has_hit(&f, SS_H_GUTTER));
    command(&f, "view maximise field", SS_FAIL);
    close_run(&f);
}
