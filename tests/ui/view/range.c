/* The colour range: followed, held, set; by command, key and mouse: see ui/view/state.h. */
#include "tests/check.h"

#include <stdio.h>
#include <string.h>

#include "src/app/tables.h"
#include "src/core/registry.h"
#include "tests/ui/samples.h"
#include "ui/panels/screen.h"
#include "ui/scene/items.h"
#include "ui/view/state.h"

enum { COLS = 120, ROWS = 40 };

typedef struct fixture {
    sample_log log;
    ss_ui *ui;
    ss_snapshot *snap;
    struct ss_scene *scene;
} fixture;

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
    *f = (fixture){.log = {.ticket = 0}};
    f->ui = ss_ui_new(sample_emit, &f->log, NULL);
    f->snap = sample_2d(layer, 58, 58);
    CHECK_INT(sample_command(f->ui, layer == SS_VALUE ? "view layer value" : "view layer staleness",
                             NULL),
              SS_OK);
    show(f, top);
}

static void close_fixture(fixture *f)
{
    sample_free(f->snap);
    ss_ui_free(f->ui);
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

static bool shows(const fixture *f, const char *text)
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

TEST(view_range, auto_follows_and_hold_stays)
{
    fixture f;
    open_on(&f, SS_VALUE, 1);
    CHECK(shows(&f, "○ auto"));
    show(&f, 4);
    CHECK_NEAR(top_of(&f), 4, 0);
    CHECK_INT(sample_command(f.ui, "view range hold", f.snap), SS_OK);
    show(&f, 9);
    CHECK_NEAR(top_of(&f), 4, 0);
    CHECK(shows(&f, "● held"));
    show(&f, 0.1);
    CHECK_NEAR(top_of(&f), 4, 0);
    CHECK_INT(sample_command(f.ui, "view range auto", f.snap), SS_OK);
    show(&f, 0.1);
    CHECK_NEAR(top_of(&f), 0.1, 1e-6);
    close_fixture(&f);
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
    CHECK(shows(&f, "● set"));
    close_fixture(&f);
}

/* A step begins with its own colours, whatever the last one held, set or let follow. */
TEST(view_range, a_step_of_a_lesson_begins_anew)
{
    static ss_page page = {.step = 1};
    fixture f;
    open_on(&f, SS_VALUE, 1);
    ss_ui_page(f.ui, &page);
    ss_ui_sets_up(f.ui, true); /* a step whose colours follow, said before its first picture */
    CHECK_INT(sample_command(f.ui, "view range auto", f.snap), SS_OK);
    show(&f, 1);
    ss_ui_sets_up(f.ui, false);
    show(&f, 0.1);
    CHECK_NEAR(top_of(&f), 0.1, 1e-6);
    CHECK(shows(&f, "○ auto"));
    ss_ui_sets_up(f.ui, true); /* the next step says nothing */
    show(&f, 9);
    show(&f, 2);
    ss_ui_sets_up(f.ui, false);
    show(&f, 0.1);
    CHECK_NEAR(top_of(&f), 2, 0);
    CHECK(shows(&f, "● held"));
    CHECK_INT(sample_command(f.ui, "view range 0 5", f.snap), SS_OK);
    show(&f, 1);
    CHECK_NEAR(top_of(&f), 5, 0);
    ss_ui_sets_up(f.ui, true);
    show(&f, 3);
    ss_ui_sets_up(f.ui, false);
    show(&f, 1);
    CHECK_NEAR(top_of(&f), 3, 0);
    close_fixture(&f);
}

/* Each layer has its own pin. */
TEST(view_range, another_layer_follows_its_own_values)
{
    fixture f;
    open_on(&f, SS_VALUE, 1);
    CHECK_INT(sample_command(f.ui, "view range 0 5", f.snap), SS_OK);
    show(&f, 1);
    CHECK_NEAR(top_of(&f), 5, 0);
    CHECK_INT(sample_command(f.ui, "view layer staleness", f.snap), SS_OK);
    f.snap->view.layer = SS_STALENESS;
    show(&f, 0.02);
    CHECK_NEAR(top_of(&f), 0.1, 1e-12);
    CHECK_INT(sample_command(f.ui, "view layer value", f.snap), SS_OK);
    f.snap->view.layer = SS_VALUE;
    show(&f, 1);
    CHECK_NEAR(top_of(&f), 5, 0);
    close_fixture(&f);
}

TEST(view_range, says_what_it_refuses)
{
    fixture f;
    open_on(&f, SS_STALENESS, 0.02);
    static const char *const wrong[] = {"view range 0 1",   "view range 1 0.1", "view range x 1",
                                        "view range nan 1", "view range often", "view range 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_MSG(sample_command(f.ui, wrong[i], f.snap) == SS_FAIL, "%s", wrong[i]);
    CHECK_INT(sample_command(f.ui, "view layer age", f.snap), SS_OK);
    CHECK_INT(sample_command(f.ui, "view range 1 2", f.snap), SS_FAIL);
    close_fixture(&f);
}

TEST(view_range, a_click_on_the_pin_or_the_bar_holds_and_releases)
{
    fixture f;
    open_on(&f, SS_VALUE, 1);
    ss_rect bar = bar_of(&f)->rect;
    click(&f, bar);
    show(&f, 1);
    CHECK(shows(&f, "● held"));
    click(&f, bar);
    show(&f, 1);
    CHECK(shows(&f, "○ auto"));
    for (int i = 0; i < f.scene->nitem; i++)
        if (f.scene->item[i].kind == SS_I_TEXT && strcmp(f.scene->item[i].text, "○ auto") == 0) {
            click(&f, f.scene->item[i].rect);
            break;
        }
    show(&f, 1);
    CHECK(shows(&f, "● held"));
    close_fixture(&f);
}

TEST(view_range, a_double_click_ends_a_hold)
{
    fixture f;
    open_on(&f, SS_VALUE, 1);
    CHECK_INT(sample_command(f.ui, "view range 0 5", f.snap), SS_OK);
    show(&f, 1);
    ss_rect bar = bar_of(&f)->rect;
    ss_ui_clock(f.ui, 100);
    click(&f, bar);
    ss_ui_clock(f.ui, 100.2);
    click(&f, bar);
    ss_ui_clock(f.ui, 110);
    show(&f, 1);
    ss_ui_clock(f.ui, 111);
    show(&f, 1);
    CHECK(shows(&f, "○ auto"));
    CHECK_NEAR(top_of(&f), 1, 0);
    close_fixture(&f);
}

/* The end under the mouse takes the value there, on the scale from which the drag began. */
TEST(view_range, an_end_of_the_bar_can_be_dragged)
{
    fixture f;
    open_on(&f, SS_VALUE, 8);
    const ss_rect r = bar_of(&f)->rect;
    CHECK(!bar_of(&f)->bar.vertical);
    mouse(&f, SS_EV_PRESS, r.x + r.w - 0.5, r.y + 0.5);
    mouse(&f, SS_EV_DRAG, r.x + 0.75 * r.w, r.y + 0.5);
    mouse(&f, SS_EV_DRAG, r.x + 0.5 * r.w, r.y + 0.5);
    mouse(&f, SS_EV_RELEASE, r.x + 0.5 * r.w, r.y + 0.5);
    show(&f, 8);
    CHECK_NEAR(top_of(&f), 4, 1e-3);
    CHECK(shows(&f, "● set"));
    close_fixture(&f);
}

/* The screen says that the range moves; in between, labels and cells agree. */
TEST(view_range, a_large_change_takes_a_moment)
{
    fixture f;
    open_on(&f, SS_STALENESS, 0.02);
    ss_ui_clock(f.ui, 10);
    show(&f, 0.2);
    CHECK(ss_ui_moves(f.ui));
    CHECK_NEAR(top_of(&f), 0.1, 1e-9);
    ss_ui_clock(f.ui, 10.15);
    show(&f, 0.2);
    CHECK_NEAR(log10(top_of(&f)), -0.5, 1e-6);
    ss_ui_clock(f.ui, 10.31);
    show(&f, 0.2);
    CHECK_NEAR(top_of(&f), 1, 0);
    CHECK(!ss_ui_moves(f.ui));
    close_fixture(&f);
}

TEST(view_range, a_cycle_under_the_microscope_has_one_range)
{
    fixture f;
    open_on(&f, SS_STALENESS, 0.5);
    f.snap->scale.valid = true, f.snap->scale.lo = 0, f.snap->scale.hi = 0.05;
    static const double tops[] = {1e-6, 1e-4, 2e-3, 0.05};
    for (int i = 0; i < 4; i++) {
        f.snap->peek = i + 1;
        show(&f, tops[i]);
        CHECK_NEAR(top_of(&f), 0.1, 1e-12);
        CHECK(shows(&f, "● held"));
    }
    CHECK_INT(sample_command(f.ui, "view range auto", f.snap), SS_OK);
    show(&f, 2e-3);
    CHECK_NEAR(top_of(&f), 0.01, 1e-12);
    f.snap->scale.valid = false;
    show(&f, 2e-3);
    f.snap->scale.valid = true; /* the next cycle is held again */
    show(&f, 2e-3);
    CHECK_NEAR(top_of(&f), 0.1, 1e-12);
    close_fixture(&f);
}

/* In a race, colours never stand for other values than before, except that the range grows. */
TEST(view_range, a_race_has_a_range_that_only_grows)
{
    fixture f;
    static ss_racer racer[2];
    open_on(&f, SS_STALENESS, 0.02);
    f.snap->race = (ss_race){.n = 2, .racer = racer};
    show(&f, 0.02);
    show(&f, 1e-4);
    CHECK_NEAR(f.scene->image[0].range.hi, 0.1, 1e-12);
    show(&f, 0.3);
    CHECK_NEAR(f.scene->image[0].range.hi, 1, 1e-12);
    show(&f, 1e-4);
    CHECK_NEAR(f.scene->image[0].range.hi, 1, 1e-12);
    f.snap->race.n = 0;
    close_fixture(&f);
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
    CHECK(shows(&f, "● held"));
    close_fixture(&f);
    ss_film_ranges_free(ranges);
}

TEST(view_range, ages_have_one_colour_for_each_whole_number)
{
    fixture f;
    open_on(&f, SS_STALENESS, 0.02);
    f.snap->layers[SS_AGE] = true, f.snap->layer_why[SS_AGE] = NULL;
    f.snap->per_cycle = 5;
    CHECK_INT(sample_command(f.ui, "view layer age", f.snap), SS_OK);
    f.snap->view.layer = SS_AGE;
    show(&f, 2);
    const ss_item *bar = bar_of(&f);
    CHECK_INT(bar->bar.image->steps, 6);
    CHECK_NEAR(bar->bar.image->range.lo, 0, 0);
    CHECK_NEAR(bar->bar.image->range.hi, 5, 0);
    for (int i = 0; i < bar->bar.axis->ntick; i++)
        CHECK_NEAR(bar->bar.axis->tick[i].at, floor(bar->bar.axis->tick[i].at), 0);
    CHECK(bar->bar.axis->ntick > 1);
    close_fixture(&f);
}

/* --- parameters that are turned --------------------------------------------------------------- */

static void turn(fixture *f, const char *value)
{
    ss_err err = {0};
    CHECK_MSG(ss_config_set(&f->snap->cfg, "overlap", value, &err) == SS_OK, "%s", err.text);
}

/* Staleness that falls with the overlap is seen to fall. */
TEST(view_range, colours_are_held_while_a_parameter_is_turned)
{
    fixture f;
    ss_tables_init();
    open_on(&f, SS_STALENESS, 5e-3);
    ss_config_default(&f.snap->cfg);
    CHECK(ss_config_set(&f.snap->cfg, "equation", "poisson2d", NULL) == SS_OK &&
          ss_config_set(&f.snap->cfg, "solver", "shared", NULL) == SS_OK);
    f.snap->began = 7;
    show(&f, 5e-3);
    show(&f, 5e-6); /* nothing was turned: they follow */
    CHECK_NEAR(top_of(&f), 1e-5, 1e-12);
    show(&f, 5e-3);
    turn(&f, "4");
    show(&f, 5e-6);
    CHECK_NEAR(top_of(&f), 1e-2, 1e-9);
    CHECK(shows(&f, "● held"));
    turn(&f, "8");
    show(&f, 5e-9);
    CHECK_NEAR(top_of(&f), 1e-2, 1e-9);
    show(&f, 0.5); /* a larger value is not cut off */
    CHECK_NEAR(top_of(&f), 1, 1e-9);
    CHECK_INT(sample_command(f.ui, "view range toggle", f.snap), SS_OK);
    show(&f, 5e-6);
    CHECK_NEAR(top_of(&f), 1e-5, 1e-12);
    CHECK(shows(&f, "○ auto"));
    turn(&f, "10"); /* and again */
    show(&f, 5e-9);
    CHECK_NEAR(top_of(&f), 1e-5, 1e-12);
    close_fixture(&f);
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
        CHECK(shows(&f, how < 3 ? "● held" : "○ auto"));
        f.snap->began += how == 0;
        f.snap->view.layer = how == 1 ? SS_RESIDUAL : SS_STALENESS;
        if (how == 2)
            ss_ui_view_anew(f.ui);
        show(&f, 5e-6);
        CHECK_NEAR(top_of(&f), 1e-5, 1e-12);
        close_fixture(&f);
    }
}
