/* The colour range: followed, held, set; by command, key and mouse: see ui/view/state.h. */

#include <stdio.h>
#include <string.h>

#include "src/core/registry.h"
#define SCREEN_OPEN open_on
#include "tests/ui/fixture.h"

enum { COLS = 120, ROWS = 40 };

/* A new picture whose largest value is `top`. */
static void show(fixture *f, double top)
{
    ss_extent e = {.cols = COLS, .rows = ROWS, .dots_x = 1, .dots_y = 2};
    ss_picture *p = &f->snap->picture;
    for (int i = 0; i < p->w * p->h; i++)
        p->cell[i] = (float)top;
    p->lo = 0, p->hi = top;
    f->snap->seq++;
    f->scene = ss_ui_scene(f->ui, f->snap, &e, 20);
}

static void open_on(fixture *f, ss_layer layer, double top)
{
    open_screen(f, sample_2d(layer, 58, 58), COLS, ROWS);
    CHECK_INT(sample_command(f->ui, layer == SS_VALUE ? "view layer value" : "view layer staleness",
                             NULL),
              SS_OK);
    show(f, top);
}

static const ss_item *bar_of(const fixture *f)
{
    for (int i = 0; i < f->scene->nitem; i++)
        if (f->scene->item[i].kind == SS_I_BAR)
            return &f->scene->item[i];
    CHECK_MSG(false, "there is no colour bar");
    return NULL;
}

/* The upper end of the cells' range; the bar's labels have the same. */
static double top_of(const fixture *f)
{
    const ss_item *bar = bar_of(f);
    CHECK_NEAR(bar->bar.axis->hi, f->scene->image[0].range.hi, 0);
    CHECK_NEAR(bar->bar.axis->lo, f->scene->image[0].range.lo, 0);
    return f->scene->image[0].range.hi;
}

static bool has_item(const fixture *f, const char *text)
{
    for (int i = 0; i < f->scene->nitem; i++) {
        const ss_item *item = &f->scene->item[i];
        if (item->kind == SS_I_TEXT && strcmp(item->text, text) == 0)
            return true;
    }
    return false;
}

static void mouse(fixture *f, ss_event_kind kind, double x, double y)
{
    ss_event ev = {.kind = kind, .x = x, .y = y};
    ss_ui_event(f->ui, &ev, f->scene, f->snap);
}

static void click(fixture *f, ss_rect r)
{
    mouse(f, SS_EV_PRESS, r.x + 0.5, r.y + 0.5);
    mouse(f, SS_EV_RELEASE, r.x + 0.5, r.y + 0.5);
}

SCREEN_TEST(view_range, auto_follows_and_hold_stays, SS_VALUE, 1)
{
    CHECK(has_item(d, "○ auto"));
    show(d, 4);
    CHECK_NEAR(top_of(d), 4, 0);
    CHECK_INT(sample_command(d->ui, "view range hold", d->snap), SS_OK);
    show(d, 9);
    CHECK_NEAR(top_of(d), 4, 0);
    CHECK(has_item(d, "● held"));
    show(d, 0.1);
    CHECK_NEAR(top_of(d), 4, 0);
    CHECK_INT(sample_command(d->ui, "view range auto", d->snap), SS_OK);
    show(d, 0.1);
    CHECK_NEAR(top_of(d), 0.1, 1e-6);
}

TEST(view_range, a_range_can_be_set_before_there_is_a_picture)
{
    fixture f;
    f = (fixture){.log = {.ticket = 0}};
    f.ui = ss_ui_new(sample_emit, &f.log, NULL);
    f.snap = sample_2d(SS_VALUE, 58, 58);
    CHECK_INT(sample_command(f.ui, "view range -2 8", NULL), SS_OK);
    show(&f, 1);
    CHECK_NEAR(top_of(&f), 8, 0);
    CHECK(has_item(&f, "● set"));
    close_fixture(&f);
}

/* A step begins with its own colours, whatever the last one held, set or let follow. */
SCREEN_TEST(view_range, a_step_of_a_lesson_begins_anew, SS_VALUE, 1)
{
    static ss_page page = {.step = 1};
    ss_ui_page(d->ui, &page);
    ss_ui_sets_up(d->ui, true); /* a step whose colours follow, said before its first picture */
    CHECK_INT(sample_command(d->ui, "view range auto", d->snap), SS_OK);
    show(d, 1);
    ss_ui_sets_up(d->ui, false);
    show(d, 0.1);
    CHECK_NEAR(top_of(d), 0.1, 1e-6);
    CHECK(has_item(d, "○ auto"));
    ss_ui_sets_up(d->ui, true); /* the next step says nothing */
    show(d, 9);
    show(d, 2);
    ss_ui_sets_up(d->ui, false);
    show(d, 0.1);
    CHECK_NEAR(top_of(d), 2, 0);
    CHECK(has_item(d, "● held"));
    CHECK_INT(sample_command(d->ui, "view range 0 5", d->snap), SS_OK);
    show(d, 1);
    CHECK_NEAR(top_of(d), 5, 0);
    ss_ui_sets_up(d->ui, true);
    show(d, 3);
    ss_ui_sets_up(d->ui, false);
    show(d, 1);
    CHECK_NEAR(top_of(d), 3, 0);
}

/* Each layer has its own pin. */
SCREEN_TEST(view_range, another_layer_follows_its_own_values, SS_VALUE, 1)
{
    CHECK_INT(sample_command(d->ui, "view range 0 5", d->snap), SS_OK);
    show(d, 1);
    CHECK_NEAR(top_of(d), 5, 0);
    CHECK_INT(sample_command(d->ui, "view layer staleness", d->snap), SS_OK);
    d->snap->view.layer = SS_STALENESS;
    show(d, 0.02);
    CHECK_NEAR(top_of(d), 0.1, 1e-12);
    CHECK_INT(sample_command(d->ui, "view layer value", d->snap), SS_OK);
    d->snap->view.layer = SS_VALUE;
    show(d, 1);
    CHECK_NEAR(top_of(d), 5, 0);
}

SCREEN_TEST(view_range, says_what_it_refuses, SS_STALENESS, 0.02)
{
    static const char *const wrong[] = {"view range 0 1",   "view range 1 0.1", "view range x 1",
                                        "view range nan 1", "view range often", "view range 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_MSG(sample_command(d->ui, wrong[i], d->snap) == SS_FAIL, "%s", wrong[i]);
    CHECK_INT(sample_command(d->ui, "view layer age", d->snap), SS_OK);
    CHECK_INT(sample_command(d->ui, "view range 1 2", d->snap), SS_FAIL);
}

SCREEN_TEST(view_range, a_click_on_the_pin_or_the_bar_holds_and_releases, SS_VALUE, 1)
{
    ss_rect bar = bar_of(d)->rect;
    click(d, bar);
    show(d, 1);
    CHECK(has_item(d, "● held"));
    click(d, bar);
    show(d, 1);
    CHECK(has_item(d, "○ auto"));
    for (int i = 0; i < d->scene->nitem; i++)
        if (d->scene->item[i].kind == SS_I_TEXT && strcmp(d->scene->item[i].text, "○ auto") == 0) {
            click(d, d->scene->item[i].rect);
            break;
        }
    show(d, 1);
    CHECK(has_item(d, "● held"));
}

SCREEN_TEST(view_range, a_double_click_ends_a_hold, SS_VALUE, 1)
{
    CHECK_INT(sample_command(d->ui, "view range 0 5", d->snap), SS_OK);
    show(d, 1);
    ss_rect bar = bar_of(d)->rect;
    ss_ui_clock(d->ui, 100);
    click(d, bar);
    ss_ui_clock(d->ui, 100.2);
    click(d, bar);
    ss_ui_clock(d->ui, 110);
    show(d, 1);
    ss_ui_clock(d->ui, 111);
    show(d, 1);
    CHECK(has_item(d, "○ auto"));
    CHECK_NEAR(top_of(d), 1, 0);
}

/* The end under the mouse takes the value there, on the scale from which the drag began. */
SCREEN_TEST(view_range, an_end_of_the_bar_can_be_dragged, SS_VALUE, 8)
{
    const ss_rect r = bar_of(d)->rect;
    CHECK(!bar_of(d)->bar.vertical);
    mouse(d, SS_EV_PRESS, r.x + r.w - 0.5, r.y + 0.5);
    mouse(d, SS_EV_DRAG, r.x + 0.75 * r.w, r.y + 0.5);
    mouse(d, SS_EV_DRAG, r.x + 0.5 * r.w, r.y + 0.5);
    mouse(d, SS_EV_RELEASE, r.x + 0.5 * r.w, r.y + 0.5);
    show(d, 8);
    CHECK_NEAR(top_of(d), 4, 1e-3);
    CHECK(has_item(d, "● set"));
}

/* The screen says that the range moves; in between, labels and cells agree. */
SCREEN_TEST(view_range, a_large_change_takes_a_moment, SS_STALENESS, 0.02)
{
    ss_ui_clock(d->ui, 10);
    show(d, 0.2);
    CHECK(ss_ui_moves(d->ui));
    CHECK_NEAR(top_of(d), 0.1, 1e-9);
    ss_ui_clock(d->ui, 10.15);
    show(d, 0.2);
    CHECK_NEAR(log10(top_of(d)), -0.5, 1e-6);
    ss_ui_clock(d->ui, 10.31);
    show(d, 0.2);
    CHECK_NEAR(top_of(d), 1, 0);
    CHECK(!ss_ui_moves(d->ui));
}

SCREEN_TEST(view_range, a_cycle_under_the_microscope_has_one_range, SS_STALENESS, 0.5)
{
    d->snap->scale.valid = true, d->snap->scale.lo = 0, d->snap->scale.hi = 0.05;
    static const double tops[] = {1e-6, 1e-4, 2e-3, 0.05};
    for (int i = 0; i < 4; i++) {
        d->snap->peek = i + 1;
        show(d, tops[i]);
        CHECK_NEAR(top_of(d), 0.1, 1e-12);
        CHECK(has_item(d, "● held"));
    }
    CHECK_INT(sample_command(d->ui, "view range auto", d->snap), SS_OK);
    show(d, 2e-3);
    CHECK_NEAR(top_of(d), 0.01, 1e-12);
    d->snap->scale.valid = false;
    show(d, 2e-3);
    d->snap->scale.valid = true; /* the next cycle is held again */
    show(d, 2e-3);
    CHECK_NEAR(top_of(d), 0.1, 1e-12);
}

/* In a race, colours never stand for other values than before, except that the range grows. */
SCREEN_TEST(view_range, a_race_has_a_range_that_only_grows, SS_STALENESS, 0.02)
{
    static ss_racer racer[2];
    d->snap->race = (ss_race){.n = 2, .racer = racer};
    show(d, 0.02);
    show(d, 1e-4);
    CHECK_NEAR(d->scene->image[0].range.hi, 0.1, 1e-12);
    show(d, 0.3);
    CHECK_NEAR(d->scene->image[0].range.hi, 1, 1e-12);
    show(d, 1e-4);
    CHECK_NEAR(d->scene->image[0].range.hi, 1, 1e-12);
    d->snap->race.n = 0;
}

TEST(view_range, all_frames_of_a_film_have_the_range_of_the_whole_film)
{
    ss_film_ranges *ranges = ss_film_ranges_new();
    fixture f;
    static const double tops[] = {0.02, 3e-5, 0.4, 1e-3};
    open_on(&f, SS_STALENESS, 0.02);
    for (int i = 0; i < 4; i++) {
        show(&f, tops[i]);
        ss_film_ranges_add(ranges, f.ui);
    }
    close_fixture(&f);
    open_on(&f, SS_STALENESS, 0.02);
    ss_ui_in_order(f.ui);
    ss_ui_film_ranges(f.ui, ranges);
    for (int i = 0; i < 4; i++) {
        show(&f, tops[i]);
        CHECK_NEAR(top_of(&f), 1, 1e-12);
    }
    CHECK(has_item(&f, "● held"));
    close_fixture(&f);
    ss_film_ranges_free(ranges);
}

SCREEN_TEST(view_range, ages_have_one_colour_for_each_whole_number, SS_STALENESS, 0.02)
{
    d->snap->layers[SS_AGE] = true, d->snap->layer_why[SS_AGE] = NULL;
    d->snap->per_cycle = 5;
    CHECK_INT(sample_command(d->ui, "view layer age", d->snap), SS_OK);
    d->snap->view.layer = SS_AGE;
    show(d, 2);
    const ss_item *bar = bar_of(d);
    CHECK_INT(bar->bar.image->steps, 6);
    CHECK_NEAR(bar->bar.image->range.lo, 0, 0);
    CHECK_NEAR(bar->bar.image->range.hi, 5, 0);
    for (int i = 0; i < bar->bar.axis->ntick; i++)
        CHECK_NEAR(bar->bar.axis->tick[i].at, floor(bar->bar.axis->tick[i].at), 0);
    CHECK(bar->bar.axis->ntick > 1);
}

/* --- parameters that are turned --------------------------------------------------------------- */

static void turn(fixture *f, const char *value)
{
    ss_err err = {0};
    CHECK_MSG(ss_config_set(&f->snap->cfg, "overlap", value, &err) == SS_OK, "%s", err.text);
}

/* Staleness that falls with the overlap is seen to fall. */
SCREEN_TEST(view_range, colours_are_held_while_a_parameter_is_turned, SS_STALENESS, 5e-3)
{
    ss_tables_init();
    ss_config_default(&d->snap->cfg);
    CHECK(ss_config_set(&d->snap->cfg, "equation", "poisson2d", NULL) == SS_OK &&
          ss_config_set(&d->snap->cfg, "solver", "shared", NULL) == SS_OK);
    d->snap->began = 7;
    show(d, 5e-3);
    show(d, 5e-6); /* nothing was turned: they follow */
    CHECK_NEAR(top_of(d), 1e-5, 1e-12);
    show(d, 5e-3);
    turn(d, "4");
    show(d, 5e-6);
    CHECK_NEAR(top_of(d), 1e-2, 1e-9);
    CHECK(has_item(d, "● held"));
    turn(d, "8");
    show(d, 5e-9);
    CHECK_NEAR(top_of(d), 1e-2, 1e-9);
    show(d, 0.5); /* a larger value is not cut off */
    CHECK_NEAR(top_of(d), 1, 1e-9);
    CHECK_INT(sample_command(d->ui, "view range toggle", d->snap), SS_OK);
    show(d, 5e-6);
    CHECK_NEAR(top_of(d), 1e-5, 1e-12);
    CHECK(has_item(d, "○ auto"));
    turn(d, "10"); /* and again */
    show(d, 5e-9);
    CHECK_NEAR(top_of(d), 1e-5, 1e-12);
}

/* Another start, another layer or the clean sheet of a preset lets them follow again. Settings of
 * the machine are no parameters. */
TEST(view_range, what_ends_the_hold_of_a_turn)
{
    for (int how = 0; how < 4; how++) {
        fixture f;
        ss_tables_init();
        open_on(&f, SS_STALENESS, 5e-3);
        ss_config_default(&f.snap->cfg);
        CHECK(ss_config_set(&f.snap->cfg, "equation", "poisson2d", NULL) == SS_OK &&
              ss_config_set(&f.snap->cfg, "solver", "shared", NULL) == SS_OK);
        show(&f, 5e-3);
        if (how < 3)
            turn(&f, "4");
        else
            CHECK(ss_config_set(&f.snap->cfg, "threads", "2", NULL) == SS_OK);
        show(&f, 5e-3);
        CHECK(has_item(&f, how < 3 ? "● held" : "○ auto"));
        f.snap->began += how == 0;
        f.snap->view.layer = how == 1 ? SS_RESIDUAL : SS_STALENESS;
        if (how == 2)
            ss_ui_view_anew(f.ui);
        show(&f, 5e-6);
        CHECK_NEAR(top_of(&f), 1e-5, 1e-12);
        close_fixture(&f);
    }
}
