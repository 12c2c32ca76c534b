/* Borders that keys and the mouse move, panels that are maximised: see ui/view/drag.c. */

#include <stdio.h>
#include <string.h>

#define SCREEN_OPEN open_run
#include "tests/ui/fixture.h"

static void open_run(fixture *f, ss_snapshot *snap)
{
    open_screen(f, snap, 120, 40);
}

static void key(fixture *f, const char *name)
{
    press_key(f, name);
    draw_screen(f);
}

static void mouse(fixture *f, ss_event_kind kind, double x, double y)
{
    ss_event ev = {.kind = kind, .x = x, .y = y};
    ss_ui_event(f->ui, &ev, f->scene, f->snap);
    draw_screen(f);
}

static void command(fixture *f, const char *line, int status)
{
    CHECK_MSG(sample_command(f->ui, line, f->snap) == status, "%s", line);
    draw_screen(f);
}

static ss_rect panel(const fixture *f, ss_panel_id id)
{
    return f->ui->layout.panel[id];
}

SCREEN_TEST(arrange, the_mouse_drags_a_border, sample_2d(SS_VALUE, 58, 58))
{
    ss_rect field = panel(d, SS_PANEL_FIELD), plot = panel(d, SS_PANEL_PLOT);
    double x = field.x + field.w - 0.5, y = field.y + 9.5;
    mouse(d, SS_EV_PRESS, x, y);
    mouse(d, SS_EV_DRAG, x - 5, y + 3);
    CHECK_INT(panel(d, SS_PANEL_FIELD).w, field.w - 5);
    CHECK_INT(panel(d, SS_PANEL_PLOT).x, plot.x - 5);
    CHECK_INT(panel(d, SS_PANEL_PLOT).w, plot.w + 5);
    CHECK_INT(panel(d, SS_PANEL_PROFILE).w, plot.w + 5);
    mouse(d, SS_EV_DRAG, 0, y); /* as far as the field keeps its least size */
    CHECK_INT(panel(d, SS_PANEL_FIELD).w, ss_panel_min[SS_PANEL_FIELD].w);
    mouse(d, SS_EV_RELEASE, 0, y);
    mouse(d, SS_EV_DRAG, 90, y);
    CHECK_INT(panel(d, SS_PANEL_FIELD).w, ss_panel_min[SS_PANEL_FIELD].w);
    command(d, "view layout reset", SS_OK);
    CHECK_INT(panel(d, SS_PANEL_FIELD).w, field.w);
}

SCREEN_TEST(arrange, a_border_between_rows_is_held_at_its_lower_row_too,
            sample_2d(SS_VALUE, 58, 58))
{
    ss_rect plot = panel(d, SS_PANEL_PLOT);
    double x = plot.x + plot.w - 3, y = plot.y + plot.h + 0.5;
    mouse(d, SS_EV_PRESS, x, y);
    mouse(d, SS_EV_DRAG, x, y + 4);
    CHECK_INT(panel(d, SS_PANEL_PLOT).h, plot.h + 4);
    CHECK_INT(panel(d, SS_PANEL_PROFILE).y, plot.y + plot.h + 4);
}

SCREEN_TEST(arrange, keys_move_the_chosen_border, sample_2d(SS_VALUE, 58, 58))
{
    int field = panel(d, SS_PANEL_FIELD).w, plot = panel(d, SS_PANEL_PLOT).h;
    int controls = panel(d, SS_PANEL_CONTROLS).w;
    key(d, "C-left");
    CHECK_INT(panel(d, SS_PANEL_FIELD).w, field - 2);
    key(d, "C-right");
    CHECK_INT(panel(d, SS_PANEL_FIELD).w, field);
    key(d, "C-down");
    CHECK_INT(panel(d, SS_PANEL_PLOT).h, plot + 1);
    key(d, "C-g"); /* right of the field, then left of the controls */
    key(d, "C-g");
    key(d, "C-left");
    CHECK_INT(panel(d, SS_PANEL_FIELD).w, field);
    CHECK_INT(panel(d, SS_PANEL_CONTROLS).w, controls + 2);
    key(d, "C-r");
    CHECK_INT(panel(d, SS_PANEL_CONTROLS).w, controls);
    CHECK_INT(panel(d, SS_PANEL_PLOT).h, plot);
}

/* After a drag the keys move the border that was dragged. */
SCREEN_TEST(arrange, keys_continue_a_drag, sample_2d(SS_VALUE, 58, 58))
{
    ss_rect controls = panel(d, SS_PANEL_CONTROLS);
    mouse(d, SS_EV_PRESS, controls.x, 20);
    mouse(d, SS_EV_DRAG, controls.x - 6, 20);
    mouse(d, SS_EV_RELEASE, controls.x - 6, 20);
    int field = panel(d, SS_PANEL_FIELD).w;
    key(d, "C-right");
    CHECK_INT(panel(d, SS_PANEL_CONTROLS).w, controls.w + 4);
    CHECK_INT(panel(d, SS_PANEL_FIELD).w, field);
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
SCREEN_TEST(arrange, the_border_that_moves_is_marked, sample_2d(SS_VALUE, 58, 58))
{
    CHECK(!is_marked(d));
    key(d, "C-down");
    CHECK(is_marked(d));
    key(d, "l");
    CHECK(!is_marked(d));
    ss_rect below = panel(d, SS_PANEL_PROFILE);
    mouse(d, SS_EV_PRESS, below.x + 3, below.y - 0.5);
    mouse(d, SS_EV_DRAG, below.x + 3, below.y + 2.5);
    CHECK(is_marked(d));
    CHECK_INT(panel(d, SS_PANEL_PROFILE).y, below.y + 3);
    mouse(d, SS_EV_RELEASE, below.x + 3, below.y + 2.5);
    CHECK(!is_marked(d));
}

/* The sizes are parts of the screen: they stay when it changes. */
SCREEN_TEST(arrange, sizes_follow_the_screen, sample_2d(SS_VALUE, 58, 58))
{
    command(d, "view gutter right-of-field 0.3", SS_OK);
    CHECK_INT(panel(d, SS_PANEL_FIELD).w, 36);
    d->cols = 200, d->rows = 60;
    draw_screen(d);
    CHECK_INT(panel(d, SS_PANEL_FIELD).w, 60);
    command(d, "view gutter right-of-field auto", SS_OK);
    CHECK(panel(d, SS_PANEL_FIELD).w > 60);
}

SCREEN_TEST(arrange, wrong_borders_are_refused, sample_2d(SS_VALUE, 58, 58))
{
    command(d, "view gutter right-of-feild 0.3", SS_FAIL);
    command(d, "view gutter right-of-field", SS_FAIL);
    command(d, "view gutter right-of-field 1.5", SS_FAIL);
    command(d, "view gutter right-of-field 0.5x", SS_FAIL);
    command(d, "view gutter right-of-field nan", SS_FAIL);
    command(d, "view layout usual", SS_FAIL);
    command(d, "view maximise footer", SS_FAIL);
    command(d, "view maximise space-time", SS_FAIL); /* 1D only */
}

SCREEN_TEST(arrange, every_panel_can_be_maximised, sample_1d(64))
{
    static const ss_panel_id order[] = {SS_PANEL_FIELD,   SS_PANEL_RASTER, SS_PANEL_PLOT,
                                        SS_PANEL_PROFILE, SS_PANEL_LEDGER, SS_PANEL_CONTROLS};
    ss_rect body = ss_layout_body(&d->ui->layout);
    key(d, "^");
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 6; k++)
            CHECK_MSG(panel(d, order[k]).w == (k == i % 6 ? body.w : 0), "panel %d at %d", k, i);
        CHECK(d->scene->nitem > 12);
        key(d, "C-right");
    }
    key(d, "C-left");
    CHECK_INT(panel(d, SS_PANEL_CONTROLS).w, body.w);
    key(d, "esc");
    CHECK(panel(d, SS_PANEL_FIELD).w > 0 && panel(d, SS_PANEL_FIELD).w < body.w);
    key(d, "^"); /* the last one again */
    CHECK_INT(panel(d, SS_PANEL_CONTROLS).w, body.w);
    key(d, "^");
    CHECK(panel(d, SS_PANEL_FIELD).w > 0 && panel(d, SS_PANEL_FIELD).w < body.w);
}

/* The space-time diagram has no gap afterwards. */
SCREEN_TEST(arrange, space_time_goes_on_behind_a_maximised_panel, sample_1d(64))
{
    CHECK(ss_ui_view(d->ui)->raster);
    command(d, "view maximise field", SS_OK);
    CHECK(ss_ui_view(d->ui)->raster);
    command(d, "view maximise curve", SS_OK);
    CHECK(ss_ui_view(d->ui)->raster);
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

SCREEN_TEST(arrange, a_double_click_on_a_title_maximises, sample_2d(SS_VALUE, 58, 58))
{
    ss_rect cost = panel(d, SS_PANEL_LEDGER), body = ss_layout_body(&d->ui->layout);
    double x = cost.x + cost.w - 1.5, y = cost.y + 0.5;
    double_click(d, x, y, 2);
    CHECK_INT(panel(d, SS_PANEL_LEDGER).w, cost.w);
    double_click(d, x, y, 0.2);
    CHECK_INT(panel(d, SS_PANEL_LEDGER).w, body.w);
    double_click(d, body.x + body.w - 1.5, body.y + 0.5, 0.2);
    CHECK_INT(panel(d, SS_PANEL_LEDGER).w, cost.w);
    double_click(d, x, cost.y + 3.5, 0.2); /* inside */
    CHECK_INT(panel(d, SS_PANEL_LEDGER).w, cost.w);
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
            draw_screen(&f);
            for (int i = 0; i < f.scene->nitem; i++) {
                ss_rect r = f.scene->item[i].rect;
                CHECK_MSG(r.x >= 0 && r.y >= 0 && r.x + r.w <= f.cols && r.y + r.h <= f.rows,
                          "seed %d, %dx%d: item %d (%d) at %d,%d %dx%d", (int)seed, f.cols, f.rows,
                          i, (int)f.scene->item[i].kind, r.x, r.y, r.w, r.h);
            }
        }
        close_fixture(&f);
    }
}

/* A recording has the usual panels; the map has its own. */
SCREEN_TEST(arrange, a_recording_has_the_usual_panels, sample_2d(SS_VALUE, 58, 58))
{
    int field = panel(d, SS_PANEL_FIELD).w;
    CHECK((hit_of(d, SS_H_TITLE, -1) != NULL) && (hit_of(d, SS_H_GUTTER, -1) != NULL));
    command(d, "view gutter right-of-field 0.3", SS_OK);
    command(d, "view maximise cost", SS_OK);
    ss_ui_in_order(d->ui);
    draw_screen(d);
    CHECK_INT(panel(d, SS_PANEL_FIELD).w, field);
    CHECK(!(hit_of(d, SS_H_TITLE, -1) != NULL) && !(hit_of(d, SS_H_GUTTER, -1) != NULL));
    command(d, "view maximise field", SS_FAIL);
}
